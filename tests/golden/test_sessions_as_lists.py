"""What lists could do and sessions could not, and what must be refused rather than answered with another number."""

from __future__ import annotations

import pickle
import statistics

import pytest

import gaincurve as gc
from gaincurve.errors import ChoiceError, InputError

JUDGED = {"t1": {"a": 3, "b": 2, "c": 1}, "t2": {"d": 1, "e": 2}}


def log(name: str, lists: dict[str, list[list[str]]]) -> gc.SessionLog:
    topics = {"s1": "t1", "s2": "t2", "s3": "t1"}
    records = [
        {"session": session, "query": number, "topic": topics[session], "ranking": ranking}
        for session, rankings in lists.items()
        for number, ranking in enumerate(rankings, 1)
    ]
    return gc.sessions_from_records(records, name)


ONE = {"s1": [["a", "x"], ["b"]], "s2": [["x", "e"]], "s3": [["c"], ["a"]]}
TWO = {"s1": [["x", "b"], ["a"]], "s2": [["e", "d"]], "s3": [["x"], ["c"]]}


def both() -> list[gc.SessionLog]:
    return [log("one", ONE), log("two", TWO)]


def test_scores_of_topics_and_sessions_survive_pickling() -> None:
    lists = gc.evaluate({"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}, ["AP", "nDCG@10", "P(rel=2)@5"])
    for scores in (lists, gc.evaluate_sessions(JUDGED, both(), ["sDCG", "nsDCG", "sRBP"])):
        again = pickle.loads(pickle.dumps(scores))
        assert again.summary() == scores.summary()
        assert again.measures == scores.measures
        assert again.signatures == scores.signatures
        assert again.measures[0].definition is scores.measures[0].definition


def test_a_ratio_of_means_is_for_means() -> None:
    scores = gc.evaluate_sessions(JUDGED, both(), "nsDCG(summary='median')", average="ratio-of-means")
    single = gc.evaluate_sessions(JUDGED, both(), "nsDCG")["one", "nsDCG"]
    assert scores.summary()["one"]["nsDCG(summary='median')"] == statistics.median(single)
    assert scores.signatures[0].parts["average"] == "mean-of-ratios"


def test_a_mean_of_means_is_for_means() -> None:
    with pytest.raises(ChoiceError, match="asks for the sum"):
        gc.evaluate_sessions(JUDGED, both(), "sDCG(summary='sum')", by="topic")
    with pytest.raises(ChoiceError, match="summarises groups"):
        gc.evaluate_sessions(JUDGED, both(), "sDCG", by="topic", unjudged="bounds")


def test_a_curve_leads_to_the_mean_only() -> None:
    with pytest.raises(ChoiceError, match="has no curve"):
        gc.session_curves(JUDGED, both(), "nsDCG(summary='median')")


def test_an_explanation_has_one_order() -> None:
    with pytest.raises(ChoiceError, match="shows one order"):
        gc.explain_session(JUDGED, both()[0], "s1", ties="average")


def test_compare_says_that_it_compares_means_of_sessions() -> None:
    ratio = gc.evaluate_sessions(JUDGED, both(), "nsDCG", average="ratio-of-means")
    found = gc.compare(ratio)
    assert found.families[0].means[0] == pytest.approx(ratio["one", "nsDCG"].mean())
    assert any("although its summary is a ratio of means" in note.text for note in found.notes)
    by_topic = gc.compare(gc.evaluate_sessions(JUDGED, both(), "nsDCG", by="topic"))
    assert any("although its summary is by topic" in note.text for note in by_topic.notes)
    assert "over 3 sessions" in found.methods()[0]


def test_sweep_needs_subtopics_as_evaluate_does() -> None:
    with pytest.raises(InputError, match="do not name subtopics"):
        gc.sweep(JUDGED, both(), "sIR", gains=["binary"], depths=[5], ratios=[])


def test_sweep_gives_the_numbers_of_evaluate() -> None:
    swept = gc.sweep(JUDGED, both(), "nsDCG", gains=["exp2"], bases=[3], bqs=[4], depths=[2], ratios=[])
    alone = gc.evaluate_sessions(JUDGED, both(), "nsDCG", gains="exp2", base=3, depth=2).summary()
    assert swept.grid[0].means == pytest.approx([alone["one"]["nsDCG"], alone["two"]["nsDCG"]], abs=1e-15)
    assert "X" not in swept.signature.parts


def test_check_looks_at_sessions() -> None:
    findings = gc.check(JUDGED, both(), "sDCG").findings
    unjudged = [finding.text for finding in findings if finding.about == "unjudged"]
    # of one's five lists 2 + 1 + 2 + 1 + 1 documents are shown, and x twice among them
    assert unjudged[0].startswith(f"{2 / 7:.1%} of the top 10 documents are unjudged")
    assert [f.text for f in findings if f.about == "sessions"] == ["all 3 sessions present and judged"] * 2
