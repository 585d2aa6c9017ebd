"""Scores of any experiment: topic by topic, or session by session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.notation import parse_measures
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.verbs.evaluate import DEFAULT_MEASURE, evaluate, kind_of, score_topics
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.scored_elsewhere import scores_in
from gaincurve.verbs.sessions.evaluate import evaluate_sessions, score_sessions


def score(graded: Experiment, measures: Sequence[Measure], scenario: Scenario, by: str | None = None) -> Scores:
    """Every measure on every run; `by` is for sessions: a mean of the means of each topic's or user's."""
    if graded.kind == "session":
        return score_sessions(graded, measures, scenario, by=by)
    return score_topics(graded, list(measures), scenario)


def scored(given: object) -> Scores:
    """Scores that another tool computed, in place of judgments and runs."""
    scores = scores_in(given)
    if scores is None:
        what = f"runs are missing: {type(given).__name__} alone is neither scores nor an experiment"
        raise ChoiceError(Problem("runs-too-few", what, hint="give judgments and runs, or what evaluate returns"))
    return scores


def given_or_made(
    judgments: object,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] | None,
    choices: Mapping[str, Any],
    unit: str | None,
    design: str | None,
) -> tuple[Scores, str | None]:
    """Scores as they were given, or those of runs against judgments; and the design that is still to be applied.

    `choices` are those of `evaluate` or `evaluate_sessions`, as the measures ask. The design of single sessions is
    decided where they are scored, that of users and topics later.
    """
    chosen = {name: value for name, value in choices.items() if value is not None}
    scenario = chosen.pop("scenario", "default")
    if runs is None and not isinstance(judgments, Scores):
        judgments = scored(judgments)
    if isinstance(judgments, Scores):
        if chosen or scenario != "default" or runs is not None:
            name = "runs" if runs is not None else next(iter(chosen), "scenario")
            what = f"these scores were made under choices of their own, and {name} would change nothing"
            raise ChoiceError(
                Problem("choices-made", what, hint=f"give {name} to evaluate, or judgments and runs here")
            )
        return judgments, design
    asked = parse_measures(DEFAULT_MEASURE if measures is None else measures)
    if kind_of(asked) != "session":
        return evaluate(judgments, runs, asked, scenario=scenario, **chosen), design
    single = unit in (None, "session")
    named = "session" if scenario == "default" else scenario
    scores = evaluate_sessions(judgments, runs, asked, scenario=named, design=design if single else None, **chosen)
    return scores, None if single else design
