"""The verb `evaluate_sessions`: judgments and session logs in, scores of whole sessions out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve._version import __version__
from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.measures import sessions as _families  # noqa: F401 -- importing registers the session measures
from gaincurve.measures.grid import Laid
from gaincurve.measures.session_registry import SessionMeasure, parse_session_measures
from gaincurve.model.instances import Instances
from gaincurve.model.judgments import Judgments
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores, json_number, mean
from gaincurve.model.sessions.log import (
    GradedSessions,
    SessionLog,
    Sessions,
    grade_sessions,
    unjudged_note,
)
from gaincurve.model.sessions.rules import SessionRules
from gaincurve.model.sessions.tables import share_sessions
from gaincurve.model.source import Note, counted, examples, number_text, shorten
from gaincurve.verbs.evaluate import check_subtopics
from gaincurve.verbs.sessions.experiment import (
    SessionExperiment,
    counting,
    laid_out,
    session_choices,
    session_experiment,
)

DEFAULT_MEASURES = ("sDCG", "nsDCG")
GROUPINGS = ("topic", "user")
USUAL_BASES = (1.5, 10.0)


@dataclass(frozen=True, eq=False)
class SessionScores:
    """Session by session scores of every system, and their summary.

    `scores` is what the statistics take: its topics are the session ids, its `design` tells whether they are paired,
    and its signatures are those of single sessions and their plain mean. The summary in `means` has `signatures` of
    its own: it may be a ratio of means, or as `by` names it a mean of the means of each topic's or user's sessions.
    """

    scores: Scores
    means: dict[str, dict[str, float]]
    signatures: tuple[str, ...]
    by: str = ""
    groups: Mapping[str, Mapping[str, Mapping[str, float]]] | None = None
    tables: tuple[Sessions, ...] = ()

    def __repr__(self) -> str:
        return f"SessionScores({self.scores!r}, {self.scores.design})"

    def __getitem__(self, key: tuple[str, str]) -> object:
        """`found["bm25", "nsDCG"]`: a value per session."""
        return self.scores[key]

    @property
    def design(self) -> str:
        """'paired' or 'unpaired'."""
        return self.scores.design

    def summary(self) -> dict[str, dict[str, float]]:
        """{system: {measure: mean over sessions, or over topics or users}}."""
        return {run: dict(row) for run, row in self.means.items()}

    def to_dict(self, sessions: bool = False) -> dict[str, object]:
        """The JSON shape gaincurve.sessions/1; with `sessions` the single scores too."""
        scores = self.scores
        found: dict[str, object] = {
            "schema": "gaincurve.sessions/1",
            "measures": [{"name": m, "signature": s} for m, s in zip(scores.measures, self.signatures, strict=True)],
            "design": scores.design,
            "summary": {run: {m: json_number(v) for m, v in row.items()} for run, row in self.means.items()},
        }
        if self.groups is not None:
            found["by"] = self.by
            found["groups"] = {
                run: {g: {m: json_number(v) for m, v in row.items()} for g, row in groups.items()}
                for run, groups in self.groups.items()
            }
        if sessions:
            found["sessions"] = {run: self._sessions_of(r) for r, run in enumerate(scores.runs)}
        return found

    def facts(self, r: int) -> Iterator[tuple[int, dict[str, object]]]:
        """The sessions of run r: their place in the scores, and topic, user and number of queries."""
        table = self.tables[r]
        topic, lengths = table.topic_of_session().tolist(), table.lengths.tolist()
        user = [-1] * len(table) if table.user is None else table.user.tolist()
        index = {name: s for s, name in enumerate(self.scores.topics)}
        for s, name in enumerate(table.names):
            found: dict[str, object] = {"topic": table.topics[topic[s]] if topic[s] >= 0 else None}
            if user[s] >= 0:
                found["user"] = table.users[user[s]]
            yield index[name], {**found, "queries": lengths[s]}

    def _sessions_of(self, r: int) -> dict[str, dict[str, object]]:
        scores = self.scores
        return {
            scores.topics[s]: {
                **about,
                **{m: json_number(float(scores.values[r, i, s])) for i, m in enumerate(scores.measures)},
            }
            for s, about in self.facts(r)
        }


def evaluate_sessions(
    judgments: object,
    logs: SessionLog | Iterable[SessionLog],
    measures: str | SessionMeasure | Iterable[str | SessionMeasure] = DEFAULT_MEASURES,
    *,
    scenario: Scenario | str = "session",
    by: str | None = None,
    design: str | None = None,
    gaps: str = "error",
    instances: Instances | None = None,
    **choices: object,
) -> SessionScores:
    """Score whole sessions: what `read_sessions` returns, one log per system.

    `choices` are those of the scenario (gains, discount, base, depth, ties, unjudged, missing) and of sessions (bq,
    query_discount, rank_scope, normalise, ideal, horizon, pad, scan, empty_lists, repeats, average, empty). `by` is
    'topic' or 'user' for a mean of their means; `instances` stand in for judgments by subtopic, which only sIR needs.
    """
    asked = parse_session_measures(measures)
    chosen, rules = session_choices(scenario, **choices)
    judged = Judgments.of(judgments)
    given = [logs] if isinstance(logs, SessionLog) else list(logs)
    graded = [grade_sessions(judged, log) for log in given]
    found = session_experiment(judged, graded, chosen, gaps=gaps, design=design)
    return score_sessions(found, asked, chosen, rules, by=by, instances=instances)


def score_sessions(
    experiment: SessionExperiment,
    measures: list[SessionMeasure],
    scenario: Scenario,
    rules: SessionRules,
    *,
    by: str | None = None,
    instances: Instances | None = None,
    longest: int | None = None,
) -> SessionScores:
    """Every measure on every system; `longest` stands for the longest session where some were left out."""
    if by is not None:
        one_of("--by", by, GROUPINGS)
    check_session_gains(experiment.judgments, measures, scenario, rules)
    if instances is None and any(measure.definition.needs_instances for measure in measures):
        instances = Instances.of_subtopics(check_subtopics(experiment.judgments))
    names, place = _columns(experiment)
    values = np.full((len(experiment.runs), len(measures), len(names)), np.nan)
    means: dict[str, dict[str, float]] = {run.name: {} for run in experiment.runs}
    groups: dict[str, dict[str, dict[str, float]]] = {run.name: {} for run in experiment.runs}
    signatures: list[tuple[str, str]] = []
    for i, measure in enumerate(measures):
        laid_runs = laid_out(experiment, measure, scenario, rules, longest)
        for r, (run, laid) in enumerate(zip(experiment.runs, laid_runs, strict=True)):
            single = _values(run, laid, measure, scenario, instances)
            values[r, i, place[r]] = single
            grouping = _grouping(run, by)
            means[run.name][measure.text], each = _summarised(laid, single, measure, grouping)
            for group, value in each.items():
                groups[run.name].setdefault(group, {})[measure.text] = value
        signatures.append(_signatures(experiment, measure, scenario, rules, values[:, i], by, laid_runs[0]))
    notes = _notes(experiment, measures, values, dict(zip(experiment.names, place, strict=True)), scenario, rules)
    scores = Scores(
        runs=experiment.names,
        measures=tuple(measure.text for measure in measures),
        topics=names,
        values=values,
        signatures=tuple(single for single, _ in signatures),
        inputs=experiment.inputs,
        notes=notes,
        design=experiment.design,
    )
    return SessionScores(
        scores,
        means,
        tuple(summary for _, summary in signatures),
        by or "",
        groups if by else None,
        tuple(run.sessions for run in experiment.runs),
    )


def _signatures(
    experiment: SessionExperiment,
    measure: SessionMeasure,
    scenario: Scenario,
    rules: SessionRules,
    values: Floats,
    by: str | None,
    laid: Laid,
) -> tuple[str, str]:
    """What single sessions and their plain mean are signed with, and what the summary is."""
    dropped = any(note.slug == "duplicates-dropped" for run in experiment.runs for note in run.notes)

    def signed(chosen: SessionRules, grouping: str) -> str:
        sessions, judged_by = sessions_text(values, experiment), experiment.judged_by
        longest = laid.choices.longest
        return measure.signature(scenario, chosen, sessions, judged_by, grouping, __version__, longest, dropped)

    return signed(rules.with_choices(average="mean-of-ratios"), ""), signed(rules, by or "")


def check_session_gains(
    judgments: Judgments, measures: Iterable[SessionMeasure], scenario: Scenario, rules: SessionRules
) -> None:
    """Refuse gains that leave a grade of the judgments without a value."""
    for measure in measures:
        gains = measure.choices(scenario, rules, 0).gains
        for grade in gains.missing(judgments.grades)[:1]:
            at = int(np.flatnonzero(judgments.grades == grade)[0])
            place = f"topic {shorten(judgments.topics[judgments.topic[at]])}, document {judgments.documents[at]}"
            what = f"gains {gains} have no value for grade {number_text(float(grade))}"
            raise ChoiceError(Problem("gains-grade", what, f"{judgments.source.path}, {place}"))


def _columns(experiment: SessionExperiment) -> tuple[tuple[str, ...], list[NDArray[np.int64]]]:
    """The sessions of all systems together, and where each system's own stand among them."""
    first = experiment.runs[0].sessions
    if share_sessions(experiment.runs):
        return first.names, [np.arange(len(first))] * len(experiment.runs)
    index: dict[str, int] = {}
    place = [
        np.array([index.setdefault(name, len(index)) for name in run.sessions.names], dtype=np.int64)
        for run in experiment.runs
    ]
    return tuple(index), place


