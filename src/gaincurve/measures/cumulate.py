"""Cumulated gain, actual and ideal: as sums to a cutoff from the sparse rows, and as vectors by rank."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.recall import RecallBase
from gaincurve.model.rows import Floats, add_by, blocks, offsets_of

Divisors = Callable[[int], Floats]
"""The divisor of each rank from 1 to a depth, as `Discount.divisors` gives them."""


def cumulated(run: Graded, gains: Gains, discount: Discount, cutoff: float | None) -> Floats:
    """Σ G[i]/D(i) over the first `cutoff` ranks of each topic, added in rank order."""
    return weighted(run, gains.of_grades(run.grade), discount.divisors, cutoff)


def weighted(run: Graded, weight: Floats, divisors: Divisors, cutoff: float | None) -> Floats:
    """The same sum with a weight for each row instead of its gain."""
    reach = reach_of(run, cutoff)
    if run.spread:
        within = run.first <= reach
        shared = weight[within] * _share(run.first[within], run.last[within], divisors, reach)
        return add_by(run.list[within], shared, run.lists)
    divided_by, sums, offsets = divisors(reach), np.zeros(run.lists), offsets_of(run.list, run.lists)
    for first, last in blocks(offsets):
        rows = slice(offsets[first], offsets[last])
        within = run.rank[rows] <= reach
        topic, rank = run.list[rows][within] - np.int32(first), run.rank[rows][within]
        sums[first:last] = add_by(topic, weight[rows][within] / divided_by[rank - 1], last - first)
    return sums


def reach_of(run: Graded, cutoff: float | None) -> int:
    """The deepest rank of a judged document that counts; at least 1."""
    return int(min(int(run.last.max(initial=1)), cutoff or sys.maxsize))


def _share(first: Ints, last: Ints, divisors: Divisors, reach: int) -> Floats:
    """The mean of 1/D over a tied block, counting only ranks up to `reach`."""
    inverse = 1.0 / divisors(max(reach, int(last.max(initial=1))))
    running = np.concatenate([[0.0], np.cumsum(inverse[:reach])])
    shared = (running[np.minimum(last, reach)] - running[first - 1]) / (last - first + 1)
    return np.where(first == last, inverse[first - 1], shared)


Ranking = tuple[NDArray[np.int32], Ints, Floats]
"""Topic, rank and gain of each document of a list, in (topic, rank) order."""


def ideal_ranking(run: Graded, gains: Gains, ideal: str) -> Ranking:
    """The ideal list: the recall base by gain, highest first."""
    return _ranking(run, _ideal_base(run, ideal), gains, ideal, 0, run.lists)


def _ideal_base(run: Graded, ideal: str) -> RecallBase:
    if ideal == "retrieved":
        return RecallBase.of(run.list, run.grade, run.lists)
    return run.pool if ideal == "pooled" and run.pool is not None else run.recall_base


def _ranking(run: Graded, base: RecallBase, gains: Gains, ideal: str, first: int, last: int) -> Ranking:
    """The ideal of the lists from `first` to before `last`."""
    rows = slice(base.offsets[first], base.offsets[last])
    topic, gain = base.topic[rows], gains.of_grades(base.grade[rows])
    if ((topic[1:] == topic[:-1]) & (gain[1:] > gain[:-1])).any():  # gains need not grow with the grade
        order = np.lexsort((-gain, topic))
        topic, gain = topic[order], gain[order]
    rank = np.arange(rows.start + 1, rows.stop + 1) - base.offsets[topic]
    if ideal == "capped":
        within = rank <= run.retrieved[topic]
        return topic[within], rank[within], gain[within]
    return topic, rank, gain


def ideal_cumulated(run: Graded, gains: Gains, discount: Discount, ideal: str, cutoff: float | None) -> Floats:
    """The same sum for the ideal list, which the cutoff ends unless it is 'uncut'."""
    base, sums = _ideal_base(run, ideal), np.zeros(run.lists)
    deepest = int(np.diff(base.offsets).max(initial=1))
    reach = int(min(deepest, (cutoff if ideal != "uncut" else None) or sys.maxsize))
    divisors = discount.divisors(reach)
    for first, last in blocks(base.offsets):
        topic, rank, gain = _ranking(run, base, gains, ideal, first, last)
        within = rank <= reach if reach < deepest else slice(None)
        weights = gain[within] / divisors[rank[within] - 1]
        sums[first:last] = add_by(topic[within] - np.int32(first), weights, last - first)
    return sums


def vectors(run: Graded, depth: int, gains: Gains, discount: Discount) -> Floats:
    """(D)CG at ranks 1 … depth, one row per topic."""
    return np.cumsum(by_rank(run, gains.of_grades(run.grade), depth) / discount.divisors(depth), axis=1)


def by_rank(run: Graded, gain: Floats, depth: int) -> Floats:
    """The gain at ranks 1 … depth, one row per topic; a tied block whose gains are shared has their mean."""
    matrix = np.zeros((run.lists, depth))
    if run.spread:
        size = run.last - run.first + 1
        reached = np.clip(np.minimum(run.last, depth) - run.first + 1, 0, None)
        row = np.repeat(np.arange(len(size)), reached)
        place = np.arange(len(row)) - np.repeat(np.cumsum(reached) - reached, reached)
        np.add.at(matrix, (run.list[row], run.first[row] - 1 + place), (gain / size)[row])
    else:
        within = run.rank <= depth
        matrix[run.list[within], run.rank[within] - 1] = gain[within]
    return matrix


def ideal_vectors(run: Graded, depth: int, gains: Gains, discount: Discount, ideal: str) -> Floats:
    """Ideal (D)CG at ranks 1 … depth, one row per topic."""
    if ideal == "uncut":
        return np.repeat(ideal_cumulated(run, gains, discount, ideal, None)[:, None], depth, axis=1)
    topic, rank, gain = ideal_ranking(run, gains, ideal)
    within = rank <= depth
    matrix = np.zeros((run.lists, depth))
    matrix[topic[within], rank[within] - 1] = gain[within]
    return np.cumsum(matrix / discount.divisors(depth), axis=1)


def ratio(actual: Floats, ideal: Floats) -> Floats:
    """actual/ideal component by component, nan where there is no ideal."""
    shares: Floats = np.divide(actual, ideal, out=np.full_like(actual, np.nan), where=ideal > 0)
    return shares


def relative(actual: Floats, ideal: Floats, can_gain: Callable[[], NDArray[np.bool_]]) -> Floats:
    """n(D)CG: the share of the ideal; nan only where nothing judged has a gain, which few topics have to be asked.

    An ideal of retrieved documents is 0 where a run finds nothing relevant: that is a score of 0, not an undefined
    topic, or a run would gain by failing.
    """
    shares = ratio(actual, ideal)
    undefined = np.isnan(shares)
    return np.where(undefined & can_gain(), 0.0, shares) if undefined.any() else shares


def mean_over_ranks(matrix: Floats) -> Floats:
    """avg-pos, formula (6): the mean of each row, added in rank order."""
    means: Floats = np.cumsum(matrix, axis=1)[:, -1] / matrix.shape[1]
    return means
