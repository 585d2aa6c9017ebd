"""Judgments and runs ready to be scored: every run graded once, under the scenario's rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem, nearest
from gaincurve.model.columns import Given
from gaincurve.model.given import is_ranx, is_record, is_whole_run, kept, plain
from gaincurve.model.graded import IDEAL, Graded, grade, graded_topics, looked_at, pooled
from gaincurve.model.judgments import Judgments
from gaincurve.model.mappings import listed_in, match_mapping
from gaincurve.model.matches import unjudged_of
from gaincurve.model.measure import Measure
from gaincurve.model.objects import could_be_table
from gaincurve.model.order import SCORE_RULES
from gaincurve.model.paths import is_path, read_path, readers
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.log import unjudged_notes
from gaincurve.model.source import Note, Source, examples, shorten
from gaincurve.model.source import counted as count
from gaincurve.model.strays import Stray
from gaincurve.model.unjudged import Unjudged
from gaincurve.verbs.refusals import refuse_grades


@dataclass(frozen=True, eq=False)
class Experiment:
    """Judgments and graded runs: everything a number is computed from, with no file and no id left.

    `design` is 'paired' where all runs answered the same topics or sessions. `beside` are further inputs, such as a
    map of sessions to topics; `topic` is the one whose sessions alone were kept.
    """

    judgments: Judgments
    runs: tuple[Graded, ...]
    design: str = "paired"
    notes: tuple[Note, ...] = ()
    beside: tuple[Source, ...] = ()
    topic: str | None = None

    @property
    def kind(self) -> str:
        """What a value is given for: 'topic' or 'session'."""
        return self.runs[0].units.kind

    @property
    def inputs(self) -> tuple[Source, ...]:
        """Where everything came from, judgments first."""
        return (self.judgments.source, *self.beside, *(run.source for run in self.runs))

    @property
    def judged_by(self) -> str:
        """Whether all queries of a session share the judgments of its 'topic' or each 'query' has its own."""
        return "query" if any(run.units.judged_by == "query" for run in self.runs) else "topic"

    @property
    def duplicates(self) -> str | None:
        """The rule for documents that stood twice in a list, where there were any."""
        if any(run.kept for run in self.runs):
            return "seen"
        return "first" if any(run.dropped for run in self.runs) else None

    def facts(self, scenario: Scenario, values: Floats) -> dict[str, object]:
        """What the data put into a signature: how many values[run, unit] are defined, and more for sessions."""
        if self.kind == "topic":
            return {"judgments": self.judgments.origin, "topics": topics_text(values)}
        return {
            "topic": self.topic,
            "judgments": self.judgments.origin,
            "sessions": sessions_text(values, self.runs),
            "judged_by": self.judged_by,
            "idle": next((run.units.idle for run in self.runs if run.units.idle), None),
            "duplicates": self.duplicates,
            "longest": scenario.session.longest,
            **self.queries_facts(),
        }

    def queries_facts(self) -> dict[str, object]:
        """Judged queries of all in judged sessions; without one that is not judged there is no rule to sign."""
        counts = []
        for run in self.runs:
            inside = run.judged_units[run.units.unit]
            counts.append((int((run.base[inside] >= 0).sum()), int(inside.sum())))
        if all(judged == every for judged, every in counts):
            return {"unjudged_queries": None}
        texts = [f"{judged}/{every}" for judged, every in counts]
        return {"queries": texts[0] if len(set(texts)) == 1 else "+".join(texts)}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(run.name for run in self.runs)


def experiment(
    judgments: object, runs: object, scenario: Scenario, scores: bool = False, columns: Given | None = None
) -> Experiment:
    """Grade every run once, one after the other; `scores` keeps those of judged documents."""
    judged = Judgments.of(judgments, columns=columns)
    graded = [grade_object(judged, run, name, scenario.ties, scores, columns) for name, run in each_run(runs)]
    return graded_experiment(judged, [under_rules(run, scenario) for run in chain.from_iterable(graded)], scenario)


def grade_object(
    judgments: Judgments, run: object, name: str, ties: str, scores: bool = False, columns: Given | None = None
) -> list[Graded]:
    """A Run, or what can be turned into one; dicts of dicts and tables, which may hold several, are graded directly."""
    if is_path(run):
        several = read_path("runs", run, name, name=name, ties=ties, columns=columns)
        return [grade(judgments, each, scores) for each in several]
    run = plain(run, "run", name)
    if could_be_table(run):
        from gaincurve.model.arrow.grading import grade_table  # noqa: PLC0415 -- only for tables

        runs = grade_table(judgments, run, name, ties, scores, columns)
        if runs is not None:
            return runs
    if isinstance(run, Mapping) and ties in SCORE_RULES and not scores:
        matches = match_mapping(judgments, run, ties)
        if matches is not None:
            source = Source(name, "Python objects", len(matches.names), int(matches.retrieved.sum()))
            notes = matches.order.notes(name, len(matches.names))
            seen = graded_topics(judgments, matches, name, ties, source, notes)
            seen = replace(seen, unjudged=partial(_unjudged_of_mapping, judgments, run, name, ties))
            return [looked_at(judgments, matches, seen, lambda: listed_in(judgments, run))]
    return [grade(judgments, one, scores) for one in Run.each_of(run, name, ties, columns=columns)]


def ranked_runs(runs: object, ties: str = "trec", with_ranks: bool = False) -> list[Run]:
    """Runs with all their documents, ranked by one rule; a path or a table may hold several.

    With `with_ranks` the rank column of TREC files is read, too.
    """
    return [ranked for name, run in each_run(runs) for ranked in _ranked(run, name, ties, with_ranks)]


def _ranked(run: object, name: str, ties: str, with_ranks: bool) -> list[Run]:
    if is_path(run):
        several: list[Run] = read_path("runs", run, name, name=name, ties=ties, with_ranks=with_ranks)
        return several
    run = plain(run, "run", name)
    if could_be_table(run):
        from gaincurve.model.arrow.rows import parts_of_table  # noqa: PLC0415 -- only for tables
        from gaincurve.model.arrow.table import table_of  # noqa: PLC0415

        table = table_of(run, name)
        if table is not None:
            return [Run.from_rows(rows, part or name, ties) for part, rows in parts_of_table(table, "run")]
    return [Run.of(run, name, ties)]


def _unjudged_of_mapping(
    judgments: Judgments, run: Mapping[object, object], name: str, ties: str, depth: int
) -> Unjudged | None:
    """The unjudged documents of a dict of dicts, looked for only when somebody asks."""
    return unjudged_of(judgments, Run.of(run, name, ties), depth)


def grade_run(judgments: Judgments, run: Run, scenario: Scenario, scores: bool = False) -> Graded:
    """One run under the scenario's rules for ties, unjudged documents and missing topics."""
    return under_rules(grade(judgments, run.ranked(scenario.ties), scores), scenario)


