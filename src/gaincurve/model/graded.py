"""Where lists meet the judgments. After `grade` nobody sees ids, files or options."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem
from gaincurve.model.gains import Gains
from gaincurve.model.groups import take
from gaincurve.model.ids import Ids, Ints, Keys, scramble
from gaincurve.model.judgments import Judged, Judgments
from gaincurve.model.lookup import joined, places
from gaincurve.model.recall import RecallBase
from gaincurve.model.rows import Floats, Number, add_by, distinct, offsets_of
from gaincurve.model.run import Run
from gaincurve.model.source import Note, Source, counted, examples
from gaincurve.model.subtopics import Subtopics
from gaincurve.model.units import Index, Units

ByTopic = TypeVar("ByTopic", RecallBase, Subtopics)
IDEAL = "ideal"
"""The name under which the best possible ranking stands beside the runs; no run may take it."""


@dataclass(frozen=True, eq=False)
class Graded:
    """One system seen through the judgments: one row per judged document that was retrieved, in (list, rank) order.

    Each list belongs to one of the `units` and is judged by the recall base `base` (−1: by none); lists of one topic
    share a base. `first` and `last` are the ranks of the tied block a document stands in; under the rule 'average'
    (`spread`) its gain is shared evenly among those ranks. `judgment` is the row of the judgments. What is not here was
    not judged: `retrieved` says how many documents a list has. `present` says which units the system answered.

    `score` and, by list, `length` (the root of the sum of all squared scores) are there only where a measure asked for
    them. A grade below `judged_from` means: pooled, but not judged. `dropped` documents stood twice in a list.
    """

    name: str
    units: Units
    base: Index
    list: Index
    rank: Ints
    grade: Floats
    first: Ints
    last: Ints
    judgment: Ints
    retrieved: Ints
    present: NDArray[np.bool_]
    judgments: Judged
    spread: bool
    source: Source
    notes: tuple[Note, ...] = ()
    score: Floats | None = None
    length: Floats | None = None
    judged_from: float = -math.inf
    dropped: int = 0

    def __repr__(self) -> str:
        counts = f"{self.units.describe()}, {len(self.rank)} judged of {self.retrieved.sum()} retrieved"
        return f"Graded({self.name}: {counts})"

    @property
    def lists(self) -> int:
        """How many lists there are: one a topic, one for every query of a session."""
        return len(self.base)

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Which rows were judged: all, unless negative grades mean that a document was only pooled."""
        return self.grade >= self.judged_from

    @property
    def judged_units(self) -> NDArray[np.bool_]:
        """Whether any list of a unit has judgments."""
        return np.bincount(self.units.unit[self.base >= 0], minlength=len(self.units)) > 0

    @property
    def scale(self) -> Floats:
        """The grades the judges used anywhere."""
        return self.judgments.scale

    @property
    def recall_base(self) -> RecallBase:
        """The recall base of each list, shared as it is where every judged topic has one list."""
        return self._of_base(self.judgments.recall_base)

    @property
    def pool(self) -> RecallBase | None:
        """The grades of documents that any of the runs compared returned, list by list."""
        return None if self.judgments.pool is None else self._of_base(self.judgments.pool)

    @property
    def subtopics(self) -> Subtopics | None:
        """The judgments by subtopic, list by list."""
        return None if self.judgments.subtopics is None else self._of_base(self.judgments.subtopics)

    def _of_base(self, judged: ByTopic) -> ByTopic:
        if np.array_equal(self.base, np.arange(len(self.judgments.topics))):
            return judged
        owner, row = _rows_of(offsets_of(judged.topic, len(self.judgments.topics)), self.base)
        columns = {name: column[row] for name, column in vars(judged).items()}
        return replace(judged, **{**columns, "topic": owner})

    def condensed(self) -> Graded:
        """The lists without their unjudged documents: the others move up."""
        judged = self._rows(self.judged)
        offsets = offsets_of(judged.list, self.lists)
        rank = np.arange(len(judged.rank)) - offsets[judged.list] + 1
        new = np.ones(len(rank), dtype=bool)
        new[1:] = (judged.list[1:] != judged.list[:-1]) | (judged.first[1:] != judged.first[:-1])
        block = np.cumsum(new) - 1
        size = np.bincount(block)
        first = rank[new][block] if len(rank) else rank
        last = first + size[block] - 1 if len(rank) else rank
        length = self.length
        if judged.score is not None:
            length = np.sqrt(add_by(judged.list, judged.score * judged.score, self.lists))
        return replace(judged, rank=rank, first=first, last=last, retrieved=np.diff(offsets), length=length)

    def cut(self, depth: int) -> Graded:
        """The lists as if they held no more than `depth` documents."""
        above = self._rows(self.rank <= depth)
        return replace(above, last=np.minimum(above.last, depth), retrieved=np.minimum(self.retrieved, depth))

    def _rows(self, wanted: NDArray[np.bool_]) -> Graded:
        """Some of the rows; what is known by list stays."""
        if wanted.all():
            return self
        names = ("list", "rank", "grade", "first", "last", "judgment", "score")
        columns: dict[str, Any] = {name: take(getattr(self, name), wanted) for name in names}
        return replace(self, **columns)

    def select(self, units: Ints) -> Graded:
        """Some of the units, given by index in ascending order."""
        wanted = np.zeros(len(self.units), dtype=bool)
        wanted[units] = True
        lists = wanted[self.units.unit]
        place = np.where(lists, np.cumsum(lists) - 1, -1).astype(np.int32)
        chosen = self._rows(lists[self.list])
        return replace(
            chosen,
            units=self.units.select(units),
            base=self.base[lists],
            list=place[chosen.list],
            retrieved=self.retrieved[lists],
            present=self.present[units],
            length=take(self.length, lists),
        )

    def placed(self, units: Units, place: Ints, base: Index, present: NDArray[np.bool_]) -> Graded:
        """The same lists among those of other units: list i moves to place[i]; lists that are not here are empty."""
        moved = place[self.list].astype(np.int32)
        order = np.argsort(moved, kind="stable")
        names = ("rank", "grade", "first", "last", "judgment", "score")
        columns: dict[str, Any] = {name: take(getattr(self, name), order) for name in names}
        columns |= {name: _spread(getattr(self, name), place, len(base)) for name in ("retrieved", "length")}
        return replace(self, units=units, base=base, list=moved[order], present=present, **columns)

    def can_gain(self, gains: Gains) -> NDArray[np.bool_]:
        """Whether anything judged for a list has a gain: where not, nothing relative to an ideal is defined."""
        base = self.recall_base
        return np.bincount(base.topic[gains.of_grades(base.grade) > 0], minlength=self.lists) > 0

    def judged_at(self, depth: int) -> Ints:
        """How many of the first `depth` documents of each list are judged."""
        return np.bincount(self.list[(self.rank <= depth) & self.judged], minlength=self.lists)

    def unjudged_at(self, depth: int) -> Ints:
        """How many of the first `depth` documents of each list are unjudged."""
        return np.minimum(self.retrieved, depth) - self.judged_at(depth)


