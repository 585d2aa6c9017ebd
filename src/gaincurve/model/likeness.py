"""Grades or scores? Whether the numbers beside documents are a judge's or a system's, by what they look like.

Judgments and runs often share their columns: BEIR has `query-id, corpus-id, score` for both. A run read as judgments
gives numbers that mean nothing, so what looks like scores is refused unless the user says that it is meant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem
from gaincurve.model.rows import Floats, Rows, distinct
from gaincurve.model.source import counted, grouped, number_text

LONG = 10
"""A topic with this many rows can show by itself that its values are scores."""

SHORT = 5
"""A topic with this many rows, all of different values, raises a doubt."""

STEPS = 20
"""Values that fall over so many steps from row to row were sorted."""

USUAL = 10
"""The highest grade of usual scales, and more grades than most have."""

MANY = 20
"""More different values than a scale of grades has."""

JUDGES = 6
"""The mean of up to this many whole grades is no fraction of a score."""

SLIDER = 100
"""The highest grade of judges who move a slider."""

_MOSTLY_DISTINCT = 0.9
_MOSTLY_ORDERED = 0.95
_ROUNDING = 0.0050001  # of a mean written with two digits


@dataclass(frozen=True, eq=False)
class Look:
    """What the values given as grades look like: `scores` says why they are scores, `doubtful` that they could be."""

    scores: str = ""
    doubtful: bool = False


def look_of(topic: NDArray[np.int32], values: Floats) -> Look:
    """The look of values in file order; a few whole numbers are grades, unless they count 1, 2, 3, … or fall."""
    scale = distinct(values)
    whole = bool((scale == np.floor(scale)).all())
    if whole and len(scale) >= LONG and _are_ranks(topic, values):
        return Look("in every topic they count the documents: 1, 2, 3, …", doubtful=True)
    if whole and len(scale) < SHORT and scale[-1] <= SLIDER:
        return Look()
    fractions = np.zeros(len(values), dtype=bool) if whole else ~_could_be_means(values)
    fractional = fractions.sum() > len(values) / 2
    doubtful = fractional or _differ(topic, values) or _fall(topic, values, STEPS)
    if len(scale) <= MANY or not (_rows_in_topic(topic) >= LONG).any():
        return Look(doubtful=bool(doubtful))
    if fractional:
        shown = f"{grouped(int(fractions.sum()))} of {counted(len(values), 'value')} are fractions of no common scale"
        return Look(f"{shown}, such as {number_text(float(values[fractions][0]))}", doubtful=True)
    slider = values.min() >= 0 and values.max() <= SLIDER and not fractions.any()
    if _distinct_share(topic, values, LONG) > _MOSTLY_DISTINCT and not (slider and not _ordered(topic, values)):
        return Look(f"within topics nearly all of them differ, {grouped(len(scale))} values in all", doubtful=True)
    return Look(doubtful=bool(doubtful))


def refuse_scores(rows: Rows) -> bool:
    """Refuse judgments whose values are scores; the answer is whether they could be, which the run must decide."""
    look = look_of(rows.topic, rows.values)
    if look.scores:
        what = f"the values of {rows.path} look like scores, not grades: {look.scores}"
        raise InputError(Problem("judgments-scores", what, rows.path))
    return look.doubtful


Given = tuple[NDArray[np.int32], Floats, str]
"""Topic and value of each row, topics together and values in file order; and where they come from."""


def refuse_exchanged(judged: Given, run: Given) -> None:
    """Refuse doubtful judgments beside a run that has their values, or that looks like judgments."""
    (topic, values, path), (run_topic, run_values, run_path) = judged, run
    fractional = (~_could_be_means(values)).sum() > len(values) / 2
    if np.array_equal(np.sort(values), np.sort(run_values)):
        what = f"{path} and {run_path} hold the same values: scores given as judgments"
        raise InputError(Problem("judgments-scores", what, f"{path} and {run_path}"))
    scale = distinct(run_values)
    if len(scale) > MANY or (scale != np.floor(scale)).any():
        return  # the run has scores
    tied = _distinct_share(run_topic, run_values, 2) <= _MOSTLY_DISTINCT
    fewer = len(scale) < len(distinct(values))
    falling = _fall(topic, values, STEPS) and not _fall(run_topic, run_values)
    if fractional or (tied and ((fewer and _differ(topic, values)) or falling)):
        what = f"{path} holds what look like scores, and {run_path} whole grades from {number_text(float(scale[0]))}"
        what += f" to {number_text(float(scale[-1]))}: judgments and run seem to be exchanged"
        raise InputError(Problem("judgments-scores", what, f"{path} and {run_path}"))


def _rows_in_topic(topic: NDArray[np.int32]) -> NDArray[np.int64]:
    """For each row the number of rows of its topic."""
    return np.bincount(topic)[topic]


def _could_be_means(values: Floats) -> NDArray[np.bool_]:
    """Which values are the mean of a few whole grades, perhaps rounded to two digits."""
    rest = values - np.floor(values)
    fits: NDArray[np.bool_] = rest == 0
    for judges in range(2, JUDGES + 1):
        fits |= np.abs(rest - np.round(rest * judges) / judges) <= _ROUNDING
    return fits


def _distinct_share(topic: NDArray[np.int32], values: Floats, least: int) -> float:
    """The share of a topic's values that differ, at most, over all topics of at least so many rows; 0 without any."""
    rows = _rows_in_topic(topic) >= least
    topic, values = topic[rows], values[rows]
    if not len(values):
        return 0.0
    most = len(distinct(values)) * np.count_nonzero(np.bincount(topic)) / len(values)
    if most <= _MOSTLY_DISTINCT:
        return most  # no need to look: a scale of few grades repeats itself
    order = np.lexsort((values, topic))
    topic, values = topic[order], values[order]
    return float(1 + ((np.diff(topic) != 0) | (np.diff(values) != 0)).sum()) / len(values)


