"""Spark: ours against SQL written by hand and against Spark's RankingMetrics, in one session; and what a row costs.

usage: python bench/spark.py [--rows 20000000] [--slope 2000000 40000000] [--rounds 1] [--data FOLDER] [--only-data]

Made-up lists of 100 documents by two models, 20 binary judgments for each user. Binary, because RankingMetrics drops
grades; the three must agree on nDCG@10 before they are timed. Only ratios within one run mean anything.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import sys
import time
from collections.abc import Callable
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


def timed(
    work: Callable[[DataFrame, DataFrame], dict[str, float]], tables: tuple[DataFrame, DataFrame]
) -> tuple[float, dict[str, float]]:
    """Seconds, and what came out."""
    before = time.perf_counter()
    means = work(*tables)
    return time.perf_counter() - before, means


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
        seconds = {name: timed(contenders[name], tables[given.rows])[0] for name in given.only}
        for name, taken in seconds.items():
            print(
                f"{name}: {taken:.1f} s, {taken / seconds[given.only[0]]:.2f} times ours, {given.rows} rows", flush=True
            )
    taken = []
    for rows in given.slope:
        taken.append(timed(ours, tables[rows])[0])
        print(f"{rows} rows: {taken[-1]:.1f} s, {1e6 * taken[-1] / rows:.2f} µs a row", flush=True)
    if len(taken) > 1:
        slope = math.log(taken[-1] / taken[0]) / math.log(given.slope[-1] / given.slope[0])
        print(f"slope {slope:.3f}")
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    print(f"largest process beside this one: {workers:.0f} MB")


if __name__ == "__main__":
    main()
