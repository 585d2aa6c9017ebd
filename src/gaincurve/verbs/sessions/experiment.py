"""Session logs made ready: graded once, on one table of queries where they answer the same sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.measures.grid import Laid, lay_out
from gaincurve.measures.session_registry import SessionMeasure
from gaincurve.model.graded import IDEAL
from gaincurve.model.judgments import Judgments
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.log import GradedSessions, Sessions, judged_sessions
from gaincurve.model.sessions.rules import MOST_PLACES, MOST_QUERIES, RULE_NAMES, SessionRules
from gaincurve.model.sessions.tables import DESIGNS, absent_sessions, common_table, share_sessions
from gaincurve.model.source import Note, Source, examples, shorten
from gaincurve.verbs.experiment import refuse_names_twice


@dataclass(frozen=True, eq=False)
class SessionExperiment:
    """Judgments and graded session logs, and whether all systems answered the same sessions."""

    judgments: Judgments
    runs: tuple[GradedSessions, ...]
    design: str
    notes: tuple[Note, ...] = ()
    beside: tuple[Source, ...] = ()

    @property
    def inputs(self) -> tuple[Source, ...]:
        """Where everything came from, judgments first."""
        return (self.judgments.source, *self.beside, *(run.source for run in self.runs))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(run.name for run in self.runs)

    @property
    def judged_by(self) -> str:
        """'topic' or 'query'."""
        return "query" if any(run.sessions.judged_by == "query" for run in self.runs) else "topic"

    def on_topic(self, topic: str) -> SessionExperiment:
        """Only the sessions on one topic."""
        kept = []
        for run in self.runs:
            of_session = run.sessions.topic_of_session()
            wanted = run.sessions.topics.index(topic) if topic in run.sessions.topics else -2
            kept.append(run.select(np.flatnonzero(of_session == wanted)))
        if not any(len(run.sessions) for run in kept):
            known = sorted({name for run in self.runs for name in run.sessions.topics})
            what = f"no session is on topic {shorten(topic)}; topics: {examples(known, 8)}"
            raise InputError(Problem("topic-unknown", what))
        if share_sessions(self.runs):  # they still do
            ids = kept[0].sessions.ids
            kept = [replace(run, sessions=replace(run.sessions, ids=ids)) for run in kept]
        return replace(self, runs=tuple(kept))

    def longest(self, rules: SessionRules) -> int:
        """The most queries a session has in any run."""
        return max((int(_lengths(run, rules).max(initial=0)) for run in self.runs), default=0)


def _lengths(run: GradedSessions, rules: SessionRules) -> NDArray[np.int64]:
    if rules.empty_lists == "count":
        return run.sessions.lengths
    return np.bincount(run.sessions.session[run.retrieved > 0], minlength=len(run.sessions))


def session_experiment(
    judgments: Judgments,
    runs: Sequence[GradedSessions],
    scenario: Scenario,
    *,
    known: Sessions | None = None,
    gaps: str = "error",
    design: str | None = None,
    notes: tuple[Note, ...] = (),
    beside: tuple[Source, ...] = (),
) -> SessionExperiment:
    """Graded logs on one table where they answer the same sessions, under the scenario's rules."""
    _check_names(runs)
    if scenario.unjudged == "bounds":
        raise ChoiceError(Problem("measure-no-bounds", "session measures have no bounds"))
    placed, found = common_table(runs, known, gaps)
    if design is not None and one_of("--design", design, tuple(DESIGNS)) != found and len(runs) > 1:
        if design == "paired":
            names = examples([run.name for run in runs])
            what = f"the sessions of {names} differ in id, topic, user or number of queries"
            raise InputError(Problem("session-design", what, runs[1].source.path))
        found = design
    if found == "paired" or len(runs) == 1:
        placed = [absent_sessions(run, scenario.missing) for run in placed]
    if scenario.unjudged == "condensed":
        placed = [run.condensed() for run in placed]
    if not any(judged_sessions(run).any() for run in placed):
        ours, theirs = examples(list(judgments.topics)), examples(list(placed[0].sessions.topics))
        what = f"no session is on a judged topic; judged topics: {ours}; topics of the sessions: {theirs}"
        raise InputError(Problem("topics-disjoint", what, f"{judgments.source.path} and {runs[0].source.path}"))
    return SessionExperiment(judgments, tuple(placed), found, notes, beside)


def _check_names(runs: Sequence[GradedSessions]) -> None:
    if not runs:
        raise InputError(Problem("run-none", "no sessions were given"))
    ideal = (IDEAL, "the best possible session")
    refuse_names_twice([ideal, *((run.name, run.source.path) for run in runs)], "systems")


def session_choices(scenario: Scenario | str, **choices: object) -> tuple[Scenario, SessionRules]:
    """The scenario and the rules for sessions with single choices put in."""
    start = Scenario.of(scenario)
    rules = start.session.with_choices(**{k: v for k, v in choices.items() if k in RULE_NAMES})
    if start.empty == "zero" and choices.get("empty") is None:
        rules = rules.with_choices(empty="zero")
    chosen = start.with_choices(**{k: v for k, v in choices.items() if k not in RULE_NAMES})
    if chosen.ties == "average":
        raise ChoiceError(
            Problem("session-choices", "--ties average shares a gain among ranks; sessions need one order")
        )
    return replace(chosen, session=rules), rules


def laid_out(
    experiment: SessionExperiment,
    measure: SessionMeasure,
    scenario: Scenario,
    rules: SessionRules,
    longest: int | None = None,
) -> list[Laid]:
    """Every run made ready for a measure; `longest` stands for the longest session where some were left out."""
    ruled = measure.choices(scenario, rules, 0).rules
    if scenario.unjudged == "condensed" and ruled.scan != "top" and "scan" in measure.definition.uses:
        what = f"scan={ruled.scan!r} counts ranks of whole lists, and unjudged='condensed' shortens them"
        raise ChoiceError(Problem("session-choices", what, hint="choose one of the two"))
    own = experiment.longest(ruled)
    longest = own if longest is None else longest
    if ruled.horizon == "longest" and longest > MOST_QUERIES:
        what = f"horizon='longest' would be {longest} queries"
        raise ChoiceError(Problem("session-choices", what, hint="give a number of at most 1000"))
    choices = measure.choices(scenario, rules, longest)
    queries = max(own, choices.horizon)
    if queries * choices.depth > MOST_PLACES:
        what = f"{queries} queries × {choices.depth} ranks of one session are more than {MOST_PLACES} places"
        raise ChoiceError(Problem("session-choices", what, hint="choose a smaller --depth or --horizon"))
    return [lay_out(run, choices) for run in experiment.runs]


def counting(run: GradedSessions, scenario: Scenario) -> NDArray[np.bool_]:
    """Sessions that enter a system's means: judged, and not left out because the system lacks them."""
    return judged_sessions(run) & (run.present | (scenario.missing != "skip"))
