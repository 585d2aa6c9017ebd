"""Differences between systems: with their intervals (forest plot), and topic by topic."""

from __future__ import annotations

from typing import Any

import altair as alt

from gaincurve.errors import ChoiceError, Problem
from gaincurve.figures.style import COLOURS, finished, values_data
from gaincurve.model.comparison import Comparison, Family, Pair
from gaincurve.model.wording import p_text

UP, DOWN, OPEN = COLOURS[0], COLOURS[1], "#8a8a8a"
MOST_PAIRS = 60
"""A forest of more pairs is cut to those with the largest differences."""


def forest_chart(comparison: Comparison, width: int = 380) -> Any:
    """A row for each pair: the difference, its interval, and whether it is significant; the line is no difference."""
    panels = [_forest(family, width) for family in comparison.families]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=1).resolve_scale(x="independent")
    return finished(chart, _words(comparison))


def _words(comparison: Comparison) -> list[str]:
    intervals = [f"Intervals: {text}." for text in comparison.intervals()]
    intervals[-1] += " Filled: significant; blue where the first run is better, orange where the second is."
    return [*comparison.methods(), *intervals]


def _forest(family: Family, width: int) -> Any:
    shown = sorted(family.pairs, key=lambda pair: -pair.difference)
    cut = len(shown) > MOST_PAIRS
    if cut:
        largest = sorted(family.pairs, key=lambda pair: -abs(pair.difference))[:MOST_PAIRS]
        shown = sorted(largest, key=lambda pair: -pair.difference)
    rows = [_row(pair) for pair in shown]
    names = [row["pair"] for row in rows]
    ends = [row[end] for row in rows for end in ("low", "high") if row[end] is not None]
    most = 1.05 * max([*map(abs, ends), *(abs(row["difference"]) for row in rows), 1e-6])
    y = alt.Y("pair:N", sort=names, title=None, axis=alt.Axis(labelLimit=0, ticks=False, domain=False))
    title = f"{family.measure}: difference of means" + (f" (the {MOST_PAIRS} largest)" if cut else "")
    x = alt.X("difference:Q", title=title, scale=alt.Scale(domain=[-most, most], nice=True))
    colour = alt.Color("shade:N", scale=None)
    base = alt.Chart(values_data(rows))
    tips = [alt.Tooltip(f"{name}:N") for name in ("pair", "p")] + [alt.Tooltip("difference:Q", format=".4f")]
    zero = alt.Chart(values_data([{"difference": 0}])).mark_rule(color="#333").encode(x="difference:Q")
    bars = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2="high:Q", y=y, color=colour)
    dots = base.mark_point(size=70, filled=True, opacity=1).encode(
        x=x, y=y, stroke=colour, fill=alt.Fill("fill:N", scale=None), tooltip=tips
    )
    written = base.mark_text(align="left", fontSize=11, color="#333").encode(
        x=alt.value(width + 8), y=y, text=alt.Text("label:N")
    )
    return alt.layer(zero, bars, dots, written).properties(width=width, height=alt.Step(22))


def _row(pair: Pair) -> dict[str, Any]:
    shade = (UP if pair.better == pair.a else DOWN) if pair.significant else OPEN
    p = p_text(pair.p_adjusted)
    known = pair.has_interval
    return {
        "pair": f"{pair.a} − {pair.b}",
        "difference": pair.difference,
        "low": pair.low if known else None,
        "high": pair.high if known else None,
        "p": p,
        "label": f"p {p}{pair.stars}" if p.startswith("<") else f"p = {p}{pair.stars}",
        "shade": shade,
        "fill": shade if pair.significant else "white",
    }


def topics_chart(comparison: Comparison, a: str | None = None, b: str | None = None, width: int = 520) -> Any:
    """A bar for each topic: the difference of two runs, largest gain first; one panel a measure."""
    if comparison.test == "welch":
        what = "the systems were scored on different sessions, so there is no difference topic by topic"
        raise ChoiceError(Problem("test-not-possible", what, hint="draw the means with their intervals: forest_chart"))
    if a is None or b is None:
        if len(comparison.runs) != 2:
            what = "the differences of which two runs? there are more than two"
            raise ChoiceError(Problem("run-unknown", what, hint="name them: --pair RUN RUN"))
        a, b = comparison.families[0].runs
    for name in (a, b):
        if name not in comparison.runs:
            hint = f"runs: {', '.join(comparison.runs)}"
            raise ChoiceError(Problem("run-unknown", f"there is no run {name!r}", hint=hint))
    panels = [_topics(family, a, b, width) for family in comparison.families]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=1)
    return finished(chart, [f"{a} less {b}, topic by topic; the dashed line is the mean difference."])


def _topics(family: Family, a: str, b: str, width: int) -> Any:
    gaps = family.topic_differences(a, b)
    names = [f"{a} better", f"{b} better"]
    rows: list[dict[str, Any]] = [
        {"topic": topic, "difference": gap, "ahead": names[(gap > 0) != family.higher_is_better]} for topic, gap in gaps
    ]
    few = len(rows) <= 60
    axis = alt.Axis(labels=few, ticks=few, labelAngle=-90, labelLimit=90, grid=False)
    x = alt.X("topic:N", sort=[row["topic"] for row in rows], title=f"{len(rows)} topics", axis=axis)
    scale = alt.Scale(domain=names, range=[UP, DOWN])
    bars = (
        alt.Chart(values_data(rows))
        .mark_bar()
        .encode(
            x=x,
            y=alt.Y("difference:Q", title=[f"difference in {family.measure}", f"({a} less {b})"]),
            color=alt.Color("ahead:N", scale=scale, legend=alt.Legend(title=None, orient="top", labelLimit=0)),
            tooltip=[alt.Tooltip("topic:N"), alt.Tooltip("difference:Q", format=".4f")],
        )
    )
    mean = sum(gap for _, gap in gaps) / len(gaps)
    rule = alt.Chart(values_data([{"difference": mean}])).mark_rule(strokeDash=[4, 3], color="#333", strokeWidth=1.2)
    return alt.layer(bars, rule.encode(y="difference:Q")).properties(width=width, height=240)
