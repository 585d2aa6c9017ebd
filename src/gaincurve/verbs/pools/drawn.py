"""What is asked of a pool, and what a method draws."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.ids import Ints
from gaincurve.model.lists import Lists
from gaincurve.model.rows import Floats
from gaincurve.model.source import Note
from gaincurve.verbs.pools.methods import Method


def relevant_of(grade: Floats, rel: float | None) -> NDArray[np.bool_]:
    """Which grades are relevant: above 0, or at least `rel`; nan, which nobody gave, never is."""
    return np.asarray(grade > 0 if rel is None else grade >= rel)


@dataclass(frozen=True, eq=False)
class Request:
    """What was asked of `pool`; `grade` is nan where nobody has judged the document of the lists."""

    lists: Lists
    method: Method
    grade: Floats
    rel: float | None = None
    budget: int | None = None
    replay: bool = False
    absent: str = "zero"
    update: str = "played"
    notes: list[Note] = field(default_factory=list)

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Which documents have an answer."""
        return ~np.isnan(self.grade)

    @property
    def relevant(self) -> NDArray[np.bool_]:
        """Which documents are relevant: grade above 0, or at least `rel`."""
        return relevant_of(self.grade, self.rel)


@dataclass(frozen=True, eq=False)
class Drawn:
    """Documents in the order of topics and priority; a sample has strata, probabilities and what it is drawn from."""

    document: Ints
    priority: Ints
    stratum: Ints
    p: Floats
    pooled: Ints
    pooled_stratum: Ints
    skip_judged: bool = True

    @classmethod
    def plain(cls, document: Ints, priority: Ints, skip_judged: bool = True) -> Drawn:
        """Of one stratum, drawn with certainty."""
        ones = np.ones(len(document), dtype=np.int64)
        return cls(document, priority, ones, ones.astype(np.float64), document, ones, skip_judged)
