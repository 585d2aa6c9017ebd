"""Sums that no order can change: exact parts that can be added in any order, rounded once at the end.

A column of numbers is cut into multiples of a power of two so large that their sum needs no rounding, what is left is
cut again, and so on until nothing is left (the splitting of Rump, Ogita & Oishi 2008). A few parts remain for each
column; the parts of two halves of the rows, put together, are parts of the whole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from gaincurve.model.rows import Floats

_BLOCK = 4096
"""Rows that are split at once, few enough to stay in the cache."""


def exact_rows(matrix: Floats) -> Floats:
    """A few rows with exactly the column sums of all rows; one row of plain sums where these are not finite."""
    parts = [_split(matrix[start : start + _BLOCK]) for start in range(0, len(matrix), _BLOCK)]
    if len(parts) == 1:
        return parts[0]
    whole: Floats = np.concatenate([*parts, np.zeros((0, matrix.shape[1]))])
    return exact_rows(whole) if len(whole) > _BLOCK else _split(whole)


def _split(block: Floats) -> Floats:
    rest = np.array(block, dtype=np.float64)
    parts = []
    room = (len(rest) + 2).bit_length()
    while (largest := np.abs(rest).max(axis=0, initial=0.0)).any():
        with np.errstate(over="ignore", invalid="ignore"):
            step = np.ldexp(1.0, np.frexp(largest)[1] + room)
            high = (rest + step) - step
            total = high.sum(axis=0)
            if not np.isfinite(total).all():
                return np.asarray(block.sum(axis=0, keepdims=True))
        parts.append(total)
        rest -= high
    return np.array(parts).reshape(len(parts), block.shape[1])


def exact_parts(values: Floats) -> list[float]:
    """The same for a single column."""
    parts: list[float] = exact_rows(np.asarray(values, dtype=np.float64)[:, None])[:, 0].tolist()
    return parts


def squares(values: Floats) -> tuple[Floats, Floats]:
    """Each square as the nearest number and what that lacks (Dekker 1971): together they are exact."""
    large = 134217729.0 * values  # 2^27 + 1
    high = large - (large - values)
    low = values - high
    square = values * values
    return square, ((high * high - square) + 2.0 * high * low) + low * low


@dataclass(frozen=True, eq=False)
class ColumnSums:
    """How many rows a matrix has in which every number is defined, and parts of their sums by column."""

    count: int
    parts: Floats

    @classmethod
    def of(cls, matrix: Floats) -> Self:
        """The sums of the rows without nan."""
        defined = matrix[~np.isnan(matrix).any(axis=1)]
        return cls(len(defined), exact_rows(defined))

    def __add__(self, other: ColumnSums) -> ColumnSums:
        return ColumnSums(self.count + other.count, exact_rows(np.concatenate([self.parts, other.parts])))

    @property
    def means(self) -> Floats:
        """The mean of each column, rounded once; nan where no row is defined."""
        if not self.count:
            return np.full(self.parts.shape[1], math.nan)
        return np.array([math.fsum(column) for column in self.parts.T.tolist()]) / self.count
