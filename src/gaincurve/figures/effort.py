"""The effort picture: how many documents of one run it takes to gain what another gives."""

from __future__ import annotations

import math
from typing import Any

import altair as alt
import numpy as np

from gaincurve.curve.effort import ranks_to_reach
from gaincurve.curve.points import Curves
from gaincurve.figures.style import IDEAL, axis_title, caption, colour, dashes, finished, values_data
from gaincurve.model.rows import Floats

SIZE = 360


def effort_chart(curves: Curves, rank: int = 10, size: int = SIZE) -> Any:
    """Documents to read with each run, over documents read with the best one; the diagonal is equal effort.

    The best run is the one with most gain at `rank`; the legend tells how many documents each other run needs for
    what it gives there. With a single run the ideal takes its place. A line ends where the run has no more to give.
    """
    curve = curves.curves[0]
    best = int(np.argmax(curve.values[:, rank - 1]))
    alone = len(curves.runs) == 1
    reference, name = (curve.ideal, IDEAL) if alone else (curve.values[best], curves.runs[best])
    others = [r for r in range(len(curves.runs)) if alone or r != best]
    entries = {r: f"{curves.runs[r]}: {_needed(curve.values[r], reference, rank, curves.depth)}" for r in others}
    domain, diagonal = [*curves.runs, IDEAL], f"{name}: {rank}"
    shown = [entries.get(r, diagonal) for r in range(len(curves.runs))] + ([diagonal] if alone else [])
    title = f"to gain what {name} gives in {rank}, read"
    legend = alt.Legend(
        title=title,
        orient="right",
        symbolType="stroke",
        symbolSize=400,
        symbolStrokeWidth=2,
        titleLimit=260,
        labelLimit=240,
    )
    points = [
        {"read": i, "needed": needed, "run": entries[r]}
        for r in others
        for i, target in enumerate(reference.tolist(), start=1)
        if target > 0 and not math.isnan(needed := ranks_to_reach(curve.values[r], target))
    ]
    points += [{"read": i, "needed": i, "run": diagonal} for i in (0, curves.depth)]
    scale = alt.Scale(domain=[0, curves.depth], nice=False)
    lines = alt.Chart(values_data(points)).encode(
        x=alt.X("read:Q", title=f"documents read with {name}", scale=scale),
        y=alt.Y(
            "needed:Q",
            title=axis_title("documents needed for the same gain", f"{curve.name}, {curve.axis}"),
            scale=scale,
        ),
        color=alt.Color("run:N", scale=_renamed(colour(domain), shown), legend=legend),
        strokeDash=alt.StrokeDash("run:N", scale=_renamed(dashes(domain), shown), legend=legend),
        order=alt.Order("read:Q"),
        tooltip=[alt.Tooltip("run:N"), alt.Tooltip("read:Q"), alt.Tooltip("needed:Q")],
    )
    here = [point for point in points if point["read"] == rank]
    dots = alt.Chart(values_data(here)).mark_point(filled=True, size=45, opacity=1)
    rule = alt.Chart(values_data([{"read": rank}])).mark_rule(strokeDash=[2, 2], color="#777")
    chart = alt.layer(
        rule.encode(x="read:Q"),
        lines.mark_line(strokeWidth=1.8),
        dots.encode(
            x="read:Q", y="needed:Q", color=alt.Color("run:N", scale=_renamed(colour(domain), shown), legend=None)
        ),
    )
    return finished(chart.properties(width=size, height=size), caption(curve.signature))


def _needed(values: Floats, reference: Floats, rank: int, depth: int) -> str:
    needed = ranks_to_reach(values, float(reference[rank - 1]))
    return f"more than {depth}" if math.isnan(needed) else f"{needed:.0f}"


def _renamed(scale: Any, names: list[str]) -> Any:
    """The same colours or dashes under other names."""
    return alt.Scale(domain=names, range=list(scale.range)[: len(names)])
