"""Arguments of the wrong kind get a message of ours, not an error from inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import gaincurve as gc

J: dict[str, Any] = {"q1": {"d1": 3, "d2": 1}}
R: dict[str, Any] = {"q1": {"d2": 9.5, "d1": 7.1}}
WRONG: dict[str, Callable[[Any], object]] = {
    "explain, a topic": lambda it: gc.explain(J, R, it),
    "explain, a measure": lambda it: gc.explain(J, R, "q1", it),
    "evaluate, measures": lambda it: gc.evaluate(J, R, it),
    "evaluate, one of the measures": lambda it: gc.evaluate(J, R, ["P@1", it]),
    "evaluate, judgments": lambda it: gc.evaluate(it, R),
    "evaluate, runs": lambda it: gc.evaluate(J, it),
    "evaluate, a scenario": lambda it: gc.evaluate(J, R, scenario=it),
    "curves, measures": lambda it: gc.curves(J, R, it),
    "sweep, a measure": lambda it: gc.sweep(J, R, it),
    "check, a measure": lambda it: gc.check(J, R, it),
    "effort, a measure": lambda it: gc.effort(J, R, it),
    "compare, runs": lambda it: gc.compare(J, it),
    "compare, a baseline": lambda it: gc.compare(gc.evaluate(J, {"a": R, "b": R}, "P@1"), baseline=it),
    "gate, limits": lambda it: gc.gate(J, {"a": R, "b": R}, it),
    "agree, judgments": lambda it: gc.agree(J, it),
    "decide, a measure": lambda it: gc.decide(J, {"a": R, "b": R}, it),
    "pool, runs": gc.pool,
    "sessions, logs": lambda it: gc.evaluate_sessions(J, it),
    "report, a measure": lambda it: gc.report(J, R, measure=it),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("given", [3, 2.5, object()], ids=["int", "float", "object"])
def test_what_is_no_argument_is_refused_with_a_message(what: str, given: object) -> None:
    with pytest.raises(gc.GaincurveError, match=r"^error\["):
        WRONG[what](given)


def test_scores_can_be_gone_through_and_say_what_a_key_is() -> None:
    scores = gc.evaluate(J, R, ["P@1", "RR"])
    assert [(run, measure) for run, measure, _ in scores] == [("run", "P@1"), ("run", "RR")]
    with pytest.raises(KeyError, match="is not a pair of run and measure"):
        scores["a"]  # type: ignore[index]
