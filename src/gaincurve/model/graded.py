"""Where lists meet the judgments. After `grade` nobody sees ids, files or options."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, InputError, Problem
from gaincurve.model.gains import Gains
from gaincurve.model.groups import owners, spans, take
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.judgments import Judged, Judgments
from gaincurve.model.matches import Matches, match, unjudged_of
from gaincurve.model.order import SHARED
from gaincurve.model.recall import RecallBase, TopicGrades
from gaincurve.model.rows import Floats, Number, add_by, offsets_of
from gaincurve.model.run import Run
from gaincurve.model.source import Note, Source, counted, examples, grouped
from gaincurve.model.strata import Strata
from gaincurve.model.strays import Listed, Stray, join_of_names, rows_of_ids, stray
from gaincurve.model.subtopics import Subtopics
from gaincurve.model.units import Index, Units
from gaincurve.model.unjudged import Finding, not_known

ByTopic = TypeVar("ByTopic", Strata, Subtopics)
SEEN_TWICE = Problem("choice-unknown", "duplicates 'seen' is for sessions", hint="--duplicates first, or error")
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
    them. A grade below `judged_from` means: pooled, but not judged. Of the documents that stood twice in a list,
    `dropped` were left out and `kept` are there twice, which only sessions can be.
    `stray` says what was seen where fewer of the documents are judged than could be expected.
    `unjudged` finds the unjudged documents of the first ranks, by judged topic.
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
    unjudged: Finding = not_known
    kept: int = 0
    stray: Stray | None = None

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
        return self._recall_of(self.judgments.recall_base)

    @property
    def pool(self) -> RecallBase | None:
        """The grades of documents that any of the runs compared returned, list by list."""
        return None if self.judgments.pool is None else self._recall_of(self.judgments.pool.base)

    @property
    def subtopics(self) -> Subtopics | None:
        """The judgments by subtopic, list by list."""
        return None if self.judgments.subtopics is None else self._of_base(self.judgments.subtopics)

    @property
    def strata(self) -> Strata | None:
        """The strata of a sampled pool, list by list."""
        return None if self.judgments.strata is None else self._of_base(self.judgments.strata)

    @property
    def _one_list_each(self) -> bool:
        """Whether the lists are those of the judged topics, one each."""
        return np.array_equal(self.base, np.arange(len(self.judgments.topics)))

    def _recall_of(self, recall: RecallBase) -> RecallBase:
        return recall if self._one_list_each else recall.of_lists(self.base)

    def _of_base(self, judged: ByTopic) -> ByTopic:
        if self._one_list_each:
            return judged
        offsets = offsets_of(judged.topic, len(self.judgments.topics))
        count = np.where(self.base >= 0, np.diff(offsets)[self.base], 0)
        row = spans(offsets[self.base], count)
        columns = {name: column[row] for name, column in vars(judged).items()}
        return replace(judged, **{**columns, "topic": owners(count).astype(np.int32)})

    def condensed(self) -> Graded:
        """The lists without their unjudged documents: the others move up."""
        judged = self._rows(self.judged)
        offsets = offsets_of(judged.list, self.lists)
        rank = np.arange(len(judged.rank)) - offsets[judged.list] + 1
        start, size = judged._tied_rows()
        first = rank[start]
        last = first + size - 1
        length = self.length
        if judged.score is not None:
            length = np.sqrt(add_by(judged.list, judged.score * judged.score, self.lists))
        return replace(
            judged, rank=rank, first=first, last=last, retrieved=np.diff(offsets), length=length, unjudged=not_known
        )

    def tie_order(self, best: bool, worth: Floats | None = None) -> Graded:
        """The lists with every tied block in its best order (highest grade, or `worth` by row, first) or in its worst.

        An unjudged document is worth 0. A measure that never falls when a better document moves up has its
        highest and lowest value over all orders of ties there. To be asked for before `cut`: a tied block may reach
        beyond the depth. Where ties share their gains (`spread`) no order is chosen, and nothing changes.
        """
        tied = np.flatnonzero(self.last > self.first)
        if self.spread or not len(tied):
            return self
        worth = (self.grade if worth is None else worth)[tied]
        block = self._rows(tied)
        order = np.lexsort((-worth if best else worth, block.first, block.list))
        ordered, worth = block._rows(order), worth[order]
        start, size = ordered._tied_rows()
        unjudged = ordered.last - ordered.first + 1 - size
        after = (worth <= 0) if best else (worth > 0)  # the unjudged stand between these and the others
        rank = ordered.first + np.arange(len(order)) - start + np.where(after, unjudged, 0)
        if np.array_equal(ordered.judgment, block.judgment) and np.array_equal(rank, block.rank):
            return self
        return replace(
            self,
            rank=_put(self.rank, tied, rank),
            grade=_put(self.grade, tied, ordered.grade),
            judgment=_put(self.judgment, tied, ordered.judgment),
            score=None if self.score is None or ordered.score is None else _put(self.score, tied, ordered.score),
        )

    def _tied_rows(self) -> tuple[Ints, Ints]:
        """By row: the first row of its tied block, and how many rows that block has."""
        new = np.ones(len(self.rank), dtype=bool)
        new[1:] = (self.list[1:] != self.list[:-1]) | (self.first[1:] != self.first[:-1])
        starts = np.flatnonzero(new)
        size = np.diff(np.append(starts, len(new)))
        return np.repeat(starts, size), np.repeat(size, size)

    def cut(self, depth: int) -> Graded:
        """The lists as if they held no more than `depth` documents."""
        above = self._rows(self.rank <= depth)
        return replace(above, last=np.minimum(above.last, depth), retrieved=np.minimum(self.retrieved, depth))

    def _rows(self, wanted: NDArray[np.bool_] | Ints) -> Graded:
        """Some of the rows, or all in another order; what is known by list stays."""
        if wanted.dtype == bool and wanted.all():
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


def _put(column: NDArray[Number], rows: Ints, values: NDArray[Number]) -> NDArray[Number]:
    """A column with other values in some rows."""
    changed = column.copy()
    changed[rows] = values
    return changed


def _spread(values: NDArray[Number] | None, place: NDArray[np.integer], size: int) -> NDArray[Number] | None:
    """Values at their places among `size`, 0 elsewhere."""
    if values is None:
        return None
    spread = np.zeros(size, dtype=values.dtype)
    spread[place] = values
    return spread


def grade(judgments: Judgments, run: Run, scores: bool = False) -> Graded:
    """The run's judged documents with rank and grade; with `scores` what a measure of scores needs."""
    if run.kept:
        raise ChoiceError(SEEN_TWICE)
    matches = match(judgments, run, scores)
    notes = (*run.notes, *run.file_order().notes(run.name, len(run.topics)))
    seen = graded_topics(judgments, matches, run.name, run.ties, run.source, notes, run.dropped)
    seen = replace(seen, unjudged=partial(unjudged_of, judgments, run))
    return looked_at(judgments, matches, seen, lambda: rows_of_ids(matches.base, run.topic, run.documents))


