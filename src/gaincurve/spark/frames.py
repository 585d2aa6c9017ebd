"""Data frames under our names: which columns are meant, and rows dealt to buckets by their topic."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gaincurve.errors import ChoiceError, InputError, Problem, extra_missing
from gaincurve.model.columns import VALUE, Given, find, find_columns
from gaincurve.model.source import examples

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TEXTS = ("string", "varchar", "char")
WHOLE = ("tinyint", "byte", "smallint", "short", "int", "integer", "bigint", "long")
LABELS = {"judgments": "judgments", "run": "runs"}


def functions() -> Any:
    """pyspark.sql.functions; workers run the interpreter that runs us, unless PYSPARK_PYTHON names another."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        import pyarrow  # noqa: F401, PLC0415 -- the extra
        from pyspark.sql import functions as f  # noqa: PLC0415
    except ImportError:
        raise extra_missing("spark", "evaluation on Spark") from None
    return f


def named(frame: DataFrame, kind: str, given: Given | None) -> DataFrame:
    """topic, document and grade or score; ids that are numbers become text, as everywhere."""
    f = functions()
    label = LABELS[kind]
    columns, missing = find_columns(frame.columns, kind, given, label, label)
    if columns is None:
        what = f"{label} has no column for {' and '.join(missing)}; its columns are {examples(frame.columns, 10)}"
        hint = f"name it: columns={{{missing[0]!r}: ...}}"
        raise InputError(Problem("input-header", what, label, hint))
    unclear = [doubt for doubt in columns.doubts if not doubt.settled]
    if unclear:
        pair = [frame.columns[unclear[0].taken], *(frame.columns[other] for other in unclear[0].others)]
        what = f"{' and '.join(map(repr, pair))} could both be the {unclear[0].role}"
        raise InputError(Problem("input-two-columns", what, label, f"columns={{{unclear[0].role!r}: {pair[0]!r}}}"))
    value = columns.value if columns.value is not None else columns.rank
    roles = {"topic": columns.topic, "document": columns.document}
    names = {role: frame.columns[place] for role, place in roles.items()}
    names[VALUE[kind] if columns.value is not None else "rank"] = frame.columns[value] if value is not None else ""
    if kind == "run" and columns.run is not None:
        names["run"] = frame.columns[columns.run]
    return frame.select(*(_column(f, frame, role, name, label) for role, name in names.items()))


def _column(f: Any, frame: DataFrame, role: str, name: str, label: str) -> Any:
    kind = frame.schema[name].dataType.simpleString()
    column = f.col(f"`{name.replace('`', '``')}`")
    if role in ("topic", "document", "run"):
        if kind.partition("(")[0] not in (*TEXTS, *WHOLE):
            what = f"column {name!r} holds {kind}, which cannot be an id: ids are text or whole numbers"
            raise InputError(Problem("input-id", what, label))
        column = column.cast("string")
    elif kind == "string":  # of a text file; what is no number becomes null, which is refused
        column = column.try_cast("double")
    return column.alias(role)


def holds_runs(frame: Any) -> bool:
    """Whether a column names runs."""
    return find("run", frame.columns) is not None


def one_frame(runs: object, given: Given | None) -> tuple[DataFrame, tuple[str, ...]]:
    """Runs as one frame with a column run, and their names: a frame, a list of frames or {name: frame}."""
    f = functions()
    if isinstance(runs, list | tuple):
        runs = {f"run{i}": run for i, run in enumerate(runs, start=1)}
    if isinstance(runs, Mapping):
        frames = [
            named(frame, "run", given).drop("run").withColumn("run", f.lit(str(name))) for name, frame in runs.items()
        ]
        if not frames:
            raise InputError(Problem("run-none", "no run was given"))
        whole = frames[0]
        for frame in frames[1:]:
            whole = whole.unionByName(frame)
        return whole, tuple(map(str, runs))
    whole = named(runs, "run", given)
    if "run" not in whole.columns:
        return whole.withColumn("run", f.lit("run")), ("run",)
    names = [row["run"] for row in whole.select("run").distinct().collect()]
    if None in names:
        raise InputError(Problem("input-id", "the column of the run is null in some rows", "runs"))
    if not names:
        raise InputError(Problem("input-empty", "runs has no rows", "runs"))
    return whole, tuple(sorted(names))


def counted_buckets(buckets: int | None, rows: int, each: int) -> int:
    """How many buckets there are: as many as were asked for, or one for `each` rows."""
    if buckets is None:
        return max(1, -(-rows // each))
    if isinstance(buckets, bool) or not isinstance(buckets, int) or buckets < 1:
        raise ChoiceError(Problem("choice-unknown", f"buckets cannot be {buckets!r}", hint="a whole number from 1"))
    return buckets
