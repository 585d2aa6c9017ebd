"""One record per session measure, and how it is written: Name(parameter=value, …)@X."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from gaincurve.errors import ChoiceError, Problem, nearest, one_of
from gaincurve.measures.grid import Laid, SessionChoices
from gaincurve.measures.syntax import keyword_arguments, taken_apart
from gaincurve.model.discount import FORMS, checked_base
from gaincurve.model.gains import Gains
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario, checked_depth
from gaincurve.model.sessions.rules import RULE_NAMES, SESSION_RULES, SessionRules, query_discount

GAIN_RULES = (
    "gains",
    "discount",
    "base",
    "query_discount",
    "bq",
    "rank_scope",
    "pad",
    "scan",
    "empty_lists",
    "repeats",
)
IDEAL_RULES = (*GAIN_RULES, "normalise", "ideal", "horizon")
_OF_IDEAL = ("normalise", "ideal", "horizon")
"""Rules about the ideal session: a measure that has none is not changed by them."""
SCORES: dict[str, str] = {
    "final": "the value at the end of the session",
    "average": "the mean over all ranks of the session",
    "first": "the first query's own",
    "last": "the last query's own",
    "best": "the best query's own",
}
DEPTH = 10


def _number(name: str, value: object, low: float, high: float) -> float:
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        found = float("nan")
    if not low <= found <= high:
        what = f"{name} cannot be {value!r}"
        raise ChoiceError(Problem("measure-parameter", what, hint=f"a number from {low:g} to {high:g}"))
    return found


def _spelled_base(value: object) -> object:
    base = checked_base(value)
    return int(base) if base.is_integer() else "inf" if base == float("inf") else base


def _rule(name: str) -> Callable[[object], object]:
    return lambda value: getattr(SessionRules().with_choices(**{name: value}), name)


PARAMETERS: dict[str, tuple[str, Callable[[object], object]]] = {
    "score": ("which number of the session: " + ", ".join(SCORES), lambda v: one_of("score", v, tuple(SCORES))),
    "p_down": ("probability to read the next document of a list", lambda v: _number("p_down", v, 0, 1)),
    "p_reform": ("probability to ask the next query", lambda v: _number("p_reform", v, 0, 1)),
    "p": ("probability to go on, below 1", lambda v: _number("p", v, 0, 0.999999)),
    "b": ("probability to go on down the list rather than to the next query", lambda v: _number("b", v, 0, 1)),
    "gains": ("gain of each grade: identity, binary, exp2, 0-1-10-100, 1=3,2=9", lambda v: str(Gains.of(v))),
    "discount": (f"divisor by rank: {', '.join(FORMS)}", lambda v: one_of("discount", v, tuple(FORMS))),
    "base": ("base of the rank discount, above 1, or inf", _spelled_base),
    "query_discount": ("divisor by query, the same forms", lambda v: one_of("query_discount", v, tuple(FORMS))),
    "bq": ("base of the query discount, above 1, or inf", lambda v: _spelled_base(query_discount("jk2002", v).base)),
    **{
        name: ("; ".join(f"{value}: {about}" for value, about in SESSION_RULES[name].items()), _rule(name))
        for name in ("rank_scope", "normalise", "ideal", "horizon", "pad", "scan", "repeats", "empty_lists")
    },
}
"""Every parameter of a session measure: its help, and how a value is checked and spelled; in the order of printing."""


@dataclass(frozen=True)
class SessionDefinition:
    """Everything known about one session measure."""

    name: str
    title: str
    source: str
    formula: str
    unit: str
    low: float
    high: float | None
    empty: str
    uses: tuple[str, ...]
    own: Mapping[str, object]
    compute: Callable[..., Floats]
    sides: Callable[[Laid], tuple[Floats, Floats]] | None = None
    defaults: Mapping[str, object] = field(default_factory=dict)
    needs_instances: bool = False
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    better: str = "higher"

    @property
    def about(self) -> str:
        """What the measure tells, when not to trust it, and a worked number."""
        return inspect.cleandoc(self.compute.__doc__ or "")

    @property
    def range(self) -> str:
        """'0 to 1', '0 and up'."""
        return f"{self.low:g} and up" if self.high is None else f"{self.low:g} to {self.high:g}"

    @property
    def parameters(self) -> tuple[str, ...]:
        """What can be written in the brackets, in the order in which it is printed."""
        return tuple(name for name in PARAMETERS if name in self.own or name in self.uses)


SESSION_MEASURES: dict[str, SessionDefinition] = {}

F = TypeVar("F", bound=Callable[..., Floats])


def session_measure(name: str, **record: Any) -> Callable[[F], F]:
    """Register the decorated function as the session measure `name`; its keyword arguments are its own parameters."""

    def register(compute: F) -> F:
        keywords = [p for p in inspect.signature(compute).parameters.values() if p.kind is p.KEYWORD_ONLY]
        own = {p.name: p.default for p in keywords if p.name in PARAMETERS}
        SESSION_MEASURES[name] = SessionDefinition(name=name, compute=compute, own=own, **record)
        return compute

    return register


@dataclass(frozen=True, order=True)
class SessionMeasure:
    """One session measure as asked for. Its text is canonical, parses back to it, and decides equality."""

    text: str
    name: str
    depth: int | None
    parameters: tuple[tuple[str, object], ...]

    @classmethod
    def make(cls, name: str, parameters: Mapping[str, object], depth: int | None) -> SessionMeasure:
        """A checked measure in canonical form."""
        definition = SESSION_MEASURES[name]
        for key in parameters:
            if key not in definition.parameters:
                what = f"{name} has no parameter {key!r}{nearest(key, definition.parameters)}"
                hint = f"parameters: {', '.join(definition.parameters)}"
                raise ChoiceError(Problem("measure-parameter", what, hint=hint))
        spelled = tuple((key, PARAMETERS[key][1](parameters[key])) for key in PARAMETERS if key in parameters)
        inside = ", ".join(f"{key}={value!r}" for key, value in spelled)
        text = name + (f"({inside})" if inside else "") + (f"@{depth}" if depth is not None else "")
        made = cls(text, name, depth, spelled)
        made.choices(Scenario.of("session"), SessionRules(), 0)  # refuses now, not after reading, what does not fit
        return made

    @property
    def definition(self) -> SessionDefinition:
        """The record of this measure."""
        return SESSION_MEASURES[self.name]

    def __str__(self) -> str:
        return self.text

    @property
    def own(self) -> dict[str, Any]:
        """The measure's own parameters, as its function takes them."""
        given = dict(self.parameters)
        return {key: given.get(key, default) for key, default in self.definition.own.items()}

    def average(self, rules: SessionRules) -> str:
        """How sessions are averaged under the rules chosen: a ratio of means needs one ratio a session."""
        one_ratio = self.own.get("score") == "final" and rules.normalise == "concat"
        return rules.average if self.definition.sides is not None and one_ratio else "mean-of-ratios"

    def choices(self, scenario: Scenario, rules: SessionRules, longest: int) -> SessionChoices:
        """Everything that decides the number: the scenario, the rules, and what stands in the brackets."""
        given = {**self.definition.defaults, **dict(self.parameters)}
        chosen = scenario.with_choices(**{k: v for k, v in given.items() if k in ("gains", "discount", "base")})
        paper = {name: getattr(SessionRules(), name) for name in _OF_IDEAL if name not in self.definition.uses}
        ruled = rules.with_choices(**paper, **{k: v for k, v in given.items() if k in RULE_NAMES})
        return SessionChoices(chosen.gains, chosen.discount, self.depth or scenario.depth or DEPTH, ruled, longest)

    def signature(
        self,
        scenario: Scenario,
        rules: SessionRules,
        sessions: str,
        judged_by: str,
        by: str,
        version: str,
        longest: int = 0,
        dropped: bool = False,
    ) -> str:
        """Everything that decided this number, always in the same order; `dropped`: repeats in a list were left out."""
        chosen = self.choices(scenario, rules, longest)
        ruled, uses = chosen.rules, self.definition.uses
        own = [
            f"{key}:{value:g}" if isinstance(value, float) else f"{key}:{value}"
            for key, value in self.own.items()
            if key != "score"
        ]  # it stands in the name, or is the end of the session
        parts = [
            self.text,
            *own,
            f"gain:{chosen.gains}" if "gains" in uses else "",
            f"discount:{chosen.discount}" if "discount" in uses else "",
            f"query-discount:{ruled.query_discount}" if "bq" in uses else "",
            f"X:{chosen.depth}",
            *(f"{name.replace('_', '-')}:{_signed(chosen, name)}" for name in SESSION_RULES if name in uses),
            "duplicates:first" if dropped else "",
            f"average:{self.average(ruled)}" if self.definition.sides else "",
            f"empty:{ruled.empty}" if self.definition.empty == "undefined" else "",
            f"judged-by:{judged_by}",
            f"ties:{scenario.ties}",
            f"unjudged:{scenario.unjudged}",
            f"missing:{scenario.missing}",
            f"by:{by}" if by else "",
            f"sessions:{sessions}",
            f"gaincurve:{version}",
        ]
        return "|".join(part for part in parts if part)


