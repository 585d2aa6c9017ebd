"""How far the order of tied documents can move a measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gaincurve.measures.relevant import is_relevant
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.scenario import REFUSED, Scenario
from gaincurve.model.summaries import summarised
from gaincurve.verbs.refusals import refused
from gaincurve.verbs.values import value_of


@dataclass(frozen=True)
class TieOrders:
    """How many documents are tied, and how far the order of tied ones can move a measure, on how many topics."""

    tied: int
    low: float | None = None
    high: float | None = None
    affected: int = 0


def tie_orders(
    graded: Graded, tied: int, measure: Measure, scenario: Scenario, values: Floats | None = None
) -> TieOrders:
    """The range of a measure over all orders of tied documents; none where nothing is tied or no range is known.

    `values` by unit spare computing them, where they are known, for the units without ties.
    No range is known for a measure without bounds, which need not rise when a relevant document moves up.
    """
    repeats = measure.choices(scenario).session.repeats if measure.definition.over == "session" else "count"
    if not tied or measure.definition.bounds is None or repeats == "first" or graded.kept:
        return TieOrders(tied)
    ends = tie_ends(graded, measure, scenario, values)
    affected = int((np.abs(np.nan_to_num(ends[1]) - np.nan_to_num(ends[0])) > 1e-12).sum())
    low, high = sorted(summarised(values, measure.summary) for values in ends)
    return TieOrders(tied, low, high, affected)


def refuse_tied(runs: Iterable[Graded], measures: Sequence[Measure], scenario: Scenario) -> None:
    """Refuse tied scores where their order moves a measure."""
    refusals = [refusal for refusal in scenario.refuses if refusal.case == "ties"]
    for run in runs if refusals else ():
        tied = int((run.last > run.first).sum())
        for measure in measures if tied else ():
            refusal = next((refusal for refusal in refusals if refusal.only in ("", measure.name)), None)
            if refusal is None:
                continue
            orders = tie_orders(run, tied, measure, scenario)
            if orders.low is None or orders.affected:
                what = f"{REFUSED['ties'].what} in run {run.name} ({measure})"
                raise refused(scenario, refusal, what, run.source.path)


def tie_ends(
    graded: Graded, measure: Measure, scenario: Scenario, values: Floats | None = None
) -> tuple[Floats, Floats]:
    """Values by unit with every tied block in its worst order, and in its best."""
    run, scenario = replace(graded, spread=False), without_bounds(scenario)
    units = distinct(run.units.unit[run.list[run.last > run.first]]).astype(np.int64)
    if 2 * len(units) > len(run.units):
        return _ends(run, measure, scenario)
    if values is None:
        values = value_of(run, measure, scenario)
    worst, best = values.copy(), values.copy()
    if len(units):
        worst[units], best[units] = _ends(run.select(units), measure, scenario)
    return worst, best


def _ends(run: Graded, measure: Measure, scenario: Scenario) -> tuple[Floats, Floats]:
    worth = _worth(run, measure, scenario)
    worst, best = (value_of(run.tie_order(order, worth), measure, scenario) for order in (False, True))
    return worst, best


def without_bounds(scenario: Scenario) -> Scenario:
    """The scenario without bounds."""
    return replace(scenario, unjudged="zero") if scenario.unjudged == "bounds" else scenario


def _worth(run: Graded, measure: Measure, scenario: Scenario) -> Floats:
    """What each document is worth to the measure: its gain, its grade, or whether it is relevant."""
    if "gains" in measure.definition.parameters:
        return measure.choices(scenario).gains.of_grades(run.grade)
    if "rel" not in measure.definition.parameters:
        return np.maximum(run.grade, 0.0)
    own = dict(measure.parameters)
    return is_relevant(run.grade, float(own.get("rel", 1)), own.get("only")).astype(np.float64)  # type: ignore[arg-type]
