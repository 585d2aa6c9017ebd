"""The shape of a JSON document, written like the document itself, and how well a document fits it.

A shape is a dict of keys (those that end in '?' may be missing), `{"*": shape}` for any keys, a list of one shape, or
one of the words text, number, value. Formats are recognised by it, and the nearest is named where none fits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gaincurve.errors import InputError, Problem, near_key
from gaincurve.model.source import shorten


class Pairs(list[tuple[str, Any]]):
    """A JSON object as written: a repeated key stays, so that a repeated document is noticed."""

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{key!r}: {value!r}' for key, value in self)}}}"


Shape = Mapping[str, Any] | Sequence[Any] | str


@dataclass(frozen=True)
class Fit:
    """How many of a shape's required keys a document has, and where the first is missing."""

    there: int
    wanted: int
    missing: str = ""

    @property
    def share(self) -> float:
        """1 where nothing is missing."""
        return self.there / self.wanted if self.wanted else 1.0

    @property
    def is_whole(self) -> bool:
        """Whether there is something to have, and all of it is there."""
        return self.wanted > 0 and self.there == self.wanted

    def __add__(self, other: Fit) -> Fit:
        return Fit(self.there + other.there, self.wanted + other.wanted, self.missing or other.missing)


def fit(value: object, shape: Shape, path: str = "") -> Fit:
    """How well a document fits; of lists and of maps with any keys the first entry is looked at."""
    if isinstance(shape, str):
        return _fit_leaf(value, shape, path)
    if isinstance(shape, Sequence):
        if not isinstance(value, list) or isinstance(value, Pairs):
            return Fit(0, 1, f"{path or 'the file'} is {kind_of(value)}, not a list")
        return fit(value[0], shape[0], f"{path}[0]") if value else Fit(0, 0)
    if not isinstance(value, Pairs):
        return Fit(0, max(1, len(_required(shape))), f"{path or 'the file'} is {kind_of(value)}, not an object")
    if "*" in shape:
        known = {key: inner for key, inner in shape.items() if key != "*"}
        meant = {near_key(key, [name for name, _ in value[:MANY]]) for key in known}
        other = next((pair for pair in value if pair[0] not in known and pair[0] not in meant), None)
        below = Fit(0, 0) if other is None else fit(other[1], shape["*"], _joined(path, other[0]))
        return (fit(value, known, path) if known else below) + (below if known else Fit(0, 0))
    keys, whole = dict(value), Fit(0, 0)
    for key, inner in shape.items():
        name = key.removesuffix("?")
        if name in keys:
            whole += Fit(1, 1) + fit(keys[name], inner, _joined(path, name))
        elif key == name:
            whole += _fit_missing(name, inner, keys, path)
    return whole


def _fit_missing(name: str, inner: Shape, keys: dict[str, Any], path: str) -> Fit:
    """A key that is missing; what is below the one that was probably meant counts."""
    missing = Fit(0, 1, missing_key(name, list(keys), path))
    meant = near_key(name, list(keys)[:MANY])
    return missing + (Fit(0, _size(inner)) if meant is None else fit(keys[meant], inner, _joined(path, meant)))


def _fit_leaf(value: object, word: str, path: str) -> Fit:
    if isinstance(value, list) and word != "value":
        return Fit(0, 1, f"{path} is {kind_of(value)}, not a {word}")
    return Fit(0, 0)


def _size(shape: Shape) -> int:
    """How many required keys a shape has, at all depths."""
    if isinstance(shape, str):
        return 0
    inner = [shape[0]] if isinstance(shape, Sequence) else [shape[key] for key in _required(shape)]
    return (0 if isinstance(shape, Sequence) else len(inner)) + sum(map(_size, inner))


def _required(shape: Mapping[str, Any]) -> list[str]:
    return [key for key in shape if key != "*" and not key.endswith("?")]


