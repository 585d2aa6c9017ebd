"""What is at each rank: which grades, and how many documents are unjudged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

import altair as alt
import numpy as np

from gaincurve.figures.colours import HATCH, PAPER, UNJUDGED, grade_tones
from gaincurve.figures.curves import HEIGHT, WIDTH, line_rows, lines_by_rank
from gaincurve.figures.sheet import Rows, Sheet
from gaincurve.figures.style import RANK_AXIS, finished
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats
from gaincurve.model.source import number_text
from gaincurve.verbs.experiment import Experiment

NOT_JUDGED = "unjudged"
MOST_BARS = 100
"""More ranks are drawn in groups of equal size."""
HATCHES = 25
"""Lines from the bottom to the top of the figure where all documents are unjudged."""
PERCENT = alt.Axis(format="%")
ROWS = 190
"""The height of a panel of grades."""


def grades_chart(graded: Experiment | Sequence[Graded], depth: int = 20, width: int = WIDTH) -> Any:
    """One panel per run: at each rank the share of topics that show each grade there, best grades at the bottom.

    Hatched: unjudged documents. Empty: the list has ended.
    """
    panels = []
    for run in _runs(graded):
        panel = stacked_grades(grades_sheet(run, depth), run.scale.tolist())
        title = alt.TitleParams(run.name, anchor="start", frame="group")
        panels.append(panel.properties(width=width, height=ROWS, title=title))
    # concat even a single panel: otherwise the caption replaces the title of the panel
    chart = alt.concat(*panels, columns=2)
    return finished(chart, "Share of topics by the grade at each rank. Hatched: unjudged; empty: the list has ended.")


def grades_by_rank(run: Graded, depth: int) -> Ints:
    """`counts[rank, place]`: topics with each grade of the scale there, with an unjudged document, and without any."""
    scale = run.scale[run.scale >= run.judged_from]
    within = run.judged & (run.rank <= depth)
    counts = np.zeros((depth, len(scale) + 2), dtype=np.int64)
    np.add.at(counts, (run.rank[within] - 1, np.searchsorted(scale, run.grade[within])), 1)
    long_enough = (run.retrieved[:, None] >= np.arange(1, depth + 1)).sum(axis=0)
    counts[:, -2] = long_enough - counts[:, :-2].sum(axis=1)
    counts[:, -1] = run.lists - long_enough
    return counts


def level_names(scale: Sequence[float]) -> list[str]:
    """The legend's names for the documents at a rank, best grade first."""
    return [*(f"grade {number_text(grade)}" for grade in reversed(scale)), NOT_JUDGED]


def grades_sheet(run: Graded, depth: int) -> Sheet:
    """A row for each rank and grade that some topic has there."""
    counts = grades_by_rank(run, depth)
    names = level_names(run.scale[run.scale >= run.judged_from].tolist())
    return Sheet(stacked_rows(counts, names, run.lists), {"first": 0.5, "last": depth + 0.5, "shown": names})


