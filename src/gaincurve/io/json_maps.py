"""JSON documents: {topic: {document: value}}, {topic: [documents]}, or a list of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.io.content import Content
from gaincurve.io.formats.shape import Pairs, kind_of
from gaincurve.io.tables import RepeatedKey, read_records, without_repeats
from gaincurve.model.columns import Given
from gaincurve.model.ids import Ids
from gaincurve.model.objects import build_rows, text_ids
from gaincurve.model.rows import Rows
from gaincurve.model.source import shorten


def read_json(content: Content, parsed: object, kind: str, given: Given | None = None) -> Rows:
    """Rows of one JSON document, parsed with its objects as `Pairs`."""
    if isinstance(parsed, list) and not isinstance(parsed, Pairs) and all(isinstance(item, Pairs) for item in parsed):
        records = [(i, _record(item, i, content)) for i, item in enumerate(parsed, 1)]
        return read_records(records, content, kind, "JSON records", separator=", record ", given=given)
    if not isinstance(parsed, Pairs):
        of_what = f" of {kind_of(parsed[0])}s"[:80] if isinstance(parsed, list) and parsed else ""
        raise _shape(content, f"the file holds {kind_of(parsed)}{of_what.replace('an ', '').replace('a ', '')}")
    topics: dict[str, int] = {}
    topic: list[int] = []
    documents: list[list[Any]] = []
    values: list[Sequence[Any]] = []
    places: list[tuple[str, int]] = []
    subtopics: list[str] = []
    scored = True
    for name, listed in parsed:
        keys, numbers = _one_topic(content, kind, name, listed)
        if kind == "judgments" and numbers and all(isinstance(grades, Pairs) for grades in numbers):
            subtopics += [subtopic for grades in numbers for subtopic, _ in grades]
            keys = [key for key, grades in zip(keys, numbers, strict=True) for _ in grades]
            numbers = [grade for grades in numbers for _, grade in grades]
        if name in topics and isinstance(numbers, range):
            what = f"topic {shorten(name)} has two lists, which would be read as one"
            raise InputError(Problem("run-list-twice", what, content.path, "give each topic one list"))
        scored = scored and not (keys and isinstance(numbers, range))
        places += [(name, i) for i in range(1, len(keys) + 1)]
        topic += [topics.setdefault(name, len(topics))] * len(keys)
        documents.append(keys)
        values.append(numbers)
    if not topic:
        raise InputError(Problem("input-empty", f"{content.path} has no documents", content.path))
    rows = build_rows(
        text_ids(list(topics), "topic", content.path),
        np.array(topic, dtype=np.int32),
        list(chain.from_iterable(documents)),
        list(chain.from_iterable(values)),
        kind,
        content.path,
        place=lambda i: f"{content.path}, topic {shorten(places[i][0])}, entry {places[i][1]}",
        format="JSON",
        sha256=content.sha256,
    )
    if subtopics and len(subtopics) < len(rows):
        raise _shape(content, "some documents have a grade, others one for each subtopic")
    named = Ids.from_texts(text_ids(subtopics, "subtopic", content.path)) if subtopics else None
    return replace(rows, scored=scored, subtopics=named)


def _record(pairs: Pairs, number: int, content: Content) -> Mapping[str, Any]:
    try:
        return without_repeats(pairs)
    except RepeatedKey as error:
        raise InputError(Problem("input-json", str(error), f"{content.path}, record {number}")) from None


def _one_topic(content: Content, kind: str, name: str, listed: object) -> tuple[list[Any], Sequence[Any]]:
    if isinstance(listed, Pairs):
        return [document for document, _ in listed], [value for _, value in listed]
    if isinstance(listed, list) and kind == "run":
        if listed and all(isinstance(pair, list) and len(pair) == 2 for pair in listed):
            return [pair[0] for pair in listed], [pair[1] for pair in listed]
        return listed, range(-1, -len(listed) - 1, -1)
    expected = "{document: grade}" if kind == "judgments" else "{document: score} or a list of documents"
    raise _shape(content, f"the key {shorten(repr(name))} holds {kind_of(listed)}, where a topic holds {expected}")


def _shape(content: Content, what: str) -> InputError:
    return InputError(Problem("input-json", what, content.path))
