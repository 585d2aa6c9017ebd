"""Tables with a header: CSV, TSV, columns separated by spaces; and JSON lines, whose rows name their columns."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gaincurve.errors import MOST_PROBLEMS, InputError, Problem
from gaincurve.io.content import Content
from gaincurve.model.ids import decode
from gaincurve.model.objects import columns_or_raise, rows_by_columns
from gaincurve.model.rows import Rows
from gaincurve.model.source import shorten

Numbered = tuple[int, list[Any]]
DELIMITERS = {",": "CSV", "\t": "TSV", ";": "CSV with semicolons", " ": "columns with a header"}


def read_delimited(content: Content, kind: str, delimiter: str) -> Rows:
    """A table whose first line names its columns."""
    numbered = _split(content, delimiter)
    line, header = next(numbered)
    columns = columns_or_raise([str(name) for name in header], kind, content.path, f"{content.path}:{line}")
    kept, problems, more = _whole_rows(numbered, len(header), content.path)
    if problems:
        raise InputError(problems, more)
    return _rows(kept, content, kind, columns, DELIMITERS[delimiter])


def _split(content: Content, delimiter: str) -> Iterator[Numbered]:
    """Line number and fields of each row that is neither blank nor a comment."""
    lines = decode(content.bytes()).splitlines(keepends=True)
    if delimiter == " ":
        yield from ((i, line.split()) for i, line in enumerate(lines, 1) if line.strip() and not line.startswith("#"))
        return
    reader = csv.reader(_without_comments(lines), delimiter=delimiter, strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            at = f"{content.path}:{reader.line_num}"
            raise InputError(Problem("input-table", f"the row cannot be read: {error}", at)) from None
        if row and any(field.strip() for field in row):
            yield reader.line_num, [field.strip() for field in row]


def _without_comments(lines: Iterable[str]) -> Iterator[str]:
    """Comments become blank lines, so that line numbers stay true."""
    return ("\n" if line.startswith("#") else line for line in lines)


def _whole_rows(numbered: Iterable[Numbered], width: int, path: str) -> tuple[list[Numbered], list[Problem], int]:
    kept: list[Numbered] = []
    problems: list[Problem] = []
    more = 0
    for line, row in numbered:
        if len(row) == width:
            kept.append((line, row))
        elif len(problems) < MOST_PROBLEMS:
            what = f"{len(row)} fields where the header has {width}: {shorten(' | '.join(row))}"
            problems.append(Problem("input-table", what, f"{path}:{line}"))
        else:
            more += 1
    return kept, problems, more


def _rows(kept: list[Numbered], content: Content, kind: str, columns: Any, title: str) -> Rows:
    if not kept:
        raise InputError(Problem("input-empty", f"{content.path} has a header and no rows", content.path))
    records = [row for _, row in kept]
    return rows_by_columns(
        records,
        columns,
        kind,
        content.path,
        place=lambda i: f"{content.path}:{kept[i][0]}",
        format=title,
        sha256=content.sha256,
    )


def read_json_lines(content: Content, kind: str) -> Rows:
    """One JSON record a line; the first record's keys decide which are used."""
    records: list[tuple[int, Mapping[str, Any]]] = []
    problems: list[Problem] = []
    for number, line in enumerate(decode(content.bytes()).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        record = parse_json(line)
        if isinstance(record, Mapping):
            records.append((number, record))
        elif len(problems) < MOST_PROBLEMS:
            found = record if isinstance(record, str) else "not a record"
            problems.append(Problem("input-json", f"{found}: {shorten(line)}", f"{content.path}:{number}"))
    if problems:
        raise InputError(problems)
    return read_records(records, content, kind, "JSON lines")


def read_records(records: list[tuple[int, Mapping[str, Any]]], content: Content, kind: str, title: str) -> Rows:
    """Records with named values."""
    if not records:
        raise InputError(Problem("input-empty", f"{content.path} has no records", content.path))
    names = list(records[0][1])
    columns = columns_or_raise(names, kind, content.path, f"{content.path}:{records[0][0]}")
    needed = [names[at] for at in (columns.topic, columns.document, columns.value, columns.rank) if at is not None]
    problems = [
        Problem("input-header", f"the record has no {key!r}", f"{content.path}:{number}")
        for number, record in records
        for key in needed
        if key not in record
    ]
    if problems:
        raise InputError(problems)
    return _rows([(n, [record.get(name) for name in names]) for n, record in records], content, kind, columns, title)


def parse_json(text: str) -> object:
    """What JSON text holds; a string that begins with 'not JSON' if it does not parse."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"not JSON ({error})"
    else:
        return value
