"""Record batches of any library through the Arrow C data interface, read with ctypes: no Arrow package is needed.

A producer hands over structures whose layout never changes (arrow.apache.org/docs/format/CDataInterface.html).
Batches are released as soon as nothing refers to them.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p, py_object
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem


class _Schema(Structure):
    pass


class _Array(Structure):
    pass


class _Stream(Structure):
    pass


_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, POINTER(_Schema))),
    ("private_data", c_void_p),
]
_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Array))),
    ("dictionary", POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, POINTER(_Array))),
    ("private_data", c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(c_char_p, POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, POINTER(_Stream))),
    ("private_data", c_void_p),
]

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, c_char_p]


INTEGERS: dict[str, type[np.integer]] = {
    "c": np.int8, "C": np.uint8, "s": np.int16, "S": np.uint16, "i": np.int32, "I": np.uint32, "l": np.int64,
    "L": np.uint64,
}  # fmt: skip
_NAMES = {
    "n": "null", "b": "boolean", "e": "float", "f": "float", "g": "float", "d": "decimal", "td": "date", "tt": "time",
    "ts": "timestamp", "tD": "duration", "ti": "interval", "+": "nested", "u": "text", "U": "text", "v": "text",
    "z": "binary", "Z": "binary", "w": "binary", "_p": "128-bit integer",
}  # fmt: skip
_RUN_ENDS = "+r"


@dataclass(frozen=True)
class Field:
    """A column as the producer declares it: name, type in the notation of the interface, and that of a dictionary."""

    name: str
    type: str
    dictionary: str | None = None

    @property
    def kind(self) -> str:
        """The type in a word: text, integer, float, timestamp …"""
        text = self.dictionary or self.type
        return "integer" if text in INTEGERS else _NAMES.get(text[:2]) or _NAMES.get(text[:1], text)


class _Released:
    """A structure of ours, filled by a producer, that is given back when the last reference to it goes."""

    def __init__(self, structure: Any):
        self.structure = structure

    def __del__(self) -> None:
        if self.structure.release:
            self.structure.release(byref(self.structure))


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a batch, or rows of one: buffers by address, valid while `owner` lives."""

    type: str
    length: int
    offset: int
    nulls: int
    buffers: tuple[int, ...]
    dictionary: Column | None
    owner: object

    def as_field(self, name: str) -> Field:
        """What the column holds, which a table of several files may change on the way."""
        return Field(name, self.type, None if self.dictionary is None else self.dictionary.type)

    def rows(self, start: int, stop: int) -> Column:
        """Some of the rows."""
        return replace(self, length=stop - start, offset=self.offset + start)

    def view(self, buffer: int, dtype: Any, count: int) -> NDArray[Any]:
        """The first `count` values of a buffer, not copied."""
        address = self.buffers[buffer]
        size = count * np.dtype(dtype).itemsize
        if not size or not address:
            return np.zeros(0, dtype=dtype)
        return np.frombuffer((ctypes.c_char * size).from_address(address), dtype=dtype)

    def valid(self) -> NDArray[np.bool_] | None:
        """Which rows have a value; None where all have."""
        if self.type == "n":
            return np.zeros(self.length, dtype=bool)
        if not self.nulls or not self.buffers[0]:
            return None
        stop = self.offset + self.length
        bits = self.view(0, np.uint8, (stop + 7) // 8)[self.offset // 8 :]
        known = np.unpackbits(bits, bitorder="little")[self.offset % 8 :][: self.length].astype(bool)
        return None if known.all() else known


@dataclass(frozen=True, eq=False)
class Batch:
    """Columns of the same length."""

    columns: tuple[Column, ...]
    rows: int


def stream_of(capsule: object, name: str) -> tuple[tuple[Field, ...], Iterator[Batch]]:
    """The columns and the batches of a capsule that `__arrow_c_stream__` gave."""
    stream = ctypes.cast(_pointer(capsule, b"arrow_array_stream"), POINTER(_Stream))
    schema = _Released(_Schema())
    _check(stream, stream.contents.get_schema(stream, byref(schema.structure)), name)
    return _fields(schema.structure, name), _batches(capsule, stream, schema, name)


def fields_of(capsule: object, name: str) -> tuple[Field, ...]:
    """The columns of a capsule that `__arrow_c_schema__` gave."""
    return _fields(ctypes.cast(_pointer(capsule, b"arrow_schema"), POINTER(_Schema)).contents, name)


def batch_of(capsules: tuple[object, object], name: str) -> tuple[tuple[Field, ...], Batch]:
    """The columns and the rows of the capsules that `__arrow_c_array__` gave."""
    schema = ctypes.cast(_pointer(capsules[0], b"arrow_schema"), POINTER(_Schema)).contents
    array = ctypes.cast(_pointer(capsules[1], b"arrow_array"), POINTER(_Array)).contents
    return _fields(schema, name), _batch(schema, array, capsules, name)


def _batches(capsule: object, stream: Any, schema: _Released, name: str) -> Iterator[Batch]:
    """The batches of a stream; the capsule releases the stream when it goes."""
    while True:
        array = _Released(_Array())
        _check(stream, stream.contents.get_next(stream, byref(array.structure)), name)
        if not array.structure.release:
            del capsule
            return
        yield _batch(schema.structure, array.structure, array, name)


def _check(stream: Any, code: int, name: str) -> None:
    if not code:
        return
    text = stream.contents.get_last_error(stream)
    why = text.decode("utf-8", "replace") if text else os.strerror(code)
    raise InputError(Problem("input-arrow", f"{name} stops: {why}", name))


def _fields(schema: Any, name: str) -> tuple[Field, ...]:
    if schema.format != b"+s":
        what = f"{name} is a single column of type {_field(schema).kind}, not a table"
        raise InputError(Problem("input-object", what, hint="give a frame with columns for topic, document and value"))
    return tuple(_field(schema.children[i].contents) for i in range(schema.n_children))


def _field(schema: Any) -> Field:
    name = (schema.name or b"").decode("utf-8", "replace")
    if _has_runs(schema):
        return Field(name, "l", _type_of(schema.children[1].contents))
    return Field(name, _type_of(schema), _type_of(schema.dictionary.contents) if schema.dictionary else None)


def _has_runs(schema: Any) -> bool:
    """Whether a column stores equal values once, and where they end: it is read as a dictionary of plain values."""
    if _type_of(schema) != _RUN_ENDS:
        return False
    values = schema.children[1].contents
    return not values.dictionary and _type_of(values) != _RUN_ENDS


def _type_of(schema: Any) -> str:
    return str(schema.format.decode("ascii", "replace"))


def _batch(schema: Any, array: Any, owner: object, name: str) -> Batch:
    if array.null_count and array.n_buffers and array.buffers[0]:
        raise InputError(Problem("input-arrow", f"{name} has rows that are null as a whole", name))
    start, rows = int(array.offset), int(array.length)
    pairs = ((schema.children[i].contents, array.children[i].contents) for i in range(array.n_children))
    return Batch(tuple(_column(child, column, owner).rows(start, start + rows) for child, column in pairs), rows)


def _column(schema: Any, array: Any, owner: object) -> Column:
    if _has_runs(schema):
        ends, values = (_column(schema.children[i].contents, array.children[i].contents, owner) for i in (0, 1))
        return _of_runs(ends, values, array)
    buffers = tuple(int(array.buffers[i] or 0) for i in range(array.n_buffers))
    inner = _column(schema.dictionary.contents, array.dictionary.contents, owner) if array.dictionary else None
    return Column(_type_of(schema), int(array.length), int(array.offset), int(array.null_count), buffers, inner, owner)


def _of_runs(ends: Column, values: Column, array: Any) -> Column:
    """A column that stores where runs of equal values end, as codes into these values."""
    stop = int(array.offset) + int(array.length)
    last = ends.view(1, INTEGERS[ends.type], ends.offset + ends.length)[ends.offset :]
    codes = np.searchsorted(last, np.arange(stop), side="right")
    owner = (values.owner, codes)
    return Column("l", int(array.length), int(array.offset), 0, (0, codes.ctypes.data), values, owner)
