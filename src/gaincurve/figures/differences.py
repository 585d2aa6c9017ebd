"""Differences between systems: with their intervals (forest plot), and topic by topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from gaincurve.errors import ChoiceError, Problem
from gaincurve.figures.colours import INK, OPEN, PAPER, RULE
from gaincurve.figures.sheet import Rows, Sheet, in_order_of
from gaincurve.figures.style import finished, pair_tones, values_data
from gaincurve.model.comparison import Comparison, Family, Pair
from gaincurve.model.names import short_names
from gaincurve.model.source import counted
from gaincurve.model.wording import p_text

BARS = 240
"""The height of the bars."""
ENDS = "length(datum.label) > 16 ? slice(datum.label, 0, 5) + '…' + slice(datum.label, -10) : datum.label"
"""The id of a topic below its bar: a long one loses its middle."""
MOST_TOPICS = 60
"""With more topics the bars are not named."""
LONGEST_NAME = 40
"""The most characters of a name beside or inside the plot."""
LONG_NAME = 20
"""The two names of a pair have a line each where one is longer than this."""
MOST_PAIRS = 60
"""A forest of more pairs is cut to those with the largest differences."""


def forest_chart(comparison: Comparison, width: int = 380) -> Any:
    """A row for each pair: the difference, its interval, and whether it is significant; the line is at zero."""
    panels = [_forest(family, width) for family in comparison.families]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=1).resolve_scale(x="independent")
    return finished(chart, _caption(comparison))


def _caption(comparison: Comparison) -> list[str]:
    intervals = [f"Intervals: {text}." for text in comparison.intervals()]
    intervals[-1] += " Filled: significant, in the colour of the better run."
    return [*comparison.methods(), *intervals]


def _forest(family: Family, width: int) -> Any:
    cut = f" (the {MOST_PAIRS} largest)" if len(family.pairs) > MOST_PAIRS else ""
    title = f"{family.measure}: difference of means{cut}"
    chart = forest(forest_sheet(family), title, are_long(family.runs))
    return chart.properties(width=width)


def forest_sheet(family: Family) -> Sheet:
    """A row for each pair, largest difference first, and how far the axis extends to both sides."""
    largest = sorted(family.pairs, key=lambda pair: -abs(pair.difference))[:MOST_PAIRS]
    shown = family.pairs if len(family.pairs) <= MOST_PAIRS else largest
    rows = [_row(i, pair, family.runs) for i, pair in enumerate(sorted(shown, key=lambda pair: -pair.difference))]
    ends = [row[end] for row in rows for end in ("low", "high") if row[end] is not None]
    most = 1.05 * max([*map(abs, ends), *(abs(row["difference"]) for row in rows), 1e-6])
    return Sheet({"pairs": rows}, {"least": -most, "most": most})


def are_long(runs: Sequence[str]) -> bool:
    """Whether the two names of a pair need a line each."""
    return max(map(len, runs)) > LONG_NAME


def pair_text(a: str, b: str) -> str:
    """A pair beside its row: 'a − b', with the names in a line each where one is long."""
    return f"{a} −\n{b}" if are_long((a, b)) else f"{a} − {b}"


def forest(sheet: Sheet, title: str, two_lines: bool = False) -> Any:
    """The definition: the difference and interval of each pair, its p to the right."""
    axis = alt.Axis(labelLimit=0, labelExpr="split(datum.label, '\\n')", ticks=False, domain=False)
    y = alt.Y("pair:N", sort=in_order_of("place"), title=None, axis=axis)
    ends = alt.Scale(domain=[sheet.value("least"), sheet.value("most")], nice=True)
    x = alt.X("difference:Q", title=title, scale=ends)
    colour = alt.Color("shade:N", scale=None)
    base = alt.Chart(sheet.data("pairs"))
    tips = [alt.Tooltip(f"{name}:N") for name in ("pair", "p")] + [alt.Tooltip("difference:Q", format=".4f")]
    zero = alt.Chart(values_data([{"difference": 0}])).mark_rule(color=RULE).encode(x="difference:Q")
    bars = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2="high:Q", y=y, color=colour)
    dots = base.mark_point(size=70, filled=True, opacity=1).encode(
        x=x, y=y, stroke=colour, fill=alt.Fill("fill:N", scale=None), tooltip=tips
    )
    p_labels = base.mark_text(align="left", fontSize=11, color=RULE, dx=8).encode(
        x=alt.value("width"), y=y, text=alt.Text("label:N")
    )
    return alt.layer(zero, bars, dots, p_labels).properties(height=alt.Step(32 if two_lines else 22))


def _row(place: int, pair: Pair, runs: tuple[str, ...]) -> dict[str, Any]:
    shade = pair_tones(runs, pair.a, pair.b)[pair.better != pair.a] if pair.significant else OPEN
    p = p_text(pair.p_adjusted)
    return {
        "place": place,
        "pair": pair_text(pair.a, pair.b),
        "difference": pair.difference,
        "low": pair.low if pair.has_interval else None,
        "high": pair.high if pair.has_interval else None,
        "p": p,
        "label": f"p {p}{pair.stars}" if p.startswith("<") else f"p = {p}{pair.stars}",
        "shade": shade,
        "fill": shade if pair.significant else PAPER,
    }


def topics_chart(comparison: Comparison, a: str | None = None, b: str | None = None, width: int = 520) -> Any:
    """A bar for each topic: the difference of two runs, largest gain first; one panel per measure."""
    refuse_unpaired(comparison)
    a, b = two_runs(comparison.families[0].runs, a, b)
    panels = [_topics(family, a, b, width) for family in comparison.families]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=1)
    unit = comparison.families[0].unit
    return finished(chart, [f"{a} less {b}, {unit} by {unit}; the dashed line is the mean difference."])


def refuse_unpaired(comparison: Comparison) -> None:
    """Refuse systems that were scored on different sessions."""
    if comparison.test == "welch":
        unit = comparison.families[0].unit
        what = f"the systems were scored on different {unit}s, so there is no difference {unit} by {unit}"
        raise ChoiceError(Problem("test-not-possible", what, hint="draw the means with their intervals: forest_chart"))


def two_runs(runs: tuple[str, ...], a: str | None, b: str | None) -> tuple[str, str]:
    """The two runs asked for, or the only two there are."""
    if a is None or b is None:
        if len(runs) != 2:
            what = "the differences of which two runs? there are more than two"
            raise ChoiceError(Problem("run-unknown", what, hint="name them: --pair RUN RUN"))
        a, b = runs
    for name in (a, b):
        if name not in runs:
            raise ChoiceError(Problem("run-unknown", f"there is no run {name!r}", hint=f"runs: {', '.join(runs)}"))
    return a, b


def _topics(family: Family, a: str, b: str, width: int) -> Any:
    sheet = topics_sheet(family, a, b)
    names = [f"({a} less {b})"]
    if are_long((a, b)):
        short_a, short_b = short_names((a, b), LONGEST_NAME)
        names = [short_a, f"less {short_b}"]
    title = [f"difference in {family.measure}", *names]
    chart = topic_bars(sheet, len(family.topics), counted(len(family.topics), family.unit), title)
    return chart.properties(width=width, height=BARS)


def topics_sheet(family: Family, a: str, b: str) -> Sheet:
    """A row for each topic, largest gain of `a` first, and the mean difference."""
    gaps = family.topic_differences(a, b)
    sides = kinds_of_topics(family.runs, a, b)
    names = sides["first"], sides["second"]
    rows: Rows = [
        {"place": i, "topic": topic, "difference": gap, "ahead": names[(gap > 0) != family.higher_is_better]}
        for i, (topic, gap) in enumerate(gaps)
    ]
    mean = sum(gap for _, gap in gaps) / len(gaps)
    return Sheet({"topics": rows, "mean": [{"difference": mean}]}, sides)


def kinds_of_topics(runs: tuple[str, ...], a: str, b: str) -> dict[str, str]:
    """The names of the topics on which each run is better, and their colours, which are those of the runs."""
    first, second = pair_tones(runs, a, b)
    return {"first": f"{a} better", "second": f"{b} better", "first_tone": first, "second_tone": second}


def topic_bars(sheet: Sheet, count: int, across: str, up: str | list[str] | None) -> Any:
    """The definition: a bar for each topic in the order of the rows, named where there are not too many.

    On a page the whole column of a topic can be pointed at, however small its bar, and the chosen one is marked.
    """
    few = count <= MOST_TOPICS
    axis = alt.Axis(
        labels=few, ticks=few, labelAngle=-90, labelLimit=0, labelExpr=ENDS, labelOverlap=sheet.on_page, grid=False
    )
    touching: dict[str, Any] = {} if few or not sheet.on_page else {"scale": alt.Scale(paddingInner=0)}
    x = alt.X("topic:N", sort=in_order_of("place"), title=across, axis=axis, **touching)
    y = alt.Y("difference:Q", title=up)
    sides = ("first", "second")
    scale = alt.Scale(domain=[*map(sheet.value, sides)], range=[sheet.value(f"{side}_tone") for side in sides])
    legend = alt.Legend(title=None, orient="top", labelLimit=0, **sheet.wrapped)
    base = alt.Chart(sheet.data("topics"))
    tips = [alt.Tooltip("topic:N"), alt.Tooltip("difference:Q", format=".4f")]
    bars = base.mark_bar().encode(x=x, y=y, color=alt.Color("ahead:N", scale=scale, legend=legend), tooltip=tips)
    rule = alt.Chart(sheet.data("mean")).mark_rule(strokeDash=[4, 3], color=RULE, strokeWidth=1.2).encode(y=y)
    layers = [bars, rule]
    if sheet.on_page:
        columns = base.mark_bar(color=INK, cursor="pointer").encode(
            x=x,
            y=alt.value(0),
            y2=alt.value("height"),
            opacity=alt.condition("datum.chosen", alt.value(0.15), alt.value(0.0)),
            tooltip=tips,
        )
        mean_label = alt.Chart(sheet.data("mean")).mark_text(text="mean", align="left", dx=4, fontSize=11, color=RULE)
        layers += [mean_label.encode(x=alt.value("width"), y=y), columns]
    return alt.layer(*layers)
