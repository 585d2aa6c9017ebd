"""Intervals for a mean difference: Student's t, and the bootstrap over topics."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import one_of
from gaincurve.model.rows import Floats
from gaincurve.stats.distributions import normal_below, normal_quantile, t_quantile
from gaincurve.stats.paired import paired_t_rows
from gaincurve.stats.rounding import SLACK, rounded
from gaincurve.stats.signs import chunks, samples, source

DRAWS = 10_000
KINDS = ("bca", "percentile")


class Interval(NamedTuple):
    """The two ends."""

    low: float
    high: float


def t_interval(differences: Floats, alpha: float = 0.05) -> Interval:
    """The 1 − alpha interval for the mean; of no width where all differences are alike."""
    n = len(differences)
    mean = float(differences.mean())
    if n < 2:
        return Interval(math.nan, math.nan)
    half = t_quantile(1 - alpha / 2, n - 1) * float(differences.std(ddof=1)) / math.sqrt(n)
    return Interval(mean - half, mean + half)


def t_intervals(differences: Floats, alpha: float) -> tuple[Floats, Floats]:
    """The ends of the t interval of each row of a pairs × topics matrix."""
    tested = paired_t_rows(differences, alpha)
    return tested.low, tested.high


def bootstrap_means(differences: Floats, draws: int = DRAWS, seed: int = 0) -> Floats:
    """Means of samples of topics with replacement, for each row of a pairs × topics matrix; rows share the samples."""
    rows = np.atleast_2d(differences)
    bits = source(seed)
    drawn = [samples(bits, size, rows.shape[1]) for size in chunks(draws)]
    return np.array([np.concatenate([row[sample].mean(axis=1) for sample in drawn]) for row in rows])


def bootstrap_interval(
    differences: Floats, alpha: float = 0.05, kind: str = "bca", draws: int = DRAWS, seed: int = 0
) -> Interval:
    """The bootstrap interval of one mean: 'percentile', or 'bca', corrected for bias and skewness (Efron 1987)."""
    return interval_of(differences, bootstrap_means(differences, draws, seed)[0], alpha, kind)


def interval_of(differences: Floats, means: Floats, alpha: float, kind: str) -> Interval:
    """The interval from bootstrap means that were already drawn."""
    one_of("interval", kind, KINDS)
    ends = (alpha / 2, 1 - alpha / 2)
    if kind == "bca" and rounded(differences - differences[0]).any():
        ends = _bca(differences, means, alpha)
    ordered = np.sort(means)
    return Interval(*(_quantile(ordered, end) for end in ends))


def _quantile(ordered: Floats, share: float) -> float:
    """The value below which a share of ordered values lies, between two of them in proportion.

    NumPy has it, with a last bit that depends on its version.
    """
    place = share * (len(ordered) - 1)
    below = int(place)
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    return low + (place - below) * (high - low)


def _bca(differences: Floats, means: Floats, alpha: float) -> tuple[float, float]:
    """The quantiles to read, moved by the share of means below the observed one and by the jackknife's skewness."""
    n, mean = len(differences), float(differences.mean())
    below = (np.count_nonzero(means < mean) + np.count_nonzero(means <= mean)) / 2 / len(means)
    bias = normal_quantile(min(max(below, 1 / len(means)), 1 - 1 / len(means)))
    deviations = mean - (differences.sum() - differences) / (n - 1)  # mean of the leave-one-out means is the mean
    squares = deviations * deviations  # NumPy's third power has a last bit of its own
    skew = float((squares * deviations).sum()) / (6 * float(squares.sum()) ** 1.5)

    def moved(probability: float) -> float:
        z = bias + normal_quantile(probability)
        return normal_below(bias + z / (1 - skew * z))

    return moved(alpha / 2), moved(1 - alpha / 2)


def bootstrap_test(differences: Floats, draws: int = DRAWS, seed: int = 0) -> Floats:
    """p of each row of a pairs × topics matrix by the studentised bootstrap of centred differences (Sakai 2006).

    No difference at all is p = 1; nan for a constant shift, which has no spread to sample.
    """
    rows = np.atleast_2d(differences)
    bits = source(seed)
    drawn = [samples(bits, size, rows.shape[1]) for size in chunks(draws)]
    return np.array([_studentised(row, drawn) for row in rows])


def _studentised(row: Floats, drawn: list[NDArray[np.intp]]) -> float:
    centred = row - row.mean()
    if not rounded(centred).any():
        return math.nan if rounded(row).any() else 1.0
    observed = abs(float(row.mean())) / float(row.std(ddof=1)) * (1 - SLACK)
    reached = 0
    for sample in drawn:
        resampled = centred[sample]
        reached += int(np.count_nonzero(np.abs(resampled.mean(axis=1)) >= observed * resampled.std(axis=1, ddof=1)))
    return (1 + reached) / (1 + sum(len(sample) for sample in drawn))
