"""The verb `explain`: how one topic's number is computed, rank by rank."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from gaincurve.errors import ChoiceError, InputError, Problem, nearest
from gaincurve.measures.cumulate import relative
from gaincurve.measures.notation import parse_measure
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.discount import Discount
from gaincurve.model.graded import Graded
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import json_number
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, shorten
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Kind, Tidy
from gaincurve.verbs.evaluate import asked_measures, need, score_topics
from gaincurve.verbs.experiment import grade_run, graded_experiment
from gaincurve.verbs.workings import NO_WORKING, Working, working

DEFAULT_RANKS = 10
MOST_PADDING = 1000
"""A list shorter than the cutoff is padded to the cutoff, but not beyond this many ranks."""


@dataclass(frozen=True)
class Step:
    """One rank: its document and the value of the list that ends there. `grade` None is unjudged.

    The document's gain and the sums after it are set for measures of the gain family only; `more` are the columns of
    a measure's working, such as P@i and R@i.
    """

    rank: int
    document: str | None
    grade: float | None
    value: float
    gain: float | None = None
    divisor: float | None = None
    sum: float | None = None
    ideal_gain: float | None = None
    ideal_sum: float | None = None
    more: tuple[tuple[str, float | None], ...] = ()

    def told(self) -> dict[str, object]:
        """What is known of the step by name, the value last."""
        sums = ("gain", "divisor", "sum", "ideal_gain", "ideal_sum") if self.gain is not None else ()
        named = {name: getattr(self, name) for name in ("rank", "document", "grade", *sums)}
        return {**named, **dict(self.more), "value": self.value}


@dataclass(frozen=True)
class Explanation(Result):
    """One topic of one run under one measure; `value` is the number `evaluate` gives."""

    topic: str
    run: str
    measure: str
    signature: Signature
    value: float
    steps: tuple[Step, ...]
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]
    working: Working = NO_WORKING

    def __repr__(self) -> str:
        return f"Explanation({self.measure} of {self.run}, topic {self.topic}: {self.value:.6f})"

    def shown(self) -> Tidy:
        """Grades and gains as they were given."""
        return super().shown().as_counts("grade", "gain", "ideal_gain")

    def tidy(self) -> Tidy:
        """rank, document, grade, then what the measure computes there, value, signature: a rank a row."""
        steps = [step.told() for step in self.steps]
        names = dict.fromkeys(name for step in steps for name in step if name != "value")
        kinds: dict[str, Kind] = {
            **dict.fromkeys(names, "number"), "rank": "count", "document": "text", "value": "number",
            "signature": "text",
        }  # fmt: skip
        signed = {"signature": str(self.signature)}
        rows: list[list[Any]] = [[(step | signed).get(name) for name in kinds] for step in steps]
        return Tidy.of_rows("gaincurve.explanation/1", kinds, rows, [self.signature])

    def sentences(self) -> tuple[str, ...]:
        """The number, and the sums that lead to it."""
        value = "undefined" if math.isnan(self.value) else f"{self.value:.6f}"
        return (f"Topic {self.topic}, run {self.run}: {self.measure} = {value}", *self.working.sums)

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.explanation/1."""
        return {
            "schema": "gaincurve.explanation/1",
            "topic": self.topic,
            "run": self.run,
            "measures": [{"name": self.measure, "signature": str(self.signature)}],
            "value": json_number(self.value),
            "steps": [
                {key: json_number(value) if isinstance(value, float) else value for key, value in step.told().items()}
                for step in self.steps
            ],
            "tables": [
                {"title": part.title, "rows": [dict(zip(part.columns, row, strict=True)) for row in part.rows]}
                for part in self.working.parts
            ],
            "sums": list(self.working.sums),
        }


