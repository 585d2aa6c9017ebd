"""Columns of Arrow as ids and numbers: whole columns at a time, no Python object per row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve._compiled import scan as compiled
from gaincurve.errors import InputError, Problem
from gaincurve.model.arrow.capsules import INTEGERS, Column, Field
from gaincurve.model.chosen import VALUE_SLUG
from gaincurve.model.groups import spans
from gaincurve.model.ids import PADDING, Bytes, Ids, Ints
from gaincurve.model.lookup import numbered
from gaincurve.model.numbers import finite_number, number_hint
from gaincurve.model.rows import Floats
from gaincurve.model.source import shorten

FLOATS: dict[str, type[np.floating]] = {"e": np.float16, "f": np.float32, "g": np.float64}
_OFFSETS: dict[str, type[np.integer]] = {"u": np.int32, "z": np.int32, "U": np.int64, "Z": np.int64}
_VIEWS = ("vu", "vz")
_TEXTS = (*_OFFSETS, *_VIEWS)
_SMALL_DICTIONARY = 4  # times as many entries as rows: then it is converted once, and else the rows' entries only
_FEW = 8  # rows for each change of an id: below, the ids are sorted instead of followed
_INLINE = 12  # a view holds texts up to this length itself


class IdColumn:
    """A column of ids: texts, bytes, whole numbers, or a dictionary of these."""

    def __init__(self, field: Field, role: str, place: int, name: str, at: str = ""):
        self.field, self.role, self.place = field, role, place
        self._dictionary: tuple[Column, Ids] | None = None
        if not _holds_ids(field):
            what = f"{name}: column {field.name!r} is of type {field.kind}, which cannot hold {role} ids"
            raise InputError(Problem("input-id", what, at, _advice(field)))

    def ids(self, column: Column) -> Ids:
        """The ids of all rows; those without a value are empty."""
        ids = _plain(column) if column.dictionary is None else self._coded(column, column.dictionary)
        valid = column.valid()
        return ids if valid is None else Ids(ids.buffer, ids.starts, np.where(valid, ids.lengths, 0).astype(np.int32))

    def _coded(self, column: Column, dictionary: Column) -> Ids:
        code, entries = codes(column), self.entries(dictionary)
        if not dictionary.length:
            return Ids(np.zeros(PADDING, dtype=np.uint8), code, np.zeros(len(code), dtype=np.int32))
        taken = entries.take(code)
        return taken if dictionary.length <= _SMALL_DICTIONARY * len(code) else compacted(taken)

    def complete(self, column: Column) -> bool:
        """Whether all rows have ids from a small dictionary, as its entries show: the rows need not be looked at."""
        dictionary = column.dictionary
        small = dictionary is not None and 0 < dictionary.length <= _SMALL_DICTIONARY * column.length
        return small and column.valid() is None and bool(self.entries(dictionary).lengths.all())  # type: ignore[arg-type]

    def numbered(self, column: Column, known: dict[bytes, int], ids: Ids | None = None) -> NDArray[np.int32]:
        """The number of each row's id among those known; new ones are added in the order in which they appear.

        `ids` are those of the column, unless it is `complete`. Each different id, or each change of the id, costs a
        look-up, not each row.
        """
        if ids is not None or column.dictionary is None:
            return number_ids(self.ids(column) if ids is None else ids, known)
        code, names = codes(column), self.entries(column.dictionary)
        some = code[np.concatenate([[True], code[1:] != code[:-1]])]
        seen, first = np.unique(some, return_index=True)
        number = np.zeros(len(names), dtype=np.int32)
        for entry in seen[np.argsort(first)].tolist():
            number[entry] = known.setdefault(names.bytes_at(entry), len(known))
        return number[code]

    def problem(self, row: Column, at: str, kind: str) -> Problem:  # noqa: ARG002 -- as for numbers
        """What is wrong with a row that has no id."""
        what = f"{shown(row, self.field)} cannot be a {self.role} id (column {shorten(repr(self.field.name))})"
        return Problem("input-id", what, at)

    def first_difference(self, left: Column, right: Column, other: Field) -> int | None:
        """The first row in which another column holds another text."""
        if not left.length:
            return None
        if not _holds_ids(other):
            return 0
        differ = ~self.ids(left).same(IdColumn(other, self.role, self.place, "").ids(right))
        return int(np.argmax(differ)) if differ.any() else None

    def entries(self, dictionary: Column) -> Ids:
        """The dictionary's ids, converted once while batches share its buffers."""
        if self._dictionary is None or not _same(self._dictionary[0], dictionary):
            entries = _plain(dictionary)
            valid = dictionary.valid()
            if valid is not None:
                entries = Ids(entries.buffer, entries.starts, np.where(valid, entries.lengths, 0).astype(np.int32))
            self._dictionary = (dictionary, entries)
        return self._dictionary[1]


