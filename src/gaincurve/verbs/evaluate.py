"""The verb `evaluate`: judgments and runs in, scores out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, InputError, Problem
from gaincurve.measures.notation import parse_measures
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.columns import Given
from gaincurve.model.graded import Graded
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure, TwoByUnit
from gaincurve.model.order import SHARED
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Evidence, Scores
from gaincurve.model.sessions.log import share_units
from gaincurve.model.signature import sign
from gaincurve.model.source import Note, Source, examples, shorten
from gaincurve.verbs.experiment import (
    Experiment,
    check_gains,
    experiment,
    gathered_notes,
    settle,
    topics_text,
    undefined_notes,
)
from gaincurve.verbs.refusals import not_printed, refuse_measures
from gaincurve.verbs.remarks import with_remarks
from gaincurve.verbs.ties import refuse_tied
from gaincurve.verbs.values import refuse_ties, value_of

DEFAULT_MEASURE = "nDCG@10"


def evaluate(
    judgments: object,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    scenario: Scenario | str = "default",
    columns: Given | None = None,
    grades_are_scores: bool = False,
    **choices: Unpack[ScenarioChoices],
) -> Scores:
    """Score runs against judgments.

    `judgments` and each run may be what `read_judgments` and `read_run` return, a dict of dicts, tuples, or a data
    frame; `runs` is one run, a list of runs, or {name: run}. `choices` (gains, discount, base, depth, ideal, ties,
    unjudged, missing, empty) override single choices of the scenario. `columns` names the columns of data frames,
    {"document": "docno"} or {"document": ["docno", "doc_id"]} where frames differ; judgments that look like a run's
    scores are refused, unless `grades_are_scores`.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    asked = asked_measures(measures, chosen)
    judged = Judgments.of(judgments, columns=columns, grades_are_scores=grades_are_scores)
    graded = experiment(judged, runs, chosen, need("scores", asked), columns)
    return with_remarks(score_topics(graded, asked, chosen), graded, chosen)


def asked_measures(
    measures: str | Measure | Iterable[str | Measure] | None, scenario: Scenario, over: str = "topic"
) -> list[Measure]:
    """The measures asked for, cut at the scenario's depth where they name no cutoff."""
    if measures is None:
        measures = "nDCG" if scenario.depth else DEFAULT_MEASURE
    asked = [measure.at_depth(scenario.depth).stopping() for measure in parse_measures(measures)]
    if not asked:
        raise ChoiceError(Problem("measure-syntax", "no measure was given"))
    for measure in asked:
        refuse_kind(measure, over)
        if measure.arguments(scenario).get("average") is not None and measure.cutoff is None:
            what = f"{measure} is a mean over ranks 1 to the cutoff, and none was given"
            raise ChoiceError(Problem("measure-cutoff", what))
        refuse_ties(measure, scenario.ties in SHARED)
        if scenario.unjudged == "bounds":
            bounds_of(measure)
    return list(dict.fromkeys(asked))


def kind_of(measures: Iterable[Measure]) -> str:
    """What the measures give a value for; sessions if one of them does, and then the others are refused."""
    return "session" if any(measure.definition.over == "session" for measure in measures) else "topic"


def refuse_kind(measure: Measure, over: str) -> None:
    """A measure of sessions says nothing of single lists, nor the other way round."""
    if measure.definition.over == over:
        return
    if over == "topic":
        what = f"{measure.name} is a measure of whole sessions, and these are single ranked lists"
        hint = f"gaincurve session JUDGMENTS SESSIONS -m {measure.name} (in Python gc.evaluate_sessions)"
    else:
        what, hint = f"{measure.name} is a measure of single lists, not of sessions", "gaincurve ls measures"
    raise ChoiceError(Problem("measure-kind", what, hint=hint))


def need(what: str, measures: Iterable[Measure]) -> bool:
    """Whether a measure needs 'scores' or 'subtopics'."""
    return any(measure.definition.needs == what for measure in measures)


def bounds_of(measure: Measure) -> TwoByUnit:
    """The bounds of a measure, or an error that says why it has none."""
    definition = measure.definition
    if definition.bounds is None:
        raise ChoiceError(Problem("measure-no-bounds", f"no bounds are defined for {measure}: {definition.unbounded}"))
    return definition.bounds


def score_topics(graded: Experiment, measures: list[Measure], scenario: Scenario) -> Scores:
    """Every measure on every run of an experiment."""
    check_measures(graded, measures, scenario)
    notes = (*gathered_notes(graded), *unjudged_gains_notes(measures, scenario), *not_printed(measures, scenario))
    return score_runs(graded.runs, measures, scenario, graded.inputs, notes)


def check_measures(graded: Experiment, measures: Sequence[Measure], scenario: Scenario) -> None:
    """Refuse measures that these judgments and runs have no value for."""
    for measure in measures:
        refuse_kind(measure, graded.kind)
    check_gains(graded.judgments, measures, scenario)
    if need("subtopics", measures):
        check_subtopics(graded)
    check_strata(graded.judgments, measures)
    if graded.kind == "topic":
        refuse_measures(graded.runs, measures, scenario)
        refuse_tied(graded.runs, measures, scenario)


