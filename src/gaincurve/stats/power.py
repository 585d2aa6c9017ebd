"""How many topics it takes: for those who build a collection, before anything is measured.

The power of a test at the difference that was observed says nothing that its p-value does not say, so it is not here.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.elementary import exp, log
from gaincurve.model.rows import Floats
from gaincurve.stats.distributions import normal_lower, t_quantile

MOST_TOPICS = 10_000_000

_REACH = 12
"""How many standard deviations of the spread, and of the normal, are integrated: less than 1e-30 lies beyond."""
_NODES = 16


def power(effect: float, topics: int, alpha: float = 0.05) -> float:
    """The chance that a two-sided paired t-test finds an effect (a difference over the spread of differences)."""
    _check(topics, alpha)
    if math.isnan(effect):
        raise ChoiceError(Problem("statistics-value", "an effect that is not a number has no power"))
    return _power(abs(effect) * math.sqrt(topics), topics - 1, -t_quantile(alpha / 2, topics - 1))


def _power(shift: float, df: int, critical: float) -> float:
    """The probability that a noncentral t lies beyond ±`critical`.

    Such a t is (Z + shift)/S: Z is normal, and S, the spread seen over the true one, is the root of χ²/df. Given
    S = s, it lies beyond with probability Φ(shift − c·s) + Φ(−shift − c·s), which is integrated over the density of S.
    """
    if math.isinf(shift):
        return 1.0
    spread, weight = _spreads(shift, df, critical)
    beyond = normal_lower(shift - critical * spread) + normal_lower(-shift - critical * spread)
    return min(1.0, float((weight * beyond).sum() / weight.sum()))


def _spreads(shift: float, df: int, critical: float) -> tuple[Floats, Floats]:
    """Values of S, the spread seen over the true one, each with the weight that it has in an integral over S.

    Gauss's rule on short panels: the density changes over steps of its own standard deviation around 1, what is
    integrated over steps of 1/critical around shift/critical.
    """
    steps = np.arange(-_REACH, _REACH + 1)
    around = 1 + steps / math.sqrt(2 * df)
    low, high = max(0.0, float(around[0])), float(around[-1])
    edges = np.concatenate([[low], around, (shift + steps) / critical])
    edges = np.sort(edges[(edges >= low) & (edges <= high)])
    node, share = _gauss()
    half = np.diff(edges)[:, None] / 2
    spread = (edges[:-1, None] + half + half * node).ravel()
    weight = (half * share).ravel()
    counts = (weight > 0) & (spread > 0)
    spread, weight = spread[counts], weight[counts]
    off = spread - 1
    return spread, weight * exp((df - 1) * log(spread) - df * off * (1 + off / 2))


@cache
def _gauss() -> tuple[Floats, Floats]:
    """Gauss's nodes between −1 and 1, and their weights."""
    node, share = np.polynomial.legendre.leggauss(_NODES)
    return node, share


def topics_needed(effect: float, wanted: float = 0.8, alpha: float = 0.05) -> int:
    """The fewest topics with which a paired t-test finds an effect with the wanted power.

    Worked: an effect of 0.5 takes 34 topics, 0.2 takes 199, for power .80 at α = .05.
    """
    if not abs(effect) > 0 or not 0 < wanted < 1 or not 0 < alpha < 1:
        what = f"no number of topics gives power {wanted} for an effect of {effect} at α = {alpha}"
        raise ChoiceError(Problem("statistics-value", what))
    low, high = 1, 2
    while power(effect, high, alpha) < wanted:
        low, high = high, 2 * high
        if high > MOST_TOPICS:
            raise ChoiceError(
                Problem("statistics-value", f"an effect of {effect} takes more than {MOST_TOPICS} topics")
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(effect, middle, alpha) >= wanted else (middle, high)
    return high


def detectable_difference(spread: float, topics: int, wanted: float = 0.8, alpha: float = 0.05) -> float:
    """The difference that this many topics detect with the wanted power, by the standard deviation `spread`.

    nan where there is only one topic: no test finds anything there.
    """
    if not 0 <= spread < math.inf or not 0 < wanted < 1:
        what = f"no difference is found with power {wanted} where differences spread by {spread}"
        raise ChoiceError(Problem("statistics-value", what))
    if topics < 2 or spread == 0:
        return math.nan if topics < 2 else 0.0
    _check(topics, alpha)
    if wanted <= alpha:
        return 0.0  # the test answers yes as often where there is nothing to find
    low, high = 0.0, 1.0
    while power(high, topics, alpha) < wanted:
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return high * spread
        low, high = (low, middle) if power(middle, topics, alpha) >= wanted else (middle, high)


def _check(topics: int, alpha: float) -> None:
    if topics < 2 or not 0 < alpha < 1:
        what = f"a t-test takes two topics or more and an α between 0 and 1, not {topics} and {alpha}"
        raise ChoiceError(Problem("statistics-value", what))
