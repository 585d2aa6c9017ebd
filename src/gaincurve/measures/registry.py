"""One record per measure, made by one decorator; lists, help, docs and laws are read from it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from gaincurve.errors import one_of
from gaincurve.model.discount import FORMS, checked_base
from gaincurve.model.gains import Gains
from gaincurve.model.graded import GradedRun
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import IDEALS


class PerTopic(Protocol):
    """A measure: a pure function of a graded run that gives one value per topic, nan where it is undefined."""

    def __call__(self, run: GradedRun, /, **choices: Any) -> Floats:
        """One value per topic."""


class ByRank(Protocol):
    """A curve: the value at ranks 1 … depth of every topic and, where there is one, the ideal beside it."""

    def __call__(self, run: GradedRun, depth: int, /, **choices: Any) -> tuple[Floats, Floats]:
        """Matrices of topics × ranks."""


class Bounds(Protocol):
    """The lowest and highest value per topic if the unjudged documents were judged."""

    def __call__(self, run: GradedRun, /, **choices: Any) -> tuple[Floats, Floats]:
        """Two values per topic."""


@dataclass(frozen=True)
class Parameter:
    """A parameter that can be written in a measure's brackets: its help and how a value is checked and spelled."""

    name: str
    help: str
    spell: Callable[[object], object]


def _base(value: object) -> object:
    base = checked_base(value)
    return int(base) if base.is_integer() else base


PARAMETERS: dict[str, Parameter] = {
    "gains": Parameter("gains", "gain of each grade: identity, binary, exp2, 0-1-10-100, 1=3,2=9",
                       lambda value: str(Gains.of(value))),
    "discount": Parameter("discount", f"divisor by rank: {', '.join(FORMS)}",
                          lambda value: one_of("discount", value, tuple(FORMS))),
    "base": Parameter("base", "base of a logarithmic discount, above 1, or inf", _base),
    "ideal": Parameter("ideal", f"what the ideal ranking is made of: {', '.join(IDEALS)}",
                       lambda value: one_of("ideal", value, tuple(IDEALS))),
    "average": Parameter("average", "'ranks': the mean over ranks 1 to the cutoff, formula (6) of the 2002 paper",
                         lambda value: one_of("average", value, ("ranks",))),
}  # fmt: skip
"""Every parameter there is, in the order in which a measure prints them."""


@dataclass(frozen=True)
class Definition:
    """Everything known about one measure."""

    name: str
    title: str
    source: str
    formula: str
    unit: str
    low: float
    high: float | None
    better: str
    empty: str
    compute: PerTopic
    parameters: tuple[str, ...]
    curve: ByRank | None = None
    normalised: bool = False
    bounds: Bounds | None = None
    trec_eval: tuple[str, ...] = ()
    spellings: Mapping[tuple[str, object], Mapping[str, object]] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    @property
    def about(self) -> str:
        """What the measure tells, when not to trust it, and a worked number."""
        return inspect.cleandoc(self.compute.__doc__ or "")

    @property
    def range(self) -> str:
        """'0 to 1', '0 and up'."""
        return f"{self.low:g} and up" if self.high is None else f"{self.low:g} to {self.high:g}"


REGISTRY: dict[str, Definition] = {}

F = TypeVar("F", bound=Callable[..., Floats])


def measure(name: str, **record: Any) -> Callable[[F], F]:
    """Register the decorated function as the measure `name`; its keyword arguments are the measure's choices."""

    def register(compute: F) -> F:
        accepted = [p.name for p in inspect.signature(compute).parameters.values() if p.kind is p.KEYWORD_ONLY]
        if "discount" in accepted:
            accepted.insert(accepted.index("discount") + 1, "base")
        parameters = tuple(parameter for parameter in PARAMETERS if parameter in accepted)
        REGISTRY[name] = Definition(name=name, compute=compute, parameters=parameters, **record)
        return compute

    return register
