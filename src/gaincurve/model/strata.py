"""Strata: the parts of a sampled pool, as measures see them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.ids import Ints
from gaincurve.model.lookup import numbered
from gaincurve.model.rows import Floats
from gaincurve.model.sampling import Sampling


@dataclass(frozen=True, eq=False)
class Strata:
    """One row per pooled document: its topic, its row in the judgments, its stratum and its grade (−1: not sampled).

    Strata are numbered over all topics: a stratum belongs to one topic.
    """

    topic: NDArray[np.int32]
    judgment: Ints
    stratum: Ints
    grade: Floats

    @property
    def count(self) -> int:
        """How many numbers of strata there are."""
        return int(self.stratum.max(initial=-1)) + 1

    def not_sampled(self) -> Ints:
        """The first row of each stratum of which nothing was sampled."""
        sampled = np.zeros(self.count, dtype=bool)
        sampled[self.stratum[self.grade >= 0]] = True
        first = np.full(self.count, -1, dtype=np.int64)
        first[self.stratum[::-1]] = np.arange(len(self.stratum))[::-1]
        return np.sort(first[~sampled & (first >= 0)])


def strata_of(sampling: Sampling | None, topic: NDArray[np.int32], grade: Floats) -> Strata | None:
    """The strata of judgments; None where they name none."""
    if sampling is None or sampling.stratum is None:
        return None
    _, name = numbered(sampling.stratum)
    pair = topic.astype(np.int64) * (int(name.max(initial=0)) + 1) + name
    ordered = np.sort(pair)
    distinct = ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(ordered) else ordered
    return Strata(topic, np.arange(len(topic)), np.searchsorted(distinct, pair), grade)
