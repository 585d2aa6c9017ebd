"""What reformulations changed: each of them with its session and texts, and the mean of each step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaincurve.curve.queries import Reformulations
from gaincurve.model.graded import Graded
from gaincurve.stats.intervals import t_interval
from gaincurve.stats.rounding import rounded


@dataclass(frozen=True)
class Reformulation:
    """One reformulation: query `query` in place of the one before it, what each gave, and their texts."""

    run: str
    session: str
    topic: str
    user: str
    query: int
    before: float
    after: float
    change: float
    text_before: str
    text: str


@dataclass(frozen=True)
class Step:
    """What the reformulations into query `query` changed, all of them for None: `n` with a score before and after.

    The interval is the 95% t interval of the mean change, nan where they do not differ or are fewer than two.
    """

    run: str
    query: int | None
    n: int
    gained: int
    same: int
    lost: int
    before: float
    after: float
    change: float
    low: float
    high: float


def steps(changes: Reformulations, most: int) -> list[Step]:
    """A step for every query that was reached, and the last one for all reformulations."""
    known = ~np.isnan(changes.change)
    reached = [query for query in range(2, most + 1) if (known & (changes.query == query)).any()]
    by_query = [_step(changes, query, known & (changes.query == query)) for query in reached]
    return [*by_query, _step(changes, None, known)] if by_query else []


def _step(changes: Reformulations, query: int | None, chosen: np.typing.NDArray[np.bool_]) -> Step:
    change = rounded(changes.change[chosen])
    varied = bool(np.ptp(change))
    low, high = t_interval(change) if varied else (float("nan"), float("nan"))
    return Step(
        run=changes.run,
        query=query,
        n=len(change),
        gained=int((change > 0).sum()),
        same=int((change == 0).sum()),
        lost=int((change < 0).sum()),
        before=float(changes.before[chosen].mean()),
        after=float(changes.after[chosen].mean()),
        change=float(change.mean()),
        low=low,
        high=high,
    )


def each_reformulation(changes: Reformulations, run: Graded, skips_empty: bool) -> list[Reformulation]:
    """Every reformulation with what the log knows of it, in the order of sessions."""
    units = run.units
    counts = np.flatnonzero(run.retrieved > 0) if skips_empty else np.arange(run.lists)
    names = units.names
    reformulations = []
    for i, (session, row) in enumerate(zip(changes.session.tolist(), changes.list.tolist(), strict=True)):
        now, before = int(counts[row]), int(counts[row - 1])
        topic = int(units.topic[now])
        user = -1 if units.user is None else int(units.user[session])
        reformulations.append(
            Reformulation(
                run=changes.run,
                session=names[session],
                topic=units.topics[topic] if topic >= 0 else "",
                user=units.users[user] if user >= 0 else "",
                query=int(changes.query[i]),
                before=float(changes.before[i]),
                after=float(changes.after[i]),
                change=float(changes.change[i]),
                text_before=units.texts[before] if units.texts else "",
                text=units.texts[now] if units.texts else "",
            )
        )
    return reformulations
