"""Choices that depend on the log beside the lists, each against the plain loop: what was read, what was dropped, what
was held against the longest session; and curves, point by point."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import session_reference as plain
from scipy import stats

from gaincurve.errors import GaincurveError
from gaincurve.files.evaluate import evaluate_files, evaluate_session_files
from gaincurve.io.read import read_run
from gaincurve.model.scores import Scores
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.verbs.evaluate import evaluate
from gaincurve.verbs.sessions.curves import SessionCurves, session_curves
from gaincurve.verbs.sessions.evaluate import evaluate_sessions
from gaincurve.verbs.sessions.explain import explain_session

POOL = [f"d{i}" for i in range(30)]
MEASURES = [f"{m}(score='{s}')" for m in ("sDCG", "nsDCG") for s in ("final", "average")]
GAINS = {
    topic: {
        d: float(g) for d, g in zip(POOL[start : start + 14], [3, 0, 1, 2, 0, 3, 1, 1, 0, 2, 2, 1, 3, 0], strict=True)
    }
    for start, topic in enumerate("abc")
}
Records = list[dict[str, Any]]


def records(seed: int, repeats: bool = False) -> Records:
    """Twelve sessions of one to five queries; some lists are empty, some depths and clicks are not recorded."""
    chance = np.random.default_rng(seed)
    found = []
    for s in range(12):
        for q in range(1, 2 + s % 5):
            size = int(chance.integers(0, 13)) if (s + q) % 4 else 0
            ranking = chance.choice(POOL, size, replace=repeats).tolist()
            one: dict[str, Any] = {"session": f"s{s}", "query": q, "topic": "abc"[s % 3], "ranking": ranking}
            if chance.random() < 0.7:
                one["depth"] = int(chance.integers(0, 13))
            if size and chance.random() < 0.7:
                one["clicks"] = chance.integers(1, size + 1, 2).tolist()
            found.append(one)
    return found


def as_plain(given: Records, scan: str = "top", judged_only: bool = False) -> dict[str, list[plain.Query]]:
    """The same in the plain loop's words: lists without repeats, and how much of each was read."""
    found: dict[str, list[plain.Query]] = {}
    for one in given:
        ranking: list[str] = []
        places = []  # the place of each row of the list once repeats are gone
        for document in one["ranking"]:
            if document not in ranking:
                ranking.append(document)
            places.append(len(ranking))
        read = None
        if scan == "observed" and "depth" in one:
            beyond = max(0, one["depth"] - len(places))
            read = beyond + (places[min(one["depth"], len(places)) - 1] if one["depth"] and places else 0)
        if scan == "clicks" and one.get("clicks"):
            read = places[max(one["clicks"]) - 1]
        if judged_only:
            ranking = [document for document in ranking if document in GAINS[one["topic"]]]
        found.setdefault(one["session"], []).append((one["topic"], ranking, read))
    return found


def expected(session: list[plain.Query], rules: plain.Rules) -> list[float]:
    alone = replace(rules, horizon=0)
    vector = plain.cumulated(plain.cells(session, alone), plain.actual_gains(session, GAINS, alone))
    shares = plain.nsdcg_vector(session, GAINS, rules)
    ends = [vector[-1] if vector else 0.0, plain.average(vector), shares[-1] if shares else math.nan]
    return [*ends, plain.average(shares)]


def agree(found: Scores, sessions: dict[str, list[plain.Query]], rules: plain.Rules, run: int = 0) -> None:
    assert found.scores.topics == tuple(sessions)
    for s, (name, session) in enumerate(sessions.items()):
        got = found.scores.values[run, :, s].tolist()
        assert got == pytest.approx(expected(session, rules), rel=1e-12, abs=1e-12, nan_ok=True), name


PADS = [{}, {"pad": "none"}, {"pad": "min:3", "rank_scope": "session"}, {"pad": "none", "ideal": "bound"}]


@pytest.mark.parametrize("scan", ["observed", "clicks"])
@pytest.mark.parametrize("options", PADS, ids=str)
def test_lists_are_read_as_far_as_was_recorded(scan: str, options: dict[str, Any]) -> None:
    given = records(1)
    found = evaluate_sessions(GAINS, sessions_from_records(given), MEASURES, scan=scan, **options)
    agree(found, as_plain(given, scan), plain.Rules(**options))
    assert found.summary() != evaluate_sessions(GAINS, sessions_from_records(given), MEASURES, **options).summary()


