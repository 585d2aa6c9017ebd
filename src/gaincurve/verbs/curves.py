"""The verb `curves`: values by rank for several runs, with the ideal."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gaincurve._version import __version__
from gaincurve.curve.points import NORMALISATIONS, Curve, Curves, Stopping, mean_rows
from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.measures.cumulate import ideal_ranking, ratio, relative
from gaincurve.measures.notation import Measure, parse_measures
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import Note
from gaincurve.verbs.experiment import (
    Experiment,
    check_gains,
    counted_topics,
    experiment,
    gathered_notes,
    topics_text,
    undefined_notes,
)

DEFAULT_CURVES = ("CG", "DCG", "nCG", "nDCG")
DEFAULT_DEPTH = 100
MOST_DEPTH = 1_000_000


def curves(
    judgments: object,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_CURVES,
    *,
    scenario: Scenario | str = "default",
    normalise: str = "mean-of-ratios",
    per_topic: bool = False,
    **choices: object,
) -> Curves:
    """Mean curves by rank to the scenario's depth (100 unless it has one).

    `normalise` says how nCG and nDCG are averaged: 'mean-of-ratios' or 'ratio-of-means'; `per_topic` keeps each
    topic's own curve. Judgments, runs and choices are those of `evaluate`.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    return draw(experiment(judgments, runs, chosen), parse_measures(measures), chosen, normalise, per_topic)


def draw(
    graded: Experiment,
    measures: list[Measure],
    scenario: Scenario,
    normalise: str = "mean-of-ratios",
    per_topic: bool = False,
) -> Curves:
    """Curves of an experiment that is already graded."""
    one_of("normalise", normalise, tuple(NORMALISATIONS))
    if not measures:
        raise ChoiceError(Problem("measure-syntax", "no measure was given"))
    check_gains(graded.judgments, measures, scenario)
    if scenario.unjudged == "bounds":
        raise ChoiceError(Problem("measure-no-bounds", "curves have no bounds"))
    depth = max((m.cutoff for m in measures if m.cutoff), default=scenario.depth or DEFAULT_DEPTH)
    if depth > MOST_DEPTH:
        raise ChoiceError(Problem("measure-cutoff", f"a curve to rank {depth} is longer than {MOST_DEPTH} ranks"))
    measures = list(dict.fromkeys(Measure.make(m.name, dict(m.parameters), None) for m in measures))
    drawn = [_curve(graded, measure, scenario, depth, normalise, per_topic) for measure in measures]
    return Curves(
        runs=graded.names,
        topics=graded.judgments.topics,
        depth=depth,
        curves=tuple(curve for curve, _ in drawn),
        normalise=normalise,
        stopping=_stopping(graded, measures[0].choices(scenario)),
        inputs=graded.inputs,
        notes=(*gathered_notes(graded), *(note for _, notes in drawn for note in notes)),
    )


def _curve(
    graded: Experiment, measure: Measure, scenario: Scenario, depth: int, normalise: str, per_topic: bool
) -> tuple[Curve, list[Note]]:
    definition = measure.definition
    if definition.curve is None:
        raise ChoiceError(Problem("measure-no-curve", f"{measure.name} has no curve by rank"))
    arguments = measure.arguments(scenario)
    if arguments.pop("average", None) is not None:
        raise ChoiceError(Problem("measure-no-curve", f"{measure} is already a mean over ranks"))
    del arguments["cutoff"]
    values, singles = [], []
    counts = np.array([counted_topics(run, scenario) for run in graded.runs])
    ideal_mean: Floats = np.zeros(depth)
    for run, counted in zip(graded.runs, counts, strict=True):
        actual, ideal = definition.curve(run, depth, **arguments)
        single = actual
        if definition.normalised:
            single = relative(actual, ideal, run.can_gain(arguments["gains"])[:, None])
            single = np.nan_to_num(single, nan=0.0) if scenario.empty == "zero" else single
        single = single * counted[:, None]
        if definition.normalised and normalise == "ratio-of-means":
            values.append(ratio(mean_rows(actual * counted[:, None]), mean_rows(ideal * counted[:, None])))
        else:
            values.append(mean_rows(single))
        singles.append(single)
        ideal_mean = np.ones(depth) if definition.normalised else mean_rows(ideal[~np.isnan(counts).all(axis=0)])
    named = Measure.make(measure.name, dict(measure.parameters), None)
    how = normalise if definition.normalised else ""
    ends = np.array([single[:, -1] for single in singles])
    topics = topics_text(ends)
    signature = named.at_depth(depth).signature(scenario, topics, __version__, how)
    notes = undefined_notes(graded.runs, ends[:, None], [named], scenario)
    curve = Curve(
        name=named.text,
        signature=signature,
        axis=_axis(measure, scenario),
        normalised=definition.normalised,
        values=np.array(values),
        ideal=ideal_mean,
        by_topic=np.array(singles) if per_topic else None,
    )
    return curve, notes


def _axis(measure: Measure, scenario: Scenario) -> str:
    chosen = measure.choices(scenario)
    uses = measure.definition.parameters
    return f"gains {chosen.gains}" + (f", discount {chosen.discount}" if "discount" in uses else "")


def _stopping(graded: Experiment, scenario: Scenario) -> Stopping:
    run = graded.runs[0]
    topic, _, gain = ideal_ranking(run, scenario.gains, "judged")
    ranks = np.bincount(topic[gain > 0], minlength=len(run.topics))
    return Stopping(dict(zip(run.topics, ranks.tolist(), strict=True)))
