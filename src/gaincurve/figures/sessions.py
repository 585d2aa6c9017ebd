"""Sessions: what Figures 1 to 4 of the 2008 paper show."""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from gaincurve.figures.colours import BLACK, FAINT, GREY
from gaincurve.figures.sheet import Rows, Sheet
from gaincurve.figures.style import (
    COLOURS,
    DASHES,
    MOST_LABELS,
    RANK_AXIS,
    finished,
    spread_labels,
    values_data,
)
from gaincurve.model.graded import IDEAL
from gaincurve.model.names import short_names
from gaincurve.model.rows import Floats
from gaincurve.verbs.sessions.curves import SessionCurves, Singles

WIDTH, HEIGHT = 560, 300
MOST_POINTS = 2000
MOST_NAMES = 16
"""With more sessions in a panel their ends are marked but not named: names would cover one another."""
LONGEST_NAME = 24
"""The most characters of a session's name."""
SIDES = {"last query": [1, 0], "other queries": [5, 3]}
"""Last queries against the others: the line style of each."""
NAME = 24
"""The width of a query's name, in pixels."""
IN_LIST = "rank in the query's own list"
ONE_QUERY = "mean c(q)·DCG of one query"


@dataclass(frozen=True)
class Line:
    """How a line looks, and what it is called."""

    label: str
    tone: str
    style: list[int]


