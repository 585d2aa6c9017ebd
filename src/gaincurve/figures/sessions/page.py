"""The definitions of session-curve and session-last for a page."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from gaincurve.figures.colours import BLACK
from gaincurve.figures.sessions.curves import lines_by_place
from gaincurve.figures.sessions.last import both_sides, lines_by_rank
from gaincurve.figures.sessions.parts import HEIGHT, Line, style_of, tone_of
from gaincurve.figures.sheet import Sheet
from gaincurve.model.graded import IDEAL


def session_chart_specs(labels: Sequence[str], runs: Sequence[str] = ()) -> dict[str, dict[str, Any]]:
    """The definitions of session-curve and session-last for a page, whose scripts fill in data sets and values.

    A system with the name of one of the page's `runs` has that run's colour and line style.
    """
    looks = _looks(labels, runs)
    systems = [Line(label, tone_of(i), style_of(i)) for label, i in zip(labels, looks, strict=True)]
    curve_sheet = Sheet.blank(last=10, top=1, ticks=[0, 10], across="", up="")
    curve_chart = lines_by_place(curve_sheet, [*systems, Line(IDEAL, BLACK, [1, 3])], None, None)
    last_sheet = Sheet.blank(last=10, top=1, across="", up="")
    sides = [line for label, i in zip(labels, looks, strict=True) for line in both_sides(label, i)]
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