def _are_ranks(topic: NDArray[np.int32], values: Floats) -> bool:
    """Whether every topic of some length numbers its documents from 0 or 1 on."""
    rows = _rows_in_topic(topic) >= LONG
    return bool(rows.any()) and not len(out_of_rank(topic[rows], values[rows]))


def out_of_rank(topic: NDArray[np.int32], values: Floats) -> NDArray[np.int64]:
    """The first row of each topic whose values are not 0, 1, 2, … or 1, 2, 3, …, each once."""
    if not len(values):
        return np.zeros(0, dtype=np.int64)
    order = np.lexsort((values, topic))
    ordered_topic, ordered = topic[order], values[order]
    begins = np.concatenate([[True], ordered_topic[1:] != ordered_topic[:-1]])
    start = np.flatnonzero(begins)
    first = ordered[start]
    nth = np.arange(len(order)) - np.repeat(start, np.diff([*start, len(order)]))
    expected = np.repeat(np.where(first == 0, 0.0, 1.0), np.diff([*start, len(order)])) + nth
    wrong = np.flatnonzero(ordered != expected)
    first_of_topic = np.concatenate([[True], ordered_topic[wrong][1:] != ordered_topic[wrong][:-1]])[: len(wrong)]
    return np.sort(order[wrong[first_of_topic]])


def _differ(topic: NDArray[np.int32], values: Floats) -> bool:
    """Whether nearly all values of a topic differ, beyond a usual scale of grades, which one topic may use up."""
    beyond = values.max() > USUAL or len(distinct(values)) > USUAL
    return bool(beyond) and _distinct_share(topic, values, SHORT) > _MOSTLY_DISTINCT


def _fall(topic: NDArray[np.int32], values: Floats, least: int = 1) -> bool:
    """Whether the values of topics fall from row to row, nearly always, as a run's do; over so many steps at least."""
    steps = _steps(topic, values, 2)
    return len(steps) >= least and bool((steps < 0).any()) and float((steps <= 0).mean()) >= _MOSTLY_ORDERED


def _ordered(topic: NDArray[np.int32], values: Floats) -> bool:
    """Whether the values of long topics fall from row to row, or rise, nearly always."""
    steps = _steps(topic, values, LONG)
    return max(float((steps <= 0).mean()), float((steps >= 0).mean())) >= _MOSTLY_ORDERED


def _steps(topic: NDArray[np.int32], values: Floats, least: int) -> Floats:
    """The differences from row to row within topics of at least so many rows."""
    rows = _rows_in_topic(topic) >= least
    order = np.argsort(topic[rows], kind="stable")
    topic, values = topic[rows][order], values[rows][order]
    steps: Floats = np.diff(values)[np.diff(topic) == 0]
    return steps
