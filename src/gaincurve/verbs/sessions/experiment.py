"""Session logs ready to be scored: graded once, on one table of queries where they answer the same sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.model.graded import IDEAL, Graded, topics_disjoint
from gaincurve.model.instances import Instances
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.log import grade_log, share_units
from gaincurve.model.sessions.objects import logs_of
from gaincurve.model.sessions.rules import MOST_PLACES, MOST_QUERIES, SessionRules
from gaincurve.model.sessions.shapes import LogRules
from gaincurve.model.sessions.tables import DESIGNS, absent_sessions, common_table
from gaincurve.model.source import Note, Source, counted, examples, shorten
from gaincurve.model.units import Units
from gaincurve.verbs.experiment import Experiment, refuse_names_twice, refuse_strays, seen_as_judged


def graded_logs(
    judgments: object,
    logs: object,
    scenario: Scenario,
    gaps: str = "error",
    design: str | None = None,
    instances: Instances | None = None,
    rules: LogRules | None = None,
) -> Experiment:
    """An experiment from logs in memory: what `read_sessions` returns, or records, dicts and data frames."""
    judged = Judgments.of(judgments)
    given = logs_of(logs, replace(rules or LogRules(), judged=judged.topics))
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
        raise InputError(topics_disjoint(judgments, what, placed[0].units.topics, runs[0].source))
    placed = refuse_strays(judgments, placed, scenario)
    return Experiment(judgments, tuple(seen_as_judged(run, scenario) for run in placed), observed, notes, beside)


def on_topic(graded: Experiment, topic: str) -> Experiment:
    """Only the sessions on one topic, which signatures then name."""
    runs = []
    for run in graded.runs:
        wanted = run.units.topics.index(topic) if topic in run.units.topics else -2
        runs.append(run.select(np.flatnonzero(run.units.topic_of_unit() == wanted)))
    counts = "; ".join(
        f"{run.name}: {int(chosen.judged_units.sum())} of {len(chosen.units)} judged, "
        f"{counted(len(run.units), 'session')} in all"
        for run, chosen in zip(graded.runs, runs, strict=True)
    )
    if not any(len(run.units) for run in runs):
        known = sorted({name for run in graded.runs for name in run.units.topics})
        what = f"no session is on topic {shorten(topic)} ({counts}); topics: {examples(known, 8)}"
        raise InputError(Problem("topic-unknown", what))
    if not all(run.judged_units.any() for run in runs):
        what = f"not every system has a judged session on topic {shorten(topic)}: {counts}"
        raise InputError(Problem("sessions-none-left", what))
    if share_units(graded.runs):  # they still do
        labels = runs[0].units.labels
        runs = [replace(run, units=replace(run.units, labels=labels)) for run in runs]
    return replace(graded, runs=tuple(runs), topic=topic)


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
    _refuse_unlike_scans(graded.runs, measure, rules)
    if rules.unjudged_queries == "error" and "unjudged_queries" in measure.definition.rules:
        refuse_unjudged_queries(graded.runs)
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


def _refuse_unlike_scans(runs: Sequence[Graded], measure: Measure, rules: SessionRules) -> None:
    """Lists cut where a user stopped and lists read to the depth are not compared: the cut ones would look worse."""
    if rules.scan == "top" or "scan" not in measure.definition.rules:
        return
    recorded = [_recorded(run.units, rules.scan) for run in runs]
    if any(recorded) and not all(recorded):
        cut, whole = (runs[recorded.index(side)].name for side in (True, False))
        noun = "clicks" if rules.scan == "clicks" else "reading depth"
        what = f"--scan {rules.scan} cuts the lists of {cut}, but not those of {whole}, which records no {noun}"
        raise ChoiceError(Problem("session-choices", what, hint="use --scan top, or systems that all record it"))


def _recorded(units: Units, scan: str) -> bool:
    """Whether a log knows of any list how far it was read."""
    seen = units.scanned if scan == "observed" else units.clicked
    return seen is not None and bool((seen >= 0 if scan == "observed" else seen > 0).any())


def refuse_unjudged_queries(runs: Sequence[Graded]) -> None:
    """The rule 'error' for queries whose topic is not judged, in sessions that have judged ones."""
    for run in runs:
        judged = run.judged_units[run.units.unit]
        strange = np.flatnonzero((run.base < 0) & judged)
        if len(strange):
            names = [f"{run.units.ids[int(run.units.unit[q])]} query {run.units.position[q]}" for q in strange.tolist()]
            what = f"{len(strange)} of {int(judged.sum())} queries are not judged: {examples(names)}"
            raise InputError(Problem("query-unjudged", what, run.source.path))
