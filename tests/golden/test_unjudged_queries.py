"""Queries whose topic nobody judged: one rule in every view of sessions, against sums written out here."""

from __future__ import annotations

import math
from typing import Any

import pytest

from gaincurve.errors import GaincurveError
from gaincurve.model.scores import Scores
from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.verbs.sessions.curves import SessionCurves, session_curves
from gaincurve.verbs.sessions.evaluate import evaluate_sessions

JUDGED = {"a": {"d1": 1, "d2": 2}, "b": {"d1": 1}}
ASKED: dict[str, list[tuple[str, list[str]]]] = {
    "s1": [("a", ["d1", "x"]), ("b", ["d1"]), ("?", ["d1", "d2"])],  # the last query is not judged
    "s2": [("?", ["d1"]), ("a", ["d2", "d1"])],  # the first is not
    "s3": [("a", ["x", "d2"])],
}
DCG = {"s1": [1.0, 1.0, None], "s2": [None, 2.0 + 0.5], "s3": [1.0]}
"""By hand with b = 2: the second rank counts half."""
BEST = 2.0 + 0.5
NDCG = {"s1": [1.0 / BEST, 1.0, None], "s2": [None, 1.0], "s3": [1.0 / BEST]}
C = [1.0, 1 / 1.5, 1 / (1 + math.log(3, 4))]


def log() -> Any:
    records = [
        {"session": session, "query": q, "topic": topic, "ranking": ranking}
        for session, queries in ASKED.items()
        for q, (topic, ranking) in enumerate(queries, 1)
    ]
    return sessions_from_records(records, "one")


def scored(measure: str, rule: str) -> Scores:
    return evaluate_sessions(JUDGED, log(), measure, unjudged_queries=rule)


def drawn(rule: str) -> SessionCurves:
    return session_curves(JUDGED, log(), "sDCG", unjudged_queries=rule)


def ruled(values: list[float | None], rule: str) -> list[float]:
    return [0.0 if value is None else value for value in values if value is not None or rule == "zero"]


@pytest.mark.parametrize("rule", ["skip", "zero"])
@pytest.mark.parametrize(("name", "own"), [("sDCG", DCG), ("nsDCG", NDCG)])
def test_first_last_best_and_mean_query_follow_one_rule(name: str, own: Any, rule: str) -> None:
    picked = {
        "first": [values[0] for values in own.values()],
        "last": [values[-1] for values in own.values()],
        "best": [max(ruled(values, rule)) for values in own.values()],
        "queries": [sum(ruled(values, rule)) / len(ruled(values, rule)) for values in own.values()],
    }
    for score, values in picked.items():
        mean = scored(f"{name}(score='{score}')", rule).summary()["one"][f"{name}(score='{score}')"]
        kept = ruled(values, rule)
        assert mean == pytest.approx(sum(kept) / len(kept), abs=1e-12), score


@pytest.mark.parametrize("rule", ["skip", "zero"])
def test_positions_and_last_queries_follow_it_too(rule: str) -> None:
    curves = drawn(rule)
    for position in curves.positions:
        q = position.position - 1
        there = [values[q] for values in DCG.values() if len(values) > q]
        kept = ruled(there, rule)
        judged = sum(value is not None for value in there)
        assert (position.queries, position.judged, position.entering) == (len(there), judged, len(kept))
        assert position.defined == len(kept)
        mean = sum(kept) / len(kept) if kept else math.nan
        assert position.dcg == pytest.approx(mean, abs=1e-12, nan_ok=True)
        assert position.discounted == pytest.approx(mean * C[q], abs=1e-12, nan_ok=True)
    last = ruled([None if values[-1] is None else values[-1] * C[len(values) - 1] for values in DCG.values()], rule)
    assert curves.last[0].sessions == len(last)
    assert curves.last[0].last[-1] == pytest.approx(sum(last) / len(last), abs=1e-12)


@pytest.mark.parametrize("rule", ["skip", "zero"])
def test_the_curve_after_the_first_query_is_the_mean_of_first_queries(rule: str) -> None:
    line = session_curves(JUDGED, log(), "nsDCG", unjudged_queries=rule)["one"]
    kept = ruled([values[0] for values in NDCG.values()], rule)
    assert line[9] == pytest.approx(sum(kept) / len(kept), abs=1e-12)


def test_the_sum_of_a_session_does_not_depend_on_it() -> None:
    sums = [scored("sDCG", rule).summary()["one"]["sDCG"] for rule in ("skip", "zero")]
    expected = [sum(c * (value or 0.0) for c, value in zip(C, values, strict=False)) for values in DCG.values()]
    assert sums == pytest.approx([sum(expected) / 3] * 2, abs=1e-12)


def test_the_rule_and_the_judged_queries_are_signed_where_there_are_unjudged_ones() -> None:
    signature = str(scored("sDCG", "zero").signatures[0])
    assert "|unjudged-queries:zero|" in signature
    assert "|queries:4/6|" in signature
    judged = sessions_from_records([{"session": "s", "query": 1, "topic": "a", "ranking": ["d1"]}], "one")
    plain = str(evaluate_sessions(JUDGED, judged, "sDCG").signatures[0])
    assert "queries:" not in plain.replace("-queries", "")
    assert "unjudged-queries" not in plain


def test_it_can_refuse_them() -> None:
    with pytest.raises(GaincurveError, match="2 of 6 queries are not judged: s1 query 3, s2 query 1"):
        scored("sDCG", "error")
