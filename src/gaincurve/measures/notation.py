"""Measures as text: Name(parameter=value, …)@cutoff, and the spellings of other tools."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gaincurve.errors import ChoiceError, Problem, nearest
from gaincurve.measures import gain  # noqa: F401 -- importing a family registers its measures
from gaincurve.measures.registry import PARAMETERS, REGISTRY, Definition
from gaincurve.model.scenario import CHOICES, Scenario, checked_depth
from gaincurve.model.source import shorten

_SHAPE = re.compile(r"(?P<name>[A-Za-z][\w/]*)(?:\((?P<inside>.*)\))?(?:@(?P<cutoffs>[^()]*))?", re.DOTALL)
_LONGEST = 2000  # a longer text is no measure, and Python's parser could run out of memory on it
_TREC = re.compile(r"(?P<name>[A-Za-z_]+?)(?:[_.](?P<values>\d.*))?")
_TREC_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


@dataclass(frozen=True, order=True)
class Measure:
    """One measure as asked for. Its text is canonical, parses back to it, and decides equality."""

    text: str
    name: str
    cutoff: int | None
    parameters: tuple[tuple[str, object], ...]

    @classmethod
    def make(cls, name: str, parameters: Mapping[str, object], cutoff: int | None) -> Measure:
        """A checked measure in canonical form."""
        definition = REGISTRY[name]
        for key in parameters:
            if key not in definition.parameters:
                what = f"{name} has no parameter {key!r}{nearest(key, definition.parameters)}"
                raise ChoiceError(
                    Problem("measure-parameter", what, hint=f"parameters: {', '.join(definition.parameters)}")
                )
        spelled = tuple((key, PARAMETERS[key].spell(parameters[key])) for key in PARAMETERS if key in parameters)
        Scenario().with_choices(**{k: v for k, v in spelled if k in CHOICES and k != "base"})
        inside = ", ".join(f"{key}={value!r}" for key, value in spelled)
        text = name + (f"({inside})" if inside else "") + (f"@{cutoff}" if cutoff is not None else "")
        return cls(text, name, cutoff, spelled)

    @property
    def definition(self) -> Definition:
        """The record of this measure."""
        return REGISTRY[self.name]

    def __str__(self) -> str:
        return self.text

    def at_depth(self, depth: int | None) -> Measure:
        """The measure with the scenario's depth as cutoff where it names none."""
        if self.cutoff is not None or depth is None:
            return self
        return Measure.make(self.name, dict(self.parameters), depth)

    def choices(self, scenario: Scenario) -> Scenario:
        """The scenario with this measure's own parameters put in."""
        return scenario.with_choices(**{k: v for k, v in self.parameters if k in CHOICES})

    def arguments(self, scenario: Scenario) -> dict[str, Any]:
        """The keyword arguments of the measure's function under a scenario."""
        chosen = self.choices(scenario)
        own = dict(self.parameters)
        found: dict[str, Any] = {"cutoff": self.cutoff}
        for key in self.definition.parameters:
            if key != "base":
                found[key] = getattr(chosen, key) if key in CHOICES else own.get(key)
        return found

    def signature(self, scenario: Scenario, topics: str, version: str, normalise: str = "") -> str:
        """Everything that decided this number, always in the same order."""
        chosen = self.choices(scenario)
        uses = self.definition.parameters
        cut = "" if self.cutoff is None else f"@{self.cutoff}"
        parts = [
            self.text,
            f"gain:{chosen.gains}" if "gains" in uses else "",
            f"discount:{chosen.discount}" if "discount" in uses else "",
            f"ideal:{chosen.ideal}{cut}" if "ideal" in uses else "",
            f"normalise:{normalise}" if normalise else "",
            f"ties:{chosen.ties}",
            f"unjudged:{chosen.unjudged}",
            f"missing:{chosen.missing}",
            "empty:zero" if chosen.empty == "zero" and self.definition.empty == "undefined" else "",
            f"topics:{topics}",
            f"gaincurve:{version}",
        ]
        return "|".join(part for part in parts if part)