def check_strata(judgments: Judgments, measures: Iterable[Measure]) -> None:
    """Refuse judgments without strata, or with one of which nothing was sampled, where a measure is made of them."""
    asked = [measure for measure in measures if measure.definition.needs == "strata"]
    if not asked:
        return
    if judgments.strata is None or judgments.sampling is None or judgments.sampling.stratum is None:
        what = f"{asked[0]} needs judgments of a sample, and these do not name strata"
        raise InputError(Problem("measure-needs-strata", what, judgments.source.path))
    empty = judgments.strata.not_sampled()
    if len(empty) and any(measure.own.get("empty_strata") != "skip" for measure in asked):
        rows = [(judgments.sampling.stratum[i], judgments.topics[judgments.topic[i]]) for i in empty.tolist()]
        names = examples([f"stratum {shorten(stratum)} of topic {shorten(topic)}" for stratum, topic in rows])
        what = f"nothing was sampled of {names}"
        raise InputError(Problem("judgments-stratum-empty", what, judgments.source.path))


def check_subtopics(graded: Experiment) -> None:
    """Refuse judgments that do not distinguish a topic's subtopics."""
    table = graded.runs[0].judgments.subtopics
    single = table is not None and len(distinct(table.subtopic)) <= len(graded.judgments.topics)
    if table is None or (single and table is graded.judgments.subtopics):
        what = "no topic has more than one subtopic" if single else "the judgments do not name subtopics"
        raise InputError(Problem("measure-needs-subtopics", what, graded.judgments.source.path))


def unjudged_gains_notes(measures: list[Measure], scenario: Scenario) -> list[Note]:
    """A note that unjudged documents gain 0, for gains that reward grade 0."""
    using = [measure for measure in measures if "gains" in measure.definition.parameters]
    schemes = dict.fromkeys(measure.choices(scenario).gains for measure in using)
    giving = [gains for gains in schemes if gains.of_grades(np.zeros(1))[0] > 0]
    return [Note("unjudged-gain", f"gains {gains} reward grade 0; unjudged documents still gain 0") for gains in giving]


def score_runs(
    runs: Sequence[Graded],
    measures: Sequence[Measure],
    scenario: Scenario,
    inputs: tuple[Source, ...] = (),
    notes: tuple[Note, ...] = (),
) -> Scores:
    """Every measure on every run, graded topic by topic."""
    by_run = [[value_of(run, measure, scenario) for measure in measures] for run in runs]
    units, values = in_columns(runs, by_run)
    low, high = bounded(runs, measures, scenario)
    return Scores(
        runs=tuple(run.name for run in runs),
        measures=tuple(measures),
        units=units,
        values=values,
        signatures=tuple(
            sign(measure, scenario, runs[0].scale, judgments=runs[0].judgments.origin, topics=topics_text(values[:, i]))
            for i, measure in enumerate(measures)
        ),
        inputs=inputs,
        notes=(*notes, *undefined_notes(runs, by_run, measures, scenario)),
        low=low,
        high=high,
        evidence=Evidence(tuple(runs), scenario),
    )


def in_columns(runs: Sequence[Graded], by_run: Sequence[Sequence[Floats]]) -> tuple[tuple[str, ...], Floats]:
    """The units of all runs together, and values[run, measure, unit], nan where a run does not have the unit."""
    if share_units(runs):
        return runs[0].units.names, np.array(by_run)
    index: dict[str, int] = {}
    places: list[NDArray[np.int64]] = [
        np.array([index.setdefault(name, len(index)) for name in run.units.names], dtype=np.int64) for run in runs
    ]
    values = np.full((len(runs), len(by_run[0]), len(index)), np.nan)
    for r, (place, by_measure) in enumerate(zip(places, by_run, strict=True)):
        values[r][:, place] = by_measure
    return tuple(index), values


def bounded(
    runs: Sequence[Graded], measures: Sequence[Measure], scenario: Scenario
) -> tuple[Floats, Floats] | tuple[None, None]:
    """The bounds of every measure on every run, where the scenario asks for them."""
    if scenario.unjudged != "bounds":
        return None, None
    ends = [[_bounds(run, measure, scenario) for measure in measures] for run in runs]
    low, high = (in_columns(runs, [[pair[side] for pair in row] for row in ends])[1] for side in (0, 1))
    return low, high


def _bounds(run: Graded, measure: Measure, scenario: Scenario) -> tuple[Floats, Floats]:
    value = value_of(run, measure, scenario)
    ends = bounds_of(measure)(run, **measure.arguments(scenario))
    low, high = (settle(side, run, measure, scenario) for side in ends)
    undefined = np.isnan(value)  # its bounds are left out, as the topic is
    return np.where(undefined, np.nan, np.fmin(low, value)), np.where(undefined, np.nan, np.fmax(high, value))
