"""Measures as text: Name(parameter=value, …)@cutoff, and the spellings of other tools."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gaincurve.errors import ChoiceError, Problem, nearest
from gaincurve.measures import FAMILIES
from gaincurve.measures.parameters import PARAMETERS
from gaincurve.measures.registry import REGISTRY, Definition
from gaincurve.measures.syntax import bad_syntax, keyword_arguments, taken_apart
from gaincurve.measures.trec_names import TREC_NAMES, from_trec_eval
from gaincurve.model.scenario import CHOICES, Scenario, checked_depth
from gaincurve.model.source import number_text, shorten

for family in FAMILIES:  # importing a family registers its measures
    importlib.import_module(f"gaincurve.measures.{family}")

_ONLY_TREC_EVAL = ("all_trec", "official", "set", "num_q", "runid", "relstring")


@dataclass(frozen=True, order=True)
class Measure:
    """One measure as asked for. Its text is canonical, parses back to it, and decides equality."""

    text: str
    name: str
    cutoff: float | None
    parameters: tuple[tuple[str, object], ...]

    @classmethod
    def make(cls, name: str, parameters: Mapping[str, object], cutoff: object = None) -> Measure:
        """A checked measure in canonical form."""
        definition = REGISTRY[name]
        _check_names(definition, parameters)
        spelled = tuple((key, PARAMETERS[key].spell(parameters[key])) for key in PARAMETERS if key in parameters)
        Scenario().with_choices(**{k: v for k, v in spelled if k in CHOICES and k != "base"})
        at = None if cutoff is None else _checked_cutoff(definition, cutoff)
        inside = ", ".join(f"{key}={value!r}" for key, value in spelled)
        text = name + (f"({inside})" if inside else "") + _cut(at)
        return cls(text, name, at, spelled)

    @property
    def definition(self) -> Definition:
        """The record of this measure."""
        return REGISTRY[self.name]

    def __str__(self) -> str:
        return self.text

    def at_depth(self, depth: int | None) -> Measure:
        """The measure with the scenario's depth as cutoff where it names none."""
        if self.cutoff is not None or depth is None or self.definition.cutoff not in ("optional", "required"):
            return self
        return Measure.make(self.name, dict(self.parameters), depth)

    def choices(self, scenario: Scenario) -> Scenario:
        """The scenario with this measure's own parameters put in."""
        return scenario.with_choices(**{k: v for k, v in self.parameters if k in CHOICES})

    def arguments(self, scenario: Scenario) -> dict[str, Any]:
        """The keyword arguments of the measure's function under a scenario."""
        chosen = self.choices(scenario)
        own = {key: value for key, value in self.parameters if key not in CHOICES and key != "summary"}
        decided = {key: getattr(chosen, key) for key in self.definition.arguments if key in CHOICES}
        cut = (
            {"cutoff": self.cutoff if self.rank is None else self.rank} if "cutoff" in self.definition.arguments else {}
        )
        return {**cut, **decided, **own}

    @property
    def rank(self) -> int | None:
        """The last rank that counts, if there is one."""
        return None if self.cutoff is None or self.definition.cutoff == "recall" else int(self.cutoff)

    @property
    def summary(self) -> str:
        """What stands for all topics together: 'mean', 'median', 'sum' or 'geometric'."""
        return str(dict(self.parameters).get("summary", self.definition.summary))

    def stopping(self) -> Measure:
        """The measure if it says where its user stops, or needs not; else an error."""
        if self.cutoff is None and self.definition.cutoff in ("required", "recall"):
            example = "0.5" if self.definition.cutoff == "recall" else "10"
            what = f"{self.text} needs a cutoff, e.g. {self.text}@{example}"
            raise ChoiceError(Problem("measure-cutoff", what))
        return self

    def _own_choices(self) -> list[str]:
        """The parameters that no scenario decides, with the values they have unless given, for the signature."""
        chosen = {**self.definition.defaults, **dict(self.parameters)}
        for one, instead in (("only", "rel"), ("alpha", "beta")):
            if chosen.get(one) is not None:
                chosen.pop(instead, None)
        named = [
            (key, chosen.get(key)) for key in PARAMETERS if key not in CHOICES and key not in ("summary", "average")
        ]
        return [f"{key}:{value}" for key, value in named if value is not None]

    def signature(self, scenario: Scenario, topics: str, version: str, normalise: str = "") -> str:
        """Everything that decided this number, always in the same order."""
        chosen = self.choices(scenario)
        uses = self.definition.parameters
        cut = _cut(self.cutoff)
        parts = [
            self.text,
            f"gain:{chosen.gains}" if "gains" in uses else "",
            f"discount:{chosen.discount}" if "discount" in uses else "",
            f"ideal:{chosen.ideal}{cut}" if "ideal" in uses else "",
            f"normalise:{normalise}" if normalise else "",
            f"points:{chosen.points}" if "points" in uses else "",
            *self._own_choices(),
            f"summary:{self.summary}" if self.summary != "mean" else "",
            f"ties:{'blocks' if self.definition.ties == 'blocks' else chosen.ties}",
            f"unjudged:{chosen.unjudged}",
            f"negative:{chosen.negative}" if chosen.negative != "judged" else "",
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
            raise bad_syntax(f"{shorten(repr(one))} is not a measure, but {type(one).__name__}")
    found = [one for text in given for one in ([text] if isinstance(text, Measure) else _parse(text.strip()))]
    return list(dict.fromkeys(found))


def parse_measure(text: str) -> Measure:
    """Exactly one measure."""
    found = parse_measures(text)
    if len(found) != 1:
        raise bad_syntax(f"{text!r} names {len(found)} measures where one is wanted")
    return found[0]


def _parse(text: str) -> list[Measure]:
    trec = None if text in REGISTRY else from_trec_eval(text)
    if trec is not None:
        return [Measure.make(*asked) for asked in trec]
    written = taken_apart(text)
    name = _known_name(written.name)
    parameters = _translated(REGISTRY[name], keyword_arguments(written.inside, text))
    if written.cutoff is None:
        return [Measure.make(name, parameters)]
    return [Measure.make(name, parameters, cutoff.strip()) for cutoff in written.cutoff.split(",")]


def definitions() -> list[Definition]:
    """The record of every measure."""
    return list(REGISTRY.values())


def definition_of(text: str) -> Definition:
    """The record of the measure that a text names, whether or not it says all that is needed to compute it."""
    trec = None if text in REGISTRY else from_trec_eval(text)
    return REGISTRY[trec[0][0] if trec else _known_name(taken_apart(text).name)]


def _check_names(definition: Definition, parameters: Mapping[str, object]) -> None:
    name, known = definition.name, definition.parameters
    for key in parameters:
        if key not in known:
            what = f"{name} has no parameter {key!r}{nearest(key, known)}"
            raise ChoiceError(Problem("measure-parameter", what, hint=f"parameters: {', '.join(known)}"))
    for key in definition.required:
        if key not in parameters:
            what = f"{name} needs {key} ({PARAMETERS[key].help}), e.g. {name}({key}=1000)"
            raise ChoiceError(Problem("measure-parameter", what, hint=f"write {name}({key}=…)"))
    for one, other in (("rel", "only"), ("beta", "alpha")):
        if one in parameters and other in parameters:
            raise ChoiceError(Problem("measure-parameter", f"{name} takes {one} or {other}, not both"))


def _cut(cutoff: float | None) -> str:
    """The cutoff as it is written: ranks in full, levels of recall as numbers."""
    if cutoff is None:
        return ""
    return f"@{cutoff}" if isinstance(cutoff, int) else f"@{number_text(cutoff)}"


def _checked_cutoff(definition: Definition, cutoff: object) -> float:
    if definition.cutoff == "none":
        what = f"{definition.name} has no cutoff: the whole list counts"
        raise ChoiceError(Problem("measure-cutoff", what, hint=f"write {definition.name}"))
    if definition.cutoff != "recall":
        return checked_depth(int(cutoff) if isinstance(cutoff, float) and cutoff.is_integer() else cutoff)
    try:
        level = float(cutoff)  # type: ignore[arg-type]  # what is no number is told below
    except (TypeError, ValueError):
        level = -1.0
    if not 0 <= level <= 1:
        raise ChoiceError(Problem("measure-cutoff", f"{cutoff!r} is not a level of recall between 0 and 1"))
    return level


def _known_name(name: str) -> str:
    by_folded = {alias.lower(): known for known, d in REGISTRY.items() for alias in d.aliases}
    by_folded |= {known.lower(): known for known in REGISTRY}
    found = by_folded.get(name.lower())
    if found is None:
        if name in _ONLY_TREC_EVAL:
            what = f"{name!r} is no measure of `eval`, but something that trec_eval prints"
            raise ChoiceError(Problem("measure-unknown", what, hint=f"gaincurve trec_eval -m {name} JUDGMENTS RUN"))
        known = [*TREC_NAMES, *(alias for d in REGISTRY.values() for alias in d.aliases), *REGISTRY]  # ours win
        raise ChoiceError(Problem("measure-unknown", f"there is no measure {name!r}{nearest(name, known)}"))
    return found


def _translated(definition: Definition, parameters: dict[str, object]) -> dict[str, object]:
    """Parameters in our words: ir_measures writes nDCG(dcg='exp-log2') for gains='exp2', discount='log'."""
    found: dict[str, object] = {}
    for key, value in parameters.items():
        if isinstance(value, str | int) and (key, value) in definition.spellings:
            found.update(definition.spellings[key, value])
        elif key == "cutoff":
            raise bad_syntax(f"the cutoff of {definition.name} is written {definition.name}@{value}")
        elif key == "judged_only":
            raise ChoiceError(
                Problem(
                    "measure-parameter", "judged_only is a choice for all measures here", hint="--unjudged condensed"
                )
            )
        else:
            found[key] = value
    return found
