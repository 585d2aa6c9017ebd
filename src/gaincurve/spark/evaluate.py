"""The verb `evaluate` on Spark: data frames in, values by run and topic out, scored bucket by bucket."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.columns import Given
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.signature import Signature, sign
from gaincurve.model.strays import FEW
from gaincurve.spark.dealt import MOST_ROWS, Dealt
from gaincurve.spark.facts import Facts
from gaincurve.spark.notes import checked, notes_of
from gaincurve.spark.values import TopicValues
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import defined_text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def evaluate(
    judgments: DataFrame,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    scenario: Scenario | str = "default",
    columns: Given | None = None,
    grades_are_scores: bool = False,
    duplicates: str = "error",
    buckets: int | None = None,
    most_rows: int = MOST_ROWS,
    out: str | None = None,
    **choices: Unpack[ScenarioChoices],
) -> TopicValues:
    """Score runs against judgments, as `gaincurve.evaluate` does.

    `judgments` is a data frame; `runs` is one with a column run, a single run without it, a list of frames or
    {name: frame}. `columns`, `scenario` and `choices` are those of `gaincurve.evaluate`. Of a document listed twice
    `duplicates='first'` keeps the place ranked first. Rows are dealt to `buckets` by topic, one for a million rows
    unless given; a bucket of more than `most_rows` is refused. No number depends on either. With `out`, a folder, the
    values are written there as Parquet, bucket by bucket: the same call, made again, skips those that stand.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    asked = tuple(asked_measures(measures, chosen))
    refuse_unsupported(asked, chosen)
    dealt = Dealt.of(judgments, runs, columns, grades_are_scores, duplicates, buckets, most_rows, chosen.ties)
    from gaincurve.spark.bucket import Task, score_bucket  # noqa: PLC0415 -- needs pyarrow

    task = Task(dealt.names, asked, chosen, dealt.scale, most_rows, duplicates)
    short = dealt.cut(asked, chosen)
    scored, facts = _scored(short, partial(score_bucket, task), task, out)
    if short is not dealt and _whole_needed(facts):
        scored, facts = _scored(dealt, partial(score_bucket, task), task, out)
    checked(facts, dealt.names, chosen)
    signatures = tuple(
        signed(measure, chosen, dealt.scale, [run.measures[i].defined for run in facts.runs], facts.topics)
        for i, measure in enumerate(asked)
    )
    values = scored.where("facts is null").select("run", "topic", "measure", "value", "low", "high")
    if chosen.unjudged != "bounds":
        values = values.drop("low", "high")
    notes = notes_of(facts, dealt.names, asked, chosen)
    return TopicValues(values, dealt.names, asked, signatures, notes, facts.topics, scored, dealt, task)


def signed(
    measure: Measure, scenario: Scenario, scale: Sequence[float], defined: list[int], topics: int, **more: Any
) -> Signature:
    """The signature of a measure, from how many topics have a value."""
    return sign(measure, scenario, np.array(scale), topics=defined_text(defined, topics), **more)


def _whole_needed(facts: Facts) -> bool:
    """Whether what is wrong can be told from whole lists only: documents listed twice, and ids that hardly match."""
    return facts.repeats or any(run.matched < FEW * run.possible or not run.matched for run in facts.runs)


def _scored(dealt: Dealt, work: Any, task: Any, out: str | None) -> tuple[DataFrame, Facts]:
    """The rows that all buckets return, and their facts together: this is where everything is computed."""
    from gaincurve.spark.bucket import SCHEMA  # noqa: PLC0415 -- needs pyarrow

    if out is None:
        rows = dealt.worked(work, SCHEMA).persist()
    else:
        from gaincurve.spark.resumed import resumed  # noqa: PLC0415 -- only where values are written

        rows = resumed(dealt, work, SCHEMA, task, out)
    return rows, gathered(rows)


def gathered(rows: DataFrame) -> Facts:
    """The facts of all buckets together."""
    written = sorted(row[0] for row in rows.where("facts is not null").select("facts").collect())
    every = [Facts.read(text) for text in written]
    whole = every[0]
    for facts in every[1:]:
        whole.add(facts)
    return whole


def refuse_unsupported(measures: Iterable[Measure], scenario: Scenario) -> None:
    """Rows of Spark stand in no order, and subtopics are not dealt to buckets."""
    if scenario.ties == "file":
        what = "ties cannot be 'file' on Spark: the rows of its data frames have no order"
        raise ChoiceError(Problem("choice-unknown", what, hint="ties='trec', or a column rank"))
    other = next((measure for measure in measures if measure.definition.needs in ("subtopics", "strata")), None)
    if other is not None:
        what = f"{other} needs the {other.definition.needs} of judgments, which are not read on Spark"
        raise ChoiceError(Problem("measure-kind", what, hint="gaincurve.evaluate on one machine"))
