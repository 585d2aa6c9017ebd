"""Recapture: how many there are, from how many two independent searches found (Chapman 1951, Seber 1970)."""

from __future__ import annotations

import math

from gaincurve.model.estimates import NORMAL_95


def recaptured(first: int, second: int, both: int) -> tuple[float, float]:
    """The estimated number of all, and its variance.

    Worked: 10 and 15 with 5 in both give 11·16/6 − 1 = 28.33, variance 34.92.
    """
    estimate = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    return estimate, variance


def recapture_interval(distinct: int, estimate: float, variance: float) -> tuple[float, float]:
    """The log-normal 95% interval of those nobody found, on top of the `distinct` ones found: never below these."""
    unseen = estimate - distinct
    if unseen <= 0 or variance <= 0:
        return float(distinct), max(float(distinct), estimate)
    factor = math.exp(NORMAL_95 * math.sqrt(math.log1p(variance / unseen**2)))
    return distinct + unseen / factor, distinct + unseen * factor
