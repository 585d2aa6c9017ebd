"""A measure: its record, and one measure as asked for, with its parameters and its cutoff."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from gaincurve.errors import ChoiceError, Problem, nearest
from gaincurve.model.graded import Graded
from gaincurve.model.linear import Linear
from gaincurve.model.parameters import PARAMETERS, Parameter
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import CHOICES, Scenario, checked_depth
from gaincurve.model.sessions.rules import RULE_NAMES, SessionRules
from gaincurve.model.source import number_text


class ByUnit(Protocol):
    """A measure: a pure function of a graded run that gives one value per topic or session, nan where undefined."""

    def __call__(self, run: Graded, /, **choices: Any) -> Floats:
        """One value per unit."""


class ByRank(Protocol):
    """A curve: the value at ranks 1 … depth of every topic and, where there is one, the ideal beside it."""

    def __call__(self, run: Graded, depth: int, /, **choices: Any) -> tuple[Floats, Floats]:
        """Matrices of topics × ranks."""


class TwoByUnit(Protocol):
    """Two values per unit: the lowest and highest one if the unjudged documents were judged; actual and ideal."""

    def __call__(self, run: Graded, /, **choices: Any) -> tuple[Floats, Floats]:
        """Two values per unit."""


CUTOFFS: dict[str, str] = {
    "optional": "Name@k cuts the list after rank k; without it the whole list counts",
    "required": "Name@k, the rank at which the user stops",
    "recall": "Name@r, a share of the relevant documents between 0 and 1",
    "none": "none: the whole list counts",
    "lists": "Name@X: every list is read to rank X; without it the scenario's depth, or 10",
}
TIES: dict[str, str] = {
    "exact": "under ties 'average' the expected value over all orders of the tied documents, exactly",
    "blocks": "a tied block counts as a block under every tie rule that looks at scores",
    "refused": "no exact expected value is offered: ties 'average' is refused",
}
READ = 10
"""How deep each list of a session is read unless measure or scenario says otherwise."""


@dataclass(frozen=True, eq=False)
class Definition:
    """Everything known about one measure.

    `over` says what it gives a value for, a 'topic' or a 'session'. `cutoff` and `ties` are keys of CUTOFFS and TIES;
    `needs` names what must be read beyond ranks and grades ('scores', 'subtopics', 'strata'); `first_ranks` says that
    nothing beyond the cutoff matters, neither in the list nor in the ideal; `unbounded` says why there are no bounds;
    `linear` writes it as a sum over ranks under given choices, None where it is none under these; `against` is what the
    2002 paper holds against the measure. `rules` are the rules of sessions that change it, `chosen` the scenario's
    choices it makes itself, `sides` the two sums of which it is the ratio; `over_ranks` says that a line over
    the concatenated ranks of a session leads to it.
    """

    name: str
    title: str
    source: str
    formula: str
    unit: str
    low: float | None
    high: float | None
    better: str
    empty: str
    compute: ByUnit
    arguments: tuple[str, ...]
    parameters: tuple[str, ...]
    required: tuple[str, ...]
    defaults: Mapping[str, object]
    cutoff: str
    ties: str
    over: str = "topic"
    summary: str = "mean"
    needs: str = ""
    first_ranks: bool = False
    curve: ByRank | None = None
    normalised: bool = False
    bounds: TwoByUnit | None = None
    linear: Callable[..., Linear | None] | None = None
    unbounded: str = ""
    against: str = ""
    rules: tuple[str, ...] = ()
    chosen: Mapping[str, object] = field(default_factory=dict)
    sides: TwoByUnit | None = None
    over_ranks: bool = False
    aliases: tuple[str, ...] = ()
    spellings: Mapping[tuple[str, object], Mapping[str, object]] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    @property
    def about(self) -> str:
        """What the measure shows, when not to trust it, and a worked number."""
        return inspect.cleandoc(self.compute.__doc__ or "")

    @property
    def range(self) -> str:
        """'0 to 1', '0 and up', 'any number'."""
        if self.low is None:
            return "any number"
        return f"{self.low:g} and up" if self.high is None else f"{self.low:g} to {self.high:g}"

    def parameter(self, name: str) -> Parameter:
        """What is known about one of its parameters."""
        return PARAMETERS[self.over][name]


@dataclass(frozen=True, eq=False)
class Measure:
    """One measure as asked for. Its text is canonical, parses back to it, and decides equality."""

    text: str
    definition: Definition
    cutoff: float | None
    parameters: tuple[tuple[str, object], ...]

    @classmethod
    def of(cls, definition: Definition, parameters: Mapping[str, object], cutoff: object = None) -> Measure:
        """A checked measure in canonical form."""
        _check_names(definition, parameters)
        known = PARAMETERS[definition.over]
        spelled = tuple((key, known[key].spell(parameters[key])) for key in known if key in parameters)
        limit = None if cutoff is None else _checked_cutoff(definition, cutoff)
        inside = ", ".join(f"{key}={value!r}" for key, value in spelled)
        text = definition.name + (f"({inside})" if inside else "") + cutoff_text(limit)
        measure = cls(text, definition, limit, spelled)
        if definition.over == "session":
            measure.choices(Scenario.of("session"))  # refuses now, not after reading, what does not fit
        else:
            Scenario().choosing({key: value for key, value in spelled if key in CHOICES and key != "base"})
        return measure

    @property
    def name(self) -> str:
        """The name of its definition."""
        return self.definition.name

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Measure({self.text!r})"

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

    def __lt__(self, other: Measure) -> bool:
        return self.text < other.text

    def __eq__(self, other: object) -> bool:
        return self.text == (other.text if isinstance(other, Measure) else other)

    def __hash__(self) -> int:
        return hash(self.text)

    def at_depth(self, depth: int | None) -> Measure:
        """The measure with the scenario's depth as cutoff where it names none."""
        if self.cutoff is not None or depth is None or self.definition.cutoff not in ("optional", "required"):
            return self
        return Measure.of(self.definition, dict(self.parameters), depth)

    def choices(self, scenario: Scenario) -> Scenario:
        """The scenario with this measure's own parameters put in."""
        given = {**self.definition.chosen, **dict(self.parameters)}
        if self.definition.over == "topic":
            return scenario.choosing({key: value for key, value in given.items() if key in CHOICES})
        paper = {name: getattr(SessionRules(), name) for name in OF_IDEAL if name not in self.definition.rules}
        ruled = {key: value for key, value in given.items() if key in RULE_NAMES}
        chosen = {key: value for key, value in given.items() if key in ("gains", "discount", "base")}
        rules = scenario.session.with_choices(**paper, **ruled)
        return replace(scenario.choosing(chosen), session=rules)

    def arguments(self, scenario: Scenario) -> dict[str, Any]:
        """The keyword arguments of the measure's function under a scenario."""
        chosen = self.choices(scenario)
        wanted = self.definition.arguments
        decided = {key: getattr(chosen, key) for key in wanted if key in self._decided}
        own = {key: value for key, value in self.parameters if key in wanted and key not in decided}
        if "cutoff" not in wanted:
            return {**decided, **own}
        cutoff = self.cutoff if self.rank is None else self.rank
        if self.definition.cutoff == "lists":
            cutoff = self.read_to(scenario)
        return {"cutoff": cutoff, **decided, **own}

    @property
    def _decided(self) -> tuple[str, ...]:
        """The arguments that a scenario decides."""
        return CHOICES if self.definition.over == "topic" else ("gains", "discount", "session")

    def read_to(self, scenario: Scenario) -> int:
        """X: how deep each list of a session is read."""
        return self.rank or scenario.depth or READ

    @property
    def rank(self) -> int | None:
        """The cutoff as a rank, if there is one."""
        return None if self.cutoff is None or self.definition.cutoff == "recall" else int(self.cutoff)

    @property
    def summary(self) -> str:
        """What stands for all units together: 'mean', 'median', 'sum' or 'geometric'."""
        return str(dict(self.parameters).get("summary", self.definition.summary))

    @property
    def own(self) -> dict[str, Any]:
        """The parameters that no scenario decides, with the values they have unless given."""
        scenarios = {*self._decided, "base", "summary", *RULE_NAMES} if self.definition.over == "session" else CHOICES
        chosen = {**self.definition.defaults, **dict(self.parameters)}
        for name, replaced in (("only", "rel"), ("alpha", "beta")):
            if chosen.get(name) is not None:
                chosen.pop(replaced, None)
        named = {key: chosen.get(key) for key in PARAMETERS[self.definition.over] if key not in scenarios}
        return {key: value for key, value in named.items() if value is not None and key not in ("summary", "average")}

    @property
    def lower_is_better(self) -> bool:
        """Whether less is better."""
        return self.definition.better == "lower"

    def averaging(self, scenario: Scenario) -> str:
        """How sessions are averaged: a ratio of means needs one ratio a session."""
        rules = self.choices(scenario).session
        one_ratio = self.own.get("score") == "final" and rules.normalise == "concat" and self.summary == "mean"
        return rules.average if self.definition.sides is not None and one_ratio else "mean-of-ratios"

    def stopping(self) -> Measure:
        """The measure if it says where its user stops, or needs not; else an error."""
        if self.cutoff is None and self.definition.cutoff in ("required", "recall"):
            example = "0.5" if self.definition.cutoff == "recall" else "10"
            names = self.definition.aliases
            also = f" (also {', '.join(names)})" if names else ""
            what = f"{self.text}{also} needs a cutoff, e.g. {self.text}@{example}"
            raise ChoiceError(Problem("measure-cutoff", what))
        return self


