"""The verb `precision_recall`: precision by recall for several runs, one curve for each relevance level."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from gaincurve.curve.recall import POINTS, RecallCurve, RecallCurves, TopicPoints
from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.notation import make_measure
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.order import SHARED
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.signature import sign
from gaincurve.model.source import Note, number_text, shorten
from gaincurve.verbs.evaluate import score_runs
from gaincurve.verbs.experiment import (
    Experiment,
    counted,
    experiment,
    gathered_notes,
    one_topic,
    topics_text,
    undefined_notes,
)
from gaincurve.verbs.values import refuse_ties

MEASURE = "IPrec"
"""The measure whose values at the eleven points are the curve."""


def precision_recall(
    judgments: object,
    runs: object,
    *,
    levels: float | Iterable[float] | None = None,
    only: float | Iterable[float] = (),
    topic: str | None = None,
    per_topic: bool = False,
    scenario: Scenario | str = "default",
    **choices: Unpack[ScenarioChoices],
) -> RecallCurves:
    """Mean interpolated precision at recall 0, .1, …, 1, or with `topic` that topic's points rank by rank.

    One curve for each relevance level: `levels` are grades from which a document counts as relevant (1 unless given),
    `only` grades that alone do. The mean goes over the topics with a relevant document of the level; the numbers are
    those of IPrec@r in `evaluate`. `per_topic` keeps each topic's own curve. Judgments, runs and choices are those of
    `evaluate`.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    asked = checked_levels(levels, only, chosen)
    return draw_by_recall(experiment(judgments, runs, chosen), asked, chosen, topic, per_topic)


def checked_levels(
    levels: float | Iterable[float] | None, only: float | Iterable[float], scenario: Scenario
) -> list[Measure]:
    """One interpolated precision for each relevance level, still without recall point; refuses what has no curve."""
    exactly = _several(only)
    least = _several(levels) if levels is not None else [] if exactly else [1]
    wanted = [("rel", grade) for grade in least] + [("only", grade) for grade in exactly]
    if not wanted:
        raise ChoiceError(Problem("measure-parameter", "no relevance level was given", hint="e.g. levels=(1, 2)"))
    if scenario.unjudged == "bounds":
        raise ChoiceError(Problem("measure-no-bounds", "curves have no bounds"))
    measures = list(dict.fromkeys(make_measure(MEASURE, {key: grade}) for key, grade in wanted))
    refuse_ties(measures[0], scenario.ties in SHARED)
    return measures


def _several(given: object) -> list[object]:
    return list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]


def draw_by_recall(
    graded: Experiment, levels: list[Measure], scenario: Scenario, topic: str | None = None, per_topic: bool = False
) -> RecallCurves:
    """Curves of an experiment that is already graded; `levels` come from `checked_levels`."""
    runs = graded.runs if topic is None else one_topic(graded, topic).runs
    measures = [make_measure(MEASURE, dict(level.parameters), point) for level in levels for point in POINTS]
    scores = score_runs(runs, measures, scenario, graded.inputs)
    notes = [note for i, level in enumerate(levels) for note in _undefined(scores, runs, i, level, scenario, topic)]
    return RecallCurves(
        runs=graded.names,
        topics=scores.topics,
        topic=topic,
        levels=tuple(
            _level(scores, runs, i, level, scenario, topic is not None, per_topic) for i, level in enumerate(levels)
        ),
        inputs=graded.inputs,
        notes=(*gathered_notes(graded), *notes),
    )


def _level(
    scores: Scores,
    runs: Sequence[Graded],
    place: int,
    measure: Measure,
    scenario: Scenario,
    points: bool,
    per_topic: bool,
) -> RecallCurve:
    """The curves of one level from the scores at its eleven points."""
    own = _own(place)
    ((key, grade),) = measure.parameters
    summary = scores.summary()
    at_points = replace(measure, text=f"{measure.text}@{','.join(number_text(point) for point in POINTS)}")
    return RecallCurve(
        name=f"{key}={grade}",
        measure=measure.text,
        relevant=f"grades from {grade}" if key == "rel" else f"grade {grade} only",
        signature=sign(
            at_points,
            scenario,
            runs[0].scale,
            judgments=runs[0].judgments.origin,
            topics=topics_text(scores.values[:, own.start]),
        ),
        values=np.array([[summary[run][name] for name in scores.texts[own]] for run in scores.runs]),
        by_topic=scores.values[:, own].swapaxes(1, 2) if per_topic else None,
        points=tuple(_points(run, measure, scenario) for run in runs) if points else (),
    )


def _own(place: int) -> slice:
    """The columns of a level among the scores of all levels."""
    return slice(place * len(POINTS), (place + 1) * len(POINTS))


def _points(run: Graded, measure: Measure, scenario: Scenario) -> TopicPoints:
    own: dict[str, Any] = dict(measure.parameters)
    return TopicPoints.of(run, own.get("rel", 1), own.get("only"), 1.0 if counted(run, scenario)[0] else math.nan)


def _undefined(
    scores: Scores, runs: Sequence[Graded], place: int, measure: Measure, scenario: Scenario, topic: str | None
) -> list[Note]:
    """A note where a level has no curve, once and not for each of the eleven points."""
    notes = undefined_notes(runs, list(scores.values[:, _own(place)][:, :1]), [measure], scenario)
    if not notes or topic is None:
        return notes
    return [Note("undefined", f"{measure}: undefined, topic {shorten(topic)} has no such document")]
