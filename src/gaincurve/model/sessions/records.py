"""Session logs from single queries, whatever they were read from: put in order, checked, and named if broken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from gaincurve.errors import InputError, Problem, Problems, one_of
from gaincurve.model.ids import Ids
from gaincurve.model.numbers import whole_number
from gaincurve.model.objects import text_ids
from gaincurve.model.rows import DUPLICATES
from gaincurve.model.scenario import MOST_COUNT
from gaincurve.model.sessions.fields import lacking
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.source import Note, Source, counted, examples, repeated_notes, shorten
from gaincurve.model.units import Units


@dataclass(frozen=True)
class QueryRecord:
    """One query as a log records it; `at` is where it stood. `scanned` −1: not recorded; `clicked` 0: no click."""

    session: str
    number: int
    ranking: list[str]
    at: str
    topic: str | None = None
    user: str | None = None
    text: str = ""
    scanned: int = -1
    clicked: int = 0


def _kind(value: object) -> str:
    return {str: "text", dict: "a record", bool: "true or false"}.get(type(value), f"the number {value!r:.40}")


def query_record(record: Mapping[str, Any], at: str) -> QueryRecord:
    """A query from a record with named values: session, query, ranking; topic, user, text, clicks, depth if known."""
    for key in ("session", "query", "ranking"):
        if record.get(key) is None:
            raise InputError(lacking(key, record, at))
    session = text_ids([record["session"]], "session", "the record", lambda _: at)[0]
    number = whole_number(record["query"])
    if number is None or number < 1:
        what = f"session {shorten(session)}: query number {record['query']!r} is not 1, 2, …"
        raise InputError(Problem("session-query", what, at))
    where = f"{at}, session {shorten(session)}, query {number}"
    ranking = record["ranking"]
    if not isinstance(ranking, list | tuple):
        raise InputError(Problem("session-record", f"the ranking is {_kind(ranking)}, not a list", where))
    documents = text_ids(list(ranking), "document", "the ranking", lambda _: where) if len(ranking) else []
    topic, user = (None if record.get(key) is None else _id(record[key], key, where) for key in ("topic", "user"))
    text = record.get("text")
    return QueryRecord(
        session=session,
        number=number,
        ranking=documents,
        at=where,
        topic=topic,
        user=user,
        text="" if text is None else str(text),
        scanned=_depth(record.get("depth"), where),
        clicked=_deepest(record.get("clicks"), documents, where),
    )


def _id(value: object, role: str, place: str) -> str:
    return text_ids([value], role, "the record", lambda _: place)[0]


def _depth(value: object, place: str) -> int:
    if value is None:
        return -1
    depth = whole_number(value)
    if depth is None or not 0 <= depth <= MOST_COUNT:
        raise InputError(Problem("session-record", f"depth {value!r} is not a number of documents", place))
    return depth


def _deepest(clicks: object, documents: Sequence[str], place: str) -> int:
    """The deepest rank clicked; a click is a document of the list or its rank."""
    if clicks is None:
        return 0
    if not isinstance(clicks, list | tuple):
        raise InputError(Problem("session-record", f"clicks are {_kind(clicks)}, not a list", place))
    places = {document: rank for rank, document in reversed(list(enumerate(documents, 1)))}
    deepest = 0
    for click in clicks:
        rank = places.get(click, 0) if isinstance(click, str) else whole_number(click)
        if rank is None or not 1 <= rank <= len(documents):
            what = f"click {shorten(repr(click))} is neither in the ranking nor a rank of it"
            raise InputError(Problem("session-record", what, place))
        deepest = max(deepest, rank)
    return deepest


def session_log(
    queries: Iterable[QueryRecord],
    name: str,
    path: str,
    format: str,
    *,
    sha256: str | None = None,
    topics: Mapping[str, str] | None = None,
    duplicates: str = "error",
    unmapped: str = "error",
    notes: tuple[Note, ...] = (),
) -> SessionLog:
    """A log from queries in any order; `topics` gives the topic of sessions that name none."""
    one_of("--duplicates", duplicates, tuple(DUPLICATES))
    problems = Problems()
    grouped: dict[str, list[QueryRecord]] = {}
    for query in queries:
        grouped.setdefault(query.session, []).append(query)
    if not grouped:
        raise InputError(Problem("input-empty", f"{path} has no queries", path))
    for session in grouped.values():
        session.sort(key=lambda query: query.number)
        _check_numbers(session, problems)
        _check_user(session, problems)
    left_out = _check_topics(grouped, topics or {}, unmapped, problems)
    problems.stop_if_any()
    if left_out:
        text = f"{path}: {counted(len(left_out), 'session')} without a topic left out: {', '.join(left_out[:3])}"
        notes = (*notes, Note("session-unmapped", text + (", …" if len(left_out) > 3 else "")))
    flat = [query for session in grouped.values() for query in session]
    rankings, repeated = _rankings(flat, duplicates, problems)
    problems.stop_if_any()
    dropped, kept = (0, repeated) if duplicates == "seen" else (repeated, 0)
    if dropped:
        flat = [_without_repeats(query) for query in flat]
    notes = (*notes, *repeated_notes(path, dropped, kept))
    return SessionLog(
        name=name,
        sessions=_table(grouped, flat, topics or {}),
        query=np.repeat(np.arange(len(flat), dtype=np.int32), [len(ranking) for ranking in rankings]),
        documents=Ids.from_texts([document for ranking in rankings for document in ranking]),
        source=Source(path, format, len(grouped), sum(map(len, rankings)), sha256),
        notes=notes,
        dropped=dropped,
        kept=kept,
    )


def _check_numbers(session: list[QueryRecord], problems: Problems) -> None:
    """Query numbers are 1, 2, …, each once."""
    for before, query in pairwise(session):
        if query.number == before.number:
            what = f"session {shorten(query.session)} has query {query.number} twice"
            problems.add(Problem("session-query", what, f"{query.at} (first at {before.at})"))
    there = {query.number for query in session}
    missing = next((number for number in range(1, len(there) + 1) if number not in there), None)
    if missing is not None:
        later = next(query for query in session if query.number > missing)
        what = f"session {shorten(later.session)} lacks query {missing}, but has query {later.number}"
        problems.add(Problem("session-query", what, later.at, "a query that returned nothing has an empty ranking"))


def _check_user(session: list[QueryRecord], problems: Problems) -> None:
    """A session is one user's."""
    named = [query for query in session if query.user is not None]
    for query in named:
        if query.user != named[0].user:
            first, second = shorten(str(named[0].user)), shorten(str(query.user))
            what = f"session {shorten(query.session)} has two users, {first} and {second}"
            problems.add(
                Problem("session-record", what, f"{query.at} (first at {named[0].at})", "a session is one user's")
            )
            return


