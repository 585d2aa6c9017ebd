"""The verb `session_curves`: how sessions go, over the concatenated ranks of their queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from gaincurve.curve.queries import Best, Reformulations, best_queries, query_scores, reformulations
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
from gaincurve.measures.grid import SessionGains, session_gains
from gaincurve.model.choices import SessionChoices
from gaincurve.model.graded import IDEAL, Graded
from gaincurve.model.ids import Ints
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.model.scores import json_number
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source
from gaincurve.model.tables.result import Result, Series
from gaincurve.model.tables.tidy import Column, Tidy, beside, coded, each_signature, number, stacked
from gaincurve.stats.distributions import t_quantile
from gaincurve.stats.rounding import SLACK
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import Experiment, counted
from gaincurve.verbs.sessions.changes import Reformulation, Step, each_reformulation, steps
from gaincurve.verbs.sessions.evaluate import score_sessions
from gaincurve.verbs.sessions.experiment import graded_logs, on_data, on_topic

ALPHA = 0.05
"""Intervals of mean lines hold 95% of the time."""

MOST_SHOWN = 1000
"""Query positions beyond this are not drawn or listed."""


CURVES_SCHEMA = "gaincurve.session-curves/1"


class Drawn(NamedTuple):
    """A mean line or the ideal by place, the ends of its interval, and how many sessions asked each query."""

    label: str
    values: Floats
    low: Floats
    high: Floats
    sessions: Ints | None
    signature: Signature


@dataclass(frozen=True, eq=False)
class Singles:
    """Every session of one run as its own line; `ends` is the number of queries after which it stopped."""

    run: str
    sessions: tuple[str, ...]
    values: Floats
    ends: Ints


@dataclass(frozen=True, eq=False)
class SessionCurves(Result):
    """Mean lines over ranks 1 … queries · depth: rank r of query q stands at (q−1) · depth + r."""

    measure: Measure
    signature: Signature
    axis: str
    normalised: bool
    depth: int
    queries: int
    lines: tuple[SessionLine, ...]
    last: tuple[LastQueries, ...]
    positions: tuple[Position, ...]
    lengths: tuple[Lengths, ...]
    singles: tuple[Singles, ...]
    best: tuple[Best, ...]
    reformulations: tuple[Reformulations, ...]
    graded: tuple[Graded, ...]
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

    def signature_of(self, line: SessionLine) -> Signature:
        """The signature of one line: how many sessions enter it, and how long they are at least."""
        if "at-least" not in self.signature.parts:
            return self.signature
        return self.signature.but(at_least=line.at_least, sessions=line.sessions)

    def interval(self, line: SessionLine) -> tuple[Floats, Floats]:
        """The ends of the 95% t interval of a mean at every place, nan where its sessions do not differ.

        Sessions are taken to be independent. A line that is held keeps the interval of its sessions' last values.
        """
        sizes = np.unique(line.defined[line.defined > 1])
        factors = np.array([t_quantile(1 - ALPHA / 2, size - 1) / np.sqrt(size) for size in sizes.tolist()])
        spreads = line.deviation > SLACK * np.abs(line.values)
        half = np.full(len(line.values), np.nan)
        half[spreads] = factors[np.searchsorted(sizes, line.defined[spreads])] * line.deviation[spreads]
        return line.values - half, line.values + half

    @property
    def query_score(self) -> str:
        """What the best query and reformulations are judged by: a query's own DCG, or its nDCG."""
        return f"{'nDCG' if self.normalised else 'DCG'}@{self.depth}"

    def best_sentences(self) -> list[str]:
        """'keywords: the last query was the best in 30 of 41 sessions …', for every run."""
        return [_best_sentence(best) for best in self.best]

    def steps(self) -> list[Step]:
        """What the reformulations of every run changed, query by query and in all."""
        return [step for changes in self.reformulations for step in steps(changes, self.queries)]

    def each_reformulation(self) -> list[Reformulation]:
        """Every single reformulation of every run."""
        skips = self.signature.parts.get("empty-lists") == "skip"
        return [
            change
            for changes, run in zip(self.reformulations, self.graded, strict=True)
            for change in each_reformulation(changes, run, skips)
        ]

    def tidy(self) -> Tidy:
        """run, measure, query, rank, place, value, low, high, sessions, signature: a point of a mean line a row."""
        return tidy_curves([self])

    def wide(self) -> Tidy:
        """query, rank, place, and each line beside the others, the ideal of sDCG last."""
        places = np.arange(self.queries * self.depth)
        lines = {line.label: number(line.values) for line in self.lines}
        ideal = {} if self.normalised else {IDEAL: number(self.lines[0].ideal)}
        signatures = tuple(str(self.signature_of(line)) for line in self.lines)
        columns = beside(_place_columns(places, self.depth), {**lines, **ideal})
        return Tidy(CURVES_SCHEMA, columns, tuple(dict.fromkeys(signatures)))

    def shown(self) -> Tidy:
        """The mean lines where each query ends."""
        wide = self.wide()
        ends = np.arange(self.depth - 1, len(wide), self.depth)
        return replace(wide, columns={name: column.take(ends) for name, column in wide.columns.items()})

    def sentences(self) -> list[str]:
        """In how many sessions the last query was the best."""
        return self.best_sentences()

    def series(self) -> list[Series]:
        """Each mean line by place, and the ideal of sDCG."""
        return [
            Series(drawn.label, self.measure.text, str(drawn.signature), tuple(drawn.values.tolist()))
            for drawn in self.drawn()
        ]

    def drawn(self) -> list[Drawn]:
        """The mean lines with their intervals, then the ideal of sDCG, which has none."""
        drawn = [
            Drawn(line.label, line.values, *self.interval(line), line.going, self.signature_of(line))
            for line in self.lines
        ]
        if not self.normalised:
            nowhere = np.full(self.queries * self.depth, np.nan)
            drawn.append(Drawn(IDEAL, self.lines[0].ideal, nowhere, nowhere, None, drawn[0].signature))
        return drawn

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.session-curves/1; `gaincurve session` adds its parts to gaincurve.sessions/1."""
        ideal = {} if self.normalised else {IDEAL: {self.measure.text: _list(self.lines[0].ideal)}}
        return {
            "schema": CURVES_SCHEMA,
            "depth": self.depth,
            "queries": self.queries,
            "curves": {**{line.label: {self.measure.text: _list(line.values)} for line in self.lines}, **ideal},
            "intervals": {
                line.label: dict(zip(("low", "high"), map(_list, self.interval(line)), strict=True))
                for line in self.lines
            },
            "going": {line.label: line.going.tolist() for line in self.lines},
            "last": {
                queries.run: {"last": _list(queries.last), "others": _list(queries.others)} for queries in self.last
            },
            "positions": [_record(position) for position in self.positions],
            "best": [_record(best) for best in self.best],
            "reformulations": {
                "score": self.query_score,
                "steps": [_record(step) for step in self.steps()],
                "each": [_record(change) for change in self.each_reformulation()],
            },
            "lengths": {
                lengths.run: {"sessions": list(lengths.sessions), "mean": json_number(lengths.mean)}
                for lengths in self.lengths
            },
        }


def tidy_curves(every: Sequence[SessionCurves]) -> Tidy:
    """run, measure, query, rank, place, value, low, high, sessions (that asked the query), signature."""
    drawn = [(curves, line) for curves in every for line in curves.drawn()]
    lengths = [len(line.values) for _, line in drawn]
    line_of = np.repeat(np.arange(len(drawn)), lengths)
    places = np.concatenate([np.arange(length) for length in lengths])
    depths = np.repeat([curves.depth for curves, _ in drawn], lengths)
    asking = [
        np.full(curves.queries, -1) if line.sessions is None else line.sessions[: curves.queries]
        for curves, line in drawn
    ]
    sessions = np.concatenate(
        [np.repeat(asked, curves.depth) for (curves, _), asked in zip(drawn, asking, strict=True)]
    )
    columns = {
        "run": coded([line.label for _, line in drawn], line_of),
        "measure": coded([curves.measure.text for curves, _ in drawn], line_of),
        **_place_columns(places, depths),
        "value": stacked(line.values for _, line in drawn),
        "low": stacked(line.low for _, line in drawn),
        "high": stacked(line.high for _, line in drawn),
        "sessions": Column("count", np.maximum(sessions, 0), absent=sessions < 0),
        "signature": each_signature((line.signature for _, line in drawn), lengths),
    }
    return Tidy(CURVES_SCHEMA, columns, tuple(dict.fromkeys(str(line.signature) for _, line in drawn)))


def _place_columns(places: Ints, depth: int | Ints) -> dict[str, Column]:
    """Query, rank in it, and place among all ranks of the session, counted from 1."""
    numbers = {"query": places // depth + 1, "rank": places % depth + 1, "place": places + 1}
    return {name: Column("count", values) for name, values in numbers.items()}


def single_queries(curves: SessionCurves) -> str:
    """What decided the single queries' numbers: nothing was cumulated over a session or divided by its ideal."""
    parts = curves.signature.without("normalise", "ideal", "horizon", "average", "summary", "at-least")
    return f"single queries  {parts}".replace("  ", "|")


