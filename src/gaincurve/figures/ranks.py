"""The critical-difference diagram (Demšar 2006): mean ranks, and bars over systems that do not differ significantly.

It is drawn only for Nemenyi's test, which has one critical value for all pairs; for other tests bars of one length
would be wrong.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import altair as alt

from gaincurve.errors import ChoiceError, Problem
from gaincurve.figures.colours import CAPTION, RULE
from gaincurve.figures.style import finished, values_data
from gaincurve.model.comparison import Comparison, Family

ROW, BAR = 18, 9


def ranks_chart(comparison: Comparison, width: int = 460) -> Any:
    """One diagram per measure; rank 1 is the best and is on the right."""
    if comparison.post_hoc != "nemenyi":
        what = "a critical-difference diagram needs one critical value for all pairs"
        raise ChoiceError(Problem("test-not-possible", what, hint="use --test friedman --post-hoc nemenyi"))
    panels = [_diagram(family, width) for family in comparison.families]
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=1)
    return finished(
        chart, [*comparison.methods(), "Runs under one bar do not differ significantly.", *_critical(comparison)]
    )


def _critical(comparison: Comparison) -> list[str]:
    return [
        f"{family.measure}: critical difference of mean ranks {family.critical:.2f}." for family in comparison.families
    ]


def _diagram(family: Family, width: int) -> Any:
    count = len(family.runs)
    worst_first = family.mean_ranks if family.higher_is_better else [count + 1 - rank for rank in family.mean_ranks]
    ranks = {run: count + 1 - rank for run, rank in zip(family.runs, worst_first, strict=True)}
    order = sorted(ranks, key=lambda run: (ranks[run], run))
    bars = _bars([ranks[run] for run in order], family.critical)
    top = 14 + BAR * len(bars) + 10
    height = top + ROW * math.ceil(count / 2) + 6
    scale = alt.Scale(domain=[1, count], reverse=True, nice=False)
    axis = alt.Axis(orient="top", values=list(range(1, count + 1)), format="d", grid=False)
    x = alt.X("rank:Q", title="mean rank (1 is best)", scale=scale, axis=axis)
    level = alt.Scale(domain=[height, 0], nice=False)
    bar_rows = [
        {"rank": best, "to": worst, "y": 8 + BAR * (i + 1), "y2": 8 + BAR * (i + 1)}
        for i, (best, worst) in enumerate(bars)
    ]
    stems, arms, names = [], [], []
    for place, run in enumerate(order):
        right = place < math.ceil(count / 2)
        row = place if right else count - 1 - place
        y = top + ROW * row
        stems.append({"rank": ranks[run], "y": 0, "y2": y})
        arms.append({"rank": ranks[run], "to": 1 if right else count, "y": y})
        names.append({"side": "left" if right else "right", "rank": 1 if right else count, "y": y,
                      "text": f"{run}  {ranks[run]:.2f}"})  # fmt: skip

    def y_of(name: str) -> Any:
        return alt.Y(f"{name}:Q", scale=level, axis=None)

    layers = [
        alt.Chart(values_data(stems)).mark_rule(color=CAPTION).encode(x=x, y=y_of("y"), y2="y2:Q"),
        alt.Chart(values_data(arms)).mark_rule(color=CAPTION).encode(x=x, x2="to:Q", y=y_of("y")),
        alt.Chart(values_data(bar_rows)).mark_rule(strokeWidth=5, color=RULE).encode(x=x, x2="to:Q", y=y_of("y")),
    ]
    sides: tuple[tuple[Literal["left", "right"], int], ...] = (("left", 6), ("right", -6))
    for side, shift in sides:
        shown = [name for name in names if name["side"] == side]
        mark = alt.Chart(values_data(shown)).mark_text(align=side, dx=shift, fontSize=12, limit=0)
        layers.append(mark.encode(x=x, y=y_of("y"), text="text:N"))
    title = alt.TitleParams(family.measure.text, anchor="start", frame="group", fontSize=12)
    diagram = alt.layer(*[layer for layer in layers if layer.data.values])
    return diagram.properties(width=width, height=height, title=title)


def _bars(ranks: list[float], critical: float) -> list[tuple[float, float]]:
    """The longest stretches of adjacent mean ranks within the critical difference, of at least two systems."""
    stretches: list[tuple[int, int]] = []
    for i in range(len(ranks)):
        j = max(j for j in range(i, len(ranks)) if ranks[j] - ranks[i] < critical)
        if j > i and (not stretches or j > stretches[-1][1]):
            stretches.append((i, j))
    return [(ranks[i] - 0.03, ranks[j] + 0.03) for i, j in stretches]
