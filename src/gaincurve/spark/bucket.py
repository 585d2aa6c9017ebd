"""What a worker does: the judgments and runs of a bucket of topics in, values by run, topic and measure out.

A task holds one bucket. What is wrong with its rows travels back as facts, so that the driver raises it once, in the
words that one machine uses, and no task is tried again in vain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gaincurve.errors import ChoiceError, GaincurveError, Problem
from gaincurve.model.exact import exact_parts
from gaincurve.model.graded import Graded, graded, pooled
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.matches import Matches
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.source import Source, counted, shorten
from gaincurve.spark.facts import Facts, MeasureFacts, RunFacts, Several
from gaincurve.verbs.curves import stopping_ranks, summed
from gaincurve.verbs.evaluate import check_measures, need, score_runs
from gaincurve.verbs.experiment import Experiment, check_gains, grade_object, under_rules
from gaincurve.verbs.experiment import counted as counting
from gaincurve.verbs.remarks import rank_seen
from gaincurve.verbs.ties import tie_ends

COLUMNS = {"run": "string", "topic": "string", "measure": "string", "value": "double", "low": "double",
           "high": "double", "facts": "string"}  # fmt: skip
SCHEMA = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
_ARROW = {"string": pa.string(), "double": pa.float64()}


@dataclass(frozen=True)
class Task:
    """What is asked of every bucket; `scale` are the grades that the judgments use anywhere.

    `measures` are scored, or drawn to rank `depth` where that is given.
    """

    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    scenario: Scenario
    scale: tuple[float, ...]
    most_rows: int
    duplicates: str = "error"
    depth: int = 0
    normalise: str = ""


@dataclass(frozen=True, eq=False)
class Bucket:
    """The judgments of a bucket and its runs, before and after the scenario's rules."""

    judged: Judgments
    seen: list[Graded]
    ruled: list[Graded]


Work: TypeAlias = Callable[[Task, Bucket, Facts], list[Any]]
"""What becomes of a graded bucket: rows, and more facts."""


def score_bucket(task: Task, judgments: pa.Table, runs: pa.Table) -> pa.Table:
    """The values of a bucket's topics, and one row with its facts."""
    return _worked(task, judgments, runs, _values)


def draw_bucket(task: Task, judgments: pa.Table, runs: pa.Table) -> pa.Table:
    """The rank at which each topic of a bucket has nothing more to give, and facts with the sums of its curves."""
    return _worked(task, judgments, runs, _curves)


def _worked(task: Task, judgments: pa.Table, runs: pa.Table, work: Work) -> pa.Table:
    facts = Facts(runs=[RunFacts(measures=[MeasureFacts() for _ in task.measures]) for _ in task.runs])
    try:
        if len(judgments) + len(runs) > task.most_rows:
            counts = max(pc.value_counts(runs["topic"]).to_pylist(), key=lambda entry: entry["counts"])
            raise ChoiceError(
                too_long(len(judgments) + len(runs), task.most_rows, str(counts["values"]), counts["counts"])
            )
        if task.duplicates == "first":
            judgments, runs = without_repeats(judgments, runs, facts)
        graded = graded_bucket(task, judgments, runs, facts)
        return with_facts(facts, [] if graded is None else work(task, graded, facts))
    except GaincurveError as error:
        problems = [(p.slug, p.what, placed(p.at, task.runs, judgments, runs), _hint(p, task)) for p in error.problems]
        empty = [RunFacts(measures=[MeasureFacts() for _ in task.measures]) for _ in task.runs]
        facts = Facts(problems=problems, more=error.more, of_choice=isinstance(error, ChoiceError), runs=empty)
        return with_facts(facts, [])


def _hint(problem: Problem, task: Task) -> str:
    """What to do next; judgments that differ have no first one where rows have no order."""
    if task.duplicates == "first" and problem.slug == "judgments-duplicate-document":
        return "these judgments differ, and rows on Spark have no order, so none is the first: keep one of them"
    if problem.slug == "judges-differ":
        return "give one grade for each document, such as the mean over its judges, and drop the column of judges"
    return problem.hint


def _shown(name: str | None) -> str:
    """An id in a message, also one that is missing."""
    return shorten(name) if name else "null" if name is None else "''"


def placed(at: str, names: Sequence[str], judgments: pa.Table, runs: pa.Table) -> str:
    """A place by its topic and document: the rows of a data frame have no numbers."""

    def by_names(match: re.Match[str]) -> str:
        table = judgments if match[1] == "judgments" else runs.filter(pc.equal(runs["run"], match[1]))
        rows = table.select(["topic", "document"]).slice(int(match[2]), 1).to_pydict()
        return f"{match[1]}, topic {_shown(rows['topic'][0])}, document {_shown(rows['document'][0])}"

    known = "|".join(map(re.escape, sorted([*names, "judgments"], key=len, reverse=True)))
    return re.sub(rf"({known}), row (\d+) \(from 0\)", by_names, at.partition(" (first at ")[0])


