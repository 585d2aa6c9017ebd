"""Sessions under random rules against the plain loop: scores, means, curves, last queries and positions.

The page's engine is held against Python elsewhere; here nothing of the other side is ours but the formula.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import session_reference as plain

from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.verbs.sessions.curves import session_curves
from gaincurve.verbs.sessions.evaluate import evaluate_sessions

Gained = dict[str, dict[str, float]]
Sessions = list[list[plain.Query]]
GRADES = (-1, 0, 1, 2, 3)
POOL = [f"d{i}" for i in range(30)]
TOPICS = ("a", "b", "nothing relevant", "not judged")
BASED = ("jk2002", "jarvelin2008", "kanoulas2011")
GAINS: dict[str, tuple[float, ...]] = {
    "identity": (0, 0, 1, 2, 3),
    "exp2": (0, 0, 1, 3, 7),
    "0-1-10-100": (0, 0, 1, 10, 100),
    "binary": (0, 0, 1, 1, 1),
    "1=3,2=1,3=7": (0, 0, 3, 1, 7),
}
"""What each of the grades −1, 0, 1, 2, 3 gains."""


def judged(chance: random.Random) -> dict[str, dict[str, int]]:
    grades = {topic: {d: chance.choice(GRADES) for d in chance.sample(POOL, 15)} for topic in TOPICS[:2]}
    grades["a"] |= dict(zip(POOL, GRADES, strict=False))  # every grade is used
    return {**grades, TOPICS[2]: dict.fromkeys(POOL[:4], 0)}


def recorded(chance: random.Random, scan: str) -> tuple[list[dict[str, Any]], Sessions]:
    """Nine sessions of one system as records, and in the plain loop's words."""
    records: list[dict[str, Any]] = []
    sessions: Sessions = []
    for s in range(9):
        session: list[plain.Query] = []
        for q in range(1, chance.randint(1, 6) + 1):
            ranking = chance.sample(POOL, chance.choice([0, 1, 3, 8, 14]))
            record: dict[str, Any] = {"session": f"s{s}", "query": q, "topic": TOPICS[s % 4], "ranking": ranking}
            read = None
            if chance.random() < 0.6:
                record["depth"] = chance.randint(0, 12)
                read = record["depth"] if scan == "observed" else None
            if ranking and chance.random() < 0.6:
                record["clicks"] = [chance.randint(1, len(ranking)) for _ in range(2)]
                read = max(record["clicks"]) if scan == "clicks" else read
            records.append(record)
            session.append((TOPICS[s % 4], ranking, read))
        sessions.append(session)
    return records, sessions


def drawn_rules(chance: random.Random) -> tuple[plain.Rules, dict[str, Any]]:
    """Rules for the loop, and the same in the package's words."""
    form, query_form = (chance.choice(("none", "rank", "log", *BASED)) for _ in range(2))
    ideal = chance.choice(["repeat", "spread", "bound"])
    rules = plain.Rules(
        form=form,
        b=chance.choice([2, 3, 10, 1.5, math.inf]) if form in BASED else 2,
        query_form=query_form,
        bq=chance.choice([2, 4, 10, 2.7, math.inf]) if query_form in BASED else 2,
        x=chance.randint(1, 12),
        rank_scope=chance.choice(["query", "session"]),
        normalise=chance.choice(["concat", "per_query"]) if ideal == "repeat" else "concat",
        ideal=ideal,
        horizon=chance.choice([0, 0, 3, 8]),
        pad=chance.choice(["x", "none", "min:3"]),
        skip_empty=chance.random() < 0.3,
        repeats=chance.choice(["count", "first"]),
    )
    words: dict[str, Any] = {"discount": rules.form, "query_discount": rules.query_form, "depth": rules.x}
    for form, base, value in (("discount", "base", rules.b), ("query_discount", "bq", rules.bq)):
        if words[form] in BASED:
            words[base] = value
    words |= {part: getattr(rules, part) for part in ("rank_scope", "normalise", "ideal", "pad", "repeats")}
    words |= {"horizon": rules.horizon or "own", "empty_lists": "skip" if rules.skip_empty else "count"}
    words |= {"average": chance.choice(["mean-of-ratios", "ratio-of-means"]), "gains": chance.choice(list(GAINS))}
    return rules, words | {
        "empty": chance.choice(["undefined", "zero"]),
        "scan": chance.choice(["top", "observed", "clicks"]),
    }


def close(found: Any, expected: list[float], what: str) -> None:
    assert np.asarray(found).tolist() == pytest.approx(expected, rel=1e-11, abs=1e-12, nan_ok=True), what


def by_column(lines: list[list[float]]) -> list[float]:
    return [plain.average(list(column)) for column in zip(*lines, strict=True)]


