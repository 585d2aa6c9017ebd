"""A measure of every unit of a run, under a scenario's rules."""

from __future__ import annotations

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.experiment import settle


def value_of(run: Graded, measure: Measure, scenario: Scenario) -> Floats:
    """A measure of every unit of a run."""
    refuse_ties(measure, run.spread)
    return settle(measure.definition.compute(run, **measure.arguments(scenario)), run, measure, scenario)


def refuse_ties(measure: Measure, averaged: bool) -> None:
    """Refuse an average over ties where the exact expected value is not known."""
    if averaged and measure.definition.ties == "refused":
        raise ChoiceError(Problem("measure-no-ties", f"{measure} has no exact value under ties 'average'"))
