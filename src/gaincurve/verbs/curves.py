"""The verb `curves`: values by rank for several runs, with the ideal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import add
from typing import Any, Unpack

import numpy as np

from gaincurve.curve.points import NORMALISATIONS, Curve, Curves, Stopping
from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.measures.cumulate import ideal_ranking, ratio, relative
from gaincurve.measures.notation import make_measure, parse_measures
from gaincurve.measures.relevant import total_relevant
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.exact import ColumnSums
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.signature import Signature, sign
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
from gaincurve.verbs.refusals import refuse_measures
from gaincurve.verbs.ties import refuse_tied

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
    refuse_measures(graded.runs, [measure.at_depth(depth) for measure in measures], scenario)
    if scenario.refuses:
        by_rank = [measure.at_depth(rank) for measure in measures for rank in range(1, depth + 1)]
        refuse_tied(graded.runs, by_rank, scenario)
    drawn = [_curve(graded, measure, scenario, depth, normalise, per_topic) for measure in measures]
    return Curves(
        runs=graded.names,
        topics=graded.runs[0].units.names,
        topic=topic,
        depth=depth,
        curves=tuple(curve for curve, _ in drawn),
        normalise=normalise,
        stopping=Stopping.of(stopping_ranks(graded.runs[0], measures[0], scenario)),
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


@dataclass(frozen=True, eq=False)
class CurveSums:
    """What the mean curves of one measure are made of: of every run its own curves by topic, or both sides of a ratio
    of means, and the ideal of the topics that count for any run."""

    runs: tuple[ColumnSums, ...]
    over: tuple[ColumnSums, ...]
    ideal: ColumnSums

    def __add__(self, other: CurveSums) -> CurveSums:
        return CurveSums(
            tuple(map(add, self.runs, other.runs)), tuple(map(add, self.over, other.over)), self.ideal + other.ideal
        )

    @property
    def means(self) -> Floats:
        """The mean curve of each run."""
        if self.over:
            pairs = zip(self.runs, self.over, strict=True)
            return np.array([ratio(actual.means, ideal.means) for actual, ideal in pairs])
        return np.array([run.means for run in self.runs])


def summed(
    runs: Sequence[Graded], measure: Measure, scenario: Scenario, depth: int, normalise: str
) -> tuple[CurveSums, list[Floats]]:
    """The sums over topics of one measure, and of every run each topic's own curve."""
    enters = [counted(run, scenario) for run in runs]
    sides = [_sides(run, measure, scenario, depth) for run in runs]
    singles = [
        settle(_single(run, actual, ideal, measure, scenario), run, measure, scenario)
        for run, (actual, ideal) in zip(runs, sides, strict=True)
    ]
    lines, over = singles, []
    if measure.definition.normalised and normalise == "ratio-of-means":
        lines, over = ([side[i][rows] for rows, side in zip(enters, sides, strict=True)] for i in (0, 1))
    counting = np.any(enters, axis=0)  # topics that count for at least one run
    ideal = ColumnSums.of(sides[0][1][counting])
    return CurveSums(tuple(map(ColumnSums.of, lines)), tuple(map(ColumnSums.of, over)), ideal), singles


def curve_of(measure: Measure, scenario: Scenario, depth: int, sums: CurveSums, signature: Signature) -> Curve:
    """The mean curve of every run with the ideal."""
    normalised = measure.definition.normalised
    return Curve(
        name=measure.text,
        signature=signature,
        axis=_axis(measure, scenario),
        normalised=normalised,
        values=sums.means,
        ideal=np.ones(depth) if normalised else sums.ideal.means,
    )


def _curve(
    graded: Experiment, measure: Measure, scenario: Scenario, depth: int, normalise: str, per_topic: bool
) -> tuple[Curve, list[Note]]:
    """The mean curve of every run with the ideal, and the topics for which it is undefined."""
    sums, singles = summed(graded.runs, measure, scenario, depth, normalise)
    ends = np.array([single[:, -1] for single in singles])
    signature = sign(
        measure.at_depth(depth),
        scenario,
        graded.runs[0].scale,
        judgments=graded.judgments.origin,
        topics=topics_text(ends),
        normalise=normalise if measure.definition.normalised else "",
    ).but(topic=graded.topic)
    curve = curve_of(measure, scenario, depth, sums, signature)
    curve = replace(curve, by_topic=np.array(singles)) if per_topic else curve
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
    return relative(actual, ideal, lambda: run.can_gain(measure.choices(scenario).gains)[:, None])


def _axis(measure: Measure, scenario: Scenario) -> str:
    chosen = measure.choices(scenario)
    uses = measure.definition.parameters
    if "gains" not in uses:
        own = {"rel": 1, **dict(measure.parameters)}
        return f"relevant: grade {own['only']}" if "only" in own else f"relevant: grades from {own['rel']}"
    return f"gains {chosen.gains}" + (f", discount {chosen.discount}" if "discount" in uses else "")


def stopping_ranks(run: Graded, measure: Measure, scenario: Scenario) -> dict[str, int]:
    """By topic the rank after which even the ideal list has nothing more to give."""
    if "gains" in measure.definition.parameters:
        topic, _, gain = ideal_ranking(run, measure.choices(scenario).gains, "judged")
        ranks = np.bincount(topic[gain > 0], minlength=run.lists)
    else:
        own: dict[str, Any] = dict(measure.parameters)
        ranks = total_relevant(run, own.get("rel", 1), own.get("only"))
    return dict(zip(run.units.names, ranks.tolist(), strict=True))
