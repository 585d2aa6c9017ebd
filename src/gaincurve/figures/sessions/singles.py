"""Figure 4 of the 2008 paper: every session as its own line."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from gaincurve.figures.colours import BLACK
from gaincurve.figures.sessions.parts import (
    HEIGHT,
    caption_of,
    filtered,
    mark_rows,
    places_axis,
    point_rows,
    query_marks,
    readable,
    tone_of,
    top_of,
)
from gaincurve.figures.sheet import Rows, Sheet
from gaincurve.figures.style import finished, spread_labels, values_data
from gaincurve.model.names import short_names
from gaincurve.verbs.sessions.curves import SessionCurves, Singles

MOST_NAMES = 16
"""With more sessions in a panel their ends are marked but not named: names would cover one another."""
LONGEST_NAME = 24
"""The most characters of a session's name."""


def single_sessions_chart(curves: SessionCurves, width: int = 440, height: int = HEIGHT) -> Any:
    """Figure 4: a line for each session with a dot where it ended, the mean in bold; one panel per system."""
    top = top_of([values for single in curves.singles for values in single.values], curves.normalised)
    panels = [_panel(curves, i, single, top, width, height) for i, single in enumerate(curves.singles)]
    chart = alt.concat(*panels, columns=2)  # one panel too: alone its title would give way to the caption
    return finished(chart, caption_of(curves, width * min(2, len(panels))))


def _panel(curves: SessionCurves, i: int, single: Singles, top: float, width: int, height: int) -> Any:
    count = len(single.sessions)
    tone = tone_of(i)
    scale = alt.Scale(domain=[0, top], nice=False)
    places = places_axis(curves)
    encoding = {
        "x": places,
        "y": alt.Y("value:Q", title=[curves.measure.text, curves.axis], scale=scale),
        "detail": alt.Detail("line:N"),
        "tooltip": [
            alt.Tooltip("line:N", title="session"),
            alt.Tooltip("place:Q"),
            alt.Tooltip("value:Q", format=".4f"),
        ],
    }
    ends = [
        {"line": name, "place": int(end) * curves.depth, "value": float(values[max(0, int(end) * curves.depth - 1)])}
        for name, values, end in zip(single.sessions, single.values, single.ends.tolist(), strict=True)
        if 0 < end <= curves.queries and not math.isnan(values[int(end) * curves.depth - 1])
    ]
    until_end = [
        values[: max(1, int(end) * curves.depth)]
        for values, end in zip(single.values, single.ends.tolist(), strict=True)
    ]
    opacity = 0.8 if count <= MOST_NAMES else max(0.15, 8.0 / count)
    lines = alt.Chart(values_data(point_rows(single.sessions, until_end))).encode(**encoding)
    dots = alt.Chart(values_data(ends)).encode(x="place:Q", y="value:Q", tooltip=encoding["tooltip"])
    layers = [
        *query_marks(Sheet(mark_rows(curves, top, width)), places),
        lines.mark_line(strokeWidth=1.2, opacity=opacity, color=tone, clip=True),
        dots.mark_point(filled=True, size=28, opacity=min(1.0, opacity * 2.5), color=tone),
    ]
    mean = next((line.values for line in curves.lines if line.label == single.run), None)
    if mean is not None and count > 1:
        bold = alt.Chart(values_data(point_rows(["mean"], [mean]))).encode(x=places, y="value:Q")
        layers.append(bold.mark_line(strokeWidth=2.6, color=BLACK, strokeDash=[5, 2], clip=True))
        label = [{"place": curves.queries * curves.depth, "value": float(mean[-1]), "text": "mean"}]
        layers.append(
            alt.Chart(values_data(label)).mark_text(align="left", dx=6, fontSize=11).encode(
                x="place:Q", y="value:Q", text="text:N")
        )  # fmt: skip
    if count <= MOST_NAMES:
        layers += session_names(ends, tone, top, height)
    where = f" on {about}" if (about := filtered(curves)) else ""
    title = f"{single.run}: {count} session{'' if count == 1 else 's'}{where}, a dot where each stopped"
    return alt.layer(*layers).properties(
        width=width, height=height, title=alt.TitleParams(title, anchor="start", frame="group")
    )


def session_names(ends: Rows, tone: str, top: float, height: int) -> list[Any]:
    """Names beside the dots; names of sessions that end after the same query are moved apart, and above the axis."""
    rows: Rows = []
    short = short_names([end["line"] for end in ends], LONGEST_NAME)
    named = [{**end, "line": name} for end, name in zip(ends, short, strict=True)]
    for place in sorted({end["place"] for end in named}):
        same_place = [end for end in named if end["place"] == place]
        heights = spread_labels([end["value"] for end in same_place], 0.02 * top, top, height)
        rows += [{**end, "value": y} for end, y in zip(same_place, heights, strict=True)]
    return readable(rows, fontSize=9, color=tone)
