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
from gaincurve.model.rows import Floats, add_by, offsets_of

Divisors = Callable[[int], Floats]
"""The divisor of each rank from 1 to a depth, as `Discount.divisors` gives them."""


def cumulated(run: Graded, gains: Gains, discount: Discount, cutoff: float | None) -> Floats:
    """Σ G[i]/D(i) over the first `cutoff` ranks of each topic, added in rank order."""
    return weighted(run, gains.of_grades(run.grade), discount.divisors, cutoff)


def weighted(run: Graded, weight: Floats, divisors: Divisors, cutoff: float | None) -> Floats:
    """The same sum with a weight for each row instead of its gain."""
    reach = reach_of(run, cutoff)
    within = (run.first if run.spread else run.rank) <= reach
    topic, rank, weight = run.list[within], run.rank[within], weight[within]
    if not run.spread:
        return add_by(topic, weight / divisors(reach)[rank - 1], run.lists)
    weight = weight * _share(run.first[within], run.last[within], divisors, reach)
    return add_by(topic, weight, run.lists)


def reach_of(run: Graded, cutoff: float | None) -> int:
    """The deepest rank of a judged document that counts; at least 1."""
    return int(min(int(run.last.max(initial=1)), cutoff or sys.maxsize))


def _share(first: Ints, last: Ints, divisors: Divisors, reach: int) -> Floats:
    """The mean of 1/D over a tied block, counting only ranks up to `reach`."""
    inverse = 1.0 / divisors(max(reach, int(last.max(initial=1))))
    running = np.concatenate([[0.0], np.cumsum(inverse[:reach])])
    shared = (running[np.minimum(last, reach)] - running[first - 1]) / (last - first + 1)
    return np.where(first == last, inverse[first - 1], shared)


def ideal_ranking(run: Graded, gains: Gains, ideal: str) -> tuple[NDArray[np.int32], Ints, Floats]:
    """Topic, rank and gain of the ideal list: the recall base by gain, highest first."""
    base = run.recall_base
    if ideal == "retrieved":
        base = RecallBase.of(run.list, run.grade)
    elif ideal == "pooled" and run.pool is not None:
        base = run.pool
    gain = gains.of_grades(base.grade)
    topic = base.topic
    if ((topic[1:] == topic[:-1]) & (gain[1:] > gain[:-1])).any():  # gains need not grow with the grade
        order = np.lexsort((-gain, topic))
        topic, gain = topic[order], gain[order]
    rank = np.arange(len(topic)) - offsets_of(topic, run.lists)[topic] + 1
    if ideal == "capped":
        within = rank <= run.retrieved[topic]
        return topic[within], rank[within], gain[within]
    return topic, rank, gain


def ideal_cumulated(run: Graded, gains: Gains, discount: Discount, ideal: str, cutoff: float | None) -> Floats:
    """The same sum for the ideal list, which the cutoff ends unless it is 'uncut'."""
    topic, rank, gain = ideal_ranking(run, gains, ideal)
    reach = int(min(int(rank.max(initial=1)), (cutoff if ideal != "uncut" else None) or sys.maxsize))
    within = rank <= reach
    weights = gain[within] / discount.divisors(reach)[rank[within] - 1]
    return add_by(topic[within], weights, run.lists)


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


def relative(actual: Floats, ideal: Floats, can_gain: NDArray[np.bool_]) -> Floats:
    """n(D)CG: the share of the ideal; nan only where nothing judged has a gain.

    An ideal of retrieved documents is 0 where a run finds nothing relevant: that is a score of 0, not an undefined
    topic, or a run would gain by failing.
    """
    shares = ratio(actual, ideal)
    return np.where(np.isnan(shares) & can_gain, 0.0, shares)


def mean_over_ranks(matrix: Floats) -> Floats:
    """avg-pos, formula (6): the mean of each row, added in rank order."""
    means: Floats = np.cumsum(matrix, axis=1)[:, -1] / matrix.shape[1]
    return means
