"""Figures 2 and 3 of the 2008 paper: mean lines over the concatenated ranks, of one or several measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.figures.sessions.parts import (
    HEIGHT,
    WIDTH,
    Line,
    across,
    drawn_lines,
    line_rows,
    mark_rows,
    place_ticks,
    query_marks,
    style_of,
    titled,
    tone_of,
    top_of,
    wrapped,
)
from gaincurve.figures.sheet import Rows, Sheet
from gaincurve.figures.style import finished, values_data
from gaincurve.model.rows import Floats
from gaincurve.verbs.sessions.curves import SessionCurves

MOST_BANDS = 3
"""With more lines their intervals would cover one another: tables give them all."""
MOST_COUNTED = 6
"""The most lines whose numbers of sessions stand above the plot."""
COUNT_HEIGHT = 12


def session_curves_chart(
    curves: SessionCurves | Sequence[SessionCurves], width: int = WIDTH, height: int = HEIGHT, intervals: bool = True
) -> Any:
    """Mean lines, held after stopping, with the queries marked and the number of sessions that asked each of them.

    Several curves, such as sDCG under several bases, share the panel and its scale. Up to three lines have their 95% t
    intervals as bands behind them.
    """
    every = [curves] if isinstance(curves, SessionCurves) else list(curves)
    first = _alike(every)
    drawn = [(source, i, line) for source in every for i, line in enumerate(source.lines)]
    looks = _looks(every)
    values = [line.values for _, _, line in drawn]
    banded = intervals and len(drawn) <= MOST_BANDS
    ends = [_ends(source, line.values, source.interval(line)) for source, _, line in drawn] if banded else []
    top = top_of([*values, *(high for _, high in ends)], first.normalised)
    rows = {**line_rows(looks, values, top, height), **mark_rows(first, top, width)}
    sheet = Sheet(rows, {"last": first.queries * first.depth, "top": top, "ticks": place_ticks(first)})
    counted = [system for system in _counted(every) if len(first.lines) <= MOST_COUNTED]
    marks = [_band(look, low, high) for look, (low, high) in zip(looks, ends, strict=False)]
    for i, (line, tone) in enumerate(reversed(counted)):
        marks += _counts(first, line.label, line.going.tolist(), tone, i, rows["names"])
    chart = alt.layer(*marks, *lines_by_place(sheet, looks, across(first), _up(every)).layer)
    about = "Bands: the 95% t interval of each mean over its sessions, taken as independent." if banded else ""
    caption = wrapped("  ".join(text for text in (about, _signed(every)) if text), width)
    sized = chart.properties(width=width, height=height)
    return finished(titled(sized, first), caption)


def lines_by_place(sheet: Sheet, lines: Sequence[Line], across: str | None, up: list[str] | None) -> Any:
    """The definition of session-curve: lines over the concatenated ranks, a rule where each query ends."""
    x = alt.X(
        "place:Q",
        title=across,
        axis=alt.Axis(tickMinStep=1, format="d", grid=False, labelFlush=False, values=sheet.value("ticks")),
        scale=alt.Scale(domain=[0, sheet.value("last")], nice=False),
    )
    return alt.layer(*query_marks(sheet, x), *drawn_lines(sheet, lines, x, up), *sheet.across())


def _alike(every: Sequence[SessionCurves]) -> SessionCurves:
    """The first of some curves that can share a panel; others are refused."""
    first = every[0]
    for other in every[1:]:
        names = f"{first.measure} and {other.measure}"
        if other.normalised != first.normalised:
            what = f"{names} do not have one scale: the one is a gain, the other a share of the ideal"
            raise ChoiceError(Problem("measure-no-curve", what, hint="draw them in two figures"))
        if other.depth != first.depth:
            what = f"{names} read {first.depth} and {other.depth} documents of each query, and a panel has one axis"
            raise ChoiceError(Problem("measure-no-curve", what, hint="draw them in two figures"))
    return max(every, key=lambda curves: curves.queries)


def _looks(every: Sequence[SessionCurves]) -> list[Line]:
    """A colour for each system and a style for each measure; where there is one system, a colour for each measure."""
    runs = list(dict.fromkeys(line.run for curves in every for line in curves.lines))
    looks = []
    for m, curves in enumerate(every):
        for i, line in enumerate(curves.lines):
            label = line.label if len(every) == 1 else f"{line.label}, {curves.measure}"
            place = runs.index(line.run)
            if len(every) == 1:
                tone, style = place, i // len(runs) * 2 + place
            else:
                tone, style = (m, m) if len(runs) == 1 else (place, m)
            looks.append(Line(label, tone_of(tone), style_of(style)))
    return looks


def _up(every: Sequence[SessionCurves]) -> list[str]:
    """What the value axis measures, with the choices that all lines share."""
    if len(every) == 1:
        return [every[0].measure.text, every[0].axis]
    shared = [part for part in every[0].axis.split(", ") if all(part in curves.axis.split(", ") for curves in every)]
    return [every[0].measure.name, ", ".join(shared)]


def _signed(every: Sequence[SessionCurves]) -> str:
    """The signatures, what they share once; the axis names gains and bases, but not a discount's form."""
    parts: dict[str, dict[str, None]] = {}
    for curves in every:
        for part in curves.signature.without("gain").split("  "):
            name, _, value = part.partition(":")
            parts.setdefault(name, {})[value] = None
    return "  ".join(f"{name}:{' or '.join(values)}" for name, values in parts.items())


def _ends(curves: SessionCurves, values: Floats, ends: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The band of a line: of no height where its sessions do not differ, and within 0 and 1 where the measure is."""
    low, high = (np.where(np.isnan(end), values, end) for end in ends)
    return np.maximum(low, 0.0), np.minimum(high, 1.0) if curves.normalised and np.nanmax(values) <= 1 else high


def _band(look: Line, low: Floats, high: Floats) -> Any:
    rows: Rows = [
        {"place": i + 1, "low": a, "high": b}
        for i, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True))
        if not np.isnan(a)
    ]
    area = alt.Chart(values_data(rows)).mark_area(color=look.tone, opacity=0.12, clip=True)
    return area.encode(x="place:Q", y="low:Q", y2="high:Q")


def _counted(every: Sequence[SessionCurves]) -> list[tuple[Any, str]]:
    """The lines whose sessions are counted above the plot, once for all measures, each with its colour."""
    first = every[0]
    alone = len(every) > 1 and len(first.lines) == 1
    runs = list(dict.fromkeys(line.run for line in first.lines))
    return [(line, "#444444" if alone else tone_of(runs.index(line.run))) for line in first.lines]


def _counts(curves: SessionCurves, label: str, going: list[int], tone: str, row: int, names: Rows) -> list[Any]:
    """How many sessions asked each query that is named, above the names of the queries."""
    rows: Rows = [{"place": name["place"], "text": str(going[int(name["place"] // curves.depth)])} for name in names]
    behind: Rows = [{"place": curves.queries * curves.depth, "text": f"{label}: sessions"}]
    height = alt.value(-20 - COUNT_HEIGHT * row)
    numbers, about = (
        alt.Chart(values_data(texts)).encode(x="place:Q", y=height, text="text:N") for texts in (rows, behind)
    )
    label_marks = about.mark_text(fontSize=10, color=tone, limit=0, align="left", dx=6)
    return [numbers.mark_text(fontSize=10, color=tone, limit=0), label_marks]