def explain(
    judgments: object,
    run: object,
    topic: str | int,
    measure: str | Measure = "nDCG@10",
    *,
    scenario: Scenario | str = "default",
    **choices: Unpack[ScenarioChoices],
) -> Explanation:
    """How the number of one topic is computed, rank by rank.

    Document, grade and value of the list that ends there; for CG, DCG, nCG and nDCG also gain, divisor, running sum
    and the ideal.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    (checked,) = asked_measures([parse_measure(measure)], chosen)
    judged = Judgments.of(judgments)
    ranked = Run.of(run, "run", chosen.ties)
    topic = topic if isinstance(topic, str) else str(topic)  # ids are text: 1 is the topic '1'
    if topic not in judged.topics:
        what = f"topic {shorten(topic)} is not judged{nearest(topic, judged.topics)}"
        raise InputError(Problem("topic-unknown", what, judged.source.path))
    graded = graded_experiment(judged, [grade_run(judged, ranked, chosen, need("scores", [checked]))], chosen)
    scores = score_topics(graded, [checked], chosen)
    seen = _Seen.of(judged, ranked, graded.runs[0], topic, chosen)
    value = scores[ranked.name, checked.text][topic]
    steps = _gain_steps(seen, checked, chosen) if _is_cumulated(checked) else _steps(seen, checked, chosen)
    arguments = {**checked.definition.defaults, **checked.arguments(chosen)}
    shown = working(seen.run, checked, arguments, len(steps), value)
    return Explanation(
        topic=topic,
        run=ranked.name,
        measure=checked.text,
        signature=scores.signatures[0].but(topics=1),
        value=value,
        steps=tuple(_with_columns(steps, shown)),
        inputs=scores.inputs,
        notes=scores.notes,
        working=shown,
    )


def _with_columns(steps: list[Step], shown: Working) -> list[Step]:
    """The steps with the columns of the working."""
    return [
        replace(step, more=tuple((name, column[i]) for name, column in shown.columns.items()))
        for i, step in enumerate(steps)
    ]


@dataclass(frozen=True, eq=False)
class _Seen:
    """One topic of a run: the documents by rank, the grades of those judged, and the graded run of that topic alone."""

    documents: list[str]
    grades: dict[str, float]
    run: Graded

    @classmethod
    def of(cls, judged: Judgments, ranked: Run, run: Graded, topic: str, scenario: Scenario) -> _Seen:
        place = judged.topics.index(topic)
        rows = np.flatnonzero(run.list == place)
        grades = {judged.documents[run.judgment[row]]: float(run.grade[row]) for row in rows.tolist()}
        documents = list(ranked.ranking_of(topic))
        if scenario.unjudged == "condensed":
            documents = [document for document in documents if document in grades]
        return cls(documents, grades, run.select(np.array([place])))

    def at(self, rank: int) -> tuple[str | None, float | None]:
        """The document at a rank, and its grade."""
        document = self.documents[rank - 1] if rank <= len(self.documents) else None
        return document, self.grades.get(document or "")


def _is_cumulated(measure: Measure) -> bool:
    """Whether the number is computed from running sums of gains, actual and ideal."""
    return measure.definition.curve is not None and "gains" in measure.definition.parameters


def _steps(seen: _Seen, measure: Measure, scenario: Scenario) -> list[Step]:
    """The value that the list would have if it ended at each rank."""
    run, arguments = seen.run, measure.arguments(scenario)
    whole = max(1, int(run.retrieved[0]))
    depth = whole if measure.rank is None else min(measure.rank, max(whole, MOST_PADDING))
    steps = []
    for rank in range(1, depth + 1):
        if measure.definition.cutoff in ("optional", "required"):
            value = measure.definition.compute(run, **{**arguments, "cutoff": rank})
        elif (run.spread or measure.definition.needs == "scores") and rank < whole:
            # where a list cut inside a tied block would end is not known, nor are the scores of unjudged documents
            value = np.array([np.nan])
        else:
            value = measure.definition.compute(run.cut(rank), **arguments)
        steps.append(Step(rank, *seen.at(rank), float(value[0])))
    return steps


def _gain_steps(seen: _Seen, measure: Measure, scenario: Scenario) -> list[Step]:
    definition, run = measure.definition, seen.run
    arguments = {key: value for key, value in measure.arguments(scenario).items() if key not in ("cutoff", "average")}
    if definition.curve is None:
        raise ChoiceError(Problem("measure-no-curve", f"{measure.name} has no value by rank to explain"))
    whole = max(DEFAULT_RANKS, int(run.retrieved[0]), _relevant(run, arguments))  # nothing changes beyond it
    depth = whole if measure.rank is None else min(measure.rank, max(whole, MOST_PADDING))
    actual, ideal = (side[0] for side in definition.curve(run, depth, **arguments))
    divisors = arguments.get("discount", Discount("none")).divisors(depth)
    values = relative(actual, ideal, lambda: run.can_gain(arguments["gains"])[0]) if definition.normalised else actual
    gains, ideal_gains = (np.diff(side, prepend=0.0) * divisors for side in (actual, ideal))
    return [
        Step(
            i + 1,
            *seen.at(i + 1),
            value=float(values[i]),
            gain=_clean(gains[i]),
            divisor=float(divisors[i]),
            sum=float(actual[i]),
            ideal_gain=_clean(ideal_gains[i]),
            ideal_sum=float(ideal[i]),
        )
        for i in range(depth)
    ]


def _relevant(run: Graded, arguments: dict[str, Any]) -> int:
    """The length of the ideal list, to which an uncut measure goes."""
    gain = arguments["gains"].of_grades(run.recall_base.grade)
    return int(np.count_nonzero(gain > 0))


def _clean(gain: float) -> float:
    """A gain recovered from a running sum, without the rounding error of the sum."""
    return float(np.round(gain, 12)) + 0.0