@pytest.mark.parametrize("scan", ["observed", "clicks"])
def test_systems_on_the_same_sessions_keep_their_own_depths_clicks_and_texts(scan: str) -> None:
    logs = [records(seed) for seed in (1, 2)]
    logs[1].reverse()  # the same sessions in another order
    made = [sessions_from_records(one, name) for one, name in zip(logs, "AB", strict=True)]
    found = evaluate_sessions(GAINS, made, MEASURES, scan=scan)
    assert found.design == "paired"
    for r, given in enumerate(logs):
        own = as_plain(sorted(given, key=lambda one: one["query"]), scan)
        agree(found, {name: own[name] for name in found.scores.topics}, plain.Rules(), r)


def test_the_depth_of_one_log_is_not_that_of_another() -> None:
    lists = [["d0", "d2", "d3"]]
    logs = [
        sessions_from_records([{"session": "s", "query": 1, "topic": "a", "ranking": lists[0], "depth": depth}], name)
        for name, depth in (("A", 1), ("B", 3))
    ]
    found = evaluate_sessions(GAINS, logs, "sDCG", scan="observed").summary()
    assert found["A"]["sDCG"] == 3.0
    assert found["B"]["sDCG"] == pytest.approx(3 + 1 / 2 + 2 / (1 + math.log2(3)), abs=1e-12)


def test_the_longest_session_of_all_systems_is_the_horizon() -> None:
    given = records(3)
    rules = plain.Rules(horizon=max(map(len, as_plain(given).values())))
    found = evaluate_sessions(GAINS, sessions_from_records(given), MEASURES, horizon="longest")
    agree(found, as_plain(given), rules)
    assert "|horizon:longest(5)|" in str(found.signatures[2])
    assert "horizon" not in str(found.signatures[0])
    skipping = evaluate_sessions(GAINS, sessions_from_records(given), MEASURES, horizon="longest", empty_lists="skip")
    most = max(sum(bool(d) for _, d, _ in session) for session in as_plain(given).values())
    agree(skipping, as_plain(given), plain.Rules(horizon=most, skip_empty=True))
    longer = {"session": "z", "query": 1, "topic": "a", "ranking": []}
    other = sessions_from_records([{**longer, "query": q} for q in range(1, 8)], "other")
    beside = evaluate_sessions(GAINS, [sessions_from_records(given, "one"), other], MEASURES, horizon="longest")
    assert "|horizon:longest(7)|" in str(beside.signatures[2])
    sdcg, nsdcg = beside.scores.values[0, 0, :12], beside.scores.values[0, 2, :12]
    assert (sdcg == found.scores.values[0, 0]).all()
    assert (nsdcg[sdcg > 0] < found.scores.values[0, 2][sdcg > 0]).all()


@pytest.mark.parametrize("scan", ["top", "observed", "clicks"])
def test_a_repeat_inside_a_list_is_dropped_and_what_was_read_is_counted_without_it(scan: str) -> None:
    given = records(4, repeats=True)
    log = sessions_from_records(given, duplicates="first")
    found = evaluate_sessions(GAINS, log, MEASURES, scan=scan)
    agree(found, as_plain(given, scan), plain.Rules())
    assert all("|duplicates:first|" in str(signature) for signature in found.signatures)
    clean = sessions_from_records(records(4), duplicates="first")
    assert "duplicates" not in str(evaluate_sessions(GAINS, clean, "sDCG").signatures[0])


def test_condensed_lists_have_no_unjudged_documents() -> None:
    given = records(5)
    found = evaluate_sessions(GAINS, sessions_from_records(given), MEASURES, unjudged="condensed")
    agree(found, as_plain(given, judged_only=True), plain.Rules())


CURVES: list[dict[str, Any]] = [
    {},
    {"horizon": 7},
    {"pad": "none"},
    {"pad": "min:3", "ideal": "spread"},
    {"normalise": "per_query"},
    {"rank_scope": "session", "x": 4},
    {"skip_empty": True},
]


