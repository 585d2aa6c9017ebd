"""Precision–recall curves: averaged over topics, and one topic's points with their interpolation."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from gaincurve.curve.recall import POINTS, STEPS, RecallCurve, RecallCurves, TopicPoints
from gaincurve.errors import one_of
from gaincurve.figures.colours import BEHIND
from gaincurve.figures.sheet import Rows, Sheet
from gaincurve.figures.style import caption, colour, dashes, finished, values_data
from gaincurve.model.source import shorten

WIDTH, HEIGHT = 340, 280
SMALL_WIDTH, SMALL_HEIGHT = 250, 200
"""The size of a panel where every run has its own."""

UNIT = alt.Scale(domain=[0, 1], nice=False)
PANEL = ("rel", "only", "topics")
"""Parts of a signature that differ between panels."""

TENTHS = alt.Axis(values=[i / 5 for i in range(6)], format=".1f", labelFlush=False)


def precision_recall_chart(
    curves: RecallCurves, width: int | None = None, height: int | None = None, steps: str = "interpolated"
) -> Any:
    """One panel per relevance level with the mean curves of all runs; for one topic a panel for each run as well.

    On one topic a run's own points are joined in the order of ranks, dots are its relevant documents, the strong line
    is the interpolation, and the grey ones are those of the other runs. With `steps='ap'` the strong line is each
    relevant document's own precision, and the area under it, shaded, is AP; with 'eleven' the topic is drawn as means
    are, at the eleven recall points.
    """
    one_of("steps", steps, tuple(STEPS))
    single_topic = curves.topic is not None and steps != "eleven"
    small = single_topic and len(curves.runs) * len(curves.levels) > 1
    size = (width or (SMALL_WIDTH if small else WIDTH), height or (SMALL_HEIGHT if small else HEIGHT))
    if single_topic:
        panels = [
            _topic_panel(curves, level, r, size, steps) for r in range(len(curves.runs)) for level in curves.levels
        ]
        columns = len(curves.levels) if len(curves.levels) > 1 else _columns(len(curves.runs))
    else:
        panels = [_mean_panel(curves, level, size) for level in curves.levels]
        columns = 2
    # concat even a single panel: otherwise the caption replaces the title of the panel
    return finished(alt.concat(*panels, columns=columns), _caption(curves, steps))


def _caption(curves: RecallCurves, steps: str) -> str:
    """What is common to all panels; level and topics are in the title of each."""
    shared = caption(*(level.signature.but(**dict.fromkeys(PANEL)) for level in curves.levels))
    if curves.topic is None:
        return shared
    others = ", grey: other runs" if len(curves.runs) > 1 else ""
    about = {
        "interpolated": f"Dots: relevant documents, strong line: interpolated{others}",
        "ap": f"Dots: relevant documents; the area under the strong line is AP{others}",
        "eleven": "Interpolated precision at eleven recall points; their mean is AP11",
    }
    return f"topic {shorten(curves.topic)}. {about[steps]}.  {shared}"


def _columns(panels: int) -> int:
    return 2 if panels in (2, 4) else 3


def _mean_panel(curves: RecallCurves, level: RecallCurve, size: tuple[int, int]) -> Any:
    topics = level.signature.parts["topics"]
    of = f"topics: {topics}" if curves.topic is None else f"topic {shorten(curves.topic)}"
    title = alt.TitleParams(f"relevant: {level.relevant} ({of})", anchor="start", frame="group")
    chart = recall_lines(recall_sheet(curves, level), list(curves.runs))
    return chart.properties(width=size[0], height=size[1], title=title)


def recall_sheet(curves: RecallCurves, level: RecallCurve) -> Sheet:
    """The eleven points of each run."""
    rows: Rows = [
        {"recall": recall, "precision": value, "run": run}
        for run, values in zip(curves.runs, level.values.tolist(), strict=True)
        for recall, value in zip(POINTS, values, strict=True)
        if not math.isnan(value)
    ]
    return Sheet({"lines": rows}, {"shown": list(curves.runs)})


def recall_lines(sheet: Sheet, names: list[str]) -> Any:
    """The definition: mean interpolated precision by recall, a line with dots for each run."""
    legend = sheet.legend(None, values=sheet.value("shown"))
    base = alt.Chart(sheet.data("lines")).encode(
        x=alt.X("recall:Q", title="recall", scale=UNIT, axis=TENTHS),
        y=alt.Y("precision:Q", title="mean interpolated precision", scale=UNIT, axis=TENTHS),
        color=alt.Color("run:N", scale=colour(names), legend=legend),
        tooltip=[alt.Tooltip("run:N"), alt.Tooltip("recall:Q"), alt.Tooltip("precision:Q", format=".4f")],
    )
    lines = base.mark_line(strokeWidth=1.8).encode(
        strokeDash=alt.StrokeDash("run:N", scale=dashes(names), legend=legend)
    )
    dots = base.mark_point(filled=True, size=22, opacity=1)
    return alt.layer(lines, dots)


def _topic_panel(curves: RecallCurves, level: RecallCurve, run: int, size: tuple[int, int], steps: str) -> Any:
    """A run's points in the order of ranks, its steps, and the steps of the other runs behind them."""
    name, points = curves.runs[run], level.points[run]
    tone = colour(curves.runs).range[run]
    raw = _raw(points)
    x = alt.X("recall:Q", title="recall", scale=UNIT, axis=TENTHS)
    y = alt.Y("precision:Q", title="precision", scale=UNIT, axis=TENTHS)
    others = [
        {**step, "run": other}
        for r, other in enumerate(curves.runs)
        if r != run
        for step in _steps(level.points[r], steps)
    ]
    own = alt.Chart(values_data(_steps(points, steps)))
    behind = alt.Chart(values_data(others)).mark_line(interpolate="step-before", strokeWidth=1, color=BEHIND)
    path = alt.Chart(values_data(raw)).mark_line(strokeWidth=1, color=tone, opacity=0.65)
    dots = alt.Chart(values_data([row for row in raw if row["relevant"]])).mark_point(filled=True, size=24, color=tone)
    strong = own.mark_line(interpolate="step-before", strokeWidth=2.4, color=tone)
    tooltip = [alt.Tooltip("rank:Q"), alt.Tooltip("recall:Q", format=".4f"), alt.Tooltip("precision:Q", format=".4f")]
    title = f"{name} (relevant: {level.relevant})"
    area = []
    if steps == "ap":
        title += f": AP {points.average_precision:.4f}"
        shade = own.mark_area(interpolate="step-before", color=tone, opacity=0.15)
        area = [shade.encode(x=x, y=y, order="at:Q")]
    return alt.layer(
        *area,
        behind.encode(x=x, y=y, detail="run:N", order="at:Q"),
        strong.encode(x=x, y=y, order="at:Q"),
        path.encode(x=x, y=y, order="rank:Q"),
        dots.encode(x=x, y=y, opacity=alt.value(1), tooltip=tooltip),
    ).properties(width=size[0], height=size[1], title=alt.TitleParams(title, anchor="start", frame="group"))


def _raw(points: TopicPoints) -> list[dict[str, Any]]:
    """The points where the line through all ranks bends: relevant documents, the ranks before them, the last rank."""
    last = len(points.recall)
    relevant = set(points.ranks.tolist())
    shown = sorted({*relevant, *(rank - 1 for rank in relevant if rank > 1), *({1, last} if last else ())})
    return [
        {
            "rank": rank,
            "recall": float(points.recall[rank - 1]),
            "precision": float(points.precision[rank - 1]),
            "relevant": rank in relevant,
        }
        for rank in shown
        if points.total
    ]


def _steps(points: TopicPoints, steps: str) -> list[dict[str, Any]]:
    """The ends of the steps, from recall 0 to 1."""
    values = (points.own_steps if steps == "ap" else points.interpolated).tolist()
    if not values or math.isnan(values[0]):
        return []
    ends = [(0.0, values[0]), *zip(points.recalls.tolist(), values, strict=True)]
    return [{"at": i, "recall": recall, "precision": value} for i, (recall, value) in enumerate(ends)]
