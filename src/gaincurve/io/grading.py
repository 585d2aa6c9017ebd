"""Read and grade a run in one go: only what meets the judgments is kept, whatever the size of the file.

Blocks of whole topics go to the compiled scanner, on several threads, or to its NumPy twin. Whatever is not plain
sailing (another format, a broken line, a repeated document, a topic that comes back later) is read again as a whole by
`read_run`, which knows all rules and messages: the answer and the errors are the same either way.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from gaincurve._compiled import scan as compiled
from gaincurve.errors import GaincurveError
from gaincurve.io.blocks import BLOCK, SHARE, BlockReader, line_start, topic_pieces
from gaincurve.io.content import Content, is_damage
from gaincurve.io.read import read_run, run_name, trec_layout
from gaincurve.io.threads import Workers
from gaincurve.io.trec import Layout, read_trec
from gaincurve.model.graded import GradedRun, Matches, grade, graded_run, match
from gaincurve.model.ids import Bytes, Ids, decode
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.source import Source

_RULES = {"trec": 0, "average": 0, "trec-float32": 1, "file": 2}
Grader = Callable[[Bytes, int, int], Matches | None]
Pending = Callable[[], Matches | None]


class RunGrader:
    """Judgments made ready once, to grade many run files under one tie rule.

    With a `layout` only files of exactly these columns are streamed; without `comments` none in which a line begins
    with '#'.
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
        layout: Layout | None = None,
        comments: bool = True,
        block: int = BLOCK,
        piece: int = SHARE,
    ):
        self.judgments, self.ties, self.duplicates = judgments, ties, duplicates
        self.threads, self.digest, self.block, self.piece = threads, digest, block, piece
        self.scores, self.layout, self.comments = scores, layout, comments
        self.index = _index(judgments)

    def grade(self, path: str | os.PathLike[str]) -> GradedRun:
        """One run file, graded."""
        plain = os.path.isfile(path) and self.ties in _RULES and not self.scores  # a pipe cannot be read again
        streamed = self.streamed(path) if plain else None
        if streamed is not None:
            return streamed[0]
        run = read_run(path, ties=self.ties, duplicates=self.duplicates, digest=self.digest)
        return grade(self.judgments, run, self.scores)

    def streamed(self, path: str | os.PathLike[str]) -> tuple[GradedRun, bytes] | None:
        """One run file graded in a single pass, and its last line; None where it is not plain sailing."""
        try:
            with BlockReader(path, self.digest, self.block) as reader:
                parts, layout = self._parts(reader)
        except Exception as error:
            if isinstance(error, GaincurveError) or is_damage(error):
                return None
            raise
        if layout is None or not parts:
            return None
        found = Matches.joined(parts)
        if len(set(found.topics)) < len(found.topics):  # a topic came back: its parts must be ranked together
            return None
        rows = int(found.retrieved.sum())
        source = Source(os.fspath(path), layout.title, len(found.topics), rows, reader.sha256)
        return graded_run(self.judgments, found, run_name(path), self.ties, source), reader.last_line

    def _parts(self, reader: BlockReader) -> tuple[list[Matches], Layout | None]:
        layout: Layout | None = None
        parts: list[Matches] = []
        waiting: list[Pending] = []
        with Workers(self.threads) as workers:
            for buffer, stop in reader:
                if layout is None:
                    layout = self.layout or trec_layout(Content(str(reader.file.name), buffer, 0, stop, ""))
                    if layout is None:
                        return [], None
                if not self.comments and has_comments(buffer, stop):
                    return [], None
                grader = self._grader(layout)
                pieces = topic_pieces(buffer, stop, self.threads, self.piece)
                ready, waiting = waiting, [workers.submit(grader, buffer, *piece) for piece in pieces]
                if not _take(ready, parts):
                    return [], None
            if not _take(waiting, parts):
                return [], None
        return parts, layout

    def _grader(self, layout: Layout) -> Grader:
        return lambda buffer, start, stop: (
            self._compiled(layout, buffer, start, stop)
            if self.index is not None
            else self._twin(layout, buffer, start, stop)
        )

    def _compiled(self, layout: Layout, buffer: Bytes, start: int, stop: int) -> Matches | None:
        widths = layout.widths
        columns = (layout.document, layout.value, min(widths), max(widths), layout.value_is_rank)
        found = compiled.grade_block(self.index, buffer, start, stop, *columns, _RULES[self.ties])
        if found is None:
            return None
        topics, rows = found
        judged = topics[:, 2].astype(np.int32)
        return Matches(
            topics=tuple(decode(buffer[s : s + n].tobytes()) for s, n in topics[:, :2].tolist()),
            judged=judged,
            retrieved=topics[:, 3].copy(),
            topic=judged[rows[:, 0]],
            rank=rows[:, 1],
            first=rows[:, 2],
            last=rows[:, 3],
            judgment=rows[:, 4],
        )

    def _twin(self, layout: Layout, buffer: Bytes, start: int, stop: int) -> Matches | None:
        if stop > start and not buffer[start:stop].min():  # NUL: no text, and the plain reader says so
            return None
        try:
            rows = read_trec(Content("", buffer, start, stop, ""), "run", layout)
            return match(self.judgments, Run.from_rows(rows, "", self.ties))
        except GaincurveError:
            return None


def has_comments(buffer: Bytes, stop: int) -> bool:
    """Whether a '#' stands where a line begins, or after blanks."""
    marks = np.flatnonzero(buffer[:stop] == ord("#"))
    return any(not buffer[line_start(buffer, at) : at].tobytes().strip() for at in marks.tolist())


def _take(ready: list[Pending], parts: list[Matches]) -> bool:
    """Gather what is finished; False if a piece needs a closer look."""
    for pending in ready:
        part = pending()
        if part is None:
            return False
        parts.append(part)
    return True


def _index(judgments: Judgments) -> object:
    """The judgments as the compiled scanner looks them up; None if it was not built, or keys collide on purpose."""
    if compiled is None:
        return None
    topics = Ids.from_texts(judgments.topics)
    try:
        return compiled.Index(*_columns(judgments, topics))
    except ValueError:
        return None


def _columns(judgments: Judgments, topics: Ids) -> tuple[object, ...]:
    documents = judgments.documents
    return (
        judgments.keys,
        judgments.offsets,
        documents.buffer,
        np.ascontiguousarray(documents.starts),
        np.ascontiguousarray(documents.lengths),
        topics.hashes(),
        topics.buffer,
        topics.starts,
        topics.lengths,
    )
