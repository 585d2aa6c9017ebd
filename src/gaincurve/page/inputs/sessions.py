"""Sessions for a page: logs graded under the choices of sessions, and scored, so that what is wrong is said at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gaincurve.measures.session_registry import parse_session_measures
from gaincurve.model.gains import Gains
from gaincurve.model.judgments import Judgments
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.log import SessionLog, grade_sessions
from gaincurve.model.sessions.rules import SessionRules
from gaincurve.model.source import Note, Source
from gaincurve.page.facts import SESSIONS
from gaincurve.page.labels import labels
from gaincurve.page.observed.sessions import observe_sessions
from gaincurve.verbs.sessions.evaluate import SessionScores, score_sessions
from gaincurve.verbs.sessions.experiment import SessionExperiment, session_choices, session_experiment

SCENARIO = "session"


@dataclass(frozen=True, eq=False)
class SessionInputs:
    """What the panel of sessions is made from, and the scores under the choices that the page is written with."""

    experiment: SessionExperiment
    scenario: Scenario
    rules: SessionRules
    scores: SessionScores

    @classmethod
    def scored(cls, experiment: SessionExperiment, scenario: Scenario, rules: SessionRules) -> SessionInputs:
        """An experiment scored on the measures of the panel."""
        scores = score_sessions(experiment, parse_session_measures(reversed(SESSIONS)), scenario, rules)
        return cls(experiment, scenario, rules, scores)

    @property
    def labels(self) -> list[str]:
        """The systems as charts and tables call them."""
        return labels(self.experiment.names)

    @property
    def signatures(self) -> tuple[tuple[str, str], ...]:
        """Each measure with its signature."""
        return tuple(zip(self.scores.scores.measures, self.scores.signatures, strict=True))

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader of the numbers should know."""
        return self.scores.scores.notes

    @property
    def inputs(self) -> tuple[Source, ...]:
        """Where everything came from, judgments first."""
        return self.experiment.inputs

    def observed(self) -> dict[str, Any]:
        """The part `sessions` of gaincurve.observed/1."""
        return observe_sessions(self.experiment, self.scenario, self.rules)


def session_page_choices(
    scenario: Scenario | str | None, gains: Gains, **choices: object
) -> tuple[Scenario, SessionRules]:
    """The choices of sessions: a scenario of their own, or `session` with the gains that the page has.

    What a document is worth is one choice of a page; how ranks and queries are discounted, and how far lists are read,
    is another for sessions than for single lists.
    """
    if scenario is None:
        return session_choices(SCENARIO, **{"gains": gains, **choices})
    return session_choices(scenario, **choices)


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
    chosen, rules = session_page_choices(scenario, gains, **choices)
    given = [logs] if isinstance(logs, SessionLog) else list(logs)
    graded = [grade_sessions(judgments, log) for log in given]
    experiment = session_experiment(judgments, graded, chosen, gaps=gaps, design=design)
    return SessionInputs.scored(experiment, chosen, rules)
