"""Which query was the best and what reformulations changed, against a plain loop, and the sentence about them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.verbs.sessions.curves import SessionCurves, session_curves

GAINS = {"t": {"a": 3, "b": 2, "c": 1, "z": 0}}
LISTS = {
    "rising": [["z", "c"], ["b"], ["a", "b"]],
    "falling": [["a"], ["c"]],
    "tied": [["a", "b"], ["c"], ["a", "b"]],
    "nothing": [["z"], ["z", "y"], []],
    "single": [["a"]],
    "middle": [["c"], ["a", "b", "c"], ["b"]],
}


def drawn(lists: dict[str, list[list[str]]], measure: str = "sDCG", **choices: Any) -> SessionCurves:
    records = [
        {"session": name, "query": q, "topic": "t", "user": f"u-{name}", "text": f"{name} {q}", "ranking": ranking}
        for name, rankings in lists.items()
        for q, ranking in enumerate(rankings, 1)
    ]
    return session_curves(GAINS, sessions_from_records(records, "made up"), measure, **choices)


def dcg(ranking: list[str]) -> float:
    return sum(GAINS["t"].get(document, 0) / (1 + math.log2(rank)) for rank, document in enumerate(ranking, 1))


IDEAL = dcg(["a", "b", "c"])


@pytest.mark.parametrize(("measure", "by"), [("sDCG", 1.0), ("nsDCG", IDEAL)])
def test_the_best_query_of_each_session(measure: str, by: float) -> None:
    [best] = drawn(LISTS, measure).best
    assert (best.sessions, best.single, best.unknown) == (5, 1, 0)
    assert (best.last, best.tied, best.earlier, best.nothing) == (1, 1, 2, 1)
    assert best.at[:3] == (2, 1, 1)  # falling and tied, middle, rising
    several = [[dcg(ranking) / by for ranking in rankings] for rankings in LISTS.values() if len(rankings) > 1]
    assert best.first_mean == pytest.approx(np.mean([own[0] for own in several]), abs=1e-10)
    assert best.last_mean == pytest.approx(np.mean([own[-1] for own in several]), abs=1e-10)
    assert best.best_mean == pytest.approx(np.mean([max(own) for own in several]), abs=1e-10)


def test_the_sentence_counts_every_session_once() -> None:
    assert drawn(LISTS).best_sentences() == [
        "made up: the last query was the best in 1 of 5 sessions of two queries or more "
        "(in 1 more an earlier one was as good; in 2 an earlier one was better; in 1 no query found anything)."
    ]
    assert drawn({"s": [["a"]]}).best_sentences() == ["made up: no session has two queries with a score."]


def test_reformulations_against_a_plain_loop() -> None:
    curves = drawn(LISTS)
    changes = {
        (name, q): dcg(rankings[q - 1]) - dcg(rankings[q - 2])
        for name, rankings in LISTS.items()
        for q in range(2, len(rankings) + 1)
    }
    each = {(one.session, one.query): one for one in curves.each_reformulation()}
    assert each.keys() == changes.keys()
    for key, change in changes.items():
        assert each[key].change == pytest.approx(change, abs=2e-10)
    assert (each["rising", 2].text_before, each["rising", 2].text) == ("rising 1", "rising 2")
    assert (each["rising", 2].user, each["rising", 2].topic) == ("u-rising", "t")
    for step in curves.steps():
        own = [change for (_, q), change in changes.items() if step.query in (None, q)]
        assert (step.n, step.gained, step.same, step.lost) == (
            len(own), sum(c > 1e-9 for c in own), sum(abs(c) <= 1e-9 for c in own), sum(c < -1e-9 for c in own)
        )  # fmt: skip
        assert step.change == pytest.approx(np.mean(own), abs=1e-9)
        interval = stats.t.interval(0.95, len(own) - 1, np.mean(own), stats.sem(own))
        assert (step.low, step.high) == pytest.approx(interval, abs=1e-8)
    assert [step.query for step in curves.steps()] == [2, 3, None]


def test_reformulations_keep_their_texts_where_empty_lists_are_skipped() -> None:
    lists = {"s": [["c"], [], ["a"], ["b"]]}
    [first, second] = drawn(lists, empty_lists="skip").each_reformulation()
    assert (first.text_before, first.text, second.text_before, second.text) == ("s 1", "s 3", "s 3", "s 4")
    assert len(drawn(lists).each_reformulation()) == 3


@pytest.mark.parametrize(("rule", "known"), [("skip", False), ("zero", True)])
def test_a_last_query_that_nobody_judged(rule: str, known: bool) -> None:
    records = [
        {"session": "s", "query": q, "topic": topic, "ranking": ["a"]} for q, topic in enumerate(("t", "t", "x"), 1)
    ]
    curves = session_curves(GAINS, sessions_from_records(records), "sDCG", unjudged_queries=rule)
    [best] = curves.best
    assert (best.unknown, best.earlier) == ((0, 1) if known else (1, 0))
    assert [one.change for one in curves.each_reformulation()] == pytest.approx(
        [0.0, -3.0 if known else math.nan], nan_ok=True
    )
    assert sum(step.n for step in curves.steps() if step.query is None) == (2 if known else 1)
