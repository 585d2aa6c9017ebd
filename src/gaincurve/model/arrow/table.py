"""What holds record batches: frames in memory and, from `io`, files; told apart by what they can do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gaincurve.errors import InputError, Problem
from gaincurve.model.arrow.capsules import Batch, Column, Field, batch_of, stream_of

Open = Callable[[Sequence[int], Sequence[int]], Iterator[Sequence[Column]]]
"""Opens a table at its beginning: batch by batch the columns wanted, by their places; some better as dictionaries."""


Reading = tuple[tuple[Field, ...], Iterator[Batch]]
"""The columns, and the batches that follow."""


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns that can be read from the beginning as often as needed. `path` stands in messages and `source`."""

    path: str
    fields: tuple[Field, ...]
    open: Open
    format: str = "Python objects"
    sha256: str | None = None
    rows: int | None = None
    place: Callable[[int], tuple[str, int]] | None = None
    """Where several files make the table: that of a row, and its number there."""

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [field.name for field in self.fields]

    def until(self, stopping: Callable[[], bool]) -> Table:
        """The same table, read on only while the rest of the program goes on."""

        def opened(wanted: Sequence[int], coded: Sequence[int]) -> Iterator[Sequence[Column]]:
            for columns in self.open(wanted, coded):
                if stopping():
                    raise KeyboardInterrupt
                yield columns

        return replace(self, open=opened)


def table_of(given: Any, name: str) -> Table | None:
    """A frame, a lazy frame, a reader or a list of record batches as a table; None for anything else.

    A frame that only its own library can read (pandas without pyarrow, or with columns of mixed objects) is None, too.
    """
    begin = _beginning(given, name)
    if begin is None:
        return None
    try:
        if hasattr(given, "read_next_batch"):  # a reader is gone once read: its batches stay in memory
            fields, batches = begin()
            every = list(batches)
            return _opened(lambda: (fields, iter(every)), name)
        return _opened(begin, name)
    except (ImportError, TypeError, ValueError, NotImplementedError):
        return None


def _beginning(given: Any, name: str) -> Callable[[], Reading] | None:
    """What begins to read."""
    if hasattr(given, "__arrow_c_stream__"):
        return lambda: stream_of(given.__arrow_c_stream__(), name)
    if hasattr(given, "__arrow_c_array__"):
        return lambda: _chain([given], name)
    if hasattr(given, "collect_batches"):  # a lazy frame of polars
        return lambda: _chain(given.collect_batches(maintain_order=True), name)
    if isinstance(given, list | tuple) and given and hasattr(given[0], "__arrow_c_array__"):
        return lambda: _chain(given, name)
    return None


def _opened(start: Callable[[], Reading], name: str) -> Table:
    """A table that `start` begins anew each time."""
    fields, _ = start()

    def columns(wanted: Sequence[int], _: Sequence[int]) -> Iterator[Sequence[Column]]:
        for batch in start()[1]:
            yield [batch.columns[i] for i in wanted]

    return Table(name, fields, columns)


def _chain(batches: Iterable[Any], name: str) -> Reading:
    """Batches, or small tables, one after the other; all have the columns of the first."""
    rest = iter(batches)
    first = next(rest, None)
    if first is None:
        raise InputError(Problem("input-empty", f"{name} has no rows", name))
    fields, begun = _one(first, name)

    def every() -> Iterator[Batch]:
        yield from begun
        for i, given in enumerate(rest, 1):
            others, more = _one(given, name)
            if others != fields:
                what = f"batch {i} (from 0) has other columns than the first: {_listed(others)}, not {_listed(fields)}"
                raise InputError(Problem("input-arrow", what, name))
            yield from more

    return fields, every()


def _one(given: Any, name: str) -> Reading:
    if hasattr(given, "__arrow_c_stream__"):
        return stream_of(given.__arrow_c_stream__(), name)
    fields, batch = batch_of(given.__arrow_c_array__(), name)
    return fields, iter([batch])


def _listed(fields: Iterable[Field]) -> str:
    return ", ".join(f"{field.name} ({field.kind})" for field in fields)
