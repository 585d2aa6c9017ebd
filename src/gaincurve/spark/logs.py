"""A part of a session log as it travels: its queries, and where their documents are judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gaincurve.model.graded import Graded, graded
from gaincurve.model.ids import Ids, Ints, Keys
from gaincurve.model.judgments import Judgments
from gaincurve.model.matches import Matches
from gaincurve.model.sessions.log import SessionLog, grade_log, judged_bases
from gaincurve.model.sessions.shapes import LogRules, logs_of_records
from gaincurve.model.source import Note, Source
from gaincurve.model.strays import FEW, Join, Stray
from gaincurve.model.units import Units


@dataclass(frozen=True, eq=False)
class LogPart:
    """Some sessions of a system: of every query how much was retrieved, and query, rank and key of judged documents."""

    name: str
    sessions: tuple[str, ...]
    units: Units
    retrieved: Ints
    query: Ints
    rank: Ints
    key: Keys
    source: Source
    notes: tuple[Note, ...]
    dropped: int
    kept: int
    stray: Stray | None


def parts_of(judgments: Any, sessions: Any, rules: LogRules) -> list[LogPart]:
    """The logs in a table of records, matched with the judgments of their topics."""
    records = sessions.to_pylist()
    judged = Judgments.of(judgments, grades_are_scores=True) if len(judgments) else None
    session, query = (rules.fields.get(role, role) for role in ("session", "query"))
    placed = [(f"session {row.get(session)}, query {row.get(query)}", row) for row in records]
    known = replace(rules, judged=() if judged is None else judged.topics)
    return [_part(judged, log) for log in logs_of_records(placed, "sessions", "sessions", "Spark", known)]


def _part(judged: Judgments | None, log: SessionLog) -> LogPart:
    seen = None if judged is None else grade_log(judged, log)
    none = np.zeros(0, dtype=np.int64)
    return LogPart(
        name=log.name,
        sessions=log.sessions.names,
        units=replace(log.sessions, labels=(), texts=None),
        retrieved=log.retrieved,
        query=none if seen is None else seen.list.astype(np.int64),
        rank=none if seen is None else seen.rank,
        key=none.astype(np.uint64) if seen is None or judged is None else judged.keys[seen.judgment],
        source=log.source,
        notes=log.notes,
        dropped=log.dropped,
        kept=log.kept,
        stray=None if seen is None else seen.stray,
    )


def graded_log(judged: Judgments, parts: Sequence[LogPart]) -> Graded:
    """The whole log of a system, graded: its sessions in the order of their names."""
    units, queries = _together(parts)
    starts = np.cumsum([0, *(len(part.retrieved) for part in parts)])
    place = np.empty(len(queries), dtype=np.int64)
    place[queries] = np.arange(len(queries))
    owner = place[np.concatenate([part.query + start for part, start in zip(parts, starts, strict=False)])]
    rank = np.concatenate([part.rank for part in parts])
    order = judged.key_order
    keys = np.concatenate([part.key for part in parts])
    judgment = order[np.searchsorted(judged.keys[order], keys)]
    base = judged_bases(judged, units)
    retrieved = np.concatenate([part.retrieved for part in parts])[queries]
    matches = Matches(units.ids, base, retrieved, owner, rank, rank, rank, judgment)
    source = Source("sessions", "Spark", len(units), int(retrieved.sum()))
    every = np.arange(units.lists, dtype=np.int32)
    dropped, kept = sum(part.dropped for part in parts), sum(part.kept for part in parts)
    seen = graded(judged, matches, units, every, base, parts[0].name, "file", source, _notes(parts), dropped)
    return replace(seen, kept=kept, stray=_stray(judged, seen, parts))


def _together(parts: Sequence[LogPart]) -> tuple[Units, Ints]:
    """The sessions of all parts by name, and the queries of the parts in that order."""
    names = [name for part in parts for name in part.sessions]
    by_name = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), dtype=np.int32)
    place[by_name] = np.arange(len(names), dtype=np.int32)
    starts = np.cumsum([0, *(len(part.sessions) for part in parts)])
    unit = place[np.concatenate([part.units.unit + start for part, start in zip(parts, starts, strict=False)])]
    position = np.concatenate([part.units.position for part in parts])
    queries = np.lexsort((position, unit))
    topics, topic = _numbered([(part.units.topics, part.units.topic) for part in parts])
    first = parts[0].units
    users, user = _numbered([(part.units.users, _or(part.units.user, len(part.sessions))) for part in parts])
    units = replace(
        first,
        labels=Ids.from_texts([names[i] for i in by_name]),
        unit=unit[queries],
        position=position[queries],
        topics=topics,
        topic=topic[queries],
        users=users,
        user=user[by_name] if users else None,
        judged_by="query" if any(part.units.judged_by == "query" for part in parts) else "topic",
        scanned=_column([part.units.scanned for part in parts], [len(part.retrieved) for part in parts], -1, queries),
        clicked=_column([part.units.clicked for part in parts], [len(part.retrieved) for part in parts], 0, queries),
    )
    return units, queries


def _numbered(parts: Sequence[tuple[tuple[str, ...], Any]]) -> tuple[tuple[str, ...], Any]:
    """Names of all parts, and the numbers that entries have among them; −1 stays."""
    index: dict[str, int] = {}
    for name in sorted({name for names, _ in parts for name in names}):
        index[name] = len(index)
    moved = [np.array([*(index[name] for name in names), -1], dtype=np.int32)[numbers] for names, numbers in parts]
    return tuple(index), np.concatenate(moved)


def _or(numbers: Any, count: int) -> Any:
    return np.full(count, -1, dtype=np.int32) if numbers is None else numbers


def _column(parts: Sequence[Ints | None], counts: Sequence[int], unknown: int, order: Ints) -> Ints | None:
    """A column that only some parts record."""
    if all(part is None for part in parts):
        return None
    every = [
        np.full(count, unknown, dtype=np.int64) if part is None else part
        for part, count in zip(parts, counts, strict=True)
    ]
    return np.concatenate(every)[order]


def _notes(parts: Sequence[LogPart]) -> tuple[Note, ...]:
    """The notes of all parts, one of each kind; how many parts had more of it is said behind it."""
    kinds: dict[str, set[Note]] = {}
    for part in parts:
        for note in part.notes:
            kinds.setdefault(note.slug, set()).add(note)
    notes = []
    for several in kinds.values():
        first = min(several, key=lambda note: note.text)
        more = f" (and the like in {len(several) - 1} other parts)" if len(several) > 1 else ""
        notes.append(replace(first, text=first.text + more))
    return tuple(notes)


def _stray(judged: Judgments, seen: Graded, parts: Sequence[LogPart]) -> Stray | None:
    """What the ids look like, where few of all match."""
    strays = [part.stray for part in parts if part.stray is not None]
    inside = seen.base >= 0
    counts = np.diff(judged.offsets)[seen.base[inside]]
    possible, matched = int(np.minimum(seen.retrieved[inside], counts).sum()), len(seen.judgment)
    if not strays or matched >= FEW * possible:
        return None
    joins: dict[str, int] = {}
    for stray in strays:
        if stray.join is not None:
            joins[stray.join.how] = joins.get(stray.join.how, 0) + stray.join.joined
    how = max(joins, key=lambda name: (joins[name], name), default=None)
    join = None if how is None else Join(how, joins[how])
    listed, elsewhere = sum(stray.listed for stray in strays), sum(stray.elsewhere for stray in strays)
    alike = any(stray.alike for stray in strays)
    return Stray(listed, matched, join, elsewhere, alike, possible, strays[0].judged, strays[0].retrieved)
