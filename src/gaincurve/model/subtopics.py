"""Subtopics: the instances, aspects or intents of a topic, and which documents cover them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem, one_of
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.rows import Floats, Rows
from gaincurve.model.source import shorten


@dataclass(frozen=True, eq=False)
class Subtopics:
    """One row per judgment of a document for a subtopic.

    `judgment` is the document's row in the judgments, whose grade is the highest of its subtopics; `subtopic` numbers
    the subtopics of all topics.
    """

    topic: NDArray[np.int32]
    judgment: Ints
    subtopic: Ints
    grade: Floats


def by_document(rows: Rows, subtopics: Ids, duplicates: str) -> tuple[Rows, Subtopics, int]:
    """Rows in which each document stands once per topic with its highest grade, and what the judges said by subtopic.

    A document judged twice for one subtopic is refused, or under the rule 'first' left out the second time; the last
    number is how often. Rows come grouped by topic.
    """
    one_of("--duplicates", duplicates, ("error", "first"))
    seen: dict[tuple[int, bytes, bytes], int] = {}
    documents: dict[tuple[int, bytes], int] = {}
    numbers: dict[tuple[int, bytes], int] = {}
    first_rows: list[int] = []
    judgment: list[int] = []
    subtopic: list[int] = []
    again: list[tuple[int, int]] = []
    for row, topic in enumerate(rows.topic.tolist()):
        document, named = rows.documents.bytes_at(row), subtopics.bytes_at(row)
        first = seen.setdefault((topic, document, named), row)
        if first != row:
            again.append((row, first))
            continue
        first_rows.append(row)
        judgment.append(documents.setdefault((topic, document), len(documents)))
        subtopic.append(numbers.setdefault((topic, named), len(numbers)))
    if again and duplicates == "error":
        raise InputError.each(again, lambda pair: _duplicate(rows, subtopics, *pair))
    grade = rows.values[first_rows]
    owner = np.array(judgment, dtype=np.int64)
    highest = np.full(len(documents), -np.inf)
    np.maximum.at(highest, owner, grade)
    first_row = np.full(len(documents), len(rows), dtype=np.int64)
    np.minimum.at(first_row, owner, np.array(first_rows, dtype=np.int64))
    merged = rows.take(first_row)
    table = Subtopics(rows.topic[first_rows], owner, np.array(subtopic, dtype=np.int64), grade)
    return replace(merged, values=highest, subtopics=None), table, len(again)


def _duplicate(rows: Rows, subtopics: Ids, row: int, first: int) -> Problem:
    topic, document = shorten(rows.topics[rows.topic[row]]), shorten(rows.documents[row])
    what = f"topic {topic} judges document {document} twice for subtopic {shorten(subtopics[row])}"
    return Problem("judgments-duplicate-document", what, f"{rows.place(row)} (first at {rows.place(first)})")
