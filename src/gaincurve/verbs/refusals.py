"""What a scenario that stands for another tool cannot reproduce is refused, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.printed import DIFFERS, Printed
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import REFUSED, Refusal, Scenario
from gaincurve.model.source import Note, number_text, shorten

CASES: dict[str, Callable[[Floats], NDArray[np.bool_]]] = {
    "negative": lambda grades: grades < 0,
    "fractions": lambda grades: grades != np.floor(grades),
    "high": lambda grades: grades > 30,
}
"""The cases of `REFUSED` that grades alone decide."""


def refuse_grades(grades: Floats, scenario: Scenario, place: Callable[[float], str]) -> None:
    """Refuse grades that the tool reads otherwise, or not at all; `place` says where a grade stands."""
    for refusal in scenario.refuses:
        case = CASES.get(refusal.case)
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
    "missing": "choose what it counts: --missing zero or skip; it then scores 0",
}
"""How a user goes on by a choice of their own."""


LISTS: dict[str, Callable[[Graded, int], NDArray[np.bool_]]] = {
    "short": lambda run, cutoff: (run.retrieved > 0) & (run.retrieved < cutoff),
    "unrated": lambda run, cutoff: run.unjudged_at(cutoff) > 0,
}
"""The lists for which the number of a tool is another, of `DIFFERS`."""
SCALES: dict[str, Callable[[Floats, Measure], NDArray[np.bool_]]] = {
    "fractions": lambda grades, measure: (grades > 0) & (grades < 1) & (measure.own["rel"] == 1),
    "above": lambda grades, measure: grades > float(measure.own.get("top", np.inf)),
}
"""The grades for which it is another."""


def refuse_measures(runs: Sequence[Graded], measures: Iterable[Measure], scenario: Scenario) -> None:
    """Refuse a measure where the tool that the scenario stands for prints another number under its name, or none."""
    for refusal in scenario.refuses:
        if refusal.case == "lists":
            _refuse_lists(refusal, runs, scenario)
    for measure in measures:
        for printed in scenario.prints:
            if printed.measure == measure.name and printed.differs:
                _refuse(printed, runs, measure, scenario)


def _refuse_lists(refusal: Refusal, runs: Sequence[Graded], scenario: Scenario) -> None:
    for run in runs:
        empty = np.flatnonzero((run.retrieved == 0) & run.present[run.units.unit] & (run.base >= 0))
        if len(empty):
            topic = shorten(run.units.names[int(run.units.unit[empty[0]])])
            raise refused(scenario, refusal, REFUSED["lists"].what, f"{run.source.path}, topic {topic}")


def _refuse(printed: Printed, runs: Sequence[Graded], measure: Measure, scenario: Scenario) -> None:
    if printed.differs in SCALES:
        scale = runs[0].scale
        if (others := scale[SCALES[printed.differs](scale, measure)]).size:
            case = f"{measure} of {DIFFERS[printed.differs]}, such as {number_text(float(others[0]))}"
            raise _no_number(printed, case, "", scenario)
        return
    if printed.differs not in LISTS:
        if not _as_the_tool(printed, measure, scenario):
            raise _no_number(printed, str(measure), "", scenario)
        return
    for run in runs:
        cutoff = measure.rank or int(run.retrieved.max(initial=0))
        lists = np.flatnonzero(LISTS[printed.differs](run, cutoff) & (run.base >= 0))
        if len(lists):
            topic = shorten(run.units.names[int(run.units.unit[lists[0]])])
            case = f"{measure} of {DIFFERS[printed.differs]}"
            raise _no_number(printed, case, f"{run.source.path}, topic {topic}", scenario)


def _as_the_tool(printed: Printed, measure: Measure, scenario: Scenario) -> bool:
    """Whether the choice is made that gives the number of the tool."""
    if printed.differs == "gains":
        return str(measure.choices(scenario).gains) == printed.value
    if printed.differs == "norm":
        return measure.cutoff is None or measure.own.get("norm") == printed.value
    top = measure.own.get("top")
    return printed.differs == "top" and isinstance(top, int | float) and printed.value in (None, top)


def _no_number(printed: Printed, case: str, where: str, scenario: Scenario) -> ChoiceError:
    what = f"the scenario {scenario.name} has no number for {case}: {printed.why} ({printed.theirs})"
    hint = printed.hint or "leave the measure out, or use another scenario"
    return ChoiceError(Problem("scenario-refuses", what, where, hint=hint))


def not_printed(measures: Iterable[Measure], scenario: Scenario) -> list[Note]:
    """A note on measures that the tool does not print."""
    known = {printed.measure for printed in scenario.prints}
    others = [str(measure) for measure in measures if known and measure.name not in known]
    if not others:
        return []
    text = f"{scenario.name} prints no {' or '.join(others)}: computed with its choices, but no number of the tool's"
    return [Note("scenario-measure", text)]