def parse_measures(texts: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    """Measures from their texts; one text may name several cutoffs: nDCG@5,10."""
    given = [texts] if isinstance(texts, str | Measure) else list(texts)
    for one in given:
        if not isinstance(one, str | Measure):
            raise _syntax(f"{shorten(repr(one))} is not a measure, but {type(one).__name__}")
    found = [one for text in given for one in ([text] if isinstance(text, Measure) else _parse(text.strip()))]
    return list(dict.fromkeys(found))


def parse_measure(text: str) -> Measure:
    """Exactly one measure."""
    found = parse_measures(text)
    if len(found) != 1:
        raise _syntax(f"{text!r} names {len(found)} measures where one is wanted")
    return found[0]


def _parse(text: str) -> list[Measure]:
    trec = _from_trec_eval(text)
    if trec is not None:
        return trec
    shape = _SHAPE.fullmatch(text)
    if shape is None or len(text) > _LONGEST:
        raise _syntax(f"{shorten(text)!r} is not a measure")
    name = _known_name(shape["name"])
    parameters = _translated(REGISTRY[name], _inside(shape["inside"] or "", text))
    cutoffs = shape["cutoffs"]
    if cutoffs is None:
        return [Measure.make(name, parameters, None)]
    return [Measure.make(name, parameters, checked_depth(cutoff.strip())) for cutoff in cutoffs.split(",")]


def _known_name(name: str) -> str:
    by_folded = {known.lower(): known for known in REGISTRY}
    found = by_folded.get(name.lower())
    if found is None:
        raise ChoiceError(Problem("measure-unknown", f"there is no measure {name!r}{nearest(name, REGISTRY)}"))
    return found


def _from_trec_eval(text: str) -> list[Measure] | None:
    """ndcg, ndcg.1=3,2=9, ndcg_cut, ndcg_cut_10, ndcg_cut.5,10; None if it is not such a name."""
    shape = _TREC.fullmatch(text)
    if shape is None:
        return None
    for name, definition in REGISTRY.items():
        if shape["name"] not in definition.trec_eval:
            continue
        values = shape["values"]
        if not shape["name"].endswith("_cut"):
            return [Measure.make(name, {"gains": values} if values else {}, None)]
        cutoffs = values.split(",") if values else _TREC_CUTOFFS
        return [Measure.make(name, {}, checked_depth(cutoff)) for cutoff in cutoffs]
    return None


def _inside(inside: str, text: str) -> dict[str, object]:
    """The keyword arguments between the brackets; values may be literals or bare words such as binary or 0-1-10."""
    source = f"f({inside})"
    try:
        call = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _syntax(f"the parameters of {text!r} cannot be read") from None
    if (
        not isinstance(call, ast.Call)
        or not isinstance(call.func, ast.Name)
        or call.args
        or any(keyword.arg is None for keyword in call.keywords)
    ):
        raise _syntax(f"the parameters of {text!r} must be written name=value")
    names = [str(keyword.arg) for keyword in call.keywords]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise _syntax(f"{text!r} gives {twice} more than once")
    return {str(keyword.arg): _value(keyword.value, source) for keyword in call.keywords}


def _value(node: ast.expr, source: str) -> object:
    try:
        value: object = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ast.get_source_segment(source, node)
    else:
        return value


def _translated(definition: Definition, parameters: dict[str, object]) -> dict[str, object]:
    """Parameters in our words: ir_measures writes nDCG(dcg='exp-log2') for gains='exp2', discount='log'."""
    found: dict[str, object] = {}
    for key, value in parameters.items():
        if isinstance(value, str) and (key, value) in definition.spellings:
            found.update(definition.spellings[key, value])
        elif key == "cutoff":
            raise _syntax(f"the cutoff of {definition.name} is written {definition.name}@{value}")
        elif key == "judged_only":
            raise ChoiceError(
                Problem(
                    "measure-parameter", "judged_only is a choice for all measures here", hint="--unjudged condensed"
                )
            )
        else:
            found[key] = value
    return found


def _syntax(what: str) -> ChoiceError:
    return ChoiceError(Problem("measure-syntax", what))
