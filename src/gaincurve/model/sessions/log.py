"""Sessions: what users asked in turn, and what a system returned each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.graded import look_up
from gaincurve.model.ids import Ids, Ints, scramble
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import places
from gaincurve.model.recall import RecallBase
from gaincurve.model.rows import Floats, offsets_of
from gaincurve.model.source import Note, Source, counted, examples, grouped

Index = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Sessions:
    """A flat table of queries in order of session and position (1, 2, …).

    `topic` indexes `topics` (−1: none is known). By session: `user` indexes `users`. By query, where known: its
    `texts`, how deep its list was `scanned` (−1: not recorded) and the deepest rank `clicked` (0: no click). A table
    made from a TREC run is not `complete`: it cannot hold a query that returned nothing. `judged_by` tells whether
    all queries of a session share the judgments of its 'topic' or each 'query' has its own.
    """

    ids: Ids
    session: Index
    position: Index
    topics: tuple[str, ...]
    topic: Index
    users: tuple[str, ...] = ()
    user: Index | None = None
    texts: tuple[str, ...] | None = None
    scanned: Ints | None = None
    clicked: Ints | None = None
    complete: bool = True
    judged_by: str = "topic"

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"Sessions({self.describe()})"

    def describe(self) -> str:
        """'133 sessions, 401 queries'."""
        queries = len(self.session)
        return f"{counted(len(self), 'session')}, {grouped(queries)} quer{'y' if queries == 1 else 'ies'}"

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the sessions as text."""
        return tuple(self.ids.texts())

    @property
    def lengths(self) -> Ints:
        """The number of queries of each session."""
        return np.bincount(self.session, minlength=len(self))

    @property
    def offsets(self) -> Ints:
        """Where each session's queries begin; one more entry than sessions."""
        return offsets_of(self.session, len(self))

    def topic_of_session(self) -> Index:
        """The one topic of each session, −1 where its queries have several or none."""
        offsets = self.offsets
        first = self.topic[np.minimum(offsets[:-1], max(0, len(self.topic) - 1))]
        several = np.bincount(self.session[self.topic != first[self.session]], minlength=len(self)) > 0
        return np.where(several, -1, first).astype(np.int32)

    def select(self, sessions: Ints) -> Sessions:
        """Some of the sessions, by index in ascending order."""
        place = np.full(len(self), -1, dtype=np.int32)
        place[sessions] = np.arange(len(sessions), dtype=np.int32)
        kept = np.flatnonzero(place[self.session] >= 0)
        return replace(
            self,
            ids=self.ids.take(sessions),
            session=place[self.session[kept]],
            position=self.position[kept],
            topic=self.topic[kept],
            user=None if self.user is None else self.user[sessions],
            texts=None if self.texts is None else tuple(self.texts[i] for i in kept.tolist()),
            scanned=None if self.scanned is None else self.scanned[kept],
            clicked=None if self.clicked is None else self.clicked[kept],
        )


@dataclass(frozen=True, eq=False)
class SessionLog:
    """One system's results for every query of its sessions, documents in (query, rank) order."""

    name: str
    sessions: Sessions
    query: Index
    documents: Ids
    source: Source
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return f"SessionLog({self.name}: {self.sessions.describe()}, from {self.source.path})"

    @property
    def retrieved(self) -> Ints:
        """The number of documents each query returned."""
        return np.bincount(self.query, minlength=len(self.sessions.session))


