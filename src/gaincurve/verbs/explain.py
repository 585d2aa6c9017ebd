"""The verb `explain`: how one topic's number was made, rank by rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gaincurve.errors import ChoiceError, InputError, Problem, nearest
from gaincurve.measures.cumulate import relative
from gaincurve.measures.notation import Measure, parse_measure
from gaincurve.model.discount import Discount
from gaincurve.model.graded import GradedRun
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import json_number
from gaincurve.model.source import Note, Source, shorten
from gaincurve.verbs.evaluate import score
from gaincurve.verbs.experiment import check_gains, grade_run, graded_experiment

DEFAULT_RANKS = 10
MOST_PADDING = 1000
"""A list shorter than the cutoff is shown filled up to the cutoff, but not beyond so many ranks."""


@dataclass(frozen=True)
class Step:
    """One rank: what stood there, what it gave, and how the sums stand after it. `grade` None is unjudged."""

    rank: int
    document: str | None
    grade: float | None
    gain: float
    divisor: float
    sum: float
    ideal_gain: float
    ideal_sum: float
    value: float


@dataclass(frozen=True)
class Explanation:
    """One topic of one run under one measure; `value` is the number `evaluate` gives."""

    topic: str
    run: str
    measure: str
    signature: str
    value: float
    steps: tuple[Step, ...]
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.explanation/1."""
        return {
            "schema": "gaincurve.explanation/1",
            "topic": self.topic,
            "run": self.run,
            "measures": [{"name": self.measure, "signature": self.signature}],
            "value": json_number(self.value),
            "steps": [
                {k: json_number(v) if isinstance(v, float) else v for k, v in vars(step).items()} for step in self.steps
            ],
        }


def explain(
    judgments: object,
    run: object,
    topic: str,
    measure: str | Measure = "nDCG@10",
    *,
    scenario: Scenario | str = "default",
    **choices: object,
) -> Explanation:
    """How the number of one topic was made: document, grade, gain, divisor, running sum, ideal and value by rank."""
    chosen = Scenario.of(scenario).with_choices(**choices)
    one = (parse_measure(measure) if isinstance(measure, str) else measure).at_depth(chosen.depth)
    judged = Judgments.of(judgments)
    ranked = Run.of(run, "run", chosen.ties)
    if topic not in judged.topics:
        what = f"topic {shorten(topic)} is not judged{nearest(topic, judged.topics)}"
        raise InputError(Problem("topic-unknown", what, judged.source.path))
    check_gains(judged, [one], chosen)
    graded = graded_experiment(judged, [grade_run(judged, ranked, chosen)])
    scores = score(graded, [one], chosen)
    return Explanation(
        topic=topic,
        run=ranked.name,
        measure=one.text,
        signature=scores.signatures[0],
        value=scores[ranked.name, one.text][topic],
        steps=tuple(_steps(judged, ranked, graded.runs[0], topic, one, chosen)),
        inputs=scores.inputs,
        notes=scores.notes,
    )


def _steps(
    judged: Judgments, ranked: Run, run: GradedRun, topic: str, measure: Measure, scenario: Scenario
) -> list[Step]:
    definition = measure.definition
    if definition.curve is None:
        raise ChoiceError(Problem("measure-no-curve", f"{measure.name} has no value by rank to explain"))
    t = judged.topics.index(topic)
    arguments = {k: v for k, v in measure.arguments(scenario).items() if k not in ("cutoff", "average")}
    whole = max(DEFAULT_RANKS, int(run.retrieved[t]), _relevant(run, t, arguments))  # nothing changes beyond it
    depth = whole if measure.cutoff is None else min(measure.cutoff, max(whole, MOST_PADDING))
    actual, ideal = (side[t] for side in definition.curve(run, depth, **arguments))
    divisors = arguments.get("discount", Discount("none")).divisors(depth)
    documents: list[str | None] = list(ranked.ranking_of(topic))
    rows = np.flatnonzero(run.topic == t)
    named = {judged.documents[run.judgment[row]]: float(run.grade[row]) for row in rows.tolist()}
    if scenario.unjudged == "condensed":
        documents = [document for document in documents if document in named]
    documents += [None] * (depth - len(documents))
    values = relative(actual, ideal, run.can_gain(arguments["gains"])[t]) if definition.normalised else actual
    gains, ideal_gains = (np.diff(side, prepend=0.0) * divisors for side in (actual, ideal))
    return [
        Step(
            rank=i + 1,
            document=documents[i],
            grade=named.get(documents[i] or ""),
            gain=_clean(gains[i]),
            divisor=float(divisors[i]),
            sum=float(actual[i]),
            ideal_gain=_clean(ideal_gains[i]),
            ideal_sum=float(ideal[i]),
            value=float(values[i]),
        )
        for i in range(depth)
    ]


def _relevant(run: GradedRun, t: int, arguments: dict[str, Any]) -> int:
    """The length of the ideal list, to which an uncut measure goes."""
    gain = arguments["gains"].of_grades(run.recall_base.grade[run.recall_base.topic == t])
    return int(np.count_nonzero(gain > 0))


def _clean(gain: float) -> float:
    """A gain taken back out of a running sum, without the last bits that the sum added."""
    return float(np.round(gain, 12)) + 0.0
