"""The verb `curves`: values by rank for several runs, with the ideal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

import numpy as np

from gaincurve.curve.points import NORMALISATIONS, Curve, Curves, Stopping, mean_rows
from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.measures.cumulate import ideal_ranking, ratio, relative
from gaincurve.measures.notation import make_measure, parse_measures
from gaincurve.measures.relevant import total_relevant
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.signature import sign
from gaincurve.model.source import Note
from gaincurve.verbs.experiment import (
    Experiment,
    check_gains,
    counted,
    experiment,
    gathered_notes,
    one_topic,
    settle,
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
    topic: str | int | None = None,
    **choices: Unpack[ScenarioChoices],
) -> Curves:
    """Mean curves by rank to the scenario's depth (100 unless it has one).

    `normalise` says how nCG and nDCG are averaged: 'mean-of-ratios' or 'ratio-of-means'; `per_topic` keeps each
    topic's own curve, and `topic` draws one topic alone. Judgments, runs and choices are those of `evaluate`.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    single = None if topic is None else str(topic)  # ids are text: 1 is the topic '1'
    return draw(experiment(judgments, runs, chosen), parse_measures(measures), chosen, normalise, per_topic, single)


def draw(
    graded: Experiment,
    measures: list[Measure],
    scenario: Scenario,
    normalise: str = "mean-of-ratios",
    per_topic: bool = False,
    topic: str | None = None,
) -> Curves:
    """Curves of an experiment that is already graded; of one topic where it is named."""
    if topic is not None:
        graded = one_topic(graded, topic)
    measures, depth = checked_curves(measures, scenario, normalise)
    check_gains(graded.judgments, measures, scenario)
    drawn = [_curve(graded, measure, scenario, depth, normalise, per_topic) for measure in measures]
    return Curves(
        runs=graded.names,
        topics=graded.runs[0].units.names,
        topic=topic,
        depth=depth,
        curves=tuple(curve for curve, _ in drawn),
        normalise=normalise,
        stopping=_stopping(graded.runs[0], measures[0], scenario),
        inputs=graded.inputs,
        notes=(*gathered_notes(graded), *(note for _, notes in drawn for note in notes)),
    )


def checked_curves(
    measures: list[Measure], scenario: Scenario, normalise: str = "mean-of-ratios"
) -> tuple[list[Measure], int]:
    """The curves to draw, each once and without cutoff, and their common depth; refuses what has no curve."""
    one_of("normalise", normalise, tuple(NORMALISATIONS))
    if scenario.unjudged == "bounds":
        raise ChoiceError(Problem("measure-no-bounds", "curves have no bounds"))
    if not measures:
        raise ChoiceError(Problem("measure-syntax", "no measure was given"))
    for measure in measures:
        if measure.definition.curve is None:
            raise ChoiceError(Problem("measure-no-curve", f"{measure.name} has no curve by rank"))
        if measure.arguments(scenario).get("average") is not None:
            raise ChoiceError(Problem("measure-no-curve", f"{measure} is already a mean over ranks"))
    depth = max((measure.rank for measure in measures if measure.rank), default=scenario.depth or DEFAULT_DEPTH)
    if depth > MOST_DEPTH:
        raise ChoiceError(Problem("measure-cutoff", f"a curve to rank {depth} is longer than {MOST_DEPTH} ranks"))
    uncut = (make_measure(measure.name, dict(measure.parameters), None) for measure in measures)
    return list(dict.fromkeys(uncut)), depth


def _curve(
    graded: Experiment, measure: Measure, scenario: Scenario, depth: int, normalise: str, per_topic: bool
) -> tuple[Curve, list[Note]]:
    """The mean curve of every run with the ideal, and the topics for which it is undefined."""
    normalised = measure.definition.normalised
    enters = [counted(run, scenario) for run in graded.runs]
    sides = [_sides(run, measure, scenario, depth) for run in graded.runs]
    singles = [
        settle(_single(run, actual, ideal, measure, scenario), run, measure, scenario)
        for run, (actual, ideal) in zip(graded.runs, sides, strict=True)
    ]
    if normalised and normalise == "ratio-of-means":
        pairs = zip(enters, sides, strict=True)
        values = [ratio(mean_rows(actual[rows]), mean_rows(ideal[rows])) for rows, (actual, ideal) in pairs]
    else:
        values = [mean_rows(single) for single in singles]
    counting = np.any(enters, axis=0)  # topics that count for at least one run
    ends = np.array([single[:, -1] for single in singles])
    how = normalise if normalised else ""
    curve = Curve(
        name=measure.text,
        signature=sign(
            measure.at_depth(depth),
            scenario,
            graded.runs[0].scale,
            judgments=graded.judgments.origin,
            topics=topics_text(ends),
            normalise=how,
        ).but(topic=graded.topic),
        axis=_axis(measure, scenario),
        normalised=normalised,
        values=np.array(values),
        ideal=np.ones(depth) if normalised else mean_rows(sides[0][1][counting]),
        by_topic=np.array(singles) if per_topic else None,
    )
    return curve, undefined_notes(graded.runs, [[end] for end in ends], [measure], scenario)


def _sides(run: Graded, measure: Measure, scenario: Scenario, depth: int) -> tuple[Floats, Floats]:
    """Actual and ideal by topic and rank."""
    arguments = {key: value for key, value in measure.arguments(scenario).items() if key not in ("cutoff", "average")}
    if measure.definition.curve is None:
        raise ChoiceError(Problem("measure-no-curve", f"{measure.name} has no curve by rank"))
    actual, ideal = measure.definition.curve(run, depth, **arguments)
    return actual, np.nan_to_num(ideal, nan=0.0) if scenario.empty == "zero" else ideal


def _single(run: Graded, actual: Floats, ideal: Floats, measure: Measure, scenario: Scenario) -> Floats:
    """Each topic's own curve."""
    if not measure.definition.normalised:
        return actual
    return relative(actual, ideal, run.can_gain(measure.choices(scenario).gains)[:, None])


def _axis(measure: Measure, scenario: Scenario) -> str:
    chosen = measure.choices(scenario)
    uses = measure.definition.parameters
    if "gains" not in uses:
        own = {"rel": 1, **dict(measure.parameters)}
        return f"relevant: grade {own['only']}" if "only" in own else f"relevant: grades from {own['rel']}"
    return f"gains {chosen.gains}" + (f", discount {chosen.discount}" if "discount" in uses else "")


def _stopping(run: Graded, measure: Measure, scenario: Scenario) -> Stopping:
    if "gains" in measure.definition.parameters:
        topic, _, gain = ideal_ranking(run, measure.choices(scenario).gains, "judged")
        ranks = np.bincount(topic[gain > 0], minlength=run.lists)
    else:
        own: dict[str, Any] = dict(measure.parameters)
        ranks = total_relevant(run, own.get("rel", 1), own.get("only"))
    return Stopping(dict(zip(run.units.names, ranks.tolist(), strict=True)))
