"""Tests for two systems on the same topics: t, Wilcoxon's signed ranks, signs.

Each takes the differences, topic by topic. Degenerate cases have fixed answers: no difference at all is p = 1.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import one_of
from gaincurve.model.rows import Floats
from gaincurve.stats.distributions import fair_coin_two_sided, normal_two_sided, positive, t_quantile, t_two_sided
from gaincurve.stats.effects import wins_ties_losses
from gaincurve.stats.moments import Moments
from gaincurve.stats.rounding import ranks, rounded

MOST_EXACT = 50
"""Up to this many topics without ties, Wilcoxon's p-value is exact."""

ZEROS = ("pratt", "wilcox")


class Tested(NamedTuple):
    """A statistic and its two-sided p-value; `exact` if no approximation was made."""

    statistic: float
    p: float
    exact: bool = False


class PairedT(NamedTuple):
    """t and p of each row of differences, and the ends of the interval of its mean."""

    statistic: Floats
    p: Floats
    low: Floats
    high: Floats


def paired_t(differences: Floats) -> Tested:
    """Student's t on the differences of one pair, topic by topic.

    Worked: R's sleep data give t = −4.0621, p = .002833.
    """
    tested = paired_t_rows(np.atleast_2d(differences))
    constant = is_constant(np.atleast_2d(differences))[0]
    return Tested(float(tested.statistic[0]), float(tested.p[0]), exact=bool(constant))


def paired_t_rows(differences: Floats, alpha: float = 0.05) -> PairedT:
    """The same for each row of a pairs × topics matrix, with its 1 − alpha interval."""
    return paired_t_of(Moments.of(differences), alpha)


def paired_t_of(moments: Moments, alpha: float = 0.05) -> PairedT:
    """The same from exact sums over topics.

    Pairs without any difference have p = 1. A constant shift has no t and no interval; its p is 2^(1−n), that of
    the exact sign flip: of all 2^n sign vectors only two reach as far. With one topic there is no test: p is nan.
    """
    n, mean, equal, constant = moments.count, moments.mean, moments.equal, moments.constant
    if n < 2:
        nothing = np.full(len(mean), math.nan)
        return PairedT(nothing, nothing, nothing, nothing)
    error = np.where(equal | constant, math.nan, moments.spread) / math.sqrt(n)
    statistic = mean / error
    p = np.where(equal, 1.0, np.where(constant, positive(2.0 ** (1 - n)), t_two_sided(statistic, n - 1)))
    half = np.where(equal, 0.0, t_quantile(1 - alpha / 2, n - 1) * error)
    return PairedT(np.where(equal, 0.0, statistic), p, mean - half, mean + half)


def is_constant(differences: Floats) -> NDArray[np.bool_]:
    """Whether all topics of a row shift alike, by something other than 0."""
    return Moments.of(differences).constant


def sign_test(differences: Floats, min_diff: float = 0.0) -> Tested:
    """Whether more topics are won than lost; ties, up to `min_diff`, do not count. The statistic is the wins.

    It says nothing about means: many small wins outweigh a few large losses.
    """
    wins, _, losses = wins_ties_losses(differences, min_diff)
    return Tested(wins, fair_coin_two_sided(wins, losses), exact=True)


def wilcoxon(differences: Floats, zeros: str = "pratt") -> Tested:
    """Wilcoxon's signed ranks: the statistic is the smaller of both rank sums.

    `zeros`: 'pratt' ranks them with the others and then leaves them out, 'wilcox' leaves them out first. Exact without
    ties and zeros up to 50 topics, else normal with correction for ties and continuity. It asks whether the
    differences are symmetric about 0, which is about means only if they are symmetric.
    """
    one_of("zeros", zeros, ZEROS)
    d = rounded(differences)
    if zeros == "wilcox":
        d = d[d != 0]
    if not d.any():
        return Tested(0.0, 1.0, exact=True)
    rank = ranks(np.abs(d))
    up, down = float(rank[d > 0].sum()), float(rank[d < 0].sum())
    tied = len(set(np.abs(d).tolist())) < len(d)
    if not tied and d.all() and len(d) <= MOST_EXACT:
        return Tested(min(up, down), _exact_rank_sum(min(up, down), len(d)), exact=True)
    return Tested(min(up, down), _normal_rank_sum(min(up, down), d, rank))


def signed_ranks(differences: Floats) -> float:
    """Rank sum of the topics won less that of those lost: the direction of Wilcoxon's test.

    Worked: 3 −1 −2 have ranks 3 1 2: 3 − 1 − 2 = 0.
    """
    d = rounded(differences)
    return float((np.sign(d) * ranks(np.abs(d))).sum())


def _exact_rank_sum(smaller: float, n: int) -> float:
    """2 P(sum ≤ smaller) where each of the ranks 1 … n counts with probability ½."""
    chance = np.zeros(n * (n + 1) // 2 + 1)
    chance[0] = 1.0
    for rank in range(1, n + 1):
        chance[rank:] = (chance[rank:] + chance[:-rank]) / 2
        chance[:rank] /= 2
    return min(1.0, 2.0 * float(chance[: int(smaller) + 1].sum()))


def _normal_rank_sum(smaller: float, d: Floats, rank: Floats) -> float:
    counted = rank[d != 0]
    zero = len(d) - len(counted)
    n = len(d)
    mean = (n * (n + 1) - zero * (zero + 1)) / 4
    variance = (n * (n + 1) * (2 * n + 1) - zero * (zero + 1) * (2 * zero + 1)) / 24
    _, sizes = np.unique(counted, return_counts=True)
    variance -= float((sizes.astype(np.float64) ** 3 - sizes).sum()) / 48
    return min(1.0, normal_two_sided(max(0.0, abs(smaller - mean) - 0.5) / math.sqrt(variance)))
