"""The verb `evaluate` on Spark: data frames in, values by run and topic out, scored bucket by bucket."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from gaincurve.errors import ChoiceError, InputError, Problem
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.columns import Given
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.signature import sign
from gaincurve.spark.facts import Facts
from gaincurve.spark.frames import counted_buckets, functions, in_buckets, named, one_frame
from gaincurve.spark.notes import checked, notes_of
from gaincurve.spark.values import TopicValues
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import defined_text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROWS_A_BUCKET = 1_000_000
"""Rows of judgments and runs together that a bucket gets on average."""

MOST_ROWS = 20_000_000
"""Rows that a bucket may have: a task grades them in about 100 bytes each, so in 2 GB."""

SAMPLED_TOPICS = 200
MOST_GRADES = 10_000


def evaluate(
    judgments: DataFrame,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    scenario: Scenario | str = "default",
    columns: Given | None = None,
    grades_are_scores: bool = False,
    buckets: int | None = None,
    most_rows: int = MOST_ROWS,
    **choices: Unpack[ScenarioChoices],
) -> TopicValues:
    """Score runs against judgments, as `gaincurve.evaluate` does.

    `judgments` is a data frame; `runs` is one with a column run, a single run without it, a list of frames or
    {name: frame}. `columns`, `scenario` and `choices` are those of `gaincurve.evaluate`. Rows are dealt to `buckets`
    by topic, one for a million rows unless given; a bucket of more than `most_rows` is refused. No number depends
    on either.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    asked = tuple(asked_measures(measures, chosen))
    _refuse_unsupported(asked, chosen)
    judged = named(judgments, "judgments", columns)
    whole, names = one_frame(runs, columns)
    scale = _scale(judged, grades_are_scores)
    rows = judged.count() + whole.count() if buckets is None else 0
    count = counted_buckets(buckets, rows, ROWS_A_BUCKET)
    from gaincurve.spark.bucket import SCHEMA, Task, score_bucket  # noqa: PLC0415 -- needs pyarrow

    task = Task(names, asked, chosen, scale, most_rows)
    dealt = in_buckets(judged, count).cogroup(in_buckets(whole, count))
    scored = dealt.applyInArrow(partial(_score, score_bucket, task), SCHEMA).persist()
    facts = _gathered(scored)
    checked(facts, names, chosen)
    signatures = tuple(
        sign(
            measure,
            chosen,
            np.array(scale),
            topics=defined_text([run.measures[i].defined for run in facts.runs], facts.topics),
        )
        for i, measure in enumerate(asked)
    )
    values = scored.where("facts is null").drop("facts")
    if chosen.unjudged != "bounds":
        values = values.drop("low", "high")
    return TopicValues(values, names, asked, signatures, notes_of(facts, names, asked, chosen), facts.topics)


def _score(work: Any, task: Any, judgments: Any, runs: Any) -> Any:
    """A bucket without the number of the bucket, which no reader of columns should see."""
    return work(task, judgments.drop(["bucket"]), runs.drop(["bucket"]))


def _refuse_unsupported(measures: Iterable[Measure], scenario: Scenario) -> None:
    """Rows of Spark stand in no order, and subtopics are not dealt to buckets."""
    if scenario.ties == "file":
        what = "ties cannot be 'file' on Spark: the rows of its data frames stand in no order"
        raise ChoiceError(Problem("choice-unknown", what, hint="ties='trec', or a column rank"))
    other = next((measure for measure in measures if measure.definition.needs in ("subtopics", "strata")), None)
    if other is not None:
        what = f"{other} needs the {other.definition.needs} of judgments, which are not read on Spark"
        raise ChoiceError(Problem("measure-kind", what, hint="gaincurve.evaluate on one machine"))


def _scale(judged: DataFrame, grades_are_scores: bool) -> tuple[float, ...]:
    """The grades used anywhere; a few hundred topics tell what is wrong with all, as on one machine."""
    f = functions()
    first = judged.select("topic").distinct().orderBy(f.xxhash64("topic"), "topic").limit(SAMPLED_TOPICS)
    sample = judged.join(f.broadcast(first), "topic", "left_semi").toArrow()
    if not len(sample):
        raise InputError(Problem("input-empty", "judgments has no rows", "judgments"))
    Judgments.of(sample, grades_are_scores=grades_are_scores)
    grades = [
        row[0] for row in judged.select(f.col("grade").cast("double")).distinct().limit(MOST_GRADES + 1).collect()
    ]
    if len(grades) > MOST_GRADES:
        what = f"the judgments use more than {MOST_GRADES} different grades"
        raise InputError(Problem("judgments-grade", what, "judgments"))
    return tuple(sorted(grade for grade in grades if grade is not None and np.isfinite(grade)))


def _gathered(scored: DataFrame) -> Facts:
    """The facts of all buckets together: this is where everything is computed."""
    written = sorted(row[0] for row in scored.where("facts is not null").select("facts").collect())
    every = [Facts.read(text) for text in written]
    whole = every[0]
    for facts in every[1:]:
        whole.add(facts)
    return whole
