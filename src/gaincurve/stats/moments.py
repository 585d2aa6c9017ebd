"""All that a t-test, its interval and its effect sizes need of the differences of a pair, as sums that can be added.

The sums are exact, so neither the order of topics nor how they were dealt to machines can change a bit of the result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.exact import exact_rows, squares
from gaincurve.model.rows import Floats
from gaincurve.stats.rounding import SLACK, rounded


@dataclass(frozen=True, eq=False)
class Moments:
    """Of a pairs × topics matrix: how many topics, and by pair parts of Σd and Σd², the least and the largest d."""

    count: int
    sums: Floats
    squares: Floats
    least: Floats
    most: Floats

    @classmethod
    def of(cls, differences: Floats) -> Self:
        """The moments of each row."""
        columns = differences.T
        return cls(
            differences.shape[1],
            exact_rows(columns),
            exact_rows(np.concatenate(squares(columns))),
            differences.min(axis=1, initial=math.inf),
            differences.max(axis=1, initial=-math.inf),
        )

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.count + other.count,
            exact_rows(np.concatenate([self.sums, other.sums])),
            exact_rows(np.concatenate([self.squares, other.squares])),
            np.minimum(self.least, other.least),
            np.maximum(self.most, other.most),
        )

    @cached_property
    def mean(self) -> Floats:
        """The mean of each pair, rounded once."""
        return np.array([math.fsum(column) for column in self.sums.T.tolist()]) / self.count

    @cached_property
    def spread(self) -> Floats:
        """The standard deviation of each pair's sample, from exact sums; nan for a single topic."""
        columns = zip(self.sums.T.tolist(), self.squares.T.tolist(), strict=True)
        return np.array([deviation(self.count, total, square) for total, square in columns])

    @cached_property
    def equal(self) -> NDArray[np.bool_]:
        """Whether no topic of a pair differs, but for rounding."""
        return np.asarray((rounded(self.least) == 0) & (rounded(self.most) == 0))

    @cached_property
    def constant(self) -> NDArray[np.bool_]:
        """Whether all topics of a pair shift alike, by something other than 0: what is left is rounding."""
        largest = np.maximum(np.abs(self.least), np.abs(self.most))
        return np.asarray((self.most - self.least <= SLACK * largest) & ~self.equal)

    @cached_property
    def effect(self) -> Floats:
        """d_z, the mean in units of the spread: 0 where nothing differs, nan for a constant shift."""
        same = (rounded(self.least) == rounded(self.most)) | (self.count < 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.equal, 0.0, np.where(same, math.nan, self.mean / self.spread))


def deviation(count: int, sums: list[float], squared: list[float]) -> float:
    """The standard deviation of a sample from exact parts of its sum and of its sum of squares."""
    if count < 2 or not all(map(math.isfinite, (*sums, *squared))):
        return math.nan
    total, square = (sum(map(Fraction, parts), Fraction(0)) for parts in (sums, squared))
    return math.sqrt(max(Fraction(0), (square - total * total / count) / (count - 1)))
