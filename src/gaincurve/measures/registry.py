"""One record per measure, created by one decorator; lists, help, docs and laws read it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from gaincurve.model.measure import ByUnit, Definition, TwoByUnit
from gaincurve.model.parameters import PARAMETERS
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import CHOICES

REGISTRY: dict[str, Definition] = {}

F = TypeVar("F", bound=Callable[..., Floats])


def measure(name: str, *, ties: str, bounds: Callable[..., Any] | None = None, **record: Any) -> Callable[[F], F]:
    """Register the decorated function as the measure `name`; its keyword arguments are the measure's choices.

    An argument `cutoff` makes it a measure that can be cut, an argument `session` one of whole sessions, which the
    rules named in `rules` change. A choice without a default that no scenario decides must be given in the brackets.
    """

    def register(compute: F) -> F:
        keywords = {
            parameter.name: parameter
            for parameter in inspect.signature(compute).parameters.values()
            if parameter.kind is parameter.KEYWORD_ONLY
        }
        over = "session" if "session" in keywords else "topic"
        accepted = {*keywords, *record.get("rules", ()), *({"base"} if "discount" in keywords else ()), "summary"}
        parameters = tuple(parameter for parameter in PARAMETERS[over] if parameter in accepted)
        empty = inspect.Parameter.empty
        required = tuple(key for key in parameters if key in keywords and keywords[key].default is empty)
        cutoff = "none" if "cutoff" not in keywords else "lists" if over == "session" else "optional"
        REGISTRY[name] = Definition(
            name=name,
            compute=compute,
            over=over,
            arguments=tuple(keywords),
            parameters=parameters,
            required=tuple(key for key in required if key not in CHOICES),
            defaults={
                key: parameter.default
                for key, parameter in keywords.items()
                if parameter.default is not empty and key != "cutoff"
            },
            bounds=_bounds(bounds, compute),
            ties=ties,
            **{"cutoff": cutoff, **record},
        )
        return compute

    return register


def bounds_of(rule: Callable[..., tuple[Floats, Floats]]) -> Callable[[ByUnit], TwoByUnit]:
    """Turn a function (compute, run, **choices) into the bounds of any measure that names it."""

    def of_measure(compute: ByUnit) -> TwoByUnit:
        return lambda run, /, **choices: rule(compute, run, **choices)

    setattr(of_measure, _MAKES_BOUNDS, True)
    return of_measure


_MAKES_BOUNDS = "makes_bounds"


def _bounds(bounds: Callable[..., Any] | None, compute: Callable[..., Floats]) -> TwoByUnit | None:
    rule: TwoByUnit | None = bounds(compute) if bounds is not None and hasattr(bounds, _MAKES_BOUNDS) else bounds
    return rule
