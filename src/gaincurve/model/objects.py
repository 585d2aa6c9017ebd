"""Judgments and runs that are already in memory: dicts, ranked lists, tuples, named records, data frames."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem
from gaincurve.model.chosen import VALUE_SLUG, Rival, columns_or_raise, refuse_exchanged_ranks, settled
from gaincurve.model.columns import VALUE, Columns, Doubt, Given, given_columns
from gaincurve.model.given import Records, plain
from gaincurve.model.groups import owners
from gaincurve.model.ids import Ids, decode, encode
from gaincurve.model.numbers import finite_number, number_hint
from gaincurve.model.rows import Floats, Rows
from gaincurve.model.source import Note, shorten


def rows_from_object(given: object, kind: str, name: str, columns: Given | None = None) -> Rows:
    """Rows of a Python object; `kind` is 'judgments' or 'run', `name` is used in messages.

    `columns` names the columns of a data frame or of records: {"topic": "qid"}.
    """
    chosen = given_columns(columns)
    given = plain(given, kind, name)
    if isinstance(given, Mapping):
        return _from_mapping(given, kind, name)
    if could_be_table(given):
        from gaincurve.model.arrow.rows import rows_of_table  # noqa: PLC0415 -- only for tables
        from gaincurve.model.arrow.table import table_of  # noqa: PLC0415

        table = table_of(given, name)
        if table is not None:
            return rows_of_table(table, kind, chosen)
    if hasattr(given, "columns") and (hasattr(given, "itertuples") or hasattr(given, "iter_rows")):
        return _from_frame(given, kind, name, chosen)
    if isinstance(given, Records):
        return _from_named(given, kind, name, chosen)
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        what = f"{name} cannot be read from {type(given).__name__} {shorten(repr(given))}"
        raise InputError(Problem("input-object", what, hint=f"to read a file use gaincurve.read_{kind}(path)"))
    return _from_records(list(given), kind, name, chosen)


def could_be_table(given: object) -> bool:
    """Whether it hands over record batches: a frame, a lazy frame, a reader, or a list of batches."""
    first = given[0] if isinstance(given, list | tuple) and given else given
    return any(hasattr(first, name) for name in ("__arrow_c_array__", "__arrow_c_stream__", "collect_batches"))


def text_ids(
    ids: Sequence[Any], role: str, name: str, place: Callable[[int], str] | None = None, column: str = ""
) -> list[str]:
    """Ids as text: strings stay as they are, whole numbers and bytes have one spelling, anything else is refused.

    `column` is the name of their column, in quotes, for messages.
    """
    if not set(map(type, ids)) - {str} and "" not in ids and "".join(ids).isascii():
        return list(ids)
    texts: list[str] = []
    broken: list[int] = []
    for i, given in enumerate(ids):
        try:
            if isinstance(given, bytes):
                text = decode(given)
            elif isinstance(given, bool | np.bool_):
                text = ""  # an index in Python, and no id
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
                f"{name}: {shorten(repr(ids[i]))} ({type(ids[i]).__name__}) cannot be a {role} id{_in(column)}",
                "" if place is None else place(i),
            ),
        )
    return texts


def _in(column: str) -> str:
    return f" (column {column})" if column else ""


def numbers(values: Sequence[Any], kind: str, place: Any, column: str = "") -> Floats:
    """Grades or scores as finite numbers; `place(i)` says where value i stood."""
    underscores = any("_" in value for value in values if type(value) is str)  # Python reads 1_0 as 10
    try:
        array = np.fromiter(() if underscores else values, dtype=np.float64, count=len(values))
    except (TypeError, ValueError, OverflowError):
        array = np.array([finite_number(value) for value in values], dtype=np.float64)
    broken = np.flatnonzero(~np.isfinite(array)).tolist()
    if broken:
        raise InputError.each(
            broken,
            lambda i: Problem(
                VALUE_SLUG[kind],
                f"{VALUE[kind]} {shorten(repr(values[i]))} is not a finite number{_in(column)}",
                place(i),
                number_hint(values[i], VALUE[kind]),
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
        scored = scored and not (topic_documents and isinstance(topic_values, range))
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
    if isinstance(listed, set | frozenset):
        raise InputError(
            Problem("input-object", f"{name} is a {type(listed).__name__} of documents, which has no order")
        )
    return ranked, range(-1, -len(ranked) - 1, -1)


def _from_frame(given: Any, kind: str, name: str, chosen: Given) -> Rows:
    names = [str(column) for column in given.columns]
    columns = columns_or_raise(names, kind, name, given=chosen)
    rows = given.itertuples(index=False, name=None) if hasattr(given, "itertuples") else given.iter_rows()
    return rows_by_columns([tuple(row) for row in rows], columns, kind, name, place=_row_of(name))


def _from_named(given: Records, kind: str, name: str, chosen: Given) -> Rows:
    if not given.rows:
        raise InputError(Problem("input-empty", f"{name} has no records"))
    columns = columns_or_raise(given.names, kind, name, given=chosen)
    return rows_by_columns(given.rows, columns, kind, name, place=_row_of(name))


def _row_of(name: str) -> Callable[[int], str]:
    return lambda i: f"{name}, row {i} (from 0)"


def _from_records(records: list[Any], kind: str, name: str, chosen: Given) -> Rows:
    if not records:
        raise InputError(Problem("input-empty", f"{name} has no records"))
    fields = getattr(records[0], "_fields", None)
    if fields:
        columns = columns_or_raise(list(fields), kind, name, given=chosen)
        for i, record in enumerate(records):
            if getattr(record, "_fields", None) != fields:
                what = (
                    f"{name}: record {i} is {shorten(repr(record))}, but the first has the fields {', '.join(fields)}"
                )
                raise InputError(Problem("input-object", what))
        return rows_by_columns(records, columns, kind, name, place=_row_of(name))
    for i, record in enumerate(records):
        if not isinstance(record, Sequence) or isinstance(record, str | bytes) or len(record) != 3:
            what = f"{name}: record {i} is {shorten(repr(record))}, expected (topic, document, {VALUE[kind]})"
            raise InputError(Problem("input-object", what))
    return rows_by_columns(records, Columns(0, 1, 2, None), kind, name, place=lambda i: f"{name}[{i}]")


def rows_by_columns(records: Sequence[Sequence[Any]], columns: Columns, kind: str, name: str, **origin: Any) -> Rows:
    """Rows of records whose columns are known; `origin` may give place, format and sha256."""
    owners_of = _owners(records, columns, kind, name, origin.get("place"))
    doubts = [doubt for doubt in columns.doubts if doubt.role not in ("run", "judge") or owners_of]
    notes = [
        note
        for doubt in doubts
        for note in settled(doubt, columns, name, [*_rivals(records, doubt, origin.get("place"))])
    ]
    column = columns.named(columns.topic)
    topics = text_ids([record[columns.topic] for record in records], "topic", name, origin.get("place"), column)
    index: dict[str, int] = {}
    numbered = (index.setdefault(topic_id, len(index)) for topic_id in topics)
    topic = np.fromiter(numbered, dtype=np.int32, count=len(topics))
    documents = [record[columns.document] for record in records]
    ranks = None if columns.rank is None else [record[columns.rank] for record in records]
    origin |= {"notes": tuple(notes), "ranks": ranks}
    origin |= {"columns": (columns.named(columns.document), columns.named(columns.value))}
    if columns.value is None:
        rows = build_rows(list(index), topic, documents, ranks or (), kind, name, **origin)
        return replace(rows, values=-rows.values, scored=False, **owners_of)
    values = [record[columns.value] for record in records]
    rows = build_rows(list(index), topic, documents, values, kind, name, **origin)
    refuse_exchanged_ranks(rows, columns)
    beside = _sampling(records, columns, kind, name, origin.get("place")) | owners_of
    rows = replace(rows, ranked=columns.rank is not None, **beside)
    if columns.subtopic is None:
        return rows
    column = columns.named(columns.subtopic)
    named = text_ids([record[columns.subtopic] for record in records], "subtopic", name, origin.get("place"), column)
    return replace(rows, subtopics=Ids.from_texts(named))


def _owners(
    records: Sequence[Sequence[Any]], columns: Columns, kind: str, name: str, place: Callable[[int], str] | None
) -> dict[str, Any]:
    """The run or the judge of each row, where there are several."""
    role, column = ("judge", columns.judge) if kind == "judgments" else ("run", columns.run_of_text)
    given = [] if column is None else [record[column] for record in records]
    if len(set(map(str, given))) < 2:
        return {}
    return {f"{role}s": Ids.from_texts(text_ids(given, role, name, place, columns.named(column)))}


def _sampling(
    records: Sequence[Sequence[Any]], columns: Columns, kind: str, name: str, place: Callable[[int], str] | None
) -> dict[str, Any]:
    """Strata and probabilities of sampled judgments."""
    known: dict[str, Any] = {}
    if kind == "judgments" and columns.stratum is not None:
        named = text_ids(
            [record[columns.stratum] for record in records], "stratum", name, place, columns.named(columns.stratum)
        )
        known["stratum"] = Ids.from_texts(named)
    if kind == "judgments" and columns.p is not None:
        known["p"] = _probabilities([record[columns.p] for record in records], name, place, columns.named(columns.p))
    return known


def _probabilities(values: Sequence[Any], name: str, place: Callable[[int], str] | None, column: str) -> Floats:
    """Numbers, nan where there is none: a document that was not drawn may have no probability."""
    p = np.array([finite_number(value) for value in values], dtype=np.float64)
    none = ("", "none", "null", "nan", "na", "<na>")
    broken = [i for i in np.flatnonzero(np.isnan(p)).tolist() if str(values[i]).strip().lower() not in none]
    if broken:
        raise InputError.each(
            broken,
            lambda i: Problem(
                "judgments-strata",
                f"p {shorten(repr(values[i]))} is not a number{_in(column)}",
                (_row_of(name) if place is None else place)(i),
            ),
        )
    return p


def _rivals(records: Sequence[Sequence[Any]], doubt: Doubt, place: Callable[[int], str] | None) -> Iterator[Rival]:
    """The columns that could have been taken and differ somewhere."""
    same = _same_number if doubt.role in ("grade", "score", "rank") else _same_text
    for other in doubt.others:
        for row in _first_difference(records, doubt.taken, other, same):
            values = " and ".join(shorten(repr(records[row][column])) for column in (doubt.taken, other))
            yield Rival(other, "" if place is None else place(row), values)


def _first_difference(
    records: Sequence[Sequence[Any]], taken: int, other: int, same: Callable[[Any, Any], bool]
) -> list[int]:
    """The first row in which two columns differ, if there is one."""
    return next(([i] for i, record in enumerate(records) if not same(record[taken], record[other])), [])


def _same_text(left: Any, right: Any) -> bool:
    return str(left) == str(right)


def _same_number(left: Any, right: Any) -> bool:
    return str(left) == str(right) or finite_number(left) == finite_number(right)


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
    notes: tuple[Note, ...] = (),
    columns: tuple[str, str] = ("", ""),
) -> Rows:
    """Rows of plain Python columns; `columns` are the names of the documents' and values' for messages."""
    if not len(documents):
        raise InputError(Problem("input-empty", f"{name} has no documents"))
    texts = text_ids(documents, "document", name, place, columns[0])

    def place_by_ids(i: int) -> str:
        return f"{name}, topic {shorten(topics[topic[i]])}, document {shorten(texts[i])}"

    where = place_by_ids if place is None else place
    return Rows(
        topics=tuple(topics),
        topic=topic,
        documents=Ids.from_texts(texts),
        values=numbers(values, kind, where, columns[1]),
        ranks=None if ranks is None else np.array([finite_number(rank) for rank in ranks]),
        place=where,
        path=name,
        format=format,
        sha256=sha256,
        notes=notes,
    )
