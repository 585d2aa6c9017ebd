"""Figure 1 of the 2008 paper: last queries against the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from gaincurve.figures.sessions.parts import HEIGHT, Line, caption_of, drawn_lines, line_rows, titled, tone_of, top_of
from gaincurve.figures.sheet import Sheet
from gaincurve.figures.style import RANK_AXIS, finished
from gaincurve.verbs.sessions.curves import SessionCurves

SIDES = {"last query": [1, 0], "other queries": [5, 3]}
"""Last queries against the others: the line style of each."""
IN_LIST = "rank in the query's own list"
ONE_QUERY = "mean session-based discounted query gain"


def last_queries_chart(curves: SessionCurves, width: int = 440, height: int = HEIGHT) -> Any:
    """Figure 1: mean discounted gain by rank of the last queries against the others, by system."""
    sides = [
        (line, values)
        for i, system in enumerate(curves.last)
        for line, values in zip(both_sides(system.run, i), (system.last, system.others), strict=True)
        if not np.isnan(values).all()
    ]
    lines, values = [line for line, _ in sides], [means for _, means in sides]
    top = top_of(values, False)
    sheet = Sheet(line_rows(lines, values, top, height), {"last": max(2, curves.depth), "top": top})
    chart = lines_by_rank(sheet, lines, IN_LIST, [ONE_QUERY, curves.axis])
    return finished(titled(chart.properties(width=width, height=height), curves), caption_of(curves, width))


def lines_by_rank(sheet: Sheet, lines: Sequence[Line], across: str | None, up: list[str] | None) -> Any:
    """The definition of session-last: last queries as solid lines, the others dashed, by rank in their own lists."""
    ranks = alt.Scale(domain=[1, sheet.value("last")], nice=False)
    x = alt.X("place:Q", title=across, axis=RANK_AXIS, scale=ranks)
    return alt.layer(*drawn_lines(sheet, lines, x, up), *sheet.across())


def both_sides(run: str, i: int) -> list[Line]:
    """The two lines of a system."""
    return [Line(f"{run}, {side}", tone_of(i), style) for side, style in SIDES.items()]
