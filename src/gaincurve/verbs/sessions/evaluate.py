"""The verb `evaluate_sessions`: judgments and session logs in, scores of whole sessions out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.choices import SessionChoices
from gaincurve.model.graded import Graded
from gaincurve.model.instances import Instances
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.model.scores import Evidence, Scores
from gaincurve.model.sessions.shapes import LogRules
from gaincurve.model.signature import Signature, sign
from gaincurve.model.source import Note, number_text
from gaincurve.model.summaries import mean, summarised
from gaincurve.verbs.evaluate import asked_measures, bounded, check_measures, in_columns
from gaincurve.verbs.experiment import Experiment, gathered_notes, undefined_notes
from gaincurve.verbs.remarks import with_remarks
from gaincurve.verbs.sessions.experiment import graded_logs, on_data
from gaincurve.verbs.sessions.units import design_notes, members
from gaincurve.verbs.values import value_of

DEFAULT_MEASURES = ("sDCG", "nsDCG")
GROUPINGS = ("topic", "user")
USUAL_BASES = (1.5, 10.0)


def evaluate_sessions(
    judgments: object,
    logs: object,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    scenario: Scenario | str = "session",
    by: str | None = None,
    design: str | None = None,
    gaps: str = "error",
    instances: Instances | None = None,
    topics: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
    idle: str | None = None,
    **choices: Unpack[SessionChoices],
) -> Scores:
    """Score whole sessions: what `read_sessions` returns, one log per system, or objects of your own.

    Those are records, one a query ({"session": "s1", "query": 1, "topic": "301", "ranking": ["d1"]}), a data frame of
    them, {session: [ranking, …]}, or {system: any of these}. `topics` gives the topic of sessions, `fields` other names
    of fields, and `idle` ('30m') cuts sessions where a user was idle longer.

    `choices` are those of the scenario (gains, discount, base, depth, ties, unjudged, missing) and of sessions (bq,
    query_discount, rank_scope, normalise, ideal, horizon, pad, scan, empty_lists, repeats,
    unjudged_queries, average, empty). `by` is 'topic' or 'user' for a mean of their means; `instances` stand in for
    judgments by subtopic, which only sIR needs.
    """
    chosen = session_scenario(scenario, **choices)
    asked = asked_measures(measures, chosen, "session")
    rules = LogRules(topics=topics or {}, fields=fields or {}, idle=idle)
    graded = graded_logs(judgments, logs, chosen, gaps, design, instances, rules)
    return with_remarks(score_sessions(graded, asked, chosen, by=by), graded, chosen)


def score_sessions(
    graded: Experiment,
    measures: Sequence[Measure],
    scenario: Scenario,
    *,
    by: str | None = None,
    longest: int | None = None,
) -> Scores:
    """Every measure on every system; `longest` stands for the longest session where some were left out."""
    if by is not None:
        one_of("--by", by, GROUPINGS)
        other = next((measure for measure in measures if measure.summary != "mean"), None)
        if other is not None:
            what = f"--by {by} is a mean of means, and {other} asks for the {other.summary}"
            raise ChoiceError(Problem("session-choices", what, hint="leave out --by, or summary="))
        if scenario.unjudged == "bounds":
            what = f"bounds are those of the plain summary, and --by {by} summarises groups"
            raise ChoiceError(Problem("session-choices", what, hint="leave out --by, or choose another --unjudged"))
    check_measures(graded, measures, scenario)
    settled = [on_data(graded, measure, scenario, longest) for measure in measures]
    pairs = list(zip(measures, settled, strict=True))
    by_run = [[value_of(run, measure, rules) for measure, rules in pairs] for run in graded.runs]
    units, values = in_columns(graded.runs, by_run)
    summaries = [_summaries(run, by_measure, pairs, by) for run, by_measure in zip(graded.runs, by_run, strict=True)]
    signed = [_signatures(graded, measure, rules, values[:, i], by) for i, (measure, rules) in enumerate(pairs)]
    low, high = bounded(graded.runs, measures, scenario)
    return Scores(
        runs=graded.names,
        measures=tuple(measures),
        units=units,
        values=values,
        signatures=tuple(of_summary for _, of_summary in signed),
        inputs=graded.inputs,
        notes=_notes(graded, measures, by_run, scenario),
        low=low,
        high=high,
        kind="session",
        design=graded.design,
        single=tuple(of_single for of_single, _ in signed),
        summarised=np.array([means for means, _ in summaries]),
        by=by or "",
        groups={run.name: groups for run, (_, groups) in zip(graded.runs, summaries, strict=True)} if by else None,
        tables=tuple(run.units for run in graded.runs),
        evidence=Evidence(graded.runs, scenario),
    )


def _signatures(
    graded: Experiment, measure: Measure, scenario: Scenario, values: Floats, by: str | None
) -> tuple[Signature, Signature]:
    """The signature of single sessions and their plain mean, and that of the summary."""
    facts = graded.facts(scenario, values)
    plain = replace(scenario, session=scenario.session.with_choices(average="mean-of-ratios"))
    scale = graded.runs[0].scale
    return sign(measure, plain, scale, **facts), sign(measure, scenario, scale, **facts, by=by)


def _summaries(
    run: Graded, by_measure: Sequence[Floats], pairs: Sequence[tuple[Measure, Scenario]], by: str | None
) -> tuple[list[float], dict[str, dict[str, float]]]:
    """The summary of each measure, and the values of each group of sessions."""
    grouped = {} if by is None else members(run.units, by, run.source.path)
    means: list[float] = []
    groups: dict[str, dict[str, float]] = {}
    for (measure, scenario), values in zip(pairs, by_measure, strict=True):
        sides = None
        if measure.averaging(scenario) == "ratio-of-means" and measure.definition.sides is not None:
            sides = measure.definition.sides(run, **measure.arguments(scenario))
        if by is None:
            means.append(_summary(values, sides, measure))
            continue
        each = {
            group: _summary(values[units], None if sides is None else (sides[0][units], sides[1][units]), measure)
            for group, units in grouped.items()
        }
        for group, value in each.items():
            groups.setdefault(group, {})[measure.text] = value
        means.append(mean(np.array(list(each.values()))))
    return means, groups


def _summary(values: Floats, sides: tuple[Floats, Floats] | None, measure: Measure) -> float:
    if sides is None:
        return summarised(values, measure.summary)
    defined = ~np.isnan(values)
    best = mean(sides[1][defined])
    return mean(sides[0][defined]) / best if best > 0 else float("nan")


def _notes(
    graded: Experiment, measures: Sequence[Measure], by_run: Sequence[Sequence[Floats]], scenario: Scenario
) -> tuple[Note, ...]:
    """What a reader of the numbers should know."""
    notes = [*gathered_notes(graded), *base_notes(measures, scenario)]
    notes += design_notes(graded.design, [run.units for run in graded.runs])
    return (*notes, *undefined_notes(graded.runs, by_run, measures, scenario))


def base_notes(measures: Sequence[Measure], scenario: Scenario) -> list[Note]:
    """Notes on bases outside the range that the 2008 paper calls reasonable, each once."""
    notes: dict[str, Note] = {}
    for measure in measures:
        chosen = measure.choices(scenario)
        bases: Mapping[str, tuple[str, float | None]] = {
            "b": ("base", chosen.discount.base),
            "bq": ("bq", chosen.session.query_discount.base),
        }
        for name, (parameter, base) in bases.items():
            used = parameter in measure.definition.parameters
            if used and base is not None and np.isfinite(base) and not USUAL_BASES[0] <= base <= USUAL_BASES[1]:
                text = f"{name} = {number_text(base)} lies outside 1.5 to 10, which the 2008 paper calls reasonable"
                notes[text] = Note("base-unusual", text)
    return list(notes.values())
