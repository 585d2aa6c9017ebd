"""Sessions as tables: wide for people, tidy (one signed number per row) for programs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaincurve.cli.views import summary_label, unit_cell, with_ends
from gaincurve.io.render import Cell, Table
from gaincurve.model.graded import IDEAL
from gaincurve.model.scores import Scores
from gaincurve.model.source import number_text
from gaincurve.verbs.sessions.curves import SessionCurves, single_queries
from gaincurve.verbs.sessions.explain import SessionExplanation

SHOWN: dict[str, str] = {
    "scores": "a number per system (the default)",
    "curve": "the mean over the concatenated ranks, query by query",
    "sessions": "every session's own curve",
    "last": "last queries against the others, by rank",
    "positions": "first, second, … queries",
    "lengths": "how many sessions had 1, 2, … queries",
    "best": "in how many sessions the last query was the best",
    "reformulations": "what each new query gained or lost; every one of them with -q",
}
MOST_COLUMNS = 15


def scores_wide(scores: Scores, per_session: bool) -> Table:
    """Systems × measures; with sessions or groups, a row for each and the mean below."""
    summary, bounds = scores.summary(), scores.bounds()
    rows: list[tuple[Cell, ...]] = []
    for r, run in enumerate(scores.runs):
        if per_session:
            for s, about in scores.facts(r):
                cells = [unit_cell(scores, r, i, s) for i in range(len(scores.measures))]
                rows.append((run, scores.topics[s], *map(_text, (about["topic"], about.get("user"))),
                             _whole(about["queries"]), *cells))  # fmt: skip
        elif scores.groups is not None:
            rows += [(run, group, *row.values()) for group, row in scores.groups[run].items()]
        means = [with_ends(value, bounds.get(run, {}).get(measure)) for measure, value in summary[run].items()]
        name = summary_label(scores)
        label: tuple[Cell, ...] = (name, "", "", None) if per_session else (name,) if scores.groups else ()
        rows.append((run, *label, *means))
    heads = ("session", "topic", "user", "queries") if per_session else (scores.by,) if scores.groups else ()
    return Table(("system", *heads, *scores.texts), rows, foot=tuple(map(str, scores.signatures)))


def _text(value: object) -> Cell:
    return "" if value is None else str(value)


def _whole(value: object) -> Cell:
    return value if isinstance(value, int) else None


def curve_wide(every: Sequence[SessionCurves]) -> Table:
    """The mean at the end of each query with its interval, and how many sessions asked that query."""
    longest = max(every, key=lambda curves: curves.queries)
    lines = [
        (f"{line.label}, {curves.measure}" if len(every) > 1 else line.label, curves, line, curves.interval(line))
        for curves in every
        for line in curves.lines
    ]
    rows: list[tuple[Cell, ...]] = []
    for q in range(longest.queries):
        values: list[Cell] = []
        for _, curves, line, (low, high) in lines:
            end = (min(q + 1, curves.queries)) * curves.depth - 1  # held after its last query
            ends = None if np.isnan(low[end]) else (float(low[end]), float(high[end]))
            values.append(with_ends(float(line.values[end]), ends))
        ideals = [
            float(curves.lines[0].ideal[(min(q + 1, curves.queries)) * curves.depth - 1])
            for curves in every
            if not curves.normalised
        ]
        rows.append((f"Q{q + 1}", *values, *ideals, *(int(line.going[q]) for line in longest.lines)))
    ideal = [f"{IDEAL}, {curves.measure}" if len(every) > 1 else IDEAL for curves in every if not curves.normalised]
    counts = [f"{line.label}: sessions" for line in longest.lines]
    note = (
        f"{', '.join(curves.measure.text for curves in every)} after each query, held where a session has stopped, "
        "with its 95% t interval over sessions, taken as independent; how many sessions asked the query. All ranks: "
        "-f tsv, csv or json."
    )
    columns = ("after", *(label for label, *_ in lines), *ideal, *counts)
    return Table(columns, rows, foot=(note, *(str(curves.signature) for curves in every)))


def singles_wide(curves: SessionCurves) -> Table:
    """Every session at the end of each of its queries."""
    shown = min(curves.queries, MOST_COLUMNS)
    rows: list[tuple[Cell, ...]] = []
    for single in curves.singles:
        for name, values, end in zip(single.sessions, single.values, single.ends.tolist(), strict=True):
            ends = [float(values[(q + 1) * curves.depth - 1]) if q < end else None for q in range(shown)]
            rows.append((single.run, name, end, *ends))
    columns = ("system", "session", "queries", *(f"Q{q + 1}" for q in range(shown)))
    return Table(columns, rows, foot=(str(curves.signature),))


def singles_tidy(curves: SessionCurves) -> Table:
    """run, session, query, rank, value, signature; up to the session's own end."""
    return Table(
        ("run", "session", "query", "rank", "value", "signature"),
        [
            (single.run, name, i // curves.depth + 1, i % curves.depth + 1, value, str(curves.signature))
            for single in curves.singles
            for name, values, end in zip(single.sessions, single.values, single.ends.tolist(), strict=True)
            for i, value in enumerate(values[: end * curves.depth].tolist())
        ],
    )


def last_wide(curves: SessionCurves) -> Table:
    """Mean discounted gain by rank: last queries and the others."""
    sides = [
        (system.run, side, values)
        for system in curves.last
        for side, values in (("last", system.last), ("others", system.others))
    ]
    rows: list[tuple[Cell, ...]] = [(r + 1, *(float(values[r]) for _, _, values in sides)) for r in range(curves.depth)]
    counts = "; ".join(
        f"{system.run}: {system.sessions} last and {system.other_queries} other queries" for system in curves.last
    )
    note = f"Mean session-based discounted query gain by rank. {counts}."
    return Table(("rank", *(f"{run}, {side}" for run, side, _ in sides)), rows, foot=(note, single_queries(curves)))


def last_tidy(curves: SessionCurves) -> Table:
    """run, queries, rank, value, signature."""
    return Table(
        ("run", "queries", "rank", "value", "signature"),
        [
            (system.run, side, rank, value, single_queries(curves))
            for system in curves.last
            for side, values in (("last", system.last), ("others", system.others))
            for rank, value in enumerate(values.tolist(), 1)
        ],
    )


def steps_table(explanation: SessionExplanation) -> Table:
    """One session, rank by rank: a query's text stands once, and its empty ranks in one line."""
    rows: list[tuple[Cell, ...]] = []
    last = {step.query: step.rank for step in explanation.steps}
    before = 0
    for step in explanation.steps:
        if step.document is None and 1 < step.rank < last[step.query]:
            before = step.query
            continue
        absent = "unjudged" if step.document is not None else ""
        grade: Cell = absent if step.grade is None else number_text(step.grade)
        text = "" if step.query == before else step.text if step.asked else "(not asked: the horizon)"
        name = "" if step.query == before else f"Q{step.query}"
        before = step.query
        sums = (step.added, step.sum, step.ideal_added, step.ideal_sum, step.value)
        divided = (step.gain, step.rank_divisor, step.query_divisor)
        rows.append((name, text, step.rank, step.document or "", grade, *divided, *sums))
    columns = ("query", "text", "rank", "document", "grade", "gain", "rank divisor", "query divisor", "added", "sum",
               "ideal added", "ideal sum", "nsDCG")  # fmt: skip
    value = "undefined" if explanation.value != explanation.value else f"{explanation.value:.6f}"
    topic = f", topic {explanation.topic}" if explanation.topic is not None else ""
    title = f"session {explanation.session}{topic}, system {explanation.run}: {explanation.measure} = {value}"
    return Table(columns, rows, title=title, foot=(str(explanation.signature),))
