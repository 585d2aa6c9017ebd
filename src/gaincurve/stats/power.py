"""How many topics it takes: for those who build a collection, before anything is measured.

The power of a test at the difference that was observed says nothing that its p-value does not say, so it is not here.
"""

from __future__ import annotations

import math

from gaincurve.errors import ChoiceError, Problem
from gaincurve.stats.distributions import noncentral_t, t_quantile

MOST_TOPICS = 10_000_000


def power(effect: float, topics: int, alpha: float = 0.05) -> float:
    """The chance that a two-sided paired t-test finds an effect (a difference over the spread of differences)."""
    df = topics - 1
    critical = t_quantile(1 - alpha / 2, df)
    shift = abs(effect) * math.sqrt(topics)
    if shift > 30:  # beyond this the chance of missing it can no longer be computed
        return 1.0
    return 1 - noncentral_t(critical, df, shift) + noncentral_t(-critical, df, shift)


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
    """The difference that this many topics detect with the wanted power, by the standard deviation `spread`."""
    if topics < 2 or spread == 0:
        return math.nan if topics < 2 else 0.0
    low, high = 0.0, 1.0
    while power(high, topics, alpha) < wanted:
        low, high = high, 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle, topics, alpha) >= wanted else (middle, high)
    return high * spread