def _rows_of(offsets: Ints, base: Index) -> tuple[Index, Ints]:
    """The list and the row of everything known of each list's recall base; base b's rows begin at offsets[b]."""
    count = np.where(base >= 0, np.diff(offsets)[base], 0)
    owner = np.repeat(np.arange(len(base), dtype=np.int32), count)
    return owner, np.arange(len(owner)) + np.repeat(offsets[base] - (np.cumsum(count) - count), count)


def _spread(values: NDArray[Number] | None, place: NDArray[np.integer], size: int) -> NDArray[Number] | None:
    """Values at their places among `size`, 0 elsewhere."""
    if values is None:
        return None
    spread = np.zeros(size, dtype=values.dtype)
    spread[place] = values
    return spread


@dataclass(frozen=True, eq=False)
class Matches:
    """Where lists, or a part of a file with whole lists, meet the judgments.

    By list, in file order: its name, its recall base (−1: none), its documents. By judged document: its list, rank,
    tied block and row in the judgments; where asked for, its score, and by list the length of its vector of scores.
    """

    names: Ids
    base: Index
    retrieved: Ints
    list: Ints
    rank: Ints
    first: Ints
    last: Ints
    judgment: Ints
    score: Floats | None = None
    length: Floats | None = None

    @classmethod
    def joined(cls, parts: Sequence[Matches]) -> Matches:
        """Parts of one file put together."""
        starts = np.cumsum([0, *(len(part.names) for part in parts)])
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _MATCH_COLUMNS}
        lists = np.concatenate([part.list + start for part, start in zip(parts, starts, strict=False)])
        return cls(joined([part.names for part in parts]), list=lists, **columns)


