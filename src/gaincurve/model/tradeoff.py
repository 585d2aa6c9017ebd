"""Effectiveness beside cost: what each system gains for its users, and what it takes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gaincurve.model.efficiency.costs import NUMBERS, Efficiency
from gaincurve.model.measure import Measure
from gaincurve.model.scores import Scores
from gaincurve.model.source import Note, Source, counted, examples
from gaincurve.model.summaries import UNDEFINED
from gaincurve.model.tables.frames import frame_of
from gaincurve.model.tables.result import Result, Series
from gaincurve.model.tables.tidy import Cell, Kind, Tidy, column_of, number


class Point(NamedTuple):
    """A system with a score and a latency: the summary of the first measure, median and 95th percentile in ms."""

    name: str
    score: float
    median: float
    p95: float


@dataclass(frozen=True, eq=False)
class Tradeoff(Result):
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

    def tidy(self, topics: bool = True, summary: bool | None = None) -> Tidy:
        """run, topic, measure, value, signature: the rows of the scores, then the numbers of each log.

        `topics` gives a row for each topic; `summary` one for all, as it does by itself without `topics`.
        """
        whole = not topics if summary is None else summary
        scored = self.scores.tidy(topics, summary=whole)
        rows: list[tuple[Cell, ...]] = scored.rows()
        for log in self.logs:
            by_topic = {**(log.by_topic() if topics else {}), **({"all": log.values()} if whole else {})}
            for topic, numbers in by_topic.items():
                of_topic = None if topic == "all" else topic
                for name, value in numbers.items():
                    row: dict[str, Cell] = {"run": log.name, "topic": topic, "measure": name, "value": value,
                           "signature": log.signature(name, of_topic)}  # fmt: skip
                    rows.append(tuple(row.get(column) for column in scored.columns))
        kinds: dict[str, Kind] = {name: column.kind for name, column in scored.columns.items()}
        signatures = (*scored.signatures, *(str(row[-1]) for row in rows))
        return Tidy.of_rows(scored.schema, kinds, rows, signatures)

    def to_frame(self, library: str | None = None, *, wide: bool = False, topics: bool = True) -> Any:
        """A data frame, as that of scores; `wide` has a row for each system and a column for each number."""
        return frame_of(self.wide() if wide else self.tidy(topics), library)

    def wide(self) -> Tidy:
        """A row for each system: its summaries, and the numbers of its log."""
        rows = self.rows()
        columns = {
            name: column_of("text", [str(row[name]) for row in rows])
            if name == "run"
            else number([row[name] for row in rows])
            for name in rows[0]
        }
        return Tidy("gaincurve.scores/1", columns, self.tidy(topics=False).signatures)

    def shown(self) -> Tidy:
        """The same without the numbers that no log has."""
        wide = self.wide()
        known = [name for name, column in wide.columns.items() if any(cell is not None for cell in column.cells())]
        left_out = [f"{name}|" for name in NUMBERS if name not in known]
        signatures = (signature for signature in wide.signatures if not signature.startswith(tuple(left_out)))
        return replace(wide.only(*known), signatures=tuple(signatures))

    def sentences(self) -> tuple[str, ...]:
        """The Pareto-optimal systems."""
        if len(self.points()) < 2:
            return ()
        best = examples(self.best(), 12)
        return (f"Pareto-optimal in {self.measure} and median latency: {best}.",)

    def series(self) -> list[Series]:
        """The summary of each run and measure, and the numbers of each log."""
        return [
            *self.scores.series(),
            *(
                Series(log.name, name, log.signature(name), (value,))
                for log in self.logs
                for name, value in log.values().items()
            ),
        ]

    def to_dict(self, topics: bool = False) -> dict[str, object]:
        """The JSON shape gaincurve.scores/1 with `efficiency` by system, and who is unbeaten under `tradeoff`."""
        return {
            **self.scores.to_dict(topics),
            "efficiency": {log.name: log.to_dict(topics) for log in self.logs},
            "tradeoff": {"measure": self.measure.text, "latency": "latency_median_ms", "unbeaten": self.best()},
        }
