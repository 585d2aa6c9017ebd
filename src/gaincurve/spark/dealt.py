"""Judgments and runs dealt to buckets by their topic: what all verbs on Spark begin with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

import numpy as np

from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.model.columns import Given
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.spark.cut import cut, depth_needed
from gaincurve.spark.frames import counted_buckets, functions, named, number, one_frame
from gaincurve.verbs.experiment import grade_object

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROWS_A_BUCKET = 1_000_000
"""Rows of judgments and runs together that a bucket gets on average."""

MOST_ROWS = 5_000_000
"""Rows that a bucket may have, so that a task stays below 2 GB: in short lists about 100 bytes a row, in one long list
360 (measured on 10^7 rows)."""

DUPLICATES = ("error", "first")
SAMPLED_TOPICS = 200
OF_ROWS = ("judgments-grade", "judgments-duplicate-document", "judges-differ", "input-id")
"""What is wrong with single rows of judgments."""
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
        ties: str = "trec",
        topic: str | None = None,
    ) -> Self:
        """Data frames as they were given; of one topic where it is named."""
        judged = named(judgments, "judgments", columns)
        frame, names = one_frame(runs, columns, ties)
        sample, seen = _sampled(judged, one_of("duplicates", duplicates, DUPLICATES), grades_are_scores)
        if seen is not None and seen.doubtful:
            _refuse_exchanged(seen, frame, sample, names)
        scale = _scale(judged)
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
        # a call of its own: Spark takes an equal plan from its cache, even where the files behind it were written again
        result: DataFrame = dealt.applyInArrow(partial(_in_bucket, work, uuid4().hex), f"bucket int, {schema}")
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


def _in_bucket(work: Any, call: str, key: Any, judgments: Any, runs: Any) -> Any:
    """What a bucket returns, with its number; no reader of columns should see that."""
    del call
    import pyarrow as pa  # noqa: PLC0415 -- the extra

    table = work(judgments.drop(["bucket"]), runs.drop(["bucket"]))
    return table.add_column(0, "bucket", pa.array([key[0].as_py()] * len(table), pa.int32()))


def _sampled(judged: DataFrame, duplicates: str, grades_are_scores: bool) -> tuple[DataFrame, Judgments | None]:
    """A few hundred topics, and their judgments, which tell whether all look like scores; None where rows are broken.

    Broken rows are counted with all others, bucket by bucket.
    """
    f = functions()
    topics = judged.select("topic").distinct().orderBy(f.xxhash64("topic"), "topic").limit(SAMPLED_TOPICS)
    sample = judged.join(f.broadcast(topics), "topic", "left_semi").toArrow()
    if not len(sample):
        if judged.isEmpty():
            raise InputError(Problem("input-empty", "judgments has no rows", "judgments"))
        return topics, None
    try:
        return topics, Judgments.of(sample, duplicates, grades_are_scores=grades_are_scores)
    except InputError as error:
        if error.slug not in OF_ROWS:
            raise
        return topics, None


def _refuse_exchanged(judgments: Judgments, runs: DataFrame, topics: DataFrame, names: Sequence[str]) -> None:
    """Refuse runs that look like judgments beside judgments that could be scores, by the same few hundred topics."""
    f = functions()
    sample = runs.join(f.broadcast(topics), "topic", "left_semi").toArrow()
    for name in names:
        rows = sample.filter([value == name for value in sample["run"].to_pylist()]).drop(["run"])
        try:
            if len(rows):
                grade_object(judgments, rows, name, "trec")
        except InputError as error:
            if error.slug == "judgments-scores":
                raise


def _scale(judged: DataFrame) -> tuple[float, ...]:
    """The grades used anywhere."""
    grades = [row[0] for row in judged.select(number(judged, "grade")).distinct().limit(MOST_GRADES + 1).collect()]
    if len(grades) > MOST_GRADES:
        what = f"the judgments use more than {MOST_GRADES} different grades"
        raise InputError(Problem("judgments-grade", what, "judgments"))
    return tuple(sorted(grade for grade in grades if grade is not None and np.isfinite(grade)))
