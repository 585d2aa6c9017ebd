"""Gain curves: what Figures 1 to 4 of the 2002 paper show."""

from __future__ import annotations

import math
from typing import Any

import altair as alt
import numpy as np

from gaincurve.curve.points import Curve, Curves
from gaincurve.figures.style import (
    IDEAL,
    MOST_LABELS,
    axis_title,
    caption,
    colour,
    dashes,
    finished,
    spread_labels,
    values_data,
)

WIDTH, HEIGHT = 420, 280


def curves_chart(curves: Curves, width: int = WIDTH, height: int = HEIGHT) -> Any:
    """One panel per curve: the runs by rank, the ideal dotted, each line labelled at its end."""
    panels = [_panel(curves, curve, width, height) for curve in curves.curves]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=2)
    return finished(chart, caption(curves.curves[0].signature))


def _panel(curves: Curves, curve: Curve, width: int, height: int) -> Any:
    names = [*curves.runs, IDEAL]
    lines = [*curve.values, curve.ideal]
    top = 1.0 if curve.normalised else float(np.nanmax([line.max() for line in lines]) or 1.0)
    points = [
        {"rank": i, "value": float(value), "run": name}
        for name, line in zip(names, lines, strict=True)
        for i, value in enumerate(line.tolist(), start=1)
        if not math.isnan(value)
    ]
    direct = len(names) <= MOST_LABELS
    legend = (
        None
        if direct
        else alt.Legend(title=None, orient="right", columns=1, symbolType="stroke", symbolStrokeWidth=2, symbolSize=300)
    )
    base = alt.Chart(values_data(points)).encode(
        x=alt.X("rank:Q", title="rank (documents read)", scale=alt.Scale(domain=[1, max(2, curves.depth)], nice=False)),
        y=alt.Y(
            "value:Q",
            title=axis_title(curve.name, curve.axis),
            scale=alt.Scale(domain=[0, top * (1.0 if curve.normalised else 1.02)]),
        ),
        color=alt.Color("run:N", scale=colour(names), legend=legend),
        strokeDash=alt.StrokeDash("run:N", scale=dashes(names), legend=legend),
        tooltip=[alt.Tooltip("run:N"), alt.Tooltip("rank:Q"), alt.Tooltip("value:Q", format=".4f")],
    )
    layers = [base.mark_line(strokeWidth=1.8, clip=True)]
    if curves.depth == 1:
        layers.append(base.mark_point(size=40))
    if direct:
        layers.append(_labels(names, [float(line[-1]) for line in lines], curves.depth, top, height))
    return alt.layer(*layers).properties(width=width, height=height, title=alt.TitleParams(curve.name, anchor="start"))


def _labels(names: list[str], ends: list[float], depth: int, top: float, height: int) -> Any:
    known = [(name, end) for name, end in zip(names, ends, strict=True) if not math.isnan(end)]
    heights = spread_labels([end for _, end in known], 0.0, top * 1.02, height)
    rows = [{"rank": depth, "value": y, "run": name} for (name, _), y in zip(known, heights, strict=True)]
    return (
        alt.Chart(values_data(rows))
        .mark_text(align="left", dx=6, fontSize=11, limit=180)
        .encode(x="rank:Q", y="value:Q", text="run:N", color=alt.Color("run:N", scale=colour(names), legend=None))
    )
