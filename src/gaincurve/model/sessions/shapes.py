"""Session logs from records as people keep them: renamed, in long form, unordered, uncut, of several systems."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from gaincurve.errors import InputError, Problem, Problems
from gaincurve.model.numbers import whole_number
from gaincurve.model.objects import text_ids
from gaincurve.model.sessions.fields import by_role, check_fields, lacking, not_a_log, suggested, unused_notes
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.sessions.records import QueryRecord, query_record, session_log
from gaincurve.model.sessions.times import idle_microseconds, idle_text, microseconds
from gaincurve.model.source import Note, counted, examples, shorten

Placed = tuple[str, dict[str, Any]]
"""Where a record stood, and its values by role."""
_OF_QUERY = ("topic", "user", "text", "depth", "time", "system")
_NAMES = ("{session}_{query}", "{session}.{query}", "{session}.q{query}", "s{session}.q{query}", "{session}_q{query}",
          "{session}-{query}", "{session}:{query}", "{session}/{query}")  # fmt: skip


@dataclass(frozen=True)
class LogRules:
    """How records become logs: names of fields, topics of sessions, judged topics, and how long users may be idle."""

    topics: Mapping[str, str] = field(default_factory=dict)
    judged: Collection[str] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    idle: str | None = None
    pattern: str | None = None
    duplicates: str = "error"
    unmapped: str = "error"


def logs_of_records(
    records: Sequence[tuple[str, Mapping[str, Any]]],
    name: str,
    path: str,
    format: str,
    rules: LogRules,
    sha256: str | None = None,
    notes: tuple[Note, ...] = (),
) -> list[SessionLog]:
    """A log for each system, from records with where they stood."""
    if not records:
        raise InputError(Problem("input-empty", f"{path} has no queries", path))
    values = [record for _, record in records]
    check_fields(values, rules.fields, path)
    notes = (*notes, *unused_notes(values, rules.fields, path))
    placed = [(at, by_role(record, rules.fields)) for at, record in records]
    _refuse_others(placed, values, rules, path)
    logs = []
    for system, rows in _by_system(placed, name).items():
        queries = rows
        if any("document" in record for _, record in queries) and not any("ranking" in r for _, r in queries):
            queries, gapped = _gathered(queries)
            notes = (*notes, *_gap_notes(path, gapped))
        queries, about = _ordered(queries, rules, path)
        queries, judged_by = _with_topics(queries, rules, path)
        queries = queries if rules.idle is None else _cut(queries, rules)
        log = session_log(
            _query_records(queries),
            system,
            path,
            format,
            sha256=sha256,
            topics=rules.topics,
            duplicates=rules.duplicates,
            unmapped=rules.unmapped,
            notes=(*notes, *about, *judged_by),
        )
        if rules.idle is not None:
            log = replace(log, sessions=replace(log.sessions, idle=idle_text(rules.idle)))
        logs.append(log)
        notes = ()  # what is said of the file is said once
    return logs


def _refuse_others(placed: Sequence[Placed], records: Sequence[Mapping[str, Any]], rules: LogRules, path: str) -> None:
    """Refuse records none of which has a session and a ranking: they are of another kind, or named otherwise."""
    owner = ("session", "user") if rules.idle is not None else ("session",)
    listed = any("ranking" in record or "document" in record for _, record in placed)
    owned = any(role in record for _, record in placed for role in owner)
    ordered = any("query" in record or "time" in record for _, record in placed)
    if not listed or not owned or not ordered:
        keys = list(dict.fromkeys(key for record in records for key in record))
        missing = [name for name, there in (("session", owned), ("query", ordered), ("ranking", listed)) if not there]
        if len(missing) == 1 and missing[0] not in suggested(keys, rules.fields):
            return  # nothing stands in for it: the record that lacks it is reported
        raise InputError(not_a_log(keys, rules.fields, placed[0][0] or path))


def _query_records(queries: Iterable[Placed]) -> list[QueryRecord]:
    problems = Problems()
    read: list[QueryRecord] = []
    for at, record in queries:
        try:
            read.append(query_record(record, at))
        except InputError as error:
            problems.take(error)
    problems.stop_if_any()
    return read


def _by_system(placed: Sequence[Placed], name: str) -> dict[str, list[Placed]]:
    """The records of each system; without the field all are of the one that the file is named for."""
    if not any("system" in record for _, record in placed):
        return {name: list(placed)}
    systems: dict[str, list[Placed]] = {}
    for at, record in placed:
        if "system" not in record:
            raise InputError(Problem("session-record", "the record has no 'system', and others have", at))
        system = text_ids([record["system"]], "system", "the record", lambda _: at)[0]  # noqa: B023 -- called at once
        systems.setdefault(system, []).append((at, record))
    return systems


def _gathered(rows: Sequence[Placed]) -> tuple[list[Placed], list[str]]:
    """One record a query from one row a result; a row without a document is a query that returned nothing."""
    groups: dict[tuple[str, str], list[Placed]] = {}
    for at, row in rows:
        if "session" not in row and "user" not in row:
            raise InputError(Problem("session-record", "the record has no 'session'", at))
        key = "query" if "query" in row else "time"
        if key not in row:
            raise InputError(Problem("session-record", "the record has no 'query'", at))
        groups.setdefault((str(row.get("session", row.get("user"))), str(row[key])), []).append((at, row))
    gapped: list[str] = []
    queries = [_one_query(group, gapped) for group in groups.values()]
    return queries, gapped


def _one_query(group: Sequence[Placed], gapped: list[str]) -> Placed:
    at, first = group[0]
    for place, row in group[1:]:
        for role in _OF_QUERY:
            if row.get(role) != first.get(role):
                here, before = (shorten(repr(values.get(role))) for values in (row, first))
                what = f"{role} {here} here, {before} in another row of the query"
                raise InputError(Problem("session-record", what, f"{place} (first at {at})"))
    results = [(place, row) for place, row in group if row.get("document") not in (None, "")]
    if results and any("rank" in row for _, row in results):
        ranks = [_rank(row, place) for place, row in results]
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        for i, j in pairwise(order):
            if ranks[i] == ranks[j]:
                what = f"session {shorten(str(first.get('session')))} has rank {ranks[j]} twice in one query"
                raise InputError(Problem("session-record", what, f"{results[j][0]} (first at {results[i][0]})"))
        results = [results[i] for i in order]
        if ranks[order[-1]] - ranks[order[0]] != len(ranks) - 1:
            gapped.append(f"session {first.get('session')} query {first.get('query', first.get('time'))}")
    record = {role: value for role, value in first.items() if role not in ("document", "rank", "clicked")}
    record["ranking"] = [row["document"] for _, row in results]
    if any("clicked" in row for _, row in results):
        record["clicks"] = [rank for rank, (place, row) in enumerate(results, 1) if _is_clicked(row, place)]
    return at, record


def _rank(row: Mapping[str, Any], place: str) -> int:
    rank = whole_number(row.get("rank"))
    if rank is None or rank < 0:
        raise InputError(Problem("session-record", f"rank {shorten(repr(row.get('rank')))} is not 1, 2, …", place))
    return rank


def _is_clicked(row: Mapping[str, Any], place: str) -> bool:
    given = str(row.get("clicked", "")).strip().lower()
    if given not in ("", "0", "1", "true", "false"):
        raise InputError(Problem("session-record", f"clicked {shorten(given)!r} is not 0 or 1", place))
    return given in ("1", "true")


def _gap_notes(path: str, gapped: list[str]) -> tuple[Note, ...]:
    if not gapped:
        return ()
    text = f"{path}: {counted(len(gapped), 'list')} with ranks missing, closed up: {examples(gapped)}"
    return (Note("session-ranks", text),)


def _owner(record: Mapping[str, Any], at: str, rules: LogRules) -> str:
    """The session a record belongs to; where idle time cuts, its user if it names no session."""
    role = "session" if "session" in record or rules.idle is None else "user"
    if record.get(role) is None:
        raise InputError(lacking("session", record, at))
    return text_ids([record[role]], role, "the record", lambda _: at)[0]


def _ordered(queries: Sequence[Placed], rules: LogRules, path: str) -> tuple[list[Placed], tuple[Note, ...]]:
    """Queries with numbers; those that have none are numbered in order of time."""
    if rules.idle is not None:
        for at, record in queries:
            if "time" not in record:
                raise InputError(Problem("session-time", "--idle needs the time of every query", at))
    timed = [(at, record) for at, record in queries if "time" in record]
    instants = microseconds([record["time"] for _, record in timed], [at for at, _ in timed])
    stamped = iter(instants)
    sessions: dict[str, list[tuple[str, dict[str, Any], int | None]]] = {}
    for at, record in queries:
        name = _owner(record, at, rules)
        instant = next(stamped) if "time" in record else None
        sessions.setdefault(name, []).append((at, {**record, "session": name, "time": instant}, instant))
    numbered: list[Placed] = []
    tied, contrary = [], []
    for name, members in sessions.items():
        times = [instant for _, _, instant in members]
        bare = all("query" not in record for _, record, _ in members)
        if bare and all(instant is not None for instant in times):
            order = sorted(range(len(members)), key=lambda i, times=times: times[i])  # type: ignore[misc]
            if len(set(times)) < len(times):
                tied.append(name)
            numbered += [(members[i][0], {**members[i][1], "query": n}) for n, i in enumerate(order, 1)]
            continue
        known = [(whole_number(r.get("query")) or 0, t) for _, r, t in members if t is not None]
        if [t for _, t in sorted(known, key=lambda pair: pair[0])] != sorted(t for _, t in known):
            contrary.append(name)
        numbered += [(at, record) for at, record, _ in members]
    return numbered, _order_notes(path, tied, contrary, rules)


def _order_notes(path: str, tied: list[str], contrary: list[str], rules: LogRules) -> tuple[Note, ...]:
    if contrary and rules.idle is not None:
        what = f"the numbers of queries contradict their times in {counted(len(contrary), 'session')}: "
        raise InputError(Problem("session-time", what + examples(contrary), path))
    notes = []
    if contrary:
        text = f"{path}: numbers of queries contradict their times, and the numbers decide: {examples(contrary)}"
        notes.append(Note("session-order", text))
    if tied:
        text = f"{path}: queries of one session at the same time, kept as the log has them: {examples(tied)}"
        notes.append(Note("session-order", text))
    return tuple(notes)


def _with_topics(queries: list[Placed], rules: LogRules, path: str) -> tuple[list[Placed], tuple[Note, ...]]:
    """Sessions that name no topic are judged by their query, their session or their text, if that is a judged topic."""
    with_topic = {record["session"] for _, record in queries if "topic" in record}
    lacking = [
        record for _, record in queries if record["session"] not in with_topic and record["session"] not in rules.topics
    ]
    judged = set(rules.judged)
    if not lacking or not judged:
        return queries, ()
    patterns = (rules.pattern,) if rules.pattern else _NAMES
    named = {pattern: [_filled(pattern, record) for record in lacking] for pattern in patterns}
    named |= {"session": [record["session"] for record in lacking]}
    named |= {"text": [str(record.get("text", "")) for record in lacking]}
    way = next((way for way, names in named.items() if judged.intersection(names)), None)
    if way is None:
        return queries, ()
    of = {"session": "its session", "text": "its text"}.get(way, f"its own name, {way}")
    topics = {id(record): topic for record, topic in zip(lacking, named[way], strict=True) if topic}
    note = Note("session-topics", f"{path}: the log names no topic: a query is judged by {of}")
    return [(at, {**r, "topic": topics[id(r)]} if id(r) in topics else r) for at, r in queries], (note,)


def _filled(pattern: str, record: Mapping[str, Any]) -> str:
    return pattern.replace("{session}", record["session"]).replace("{query}", str(record.get("query", "")))


def _cut(queries: Sequence[Placed], rules: LogRules) -> list[Placed]:
    """Sessions cut where a user was idle for longer than allowed; the pieces of s1 are s1#1, s1#2, …"""
    longest = idle_microseconds(str(rules.idle))
    sessions: dict[str, list[Placed]] = {}
    for at, record in queries:
        sessions.setdefault(record["session"], []).append((at, record))
    cut: list[Placed] = []
    for name, members in sessions.items():
        members.sort(key=lambda placed: placed[1]["time"])
        pieces: list[list[Placed]] = [[members[0]]]
        for (_, before), (at, record) in pairwise(members):
            if record["time"] - before["time"] > longest:
                pieces.append([])
            pieces[-1].append((at, record))
        for number, piece in enumerate(pieces, 1):
            own = f"{name}#{number}" if len(pieces) > 1 else name
            topic = rules.topics.get(own) or rules.topics.get(name)
            extra = {"session": own} | ({"topic": topic} if topic else {})
            cut += [(at, {**record, **extra, "query": n}) for n, (at, record) in enumerate(piece, 1)]
    return cut
