"""What a scenario that stands for another tool cannot reproduce is refused, with the reason."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Refusal, Scenario
from gaincurve.model.source import number_text

CASES: dict[str, Callable[[Floats], NDArray[np.bool_]]] = {
    "negative": lambda grades: grades < 0,
    "gains": lambda grades: grades != np.floor(grades),
}
"""The cases of `REFUSED` that grades alone decide."""


def refuse_grades(grades: Floats, scenario: Scenario, place: Callable[[float], str]) -> None:
    """Refuse grades that the tool reads otherwise, or not at all; `place` says where a grade stands."""
    for refusal in scenario.refuses:
        case = CASES.get(refusal.choice)
        if case is not None and (other := grades[case(grades)]).size:
            grade = float(other[0])
            raise refused(scenario, refusal, f"grade {number_text(grade)}", place(grade))


def refused(scenario: Scenario, refusal: Refusal, case: str, where: str) -> ChoiceError:
    """The error for a case that a scenario refuses."""
    what = f"the scenario {scenario.name} has no number for {case}: {refusal.why}"
    return ChoiceError(Problem("scenario-refuses", what, where, hint=HINTS[refusal.choice]))


HINTS = {
    "ties": "choose an order: --ties rank (the rank column), file, trec or average",
    "negative": "choose what such a document is: --negative judged or unjudged; it gains 0",
    "gains": "choose the gains, e.g. --gains identity",
}
"""How a user goes on by a choice of their own."""
