"""Tidy columns as a pandas or polars frame or an Arrow table: whole arrays, no step for each row."""

from __future__ import annotations

import importlib
import json
from importlib.util import find_spec
from typing import Any

import numpy as np

from gaincurve._version import __version__
from gaincurve.errors import MissingExtra, Problem, extra_missing, one_of
from gaincurve.model.tables.tidy import Column, Tidy

LIBRARIES = ("pandas", "polars", "pyarrow")
"""Where no library is named, the first of these that is installed."""
SIGNATURE = "signature"
"""The column of long texts that repeat: stored as codes by pandas and Arrow."""
_MOST_BYTES = 2**31 - 1
"""What a string column of Arrow with 32-bit offsets holds."""


def frame_of(tidy: Tidy, library: str | None = None) -> Any:
    """A frame of the library, or of the first one that is installed."""
    if library is not None:
        one_of("library", library, LIBRARIES)
    wanted = library or next((name for name in LIBRARIES if find_spec(name) is not None), "")
    if not wanted:
        what = f"to_frame needs one of {', '.join(LIBRARIES)}, and none is installed"
        raise MissingExtra(Problem("extra-missing", what, hint="pip install pandas"))
    return {"pandas": _pandas, "polars": _polars, "pyarrow": arrow_of}[wanted](tidy)


def metadata(tidy: Tidy) -> dict[str, str]:
    """What travels beside the columns: schema, version and signatures."""
    return {
        "gaincurve.schema": tidy.schema,
        "gaincurve.version": __version__,
        "gaincurve.signatures": json.dumps(tidy.signatures, ensure_ascii=False),
    }


def imported(name: str, purpose: str) -> Any:
    """A library or a module of one, imported when it is needed; the error says how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if name.partition(".")[0] == "pyarrow":
            raise extra_missing("arrow", purpose) from None
        what = f"{purpose} needs {name}, which is not installed"
        raise MissingExtra(Problem("extra-missing", what, hint=f"pip install {name}")) from None


def _texts(column: Column) -> list[str | None]:
    """The names of a column, and None for the code −1; bytes that are no UTF-8 become visible escapes."""
    return [*(name.encode("utf-8", "backslashreplace").decode() for name in column.names), None]


def _pandas(tidy: Tidy) -> Any:
    pandas = imported("pandas", "to_frame('pandas')")
    frame = pandas.DataFrame({name: _pandas_column(pandas, name, column) for name, column in tidy.columns.items()})
    frame.attrs.update(metadata(tidy))
    return frame


def _pandas_column(pandas: Any, name: str, column: Column) -> Any:
    if column.kind == "text":
        if name == SIGNATURE:
            return pandas.Categorical.from_codes(column.values, categories=_texts(column)[:-1])
        texts = pandas.Series(_texts(column), dtype="str")
        return texts.take(column.values % len(texts)).array
    if column.absent is None:
        return column.values
    array = pandas.arrays.IntegerArray if column.kind == "count" else pandas.arrays.BooleanArray
    return array(column.values, column.absent)


def _polars(tidy: Tidy) -> Any:
    polars = imported("polars", "to_frame('polars')")
    return polars.DataFrame([_polars_column(polars, name, column) for name, column in tidy.columns.items()])


def _polars_column(polars: Any, name: str, column: Column) -> Any:
    if column.kind == "text":
        texts = polars.Series(name, _texts(column), dtype=polars.String)
        return texts.gather(column.values % len(texts))
    values = polars.Series(name, column.values)
    if column.kind == "number":
        return values.fill_nan(None)
    return values if column.absent is None else values.set(polars.Series(column.absent), None)


def arrow_of(tidy: Tidy) -> Any:
    """The columns as a pyarrow.Table with the schema's metadata."""
    pyarrow = imported("pyarrow", "Arrow")
    arrays = [_arrow_column(pyarrow, name, column) for name, column in tidy.columns.items()]
    return pyarrow.table(arrays, names=list(tidy.columns)).replace_schema_metadata(metadata(tidy))


def _arrow_column(pyarrow: Any, name: str, column: Column) -> Any:
    if column.kind != "text":
        absent = np.isnan(column.values) if column.kind == "number" else column.absent
        return pyarrow.array(column.values, mask=absent)
    texts = _texts(column)
    codes = pyarrow.array(column.values, mask=column.values < 0)
    if name == SIGNATURE:
        return pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(texts[:-1], pyarrow.string()))
    longest = max((len(text.encode()) for text in texts if text is not None), default=0)
    kind = pyarrow.large_string() if longest * len(column) > _MOST_BYTES else pyarrow.string()
    return pyarrow.array(texts, kind).take(codes)
