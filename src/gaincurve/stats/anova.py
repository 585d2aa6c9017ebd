"""Two-way analysis of variance (topic + system) and Tukey's HSD on it.

Topics take their own share of the variance, so systems are compared within topics; the one-way Tukey test found in
many libraries ignores that the same topics were used and is not offered.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.stats.distributions import f_upper
from gaincurve.stats.rounding import rounded
from gaincurve.stats.studentized import studentized_range_quantile, studentized_range_sf


@dataclass(frozen=True)
class Anova:
    """Sums of squares between systems, between topics and left over, and F; `error` is the left-over variance V_E."""

    between_systems: float
    between_topics: float
    residual: float
    topics: int
    systems: int
    f: float

    @property
    def p(self) -> float:
        """The probability of an F at least as large; nan where nothing is left over to measure it against."""
        return f_upper(self.f, self.systems - 1, self.df) if math.isfinite(self.f) else math.nan

    @property
    def df(self) -> int:
        """Degrees of freedom of what is left over."""
        return (self.topics - 1) * (self.systems - 1)

    @property
    def error(self) -> float:
        """V_E, the variance left over."""
        return self.residual / self.df


def anova(scores: Floats) -> Anova:
    """Two-way analysis of variance without replication of a topics × systems matrix.

    Worked: with two systems F is the square of the paired t.
    """
    scores = np.ascontiguousarray(scores)
    n, k = scores.shape
    system = scores.mean(axis=0)
    topic = np.sort(scores, axis=1).mean(axis=1)  # sorted, so that the order of systems cannot change a bit
    grand = float(topic.mean())
    between_systems = float(n * np.sort((system - grand) ** 2).sum())
    between_topics = float(k * ((topic - grand) ** 2).sum())
    residuals = scores - system - topic[:, None] + grand
    residual = float(np.sort(residuals**2, axis=1).sum(axis=1).sum()) if rounded(residuals).any() else 0.0
    differ = bool(rounded(system - system[0]).any())
    if residual == 0.0:
        return Anova(between_systems, between_topics, 0.0, n, k, math.inf if differ else 0.0)
    f = between_systems / (k - 1) / (residual / ((n - 1) * (k - 1)))
    return Anova(between_systems, between_topics, residual, n, k, f)


def tukey(differences: Floats, table: Anova) -> Floats:
    """p of each difference of two means by Tukey's HSD; nan where nothing is left over to measure it against."""
    if table.residual == 0.0:
        return np.where(rounded(differences) == 0, 1.0, np.nan)
    q = np.abs(differences) / math.sqrt(table.error / table.topics)
    return np.where(rounded(differences) == 0, 1.0, studentized_range_sf(q, table.systems, table.df))


def tukey_margin(table: Anova, alpha: float) -> float:
    """Half the width of the simultaneous intervals: differences beyond it are significant."""
    return studentized_range_quantile(alpha, table.systems, table.df) * math.sqrt(table.error / table.topics)
