"""Corrections for many comparisons: what each p-value becomes when it is one of a family.

Holm, Bonferroni and Hochberg bound the chance of even one false claim; BH and BY only the expected share of false ones
among all claims.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from gaincurve.errors import one_of
from gaincurve.model.rows import Floats

ADJUSTMENTS: dict[str, str] = {
    "none": "as they are: the chance of a false claim grows with the number of comparisons",
    "holm": "Holm's step-down: family-wise, never worse than Bonferroni",
    "bonferroni": "times the number of comparisons: family-wise",
    "hochberg": "Hochberg's step-up: family-wise if tests are independent or positively dependent",
    "bh": "Benjamini–Hochberg: the false discovery rate, not family-wise",
    "by": "Benjamini–Yekutieli: the false discovery rate under any dependence, not family-wise",
}


def adjusted(p: ArrayLike, adjust: str = "holm") -> Floats:
    """Adjusted p-values in the order given; nan (nothing was tested) stays and does not count.

    Worked: .01 .04 .03 become .03 .06 .06 by Holm, .03 .04 .04 by BH.
    """
    values = np.asarray(p, dtype=np.float64)
    rule = _RULES[one_of("adjust", adjust, tuple(ADJUSTMENTS))]
    adjusted_p = values.copy()
    tested = ~np.isnan(values)
    order = np.argsort(values[tested], kind="stable")
    ordered = np.minimum(1.0, rule(values[tested][order]))
    unsorted = np.empty_like(ordered)
    unsorted[order] = ordered
    adjusted_p[tested] = unsorted
    return adjusted_p


def _step_down(p: Floats, factors: Floats) -> Floats:
    return np.maximum.accumulate(p * factors)


def _step_up(p: Floats, factors: Floats) -> Floats:
    return np.minimum.accumulate((p * factors)[::-1])[::-1]


def _places(p: Floats) -> Floats:
    return np.arange(1, len(p) + 1, dtype=np.float64)


def _harmonic(count: int) -> float:
    return float(sum(1.0 / i for i in range(1, count + 1)))


_RULES: dict[str, Callable[[Floats], Floats]] = {
    "none": lambda p: p,
    "bonferroni": lambda p: p * len(p),
    "holm": lambda p: _step_down(p, len(p) + 1 - _places(p)),
    "hochberg": lambda p: _step_up(p, len(p) + 1 - _places(p)),
    "bh": lambda p: _step_up(p, len(p) / _places(p)),
    "by": lambda p: _step_up(p, len(p) * _harmonic(len(p)) / _places(p)),
}
