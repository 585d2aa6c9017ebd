"""The verb `why_different`: which choices give the number that someone else got."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Unpack

from gaincurve.errors import ChoiceError, GaincurveError, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded, grade
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.numbers import finite_number
from gaincurve.model.order import TIE_RULES
from gaincurve.model.run import Run
from gaincurve.model.scenario import CHOICES, RULES, SCENARIOS, Scenario
from gaincurve.model.scores import json_number
from gaincurve.model.source import Note, Source, counted
from gaincurve.model.summaries import summarised
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Kind, Tidy
from gaincurve.verbs.evaluate import asked_measures, need
from gaincurve.verbs.experiment import check_gains, graded_experiment, under_rules
from gaincurve.verbs.refusals import not_printed, refuse_measures
from gaincurve.verbs.ties import refuse_tied
from gaincurve.verbs.values import value_of

CUTOFFS = (1, 3, 5, 10, 20, 50, 100, 1000, None)
TRIED: dict[str, tuple[object, ...]] = {
    "gains": tuple(Gains.of(text) for text in ("identity", "exp2", "binary", "binary(rel=2)")),
    "discount": (
        Discount.of("log"),
        Discount.of("none"),
        Discount.of("rank"),
        Discount.of("jk2002", 2),
        Discount.of("jk2002", 10),
        Discount.of("jarvelin2008", 2),
    ),
    "ideal": ("judged", "retrieved", "capped", "uncut"),
    "ties": tuple(TIE_RULES),
    "unjudged": ("zero", "condensed"),
    "missing": ("zero", "skip"),
    "empty": ("undefined", "zero", "one"),
    "negative": ("judged", "unjudged"),
    "cutoff": CUTOFFS,
}
"""What is tried, by choice; one or two of them differ from ours at a time."""

PRESETS = tuple(name for name, scenario in SCENARIOS.items() if not name.startswith("session"))
MOST_CHANGES = 2


@dataclass(frozen=True)
class Theirs:
    """A number as it was printed: it stands for all that round to it."""

    text: str
    value: float
    half: float

    @classmethod
    def of(cls, given: str | float) -> Theirs:
        """From '0.6887', 0.6887 or '68.87%': half a unit of its last digit either way."""
        text = str(given).strip()
        digits, per_cent = text.removesuffix("%").strip(), text.endswith("%")
        value = finite_number(digits)
        if math.isnan(value):
            raise ChoiceError(Problem("number-theirs", f"{given!r} is not a number that someone got"))
        mantissa, _, exponent = digits.lower().partition("e")
        unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        scale = 100 if per_cent else 1
        return cls(text, value / scale, unit / 2 / scale)

    def fits(self, value: float) -> bool:
        """Whether a value rounds to it."""
        return abs(value - self.value) <= self.half * (1 + 1e-9) + 1e-12


@dataclass(frozen=True)
class Reason:
    """Choices that give the number, each of which it takes, and the tools whose scenarios come down to them."""

    changes: tuple[str, ...]
    tools: tuple[str, ...]
    value: float

    @property
    def sentence(self) -> str:
        """The choices, with what the named rules among them mean."""
        return "; ".join(_meaning(change) for change in self.changes)


@dataclass(frozen=True)
class WhyDifferent(Result):
    """Our number, theirs, and what explains the difference: tools' rules first, then the fewest changed choices."""

    measure: str
    run: str
    ours: float
    theirs: str
    reasons: tuple[Reason, ...]
    tried: int
    refused: Mapping[str, str]
    inputs: tuple[Source, ...] = ()
    agree: bool = False
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        size = counted(len(self.reasons), "explanation")
        return f"WhyDifferent({self.measure} of {self.run}: {self.ours:.6f}, not {self.theirs}; {size})"

    def tidy(self) -> Tidy:
        """changes, scenarios, choices, value: an explanation a row, tools' rules first, then the fewest changes."""
        kinds: dict[str, Kind] = {"changes": "count", "scenarios": "text", "choices": "text", "value": "number"}
        rows = [
            (len(reason.changes), ", ".join(reason.tools), "; ".join(reason.changes), reason.value)
            for reason in self.reasons
        ]
        return Tidy.of_rows("gaincurve.why-different/1", kinds, rows)

    def sentences(self) -> tuple[str, ...]:
        """What explains the number, and what was tried."""
        return (self.sentence, *self.scope)

    @property
    def sentence(self) -> str:
        """What was found, in one sentence."""
        if self.agree:
            return f"{self.theirs} is our {self.measure} of {self.run}, too: nothing to explain"
        numbers = f"{self.theirs} instead of {self.ours:.6f} ({self.measure} of {self.run})"
        if not self.reasons:
            return f"nothing that was tried gives {numbers}"
        first = self.reasons[0]
        tools = f"the rule of {' and of '.join(first.tools)}: " if first.tools else ""
        others = sum(abs(reason.value - first.value) > 1e-9 for reason in self.reasons)
        if not others:
            return f"{numbers} is {tools}{first.sentence}"
        fit = "explanation fits" if others == 1 else "explanations fit"
        decide = f"{others} other {fit} {self.theirs} as well: more digits or a second run would decide"
        return f"{numbers} may be {tools}{first.sentence}; {decide}"

    @property
    def scope(self) -> tuple[str, ...]:
        """What was tried, and the scenarios that could not be."""
        if self.agree:
            return ()
        ways = ", ".join(TRIED)
        tried = f"tried {counted(self.tried, 'combination')}: the scenarios, and one or two other choices of {ways}"
        return (tried, *(f"not tried: {name}: {why}" for name, why in self.refused.items()))

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.why-different/1."""
        return {
            "schema": "gaincurve.why-different/1",
            "measure": self.measure,
            "run": self.run,
            "ours": json_number(self.ours),
            "theirs": self.theirs,
            "agree": self.agree,
            "reasons": [
                {"changes": list(reason.changes), "scenarios": list(reason.tools), "value": json_number(reason.value)}
                for reason in self.reasons
            ],
            "tried": self.tried,
            "refused": dict(self.refused),
        }


def why_different(
    judgments: object,
    run: object,
    theirs: str | float,
    measure: str | Measure = "nDCG@10",
    *,
    scenario: Scenario | str = "default",
    **choices: Unpack[ScenarioChoices],
) -> WhyDifferent:
    """Which rules give the number someone else got for this run, `theirs`, instead of ours.

    The scenarios of other tools are tried, then every change of one or two choices (gains, discount, ideal, ties,
    unjudged, missing, empty, negative, cutoff). A value explains the number if it rounds to it in the digits given, so
    text is better than a float: '0.70' has two digits, and '68.87%' is a share.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    (asked,) = asked_measures([parse_measure(measure)] if isinstance(measure, str) else [measure], chosen)
    search = _Search.of(Judgments.of(judgments), Run.of(run, "run", chosen.ties), asked, chosen)
    number = Theirs.of(theirs)
    high = asked.definition.high
    if high is not None and number.value - number.half > high:
        what = f"{asked.text} is at most {high:g}, and {number.text} is above"
        raise ChoiceError(Problem("number-theirs", what, hint="write a share with its sign: 68.87%"))
    ours = search.value({})
    reasons: dict[tuple[str, ...], Reason] = {}
    agree = number.fits(ours)
    for name, changed in search.candidates() if not agree else ():
        value = search.value(changed, name)
        if number.fits(value):
            needed = search.needed(changed, number)
            texts = tuple(f"{key} {_written(value)}" for key, value in needed.items())
            before = reasons.get(texts, Reason(texts, (), search.value(needed)))
            reasons[texts] = replace(before, tools=(*before.tools, name) if name else before.tools)
    return WhyDifferent(
        measure=asked.text,
        run=search.run.name,
        ours=ours,
        theirs=number.text,
        reasons=tuple(sorted(reasons.values(), key=_likelihood)),
        tried=len(search.values) - 1,
        refused=search.refused,
        inputs=(search.judgments.source, search.run.source),
        agree=agree,
    )


