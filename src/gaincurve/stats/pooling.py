"""Which document to judge next: orders by rank and by votes of runs, and orders that follow the judge's answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from gaincurve.model.elementary import power
from gaincurve.model.ids import Ints
from gaincurve.model.lists import Lists
from gaincurve.model.rows import Floats, nth_of
from gaincurve.stats.rounding import SLACK

RRF_CONSTANT = 60
RBP_PATIENCE = 0.8
UPDATES = {"played": "the run that showed the document", "holding": "every run that holds it"}


def by_rank(lists: Lists) -> Floats:
    """Best rank first, as if runs took turns."""
    return -lists.best.astype(np.float64)


def reciprocal_ranks(lists: Lists) -> Floats:
    """Σ 1/(60 + rank) over the runs that hold a document."""
    return _sums(lists, 1.0 / (RRF_CONSTANT + lists.rank.astype(np.float64)))


def rank_biased(lists: Lists) -> Floats:
    """Σ (1 − p) p^(rank − 1), p = .8, over the runs that hold a document."""
    return _sums(lists, (1 - RBP_PATIENCE) * power(RBP_PATIENCE, lists.rank - 1.0))


def borda(lists: Lists) -> Floats:
    """Σ (size of the topic's pool − rank + 1) over the runs that hold a document."""
    size = np.diff(lists.offsets)[lists.topic[lists.document]]
    return _sums(lists, (size - lists.rank + 1).astype(np.float64))


def _sums(lists: Lists, points: Floats) -> Floats:
    """Added in the order of ranks, so that the same ranks in other runs give the same bits."""
    return np.bincount(lists.document, weights=points, minlength=len(lists)).astype(np.float64)


def ordered(lists: Lists, score: Floats) -> tuple[Ints, Ints]:
    """Documents by topic and score, highest first, and their places within the topic from 1.

    Equal scores: the best rank in any run, then the first declared run that holds it there, then the id. Scores that
    differ only by how their sums were rounded are equal: 4 × .2 is 5 × .2 × .8.
    """
    falling = np.argsort(-score, kind="stable")
    drop = score[falling[:-1]] - score[falling[1:]] > SLACK * np.abs(score[falling[:-1]])
    level = np.empty(len(score), dtype=np.int64)
    level[falling] = np.concatenate([[0], np.cumsum(drop)])[: len(score)]
    order = np.lexsort((lists.first, lists.best, level, lists.topic))
    return order, nth_of(lists.topic[order])


@dataclass
class Front:
    """Runs that compete for the next document of one topic; what a run is worth follows from the answers so far.

    `rankings[run]` are documents in rank order. `worth` are the runs' priorities; the highest goes first, equal ones
    by declared order.
    """

    rankings: Sequence[Sequence[int]]
    start: Fraction
    rule: Callable[[Fraction, bool], Fraction]
    update: str = "played"
    worth: list[Fraction] = field(init=False)
    judged: set[int] = field(init=False, default_factory=set)
    _next: list[int] = field(init=False)
    _holders: dict[int, list[int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.worth, self._next = [self.start] * len(self.rankings), [0] * len(self.rankings)
        for run, ranking in enumerate(self.rankings):
            for document in ranking:
                self._holders.setdefault(document, []).append(run)

    def ask(self) -> tuple[int, int] | None:
        """The run to play and the next document to judge, or None when all are judged."""
        playable = [run for run in range(len(self.rankings)) if self._advance(run)]
        if not playable:
            return None
        run = max(playable, key=lambda r: (self.worth[r], -r))
        return run, self.rankings[run][self._next[run]]

    def _advance(self, run: int) -> bool:
        ranking = self.rankings[run]
        while self._next[run] < len(ranking) and ranking[self._next[run]] in self.judged:
            self._next[run] += 1
        return self._next[run] < len(ranking)

    def answer(self, run: int, document: int, relevant: bool) -> None:
        """What the judge said of the document that `run` showed."""
        self.judged.add(document)
        for other in [run] if self.update == "played" else self._holders[document]:
            self.worth[other] = self.rule(self.worth[other], relevant)

    def skip(self, document: int) -> None:
        """The document has no answer and changes nothing."""
        self.judged.add(document)


def move_to_front(rankings: Sequence[Sequence[int]], update: str = "played") -> Front:
    """Move to front (Cormack, Palmer & Clarke 1998): not relevant lowers a run's priority by one."""
    return Front(rankings, Fraction(0), lambda worth, relevant: worth if relevant else worth - 1, update)


def max_mean(rankings: Sequence[Sequence[int]], update: str = "played") -> Front:
    """Bandit by the largest mean, where only the last document counts (Losada, Parapar & Barreiro 2017)."""
    return Front(rankings, Fraction(1, 2), lambda _, relevant: Fraction(1 + relevant, 3), update)


def drawn_from(size: int, share: float) -> int:
    """How many of a stratum are drawn: round half up of share × size, at least one."""
    exact = Fraction(repr(share)) * size + Fraction(1, 2)
    return max(1, exact.numerator // exact.denominator)
