"""The verb `evaluate`: judgments and runs in, scores out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gaincurve._version import __version__
from gaincurve.errors import ChoiceError, InputError, Problem
from gaincurve.measures.notation import Measure, parse_measures
from gaincurve.measures.registry import Bounds
from gaincurve.model.graded import GradedRun
from gaincurve.model.judgments import Judgments
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.source import Note, Source
from gaincurve.model.subtopics import Subtopics
from gaincurve.verbs.experiment import (
    Experiment,
    check_gains,
    counted_topics,
    experiment,
    gathered_notes,
    topics_text,
    undefined_notes,
)

DEFAULT_MEASURE = "nDCG@10"


def evaluate(
    judgments: object,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    scenario: Scenario | str = "default",
    **choices: object,
) -> Scores:
    """Score runs against judgments.

    `judgments` and each run may be what `read_judgments` and `read_run` return, a dict of dicts, tuples, or a data
    frame; `runs` is one run, a list of runs, or {name: run}. `choices` (gains, discount, base, depth, ideal, ties,
    unjudged, missing, empty) override single choices of the scenario.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    asked = asked_measures(measures, chosen)
    return score(experiment(judgments, runs, chosen, need("scores", asked)), asked, chosen)


def asked_measures(measures: str | Measure | Iterable[str | Measure] | None, scenario: Scenario) -> list[Measure]:
    """The measures asked for, cut at the scenario's depth where they name no cutoff."""
    if measures is None:
        measures = "nDCG" if scenario.depth else DEFAULT_MEASURE
    found = [measure.at_depth(scenario.depth).stopping() for measure in parse_measures(measures)]
    for measure in found:
        if measure.arguments(scenario).get("average") is not None and measure.cutoff is None:
            what = f"{measure} is a mean over ranks 1 to the cutoff, and none was given"
            raise ChoiceError(Problem("measure-cutoff", what))
        refuse_ties(measure, scenario.ties == "average")
        if scenario.unjudged == "bounds":
            bounds_of(measure)
    if not found:
        raise ChoiceError(Problem("measure-syntax", "no measure was given"))
    return list(dict.fromkeys(found))


def need(what: str, measures: Iterable[Measure]) -> bool:
    """Whether a measure needs 'scores' or 'subtopics'."""
    return any(measure.definition.needs == what for measure in measures)


def refuse_ties(measure: Measure, averaged: bool) -> None:
    """Refuse an average over ties where the exact expected value is not known."""
    if averaged and measure.definition.ties == "refused":
        raise ChoiceError(Problem("measure-no-ties", f"{measure} has no exact value under ties 'average'"))


def bounds_of(measure: Measure) -> Bounds:
    """The bounds of a measure, or an error that says why it has none."""
    definition = measure.definition
    if definition.bounds is None:
        raise ChoiceError(Problem("measure-no-bounds", f"no bounds are defined for {measure}: {definition.unbounded}"))
    return definition.bounds


def score(experiment: Experiment, measures: list[Measure], scenario: Scenario) -> Scores:
    """Every measure on every run of an experiment."""
    check_gains(experiment.judgments, measures, scenario)
    if need("subtopics", measures):
        check_subtopics(experiment.judgments)
    notes = (*gathered_notes(experiment), *_unjudged_notes(measures, scenario))
    return score_runs(experiment.runs, measures, scenario, experiment.inputs, notes)


def check_subtopics(judgments: Judgments) -> Subtopics:
    """The subtopics of judgments; refuses judgments that do not tell a topic's subtopics apart."""
    table = judgments.subtopics
    one = table is not None and len(distinct(table.subtopic)) <= len(judgments.topics)
    if table is None or one:
        what = "no topic has more than one subtopic" if one else "the judgments do not name subtopics"
        raise InputError(Problem("measure-needs-subtopics", what, judgments.source.path))
    return table


def _unjudged_notes(measures: list[Measure], scenario: Scenario) -> list[Note]:
    """Where not relevant gains something, say that not judged still does not."""
    using = [measure for measure in measures if "gains" in measure.definition.parameters]
    schemes = dict.fromkeys(measure.choices(scenario).gains for measure in using)
    giving = [gains for gains in schemes if gains.of_grades(np.zeros(1))[0] > 0]
    return [Note("unjudged-gain", f"gains {g} reward grade 0; unjudged documents still gain 0") for g in giving]


def score_runs(
    runs: Sequence[GradedRun],
    measures: list[Measure],
    scenario: Scenario,
    inputs: tuple[Source, ...],
    notes: tuple[Note, ...] = (),
) -> Scores:
    """Every measure on every run; the runs are graded on the same topics."""
    values = np.array([[_values(run, measure, scenario) for measure in measures] for run in runs])
    low = high = None
    if scenario.unjudged == "bounds":
        ends = np.array([[_bounds(run, measure, scenario) for measure in measures] for run in runs])
        low, high = ends[:, :, 0], ends[:, :, 1]
    return Scores(
        runs=tuple(run.name for run in runs),
        measures=tuple(measure.text for measure in measures),
        topics=runs[0].topics,
        values=values,
        signatures=tuple(
            measure.signature(scenario, topics_text(values[:, i]), __version__) for i, measure in enumerate(measures)
        ),
        inputs=inputs,
        notes=(*notes, *undefined_notes(runs, values, measures, scenario)),
        low=low,
        high=high,
        summaries=tuple(measure.summary for measure in measures),
    )


def _values(run: GradedRun, measure: Measure, scenario: Scenario) -> Floats:
    refuse_ties(measure, run.spread)
    found = measure.definition.compute(run, **measure.arguments(scenario))
    return _settled(found, run, measure, scenario)


def _settled(found: Floats, run: GradedRun, measure: Measure, scenario: Scenario) -> Floats:
    """Values with the scenario's rules for topics that have none; 0 is the worst only where higher is better."""
    if scenario.empty == "zero" and measure.definition.better == "higher":
        found = np.nan_to_num(found, nan=0.0)
    return found * counted_topics(run, scenario)


def _bounds(run: GradedRun, measure: Measure, scenario: Scenario) -> tuple[Floats, Floats]:
    arguments = measure.arguments(scenario)
    value = _settled(measure.definition.compute(run, **arguments), run, measure, scenario)
    low, high = (_settled(side, run, measure, scenario) for side in bounds_of(measure)(run, **arguments))
    undefined = np.isnan(value)  # what judging could make of such a topic is left out, as the topic is
    return np.where(undefined, np.nan, np.fmin(low, value)), np.where(undefined, np.nan, np.fmax(high, value))
