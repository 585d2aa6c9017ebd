"""Signatures: everything that decided a number, always in the same order. Text only where it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gaincurve._version import __version__
from gaincurve.model.gains import Gains
from gaincurve.model.measure import Measure, cutoff_text
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.rules import SESSION_RULES

OWN = "own"
"""Where the parameters that no scenario decides stand among the parts."""
VERSION = "gaincurve"

PARTS: dict[str, tuple[str, ...]] = {
    "topic": (
        "gain", "discount", "ideal", "normalise", "points", OWN, "summary", "ties", "unjudged", "negative", "missing",
        "empty", "judgments", "topics", VERSION,
    ),
    "session": (
        OWN, "gain", "discount", "query-discount", "X", "rank-scope", "normalise", "ideal", "horizon", "pad", "scan",
        "empty-lists", "repeats", "unjudged-queries", "duplicates", "average", "summary", "empty", "judged-by", "idle",
        "ties", "unjudged", "negative", "missing", "by", "topic", "at-least", "judgments",
        "sessions", "queries", VERSION,
    ),
}  # fmt: skip
"""The parts of a signature in order, for measures of topics and of sessions."""


@dataclass(frozen=True, eq=False)
class Signature:
    """A measure and everything that decided its number, by name. Its text decides equality."""

    measure: Measure
    parts: Mapping[str, str]

    def __str__(self) -> str:
        return "|".join([self.measure.text, *(f"{name}:{value}" for name, value in self.parts.items())])

    def __repr__(self) -> str:
        return f"Signature({self})"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __eq__(self, other: object) -> bool:
        return str(self) == (str(other) if isinstance(other, Signature) else other)

    def __hash__(self) -> int:
        return hash(str(self))

    def but(self, **parts: object) -> Signature:
        """The signature with some parts changed; new ones stand before the version, None takes a part out.

        Names are written with an underscore where the signature has a hyphen.
        """
        changed = {name.replace("_", "-"): value for name, value in parts.items()}
        merged = {**self.parts, **changed}
        merged[VERSION] = merged.pop(VERSION, __version__)
        return Signature(self.measure, {name: str(value) for name, value in merged.items() if value is not None})

    def without(self, *names: str) -> str:
        """The parts but for some, as a caption under a figure shows them."""
        return "  ".join(f"{name}:{value}" for name, value in self.parts.items() if name not in names)


def sign(measure: Measure, scenario: Scenario, scale: Floats, **facts: object) -> Signature:
    """The signature of a measure under a scenario, on judgments with these grades.

    `facts` are what the data decided: topics or sessions, and for sessions judged_by, by, duplicates and longest.
    Choices that are one function of these grades, or of ranks, are written in one way.
    """
    measure, scenario = _canonical(measure, scenario, scale)
    parts_of = _of_topic if measure.definition.over == "topic" else _of_session
    parts = {**parts_of(measure, scenario), **{name.replace("_", "-"): value for name, value in facts.items()}}
    longest = parts.pop("longest", None)
    if longest is not None and parts.get("horizon") == "longest":
        parts["horizon"] = f"longest({longest})"  # it depends on the data, so its length is shown
    parts[VERSION] = __version__
    ordered: dict[str, str] = {}
    for name in PARTS[measure.definition.over]:
        chosen = measure.own if name == OWN else {name: parts.get(name)}
        ordered |= {key: str(value) for key, value in chosen.items() if value not in (None, "") and key != "score"}
    return Signature(measure, ordered)  # the score stands in the measure's name, or is the end of the session


def _canonical(measure: Measure, scenario: Scenario, scale: Floats) -> tuple[Measure, Scenario]:
    own = dict(measure.parameters)
    if "gains" in own:
        own["gains"] = Gains.of(own["gains"]).on(scale)
        measure = Measure.of(measure.definition, own, measure.cutoff)
    return measure, replace(scenario, gains=scenario.gains.on(scale))


def _of_topic(measure: Measure, scenario: Scenario) -> dict[str, object]:
    chosen, definition = measure.choices(scenario), measure.definition
    uses = definition.parameters
    return {
        "gain": chosen.gains if "gains" in uses else None,
        "discount": chosen.discount.canonical if "discount" in uses else None,
        "ideal": _ideal(chosen.ideal, measure) if "ideal" in uses else None,
        "points": chosen.points if "points" in uses else None,
        "empty": chosen.empty if chosen.empty != "undefined" and definition.empty == "undefined" else None,
        **_of_both(measure, chosen),
    }


def _ideal(ideal: str, measure: Measure) -> str:
    return ideal if ideal == "uncut" else ideal + cutoff_text(measure.cutoff)


def _of_session(measure: Measure, scenario: Scenario) -> dict[str, object]:
    chosen, definition = measure.choices(scenario), measure.definition
    rules, uses = chosen.session, definition.parameters
    return {
        "gain": chosen.gains if "gains" in uses else None,
        "discount": chosen.discount.canonical if "discount" in uses else None,
        "query-discount": rules.query_discount.canonical if "bq" in uses else None,
        "X": measure.read_to(scenario),
        **{name.replace("_", "-"): getattr(rules, name) for name in SESSION_RULES if name in uses},
        "average": measure.averaging(scenario) if definition.sides is not None else None,
        "empty": rules.empty if definition.empty == "undefined" else None,
        **_of_both(measure, chosen),
    }


def _of_both(measure: Measure, chosen: Scenario) -> dict[str, object]:
    return {
        "summary": measure.summary if measure.summary != "mean" else None,
        "ties": "blocks" if measure.definition.ties == "blocks" else chosen.ties,
        "unjudged": chosen.unjudged,
        "negative": chosen.negative if chosen.negative != "judged" else None,
        "missing": chosen.missing,
    }
