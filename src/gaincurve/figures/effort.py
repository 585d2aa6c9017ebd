"""The effort picture: how many documents of one run it takes to gain what another gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from gaincurve.curve.effort import ranks_to_reach
from gaincurve.curve.points import Curves
from gaincurve.figures.style import RANK_AXIS, caption, colour, dashes, finished, line_legend, values_data
from gaincurve.model.graded import IDEAL
from gaincurve.model.rows import Floats

SIZE = 360


def effort_chart(curves: Curves, rank: int = 10, size: int = SIZE) -> Any:
    """Documents to read with each run, over documents read with the best one; the diagonal is equal effort.

    The best run is the one with most gain at `rank`; the legend tells how many documents each other run needs for
    what it gives there. With a single run the ideal takes its place. A line ends where the run has no more to give.
    """
    told = _reading(curves, rank)
    curve = curves.curves[0]
    across, up = (
        alt.Scale(domain=[0, max(rank + 1, *(point[side] for point in told.points))], nice=False)
        for side in ("read", "needed")
    )
    legend = line_legend([f"to gain what {told.reference}", f"gives in {rank}, read"])
    tones, styles = (_renamed(made([*curves.runs, IDEAL]), told.entries) for made in (colour, dashes))
    needed = ["documents needed for the same gain", f"{curve.name}, {curve.axis}"]
    lines = alt.Chart(values_data(told.points)).encode(
        x=alt.X("read:Q", title=f"documents read with {told.reference}", scale=across, axis=RANK_AXIS),
        y=alt.Y("needed:Q", title=needed, scale=up, axis=RANK_AXIS),
        color=alt.Color("run:N", scale=tones, legend=legend),
        strokeDash=alt.StrokeDash("run:N", scale=styles, legend=legend),
        order=alt.Order("read:Q"),
        tooltip=[alt.Tooltip("run:N"), alt.Tooltip("read:Q"), alt.Tooltip("needed:Q")],
    )
    here = [point for point in told.points if point["read"] == rank]
    dots = alt.Chart(values_data(here)).mark_point(filled=True, size=45, opacity=1)
    rule = alt.Chart(values_data([{"read": rank}])).mark_rule(strokeDash=[2, 2], color="#777")
    chart = alt.layer(
        rule.encode(x="read:Q"),
        lines.mark_line(strokeWidth=1.8, clip=True),
        dots.encode(x="read:Q", y="needed:Q", color=alt.Color("run:N", scale=tones, legend=None)),
    )
    return finished(chart.properties(width=size, height=size), caption(curve.signature))


@dataclass(frozen=True)
class _Reading:
    """Whose documents are counted along the axis, the legend's entries in the order of the runs, and the points."""

    reference: str
    entries: list[str]
    points: list[dict[str, Any]]


def _reading(curves: Curves, rank: int) -> _Reading:
    curve = curves.curves[0]
    best = int(np.argmax(curve.values[:, rank - 1]))
    alone = len(curves.runs) == 1
    values, name = (curve.ideal, IDEAL) if alone else (curve.values[best], curves.runs[best])
    others = [r for r in range(len(curves.runs)) if alone or r != best]
    diagonal = f"{name}: {rank}"
    entries = {r: f"{curves.runs[r]}: {_needed(curve.values[r], values, rank, curves.depth)}" for r in others}
    points: list[dict[str, Any]] = [
        {"read": i, "needed": needed, "run": entries[r]}
        for r in others
        for i, target in enumerate(values.tolist(), start=1)
        if target > 0 and not math.isnan(needed := ranks_to_reach(curve.values[r], target))
    ]
    reached: list[int] = [point["read"] for point in points]
    last = max(rank, *reached) if reached else rank
    points += [{"read": i, "needed": i, "run": diagonal} for i in (0, last)]
    shown = [entries.get(r, diagonal) for r in range(len(curves.runs))] + ([diagonal] if alone else [])
    return _Reading("the ideal" if alone else name, shown, points)


def _needed(values: Floats, reference: Floats, rank: int, depth: int) -> str:
    needed = ranks_to_reach(values, float(reference[rank - 1]))
    return f"more than {depth}" if math.isnan(needed) else f"{needed:.0f}"


def _renamed(scale: Any, names: list[str]) -> Any:
    """The same colours or dashes under other names."""
    return alt.Scale(domain=names, range=list(scale.range)[: len(names)])
