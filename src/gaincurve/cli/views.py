"""Scores as tables: wide for people, tidy (one signed number per row) for programs."""

from __future__ import annotations

import math

from gaincurve.io.render import Bounded, Cell, Table
from gaincurve.model.scores import Scores


def scores_wide(scores: Scores, per_topic: bool) -> Table:
    """Runs × measures; with topics, a row for each topic and the mean below."""
    rows: list[tuple[Cell, ...]] = []
    summary, bounds = scores.summary(), scores.bounds()
    for r, run in enumerate(scores.runs):
        if per_topic:
            for t, topic in enumerate(scores.topics):
                cells = [unit_cell(scores, r, i, t) for i in range(len(scores.measures))]
                rows.append((run, topic, *cells))
        means = [with_ends(summary[run][measure], bounds.get(run, {}).get(measure)) for measure in scores.texts]
        rows.append((run, summary_label(scores), *means) if per_topic else (run, *means))
    columns = ("run", "topic", *scores.texts) if per_topic else ("run", *scores.texts)
    return Table(columns, rows, foot=tuple(map(str, scores.signatures)))


def summary_label(scores: Scores) -> str:
    """The name of the line under the topics: 'mean', or 'all' where some measure has another summary."""
    return "mean" if {measure.summary for measure in scores.measures} <= {"mean"} else "all"


def unit_ends(scores: Scores, r: int, i: int, u: int) -> tuple[float, float] | None:
    """The bounds of one value, where they were asked for."""
    if scores.low is None or scores.high is None:
        return None
    return float(scores.low[r, i, u]), float(scores.high[r, i, u])


def unit_cell(scores: Scores, r: int, i: int, u: int) -> Cell:
    """The value of one topic or session, with its bounds where they were asked for."""
    return with_ends(float(scores.values[r, i, u]), unit_ends(scores, r, i, u))


def with_ends(value: float, ends: tuple[float, float] | None) -> Cell:
    """A value with its bounds, if it has any."""
    if ends is None or math.isnan(value):
        return value
    return Bounded(value, *ends)
