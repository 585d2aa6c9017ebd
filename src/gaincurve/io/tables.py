"""Tables with a header: CSV, TSV, columns separated by spaces; and JSON lines, whose rows name their columns."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gaincurve.errors import InputError, Problem, Problems
from gaincurve.io.content import Content
from gaincurve.io.formats.opening import DELIMITERS
from gaincurve.model.chosen import columns_or_raise
from gaincurve.model.columns import Columns, Given, split_columns
from gaincurve.model.ids import decode
from gaincurve.model.objects import rows_by_columns
from gaincurve.model.rows import Rows
from gaincurve.model.source import counted, shorten

Numbered = tuple[int, list[Any]]


def read_delimited(content: Content, kind: str, delimiter: str, given: Given | None = None) -> Rows:
    """A table whose first line names its columns; `given` are those the user named."""
    numbered = split_rows(content, delimiter)
    line, header = next(numbered)
    columns = columns_or_raise([str(name) for name in header], kind, content.path, f"{content.path}:{line}", given)
    return _rows(_whole_rows(numbered, len(header), content), content, kind, columns, DELIMITERS[delimiter])


def split_rows(content: Content, delimiter: str) -> Iterator[Numbered]:
    """Line number and fields of each row that is neither blank nor a comment."""
    lines = io.StringIO(decode(content.bytes()), newline="\n")  # splitlines would also split at U+2028 and the like
    if delimiter == " ":
        numbered = ((i, split_columns(line)) for i, line in enumerate(lines, 1))
        yield from ((i, row) for i, row in numbered if row and not row[0].startswith("#"))
        return
    reader = CsvRecords(lines, delimiter)
    while True:
        try:
            row = reader.next_record()
        except csv.Error as error:
            place = f"{content.path}:{reader.line}"
            raise InputError(Problem("input-table", f"the row cannot be read: {error}", place)) from None
        if row is None:
            return
        if any(field.strip() for field in row):
            yield reader.line, [field.strip() for field in row]


class CsvRecords:
    """The records of a CSV text, comments left out: a comment stands where a record begins, not in a quoted field."""

    def __init__(self, lines: Iterable[str], delimiter: str = ","):
        self._between = True
        self._reader = csv.reader(self._without_comments(lines), delimiter=delimiter, strict=True)

    @property
    def line(self) -> int:
        """How many lines were read."""
        return self._reader.line_num

    def next_record(self) -> list[str] | None:
        """The fields of the next record, none for a blank line or a comment; None at the end."""
        self._between = True
        return next(self._reader, None)

    def _without_comments(self, lines: Iterable[str]) -> Iterator[str]:
        """Comments become blank lines, so that line numbers stay true."""
        for line in lines:
            comment = self._between and line.lstrip(" \t").startswith("#")
            self._between = False
            yield "\n" if comment else line


def _whole_rows(numbered: Iterable[Numbered], width: int, content: Content) -> list[Numbered]:
    """The rows, if all of them have as many fields as the header."""
    rows: list[Numbered] = []
    problems = Problems()
    listed = list(numbered)
    unended = content.buffer[content.stop - 1] != 10
    for line, row in listed:
        if len(row) == width:
            rows.append((line, row))
            continue
        what = f"{counted(len(row), 'field')} where the header has {width}: {shorten(' | '.join(row))}"
        if unended and len(row) < width and line == listed[-1][0]:
            what = f"{content.path} ends within a row: {what}"
            problems.add(Problem("input-cut", what, f"{content.path}:{line}"))
        else:
            problems.add(Problem("input-table", what, f"{content.path}:{line}"))
    problems.stop_if_any()
    return rows


def _rows(
    numbered: list[Numbered], content: Content, kind: str, columns: Columns, title: str, separator: str = ":"
) -> Rows:
    if not numbered:
        raise InputError(Problem("input-empty", f"{content.path} has a header and no rows", content.path))
    records = [row for _, row in numbered]
    return rows_by_columns(
        records,
        columns,
        kind,
        content.path,
        place=lambda i: f"{content.path}{separator}{numbered[i][0]}",
        format=title,
        sha256=content.sha256,
    )


def read_json_lines(content: Content, kind: str, given: Given | None = None) -> Rows:
    """One JSON record a line; the first record's keys decide which are used."""
    records: list[tuple[int, Mapping[str, Any]]] = []
    problems = Problems()
    for number, line in enumerate(decode(content.bytes()).split("\n"), 1):
        if not line.strip() or line.lstrip(" \t").startswith("#"):
            continue
        record = parse_record(line)
        if not isinstance(record, str):
            records.append((number, record))
        else:
            problems.add(Problem("input-json", f"{record}: {shorten(line)}", f"{content.path}:{number}"))
    problems.stop_if_any()
    return read_records(records, content, kind, "JSON lines", given=given)


def read_records(
    records: list[tuple[int, Mapping[str, Any]]],
    content: Content,
    kind: str,
    title: str,
    separator: str = ":",
    given: Given | None = None,
) -> Rows:
    """Records with named values; a record's number follows the path and the separator in messages."""
    if not records:
        raise InputError(Problem("input-empty", f"{content.path} has no records", content.path))
    names = list(records[0][1])
    first = f"{content.path}{separator}{records[0][0]}"
    columns = columns_or_raise(names, kind, content.path, first, given)
    used = (columns.topic, columns.document, columns.value, columns.rank)
    needed = [names[column] for column in used if column is not None]
    problems = [
        Problem("input-header", f"the record has no {key!r}", f"{content.path}{separator}{number}")
        for number, record in records
        for key in needed
        if key not in record
    ]
    if problems:
        raise InputError(problems)
    rows = [(number, [record.get(name) for name in names]) for number, record in records]
    return _rows(rows, content, kind, columns, title, separator)


def parse_record(text: str) -> dict[str, Any] | str:
    """The record in a line of JSON, or what is wrong with it: a repeated key has no one value."""
    try:
        value: object = json.loads(text, object_pairs_hook=without_repeats)
    except RepeatedKey as error:
        return str(error)
    except (ValueError, RecursionError) as error:
        return f"not JSON ({error})"
    else:
        return value if isinstance(value, dict) else "not a record"


class RepeatedKey(ValueError):
    """A JSON object names a key twice."""


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object in which every key stands once."""
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for i, key in enumerate(keys) if key in keys[:i])
        raise RepeatedKey(f"the key {shorten(repr(twice))} occurs twice")
    return record
