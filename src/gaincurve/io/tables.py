"""Tables with a header: CSV, TSV, columns separated by spaces; and JSON lines, whose rows name their columns."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gaincurve.errors import InputError, Problem, Problems
from gaincurve.io.content import Content
from gaincurve.model.columns import Columns, find, find_columns, split_columns
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
    _refuse_swapped(header, kind, f"{content.path}:{line}")
    columns = columns_or_raise([str(name) for name in header], kind, content.path, f"{content.path}:{line}")
    return _rows(_whole_rows(numbered, len(header), content.path), content, kind, columns, DELIMITERS[delimiter])


def _split(content: Content, delimiter: str) -> Iterator[Numbered]:
    """Line number and fields of each row that is neither blank nor a comment."""
    lines = io.StringIO(decode(content.bytes()), newline="\n")  # splitlines would also split at U+2028 and the like
    if delimiter == " ":
        numbered = ((i, split_columns(line)) for i, line in enumerate(lines, 1))
        yield from ((i, row) for i, row in numbered if row and not row[0].startswith("#"))
        return
    reader = csv.reader(_without_comments(lines), delimiter=delimiter, strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            place = f"{content.path}:{reader.line_num}"
            raise InputError(Problem("input-table", f"the row cannot be read: {error}", place)) from None
        if row and any(field.strip() for field in row):
            yield reader.line_num, [field.strip() for field in row]


def _without_comments(lines: Iterable[str]) -> Iterator[str]:
    """Comments become blank lines, so that line numbers stay true."""
    return ("\n" if line.lstrip(" \t").startswith("#") else line for line in lines)


def _whole_rows(numbered: Iterable[Numbered], width: int, path: str) -> list[Numbered]:
    """The rows, if all of them have as many fields as the header."""
    rows: list[Numbered] = []
    problems = Problems()
    for line, row in numbered:
        if len(row) == width:
            rows.append((line, row))
        else:
            what = f"{len(row)} fields where the header has {width}: {shorten(' | '.join(row))}"
            problems.add(Problem("input-table", what, f"{path}:{line}"))
    problems.stop_if_any()
    return rows


def _refuse_swapped(names: Sequence[str], kind: str, place: str) -> None:
    """A table with ranks and scores is a run; one with grades and neither score nor rank is judgments."""
    grades = [name for name in names if find("grade", [name]) is not None and find("score", [name]) is None]
    columns = f"the columns {', '.join(map(shorten, names))} are those of"
    if kind == "judgments" and find("rank", names) is not None and not grades:
        raise InputError(Problem("judgments-look-like-run", f"{columns} a run", place))
    if kind == "run" and find_columns(names, "run")[0] is None and grades:
        raise InputError(Problem("run-looks-like-judgments", f"{columns} judgments", place))


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


def read_json_lines(content: Content, kind: str) -> Rows:
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
    return read_records(records, content, kind, "JSON lines")


def read_records(
    records: list[tuple[int, Mapping[str, Any]]], content: Content, kind: str, title: str, separator: str = ":"
) -> Rows:
    """Records with named values; a record's number follows the path and the separator in messages."""
    if not records:
        raise InputError(Problem("input-empty", f"{content.path} has no records", content.path))
    names = list(records[0][1])
    first = f"{content.path}{separator}{records[0][0]}"
    _refuse_swapped(names, kind, first)
    columns = columns_or_raise(names, kind, content.path, first)
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
    """The record in a line of JSON, or what is wrong with it."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"not JSON ({error})"
    else:
        return value if isinstance(value, dict) else "not a record"
