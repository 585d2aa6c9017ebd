"""The lists of a TREC run of sessions: its topics name a session and a query, judged by the session's topic."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from gaincurve.errors import one_of
from gaincurve.io.grading import RunGrader, name_columns
from gaincurve.io.read import read_run
from gaincurve.io.sessions.maps import QueryNames, SessionTopics
from gaincurve.model.columns import Given
from gaincurve.model.graded import Graded, graded
from gaincurve.model.ids import Ids
from gaincurve.model.judgments import Judgments
from gaincurve.model.matches import Matches
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.source import Note, Source, counted, examples
from gaincurve.model.units import Index

UNMAPPED: dict[str, str] = {
    "error": "a session without a topic is refused",
    "skip": "a session without a topic is left out",
}
_SAMPLE = 1000


class SessionLists:
    """How the runs of an experiment name their sessions: settled by the first queries seen, the same for all runs."""

    def __init__(
        self,
        judgments: Judgments,
        mapped: SessionTopics | None = None,
        *,
        pattern: str | None = None,
        unmapped: str = "error",
    ):
        self.judgments, self.mapped, self.pattern = judgments, mapped, pattern
        self.unmapped = one_of("--unmapped", unmapped, tuple(UNMAPPED))
        self.names: QueryNames | None = None

    def settle(self, queries: Ids, path: str) -> QueryNames:
        """How queries are named."""
        if self.names is None:
            sample = queries.take(slice(0, _SAMPLE))
            self.names = QueryNames.of(sample, self.judgments, self.mapped, self.pattern, path)
        return self.names

    def base(self, names: Ids, path: str) -> Index:
        """The judged topic of each query, −1 where there is none."""
        return self.settle(names, path).judged(names)

    def look_up(self, first: Ids, path: str) -> tuple[object, ...]:
        """What leads the compiled scanner from the topic field of a run to a judged topic."""
        names = self.settle(first, path)
        queries, base, pattern = names.look_up()
        return (*name_columns(queries, base), *pattern)

    def graded(
        self, matches: Matches, name: str, ties: str, source: Source, notes: tuple[Note, ...] = (), dropped: int = 0
    ) -> Graded:
        """A run graded session by session."""
        table, place, left_out = self.settle(matches.names, source.path).table(
            matches.names, source.path, self.unmapped
        )
        base = np.full(table.lists, -1, dtype=np.int32)
        there = place >= 0
        base[place[there]] = matches.base[there]
        notes = (*notes, *_left_out(left_out, name))
        source = replace(source, topics=len(table))
        return graded(self.judgments, matches, table, place, base, name, ties, source, notes, dropped)

    def grader(self, ties: str, duplicates: str, threads: int, digest: bool, columns: Given | None = None) -> RunGrader:
        """A grader of run files."""
        return RunGrader(self.judgments, ties, duplicates, threads=threads, digest=digest, lists=self, columns=columns)

    def log(self, path: str | os.PathLike[str], ties: str, duplicates: str, columns: Given | None = None) -> SessionLog:
        """A run with its documents, as a log of sessions."""
        run = read_run(path, ties=ties, duplicates=duplicates, columns=columns)
        queries = Ids.from_texts(run.topics)
        table, place, left_out = self.settle(queries, os.fspath(path)).table(queries, os.fspath(path), self.unmapped)
        moved = place[run.topic]
        rows = np.flatnonzero(moved >= 0)
        rows = rows[np.argsort(moved[rows], kind="stable")]
        return SessionLog(
            name=run.name,
            sessions=table,
            query=moved[rows].astype(np.int32),
            documents=run.documents.take(rows),
            source=replace(run.source, topics=len(table)),
            notes=(*run.notes, *_left_out(left_out, run.name)),
            dropped=run.dropped,
            kept=run.kept,
        )


def _left_out(sessions: list[str], name: str) -> tuple[Note, ...]:
    if not sessions:
        return ()
    text = f"{counted(len(sessions), 'session')} without a topic left out: {examples(sessions)}"
    return (Note("session-unmapped", text, (name,)),)