@dataclass(frozen=True, eq=False)
class GradedSessions:
    """A session log seen through the judgments: one row per judged document that was retrieved, in (query, rank) order.

    `judged` is the judged topic of each query (−1: none), whose recall base all its queries share; `present` tells
    which sessions the system took part in.
    """

    name: str
    sessions: Sessions
    judged: Index
    retrieved: Ints
    query: Index
    rank: Ints
    grade: Floats
    judgment: Ints
    present: NDArray[np.bool_]
    recall_base: RecallBase
    topics: tuple[str, ...]
    source: Source
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return f"GradedSessions({self.name}: {self.sessions.describe()}, {len(self.rank)} judged documents)"

    def condensed(self) -> GradedSessions:
        """The lists without their unjudged documents: the others move up."""
        offsets = offsets_of(self.query, len(self.retrieved))
        rank = np.arange(len(self.rank)) - offsets[self.query] + 1
        return replace(self, rank=rank, retrieved=np.diff(offsets))

    def select(self, sessions: Ints) -> GradedSessions:
        """Some of the sessions, by index in ascending order."""
        wanted = np.zeros(len(self.sessions), dtype=bool)
        wanted[sessions] = True
        kept = wanted[self.sessions.session]
        place = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
        rows = kept[self.query]
        return replace(
            self,
            sessions=self.sessions.select(sessions),
            judged=self.judged[kept],
            retrieved=self.retrieved[kept],
            query=place[self.query[rows]],
            rank=self.rank[rows],
            grade=self.grade[rows],
            judgment=self.judgment[rows],
            present=self.present[sessions],
        )


def grade_sessions(judgments: Judgments, log: SessionLog) -> GradedSessions:
    """The judged documents of a session log with rank and grade."""
    judged = judged_topics(judgments, log.sessions)
    row, found = match_queries(judgments, judged, log.query, log.documents)
    offsets = offsets_of(log.query, len(judged))
    return GradedSessions(
        name=log.name,
        sessions=log.sessions,
        judged=judged,
        retrieved=np.diff(offsets),
        query=log.query[row],
        rank=row - offsets[log.query[row]] + 1,
        grade=judgments.grades[found],
        judgment=found,
        present=np.ones(len(log.sessions), dtype=bool),
        recall_base=judgments.recall_base,
        topics=judgments.topics,
        source=log.source,
        notes=log.notes,
    )


def judged_topics(judgments: Judgments, sessions: Sessions) -> Index:
    """The place of each query's topic among the judged ones, −1 where it is not judged."""
    found = np.concatenate([places(Ids.from_texts(sessions.topics), Ids.from_texts(judgments.topics)), [-1]])
    return found[sessions.topic].astype(np.int32)


def match_queries(judgments: Judgments, judged: Index, query: Index, documents: Ids) -> tuple[Ints, Ints]:
    """Rows that are judged, and beside each its row in the judgments of its query's topic, in the rows' order."""
    topic = scramble(Ids.from_texts(judgments.topics).hashes())
    keys = scramble(documents.hashes() ^ topic[judged[query]])
    return look_up(judgments, keys, query, documents, judged)


def unjudged_note(runs: Sequence[GradedSessions]) -> tuple[Note, ...]:
    """Sessions without a single judged topic: they have no value."""
    notes = []
    first = runs[0]
    alike = all(run.sessions.ids is first.sessions.ids for run in runs)
    for run in [first] if alike else runs:
        left = np.flatnonzero(~judged_sessions(run))
        if len(left):
            names = run.sessions.ids.take(left).texts()
            text = f"{counted(len(names), 'session')} without judgments for the topic, left out: {examples(names)}"
            notes.append(Note("session-unjudged", text, () if alike else (run.name,)))
        some = np.flatnonzero((run.judged < 0) & judged_sessions(run)[run.sessions.session])
        if len(some):
            sessions, positions = run.sessions.ids, run.sessions.position
            names = [f"{sessions[int(run.sessions.session[q])]} query {positions[q]}" for q in some[:4].tolist()]
            more = f", … ({len(some)} in all)" if len(some) > 4 else ""
            text = f"queries whose topic is not judged add nothing, to the ideal neither: {', '.join(names)}{more}"
            notes.append(Note("query-unjudged", text, () if alike else (run.name,)))
    return tuple(notes)


def judged_sessions(run: GradedSessions) -> NDArray[np.bool_]:
    """Whether any query of a session has a judged topic."""
    return np.bincount(run.sessions.session[run.judged >= 0], minlength=len(run.sessions)) > 0