def session_lengths(curves: SessionCurves) -> str:
    """What decides how many sessions and queries there are."""
    names = ("empty-lists", "judged-by", "missing", "idle", "topic", "queries", "gaincurve")
    parts = [f"{name}:{value}" for name in names if (value := curves.signature.parts.get(name)) is not None]
    sessions = "+".join(dict.fromkeys(str(sum(system.sessions)) for system in curves.lengths))
    return "|".join(("session lengths", *parts[:-1], f"sessions:{sessions}", parts[-1]))


def _best_sentence(best: Best) -> str:
    """In how many sessions of several queries the last one was the best, and what happened in the others."""
    if not best.sessions:
        return f"{best.run}: no session has two queries with a score."
    also = [
        (best.tied, "in {n} more an earlier one was as good"),
        (best.earlier, "in {n} an earlier one was better"),
        (best.nothing, "in {n} no query found anything"),
    ]
    rest = "; ".join(text.format(n=n) for n, text in also if n)
    sessions = f"{best.sessions} session{'' if best.sessions == 1 else 's'} of two queries or more"
    return f"{best.run}: the last query was the best in {best.last} of {sessions}{f' ({rest})' if rest else ''}."


def session_curves(
    judgments: object,
    logs: SessionLog | Iterable[SessionLog],
    measure: str | Measure = "nsDCG",
    *,
    scenario: Scenario | str = "session",
    at_least: int | None = None,
    topic: str | None = None,
    per_session: bool = False,
    gaps: str = "error",
    **choices: Unpack[SessionChoices],
) -> SessionCurves:
    """sDCG or nsDCG over the concatenated results of sessions, by system.

    `at_least` adds lines for the sessions with at least so many queries, `topic` keeps the sessions on one topic,
    `per_session` keeps every session's own line.
    """
    chosen = session_scenario(scenario, **choices)
    checked = asked_measures(measure, chosen, "session")[0]
    graded = graded_logs(judgments, logs, chosen, gaps)
    graded = graded if topic is None else on_topic(graded, topic)
    return draw_sessions(graded, checked, chosen, at_least=at_least, per_session=per_session)


