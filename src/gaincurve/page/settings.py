"""The settings of the page: what its controls change, as the engine reads them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from gaincurve._version import __version__
from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.page.facts import NAMES, whole_list
from gaincurve.page.labels import visible
from gaincurve.page.observed.runs import json_grade, refuse_average_ties

BEYOND = (("ideal", "capped", "judged"), ("ideal", "uncut", "judged"), ("empty", "one", "zero"))
"""Choices of the scenarios for other tools that the engine in the page does not know, and the nearest it does."""

DEPTH = 10
"""The cutoff where neither the measure nor the scenario names one."""


def settled(scenario: Scenario, measure: str | Measure) -> tuple[Scenario, Measure]:
    """Scenario and measure as the page knows them: the measure's own choices and cutoff become those of the scenario.

    Refuses what the engine in the page cannot compute.
    """
    parsed = parse_measure(measure)
    if parsed.name not in NAMES:
        what = f"the page cannot recompute {parsed.name}"
        raise ChoiceError(Problem("report-choices", what, hint=f"use one of: {', '.join(NAMES)}"))
    own = dict(parsed.parameters)
    fixed = [key for key in ("only", "norm", "average", "summary") if key in own]
    if fixed:
        what = f"the page cannot recompute {parsed.text}: {fixed[0]} is not among its controls"
        raise ChoiceError(Problem("report-choices", what, hint=f"use {parsed.name}"))
    refuse_average_ties(scenario)
    chosen = parsed.choices(scenario)
    for choice, value, other in BEYOND:
        if getattr(chosen, choice) == value:
            what = f"the page cannot recompute {parsed.text} with {choice} {value!r}"
            raise ChoiceError(Problem("report-choices", what, hint=f"give --{choice} {other}"))
    depth = parsed.rank or scenario.depth or DEPTH
    unjudged = "zero" if chosen.unjudged == "bounds" else chosen.unjudged
    chosen = replace(chosen, depth=depth, unjudged=unjudged)
    rel = {"rel": own["rel"]} if own.get("rel", 1) != 1 else {}
    return chosen, Measure.of(parsed.definition, rel, parsed.cutoff if whole_list(parsed.name) else depth)


def settings_of(
    scenario: Scenario, measure: str | Measure, scale: Floats, baseline: str = "", alpha: float = 0.05
) -> dict[str, Any]:
    """The settings that the page begins with, or that a scenario's button puts in; one gain for each grade in use."""
    chosen, primary = settled(scenario, measure)
    return {
        "measure": primary.name,
        "cutoff": primary.rank,
        "gains": [json_grade(gain) for gain in chosen.gains.of_grades(scale).tolist()],
        "gains_text": chosen.gains.text,
        "discount": chosen.discount.name,
        "base": base_json(chosen.discount.base),
        "depth": chosen.depth,
        "unjudged": chosen.unjudged,
        "baseline": visible(baseline),
        "rel": dict(primary.parameters).get("rel", 1),
        "ideal": chosen.ideal,
        "missing": chosen.missing,
        "empty": chosen.empty,
        "ties": chosen.ties,
        "negative": chosen.negative,
        "points": chosen.points,
        "alpha": alpha,
        "scenario": chosen.name,
        "version": __version__,
    }


def base_json(base: float | None) -> float | str | None:
    """The base of a discount in JSON, which has no infinity; null for a discount without base."""
    if base is None:
        return None
    return "inf" if math.isinf(base) else json_grade(base)