def _signed(chosen: SessionChoices, name: str) -> str:
    """A rule's value; the longest session depends on the data, so its length is told."""
    value: str = getattr(chosen.rules, name)
    return f"longest({chosen.longest})" if name == "horizon" and value == "longest" else value


def is_session_measure(text: str) -> bool:
    """Whether a text names a session measure, so that `explain` can tell it from the others."""
    try:
        return _known(taken_apart(text).name) is not None
    except ChoiceError:
        return False


def parse_session_measures(texts: str | SessionMeasure | Iterable[str | SessionMeasure]) -> list[SessionMeasure]:
    """Session measures from their texts, each once."""
    given = [texts] if isinstance(texts, str | SessionMeasure) else list(texts)
    found = [one if isinstance(one, SessionMeasure) else _parse(one) for one in given]
    if not found:
        raise ChoiceError(Problem("measure-syntax", "no measure was given"))
    return list(dict.fromkeys(found))


def _known(name: str) -> str | None:
    return {known.lower(): known for known in SESSION_MEASURES}.get(name.lower())


def _parse(text: object) -> SessionMeasure:
    written = taken_apart(text)
    name = _known(written.name)
    if name is None:
        what = f"there is no session measure {written.name!r}{nearest(written.name, SESSION_MEASURES)}"
        raise ChoiceError(Problem("measure-unknown", what, hint=f"session measures: {', '.join(SESSION_MEASURES)}"))
    depth = None if written.cutoff is None else checked_depth(written.cutoff.strip())
    return SessionMeasure.make(name, keyword_arguments(written.inside, str(text)), depth)
