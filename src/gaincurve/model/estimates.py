"""Estimates: numbers from judgments of a sample, with what the sample leaves open."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scores import Scores, json_number, place_of
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted
from gaincurve.model.summaries import mean
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Cell, Kind, Tidy

NORMAL_95 = 1.959963984540054
"""Half of a normal interval that holds 95%, in standard errors."""
ENDS: dict[str, Kind] = {"value": "number", "se": "number", "low": "number", "high": "number"}
"""An estimate in a table: its value, standard error and interval."""


def mean_error(errors: Floats) -> float:
    """√Σ error²/T: the standard error of the mean over these topics; nan if one is not known."""
    return float(np.sqrt(np.sum(errors**2))) / len(errors) if len(errors) else math.nan


@dataclass(frozen=True)
class Estimated:
    """The mean over topics, its standard error and its 95% interval; nan where none is known.

    A ratio that `leans` by more than its error allows for has no interval.
    """

    value: float
    error: float
    topics: int
    leans: bool = False

    @property
    def low(self) -> float:
        """The lower end; one topic has no interval."""
        return self.value - NORMAL_95 * self.error if self.topics > 1 and not self.leans else math.nan

    @property
    def high(self) -> float:
        """The upper end."""
        return self.value + NORMAL_95 * self.error if self.topics > 1 and not self.leans else math.nan

    def to_dict(self) -> dict[str, object]:
        """The JSON shape of a mean."""
        ends = {"value": self.value, "se": self.error, "low": self.low, "high": self.high}
        return {**{name: json_number(end) for name, end in ends.items()}, "topics": self.topics}


def mean_of(values: Floats, errors: Floats, leans: bool = False) -> Estimated:
    """The mean over the topics that have a value."""
    known = ~np.isnan(values)
    return Estimated(mean(values), mean_error(errors[known]), int(known.sum()), leans)


@dataclass(frozen=True, eq=False)
class Estimates(Result):
    """`values[run, measure, topic]` and their standard errors; nan is undefined, left out, or without an error.

    `leans[run, measure]` are ratios that are off by more than their errors allow for: their means have no interval.
    """

    scores: Scores
    errors: Floats
    leans: NDArray[np.bool_]

    def __repr__(self) -> str:
        size = f"{counted(len(self.runs), 'run')}, {counted(len(self.topics), 'topic')}"
        return f"Estimates({size}, {', '.join(self.texts)})"

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.scores.runs

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures."""
        return self.scores.measures

    @property
    def texts(self) -> tuple[str, ...]:
        """The measures as text."""
        return self.scores.texts

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics."""
        return self.scores.topics

    @property
    def values(self) -> Floats:
        """`values[run, measure, topic]`."""
        return self.scores.values

    @property
    def signatures(self) -> tuple[Signature, ...]:
        """Everything that decided the numbers of each measure."""
        return self.scores.signatures

    @property
    def inputs(self) -> tuple[Source, ...]:
        """Where everything came from."""
        return self.scores.inputs

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know."""
        return self.scores.notes

    def __getitem__(self, key: tuple[str, str | Measure]) -> Estimated:
        """`estimates["bm25", "nDCG@10"]`: the mean over topics with its error and interval."""
        run, measure = place_of(key[0], self.runs, "run"), place_of(str(key[1]), self.texts, "measure")
        return mean_of(self.values[run, measure], self.errors[run, measure], bool(self.leans[run, measure]))

    def of_topics(self, run: str, measure: str | Measure) -> dict[str, tuple[float, float]]:
        """{topic: (value, standard error)}."""
        r, m = place_of(run, self.runs, "run"), place_of(str(measure), self.texts, "measure")
        pairs = zip(self.values[r, m].tolist(), self.errors[r, m].tolist(), strict=True)
        return dict(zip(self.topics, pairs, strict=True))

    def tidy(self, topics: bool = False) -> Tidy:
        """run, topic, measure, value, se, low, high, signature: the means, and with `topics` their estimates too."""
        rows: list[tuple[Cell, ...]] = []
        for run in self.runs:
            for text, signature in zip(self.texts, map(str, self.signatures), strict=True):
                for topic, (value, error) in self.of_topics(run, text).items() if topics else ():
                    rows.append((run, topic, text, value, error, None, None, signature))
                mean = self[run, text]
                rows.append((run, "all", text, mean.value, mean.error, mean.low, mean.high, signature))
        kinds: dict[str, Kind] = {"run": "text", "topic": "text", "measure": "text", **ENDS, "signature": "text"}
        return Tidy.of_rows("gaincurve.estimates/1", kinds, rows, self.signatures)

    def shown(self) -> Tidy:
        """The means."""
        return self.tidy().without("topic", "signature")

    def to_dict(self, topics: bool = False) -> dict[str, object]:
        """The JSON shape gaincurve.estimates/1; with `topics` those of single topics too."""
        shape: dict[str, object] = {
            "schema": "gaincurve.estimates/1",
            "measures": [{"name": signed.measure.text, "signature": str(signed)} for signed in self.signatures],
            "estimates": {run: {text: self[run, text].to_dict() for text in self.texts} for run in self.runs},
        }
        if topics:
            by_run = {run: {text: self.of_topics(run, text) for text in self.texts} for run in self.runs}
            shape["topics"] = {
                run: {
                    topic: {
                        text: {"value": json_number(pairs[topic][0]), "se": json_number(pairs[topic][1])}
                        for text, pairs in by_measure.items()
                    }
                    for topic in self.topics
                }
                for run, by_measure in by_run.items()
            }
        return shape


