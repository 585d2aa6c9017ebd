"""Judgments and runs that are already in memory: dicts, ranked lists, tuples, named records, data frames."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem
from gaincurve.model.columns import VALUE, Columns, find_columns
from gaincurve.model.groups import owners
from gaincurve.model.ids import Ids, decode, encode
from gaincurve.model.numbers import finite_number
from gaincurve.model.rows import Floats, Rows
from gaincurve.model.source import shorten

VALUE_SLUG = {"judgments": "judgments-grade", "run": "run-score"}


def rows_from_object(given: object, kind: str, name: str) -> Rows:
    """Rows of a Python object; `kind` is 'judgments' or 'run', `name` is used in messages."""
    if isinstance(given, Mapping):
        return _from_mapping(given, kind, name)
    if hasattr(given, "columns") and (hasattr(given, "itertuples") or hasattr(given, "iter_rows")):
        return _from_frame(given, kind, name)
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        what = f"{name} cannot be read from {type(given).__name__} {shorten(repr(given))}"
        raise InputError(Problem("input-object", what, hint=f"to read a file use gaincurve.read_{kind}(path)"))
    return _from_records(list(given), kind, name)


def text_ids(ids: Sequence[Any], role: str, name: str, place: Callable[[int], str] | None = None) -> list[str]:
    """Ids as text: strings stay as they are, whole numbers and bytes have one spelling, anything else is refused."""
    if not set(map(type, ids)) - {str} and "" not in ids and "".join(ids).isascii():
        return list(ids)
    texts: list[str] = []
    broken: list[int] = []
    for i, given in enumerate(ids):
        try:
            if isinstance(given, bytes):
                text = decode(given)
            else:
                text = given if isinstance(given, str) else str(operator.index(given))
            encode(text)  # half a surrogate pair is no text
        except (TypeError, UnicodeEncodeError):
            text = ""
        if not text:
            broken.append(i)
        texts.append(text)
    if broken:
        raise InputError.each(
            broken,
            lambda i: Problem(
                "input-id",
                f"{name}: {shorten(repr(ids[i]))} ({type(ids[i]).__name__}) cannot be a {role} id",
                "" if place is None else place(i),
            ),
        )
    return texts


def numbers(values: Sequence[Any], kind: str, place: Any) -> Floats:
    """Grades or scores as finite numbers; `place(i)` says where value i stood."""
    try:
        array = np.fromiter(values, dtype=np.float64, count=len(values))
    except (TypeError, ValueError, OverflowError):
        array = np.array([finite_number(value) for value in values], dtype=np.float64)
    broken = np.flatnonzero(~np.isfinite(array)).tolist()
    if broken:
        raise InputError.each(
            broken,
            lambda i: Problem(
                VALUE_SLUG[kind], f"{VALUE[kind]} {shorten(repr(values[i]))} is not a finite number", place(i)
            ),
        )
    return array


def _from_mapping(given: Mapping[Any, Any], kind: str, name: str) -> Rows:
    topics = text_ids(list(given), "topic", name)
    documents: list[Any] = []
    values: list[Any] = []
    sizes: list[int] = []
    scored = True
    for topic, listed in zip(topics, given.values(), strict=True):
        topic_documents, topic_values = _one_topic(listed, kind, f"{name}[{topic!r}]")
        scored = scored and not isinstance(topic_values, range)
        documents.append(topic_documents)
        values.append(topic_values)
        sizes.append(len(topic_documents))
    index: dict[str, int] = {}  # 1 and "1" are the same topic
    numbered = np.array([index.setdefault(topic, len(index)) for topic in topics], dtype=np.int32)
    columns = (list(chain.from_iterable(documents)), list(chain.from_iterable(values)))
    topic_of = np.repeat(numbered, sizes)
    if kind == "judgments" and any(isinstance(value, Mapping) for value in columns[1]):
        return _with_subtopics(list(index), topic_of, *columns, name)
    return replace(build_rows(list(index), topic_of, *columns, kind, name), scored=scored)


def _with_subtopics(
    topics: list[str], topic: NDArray[np.int32], documents: list[Any], values: list[Any], name: str
) -> Rows:
    """Judgments {topic: {document: {subtopic: grade}}}, one row per subtopic."""
    for document, value in zip(documents, values, strict=True):
        if not isinstance(value, Mapping):
            what = f"{name}: document {shorten(str(document))} has a grade, others have one for each subtopic"
            raise InputError(Problem("input-object", what))
    sizes = [len(value) for value in values]
    row = owners(np.array(sizes, dtype=np.int64))
    named = [subtopic for value in values for subtopic in value]
    grades = [grade for value in values for grade in value.values()]
    rows = build_rows(topics, topic[row], [documents[i] for i in row.tolist()], grades, "judgments", name)
    return replace(rows, subtopics=Ids.from_texts(text_ids(named, "subtopic", name)))


def _one_topic(listed: Any, kind: str, name: str) -> tuple[Sequence[Any], Sequence[Any]]:
    if isinstance(listed, Mapping):
        return list(listed), list(listed.values())
    if isinstance(listed, str | bytes) or not isinstance(listed, Iterable) or kind == "judgments":
        expected = "{document: grade}" if kind == "judgments" else "{document: score} or a list of documents"
        raise InputError(Problem("input-object", f"{name} is {type(listed).__name__}, expected {expected}"))
    ranked = list(listed)
    if ranked and all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in ranked):
        return [pair[0] for pair in ranked], [pair[1] for pair in ranked]
    return ranked, range(-1, -len(ranked) - 1, -1)


def _from_frame(given: Any, kind: str, name: str) -> Rows:
    names = [str(column) for column in given.columns]
    columns = columns_or_raise(names, kind, name)
    rows = given.itertuples(index=False, name=None) if hasattr(given, "itertuples") else given.iter_rows()
    return rows_by_columns([tuple(row) for row in rows], columns, kind, name)


def _from_records(records: list[Any], kind: str, name: str) -> Rows:
    if not records:
        raise InputError(Problem("input-empty", f"{name} has no records"))
    fields = getattr(records[0], "_fields", None)
    if fields:
        return rows_by_columns(records, columns_or_raise(list(fields), kind, name), kind, name)
    for i, record in enumerate(records):
        if not isinstance(record, Sequence) or isinstance(record, str | bytes) or len(record) != 3:
            what = f"{name}: record {i} is {shorten(repr(record))}, expected (topic, document, {VALUE[kind]})"
            raise InputError(Problem("input-object", what))
    return rows_by_columns(records, Columns(0, 1, 2, None), kind, name, place=lambda i: f"{name}[{i}]")


def columns_or_raise(names: Sequence[str], kind: str, name: str, at: str = "") -> Columns:
    """The columns of a header, or an error that names the missing ones."""
    columns, missing = find_columns(names, kind)
    if columns is None:
        there = ", ".join(map(shorten, names))
        what = f"{name} has no column for the {' and the '.join(missing)}; its columns are {there}"
        raise InputError(Problem("input-header", what, at))
    return columns


def rows_by_columns(records: Sequence[Sequence[Any]], columns: Columns, kind: str, name: str, **origin: Any) -> Rows:
    """Rows of records whose columns are known; `origin` may give place, format and sha256."""
    topics = text_ids([record[columns.topic] for record in records], "topic", name, origin.get("place"))
    index: dict[str, int] = {}
    numbered = (index.setdefault(topic_id, len(index)) for topic_id in topics)
    topic = np.fromiter(numbered, dtype=np.int32, count=len(topics))
    documents = [record[columns.document] for record in records]
    ranks = None if columns.rank is None else [record[columns.rank] for record in records]
    if columns.value is None:
        rows = build_rows(list(index), topic, documents, ranks or (), kind, name, ranks=ranks, **origin)
        return replace(rows, values=-rows.values, scored=False)
    values = [record[columns.value] for record in records]
    rows = build_rows(list(index), topic, documents, values, kind, name, ranks=ranks, **origin)
    if columns.subtopic is None:
        return rows
    named = text_ids([record[columns.subtopic] for record in records], "subtopic", name, origin.get("place"))
    return replace(rows, subtopics=Ids.from_texts(named))


def build_rows(
    topics: Sequence[str],
    topic: NDArray[np.int32],
    documents: Sequence[Any],
    values: Sequence[Any],
    kind: str,
    name: str,
    *,
    ranks: Sequence[Any] | None = None,
    place: Callable[[int], str] | None = None,
    format: str = "Python objects",
    sha256: str | None = None,
) -> Rows:
    """Rows of plain Python columns."""
    if not len(documents):
        raise InputError(Problem("input-empty", f"{name} has no documents"))
    texts = text_ids(documents, "document", name, place)

    def place_by_ids(i: int) -> str:
        return f"{name}, topic {shorten(topics[topic[i]])}, document {shorten(texts[i])}"

    where = place_by_ids if place is None else place
    return Rows(
        topics=tuple(topics),
        topic=topic,
        documents=Ids.from_texts(texts),
        values=numbers(values, kind, where),
        ranks=None if ranks is None else np.array([finite_number(rank) for rank in ranks]),
        place=where,
        path=name,
        format=format,
        sha256=sha256,
    )
