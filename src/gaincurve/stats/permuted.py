"""Randomised Tukey HSD: how far apart the best and the worst of k alike systems lie by chance.

If systems were alike, each topic's scores could as well stand in any order. Each draw shuffles them within every topic
and records the range of the means; a pair differs if its difference is rarely reached (Carterette 2012, Sakai 2018).
Scores are sorted within a topic before they are shuffled, so neither names nor order of systems can change a bit.
"""

from __future__ import annotations

import math
from itertools import permutations
from typing import NamedTuple

import numpy as np

from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats
from gaincurve.stats.distributions import SMALLEST
from gaincurve.stats.rounding import SLACK, rounded
from gaincurve.stats.signflip import lattice
from gaincurve.stats.signs import chunks, orders, sign_rows, source

DRAWS = 10_000
_MOST_WORK = 100_000_000
"""Lattice points × orders × topics up to which the distribution is counted exactly."""


class Ranges(NamedTuple):
    """The ranges of sums that chance gives, in ascending order with their probabilities; exact if all were counted."""

    sizes: Floats
    chances: Floats
    exact: bool
    draws: int
    slack: float

    def p(self, sums: Floats) -> Floats:
        """The probability of a range of at least each (absolute) difference of two sums."""
        first = np.searchsorted(self.sizes, np.abs(sums) - self.slack, side="left")
        if self.exact:  # what was observed is among what was counted
            first = np.minimum(first, len(self.sizes) - 1)
        tail = np.concatenate([np.cumsum(self.chances[::-1])[::-1], [0.0]])[first]
        if self.exact:
            return np.where(rounded(sums) == 0, 1.0, np.clip(tail, SMALLEST, 1.0))
        return np.where(rounded(sums) == 0, 1.0, (1 + np.rint(tail * self.draws)) / (1 + self.draws))

    def margin(self, alpha: float) -> float:
        """The smallest range that chance reaches with probability alpha at most; inf if there is none."""
        first = np.searchsorted(-self.p(self.sizes), -alpha, side="left")
        return float(self.sizes[first]) if first < len(self.sizes) else math.inf


def randomised_tukey(scores: Floats, draws: int = DRAWS, seed: int = 0) -> Ranges:
    """The null distribution of the range of column sums of a topics × systems matrix.

    Worked: with two systems it is the sign-flip test.
    """
    ordered = np.sort(np.ascontiguousarray(scores), axis=1)
    rows = ordered - ordered.mean(axis=1, keepdims=True)
    slack = SLACK * float(np.abs(rows).sum()) if rows.size else 0.0
    counted = _counted(ordered)
    if counted is not None:
        return Ranges(*counted, exact=True, draws=0, slack=max(slack, 1e-9))
    ranges = np.sort(_of_two_systems(rows, draws, seed) if scores.shape[1] == 2 else _sampled(rows, draws, seed))
    return Ranges(ranges, np.full(draws, 1.0 / draws), exact=False, draws=draws, slack=slack)


def _sampled(rows: Floats, draws: int, seed: int) -> Floats:
    bits = source(seed)
    ranges = []
    for size in chunks(draws):
        sums = np.zeros((size, rows.shape[1]))
        for row in rows:
            sums += row[orders(bits, size, rows.shape[1])]
        ranges.append(sums.max(axis=1) - sums.min(axis=1))
    return np.concatenate(ranges)


def _of_two_systems(rows: Floats, draws: int, seed: int) -> Floats:
    """With two systems an order is a sign: the same signs as those of the sign-flip test."""
    gaps = rows[:, 1] - rows[:, 0]
    return np.concatenate([np.abs(block @ gaps) for block in sign_rows(len(rows), draws, seed)])


def _counted(rows: Floats) -> tuple[Floats, Floats] | None:
    """Ranges and their exact probabilities if few systems lie on a coarse lattice; None if that takes too long."""
    n, k = rows.shape
    gaps = rounded(rows - rows[:, :1])
    if not gaps.any():
        return np.zeros(1), np.ones(1)
    if k > 5:
        return None
    steps = lattice(gaps[gaps > 0], _MOST_WORK)
    if steps is None:
        return None
    unit = float(gaps[gaps > 0].sum() / steps.sum())
    whole = np.rint(gaps / unit).astype(np.int64)
    reach = int(whole.max(axis=1).sum())
    if n * math.factorial(k) * (2 * reach + 1) ** (k - 1) > _MOST_WORK:
        return None
    chance = _distribution(whole, reach)
    grids = np.indices(chance.shape) - reach  # differences of each sum from the first
    high, low = np.maximum(grids.max(axis=0), 0), np.minimum(grids.min(axis=0), 0)
    by_range = np.bincount((high - low).ravel(), weights=chance.ravel()).astype(np.float64)
    return np.arange(len(by_range), dtype=np.float64) * unit, by_range


def _distribution(whole: Ints, reach: int) -> Floats:
    """The probability of each vector of differences from the first sum, over all orders of all rows."""
    k = whole.shape[1]
    chance = np.zeros((2 * reach + 1,) * (k - 1))
    chance[(reach,) * (k - 1)] = 1.0
    for row in whole.tolist():
        moved = np.zeros_like(chance)
        for order in permutations(row):
            moved += np.roll(chance, [int(x - order[0]) for x in order[1:]], axis=tuple(range(k - 1)))
        chance = moved / math.factorial(k)
    return chance
