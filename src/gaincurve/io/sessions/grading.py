"""Read and grade a TREC run of sessions in one go: only what meets the judgments is kept, whatever the file's size.

A query's list is looked up among the judgments of its session's topic, which are shared, not copied. What is not plain
sailing (another format, a broken line, a repeated document, a query that comes back later) is read again as a whole by
`read_run`, which knows all rules and messages.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gaincurve._scan_py import parse_numbers, scan
from gaincurve.errors import GaincurveError, one_of
from gaincurve.io.blocks import BlockReader, topic_pieces
from gaincurve.io.content import Content, is_damage
from gaincurve.io.read import read_run, run_name, trec_layout
from gaincurve.io.sessions.maps import QueryNames, SessionTopics
from gaincurve.io.threads import Workers
from gaincurve.io.trec import Layout
from gaincurve.model.ids import Bytes, Ids, Ints, scramble
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import compact, joined, numbered
from gaincurve.model.order import comparable, ranking
from gaincurve.model.rows import offsets_of
from gaincurve.model.sessions.log import GradedSessions, Index, SessionLog, match_queries
from gaincurve.model.source import Note, Source, counted, examples

UNMAPPED: dict[str, str] = {
    "error": "a session without a topic is refused",
    "skip": "a session without a topic is left out",
}
PIECE = 1 << 21
_STREAMED = ("trec", "trec-float32", "file")
_SAMPLE = 1000


@dataclass(frozen=True, eq=False)
class Part:
    """Some whole queries of a run, graded: their ids, how many documents each returned, and the judged ones."""

    queries: Ids
    retrieved: Ints
    query: Ints
    rank: Ints
    judgment: Ints


class SessionGrader:
    """Judgments made ready once, to grade many runs of the same sessions."""

    def __init__(
        self,
        judgments: Judgments,
        mapped: SessionTopics | None = None,
        *,
        pattern: str | None = None,
        ties: str = "trec",
        duplicates: str = "error",
        unmapped: str = "error",
        threads: int = 1,
        digest: bool = True,
    ):
        self.judgments, self.mapped, self.pattern = judgments, mapped, pattern
        self.ties, self.duplicates, self.threads, self.digest = ties, duplicates, threads, digest
        self.unmapped = one_of("--unmapped", unmapped, tuple(UNMAPPED))
        self.names: QueryNames | None = None

    def grade(self, path: str | os.PathLike[str]) -> GradedSessions:
        """One run file, graded."""
        streamed = self._streamed(path) if os.path.isfile(path) and self.ties in _STREAMED else None
        if streamed is not None:
            return streamed
        log = self.log(path)
        part = self._part(log.queries, log.query, log.documents)
        return self._graded([part], log.name, log.source, log.notes, os.fspath(path))

    def log(self, path: str | os.PathLike[str]) -> RunLog:
        """A run with its documents, for those who want to see them."""
        run = read_run(path, ties=self.ties, duplicates=self.duplicates, digest=self.digest)
        queries = Ids.from_texts(run.topics)
        self.settle(queries, os.fspath(path))
        return RunLog(run.name, queries, run.topic, run.documents, run.source, run.notes)

    def session_log(self, path: str | os.PathLike[str]) -> SessionLog:
        """A run as a log of sessions."""
        log = self.log(path)
        table, place, left = self.settle(log.queries, os.fspath(path)).table(
            log.queries, os.fspath(path), self.unmapped
        )
        moved = place[log.query]
        rows = np.flatnonzero(moved >= 0)
        rows = rows[np.argsort(moved[rows], kind="stable")]
        return SessionLog(
            name=log.name,
            sessions=table,
            query=moved[rows].astype(np.int32),
            documents=log.documents.take(rows),
            source=replace(log.source, topics=len(table)),
            notes=(*log.notes, *_left_out(left, log.name)),
        )

    def settle(self, queries: Ids, path: str) -> QueryNames:
        """How queries are named, settled by the first ones seen and the same for all runs."""
        if self.names is None:
            sample = queries.take(slice(0, _SAMPLE))
            self.names = QueryNames.of(sample, self.judgments, self.mapped, self.pattern, path)
        return self.names

    def _streamed(self, path: str | os.PathLike[str]) -> GradedSessions | None:
        try:
            with BlockReader(path, self.digest) as reader:
                parts, layout = self._parts(reader, os.fspath(path))
        except Exception as error:
            if isinstance(error, GaincurveError) or is_damage(error):
                return None
            raise
        if layout is None or not parts:
            return None
        queries = joined([part.queries for part in parts])
        if len(numbered(queries)[0]) < len(queries):  # a query came back: its parts must be ranked together
            return None
        rows = int(sum(part.retrieved.sum() for part in parts))
        source = Source(os.fspath(path), layout.title, 0, rows, reader.sha256)
        return self._graded(parts, run_name(path), source, (), os.fspath(path))

    def _parts(self, reader: BlockReader, path: str) -> tuple[list[Part], Layout | None]:
        layout: Layout | None = None
        parts: list[Part] = []
        waiting: list[Callable[[], Part | None]] = []
        with Workers(self.threads) as workers:
            for buffer, stop in reader:
                if layout is None:
                    layout = trec_layout(Content(path, buffer, 0, stop, ""))
                    if layout is None:
                        return [], None
                    self.settle(_first_queries(buffer, stop), path)
                pieces = topic_pieces(buffer, stop, max(1, stop // PIECE), PIECE // 2)
                ready, waiting = waiting, [workers.submit(self._piece, layout, buffer, *piece) for piece in pieces]
                if not _take(ready, parts):
                    return [], None
            if not _take(waiting, parts):
                return [], None
        return parts, layout

    def _piece(self, layout: Layout, buffer: Bytes, start: int, stop: int) -> Part | None:
        """Some whole queries, or None if they need a closer look."""
        lines = scan(buffer, start, stop)
        if not len(lines.first):
            return Part(Ids(buffer, *_nothing()), *(np.zeros(0, dtype=np.int64) for _ in range(4)))
        fitting = np.isin(lines.count, layout.widths) if lines.count.min() != lines.count.max() else None
        if lines.count[0] not in layout.widths or (fitting is not None and not fitting.all()):
            return None
        lengths = (lines.ends - lines.starts).astype(np.int32)
        topic, document, value = (lines.first + c for c in (0, layout.document, layout.value))
        scores = parse_numbers(buffer, lines.starts[value], lengths[value])
        if not np.isfinite(scores).all() or (layout.value_is_rank and (scores != np.floor(scores)).any()):
            return None
        tokens = Ids(buffer, lines.starts[topic], lengths[topic])
        new = np.concatenate([[True], ~tokens.take(slice(1, None)).same(tokens.take(slice(0, -1)))])
        query = (np.cumsum(new) - 1).astype(np.int32)
        documents = Ids(buffer, lines.starts[document], lengths[document])
        if self.ties != "file":
            order = ranking(query, comparable(-scores if layout.value_is_rank else scores, self.ties), documents)
            documents = documents if order is None else documents.take(order)
        keys = np.sort(scramble(documents.hashes() ^ scramble(query.astype(np.uint64))))
        if (keys[1:] == keys[:-1]).any():
            return None
        return self._part(compact(tokens.take(np.flatnonzero(new))), query, documents)

    def _part(self, queries: Ids, query: Index, documents: Ids) -> Part:
        """Ranked documents of whole queries, looked up in the judgments."""
        names = self.settle(queries, "")
        row, found = match_queries(self.judgments, names.judged(queries), query, documents)
        offsets = offsets_of(query, len(queries))
        rank = row - offsets[query[row]] + 1
        return Part(queries, np.diff(offsets), query[row].astype(np.int64), rank, found)

    def _graded(
        self,
        parts: list[Part],
        name: str,
        source: Source,
        notes: tuple[Note, ...],
        path: str,
    ) -> GradedSessions:
        queries = joined([part.queries for part in parts])
        names = self.settle(queries, path)
        table, place, left = names.table(queries, path, self.unmapped)
        starts = np.cumsum([0, *(len(part.queries) for part in parts)])
        query = place[np.concatenate([part.query + start for part, start in zip(parts, starts, strict=False)])]
        rank, judgment = (np.concatenate([getattr(part, c) for part in parts]) for c in ("rank", "judgment"))
        rows = np.flatnonzero(query >= 0)
        rows = rows[np.lexsort((rank[rows], query[rows]))]
        retrieved = np.zeros(len(table.session), dtype=np.int64)
        retrieved[place[place >= 0]] = np.concatenate([part.retrieved for part in parts])[place >= 0]
        judged = np.empty(len(table.session), dtype=np.int32)
        judged[place[place >= 0]] = names.judged(queries)[place >= 0]
        return GradedSessions(
            name=name,
            sessions=table,
            judged=judged,
            retrieved=retrieved,
            query=query[rows].astype(np.int32),
            rank=rank[rows],
            grade=self.judgments.grades[judgment[rows]],
            judgment=judgment[rows],
            present=np.ones(len(table), dtype=bool),
            recall_base=self.judgments.recall_base,
            topics=self.judgments.topics,
            source=replace(source, topics=len(table)),
            notes=(*notes, *_left_out(left, name)),
        )


@dataclass(frozen=True, eq=False)
class RunLog:
    """A run whose topics are queries, ranked."""

    name: str
    queries: Ids
    query: Index
    documents: Ids
    source: Source
    notes: tuple[Note, ...]


def _take(ready: list[Callable[[], Part | None]], parts: list[Part]) -> bool:
    for pending in ready:
        part = pending()
        if part is None:
            return False
        parts.append(part)
    return True


def _first_queries(buffer: Bytes, stop: int) -> Ids:
    """The queries at the beginning of a block."""
    lines = scan(buffer, 0, topic_pieces(buffer, stop, max(1, stop // PIECE), PIECE // 2)[0][1])
    at = lines.starts[lines.first]
    tokens = Ids(buffer, at, (lines.ends[lines.first] - at).astype(np.int32))
    return compact(numbered(tokens)[0].take(slice(0, _SAMPLE)))


def _nothing() -> tuple[Ints, NDArray[np.int32]]:
    return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)


def _left_out(sessions: list[str], name: str) -> tuple[Note, ...]:
    if not sessions:
        return ()
    text = f"{counted(len(sessions), 'session')} without a topic left out: {examples(sessions)}"
    return (Note("session-unmapped", text, (name,)),)
