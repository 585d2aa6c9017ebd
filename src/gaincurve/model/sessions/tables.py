"""Several systems on the same sessions: one table of queries for all, and whether they are the same sessions at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaincurve.errors import MOST_PROBLEMS, InputError, Problem, one_of
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.lookup import compact, joined, numbered, places
from gaincurve.model.source import Note, counted, examples, shorten
from gaincurve.model.units import Index, Units

DESIGNS: dict[str, str] = {
    "paired": "every system answered the same sessions, so they are compared session by session",
    "unpaired": "each system has sessions of its own, so different sessions are compared, not pairs",
}
GAPS: dict[str, str] = {
    "error": "a query number missing in a TREC run is refused",
    "empty": "a query number missing in a TREC run is a query that returned nothing",
}
_BITS = np.int64(32)


def common_table(runs: Sequence[Graded], known: Units | None = None, gaps: str = "error") -> tuple[list[Graded], str]:
    """The runs on one table of queries where they answer the same sessions, and their design.

    TREC runs hold no query that returned nothing, so the queries of all of them together, of a complete log beside
    them, or of the table `known` are the sessions.
    """
    one_of("--gaps", gaps, tuple(GAPS))
    whole = [run for run in runs if run.units.complete]
    partial = [run for run in runs if not run.units.complete]
    same = all(_same(run.units, whole[0].units) for run in whole)
    if not partial and known is None:
        if not same:
            return list(runs), "unpaired"
        return [_placed(run, whole[0].units) for run in runs], "paired"
    if not same:
        what = f"{whole[0].name} and {whole[1].name} hold different sessions, so {_one_of_them(partial)} fits neither"
        raise InputError(Problem("session-design", what, whole[1].source.path))
    table = known if known is not None else whole[0].units if whole else _union(partial)
    if not whole and known is None:
        table = _without_gaps(table, partial, gaps)
    return [_placed(run, table) for run in runs], "paired"


def _one_of_them(partial: Sequence[Graded]) -> str:
    return partial[0].name if partial else "the list of queries"


def _same(table: Units, other: Units) -> bool:
    """Whether two tables hold the same sessions: ids, lengths, users where both name them, and every query's topic."""
    if table is other:
        return True
    if len(table) != len(other) or table.lists != other.lists:
        return False
    place = places(table.ids, other.ids)
    if (place < 0).any() or (table.lengths != other.lengths[place]).any():
        return False
    slots = other.offsets[place][table.unit] + table.position - 1  # complete: queries are 1, 2, …
    if (_renamed(other.topics, table.topics)[other.topic[slots]] != table.topic).any():
        return False
    if table.user is None or other.user is None:
        return True
    theirs = other.user[place]
    known = (table.user >= 0) & (theirs >= 0)
    return bool((_renamed(other.users, table.users)[theirs] == table.user)[known].all())


def _renamed(names: Sequence[str], among: Sequence[str]) -> Index:
    """The place of each name among others, −2 where it is not there; the last entry keeps −1 as it is."""
    index = {name: i for i, name in enumerate(among)}
    return np.array([*(index.get(name, -2) for name in names), -1], dtype=np.int32)


def _keys(session: Ints, position: Index) -> Ints:
    return (session << _BITS) | position


def _placed(run: Graded, table: Units) -> Graded:
    """The run with its queries moved to their places in the table; the others returned nothing."""
    if run.units is table:
        return run
    session = places(run.units.ids, table.ids)
    ours = _keys(session[run.units.unit], run.units.position)
    theirs = _keys(table.unit.astype(np.int64), table.position)
    slots = np.minimum(np.searchsorted(theirs, ours), len(theirs) - 1)
    strange = np.flatnonzero(theirs[slots] != ours)
    if len(strange):
        raise InputError(
            [_stranger(run, int(query), session) for query in strange[:MOST_PROBLEMS]],
            more=max(0, len(strange) - MOST_PROBLEMS),
        )
    base = _base(run, slots, table)
    present = np.zeros(len(table), dtype=bool)
    present[session] = run.present
    counts = np.bincount(table.unit[base >= 0], minlength=len(table)) > 0  # the others are left out
    counts = counts[table.unit]
    counts[slots] = False
    absent = int(np.count_nonzero(counts))
    notes = run.notes
    if absent:
        text = f"{absent} quer{'y' if absent == 1 else 'ies'} without results, counted as empty lists"
        notes = (*notes, Note("queries-empty", text, (run.name,)))
    return replace(run.placed(_with_own(run.units, table, session, slots), slots, base, present), notes=notes)


def _with_own(own: Units, table: Units, session: Ints, slots: Ints) -> Units:
    """The table with what is the system's own: its users, texts, and how far its lists were read and clicked.

    A TREC run answers the sessions of others and names no user: its sessions are those of the table's users. How far
    they read is known of the lists they saw, not of the run's.
    """
    users, user = own.users, own.user
    if user is not None:
        moved = np.full(len(table), -1, dtype=np.int32)
        moved[session] = user
        user = moved
    elif not own.complete:
        users, user = table.users, table.user
    texts: list[str] | None = None if own.texts is None else [""] * table.lists
    if texts is not None and own.texts is not None:
        for slot, text in zip(slots.tolist(), own.texts, strict=True):
            texts[slot] = text
    return replace(
        table,
        users=users,
        user=user,
        texts=None if texts is None else tuple(texts),
        scanned=_moved(own.scanned, slots, table.lists, -1),
        clicked=_moved(own.clicked, slots, table.lists, 0),
    )


