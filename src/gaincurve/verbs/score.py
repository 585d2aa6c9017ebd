"""Scores of any experiment: topic by topic, or session by session."""

from __future__ import annotations

from collections.abc import Sequence

from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.verbs.evaluate import score_topics
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.sessions.evaluate import score_sessions


def score(graded: Experiment, measures: Sequence[Measure], scenario: Scenario, by: str | None = None) -> Scores:
    """Every measure on every run; `by` is for sessions: a mean of the means of each topic's or user's."""
    if graded.kind == "session":
        return score_sessions(graded, measures, scenario, by=by)
    return score_topics(graded, list(measures), scenario)
