"""A first look at a file: what its first line, its JSON value or its header is, parsed once for all who ask."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from gaincurve._scan_py import next_newline, pieces, scan
from gaincurve.errors import InputError, Problem, Problems
from gaincurve.io.content import Content
from gaincurve.io.formats.beginning import Beginning
from gaincurve.io.formats.shape import Node, Pairs, parse
from gaincurve.model.columns import Given, find, split_columns
from gaincurve.model.ids import decode
from gaincurve.model.memory import OBJECTS, refuse_size
from gaincurve.model.source import shorten

DELIMITERS = {",": "CSV", "\t": "TSV", ";": "CSV with semicolons", " ": "columns with a header"}
"""What separates the columns of a table whose first line names them."""

ROLES = ("topic", "document", "grade", "score", "rank")


class Opening:
    """What a content begins with; `given` are columns that the user named."""

    def __init__(self, content: Content, given: Given | None = None):
        self.content, self.given = content, given
        self.offset, self.line = first_line(content)

    @property
    def is_json(self) -> bool:
        """Whether it is one JSON value, or one a line."""
        return self.line[:1] in ("{", "[")

    @property
    def place(self) -> str:
        """path:line of the first line."""
        return self.content.place(self.offset)

    @cached_property
    def value(self) -> Any:
        """The JSON document; of JSON lines the list of records."""
        if self.is_lines:
            return [node.value for node in self._lines]
        return _parsed(self.content)

    @cached_property
    def beginning(self) -> Beginning:
        """The first two lines."""
        end = next_newline(self.content.buffer, self.offset, self.content.stop)
        return Beginning(self.line, next_filled(self.content, end))

    @cached_property
    def is_lines(self) -> bool:
        """Whether each line is a JSON record of its own."""
        return self.is_json and self.beginning.is_lines(self._is_record)

    def _is_record(self, record: Mapping[str, Any]) -> bool:
        plain = [key for key, value in record.items() if not isinstance(value, list | dict)]
        roles = ("topic",) if len(plain) == len(record) else ("topic", "document")
        return all(plays(role, plain, self.given) for role in roles)

    @cached_property
    def _lines(self) -> list[Node]:
        refuse_size(self.content.path, self.content.stop, OBJECTS)
        nodes: list[Node] = []
        problems = Problems()
        for number, line in enumerate(decode(self.content.bytes()).split("\n"), 1):
            if not line.strip() or line.lstrip(" \t").startswith("#"):
                continue
            place = f"{self.content.path}:{number}"
            try:
                record = parse(line)
            except (ValueError, RecursionError) as error:
                problems.add(Problem("input-json", f"not JSON ({error}): {shorten(line)}", place))
                continue
            if not isinstance(record, Pairs):
                problems.add(Problem("input-json", f"not a record: {shorten(line)}", place))
                continue
            nodes.append(Node(record, place))
        problems.stop_if_any()
        return nodes

    def root(self) -> Node:
        """The whole document."""
        return Node(self.value, self.content.path)

    def records(self) -> Iterator[Node]:
        """The records of JSON lines or of a list; a document that is one object is one record."""
        if self.is_lines:
            return iter(self._lines)
        root = self.root()
        return root.items() if isinstance(self.value, list) and not isinstance(self.value, Pairs) else iter([root])

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of the document, or of all its records."""
        records = (node.value for node in self.records())
        return frozenset(key for record in records if isinstance(record, Pairs) for key, _ in record)

    @property
    def first_record(self) -> Any:
        """The first of the records, by which a format of records is recognised; None where there is none."""
        return next((node.value for node in self.records()), None)

    @cached_property
    def delimiter(self) -> str | None:
        """The delimiter of a header whose names we know, or None if the line is no header."""
        for delimiter in DELIMITERS:
            names = fields(self.line, delimiter)
            roles = [role for role in ROLES if plays(role, names, self.given)]
            known = ("topic" in roles and "document" in roles) or len(roles) > 2
            if len(names) > 1 and known and not any(is_number(name) for name in names):
                return delimiter
        return None


def _parsed(content: Content) -> object:
    refuse_size(content.path, content.stop, OBJECTS)
    try:
        return parse(decode(content.bytes()))
    except json.JSONDecodeError as error:
        raise InputError(Problem("input-json", f"not JSON: {error.msg}", f"{content.path}:{error.lineno}")) from None
    except (ValueError, RecursionError) as error:
        raise InputError(Problem("input-json", f"not JSON we can use: {error}", content.path)) from None


def first_line(content: Content) -> tuple[int, str]:
    """Place and text of the first line that is neither blank nor a comment."""
    for start, stop in pieces(content.buffer, content.start, content.stop, size=1 << 16):
        lines = scan(content.buffer, start, stop)
        if len(lines.first):
            offset = int(lines.starts[lines.first[0]])
            return offset, content.line_at(offset).rstrip(" \t\r\n\x0b\x0c")
    raise InputError(Problem("input-empty", f"{content.path} has only blank lines and comments", content.path))


def next_filled(content: Content, start: int) -> str:
    """The text of the next line that is neither blank nor a comment; '' where there is none."""
    for begin, stop in pieces(content.buffer, start, content.stop, size=1 << 16):
        lines = scan(content.buffer, begin, stop)
        if len(lines.first):
            return content.line_at(int(lines.starts[lines.first[0]]))
    return ""


def fields(line: str, delimiter: str) -> list[str]:
    """The fields of a header."""
    return split_columns(line) if delimiter == " " else [field.strip().strip('"') for field in line.split(delimiter)]


def plays(role: str, names: list[str], given: Given | None) -> bool:
    """Whether a column can play the role, by a usual name or by the one the user gave."""
    return find(role, names) is not None or find(role, names, given) is not None


def is_number(text: str) -> bool:
    """Whether Python reads the text as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
