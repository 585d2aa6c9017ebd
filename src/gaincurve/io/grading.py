"""Read and grade a run in one pass: only judged documents stay in memory, whatever the size of the file.

Blocks of whole topics go to the compiled scanner, on several threads, or to its NumPy twin. A file that is not plain
(another format, a broken line, a repeated document, a topic that comes back later) is read again as a whole by
`read_run`, which knows all rules and messages: the answer and the errors are the same either way.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gaincurve._compiled import scan as compiled
from gaincurve._scan_py import scan
from gaincurve.errors import GaincurveError, InputError
from gaincurve.io.addresses import split_part
from gaincurve.io.blocks import BLOCK, SHARE, BlockReader, line_start, topic_pieces
from gaincurve.io.content import Content, is_damage, naming_damage
from gaincurve.io.read import read_run, read_run_with_ranks, read_runs, run_name, trec_layout
from gaincurve.io.threads import Workers
from gaincurve.io.trec import Layout, read_trec
from gaincurve.model.columns import Given
from gaincurve.model.file_order import FileOrder
from gaincurve.model.graded import Graded, graded_topics, looked_at
from gaincurve.model.ids import Bytes, Ids, Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.kernel import index_of
from gaincurve.model.lookup import compact, numbered, places
from gaincurve.model.matches import Matches, MatchParts, match
from gaincurve.model.memory import free_memory
from gaincurve.model.order import FLOAT32, SCORE_RULES
from gaincurve.model.rows import Rows, several_runs
from gaincurve.model.run import Run
from gaincurve.model.source import Note, Source, shorten
from gaincurve.model.strays import rows_of_ids
from gaincurve.model.units import Index
from gaincurve.model.unjudged import Unjudged

if TYPE_CHECKING:  # text is read without what tables need
    from gaincurve.model.arrow.table import Table

_RULES = {**{rule: int(rule in FLOAT32) for rule in SCORE_RULES}, "file": 2}
Pending = Callable[[], Matches | None]


class Lists(Protocol):
    """What the topic field of a run names, and which judgments that leads to."""

    def base(self, names: Ids, path: str) -> Index:
        """The judged topic of each list, −1 where there is none."""

    def look_up(self, first: Ids, path: str) -> tuple[object, ...]:
        """The same for the compiled scanner, once the first names of a file have settled how it names its lists."""

    def graded(
        self, matches: Matches, name: str, ties: str, source: Source, notes: tuple[Note, ...] = (), dropped: int = 0
    ) -> Graded:
        """The lists as units."""


class TopicLists:
    """The usual case: the topic field of a run names a topic."""

    def __init__(self, judgments: Judgments):
        self.judgments = judgments

    def base(self, names: Ids, path: str) -> Index:  # noqa: ARG002 -- only sessions have messages about a path
        """The judged topic of each list, −1 where there is none."""
        return places(names, Ids.from_texts(self.judgments.topics)).astype(np.int32)

    def look_up(self, first: Ids, path: str) -> tuple[object, ...]:  # noqa: ARG002
        """Every judged topic by its name."""
        return name_columns(Ids.from_texts(self.judgments.topics), np.arange(len(self.judgments.topics)))

    def graded(
        self, matches: Matches, name: str, ties: str, source: Source, notes: tuple[Note, ...] = (), dropped: int = 0
    ) -> Graded:
        """A run graded topic by topic."""
        return graded_topics(self.judgments, matches, name, ties, source, notes, dropped)


def name_columns(names: Ids, base: Any) -> tuple[object, ...]:
    """Names and the judged topic of each, as the compiled scanner looks them up."""
    return (names.hashes(), names.buffer, np.ascontiguousarray(names.starts), np.ascontiguousarray(names.lengths),
            np.ascontiguousarray(base, dtype=np.int32))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Streamed:
    """A file graded in a single pass: the run, where its lists met the judgments, and the last line."""

    graded: Graded
    matches: Matches
    last_line: bytes


class RunGrader:
    """Judgments prepared once, to grade many run files under one tie rule.

    `lists` says what the topic field of a run names: a topic unless given. With a `layout` only files of exactly these
    columns are streamed; without `comments` none in which a line begins with '#'. Of the unjudged documents those of
    the first `shown` ranks are kept.
    """

    def __init__(
        self,
        judgments: Judgments,
        ties: str = "trec",
        duplicates: str = "error",
        *,
        threads: int = 1,
        digest: bool = True,
        scores: bool = False,
        shown: int = 0,
        layout: Layout | None = None,
        comments: bool = True,
        block: int = BLOCK,
        piece: int = SHARE,
        lists: Lists | None = None,
        columns: Given | None = None,
    ):
        self.judgments, self.ties, self.duplicates = judgments, ties, duplicates
        self.threads, self.digest, self.block, self.piece = threads, digest, block, piece
        self.scores, self.shown, self.layout, self.comments, self.columns = scores, shown, layout, comments, columns
        self.lists: Lists = TopicLists(judgments) if lists is None else lists
        self.ready, self.index = lists is None, None
        if lists is None:
            self.index = index_of(compiled, judgments, self.lists.look_up(Ids.from_texts(()), ""))

    def grade_table(
        self, path: str | os.PathLike[str], watched: Callable[[Table], Table] = lambda table: table
    ) -> list[Graded]:
        """The runs of a Parquet or Arrow file, or of a folder of such files; `watched` may count its rows."""
        from gaincurve.io.table_files import table_at  # noqa: PLC0415 -- text is read without what tables need
        from gaincurve.model.arrow.grading import TableGrader  # noqa: PLC0415
        from gaincurve.model.arrow.reader import TableReader  # noqa: PLC0415

        grader = TableGrader(self.judgments, self.ties, self.duplicates, scores=self.scores, shown=self.shown)
        reader = TableReader(watched(table_at(path, self.digest)), "run", self.columns, split_part(path)[1])
        return grader.grade(reader, run_name(path))

    def grade(self, path: str | os.PathLike[str]) -> Graded:
        """The run of a file that may hold one alone."""
        graded = self.grade_each(path)
        if len(graded) > 1:
            raise several_runs([run.name for run in graded], os.fspath(path))
        return graded[0]

    def grade_each(self, path: str | os.PathLike[str]) -> list[Graded]:
        """The runs of a file, graded: most hold one."""
        plain = os.path.isfile(path) and self.ties in _RULES and not self.scores  # a pipe cannot be read again
        streamed = self.streamed(path) if plain else None
        if streamed is not None:
            graded = self._with_order(streamed.graded, streamed.matches, path)
            return [looked_at(self.judgments, streamed.matches, graded, lambda: self._listed(path))]
        try:
            runs = read_runs(path, ties=self.ties, duplicates=self.duplicates, digest=self.digest, columns=self.columns)
        except InputError as error:
            if plain and error.slug == "input-memory":
                self._say_why_whole(path, error)
            raise
        return [self._graded(run, path) for run in runs]

    def _graded(self, run: Run, path: str | os.PathLike[str]) -> Graded:
        matches = self._matched(run, run.source.path)
        matches = replace(matches, order=self._order_of(run, path))
        seen = self.lists.graded(matches, run.name, self.ties, run.source, run.notes, run.dropped)
        seen = self._with_order(replace(seen, kept=run.kept), matches, path, run)
        return looked_at(self.judgments, matches, seen, lambda: rows_of_ids(matches.base, run.topic, run.documents))

    @staticmethod
    def _order_of(run: Run, path: str | os.PathLike[str]) -> FileOrder:
        """What the order of a file says that was read as a whole; ranks of TREC runs are not read at first."""
        unread = run.ranks is None and run.source.format.startswith("TREC run") and run.scored and os.path.isfile(path)
        return FileOrder(unordered=1) if unread else run.file_order()

    def _with_order(
        self, graded: Graded, matches: Matches, path: str | os.PathLike[str], run: Run | None = None
    ) -> Graded:
        """The run with a note if the order of its lines or its rank column contradicts the scores.

        Ranks that ascend are compared while the file is scanned. Others need all of a topic: the file is read again.
        """
        order = matches.order
        if order.unordered and self.ties in SCORE_RULES:
            try:
                ranked = (
                    run if run is not None and run.ranks is not None else read_run_with_ranks(path, duplicates="first")
                )
            except GaincurveError:  # ranks that are no numbers claim no order
                return graded
            order = ranked.file_order()
        notes = order.notes(graded.name, len(matches.names))
        return replace(graded, notes=(*graded.notes, *notes)) if notes else graded

    def _listed(self, path: str | os.PathLike[str]) -> tuple[Ints, list[str]]:
        """The documents of a file that was streamed: it is read again, to say why so few of them match."""
        try:
            run = read_run(path, ties=self.ties, duplicates="first", digest=False)
        except InputError as error:
            if error.slug != "input-memory":
                raise
            return np.zeros(0, dtype=np.int64), []  # too large to be read whole: the numbers stand without examples
        base = self.lists.base(Ids.from_texts(run.topics), os.fspath(path))
        return rows_of_ids(base, run.topic, run.documents)

    def _say_why_whole(self, path: str | os.PathLike[str], too_large: InputError) -> None:
        """Raise what is wrong in a file that is too large to be read whole, and was not plain: block by block."""
        layout: Layout | None = None
        seen: set[str] = set()
        lines, back = 0, ""
        with BlockReader(path, digest=False, size=self.block) as reader, naming_damage(reader.name, reader.packing):
            for buffer, stop in reader:
                content = Content(reader.name, buffer, 0, stop, "", before=lines)
                layout = layout or self.layout or trec_layout(content, self.columns)
                if layout is None:
                    return
                rows = read_trec(content, "run", layout)
                Run.from_rows(rows, "", self.ties, self.duplicates)
                for group in rows.topic[np.flatnonzero(np.diff(rows.topic, prepend=-1))].tolist():
                    back = back or (rows.topics[group] if rows.topics[group] in seen else "")
                    seen.add(rows.topics[group])
                lines += int(np.count_nonzero(buffer[:stop] == ord("\n")))
        if back:
            first = too_large.problems[0]
            what = f"{first.what}, as topic {shorten(back)} comes back after others"
            raise InputError(replace(first, what=what, hint="bring the lines of each topic together: sort -s -k1,1"))

    def streamed(self, path: str | os.PathLike[str]) -> Streamed | None:
        """One run file graded in a single pass; None where the file is not plain."""
        try:
            with BlockReader(path, self.digest, self.block, self.threads) as reader:
                parts, layout = self._parts(reader)
        except Exception as error:
            if isinstance(error, GaincurveError) or is_damage(error):
                return None
            raise
        if layout is None or not parts.parts:
            return None
        free_memory()  # the blocks and what was taken from them
        matches = parts.joined()
        if len(numbered(matches.names)[0]) < len(matches.names):  # a topic came back: its parts are ranked together
            return None
        source = Source(os.fspath(path), layout.title, len(matches.names), int(matches.retrieved.sum()), reader.sha256)
        return Streamed(self.lists.graded(matches, run_name(path), self.ties, source), matches, reader.last_line)

    def _parts(self, reader: BlockReader) -> tuple[MatchParts, Layout | None]:
        layout: Layout | None = None
        path = str(reader.file.name)
        parts = MatchParts(len(self.judgments))
        waiting: list[Pending] = []
        with Workers(self.threads) as workers:
            for buffer, stop in reader:
                if layout is None:
                    layout = self.layout or trec_layout(Content(path, buffer, 0, stop, ""), self.columns)
                    if layout is None:
                        return parts, None
                    self._make_ready(buffer, stop, path)
                if not self.comments and has_comments(buffer, stop):
                    return parts, None
                pieces = topic_pieces(buffer, stop, self.threads, self.piece)
                ready, waiting = waiting, [workers.submit(self._piece, layout, path, buffer, *span) for span in pieces]
                if not _take(ready, parts):
                    return parts, None
            if not _take(waiting, parts):
                return parts, None
        return parts, layout

    def _make_ready(self, buffer: Bytes, stop: int, path: str) -> None:
        """Let the first lists of the first file settle how all are named."""
        if self.ready:
            return
        lines = scan(buffer, 0, topic_pieces(buffer, stop, max(1, stop // SHARE), SHARE // 2)[0][1])
        start = lines.starts[lines.first]
        tokens = Ids(buffer, start, (lines.ends[lines.first] - start).astype(np.int32))
        self.index = index_of(compiled, self.judgments, self.lists.look_up(compact(numbered(tokens)[0]), path))
        self.ready = True

    def _piece(self, layout: Layout, path: str, buffer: Bytes, start: int, stop: int) -> Matches | None:
        if self.index is not None:
            return self._compiled(layout, buffer, start, stop)
        return self._twin(layout, path, buffer, start, stop)

    def _compiled(self, layout: Layout, buffer: Bytes, start: int, stop: int) -> Matches | None:
        widths = layout.widths
        columns = (layout.document, layout.value, min(widths), max(widths), layout.value_is_rank)
        rank = -1 if layout.value_is_rank or layout.rank is None or self.ties not in SCORE_RULES else layout.rank
        rules = (_RULES[self.ties], self.shown, rank)
        scanned = compiled.grade_block(self.index, buffer, start, stop, *columns, *rules)
        if scanned is None:
            return None
        lists, rows, others, order = scanned
        base = lists[:, 2].astype(np.int32)
        return Matches(
            names=compact(Ids(buffer, lists[:, 0], lists[:, 1].astype(np.int32))),
            base=base,
            retrieved=lists[:, 3].copy(),
            list=rows[:, 0],
            rank=rows[:, 1],
            first=rows[:, 2],
            last=rows[:, 3],
            judgment=rows[:, 4],
            unjudged=Unjudged(base[others[:, 0]], others[:, 1], others[:, 2].view(np.uint64), self.shown),
            order=FileOrder(*order),
        )

    def _twin(self, layout: Layout, path: str, buffer: Bytes, start: int, stop: int) -> Matches | None:
        if stop > start and not buffer[start:stop].min():  # NUL: no text, and the plain reader says so
            return None
        try:
            rows = self._rows(layout, buffer, start, stop)
            run = Run.from_rows(rows, "", self.ties)
            return replace(self._matched(run, path), order=run.file_order())
        except GaincurveError:
            return None

    def _rows(self, layout: Layout, buffer: Bytes, start: int, stop: int) -> Rows:
        """The rows of a block, with ranks if they are numbers."""
        content = Content("", buffer, start, stop, "")
        try:
            return read_trec(content, "run", layout, with_ranks=self.ties in SCORE_RULES)
        except GaincurveError:
            return read_trec(content, "run", layout)

    def _matched(self, run: Run, path: str) -> Matches:
        return match(self.judgments, run, self.scores, self.lists.base(Ids.from_texts(run.topics), path), self.shown)


def has_comments(buffer: Bytes, stop: int) -> bool:
    """Whether a '#' stands where a line begins, or after blanks."""
    marks = np.flatnonzero(buffer[:stop] == ord("#"))
    return any(not buffer[line_start(buffer, mark) : mark].tobytes().strip() for mark in marks.tolist())


def _take(ready: list[Pending], parts: MatchParts) -> bool:
    """Gather what is finished; False if a piece needs a closer look."""
    for pending in ready:
        part = pending()
        if part is None:
            return False
        parts.add(part)
    return True
