"""TREC columns: qrels and runs, separated by any mix of spaces and tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve._compiled import scan as compiled
from gaincurve._scan_py import Floats, Ints, Lines, parse_numbers, pieces, scan
from gaincurve.errors import InputError, Problem, Problems
from gaincurve.io.content import Content
from gaincurve.model.chosen import VALUE_SLUG
from gaincurve.model.columns import VALUE
from gaincurve.model.groups import Number
from gaincurve.model.ids import Ids, decode
from gaincurve.model.likeness import out_of_rank
from gaincurve.model.lookup import compact, numbered
from gaincurve.model.numbers import number_hint
from gaincurve.model.rows import Rows
from gaincurve.model.sampling import VOTES
from gaincurve.model.source import counted, number_text, shorten


@dataclass(frozen=True)
class Layout:
    """Which column holds what; every line has as many as the first, one of the `widths`."""

    title: str
    columns: str
    widths: tuple[int, ...]
    document: int
    value: int
    rank: int | None = None
    value_is_rank: bool = False
    subtopic: int | None = None
    stratum: int | None = None
    origin: int | None = None


LAYOUTS: dict[str, dict[int, Layout]] = {
    "judgments": {
        4: Layout("TREC qrels", "topic, ignored, document, grade", (4,), 2, 3, subtopic=1, origin=1),
        5: Layout("TREC qrels with strata", "topic, ignored, document, stratum, grade", (5,), 2, 4, stratum=3),
        3: Layout("TREC qrels of 3 columns", "topic, document, grade", (3,), 1, 2),
    },
    "run": {
        6: Layout("TREC run", "topic, ignored, document, rank, score, tag", (6,), 2, 4, 3),
        5: Layout("TREC run without tag", "topic, ignored, document, rank, score", (5,), 2, 4, 3),
        3: Layout(
            "TREC run of 3 columns, ranked by the third (1 is best)",
            "topic, document, rank",
            (3,),
            1,
            2,
            2,
            value_is_rank=True,
        ),
    },
}


def read_trec(
    content: Content, kind: str, layout: Layout, with_ranks: bool = False, with_subtopics: bool = False
) -> Rows:
    """Rows of a TREC file: from the compiled scanner, or if anything is odd from NumPy, piece by piece."""
    reading = _TrecColumns(content, kind, layout, with_ranks, with_subtopics)
    if not reading.add_plain():
        for start, stop in pieces(content.buffer, content.start, content.stop):
            reading.add(scan(content.buffer, start, stop))
    return reading.rows()


class _TrecColumns:
    """Columns gathered so far, and what was wrong."""

    def __init__(self, content: Content, kind: str, layout: Layout, with_ranks: bool, with_subtopics: bool):
        self.content, self.kind, self.layout = content, kind, layout
        self.with_ranks = with_ranks and layout.rank is not None
        self.with_subtopics = with_subtopics and layout.subtopic is not None
        self.subtopics: list[tuple[Ints, NDArray[np.int32]]] = []
        self.strata: list[tuple[Ints, NDArray[np.int32]]] = []
        self.voted = False
        self.problems = Problems()
        self.topics: list[tuple[Ints, Ints, Ints]] = []
        self.columns: list[tuple[Ints, NDArray[np.int32], Floats, Floats]] = []

    def add_plain(self) -> bool:
        """All lines at once; False if they have to be read in another way."""
        layout, content = self.layout, self.content
        if compiled is None or self.with_ranks or layout.value_is_rank:
            return False
        subtopic = layout.subtopic if self.with_subtopics else None
        other = layout.stratum if subtopic is None else subtopic
        origin = None if self.with_subtopics else layout.origin
        wanted = (layout.widths[0], layout.document, layout.value, _column(other), _column(origin))
        scanned = compiled.read_columns(content.buffer, content.start, content.stop, *wanted)
        if scanned is None:
            return False
        topics, starts, lengths, values, other_starts, other_lengths = scanned
        self._add_topics(topics[:, 0], topics[:, 1], topics[:, 2], len(values))
        if other is not None:
            (self.strata if subtopic is None else self.subtopics).append((other_starts, other_lengths))
        self.columns.append((starts, lengths, values, values[:0]))
        return True

    def add(self, lines: Lines) -> None:
        first = self._fitting(lines)
        starts, lengths = lines.starts, (lines.ends - lines.starts).astype(np.int32)
        topics = Ids(self.content.buffer, starts[first], lengths[first])
        changed = np.flatnonzero(np.concatenate([[True], ~topics.repeats()])[: len(topics)])
        self._add_topics(topics.starts[changed], topics.lengths[changed], changed, len(topics))
        document, value = first + self.layout.document, first + self.layout.value
        ranked = self.layout.value_is_rank
        word, slug = ("rank", "run-rank") if ranked else (VALUE[self.kind], VALUE_SLUG[self.kind])
        values = self._numbers(starts[value], lengths[value], word, slug)
        ranks = values[:0]
        if self.with_ranks:
            rank = first + (self.layout.rank or 0)
            ranks = self._numbers(starts[rank], lengths[rank], "rank", "run-rank")
        if ranked:
            self._whole(values, starts[value])
            values = -values
        if self.with_subtopics:
            subtopic = first + (self.layout.subtopic or 0)
            self.subtopics.append((starts[subtopic], lengths[subtopic]))
        if self.layout.stratum is not None:
            stratum = first + self.layout.stratum
            self.strata.append((starts[stratum], lengths[stratum]))
        if self.layout.origin is not None and not self.with_subtopics:
            origin = first + self.layout.origin
            self.voted = self.voted or self._holds_votes(starts[origin], lengths[origin])
        self.columns.append((starts[document], lengths[document], values, ranks))

    def _holds_votes(self, starts: Ints, lengths: NDArray[np.int32]) -> bool:
        """Whether a token is 'votes': one line that nobody judged marks the file."""
        mark = np.frombuffer(VOTES.encode(), dtype=np.uint8)
        fitting = starts[lengths == len(mark)]
        tokens = self.content.buffer[fitting[:, None] + np.arange(len(mark))]
        return bool((tokens == mark).all(axis=1).any())

    def _fitting(self, lines: Lines) -> Ints:
        """The first tokens of the lines that have the right number of columns; the others become problems."""
        wrong = np.ones(len(lines.count), dtype=bool)
        for width in self.layout.widths:
            wrong &= lines.count != width
        if not wrong.any():
            return lines.first
        widths = " or ".join(map(str, self.layout.widths))

        def what(line: int, offset: int) -> str:
            expected = (
                f"{counted(int(lines.count[line]), 'column')} where {widths} were expected ({self.layout.columns})"
            )
            text = self.content.line_at(offset)
            spaces = ", separated by non-breaking spaces" if "\xa0" in text else ""
            return f"{expected}{spaces}: {shorten(text)}"

        broken, starts = np.flatnonzero(wrong), lines.starts[lines.first]
        last = int(broken[-1])
        if lines.count[last] < min(self.layout.widths) and self.content.is_cut(int(starts[last])):
            broken = broken[:-1]
            self.problems.add(self.content.cut(int(starts[last]), what(last, int(starts[last]))))
        self._problems("input-columns", broken, starts, what)
        return lines.first[~wrong]

    def _add_topics(self, starts: Ints, lengths: NDArray[np.integer], first: Ints, rows: int) -> None:
        """The topics of a piece: where each is named, and on how many rows."""
        self.topics.append((starts, lengths.astype(np.int32), np.diff(first, append=rows)))

    def _numbered_topics(self) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """The topics in order of first appearance, and the topic of each row as a number."""
        starts, lengths, rows = (np.concatenate(column) for column in zip(*self.topics, strict=True))
        topics, number = numbered(Ids(self.content.buffer, starts, lengths))
        return tuple(compact(topics).texts()), np.repeat(number.astype(np.int32), rows)

    def _numbers(self, starts: Ints, lengths: NDArray[np.int32], word: str, slug: str) -> Floats:
        values = parse_numbers(self.content.buffer, starts, lengths)

        def token(index: int, offset: int) -> str:
            return decode(self.content.buffer[offset : offset + int(lengths[index])].tobytes())

        def what(index: int, offset: int) -> str:
            return f"{word} {shorten(repr(token(index, offset)))} is not a finite number"

        def hint(index: int, offset: int) -> str:
            return number_hint(token(index, offset), word)

        self._problems(slug, np.flatnonzero(~np.isfinite(values)), starts, what, hint)
        return values

    def _whole(self, ranks: Floats, starts: Ints) -> None:
        """Ranks are whole numbers: three columns that hold scores would be ranked upside down."""
        broken = np.flatnonzero(np.isfinite(ranks) & (ranks != np.floor(ranks)))

        def what(index: int, _: int) -> str:
            return f"{ranks[index]} is not a rank ({self.layout.columns})"

        self._problems("run-rank", broken, starts, what)

    def _counted(self, names: tuple[str, ...], topic: NDArray[np.int32], ranks: Floats, starts: Ints) -> None:
        """Ranks count the documents of a topic: other whole numbers are scores or grades, and upside down."""
        broken = out_of_rank(topic, ranks)

        def what(index: int, _: int) -> str:
            columns = f"the third column ({self.layout.columns}) does not count 1, 2, 3, … or 0, 1, 2, …"
            return f"topic {shorten(names[topic[index]])}: {columns}, each once: {number_text(ranks[index])}"

        self._problems("run-ranks-broken", broken, starts, what)
        self.problems.stop_if_any()

    def _problems(
        self,
        slug: str,
        broken: Ints,
        starts: Ints,
        what: Callable[[int, int], str],
        hint: Callable[[int, int], str] = lambda _, __: "",
    ) -> None:
        def problem(index: int) -> Problem:
            offset = int(starts[index])
            return Problem(slug, what(index, offset), self.content.place(offset), hint(index, offset))

        self.problems.each(broken.tolist(), problem)

    def rows(self) -> Rows:
        self.problems.stop_if_any()
        starts, lengths, values, ranks = (_joined(column) for column in zip(*self.columns, strict=True))
        topics, topic = self._numbered_topics()
        if self.layout.value_is_rank:
            self._counted(topics, topic, -values, starts)
        if not len(values):
            raise InputError(
                Problem("input-empty", f"{self.content.path} has only blank lines and comments", self.content.path)
            )
        return Rows(
            topics=topics,
            topic=topic,
            documents=Ids(self.content.buffer, starts, lengths),
            values=values,
            ranks=ranks if self.with_ranks else None,
            place=lambda i: self.content.place(int(starts[i])),
            path=self.content.path,
            format=self.layout.title,
            sha256=self.content.sha256,
            scored=not self.layout.value_is_rank,
            subtopics=self._ids(self.subtopics),
            stratum=self._ids(self.strata),
            ranked=self.layout.rank is not None,
            origin=VOTES if self.voted else None,
        )

    def _ids(self, columns: list[tuple[Ints, NDArray[np.int32]]]) -> Ids | None:
        if not columns:
            return None
        starts, lengths = (_joined(column) for column in zip(*columns, strict=True))
        return Ids(self.content.buffer, starts, lengths)


def _joined(parts: Sequence[NDArray[Number]]) -> NDArray[Number]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _column(place: int | None) -> int:
    return -1 if place is None else place