def session_curves_chart(curves: SessionCurves, width: int = WIDTH, height: int = HEIGHT) -> Any:
    """Figures 2 and 3: mean lines over the concatenated ranks, with the queries marked, held after stopping."""
    runs = list(dict.fromkeys(line.run for line in curves.lines))
    lines = [
        Line(line.label, _tone(runs.index(line.run)), _style(i // len(runs) * 2 + i % len(runs)))
        for i, line in enumerate(curves.lines)
    ]
    values = [line.values for line in curves.lines]
    top = _top(values, curves.normalised)
    rows = {**_line_rows(lines, values, top, height), **_mark_rows(curves, top, width)}
    sheet = Sheet(rows, {"last": curves.queries * curves.depth, "top": top, "ticks": _ticks(curves)})
    chart = lines_by_place(sheet, lines, _across(curves), [curves.measure.text, curves.axis])
    return finished(_titled(chart.properties(width=width, height=height), curves), _caption(curves, width))


def lines_by_place(sheet: Sheet, lines: Sequence[Line], across: str | None, up: list[str] | None) -> Any:
    """The definition of session-curve: lines over the concatenated ranks, a rule where each query ends."""
    x = alt.X(
        "place:Q",
        title=across,
        axis=alt.Axis(tickMinStep=1, format="d", grid=False, values=sheet.value("ticks")),
        scale=alt.Scale(domain=[0, sheet.value("last")], nice=False),
    )
    return alt.layer(*_marks(sheet, x), *_lines(sheet, lines, x, up), *sheet.across())


def _lines(sheet: Sheet, lines: Sequence[Line], x: Any, up: list[str] | None) -> list[Any]:
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


def session_chart_specs(labels: Sequence[str], runs: Sequence[str] = ()) -> dict[str, dict[str, Any]]:
    """The definitions of session-curve and session-last for a page, whose scripts fill in data sets and values.

    A system with the name of one of the page's `runs` has that run's colour and line style.
    """
    looks = _looks(labels, runs)
    systems = [Line(label, _tone(i), _style(i)) for label, i in zip(labels, looks, strict=True)]
    curve_sheet = Sheet.blank(last=10, top=1, ticks=[0, 10], across="", up="")
    curve_chart = lines_by_place(curve_sheet, [*systems, Line(IDEAL, BLACK, [1, 3])], None, None)
    last_sheet = Sheet.blank(last=10, top=1, across="", up="")
    sides = [line for label, i in zip(labels, looks, strict=True) for line in _both_sides(label, i)]
    last_chart = lines_by_rank(last_sheet, sides, None, None)
    return {
        "session-curve": curve_sheet.page_spec(curve_chart.properties(height=HEIGHT, title=curve_sheet.up())),
        "session-last": last_sheet.page_spec(last_chart.properties(height=HEIGHT, title=last_sheet.up())),
    }


def _looks(labels: Sequence[str], runs: Sequence[str]) -> list[int]:
    """An index into colours and line styles for each label: that of the run with its name, else the next free one."""
    of_run = {run: i for i, run in enumerate(runs)}
    taken = {of_run[label] for label in labels if label in of_run}
    free = (i for i in itertools.count() if i not in taken)
    return [of_run[label] if label in of_run else next(free) for label in labels]


def single_sessions_chart(curves: SessionCurves, width: int = 440, height: int = HEIGHT) -> Any:
    """Figure 4: a line for each session with a dot where it ended, the mean in bold; one panel per system."""
    top = _top([values for single in curves.singles for values in single.values], curves.normalised)
    panels = [_panel(curves, i, single, top, width, height) for i, single in enumerate(curves.singles)]
    chart = alt.concat(*panels, columns=2)  # one panel too: alone its title would give way to the caption
    return finished(chart, _caption(curves, width * min(2, len(panels))))


def _panel(curves: SessionCurves, i: int, single: Singles, top: float, width: int, height: int) -> Any:
    count = len(single.sessions)
    tone = _tone(i)
    scale = alt.Scale(domain=[0, top], nice=False)
    places = _places(curves)
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
    lines = alt.Chart(values_data(_points(single.sessions, until_end))).encode(**encoding)
    dots = alt.Chart(values_data(ends)).encode(x="place:Q", y="value:Q", tooltip=encoding["tooltip"])
    layers = [
        *_marks(Sheet(_mark_rows(curves, top, width)), places),
        lines.mark_line(strokeWidth=1.2, opacity=opacity, color=tone, clip=True),
        dots.mark_point(filled=True, size=28, opacity=min(1.0, opacity * 2.5), color=tone),
    ]
    mean = next((line.values for line in curves.lines if line.label == single.run), None)
    if mean is not None and count > 1:
        bold = alt.Chart(values_data(_points(["mean"], [mean]))).encode(x=places, y="value:Q")
        layers.append(bold.mark_line(strokeWidth=2.6, color=BLACK, strokeDash=[5, 2], clip=True))
        label = [{"place": curves.queries * curves.depth, "value": float(mean[-1]), "text": "mean"}]
        layers.append(
            alt.Chart(values_data(label)).mark_text(align="left", dx=6, fontSize=11).encode(
                x="place:Q", y="value:Q", text="text:N")
        )  # fmt: skip
    if count <= MOST_NAMES:
        layers.append(_session_names(ends, tone, top, height))
    where = f" on {filtered}" if (filtered := _filtered(curves)) else ""
    title = f"{single.run}: {count} session{'' if count == 1 else 's'}{where}, a dot where each stopped"
    return alt.layer(*layers).properties(
        width=width, height=height, title=alt.TitleParams(title, anchor="start", frame="group")
    )


def last_queries_chart(curves: SessionCurves, width: int = 440, height: int = HEIGHT) -> Any:
    """Figure 1: mean discounted gain by rank of the last queries against the others, by system."""
    sides = [
        (line, values)
        for i, system in enumerate(curves.last)
        for line, values in zip(_both_sides(system.run, i), (system.last, system.others), strict=True)
        if not np.isnan(values).all()
    ]
    lines, values = [line for line, _ in sides], [means for _, means in sides]
    top = _top(values, False)
    sheet = Sheet(_line_rows(lines, values, top, height), {"last": max(2, curves.depth), "top": top})
    chart = lines_by_rank(sheet, lines, IN_LIST, [ONE_QUERY, curves.axis])
    return finished(_titled(chart.properties(width=width, height=height), curves), _caption(curves, width))


def lines_by_rank(sheet: Sheet, lines: Sequence[Line], across: str | None, up: list[str] | None) -> Any:
    """The definition of session-last: last queries as solid lines, the others dashed, by rank in their own lists."""
    ranks = alt.Scale(domain=[1, sheet.value("last")], nice=False)
    x = alt.X("place:Q", title=across, axis=RANK_AXIS, scale=ranks)
    return alt.layer(*_lines(sheet, lines, x, up), *sheet.across())


def _both_sides(run: str, i: int) -> list[Line]:
    return [Line(f"{run}, {side}", _tone(i), style) for side, style in SIDES.items()]


def _tone(i: int) -> str:
    return COLOURS[i % len(COLOURS)]


def _style(i: int) -> list[int]:
    return list(DASHES[i % len(DASHES)])


def _filtered(curves: SessionCurves) -> str:
    """The sessions shown, where they are not all: 'topic D; all sessions, and those with 4 queries or more'."""
    topic = curves.signature.parts.get("topic")
    least = max(line.at_least for line in curves.lines)
    longer = f"all sessions, and those with {least} queries or more" if least > 1 else ""
    return "; ".join(text for text in (f"topic {topic}" if topic else "", longer) if text)


def _titled(chart: Any, curves: SessionCurves) -> Any:
    """The chart under a title that names the filter, as one panel: its own title is the caption."""
    text = _filtered(curves)
    if not text:
        return chart
    return alt.concat(chart.properties(title=alt.TitleParams(text, anchor="start", frame="group", offset=14)))


def _caption(curves: SessionCurves, width: int) -> list[str]:
    """The caption, wrapped to the width of the figure; the axis names gains and bases, but not a discount's form."""
    return textwrap.wrap(curves.signature.without("gain"), max(60, width // 5), break_on_hyphens=False)


def _top(lines: Sequence[Floats], normalised: bool) -> float:
    """The top of the value axis: above every line, and 1 for shares that come near it."""
    highest = max((float(np.nanmax(line)) for line in lines if len(line) and not np.isnan(line).all()), default=1.0)
    if normalised and 0.75 < highest <= 1.0:
        return 1.0
    return 1.08 * highest or 1.0


def _across(curves: SessionCurves) -> str:
    documents = "document" if curves.depth == 1 else f"{curves.depth} documents"
    return f"the first {documents} of each query, one after the other"


def _places(curves: SessionCurves) -> Any:
    """The axis of concatenated ranks; its labels are the queries, drawn by `_marks`."""
    return alt.X(
        "place:Q",
        title=_across(curves),
        axis=alt.Axis(tickMinStep=1, format="d", grid=False, values=_ticks(curves)),
        scale=alt.Scale(domain=[0, curves.queries * curves.depth], nice=False),
    )


def _ticks(curves: SessionCurves) -> list[int]:
    step = max(1, math.ceil(curves.queries / 16))
    return list(range(0, curves.queries * curves.depth + 1, step * curves.depth))


def _mark_rows(curves: SessionCurves, top: float, width: int) -> dict[str, Rows]:
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


def _marks(sheet: Sheet, x: Any) -> list[Any]:
    """A thin rule where each query ends, and its name above."""
    rules = alt.Chart(sheet.data("ends")).mark_rule(strokeDash=[2, 2], color=FAINT).encode(x=x)
    names = alt.Chart(sheet.data("names")).mark_text(fontSize=10, color=GREY, dy=-7, clip=False)
    if sheet.on_page:  # its width changes; `room` is the share of it that a name has
        names = names.transform_filter(f"datum.nth % ceil({NAME} / (datum.room * width)) === 0")
    return [rules, names.encode(x=x, y="value:Q", text="name:N")]


def _line_rows(lines: Sequence[Line], values: Sequence[Floats], top: float, height: int) -> dict[str, Rows]:
    """Points, names at the ends where they fit, and dots where a single rank gives no line."""
    labels = [line.label for line in lines]
    points = _points(labels, values)
    ends = [(label, float(line[-1])) for label, line in zip(labels, values, strict=True) if not math.isnan(line[-1])]
    heights = spread_labels([end for _, end in ends], 0.0, top, height) if len(labels) <= MOST_LABELS else []
    last = max((len(line) for line in values), default=0)
    label_rows: Rows = [
        {"place": last, "value": y, "line": label} for (label, _), y in zip(ends, heights, strict=False)
    ]
    return {"lines": points, "labels": label_rows, "dots": points if last == 1 else []}


def _points(labels: Sequence[str], lines: Sequence[Floats]) -> Rows:
    rows: Rows = []
    for label, line in zip(labels, lines, strict=True):
        step = max(1, len(line) // MOST_POINTS)
        drawn = sorted({*range(0, len(line), step), len(line) - 1})
        rows += [{"line": label, "place": i + 1, "value": float(line[i])} for i in drawn if not math.isnan(line[i])]
    return rows


def _session_names(ends: Rows, tone: str, top: float, height: int) -> Any:
    """Names beside the dots; names of sessions that end after the same query are moved apart."""
    rows: Rows = []
    short = short_names([end["line"] for end in ends], LONGEST_NAME)
    named = [{**end, "line": name} for end, name in zip(ends, short, strict=True)]
    for place in sorted({end["place"] for end in named}):
        same_place = [end for end in named if end["place"] == place]
        heights = spread_labels([end["value"] for end in same_place], 0.0, top, height)
        rows += [{**end, "value": y} for end, y in zip(same_place, heights, strict=True)]
    text = alt.Chart(values_data(rows)).mark_text(align="left", dx=6, fontSize=9, color=tone, limit=0)
    return text.encode(x="place:Q", y="value:Q", text="line:N")
