"""Precision by recall: averaged over topics at eleven points, and one topic's list point by point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from gaincurve.curve.crossings import lead
from gaincurve.measures.binary import LEVELS, precision_curve, recall_curve
from gaincurve.measures.relevant import relevant
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats
from gaincurve.model.scores import json_number, place_of
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Cell, Kind, Tidy

POINTS = tuple(float(level) for level in LEVELS)
"""The eleven recall points as numbers."""


STEPS: dict[str, str] = {
    "interpolated": "at each recall the highest precision there or later (the default)",
    "ap": "at each relevant document its own precision: the area under the steps is AP",
    "eleven": "interpolated, at recall 0, 0.1, … 1 alone: their mean is AP11",
}
"""How one topic's precision is read between its points."""


@dataclass(frozen=True, eq=False)
class TopicPoints:
    """One list, point by point: recall and precision at every rank, and what remains possible at each recall.

    `ranks` are those of the relevant documents found, `interpolated[n − 1]` is the highest precision at any rank by
    which n relevant documents are found, 0 where the list has fewer. `total` counts all that could be found.
    """

    total: int
    recall: Floats
    precision: Floats
    ranks: Ints
    interpolated: Floats

    @classmethod
    def of(cls, run: Graded, rel: float, only: float | None, counted: float = 1.0) -> TopicPoints:
        """The points of a run that holds one topic alone; `counted` is nan where the topic is left out."""
        hits = relevant(run, rel, only)
        total, length = int(hits.total[0]), int(run.retrieved[0])
        interpolated = np.zeros(total)
        interpolated[: len(hits.rank)] = np.maximum.accumulate(hits.precision[::-1])[::-1]
        return cls(
            total=total,
            recall=recall_curve(run, length, rel=rel, only=only)[0][0],
            precision=precision_curve(run, length, rel=rel, only=only)[0][0],
            ranks=hits.rank,
            interpolated=interpolated * counted,
        )

    @property
    def recalls(self) -> Floats:
        """The recall after 1, 2, … all relevant documents: where the interpolated steps end."""
        return np.arange(1, self.total + 1) / self.total

    @property
    def own_steps(self) -> Floats:
        """The precision at each relevant document, 0 for those not found: the area under these steps is AP."""
        steps = np.zeros(self.total)
        steps[: len(self.ranks)] = self.precision[self.ranks - 1]
        return np.where(np.isnan(self.interpolated), np.nan, steps)

    @property
    def average_precision(self) -> float:
        """The area under the steps of the relevant documents' own precision."""
        return float(self.own_steps.mean()) if self.total else float("nan")

    @property
    def interpolated_by_rank(self) -> Floats:
        """The interpolated precision at the recall that each rank has; nan where there is nothing to find."""
        counts = np.cumsum(np.bincount(self.ranks, minlength=len(self.recall) + 1))[1:]
        if not self.total:
            return np.full(len(self.recall), np.nan)
        steps: Floats = self.interpolated[np.maximum(counts, 1) - 1]
        return steps

    def to_dict(self) -> dict[str, object]:
        """The JSON shape: lists by rank, the ranks of the relevant documents, and the steps."""
        return {
            "relevant": self.total,
            "recall": _list(self.recall),
            "precision": _list(self.precision),
            "ranks": self.ranks.tolist(),
            "interpolated": _list(self.interpolated),
            "own_steps": _list(self.own_steps),
            "average_precision": json_number(self.average_precision),
        }


@dataclass(frozen=True)
class Dominance:
    """`ahead` has nowhere less precision than `behind`, and more somewhere."""

    ahead: str
    behind: str

    def to_dict(self) -> dict[str, object]:
        """The JSON shape."""
        return {"ahead": self.ahead, "behind": self.behind}


