"""Where a run meets the judgments. After `grade` nobody sees ids, files or options."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem
from gaincurve.model.gains import Gains
from gaincurve.model.ids import Ids, Ints, Keys
from gaincurve.model.judgments import Judgments
from gaincurve.model.recall import RecallBase
from gaincurve.model.rows import Floats, add_by_topic, distinct, offsets_of
from gaincurve.model.run import Run
from gaincurve.model.source import Note, Source, counted, examples
from gaincurve.model.subtopics import Subtopics

IDEAL = "ideal"
"""The name under which the best possible ranking stands beside the runs; no run may take it."""


@dataclass(frozen=True, eq=False)
class GradedRun:
    """A run seen through the judgments: one row per judged document that was retrieved, in (topic, rank) order.

    Topics are the judged ones. `first` and `last` are the ranks of the tied block a document stands in; under the
    rule 'average' (`spread`) its gain is shared evenly among those ranks. `judgment` is the row of the judgments.
    What is not here was not judged: `retrieved` says how many documents there were, `scale` which grades the judges
    used anywhere. `pool`, where set, holds the grades of documents returned by any of the runs compared.

    `score` and `length` (the root of the sum of all squared scores of a topic) and `subtopics` are there only where
    a measure asked for them. A grade below `judged_from` means: pooled, but not judged.
    """

    name: str
    topics: tuple[str, ...]
    topic: NDArray[np.int32]
    rank: Ints
    grade: Floats
    first: Ints
    last: Ints
    judgment: Ints
    retrieved: Ints
    present: NDArray[np.bool_]
    recall_base: RecallBase
    scale: Floats
    spread: bool
    source: Source
    notes: tuple[Note, ...] = ()
    pool: RecallBase | None = None
    score: Floats | None = None
    length: Floats | None = None
    subtopics: Subtopics | None = None
    judged_from: float = -math.inf

    def __repr__(self) -> str:
        counts = f"{len(self.topics)} topics, {len(self.rank)} judged of {self.retrieved.sum()} retrieved"
        return f"GradedRun({self.name}: {counts})"

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Which rows were judged: all, unless negative grades mean that a document was only pooled."""
        return self.grade >= self.judged_from

    def condensed(self) -> GradedRun:
        """The run without its unjudged documents: the others move up."""
        kept = self._rows(self.judged)
        offsets = offsets_of(kept.topic, len(kept.topics))
        rank = np.arange(len(kept.rank)) - offsets[kept.topic] + 1
        new = np.ones(len(rank), dtype=bool)
        new[1:] = (kept.topic[1:] != kept.topic[:-1]) | (kept.first[1:] != kept.first[:-1])
        block = np.cumsum(new) - 1
        size = np.bincount(block)
        first = rank[new][block] if len(rank) else rank
        last = first + size[block] - 1 if len(rank) else rank
        length = self.length
        if kept.score is not None:
            length = np.sqrt(add_by_topic(kept.topic, kept.score * kept.score, len(kept.topics)))
        return replace(kept, rank=rank, first=first, last=last, retrieved=np.diff(offsets), length=length)

    def cut(self, depth: int) -> GradedRun:
        """The run as if it had returned no more than `depth` documents a topic."""
        kept = self._rows(self.rank <= depth)
        return replace(kept, last=np.minimum(kept.last, depth), retrieved=np.minimum(self.retrieved, depth))

    def _rows(self, kept: NDArray[np.bool_]) -> GradedRun:
        """The run with some of its rows; what is known by topic stays."""
        if kept.all():
            return self
        columns = ("topic", "rank", "grade", "first", "last", "judgment")
        chosen = {name: getattr(self, name)[kept] for name in columns}
        return replace(self, **chosen, score=None if self.score is None else self.score[kept])

    def select(self, topics: Ints) -> GradedRun:
        """The run on some of its topics, given by index in ascending order."""
        place = np.full(len(self.topics), -1, dtype=np.int32)
        place[topics] = np.arange(len(topics), dtype=np.int32)
        kept = self._rows(place[self.topic] >= 0)
        return replace(
            kept,
            topics=tuple(self.topics[i] for i in topics),
            topic=place[kept.topic],
            retrieved=self.retrieved[topics],
            present=self.present[topics],
            recall_base=self.recall_base.select(place),
            pool=None if self.pool is None else self.pool.select(place),
            length=None if self.length is None else self.length[topics],
            subtopics=None if self.subtopics is None else self.subtopics.select(place),
        )

    def can_gain(self, gains: Gains) -> NDArray[np.bool_]:
        """Whether anything judged in a topic has a gain: where not, nothing relative to an ideal is defined."""
        positive = self.recall_base.topic[gains.of_grades(self.recall_base.grade) > 0]
        return np.bincount(positive, minlength=len(self.topics)) > 0

    def judged_at(self, depth: int) -> Ints:
        """How many of the first `depth` documents of each topic are judged."""
        return np.bincount(self.topic[(self.rank <= depth) & self.judged], minlength=len(self.topics))

    def unjudged_at(self, depth: int) -> Ints:
        """How many of the first `depth` documents of each topic are unjudged."""
        return np.minimum(self.retrieved, depth) - self.judged_at(depth)