_MATCH_COLUMNS = ("base", "retrieved", "rank", "first", "last", "judgment")


def grade(judgments: Judgments, run: Run, scores: bool = False) -> Graded:
    """The run's judged documents with rank and grade; with `scores` what a measure of scores needs."""
    return graded_topics(
        judgments, match(judgments, run, scores), run.name, run.ties, run.source, run.notes, run.dropped
    )


def match(judgments: Judgments, run: Run, scores: bool = False, base: Index | None = None) -> Matches:
    """Look up every document of the run in the judgments of its topic, or of the recall base given for each list."""
    names, keys = Ids.from_texts(run.topics), run.keys
    if base is None:
        base = places(names, Ids.from_texts(judgments.topics)).astype(np.int32)
    else:
        keys = keys_of(judgments, base, run.topic, run.documents)
    row, judgment = look_up(judgments, keys, run.topic, run.documents, base)
    start = run.offsets[run.topic[row]]
    blocks = run.blocks()
    block = np.searchsorted(blocks, row, side="right") - 1
    return Matches(
        names=names,
        base=base,
        retrieved=np.diff(run.offsets),
        list=run.topic[row].astype(np.int64),
        rank=row - start + 1,
        first=blocks[block] - start + 1,
        last=blocks[block + 1] - start,
        judgment=judgment,
        score=run.scores[row] if scores and run.scored else None,
        length=_length(run) if scores and run.scored else None,
    )


def _length(run: Run) -> Floats:
    """The length of each topic's vector of scores."""
    return np.sqrt(add_by(run.topic, run.scores * run.scores, len(run.topics)))


def graded_topics(
    judgments: Judgments,
    matches: Matches,
    name: str,
    ties: str,
    source: Source,
    notes: tuple[Note, ...] = (),
    dropped: int = 0,
) -> Graded:
    """A run graded topic by topic: its units are the judged topics."""
    strangers = np.flatnonzero(matches.base < 0)
    if len(strangers) == len(matches.base):
        raise InputError(_disjoint(judgments, matches.names.texts(), name, source))
    all_notes = notes + _topic_notes(name, matches.names.take(strangers).texts())
    every = np.arange(len(judgments.topics), dtype=np.int32)
    return graded(judgments, matches, judgments.units, matches.base, every, name, ties, source, all_notes, dropped)


