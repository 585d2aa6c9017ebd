"""Scores of made-up systems."""

from __future__ import annotations

from typing import Any

from gaincurve.measures.notation import parse_measure
from gaincurve.model.rows import Floats
from gaincurve.model.scores import Scores
from gaincurve.model.signature import Signature


def scores_of(
    runs: tuple[str, ...], measures: tuple[str, ...], topics: tuple[str, ...], values: Floats, **more: Any
) -> Scores:
    """Scores as `evaluate` gives them, signed with the number of topics and version 0."""
    parsed = tuple(map(parse_measure, measures))
    signed = tuple(Signature(measure, {"topics": str(len(topics)), "gaincurve": "0"}) for measure in parsed)
    return Scores(runs, parsed, topics, values, signed, (), (), **more)
