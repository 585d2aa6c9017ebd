"""The effort figure: how many documents of one run a user must read to gain what another run gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from gaincurve.curve.effort import ranks_to_reach
from gaincurve.curve.points import Curves
from gaincurve.figures.colours import MARK
from gaincurve.figures.sheet import Rows, Sheet
from gaincurve.figures.style import RANK_AXIS, caption, finished, kept_ranks, styles, tones
from gaincurve.model.graded import IDEAL
from gaincurve.model.rows import Floats

SIZE = 360


def effort_chart(curves: Curves, rank: int = 10, size: int = SIZE) -> Any:
    """Documents to read with each run, over documents read with the best one; the diagonal is equal effort.

    The best run is the one with the most gain at `rank`; the legend shows how many documents each other run needs for
    the same gain. With a single run the ideal takes its place. A line ends where the run has no more to give.
    """
    curve = curves.curves[0]
    against = reading(curves, rank)
    chart = effort_lines(
        against.sheet(rank),
        [*curves.runs, IDEAL],
        across=f"documents read with {against.reference}",
        up=["documents needed for the same gain", f"{curve.name}, {curve.axis}"],
        legend=[f"to gain what {against.reference}", f"gives in {rank}, read"],
    )
    return finished(chart.properties(width=size, height=size), caption(curve.signature))


def effort_lines(sheet: Sheet, names: list[str], across: str | None, up: list[str], legend: list[str]) -> Any:
    """The definition: a line for each run by what was read of the best one, dots at the chosen rank.

    Runs are named as in the legend, whose entries change with the rank; colours and line styles are those of `names`.
    """
    entries = sheet.value("entries")
    below = {"offset": 34} if sheet.on_page else {}  # under the name of the axis, which is no axis title there
    key = sheet.legend(legend, values=sheet.value("shown"), **below)
    count = len(names) if sheet.on_page else len(entries)
    shade = alt.Scale(domain=entries, range=tones(names)[:count])
    reach = {side: alt.Scale(domain=[0, sheet.value(side)], nice=False) for side in ("most_read", "most_needed")}
    x = alt.X("read:Q", title=across, scale=reach["most_read"], axis=RANK_AXIS)
    y = alt.Y("needed:Q", title=up, scale=reach["most_needed"], axis=RANK_AXIS)
    lines = alt.Chart(sheet.data("lines")).encode(
        x=x,
        y=y,
        color=alt.Color("run:N", scale=shade, legend=key),
        strokeDash=alt.StrokeDash("run:N", scale=alt.Scale(domain=entries, range=styles(names)[:count]), legend=key),
        order=alt.Order("read:Q"),
        tooltip=[alt.Tooltip("run:N"), alt.Tooltip("read:Q"), alt.Tooltip("needed:Q")],
    )
    dots = alt.Chart(sheet.data("dots")).mark_point(filled=True, size=45, opacity=1)
    rule = alt.Chart(sheet.data("rule")).mark_rule(strokeDash=[2, 2], color=MARK)
    return alt.layer(
        rule.encode(x=x),
        lines.mark_line(strokeWidth=1.8, clip=True),
        dots.encode(x=x, y=y, color=alt.Color("run:N", scale=shade, legend=key)),
        *sheet.across(),
    )


@dataclass(frozen=True)
class Reading:
    """Whose documents are counted along the axis, the legend's entries in the order of the runs, and the points."""

    reference: str
    entries: list[str]
    points: Rows

    def sheet(self, rank: int) -> Sheet:
        """What is drawn, with the chosen rank marked."""
        sides = {f"most_{side}": max(rank + 1, *(point[side] for point in self.points)) for side in ("read", "needed")}
        dots = [point for point in self.points if point["read"] == rank]
        return Sheet(
            {"lines": self.points, "dots": dots, "rule": [{"read": rank}]},
            {"entries": self.entries, "shown": self.entries, **sides},
        )


def reading(curves: Curves, rank: int) -> Reading:
    """The first of some curves read sideways, against the best run at `rank`."""
    curve = curves.curves[0]
    best = int(np.argmax(curve.values[:, rank - 1]))
    alone = len(curves.runs) == 1
    values, name = (curve.ideal, IDEAL) if alone else (curve.values[best], curves.runs[best])
    others = [r for r in range(len(curves.runs)) if alone or r != best]
    diagonal = f"{name}: {rank}"
    entries = {r: f"{curves.runs[r]}: {_needed(curve.values[r], values, rank, curves.depth)}" for r in others}
    ranks = sorted({*kept_ranks(curves.depth), rank})
    points: Rows = [
        {"read": read, "needed": needed, "run": entries[r]}
        for r in others
        for read in ranks
        if (target := float(values[read - 1])) > 0 and not math.isnan(needed := ranks_to_reach(curve.values[r], target))
    ]
    reached: list[int] = [point["read"] for point in points]
    last = max(rank, *reached) if reached else rank
    points += [{"read": end, "needed": end, "run": diagonal} for end in (0, last)]
    shown = [entries.get(r, diagonal) for r in range(len(curves.runs))] + ([diagonal] if alone else [])
    return Reading("the ideal" if alone else name, shown, points)


def _needed(values: Floats, reference: Floats, rank: int, depth: int) -> str:
    needed = ranks_to_reach(values, float(reference[rank - 1]))
    return f"more than {depth}" if math.isnan(needed) else f"{needed:.0f}"
