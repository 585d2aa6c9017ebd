"""Values written bucket by bucket, as Parquet: a run that was stopped goes on with the buckets that are missing.

In the folder given, `choices` says how the values were made, and `values` has a folder for each bucket, with the facts
of the bucket beside its values. A task commits its files when it ends (committer algorithm 2), so what stands is whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.model.signature import sign
from gaincurve.spark.frames import functions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from gaincurve.spark.bucket import Task
    from gaincurve.spark.dealt import Dealt

COMMITTER = "mapreduce.fileoutputcommitter.algorithm.version"


def resumed(dealt: Dealt, work: Callable[..., Any], schema: str, task: Task, folder: str) -> DataFrame:
    """The rows of all buckets, read from where they were written; those that stand there are not computed again."""
    session = dealt.judged.sparkSession
    ours = {name: str(value) for name, value in _made(dealt, task).items()}
    # lists that turned out to be needed whole give other facts, so they have a place of their own
    values, choices = f"{folder}/values" if dealt.whole else f"{folder}/values-cut", f"{folder}/choices"
    theirs = _read(session, choices)
    if theirs is None:
        shape = json.dumps(ours, indent=1, sort_keys=True)
        session.createDataFrame([(shape,)], "value string").coalesce(1).write.mode("overwrite").text(
            choices, lineSep="\n"
        )
    else:
        _refuse_others(ours, theirs, folder)
    f = functions()
    whole_schema = f"{schema}, bucket int"
    done: set[int] = set()
    if theirs is not None and _stands(session, values):
        standing = session.read.schema(whole_schema).parquet(values)
        done = {row[0] for row in standing.where(f.col("facts").isNotNull()).select("bucket").collect()}
    if len(done) < dealt.buckets:
        rows = dealt.worked(work, schema, done)
        rows.write.mode("append").option(COMMITTER, "2").partitionBy("bucket").parquet(values)
    return session.read.schema(whole_schema).parquet(values)


def _made(dealt: Dealt, task: Task) -> dict[str, object]:
    """Everything that a value depends on, by the name a message gives it."""
    return {
        "measures": ", ".join(str(sign(measure, task.scenario, np.array(task.scale))) for measure in task.measures),
        "runs": ", ".join(task.runs),
        "duplicates": task.duplicates,
        "buckets": dealt.buckets,
        "most_rows": task.most_rows,
        "judgments": _print(dealt.judged),
        "rows of runs": _print(dealt.given),
    }


def _print(frame: DataFrame) -> str:
    """How many rows there are, and the sum of their hashes, which no order changes."""
    f = functions()
    each = f.xxhash64(*sorted(frame.columns)).cast("decimal(38, 0)")
    (row,) = frame.agg(f.count("*"), f.sum(each)).collect()
    return f"{row[0]} rows, {row[1]}"


def _refuse_others(ours: dict[str, str], theirs: dict[str, str], folder: str) -> None:
    for name, value in ours.items():
        if theirs.get(name) != value:
            what = f"the values in {folder} were made with other {name}: {theirs.get(name)}, and now {value}"
            raise InputError(Problem("spark-resumed", what, folder))


def _read(session: SparkSession, path: str) -> dict[str, str] | None:
    """The choices of those who wrote before; None where nobody did."""
    if not _stands(session, path):
        return None
    lines = [row[0] for row in session.read.text(path, wholetext=True).collect()]
    shape: dict[str, str] = json.loads("".join(lines))
    return shape


def _stands(session: SparkSession, path: str) -> bool:
    """Whether anything was written there: only Spark can look, as the path may be of its file system."""
    from pyspark.errors import AnalysisException  # noqa: PLC0415 -- the extra

    try:
        return bool(session.read.format("binaryFile").option("recursiveFileLookup", "true").load(path).inputFiles())
    except AnalysisException as error:
        if "PATH_NOT_FOUND" in (error.getCondition() or str(error)):
            return False
        raise