def too_long(rows: int, most: int, topic: str, longest: int) -> Problem:
    """A bucket that a task has no memory for, by the name of its longest topic."""
    what = (
        f"a bucket of topics has {counted(rows, 'row')}, and a task holds {counted(most, 'row')}; "
        f"its longest topic is {shorten(topic)} with {counted(longest, 'row')}"
    )
    return Problem("spark-bucket", what)


def graded_bucket(task: Task, judgments: pa.Table, runs: pa.Table, facts: Facts) -> Bucket | None:
    """Everything graded, with facts on what met judgments and what did not; None where nothing is judged."""
    whole = "retrieved" in runs.column_names
    if whole:
        facts.repeats = pc.any(runs["repeats"]).as_py() or False
        lengths = runs.select(["run", "topic", "retrieved"])
        runs = runs.drop(["retrieved", "repeats"])
    tables = [runs.filter(pc.equal(runs["run"], name)).drop(["run"]) for name in task.runs]
    ties = task.scenario.ties
    if not len(judgments):
        for name, of_run, table in zip(task.runs, facts.runs, tables, strict=True):
            of_run.rows, of_run.strangers = len(table), _topics(table)
            _checked(table, name, ties, of_run)
        return None
    judged = replace(Judgments.of(judgments, grades_are_scores=True), scale=np.array(task.scale))
    facts.topics, facts.rows, facts.negative = len(judged.topics), len(judged), int((judged.grades < 0).sum())
    facts.judged = Several.of(judged.topics).first
    scores = need("scores", task.measures)
    seen = [
        _graded(judged, table, name, ties, scores, of_run)
        for name, table, of_run in zip(task.runs, tables, facts.runs, strict=True)
    ]
    for run, of_run in zip(seen, facts.runs, strict=True):
        of_run.matched = len(distinct(run.judgment))
        of_run.possible = int(np.minimum(run.retrieved, np.diff(judged.offsets)).sum())
    if whole:
        seen = [replace(run, retrieved=_lengths(lengths, run)) for run in seen]
    ruled = pooled([under_rules(run, task.scenario) for run in seen], judged)
    for run, of_run in zip(seen, facts.runs, strict=True):
        _note_run(run, of_run)
    return Bucket(judged, seen, ruled)


def _lengths(lengths: pa.Table, run: Graded) -> Ints:
    """How many documents each list had before it was cut."""
    own = lengths.filter(pc.equal(lengths["run"], run.name))
    whole = dict(zip(own["topic"].to_pylist(), own["retrieved"].to_pylist(), strict=True))
    return np.array([whole.get(name, 0) for name in run.units.names], dtype=np.int64)


def without_repeats(judgments: pa.Table, runs: pa.Table, facts: Facts) -> tuple[pa.Table, pa.Table]:
    """Of a document listed twice the place that is ranked first, of equal judgments one; others stay, to be refused."""
    keys = ["topic", "document"]
    grades = _numbers(judgments, "grade")
    groups = None if "judge" in judgments.column_names or grades is None else _grouped(judgments, grades, keys, "min")
    if groups is not None and len(groups) < len(judgments):
        most = _grouped(judgments, grades, keys, "max")
        if most["value"].equals(groups["value"]):
            facts.dropped = len(judgments) - len(groups)
            judgments = groups.select([*keys, "value"]).rename_columns([*keys, "grade"])
    value, best = ("score", "max") if "score" in runs.column_names else ("rank", "min")
    numbers = None if runs["document"].null_count else _numbers(runs, value)
    if numbers is None:
        return judgments, runs
    lists = _grouped(runs, numbers, ["run", *keys], best)
    if len(lists) < len(runs):
        for entry in lists.filter(pc.greater(lists["times"], 1)).to_pylist():
            facts.repeated[entry["run"]] = facts.repeated.get(entry["run"], 0) + entry["times"] - 1
        runs = lists.select(["run", *keys, "value"]).rename_columns(["run", *keys, value])
    return judgments, runs


def _numbers(table: pa.Table, name: str) -> Any:
    """A column as numbers; None where one is none."""
    try:
        column = table[name].cast(pa.float64())
    except pa.ArrowInvalid:  # a text
        return None
    return None if column.null_count or pc.any(pc.is_nan(column)).as_py() else column


def _grouped(table: pa.Table, numbers: Any, keys: list[str], best: str) -> pa.Table:
    """The least or the greatest number of each group, and how many it has."""
    rows = table.select(keys).append_column("value", numbers)
    groups = rows.group_by(keys).aggregate([("value", best), ("value", "count")])
    return groups.select([*keys, f"value_{best}", "value_count"]).rename_columns([*keys, "value", "times"])


def _values(task: Task, graded: Bucket, facts: Facts) -> list[Any]:
    """run, topic, measure and values as Arrow columns."""
    check_measures(Experiment(graded.judged, tuple(graded.ruled)), task.measures, task.scenario)
    values = score_runs(graded.ruled, task.measures, task.scenario)
    for r, of_run in enumerate(facts.runs):
        _note_values(task, graded.ruled[r], values.values[r], of_run)
    return _rows(values)