OF_IDEAL = ("normalise", "ideal", "horizon")
"""Rules about the ideal session: a measure that has none is not changed by them."""


def cutoff_text(cutoff: float | None) -> str:
    """The cutoff as it is written: ranks in full, levels of recall as numbers."""
    if cutoff is None:
        return ""
    return f"@{cutoff}" if isinstance(cutoff, int) else f"@{number_text(cutoff)}"


def _check_names(definition: Definition, parameters: Mapping[str, object]) -> None:
    name, known = definition.name, definition.parameters
    for key in parameters:
        if key not in known:
            what = f"{name} has no parameter {key!r}{nearest(key, known)}"
            raise ChoiceError(Problem("measure-parameter", what, hint=f"parameters: {', '.join(known)}"))
    for key in definition.required:
        if key not in parameters:
            what = f"{name} needs {key} ({definition.parameter(key).help}), e.g. {name}({key}=1000)"
            raise ChoiceError(Problem("measure-parameter", what, hint=f"write {name}({key}=…)"))
    for first, second in (("rel", "only"), ("beta", "alpha")):
        if first in parameters and second in parameters:
            raise ChoiceError(Problem("measure-parameter", f"{name} takes {first} or {second}, not both"))


def _checked_cutoff(definition: Definition, cutoff: object) -> float:
    if definition.cutoff == "none":
        what = f"{definition.name} has no cutoff: the whole list counts"
        raise ChoiceError(Problem("measure-cutoff", what, hint=f"write {definition.name}"))
    if definition.cutoff != "recall":
        whole = int(cutoff) if isinstance(cutoff, float) and cutoff.is_integer() else cutoff
        return checked_depth(whole, f"{definition.name}@{cutoff}: ")
    try:
        level = float(cutoff)  # type: ignore[arg-type]  # what is no number is reported below
    except (TypeError, ValueError):
        level = -1.0
    if not 0 <= level <= 1:
        raise ChoiceError(Problem("measure-cutoff", f"{cutoff!r} is not a level of recall between 0 and 1"))
    return level
