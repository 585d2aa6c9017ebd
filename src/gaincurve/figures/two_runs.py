"""Two runs against each other: by rank, and topic by topic in a scatter plot."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import altair as alt
import numpy as np

from gaincurve.curve.crossings import crossings
from gaincurve.curve.points import Curve, Curves, mean_rows
from gaincurve.figures.colours import INK, MARK, OPEN, PAPER, RULE
from gaincurve.figures.curves import HEIGHT, RANK, WIDTH
from gaincurve.figures.differences import LONGEST_NAME, are_long, kinds_of_topics, refuse_unpaired, two_runs
from gaincurve.figures.intervals import Band, t_band
from gaincurve.figures.sheet import Rows, Sheet
from gaincurve.figures.style import RANK_AXIS, caption, finished, kept_ranks, pair_tones, values_data
from gaincurve.model.comparison import Comparison, Family
from gaincurve.model.names import short_names
from gaincurve.model.rows import Floats
from gaincurve.stats.rounding import rounded

HALF = 0.14
"""The least share of the figure's height, beyond the other half, that lies on one side of zero."""
NEAREST = 0.07
"""Crossings closer than this share of the figure's width are all marked, but not all named."""

SIZE = 340


def difference_chart(
    curves: Curves, a: str | None = None, b: str | None = None, width: int = WIDTH, height: int = HEIGHT
) -> Any:
    """One panel per curve: run `a` less run `b` by rank, and the ranks from which the other one is ahead.

    Where the curves keep their topics, the difference is the mean over topics that both runs have a value for, and the
    band is its 95% t interval; else it is the difference of the mean curves.
    """
    a, b = two_runs(curves.runs, a, b)
    panels = [_difference(curves, curve, a, b).properties(width=width, height=height) for curve in curves.curves]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=2)
    note = "A ring and a rank where the other run gets ahead."
    if any(curve.by_topic is not None for curve in curves.curves):
        note += " Band: 95% interval (t) of the mean difference at each rank."
    return finished(chart, [note, caption(*(curve.signature for curve in curves.curves))])


def _difference(curves: Curves, curve: Curve, a: str, b: str) -> Any:
    short_a, short_b = short_names((a, b), LONGEST_NAME)
    lines = [f"difference in {curve.name} ({a} less {b})"]
    if are_long((a, b)):
        lines = [f"difference in {curve.name}:", short_a, f"less {short_b}"]
    axis_title = [*lines, curve.axis]
    chart = difference_line(difference_sheet(curves, curve, a, b), axis_title)
    return chart.properties(title=alt.TitleParams(curve.name, anchor="start", frame="group"))


def difference_sheet(curves: Curves, curve: Curve, a: str, b: str) -> Sheet:
    """The difference by rank, its interval, and where it changes sides."""
    places = [curves.runs.index(name) for name in (a, b)]
    mean_a, mean_b = (curve.values[place] for place in places)
    band = Band(mean_a - mean_b, *([math.nan * mean_a] * 2))
    if curve.by_topic is not None:
        topics_a, topics_b = (curve.by_topic[place] for place in places)
        differences = topics_a - topics_b
        band = t_band(differences)
        shared = ~np.isnan(differences).any(axis=1)
        mean_a, mean_b = mean_rows(topics_a[shared]), mean_rows(topics_b[shared])
    lead_changes = [(crossing.rank, crossing.ahead, crossing.behind) for crossing in crossings(a, mean_a, b, mean_b)]
    first, second = pair_tones(curves.runs, a, b)
    short_a, short_b = short_names((a, b), LONGEST_NAME)
    least, most = about_zero([*band.mean, *band.low, *band.high])
    values = {"above": f"{short_a} ahead", "below": f"{short_b} ahead", "first_tone": first, "second_tone": second}
    return Sheet(
        {
            "line": [{"rank": rank, "difference": float(band.mean[rank - 1])} for rank in _known(band.mean)],
            "band": [
                {"rank": rank, "low": float(band.low[rank - 1]), "high": float(band.high[rank - 1])}
                for rank in _known(band.low)
            ],
            "crossings": crossing_rows(lead_changes, curves.depth),
        },
        {"last": max(2, curves.depth), "least": least, "most": most, **values},
    )