def _values(
    run: GradedSessions, laid: Laid, measure: SessionMeasure, scenario: Scenario, instances: Instances | None
) -> Floats:
    own = measure.own
    if measure.definition.needs_instances:
        own["instances"] = instances
    found = measure.definition.compute(laid, **own)
    inside = counting(run, scenario)
    rule = laid.choices.rules.empty
    undefined = inside & np.isnan(found)
    if undefined.any() and rule == "error":
        names = run.sessions.ids.take(np.flatnonzero(undefined)).texts()
        what = f"{measure} is undefined for {counted(len(names), 'session')}: {examples(names)}"
        raise InputError(Problem("session-undefined", what, run.source.path))
    if rule == "zero":
        found = np.nan_to_num(found, nan=0.0)
    return np.where(inside, found, np.nan)


def _grouping(run: GradedSessions, by: str | None) -> list[str] | None:
    """The topic or user of each session."""
    if by is None:
        return None
    table = run.sessions
    if by == "topic":
        number, names = table.topic_of_session(), table.topics
        lacking, hint = "is judged on several topics", "drop --by, or group by user"
    else:
        number, names = (np.full(len(table), -1) if table.user is None else table.user), table.users
        lacking, hint = "has no user", "drop --by, or add the user to the log"
    if (number < 0).any():
        s = int(np.flatnonzero(number < 0)[0])
        what = f"--by {by}: session {shorten(table.ids[s])} {lacking}"
        raise ChoiceError(Problem("session-by", what, run.source.path, hint))
    return [names[i] for i in number.tolist()]


