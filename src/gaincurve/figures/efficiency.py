"""Effectiveness over latency: which systems give the most for the time they take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import altair as alt

from gaincurve.errors import ChoiceError, Problem
from gaincurve.figures.colours import AXIS, FRAME, PAPER
from gaincurve.figures.labels import FONT, Box, Label, place_labels
from gaincurve.figures.style import colour, finished, values_data
from gaincurve.model.names import short_names
from gaincurve.model.tradeoff import Point, Tradeoff

WIDTH, HEIGHT = 460, 320
LOG_SPREAD = 20
"""The axis is logarithmic where the slowest latency is more than this many times the fastest."""
MOST_NAMES = 24
LONGEST_NAME = 30
_DOT = 6
Front = list[tuple[float, float]]
"""Latency and score of the unbeaten systems, fastest first, and of the right end of the border."""


def tradeoff_chart(tradeoff: Tradeoff, width: int = WIDTH, height: int = HEIGHT) -> Any:
    """The first measure over latency: a dot at the median, a line to p95, each system's name beside it.

    Systems that no other beats in both are filled and joined by steps; systems below or to the right of the steps are
    beaten. Where there is no room for names, points are numbered and a legend lists the names.
    """
    points = tradeoff.points()
    if not points:
        what = "no run has both a score and a latency"
        raise ChoiceError(Problem("efficiency-nothing-to-draw", what))
    frame = _Frame.around(points, width, height)
    best = set(tradeoff.best())
    front = _front(points, best, frame)
    names, labels = _texts(points, front, frame)
    rows = [
        {
            "run": point.name,
            "entry": entry,
            "score": point.score,
            "median": point.median,
            "p95": point.p95,
            "unbeaten": "yes" if point.name in best else "no",
        }
        for point, entry in zip(points, names, strict=True)
    ]
    tones = _tones(tradeoff, points, names)
    chart = alt.layer(
        *_steps(front),
        *_leaders(points, labels, frame),
        *_marks(rows, tones, tradeoff, frame, numbered=names != [point.name for point in points]),
        *_names(rows, tones, labels, frame),
    )
    return finished(chart.properties(width=width, height=height), _caption(tradeoff, points))


def _caption(tradeoff: Tradeoff, points: Sequence[Point]) -> list[str]:
    """The signature of the score, and how latency was summarised."""
    leading = ("gain", "discount", "ideal")
    parts = [(name, f"{name}:{value}") for name, value in tradeoff.scores.signatures[0].parts.items()]
    counts = sorted({len(log.latencies) for point in points if (log := tradeoff.log(point.name)) is not None})
    span = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"
    first_line = [*(text for name, text in parts if name in leading), f"measurements:{span}", "percentiles:linear"]
    return ["  ".join(first_line), "  ".join(text for name, text in parts if name not in leading)]


@dataclass(frozen=True)
class _Frame:
    """The axes of the figure; it converts values to pixels and back."""

    low: float
    high: float
    bottom: float
    top: float
    log: bool
    width: int
    height: int

    @classmethod
    def around(cls, points: Sequence[Point], width: int, height: int) -> _Frame:
        fastest = min(point.median for point in points)
        slowest = max(max(point.median, point.p95) for point in points)
        log = fastest > 0 and slowest / fastest > LOG_SPREAD
        low, high = (fastest / 1.6, slowest * 1.6) if log else (0.0, 1.1 * slowest or 1.0)
        scores = [point.score for point in points]
        room = 0.18 * ((max(scores) - min(scores)) or abs(scores[0]) or 1.0)
        return cls(low, high, min(scores) - room, max(scores) + room, log, width, height)

    def x(self, latency: float) -> float:
        """Pixels from the left."""
        if self.log:
            return self.width * math.log(latency / self.low) / math.log(self.high / self.low)
        return self.width * (latency - self.low) / (self.high - self.low)

    def y(self, score: float) -> float:
        """Pixels from the top."""
        return self.height * (self.top - score) / (self.top - self.bottom)

    def latency(self, x: float) -> float:
        """The latency at a pixel."""
        share = x / self.width
        return self.low * (self.high / self.low) ** share if self.log else self.low + share * (self.high - self.low)

    def score(self, y: float) -> float:
        """The score at a pixel."""
        return self.top - y / self.height * (self.top - self.bottom)

    def taken(self, point: Point) -> list[Box]:
        """The dot of a point and its line."""
        x, y, end = self.x(point.median), self.y(point.score), self.x(point.p95)
        return [Box(x - _DOT, y - _DOT, x + _DOT, y + _DOT), Box(min(x, end), y - 2, max(x, end), y + 2)]

    def along(self, front: Front) -> list[Box]:
        """The steps between unbeaten systems: across, then up or down."""
        places = [(self.x(latency), self.y(score)) for latency, score in front]
        across = [Box(x, y - 1, next_x, y + 1) for (x, y), (next_x, _) in pairwise(places)]
        up = [Box(x - 1, min(y, before), x + 1, max(y, before)) for (_, before), (x, y) in pairwise(places)]
        return across + up


def _texts(points: Sequence[Point], front: Front, frame: _Frame) -> tuple[list[str], list[tuple[str, Label]]]:
    """The legend entry of each point, and the texts beside the points: names, or numbers where names do not fit."""
    names = [point.name for point in points]
    places = [(frame.x(point.median), frame.y(point.score)) for point in points]
    taken = [box for point in points for box in frame.taken(point)] + frame.along(front)
    if len(points) <= MOST_NAMES:
        shown = short_names(names, LONGEST_NAME)
        labels = place_labels(places, shown, taken, frame.width, frame.height)
        if labels is not None:
            return names, list(zip(shown, labels, strict=True))
    numbers = [str(i) for i in range(1, len(points) + 1)]
    labels = place_labels(places, numbers, taken, frame.width, frame.height)
    entries = [f"{number} {name}" for number, name in zip(numbers, names, strict=True)]
    return entries, [] if labels is None else list(zip(numbers, labels, strict=True))


def _tones(tradeoff: Tradeoff, points: Sequence[Point], entries: list[str]) -> Any:
    """The colours that the runs have in every figure, by their legend entries in this one."""
    runs = tradeoff.scores.runs
    tone_of_run = dict(zip(runs, colour(runs).range, strict=True))
    return alt.Scale(domain=entries, range=[tone_of_run[point.name] for point in points])


def _marks(rows: list[dict[str, Any]], tones: Any, tradeoff: Tradeoff, frame: _Frame, numbered: bool) -> list[Any]:
    legend = (
        alt.Legend(title=None, orient="right", columns=1 + len(rows) // 24, labelLimit=0, symbolLimit=0)
        if numbered
        else None
    )
    scale = alt.Scale(type="log" if frame.log else "linear", domain=[frame.low, frame.high], nice=False)
    heights = alt.Scale(domain=[frame.bottom, frame.top], nice=False, zero=False)
    latency_title = [
        f"query latency in ms{', log scale' if frame.log else ''} (left is better)",
        "dot: median (filled: Pareto-optimal); line: to p95",
    ]
    upwards = "up" if tradeoff.better == "higher" else "down"
    base = alt.Chart(values_data(rows)).encode(
        x=alt.X("median:Q", title=latency_title, scale=scale),
        y=alt.Y("score:Q", title=f"{tradeoff.measure} ({upwards} is better)", scale=heights),
        color=alt.Color("entry:N", scale=tones, legend=legend),
        tooltip=[
            alt.Tooltip("run:N"),
            alt.Tooltip("score:Q", title=tradeoff.measure.text, format=".4f"),
            alt.Tooltip("median:Q", title="median ms", format=".3~f"),
            alt.Tooltip("p95:Q", title="p95 ms", format=".3~f"),
            alt.Tooltip("unbeaten:N"),
        ],
    )
    fill = alt.condition("datum.unbeaten == 'yes'", "entry:N", alt.value(PAPER), scale=tones, legend=None)
    return [
        base.mark_rule(strokeWidth=1.6).encode(x2="p95:Q"),
        base.mark_point(size=70, strokeWidth=1.8, opacity=1).encode(fill=fill),
    ]


def _front(points: Sequence[Point], best: set[str], frame: _Frame) -> Front:
    if len(points) < 2:
        return []
    front = sorted({(point.median, point.score) for point in points if point.name in best})
    return [*front, (frame.high, front[-1][1])]


def _steps(front: Front) -> list[Any]:
    """The border of the area that the unbeaten systems reach."""
    rows = [{"median": x, "score": y} for x, y in front]
    line = alt.Chart(values_data(rows)).mark_line(
        interpolate="step-after", color=FRAME, strokeWidth=1, strokeDash=[3, 3]
    )
    return [line.encode(x="median:Q", y="score:Q")] if rows else []


def _leaders(points: Sequence[Point], labels: list[tuple[str, Label]], frame: _Frame) -> list[Any]:
    """Thin lines to the names that stand far from their points."""
    rows = [
        {"median": point.median, "score": point.score, "to": frame.score(label.y + math.copysign(6, middle - label.y))}
        for point, (_, label) in zip(points, labels, strict=bool(labels))
        if label.line is not None
        for middle in [frame.y(point.score)]
    ]
    rule = alt.Chart(values_data(rows)).mark_rule(strokeWidth=0.7, color=AXIS)
    return [rule.encode(x="median:Q", y="score:Q", y2="to:Q")] if rows else []


def _names(rows: list[dict[str, Any]], tones: Any, labels: list[tuple[str, Label]], frame: _Frame) -> list[Any]:
    layers = []
    for align in ("left", "center", "right"):
        shown = [
            {"median": frame.latency(label.x), "score": frame.score(label.y), "text": text, "entry": row["entry"]}
            for row, (text, label) in zip(rows, labels, strict=bool(labels))
            if label.align == align
        ]
        if shown:
            layers.append(
                alt.Chart(values_data(shown))
                .mark_text(align=align, fontSize=FONT, limit=0)
                .encode(x="median:Q", y="score:Q", text="text:N", color=alt.Color("entry:N", scale=tones, legend=None))
            )
    return layers