def about_zero(values: Iterable[float]) -> tuple[float, float]:
    """The ends of an axis of differences: both signs have room for the words that say who is ahead there."""
    known = [float(value) for value in values if not math.isnan(value)]
    low, high = min([0.0, *known]), max([0.0, *known])
    room = HALF * (high - low) or 1.0
    return min(1.05 * low, -room), max(1.05 * high, room)


def _known(values: Floats) -> list[int]:
    return [rank for rank in kept_ranks(len(values)) if not math.isnan(values[rank - 1])]


def crossing_rows(crossings: list[tuple[int, str, str]], depth: int) -> Rows:
    """A mark for each crossing; it is named unless the previous name is too close."""
    rows: Rows = []
    last_named = -math.inf
    for rank, ahead, behind in crossings:
        near = rank - last_named < NEAREST * depth
        last_named = last_named if near else rank
        text = f"at rank {rank} {ahead} gets ahead of {behind}"
        rows.append({"rank": rank, "difference": 0.0, "label": "" if near else str(rank), "told": text})
    return rows


def difference_line(sheet: Sheet, title: str | list[str] | None) -> Any:
    """The definition: a line about zero with its band, who is ahead written above and below, crossings as rings."""
    ranks = alt.Scale(domain=[1, sheet.value("last")], nice=False)
    x = alt.X("rank:Q", title=RANK, axis=RANK_AXIS, scale=ranks)
    heights = alt.Scale(domain=[sheet.value("least"), sheet.value("most")], nice=False)
    y = alt.Y("difference:Q", title=title, scale=heights)
    zero = alt.Chart(values_data([{"difference": 0}])).mark_rule(color=RULE).encode(y=y)
    layers = []
    if sheet.has("band"):
        area = alt.Chart(sheet.data("band")).mark_area(opacity=0.3, color=OPEN, clip=True)
        layers.append(area.encode(x=x, y=alt.Y("low:Q", title=title, scale=heights), y2="high:Q"))
    if sheet.has("depth"):
        rule = alt.Chart(sheet.data("depth")).mark_rule(strokeDash=[2, 2], color=MARK, clip=True)
        layers.append(rule.encode(x=x))
    line = alt.Chart(sheet.data("line")).mark_line(strokeWidth=1.8, color=INK, clip=True)
    rings = alt.Chart(sheet.data("crossings"))
    layers += [
        zero,
        line.encode(x=x, y=y, tooltip=[alt.Tooltip("rank:Q"), alt.Tooltip("difference:Q", format=".4f")]),
        rings.mark_point(size=60, filled=True, fill=PAPER, stroke=INK, strokeWidth=1.6, opacity=1).encode(
            x=x, y=y, tooltip=[alt.Tooltip("told:N", title="crossing")]
        ),
        rings.mark_text(dy=-12, fontSize=11, color=INK).encode(x=x, y=y, text="label:N"),
        _side(sheet, "above", "first_tone", alt.value(12)),
        _side(sheet, "below", "second_tone", alt.value("height"), dy=-12),
    ]
    return alt.layer(*layers)


def _side(sheet: Sheet, name: str, tone: str, y: Any, dy: int = 0) -> Any:
    mark = alt.Chart(values_data([{}])).mark_text(
        text=sheet.value(name), limit=0, align="right", dx=-8, dy=dy, fontSize=11, color=sheet.value(tone)
    )
    return mark.encode(x=alt.value("width"), y=y)


