"""Session logs: what users asked in turn, and what a system returned each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gaincurve.model.graded import Graded, graded, looked_at
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import places
from gaincurve.model.matches import Matches, keys_of, look_up
from gaincurve.model.rows import offsets_of
from gaincurve.model.source import Note, Source, counted, examples
from gaincurve.model.strays import rows_of_ids
from gaincurve.model.units import Index, Units


@dataclass(frozen=True, eq=False)
class SessionLog:
    """One system's results for every query of its sessions, documents in (query, rank) order.

    Of the documents that stood twice in a list, `dropped` were left out and `kept` stay where they were.
    """

    name: str
    sessions: Units
    query: Index
    documents: Ids
    source: Source
    notes: tuple[Note, ...] = ()
    dropped: int = 0
    kept: int = 0

    def __repr__(self) -> str:
        return f"SessionLog({self.name}: {self.sessions.describe()}, from {self.source.path})"

    @property
    def retrieved(self) -> Ints:
        """The number of documents each query returned."""
        return np.bincount(self.query, minlength=self.sessions.lists)


def grade_log(judgments: Judgments, log: SessionLog) -> Graded:
    """The judged documents of a session log with rank and grade; the order of a log is its ranking."""
    base = judged_bases(judgments, log.sessions)
    row, judgment = look_up(
        judgments, keys_of(judgments, base, log.query, log.documents), log.query, log.documents, base
    )
    offsets = offsets_of(log.query, log.sessions.lists)
    owner = log.query[row].astype(np.int64)
    rank = row - offsets[owner] + 1
    every = np.arange(log.sessions.lists, dtype=np.int32)
    matches = Matches(log.sessions.ids, base, np.diff(offsets), owner, rank, rank, rank, judgment)
    seen = graded(judgments, matches, log.sessions, every, base, log.name, "file", log.source, log.notes, log.dropped)
    return looked_at(
        judgments, matches, replace(seen, kept=log.kept), lambda: rows_of_ids(base, log.query, log.documents)
    )


def judged_bases(judgments: Judgments, units: Units) -> Index:
    """The place of each list's topic among the judged ones, −1 where it is not judged."""
    base = places(Ids.from_texts(units.topics), Ids.from_texts(judgments.topics))
    return np.append(base, -1)[units.topic].astype(np.int32)


def unjudged_notes(runs: Sequence[Graded]) -> tuple[Note, ...]:
    """Sessions without a single judged topic: they have no value."""
    notes = []
    first = runs[0]
    alike = share_units(runs)
    for run in [first] if alike else runs:
        judged = run.judged_units
        left_out = np.flatnonzero(~judged)
        if len(left_out):
            names = run.units.named(left_out)
            text = f"{counted(len(names), 'session')} without judgments for the topic, left out: {examples(names)}"
            notes.append(Note("session-unjudged", text, () if alike else (run.name,)))
        some = np.flatnonzero((run.base < 0) & judged[run.units.unit])
        if len(some):
            sessions, positions = run.units.ids, run.units.position
            names = [f"{sessions[int(run.units.unit[query])]} query {positions[query]}" for query in some[:4].tolist()]
            more = f", … ({len(some)} in all)" if len(some) > 4 else ""
            text = f"queries whose topic is not judged add nothing, not even to the ideal: {', '.join(names)}{more}"
            notes.append(Note("query-unjudged", text, () if alike else (run.name,)))
    return tuple(notes)


def share_units(runs: Sequence[Graded]) -> bool:
    """Whether all runs stand on the same units, whatever is their own about them."""
    return all(run.units.labels is runs[0].units.labels for run in runs)