@dataclass(frozen=True, eq=False)
class RecallCurve:
    """One relevance level: `values[run, point]` is the mean interpolated precision at the eleven recall points.

    `name` is 'rel=2' (grades from 2) or 'only=2', `relevant` says it in words. `by_topic[run, topic, point]` is set
    if asked for, and `points`, one for each run, if the curves are of one topic.
    """

    name: str
    measure: str
    relevant: str
    signature: Signature
    values: Floats
    by_topic: Floats | None = None
    points: tuple[TopicPoints, ...] = ()

    def compared(self) -> tuple[Floats, Floats]:
        """Recall points and the precision of each run there: the steps of one topic, else the eleven points."""
        if self.points:
            return self.points[0].recalls, np.array([points.interpolated for points in self.points])
        return np.array(POINTS), self.values


@dataclass(frozen=True, eq=False)
class RecallCurves(Result):
    """Precision–recall curves of the same runs, one for each relevance level; of one topic where `topic` names it."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    topic: str | None
    levels: tuple[RecallCurve, ...]
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        scope = f"topic {self.topic}" if self.topic is not None else counted(len(self.topics), "topic")
        return f"RecallCurves({', '.join(self.names)} of {counted(len(self.runs), 'run')}, {scope})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the relevance levels."""
        return tuple(level.name for level in self.levels)

    def __getitem__(self, key: tuple[str, str]) -> Floats:
        """`curves["bm25", "rel=1"]`: interpolated precision at recall 0, .1, …, 1."""
        run, name = key
        values: Floats = self.level(name).values[place_of(run, self.runs, "run")]
        return values

    def level(self, name: str) -> RecallCurve:
        """The curves of the level called `name`."""
        return self.levels[place_of(name, self.names, "level")]

    def points(self, run: str, name: str) -> TopicPoints:
        """The points of one run on the topic that was asked for."""
        if self.topic is None:
            raise KeyError("there are points by rank only where one topic was asked for: topic='…'")
        return self.level(name).points[place_of(run, self.runs, "run")]

    def dominance(self, name: str) -> list[Dominance]:
        """Every pair of runs of which one dominates the other; runs without a value take no part."""
        _, values = self.level(name).compared()
        known = _defined(values)
        pairs = [(a, b) for a in known for b in known if a != b]
        return [Dominance(self.runs[a], self.runs[b]) for a, b in pairs if _dominates(lead(values[a], values[b]))]

    def sentences(self) -> list[str]:
        """Which run dominates which, in words, and for one topic how many relevant documents were found."""
        sentences = []
        for level in self.levels:
            recalls, values = level.compared()
            known = _defined(values)
            if level.points and known:
                total = counted(level.points[0].total, "relevant document")
                counts = [
                    f"{self.runs[r]}{'' if i else ' finds'} {len(level.points[r].ranks)}" for i, r in enumerate(known)
                ]
                sentences.append(f"{level.name}: of {total} {_listed(counts)}.")
            if len(known) == 2:
                a, b = known
                verdict = _of_two(self.runs[a], self.runs[b], recalls, lead(values[a], values[b]))
                sentences.append(f"{level.name}: {verdict}")
            elif len(known) > 2:
                sentences.append(f"{level.name}: {_of_many(self.dominance(level.name), len(known))}")
        return sentences

    def tidy(self) -> Tidy:
        """level, run, topic, recall, precision, signature; for one topic a row for every rank."""
        texts: dict[str, Kind] = {"level": "text", "run": "text", "topic": "text"}
        rows: list[tuple[Cell, ...]] = []
        for level in self.levels:
            for key, columns in self._level_lines(level):
                rows += [(level.name, *key, *cells, str(level.signature)) for cells in zip(*columns, strict=True)]
        if self.topic is not None:
            texts |= {"rank": "count", "relevant": "count"}
        numbers = ("recall", "precision", *(("interpolated",) if self.topic is not None else ()))
        kinds: dict[str, Kind] = {**texts, **dict.fromkeys(numbers, "number"), "signature": "text"}
        signatures = (level.signature for level in self.levels)
        return Tidy.of_rows("gaincurve.recall-curves/1", kinds, rows, signatures)

    def _level_lines(self, level: RecallCurve) -> Iterator[tuple[tuple[str, str], list[list[Cell]]]]:
        """Run and topic of each line of a level, and its columns."""
        if self.topic is not None:
            for run, points in zip(self.runs, level.points, strict=True):
                ranks = range(1, len(points.recall) + 1)
                hits = np.isin(ranks, points.ranks).astype(int)
                by_rank = (hits, points.recall, points.precision, points.interpolated_by_rank)
                yield (run, self.topic), [list(ranks), *(values.tolist() for values in by_rank)]
            return
        for r, run in enumerate(self.runs):
            yield (run, "all"), [list(POINTS), level.values[r].tolist()]
        for run, by_topic in zip(self.runs, () if level.by_topic is None else level.by_topic, strict=False):
            for topic, values in zip(self.topics, by_topic, strict=True):
                yield (run, topic), [list(POINTS), values.tolist()]

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.recall-curves/1."""
        data: dict[str, object] = {
            "schema": "gaincurve.recall-curves/1",
            "measures": [
                {"name": level.measure, "level": level.name, "signature": str(level.signature)} for level in self.levels
            ],
            "topic": self.topic,
            "recall": list(POINTS),
            "curves": {
                run: {level.name: _list(level.values[r]) for level in self.levels} for r, run in enumerate(self.runs)
            },
            "dominance": {name: [pair.to_dict() for pair in self.dominance(name)] for name in self.names},
            "sentences": self.sentences(),
        }
        by_topic = {level.name: level.by_topic for level in self.levels if level.by_topic is not None}
        if by_topic:
            data["topics"] = {
                run: {
                    topic: {name: _list(values[r, i]) for name, values in by_topic.items()}
                    for i, topic in enumerate(self.topics)
                }
                for r, run in enumerate(self.runs)
            }
        if self.topic is not None:
            data["points"] = {
                run: {level.name: level.points[r].to_dict() for level in self.levels} for r, run in enumerate(self.runs)
            }
        return data


def _defined(values: Floats) -> list[int]:
    """The runs that have a value."""
    return [r for r, row in enumerate(values) if len(row) and not np.isnan(row).any()]


def _dominates(ahead: Floats) -> bool:
    return bool((ahead >= 0).all() and (ahead > 0).any())


def _of_two(a: str, b: str, recalls: Floats, ahead: Floats) -> str:
    if not ahead.any():
        return f"{a} and {b} have the same curve."
    for better, worse, sign in ((a, b, 1), (b, a, -1)):
        if _dominates(sign * ahead):
            stretches = _where(recalls, sign * ahead)
            return f"{better} dominates {worse}: its precision is never lower, and higher at recall {stretches}."
    return (
        f"neither dominates the other: {a} is ahead at recall {_where(recalls, ahead)}, "
        f"{b} at {_where(recalls, -ahead)}."
    )


def _where(recalls: Floats, ahead: Floats) -> str:
    """The stretches of recall in which the first of two runs is ahead: '0 to 0.3 and 0.9'."""
    stretches = []
    for is_ahead, group in groupby(zip(recalls.tolist(), ahead.tolist(), strict=True), key=lambda pair: pair[1] > 0):
        inside = [f"{recall:.3g}" for recall, _ in group]
        if is_ahead:
            stretches.append(inside[0] if len(inside) == 1 else f"{inside[0]} to {inside[-1]}")
    return _listed(stretches)


def _of_many(pairs: list[Dominance], runs: int) -> str:
    beaten: dict[str, list[str]] = {}
    for pair in pairs:
        beaten.setdefault(pair.ahead, []).append(pair.behind)
    if not beaten:
        return "no run dominates another."
    clauses = [
        f"{run} dominates {'all others' if len(behind) == runs - 1 else _listed(behind)}"
        for run, behind in beaten.items()
    ]
    if len(pairs) < runs * (runs - 1) // 2:
        clauses.append("in no other pair does one run dominate")
    return "; ".join(clauses) + "."


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _list(values: Floats) -> list[float | None]:
    return [json_number(value) for value in values.tolist()]
