"""Sessions: what Figures 1 to 4 of the 2008 paper show."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from gaincurve.figures.style import (
    COLOURS,
    DASHES,
    MOST_LABELS,
    RANK_AXIS,
    finished,
    line_legend,
    spread_labels,
    values_data,
)
from gaincurve.model.rows import Floats
from gaincurve.verbs.session_curves import SessionCurves, Singles

WIDTH, HEIGHT = 560, 300
MOST_POINTS = 2000
MOST_NAMES = 16
"""With more sessions in a panel their ends are marked but not named: names would cover one another."""
_GREY = "#8c8c8c"


def session_curves_chart(curves: SessionCurves, width: int = WIDTH, height: int = HEIGHT) -> Any:
    """Figures 2 and 3: mean lines over the concatenated ranks, with the queries marked, held after stopping."""
    labels = [line.label for line in curves.lines]
    runs = list(dict.fromkeys(line.run for line in curves.lines))
    tones = [COLOURS[runs.index(line.run) % len(COLOURS)] for line in curves.lines]
    styles = [list(DASHES[(i // len(runs) * 2 + i % len(runs)) % len(DASHES)]) for i in range(len(labels))]
    values = [line.values for line in curves.lines]
    top = _top([*values], curves.normalised)
    names = len(labels) <= MOST_LABELS
    legend = None if names else line_legend(None)
    base = alt.Chart(values_data(_points(labels, values))).encode(
        x=_places(curves),
        y=alt.Y("value:Q", title=[curves.measure, curves.axis], scale=alt.Scale(domain=[0, top], nice=False)),
        color=alt.Color("line:N", scale=alt.Scale(domain=labels, range=tones), legend=legend),
        strokeDash=alt.StrokeDash("line:N", scale=alt.Scale(domain=labels, range=styles), legend=legend),
        tooltip=[alt.Tooltip("line:N"), alt.Tooltip("place:Q"), alt.Tooltip("value:Q", format=".4f")],
    )
    layers = [*_marks(curves, top), base.mark_line(strokeWidth=1.8, clip=True)]
    if names:
        ends = [float(line[-1]) for line in values]
        layers.append(_names(labels, ends, tones, curves.queries * curves.depth, top, height))
    return finished(alt.layer(*layers).properties(width=width, height=height), _told(curves, width))


def single_sessions_chart(curves: SessionCurves, width: int = 440, height: int = HEIGHT) -> Any:
    """Figure 4: every session as its own line, a dot at its true end, the mean in bold; a panel for each system."""
    top = _top([values for single in curves.singles for values in single.values], curves.normalised)
    panels = [_panel(curves, i, single, top, width, height) for i, single in enumerate(curves.singles)]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=2)
    return finished(chart, _told(curves, width * min(2, len(panels))))


def _panel(curves: SessionCurves, i: int, single: Singles, top: float, width: int, height: int) -> Any:
    count = len(single.sessions)
    tone = COLOURS[i % len(COLOURS)]
    scale = alt.Scale(domain=[0, top], nice=False)
    encoding = {
        "x": _places(curves),
        "y": alt.Y("value:Q", title=[curves.measure, curves.axis], scale=scale),
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
    own = [
        values[: max(1, int(end) * curves.depth)]
        for values, end in zip(single.values, single.ends.tolist(), strict=True)
    ]
    faint = 0.8 if count <= MOST_NAMES else max(0.15, 8.0 / count)
    lines = alt.Chart(values_data(_points(single.sessions, own))).encode(**encoding)
    dots = alt.Chart(values_data(ends)).encode(x="place:Q", y="value:Q", tooltip=encoding["tooltip"])
    layers = [
        *_marks(curves, top),
        lines.mark_line(strokeWidth=1.2, opacity=faint, color=tone, clip=True),
        dots.mark_point(filled=True, size=28, opacity=min(1.0, faint * 2.5), color=tone),
    ]
    mean = next((line.values for line in curves.lines if line.label == single.run), None)
    if mean is not None and count > 1:
        bold = alt.Chart(values_data(_points(["mean"], [mean]))).encode(x=_places(curves), y="value:Q")
        layers.append(bold.mark_line(strokeWidth=2.6, color="black", strokeDash=[5, 2], clip=True))
        label = [{"place": curves.queries * curves.depth, "value": float(mean[-1]), "text": "mean"}]
        layers.append(
            alt.Chart(values_data(label)).mark_text(align="left", dx=6, fontSize=11).encode(
                x="place:Q", y="value:Q", text="text:N")
        )  # fmt: skip
    if count <= MOST_NAMES:
        layers.append(_session_names(ends, tone, top, height))
    title = f"{single.run}: {count} session{'' if count == 1 else 's'}, a dot where each stopped"
    return alt.layer(*layers).properties(
        width=width, height=height, title=alt.TitleParams(title, anchor="start", frame="group")
    )


def last_queries_chart(curves: SessionCurves, width: int = 440, height: int = HEIGHT) -> Any:
    """Figure 1: mean discounted gain by rank of the last queries against the others, by system."""
    labels, values, tones, styles = [], [], [], []
    for i, one in enumerate(curves.last):
        for side, line, dash in (("last query", one.last, [1, 0]), ("other queries", one.others, [5, 3])):
            if not np.isnan(line).all():
                labels.append(f"{one.run}, {side}")
                values.append(line)
                tones.append(COLOURS[i % len(COLOURS)])
                styles.append(dash)
    top = _top(values, False)
    names = len(labels) <= MOST_LABELS
    legend = None if names else line_legend(None)
    depth = alt.Scale(domain=[1, max(2, curves.depth)], nice=False)
    base = alt.Chart(values_data(_points(labels, values))).encode(
        x=alt.X("place:Q", title="rank in the query's own list", axis=RANK_AXIS, scale=depth),
        y=alt.Y("value:Q", title=["mean c(q)·DCG of one query", curves.axis],
                scale=alt.Scale(domain=[0, top], nice=False)),
        color=alt.Color("line:N", scale=alt.Scale(domain=labels, range=tones), legend=legend),
        strokeDash=alt.StrokeDash("line:N", scale=alt.Scale(domain=labels, range=styles), legend=legend),
    )  # fmt: skip
    layers = [base.mark_line(strokeWidth=1.8, clip=True)]
    if curves.depth == 1:
        layers.append(base.mark_point(size=40))
    if names:
        layers.append(_names(labels, [float(line[-1]) for line in values], tones, curves.depth, top, height))
    return finished(alt.layer(*layers).properties(width=width, height=height), _told(curves, width))


def _told(curves: SessionCurves, width: int) -> list[str]:
    """The caption in lines about as wide as the picture; the axis names gains and bases, but not a discount's form."""
    told = "  ".join(part for part in curves.signature.split("|")[1:] if not part.startswith("gain:"))
    return textwrap.wrap(told, max(60, width // 5), break_on_hyphens=False)


def _top(lines: Sequence[Floats], normalised: bool) -> float:
    """The height of the picture: room for every line, and 1 for shares that reach it."""
    highest = max((float(np.nanmax(line)) for line in lines if len(line) and not np.isnan(line).all()), default=1.0)
    if normalised and 0.75 < highest <= 1.0:
        return 1.0
    return 1.08 * highest or 1.0


def _places(curves: SessionCurves) -> Any:
    """The axis of concatenated ranks; its labels are the queries, drawn by `_marks`."""
    return alt.X(
        "place:Q",
        title=f"the first {curves.depth} documents of each query, one after the other",
        axis=alt.Axis(tickMinStep=1, format="d", grid=False, values=_ticks(curves)),
        scale=alt.Scale(domain=[0, curves.queries * curves.depth], nice=False),
    )


def _ticks(curves: SessionCurves) -> list[int]:
    step = max(1, math.ceil(curves.queries / 16))
    return list(range(0, curves.queries * curves.depth + 1, step * curves.depth))


def _marks(curves: SessionCurves, top: float) -> list[Any]:
    """A thin rule where each query ends, and its name above."""
    step = max(1, math.ceil(curves.queries / 25))
    ends = [{"place": q * curves.depth} for q in range(1, curves.queries, step)]
    names = [
        {"place": (q + 0.5) * curves.depth, "value": top, "name": f"Q{q + 1}"} for q in range(0, curves.queries, step)
    ]
    rules = alt.Chart(values_data(ends)).mark_rule(strokeDash=[2, 2], color="#c4c4c4").encode(x="place:Q")
    texts = alt.Chart(values_data(names)).mark_text(fontSize=10, color=_GREY, dy=-7, clip=False)
    return [rules, texts.encode(x="place:Q", y="value:Q", text="name:N")]


def _points(labels: Sequence[str], lines: Sequence[Floats]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for label, line in zip(labels, lines, strict=True):
        step = max(1, len(line) // MOST_POINTS)
        kept = sorted({*range(0, len(line), step), len(line) - 1})
        rows += [{"line": label, "place": i + 1, "value": float(line[i])} for i in kept if not math.isnan(line[i])]
    return rows


def _names(labels: list[str], ends: list[float], tones: list[str], place: int, top: float, height: int) -> Any:
    known = [(label, end) for label, end in zip(labels, ends, strict=True) if not math.isnan(end)]
    heights = spread_labels([end for _, end in known], 0.0, top, height)
    rows = [{"place": place, "value": y, "line": label} for (label, _), y in zip(known, heights, strict=True)]
    scale = alt.Scale(domain=labels, range=tones)
    return (
        alt.Chart(values_data(rows))
        .mark_text(align="left", dx=6, fontSize=11, limit=400)
        .encode(x="place:Q", y="value:Q", text="line:N", color=alt.Color("line:N", scale=scale, legend=None))
    )


def _session_names(ends: list[dict[str, Any]], tone: str, top: float, height: int) -> Any:
    """Names beside the dots, those that end after the same query moved apart."""
    rows: list[dict[str, Any]] = []
    for place in sorted({end["place"] for end in ends}):
        here = [end for end in ends if end["place"] == place]
        heights = spread_labels([end["value"] for end in here], 0.0, top, height)
        rows += [{**end, "value": y} for end, y in zip(here, heights, strict=True)]
    text = alt.Chart(values_data(rows)).mark_text(align="left", dx=6, fontSize=9, color=tone, limit=120)
    return text.encode(x="place:Q", y="value:Q", text="line:N")
