"""What judging brings: relevant documents found by every method, and the ends of a difference as they close."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.figures.colours import COLOURS, MARK, RULE
from gaincurve.figures.curves import HEIGHT, WIDTH, line_rows, lines_by_rank
from gaincurve.figures.sheet import Sheet
from gaincurve.figures.style import finished, values_data
from gaincurve.model.rows import Floats
from gaincurve.model.source import grouped
from gaincurve.verbs.deciding.closing import Path

MOST_PAIRS = 12
"""More panels than this show nothing."""
JUDGED = "documents judged"
COUNTS = alt.Axis(tickMinStep=1, tickCount=6, format=",d")
MARKED = [
    "Every value the mean difference can still take once so many documents are judged, the most decisive first.",
    "Dashed: what is judged so far; right of it, if every document gets the gain that the model expects.",
]


def replay_chart(curves: Mapping[str, tuple[Floats, int]], width: int = WIDTH + 120, height: int = HEIGHT) -> Any:
    """Relevant documents found against documents judged of each topic, a line for each method of `replay_curves`."""
    longest = max(len(relevant) for relevant, _ in curves.values())
    lines = [np.append(relevant, np.repeat(relevant[-1:], longest - len(relevant))) for relevant, _ in curves.values()]
    top = 1.02 * max(1.0, *(float(line.max(initial=0.0)) for line in lines))
    names = list(curves)
    sheet = Sheet(line_rows(names, lines, top, height), {"last": max(2, longest), "top": top, "shown": names})
    chart = lines_by_rank(sheet, names, "relevant documents found", across=f"{JUDGED} of each topic")
    total = max(total for _, total in curves.values())
    about = f"Answers of judgments that exist; the lists hold {grouped(total)} relevant documents in all."
    return finished(chart.properties(width=width, height=height), about)


def closing_chart(paths: Sequence[Path], measure: str = "", width: int = WIDTH, height: int = HEIGHT) -> Any:
    """A panel for each pair: between which ends its mean difference lies after so many judgments."""
    if len(paths) > MOST_PAIRS:
        what = f"{len(paths)} pairs are too many panels for a figure, which has at most {MOST_PAIRS}"
        raise ChoiceError(Problem("choice-unknown", what, hint="name fewer runs"))
    of = f" in {measure}" if measure else ""
    panels = [_closing(path, of).properties(width=width, height=height) for path in paths]
    return finished(panels[0] if len(panels) == 1 else alt.concat(*panels, columns=2), MARKED)


def _closing(path: Path, of: str) -> Any:
    rows = [
        {"judged": judged, "low": low, "high": high}
        for judged, low, high in zip(path.judged.tolist(), path.low.tolist(), path.high.tolist(), strict=True)
    ]
    last = alt.Scale(domain=[0, max(1, int(path.judged[-1]))], nice=False)
    x = alt.X("judged:Q", title=JUDGED, axis=COUNTS, scale=last)
    title = f"difference{of} ({path.a} less {path.b})"
    y, ends = alt.Y("low:Q", title=title), alt.Tooltip("judged:Q")
    data = alt.Chart(values_data(rows))
    tips = [ends, alt.Tooltip("low:Q", format=".4f"), alt.Tooltip("high:Q", format=".4f")]
    layers = [
        data.mark_area(opacity=0.18, color=COLOURS[0]).encode(x=x, y=y, y2="high:Q", tooltip=tips),
        data.mark_line(strokeWidth=1.4, color=COLOURS[0]).encode(x=x, y=y),
        data.mark_line(strokeWidth=1.4, color=COLOURS[0]).encode(x=x, y=alt.Y("high:Q", title=title)),
        alt.Chart(values_data([{"zero": 0}])).mark_rule(color=RULE).encode(y=alt.Y("zero:Q", title=title)),
        alt.Chart(values_data([{"judged": path.known}])).mark_rule(color=MARK, strokeDash=[4, 3]).encode(x=x),
    ]
    return alt.layer(*layers).properties(title=alt.TitleParams(f"{path.a} – {path.b}", anchor="start", frame="group"))
