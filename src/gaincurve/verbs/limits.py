"""What a gate is asked to hold, checked and under the names of the scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.model.limits import JudgedLimit, Limit, TopicLimit
from gaincurve.model.numbers import finite_number
from gaincurve.model.scores import Scores

L = TypeVar("L")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What must hold, by measure."""

    drops: Mapping[str, Limit]
    floors: Mapping[str, float]
    topics: Mapping[str, TopicLimit]
    margins: Mapping[str, Limit]
    any_margin: Limit | None
    judged: JudgedLimit | None
    strict: bool

    @classmethod
    def checked(
        cls,
        max_drop: Mapping[str, object] | None,
        min_score: Mapping[str, object] | None,
        max_topic_drop: Mapping[str, object] | None,
        not_worse_by: object,
        min_judged: object,
        strict: bool,
    ) -> Limits:
        """Limits as they were given; at least one."""
        margins = not_worse_by if isinstance(not_worse_by, Mapping) else {}
        single = None if not_worse_by is None or margins else Limit.of(not_worse_by, "not-worse-by")
        limits = cls(
            drops=_read("max-drop", max_drop, Limit.of),
            floors=_read("min", min_score, _floor),
            topics=_read("max-topic-drop", max_topic_drop, TopicLimit.of),
            margins=_read("not-worse-by", margins, Limit.of),
            any_margin=single,
            judged=None if min_judged is None else JudgedLimit.of(min_judged),
            strict=strict,
        )
        if not (limits.measures or single or limits.judged):
            raise ChoiceError(Problem("gate-limit", "no limit was given"))
        if strict and not limits.drops:
            raise ChoiceError(Problem("gate-limit", "strict is about the limits of max-drop, and none was given"))
        return limits

    @property
    def measures(self) -> list[str]:
        """The measures that any limit names."""
        return list(dict.fromkeys([*self.drops, *self.margins, *self.floors, *self.topics]))

    def named(self, scores: Scores) -> Limits:
        """The same under the names that the scores give their measures."""
        named = {name: _in(name, scores) for name in self.measures}
        margins: dict[str, Limit] = {}
        if self.any_margin is not None:
            margins = dict.fromkeys(dict.fromkeys(named.values()) or scores.texts, self.any_margin)
        return Limits(
            drops=_once("max-drop", ((named[name], limit) for name, limit in self.drops.items())),
            floors=_once("min", ((named[name], limit) for name, limit in self.floors.items())),
            topics=_once("max-topic-drop", ((named[name], limit) for name, limit in self.topics.items())),
            margins=margins or _once("not-worse-by", ((named[name], limit) for name, limit in self.margins.items())),
            any_margin=None,
            judged=self.judged,
            strict=self.strict,
        )


def _read(rule: str, given: object, of: Callable[[object, str], L]) -> dict[str, L]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        what = f"{rule} is given by measure, and {given!r} names none"
        raise ChoiceError(Problem("gate-limit", what, hint="for example {'nDCG@10': 0.01}"))
    return {name: of(limit, f"{rule} of {name}") for name, limit in given.items()}


def _floor(given: object, where: str) -> float:
    floor = finite_number(given)
    if math.isnan(floor):
        raise ChoiceError(Problem("gate-limit", f"{where}: {given!r} is not a number"))
    return floor


def _once(rule: str, given: Iterable[tuple[str, L]]) -> dict[str, L]:
    """Measures with their limits; one cannot have two different ones under two spellings."""
    limits: dict[str, L] = {}
    for measure, limit in given:
        if limits.setdefault(measure, limit) != limit:
            what = f"--{rule} gives {measure} two limits, {limits[measure]} and {limit}"
            raise ChoiceError(Problem("gate-limit", what, hint="give one limit for each measure"))
    return limits


def _in(name: str, scores: Scores) -> str:
    """A measure as the scores name it: cut at the scenario's depth where it names no cutoff."""
    if name in scores.texts:
        return name
    parsed = parse_measure(name)
    depth = scores.evidence.scenario.depth if scores.evidence else None
    known = [text for text in (parsed.text, parsed.at_depth(depth).stopping().text) if text in scores.texts]
    if not known:
        raise ChoiceError(Problem("gate-limit", f"there is no score for {parsed.text}"))
    return known[0]


def parse_limit(text: str) -> tuple[str, str]:
    """'nDCG@10=0.01' as measure and limit; the last = counts, because measures have their own."""
    measure, equals, limit = text.rpartition("=")
    if not equals or not measure.strip() or not limit.strip():
        raise ChoiceError(Problem("gate-limit", f"{text!r} is not MEASURE=LIMIT"))
    return parse_measure(measure.strip()).text, limit.strip()


def parse_limits(rule: str, texts: Iterable[str]) -> dict[str, str]:
    """Several of them by measure."""
    return _once(rule, map(parse_limit, texts))
