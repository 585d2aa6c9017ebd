"""Intervals by rank: the uncertainty of the mean over topics, at every rank of a curve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.stats.distributions import t_quantile

ALPHA = 0.05


class Band(NamedTuple):
    """A mean by rank and the ends of its interval."""

    mean: Floats
    low: Floats
    high: Floats


def t_band(by_topic: Floats) -> Band:
    """The mean of topics × ranks with its 95% t interval at every rank; topics without values are left out."""
    defined = by_topic[~np.isnan(by_topic).any(axis=1)]
    n, unknown = len(defined), np.full(by_topic.shape[1], np.nan)
    if not n:
        return Band(unknown, unknown, unknown)
    mean: Floats = defined.sum(axis=0) / n
    if n < 2:
        return Band(mean, unknown, unknown)
    half = t_quantile(1 - ALPHA / 2, n - 1) * defined.std(axis=0, ddof=1) / np.sqrt(n)
    return Band(mean, mean - half, mean + half)
