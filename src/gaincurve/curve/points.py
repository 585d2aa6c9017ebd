"""Curves of several runs: the mean over topics at every rank, the ideal beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from gaincurve.curve.crossings import Crossing, crossings
from gaincurve.model.exact import ColumnSums
from gaincurve.model.graded import IDEAL
from gaincurve.model.rows import Floats
from gaincurve.model.scores import json_number, place_of
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted
from gaincurve.model.tables.result import Result, Series
from gaincurve.model.tables.tidy import Column, Tidy, beside, coded, each_signature, stacked

NORMALISATIONS: dict[str, str] = {
    "mean-of-ratios": "each topic's curve over its ideal, then the mean over topics (the 2002 paper's Table II)",
    "ratio-of-means": "the mean curve over the mean ideal curve (the 2002 paper, section 3.3, item 4)",
}


SHOWN_RANKS = (1, 2, 3, 5, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
"""People see these ranks; files and frames have all."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One measure by rank: `values[run, rank]`, the ideal, and each topic's own where it was asked for.

    `axis` says in words under which gains and discount.
    """

    name: str
    signature: Signature
    axis: str
    normalised: bool
    values: Floats
    ideal: Floats
    by_topic: Floats | None = None


@dataclass(frozen=True)
class Stopping:
    """The rank after which even the ideal list has nothing more to give (2002, conclusions).

    `mean` is over topics that have anything to give, and from rank `flat_from` on the mean ideal curve is flat.
    `by_topic` is empty where there are too many topics to name.
    """

    by_topic: dict[str, int]
    mean: float
    flat_from: int

    @classmethod
    def of(cls, by_topic: dict[str, int]) -> Self:
        """From the rank of every topic."""
        ranks = [rank for rank in by_topic.values() if rank]
        return cls(by_topic, sum(ranks) / len(ranks) if ranks else math.nan, max(ranks, default=0))


@dataclass(frozen=True, eq=False)
class Curves(Result):
    """Curves of the same runs to the same depth: means over topics, or of one topic where `topic` names it."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    depth: int
    curves: tuple[Curve, ...]
    normalise: str
    stopping: Stopping
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]
    topic: str | None = None

    def __repr__(self) -> str:
        return f"Curves({', '.join(self.names)} of {counted(len(self.runs), 'run')} to rank {self.depth})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the curves."""
        return tuple(curve.name for curve in self.curves)

    def __getitem__(self, key: tuple[str, str]) -> Floats:
        """`curves["bm25", "nDCG"]`: the values at ranks 1, 2, …; the run 'ideal' is the ideal."""
        run, name = key
        curve = self.curve(name)
        return curve.ideal if run == IDEAL else curve.values[place_of(run, self.runs, "run")]

    def curve(self, name: str) -> Curve:
        """The curve called `name`."""
        return self.curves[place_of(name, self.names, "curve")]

    def crossings(self, name: str) -> list[Crossing]:
        """Where the mean curves of two runs cross, for every pair."""
        values = self.curve(name).values
        pairs = [(a, b) for a in range(len(self.runs)) for b in range(a + 1, len(self.runs))]
        return [crossing for a, b in pairs for crossing in crossings(self.runs[a], values[a], self.runs[b], values[b])]

    @property
    def shown_ranks(self) -> list[int]:
        """The ranks that people see."""
        return [rank for rank in SHOWN_RANKS if rank < self.depth] + [self.depth]

    def tidy(self) -> Tidy:
        """curve, run, topic, rank, value, signature: the mean of each run, the ideal, then each topic's own."""
        runs, topics = len(self.runs), len(self.topics)
        run_codes, topic_codes, values = [], [], []
        for curve in self.curves:
            values += [curve.values, curve.ideal]
            run_codes.append(np.arange(runs + 1))
            topic_codes.append(np.full(runs + 1, topics if self.topic is None else 0))
            if curve.by_topic is not None:
                values.append(curve.by_topic)
                run_codes.append(np.repeat(np.arange(runs), topics))
                topic_codes.append(np.tile(np.arange(topics), runs))
        lines = [runs + 1 + (0 if curve.by_topic is None else runs * topics) for curve in self.curves]
        rows = np.array(lines) * self.depth
        columns = {
            "curve": coded(self.names, np.repeat(np.arange(len(self.curves)), rows)),
            "run": coded((*self.runs, IDEAL), np.repeat(np.concatenate(run_codes), self.depth)),
            "topic": coded(
                (*self.topics, "all") if self.topic is None else self.topics,
                np.repeat(np.concatenate(topic_codes), self.depth),
            ),
            "rank": Column("count", np.tile(np.arange(1, self.depth + 1), sum(lines))),
            "value": stacked(values),
            "signature": each_signature((curve.signature for curve in self.curves), rows.tolist()),
        }
        return Tidy("gaincurve.curves/1", columns, self._signatures)

    def wide(self) -> Tidy:
        """curve, rank, and the mean of each run beside the ideal."""
        ranks = np.arange(1, self.depth + 1)
        lines = {run: [curve.values[r] for curve in self.curves] for r, run in enumerate(self.runs)}
        places = {
            "curve": coded(self.names, np.repeat(np.arange(len(self.curves)), self.depth)),
            "rank": Column("count", np.tile(ranks, len(self.curves))),
        }
        lines[IDEAL] = [curve.ideal for curve in self.curves]
        columns = beside(places, {name: stacked(values) for name, values in lines.items()})
        return Tidy("gaincurve.curves/1", columns, self._signatures)

    def shown(self) -> Tidy:
        """The same at some ranks."""
        wide = self.wide()
        rows = np.flatnonzero(np.isin(wide.columns["rank"].values, self.shown_ranks))
        return replace(wide, columns={name: column.take(rows) for name, column in wide.columns.items()})

    def series(self) -> list[Series]:
        """Each run's mean curve by rank, and the ideal."""
        return [
            Series(run, curve.name, str(curve.signature), tuple(values.tolist()))
            for curve in self.curves
            for run, values in (*zip(self.runs, curve.values, strict=True), (IDEAL, curve.ideal))
        ]

    def to_dvc(self) -> list[dict[str, float | int | None]]:
        """A row for each rank, as `dvc plots` draws them: {"rank": 1, "bm25 nDCG": 0.5, …}."""
        lines = {f"{line.run} {line.name}": line.values for line in self.series()}
        return [
            {"rank": i + 1, **{name: json_number(values[i]) for name, values in lines.items()}}
            for i in range(self.depth)
        ]

    @property
    def _signatures(self) -> tuple[str, ...]:
        return tuple(str(curve.signature) for curve in self.curves)

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.curves/1."""
        data: dict[str, object] = {
            "schema": "gaincurve.curves/1",
            "measures": [{"name": curve.name, "signature": str(curve.signature)} for curve in self.curves],
            "depth": self.depth,
            "normalise": self.normalise,
            "topic": self.topic,
            "curves": {
                **{
                    run: {curve.name: _list(curve.values[r]) for curve in self.curves}
                    for r, run in enumerate(self.runs)
                },
                IDEAL: {curve.name: _list(curve.ideal) for curve in self.curves},
            },
            "crossings": {
                curve.name: [crossing.to_dict() for crossing in self.crossings(curve.name)] for curve in self.curves
            },
            "stopping": {
                "mean": json_number(self.stopping.mean),
                "flat_from": self.stopping.flat_from,
                "topics": self.stopping.by_topic,
            },
        }
        by_topic = {curve.name: curve.by_topic for curve in self.curves if curve.by_topic is not None}
        if by_topic:
            data["topics"] = {
                run: {
                    topic: {name: _list(values[r, i]) for name, values in by_topic.items()}
                    for i, topic in enumerate(self.topics)
                }
                for r, run in enumerate(self.runs)
            }
        return data


def mean_rows(matrix: Floats) -> Floats:
    """The mean over topics (rows), without those that are undefined or left out; rounded once, whatever their order."""
    return ColumnSums.of(matrix).means


def _list(values: Floats) -> list[float | None]:
    return [json_number(value) for value in values.tolist()]
