"""A run: one system's documents, ranked once by one recorded rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem, one_of
from gaincurve.model.columns import Given
from gaincurve.model.file_order import FileOrder
from gaincurve.model.groups import take
from gaincurve.model.ids import Ids, Ints, Keys
from gaincurve.model.objects import rows_from_object
from gaincurve.model.order import SCORE_RULES, TIE_RULES, comparable, ranking, tied_blocks
from gaincurve.model.paths import is_path, read_path
from gaincurve.model.rows import (
    DUPLICATES,
    Floats,
    Rows,
    by_topic,
    distinct,
    offsets_of,
    repeated_rows,
    several_runs,
    without_duplicates,
)
from gaincurve.model.source import Note, Source, repeated_notes, shorten


class ScoredDoc(NamedTuple):
    """A document in a list, as ir_measures and ir_datasets name its parts."""

    query_id: str
    doc_id: str
    score: float


@dataclass(frozen=True, eq=False)
class Run:
    """One system's documents, grouped by topic, in rank order within a topic.

    `position` is the order in which a topic's rows stood in the file (None: as they stand here); `ranks` is the
    file's rank column where it was read; `scored` is False where the scores were derived from an order, and
    `could_be_judgments` is True where nothing but the values tells the run from judgments. Ids stay bytes until someone
    asks for text. Of the documents that stood twice in a list, `dropped` were left out and `kept` stay.
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
    kept: int = 0
    could_be_judgments: bool = False

    @classmethod
    def from_rows(cls, rows: Rows, name: str, ties: str = "trec", duplicates: str = "error") -> Run:
        """A run from the rows of a reader, ranked by the rule `ties`."""
        one_of("--ties", ties, tuple(TIE_RULES))
        rows = by_topic(rows)
        if ties == "rank" and rows.ranks is not None:
            _refuse_broken_ranks(rows, rows.ranks)
        keys, kept, dropped = rows.keys(), 0, 0
        if one_of("--duplicates", duplicates, tuple(DUPLICATES)) == "seen":
            kept = repeated_rows(rows, keys)
        else:
            rows, keys, dropped = without_duplicates(rows, keys, "run-duplicate-document", duplicates)
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
            source=Source(rows.path, rows.format, len(rows.topics), len(rows), rows.sha256, rows.metadata),
            notes=(*rows.notes, *repeated_notes(rows.path, dropped, kept)),
            scored=rows.scored,
            dropped=dropped,
            kept=kept,
            could_be_judgments=rows.scored and not rows.ranked,
        )
        return unranked.ranked(ties)

    @classmethod
    def of(
        cls,
        run: object,
        name: str = "run",
        ties: str = "trec",
        duplicates: str = "error",
        *,
        columns: Given | None = None,
    ) -> Run:
        """A run from {topic: {document: score}}, {topic: [documents in order]}, tuples, records, a path, or a Run.

        Records are dicts, named tuples, dataclasses, a data frame (ids may stand in its index), a NumPy record array
        or a Hugging Face data set; a ranx Run is read as well. `columns` names the columns of records:
        {"topic": "qid", "document": "docno"}.
        """
        if isinstance(run, Run):
            return run.ranked(ties)
        if is_path(run):
            read: Run = read_path("run", run, name, name=name, ties=ties, duplicates=duplicates, columns=columns)
            return read
        runs = rows_from_object(run, "run", name, columns).each_run()
        if len(runs) > 1:
            raise several_runs([own for own, _ in runs], name)
        return cls.from_rows(runs[0][1], name, ties, duplicates)

    @classmethod
    def each_of(cls, run: object, name: str = "run", ties: str = "trec", *, columns: Given | None = None) -> list[Run]:
        """The same for records that may hold several runs, by a column run or system, whose names they keep."""
        if isinstance(run, Run) or is_path(run):
            return [cls.of(run, name, ties, columns=columns)]
        runs = rows_from_object(run, "run", name, columns).each_run()
        return [cls.from_rows(rows, own or name, ties) for own, rows in runs]

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

    def contradicting(self) -> list[str]:
        """The topics whose rank column gives another order than the scores, where scores decide and ranks are known.

        Equal ranks claim no order. A run that has nothing but ranks cannot contradict itself.
        """
        if self.ranks is None or self.ties not in SCORE_RULES or not np.isfinite(self.ranks).all():
            return []
        if not self.scored or np.array_equal(self.ranks, -self.scores):
            return []
        order = np.lexsort((-self.scores, self.ranks, self.topic))
        topic, scores = self.topic[order], self.scores[order]
        rising = (topic[1:] == topic[:-1]) & (scores[1:] > scores[:-1])
        return [self.topics[i] for i in distinct(topic[1:][rising])]

    def file_order(self) -> FileOrder:
        """What the order of the lines says beside the scores, where scores decide."""
        if self.ties not in SCORE_RULES or not self.scored:
            return FileOrder()
        within = self.topic[1:] == self.topic[:-1]
        if self.ranks is not None:
            ranks = self._in_file_order(self.ranks)
            within &= ranks[1:] == ranks[:-1]
        steps = np.diff(self.scores_in_file_order())[within]
        return FileOrder(len(self.contradicting()), level=len(steps), rising=int(np.count_nonzero(steps > 0)))

    def scores_in_file_order(self) -> Floats:
        """The scores of each topic as they stood in the file."""
        return self._in_file_order(self.scores)

    def _in_file_order(self, values: Floats) -> Floats:
        if self.position is None:
            return values
        in_file = np.empty_like(values)
        in_file[self.position] = values
        return in_file

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return f"Run({self.name}: {self.source.describe()}, ties {self.ties}, from {self.source.path})"

    def to_records(self) -> list[ScoredDoc]:
        """One named tuple for each document in rank order, as ir_measures and ir_datasets have them."""
        rows = zip(self.topic.tolist(), self.documents, self.scores.tolist(), strict=True)
        return [ScoredDoc(self.topics[topic], document, score) for topic, document, score in rows]

    def to_dict(self) -> dict[str, dict[str, float]]:
        """{topic: {document: score}}, in rank order."""
        scores: dict[str, dict[str, float]] = {topic: {} for topic in self.topics}
        for topic, document, score in self.to_records():
            scores[topic][document] = score
        return scores

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
