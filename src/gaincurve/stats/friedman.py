"""Friedman's test on ranks within topics, and the comparisons after it.

The 2002 paper names the test, cites Conover (1980) and prints stars; how it compared pairs is our reading.

Formulas of Conover (1980), Practical Nonparametric Statistics, 2nd ed., section 5.8.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.stats.distributions import chi2_upper, f_upper, positive, t_quantile, t_two_sided
from gaincurve.stats.rounding import ranks
from gaincurve.stats.studentized import studentized_range_quantile, studentized_range_sf


@dataclass(frozen=True, eq=False)
class Friedman:
    """Rank sums, T1 (χ²), T2 (F, Iman & Davenport), Kendall's W; `spread` is the squared ranks about their mean."""

    rank_sums: Floats
    topics: int
    spread: float
    t1: float
    p1: float
    t2: float
    p2: float

    @property
    def systems(self) -> int:
        """The number of systems ranked."""
        return len(self.rank_sums)

    @property
    def w(self) -> float:
        """Kendall's coefficient of concordance: 0 if topics disagree on the order of systems, 1 if all agree."""
        return self.t1 / (self.topics * (self.systems - 1))

    @property
    def mean_ranks(self) -> Floats:
        """Mean rank of each system; higher is better."""
        return self.rank_sums / self.topics


def friedman(scores: Floats) -> Friedman:
    """Friedman's test of a topics × systems matrix, corrected for ties; the highest score has the highest rank."""
    rank = ranks(scores)
    n, k = scores.shape
    sums = rank.sum(axis=0)
    spread = float((rank**2).sum()) - n * k * (k + 1) ** 2 / 4
    if spread <= 0:  # every topic ties all systems
        return Friedman(sums, n, 0.0, 0.0, 1.0, 0.0, 1.0)
    t1 = (k - 1) * float(((sums - n * (k + 1) / 2) ** 2).sum()) / spread
    p1 = chi2_upper(t1, k - 1)
    room = n * (k - 1) - t1
    if room <= 1e-9 * n:  # all topics agree: Conover's fixed answer
        return Friedman(sums, n, spread, t1, p1, math.inf, _all_agree(n, k))
    t2 = (n - 1) * t1 / room
    return Friedman(sums, n, spread, t1, p1, t2, f_upper(t2, k - 1, (n - 1) * (k - 1)))


def conover(ranked: Friedman) -> Floats:
    """p of every pair of systems by Conover's t on rank sums, as a k × k matrix, not adjusted."""
    gaps = np.abs(ranked.rank_sums[:, None] - ranked.rank_sums)
    error = _conover_error(ranked)
    if error == 0.0:
        return np.where(gaps == 0, 1.0, _all_agree(ranked.topics, ranked.systems))
    df = (ranked.topics - 1) * (ranked.systems - 1)
    return np.where(gaps == 0, 1.0, t_two_sided(gaps / error, df))


def conover_lsd(ranked: Friedman, alpha: float = 0.05) -> float:
    """The least difference of rank sums that Conover's comparison calls significant."""
    df = (ranked.topics - 1) * (ranked.systems - 1)
    return t_quantile(1 - alpha / 2, df) * _conover_error(ranked)


def nemenyi(ranked: Friedman) -> Floats:
    """p of every pair of systems by Nemenyi's test, which holds for all pairs together."""
    gaps = np.abs(ranked.mean_ranks[:, None] - ranked.mean_ranks)
    return np.where(
        gaps == 0, 1.0, studentized_range_sf(math.sqrt(2) * gaps / _rank_error(ranked), ranked.systems, math.inf)
    )


def critical_difference(ranked: Friedman, alpha: float = 0.05) -> float:
    """The difference of mean ranks beyond which Nemenyi's test is significant."""
    return studentized_range_quantile(alpha, ranked.systems, math.inf) / math.sqrt(2) * _rank_error(ranked)


def _rank_error(ranked: Friedman) -> float:
    return math.sqrt(ranked.systems * (ranked.systems + 1) / (6 * ranked.topics))


def _conover_error(ranked: Friedman) -> float:
    n, k = ranked.topics, ranked.systems
    left = 1 - ranked.t1 / (n * (k - 1))
    return math.sqrt(2 * n * ranked.spread / ((n - 1) * (k - 1)) * left) if left > 1e-9 / n else 0.0


def _all_agree(n: int, k: int) -> float:
    """The chance that n random orders of k systems are all alike."""
    return positive(math.exp(-(n - 1) * math.lgamma(k + 1)))
