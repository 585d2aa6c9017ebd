"""Curves over the concatenated results of sessions, last queries against the others, positions, lengths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.grid import Grid, SessionGains, ratio
from gaincurve.measures.sessions import normalised, own_scores
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats

MOST_CELLS = 20_000_000
"""The most points of single sessions that are stored: they are drawn or printed, and neither can take more."""


@dataclass(frozen=True, eq=False)
class SessionLine:
    """One line over the concatenated ranks 1 … queries · depth: the mean of some sessions of a run.

    At each place `defined` sessions enter the mean and spread around it by the standard `deviation`, nan for fewer than
    two and for a ratio of means. `going[q]` sessions had at least q+1 queries; `ideal` is the mean ideal line beside
    it. Only sessions of `at_least` so many queries enter.
    """

    run: str
    label: str
    values: Floats
    ideal: Floats
    sessions: int
    going: Ints
    deviation: Floats
    defined: Floats
    at_least: int = 1


class _Spread:
    """The standard deviation of values that arrive in groups, at many places: Chan, Golub & LeVeque's updates."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.count, self.mean, self.squares = (np.zeros(shape) for _ in range(3))

    def add(self, q: int, cells: Floats, defined: NDArray[np.bool_]) -> None:
        """Sessions × ranks of query `q`, those that are defined."""
        count = defined.sum(axis=0).astype(np.float64)
        mean = np.divide(np.where(defined, cells, 0.0).sum(axis=0), np.maximum(count, 1))
        squares = np.where(defined, (cells - mean) ** 2, 0.0).sum(axis=0)
        both = self.count[q] + count
        apart = mean - self.mean[q]
        share = np.divide(count, np.maximum(both, 1))
        self.squares[q] += squares + apart**2 * self.count[q] * share
        self.mean[q] += apart * share
        self.count[q] = both

    @property
    def deviation(self) -> Floats:
        """The standard deviation at each place, nan for fewer than two values."""
        return np.where(self.count > 1, np.sqrt(self.squares / np.maximum(self.count - 1, 1)), np.nan)


def mean_line(
    run: str, label: str, gained: SessionGains, counted: NDArray[np.bool_], queries: int, relative: bool
) -> SessionLine:
    """The mean line of the sessions that count, each held at its last value after it stopped.

    Where the ideal has gained nothing a session has no value, or 0 with the rule empty='zero'.
    """
    depth = gained.choices.depth
    total, known, best, best_known = (np.zeros((queries, depth)) for _ in range(4))
    rules = gained.choices.rules
    pooled = relative and rules.average == "ratio-of-means" and rules.normalise == "concat"
    spread = _Spread((queries, depth))
    for grid in gained.grids():
        inside = counted[grid.start : grid.stop]
        values = _line(grid, relative and not pooled)
        without = 0.0 if not relative or pooled else _nothing(grid)
        _add(grid, values, inside, total, known, without, None if pooled else spread)
        _add(grid, grid.cumulated(grid.own(grid.ideal())), inside, best, best_known, 0.0)
    ideal = ratio(best, best_known)
    mean = ratio(total, known)
    line = ratio(mean, ideal) if pooled else mean
    lengths = gained.lengths[counted]
    going = np.array([np.count_nonzero(lengths > q) for q in range(queries)])
    return SessionLine(
        run=run,
        label=label,
        values=line.ravel(),
        ideal=(np.ones_like(ideal) if relative else ideal).ravel(),
        sessions=int(counted.sum()),
        going=going,
        deviation=spread.deviation.ravel(),
        defined=known.ravel(),
    )


def _line(grid: Grid, relative: bool) -> Floats:
    """sDCG or nsDCG at every cell, under the rule for where nothing can be gained."""
    if not relative:
        return grid.cumulated(grid.own(grid.gain))
    values = normalised(grid)[0]
    return np.nan_to_num(values, nan=0.0) if grid.choices.rules.empty == "zero" else values


def _nothing(grid: Grid) -> float:
    """The nsDCG of a session of which no query counts."""
    return 0.0 if grid.choices.rules.empty == "zero" else float("nan")


def _add(
    grid: Grid,
    values: Floats,
    inside: NDArray[np.bool_],
    total: Floats,
    known: Floats,
    without: float,
    spread: _Spread | None = None,
) -> None:
    """Add the sessions of a grid at every place, the last value held where a session has stopped."""
    for q, cells in enumerate(_held(grid, values, len(total), without)):
        defined = inside[:, None] & ~np.isnan(cells)
        total[q] += np.where(defined, cells, 0.0).sum(axis=0)
        known[q] += defined.sum(axis=0)
        if spread is not None:
            spread.add(q, cells, defined)


def _held(grid: Grid, values: Floats, queries: int, without: float) -> Iterator[Floats]:
    """For each query position the values of all sessions of the grid; `without` stands for one without queries."""
    sizes = np.diff(grid.offsets)
    last = np.full(grid.sessions, without)
    for q in range(queries):
        there = np.flatnonzero(sizes > q)
        cells = np.repeat(last[:, None], grid.choices.depth, axis=1)
        cells[there] = values[grid.offsets[:-1][there] + q]
        last = cells[:, -1]
        yield cells


