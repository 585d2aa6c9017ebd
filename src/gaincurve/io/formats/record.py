"""What is known of a format: one record feeds recognition, `ls formats`, `convert`, the documentation and the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from gaincurve.errors import InputError, Problem, Problems
from gaincurve.io.formats.data import Data
from gaincurve.io.formats.opening import Opening
from gaincurve.io.formats.shape import Node, Shape
from gaincurve.model.columns import Given
from gaincurve.model.ids import Ids
from gaincurve.model.objects import build_rows, text_ids
from gaincurve.model.rows import Rows
from gaincurve.model.source import Note, shorten


class Row(NamedTuple):
    """A judgment or a place in a list; without a value the order of the rows counts.

    `at` is where it stands, `judge` who gave the grade, and `run` the system, where a file holds several.
    """

    topic: Any
    document: Any
    value: Any
    at: Node
    judge: str = ""
    run: str = ""


class Empty(NamedTuple):
    """A topic whose list is empty: the system answered, and found nothing."""

    topic: Any
    at: Node
    run: str = ""


Reader = Callable[[Node], Iterator[Row | Empty | Note]]
"""The rows of one record (a line, an element of a list, or the whole document), and what should be said of them."""


@dataclass(frozen=True)
class Choices:
    """How rows are read, beside the format; `part` is what the path names behind '#'."""

    kind: str
    with_ranks: bool = False
    with_subtopics: bool = False
    columns: Given | None = None
    part: str = ""


@dataclass(frozen=True)
class Part:
    """Rows of one run, or of the judgments, in a file; `name` is '' where the file does not say."""

    name: str
    rows: Rows


def parts_of_runs(rows: Rows) -> list[Part]:
    """The runs of a table that names them in a column; rows without such a column are one."""
    return [Part(name, part) for name, part in rows.each_run()]


@dataclass(frozen=True, eq=False)
class Format:
    """A format. `holds` is judgments, run or both; `example` is a literal file, as its tool writes it.

    JSON is recognised by its `shape` (of the document, or of one record of a list or of JSON lines), or by one of its
    `marks`, keys that no other file has; tables by their `header`, other text by its first `line`. `columns` are those
    of a table as its tool writes them. `rows` reads one record, `numbered` with the kind asked
    for and the number of the record; `parts` the whole file, where that is needed. `fields` name the topic, the
    document and the value in messages. `names_runs`: a run is called what the file calls it, even if it is the only
    one. `write` makes the text of a file; what it `carries` beside topics, documents and grades is among scores,
    order, empty (topics without documents), strata and metadata. `loses` says in words what it cannot carry.
    """

    name: str
    title: str
    holds: str
    about: str
    example: str
    shape: Shape | None = None
    marks: tuple[str, ...] = ()
    records: bool = False
    columns: tuple[str, ...] = ()
    header: Callable[[list[str]], bool] | None = None
    line: Callable[[str], bool] | None = None
    rows: Reader | None = None
    numbered: Callable[[str, int, Node], Iterator[Row | Empty | Note]] | None = None
    parts: Callable[[Opening, Choices], list[Part]] | None = None
    fields: tuple[str, str, str] = ("", "", "")
    names_runs: bool = False
    write: Callable[[Data], str] | None = None
    carries: frozenset[str] = frozenset()
    loses: str = ""

    def holds_a(self, kind: str) -> bool:
        """Whether it can be read as judgments or as a run."""
        return self.holds in (kind, "both")

    def read(self, opening: Opening, choices: Choices) -> list[Part]:
        """The runs of a file, or its judgments."""
        if self.parts is not None:
            return self.parts(opening, choices)
        nodes = opening.records() if self.records else iter([opening.root()])
        return gathered((self._rows(node, i, choices) for i, node in enumerate(nodes, 1)), self, opening, choices.kind)

    def _rows(self, node: Node, number: int, choices: Choices) -> Iterator[Row | Empty | Note]:
        if self.numbered is not None:
            return self.numbered(choices.kind, number, node)
        return iter(()) if self.rows is None else self.rows(node)


def gathered(
    records: Iterable[Iterator[Row | Empty | Note]], format_: Format, opening: Opening, kind: str
) -> list[Part]:
    """Rows of each run, from what a reader yields; the problems of all records are reported together."""
    runs: dict[str, list[Row]] = {}
    empty: dict[str, list[Empty]] = {}
    notes: dict[tuple[str, str], int] = {}
    problems = Problems()
    lists = format_.records and format_.holds != "judgments"  # each record is the list of a topic
    seen: dict[tuple[str, str], tuple[int, Node]] = {}
    for number, record in enumerate(records):
        try:
            for row in record:
                if isinstance(row, Note):
                    notes[row.slug, row.text] = notes.get((row.slug, row.text), 0) + 1
                    continue
                if lists:
                    _refuse_second_list(row, number, seen)
                if isinstance(row, Empty):
                    empty.setdefault(row.run, []).append(row)
                else:
                    runs.setdefault(row.run, []).append(row)
        except InputError as error:
            problems.each(
                error.problems,
                lambda problem: replace(problem, hint=problem.hint or f"read as {format_.title}: {format_.about}"),
            )
    problems.stop_if_any()
    path = opening.content.path
    remarks = tuple(
        Note(slug, f"{path}: {text}{f' ({count} times)' if count > 1 else ''}") for (slug, text), count in notes.items()
    )
    if not runs:
        said = f": {'; '.join(text for _, text in notes)}" if notes else ""
        raise InputError(Problem("input-empty", f"{path} has no documents{said}", path))
    named = format_.names_runs or len(runs) > 1
    return [
        Part(name if named else "", _rows_of(rows, empty.get(name, []), format_, opening, kind, remarks))
        for name, rows in runs.items()
    ]


def _refuse_second_list(row: Row | Empty, number: int, seen: dict[tuple[str, str], tuple[int, Node]]) -> None:
    """Refuse a topic of which an earlier record gave a list: together they are no list of any system."""
    before, first = seen.setdefault((row.run, str(row.topic)), (number, row.at))
    if before != number:
        what = f"topic {shorten(str(row.topic))} has two lists, which would be read as one"
        hint = "give each topic one record; pages of one search belong into one"
        raise InputError(Problem("run-list-twice", what, f"{row.at.place()} (first {first.place()})", hint))


def _rows_of(
    rows: list[Row], empty: list[Empty], format_: Format, opening: Opening, kind: str, notes: tuple[Note, ...]
) -> Rows:
    content = opening.content
    topic_field, document_field, value_field = (repr(field) if field else "" for field in format_.fields)

    def place(i: int) -> str:
        return rows[i].at.place()

    topics = text_ids([row.topic for row in rows], "topic", content.path, place, topic_field)
    index: dict[str, int] = {}
    topic = np.fromiter((index.setdefault(name, len(index)) for name in topics), dtype=np.int32, count=len(topics))
    for name in text_ids(
        [row.topic for row in empty], "topic", content.path, lambda i: empty[i].at.place(), topic_field
    ):
        index.setdefault(name, len(index))
    ordered = kind == "run" and any(row.value is None for row in rows)
    values: list[Any] = _places(topic.tolist()) if ordered else [row.value for row in rows]
    if ordered and not all(row.value is None for row in rows):
        text = f"{content.path}: some documents have no score, so the order of the lists counts"
        notes = (*notes, Note("order-counts", text))
    built = build_rows(
        list(index),
        topic,
        [row.document for row in rows],
        values,
        kind,
        content.path,
        place=place,
        format=format_.title,
        sha256=content.sha256,
        notes=notes,
        columns=(document_field, value_field),
    )
    judges = Ids.from_texts([row.judge for row in rows]) if any(row.judge for row in rows) else None
    return replace(built, scored=not ordered, ranked=kind == "run", judges=judges)


def _places(topics: list[int]) -> list[int]:
    """−1 for the first row of a topic, −2 for the next …: values that keep the order."""
    seen: dict[int, int] = {}
    places = []
    for topic in topics:
        seen[topic] = seen.get(topic, 0) - 1
        places.append(seen[topic])
    return places