def looked_at(judgments: Judgments, matches: Matches, seen: Graded, listed: Listed) -> Graded:
    """The graded run with what its ids look like, where fewer of them match than could be expected."""
    strange = stray(judgments, matches.base, matches.retrieved, matches.judgment, listed)
    return seen if strange is None else replace(seen, stray=strange)


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
    all_notes = notes + _topic_notes(judgments, matches.names, strangers, name)
    if matches.copied:
        text = "its scores are the grades of the judgments, document by document, so it is perfect by construction"
        all_notes += (Note("run-is-judgments", text, (name,)),)
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
    lists = place.astype(np.int32)[matches.list]
    rows: slice | Ints = slice(None)
    if (lists < 0).any() or not _in_order(lists, matches.rank):
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
        spread=ties in SHARED,
        source=source,
        notes=notes,
        score=take(matches.score, rows),
        length=_spread(take(matches.length, there), place[there], units.lists),
        dropped=dropped,
        unjudged=not_known if matches.unjudged is None else matches.unjudged.within,
        judged_from=-math.inf if judgments.sampling is None else 0.0,
    )


def _in_order(lists: Index, rank: Ints) -> bool:
    """Whether rows stand list by list, each by rank."""
    return bool(((lists[1:] > lists[:-1]) | ((lists[1:] == lists[:-1]) & (rank[1:] >= rank[:-1]))).all())


def pooled(runs: Sequence[Graded], judgments: Judgments) -> list[Graded]:
    """The runs, each knowing the grades of the documents returned by any of them."""
    returned = [run.judgment for run in runs]
    pool = TopicGrades(judgments.topic, judgments.grades, len(judgments.topics), returned)
    return [replace(run, judgments=replace(run.judgments, pool=pool)) for run in runs]


def _disjoint(judgments: Judgments, topics: Sequence[str], name: str, source: Source) -> Problem:
    theirs, ours = examples([*topics]), examples([*judgments.topics])
    what = f"no topic of run {name} is judged; judged topics: {ours}; topics of the run: {theirs}"
    return topics_disjoint(judgments, what, topics, source)


def topics_disjoint(judgments: Judgments, what: str, topics: Sequence[str], source: Source) -> Problem:
    """The problem that no topic is judged, with the spelling that would join them."""
    join = join_of_names(topics, judgments.topics)
    if join is not None:
        what += f"; {grouped(join.joined)} of {grouped(len(topics))} match after {join.how}"
    return Problem("topics-disjoint", what, f"{judgments.source.path} and {source.path}")


def _topic_notes(judgments: Judgments, names: Ids, strangers: Ints, name: str) -> tuple[Note, ...]:
    """Topics of a run that are not judged, and whether judged ones that it lacks are spelt otherwise."""
    if not len(strangers):
        return ()
    unjudged = names.take(strangers).texts()
    text = f"{counted(len(strangers), 'topic')} without judgments ignored: {examples(unjudged)}"
    notes = [Note("topics-unjudged", text, (name,))]
    lacking = sorted(set(judgments.topics).difference(names.texts()))
    join = join_of_names(unjudged, lacking) if lacking else None
    if join is not None:
        text = f"{counted(join.joined, 'topic')} without judgments would match a judged one after {join.how}"
        notes.append(Note("topics-spelling", f"{text}: {examples(unjudged)}", (name,)))
    return tuple(notes)
