"""What a bucket tells of its topics beside their values: counts that can be added, whatever the buckets are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from operator import add
from typing import Any, Self

import numpy as np

from gaincurve.model.exact import ColumnSums, exact_parts
from gaincurve.verbs.curves import CurveSums

SHOWN = 3


@dataclass
class Several:
    """How many there are, and the first few by name: the same however they were gathered."""

    total: int = 0
    first: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        """All names."""
        every = sorted(names)
        return cls(len(every), every[:SHOWN])

    def add(self, other: Several) -> None:
        """Put those of another bucket to them."""
        self.total += other.total
        self.first = sorted([*self.first, *other.first])[:SHOWN]


@dataclass
class MeasureFacts:
    """Of a measure of a run: topics with a value, those that count and have none, and sums over both orders of ties."""

    defined: int = 0
    undefined: Several = field(default_factory=Several)
    worst: list[float] = field(default_factory=list)
    best: list[float] = field(default_factory=list)
    tied: bool = False

    def add(self, other: MeasureFacts) -> None:
        """Put those of another bucket to them."""
        self.defined += other.defined
        self.undefined.add(other.undefined)
        self.worst = exact_parts(np.array([*self.worst, *other.worst]))
        self.best = exact_parts(np.array([*self.best, *other.best]))
        self.tied |= other.tied


@dataclass
class RunFacts:
    """Of a run: documents and topics that met judgments or did not, and what its ids look like where few did."""

    rows: int = 0
    topics: int = 0
    missing: Several = field(default_factory=Several)
    strangers: Several = field(default_factory=Several)
    seen: int = 0
    unjudged: int = 0
    matched: int = 0
    listed: int = 0
    possible: int = 0
    elsewhere: int = 0
    contradicting: int = 0
    alike: bool = False
    joins: dict[str, int] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)
    measures: list[MeasureFacts] = field(default_factory=list)

    def add(self, other: RunFacts) -> None:
        """Put those of another bucket to them."""
        for name in (
            "rows",
            "topics",
            "seen",
            "unjudged",
            "matched",
            "listed",
            "possible",
            "elsewhere",
            "contradicting",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.missing.add(other.missing)
        self.strangers.add(other.strangers)
        self.alike |= other.alike
        for how, joined in other.joins.items():
            self.joins[how] = self.joins.get(how, 0) + joined
        self.examples = min(filter(None, (self.examples, other.examples)), default=[])
        for mine, theirs in zip(self.measures, other.measures, strict=True):
            mine.add(theirs)


@dataclass
class Facts:
    """Of a bucket, or of all: `problems` are slug, what, where and hint of what is wrong, `more` counts others.

    `repeats` says that a list holds a document twice, beyond the ranks that were looked at too. `dropped` judgments and
    `repeated` documents of each run were left out because they stood there twice. `curves` are sums by rank.
    """

    topics: int = 0
    judged: list[str] = field(default_factory=list)
    rows: int = 0
    negative: int = 0
    problems: list[tuple[str, str, str, str]] = field(default_factory=list)
    more: int = 0
    of_choice: bool = False
    repeats: bool = False
    dropped: int = 0
    repeated: dict[str, int] = field(default_factory=dict)
    curves: list[CurveSums] = field(default_factory=list)
    runs: list[RunFacts] = field(default_factory=list)

    def add(self, other: Facts) -> None:
        """Put those of another bucket to them."""
        self.topics += other.topics
        self.judged = sorted([*self.judged, *other.judged])[:SHOWN]
        self.rows += other.rows
        self.negative += other.negative
        self.problems += other.problems
        self.more += other.more
        self.of_choice |= other.of_choice
        self.repeats |= other.repeats
        self.dropped += other.dropped
        for run, repeated in other.repeated.items():
            self.repeated[run] = self.repeated.get(run, 0) + repeated
        both = self.curves and other.curves
        self.curves = list(map(add, self.curves, other.curves)) if both else self.curves or other.curves
        for mine, theirs in zip(self.runs, other.runs, strict=True):
            mine.add(theirs)

    def written(self) -> str:
        """As text, which travels in the rows."""
        return json.dumps({**asdict(replace(self, curves=[])), "curves": [_curve_shape(sums) for sums in self.curves]})

    @classmethod
    def read(cls, text: str) -> Self:
        """From text."""
        shape = json.loads(text)
        shape["problems"] = [tuple(problem) for problem in shape["problems"]]
        shape["runs"] = [_run(run) for run in shape["runs"]]
        shape["curves"] = [_curve(curve) for curve in shape["curves"]]
        return cls(**shape)


def _curve_shape(sums: CurveSums) -> list[Any]:
    sides: tuple[tuple[ColumnSums, ...], ...] = (sums.runs, sums.over, (sums.ideal,))
    return [[(each.count, each.parts.shape[1], each.parts.tolist()) for each in side] for side in sides]


def _curve(shape: list[Any]) -> CurveSums:
    runs, over, (ideal,) = (
        tuple(ColumnSums(count, np.array(parts).reshape(-1, depth)) for count, depth, parts in side) for side in shape
    )
    return CurveSums(runs, over, ideal)


def _run(shape: dict[str, object]) -> RunFacts:
    several = {name: Several(**shape.pop(name)) for name in ("missing", "strangers")}  # type: ignore[arg-type]
    measures = [
        MeasureFacts(**{**of_measure, "undefined": Several(**of_measure["undefined"])})
        for of_measure in shape.pop("measures")  # type: ignore[attr-defined]
    ]
    return RunFacts(**shape, **several, measures=measures)  # type: ignore[arg-type]