def session_lines(gained: SessionGains, queries: int, relative: bool) -> Floats:
    """Every session's own line, held after it stopped: sessions × concatenated ranks."""
    if gained.sessions * queries * gained.choices.depth > MOST_CELLS:
        what = (
            f"{gained.sessions} sessions × {queries} queries × {gained.choices.depth} ranks are too many lines to keep"
        )
        raise ChoiceError(Problem("session-choices", what, hint="choose one --topic, or a smaller --depth"))
    lines = np.zeros((gained.sessions, queries * gained.choices.depth))
    for grid in gained.grids():
        held = _held(grid, _line(grid, relative), queries, _nothing(grid) if relative else 0.0)
        lines[grid.start : grid.stop] = np.concatenate(list(held), axis=1)
    return lines


@dataclass(frozen=True, eq=False)
class LastQueries:
    """Figure 1 of the 2008 paper: mean c(q)·DCG_q by rank, of the last query and of those before it."""

    run: str
    last: Floats
    others: Floats
    sessions: int
    other_queries: int


def last_queries(run: str, gained: SessionGains, counted: NDArray[np.bool_]) -> LastQueries:
    """Last queries against the others; a session of one query has only a last one."""
    depth = gained.choices.depth
    sums = np.zeros((2, depth))
    counts = np.zeros(2, dtype=np.int64)
    for grid in gained.grids():
        weighed = grid.query_weight[:, None] * grid.own(grid.gain)
        used = grid.issued & grid.entering & counted[grid.start : grid.stop][grid.session]
        is_last = grid.position == grid.lengths[grid.session]
        for i, chosen in enumerate((used & is_last, used & ~is_last)):
            sums[i] += weighed[chosen].sum(axis=0)
            counts[i] += np.count_nonzero(chosen)
    means = [ratio(side, np.full(depth, float(count))) for side, count in zip(sums, counts, strict=True)]
    return LastQueries(run, means[0], means[1], int(counts[0]), int(counts[1]))


@dataclass(frozen=True)
class Position:
    """What the q-th queries of all sessions gave.

    Of the `queries` asked, `judged` are on a judged topic; `entering` enter the means of DCG (those judged, or all
    where the others count as 0), and `defined` that of nDCG.
    """

    run: str
    position: int
    queries: int
    judged: int
    entering: int
    defined: int
    dcg: float
    discounted: float
    ndcg: float
    empty: int


def positions(run: str, gained: SessionGains, counted: NDArray[np.bool_], most: int) -> list[Position]:
    """Q1, Q2, …: own DCG, DCG with the query discount, nDCG, and how many returned nothing."""
    sums = np.zeros((7, most))
    for grid in gained.grids():
        used = np.flatnonzero(grid.issued & counted[grid.start : grid.stop][grid.session] & (grid.position <= most))
        place = grid.position[used] - 1
        own, share = own_scores(grid, relative=False)[used], own_scores(grid, relative=True)[used]
        weighed = grid.query_weight[used] * own
        sizes = (np.ones(len(used)), grid.topic[used] >= 0, grid.entering[used], ~np.isnan(share))
        columns = (*sizes, *map(np.nan_to_num, (own, weighed, share)))
        for i, column in enumerate(columns):
            sums[i] += np.bincount(place, weights=column, minlength=most)
    nothing = counted[gained.session] & (gained.listed == 0) & (gained.position <= most)
    empty = np.bincount(gained.position[nothing] - 1, minlength=most)
    means = ratio(sums[4:], sums[[2, 2, 3]])
    return [
        _position(run, q + 1, sums[:4, q].astype(np.int64).tolist(), means[:, q].tolist(), int(empty[q]))
        for q in range(most)
        if sums[0, q]
    ]


def _position(run: str, position: int, counts: list[int], means: list[float], empty: int) -> Position:
    queries, judged, entering, defined = counts
    dcg, discounted, ndcg = means
    return Position(run, position, queries, judged, entering, defined, dcg, discounted, ndcg, empty)


@dataclass(frozen=True)
class Lengths:
    """Table 2 of the 2008 paper: how many sessions had exactly 1, 2, … queries, and the mean."""

    run: str
    sessions: tuple[int, ...]

    @property
    def mean(self) -> float:
        """Queries per session."""
        total = sum(self.sessions)
        return sum(n * count for n, count in enumerate(self.sessions, 1)) / total if total else float("nan")


def lengths(run: str, gained: SessionGains, present: NDArray[np.bool_], most: int) -> Lengths:
    """The distribution of session lengths, from 1 query to `most`."""
    counts = np.bincount(np.clip(gained.lengths[present], 0, most), minlength=most + 1)
    return Lengths(run, tuple(counts[1:].tolist()))
