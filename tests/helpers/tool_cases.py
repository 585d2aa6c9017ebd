"""Small cases in which the tools that compute nDCG differ."""

from __future__ import annotations

import random
from typing import NamedTuple

Qrels = dict[str, dict[str, float]]
Run = dict[str, dict[str, float]]


class Case(NamedTuple):
    """Judgments, a run and a cutoff; q2 is an ordinary topic beside the odd one."""

    qrels: Qrels
    run: Run
    k: int


PLAIN = {"e": 2, "f": 0, "g": 1}, {"f": 3.0, "e": 2.0, "x": 1.0, "g": 0.5}


def _case(grades: dict[str, float], scores: dict[str, float] | None, k: int = 3) -> Case:
    run = {"q1": scores, "q2": PLAIN[1]} if scores is not None else {"q2": PLAIN[1]}
    return Case({"q1": grades, "q2": dict(PLAIN[0])}, run, k)


def _deep() -> Case:
    rng = random.Random(19)
    grades = {f"d{i}": rng.choice((0, 0, 1, 2, 3)) for i in range(60)}
    documents = rng.sample([*grades, *(f"x{i}" for i in range(30))], 50)
    return _case(grades, {document: 50.0 - i for i, document in enumerate(documents)}, 25)


GRADES = {"a": 3, "b": 1, "c": 0, "d": 2}
CASES: dict[str, Case] = {
    "ties": _case(GRADES, {"c": 1.0, "a": 1.0, "b": 0.5}, 2),
    "empty": _case(GRADES, {}),
    "missing": _case(GRADES, None),
    "unjudged on top": _case(GRADES, {"x": 4.0, "a": 3.0, "b": 2.0, "d": 1.0}),
    "k above n": _case(GRADES, {"b": 2.0, "a": 1.0}, 10),
    "nothing relevant": _case({"a": 0, "b": 0}, {"a": 2.0, "b": 1.0}),
    "negative": _case({"a": 3, "b": -1, "c": 1}, {"b": 3.0, "a": 2.0, "c": 1.0}),
    "single": _case({"a": 2, "b": 3}, {"a": 1.0}),
    "equal grades": _case({"a": 2, "b": 2, "c": 2}, {"b": 3.0, "x": 2.0, "a": 1.0}),
    "all relevant": _case({"a": 2, "b": 3, "c": 1}, {"a": 3.0, "c": 2.0, "b": 1.0}, 5),
    "none of the relevant": _case(GRADES, {"x": 3.0, "c": 2.0}),
    "equal in 32 bits": _case({"a": 0, "b": 3, "c": 1}, {"b": 1.0, "a": 1.00000001, "c": 0.5}, 2),
    "high grades": _case({"a": 40, "b": 31, "c": 0}, {"b": 3.0, "c": 2.0, "a": 1.0}),
    "fractional": _case({"a": 2, "b": 1.5, "c": 1}, {"c": 3.0, "b": 2.0, "a": 1.0}),
    "deep": _deep(),
    "more relevant than k": _case({"a": 1, "b": 2, "c": 3, "d": 3}, {"b": 4.0, "c": 3.0, "a": 2.0, "y": 1.0}, 2),
}
"""Duplicates, which no dict of scores can hold, have a test of their own."""
