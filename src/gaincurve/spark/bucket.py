"""What a worker does: the judgments and runs of a bucket of topics in, values by run, topic and measure out.

A task holds one bucket. What is wrong with its rows travels back as facts, so that the driver raises it once, in the
words that one machine uses, and no task is tried again in vain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gaincurve.errors import ChoiceError, GaincurveError, Problem
from gaincurve.model.graded import Graded, Matches, graded, pooled
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.source import Source, counted, shorten
from gaincurve.spark.facts import Facts, MeasureFacts, RunFacts, Several, exact_parts
from gaincurve.verbs.evaluate import check_measures, need, score_runs
from gaincurve.verbs.experiment import Experiment, grade_object, under_rules
from gaincurve.verbs.experiment import counted as counting
from gaincurve.verbs.remarks import rank_seen
from gaincurve.verbs.ties import tie_ends

SCHEMA = "run string, topic string, measure string, value double, low double, high double, facts string"
COLUMNS = ("run", "topic", "measure", "value", "low", "high", "facts")


@dataclass(frozen=True)
class Task:
    """What is asked of every bucket; `scale` are the grades that the judgments use anywhere."""

    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    scenario: Scenario
    scale: tuple[float, ...]
    most_rows: int


def score_bucket(task: Task, judgments: pa.Table, runs: pa.Table) -> pa.Table:
    """The values of a bucket's topics, and one row with its facts."""
    try:
        _refuse_long(task, judgments, runs)
        return _scored(task, judgments, runs)
    except GaincurveError as error:
        problems = [(p.slug, p.what, p.at.partition(", row ")[0], p.hint) for p in error.problems]
        empty = [RunFacts(measures=[MeasureFacts() for _ in task.measures]) for _ in task.runs]
        facts = Facts(problems=problems, more=error.more, of_choice=isinstance(error, ChoiceError), runs=empty)
        return _with_facts(facts, [])


def _refuse_long(task: Task, judgments: pa.Table, runs: pa.Table) -> None:
    """Refuse a bucket that a task has no memory for, by the name of its longest topic."""
    rows = len(judgments) + len(runs)
    if rows <= task.most_rows:
        return
    counts = max(pc.value_counts(runs["topic"]).to_pylist(), key=lambda entry: entry["counts"])
    what = (
        f"a bucket of topics has {counted(rows, 'row')}, and a task holds {counted(task.most_rows, 'row')}; "
        f"its longest topic is {shorten(str(counts['values']))} with {counted(counts['counts'], 'row')}"
    )
    raise ChoiceError(Problem("spark-bucket", what))


def _scored(task: Task, judgments: pa.Table, runs: pa.Table) -> pa.Table:
    facts = Facts(runs=[RunFacts(measures=[MeasureFacts() for _ in task.measures]) for _ in task.runs])
    tables = [runs.filter(pc.equal(runs["run"], name)).drop(["run"]) for name in task.runs]
    if not len(judgments):
        for of_run, table in zip(facts.runs, tables, strict=True):
            of_run.rows, of_run.strangers = len(table), _topics(table)
            _checked(table, task.scenario.ties)
        return _with_facts(facts, [])
    judged = replace(Judgments.of(judgments, grades_are_scores=True), scale=np.array(task.scale))
    facts.topics, facts.rows, facts.negative = len(judged.topics), len(judged), int((judged.grades < 0).sum())
    facts.judged = Several.of(judged.topics).first
    scores = need("scores", task.measures)
    seen = [
        _graded(judged, table, name, task.scenario.ties, scores, of_run)
        for name, table, of_run in zip(task.runs, tables, facts.runs, strict=True)
    ]
    ruled = pooled([under_rules(run, task.scenario) for run in seen], judged)
    check_measures(Experiment(judged, tuple(ruled)), task.measures, task.scenario)
    values = score_runs(ruled, task.measures, task.scenario)
    for r, of_run in enumerate(facts.runs):
        _note(task, np.diff(judged.offsets), seen[r], ruled[r], values.values[r], of_run)
    return _with_facts(facts, _rows(values))


def _graded(judged: Judgments, table: pa.Table, name: str, ties: str, scores: bool, facts: RunFacts) -> Graded:
    """One run of the bucket: also one that has no list there, and without the topics that nobody judged."""
    facts.rows = len(table)
    known = pc.is_in(table["topic"], value_set=pa.array(judged.topics, type=table.schema.field("topic").type))
    facts.strangers = _topics(table.filter(pc.invert(known)))
    if pc.any(known).as_py():
        return grade_object(judged, table, name, ties, scores)[0]
    _checked(table, ties)
    return _absent(judged, name, ties, scores)