@pytest.mark.parametrize("seed", range(60))
def test_scores_and_curves_are_those_of_the_plain_loop(seed: int) -> None:
    chance = random.Random(seed)
    rules, words = drawn_rules(chance)
    grades = judged(chance)
    worth = dict(zip(GRADES, GAINS[words["gains"]], strict=True))
    gains = {topic: {d: float(worth[g]) for d, g in row.items()} for topic, row in grades.items()}
    systems = [recorded(chance, words["scan"]) for _ in range(2)]
    logs = [sessions_from_records(records, name) for (records, _), name in zip(systems, ("one", "two"), strict=True)]
    found = evaluate_sessions(grades, logs, ["sDCG", "nsDCG"], **words)
    ended, shares = (session_curves(grades, logs, name, **words) for name in ("sDCG", "nsDCG"))
    zero = words["empty"] == "zero"
    pooled = words["average"] == "ratio-of-means" and rules.normalise == "concat"
    for r, (name, (_, sessions)) in enumerate(zip(("one", "two"), systems, strict=True)):
        counted = [session for session in sessions if session[0][0] in gains]
        alone = replace(rules, horizon=0)
        gained = [plain.sdcg(session, gains, alone) for session in counted]
        relative = [plain.nsdcg(session, gains, rules) for session in counted]
        relative = [0.0 if zero and math.isnan(value) else value for value in relative]
        places = [s for s, session in enumerate(sessions) if session[0][0] in gains]
        close(found.scores.values[r, 0, places], gained, "sDCG")
        close(found.scores.values[r, 1, places], relative, "nsDCG")
        assert np.isnan(np.delete(found.scores.values[r], places, axis=1)).all()
        vectors = [Vectors(session, gains, rules, shares.queries, zero) for session in counted]
        mean = (
            sum(v.actual[-1] for v in vectors) / sum(v.ideal[-1] for v in vectors)
            if pooled
            else plain.average(relative)
        )
        close(found.summary()[name]["sDCG"], plain.average(gained), "mean sDCG")  # type: ignore[arg-type]
        close(found.summary()[name]["nsDCG"], mean, "mean nsDCG")  # type: ignore[arg-type]
        alone = replace(alone, ideal="repeat")  # sDCG has no rule for the ideal: beside it stands the best list, again
        own = [Vectors(session, gains, alone, ended.queries, zero) for session in counted]
        close(ended.lines[r].values, by_column([v.actual for v in own]), "curve of sDCG")
        close(ended.lines[r].ideal, by_column([v.ideal for v in own]), "ideal of sDCG")
        line = by_column([v.relative for v in vectors])
        if pooled:
            sides = [by_column(side) for side in ([v.actual for v in vectors], [v.ideal for v in vectors])]
            line = [a / i if i > 0 else math.nan for a, i in zip(*sides, strict=True)]
        close(shares.lines[r].values, line, "curve of nsDCG")
        held_last(ended.last[r], counted, gains, alone)
        held_positions([p for p in ended.positions if p.run == name], counted, gains, alone)


class Vectors:
    """One session's S, I and nsDCG over all places that are drawn."""

    def __init__(self, session: list[plain.Query], gains: Gained, rules: plain.Rules, queries: int, zero: bool) -> None:
        places = plain.cells(session, rules)
        actual = plain.cumulated(places, plain.actual_gains(session, gains, rules))
        ideal = plain.cumulated(places, plain.ideal_gains(session, gains, rules))
        share = plain.nsdcg_vector(session, gains, rules)
        share = [0.0 if zero and math.isnan(value) else value for value in share]
        self.actual, self.ideal = (plain.line(session, side, rules, queries, 0.0) for side in (actual, ideal))
        self.relative = plain.line(session, share, rules, queries, 0.0 if zero else math.nan)


def discounted(session: list[plain.Query], gains: Gained, rules: plain.Rules) -> list[list[float]]:
    """c(q)·DCG_q by rank for every query, held where a list is not read."""
    at = {(q, r): (c, d * gain) for (q, r, _, _, d, c), gain in
          zip(plain.cells(session, rules), plain.actual_gains(session, gains, rules), strict=True)}  # fmt: skip
    found = []
    for q in range(1, len(plain.issued(session, rules)) + 1):
        own, line = 0.0, []
        for r in range(1, rules.x + 1):
            own += at.get((q, r), (0.0, 0.0))[1]
            line.append(own * plain.weight(rules.query_form, rules.bq, q))
        found.append(line)
    return found


def held_last(found: Any, sessions: Sessions, gains: Gained, rules: plain.Rules) -> None:
    queries = [lines for session in sessions if (lines := discounted(session, gains, rules))]
    last, others = [lines[-1] for lines in queries], [line for lines in queries for line in lines[:-1]]
    assert (found.sessions, found.other_queries) == (len(last), len(others))
    for ours, lines in ((found.last, last), (found.others, others)):
        close(ours, by_column(lines) if lines else [math.nan] * rules.x, "last queries")


def held_positions(found: list[Any], sessions: Sessions, gains: Gained, rules: plain.Rules) -> None:
    issued = [plain.issued(session, rules) for session in sessions]
    own, relative = ([plain.own_scores(s, gains, rules, side) for s in sessions] for side in (False, True))
    assert [p.position for p in found] == list(range(1, max(map(len, issued), default=0) + 1))
    for p in found:
        there = [s for s, queries in enumerate(issued) if len(queries) >= p.position]
        q = p.position - 1
        mean = plain.average([own[s][q] for s in there])
        read = [
            (documents, rules.x if depth is None else depth) for s in there for _, documents, depth in [issued[s][q]]
        ]
        assert (p.queries, p.empty) == (len(there), sum(not documents[:depth] for documents, depth in read))
        expected = [mean, mean * plain.weight(rules.query_form, rules.bq, p.position)]
        close([p.dcg, p.discounted, p.ndcg], [*expected, plain.average([relative[s][q] for s in there])], "position")