def _moved(values: Ints | None, slots: Ints, queries: int, unknown: int) -> Ints | None:
    if values is None:
        return None
    moved = np.full(queries, unknown, dtype=np.int64)
    moved[slots] = values
    return moved


def _base(run: Graded, slots: Ints, table: Units) -> Index:
    """The judged topic of every query of the table; a query the run lacks is judged as the table's topic is."""
    index = {topic: i for i, topic in enumerate(run.judgments.topics)}
    named = np.array([*(index.get(topic, -1) for topic in table.topics), -1], dtype=np.int32)
    base: Index = named[table.topic]
    base[slots] = run.base
    return base


def _stranger(run: Graded, query: int, session: Ints) -> Problem:
    name = shorten(run.units.ids[int(run.units.unit[query])])
    if session[run.units.unit[query]] < 0:
        return Problem("session-unknown", f"session {name} of {run.name} is not among the sessions", run.source.path)
    what = f"session {name} has no query {run.units.position[query]}, which {run.name} answers"
    return Problem("session-query", what, run.source.path)


def _union(runs: Sequence[Graded]) -> Units:
    """The queries of all runs together; the first run that has a query decides its topic."""
    tables = [run.units for run in runs]
    if len(tables) == 1:
        return tables[0]
    ids, number = numbered(joined([table.ids for table in tables]))
    starts = np.cumsum([0, *(len(table) for table in tables)])
    session = np.concatenate([number[start + table.unit] for start, table in zip(starts, tables, strict=False)])
    position = np.concatenate([table.position for table in tables])
    topics: dict[str, int] = {}
    topic_of_list: list[Index] = []
    for table in tables:
        numbers = np.array([*(topics.setdefault(name, len(topics)) for name in table.topics), -1], dtype=np.int32)
        topic_of_list.append(numbers[table.topic])
    topic = np.concatenate(topic_of_list)
    keys = _keys(session, position)
    order = np.argsort(keys, kind="stable")
    first = order[np.concatenate([[True], keys[order][1:] != keys[order][:-1]])]
    return Units(
        kind="session",
        labels=compact(ids),
        unit=session[first].astype(np.int32),
        position=position[first],
        topics=tuple(topics),
        topic=topic[first],
        complete=False,
        judged_by=tables[0].judged_by,
    )


def _without_gaps(table: Units, runs: Sequence[Graded], gaps: str) -> Units:
    """Refuse sessions whose query numbers are not 1, 2, …, or fill the gaps with queries that returned nothing."""
    ends = table.position[table.offsets[1:] - 1].astype(np.int64)
    broken = np.flatnonzero(ends != table.lengths)
    if not len(broken):
        return replace(table, complete=True)
    if gaps == "error":
        where = ", ".join(run.source.path for run in runs[:3]) + (", …" if len(runs) > 3 else "")
        problems = [_gap(table, int(i), where) for i in broken[:MOST_PROBLEMS].tolist()]
        raise InputError(problems, more=max(0, len(broken) - len(problems)))
    session = np.repeat(np.arange(len(table), dtype=np.int32), ends)
    position = (np.arange(len(session)) - np.repeat(np.cumsum(ends) - ends, ends) + 1).astype(np.int32)
    keys = _keys(table.unit.astype(np.int64), table.position)
    slots = np.searchsorted(_keys(session.astype(np.int64), position), keys)
    topic = np.full(len(session), -1, dtype=np.int32)
    if table.judged_by == "topic":
        topic = table.topic_of_unit()[session]
    topic[slots] = table.topic
    return replace(table, unit=session, position=position, topic=topic, complete=True)


def _gap(table: Units, session: int, where: str) -> Problem:
    positions = table.position[table.unit == session]
    wanted = np.arange(1, int(positions[-1]) + 1)
    missing = wanted[~np.isin(wanted, positions)]
    numbers = ", ".join(map(str, missing[:5].tolist())) + (", …" if len(missing) > 5 else "")
    what = f"session {shorten(table.ids[session])} lacks query {numbers}, but has query {positions[-1]}"
    return Problem(
        "session-query", what, where, hint="--queries FILE lists all queries; --gaps empty: it returned nothing"
    )


def absent_sessions(run: Graded, missing: str) -> Graded:
    """The rule for sessions of the table that a system did not take part in."""
    absent = np.flatnonzero(~run.present & run.judged_units)  # those without judgments have a note of their own
    if not len(absent):
        return run
    names = run.units.named(absent)
    if missing == "error":
        what = f"{run.name} lacks {counted(len(names), 'session')}: {examples(names)}"
        raise InputError(Problem("session-missing", what, run.source.path))
    done = "counted as sessions of empty lists" if missing == "zero" else "left out of its means"
    note = Note("sessions-missing", f"{counted(len(names), 'session')} missing, {done}: {examples(names)}", (run.name,))
    return replace(run, notes=(*run.notes, note))
