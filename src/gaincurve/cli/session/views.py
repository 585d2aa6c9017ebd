"""Sessions as tables: wide for people, tidy (one signed number per row) for programs."""

from __future__ import annotations

import numpy as np

from gaincurve.cli.views import summary_label, unit_cell, with_ends
from gaincurve.io.render import Cell, Table
from gaincurve.model.graded import IDEAL
from gaincurve.model.scores import Scores
from gaincurve.model.source import number_text
from gaincurve.verbs.sessions.curves import SessionCurves
from gaincurve.verbs.sessions.explain import SessionExplanation

SHOWN: dict[str, str] = {
    "scores": "a number per system (the default)",
    "curve": "the mean over the concatenated ranks, query by query",
    "sessions": "every session's own curve",
    "last": "last queries against the others, by rank",
    "positions": "first, second, … queries",
    "lengths": "how many sessions had 1, 2, … queries",
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


def curve_wide(curves: SessionCurves) -> Table:
    """The mean at the end of each query with its interval, and how many sessions asked that query."""
    rows: list[tuple[Cell, ...]] = []
    ends = [curves.interval(line) for line in curves.lines]
    for q in range(curves.queries):
        end = (q + 1) * curves.depth - 1
        going = [int(line.going[q]) for line in curves.lines]
        values = [
            with_ends(float(line.values[end]), None if np.isnan(low[end]) else (float(low[end]), float(high[end])))
            for line, (low, high) in zip(curves.lines, ends, strict=True)
        ]
        rows.append((f"Q{q + 1}", *values, *([] if curves.normalised else [float(curves.lines[0].ideal[end])]), *going))
    labels = [line.label for line in curves.lines]
    ideal = [] if curves.normalised else [IDEAL]
    columns = ("after", *labels, *ideal, *(f"{label}: sessions" for label in labels))
    note = (
        f"{curves.measure} after each query, held where a session has stopped, with its 95% t interval over sessions, "
        "taken as independent; how many sessions asked the query. All ranks: -f tsv, csv or json."
    )
    return Table(columns, rows, foot=(note, str(curves.signature)))


def curve_tidy(curves: SessionCurves) -> Table:
    """run, measure, query, rank, place, value, low, high, sessions (that asked the query), signature."""
    measure, depth = curves.measure.text, curves.depth
    rows: list[tuple[Cell, ...]] = []
    for line in curves.lines:
        signature = str(curves.signature_of(line))
        points = zip(line.values.tolist(), *(end.tolist() for end in curves.interval(line)), strict=True)
        rows += [
            (line.label, measure, i // depth + 1, i % depth + 1, i + 1, *point, int(line.going[i // depth]), signature)
            for i, point in enumerate(points)
        ]
    if not curves.normalised:
        first, signature = curves.lines[0], str(curves.signature_of(curves.lines[0]))
        rows += [
            (IDEAL, measure, i // depth + 1, i % depth + 1, i + 1, value, None, None, None, signature)
            for i, value in enumerate(first.ideal.tolist())
        ]
    columns = ("run", "measure", "query", "rank", "place", "value", "low", "high", "sessions", "signature")
    return Table(columns, rows)


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
    return Table(("rank", *(f"{run}, {side}" for run, side, _ in sides)), rows, foot=(note, _of_queries(curves)))


def last_tidy(curves: SessionCurves) -> Table:
    """run, queries, rank, value, signature."""
    return Table(
        ("run", "queries", "rank", "value", "signature"),
        [
            (system.run, side, rank, value, _of_queries(curves))
            for system in curves.last
            for side, values in (("last", system.last), ("others", system.others))
            for rank, value in enumerate(values.tolist(), 1)
        ],
    )


def positions_wide(curves: SessionCurves) -> Table:
    """What the first, second, … queries gave."""
    rows: list[tuple[Cell, ...]] = [
        (
            row.run,
            f"Q{row.position}",
            row.queries,
            row.judged,
            row.empty,
            row.dcg,
            row.discounted,
            row.defined,
            row.ndcg,
        )
        for row in curves.positions
    ]
    columns = ("system", "query", "sessions", "judged", "empty lists", f"DCG@{curves.depth}", "query gain",
               "nDCG over", f"nDCG@{curves.depth}")  # fmt: skip
    skips = all(row.entering == row.judged for row in curves.positions)
    note = "DCG: means over judged queries" if skips else "DCG: means over all queries, those not judged as 0"
    gain = "query gain: the session-based discounted gain of the query, its DCG over the query discount"
    foot = (f"{note}; nDCG: over those with something to gain; {gain}.", _of_queries(curves))
    return Table(columns, rows, foot=foot)


def positions_tidy(curves: SessionCurves) -> Table:
    """run, query, asked, judged, empty, measure, over, value, signature: one number a row."""
    measures = (f"DCG@{curves.depth}", f"query gain@{curves.depth}", f"nDCG@{curves.depth}")
    signature = _of_queries(curves)
    rows: list[tuple[Cell, ...]] = [
        (row.run, row.position, row.queries, row.judged, row.empty, measure, over, value, signature)
        for row in curves.positions
        for measure, over, value in zip(
            measures, (row.entering, row.entering, row.defined), (row.dcg, row.discounted, row.ndcg), strict=True
        )
    ]
    return Table(("run", "query", "queries", "judged", "empty", "measure", "over", "value", "signature"), rows)


def _of_queries(curves: SessionCurves) -> str:
    """What decided the single queries' numbers: nothing was cumulated over a session or divided by its ideal."""
    parts = curves.signature.without("normalise", "ideal", "horizon", "average", "summary", "at-least")
    return f"single queries  {parts}".replace("  ", "|")


def lengths_wide(curves: SessionCurves) -> Table:
    """Table 2 of the 2008 paper."""
    longest = max((len(system.sessions) for system in curves.lengths), default=0)
    rows: list[tuple[Cell, ...]] = [(system.run, *system.sessions, system.mean) for system in curves.lengths]
    judged = curves.signature.parts.get("queries")
    about = "Number of sessions with exactly so many queries, and queries per session."
    foot = (about, *([f"Judged queries: {judged}."] if judged else []))
    return Table(("system", *(str(length) for length in range(1, longest + 1)), "mean"), rows, foot=foot, digits=2)


def lengths_tidy(curves: SessionCurves) -> Table:
    """run, queries, sessions."""
    return Table(
        ("run", "queries", "sessions"),
        [(system.run, length, count) for system in curves.lengths for length, count in enumerate(system.sessions, 1)],
    )


def steps_table(found: SessionExplanation, for_people: bool) -> Table:
    """One session, rank by rank; people see a query's text once, and its empty ranks in one line."""
    rows: list[tuple[Cell, ...]] = []
    last = {step.query: step.rank for step in found.steps}
    before = 0
    for step in found.steps:
        grade: Cell = None if step.grade is None else number_text(step.grade)
        text = step.text if step.query != before or not for_people else ""
        text = text if step.asked or not for_people or step.query == before else "(not asked: the horizon)"
        name = f"Q{step.query}" if step.query != before or not for_people else ""
        if for_people:
            if step.document is None and step.rank > 1 and step.rank < last[step.query]:
                continue
            grade = grade if grade is not None else "unjudged" if step.document is not None else ""
        before = step.query
        sums = (step.added, step.sum, step.ideal_added, step.ideal_sum, step.value)
        divided = (step.gain, step.rank_divisor, step.query_divisor)
        rows.append((name, text, step.rank, step.document or "", grade, *divided, *sums))
    columns = ("query", "text", "rank", "document", "grade", "gain", "rank divisor", "query divisor", "added", "sum",
               "ideal added", "ideal sum", "nsDCG")  # fmt: skip
    value = "undefined" if found.value != found.value else f"{found.value:.6f}"
    topic = f", topic {found.topic}" if found.topic is not None else ""
    title = f"session {found.session}{topic}, system {found.run}: {found.measure} = {value}"
    return Table(columns, rows, title=title, foot=(str(found.signature),))
