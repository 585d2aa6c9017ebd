"""Files as Spark data frames: Parquet, CSV and TSV with a header, and TREC text, single files and folders of parts."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaincurve.errors import InputError, Problem
from gaincurve.model.source import counted
from gaincurve.spark.frames import functions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LOCAL = "local[*,4]"
"""All cores, and a lost worker does not end the job: its tasks are tried again, four times in all."""

TREC = {
    "judgments": ("topic", "iteration", "document", "grade"),
    "run": ("topic", "q0", "document", "rank", "score", "tag"),
}
SEPARATORS = {".csv": ",", ".tsv": "\t"}
JSON = (".jsonl", ".json", ".ndjson")


def started(master: str | None = None) -> SparkSession:
    """A session: that of spark-submit or Spark Connect where there is one, else on this machine."""
    functions()
    from pyspark.sql import SparkSession  # noqa: PLC0415 -- the extra

    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")  # we use none of it

    builder: Any = SparkSession.builder.appName("gaincurve")
    elsewhere = {"SPARK_REMOTE", "PYSPARK_GATEWAY_PORT"} & set(os.environ)
    if master or not elsewhere:
        builder = builder.master(master or LOCAL)
        if (master or LOCAL).startswith("local"):
            builder = builder.config("spark.ui.enabled", "false")
    shown = str(sys.stderr.isatty()).lower()
    session: SparkSession = builder.config("spark.ui.showConsoleProgress", shown).getOrCreate()
    return session


def read_table(session: SparkSession, path: str, kind: str) -> DataFrame:
    """Judgments or a run; the files decide by their suffix, in a folder those of its parts."""
    f = functions()
    suffix = _suffix(path)
    if suffix == ".parquet":
        return session.read.parquet(path)
    if suffix in SEPARATORS:
        table = session.read.csv(path, header=True, sep=SEPARATORS[suffix])
        if len(table.columns) < 2:
            raise InputError(Problem("input-header", f"{path} has a single column, {table.columns[0]!r}", path))
        return table
    names = TREC[kind]
    words = session.read.text(path).select(f.split(f.trim("value"), r"\s+").alias("words")).where("words[0] != ''")
    broken = words.where(f.size("words") != len(names)).first()
    if broken is not None:
        what = f"a line of {path} has {counted(len(broken['words']), 'column')}; TREC {kind} has {len(names)}"
        hint = "Spark reads Parquet, CSV and TSV with a header, and TREC text"
        raise InputError(Problem("input-columns", what, path, hint))
    kept = [name for name in names if name in ("topic", "document", "grade", "score")]
    return words.select(*(f.col("words")[names.index(name)].alias(name) for name in kept))


def read_log(session: SparkSession, path: str) -> DataFrame:
    """A session log: Parquet, JSON lines, or CSV and TSV with a header and a row for each result."""
    suffix = _suffix(path)
    if suffix == ".parquet":
        return session.read.parquet(path)
    if suffix in SEPARATORS:
        return session.read.csv(path, header=True, sep=SEPARATORS[suffix])
    if suffix in JSON:
        return session.read.json(path)
    what = f"{path} is no log that Spark reads"
    raise InputError(Problem("input-columns", what, path, "Parquet, JSON lines (.jsonl), or CSV and TSV with a header"))


def _suffix(path: str) -> str:
    """The suffix of a file, or of the first part in a folder; compressed text has one before it."""
    place = Path(path)
    if not place.exists():
        raise InputError(Problem("input-missing", f"{path} does not exist", path))
    if place.is_dir():
        parts = sorted(part for part in place.rglob("*") if part.is_file() and not part.name.startswith(("_", ".")))
        if not parts:
            raise InputError(Problem("input-empty", f"{path} has no files", path))
        place = parts[0]
    endings = [ending for ending in place.suffixes if ending in (".parquet", *SEPARATORS, *JSON)]
    return endings[-1] if endings else ".txt"
