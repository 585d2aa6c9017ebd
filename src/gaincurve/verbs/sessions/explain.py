"""The verb `explain_session`: query by query and rank by rank, what each document added."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Unpack

import numpy as np

from gaincurve.errors import ChoiceError, InputError, Problem, nearest
from gaincurve.measures.grid import SessionGains
from gaincurve.measures.sessions import normalised
from gaincurve.model.choices import SessionChoices
from gaincurve.model.graded import Graded
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.order import SHARED
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.model.scores import json_number
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.sessions.rules import SessionRules
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, shorten
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Kind, Tidy
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import check_gains
from gaincurve.verbs.sessions.curves import checked_curve, gains_of
from gaincurve.verbs.sessions.evaluate import score_sessions
from gaincurve.verbs.sessions.experiment import graded_logs, on_data


@dataclass(frozen=True)
class SessionStep:
    """One rank of one query: its document, what that added, and the sums after it.

    `grade` None is unjudged, `document` None: the list had ended. `added` is gain / (rank divisor · query divisor).
    A query that was not `asked` is one the horizon adds: only the ideal session gains there.
    """

    query: int
    asked: bool
    text: str
    rank: int
    document: str | None
    grade: float | None
    gain: float
    rank_divisor: float
    query_divisor: float
    added: float
    sum: float
    ideal_added: float
    ideal_sum: float
    value: float


@dataclass(frozen=True)
class SessionExplanation(Result):
    """One session of one system; `value` is the number `evaluate_sessions` gives."""

    session: str
    run: str
    topic: str | None
    measure: Measure
    signature: Signature
    value: float
    steps: tuple[SessionStep, ...]
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        return f"SessionExplanation({self.measure} of {self.run}, session {self.session}: {self.value:.6f})"

    def shown(self) -> Tidy:
        """Grades and gains as they were given."""
        return super().shown().as_counts("grade", "gain")

    def tidy(self) -> Tidy:
        """query, asked, text, rank, document, grade, gain, …, value, signature: a rank of a query a row."""
        kinds: dict[str, Kind] = {
            **{field.name: "number" for field in fields(SessionStep)}, "query": "count", "asked": "truth",
            "text": "text", "rank": "count", "document": "text", "signature": "text",
        }  # fmt: skip
        rows = [(*vars(step).values(), str(self.signature)) for step in self.steps]
        return Tidy.of_rows("gaincurve.session-explanation/1", kinds, rows, [self.signature])

    def sentences(self) -> tuple[str, ...]:
        """The number."""
        value = "undefined" if math.isnan(self.value) else f"{self.value:.6f}"
        return (f"Session {self.session}, run {self.run}: {self.measure} = {value}",)

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.session-explanation/1."""
        return {
            "schema": "gaincurve.session-explanation/1",
            "session": self.session,
            "run": self.run,
            "topic": self.topic,
            "measures": [{"name": self.measure.text, "signature": str(self.signature)}],
            "value": json_number(self.value),
            "steps": [
                {key: json_number(value) if isinstance(value, float) else value for key, value in vars(step).items()}
                for step in self.steps
            ],
        }


def explain_session(
    judgments: object,
    log: SessionLog,
    session: str,
    measure: str | Measure = "nsDCG",
    *,
    scenario: Scenario | str = "session",
    gaps: str = "error",
    **choices: Unpack[SessionChoices],
) -> SessionExplanation:
    """How the number of one session is computed."""
    chosen = session_scenario(scenario, **choices)
    checked = checked_curve(asked_measures(measure, chosen, "session")[0])
    if chosen.ties in SHARED:
        what = f"--ties {chosen.ties} shares a gain among ranks, and an explanation shows one order"
        raise ChoiceError(Problem("session-choices", what))
    judged = Judgments.of(judgments)
    names = log.sessions.names
    if session not in names:
        what = f"{log.name} has no session {shorten(session)}{nearest(session, names)}"
        raise InputError(Problem("session-unknown", what, log.source.path, hint="name one of the log's sessions"))
    check_gains(judged, [checked], chosen)
    whole = graded_logs(judged, log, chosen, gaps)
    run = whole.runs[0]
    unit = run.units.names.index(session)
    settled = on_data(whole, checked, chosen)
    alone = replace(whole, runs=(run.select(np.array([unit])),))
    scores = score_sessions(alone, [checked], chosen, longest=settled.session.longest).scores
    gained = gains_of(alone, checked, settled)[0]
    topic = int(run.units.topic_of_unit()[unit])
    return SessionExplanation(
        session=session,
        run=log.name,
        topic=run.units.topics[topic] if topic >= 0 else None,
        measure=checked,
        signature=scores.signatures[0],
        value=float(scores.values[0, 0, 0]),
        steps=tuple(_steps(gained, _lists(judged, log, alone.runs[0], gained.choices.rules, chosen))),
        inputs=scores.inputs,
        notes=scores.notes,
    )


@dataclass(frozen=True)
class _List:
    """A query that counts: its text, its documents, and the grades of those that are judged."""

    text: str
    documents: list[str]
    grades: dict[str, float]


def _lists(judgments: Judgments, log: SessionLog, run: Graded, rules: SessionRules, scenario: Scenario) -> list[_List]:
    """The queries of the one session in `run` that count, with what stood in their lists."""
    of_session = np.flatnonzero(log.sessions.unit == log.sessions.names.index(run.units.names[0]))
    by_number = {int(log.sessions.position[q]): int(q) for q in of_session}
    lists = []
    for q, number in enumerate(run.units.position.tolist()):
        if rules.empty_lists == "skip" and run.retrieved[q] == 0:
            continue
        rows = np.flatnonzero(run.list == q)
        grades = {judgments.documents[int(run.judgment[row])]: float(run.grade[row]) for row in rows.tolist()}
        logged = by_number.get(number)
        documents = [] if logged is None else log.documents.take(np.flatnonzero(log.query == logged)).texts()
        if scenario.unjudged == "condensed":
            documents = [document for document in documents if document in grades]
        text = "" if logged is None or log.sessions.texts is None else log.sessions.texts[logged]
        lists.append(_List(text, documents, grades))
    return lists


def _steps(gained: SessionGains, lists: list[_List]) -> Iterator[SessionStep]:
    grid = next(iter(gained.grids()))
    ideal = grid.ideal()
    weight, query_weight = grid.rank_weight, grid.query_weight
    sums, ideal_sums = (grid.cumulated(grid.own(gain)) for gain in (grid.gain, ideal))
    values = normalised(grid)[0]
    beyond = [_List("", [], {})] * (len(grid.position) - len(lists))
    for q, listed in enumerate([*lists, *beyond]):
        for r in range(int(grid.width[q])):
            document = listed.documents[r] if r < len(listed.documents) else None
            factor = float(query_weight[q] * weight[q, r])
            yield SessionStep(
                query=q + 1,
                asked=q < len(lists),
                text=listed.text,
                rank=r + 1,
                document=document,
                grade=None if document is None else listed.grades.get(document),
                gain=float(grid.gain[q, r]),
                rank_divisor=1.0 / float(weight[q, r]),
                query_divisor=1.0 / float(query_weight[q]),
                added=factor * float(grid.gain[q, r]),
                sum=float(sums[q, r]),
                ideal_added=factor * float(ideal[q, r]),
                ideal_sum=float(ideal_sums[q, r]),
                value=float(values[q, r]),
            )
