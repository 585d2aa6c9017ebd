"""What can be written in a measure's brackets: every parameter, its help, and how a value is checked and spelled."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.discount import FORMS, checked_base
from gaincurve.model.gains import Gains
from gaincurve.model.numbers import finite_number
from gaincurve.model.scenario import IDEALS, MOST_COUNT, POINTS
from gaincurve.model.sessions.rules import SESSION_RULES, SessionRules, query_discount
from gaincurve.model.source import plain_number_text
from gaincurve.model.summaries import SUMMARIES

MOST = 1e6
"""Larger weights and multiples show nothing that this one does not."""


@dataclass(frozen=True)
class Parameter:
    """A parameter: its help and how a value is checked and spelled."""

    name: str
    help: str
    spell: Callable[[object], object]


def _bad(name: str, value: object, expected: str) -> ChoiceError:
    return ChoiceError(Problem("measure-parameter", f"{name} cannot be {value!r}: it is {expected}"))


def _base(value: object) -> object:
    return _shortest(checked_base(value))


def _shortest(value: float) -> int | float:
    return int(value) if float(value).is_integer() and abs(value) <= MOST_COUNT else float(value)


def _number(name: str, expected: str, fits: Callable[[float], bool]) -> Callable[[object], object]:
    """A number for which `fits` holds, spelled as a whole one where it is."""

    def spell(value: object) -> object:
        try:
            number = float(value) if isinstance(value, str | int | float) else float(operator.index(value))  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if isinstance(value, bool) or not math.isfinite(number) or not fits(number):
            raise _bad(name, value, expected)
        return _shortest(number)

    return spell


def _chosen(name: str, *values: str) -> Callable[[object], object]:
    return lambda value: one_of(name, value, values)


def _top(value: object) -> object:
    if value in ("judgments", "topic"):
        return value
    return _number("top", "'judgments', 'topic', or a number above 0", lambda x: x > 0)(value)


def _levels(value: object) -> object:
    """Levels of recall, ascending, each once."""
    expected = "levels of recall between 0 and 1 with a comma between them, each once: '0.2,0.5,0.8'"
    given = value.split(",") if isinstance(value, str) else value if isinstance(value, list | tuple) else [value]
    numbers = sorted(finite_number(level) for level in given)
    if not numbers or not all(0 <= number <= 1 for number in numbers) or len(set(numbers)) < len(numbers):
        raise _bad("levels", value, expected)
    return ",".join(map(plain_number_text, numbers))


def _weights(value: object) -> object:
    return str(Gains.of(value))


_COUNT = "a whole number from 1 to 10^15"
_SHARE = "a number between 0 and 1"


def _whole(x: float) -> bool:
    return 1 <= x <= MOST_COUNT and x.is_integer()


_GAINS = Parameter("gains", "gain of each grade: identity, binary, exp2, 0-1-10-100, 1=3,2=9", _weights)
_DISCOUNT = Parameter("discount", f"divisor by rank: {', '.join(FORMS)}", _chosen("discount", *FORMS))


def _summary(units: str) -> Parameter:
    help_ = f"what is said of all {units} together: {', '.join(SUMMARIES)}"
    return Parameter("summary", help_, _chosen("summary", *SUMMARIES))


OF_TOPICS: dict[str, Parameter] = {
    parameter.name: parameter
    for parameter in (
        _GAINS,
        _DISCOUNT,
        Parameter("base", "base of a logarithmic discount, above 1, or inf", _base),
        Parameter("ideal", f"what the ideal ranking is made of: {', '.join(IDEALS)}", _chosen("ideal", *IDEALS)),
        Parameter("points", f"how a recall point is reached: {', '.join(POINTS)}", _chosen("points", *POINTS)),
        Parameter("levels", "the levels of recall averaged over, e.g. '0.2,0.5,0.8'; eleven unless given", _levels),
        Parameter("average", "'ranks': the mean over ranks 1 to the cutoff, formula (6) of the 2002 paper",
                  _chosen("average", "ranks")),
        Parameter("rel", "grades of at least this count as relevant", _number("rel", "a grade", lambda _: True)),
        Parameter("only", "only documents of exactly this grade count as relevant",
                  _number("only", "a grade", lambda _: True)),
        Parameter("norm", "what a cut AP is divided by: 'R', all relevant documents; 'min', as many as fit above the "
                  "cutoff", _chosen("norm", "R", "min")),
        Parameter("beta", "recall counts β times as much as precision",
                  _number("beta", "a number of at least 0 and at most a million", lambda x: 0 <= x <= MOST)),
        Parameter("alpha", "the weight of precision, instead of beta: β² = (1 − α)/α",
                  _number("alpha", "a number above 0 (at least 1e-12) and at most 1", lambda x: MOST**-2 <= x <= 1)),
        Parameter("N", "documents in the collection", _number("N", _COUNT, _whole)),
        Parameter("mult", "the cutoff as a multiple of R",
                  _number("mult", "a number above 0 and at most a million", lambda x: 0 < x <= MOST)),
        Parameter("wanted", "how many relevant documents the user wants", _number("wanted", _COUNT, _whole)),
        Parameter("count", "'nonrelevant' documents read, or 'all'", _chosen("count", "nonrelevant", "all")),
        Parameter("p", "the probability of reading on to the next document",
                  _number("p", "a number above 0 and below 1", lambda x: 0 < x < 1)),
        Parameter("top", "what counts as full relevance: the highest in the 'judgments', in the 'topic', or a number",
                  _top),
        Parameter("T", "how much relevance the user hopes to find",
                  _number("T", "a number of at least 1 and at most a million", lambda x: 1 <= x <= MOST)),
        Parameter("w", "the weight of satisfaction", _number("w", _SHARE, lambda x: 0 <= x <= 1)),
        Parameter("part", "'total', 'satisfaction' or 'frustration'",
                  _chosen("part", "total", "satisfaction", "frustration")),
        Parameter("frustration", "frustration by grade, e.g. 0=1,1=0.5; unless given 1 for a document without gain",
                  _weights),
        *(Parameter(name, f"the worth of {what}",
                    _number(name, "a number up to a million", lambda x: abs(x) <= MOST)) for name, what in (
            ("a", "a relevant document retrieved"), ("b", "a non-relevant one retrieved"),
            ("c", "a relevant one missed"), ("d", "a non-relevant one left out"))),
        Parameter("empty_strata", "'skip' passes over a stratum of which nothing was sampled; 'error' refuses it",
                  _chosen("empty_strata", "error", "skip")),
        _summary("topics"),
    )
}  # fmt: skip

SCORES: dict[str, str] = {
    "final": "the value at the end of the session",
    "average": "the mean over all ranks of the session",
    "first": "the first query's own",
    "last": "the last query's own",
    "best": "the best query's own",
    "queries": "the mean of all queries' own",
}
"""Which number of a session a measure can give."""


def _rule(name: str) -> Callable[[object], object]:
    return lambda value: getattr(SessionRules().with_choices(**{name: value}), name)


def _probability(name: str, help_: str, most: float = 1) -> Parameter:
    expected = f"a number from 0 to {most:g}"
    return Parameter(name, help_, _number(name, expected, lambda x: 0 <= x <= most))


OF_SESSIONS: dict[str, Parameter] = {
    parameter.name: parameter
    for parameter in (
        Parameter("score", "which number of the session: " + ", ".join(SCORES), _chosen("score", *SCORES)),
        _probability("p_down", "probability to read the next document of a list"),
        _probability("p_reform", "probability to ask the next query"),
        _probability("p", "probability to go on, below 1", 0.999999),
        _probability("b", "probability to go on down the list rather than to the next query"),
        _GAINS,
        _DISCOUNT,
        Parameter("base", "base of the rank discount, above 1, or inf", _base),
        Parameter("query_discount", "divisor by query, the same forms", _chosen("query_discount", *FORMS)),
        Parameter("bq", "base of the query discount, above 1, or inf",
                  lambda value: _base(query_discount("jk2002", value).base)),
        *(Parameter(name, "; ".join(f"{value}: {about}" for value, about in SESSION_RULES[name].items()), _rule(name))
          for name in ("rank_scope", "normalise", "ideal", "horizon", "pad", "scan", "repeats", "empty_lists",
                       "unjudged_queries")),
        _summary("sessions"),
    )
}  # fmt: skip

PARAMETERS: dict[str, dict[str, Parameter]] = {"topic": OF_TOPICS, "session": OF_SESSIONS}
"""Every parameter of a measure of topics or of sessions, in the order in which a measure prints them."""
