"""Spark: ours against SQL written by hand and against Spark's RankingMetrics, in one session; and what a row costs.

usage: python bench/spark.py [--rows 20000000] [--slope 2000000 40000000] [--rounds 1] [--data FOLDER] [--only-data]

Made-up lists of 100 documents by two models, 20 binary judgments for each user. Binary, because RankingMetrics drops
grades; the three must agree on nDCG@10 before they are timed. Only ratios within one run mean anything. Beside the
seconds of the clock stand those of the processors, over all processes of Spark: they say more on a busy machine.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

from pyspark.mllib.evaluation import RankingMetrics
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as f

from gaincurve import spark as gs

LIST, JUDGED, DEPTH = 100, 20, 10
DATA = Path(__file__).parent / "data" / "spark"


def session(cores: str) -> SparkSession:
    """Spark on this machine."""
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "6g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
    }
    builder: Any = SparkSession.builder.master(cores)
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark: SparkSession = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def made(spark: SparkSession, folder: Path, rows: int) -> tuple[Path, Path]:
    """Judgments and runs of so many rows as Parquet, written once."""
    runs, judgments = folder / f"runs-{rows}", folder / f"judgments-{rows}"
    users = rows // LIST // 2
    user = f.concat(f.lit("u"), f.col("user").cast("string"))

    def document(place: Any) -> Any:
        shelf = f.pmod(f.xxhash64("user"), f.lit(50)) * 1000
        return f.concat(f.lit("d"), (place + shelf).cast("string")).alias("document")

    if not (runs / "_SUCCESS").exists():
        ids = spark.range(rows).select(
            (f.col("id") % LIST).alias("place"), f.floor(f.col("id") / LIST / 2).alias("user"),
            (f.floor(f.col("id") / LIST) % 2).alias("model"),
        )  # fmt: skip
        jitter = f.pmod(f.xxhash64("user", "model", "place"), f.lit(3))
        score = f.pmod(f.xxhash64("user", "place", "model"), f.lit(10**9)) / 1e9
        ids.select(
            f.concat(f.lit("model"), f.col("model").cast("string")).alias("run"), user.alias("topic"),
            document(f.col("place") * 3 + jitter), score.alias("score"),
        ).write.mode("overwrite").parquet(str(runs))  # fmt: skip
    if not (judgments / "_SUCCESS").exists():
        ids = spark.range(users * JUDGED).select(
            (f.col("id") % JUDGED).alias("place"), f.floor(f.col("id") / JUDGED).alias("user")
        )
        jitter = f.pmod(f.xxhash64("user", "place"), f.lit(15))
        ids.select(user.alias("topic"), document(f.col("place") * 15 + jitter), f.lit(1).alias("grade")).write.mode(
            "overwrite"
        ).parquet(str(judgments))
    return judgments, runs


def ours(judgments: DataFrame, runs: DataFrame) -> dict[str, float]:
    """nDCG@10 by user, then the means; the values themselves are kept as well."""
    per = gs.evaluate(judgments, runs, f"nDCG@{DEPTH}")
    means = {row["run"]: row["mean"] for row in gs.summary(per).to_pylist()}
    per.unpersist()
    return means


def by_hand(judgments: DataFrame, runs: DataFrame) -> dict[str, float]:
    """The same in Spark SQL."""
    gain = 1 / f.log2(f.col("rank") + 1)
    ranked = Window.partitionBy("run", "topic").orderBy(f.desc("score"), f.desc("document"))
    first = runs.withColumn("rank", f.row_number().over(ranked)).where(f.col("rank") <= DEPTH)
    actual = (
        first.join(judgments, ["topic", "document"])
        .groupBy("run", "topic")
        .agg(f.sum(gain * f.col("grade")).alias("dcg"))
    )
    best = Window.partitionBy("topic").orderBy(f.desc("grade"))
    cut = judgments.withColumn("rank", f.row_number().over(best)).where(f.col("rank") <= DEPTH)
    ideal = cut.groupBy("topic").agg(f.sum(gain * f.col("grade")).alias("ideal"))
    names = runs.select("run").distinct()
    every = ideal.crossJoin(names).join(actual, ["run", "topic"], "left")
    values = every.withColumn("value", f.coalesce(f.col("dcg"), f.lit(0.0)) / f.col("ideal"))
    return {row["run"]: row["mean"] for row in values.groupBy("run").agg(f.avg("value").alias("mean")).collect()}


def theirs(judgments: DataFrame, runs: DataFrame) -> dict[str, float]:
    """Spark's own class: a mean for each run, and nothing by user."""
    ideal = judgments.where("grade > 0").groupBy("topic").agg(f.collect_set("document").alias("labels"))
    means = {}
    for name in sorted(row["run"] for row in runs.select("run").distinct().collect()):
        lists = (
            runs.where(f.col("run") == name)
            .groupBy("topic")
            .agg(f.sort_array(f.collect_list(f.struct("score", "document")), asc=False).alias("ranked"))
        )
        pairs = lists.join(ideal, "topic").select(f.col("ranked.document").alias("ranked"), "labels")
        means[name] = RankingMetrics(pairs.rdd.map(tuple)).ndcgAt(DEPTH)
    return means


