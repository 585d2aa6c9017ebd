"""How large a difference is, whatever its p-value."""

from __future__ import annotations

import math

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.stats.moments import Moments
from gaincurve.stats.rounding import rounded

MARGINAL, ESSENTIAL = 5.0, 10.0
"""Spärck Jones' (1974) criteria, in per cent, in the words with which the 2002 paper paraphrases them."""


def cohen_dz(differences: Floats) -> float:
    """The mean difference in units of the spread of the differences; 0 for none, nan for a constant shift.

    Worked: 1 2 3 have mean 2 and standard deviation 1: d_z = 2.
    """
    return float(Moments.of(np.atleast_2d(differences)).effect[0])


def hedges_g(differences: Floats) -> float:
    """d_z freed of its bias in small samples, by the exact factor (Hedges 1981)."""
    return unbiased(cohen_dz(differences), len(differences))


def unbiased(effect: float, count: int) -> float:
    """The same from d_z and the number of topics."""
    if math.isnan(effect) or count < 3:
        return math.nan if effect else 0.0
    df = count - 1
    return effect * math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)


def relative_percent(a: float, b: float) -> float:
    """How much larger a is than b, in per cent of b; nan if b is 0."""
    return math.nan if b == 0 else 100.0 * (a - b) / abs(b)


def practical(percent: float) -> str:
    """'marginal' below 5%, 'essential' above 10%, 'noticeable' (our word) between; descriptive only."""
    if math.isnan(percent):
        return ""
    size = abs(percent)
    return "marginal" if size < MARGINAL else "essential" if size > ESSENTIAL else "noticeable"


def wins_ties_losses(differences: Floats, min_diff: float = 0.0) -> tuple[int, int, int]:
    """Topics won, tied and lost; differences of at most `min_diff` are ties."""
    d = rounded(differences)
    wins, losses = int(np.count_nonzero(d > min_diff)), int(np.count_nonzero(d < -min_diff))
    return wins, len(d) - wins - losses, losses
