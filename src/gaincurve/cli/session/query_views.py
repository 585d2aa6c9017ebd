"""What the single queries of sessions gave, as tables: by position, the best one, reformulations; and lengths."""

from __future__ import annotations

import numpy as np

from gaincurve.cli.views import with_ends
from gaincurve.curve.queries import Best
from gaincurve.io.render import Cell, Table
from gaincurve.verbs.sessions.changes import Step
from gaincurve.verbs.sessions.curves import SessionCurves, session_lengths, single_queries


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
    foot = (f"{note}; nDCG: over those with something to gain; {gain}.", single_queries(curves))
    return Table(columns, rows, foot=foot)


def positions_tidy(curves: SessionCurves) -> Table:
    """run, query, asked, judged, empty, measure, over, value, signature: one number a row."""
    measures = (f"DCG@{curves.depth}", f"query gain@{curves.depth}", f"nDCG@{curves.depth}")
    signature = single_queries(curves)
    rows: list[tuple[Cell, ...]] = [
        (row.run, row.position, row.queries, row.judged, row.empty, measure, over, value, signature)
        for row in curves.positions
        for measure, over, value in zip(
            measures, (row.entering, row.entering, row.defined), (row.dcg, row.discounted, row.ndcg), strict=True
        )
    ]
    return Table(("run", "query", "queries", "judged", "empty", "measure", "over", "value", "signature"), rows)


def lengths_wide(curves: SessionCurves) -> Table:
    """Table 2 of the 2008 paper."""
    longest = max((len(system.sessions) for system in curves.lengths), default=0)
    rows: list[tuple[Cell, ...]] = [(system.run, *system.sessions, system.mean) for system in curves.lengths]
    about = "Number of sessions by length in queries, and the mean number of queries per session."
    columns = ("system", *(str(length) for length in range(1, longest + 1)), "mean")
    return Table(columns, rows, foot=(about, session_lengths(curves)), digits=2)


def lengths_tidy(curves: SessionCurves) -> Table:
    """run, queries, sessions, signature."""
    signature = session_lengths(curves)
    return Table(
        ("run", "queries", "sessions", "signature"),
        [
            (system.run, length, count, signature)
            for system in curves.lengths
            for length, count in enumerate(system.sessions, 1)
        ],
    )


_OUTCOMES = ("last", "tied", "earlier", "nothing")


def best_wide(curves: SessionCurves) -> Table:
    """Which query of a session was the best, over the sessions that have several."""
    score = curves.query_score
    columns = ("system", "sessions", "last best", "tied with earlier", "earlier best", "nothing found",
               f"first {score}", f"last {score}", f"best {score}")  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (best.run, best.sessions, *(getattr(best, outcome) for outcome in _OUTCOMES),
         best.first_mean, best.last_mean, best.best_mean)
        for best in curves.best
    ]  # fmt: skip
    left = [f"{best.run}: {text}" for best in curves.best if (text := _left_out(best, curves))]
    about = f"Over sessions of at least two queries, by the {score} of each query."
    without = (f"Sessions left out: {'; '.join(left)}.",) if left else ()
    return Table(columns, rows, foot=(*curves.best_sentences(), about, *without, single_queries(curves)))


def _left_out(best: Best, curves: SessionCurves) -> str:
    """The sessions that have no best query to compare with the last one, and why."""
    why = "not judged or with nothing to find" if curves.normalised else "not judged"
    reasons = [(best.single, "of one query"), (best.unknown, f"whose last query, or all but one, are {why}")]
    return ", ".join(f"{n} {text}" for n, text in reasons if n)


def best_tidy(curves: SessionCurves) -> Table:
    """run, best, sessions, of, signature; then how often Q1, Q2, … was the best, the first one among equals."""
    signature = single_queries(curves)
    rows: list[tuple[Cell, ...]] = []
    for best in curves.best:
        rows += [(best.run, outcome, getattr(best, outcome), best.sessions, signature) for outcome in _OUTCOMES]
        rows += [(best.run, f"Q{q}", count, best.sessions, signature) for q, count in enumerate(best.at, 1)]
    return Table(("run", "best", "sessions", "of", "signature"), rows)


def reformulations_wide(curves: SessionCurves, each: bool) -> Table:
    """The mean change of each step; or every reformulation, from the greatest gain to the greatest loss."""
    score = curves.query_score
    if each:
        ordered = sorted(curves.each_reformulation(), key=lambda row: (row.change != row.change, -row.change))
        rows: list[tuple[Cell, ...]] = [
            (row.run, row.session, row.topic, row.user, f"Q{row.query - 1} → Q{row.query}", row.before, row.after,
             row.change, row.text_before, row.text)
            for row in ordered
        ]  # fmt: skip
        heads = ("system", "session", "topic", "user", "from → to", "before", "after", "change", "from", "to")
        about = f"{score} of each query, before and after it was reformulated; the greatest gain first."
        return Table(heads, rows, foot=(about, single_queries(curves)))
    steps = curves.steps()
    means = [
        (step.run, _step_name(step), step.n, step.gained, step.same, step.lost, step.before, step.after,
         with_ends(step.change, None if np.isnan(step.low) else (step.low, step.high)))
        for step in steps
    ]  # fmt: skip
    columns = ("system", "from → to", "sessions", "gained", "same", "lost", "before", "after", "mean change")
    about = (
        f"{score} of a query against the one before it, with the 95% t interval of the mean change; "
        "'all' counts every reformulation of a session, which are not independent. One by one: -q."
    )
    return Table(columns, list(means), foot=(about, single_queries(curves)))


def _step_name(step: Step) -> str:
    return "all" if step.query is None else f"Q{step.query - 1} → Q{step.query}"


def reformulations_tidy(curves: SessionCurves, each: bool) -> Table:
    """A row for each step, or for each reformulation, signed."""
    signature, score = single_queries(curves), curves.query_score
    if each:
        heads = ("run", "session", "topic", "user", "query", "measure", "before", "after", "change", "text_before",
                 "text", "signature")  # fmt: skip
        rows: list[tuple[Cell, ...]] = [
            (row.run, row.session, row.topic, row.user, row.query, score, row.before, row.after, row.change,
             row.text_before, row.text, signature)
            for row in curves.each_reformulation()
        ]  # fmt: skip
        return Table(heads, rows)
    columns = ("run", "query", "measure", "sessions", "gained", "same", "lost", "before", "after", "change", "low",
               "high", "signature")  # fmt: skip
    rows = [
        (step.run, "all" if step.query is None else str(step.query), score, step.n, step.gained, step.same, step.lost,
         step.before, step.after, step.change, step.low, step.high, signature)
        for step in curves.steps()
    ]  # fmt: skip
    return Table(columns, rows)
