"""The one default of every verb: t with Holm's correction, in closed form, so that each setting of a sweep has it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.stats.corrections import adjusted
from gaincurve.stats.paired import paired_t_of
from gaincurve.stats.unpaired import welch_t
from gaincurve.verbs.significance.records import Matrix


class Tested(NamedTuple):
    """Of each pair: p alone, p adjusted by Holm over all pairs, and the ends of the interval of its difference."""

    p: Floats
    p_adjusted: Floats
    low: Floats
    high: Floats


def by_default(matrix: Matrix, design: str, alpha: float) -> Tested:
    """The paired t of each pair, or Welch's for an 'unpaired' design; nan where there are too few topics to test."""
    if design == "unpaired":
        samples = matrix.samples
        each = [welch_t(samples[a], samples[b], alpha) for a, b in matrix.pairs]
        p, low, high = (np.array([getattr(test, name) for test in each]) for name in ("p", "low", "high"))
        p[[min(len(samples[a]), len(samples[b])) < 2 for a, b in matrix.pairs]] = np.nan
    else:
        _, p, low, high = paired_t_of(matrix.moments, alpha)
    return Tested(p, adjusted(p, "holm"), low, high)
