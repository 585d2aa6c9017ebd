"""What the facts of all buckets say together: what is refused, and the notes that stand beside the numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gaincurve.errors import ChoiceError, InputError, Problem
from gaincurve.model.file_order import FileOrder
from gaincurve.model.judgments import negative_note
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import Note, counted, examples, repeated_notes
from gaincurve.model.strays import FEW, Stray
from gaincurve.spark.facts import Facts, RunFacts
from gaincurve.verbs.evaluate import unjudged_gains_notes
from gaincurve.verbs.experiment import missing_note, shared_notes, undefined_note, unmatched
from gaincurve.verbs.refusals import not_printed
from gaincurve.verbs.remarks import note_on_ranges, note_on_shares, rank_seen, tie_range


def checked(facts: Facts, names: Sequence[str], scenario: Scenario) -> None:
    """Refuse what is wrong in any bucket, and runs that meet no judgment in any."""
    if facts.problems:
        problems = [Problem(*problem) for problem in sorted(set(facts.problems))]
        more = facts.more + len(facts.problems) - len(problems)
        raise (ChoiceError if facts.of_choice else InputError)(problems, more)
    for name, run in zip(names, facts.runs, strict=True):
        if not run.rows:
            raise InputError(Problem("input-empty", f"{name} has no rows", name))
        if not run.topics:
            theirs = examples(run.strangers.first, total=run.strangers.total)
            what = f"no topic of run {name} is judged; judged topics: {examples(facts.judged, total=facts.topics)}"
            raise InputError(Problem("topics-disjoint", f"{what}; topics of the run: {theirs}", "judgments and runs"))
    matching = any(run.matched for run in facts.runs)
    for name, run in zip(names, facts.runs, strict=True):
        strange = _stray(run)
        bounded = scenario.unjudged == "bounds" and strange is not None and strange.join is None
        if strange is not None and strange.is_strange(matching) and not bounded:
            raise InputError(unmatched(name, strange, "judgments and runs"))


def _stray(run: RunFacts) -> Stray | None:
    """What was seen of a run of whose documents too few are judged."""
    if run.matched >= FEW * run.possible or not run.examples:
        return None
    from gaincurve.model.strays import Join  # noqa: PLC0415 -- hardly ever needed

    how = max(run.joins, key=lambda text: (run.joins[text], text), default=None)
    join = None if how is None else Join(how, run.joins[how])
    judged, retrieved = run.examples
    return Stray(run.listed, run.matched, join, run.elsewhere, run.alike, run.possible, judged, retrieved)


def notes_of(facts: Facts, names: Sequence[str], measures: Sequence[Measure], scenario: Scenario) -> tuple[Note, ...]:
    """The notes of one machine, from counts."""
    notes = _input_notes(facts, names, scenario)
    notes += [*unjudged_gains_notes(list(measures), scenario), *not_printed(measures, scenario)]
    notes += undefined_notes_of(facts, measures)
    return (*notes, *_remarks(facts, names, measures, scenario))


def curve_notes(facts: Facts, names: Sequence[str], measures: Sequence[Measure], scenario: Scenario) -> list[Note]:
    """The same for curves."""
    return [*_input_notes(facts, names, scenario), *undefined_notes_of(facts, measures)]


def _input_notes(facts: Facts, names: Sequence[str], scenario: Scenario) -> list[Note]:
    """What is said of judgments and runs, whatever is computed from them."""
    notes = [negative_note("judgments", facts.negative)] if facts.negative else []
    if facts.dropped:
        text = f"judgments: {counted(facts.dropped, 'repeated judgment')} left out"
        notes.append(Note("duplicates-dropped", text))
    for name, run in zip(names, facts.runs, strict=True):
        notes += repeated_notes(name, facts.repeated.get(name, 0), 0)
        notes += FileOrder(run.contradicting).notes(name, run.topics + run.strangers.total)
        if run.strangers.total:
            shown = examples(run.strangers.first, total=run.strangers.total)
            text = f"{counted(run.strangers.total, 'topic')} without judgments ignored: {shown}"
            notes.append(Note("topics-unjudged", text, (name,)))
        if run.missing.total:
            notes.append(missing_note(name, run.missing.first, run.missing.total, scenario))
        strange = _stray(run)
        if strange is not None:
            notes.append(Note(strange.slug, strange.sentence(), (name,)))
    return [*shared_notes(notes)]


def undefined_notes_of(facts: Facts, measures: Sequence[Measure]) -> list[Note]:
    """The topics that count and have no value, measure by measure."""
    notes = []
    for i, measure in enumerate(measures):
        undefined = [run.measures[i].undefined for run in facts.runs]
        most = max(undefined, key=lambda several: several.total)
        if most.total:
            notes.append(undefined_note(measure, most.first, most.total, "topic"))
    return notes


def _remarks(facts: Facts, names: Sequence[str], measures: Sequence[Measure], scenario: Scenario) -> list[Note]:
    """How much was not judged, and what the order of tied documents decides."""
    remarks: list[Note] = []
    if scenario.unjudged != "condensed":
        shares = [
            (run.unjudged / run.seen if run.seen else 0.0, name) for run, name in zip(facts.runs, names, strict=True)
        ]
        remarks += note_on_shares(shares, rank_seen(measures), measures, scenario)
    ranges: list[tuple[float, str]] = []
    for i, measure in enumerate(measures):
        for name, run in zip(names, facts.runs, strict=True):
            ends = run.measures[i]
            if ends.tied and ends.defined:
                low, high = sorted(math.fsum(parts) / ends.defined for parts in (ends.worst, ends.best))
                ranges += tie_range(measure, name, low, high)
    return [*remarks, *note_on_ranges(ranges)]