@pytest.mark.parametrize("options", CURVES, ids=str)
@pytest.mark.parametrize("measure", ["sDCG", "nsDCG"])
def test_curves_are_the_plain_vectors_and_their_means(measure: str, options: dict[str, Any]) -> None:
    given = records(6)
    rules = plain.Rules(**options)
    named = {k: v for k, v in options.items() if k not in ("x", "skip_empty")}
    named |= {"depth": rules.x, "empty_lists": "skip" if rules.skip_empty else "count"}
    drawn = session_curves(GAINS, sessions_from_records(given), measure, per_session=True, **named)
    rules = rules if measure == "nsDCG" else replace(rules, horizon=0)
    lines = []
    for values, session in zip(drawn.singles[0].values, as_plain(given).values(), strict=True):
        places = plain.cells(session, rules)
        vector = plain.cumulated(places, plain.actual_gains(session, GAINS, rules))
        vector = plain.nsdcg_vector(session, GAINS, rules) if measure == "nsDCG" else vector
        lines.append(plain.line(session, vector, rules, drawn.queries, 0.0 if measure == "sDCG" else math.nan))
        assert values.tolist() == pytest.approx(lines[-1], rel=1e-12, abs=1e-12, nan_ok=True)
    means = [plain.average(list(column)) for column in zip(*lines, strict=True)]
    assert drawn["sessions"].tolist() == pytest.approx(means, rel=1e-12, abs=1e-12, nan_ok=True)
    assert_intervals(
        drawn, [[value for value in column if not math.isnan(value)] for column in zip(*lines, strict=True)]
    )
    score = evaluate_sessions(GAINS, sessions_from_records(given), measure, **named)
    assert drawn["sessions"][-1] == pytest.approx(score.summary()["sessions"][measure], abs=1e-12)
    assert drawn.signature == score.signatures[0]


def assert_intervals(drawn: SessionCurves, columns: list[list[float]]) -> None:
    """The ends at every place are those of scipy's t over the sessions' own values; none where they do not differ."""
    ends = zip(*(end.tolist() for end in drawn.interval(drawn.lines[0])), strict=True)
    for (low, high), column in zip(ends, columns, strict=True):
        if len(column) < 2 or np.ptp(column) < 1e-9:
            assert math.isnan(low)
            assert math.isnan(high)
            continue
        error = np.std(column, ddof=1) / math.sqrt(len(column))
        expected = stats.t.interval(0.95, len(column) - 1, np.mean(column), error)
        assert (low, high) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def some_empty() -> SessionLog:
    """Three sessions: one gains, one is on a topic with nothing to gain, one is on a topic that is not judged."""
    queries = [("a", "t"), ("b", "nothing"), ("c", "unjudged")]
    return sessions_from_records([{"session": s, "query": 1, "topic": t, "ranking": ["x", "d"]} for s, t in queries])


@pytest.mark.parametrize("normalise", ["concat", "per_query"])
def test_curves_follow_the_rule_for_sessions_in_which_nothing_can_be_gained(normalise: str) -> None:
    judged = {"t": {"d": 1}, "nothing": {"x": 0}}
    for rule, value, sessions in (("undefined", 0.5, "1/3"), ("zero", 0.25, "2/3")):
        score = evaluate_sessions(judged, some_empty(), "nsDCG", empty=rule, normalise=normalise)
        drawn = session_curves(judged, some_empty(), "nsDCG", empty=rule, normalise=normalise)
        assert score.summary()["sessions"]["nsDCG"] == drawn["sessions"][-1] == value
        assert drawn.signature == score.signatures[0]
        assert f"|sessions:{sessions}|" in str(drawn.signature)
        assert drawn.notes == tuple(note for note in score.scores.notes if note.slug != "unjudged")
    for verb in (evaluate_sessions, session_curves):
        with pytest.raises(GaincurveError, match=r"session-undefined.*1 session: b"):
            verb(judged, some_empty(), "nsDCG", empty="error", normalise=normalise)


def test_curves_note_what_scores_note() -> None:
    assert [note.slug for note in session_curves(GAINS, sessions_from_records(records(1)), bq=20).notes] == [
        "base-unusual"
    ]


