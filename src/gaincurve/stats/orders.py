"""How alike two orders of systems are: Kendall's τ, AP correlation with ties, rank-biased overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gaincurve.errors import one_of
from gaincurve.model.rows import Floats
from gaincurve.stats.rounding import rounded

TIES = ("a", "b")


def kendall_tau(first: Floats, second: Floats, ties: str = "b") -> float:
    """Kendall's τ between two lists of scores: 'b' corrects for ties, 'a' counts a tied pair as 0.

    nan where one of the lists ties everything (and 'b' was asked for), or fewer than two systems are there.
    """
    one_of("ties", ties, TIES)
    x, y = (np.sign(values[:, None] - values) for values in (rounded(first), rounded(second)))
    pairs = len(first) * (len(first) - 1)
    room = math.sqrt(float((x**2).sum()) * float((y**2).sum())) if ties == "b" else float(pairs)
    return float((x * y).sum()) / room if room else math.nan


def tau_ap(truth: Floats, estimate: Floats, ties: str = "b") -> float:
    """AP correlation: Kendall's τ in which the top weighs most (Yilmaz et al. 2008; ties: Urbano & Marrero 2017).

    'a' takes `truth` as the true order and the mean over all orders in which ties of the estimate could be broken;
    'b' treats both as estimates and is symmetric. Higher scores come first.

    Worked: ircor's README, scores of ten systems: .7491182 for 'a' and .7541887 for 'b' without ties, .6269841 for
    'b' with ties in both.
    """
    one_of("ties", ties, TIES)
    x, y = rounded(truth), rounded(estimate)
    if len(x) < 2:
        return math.nan
    return _accuracy(x, y) if ties == "a" else (_agreement(x, y) + _agreement(y, x)) / 2


def _accuracy(truth: Floats, estimate: Floats) -> float:
    """Over ranks below the first: how many above are rightly so, less how many wrongly, ties broken in every way."""
    total = 0.0
    right = np.sign(truth - truth[:, None])  # [i, j] is 1 if j is truly above i
    for value in sorted(set(estimate.tolist()), reverse=True):
        group = np.flatnonzero(estimate == value)
        above = np.flatnonzero(estimate > value)
        over = float(right[np.ix_(group, above)].sum()) / len(group)
        for place in range(len(group) if len(above) else 0):  # within a tied group right and wrong cancel out
            total += over / (len(above) + place)
    return total / (len(truth) - 1)


def _agreement(x: Floats, y: Floats) -> float:
    """One direction of 'b': of the systems that y puts above each, the share that x puts above it too."""
    above = y > y[:, None]  # [i, j]: j above i
    count = above.sum(axis=1)
    below_first = count > 0
    if not below_first.any():
        return math.nan
    share = (above & (x > x[:, None])).sum(axis=1)[below_first] / count[below_first]
    return float(2 * share.mean() - 1)


def rank_biased_overlap(first: Sequence[str], second: Sequence[str], p: float = 0.9) -> float:
    """RBO_EXT of two lists, extrapolated from what is seen (Webber et al. 2010, formula 32).

    Worked: abcde against bacdf with p = .9 is .76878.
    """
    short, long = sorted((list(first), list(second)), key=len)
    if not short:
        return math.nan
    overlap = []
    for depth in range(1, len(long) + 1):
        overlap.append(len(set(short[:depth]) & set(long[:depth])))
    s, length = len(short), len(long)
    seen = sum(overlap[d - 1] / d * p**d for d in range(1, length + 1))
    beyond = sum(overlap[s - 1] * (d - s) / (s * d) * p**d for d in range(s + 1, length + 1))
    tail = ((overlap[-1] - overlap[s - 1]) / length + overlap[s - 1] / s) * p**length
    return float((1 - p) / p * (seen + beyond) + tail)