def number_ids(ids: Ids, known: dict[bytes, int]) -> NDArray[np.int32]:
    """The number of each id among those known; new ones are added. Only where the id changes is anything looked up."""
    if not len(ids):
        return np.zeros(0, dtype=np.int32)
    changed = np.concatenate([[True], ~ids.take(slice(1, None)).same(ids.take(slice(0, -1)))])
    scattered = changed.sum() * _FEW > len(ids) > _FEW
    names, place = numbered(ids) if scattered else (ids.take(changed), np.cumsum(changed) - 1)
    looked_up = [known.setdefault(names.bytes_at(i), len(known)) for i in range(len(names))]
    number: NDArray[np.int32] = np.array(looked_up, dtype=np.int32)[place]
    return number


def _holds_ids(field: Field) -> bool:
    kind = field.dictionary or field.type
    return kind in (*_TEXTS, *INTEGERS, "n") or kind.startswith("w:")


def _advice(field: Field) -> str:
    if field.kind == "float":
        return "1.0 is not the id 1: write the column as text or as whole numbers where the table is made"
    return "ids are text, bytes or whole numbers: convert the column where the table is made"


def _same(left: Column, right: Column) -> bool:
    """Whether two columns are the same memory; both are alive, so that no address was given to another."""
    names = ("type", "length", "offset", "buffers")
    return all(getattr(left, name) == getattr(right, name) for name in names)


def codes(column: Column) -> Ints:
    """The place of each row's value in the dictionary; 0 where it has none."""
    view = column.view(1, INTEGERS[column.type], column.offset + column.length)[column.offset :]
    code = view.astype(np.int64)
    valid = column.valid()
    if valid is not None:
        code[~valid] = 0
    entries = 0 if column.dictionary is None else column.dictionary.length
    if len(code) and entries and (code.min() < 0 or code.max() >= entries):
        raise InputError(Problem("input-arrow", f"a dictionary of {entries} entries has no entry {int(code.max())}"))
    return code if entries else np.zeros_like(code)


def _plain(column: Column) -> Ids:
    """The ids of a column without a dictionary, in a buffer of their own."""
    start, rows = column.offset, column.length
    if column.type in INTEGERS:
        return digits(column.view(1, INTEGERS[column.type], start + rows)[start:])
    if column.type in _VIEWS:
        return _viewed(column)
    if column.type.startswith("w:"):
        width = int(column.type[2:])
        data = column.view(1, np.uint8, (start + rows) * width)[start * width :]
        return Ids(_padded(data), np.arange(rows, dtype=np.int64) * width, np.full(rows, width, dtype=np.int32))
    if column.type == "n" or not rows:
        return Ids(_padded(np.zeros(0, dtype=np.uint8)), np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.int32))
    offsets = column.view(1, _OFFSETS[column.type], start + rows + 1)[start:]
    lengths = offsets[1:] - offsets[:-1]
    if offsets[0] < 0 or lengths.min() < 0:
        raise InputError(Problem("input-arrow", "the offsets of a text column go backwards"))
    data = column.view(2, np.uint8, int(offsets[-1]))[int(offsets[0]) :]
    starts = offsets[:-1].astype(np.int64)
    starts -= int(offsets[0])
    return Ids(_padded(data), starts, lengths.astype(np.int32, copy=False))