@dataclass(frozen=True)
class Cost:
    """Seconds of the clock and of the processors."""

    clock: float
    processors: float

    def per(self, rows: int) -> str:
        """What a row costs."""
        return f"{1e6 * self.clock / rows:.2f} µs a row, {1e6 * self.processors / rows:.2f} of the processors"


def timed(
    work: Callable[[DataFrame, DataFrame], dict[str, float]], tables: tuple[DataFrame, DataFrame]
) -> tuple[Cost, dict[str, float]]:
    """What it cost, and what came out."""
    before, spent = time.perf_counter(), processors()
    means = work(*tables)
    return Cost(time.perf_counter() - before, processors() - spent), means


def family() -> list[Path]:
    """This process and all that it started, as folders of /proc."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            children.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(int(stat.parent.name))
    waiting, folders = [os.getpid()], []
    while waiting:
        number = waiting.pop()
        folders.append(Path(f"/proc/{number}"))
        waiting += children.get(number, [])
    return folders


def processors() -> float:
    """Seconds that the processors have worked for all of Spark's processes, ended ones included."""
    ticks = 0
    for folder in family():
        with suppress(OSError):
            ticks += sum(map(int, (folder / "stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def largest_worker() -> float:
    """The most memory that a Python worker has held, in MB."""
    peaks = [0.0]
    for folder in family()[1:]:
        with suppress(OSError):
            status = dict(line.partition(":")[::2] for line in (folder / "status").read_text().splitlines())
            if status["Name"].strip().startswith("python"):
                peaks.append(int(status["VmHWM"].split()[0]) / 1000)
    return max(peaks)


def main() -> None:
    """Time and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--slope", type=int, nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--cores", default="local[2,4]")
    parser.add_argument("--only", nargs="*", default=["ours", "by_hand", "theirs"])
    parser.add_argument("--only-data", action="store_true")
    given = parser.parse_args()
    spark = session(given.cores)
    sizes = sorted({100_000, *given.slope, *([given.rows] if given.rows else [])})
    paths = {rows: made(spark, given.data, rows) for rows in sizes}
    if given.only_data:
        return
    tables = {rows: tuple(spark.read.parquet(str(path)) for path in both) for rows, both in paths.items()}
    contenders = {"ours": ours, "by_hand": by_hand, "theirs": theirs}
    small = [timed(contenders[name], tables[100_000])[1] for name in given.only]  # and everything is warm
    for means in small[1:]:
        assert all(math.isclose(means[run], small[0][run], rel_tol=1e-9) for run in means), small
    for _ in range(given.rounds if given.rows else 0):
        costs = {name: timed(contenders[name], tables[given.rows])[0] for name in given.only}
        first = costs[given.only[0]]
        for name, cost in costs.items():
            times = f"{cost.clock / first.clock:.2f} and {cost.processors / first.processors:.2f} times {given.only[0]}"
            print(
                f"{name}: {cost.clock:.1f} s, processors {cost.processors:.1f} s, {times}, {given.rows} rows",
                flush=True,
            )
    taken = []
    for rows in given.slope:
        taken.append(timed(ours, tables[rows])[0])
        print(f"{rows} rows: {taken[-1].clock:.1f} s, processors {taken[-1].processors:.1f} s, {taken[-1].per(rows)}",
              flush=True)  # fmt: skip
    if len(taken) > 1:
        growth = math.log(given.slope[-1] / given.slope[0])
        clock, work = (
            math.log(getattr(taken[-1], of) / getattr(taken[0], of)) / growth for of in ("clock", "processors")
        )
        print(f"slope {clock:.3f}, of the processors {work:.3f}")
    print(f"largest Python worker: {largest_worker():.0f} MB; load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
