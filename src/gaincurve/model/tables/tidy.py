"""Tidy rows of a result as typed columns: files, frames and Arrow are all made of these."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gaincurve.model.rows import Floats

Kind = Literal["text", "number", "count", "truth"]
Cell = str | int | float | bool | None
TYPES: dict[Kind, type[np.generic]] = {"text": np.int32, "number": np.float64, "count": np.int64, "truth": np.bool_}
"""How the values of each kind are stored; those of text are codes."""


@dataclass(frozen=True, eq=False)
class Column:
    """Values by row: text as codes into `names` (−1: none), numbers (nan: none), counts, or truths.

    `absent` marks counts and truths that have no value, where there are any.
    """

    kind: Kind
    values: NDArray[Any]
    names: tuple[str, ...] = ()
    absent: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.values)

    def cells(self) -> list[Any]:
        """The values as Python has them, None where there is none."""
        if self.kind == "text":
            names: list[str | None] = [*self.names, None]
            return [names[code] for code in self.values.tolist()]
        cells: list[Any] = self.values.tolist()
        if self.kind == "number":
            return [None if math.isnan(cell) else cell for cell in cells]
        if self.absent is None:
            return cells
        return [None if absent else cell for cell, absent in zip(cells, self.absent.tolist(), strict=True)]

    def as_count(self) -> Column:
        """Numbers as counts, if all of them are whole."""
        absent = np.isnan(self.values)
        values = np.where(absent, 0, self.values)
        if (values % 1).any():
            return self
        return Column("count", values.astype(np.int64), absent=absent if absent.any() else None)

    def take(self, rows: NDArray[np.int64] | slice) -> Column:
        """Some of the rows."""
        return replace(self, values=self.values[rows], absent=None if self.absent is None else self.absent[rows])


def coded(names: Iterable[str], codes: NDArray[Any]) -> Column:
    """A column of text with few different names, each of which gets one code."""
    names = tuple(names)
    different = tuple(dict.fromkeys(names))
    if len(different) < len(names):
        code = {name: i for i, name in enumerate(different)}
        codes = np.array([*(code[name] for name in names), -1])[codes]
    return Column("text", codes.astype(np.int32, copy=False), different)


def number(values: ArrayLike) -> Column:
    """A column of numbers."""
    return Column("number", np.asarray(values, dtype=np.float64))


def column_of(kind: Kind, cells: Sequence[Cell]) -> Column:
    """A column from Python's values."""
    if kind == "number":
        return number([np.nan if cell is None else cell for cell in cells])
    if kind == "text":
        index: dict[Cell, int] = {}
        codes = [-1 if cell is None else index.setdefault(cell, len(index)) for cell in cells]
        return coded(map(str, index), np.array(codes, dtype=np.int32))
    absent = np.array([cell is None for cell in cells], dtype=np.bool_)
    values = np.array([cell or 0 for cell in cells], dtype=TYPES[kind])
    return Column(kind, values, absent=absent if absent.any() else None)


@dataclass(frozen=True, eq=False)
class Tidy:
    """The columns of a result in order, the name and version of their schema, and what signs the numbers."""

    schema: str
    columns: Mapping[str, Column]
    signatures: tuple[str, ...] = ()

    @classmethod
    def of_rows(
        cls, schema: str, kinds: Mapping[str, Kind], rows: Sequence[Sequence[Cell]], signatures: Iterable[object] = ()
    ) -> Tidy:
        """Tidy rows from rows: for results that have few."""
        cells = list(zip(*rows, strict=True)) if rows else [()] * len(kinds)
        columns = {name: column_of(kind, column) for (name, kind), column in zip(kinds.items(), cells, strict=True)}
        return cls(schema, columns, tuple(dict.fromkeys(map(str, signatures))))

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def rows(self) -> list[tuple[Any, ...]]:
        """The rows as Python has them."""
        return list(zip(*(column.cells() for column in self.columns.values()), strict=True))

    def only(self, *names: str) -> Tidy:
        """Some of the columns, those that are there."""
        return replace(self, columns={name: self.columns[name] for name in names if name in self.columns})

    def without(self, *names: str) -> Tidy:
        """The other columns."""
        return self.only(*(name for name in self.columns if name not in names))

    def as_counts(self, *names: str) -> Tidy:
        """The same, with columns of numbers as counts where all of their values are whole."""
        whole = {name: column.as_count() for name, column in self.columns.items() if name in names}
        return replace(self, columns={**self.columns, **whole})

    def first(self, rows: int) -> Tidy:
        """The first rows."""
        return replace(self, columns={name: column.take(slice(rows)) for name, column in self.columns.items()})


def beside(columns: Mapping[str, Column], lines: Mapping[str, Column]) -> dict[str, Column]:
    """Columns, and a column for each run beside them; a run that is called like one of the first is 'rank (run)'."""
    names = (*columns, *lines)
    return {**columns, **{_apart(name, columns, names): line for name, line in lines.items()}}


def _apart(name: str, columns: Mapping[str, Column], names: tuple[str, ...]) -> str:
    if name not in columns:
        return name
    other = f"{name} (run)"
    while other in names:
        other += "'"
    return other


def each_signature(signatures: Iterable[object], lengths: Sequence[int]) -> Column:
    """The column of signatures: each for so many rows."""
    return coded(map(str, signatures), np.repeat(np.arange(len(lengths)), lengths))


def stacked(values: Iterable[Floats]) -> Column:
    """Numbers of several arrays one behind the other."""
    return number(np.concatenate([np.zeros(0), *(part.ravel() for part in values)]))
