"""A run: one system's documents, ranked once by one recorded rule."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem, one_of
from gaincurve.model.groups import take
from gaincurve.model.ids import Ids, Ints, Keys
from gaincurve.model.objects import rows_from_object
from gaincurve.model.order import SCORE_RULES, TIE_RULES, comparable, ranking, tied_blocks
from gaincurve.model.rows import Floats, Rows, by_topic, offsets_of, without_duplicates
from gaincurve.model.source import Note, Source, counted, shorten


@dataclass(frozen=True, eq=False)
class Run:
    """One system's documents, grouped by topic, in rank order within a topic.

    `position` is the order in which a topic's rows stood in the file (None: as they stand here); `ranks` is the
    file's rank column where it was read; `scored` is False where the scores were derived from an order. Ids stay bytes
    until someone asks for text.
    """

    name: str
    topics: tuple[str, ...]
    topic: NDArray[np.int32]
    documents: Ids
    scores: Floats
    ranks: Floats | None
    keys: Keys
    offsets: Ints
    position: Ints | None
    ties: str
    source: Source
    notes: tuple[Note, ...] = ()
    scored: bool = True
    dropped: int = 0

    @classmethod
    def from_rows(cls, rows: Rows, name: str, ties: str = "trec", duplicates: str = "error") -> Run:
        """A run from the rows of a reader, ranked by the rule `ties`."""
        one_of("--ties", ties, tuple(TIE_RULES))
        rows = by_topic(rows)
        if ties == "rank" and rows.ranks is not None:
            _refuse_broken_ranks(rows, rows.ranks)
        rows, keys, dropped = without_duplicates(rows, rows.keys(), "run-duplicate-document", duplicates)
        left_out = Note("duplicates-dropped", f"{rows.path}: {counted(dropped, 'repeated document')} left out")
        unranked = cls(
            name=name,
            topics=rows.topics,
            topic=rows.topic,
            documents=rows.documents,
            scores=rows.values,
            ranks=rows.ranks,
            keys=keys,
            offsets=offsets_of(rows.topic, len(rows.topics)),
            position=None,
            ties="file",
            source=Source(rows.path, rows.format, len(rows.topics), len(rows), rows.sha256),
            notes=(left_out,) if dropped else (),
            scored=rows.scored,
            dropped=dropped,
        )
        return unranked.ranked(ties)

    @classmethod
    def of(cls, run: object, name: str = "run", ties: str = "trec", duplicates: str = "error") -> Run:
        """A run from {topic: {document: score}}, {topic: [documents in order]}, tuples, a data frame, or a Run."""
        if isinstance(run, Run):
            return run.ranked(ties)
        return cls.from_rows(rows_from_object(run, "run", name), name, ties, duplicates)

    def ranked(self, ties: str) -> Run:
        """The same run ranked by another rule."""
        one_of("--ties", ties, tuple(TIE_RULES))
        if ties == self.ties:
            return self
        order = self._order(ties)
        if order is None:
            return replace(self, ties=ties)
        return replace(
            self,
            documents=self.documents.take(order),
            scores=self.scores[order],
            ranks=take(self.ranks, order),
            keys=self.keys[order],
            position=order if self.position is None else self.position[order],
            ties=ties,
        )

    def _order(self, ties: str) -> Ints | None:
        if ties in SCORE_RULES:
            return ranking(self.topic, comparable(self.scores, ties), self.documents)
        if ties == "rank":
            if self.ranks is None:
                raise InputError(Problem("run-without-ranks", f"run {self.name} has no rank column", self.source.path))
            position = np.arange(len(self)) if self.position is None else self.position
            return np.lexsort((position, self.ranks, self.topic))
        return None if self.position is None else np.lexsort((self.position, self.topic))

    def blocks(self) -> Ints:
        """Rows at which blocks of tied documents begin; without ties every row is a block."""
        if self.ties in SCORE_RULES:
            return tied_blocks(self.topic, comparable(self.scores, self.ties))
        return np.arange(len(self) + 1, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return f"Run({self.name}: {self.source.describe()}, ties {self.ties}, from {self.source.path})"

    def ranking_of(self, topic: str) -> list[str]:
        """The documents of one topic in rank order; empty if the run does not have the topic."""
        if topic not in self.topics:
            return []
        place = self.topics.index(topic)
        return list(self.documents.take(slice(int(self.offsets[place]), int(self.offsets[place + 1]))))


def _refuse_broken_ranks(rows: Rows, ranks: Floats) -> None:
    broken = np.flatnonzero(~np.isfinite(ranks)).tolist()
    if broken:
        raise InputError.each(
            broken,
            lambda i: Problem(
                "run-rank", f"the rank of document {shorten(rows.documents[i])} is not a finite number", rows.place(i)
            ),
        )