def _likelihood(reason: Reason) -> tuple[bool, int, bool]:
    """What sorts explanations: numbers come from tools more often than from choices that no tool has."""
    return not any(SCENARIOS[name].prints for name in reason.tools), len(reason.changes), not reason.tools


Changes = dict[str, object]


@dataclass(eq=False)
class _Search:
    """One run under any choices; runs are graded once per rule for ties, and every value is kept."""

    judgments: Judgments
    run: Run
    measure: Measure
    scenario: Scenario
    graded: dict[str, Graded] = field(default_factory=dict)
    values: dict[tuple[Measure, Scenario], float] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, judgments: Judgments, run: Run, measure: Measure, scenario: Scenario) -> _Search:
        """The choices written in the measure become those of the scenario, so that they can be changed."""
        own = {key: value for key, value in measure.parameters if key not in CHOICES}
        bare = Measure.of(measure.definition, own, measure.cutoff)
        return cls(judgments, run, bare, replace(measure.choices(scenario), name="", about="", refuses=(), prints=()))

    @cached_property
    def axes(self) -> dict[str, tuple[object, ...]]:
        """The choices that this measure knows."""
        uses = self.measure.definition.parameters
        cut = self.measure.definition.cutoff
        own = ("gains", "discount", "ideal")
        known = {key: values for key, values in TRIED.items() if key not in own or key in uses}
        known["cutoff"] = CUTOFFS if cut == "optional" else CUTOFFS[:-1] if cut == "required" else ()
        return known

    def candidates(self) -> Iterator[tuple[str, Changes]]:
        """The scenarios by name, then one and two changes without a name."""
        for name in PRESETS:
            preset = SCENARIOS[name]
            yield name, {key: value for key in self.axes if (value := getattr(preset, key, None)) is not None}
        single = [(key, value) for key, values in self.axes.items() for value in values]
        for number in range(1, MOST_CHANGES + 1):
            for pairs in combinations(single, number):
                if len({key for key, _ in pairs}) == number:
                    yield "", dict(pairs)

    def value(self, changed: Changes, name: str = "") -> float:
        """The run's number with some choices changed; nan where there is none."""
        measure, chosen = self._under(changed)
        if name and not self._has_number(measure, chosen, name):
            return math.nan
        key = (measure, chosen)
        if key not in self.values:
            try:
                run = under_rules(self._ranked(chosen.ties), chosen)
                self.values[key] = summarised(value_of(run, measure, chosen), measure.summary)
            except GaincurveError:  # no rank column, no gain for a grade, a topic missing where that is an error
                self.values[key] = math.nan
        return self.values[key]

    def needed(self, changed: Changes, number: Theirs) -> Changes:
        """The changes without those that the number does not need."""
        left = {key: value for key, value in changed.items() if self._under({key: value}) != self._under({})}
        for key in [*left]:
            fewer = {other: value for other, value in left.items() if other != key}
            if number.fits(self.value(fewer)):
                left = fewer
        return left

    def _under(self, changed: Changes) -> tuple[Measure, Scenario]:
        given = {key: value for key, value in changed.items() if key != "cutoff"}
        cutoff = changed.get("cutoff", self.measure.cutoff)
        return Measure.of(self.measure.definition, dict(self.measure.parameters), cutoff), self.scenario.choosing(given)

    def _has_number(self, measure: Measure, chosen: Scenario, name: str) -> bool:
        """Whether a tool's scenario does not refuse these data."""
        preset = replace(chosen, name=name, refuses=SCENARIOS[name].refuses, prints=SCENARIOS[name].prints)
        try:
            check_gains(self.judgments, [measure], preset)
            ruled = [under_rules(self._ranked(chosen.ties), preset)]
            refuse_measures(ruled, [measure], preset)
            refuse_tied(ruled, [measure], preset)
        except GaincurveError as error:
            self.refused[name] = error.problems[0].what
            return False
        for note in not_printed([measure], preset):
            self.refused[name] = note.text
            return False
        return True

    def _ranked(self, ties: str) -> Graded:
        if ties not in self.graded:
            seen = grade(self.judgments, self.run.ranked(ties), need("scores", [self.measure]))
            self.graded[ties] = graded_experiment(self.judgments, [seen]).runs[0]
        return self.graded[ties]


def _written(value: object) -> str:
    return "none" if value is None else str(value)


def _meaning(change: str) -> str:
    key, _, value = change.partition(" ")
    meaning = RULES.get(key, {}).get(value)
    return f"{change} ({meaning})" if meaning else change
