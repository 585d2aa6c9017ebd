"""The verb `explain_grades`: a worked example from nothing but grades, without files or ids."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.model.measure import Measure
from gaincurve.model.numbers import finite_number
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.model.source import Note, counted, number_text, shorten
from gaincurve.verbs.explain import Explanation, explain
from gaincurve.verbs.sessions.explain import SessionExplanation, explain_session

TOPIC = "1"
UNJUDGED = "-"


def explain_grades(
    *lists: str | Iterable[object],
    recall_base: str | Iterable[object] | None = None,
    measure: str | Measure = "nDCG",
    scenario: Scenario | str = "default",
) -> Explanation | SessionExplanation:
    """How a number comes out of the grades of one list by rank, '3 2 - 0' or [3, 2, None, 0], with '-' for unjudged.

    `recall_base` are the grades of all judged documents; without it nothing is relevant but what was retrieved. A
    measure of sessions takes one list for each query: its first document of grade 3 is the same as that of any other
    query, its second as any other's second. The scenario 'default' is that of `evaluate` or `evaluate_sessions`.
    """
    checked = parse_measure(measure) if isinstance(measure, str) else measure
    sessions = checked.definition.over == "session"
    if not lists or (len(lists) > 1 and not sessions):
        what = f"{checked.name} is a measure of one list, and {len(lists)} are given"
        raise ChoiceError(Problem("grades-given", what, hint="give one list, or a measure of sessions, e.g. nsDCG"))
    rankings, judged = _documents([_parsed(grades) for grades in lists],
                                  None if recall_base is None else _parsed(recall_base))  # fmt: skip
    if not judged:
        raise ChoiceError(Problem("grades-given", "no grade is given"))
    shown: Explanation | SessionExplanation
    if sessions:
        log = sessions_from_records(
            [{"session": TOPIC, "query": q, "topic": TOPIC, "ranking": ids} for q, ids in enumerate(rankings, 1)]
        )
        named = "session" if scenario == "default" else scenario
        shown = explain_session({TOPIC: judged}, log, TOPIC, checked, scenario=named)
    else:
        chosen = Scenario.of(scenario)
        run = Run.of({TOPIC: rankings[0]}, "list", chosen.ties)
        shown = explain({TOPIC: judged}, run, TOPIC, checked, scenario=chosen)
    if recall_base is not None:
        return shown
    note = Note("recall-base-assumed", "no recall base is given: only retrieved documents are taken to be relevant")
    return replace(shown, notes=(*shown.notes, note))


def _parsed(given: str | Iterable[object]) -> list[float | None]:
    """The grades of one list, commas or blanks between them; None is an unjudged document."""
    parts = given.replace(",", " ").split() if isinstance(given, str) else given
    return [None if part is None or part == UNJUDGED else _grade(part) for part in parts]


def _grade(part: object) -> float:
    grade = finite_number(part)
    if math.isnan(grade):
        raise ChoiceError(Problem("grades-given", f"{shorten(repr(part))} is not a grade"))
    return grade


def _documents(
    lists: Sequence[Sequence[float | None]], recall_base: Sequence[float | None] | None
) -> tuple[list[list[str]], dict[str, float]]:
    """Names for the documents of each list, and the grades of all that are judged."""
    names = (f"d{number}" for number in count(1))
    of_grade: dict[float, list[str]] = defaultdict(list)

    def named(grades: Sequence[float | None]) -> Iterator[str]:
        seen: dict[float, int] = defaultdict(int)
        for grade in grades:
            if grade is None:
                yield next(names)
                continue
            if seen[grade] == len(of_grade[grade]):
                of_grade[grade].append(next(names))
            yield of_grade[grade][seen[grade]]
            seen[grade] += 1

    rankings = [list(named(grades)) for grades in lists]
    if recall_base is not None:
        for grade, documents in of_grade.items():
            if grade > 0 and recall_base.count(grade) < len(documents):
                has = f"{counted(len(documents), 'document')} of grade {number_text(grade)}"
                what = f"a list has {has}, the recall base {recall_base.count(grade)}"
                raise ChoiceError(Problem("grades-given", what))
        list(named(recall_base))
    return rankings, {name: grade for grade, documents in of_grade.items() for name in documents}