def missing_key(name: str, keys: Sequence[str], path: str = "") -> str:
    """there is no 'doc_id' in query_doc_pairs[0], but 'docid': what is missing, and the key that may be meant."""
    meant, where = near_key(name, keys[:MANY]), f" in {path}" if path else ""
    if meant is not None:
        return f"there is no {name!r}{where}, but {shorten(repr(meant))}"
    listed = f"; its keys are {shorten(', '.join(keys), 100)}" if keys else ""
    return f"there is no {name!r}{where}{listed}"


MANY = 100
"""A record has fewer keys; a map of topics may have many more."""


def _joined(path: str, key: str) -> str:
    return f"{path}.{shorten(key)}" if path else shorten(key)


def first_repeat(keys: Sequence[str]) -> str | None:
    """The first key that occurs a second time."""
    seen: set[str] = set()
    return next((key for key in keys if key in seen or seen.add(key)), None)  # type: ignore[func-returns-value]


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    names = {
        Pairs: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), "null")


class Node:
    """A value of a JSON document that knows where it stands: what is missing is reported with its place."""

    __slots__ = ("_above", "_key", "value")

    def __init__(self, value: Any, key: str, above: Node | None = None):
        self.value, self._key, self._above = value, key, above

    def place(self) -> str:
        """file.json, query_doc_pairs[3].doc_id"""
        path, node = self._key, self._above
        while node is not None and node._above is not None:
            path = f"{node._key}{'' if path.startswith('[') else '.'}{path}"
            node = node._above
        return path if node is None else f"{node._key}, {path}"

    def __bool__(self) -> bool:
        return True

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, Pairs) and any(name == key for name, _ in self.value)

    def get(self, key: str) -> Node | None:
        """The value of a key; None where it is missing or null."""
        there = self._inside(key)
        return None if not there or there[0] is None else Node(there[0], shorten(key), self)

    def __getitem__(self, key: str) -> Node:
        there = self._inside(key)
        if not there:
            keys = [name for name, _ in self.value] if isinstance(self.value, Pairs) else []
            raise self.problem(missing_key(key, keys))
        return Node(there[0], shorten(key), self)

    def _inside(self, key: str) -> list[Any]:
        if not isinstance(self.value, Pairs):
            raise self.problem(f"{kind_of(self.value)} was given where an object with {key!r} is expected")
        there = [value for name, value in self.value if name == key]
        if len(there) > 1:
            raise self.problem(f"the key {key!r} occurs twice")
        return there

    def items(self) -> Iterator[Node]:
        """The entries of a list."""
        if not isinstance(self.value, list) or isinstance(self.value, Pairs):
            raise self.problem(f"{kind_of(self.value)} was given where a list is expected")
        return (Node(value, f"[{i}]", self) for i, value in enumerate(self.value))

    def entries(self) -> Iterator[tuple[str, Node]]:
        """The keys of an object with their values; a repeated key comes again."""
        if not isinstance(self.value, Pairs):
            raise self.problem(f"{kind_of(self.value)} was given where an object is expected")
        return ((key, Node(value, shorten(key), self)) for key, value in self.value)

    def once(self) -> Iterator[tuple[str, Node]]:
        """The keys of an object with their values; a repeated key is refused, for two lists are no list."""
        entries = list(self.entries())
        repeat = first_repeat([key for key, _ in entries])
        if repeat is not None:
            raise self.problem(f"the key {shorten(repr(repeat))} occurs twice")
        return iter(entries)

    def given(self) -> Any:
        """A value that is not null."""
        if self.value is None:
            raise self.problem(f"{self._key} is null")
        return self.value

    def text(self) -> str:
        """A text that is not empty."""
        if not isinstance(self.value, str) or not self.value:
            raise self.problem(
                f"{'an empty text' if self.value == '' else kind_of(self.value)} was given where a text is expected"
            )
        return self.value

    def problem(self, what: str) -> InputError:
        """The error for something that is wrong here."""
        return InputError(Problem("input-json", what, self.place()))


def parse(text: str) -> Any:
    """A JSON value whose objects are `Pairs`; ValueError or RecursionError where it is none."""
    return json.loads(text, object_pairs_hook=Pairs)
