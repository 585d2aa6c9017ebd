"""The definitions of `gaincurve.figures` with named, empty data sets for the page's scripts to fill.

Whatever the controls change is a data set or a parameter (`gc.feeds` gives both), so each definition is built once.
It is a single view; its width is that of the plot. Names of runs come short (`page.labels`), so no figure cuts them.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from gaincurve.figures import curves, differences, effort, judging, precision_recall, sweep, two_runs
from gaincurve.figures.colours import COLOURS
from gaincurve.figures.sessions.page import session_chart_specs
from gaincurve.figures.sheet import Sheet
from gaincurve.model.graded import IDEAL
from gaincurve.page.facts import gain_curves

Specs = dict[str, dict[str, Any]]


def of_runs(runs: list[str], scale: list[float]) -> Specs:
    """Charts of any number of runs."""
    specs = {f"curve-{name}": _lines([*runs, IDEAL], name) for name in gain_curves()}
    specs["unjudged"] = _lines(runs, *judging.SHARE)
    specs |= {"effort": _effort([*runs, IDEAL]), "recall": _recall(runs), "grades": _grades(scale)}
    return specs


def of_two_runs(runs: list[str], topics: int) -> Specs:
    """Charts that compare runs with each other."""
    return {
        "difference": _difference(),
        "forest": _forest(runs),
        "map": _map(runs),
        "scatter": _scatter(),
        "topics": _topics(topics),
    }


def of_sessions(systems: list[str]) -> Specs:
    """Charts of sessions."""
    return session_chart_specs(systems)


def _lines(names: list[str], title: str, axis: Any = None) -> dict[str, Any]:
    sheet = Sheet.blank(last=100, top=1, shown=names)
    return sheet.page_spec(curves.lines_by_rank(sheet, names, title, axis).properties(height=curves.HEIGHT))


def _effort(names: list[str]) -> dict[str, Any]:
    sheet = Sheet.blank(entries=names, shown=names, most_read=100, most_needed=100, across="")
    up, legend = ["documents needed for the same gain"], ["needed for the gain at the dashed line"]
    return sheet.page_spec(effort.effort_lines(sheet, names, None, up, legend).properties(height=effort.SIZE))


def _recall(runs: list[str]) -> dict[str, Any]:
    sheet = Sheet.blank(shown=runs)
    drawn = precision_recall.recall_lines(sheet, runs)
    return sheet.page_spec(drawn.properties(height=precision_recall.HEIGHT))


def _grades(scale: list[float]) -> dict[str, Any]:
    sheet = Sheet.blank(first=0.5, last=100.5, shown=judging.level_names(scale))
    return sheet.page_spec(judging.stacked_grades(sheet, scale).properties(height=judging.ROWS))


def _tones() -> dict[str, str]:
    """Colours to start from: which runs are compared, and so their colours, is chosen on the page."""
    return {"first_tone": COLOURS[0], "second_tone": COLOURS[1]}


def _difference() -> dict[str, Any]:
    sheet = Sheet.blank(last=100, least=-1, most=1, above="", below="", up="", **_tones())
    drawn = two_runs.difference_line(sheet, None)
    return sheet.page_spec(drawn.properties(height=curves.HEIGHT, title=sheet.up()))


def _map(runs: list[str]) -> dict[str, Any]:
    sheet = Sheet.blank(seen=runs, up="")
    drawn = sweep.sweep_map(sheet, runs, None)
    return sheet.page_spec(drawn.properties(height=alt.Step(sweep.ROW), title=sheet.up(over_names=True)))


def _forest(runs: list[str]) -> dict[str, Any]:
    sheet = Sheet.blank(least=-1, most=1)
    return sheet.page_spec(differences.forest(sheet, "difference of means", differences.are_long(runs)))


def _topics(count: int) -> dict[str, Any]:
    sheet = Sheet.blank(first="", second=" ", up="", **_tones())
    drawn = differences.topic_bars(sheet, count, "topics, from most gained to most lost", None)
    return sheet.page_spec(drawn.properties(height=differences.BARS, title=sheet.up()))


def _scatter() -> dict[str, Any]:
    sheet = Sheet.blank(low=0, high=1, first="", second=" ", across="", up="", **_tones())
    drawn = two_runs.topic_points(sheet, None, None)
    return sheet.page_spec(drawn.properties(height=two_runs.SIZE, title=sheet.up()))
