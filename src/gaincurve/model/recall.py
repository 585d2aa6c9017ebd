"""The recall base: the grades from which an ideal ranking is built."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.rows import Floats


@dataclass(frozen=True, eq=False)
class RecallBase:
    """Grades from which an ideal ranking can be built, topic by topic, highest grade first."""

    topic: NDArray[np.int32]
    grade: Floats

    @classmethod
    def of(cls, topic: NDArray[np.int32], grade: Floats) -> RecallBase:
        """The grades of each topic in descending order."""
        order = np.lexsort((-grade, topic))
        return cls(topic[order], grade[order])