def _topics(table: pa.Table) -> Several:
    """The topics of a table."""
    return Several.of(map(str, pc.unique(table["topic"]).to_pylist()))


def _checked(table: pa.Table, ties: str) -> None:
    """Rows on topics that nobody judged must be sound, too."""
    if len(table):
        Run.of(table, "run", ties)


def _absent(judged: Judgments, name: str, ties: str, scores: bool) -> Graded:
    """A run without a list in the bucket."""
    none = np.zeros(0, dtype=np.int64)
    extra = np.zeros(0) if scores else None
    base = none.astype(np.int32)
    matches = Matches(Ids.from_texts([]), base, none, none, none, none, none, none, extra, extra)
    every = np.arange(len(judged.topics), dtype=np.int32)
    return graded(judged, matches, judged.units, base, every, name, ties, Source(name, "Spark", 0, 0))


def _note(task: Task, judged: Ints, seen: Graded, ruled: Graded, values: Floats, facts: RunFacts) -> None:
    """What the driver needs for the notes of a run; `judged` says how many documents of each topic are."""
    names = seen.units.names
    facts.topics = int(seen.present.sum())
    facts.missing = Several.of(name for name, there in zip(names, seen.present.tolist(), strict=True) if not there)
    rank = rank_seen(task.measures)
    facts.seen = int(np.minimum(ruled.retrieved, rank).sum())
    facts.unjudged = int(ruled.unjudged_at(rank).sum())
    facts.matched = len(distinct(seen.judgment))
    facts.possible = int(np.minimum(seen.retrieved, judged).sum())
    facts.listed = int(seen.retrieved.sum())
    if seen.stray is not None:
        facts.elsewhere, facts.alike = seen.stray.elsewhere, seen.stray.alike
        facts.examples = [seen.stray.judged, seen.stray.retrieved]
        if seen.stray.join is not None:
            facts.joins = {seen.stray.join.how: seen.stray.join.joined}
    enters = counting(ruled, task.scenario)
    tied = not ruled.spread and bool((ruled.last > ruled.first).any())
    for measure, of_measure, column in zip(task.measures, facts.measures, values, strict=True):
        nowhere = np.isnan(column)
        of_measure.defined = int((~nowhere).sum())
        of_measure.undefined = Several.of(ruled.units.named(np.flatnonzero(nowhere & enters)))
        if ruled.spread or measure.definition.bounds is None or measure.summary != "mean":
            continue
        of_measure.tied = tied
        ends = tie_ends(ruled, measure, task.scenario) if tied else (column, column)
        of_measure.worst, of_measure.best = (exact_parts(end[~np.isnan(end)].tolist()) for end in ends)


def _rows(scores: Scores) -> list[Any]:
    """run, topic, measure and values as Arrow columns."""
    runs, measures, units = scores.values.shape
    each = np.arange(runs * measures * units)
    columns = [
        pa.DictionaryArray.from_arrays(pa.array(each // (measures * units)), pa.array(scores.runs, pa.string())),
        pa.DictionaryArray.from_arrays(pa.array(each % units), pa.array(scores.units, pa.string())),
        pa.DictionaryArray.from_arrays(pa.array(each // units % measures), pa.array(scores.texts, pa.string())),
    ]
    sides: Sequence[Floats | None] = (scores.values, scores.low, scores.high)
    numbers = [pa.nulls(len(each), pa.float64()) if side is None else pa.array(side.ravel()) for side in sides]
    return [*(column.cast(pa.string()) for column in columns), *numbers, pa.nulls(len(each), pa.string())]


def _with_facts(facts: Facts, rows: list[Any]) -> pa.Table:
    """The rows of values and one of facts."""
    types = [pa.string()] * 3 + [pa.float64()] * 3 + [pa.string()]
    schema = pa.schema(list(zip(COLUMNS, types, strict=True)))
    told = [pa.array([None], kind) for kind in types[:-1]] + [pa.array([facts.written()], pa.string())]
    tables = [pa.Table.from_arrays(told, schema=schema)]
    if rows:
        tables.append(pa.Table.from_arrays(rows, schema=schema))
    return pa.concat_tables(tables)
