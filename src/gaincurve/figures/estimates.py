"""Estimated curves with their bands, and how votes order systems beside the true order."""

from __future__ import annotations

import math
from typing import Any

import altair as alt
import numpy as np

from gaincurve.figures.curves import HEIGHT, WIDTH, line_rows, lines_by_rank
from gaincurve.figures.labels import Box, place_labels
from gaincurve.figures.sheet import Rows, Sheet
from gaincurve.figures.style import caption, colour, finished, kept_ranks, values_data
from gaincurve.model.estimates import EstimatedCurve, EstimatedCurves
from gaincurve.model.names import short_names
from gaincurve.model.votes import Votes

MOST_NAMES, LONGEST_NAME = 40, 24


def estimated_chart(curves: EstimatedCurves, width: int = WIDTH, height: int = HEIGHT) -> Any:
    """One panel per curve: the runs by rank, each with the 95% band of its mean over these topics."""
    panels = [_panel(curves, curve, width, height) for curve in curves.curves]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=2)
    return finished(chart, caption(*(curve.signature for curve in curves.curves)))


def _panel(curves: EstimatedCurves, curve: EstimatedCurve, width: int, height: int) -> Any:
    title = alt.TitleParams(curve.name, anchor="start", frame="group")
    chart = lines_by_rank(estimated_sheet(curves, curve, height), curves.runs, [curve.name, "estimated, 95% band"])
    return chart.properties(width=width, height=height, title=title)


def estimated_sheet(curves: EstimatedCurves, curve: EstimatedCurve, height: int = HEIGHT) -> Sheet:
    """Lines, their labels, the bands and the top of the value axis."""
    ends = [[curves.at(curve, r, rank) for rank in range(1, curves.depth + 1)] for r in range(len(curves.runs))]
    highest = [value for row in ends for end in row for value in (end.value, end.high) if not math.isnan(value)]
    top = 1.02 * max(highest, default=1.0) or 1.0
    rows = line_rows(curves.runs, list(np.asarray(curve.values)), top, height)
    band: Rows = [
        {"rank": rank, "low": row[rank - 1].low, "high": row[rank - 1].high, "run": run}
        for run, row in zip(curves.runs, ends, strict=True)
        for rank in kept_ranks(curves.depth)
        if not math.isnan(row[rank - 1].low)
    ]
    rows["band"] = band
    return Sheet(rows, {"last": max(2, curves.depth), "top": top, "shown": list(curves.runs)})


def votes_chart(votes: Votes, width: int = WIDTH, height: int = HEIGHT) -> Any:
    """Each run at its true mean and at its mean by votes: on a rising line if votes were right."""
    names = list(votes.runs)
    x_axis, y_axis = _axis(votes.true), _axis(votes.means)
    rows: Rows = [
        {"run": name, "true": true, "votes": mean}
        for name, true, mean in zip(names, votes.true, votes.means, strict=True)
    ]
    places = [
        (width * (row["true"] - x_axis[0]) / (x_axis[1] - x_axis[0]),
         height * (y_axis[1] - row["votes"]) / (y_axis[1] - y_axis[0]))
        for row in rows
    ]  # fmt: skip
    x = alt.X("true:Q", title=f"{votes.measure} by judgments", scale=alt.Scale(domain=x_axis, nice=False))
    y = alt.Y("votes:Q", title=f"{votes.measure} by votes", scale=alt.Scale(domain=y_axis, nice=False))
    dots = alt.Chart(values_data(rows)).mark_point(filled=True, size=55, opacity=0.9)
    tone = alt.Color("run:N", scale=colour(names), legend=None)
    layers = [dots.encode(x=x, y=y, color=tone, tooltip=["run:N", "true:Q", "votes:Q"])]
    shown = short_names(names, LONGEST_NAME)
    dot_boxes = [Box(px - 5, py - 5, px + 5, py + 5) for px, py in places]
    labels = place_labels(places, shown, dot_boxes, width, height) if len(names) <= MOST_NAMES else None
    for label, text in zip(labels or [], shown, strict=False):
        place = {
            "true": x_axis[0] + label.x / width * (x_axis[1] - x_axis[0]),
            "votes": y_axis[1] - label.y / height * (y_axis[1] - y_axis[0]),
            "text": text,
        }
        side: Any = label.align
        mark = alt.Chart(values_data([place])).mark_text(align=side, baseline="middle", fontSize=11, limit=0)
        layers.append(mark.encode(x=x, y=y, text="text:N"))
    signed = [votes.signature] if votes.true_signature is None else [votes.signature, votes.true_signature]
    words = [f"τ_b = {votes.tau_b:.3f}, τ_AP = {votes.tau_ap:.3f}. Votes favour the middle.", caption(*signed)]
    return finished(alt.layer(*layers).properties(width=width, height=height), words)


def _axis(means: tuple[float, ...]) -> list[float]:
    """From a little below the lowest mean to a little above the highest."""
    low, high = min(means), max(means)
    room = 0.12 * ((high - low) or abs(high) or 1.0)
    return [low - room, high + room]