def scatter_chart(comparison: Comparison, a: str | None = None, b: str | None = None, size: int = SIZE) -> Any:
    """A point for each topic: the score of run `a` over that of run `b`; on the diagonal they are equal.

    One panel per measure. Triangles that point up are topics on which `a` is better.
    """
    refuse_unpaired(comparison)
    a, b = two_runs(comparison.runs, a, b)
    short = short_names((b, a), LONGEST_NAME)
    panels = [
        topic_points(scatter_sheet(family, a, b), *(f"{family.measure} of {name}" for name in short))
        for family in comparison.families
    ]
    sized = [panel.properties(width=size, height=size) for panel in panels]
    chart = sized[0] if len(sized) == 1 else alt.concat(*sized, columns=2)
    return finished(chart, f"A point for each topic; triangles up: {a} is better, down: {b}, dots: equal.")


def scatter_sheet(family: Family, a: str, b: str) -> Sheet:
    """A row for each topic, the ends of both axes, and the names of the three kinds of points."""
    scores_a, scores_b = (family.scores[:, family.runs.index(name)] for name in (a, b))
    lead = rounded(scores_a - scores_b) * (1 if family.higher_is_better else -1)
    kinds = kinds_of_topics(family.runs, a, b)
    names = [kinds["first"], kinds["second"], "equal"]
    rows: Rows = [
        {"topic": topic, "a": up, "b": across, "ahead": names[0 if gap > 0 else 1 if gap < 0 else 2]}
        for topic, up, across, gap in zip(
            family.topics, scores_a.tolist(), scores_b.tolist(), lead.tolist(), strict=True
        )
    ]
    low, high = ends_of([*scores_a.tolist(), *scores_b.tolist()])
    corners: Rows = [{"a": end, "b": end} for end in (low, high)]
    return Sheet({"topics": rows, "diagonal": corners}, {"low": low, "high": high, **kinds})


def ends_of(scores: list[float]) -> tuple[float, float]:
    """Where both axes start and end: 0 and 1 for shares, else with room above the largest score."""
    low, high = min([0.0, *scores]), max([0.0, *scores])
    return low, 1.0 if low == 0 and 0.2 < high <= 1 else 1.04 * high or 1.0


def topic_points(sheet: Sheet, across: str | None, up: str | None) -> Any:
    """The definition: topics as points in the plane of two scores, with the diagonal."""
    ends = alt.Scale(domain=[sheet.value("low"), sheet.value("high")], nice=False)
    x = alt.X("b:Q", title=across, scale=ends, axis=alt.Axis(labelFlush=False))
    y = alt.Y("a:Q", title=up, scale=ends)
    kinds = [sheet.value("first"), sheet.value("second"), "equal"]
    legend = alt.Legend(title=None, orient="top", labelLimit=0, **sheet.wrapped)
    tones = [sheet.value("first_tone"), sheet.value("second_tone"), OPEN]
    shapes = alt.Scale(domain=kinds, range=["triangle-up", "triangle-down", "circle"])
    diagonal = alt.Chart(sheet.data("diagonal")).mark_line(strokeWidth=1, strokeDash=[4, 3], color=RULE)
    dots = alt.Chart(sheet.data("topics")).encode(
        x=x,
        y=y,
        color=alt.Color("ahead:N", scale=alt.Scale(domain=kinds, range=tones), legend=legend),
        shape=alt.Shape("ahead:N", scale=shapes, legend=legend),
        tooltip=[alt.Tooltip("topic:N"), alt.Tooltip("a:Q", format=".4f"), alt.Tooltip("b:Q", format=".4f")],
    )
    layers = [diagonal.encode(x=x, y=y), dots.mark_point(filled=True, size=55, opacity=0.9, cursor="pointer")]
    if sheet.on_page:
        ring = dots.transform_filter("datum.chosen").mark_point(size=180, color=INK, strokeWidth=2, opacity=1)
        layers.append(ring.encode(color=alt.value(INK), shape=alt.value("circle")))
    return alt.layer(*layers, *sheet.across())
