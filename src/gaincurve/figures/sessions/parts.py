"""What the figures of sessions share: lines, the marks of queries, titles and captions."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from gaincurve.figures.colours import FAINT, GREY, PAPER
from gaincurve.figures.sheet import Rows, Sheet
from gaincurve.figures.style import (
    COLOURS,
    DASHES,
    MOST_LABELS,
    spread_labels,
    values_data,
)
from gaincurve.model.rows import Floats
from gaincurve.verbs.sessions.curves import SessionCurves

WIDTH, HEIGHT = 560, 300
MOST_POINTS = 2000
NAME = 24
"""The width of a query's name, in pixels."""


@dataclass(frozen=True)
class Line:
    """How a line looks, and what it is called."""

    label: str
    tone: str
    style: list[int]


def drawn_lines(sheet: Sheet, lines: Sequence[Line], x: Any, up: list[str] | None) -> list[Any]:
    """Lines, dots where a single rank gives no line, and up to `MOST_LABELS` names at their ends, else a legend."""
    direct = len(lines) <= MOST_LABELS
    legend = None if direct else sheet.legend(None)
    names = [line.label for line in lines]
    shade = alt.Scale(domain=names, range=[line.tone for line in lines])
    dash = alt.Scale(domain=names, range=[line.style for line in lines])
    y = alt.Y("value:Q", title=up, scale=alt.Scale(domain=[0, sheet.value("top")], nice=False))
    tone = alt.Color("line:N", scale=shade, legend=legend)
    base = alt.Chart(sheet.data("lines")).encode(
        x=x,
        y=y,
        color=tone,
        strokeDash=alt.StrokeDash("line:N", scale=dash, legend=legend),
        tooltip=[alt.Tooltip("line:N"), alt.Tooltip("place:Q"), alt.Tooltip("value:Q", format=".4f")],
    )
    layers = [base.mark_line(strokeWidth=1.8, clip=True)]
    if sheet.has("dots"):
        layers.append(alt.Chart(sheet.data("dots")).mark_point(size=40).encode(x=x, y=y, color=tone))
    if direct and sheet.has("labels"):
        text = alt.Chart(sheet.data("labels")).mark_text(align="left", dx=6, fontSize=11, limit=0)
        layers.append(text.encode(x=x, y=y, text="line:N", color=tone))
    return layers


def tone_of(i: int) -> str:
    """The colour of the i-th system."""
    return COLOURS[i % len(COLOURS)]


def style_of(i: int) -> list[int]:
    """The style of the i-th line."""
    return list(DASHES[i % len(DASHES)])


def readable(rows: Rows, **look: Any) -> list[Any]:
    """Texts on a border of paper, so that they stay readable where lines cross them."""
    texts = alt.Chart(values_data(rows)).encode(x="place:Q", y="value:Q", text="line:N")
    marked = {"align": "left", "dx": 6, "limit": 0, **look}
    return [
        texts.mark_text(**{**marked, "color": PAPER}, stroke=PAPER, strokeWidth=3, strokeJoin="round"),
        texts.mark_text(**marked),
    ]


def filtered(curves: SessionCurves) -> str:
    """The sessions shown, where they are not all: 'topic D; all sessions, and those with 4 queries or more'."""
    topic = curves.signature.parts.get("topic")
    least = max(line.at_least for line in curves.lines)
    longer = f"all sessions, and those with {least} queries or more" if least > 1 else ""
    return "; ".join(text for text in (f"topic {topic}" if topic else "", longer) if text)


def titled(chart: Any, curves: SessionCurves) -> Any:
    """The chart under a title that names the filter, as one panel: its own title is the caption."""
    text = filtered(curves)
    if not text:
        return chart
    return alt.concat(chart.properties(title=alt.TitleParams(text, anchor="start", frame="group", offset=14)))


def caption_of(curves: SessionCurves, width: int, about: str = "") -> list[str]:
    """The caption, wrapped to the width of the figure; the axis names gains and bases, but not a discount's form."""
    return wrapped(f"{about}  {curves.signature.without('gain')}".strip(), width)


