"""Parquet and Arrow files, alone or in folders, as tables; pyarrow reads them batch by batch."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gaincurve.errors import GaincurveError, InputError, Problem, extra_missing
from gaincurve.io.addresses import Path, files_in, keys_in, kind_of, split_part
from gaincurve.io.content import new_digest, telling_why
from gaincurve.io.threads import Ahead
from gaincurve.model.arrow.capsules import Column, Field, batch_of, fields_of
from gaincurve.model.arrow.table import Table

ROWS = 1 << 16
"""Rows in a batch."""

BATCHES = 4
"""Batches that are decoded before they are wanted."""

_PIECE = 1 << 20


def table_at(path: Path, digest: bool = False) -> Table:
    """The table in a file or folder; what stands behind a # is left to whoever reads it."""
    address, _ = split_part(path)
    files = files_in(address) if os.path.isdir(address) else [address]
    parts = [_opened(file, address) for file in files]
    fields = parts[0].fields
    names = [field.name for field in fields]
    for part in parts[1:]:
        others = [field.name for field in part.fields]
        if set(others) != set(names):
            what = f"{part.file} has other columns than {parts[0].file}: {', '.join(others)}, not {', '.join(names)}"
            raise InputError(Problem("input-header", what, part.file, "files of one folder must have the same columns"))
    rows = None if any(part.rows is None for part in parts) else sum(part.rows or 0 for part in parts)
    starts: list[int] = []  # the number of the first row of each file, known once it is read

    def batches(wanted: Sequence[int], coded: Sequence[int]) -> Iterator[Sequence[Column]]:
        first = 0
        for i, part in enumerate(parts):
            starts[i:] = [first]
            for columns in part.read([names[i] for i in wanted], [names[i] for i in coded]):
                yield columns
                first += columns[0].length

    def place(row: int) -> tuple[str, int]:
        part = max(bisect_right(starts, row) - 1, 0)
        return parts[part].file, row - starts[part]

    def columns(wanted: Sequence[int], coded: Sequence[int]) -> Iterator[Sequence[Column]]:
        return _ahead(batches(wanted, coded))

    return Table(address, fields, columns, parts[0].kind, digest_of(files) if digest else None, rows, place)


@dataclass(frozen=True)
class _Part:
    """One file of a table, and what the folders it lies in say of all its rows."""

    file: str
    kind: str
    fields: tuple[Field, ...]
    rows: int | None
    keys: dict[str, str | None]
    batches: Callable[[list[str], list[str]], Iterator[Any]]

    def read(self, wanted: list[str], coded: list[str]) -> Iterator[Sequence[Column]]:
        """The columns wanted, batch by batch, some as dictionaries if that is how they are stored."""
        stored = [name for name in wanted if name not in self.keys]
        with _telling_why(self.file):
            for batch in self.batches(stored, [name for name in coded if name not in self.keys]):
                whole = _with_keys(batch.select(stored), self.keys).select(wanted)
                yield batch_of(whole.__arrow_c_array__(), self.file)[1].columns


def _with_keys(batch: Any, keys: Mapping[str, str | None]) -> Any:
    pa = _pyarrow()
    for name, value in keys.items():
        zeros = pa.repeat(pa.scalar(0, pa.int32()), batch.num_rows)
        batch = batch.append_column(name, pa.DictionaryArray.from_arrays(zeros, pa.array([value], pa.string())))
    return batch


def _opened(file: str, address: str) -> _Part:
    with telling_why(file), open(file, "rb"):
        kind = kind_of(file)
    if not kind:
        what = f"{file} is neither Parquet nor an Arrow file"
        raise InputError(Problem("input-format", what, file))
    with _telling_why(file):
        opened = _OPEN[kind](file)
        schema, rows, batches = opened
        fields = fields_of(schema.__arrow_c_schema__(), file)
    names = [field.name for field in fields]
    inside = os.path.relpath(os.path.dirname(file), address) if os.path.isdir(address) else ""
    keys = {name: value for name, value in keys_in(inside) if name not in names}
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(Problem("input-header", f"{file} has two columns named {twice!r}", file))
    every = (*fields, *(Field(name, "i", "u") for name in keys))
    return _Part(file, kind, every, rows, keys, batches)


Opened = tuple[Any, int | None, Callable[[list[str], list[str]], Iterator[Any]]]


def _parquet(file: str) -> Opened:
    _pyarrow()
    from pyarrow import parquet  # noqa: PLC0415 -- an extra, imported where it is used

    def batches(names: list[str], coded: list[str]) -> Iterator[Any]:
        with parquet.ParquetFile(file, read_dictionary=coded, pre_buffer=False) as opened:
            yield from opened.iter_batches(ROWS, columns=names, use_threads=False)  # ids take nearly all the time

    with parquet.ParquetFile(file) as opened:
        return opened.schema_arrow, int(opened.metadata.num_rows), batches


def _arrow_file(file: str) -> Opened:
    pa = _pyarrow()

    def batches(_: list[str], __: list[str]) -> Iterator[Any]:
        with pa.OSFile(file) as source:
            reader = pa.ipc.open_file(source)
            for i in range(reader.num_record_batches):
                yield _checked(reader.get_batch(i))

    with pa.OSFile(file) as source:
        return pa.ipc.open_file(source).schema, None, batches


def _arrow_stream(file: str) -> Opened:
    pa = _pyarrow()

    def batches(_: list[str], __: list[str]) -> Iterator[Any]:
        with pa.OSFile(file) as source:
            for batch in pa.ipc.open_stream(source):
                yield _checked(batch)

    with pa.OSFile(file) as source:
        return pa.ipc.open_stream(source).schema, None, batches


def _checked(batch: Any) -> Any:
    """A batch of a file whose offsets are as they were stored: they are checked before anything follows them."""
    batch.validate(full=True)
    return batch


_OPEN: dict[str, Callable[[str], Opened]] = {
    "Parquet": _parquet,
    "Arrow file": _arrow_file,
    "Arrow stream": _arrow_stream,
}


def _pyarrow() -> Any:
    try:
        import pyarrow  # noqa: PLC0415 -- an extra, imported where it is used
    except ImportError:
        raise extra_missing("arrow", "reading Parquet and Arrow files") from None
    return pyarrow


def digest_of(files: Sequence[str]) -> str:
    """SHA-256 of a file, or of the files of a folder one after the other."""
    digest = new_digest()
    for file in files:
        with telling_why(file), open(file, "rb") as opened:
            while piece := opened.read(_PIECE):
                digest.update(piece)
    return str(digest.hexdigest())


@contextmanager
def _telling_why(file: str) -> Iterator[None]:
    """Report in our words what pyarrow says of a file."""
    try:
        yield
    except Exception as error:
        if isinstance(error, GaincurveError | MemoryError):
            raise
        why = str(error).split("\n", 1)[0]
        raise InputError(Problem("input-damaged", f"{file} cannot be read: {why}", file)) from None


def _ahead(batches: Iterator[Sequence[Column]]) -> Iterator[Sequence[Column]]:
    """The same, the next ones decoded while one is worked on."""
    ahead = Ahead(batches, BATCHES)
    try:
        yield from ahead
    finally:
        ahead.close()
