"""Which instances (subtopics, aspects) of a topic each judged document covers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.ids import Ints


@dataclass(frozen=True, eq=False)
class Instances:
    """Pairs of judgment row and instance, sorted by row; `topic` is the topic of each instance."""

    judgment: Ints
    instance: Ints
    topic: NDArray[np.int32]

    @classmethod
    def of(cls, judgment: Ints, instance: Ints, topic: NDArray[np.int32]) -> Instances:
        """Instances from pairs in any order: judgment row i is relevant to instance j of topic `topic[j]`."""
        order = np.lexsort((instance, judgment))
        return cls(np.asarray(judgment)[order], np.asarray(instance)[order], topic)

    def covered_by(self, rows: Ints) -> tuple[Ints, Ints]:
        """The instances of some judgment rows: for each pair the place in `rows` and the instance."""
        first, last = (np.searchsorted(self.judgment, rows, side=side) for side in ("left", "right"))
        count = last - first
        at = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(int(count.sum()))
        return np.repeat(np.arange(len(rows)), count), self.instance[at]