def under_rules(graded: Graded, scenario: Scenario) -> Graded:
    """A graded run under the scenario's rules for unjudged documents and missing topics."""
    missing = graded.units.named(np.flatnonzero(~graded.present))
    if missing and scenario.missing == "error":
        what = f"run {graded.name} lacks {count(len(missing), 'judged topic')}: {examples(missing)}"
        raise InputError(Problem("topics-missing", what, graded.source.path))
    if missing:
        note = missing_note(graded.name, missing, len(missing), scenario)
        graded = replace(graded, notes=(*graded.notes, note))
    return seen_as_judged(graded, scenario)


def missing_note(name: str, first: list[str], total: int, scenario: Scenario) -> Note:
    """That a run lacks judged topics, of which the `first` are named."""
    done = "counted as empty lists" if scenario.missing == "zero" else "left out of its means"
    text = f"{count(total, 'judged topic')} missing, {done}: {examples(first, total=total)}"
    return Note("topics-missing", text, (name,))


def seen_as_judged(graded: Graded, scenario: Scenario) -> Graded:
    """A graded run under the scenario's rules for negative grades and unjudged documents."""
    if scenario.negative == "unjudged":
        graded = replace(graded, judged_from=0.0)
    return graded.condensed() if scenario.unjudged == "condensed" else graded


def graded_experiment(judgments: Judgments, runs: Iterable[Graded], scenario: Scenario | None = None) -> Experiment:
    """Runs that were graded against the same judgments, with distinct names."""
    graded = list(runs)
    if not graded:
        raise InputError(Problem("run-none", "no run was given"))
    ideal = (IDEAL, "the best possible ranking")
    refuse_names_twice([ideal, *((run.name, run.source.path) for run in graded)], "runs")
    return Experiment(judgments, tuple(pooled(refuse_strays(judgments, graded, scenario), judgments)))


def refuse_strays(judgments: Judgments, runs: Sequence[Graded], scenario: Scenario | None = None) -> list[Graded]:
    """Refuse runs whose documents are none of the judges'; others of which few match get a note.

    Bounds show what unjudged documents could change, so there a run without a judged one has an answer.
    """
    matching = any(run.stray is None or run.stray.matched for run in runs)
    bounded = scenario is not None and scenario.unjudged == "bounds"
    strange = [
        (run, run.stray)
        for run in runs
        if run.stray is not None and run.stray.is_strange(matching) and not (bounded and run.stray.join is None)
    ]
    if strange:
        where = judgments.source.path
        raise InputError.each(
            strange, lambda pair: unmatched(pair[0].name, pair[1], f"{where} and {pair[0].source.path}")
        )
    return [run if run.stray is None else _noted(run, run.stray) for run in runs]


