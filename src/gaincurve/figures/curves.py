"""Gain curves: what Figures 1 to 4 of the 2002 paper show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from gaincurve.curve.points import Curve, Curves
from gaincurve.errors import ChoiceError, Problem
from gaincurve.figures.colours import BLACK, COLOURS, MARK
from gaincurve.figures.intervals import t_band
from gaincurve.figures.sheet import Rows, Sheet
from gaincurve.figures.style import (
    DASHES,
    MOST_LABELS,
    RANK_AXIS,
    caption,
    colour,
    dashes,
    finished,
    kept_ranks,
    spread_labels,
)
from gaincurve.model.graded import IDEAL
from gaincurve.model.rows import Floats
from gaincurve.model.source import shorten

WIDTH, HEIGHT = 420, 280
RANK = "rank (documents read)"


def curves_chart(curves: Curves, width: int = WIDTH, height: int = HEIGHT, intervals: bool = False) -> Any:
    """One panel per measure: the runs by rank, the ideal dotted, each line labelled at its end.

    One measure under several choices, such as DCG with base 2 and 10, has one panel and one scale.

    `intervals` puts the 95% t interval of each mean behind its line; the curves must keep their topics for it.
    """
    groups = [[curve] for curve in curves.curves] if intervals else _together(curves.curves)
    panels = [
        _panel(curves, group[0], width, height, intervals)
        if len(group) == 1
        else _variants(curves, group, width, height)
        for group in groups
    ]
    # one topic is named in the title, which the caption would replace on a single panel
    bare = len(panels) == 1 and curves.topic is None
    chart = panels[0] if bare else alt.concat(*panels, columns=2)
    return finished(chart, caption(*(curve.signature for curve in curves.curves)))


def _together(every: Sequence[Curve]) -> list[list[Curve]]:
    """Curves of one measure and one choice of gains share a panel and its scale, such as DCG under several bases."""
    groups: dict[tuple[object, ...], list[Curve]] = {}
    for curve in every:
        key = (curve.signature.measure.name, curve.normalised, curve.signature.parts.get("gain"))
        groups.setdefault(key, []).append(curve)
    return list(groups.values())


def _panel(curves: Curves, curve: Curve, width: int, height: int, intervals: bool) -> Any:
    sheet = curve_sheet(curves, curve, height, intervals)
    name = curve.name if curves.topic is None else f"{curve.name}, topic {shorten(curves.topic)}"
    title = alt.TitleParams(name, anchor="start", frame="group")
    chart = lines_by_rank(sheet, [*curves.runs, IDEAL], [curve.name, curve.axis])
    return chart.properties(width=width, height=height, title=title)


def _variants(curves: Curves, group: Sequence[Curve], width: int, height: int) -> Any:
    """One panel of several choices: a colour for each run, a line style for each choice, the ideals in black.

    Under a normalised measure the ideal is 1 whatever the choice, and is drawn once.
    """
    looks: list[tuple[str, Floats, str, list[int]]] = []
    runs = curves.runs
    for nth, curve in enumerate(group):
        dash = list(DASHES[nth % len(DASHES)])
        shades = [nth] if len(runs) == 1 else range(len(runs))
        looks += [
            (f"{run}, {curve.name}", line, COLOURS[shade % len(COLOURS)], dash)
            for run, line, shade in zip(runs, curve.values, shades, strict=True)
        ]
        if not (curve.normalised and nth):
            looks.append((IDEAL if curve.normalised else f"{IDEAL}, {curve.name}", curve.ideal, BLACK, dash))
    names, lines, tones, styles = (list(column) for column in zip(*looks, strict=True))
    top = 1.0 if group[0].normalised else 1.02 * float(np.nanmax([line.max() for line in lines]) or 1.0)
    values = {"last": max(2, curves.depth), "top": top, "shown": names}
    sheet = Sheet(line_rows(names, lines, top, height), values)
    name = group[0].signature.measure.name
    shared = [part for part in group[0].axis.split(", ") if all(part in other.axis.split(", ") for other in group)]
    scales = (alt.Scale(domain=names, range=tones), alt.Scale(domain=names, range=styles))
    chart = lines_by_rank(sheet, names, [name, ", ".join(shared)], scales=scales)
    title = alt.TitleParams(f"{name}: {len(group)} choices", anchor="start", frame="group")
    return chart.properties(width=width, height=height, title=title)


def curve_sheet(curves: Curves, curve: Curve, height: int = HEIGHT, intervals: bool = False) -> Sheet:
    """What one panel draws: lines, their labels, the top of the value axis, and intervals where asked for."""
    names, lines = [*curves.runs, IDEAL], [*curve.values, curve.ideal]
    top = 1.0 if curve.normalised else 1.02 * float(np.nanmax([line.max() for line in lines]) or 1.0)
    rows = line_rows(names, lines, top, height)
    if intervals:
        rows["band"] = _bands(curves, curve)
    return Sheet(rows, {"last": max(2, curves.depth), "top": top, "shown": names})


def line_rows(names: Sequence[str], lines: Sequence[Floats], top: float, height: int = HEIGHT) -> dict[str, Rows]:
    """Points, the labels at the ends of lines, and dots where a single rank gives no line."""
    points = _points(names, lines)
    depth = len(lines[0])
    ends = [(name, float(line[-1])) for name, line in zip(names, lines, strict=True) if not math.isnan(line[-1])]
    heights = spread_labels([end for _, end in ends], 0.0, top, height) if len(names) <= MOST_LABELS else []
    labels: Rows = [{"rank": depth, "value": y, "run": name} for (name, _), y in zip(ends, heights, strict=False)]
    return {"lines": points, "labels": labels, "dots": points if depth == 1 else []}


def _points(names: Sequence[str], lines: Sequence[Floats]) -> Rows:
    """Rank, value and run of each point that is drawn."""
    return [
        {"rank": rank, "value": float(line[rank - 1]), "run": name}
        for name, line in zip(names, lines, strict=True)
        for rank in kept_ranks(len(line))
        if not math.isnan(line[rank - 1])
    ]


def _bands(curves: Curves, curve: Curve) -> Rows:
    """Rank, low, high and run of the intervals."""
    bands = [t_band(topics) for topics in kept_topics(curve)]
    return [
        {"rank": rank, "low": float(band.low[rank - 1]), "high": float(band.high[rank - 1]), "run": run}
        for run, band in zip(curves.runs, bands, strict=True)
        for rank in kept_ranks(curves.depth)
        if not math.isnan(band.low[rank - 1])
    ]


def kept_topics(curve: Curve) -> Floats:
    """The curves of single topics, which an interval needs."""
    if curve.by_topic is None:
        what = f"the curves of {curve.name} do not keep their topics, so there is no interval"
        raise ChoiceError(Problem("test-not-possible", what, hint="make them with per_topic=True"))
    return curve.by_topic


def lines_by_rank(
    sheet: Sheet,
    names: Sequence[str],
    title: str | list[str],
    axis: Any = None,
    across: str = RANK,
    scales: tuple[Any, Any] | None = None,
) -> Any:
    """Lines of several runs by rank: up to `MOST_LABELS` labelled at their ends, more with a legend.

    `scales` are the colours and line styles of the names, where they are not those of the runs.
    """
    shades, strokes = scales or (colour(names), dashes(names))
    direct = len(names) <= MOST_LABELS
    legend = None if direct else sheet.legend(None, values=sheet.value("shown"))
    ranks = alt.Scale(domain=[1, sheet.value("last")], nice=False)
    x = alt.X("rank:Q", title=across, axis=RANK_AXIS, scale=ranks)
    scale = alt.Scale(domain=[0, sheet.value("top")], nice=False)
    y = alt.Y("value:Q", title=title, scale=scale, **({} if axis is None else {"axis": axis}))
    tone = alt.Color("run:N", scale=shades, legend=legend)
    value = alt.Tooltip("value:Q", format=".4f" if axis is None else ".1%")
    base = alt.Chart(sheet.data("lines")).encode(
        x=x,
        y=y,
        color=tone,
        strokeDash=alt.StrokeDash("run:N", scale=strokes, legend=legend),
        tooltip=[alt.Tooltip("run:N"), alt.Tooltip("rank:Q"), value],
    )
    layers = []
    if sheet.has("band"):
        area = alt.Chart(sheet.data("band")).mark_area(opacity=0.13, clip=True)
        layers.append(area.encode(x=x, y=alt.Y("low:Q", title=title, scale=scale), y2="high:Q", color=tone))
    if sheet.has("depth"):
        rule = alt.Chart(sheet.data("depth")).mark_rule(strokeDash=[2, 2], color=MARK, clip=True)
        layers.append(rule.encode(x=x))
    layers.append(base.mark_line(strokeWidth=1.8, clip=True))
    if sheet.has("dots"):
        dots = alt.Chart(sheet.data("dots")).mark_point(size=40)
        layers.append(dots.encode(x=x, y=y, color=tone))
    if direct and sheet.has("labels"):
        text = alt.Chart(sheet.data("labels")).mark_text(align="left", dx=6, fontSize=11, limit=0)
        layers.append(text.encode(x=x, y=y, text="run:N", color=tone))
    return alt.layer(*layers)
