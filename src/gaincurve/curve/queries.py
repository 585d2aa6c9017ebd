"""What the single queries of sessions gave: which of them was the best, and what each reformulation changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.measures.grid import SessionGains
from gaincurve.measures.sessions import own_scores
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats

DIGITS = 10
"""Two queries are as good as each other where their scores agree to so many decimals."""


def query_scores(gained: SessionGains, relative: bool) -> Floats:
    """DCG@X of every query that counts, or its nDCG@X; nan where it has none."""
    rows = [own_scores(grid, relative)[grid.issued] for grid in gained.grids()]
    scores: Floats = np.concatenate([np.zeros(0), *rows])
    return np.asarray(np.round(scores, DIGITS), dtype=np.float64)


@dataclass(frozen=True)
class Best:
    """Which query of its session was the best, over the `sessions` that have at least two queries with a score.

    In `last` of them the last query was the best alone, in `tied` an earlier one was as good, in `earlier` an earlier
    one was better, and in `nothing` no query found anything. `single` further sessions have one query, and in
    `unknown` the last query, or all but one, has no score. The means are those of the first, last and best query, and
    `at` counts the sessions whose best query, the first one among equals, was Q1, Q2, …
    """

    run: str
    sessions: int
    last: int
    tied: int
    earlier: int
    nothing: int
    single: int
    unknown: int
    first_mean: float
    last_mean: float
    best_mean: float
    at: tuple[int, ...]


def best_queries(run: str, gained: SessionGains, scores: Floats, counted: NDArray[np.bool_], most: int) -> Best:
    """The best query of each session that has several."""
    outcomes = dict.fromkeys(("last", "tied", "earlier", "nothing", "single", "unknown"), 0)
    ends: list[tuple[float, float, float]] = []
    by_place = [0] * most
    for session in np.flatnonzero(counted).tolist():
        own = scores[gained.offsets[session] : gained.offsets[session + 1]]
        known = own[~np.isnan(own)]
        if len(own) < 2:
            outcomes["single"] += len(own)
            continue
        if len(known) < 2 or np.isnan(own[-1]):
            outcomes["unknown"] += 1
            continue
        best = float(known.max())
        ends.append((float(known[0]), float(own[-1]), best))
        ahead = "tied" if (known[:-1] == best).any() else "last"
        outcomes["nothing" if best <= 0 else ahead if own[-1] == best else "earlier"] += 1
        if best > 0:
            by_place[min(int(np.nanargmax(own)), most - 1)] += 1
    means = np.array(ends).mean(axis=0).tolist() if ends else [float("nan")] * 3
    return Best(
        run, len(ends), **outcomes, first_mean=means[0], last_mean=means[1], best_mean=means[2], at=tuple(by_place)
    )


@dataclass(frozen=True, eq=False)
class Reformulations:
    """Every reformulation of a run's sessions: the session, the place of the new query, and both queries' scores.

    `list` is the new query among those that count. A score is nan where a query has none.
    """

    run: str
    session: Ints
    query: Ints
    list: Ints
    before: Floats
    after: Floats

    @property
    def change(self) -> Floats:
        """What each reformulation changed."""
        return self.after - self.before


def reformulations(run: str, gained: SessionGains, scores: Floats, counted: NDArray[np.bool_]) -> Reformulations:
    """Each query but the first of its session, against the one before it."""
    later = np.flatnonzero((gained.position > 1) & counted[gained.session])
    session: Ints = np.asarray(gained.session[later], dtype=np.int64)
    return Reformulations(run, session, gained.position[later], later, scores[later - 1], scores[later])