def _padded(data: Bytes) -> Bytes:
    """A copy of the bytes with the spare ones that `Ids` needs."""
    buffer = np.empty(len(data) + PADDING, dtype=np.uint8)
    buffer[: len(data)] = data
    buffer[len(data) :] = 0
    return buffer


def _viewed(column: Column) -> Ids:
    """Texts whose views hold up to twelve bytes, or say in which of several buffers the bytes are."""
    start, rows = column.offset, column.length
    views = _padded(column.view(1, np.uint8, (start + rows) * 16)[start * 16 :])
    words = views[: rows * 16].view(np.int32).reshape(-1, 4)
    lengths, valid = words[:, 0].copy(), column.valid()
    if valid is not None:
        lengths[~valid] = 0
    if (lengths < 0).any():
        raise InputError(Problem("input-arrow", "a view of a text column has a negative length"))
    inline = np.arange(rows, dtype=np.int64) * 16 + 4
    far = np.flatnonzero(lengths > _INLINE)
    if not len(far):
        return Ids(views, inline, lengths)
    sizes = column.view(len(column.buffers) - 1, np.int64, len(column.buffers) - 3)
    ends = words[far, 3].astype(np.int64) + lengths[far]
    which = words[far, 2]
    if which.min() < 0 or which.max() >= len(sizes) or words[far, 3].min() < 0 or (ends > sizes[which]).any():
        raise InputError(Problem("input-arrow", "a view of a text column points outside its buffers"))
    size = lengths[far].astype(np.int64)
    place = np.cumsum(size) - size
    tail = np.empty(int(size.sum()), dtype=np.uint8)
    if compiled is not None:
        addresses = np.array(column.buffers[2:-1], dtype=np.uint64)
        compiled.gather(addresses[which] + words[far, 3].astype(np.uint64), size, tail)
    else:
        for number in range(len(sizes)):
            mine = which == number
            data = column.view(2 + number, np.uint8, int(sizes[number]))
            tail[spans(place[mine], size[mine])] = data[spans(words[far, 3][mine], size[mine])]
    starts = inline
    starts[far] = rows * 16 + place
    return Ids(_padded(np.concatenate([views[: rows * 16], tail])), starts, lengths)


def compacted(ids: Ids) -> Ids:
    """The same ids in a buffer that holds nothing else."""
    lengths = ids.lengths.astype(np.int64)
    return Ids(_padded(ids.buffer[spans(ids.starts, lengths)]), np.cumsum(lengths) - lengths, ids.lengths)


def together(parts: list[Ids]) -> Ids:
    """Ids of several buffers one after the other; a buffer that all share is not copied."""
    if len(parts) == 1:
        return parts[0]
    starts, lengths = [part.starts for part in parts], np.concatenate([part.lengths for part in parts])
    if all(part.buffer is parts[0].buffer for part in parts):
        return Ids(parts[0].buffer, np.concatenate(starts), lengths)
    own = [compacted(part) if len(part.buffer) > 64 * (len(part) + 64) else part for part in parts]
    shifts = np.cumsum([0, *(len(part.buffer) for part in own)])
    moved = np.concatenate([part.starts + shift for part, shift in zip(own, shifts, strict=False)])
    return Ids(np.concatenate([part.buffer for part in own]), moved, lengths)


_TENS = np.array([10**power for power in range(1, 20)], dtype=np.uint64)


