"""Measures that are sums over ranks: what a document adds is its gain times the weight of its rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gaincurve.model.rows import Floats


@dataclass(frozen=True, eq=False)
class Linear:
    """A measure as Σ gain × weight, or as the share of such a sum in that of the ideal list.

    `weights` are those of ranks 1 to the cutoff; `gains` turns grades into gains. Where the measure is a share,
    `ideal` gives the sum of the weights of the first 0, 1, … n documents of the ideal list; a shorter answer means
    that more documents add nothing.
    """

    weights: Floats
    gains: Callable[[Floats], Floats]
    ideal: Callable[[int], Floats] | None = None


def cut_ideal(weights: Floats) -> Callable[[int], Floats]:
    """An ideal list that ends at the cutoff, as that of nDCG."""
    running = np.concatenate([[0.0], np.cumsum(weights)])
    return lambda n: running[: n + 1]


def whole_ideal(n: int) -> Floats:
    """An ideal list of all relevant documents, each of weight 1, as that of recall."""
    return np.arange(n + 1, dtype=np.float64)