@dataclass(frozen=True, eq=False)
class Matches:
    """Where a run, or a part of one with whole topics, meets the judgments.

    By topic of the run, in file order: its id, its place among the judged topics (−1: not judged), its documents. By
    judged document: its topic among the judged ones, rank, tied block and row in the judgments; where asked for, its
    score, and by topic of the run the length of its vector of scores.
    """

    topics: tuple[str, ...]
    judged: NDArray[np.int32]
    retrieved: Ints
    topic: NDArray[np.int32]
    rank: Ints
    first: Ints
    last: Ints
    judgment: Ints
    score: Floats | None = None
    length: Floats | None = None

    @classmethod
    def joined(cls, parts: Sequence[Matches]) -> Matches:
        """Parts of one run put together."""
        columns = (np.concatenate([getattr(part, name) for part in parts]) for name in _MATCH_COLUMNS)
        return cls(tuple(chain.from_iterable(part.topics for part in parts)), *columns)


_MATCH_COLUMNS = ("judged", "retrieved", "topic", "rank", "first", "last", "judgment")


def grade(judgments: Judgments, run: Run, scores: bool = False) -> GradedRun:
    """The run's judged documents with rank and grade; with `scores` what a measure of scores needs."""
    return graded_run(judgments, match(judgments, run, scores), run.name, run.ties, run.source, run.notes)


def match(judgments: Judgments, run: Run, scores: bool = False) -> Matches:
    """Look every document of the run up in the judgments of its topic."""
    index = {topic: i for i, topic in enumerate(judgments.topics)}
    judged = np.array([index.get(topic, -1) for topic in run.topics], dtype=np.int32)
    row, found = look_up(judgments, run.keys, run.topic, run.documents, judged)
    start = run.offsets[run.topic[row]]
    blocks = run.blocks()
    block = np.searchsorted(blocks, row, side="right") - 1
    return Matches(
        topics=run.topics,
        judged=judged,
        retrieved=np.diff(run.offsets),
        topic=judgments.topic[found],
        rank=row - start + 1,
        first=blocks[block] - start + 1,
        last=blocks[block + 1] - start,
        judgment=found,
        score=run.scores[row] if scores and run.scored else None,
        length=_length(run) if scores and run.scored else None,
    )


def _length(run: Run) -> Floats:
    """The length of each topic's vector of scores."""
    return np.sqrt(add_by_topic(run.topic, run.scores * run.scores, len(run.topics)))


