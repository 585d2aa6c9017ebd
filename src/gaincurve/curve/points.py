"""Curves of several runs: the mean over topics at every rank, the ideal beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaincurve.curve.crossings import Crossing, crossings
from gaincurve.model.graded import IDEAL
from gaincurve.model.rows import Floats
from gaincurve.model.scores import json_number, place_of
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted

NORMALISATIONS: dict[str, str] = {
    "mean-of-ratios": "each topic's curve over its ideal, then the mean over topics (the 2002 paper's Table II)",
    "ratio-of-means": "the mean curve over the mean ideal curve (the 2002 paper, section 3.3, item 4)",
}


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
    """The rank after which even the ideal list has nothing more to give (2002, conclusions)."""

    by_topic: dict[str, int]

    @property
    def mean(self) -> float:
        """The mean over topics that have anything to give."""
        ranks = [rank for rank in self.by_topic.values() if rank]
        return sum(ranks) / len(ranks) if ranks else float("nan")

    @property
    def flat_from(self) -> int:
        """The rank from which the mean ideal curve is flat."""
        return max(self.by_topic.values(), default=0)


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves of the same runs to the same depth."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    depth: int
    curves: tuple[Curve, ...]
    normalise: str
    stopping: Stopping
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]

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

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.curves/1."""
        data: dict[str, object] = {
            "schema": "gaincurve.curves/1",
            "measures": [{"name": curve.name, "signature": str(curve.signature)} for curve in self.curves],
            "depth": self.depth,
            "normalise": self.normalise,
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
    """The mean over topics (rows), without those that are undefined or left out."""
    defined = matrix[~np.isnan(matrix).any(axis=1)]
    mean: Floats = defined.sum(axis=0) / len(defined) if len(defined) else np.full(matrix.shape[1], np.nan)
    return mean


def _list(values: Floats) -> list[float | None]:
    return [json_number(value) for value in values.tolist()]