def checked_curve(measure: Measure) -> Measure:
    """Only sDCG and nsDCG at the end of a session have a line that leads there."""
    if not has_curve(measure):
        raise ChoiceError(Problem("measure-no-curve", f"{measure} has no curve over a session; sDCG and nsDCG have"))
    return measure


def has_curve(measure: Measure) -> bool:
    """Whether a line over a session's concatenated ranks leads to the number."""
    return measure.definition.over_ranks and measure.own.get("score") == "final" and measure.summary == "mean"


def gains_of(graded: Experiment, measure: Measure, scenario: Scenario) -> list[SessionGains]:
    """What the sessions of every run gained; the scenario knows the longest of them."""
    chosen = measure.choices(scenario)
    depth = measure.read_to(scenario)
    return [session_gains(run, chosen.gains, chosen.discount, depth, chosen.session) for run in graded.runs]


def draw_sessions(
    graded: Experiment,
    measure: Measure,
    scenario: Scenario,
    *,
    at_least: int | None = None,
    per_session: bool = False,
) -> SessionCurves:
    """The lines of every run, and what else the 2008 paper shows of sessions."""
    checked_curve(measure)
    scores = score_sessions(graded, [measure], scenario)  # the numbers the lines lead to, and their notes
    settled = on_data(graded, measure, scenario)
    runs = [
        (run, gained, counted(run, scenario))
        for run, gained in zip(graded.runs, gains_of(graded, measure, settled), strict=True)
    ]
    choices = runs[0][1].choices
    relative = measure.definition.normalised
    queries = min(
        MOST_SHOWN, max(choices.rules.queries, *(int(gained.lengths.max(initial=1)) for _, gained, _ in runs))
    )
    lines = [mean_line(run.name, run.name, gained, enters, queries, relative) for run, gained, enters in runs]
    if at_least is not None:
        for run, gained, enters in runs:
            long = enters & (gained.lengths >= at_least)
            label = f"{run.name}, {at_least}+ queries"
            lines.append(replace(mean_line(run.name, label, gained, long, queries, relative), at_least=at_least))
        _refuse_empty(lines, at_least, runs)
    own_scores = [query_scores(gained, relative) for _, gained, _ in runs]
    return SessionCurves(
        measure=measure,
        signature=scores.signatures[0] if at_least is None else scores.signatures[0].but(at_least=f"1,{at_least}"),
        axis=f"gains {choices.gains}, b={_base(choices.discount.base)}, bq={_base(choices.rules.query_discount.base)}",
        normalised=relative,
        depth=choices.depth,
        queries=queries,
        lines=tuple(lines),
        last=tuple(last_queries(run.name, gained, enters) for run, gained, enters in runs),
        positions=tuple(
            position for run, gained, enters in runs for position in positions(run.name, gained, enters, queries)
        ),
        lengths=tuple(lengths(run.name, gained, enters, queries) for run, gained, enters in runs),
        singles=tuple(_singles(run, gained, enters, queries, relative) for run, gained, enters in runs)
        if per_session
        else (),
        best=tuple(
            best_queries(run.name, gained, own, enters, queries)
            for (run, gained, enters), own in zip(runs, own_scores, strict=True)
        ),
        reformulations=tuple(
            reformulations(run.name, gained, own, enters)
            for (run, gained, enters), own in zip(runs, own_scores, strict=True)
        ),
        graded=graded.runs,
        inputs=graded.inputs,
        notes=scores.notes,
    )