def digits(values: NDArray[np.integer[Any]]) -> Ids:
    """Whole numbers written as text, all of them digit by digit."""
    negative = values < 0
    rest = np.where(negative, ~values.astype(np.int64), 0).astype(np.uint64) + np.uint64(1)
    rest = np.where(negative, rest, values.astype(np.uint64))
    lengths = np.searchsorted(_TENS, rest, side="right").astype(np.int64) + 1 + negative
    ends = np.cumsum(lengths)
    buffer = np.zeros(int(ends[-1] if len(ends) else 0) + PADDING, dtype=np.uint8)
    at, left = ends - 1, rest
    rows = np.arange(len(rest))
    while len(rows):
        left, digit = np.divmod(left, np.uint64(10))
        buffer[at] = digit.astype(np.uint8) + np.uint8(48)
        more = left > 0
        rows, left, at = rows[more], left[more], at[more] - 1
    buffer[(ends - lengths)[negative]] = ord("-")
    return Ids(buffer, ends - lengths, lengths.astype(np.int32))


class NumberColumn:
    """A column of grades, scores or ranks: any numbers, or texts that hold them."""

    def __init__(self, field: Field, role: str, place: int, name: str, at: str = ""):
        self.field, self.role, self.place = field, role, place
        kind = field.dictionary or field.type
        self._texts = IdColumn(field, role, place, name, at) if kind in _TEXTS else None
        if not holds_numbers(field):
            what = f"{name}: column {field.name!r} is of type {field.kind}, which cannot hold a {role}"
            raise InputError(Problem("input-number", what, at))

    def numbers(self, column: Column) -> Floats:
        """The numbers of all rows; nan where there is none."""
        if self._texts is not None:
            values = np.array([finite_number(text) for text in self._texts.ids(column)], dtype=np.float64)
        elif column.dictionary is not None:
            known = self.numbers(column.dictionary)
            values = known[codes(column)] if len(known) else np.full(column.length, np.nan)
        else:
            values = _values(column)
        valid = column.valid()
        if valid is not None:
            values[~valid] = np.nan
        return values

    def problem(self, row: Column, at: str, kind: str) -> Problem:
        """What is wrong with a row that has no finite number."""
        slug = "run-rank" if self.role == "rank" else VALUE_SLUG[kind]
        value = shown(row, self.field)
        what = f"{self.role} {value} is not a finite number (column {shorten(repr(self.field.name))})"
        return Problem(slug, what, at, number_hint(value.strip("'"), self.role))

    def first_difference(self, left: Column, right: Column, other: Field) -> int | None:
        """The first row in which another column holds another number."""
        if not left.length:
            return None
        if not holds_numbers(other):
            return 0
        ours, theirs = self.numbers(left), NumberColumn(other, self.role, self.place, "").numbers(right)
        differ = ~((ours == theirs) | (np.isnan(ours) & np.isnan(theirs)))
        return int(np.argmax(differ)) if differ.any() else None


def holds_numbers(field: Field) -> bool:
    """Whether a column's type can hold grades, scores or ranks."""
    return (field.dictionary or field.type) in (*FLOATS, *INTEGERS, *_TEXTS, "b", "n")


def shown(row: Column, field: Field) -> str:
    """The value of a single row, for messages."""
    if row.valid() is not None:
        return "null"
    if row.dictionary is not None and row.dictionary.length:
        code = int(codes(row)[0])
        return shown(row.dictionary.rows(code, code + 1), Field(field.name, field.dictionary or ""))
    if (field.dictionary or field.type) in FLOATS:
        return repr(float(NumberColumn(field, "score", 0, "").numbers(row)[0]))
    if not _holds_ids(field):
        return field.kind
    text = IdColumn(field, "", 0, "").ids(row)[0]
    return text if (field.dictionary or field.type) in INTEGERS else shorten(repr(text))


def _values(column: Column) -> Floats:
    start, stop = column.offset, column.offset + column.length
    if column.type == "n":
        return np.full(column.length, np.nan)
    if column.type == "b":
        bits = np.unpackbits(column.view(1, np.uint8, (stop + 7) // 8), bitorder="little")
        return bits[start:stop].astype(np.float64)
    dtype: Any = FLOATS.get(column.type) or INTEGERS[column.type]
    return column.view(1, dtype, stop)[start:].astype(np.float64)
