"""The binary view of a graded run: which documents are relevant, and where they stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.measures.cumulate import weighted
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats, nth_of


@dataclass(frozen=True, eq=False)
class Relevant:
    """The relevant documents that a run retrieved, in (topic, rank) order; `nth` counts them inside a topic.

    `first` and `last` are the ranks of the tied block, the rank itself where ties do not count. By topic: `total`
    relevant documents among the judged ones (R), `found` of them retrieved.
    """

    topic: NDArray[np.int32]
    rank: Ints
    nth: Ints
    first: Ints
    last: Ints
    total: Ints
    found: Ints

    @property
    def topics(self) -> int:
        """How many topics there are."""
        return len(self.total)

    @property
    def precision(self) -> Floats:
        """The precision of the list that ends with each document."""
        return self.nth / self.rank

    def blocks(self) -> tuple[Ints, Ints, Ints]:
        """For each document: relevant documents in its block, relevant ones before the block, and the block's size."""
        new = np.ones(len(self.rank), dtype=bool)
        new[1:] = (self.topic[1:] != self.topic[:-1]) | (self.first[1:] != self.first[:-1])
        block = np.cumsum(new) - 1
        inside = np.bincount(block)[block] if len(block) else block
        before = (self.nth[new] - 1)[block] if len(block) else block
        return inside, before, self.last - self.first + 1


def is_relevant(grade: Floats, rel: float, only: float | None) -> NDArray[np.bool_]:
    """Grades of at least `rel`, or exactly `only`."""
    return grade >= rel if only is None else grade == only


def relevant(run: Graded, rel: float, only: float | None, blocks: bool = False) -> Relevant:
    """The relevant documents of a run; with `blocks` tied blocks stay together whatever the tie rule."""
    rows = np.flatnonzero(is_relevant(run.grade, rel, only))
    topic, rank = run.list[rows], run.rank[rows]
    tied = blocks or run.spread
    return Relevant(
        topic=topic,
        rank=rank,
        nth=nth_of(topic),
        first=run.first[rows].astype(np.int64) if tied else rank,
        last=run.last[rows].astype(np.int64) if tied else rank,
        total=total_relevant(run, rel, only),
        found=np.bincount(topic, minlength=run.lists),
    )


def total_relevant(run: Graded, rel: float, only: float | None) -> Ints:
    """R: the relevant documents of each topic among the judged ones."""
    base = run.recall_base
    return np.bincount(base.topic[is_relevant(base.grade, rel, only)], minlength=run.lists)


def total_nonrelevant(run: Graded, rel: float, only: float | None) -> Ints:
    """The documents of each topic that were judged, and not relevant; negative grades are not among them."""
    base = run.recall_base
    return np.bincount(base.topic[is_nonrelevant(base.grade, rel, only)], minlength=run.lists)


def is_nonrelevant(grade: Floats, rel: float, only: float | None) -> NDArray[np.bool_]:
    """Judged but not relevant: grades of 0 or above, other than relevant ones."""
    return (grade >= 0) & ~is_relevant(grade, rel, only)


def relevant_at(run: Graded, rel: float, only: float | None, cutoff: float | None) -> Floats:
    """Relevant documents among the first `cutoff` of each topic; the expected number where ties are averaged."""
    return weighted(run, is_relevant(run.grade, rel, only).astype(np.float64), np.ones, cutoff)


def share(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """part/whole, nan where there is no whole."""
    shares = np.full(len(part), np.nan)
    np.divide(part, whole, out=shares, where=np.asarray(whole) > 0)
    return shares