def wrapped(text: str, width: int) -> list[str]:
    """Text in lines as long as the figure is wide."""
    return textwrap.wrap(text, max(60, width // 5), break_on_hyphens=False)


def top_of(lines: Sequence[Floats], normalised: bool) -> float:
    """The top of the value axis: above every line, and 1 for shares that come near it."""
    highest = max((float(np.nanmax(line)) for line in lines if len(line) and not np.isnan(line).all()), default=1.0)
    if normalised and 0.75 < highest <= 1.0:
        return 1.0
    return 1.08 * highest or 1.0


def across(curves: SessionCurves) -> str:
    """The name of the axis of concatenated ranks."""
    documents = "document" if curves.depth == 1 else f"{curves.depth} documents"
    return f"the first {documents} of each query, one after the other"


def places_axis(curves: SessionCurves) -> Any:
    """The axis of concatenated ranks; its labels are the queries, drawn by `query_marks`."""
    return alt.X(
        "place:Q",
        title=across(curves),
        axis=alt.Axis(tickMinStep=1, format="d", grid=False, labelFlush=False, values=place_ticks(curves)),
        scale=alt.Scale(domain=[0, curves.queries * curves.depth], nice=False),
    )


def place_ticks(curves: SessionCurves) -> list[int]:
    """Where the axis of concatenated ranks has ticks: at the ends of queries."""
    step = max(1, math.ceil(curves.queries / 16))
    return list(range(0, curves.queries * curves.depth + 1, step * curves.depth))


def mark_rows(curves: SessionCurves, top: float, width: int) -> dict[str, Rows]:
    """Where each query ends, and names above the middle of as many queries as there is room for."""
    step = max(1, math.ceil(curves.queries / 25))
    named = step * math.ceil(NAME / (step / curves.queries * width))
    return {
        "ends": [{"place": q * curves.depth} for q in range(1, curves.queries, step)],
        "names": [
            {"place": (q + 0.5) * curves.depth, "value": top, "name": f"Q{q + 1}"}
            for q in range(0, curves.queries, named)
        ],
    }


def query_marks(sheet: Sheet, x: Any) -> list[Any]:
    """A thin rule where each query ends, and its name above."""
    rules = alt.Chart(sheet.data("ends")).mark_rule(strokeDash=[2, 2], color=FAINT).encode(x=x)
    names = alt.Chart(sheet.data("names")).mark_text(fontSize=10, color=GREY, dy=-7, clip=False)
    if sheet.on_page:  # its width changes; `room` is the share of it that a name has
        names = names.transform_filter(f"datum.nth % ceil({NAME} / (datum.room * width)) === 0")
    return [rules, names.encode(x=x, y="value:Q", text="name:N")]


def line_rows(lines: Sequence[Line], values: Sequence[Floats], top: float, height: int) -> dict[str, Rows]:
    """Points, names at the ends where they fit, and dots where a single rank gives no line."""
    labels = [line.label for line in lines]
    points = point_rows(labels, values)
    ends = [(label, float(line[-1])) for label, line in zip(labels, values, strict=True) if not math.isnan(line[-1])]
    heights = spread_labels([end for _, end in ends], 0.0, top, height) if len(labels) <= MOST_LABELS else []
    last = max((len(line) for line in values), default=0)
    label_rows: Rows = [
        {"place": last, "value": y, "line": label} for (label, _), y in zip(ends, heights, strict=False)
    ]
    return {"lines": points, "labels": label_rows, "dots": points if last == 1 else []}


def point_rows(labels: Sequence[str], lines: Sequence[Floats]) -> Rows:
    """The points of lines, thinned where there are more than the eye can distinguish."""
    rows: Rows = []
    for label, line in zip(labels, lines, strict=True):
        step = max(1, len(line) // MOST_POINTS)
        drawn = sorted({*range(0, len(line), step), len(line) - 1})
        rows += [{"line": label, "place": i + 1, "value": float(line[i])} for i in drawn if not math.isnan(line[i])]
    return rows
