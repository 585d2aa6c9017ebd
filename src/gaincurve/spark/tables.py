"""Files as Spark data frames: Parquet, CSV and TSV with a header, and TREC columns, single files and folders of parts.

Text is recognised by the code that recognises it on one machine, from its first two lines.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from gaincurve.errors import InputError, MissingExtra, Problem
from gaincurve.io.addresses import kind_of, parts_in
from gaincurve.io.content import Content, content_of
from gaincurve.io.formats.columns import layout_of
from gaincurve.io.formats.opening import Opening
from gaincurve.io.formats.plain import TABLES, TREC
from gaincurve.io.formats.record import Choices
from gaincurve.io.formats.registry import recognised
from gaincurve.io.table_files import digest_of
from gaincurve.io.trec import Layout
from gaincurve.model.columns import VALUE, Given, find_columns, given_columns, split_columns
from gaincurve.model.sampling import VOTES
from gaincurve.model.source import Source, counted, shorten
from gaincurve.spark.frames import functions, named

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LOCAL = "local[*,4]"
"""All cores, and a lost worker does not end the job: its tasks are tried again, four times in all."""

READ = "Spark reads Parquet, CSV and TSV with a header, and TREC columns; gz and bz2 by their suffix"
JAVA = "Debian: apt-get install default-jre-headless; macOS: brew install openjdk@17; or set JAVA_HOME"
SEPARATORS = {".csv": ",", ".tsv": "\t"}
JSON = (".jsonl", ".json", ".ndjson")
BROKEN = "gaincurve_broken"
PLACE = "gaincurve_place"
SHOWN = 20


def started(master: str | None = None) -> SparkSession:
    """A session: that of spark-submit or Spark Connect where there is one, else on this machine."""
    functions()
    from pyspark.errors import PySparkRuntimeError  # noqa: PLC0415 -- the extra
    from pyspark.sql import SparkSession  # noqa: PLC0415

    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")  # we use none of it

    builder: Any = SparkSession.builder.appName("gaincurve")
    elsewhere = {"SPARK_REMOTE", "PYSPARK_GATEWAY_PORT"} & set(os.environ)
    if master or not elsewhere:
        builder = builder.master(master or LOCAL)
        if (master or LOCAL).startswith("local"):
            builder = builder.config("spark.ui.enabled", "false")
    shown = str(sys.stderr.isatty()).lower()
    try:
        session: SparkSession = builder.config("spark.ui.showConsoleProgress", shown).getOrCreate()
    except (PySparkRuntimeError, OSError) as error:
        if isinstance(error, OSError) or "JAVA_GATEWAY" in (error.getCondition() or ""):
            what = "Spark did not start: it runs on Java 17 or newer, which was not found or does not run"
            raise MissingExtra(Problem("extra-missing", what, hint=JAVA)) from None
        raise
    return session


@dataclass(frozen=True, eq=False)
class TableFile:
    """Judgments or a run as a data frame, and the file or folder it stands in."""

    path: str
    format: str
    kind: str
    frame: DataFrame

    def topics(self, given: Given | None) -> list[str]:
        """Its topics in the order of the file."""
        f = functions()
        place = f.struct(f.input_file_name(), f.monotonically_increasing_id())
        placed = named(self.frame, self.kind, given).select("topic", place.alias(PLACE))
        first = placed.groupBy("topic").agg(f.min(PLACE).alias(PLACE)).orderBy(PLACE)
        return [row["topic"] for row in first.collect()]

    def sources(self, given: Given | None) -> list[Source]:
        """Where it came from, once for each run: topics, rows, and the digest of a file that this machine holds."""
        f = functions()
        rows = named(self.frame, self.kind, given)
        groups = rows.groupBy(*({"run"} & set(rows.columns))).agg(f.count_distinct("topic"), f.count("*")).collect()
        digest = _digest(self.path)
        return [Source(self.path, self.format, topics, count, digest) for *_, topics, count in sorted(groups)]


def read_table(session: SparkSession, path: str, kind: str, given: Given | None = None) -> TableFile:
    """Judgments or a run, a file or a folder of parts: Parquet by its name, text by its first lines."""
    place, first = _place(session, path)
    if first.lower().endswith((".parquet", ".pq")) or kind_of(path) == "Parquet":
        return TableFile(path, "Parquet", kind, session.read.parquet(place))
    content = _beginning(session, place, path)
    opening = Opening(content, given_columns(given))
    format_ = recognised(opening, Choices(kind, columns=given))
    if format_ in TREC:
        layout = layout_of(content, kind, split_columns(opening.line), opening.offset)
        return TableFile(path, format_.title, kind, _trec(session, place, path, layout, kind))
    if format_ in TABLES.values() and opening.delimiter != " ":
        table = _delimited(session, place, path, opening.delimiter or ",")
        columns, _ = find_columns(table.columns, kind, given, path, path)
        if columns is not None and columns.run is not None and columns.run_of_text is None:
            table = table.drop(table.columns[columns.run])  # a `name` in text is no run unless it is called one
        return TableFile(path, format_.title, kind, table)
    raise InputError(Problem("input-format", f"{path} is {format_.title}, which Spark does not read", path, READ))


def read_log(session: SparkSession, path: str) -> DataFrame:
    """A session log: Parquet, JSON lines, or CSV and TSV with a header and a row for each result."""
    place, first = _place(session, path)
    endings = re.findall(r"\.[a-z]+", first.lower())
    if ".parquet" in endings:
        return session.read.parquet(place)
    if separator := next((SEPARATORS[ending] for ending in endings if ending in SEPARATORS), None):
        return _delimited(session, place, path, separator)
    if any(ending in JSON for ending in endings):
        return session.read.json(place)
    what = f"{path} is no log that Spark reads"
    raise InputError(Problem("input-columns", what, path, "Parquet, JSON lines (.jsonl), or CSV and TSV with a header"))


def _place(session: SparkSession, path: str) -> tuple[str, str]:
    """A path as Spark takes it, and the name of its first file; only Spark can look into other file systems."""
    from pyspark.errors import AnalysisException  # noqa: PLC0415 -- the extra

    place = re.sub(r"([\[\]{}*?\\])", r"\\\1", path) if Path(path).exists() else path
    try:
        files = session.read.text(place).inputFiles()
    except AnalysisException as error:
        if "PATH_NOT_FOUND" not in (error.getCondition() or str(error)):
            raise
        raise InputError(Problem("input-missing", f"{path} does not exist", path)) from None
    if not files:
        raise InputError(Problem("input-empty", f"{path} has no files", path))
    return place, Path(unquote(urlsplit(sorted(files)[0]).path)).name


def _digest(path: str) -> str | None:
    """The digest of a file or folder, where it stands on this machine."""
    files = parts_in(path) if Path(path).is_dir() else [path]
    return digest_of(files) if all(Path(file).is_file() for file in files) else None


def _beginning(session: SparkSession, place: str, path: str) -> Content:
    """The first two lines that are neither blank nor comments."""
    f = functions()
    lines = session.read.text(place, lineSep="\n").where(
        f.col("value").rlike(r"^\x{FEFF}?[ \t\x0B\f\r]*[^# \t\x0B\f\r]")
    )
    head = "\n".join(row[0].removeprefix("\ufeff") for row in lines.head(2))
    if not head:
        raise InputError(Problem("input-empty", f"{path} has only blank lines and comments", path))
    return content_of(path, f"{head}\n".encode())


def _trec(session: SparkSession, place: str, path: str, layout: Layout, kind: str) -> DataFrame:
    """TREC columns, separated as on one machine; a line of another width is refused."""
    f = functions()
    plain = f.regexp_replace("value", "^\ufeff", "")
    words = f.filter(f.split(plain, "[ \t-\r]+"), lambda word: word != "")
    lines = session.read.text(place, lineSep="\n").select(words.alias("words"))
    lines = lines.where((f.size("words") > 0) & ~f.startswith(f.col("words")[0], f.lit("#")))
    broken = lines.where(~f.size("words").isin(*layout.widths))
    if first := broken.limit(SHOWN).collect():
        widths = " or ".join(map(str, layout.widths))
        problems = [
            Problem(
                "input-columns",
                f"{counted(len(row['words']), 'column')} where {widths} were expected ({layout.columns}): "
                + shorten(" ".join(row["words"])),
                path,
            )
            for row in first
        ]
        raise InputError(problems, more=broken.count() - len(problems))
    names = {"topic": 0, "document": layout.document, "rank" if layout.value_is_rank else VALUE[kind]: layout.value}
    if layout.stratum is not None:
        names["stratum"] = layout.stratum
    if layout.rank is not None and not layout.value_is_rank:
        names["rank"] = layout.rank
    table = lines.select(*(f.col("words")[place].alias(name) for name, place in names.items()))
    if "rank" in table.columns and not layout.value_is_rank:
        table = table.withColumn("rank", f.col("rank").try_cast("double"))
    if layout.origin is not None and lines.where(f.col("words")[layout.origin] == VOTES).head(1):
        what = f"{path} holds votes of systems, which are not read on Spark"
        raise InputError(Problem("input-format", what, path, "gaincurve.evaluate on one machine"))
    return table


def _delimited(session: SparkSession, place: str, path: str, separator: str) -> DataFrame:
    """A table with a header; a row of another width is refused. A quote in quotes is doubled, as in RFC 4180."""
    choices: dict[str, Any] = {
        "sep": separator, "header": True, "escape": '"', "comment": "#", "multiLine": False,
        "ignoreLeadingWhiteSpace": True, "ignoreTrailingWhiteSpace": True,
    }  # fmt: skip
    names = session.read.csv(place, **choices).columns
    schema = ", ".join(f"`{name.replace('`', '``')}` string" for name in [*names, BROKEN])
    table = session.read.csv(place, schema=schema, columnNameOfCorruptRecord=BROKEN, enforceSchema=True, **choices)
    f = functions()
    broken = table.where(f.col(BROKEN).isNotNull())
    if first := broken.limit(SHOWN).collect():
        what = f"a row that does not have {counted(len(names), 'column')}"
        # Spark counts broken rows only where it is asked for the other columns as well
        (row,) = broken.agg(f.count("*"), f.max(f.concat_ws("", *names))).collect()
        problems = [Problem("input-table", f"{what}: {shorten(row[BROKEN])}", path) for row in first]
        raise InputError(problems, more=row[0] - len(problems))
    return table.drop(BROKEN)


def report_of(error: Exception) -> str | None:
    """The sentence in an error of Spark that says what went wrong; None for other errors."""
    from py4j.protocol import Py4JError  # noqa: PLC0415 -- comes with the extra
    from pyspark.errors import PySparkException  # noqa: PLC0415

    if not isinstance(error, PySparkException | Py4JError):
        return None
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith("Caused by: ")]
    return (causes[-1:] or lines[:1] or [type(error).__name__])[0].removeprefix("Caused by: ")
