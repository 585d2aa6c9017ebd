"""The shapes in which judgments and runs stand in memory elsewhere, as the few that are read here.

Nothing is imported to recognise them: an object is known by what it has.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from gaincurve.errors import InputError, Problem
from gaincurve.model.columns import ALIASES, VALUE, folded
from gaincurve.model.source import examples, shorten

ROLES = frozenset(name for names in ALIASES.values() for name in names)


@dataclasses.dataclass(frozen=True, eq=False)
class Records:
    """Rows under named columns."""

    names: tuple[str, ...]
    rows: Sequence[Sequence[Any]]


def plain(given: Any, kind: str, name: str) -> Any:
    """The object, or what stands in it: a mapping, a frame, records, or rows; `kind` is 'judgments' or 'run'."""
    read = next((read for is_shape, read in _SHAPES if is_shape(given)), None)
    return given if read is None else read(given, kind, name)


def is_record(entry: object) -> bool:
    """Whether it is one row of a run or of judgments, not a run, nor a (document, score) of a ranked list."""
    if isinstance(entry, Mapping):
        return bool(entry) and not any(isinstance(value, Mapping | list | tuple) for value in entry.values())
    return is_dataclass(entry) or (isinstance(entry, tuple) and len(entry) != 2)


def is_whole_run(given: object) -> bool:
    """Whether it is a run by itself, and no list of documents: a path, a table, a ranx Run, a list of records."""
    if isinstance(given, list):
        return bool(given) and (isinstance(given[0], Mapping) or is_dataclass(given[0]) or _is_arrow(given[0]))
    tabular = _is_arrow(given) or any(hasattr(given, name) for name in ("columns", "column_names", "reset_index"))
    rows = _is_array(given) and (bool(getattr(given.dtype, "names", None)) or given.ndim == 2)  # type: ignore[attr-defined]
    return tabular or rows or is_ranx(given) or isinstance(given, str | os.PathLike)


def kept(given: Any) -> Any:
    """The same, or all of what can be read only once: an iterator of rows, a reader of record batches."""
    return list(given) if isinstance(given, Iterator) or hasattr(given, "read_next_batch") else given


def is_dataclass(entry: object) -> bool:
    """Whether it is an instance of somebody's dataclass; our runs and judgments are dataclasses, too, and no rows."""
    ours = type(entry).__module__.partition(".")[0] == "gaincurve"
    return dataclasses.is_dataclass(entry) and not isinstance(entry, type) and not ours


def is_ranx(given: object) -> bool:
    """Whether it is a ranx Qrels or Run."""
    return type(given).__name__ in ("Qrels", "Run") and hasattr(given, "to_dict") and hasattr(given, "to_typed_list")


def _ranx(given: Any, kind: str, name: str) -> Any:
    shape = type(given).__name__
    if (shape == "Run") != (kind == "run"):
        slug = "run-looks-like-judgments" if kind == "run" else "judgments-look-like-run"
        raise InputError(Problem(slug, f"{name} is a ranx {shape}"))
    return given.to_dict()


def _is_data_set(given: object) -> bool:
    return hasattr(given, "column_names") and not hasattr(given, "__arrow_c_stream__")


def _data_set(given: Any, _kind: str, name: str) -> Any:
    """A Hugging Face data set, whatever format its rows are set to; one that streams is read row by row."""
    names = given.column_names
    if isinstance(names, Mapping):
        splits = list(names)
        hint = f"name one: {name}[{splits[0]!r}]" if splits else "name a split"
        raise InputError(
            Problem("input-object", f"{name} has the splits {examples(splits)}, and one of them is needed", "", hint)
        )
    if not hasattr(given, "__len__") or not isinstance(names, list):
        return _dicts(list(given), name)
    columns = (given.with_format(None) if hasattr(given, "with_format") else given)[:]
    return Records(tuple(names), list(zip(*(columns[column] for column in names), strict=True)))


def _with_index(given: Any, kind: str, name: str) -> Any:
    """A frame whose index holds topics or documents with these as columns; a series with its values as one, too."""
    frame = given
    if not hasattr(given, "columns"):
        frame = given.rename(VALUE[kind] if given.name is None else given.name).to_frame()
    levels = [level for level in frame.index.names if isinstance(level, str) and folded(level) in ROLES]
    for level in [level for level in levels if level in frame.columns]:
        if list(frame.index.get_level_values(level)) != list(frame[level]):
            what = f"{name} has an index and a column named {shorten(level)!r}, and they differ"
            raise InputError(Problem("input-two-columns", what, "", "drop one: .reset_index(drop=True)"))
        levels.remove(level)
    return frame.reset_index(level=levels) if levels else frame


def _is_arrow(given: object) -> bool:
    return any(hasattr(given, name) for name in ("__arrow_c_stream__", "__arrow_c_array__", "collect_batches"))


def _is_array(given: object) -> bool:
    return all(hasattr(given, name) for name in ("dtype", "ndim", "tolist"))


def _array(given: Any, _kind: str, _name: str) -> Any:
    """An array of records, or of rows."""
    names = getattr(given.dtype, "names", None)
    return Records(tuple(names), given.ravel().tolist()) if names else given.tolist()


def _is_iterable(given: object) -> bool:
    known = isinstance(given, Mapping | str | bytes | Records) or hasattr(given, "columns")
    return isinstance(given, Iterable) and not known


def _listed(given: Any, _kind: str, name: str) -> Any:
    """Dicts or dataclasses one after the other, or other rows, which are read by their fields or places."""
    rows = given if isinstance(given, list | tuple) else list(given)
    first = rows[0] if rows else None
    if isinstance(first, Mapping):
        return _dicts(rows, name)
    return _dataclasses(rows, name) if is_dataclass(first) else rows


def _dicts(records: Sequence[Any], name: str) -> Records:
    """Dicts with the names of the first; what another lacks is missing there."""
    names = tuple(map(str, records[0])) if records else ()
    keys = tuple(records[0]) if records else ()
    for i, record in enumerate(records):
        if not isinstance(record, Mapping):
            _refuse_other(record, i, f"the first has the fields {', '.join(names)}", name)
    return Records(names, [tuple(record.get(key) for key in keys) for record in records])


def _dataclasses(records: Sequence[Any], name: str) -> Records:
    shape = type(records[0])
    names = tuple(field.name for field in dataclasses.fields(shape))
    for i, record in enumerate(records):
        if not isinstance(record, shape):
            _refuse_other(record, i, f"the first is a {shape.__name__}", name)
    if len(names) == 1:
        return Records(names, [(getattr(record, names[0]),) for record in records])
    return Records(names, list(map(attrgetter(*names), records)))


def _refuse_other(record: object, i: int, first: str, name: str) -> None:
    what = f"{name}: record {i} is {shorten(repr(record))}, but {first}"
    raise InputError(Problem("input-object", what))


_SHAPES: tuple[tuple[Callable[[Any], bool], Callable[[Any, str, str], Any]], ...] = (
    (is_ranx, _ranx),
    (_is_data_set, _data_set),
    (lambda given: hasattr(given, "reset_index"), _with_index),
    (_is_arrow, lambda given, _kind, _name: given),  # read as it is, batch by batch
    (_is_array, _array),
    (_is_iterable, _listed),
)
"""How each shape is recognised and read; the first that fits."""