def test_a_session_without_a_counting_query_has_no_ideal_under_any_rule() -> None:
    log = sessions_from_records([{"session": "s", "query": 1, "topic": "a", "ranking": []}])
    for ideal in ("repeat", "spread", "bound"):
        found = evaluate_sessions(GAINS, log, ["sDCG", f"nsDCG(ideal='{ideal}')"], empty_lists="skip")
        assert found.scores.values[0, 0].tolist() == [0.0]
        assert np.isnan(found.scores.values[0, 1]).all()


@pytest.mark.parametrize(("measure", "horizon"), [("nsDCG(horizon=3)@2", 3), ("nsDCG(horizon='longest')@2", 5)])
def test_an_explanation_ends_with_its_number_beyond_the_session_too(measure: str, horizon: int) -> None:
    given = records(3)
    for name, session in as_plain(given).items():
        found = explain_session(GAINS, sessions_from_records(given), name, measure)
        queries = max(horizon, len(session))
        assert found.value == pytest.approx(plain.nsdcg(session, GAINS, plain.Rules(x=2, horizon=horizon)), abs=1e-12)
        assert found.steps[-1].value == pytest.approx(found.value, abs=1e-12)
        assert [step.asked for step in found.steps[::2]] == [q < len(session) for q in range(queries)]
        ideal = math.fsum(step.ideal_added for step in found.steps)
        assert ideal * found.value == pytest.approx(math.fsum(step.added for step in found.steps), abs=1e-12)


def test_single_scores_are_signed_as_such_and_the_summary_as_what_it_is() -> None:
    log = sessions_from_records([{**one, "user": one["session"][-1]} for one in records(7)])
    plainly = evaluate_sessions(GAINS, log, "nsDCG")
    pooled = evaluate_sessions(GAINS, log, "nsDCG", average="ratio-of-means")
    by_user = evaluate_sessions(GAINS, log, "nsDCG", by="user")
    assert plainly.signatures == plainly.scores.signatures == pooled.scores.signatures == by_user.scores.signatures
    assert "|average:ratio-of-means|" in str(pooled.signatures[0])
    assert "|by:user|" in str(by_user.signatures[0])
    assert pooled.scores.summary() == plainly.summary() != pooled.summary()
    assert pooled.to_dict()["measures"] == [{"name": "nsDCG", "signature": pooled.signatures[0]}]


def test_what_is_no_single_ratio_is_signed_as_a_mean_of_ratios() -> None:
    log = sessions_from_records(records(7))
    for measure, choices in (("nsDCG", {"normalise": "per_query"}), ("nsDCG(score='average')", {})):
        found = evaluate_sessions(GAINS, log, measure, average="ratio-of-means", **choices)  # type: ignore[arg-type]
        assert found.signatures == evaluate_sessions(GAINS, log, measure, **choices).signatures  # type: ignore[arg-type]
        assert found.summary() == found.scores.summary()


def test_sdcg_does_not_depend_on_the_ideal_session() -> None:
    log = sessions_from_records(records(8))
    measures = ["sDCG", "sDCG(score='average')", "sDCG/q"]
    found = evaluate_sessions(GAINS, log, measures)
    other = evaluate_sessions(GAINS, log, measures, horizon=9, ideal="bound")
    assert (found.signatures, found.summary()) == (other.signatures, other.summary())


def as_seen(given: Records) -> Records:
    """The same lists with a document that nobody judged wherever one comes again in its list."""
    return [
        {**one, "ranking": [d if d not in one["ranking"][:i] else f"again-{i}" for i, d in enumerate(one["ranking"])]}
        for one in given
    ]


SEEN: list[dict[str, Any]] = [
    {},
    {"pad": "none"},
    {"rank_scope": "session", "pad": "none"},
    {"repeats": "first"},
    {"scan": "observed"},
    {"scan": "clicks", "repeats": "first"},
    {"ideal": "bound", "repeats": "first"},
]


@pytest.mark.parametrize("options", SEEN, ids=str)
def test_a_document_twice_in_a_list_keeps_its_places_and_gains_once(options: dict[str, Any]) -> None:
    given = records(4, repeats=True)
    log = sessions_from_records(given, duplicates="seen")
    assert log.kept == sum(len(one["ranking"]) - len(set(one["ranking"])) for one in given) > 5
    found = evaluate_sessions(GAINS, log, MEASURES, **options)
    rules = plain.Rules(**{key: value for key, value in options.items() if key != "scan"})
    agree(found, as_plain(as_seen(given), options.get("scan", "top")), rules)
    assert all("|duplicates:seen|" in str(signature) for signature in found.signatures)
    removed = evaluate_sessions(GAINS, sessions_from_records(given, duplicates="first"), MEASURES, **options)
    assert found.summary() != removed.summary()