def _refuse_empty(
    lines: list[SessionLine], at_least: int, runs: list[tuple[Graded, SessionGains, NDArray[np.bool_]]]
) -> None:
    """Refuse a line of no session, with the length of the longest there are."""
    if all(line.sessions for line in lines):
        return
    counts = "; ".join(
        f"{run.name}: {int(enters.sum())} sessions, the longest of {int(gained.lengths[enters].max(initial=0))} queries"
        for run, gained, enters in runs
    )
    what = f"no session of {next(line.run for line in lines if not line.sessions)} has {at_least} queries or more"
    raise ChoiceError(Problem("sessions-none-left", f"{what}: {counts}"))


def _singles(run: Graded, gained: SessionGains, enters: NDArray[np.bool_], queries: int, relative: bool) -> Singles:
    names = tuple(run.units.named(np.flatnonzero(enters)))
    return Singles(run.name, names, session_lines(gained, queries, relative)[enters], gained.lengths[enters])


def _record(record: object) -> dict[str, object]:
    return {key: json_number(value) if isinstance(value, float) else value for key, value in vars(record).items()}


def _base(base: float | None) -> str:
    return "none" if base is None else f"{base:g}"


def _list(values: Floats) -> list[float | None]:
    return [json_number(value) for value in values.tolist()]