@dataclass(frozen=True, eq=False)
class EstimatedCurve:
    """One measure by rank: `values[run, rank]`, means over topics, their standard errors, and where a ratio leans."""

    name: str
    signature: Signature
    values: Floats
    errors: Floats
    leans: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class EstimatedCurves(Result):
    """Curves of the same runs to the same depth, with bands of 95% for the means over `topics` topics."""

    runs: tuple[str, ...]
    depth: int
    topics: int
    curves: tuple[EstimatedCurve, ...]
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        names = ", ".join(curve.name for curve in self.curves)
        return f"EstimatedCurves({names} of {counted(len(self.runs), 'run')} to rank {self.depth})"

    def at(self, curve: EstimatedCurve, run: int, rank: int) -> Estimated:
        """The mean of a run at a rank."""
        value, error = float(curve.values[run, rank - 1]), float(curve.errors[run, rank - 1])
        return Estimated(value, error, self.topics, bool(curve.leans[run, rank - 1]))

    def tidy(self) -> Tidy:
        """curve, run, rank, value, se, low, high, signature."""
        rows: list[tuple[Cell, ...]] = []
        for curve in self.curves:
            for r, run in enumerate(self.runs):
                for rank in range(1, self.depth + 1):
                    point = self.at(curve, r, rank)
                    ends = (point.value, point.error, point.low, point.high)
                    rows.append((curve.name, run, rank, *ends, str(curve.signature)))
        kinds: dict[str, Kind] = {"curve": "text", "run": "text", "rank": "count", **ENDS, "signature": "text"}
        return Tidy.of_rows("gaincurve.estimated-curves/1", kinds, rows, (curve.signature for curve in self.curves))

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.estimated-curves/1."""
        ranks = range(1, self.depth + 1)
        return {
            "schema": "gaincurve.estimated-curves/1",
            "measures": [{"name": curve.name, "signature": str(curve.signature)} for curve in self.curves],
            "depth": self.depth,
            "curves": {
                run: {
                    curve.name: {
                        "value": [json_number(self.at(curve, r, rank).value) for rank in ranks],
                        "se": [json_number(self.at(curve, r, rank).error) for rank in ranks],
                    }
                    for curve in self.curves
                }
                for r, run in enumerate(self.runs)
            },
        }