def unmatched(name: str, stray: Stray, where: str) -> Problem:
    """That the documents of a run are none of the judges'."""
    if stray.matched:
        what = f"most judged ids are spelt otherwise in {name}: {stray.sentence()}"
    else:
        what = f"no document of {name} is judged: {stray.sentence()}"
    return Problem("documents-disjoint", what, where)


def _noted(run: Graded, stray: Stray) -> Graded:
    note = Note(stray.slug, stray.sentence(), (run.name,))
    return run if note in run.notes else replace(run, notes=(*run.notes, note))


def refuse_names_twice(named: Iterable[tuple[str, str]], noun: str) -> None:
    """Refuse a name that is used twice; beside each name stands where it comes from."""
    seen: dict[str, str] = {}
    for name, place in named:
        if name in seen:
            raise InputError(Problem("run-name-twice", f"two {noun} are named {name!r}", f"{seen[name]} and {place}"))
        seen[name] = place


def check_gains(judgments: Judgments, measures: Iterable[Measure], scenario: Scenario) -> None:
    """Refuse grades that the scenario refuses, and gains that leave a grade without a value that can be summed."""

    def place(grade_: float) -> str:
        row = int(np.flatnonzero(judgments.grades == grade_)[0])
        topic, document = judgments.topics[judgments.topic[row]], judgments.documents[row]
        return f"{judgments.source.path}, topic {shorten(topic)}, document {shorten(document)}"

    grades = distinct(judgments.grades)
    for measure in measures:
        chosen = measure.choices(scenario)
        refuse_grades(grades, chosen, place)
        if "gains" in measure.definition.parameters:
            chosen.gains.check(grades, place)


COUNTED = {"zero": 0.0, "one": 1.0}
"""What a unit counts in which nothing can be gained, by the rule for it."""


def counted(run: Graded, scenario: Scenario) -> NDArray[np.bool_]:
    """The units that enter a run's means: judged, and not left out because the run lacks them."""
    return run.judged_units & (run.present | (scenario.missing != "skip"))


def settle(values: Floats, run: Graded, measure: Measure, scenario: Scenario) -> Floats:
    """Values by unit (and rank) with the scenario's rules for units that have none or are missing.

    0 is the worst only where higher is better.
    """
    enters = counted(run, scenario)
    enters = enters[:, None] if values.ndim == 2 else enters
    session = measure.definition.over == "session"
    empty = measure.choices(scenario).session.empty if session else scenario.empty
    if empty == "error" and (undefined := enters & np.isnan(values)).any():
        names = run.units.named(np.flatnonzero(undefined))
        what = f"{measure} is undefined for {count(len(names), run.units.kind)}: {examples(names)}"
        raise InputError(Problem("session-undefined", what, run.source.path))
    if session and measure.definition.empty == "0":
        empty = "undefined"  # only a query that is not judged leaves it without a value, and that has its own rule
    if empty == "one" and not session and "ideal" in measure.definition.parameters:
        values = _one_for_lists(values, run, measure.choices(scenario))
    if empty in COUNTED and measure.definition.better == "higher":
        values = np.nan_to_num(values, nan=COUNTED[empty])
    return np.where(enters, values, np.nan)


def _one_for_lists(values: Floats, run: Graded, chosen: Scenario) -> Floats:
    """Values with 1 where the list is its own ideal, and holds nothing that could be ranked better."""
    if chosen.ideal != "retrieved":
        return values
    gaining = np.bincount(run.list[chosen.gains.of_grades(run.grade) > 0], minlength=run.lists) > 0
    idle = (run.retrieved > 0) & ~gaining
    return np.where(idle[:, None] if values.ndim == 2 else idle, 1.0, values)


def one_topic(graded: Experiment, topic: str) -> Experiment:
    """The same with one topic alone."""
    topics = graded.judgments.topics
    if topic not in topics:
        what = f"topic {shorten(topic)} is not judged{nearest(topic, topics)}"
        raise InputError(Problem("topic-unknown", what, graded.judgments.source.path))
    place = np.array([topics.index(topic)])
    return replace(graded, runs=tuple(run.select(place) for run in graded.runs), topic=topic)


def topics_text(values: Floats) -> str:
    """'50', '48/50' where some are undefined, '45-48/50' where runs differ."""
    return defined_text((~np.isnan(values)).sum(axis=1).tolist(), values.shape[1])