def _summarised(
    laid: Laid, single: Floats, measure: SessionMeasure, grouping: list[str] | None
) -> tuple[float, dict[str, float]]:
    """The summary of one measure, and the value of each group."""
    sides, rules = None, laid.choices.rules
    if measure.average(rules) == "ratio-of-means" and measure.definition.sides is not None:
        sides = measure.definition.sides(laid)
    if grouping is None:
        return _mean(single, sides), {}
    members: dict[str, list[int]] = {}
    for s, group in enumerate(grouping):
        members.setdefault(group, []).append(s)
    each = {
        group: _mean(single[at], None if sides is None else (sides[0][at], sides[1][at]))
        for group, at in sorted(members.items())
    }
    return mean(np.array(list(each.values()))), each


def _mean(single: Floats, sides: tuple[Floats, Floats] | None) -> float:
    if sides is None:
        return mean(single)
    there = ~np.isnan(single)
    best = mean(sides[1][there])
    return mean(sides[0][there]) / best if best > 0 else float("nan")


def sessions_text(values: Floats, experiment: SessionExperiment) -> str:
    """'133', '118/133' where some are undefined; by system where they have sessions of their own."""
    defined = (~np.isnan(values)).sum(axis=1).tolist()
    totals = [len(run.sessions) for run in experiment.runs]
    texts = [str(n) if n == total else f"{n}/{total}" for n, total in zip(defined, totals, strict=True)]
    return texts[0] if len(set(texts)) == 1 else "+".join(texts)


