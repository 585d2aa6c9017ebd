"""Session logs ready to be scored: graded once, on one table of queries where they answer the same sessions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.model.graded import IDEAL, Graded
from gaincurve.model.instances import Instances
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.log import SessionLog, grade_log, share_units
from gaincurve.model.sessions.rules import MOST_PLACES, MOST_QUERIES, SessionRules
from gaincurve.model.sessions.tables import DESIGNS, absent_sessions, common_table
from gaincurve.model.source import Note, Source, examples, shorten
from gaincurve.model.units import Units
from gaincurve.verbs.experiment import Experiment, refuse_names_twice, seen_as_judged


def graded_logs(
    judgments: object,
    logs: SessionLog | Iterable[SessionLog],
    scenario: Scenario,
    gaps: str = "error",
    design: str | None = None,
    instances: Instances | None = None,
) -> Experiment:
    """An experiment from logs in memory."""
    judged = Judgments.of(judgments)
    given = [logs] if isinstance(logs, SessionLog) else list(logs)
    graded = session_experiment(judged, [grade_log(judged, log) for log in given], scenario, gaps=gaps, design=design)
    return graded if instances is None else with_instances(graded, instances)


def with_instances(graded: Experiment, instances: Instances) -> Experiment:
    """The experiment with instances that stand in for judgments by subtopic."""
    subtopics = instances.as_subtopics()
    runs = (replace(run, judgments=replace(run.judgments, subtopics=subtopics)) for run in graded.runs)
    return replace(graded, runs=tuple(runs))


def session_experiment(
    judgments: Judgments,
    runs: Sequence[Graded],
    scenario: Scenario,
    *,
    known: Units | None = None,
    gaps: str = "error",
    design: str | None = None,
    notes: tuple[Note, ...] = (),
    beside: tuple[Source, ...] = (),
) -> Experiment:
    """Graded logs on one table where they answer the same sessions, under the scenario's rules."""
    if not runs:
        raise InputError(Problem("run-none", "no sessions were given"))
    ideal = (IDEAL, "the best possible session")
    refuse_names_twice([ideal, *((run.name, run.source.path) for run in runs)], "systems")
    placed, observed = common_table(runs, known, gaps)
    if design is not None and one_of("--design", design, tuple(DESIGNS)) != observed and len(runs) > 1:
        if design == "paired":
            names = examples([run.name for run in runs])
            what = f"the sessions of {names} differ in id, topic, user or number of queries"
            raise InputError(Problem("session-design", what, runs[1].source.path))
        observed = design
    if observed == "paired" or len(runs) == 1:
        placed = [absent_sessions(run, scenario.missing) for run in placed]
    if not any(run.judged_units.any() for run in placed):
        ours, theirs = examples(list(judgments.topics)), examples(list(placed[0].units.topics))
        what = f"no session is on a judged topic; judged topics: {ours}; topics of the sessions: {theirs}"
        raise InputError(Problem("topics-disjoint", what, f"{judgments.source.path} and {runs[0].source.path}"))
    return Experiment(judgments, tuple(seen_as_judged(run, scenario) for run in placed), observed, notes, beside)


def on_topic(graded: Experiment, topic: str) -> Experiment:
    """Only the sessions on one topic."""
    runs = []
    for run in graded.runs:
        wanted = run.units.topics.index(topic) if topic in run.units.topics else -2
        runs.append(run.select(np.flatnonzero(run.units.topic_of_unit() == wanted)))
    if not any(len(run.units) for run in runs):
        known = sorted({name for run in graded.runs for name in run.units.topics})
        what = f"no session is on topic {shorten(topic)}; topics: {examples(known, 8)}"
        raise InputError(Problem("topic-unknown", what))
    if share_units(graded.runs):  # they still do
        labels = runs[0].units.labels
        runs = [replace(run, units=replace(run.units, labels=labels)) for run in runs]
    return replace(graded, runs=tuple(runs))


def longest_session(runs: Sequence[Graded], rules: SessionRules) -> int:
    """The most queries a session has in any run."""
    return max((int(_lengths(run, rules).max(initial=0)) for run in runs), default=0)


def _lengths(run: Graded, rules: SessionRules) -> NDArray[np.int64]:
    if rules.empty_lists == "count":
        return run.units.lengths
    return np.bincount(run.units.unit[run.retrieved > 0], minlength=len(run.units))


def on_data(graded: Experiment, measure: Measure, scenario: Scenario, longest: int | None = None) -> Scenario:
    """The scenario with the longest session of the data filled in; refuses sessions too long to lay out.

    `longest` stands for the longest session where some were left out.
    """
    rules = measure.choices(scenario).session
    if scenario.unjudged == "condensed" and rules.scan != "top" and "scan" in measure.definition.rules:
        what = f"scan={rules.scan!r} counts ranks of whole lists, and unjudged='condensed' shortens them"
        raise ChoiceError(Problem("session-choices", what, hint="choose one of the two"))
    own = longest_session(graded.runs, rules)
    longest = own if longest is None else longest
    if rules.horizon == "longest" and longest > MOST_QUERIES:
        what = f"horizon='longest' would be {longest} queries"
        raise ChoiceError(Problem("session-choices", what, hint="give a number of at most 1000"))
    queries = max(own, replace(rules, longest=longest).queries)
    depth = measure.read_to(scenario)
    if queries * depth > MOST_PLACES:
        what = f"{queries} queries × {depth} ranks of one session are more than {MOST_PLACES} places"
        raise ChoiceError(Problem("session-choices", what, hint="choose a smaller --depth or --horizon"))
    return replace(scenario, session=replace(scenario.session, longest=longest))
