"""Which topic each session is on, and which queries there are: small tables beside TREC runs."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve._scan_py import Lines, scan
from gaincurve.errors import MOST_PROBLEMS, InputError, Problem
from gaincurve.io.content import Content, read_content
from gaincurve.io.sessions.query_ids import USUAL, Pattern
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import IdIndex, compact, numbered, places
from gaincurve.model.source import Source, counted, examples, shorten
from gaincurve.model.units import Units


@dataclass(frozen=True, eq=False)
class SessionTopics:
    """A map from session to topic: `topic[s]` indexes `topics`."""

    ids: Ids
    topics: tuple[str, ...]
    topic: NDArray[np.int32]
    source: Source

    def to_dict(self) -> dict[str, str]:
        """{session: topic}."""
        return {name: self.topics[topic] for name, topic in zip(self.ids.texts(), self.topic.tolist(), strict=True)}


def read_session_topics(path: str | os.PathLike[str], digest: bool = True) -> SessionTopics:
    """A table of session and topic, one pair a line; further columns are ignored, and so is a header."""
    content = read_content(path, digest)
    lines, first = _lines(content)
    header = query_columns(content, lines)
    if header is not None:
        first = first[1:]
        return _session_topics(content, lines, first, header["session"], header["topic"])
    narrow = np.flatnonzero(lines.count < 2)
    if len(narrow):
        offsets = [int(lines.starts[lines.first[i]]) for i in narrow[:MOST_PROBLEMS].tolist()]
        what = "expected a session and its topic, got "
        problems = [
            Problem("session-map", what + shorten(content.line_at(offset)), content.place(offset)) for offset in offsets
        ]
        raise InputError(problems, more=len(narrow) - len(problems))
    sessions = _column(content, lines, first)
    if len(sessions) and sessions[0].lower() in ("session", "session_id", "sessionid", "sessionnum", "num"):
        first = first[1:]
    return _session_topics(content, lines, first, 0, 1)


def _session_topics(content: Content, lines: Lines, first: Ints, session_at: int, topic_at: int) -> SessionTopics:
    sessions, topics = (_column(content, lines, first + column) for column in (session_at, topic_at))
    if not len(sessions):
        raise InputError(Problem("input-empty", f"{content.path} has no sessions", content.path))
    ids, session = numbered(sessions)
    names, topic = numbered(topics)
    topic_of_session = np.full(len(ids), -1, dtype=np.int64)
    topic_of_session[session[::-1]] = topic[::-1]  # the first line of a session decides
    clash = np.flatnonzero(topic_of_session[session] != topic)
    if len(clash):
        problems = []
        for i in clash[:MOST_PROBLEMS].tolist():
            here, before = shorten(topics[i]), shorten(names[int(topic_of_session[session[i]])])
            what = f"session {shorten(sessions[i])} has topic {here} here and topic {before} before"
            problems.append(Problem("session-map", what, content.place(int(lines.starts[first[i]]))))
        raise InputError(problems, more=len(clash) - len(problems))
    source = Source(content.path, "session map", len(names), len(ids), content.sha256)
    return SessionTopics(compact(ids), tuple(names.texts()), topic_of_session.astype(np.int32), source)


def query_columns(content: Content, lines: Lines) -> dict[str, int] | None:
    """Where a table of queries, told by its header, has session, query and topic; None for a plain list or map."""
    names = content.line_at(int(lines.starts[lines.first[0]])).lower().split()
    columns: dict[str, int] = {name: names.index(name) for name in ("session", "query", "topic") if name in names}
    if len(columns) < 3:
        return None
    narrow = np.flatnonzero(lines.count < len(names))
    if len(narrow):
        offset = int(lines.starts[lines.first[narrow[0]]])
        what = f"fewer columns than the header: {shorten(content.line_at(offset))}"
        raise InputError(Problem("session-map", what, content.place(offset)))
    return columns


def holds_topics(path: str | os.PathLike[str]) -> bool:
    """Whether a file of queries is a table that holds session and topic as well."""
    content = read_content(path, digest=False)
    return query_columns(content, _lines(content)[0]) is not None


def read_queries(path: str | os.PathLike[str], pattern: Pattern | None = None) -> Ids:
    """The queries there are, by the first column of each line: s12.q3 and so on.

    A table whose header names session, query and topic holds them apart; they are named by the pattern.
    """
    content = read_content(path, digest=False)
    lines, first = _lines(content)
    header = query_columns(content, lines)
    if header is None:
        return _column(content, lines, first)
    sessions, queries = (_column(content, lines, first[1:] + header[role]).texts() for role in ("session", "query"))
    text = USUAL[0] if pattern is None else pattern.text
    named = zip(sessions, queries, strict=True)
    return Ids.from_texts([text.replace("{session}", session).replace("{query}", query) for session, query in named])


def _lines(content: Content) -> tuple[Lines, Ints]:
    lines = scan(content.buffer, content.start, content.stop)
    if not len(lines.first):
        raise InputError(Problem("input-empty", f"{content.path} has only blank lines and comments", content.path))
    return lines, lines.first


def _column(content: Content, lines: Lines, tokens: Ints) -> Ids:
    return Ids(content.buffer, lines.starts[tokens], (lines.ends[tokens] - lines.starts[tokens]).astype(np.int32))


@dataclass(frozen=True, eq=False)
class QueryNames:
    """How the topic field of a run is read: session and query number, and under which topic the query is judged.

    With a map that is the session's topic. Without one, the query itself if queries are judged ('conversation_turn'),
    else the session.
    """

    pattern: Pattern
    judged_by: str
    judged_topics: IdIndex
    mapped: SessionTopics | None
    sessions: IdIndex
    topic_of_session: NDArray[np.int32]
    judged_of_session: NDArray[np.int32]

    @classmethod
    def of(
        cls, sample: Ids, judgments: Judgments, mapped: SessionTopics | None, pattern: str | None, path: str
    ) -> QueryNames:
        """Settled by the first queries of the first run."""
        topics = IdIndex.of(Ids.from_texts(judgments.topics))
        sessions = IdIndex.of(Ids.from_texts(()) if mapped is None else mapped.ids)
        none = np.array([-1], dtype=np.int32)  # the last entry answers for sessions that are not in the map
        topic, judged = none, none
        if mapped is not None:
            topic = np.concatenate([mapped.topic, none])
            of_topic = topics.places(Ids.from_texts(mapped.topics)).astype(np.int32)
            judged = np.concatenate([of_topic, none])[topic]

        def settled(chosen: Pattern, judged_by: str) -> QueryNames:
            return cls(chosen, judged_by, topics, mapped, sessions, topic, judged)

        fitting = [candidate for candidate in _candidates(pattern) if candidate.split(sample)[2].all()]
        if not fitting:
            raise InputError(_unfit(sample, _candidates(pattern), path, pattern))
        if mapped is not None:
            known = [candidate for candidate in fitting if (sessions.places(candidate.split(sample)[0]) >= 0).any()]
            return settled((known or fitting)[0], "topic")
        if (topics.places(sample) >= 0).any():
            return settled(fitting[0], "query")
        known = [candidate for candidate in fitting if (topics.places(candidate.split(sample)[0]) >= 0).any()]
        if not known:
            name = shorten(fitting[0].split(sample)[0][0])
            what = f"session {name} of query {shorten(sample[0])} has no topic: neither is judged, and no map was given"
            raise InputError(Problem("session-without-topic", what, line_of(path, sample[0])))
        return settled(known[0], "topic")

    def look_up(self) -> tuple[Ids, NDArray[np.int32], tuple[bytes, bytes, bytes]]:
        """Names that lead to judgments, the judged topic of each, and the pattern in which a query holds one."""
        whole = (b"", b"", b"")  # the query itself is the name
        pattern = (
            whole if self.judged_by == "query" else (self.pattern.before, self.pattern.between, self.pattern.after)
        )
        if self.judged_by == "topic" and self.mapped is not None:
            return self.mapped.ids, self.judged_of_session[:-1].astype(np.int32), pattern
        topics = self.judged_topics.table
        return topics, np.arange(len(topics), dtype=np.int32), pattern

    def judged(self, queries: Ids) -> NDArray[np.int32]:
        """The judged topic of each query, −1 where there is none."""
        if self.judged_by == "query":
            return self.judged_topics.places(queries).astype(np.int32)
        sessions, _, fits = self.pattern.split(queries)
        if self.mapped is None:
            topic = self.judged_topics.places(sessions)
        else:
            topic = self.judged_of_session[self.sessions.places(sessions)].astype(np.int64)
        return np.where(fits, topic, -1).astype(np.int32)

    def table(self, queries: Ids, path: str, unmapped: str) -> tuple[Units, Ints, list[str]]:
        """A table of these queries, where each stands in it (−1: left out), and the sessions left out."""
        sessions, number, fits = self.pattern.split(queries)
        broken = np.flatnonzero(~fits | (number < 1))
        if len(broken):
            raise InputError(
                [_unfit_one(queries[i], self.pattern, path) for i in broken[:MOST_PROBLEMS].tolist()],
                more=max(0, len(broken) - MOST_PROBLEMS),
            )
        topics, topic = self._topics(queries, sessions)
        with_topic = np.flatnonzero(topic >= 0)
        without_topic = np.flatnonzero(topic < 0)
        if len(without_topic) and unmapped != "skip":
            names = numbered(sessions.take(without_topic))[0].texts()
            raise InputError(_unmapped(names, queries[int(without_topic[0])], path, self.mapped))
        if not len(with_topic):
            raise InputError(Problem("session-without-topic", "no session has a topic", path))
        ids, session = numbered(sessions.take(with_topic))
        order = np.lexsort((number[with_topic], session))
        place = np.full(len(queries), -1, dtype=np.int64)
        place[with_topic[order]] = np.arange(len(order))
        table = Units(
            kind="session",
            labels=compact(ids),
            unit=session[order].astype(np.int32),
            position=number[with_topic][order].astype(np.int32),
            topics=topics,
            topic=topic[with_topic][order].astype(np.int32),
            complete=False,
            judged_by=self.judged_by,
        )
        _refuse_twice(table, queries, with_topic[order], path)
        return table, place, list(numbered(sessions.take(without_topic))[0].texts())

    def _topics(self, queries: Ids, sessions: Ids) -> tuple[tuple[str, ...], Ints]:
        if self.judged_by == "query":
            return tuple(queries.texts()), np.arange(len(queries))
        if self.mapped is None:
            names, number = numbered(sessions)
            return tuple(names.texts()), number
        return self.mapped.topics, self.topic_of_session[self.sessions.places(sessions)].astype(np.int64)


def _candidates(pattern: str | None) -> list[Pattern]:
    return [Pattern.of(text) for text in (USUAL if pattern is None else (pattern,))]


def _unfit(sample: Ids, candidates: list[Pattern], path: str, pattern: str | None) -> Problem:
    fits = np.array([candidate.split(sample)[2] for candidate in candidates])
    worst = sample[int(np.argmin(fits.sum(axis=0)))]
    tried = pattern or "any usual pattern (s12.q3, 12_3, 12.3)"
    what = f"topic {shorten(worst)} does not name a session and a query by {tried}"
    return Problem("session-pattern", what, line_of(path, worst))


def _unfit_one(query: str, pattern: Pattern, path: str) -> Problem:
    what = f"topic {shorten(query)} does not name a session and a query (1, 2, …) by {pattern.text}"
    return Problem("session-pattern", what, line_of(path, query))


def _unmapped(sessions: list[str], query: str, path: str, mapped: SessionTopics | None) -> Problem:
    one = len(sessions) == 1
    where = f"; {'it is' if one else 'they are'} not in {mapped.source.path}" if mapped is not None else ""
    whose = f"session {shorten(sessions[0])} of query {shorten(query)} has no topic"
    what = whose if one else f"{counted(len(sessions), 'session')} have no topic: {examples(sessions, 10)}"
    return Problem("session-without-topic", what + where, line_of(path, query))


def _refuse_twice(table: Units, queries: Ids, rows: Ints, path: str) -> None:
    """Two spellings of one query: s1.q1 and s1.q01."""
    again = (table.unit[1:] == table.unit[:-1]) & (table.position[1:] == table.position[:-1])
    for i in np.flatnonzero(again)[:1].tolist():
        first, second = queries[int(rows[i])], queries[int(rows[i + 1])]
        what = f"session {shorten(table.ids[int(table.unit[i])])} has query {table.position[i]} twice"
        place = f"{line_of(path, second)} ({shorten(second)}; first as {shorten(first)})"
        raise InputError(Problem("session-query", what, place))


def line_of(path: str, query: str) -> str:
    """path:line of the first line that begins with a query's id, for messages."""
    if not os.path.isfile(path):
        return path
    content = read_content(path, digest=False)
    lines = scan(content.buffer, content.start, content.stop)
    wanted = Ids.from_texts([query])
    matching = np.flatnonzero(places(_column(content, lines, lines.first), wanted) == 0)
    return content.place(int(lines.starts[lines.first[matching[0]]])) if len(matching) else path