def _notes(
    experiment: SessionExperiment,
    measures: list[SessionMeasure],
    values: Floats,
    places_of: Mapping[str, NDArray[np.int64]],
    scenario: Scenario,
    rules: SessionRules,
) -> tuple[Note, ...]:
    """What a reader of the numbers should know."""
    about: dict[tuple[str, str], list[str]] = {}
    given = (*experiment.judgments.notes, *experiment.notes, *(note for run in experiment.runs for note in run.notes))
    for note in (*given, *unjudged_note(experiment.runs)):
        about.setdefault((note.slug, note.text), []).extend(note.runs)
    notes = [Note(slug, text, tuple(runs)) for (slug, text), runs in about.items()]
    notes += base_notes(measures, scenario, rules)
    if len(experiment.runs) > 1 and experiment.design == "unpaired":
        text = "the systems have sessions of their own: their means are those of different sessions, not of pairs"
        notes += [Note("session-unpaired", text), *_shared_users(experiment)]
    for i, measure in enumerate(measures):
        undefined: dict[str, None] = {}
        for run, single in zip(experiment.runs, values[:, i], strict=True):
            own = single[places_of[run.name]]
            left = np.flatnonzero(np.isnan(own) & counting(run, scenario))
            undefined |= dict.fromkeys(run.sessions.ids.take(left).texts())
        if undefined:
            what = f"{measure}: undefined for {counted(len(undefined), 'session')}, left out of the mean"
            notes.append(Note("undefined", f"{what}: {examples(list(undefined))}"))
    return tuple(notes)


def _shared_users(experiment: SessionExperiment) -> list[Note]:
    """Users who searched with several systems tie their sessions together."""
    systems: dict[str, int] = {}
    for run in experiment.runs:
        table = run.sessions
        there = [] if table.user is None else distinct(table.user[table.user >= 0]).tolist()
        for u in there:
            systems[table.users[u]] = systems.get(table.users[u], 0) + 1
    shared = sum(count > 1 for count in systems.values())
    if not shared:
        return []
    which = "both" if len(experiment.runs) == 2 else "several systems"
    text = f"{counted(shared, 'user')} searched with {which}: sessions of one user are not independent"
    return [Note("session-users", text)]


def base_notes(measures: list[SessionMeasure], scenario: Scenario, rules: SessionRules) -> list[Note]:
    """A base outside the range the 2008 paper calls reasonable is noted once."""
    found: dict[str, Note] = {}
    for measure in measures:
        choices = measure.choices(scenario, rules, 0)
        for name, discount in (("b", choices.discount), ("bq", choices.rules.query_discount)):
            base, used = discount.base, {"b": "base", "bq": "bq"}[name] in measure.definition.uses
            if used and base is not None and np.isfinite(base) and not USUAL_BASES[0] <= base <= USUAL_BASES[1]:
                text = f"{name} = {number_text(base)} lies outside 1.5 to 10, which the 2008 paper calls reasonable"
                found[text] = Note("base-unusual", text)
    return list(found.values())