def defined_text(defined: Sequence[int], total: int) -> str:
    """The same from how many topics have a value, run by run."""
    low, high = min(defined), max(defined)
    if low == high == total:
        return str(total)
    return f"{low}/{total}" if low == high else f"{low}-{high}/{total}"


def sessions_text(values: Floats, runs: Sequence[Graded]) -> str:
    """'133', '118/133' where some are undefined; by system where they have sessions of their own."""
    defined = (~np.isnan(values)).sum(axis=1).tolist()
    totals = [len(run.units) for run in runs]
    texts = [str(n) if n == total else f"{n}/{total}" for n, total in zip(defined, totals, strict=True)]
    return texts[0] if len(set(texts)) == 1 else "+".join(texts)


def undefined_notes(
    runs: Sequence[Graded], values: Sequence[Sequence[Floats]], measures: Sequence[Measure], scenario: Scenario
) -> list[Note]:
    """Units that count for a run but have no value: values[run][measure] is nan there."""
    notes = []
    for i, measure in enumerate(measures):
        undefined: dict[str, None] = {}
        for run, by_measure in zip(runs, values, strict=True):
            nowhere = np.flatnonzero(np.isnan(by_measure[i]) & counted(run, scenario))
            undefined |= dict.fromkeys(run.units.named(nowhere))
        if undefined:
            names = [*undefined] if runs[0].units.kind == "session" else _in_order(runs[0], undefined)
            notes.append(undefined_note(measure, names, len(names), runs[0].units.kind))
    return notes


def undefined_note(measure: Measure, first: list[str], total: int, kind: str) -> Note:
    """That a measure has no value for units that count, of which the `first` are named."""
    text = f"{measure}: undefined for {count(total, kind)}, left out of the {measure.summary}"
    return Note("undefined", f"{text}: {examples(first, total=total)}")


def _in_order(run: Graded, names: Mapping[str, None]) -> list[str]:
    return [name for name in run.units.names if name in names]


def gathered_notes(experiment: Experiment) -> tuple[Note, ...]:
    """The notes of judgments and runs; what is the same for several runs is reported once."""
    given = (*experiment.judgments.notes, *experiment.notes, *(note for run in experiment.runs for note in run.notes))
    return shared_notes((*given, *(unjudged_notes(experiment.runs) if experiment.kind == "session" else ())))


def shared_notes(notes: Iterable[Note]) -> tuple[Note, ...]:
    """What is the same for several runs, once."""
    about: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        about.setdefault((note.slug, note.text), []).extend(note.runs)
    return tuple(Note(slug, text, tuple(runs)) for (slug, text), runs in about.items())


def each_run(runs: object) -> Iterable[tuple[str, object]]:
    """Name and run of: one run, a list of runs, or {name: run}; a dict of dicts of dicts is the last.

    Runs in a list know their names, those of ranx too; a path gives its file's name. A folder or a pattern stands for
    all that it holds.
    """
    if isinstance(runs, Run):
        return [(runs.name, runs)]
    if is_path(runs):
        runs = [runs]
    if isinstance(runs, Mapping) and isinstance(next(iter(runs.values()), None), Iterator):
        runs = {name: kept(run) for name, run in runs.items()}
    if isinstance(runs, Mapping) and not _is_one_run(runs):
        return (
            (str(name), replace(run, name=str(name)) if isinstance(run, Run) else run) for name, run in runs.items()
        )
    if isinstance(runs, list | tuple) and runs and hasattr(runs[0], "__arrow_c_array__"):
        return [("run", runs)]  # batches of one table
    if isinstance(runs, list | tuple) and not (runs and is_record(runs[0])):
        listed = chain.from_iterable(readers["paths"]([run]) if is_path(run) else [run] for run in runs)
        return ((_own_name(run) or f"run{i}", run) for i, run in enumerate(listed, start=1))
    if isinstance(runs, Iterator) and not could_be_table(runs):
        return each_run(list(runs))
    return [(_own_name(runs) or "run", runs)]


def _own_name(run: Any) -> str:
    """The name that a run has of itself, if it has one."""
    if is_path(run):
        return str(readers["name"](run))
    name = run.name if isinstance(run, Run) or is_ranx(run) else None
    return name if isinstance(name, str) else ""


def _is_one_run(runs: Mapping[object, object]) -> bool:
    first = next((run for run in runs.values() if not isinstance(run, Mapping | list | tuple) or run), {})
    if isinstance(first, Run) or is_whole_run(first):
        return False
    if isinstance(first, Mapping):
        return not isinstance(next(iter(first.values()), None), Mapping | list | tuple | set | frozenset)
    return not (isinstance(first, list | tuple) and first and is_record(first[0]))
