"""The verb `curves` on Spark: each bucket returns its sums by rank, which add up to the curves of one machine."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Unpack

from gaincurve.curve.points import Curves, Stopping
from gaincurve.errors import InputError, Problem
from gaincurve.measures.notation import parse_measures
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.columns import Given
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import shorten
from gaincurve.spark.dealt import MOST_ROWS, Dealt
from gaincurve.spark.evaluate import gathered, refuse_unsupported, signed
from gaincurve.spark.frames import functions
from gaincurve.spark.notes import checked, curve_notes
from gaincurve.verbs.curves import DEFAULT_CURVES, checked_curves, curve_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NAMED_TOPICS = 1_000_000
"""Topics up to which a result names every topic and its stopping rank."""


def curves(
    judgments: DataFrame,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_CURVES,
    *,
    scenario: Scenario | str = "default",
    normalise: str = "mean-of-ratios",
    topic: str | int | None = None,
    columns: Given | None = None,
    grades_are_scores: bool = False,
    duplicates: str = "error",
    buckets: int | None = None,
    most_rows: int = MOST_ROWS,
    **choices: Unpack[ScenarioChoices],
) -> Curves:
    """Mean curves by rank, as `gaincurve.curves` draws them; the other arguments are those of `evaluate` here.

    Topics are named, each with the rank after which it has nothing more to give, where there are at most a million.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    asked, depth = checked_curves(parse_measures(measures), chosen, normalise)
    refuse_unsupported(asked, chosen)
    single = None if topic is None else str(topic)
    dealt = Dealt.of(judgments, runs, columns, grades_are_scores, duplicates, buckets, most_rows, chosen.ties, single)
    from gaincurve.spark.bucket import SCHEMA, Task, draw_bucket  # noqa: PLC0415 -- needs pyarrow

    task = Task(dealt.names, tuple(asked), chosen, dealt.scale, most_rows, duplicates, depth, normalise)
    rows = dealt.worked(partial(draw_bucket, task), SCHEMA).persist()
    facts = gathered(rows) if dealt.rows else None
    if facts is None or (single is not None and not facts.topics):
        raise InputError(Problem("topic-unknown", f"topic {shorten(single or '')} is not judged", "judgments"))
    checked(facts, dealt.names, chosen)
    drawn = []
    for i, (measure, sums) in enumerate(zip(asked, facts.curves, strict=True)):
        signature = signed(
            measure.at_depth(depth), chosen, dealt.scale, [run.measures[i].defined for run in facts.runs], facts.topics,
            normalise=normalise if measure.definition.normalised else "",
        ).but(topic=single)  # fmt: skip
        drawn.append(curve_of(measure, chosen, depth, sums, signature))
    f = functions()
    ranks = rows.where("facts is null").select("topic", f.col("value").cast("long").alias("rank"))
    giving = ranks.where("rank > 0").agg(f.sum("rank"), f.count("*"), f.max("rank")).first()
    total, count, last = giving if giving is not None and giving[1] else (0, 0, 0)
    named = sorted(map(tuple, ranks.collect())) if facts.topics <= NAMED_TOPICS else []
    rows.unpersist()
    return Curves(
        runs=dealt.names,
        topics=tuple(name for name, _ in named),
        topic=single,
        depth=depth,
        curves=tuple(drawn),
        normalise=normalise,
        stopping=Stopping(dict(named), total / count if count else float("nan"), last),
        inputs=(),
        notes=tuple(curve_notes(facts, dealt.names, asked, chosen)),
    )
