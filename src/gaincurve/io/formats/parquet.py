"""Parquet, with the columns of ranx. Reading goes through the tables of `model/arrow`, whatever wrote them."""

from __future__ import annotations

import io
from typing import Any

from gaincurve.errors import InputError, Problem, extra_missing
from gaincurve.io.formats.data import Data
from gaincurve.model.arrow.rows import parts_of_table
from gaincurve.model.arrow.table import table_of
from gaincurve.model.rows import Rows


def to_parquet(data: Data) -> bytes:
    """Judgments or a run as ranx saves them; whole grades are integers."""
    pa, pq = _pyarrow()
    topics, documents, values = ([row[i] for row in data.rows] for i in range(3))
    whole = data.kind == "judgments" and all(float(value).is_integer() for value in values)
    try:
        columns = {
            "q_id": pa.array(topics, pa.string()),
            "doc_id": pa.array(documents, pa.string()),
            "score": pa.array(list(map(int, values)), pa.int64()) if whole else pa.array(values, pa.float64()),
        }
    except ValueError as error:  # bytes that are no UTF-8
        what = f"Parquet cannot carry an id: {error}"
        raise InputError(Problem("convert-lossy", what, data.source.path)) from None
    written = io.BytesIO()
    pq.write_table(pa.table(columns), written)
    return written.getvalue()


def read_back(text: bytes, kind: str) -> Rows:
    """The rows of what was written."""
    _, pq = _pyarrow()
    table = table_of(pq.read_table(io.BytesIO(text)), "what was written")
    if table is None:
        raise TypeError("a table of pyarrow is one of ours")
    return parts_of_table(table, kind, None, "")[0][1]


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # noqa: PLC0415 -- an extra, imported where it is used
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError:
        raise extra_missing("arrow", "writing Parquet") from None
    return pa, pq
