"""Measures that are sums over ranks, and how deep unjudged documents must be known for them."""

from __future__ import annotations

from collections.abc import Iterable

from gaincurve.model.linear import Linear
from gaincurve.model.measure import Measure
from gaincurve.model.order import SHARED
from gaincurve.model.scenario import Scenario

SHOWN = 1000
"""Unjudged documents are known by their keys to this depth at most."""


def linear_of(measure: Measure, scenario: Scenario) -> Linear | None:
    """The measure as a sum over ranks, under rules by which an unjudged document keeps its rank and gains nothing."""
    linear = measure.definition.linear
    if linear is None or scenario.unjudged != "zero" or scenario.ties in SHARED:
        return None
    return linear(**measure.arguments(scenario))


def shown_depth(measures: Iterable[Measure], scenario: Scenario) -> int:
    """How deep the unjudged documents of each run must be known for verdicts on these measures."""
    cutoffs = [measure.rank or 0 for measure in measures if linear_of(measure, scenario) is not None]
    return max((cutoff for cutoff in cutoffs if cutoff <= SHOWN), default=0)