def _curves(task: Task, graded: Bucket, facts: Facts) -> list[Any]:
    """Each topic and its stopping rank as Arrow columns."""
    check_gains(graded.judged, task.measures, task.scenario)
    for i, measure in enumerate(task.measures):
        sums, singles = summed(graded.ruled, measure, task.scenario, task.depth, task.normalise)
        facts.curves.append(sums)
        for run, single, of_run in zip(graded.ruled, singles, facts.runs, strict=True):
            _note_defined(task, run, single[:, -1], of_run.measures[i])
    ranks = stopping_ranks(graded.ruled[0], task.measures[0], task.scenario)
    texts = pa.nulls(len(ranks), pa.string())
    numbers = pa.nulls(len(ranks), pa.float64())
    return [texts, pa.array(list(ranks)), texts, pa.array(map(float, ranks.values())), numbers, numbers, texts]


def _graded(judged: Judgments, table: pa.Table, name: str, ties: str, scores: bool, facts: RunFacts) -> Graded:
    """One run of the bucket: also one that has no list there, and without the topics that nobody judged."""
    facts.rows = len(table)
    known = pc.is_in(table["topic"], value_set=pa.array(judged.topics, type=table.schema.field("topic").type))
    facts.strangers = _topics(table.filter(pc.invert(known)))
    if pc.any(known).as_py():
        graded = grade_object(judged, table, name, ties, scores)[0]
        if any(note.slug == "rank-column" for note in graded.notes):
            facts.contradicting = len(Run.of(table, name, ties).contradicting())
        return graded
    _checked(table, name, ties, facts)
    return _absent(judged, name, ties, scores)


def _topics(table: pa.Table) -> Several:
    """The topics of a table."""
    return Several.of(map(str, pc.unique(table["topic"]).to_pylist()))


def _checked(table: pa.Table, name: str, ties: str, facts: RunFacts) -> None:
    """Rows on topics that nobody judged must be sound, too."""
    if len(table):
        facts.contradicting = len(Run.of(table, name, ties).contradicting())


def _absent(judged: Judgments, name: str, ties: str, scores: bool) -> Graded:
    """A run without a list in the bucket."""
    none = np.zeros(0, dtype=np.int64)
    extra = np.zeros(0) if scores else None
    base = none.astype(np.int32)
    matches = Matches(Ids.from_texts([]), base, none, none, none, none, none, none, extra, extra)
    every = np.arange(len(judged.topics), dtype=np.int32)
    return graded(judged, matches, judged.units, base, every, name, ties, Source(name, "Spark", 0, 0))


def _note_run(seen: Graded, facts: RunFacts) -> None:
    """What the driver needs for the notes of a run, whatever is computed from it."""
    names = seen.units.names
    facts.topics = int(seen.present.sum())
    facts.missing = Several.of(name for name, there in zip(names, seen.present.tolist(), strict=True) if not there)
    facts.listed = int(seen.retrieved.sum())
    if seen.stray is not None:
        facts.elsewhere, facts.alike = seen.stray.elsewhere, seen.stray.alike
        facts.examples = [seen.stray.judged, seen.stray.retrieved]
        if seen.stray.join is not None:
            facts.joins = {seen.stray.join.how: seen.stray.join.joined}


def _note_defined(task: Task, ruled: Graded, values: Floats, facts: MeasureFacts) -> None:
    """The topics that have a value, and those that count and have none."""
    nowhere = np.isnan(values)
    facts.defined = int((~nowhere).sum())
    facts.undefined = Several.of(ruled.units.named(np.flatnonzero(nowhere & counting(ruled, task.scenario))))


def _note_values(task: Task, ruled: Graded, values: Floats, facts: RunFacts) -> None:
    """What is unjudged among the first documents, and what the order of tied ones decides."""
    rank = rank_seen(task.measures)
    facts.seen = int(np.minimum(ruled.retrieved, rank).sum())
    facts.unjudged = int(ruled.unjudged_at(rank).sum())
    tied = not ruled.spread and bool((ruled.last > ruled.first).any())
    for measure, of_measure, column in zip(task.measures, facts.measures, values, strict=True):
        _note_defined(task, ruled, column, of_measure)
        if ruled.spread or measure.definition.bounds is None or measure.summary != "mean":
            continue
        of_measure.tied = tied
        ends = tie_ends(ruled, measure, task.scenario) if tied else (column, column)
        of_measure.worst, of_measure.best = (exact_parts(end[~np.isnan(end)]) for end in ends)


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


def with_facts(facts: Facts, rows: list[Any]) -> pa.Table:
    """The rows of values and one of facts."""
    schema = pa.schema([(name, _ARROW[kind]) for name, kind in COLUMNS.items()])
    own = {"facts": facts.written()}
    tables = [pa.Table.from_arrays([pa.array([own.get(field.name)], field.type) for field in schema], schema=schema)]
    if rows:
        tables.append(pa.Table.from_arrays(rows, schema=schema))
    return pa.concat_tables(tables)
