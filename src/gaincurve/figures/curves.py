"""Gain curves: what Figures 1 to 4 of the 2002 paper show."""

from __future__ import annotations

import math
from typing import Any

import altair as alt
import numpy as np

from gaincurve.curve.points import Curve, Curves
from gaincurve.figures.style import (
    MOST_LABELS,
    RANK_AXIS,
    caption,
    colour,
    dashes,
    finished,
    line_legend,
    spread_labels,
    values_data,
)
from gaincurve.model.graded import IDEAL

WIDTH, HEIGHT = 420, 280
MOST_POINTS = 500
"""A longer line is thinned to about so many points, more than the eye can tell apart."""


def curves_chart(curves: Curves, width: int = WIDTH, height: int = HEIGHT) -> Any:
    """One panel per curve: the runs by rank, the ideal dotted, each line labelled at its end."""
    panels = [_panel(curves, curve, width, height) for curve in curves.curves]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=2)
    return finished(chart, caption(*(curve.signature for curve in curves.curves)))


def _panel(curves: Curves, curve: Curve, width: int, height: int) -> Any:
    names = [*curves.runs, IDEAL]
    lines = [*curve.values, curve.ideal]
    top = 1.0 if curve.normalised else 1.02 * float(np.nanmax([line.max() for line in lines]) or 1.0)
    direct = len(names) <= MOST_LABELS
    legend = None if direct else line_legend(None)
    ranks = alt.Scale(domain=[1, max(2, curves.depth)], nice=False)
    base = alt.Chart(values_data(_points(names, lines))).encode(
        x=alt.X("rank:Q", title="rank (documents read)", axis=RANK_AXIS, scale=ranks),
        y=alt.Y("value:Q", title=[curve.name, curve.axis], scale=alt.Scale(domain=[0, top], nice=False)),
        color=alt.Color("run:N", scale=colour(names), legend=legend),
        strokeDash=alt.StrokeDash("run:N", scale=dashes(names), legend=legend),
        tooltip=[alt.Tooltip("run:N"), alt.Tooltip("rank:Q"), alt.Tooltip("value:Q", format=".4f")],
    )
    layers = [base.mark_line(strokeWidth=1.8, clip=True)]
    if curves.depth == 1:
        layers.append(base.mark_point(size=40))
    if direct:
        layers.append(_labels(names, [float(line[-1]) for line in lines], curves.depth, top, height))
    title = alt.TitleParams(curve.name, anchor="start", frame="group")
    return alt.layer(*layers).properties(width=width, height=height, title=title)


def _points(names: list[str], lines: list[Any]) -> list[dict[str, Any]]:
    """Rank, value and run of what is drawn."""
    depth = len(lines[0])
    ranks = sorted({*range(1, depth + 1, max(1, depth // MOST_POINTS)), depth})
    return [
        {"rank": rank, "value": float(line[rank - 1]), "run": name}
        for name, line in zip(names, lines, strict=True)
        for rank in ranks
        if not math.isnan(line[rank - 1])
    ]


def _labels(names: list[str], ends: list[float], depth: int, top: float, height: int) -> Any:
    known = [(name, end) for name, end in zip(names, ends, strict=True) if not math.isnan(end)]
    heights = spread_labels([end for _, end in known], 0.0, top, height)
    rows = [{"rank": depth, "value": y, "run": name} for (name, _), y in zip(known, heights, strict=True)]
    return (
        alt.Chart(values_data(rows))
        .mark_text(align="left", dx=6, fontSize=11, limit=400)
        .encode(x="rank:Q", y="value:Q", text="run:N", color=alt.Color("run:N", scale=colour(names), legend=None))
    )
