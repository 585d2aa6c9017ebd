"""Effectiveness beside cost: what each system gains for its users, and what it takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from gaincurve.model.efficiency.costs import NUMBERS, Efficiency
from gaincurve.model.measure import Measure
from gaincurve.model.scores import Scores
from gaincurve.model.source import Note, Source, counted
from gaincurve.model.summaries import UNDEFINED


class Point(NamedTuple):
    """A system with a score and a latency: the summary of the first measure, median and 95th percentile in ms."""

    name: str
    score: float
    median: float
    p95: float


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """Scores and the efficiency logs of the same names; `better` says which end of the first measure is good."""

    scores: Scores
    logs: tuple[Efficiency, ...]
    better: str
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        runs = counted(len(self.scores.runs), "run")
        return f"Tradeoff({runs}, {counted(len(self.logs), 'log')}, {self.measure} × median latency)"

    @property
    def measure(self) -> Measure:
        """The first measure, which stands for effectiveness."""
        return self.scores.measures[0]

    @property
    def systems(self) -> tuple[str, ...]:
        """The runs, then the logs that have no run."""
        return (*self.scores.runs, *(log.name for log in self.logs if log.name not in self.scores.runs))

    @property
    def inputs(self) -> tuple[Source, ...]:
        """Where everything came from."""
        return (*self.scores.inputs, *(log.source for log in self.logs))

    def log(self, name: str) -> Efficiency | None:
        """The log of a system, if there is one."""
        return next((log for log in self.logs if log.name == name), None)

    def rows(self) -> list[dict[str, str | float]]:
        """One row per system: run, every measure, every number of its log; nan where there is none."""
        summary = self.scores.summary()
        rows: list[dict[str, str | float]] = []
        for name in self.systems:
            scored = summary.get(name, dict.fromkeys(self.scores.texts, UNDEFINED))
            log = self.log(name)
            costs = dict.fromkeys(NUMBERS, UNDEFINED) if log is None else log.values()
            rows.append({"run": name, **scored, **costs})
        return rows

    def points(self) -> list[Point]:
        """The systems that have both a score and a latency, in the order of the runs."""
        summary = self.scores.summary()
        points = []
        for name in self.scores.runs:
            log, score = self.log(name), summary[name][self.measure.text]
            if log is not None and len(log.latencies) and not math.isnan(score):
                values = log.values()
                points.append(Point(name, score, values["latency_median_ms"], values["latency_p95_ms"]))
        return points

    def best(self) -> list[str]:
        """Systems that no other beats: none is as good and faster, nor as fast and better (median latency)."""
        points = self.points()
        return [point.name for point in points if not any(self._beats(other, point) for other in points)]

    def _beats(self, point: Point, other: Point) -> bool:
        gain = point.score - other.score if self.better == "higher" else other.score - point.score
        return gain >= 0 and point.median <= other.median and (gain > 0 or point.median < other.median)

    def to_dict(self, topics: bool = False) -> dict[str, object]:
        """The JSON shape gaincurve.scores/1 with `efficiency` by system, and who is unbeaten under `tradeoff`."""
        return {
            **self.scores.to_dict(topics),
            "efficiency": {log.name: log.to_dict(topics) for log in self.logs},
            "tradeoff": {"measure": self.measure.text, "latency": "latency_median_ms", "unbeaten": self.best()},
        }