def _check_topics(
    grouped: dict[str, list[QueryRecord]], topics: Mapping[str, str], unmapped: str, problems: Problems
) -> list[str]:
    """Refuse sessions without a topic, or take them out; their names."""
    lacking = [
        name
        for name, session in grouped.items()
        if name not in topics and all(query.topic is None for query in session)
    ]
    if lacking and unmapped != "skip":
        whose = (
            f"session {shorten(lacking[0])} has" if len(lacking) == 1 else f"{counted(len(lacking), 'session')} have"
        )
        which = "" if len(lacking) == 1 else f": {examples(lacking, 10)}"
        problems.add(Problem("session-without-topic", f"{whose} no topic{which}", grouped[lacking[0]][0].at))
        return []
    for name in lacking:
        del grouped[name]
    if not grouped:
        raise InputError(Problem("session-without-topic", "no session has a topic"))
    return lacking


def _rankings(flat: list[QueryRecord], duplicates: str, problems: Problems) -> tuple[list[list[str]], int]:
    """Lists in which each document stands once (under 'seen': as they were), and how many repeats there are."""
    rankings: list[list[str]] = []
    repeats = 0
    for query in flat:
        different = list(dict.fromkeys(query.ranking))
        repeated = len(query.ranking) - len(different)
        if repeated and duplicates == "error":
            seen: set[str] = set()
            twice = next(document for document in query.ranking if document in seen or seen.add(document))  # type: ignore[func-returns-value]
            problems.add(Problem("run-duplicate-document", f"the list holds document {shorten(twice)} twice", query.at))
        repeats += repeated
        rankings.append(list(query.ranking) if duplicates == "seen" else different)
    return rankings, repeats


def _without_repeats(query: QueryRecord) -> QueryRecord:
    """The query with how far its list was read and clicked counted without the documents left out."""
    scanned, clicked = (
        depth if depth <= 0 else len(dict.fromkeys(query.ranking[:depth])) + max(0, depth - len(query.ranking))
        for depth in (query.scanned, query.clicked)
    )
    return replace(query, scanned=scanned, clicked=clicked)


def _table(grouped: dict[str, list[QueryRecord]], flat: list[QueryRecord], topics: Mapping[str, str]) -> Units:
    index: dict[str, int] = {}
    topic = []
    several = False
    for name, session in grouped.items():
        own = topics.get(name) or next((query.topic for query in session if query.topic is not None), "")
        for query in session:
            named = query.topic if query.topic is not None and name not in topics else own
            several |= named != own
            topic.append(index.setdefault(named, len(index)))
    users: dict[str, int] = {}
    user: list[int] = []
    for session in grouped.values():
        searcher = next((query.user for query in session if query.user is not None), None)
        user.append(-1 if searcher is None else users.setdefault(searcher, len(users)))
    sizes = [len(session) for session in grouped.values()]
    return Units(
        kind="session",
        labels=Ids.from_texts(list(grouped)),
        unit=np.repeat(np.arange(len(grouped), dtype=np.int32), sizes),
        position=np.array([query.number for query in flat], dtype=np.int32),
        topics=tuple(index),
        topic=np.array(topic, dtype=np.int32),
        users=tuple(users),
        user=np.array(user, dtype=np.int32) if users else None,
        texts=tuple(query.text for query in flat),
        scanned=np.array([query.scanned for query in flat], dtype=np.int64),
        clicked=np.array([query.clicked for query in flat], dtype=np.int64),
        judged_by="query" if several else "topic",
    )
