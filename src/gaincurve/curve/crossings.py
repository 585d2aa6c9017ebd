"""Where two curves cross: from which rank on another run is ahead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaincurve.model.rows import Floats

SAME = 1e-12
"""Values nearer than this, relative to the larger, are equal: the same numbers added in another order may differ."""


@dataclass(frozen=True)
class Crossing:
    """From `rank` on, `ahead` is ahead of `behind`; before it was the other way round."""

    rank: int
    ahead: str
    behind: str

    def to_dict(self) -> dict[str, object]:
        """The JSON shape."""
        return {"rank": self.rank, "ahead": self.ahead, "behind": self.behind}


def lead(a: Floats, b: Floats) -> Floats:
    """1 where a is ahead, −1 where b is, 0 where they are equal but for rounding."""
    same = ~(np.abs(a - b) > SAME * np.maximum(np.abs(a), np.abs(b)))  # true also where one is undefined
    return np.where(same, 0.0, np.sign(a - b))


def crossings(name_a: str, a: Floats, name_b: str, b: Floats) -> list[Crossing]:
    """The ranks at which the run that was behind gets ahead; touching without passing is no crossing."""
    passed: list[Crossing] = []
    before = 0.0
    for rank, now in enumerate(lead(a, b).tolist(), start=1):
        if now and before and now != before:
            passed.append(Crossing(rank, name_a, name_b) if now > 0 else Crossing(rank, name_b, name_a))
        before = now or before
    return passed
