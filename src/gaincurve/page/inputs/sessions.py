"""Sessions for a page: logs graded under the choices of sessions, and scored, so that errors are raised early."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gaincurve.model.gains import Gains
from gaincurve.model.judgments import Judgments
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.model.scores import Scores
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.source import Note, Source
from gaincurve.page.facts import SESSIONS
from gaincurve.page.labels import labels
from gaincurve.page.observed.runs import refuse_average_ties
from gaincurve.page.observed.sessions import observe_sessions
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.sessions.evaluate import score_sessions
from gaincurve.verbs.sessions.experiment import graded_logs

SCENARIO = "session"


@dataclass(frozen=True, eq=False)
class SessionInputs:
    """What the panel of sessions is made from, and the scores under the choices that the page is written with."""

    experiment: Experiment
    scenario: Scenario
    scores: Scores

    @classmethod
    def scored(cls, experiment: Experiment, scenario: Scenario) -> SessionInputs:
        """An experiment scored on the measures of the panel."""
        asked = asked_measures(reversed(SESSIONS), scenario, "session")
        return cls(experiment, scenario, score_sessions(experiment, asked, scenario))

    @property
    def labels(self) -> list[str]:
        """The systems as charts and tables call them."""
        return labels(self.experiment.names)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader of the numbers should know."""
        return self.scores.notes

    @property
    def inputs(self) -> tuple[Source, ...]:
        """Where everything came from, judgments first."""
        return self.experiment.inputs

    def observed(self) -> dict[str, Any]:
        """The part `sessions` of gaincurve.observed/1."""
        return observe_sessions(self.experiment, self.scenario)


def session_page_scenario(scenario: Scenario | str | None, gains: Gains, **choices: object) -> Scenario:
    """The choices of sessions: a scenario of their own, or `session` with the gains that the page has.

    A page has one choice of gains; discounts, and how far lists are read, are chosen for sessions and for single lists
    apart.
    """
    if scenario is None:
        chosen = session_scenario(SCENARIO, **{"gains": gains, **choices})
    else:
        chosen = session_scenario(scenario, **choices)
    refuse_average_ties(chosen)
    return chosen


def session_inputs(
    judgments: Judgments,
    logs: SessionLog | Iterable[SessionLog],
    gains: Gains,
    *,
    scenario: Scenario | str | None = None,
    gaps: str = "error",
    design: str | None = None,
    **choices: object,
) -> SessionInputs:
    """Session logs for a page, judged by `judgments`; `gains` are those of the page."""
    chosen = session_page_scenario(scenario, gains, **choices)
    return SessionInputs.scored(graded_logs(judgments, logs, chosen, gaps, design), chosen)
