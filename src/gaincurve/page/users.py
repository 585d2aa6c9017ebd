"""The named scenarios as buttons: the settings each puts in, or why it cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import SCENARIOS, Scenario
from gaincurve.page.facts import whole_list
from gaincurve.page.settings import settings_of

OFFERED = ("default", "jk2002", "busy", "patient", "burges")
"""Kinds of user; the scenarios of sessions and of trec_eval set things the page has no control for."""

FIXED = ("ideal", "ties", "missing", "empty", "negative", "points")
"""What a button does not change."""


def users(scenario: Scenario, measure: Measure, scale: Floats, baseline: str) -> tuple[dict[str, Any], ...]:
    """Each button: name, what it is about, and its settings for these grades, or why it has none."""
    named = {name: SCENARIOS[name] for name in OFFERED}
    if scenario != SCENARIOS.get(scenario.name):
        named = {scenario.name: scenario, **{name: other for name, other in named.items() if name != scenario.name}}
    return tuple(_button(each, scenario, measure, scale, baseline) for each in named.values())


def _button(named: Scenario, written: Scenario, measure: Measure, scale: Floats, baseline: str) -> dict[str, Any]:
    button: dict[str, Any] = {"name": named.name, "about": named.about}
    unusable = named.gains.unusable(scale)
    if unusable is not None:
        return {**button, "reason": f"its {unusable[1].what}"}
    uncut = measure if whole_list(measure.name) else Measure.of(measure.definition, dict(measure.parameters))
    rules = replace(named, **{name: getattr(written, name) for name in FIXED})
    return {**button, "settings": settings_of(rules, uncut, scale, baseline)}
