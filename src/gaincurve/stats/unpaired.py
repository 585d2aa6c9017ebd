"""Two systems on different units, such as different sessions: Welch's t, which asks for no equal variances."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.stats.distributions import positive, t_quantile, t_two_sided
from gaincurve.stats.rounding import rounded


class Welch(NamedTuple):
    """t, its degrees of freedom and p, and the ends of the interval of the difference of means."""

    statistic: float
    df: float
    p: float
    low: float
    high: float


def welch_t(a: Floats, b: Floats, alpha: float = 0.05) -> Welch:
    """Welch's t-test of two independent samples, with the 1 − alpha interval of mean(a) − mean(b).

    Where neither sample spreads there is no t: equal means have p = 1, different ones the p of randomly assigned
    labels, and no interval.

    Worked: 1 2 3 4 against 2 4 6 8 give t = −1.732 with 4.412 degrees of freedom, p = .1516.
    """
    gap = float(a.mean() - b.mean())
    if len(a) < 2 or len(b) < 2 or not (rounded(a - a[0]).any() or rounded(b - b[0]).any()):
        same = not rounded(np.array(gap)).any()
        return Welch(0.0 if same else math.nan, math.nan, 1.0 if same else _labels(len(a), len(b)), math.nan, math.nan)
    parts = [float(sample.var(ddof=1)) / len(sample) for sample in (a, b)]
    error = math.sqrt(sum(parts))
    df = sum(parts) ** 2 / (parts[0] ** 2 / (len(a) - 1) + parts[1] ** 2 / (len(b) - 1))
    margin = t_quantile(1 - alpha / 2, df) * error
    return Welch(gap / error, df, float(t_two_sided(gap / error, df)), gap - margin, gap + margin)


def _labels(first: int, second: int) -> float:
    """The share of all ways to hand out the labels that separate two constant samples as they were."""
    return positive(min(1.0, (2 if first == second else 1) / math.comb(first + second, first)))


def cohen_d(a: Floats, b: Floats) -> float:
    """The difference of means in units of the pooled spread; 0 for none, nan where nothing spreads.

    Worked: 1 2 3 4 against 2 4 6 8: −2.5 over √((1.6667 + 6.6667)/2) = 2.0412, so d = −1.2247.
    """
    gap = float(a.mean() - b.mean())
    free = len(a) + len(b) - 2
    if not rounded(np.array(gap)).any():
        return 0.0
    pooled = (float(((a - a.mean()) ** 2).sum()) + float(((b - b.mean()) ** 2).sum())) / free if free > 0 else 0.0
    return gap / math.sqrt(pooled) if rounded(np.array(pooled)).any() else math.nan


def hedges_unpaired(a: Floats, b: Floats) -> float:
    """d freed of its bias in small samples, by the exact factor (Hedges 1981)."""
    effect, df = cohen_d(a, b), len(a) + len(b) - 2
    if math.isnan(effect) or df < 2:
        return math.nan if effect else 0.0
    return effect * math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