def graded(
    judgments: Judgments,
    matches: Matches,
    units: Units,
    place: NDArray[np.integer],
    base: Index,
    name: str,
    ties: str,
    source: Source,
    notes: tuple[Note, ...] = (),
    dropped: int = 0,
) -> Graded:
    """Lists of any units from where they meet the judgments: list i stands at place[i] of the units' (−1: left out)."""
    lists = place[matches.list].astype(np.int32)
    rows = np.flatnonzero(lists >= 0)
    rows = rows[np.lexsort((matches.rank[rows], lists[rows]))]
    there = np.flatnonzero(place >= 0)
    present = np.zeros(len(units), dtype=bool)
    present[units.unit[place[there]]] = True
    return Graded(
        name=name,
        units=units,
        base=base,
        list=lists[rows],
        rank=matches.rank[rows],
        grade=judgments.grades[matches.judgment[rows]],
        first=matches.first[rows],
        last=matches.last[rows],
        judgment=matches.judgment[rows],
        retrieved=np.asarray(_spread(matches.retrieved[there], place[there], units.lists)),
        present=present,
        judgments=judgments.judged,
        spread=ties == "average",
        source=source,
        notes=notes,
        score=take(matches.score, rows),
        length=_spread(take(matches.length, there), place[there], units.lists),
        dropped=dropped,
    )


def pooled(runs: Sequence[Graded], judgments: Judgments) -> list[Graded]:
    """The runs, each knowing the grades of the documents returned by any of them."""
    rows = distinct(np.concatenate([run.judgment for run in runs]))
    pool = RecallBase.of(judgments.topic[rows], judgments.grades[rows])
    return [replace(run, judgments=replace(run.judgments, pool=pool)) for run in runs]


def keys_of(judgments: Judgments, base: Index, owner: Index, documents: Ids) -> Keys:
    """The keys under which documents are looked up: built from the judged topic of their list and the document."""
    topic = scramble(Ids.from_texts(judgments.topics).hashes())
    return scramble(documents.hashes() ^ topic[base[owner]])


def look_up(judgments: Judgments, keys: Keys, owner: Index, documents: Ids, base: Index) -> tuple[Ints, Ints]:
    """Rows that are judged, and beside each its row in the judgments.

    `base[owner[i]]` is the judged topic of row i (−1: none), and `keys` are built from that topic and the document.
    """
    order = judgments.key_order
    table = judgments.keys[order]
    row = _candidates(table, keys)
    place = np.searchsorted(table, keys[row])
    hit = (place < len(table)) & (table[np.minimum(place, len(table) - 1)] == keys[row])
    row, judgment = row[hit], order[place[hit]]
    same = base[owner[row]] == judgments.topic[judgment]
    same &= judgments.documents.take(judgment).same(documents.take(row))
    equal = np.flatnonzero(table[1:] == table[:-1])
    if not same.all() and len(equal):  # different documents share a key: look these up by name
        rows = order[np.concatenate([equal, equal + 1])].tolist()
        named = {(int(judgments.topic[other]), judgments.documents.bytes_at(other)): other for other in rows}
        for i in np.flatnonzero(~same).tolist():
            identity = (int(base[owner[row[i]]]), documents.bytes_at(int(row[i])))
            same[i] = identity in named
            judgment[i] = named.get(identity, 0)
    return row[same], judgment[same]


def _candidates(table: Keys, keys: Keys) -> Ints:
    """Rows whose key may be in the table: one look at a small bit map spares most of the binary searches."""
    bits = max(10, len(table).bit_length() + 4)
    shift = np.uint64(64 - bits)
    marked = np.zeros(1 << bits, dtype=bool)
    marked[table >> shift] = True
    return np.flatnonzero(marked[keys >> shift])


def _disjoint(judgments: Judgments, topics: Sequence[str], name: str, source: Source) -> Problem:
    theirs, ours = examples([*topics]), examples([*judgments.topics])
    what = f"no topic of run {name} is judged; judged topics: {ours}; topics of the run: {theirs}"
    return Problem("topics-disjoint", what, f"{judgments.source.path} and {source.path}")


def _topic_notes(name: str, strangers: Sequence[str]) -> tuple[Note, ...]:
    if not strangers:
        return ()
    text = f"{counted(len(strangers), 'topic')} without judgments ignored: {examples([*strangers])}"
    return (Note("topics-unjudged", text, (name,)),)
