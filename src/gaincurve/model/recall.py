"""The recall base: the grades from which an ideal ranking is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.groups import spans
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats, blocks, distinct, offsets_of

SPARSE = 4
"""Grades are sorted by counting if there are at most this many possible grades per row."""


@dataclass(frozen=True, eq=False)
class RecallBase:
    """Grades from which an ideal ranking can be built, highest grade first; those of topic t begin at `offsets[t]`."""

    topic: NDArray[np.int32]
    grade: Floats
    offsets: Ints

    @property
    def base(self) -> RecallBase:
        """Itself: nothing is left to be ordered."""
        return self

    @classmethod
    def of(cls, topic: NDArray[np.int32], grade: Floats, topics: int) -> RecallBase:
        """The grades of each topic in descending order."""
        if (topic[1:] < topic[:-1]).any():
            order = np.argsort(topic, kind="stable")
            topic, grade = topic[order], grade[order]
        offsets = offsets_of(topic, topics)
        ordered = np.empty(len(grade))
        for first, last in blocks(offsets):
            rows = slice(offsets[first], offsets[last])
            ordered[rows] = _descending(topic[rows] - np.int32(first), grade[rows], last - first)
        return cls(topic, ordered, offsets)

    def of_lists(self, base: NDArray[np.int32]) -> RecallBase:
        """The recall base of lists: list i has that of topic base[i] (−1: none)."""
        count = np.where(base >= 0, np.diff(self.offsets)[base], 0)
        owner = np.repeat(np.arange(len(base), dtype=np.int32), count)
        return RecallBase(owner, self.grade[spans(self.offsets[base], count)], offsets_of(owner, len(base)))


@dataclass(frozen=True, eq=False)
class TopicGrades:
    """Grades by topic in any order, or only those in some of the `rows`; the recall base is made when it is wanted."""

    topic: NDArray[np.int32]
    grade: Floats
    topics: int
    rows: Sequence[Ints] | None = None

    @cached_property
    def base(self) -> RecallBase:
        """The grades of each topic in descending order."""
        if self.rows is None:
            return RecallBase.of(self.topic, self.grade, self.topics)
        rows = distinct(np.concatenate(self.rows))
        return RecallBase.of(self.topic[rows], self.grade[rows], self.topics)


def _descending(topic: NDArray[np.int32], grade: Floats, topics: int) -> Floats:
    """Grades by topic in descending order; few whole ones are counted, which is faster than sorting them."""
    if not len(grade):
        return grade
    highest = float(grade.max())
    width = highest - float(grade.min()) + 1
    if width * topics > SPARSE * (len(grade) + 64) or (grade != np.floor(grade)).any():
        return grade[np.lexsort((-grade, topic))]
    grades = int(width)
    counts = np.bincount(topic * grades + (highest - grade).astype(np.int64), minlength=topics * grades)
    return np.repeat(np.tile(highest - np.arange(grades), topics), counts)
