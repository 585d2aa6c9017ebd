"""One record per measure, made by one decorator; lists, help, docs and laws are read from it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from gaincurve.measures.parameters import PARAMETERS
from gaincurve.model.graded import GradedRun
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import CHOICES


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


CUTOFFS: dict[str, str] = {
    "optional": "Name@k cuts the list after rank k; without it the whole list counts",
    "required": "Name@k, the rank at which the user stops",
    "recall": "Name@r, a share of the relevant documents between 0 and 1",
    "none": "none: the whole list counts",
}
TIES: dict[str, str] = {
    "exact": "under ties 'average' the expected value over all orders of the tied documents, exactly",
    "blocks": "a tied block counts as a block under every tie rule that looks at scores",
    "refused": "no exact expected value is offered: ties 'average' is refused",
}


@dataclass(frozen=True)
class Definition:
    """Everything known about one measure.

    `cutoff` and `ties` are keys of CUTOFFS and TIES; `needs` names what must be read beyond ranks and grades
    ('scores', 'subtopics'); `first_ranks` says that nothing beyond the cutoff matters, neither in the list nor in the
    ideal; `unbounded` says why there are no bounds; `against` is what the 2002 paper holds against the measure.
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
    compute: PerTopic
    arguments: tuple[str, ...]
    parameters: tuple[str, ...]
    required: tuple[str, ...]
    defaults: Mapping[str, object]
    cutoff: str
    ties: str
    summary: str = "mean"
    needs: str = ""
    first_ranks: bool = False
    curve: ByRank | None = None
    normalised: bool = False
    bounds: Bounds | None = None
    unbounded: str = ""
    against: str = ""
    aliases: tuple[str, ...] = ()
    spellings: Mapping[tuple[str, object], Mapping[str, object]] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    @property
    def about(self) -> str:
        """What the measure tells, when not to trust it, and a worked number."""
        return inspect.cleandoc(self.compute.__doc__ or "")

    @property
    def range(self) -> str:
        """'0 to 1', '0 and up', 'any number'."""
        if self.low is None:
            return "any number"
        return f"{self.low:g} and up" if self.high is None else f"{self.low:g} to {self.high:g}"


REGISTRY: dict[str, Definition] = {}

F = TypeVar("F", bound=Callable[..., Floats])


def measure(name: str, *, ties: str, bounds: Callable[..., Any] | None = None, **record: Any) -> Callable[[F], F]:
    """Register the decorated function as the measure `name`; its keyword arguments are the measure's choices.

    An argument `cutoff` makes it a measure that can be cut; one without a default that no scenario decides must be
    given in the measure's brackets.
    """

    def register(compute: F) -> F:
        found = {p.name: p for p in inspect.signature(compute).parameters.values() if p.kind is p.KEYWORD_ONLY}
        accepted = {*found, *({"base"} if "discount" in found else ()), "summary"}
        parameters = tuple(parameter for parameter in PARAMETERS if parameter in accepted)
        empty = inspect.Parameter.empty
        required = tuple(key for key in parameters if key in found and found[key].default is empty)
        REGISTRY[name] = Definition(
            name=name,
            compute=compute,
            arguments=tuple(found),
            parameters=parameters,
            required=tuple(key for key in required if key not in CHOICES),
            defaults={key: p.default for key, p in found.items() if p.default is not empty and key != "cutoff"},
            bounds=_made(bounds, compute),
            ties=ties,
            **{"cutoff": "optional" if "cutoff" in found else "none", **record},
        )
        return compute

    return register


def bounds_of(rule: Callable[..., tuple[Floats, Floats]]) -> Callable[[PerTopic], Bounds]:
    """Make of a function (compute, run, **choices) the bounds of any measure that names it."""

    def made(compute: PerTopic) -> Bounds:
        return lambda run, /, **choices: rule(compute, run, **choices)

    setattr(made, _MAKES_BOUNDS, True)
    return made


_MAKES_BOUNDS = "makes_bounds"


def _made(bounds: Callable[..., Any] | None, compute: Callable[..., Floats]) -> Bounds | None:
    found: Bounds | None = bounds(compute) if bounds is not None and hasattr(bounds, _MAKES_BOUNDS) else bounds
    return found
