"""Judgments and runs dealt to buckets by their topic: what all verbs on Spark begin with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.model.columns import Given
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.spark.cut import cut, depth_needed
from gaincurve.spark.frames import counted_buckets, functions, named, one_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROWS_A_BUCKET = 1_000_000
"""Rows of judgments and runs together that a bucket gets on average."""

MOST_ROWS = 20_000_000
"""Rows that a bucket may have: a task grades them in about 100 bytes each, so in 2 GB."""

DUPLICATES = ("error", "first")
SAMPLED_TOPICS = 200
MOST_GRADES = 10_000


@dataclass(frozen=True, eq=False)
class Dealt:
    """Judgments and runs under our names, and in how many buckets their topics are scored.

    `scale` are the grades used anywhere; `uncut` are the runs as they were given, where `runs` hold first ranks only.
    """

    judged: DataFrame
    runs: DataFrame
    names: tuple[str, ...]
    scale: tuple[float, ...]
    rows: int
    buckets: int
    most_rows: int
    uncut: DataFrame | None = None

    @property
    def whole(self) -> bool:
        """Whether lists are as they were given, not cut."""
        return self.uncut is None

    @property
    def given(self) -> DataFrame:
        """The runs as they were given."""
        return self.runs if self.uncut is None else self.uncut

    @classmethod
    def of(
        cls,
        judgments: DataFrame,
        runs: object,
        columns: Given | None,
        grades_are_scores: bool,
        duplicates: str,
        buckets: int | None,
        most_rows: int,
        topic: str | None = None,
    ) -> Self:
        """Data frames as they were given; of one topic where it is named."""
        judged = named(judgments, "judgments", columns)
        frame, names = one_frame(runs, columns)
        scale = _scale(judged, one_of("duplicates", duplicates, DUPLICATES), grades_are_scores)
        if topic is not None:
            judged, frame = (rows.where(functions().col("topic") == topic) for rows in (judged, frame))
        rows = judged.count() + frame.count()
        return cls(judged, frame, names, scale, rows, counted_buckets(buckets, rows, ROWS_A_BUCKET), most_rows)

    def cut(self, measures: Sequence[Measure], scenario: Scenario) -> Dealt:
        """The same with lists cut to the ranks that the measures look at, where a list is long."""
        depth = depth_needed(measures, scenario)
        if not depth or "score" not in self.runs.columns or self.rows < LONG_ENOUGH:
            return self
        f = functions()
        longest = self.runs.groupBy("run", "topic").count().agg(f.max("count")).first()
        if longest is None or longest[0] is None or longest[0] < max(LONG_ENOUGH, depth):
            return self
        return replace(self, uncut=self.runs, runs=cut(self.runs, depth, scenario.ties, longest[0]))

    def worked(self, work: Callable[..., Any], schema: str, done: Collection[int] = ()) -> DataFrame:
        """What `work` returns for the judgments and runs of every bucket, but for those that are `done`."""
        self.refuse_long()
        both = [_by_bucket(frame, self.buckets, done) for frame in (self.judged, self.runs)]
        dealt = both[0].cogroup(both[1])
        result: DataFrame = dealt.applyInArrow(partial(_in_bucket, work), f"bucket int, {schema}")
        return result

    def refuse_long(self) -> None:
        """Refuse, before a task is given it, a bucket that no task holds, by the name of its longest topic."""
        if self.rows <= self.most_rows:
            return
        f = functions()
        frames = [self.judged, self.runs] if self.whole else [self.judged]
        topics = [frame.groupBy("topic").agg(f.count("*").alias("rows")) for frame in frames]
        every = topics[0] if len(topics) == 1 else topics[0].unionByName(topics[1])
        by_topic = every.groupBy("topic").agg(f.sum("rows").alias("rows"))
        filled = by_topic.groupBy(_bucket(self.buckets).alias("bucket")).agg(
            f.sum("rows").alias("all"), f.max(f.struct("rows", "topic")).alias("longest")
        )
        worst = filled.where(f.col("all") > self.most_rows).orderBy(f.desc("all"), "bucket").first()
        if worst is None:
            return
        from gaincurve.spark.bucket import too_long  # noqa: PLC0415 -- needs pyarrow

        raise ChoiceError(too_long(worst["all"], self.most_rows, worst["longest"]["topic"], worst["longest"]["rows"]))


LONG_ENOUGH = 10_000
"""Lists are cut where one is as long as this: sorting short ones in Spark takes as long as grading them whole."""


def _bucket(buckets: int) -> Any:
    f = functions()
    return f.pmod(f.xxhash64("topic"), f.lit(buckets))


def _by_bucket(frame: DataFrame, buckets: int, done: Collection[int]) -> Any:
    """Rows grouped by bucket: all rows of a topic are in one."""
    rows = frame.withColumn("bucket", _bucket(buckets))
    if done:
        rows = rows.where(~functions().col("bucket").isin(*done))
    return rows.repartition(buckets, "bucket").groupBy("bucket")  # no more tasks than buckets


def _in_bucket(work: Any, key: Any, judgments: Any, runs: Any) -> Any:
    """What a bucket returns, with its number; no reader of columns should see that."""
    import pyarrow as pa  # noqa: PLC0415 -- the extra

    table = work(judgments.drop(["bucket"]), runs.drop(["bucket"]))
    return table.add_column(0, "bucket", pa.array([key[0].as_py()] * len(table), pa.int32()))


def _scale(judged: DataFrame, duplicates: str, grades_are_scores: bool) -> tuple[float, ...]:
    """The grades used anywhere; a few hundred topics tell what is wrong with all, as on one machine."""
    f = functions()
    first = judged.select("topic").distinct().orderBy(f.xxhash64("topic"), "topic").limit(SAMPLED_TOPICS)
    sample = judged.join(f.broadcast(first), "topic", "left_semi").toArrow()
    if not len(sample):
        raise InputError(Problem("input-empty", "judgments has no rows", "judgments"))
    Judgments.of(sample, duplicates, grades_are_scores=grades_are_scores)
    grades = [
        row[0] for row in judged.select(f.col("grade").cast("double")).distinct().limit(MOST_GRADES + 1).collect()
    ]
    if len(grades) > MOST_GRADES:
        what = f"the judgments use more than {MOST_GRADES} different grades"
        raise InputError(Problem("judgments-grade", what, "judgments"))
    return tuple(sorted(grade for grade in grades if grade is not None and np.isfinite(grade)))
