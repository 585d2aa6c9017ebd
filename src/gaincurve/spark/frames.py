"""Data frames under our names: which columns are meant, and which runs there are."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gaincurve.errors import ChoiceError, InputError, Problem, extra_missing
from gaincurve.model.columns import VALUE, Given, find_columns
from gaincurve.model.graded import IDEAL
from gaincurve.model.source import examples
from gaincurve.verbs.experiment import refuse_names_twice

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TEXTS = ("string", "varchar", "char")
WHOLE = ("tinyint", "byte", "smallint", "short", "int", "integer", "bigint", "long")
LABELS = {"judgments": "judgments", "run": "runs"}
NUMBER = r"\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*"
"""A number as text; Java would also take 1f and 0x1p3."""


def functions() -> Any:
    """pyspark.sql.functions; workers run the interpreter that runs us, unless PYSPARK_PYTHON names another."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        import pyarrow  # noqa: F401, PLC0415 -- the extra
        from pyspark.sql import functions as f  # noqa: PLC0415
    except ImportError:
        raise extra_missing("spark", "evaluation on Spark") from None
    return f


def named(frame: DataFrame, kind: str, given: Given | None, ties: str = "trec") -> DataFrame:
    """topic, document and grade, score or rank, with run and judge where they are columns.

    Ids that are numbers become text, as everywhere; numbers that are text stay text, to be read as on one machine.
    """
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
    for place in (columns.stratum, columns.p):
        if place is not None:
            what = f"{label} has the column {frame.columns[place]!r}, of a sample of a pool, which Spark does not read"
            hint = "gaincurve.evaluate on one machine, or drop the column"
            raise InputError(Problem("input-header", what, label, hint))
    ranked = columns.value is None or (ties == "rank" and columns.rank is not None)
    roles = {
        "topic": columns.topic,
        "document": columns.document,
        VALUE[kind]: None if ranked else columns.value,
        "rank": columns.rank if ranked or (kind == "run" and _is_number(frame, columns.rank)) else None,
        "run": columns.run if kind == "run" else None,
        "judge": columns.judge if kind == "judgments" else None,
    }
    names = {role: frame.columns[place] for role, place in roles.items() if place is not None}
    return frame.select(*(_column(f, frame, role, name, label) for role, name in names.items()))


def _is_number(frame: DataFrame, place: int | None) -> bool:
    """Whether a column there holds numbers: a rank beside the score, which should say the same."""
    kinds = (*WHOLE, "float", "double")
    return place is not None and frame.schema[frame.columns[place]].dataType.simpleString() in kinds


def _column(f: Any, frame: DataFrame, role: str, name: str, label: str) -> Any:
    kind = frame.schema[name].dataType.simpleString()
    column = f.col(f"`{name.replace('`', '``')}`")
    if role in ("topic", "document", "run", "judge"):
        if kind.partition("(")[0] not in (*TEXTS, *WHOLE):
            what = f"column {name!r} holds {kind}, which cannot be an id: ids are text or whole numbers"
            raise InputError(Problem("input-id", what, label))
        column = column.cast("string")
    return column.alias(role)


def number(frame: DataFrame, name: str) -> Any:
    """A column of numbers as double: null where a text is none."""
    f = functions()
    if frame.schema[name].dataType.simpleString() != "string":
        return f.col(name).cast("double")
    return f.when(f.col(name).rlike(f"^{NUMBER}$"), f.trim(name).try_cast("double"))


def value_name(frame: DataFrame) -> str:
    """The column that ranks the documents of runs."""
    return "score" if "score" in frame.columns else "rank"


def one_frame(runs: Any, given: Given | None, ties: str = "trec") -> tuple[DataFrame, tuple[str, ...]]:
    """Runs as one frame with a column run, and their names: a frame, a list of frames or {name: frame}."""
    if isinstance(runs, list | tuple):
        runs = {f"run{i}": run for i, run in enumerate(runs, start=1)}
    if not isinstance(runs, Mapping):
        whole = named(runs, "run", given, ties)
        if "run" not in whole.columns:
            return whole.withColumn("run", functions().lit("run")), ("run",)
        return whole, tuple(_names(whole, "runs"))
    frames, named_by = [], []
    for key, run in runs.items():
        frame, names = _of_name(named(run, "run", given, ties), str(key))
        frames.append(frame)
        named_by += [(name, str(key)) for name in names]
    if not frames:
        raise InputError(Problem("run-none", "no run was given"))
    refuse_names_twice([(IDEAL, "the best possible ranking"), *named_by], "runs")
    return _together(frames), tuple(name for name, _ in named_by)


def _of_name(frame: DataFrame, key: str) -> tuple[DataFrame, list[str]]:
    """A run under its key; one frame of several runs keeps their names."""
    if "run" in frame.columns:
        names = _names(frame, key)
        if len(names) > 1:
            return frame, names
    return frame.withColumn("run", functions().lit(key)), [key]


def _names(frame: DataFrame, label: str) -> list[str]:
    """The names in the column run, by spelling."""
    names = [row["run"] for row in frame.select("run").distinct().collect()]
    if None in names:
        raise InputError(Problem("input-id", "the column of the run is null in some rows", label))
    if not names:
        raise InputError(Problem("input-empty", f"{label} has no rows", label))
    return sorted(names)


def _together(frames: list[DataFrame]) -> DataFrame:
    """The rows of all frames; numbers that are text in only some of them become numbers."""
    values = {value_name(frame) for frame in frames}
    if len(values) > 1:
        raise InputError(Problem("input-header", "some runs have scores, others only ranks", "runs"))
    (value,) = values
    texts = [frame.schema[value].dataType.simpleString() == "string" for frame in frames]
    if any(texts) and not all(texts):
        frames = [frame.withColumn(value, number(frame, value)) for frame in frames]
    ranked = all("rank" in frame.columns for frame in frames)
    frames = [frame if ranked or value == "rank" else frame.drop("rank") for frame in frames]
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionByName(frame)
    return whole


def counted_buckets(buckets: int | None, rows: int, each: int) -> int:
    """How many buckets there are: as many as were asked for, or one for `each` rows."""
    if buckets is None:
        return max(1, -(-rows // each))
    if isinstance(buckets, bool) or not isinstance(buckets, int) or buckets < 1:
        raise ChoiceError(Problem("choice-unknown", f"buckets cannot be {buckets!r}", hint="a whole number from 1"))
    return buckets