def test_seen_changes_nothing_where_no_list_repeats_a_document() -> None:
    given = records(1)
    seen = evaluate_sessions(GAINS, sessions_from_records(given, duplicates="seen"), MEASURES)
    plainly = evaluate_sessions(GAINS, sessions_from_records(given), MEASURES)
    assert np.array_equal(seen.values, plainly.values, equal_nan=True)
    assert seen.signatures == plainly.signatures


def test_a_repeated_document_is_judged_and_cannot_gain_more_under_bounds() -> None:
    """d0 (grade 3) twice, then x, which nobody judged: bounds leave rank 2 at 0 and rank 3 open."""
    given = [{"session": "s", "query": 1, "topic": "a", "ranking": ["d0", "d0", "x"]}]
    found = evaluate_sessions(
        GAINS, sessions_from_records(given, duplicates="seen"), "sDCG@3", unjudged="bounds", gains="identity"
    )
    assert found.low is not None
    assert found.high is not None
    assert found.low.item() == 3.0
    assert found.high.item() == pytest.approx(3 + 3 / (1 + math.log2(3)), abs=1e-12)


def test_a_repeated_document_is_not_taken_out_with_the_unjudged() -> None:
    given = [{"session": "s", "query": 1, "topic": "a", "ranking": ["d0", "x", "d0", "d2"]}]
    found = evaluate_sessions(
        GAINS, sessions_from_records(given, duplicates="seen"), "sDCG@5", unjudged="condensed", gains="identity"
    )
    assert found.values.item() == pytest.approx(3 + 1 / (1 + math.log2(3)), abs=1e-12)  # d2 is third


def test_a_run_of_sessions_reads_repeats_as_its_log_does(tmp_path: Path) -> None:
    given = [one for one in records(4, repeats=True) if one["session"] in ("s1", "s2", "s4") and one["ranking"]]
    numbered = [
        {**one, "query": 1 + sum(o["session"] == one["session"] for o in given[:i])} for i, one in enumerate(given)
    ]
    for one in numbered:
        one.pop("depth", None), one.pop("clicks", None)
    lines = [
        f"{one['session']}.q{one['query']} Q0 {document} {rank} {99 - rank} x\n"
        for one in numbered
        for rank, document in enumerate(one["ranking"])
    ]
    (tmp_path / "a.run").write_text("".join(lines))
    (tmp_path / "map.tsv").write_text("".join(f"{one['session']}\t{one['topic']}\n" for one in numbered))
    (tmp_path / "qrels").write_text(
        "".join(f"{t} 0 {document} {grade:g}\n" for t, row in GAINS.items() for document, grade in row.items())
    )
    found = evaluate_session_files(
        tmp_path / "qrels", tmp_path / "a.run", MEASURES, topics=tmp_path / "map.tsv", duplicates="seen"
    )
    expected_ = evaluate_sessions(GAINS, sessions_from_records(numbered, "a", duplicates="seen"), MEASURES)
    assert np.array_equal(found.values, expected_.values, equal_nan=True)
    assert "duplicates-kept" in {note.slug for note in found.notes}
    with pytest.raises(GaincurveError, match="duplicates 'seen' has no value under ties 'average'"):
        evaluate_session_files(
            tmp_path / "qrels",
            tmp_path / "a.run",
            "sDCG",
            topics=tmp_path / "map.tsv",
            duplicates="seen",
            ties="average",
        )


def test_seen_is_for_sessions_only(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("a 0 d0 1\n")
    (tmp_path / "a.run").write_text("a Q0 d0 1 2 x\na Q0 d0 2 1 x\n")
    with pytest.raises(GaincurveError, match="duplicates 'seen' is for sessions"):
        evaluate_files(tmp_path / "qrels", tmp_path / "a.run", "CG@2", duplicates="seen")
    with pytest.raises(GaincurveError, match="duplicates 'seen' is for sessions"):
        evaluate({"a": {"d0": 1}}, read_run(tmp_path / "a.run", duplicates="seen"), "CG@2")