def graded_run(
    judgments: Judgments, matches: Matches, name: str, ties: str, source: Source, notes: tuple[Note, ...] = ()
) -> GradedRun:
    """A graded run from where it meets the judgments."""
    common = matches.judged >= 0
    if not common.any():
        raise InputError(_disjoint(judgments, matches.topics, name, source))
    order = np.lexsort((matches.rank, matches.topic))
    retrieved = np.zeros(len(judgments.topics), dtype=np.int64)
    retrieved[matches.judged[common]] = matches.retrieved[common]
    present = np.zeros(len(judgments.topics), dtype=bool)
    present[matches.judged[common]] = True
    length = None
    if matches.length is not None:
        length = np.zeros(len(judgments.topics))
        length[matches.judged[common]] = matches.length[common]
    return GradedRun(
        name=name,
        topics=judgments.topics,
        topic=matches.topic[order],
        rank=matches.rank[order],
        grade=judgments.grades[matches.judgment[order]],
        first=matches.first[order],
        last=matches.last[order],
        judgment=matches.judgment[order],
        retrieved=retrieved,
        present=present,
        recall_base=judgments.recall_base,
        scale=judgments.scale,
        spread=ties == "average",
        source=source,
        notes=notes + _topic_notes(name, [matches.topics[i] for i in np.flatnonzero(~common)]),
        score=None if matches.score is None else matches.score[order],
        length=length,
        subtopics=judgments.subtopics,
    )


def pooled(runs: list[GradedRun], judgments: Judgments) -> list[GradedRun]:
    """The runs, each knowing the grades of the documents returned by any of them."""
    rows = distinct(np.concatenate([run.judgment for run in runs]))
    pool = RecallBase.of(judgments.topic[rows], judgments.grades[rows])
    return [replace(run, pool=pool) for run in runs]


def look_up(
    judgments: Judgments, keys: Keys, topic: NDArray[np.int32], documents: Ids, judged: NDArray[np.int32]
) -> tuple[Ints, Ints]:
    """Rows that are judged, and beside each its row in the judgments.

    `judged[topic[i]]` is the judged topic of row i (−1: none), and `keys` are made of that topic and the document.
    """
    order = judgments.key_order
    table = judgments.keys[order]
    row = _candidates(table, keys)
    at = np.searchsorted(table, keys[row])
    hit = (at < len(table)) & (table[np.minimum(at, len(table) - 1)] == keys[row])
    row, found = row[hit], order[at[hit]]
    same = judged[topic[row]] == judgments.topic[found]
    same &= judgments.documents.take(found).same(documents.take(row))
    equal = np.flatnonzero(table[1:] == table[:-1])
    if not same.all() and len(equal):  # different documents share a key: these are asked for by name
        rows = order[np.concatenate([equal, equal + 1])].tolist()
        named = {(int(judgments.topic[r]), judgments.documents.bytes_at(r)): r for r in rows}
        for i in np.flatnonzero(~same).tolist():
            identity = (int(judged[topic[row[i]]]), documents.bytes_at(int(row[i])))
            same[i] = identity in named
            found[i] = named.get(identity, 0)
    return row[same], found[same]


def _candidates(table: Keys, keys: Keys) -> Ints:
    """Rows whose key may be in the table: one look at a small bit map spares most of the binary searches."""
    bits = max(10, len(table).bit_length() + 4)
    shift = np.uint64(64 - bits)
    marked = np.zeros(1 << bits, dtype=bool)
    marked[table >> shift] = True
    return np.flatnonzero(marked[keys >> shift])


def _disjoint(judgments: Judgments, topics: tuple[str, ...], name: str, source: Source) -> Problem:
    theirs, ours = examples(list(topics)), examples(list(judgments.topics))
    what = f"no topic of run {name} is judged; judged topics: {ours}; topics of the run: {theirs}"
    return Problem("topics-disjoint", what, f"{judgments.source.path} and {source.path}")


def _topic_notes(name: str, strangers: list[str]) -> tuple[Note, ...]:
    if not strangers:
        return ()
    text = f"{counted(len(strangers), 'topic')} without judgments ignored: {examples(strangers)}"
    return (Note("topics-unjudged", text, (name,)),)