def stacked_rows(counts: Ints, names: list[str], topics: int) -> dict[str, Rows]:
    """Blocks from rank to rank, stacked best grade first, and the lines over the unjudged ones."""
    depth = len(counts)
    step = -(-depth // MOST_BARS)
    bars: Rows = []
    for first in range(1, depth + 1, step):
        last = min(depth, first + step - 1)
        total = counts[first - 1 : last].sum(axis=0)
        by_level = [*total[:-2][::-1].tolist(), int(total[-2])]
        cells = topics * (last - first + 1)
        heights = np.concatenate([[0], np.cumsum(by_level)]) / cells
        span = {"from": first - 0.5, "to": last + 0.5, "ranks": f"{first}" if first == last else f"{first}–{last}"}
        bars += [
            {**span, "low": float(low), "high": float(high), "grade": name, "share": count / cells}
            for name, count, (low, high) in zip(names, by_level, pairwise(heights.tolist()), strict=True)
            if count
        ]
    return {"bars": bars, "hatch": _hatch_lines([bar for bar in bars if bar["grade"] == NOT_JUDGED])}


def _hatch_lines(bars: Rows) -> Rows:
    """Horizontal lines through adjacent blocks, each as long as it stays inside them."""
    rows: Rows = []
    for i in range(HATCHES):
        level = (i + 0.5) / HATCHES
        inside = [bar for bar in bars if bar["low"] < level < bar["high"]]
        ends = [bar["to"] for bar in inside]
        breaks = np.cumsum([0, *(end != bar["from"] for end, bar in zip(ends, inside[1:], strict=False))]).tolist()
        for _, group in groupby(zip(breaks, inside, strict=False), key=lambda pair: pair[0]):
            blocks = [bar for _, bar in group]
            rows.append({"from": blocks[0]["from"], "to": blocks[-1]["to"], "level": level})
    return rows


def stacked_grades(sheet: Sheet, scale: list[float]) -> Any:
    """The definition: blocks by rank, darker for better grades, hatched where unjudged."""
    domain = level_names(scale)
    shade = alt.Scale(domain=domain, range=[*reversed(grade_tones(scale)), UNJUDGED])
    ends = alt.Scale(domain=[sheet.value("first"), sheet.value("last")], nice=False)
    x = alt.X("from:Q", title="rank", scale=ends, axis=RANK_AXIS)
    unit = alt.Scale(domain=[0, 1], nice=False)
    columns: dict[str, Any] = {"columns": alt.ExprRef("max(1, floor(width / 90))")} if sheet.on_page else {}
    side: Any = "bottom" if sheet.on_page else "right"
    legend = alt.Legend(title=None, orient=side, labelLimit=0, values=sheet.value("shown"), **columns)
    blocks = alt.Chart(sheet.data("bars")).mark_rect(stroke=PAPER, strokeWidth=0.5)
    lines = alt.Chart(sheet.data("hatch")).mark_rule(color=HATCH, strokeWidth=1)
    return alt.layer(
        blocks.encode(
            x=x,
            x2="to:Q",
            y=alt.Y("low:Q", title="share of topics", scale=unit, axis=PERCENT),
            y2="high:Q",
            color=alt.Color("grade:N", scale=shade, legend=legend),
            tooltip=[alt.Tooltip("ranks:N"), alt.Tooltip("grade:N"), alt.Tooltip("share:Q", format=".1%")],
        ),
        lines.encode(x=x, x2="to:Q", y=alt.Y("level:Q", title="share of topics", scale=unit, axis=PERCENT)),
    )


def unjudged_chart(
    graded: Experiment | Sequence[Graded], depth: int = 100, width: int = WIDTH, height: int = HEIGHT
) -> Any:
    """By rank: the share of unjudged documents among those read so far, the mean over topics with a list."""
    runs = _runs(graded)
    lines = [unjudged_by_rank(run, depth) for run in runs]
    names = [run.name for run in runs]
    chart = lines_by_rank(unjudged_sheet(names, lines, height), names, *SHARE)
    return finished(chart.properties(width=width, height=height), "Unjudged documents among the first k of each list.")


SHARE = ("unjudged among those read", PERCENT)
"""Title and axis of the figure."""


def unjudged_by_rank(run: Graded, depth: int) -> Floats:
    """The share of unjudged documents among the first k of a list, the mean over topics that have one."""
    judged = np.zeros((run.lists, depth))
    within = run.judged & (run.rank <= depth)
    np.add.at(judged, (run.list[within], run.rank[within] - 1), 1.0)
    listed = run.retrieved > 0
    read = np.minimum(run.retrieved[listed, None], np.arange(1, depth + 1))
    share: Floats = 1.0 - judged.cumsum(axis=1)[listed] / read
    return share.mean(axis=0) if listed.any() else np.full(depth, np.nan)


def unjudged_sheet(names: Sequence[str], lines: Sequence[Floats], height: int = HEIGHT) -> Sheet:
    """Lines, labels and the top of the figure: room for the highest line, at least 0.1."""
    top = min(1.0, max([0.1, *(1.05 * float(np.nanmax(line)) for line in lines if not np.isnan(line).all())]))
    values = {"last": max(2, len(lines[0])), "top": top, "shown": list(names)}
    return Sheet(line_rows(names, lines, top, height), values)


def _runs(graded: Experiment | Sequence[Graded]) -> list[Graded]:
    return list(graded.runs if isinstance(graded, Experiment) else graded)
