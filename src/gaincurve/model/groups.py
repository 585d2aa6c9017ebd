"""Rows in groups: which group each row belongs to, and where it stands."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


def owners(sizes: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """The group of each row: sizes 2 0 3 give 0 0 2 2 2."""
    return np.repeat(np.arange(len(sizes)), sizes)


def spans(starts: NDArray[np.integer[Any]], sizes: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """The places of each span, one span after the other: starts 5 9 with sizes 2 3 give 5 6 9 10 11."""
    return np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))


def spread(values: NDArray[Number], starts: NDArray[np.integer[Any]], rows: int) -> NDArray[Number]:
    """Each group's value on all of its rows, which end where the next group starts: 7 8 at 0 2 of 5 give 7 7 8 8 8."""
    return np.repeat(values, np.diff(starts, append=rows))


def take(column: NDArray[Number] | None, index: NDArray[Any] | slice) -> NDArray[Number] | None:
    """The rows of a column that may be absent."""
    return None if column is None else column[index]
