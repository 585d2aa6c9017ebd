"""Only the ranks that count: lists cut before they travel, where every measure has a cutoff.

A list is cut to the largest cutoff and the whole block of documents tied there, and how many it had is carried
along, so no value changes. Of a long list first every salt, a part of its documents, is cut: what is among the first
k documents of the list is among the first k of its part. So no task sorts the whole of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gaincurve.model.measure import Measure
from gaincurve.model.order import FLOAT32, SCORE_RULES
from gaincurve.model.scenario import Scenario
from gaincurve.spark.frames import functions, number

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LONG = 100_000
"""Documents from which a list is cut in two steps."""

SALT_ROWS = 50_000
"""Documents that a salt of a long list gets."""

MOST_SALTS = 1000


def depth_needed(measures: Sequence[Measure], scenario: Scenario) -> int:
    """The largest cutoff of the measures; 0 where whole lists are needed."""
    ranks = [measure.rank for measure in measures]
    # a measure without bounds may look at the whole list, as the sliding ratio does
    bounded = all(measure.definition.bounds is not None for measure in measures)
    whole = scenario.unjudged != "zero" or scenario.ties not in SCORE_RULES
    ideals = {measure.choices(scenario).ideal for measure in measures} | {scenario.ideal}
    if (
        whole
        or not bounded
        or ideals & {"retrieved", "pooled"}
        or any(measure.definition.needs for measure in measures)
    ):
        return 0
    return max((rank for rank in ranks if rank), default=0) if all(ranks) else 0


def cut(runs: DataFrame, depth: int, ties: str, longest: int) -> DataFrame:
    """The first ranks of every list, with the columns `retrieved`, its length, and `repeats`, whether any document of
    it stands there twice. Rows that no run may have are kept, to be refused. `longest` is the longest list."""
    f = functions()
    from pyspark.sql import Window  # noqa: PLC0415 -- the extra

    salts = min(MOST_SALTS, -(-longest // SALT_ROWS)) if longest > LONG else 1
    value = number(runs, "score").cast("float" if ties in FLOAT32 else "double")
    broken = (
        value.isNull() | value.isin(float("nan"), float("-inf")) | f.col("document").isNull() | f.col("topic").isNull()
    )
    # rows are compared by one number first, and by names only within a list
    lists = ["list", "run", "topic"]
    keyed = runs.withColumn("list", f.xxhash64("run", "topic")).withColumn("value", value)
    if salts > 1:
        keyed = _first(f, keyed.withColumn("salt", f.pmod(f.xxhash64("document"), f.lit(salts))),
                       Window.partitionBy(*lists, "salt"), depth, broken)  # fmt: skip
    first = _first(f, keyed, Window.partitionBy(*lists), depth, broken)
    lengths = _lengths(f, runs)
    return first.join(lengths, ["run", "topic"]).select("run", "topic", "document", "score", "retrieved", "repeats")


def _first(f: Any, rows: DataFrame, window: Any, depth: int, broken: Any) -> DataFrame:
    """The rows of the first ranks within a window, ties and broken rows included."""
    ranked = rows.withColumn("place", f.rank().over(window.orderBy(f.col("value").desc_nulls_first())))
    return ranked.where((f.col("place") <= depth) | broken).drop("place")


def _lengths(f: Any, runs: DataFrame) -> DataFrame:
    """How long each list is, and whether it may hold a document twice: by hashes, in two steps without skew."""
    documents = runs.groupBy("run", "topic", f.xxhash64("document").alias("key")).agg(f.count("*").alias("times"))
    return documents.groupBy("run", "topic").agg(
        f.sum("times").alias("retrieved"), (f.max("times") > 1).alias("repeats")
    )
