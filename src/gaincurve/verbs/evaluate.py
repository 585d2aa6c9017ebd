"""The verb `evaluate`: judgments and runs in, scores out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gaincurve._version import __version__
from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.notation import Measure, parse_measures
from gaincurve.model.graded import GradedRun
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.source import Note, Source
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
    return score(experiment(judgments, runs, chosen), asked_measures(measures, chosen), chosen)


def asked_measures(measures: str | Measure | Iterable[str | Measure] | None, scenario: Scenario) -> list[Measure]:
    """The measures asked for, cut at the scenario's depth where they name no cutoff."""
    if measures is None:
        measures = "nDCG" if scenario.depth else DEFAULT_MEASURE
    found = [measure.at_depth(scenario.depth) for measure in parse_measures(measures)]
    for measure in found:
        if measure.arguments(scenario).get("average") is not None and measure.cutoff is None:
            what = f"{measure} is a mean over ranks 1 to the cutoff, and none was given"
            raise ChoiceError(Problem("measure-cutoff", what))
    if not found:
        raise ChoiceError(Problem("measure-syntax", "no measure was given"))
    return list(dict.fromkeys(found))


def score(experiment: Experiment, measures: list[Measure], scenario: Scenario) -> Scores:
    """Every measure on every run of an experiment."""
    check_gains(experiment.judgments, measures, scenario)
    notes = (*gathered_notes(experiment), *_unjudged_notes(measures, scenario))
    return score_runs(experiment.runs, measures, scenario, experiment.inputs, notes)


def _unjudged_notes(measures: list[Measure], scenario: Scenario) -> list[Note]:
    """Where not relevant gains something, say that not judged still does not."""
    schemes = dict.fromkeys(measure.choices(scenario).gains for measure in measures)
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
    )


def _values(run: GradedRun, measure: Measure, scenario: Scenario) -> Floats:
    found = measure.definition.compute(run, **measure.arguments(scenario))
    return _settled(found, run, scenario)


def _settled(found: Floats, run: GradedRun, scenario: Scenario) -> Floats:
    if scenario.empty == "zero":
        found = np.nan_to_num(found, nan=0.0)
    return found * counted_topics(run, scenario)


def _bounds(run: GradedRun, measure: Measure, scenario: Scenario) -> tuple[Floats, Floats]:
    if measure.definition.bounds is None:
        raise ChoiceError(Problem("measure-no-bounds", f"no bounds are defined for {measure}"))
    arguments = measure.arguments(scenario)
    undefined = np.isnan(measure.definition.compute(run, **arguments)) & (scenario.empty == "undefined")
    low, high = (np.where(undefined, np.nan, side) for side in measure.definition.bounds(run, **arguments))
    return _settled(low, run, scenario), _settled(high, run, scenario)
