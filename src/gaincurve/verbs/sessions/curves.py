"""The verb `session_curves`: how sessions go, over the concatenated ranks of their queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.curve.sessions import (
    LastQueries,
    Lengths,
    Position,
    SessionLine,
    last_queries,
    lengths,
    mean_line,
    positions,
    session_lines,
)
from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.grid import Laid
from gaincurve.measures.session_registry import SessionMeasure, parse_session_measures
from gaincurve.model.graded import IDEAL
from gaincurve.model.ids import Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import json_number
from gaincurve.model.sessions.log import GradedSessions, SessionLog, grade_sessions
from gaincurve.model.sessions.rules import SessionRules
from gaincurve.model.source import Note, Source
from gaincurve.verbs.sessions.evaluate import score_sessions
from gaincurve.verbs.sessions.experiment import (
    SessionExperiment,
    counting,
    laid_out,
    session_choices,
    session_experiment,
)

MOST_SHOWN = 1000
"""Query positions beyond this are not drawn or listed."""


@dataclass(frozen=True, eq=False)
class Singles:
    """Every session of one run as its own line; `ends` tells after how many queries it stopped."""

    run: str
    sessions: tuple[str, ...]
    values: Floats
    ends: Ints


@dataclass(frozen=True, eq=False)
class SessionCurves:
    """Mean lines over ranks 1 … queries · depth: rank r of query q stands at (q−1) · depth + r."""

    measure: str
    signature: str
    axis: str
    normalised: bool
    depth: int
    queries: int
    lines: tuple[SessionLine, ...]
    last: tuple[LastQueries, ...]
    positions: tuple[Position, ...]
    lengths: tuple[Lengths, ...]
    singles: tuple[Singles, ...]
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        return (
            f"SessionCurves({self.measure} of {', '.join(line.label for line in self.lines)}, {self.queries} queries)"
        )

    def __getitem__(self, label: str) -> Floats:
        """The line of a run, or of its sessions with at least so many queries."""
        for line in self.lines:
            if line.label == label:
                return line.values
        raise KeyError(f"no line {label!r}; there are {', '.join(line.label for line in self.lines)}")

    def to_dict(self) -> dict[str, object]:
        """The parts `curves`, `queries`, `last`, `positions` and `lengths` of gaincurve.sessions/1."""
        ideal = {} if self.normalised else {IDEAL: {self.measure: _list(self.lines[0].ideal)}}
        return {
            "depth": self.depth,
            "queries": self.queries,
            "curves": {**{line.label: {self.measure: _list(line.values)} for line in self.lines}, **ideal},
            "going": {line.label: line.going.tolist() for line in self.lines},
            "last": {one.run: {"last": _list(one.last), "others": _list(one.others)} for one in self.last},
            "positions": [{k: json_number(v) if isinstance(v, float) else v for k, v in vars(p).items()}
                          for p in self.positions],
            "lengths": {one.run: {"sessions": list(one.sessions), "mean": json_number(one.mean)}
                        for one in self.lengths},
        }  # fmt: skip


def session_curves(
    judgments: object,
    logs: SessionLog | Iterable[SessionLog],
    measure: str | SessionMeasure = "nsDCG",
    *,
    scenario: Scenario | str = "session",
    at_least: int | None = None,
    topic: str | None = None,
    per_session: bool = False,
    gaps: str = "error",
    **choices: object,
) -> SessionCurves:
    """sDCG or nsDCG over the concatenated results of sessions, by system.

    `at_least` adds lines for the sessions with at least so many queries, `topic` keeps the sessions on one topic,
    `per_session` keeps every session's own line.
    """
    one = parse_session_measures(measure)[0]
    chosen, rules = session_choices(scenario, **choices)
    judged = Judgments.of(judgments)
    given = [logs] if isinstance(logs, SessionLog) else list(logs)
    found = session_experiment(judged, [grade_sessions(judged, log) for log in given], chosen, gaps=gaps)
    found = found if topic is None else found.on_topic(topic)
    return draw_sessions(found, one, chosen, rules, at_least=at_least, per_session=per_session)


def checked_curve(measure: SessionMeasure) -> SessionMeasure:
    """Only sDCG and nsDCG at the end of a session have a line that leads there."""
    if measure.name not in ("sDCG", "nsDCG") or measure.own.get("score") != "final":
        raise ChoiceError(Problem("measure-no-curve", f"{measure} has no curve over a session; sDCG and nsDCG have"))
    return measure


def draw_sessions(
    experiment: SessionExperiment,
    measure: SessionMeasure,
    scenario: Scenario,
    rules: SessionRules,
    *,
    at_least: int | None = None,
    per_session: bool = False,
) -> SessionCurves:
    """The lines of every run, and what else the 2008 paper shows of sessions."""
    checked_curve(measure)
    scores = score_sessions(experiment, [measure], scenario, rules)  # the numbers the lines lead to, and their notes
    laid = laid_out(experiment, measure, scenario, rules)
    pairs = list(zip(experiment.runs, laid, strict=True))
    choices = laid[0].choices
    relative = measure.name == "nsDCG"
    queries = min(MOST_SHOWN, max(choices.horizon, *(int(one.lengths.max(initial=1)) for one in laid)))
    inside = [counting(run, scenario) for run in experiment.runs]
    lines = [mean_line(r.name, r.name, one, c, queries, relative) for (r, one), c in zip(pairs, inside, strict=True)]
    if at_least is not None:
        for (run, one), chosen in zip(pairs, inside, strict=True):
            long = chosen & (one.lengths >= at_least)
            lines.append(mean_line(run.name, f"{run.name}, {at_least}+ queries", one, long, queries, relative))
    return SessionCurves(
        measure=measure.text,
        signature=scores.signatures[0],
        axis=f"gains {choices.gains}, b={_base(choices.discount.base)}, bq={_base(choices.rules.query_discount.base)}",
        normalised=relative,
        depth=choices.depth,
        queries=queries,
        lines=tuple(lines),
        last=tuple(last_queries(run.name, one, c) for (run, one), c in zip(pairs, inside, strict=True)),
        positions=tuple(
            p for (r, one), c in zip(pairs, inside, strict=True) for p in positions(r.name, one, c, queries)
        ),
        lengths=tuple(lengths(run.name, one, run.present, queries) for run, one in pairs),
        singles=tuple(_singles(run, one, c, queries, relative) for (run, one), c in zip(pairs, inside, strict=True))
        if per_session
        else (),
        inputs=experiment.inputs,
        notes=scores.scores.notes,
    )


def _singles(run: GradedSessions, laid: Laid, inside: NDArray[np.bool_], queries: int, relative: bool) -> Singles:
    names = tuple(run.sessions.ids.take(np.flatnonzero(inside)).texts())
    return Singles(run.name, names, session_lines(laid, queries, relative)[inside], laid.lengths[inside])


def _base(base: float | None) -> str:
    return "none" if base is None else f"{base:g}"


def _list(values: Floats) -> list[float | None]:
    return [json_number(value) for value in values.tolist()]
