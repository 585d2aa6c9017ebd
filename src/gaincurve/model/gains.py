"""From grade to gain: what a document of a given grade is worth to the user."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.elementary import exp2
from gaincurve.model.numbers import finite_number
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.source import number_text, plain_number_text

_BINARY = re.compile(r"binary(?:\(rel=([^)]+)\)|:(.+))?")

SCHEMES: dict[str, str] = {
    "identity": "the grade itself",
    "binary(rel=r)": "1 for grades of at least r (1 unless given), else 0",
    "exp2": "2^grade − 1",
    "0-1-10-100": "a list by grade, beginning with grade 0",
    "1=3,2=9": "a mapping; grades of 0 and below gain 0 unless mapped",
}
"""The gain schemes as they are written, and what a document of a grade then gains."""

LARGEST, SMALLEST = 1e60, 1e-60
"""Between these lies every gain above 0: sums of gains and of their squares then neither overflow nor vanish."""

SPELLINGS = ", ".join(scheme.partition("(")[0] for scheme in SCHEMES)
"""How gains may be written, for help texts."""


@dataclass(frozen=True)
class Gains:
    """A gain scheme, one of `SCHEMES`. `text` is its canonical spelling and parses back to it.

    Negative grades gain 0 unless a mapping says otherwise. No document has a negative gain.
    """

    text: str
    rule: str
    rel: float = 1.0
    table: tuple[tuple[float, float], ...] = ()

    @classmethod
    def of(cls, given: object) -> Gains:
        """A scheme from its text, a list by grade, a mapping {grade: gain}, or a scheme."""
        if isinstance(given, Gains):
            return given
        if isinstance(given, Mapping):
            return _mapping({_number(grade): _number(gain) for grade, gain in given.items()})
        if isinstance(given, Sequence) and not isinstance(given, str):
            return _listed([_number(gain) for gain in given])
        if isinstance(given, str):
            return _parse(given.strip())
        raise _bad(f"gains cannot be {given!r}")

    def __str__(self) -> str:
        return self.text

    def of_grades(self, grades: Floats) -> Floats:
        """The gain of each grade; a grade without a gain becomes nan (see `missing`)."""
        if self.rule == "identity":
            return np.maximum(grades, 0.0)
        if self.rule == "binary":
            return (grades >= self.rel).astype(np.float64)
        if self.rule == "exp2":
            return exp2(np.maximum(grades, 0.0)) - 1.0
        gains = np.where(grades <= 0, 0.0, np.nan)
        for grade, gain in self.table:
            gains[grades == grade] = gain
        return gains

    def on(self, scale: Floats) -> Gains:
        """The scheme as it is always written where it is used for these grades, all that the judges used.

        Schemes that give these grades the same gains are one function, and get one text: identity, binary, exp2 or
        binary(rel=r), the first that fits, else a list or a mapping. Worked: on grades 0 to 3, 0-1-1-1 is binary,
        0-1-3-7 is exp2 and 1=1,2=5,3=9 is 0-1-5-9.
        """
        gain = self.of_grades(scale)
        if not len(scale) or np.isnan(gain).any():
            return self
        lowest = scale[gain == 1]
        named = [Gains(name, name) for name in ("identity", "binary", "exp2")]
        named += [_parse(f"binary(rel={float(lowest[0])!r})")] if len(lowest) else []
        fits = (scheme for scheme in named if np.array_equal(scheme.of_grades(scale), gain))
        return next(fits, None) or _written(scale, gain)

    def unusable(self, grades: Floats) -> tuple[float, Problem] | None:
        """The first grade for which this scheme has no gain that can be summed, and what is wrong; None if all have.

        Too large a gain makes a sum infinite, too small a one makes it lose its digits: both would pass as numbers.
        """
        known = distinct(grades) if self.table else _extremes(grades)
        gain = self.of_grades(known)
        for place in np.flatnonzero(np.isnan(gain) | _beyond(gain))[:1].tolist():
            grade, worth = float(known[place]), float(gain[place])
            if math.isnan(worth):
                return grade, Problem("gains-grade", f"gains {self} have no value for grade {number_text(grade)}")
            what = f"gains {self} make a document of grade {number_text(grade)} worth {worth:.6g}"
            return grade, Problem("gains-range", what)
        return None

    def check(self, grades: Floats, place: Callable[[float], str]) -> None:
        """Refuse grades for which there is no gain that can be summed; `place` says where a grade stands."""
        unusable = self.unusable(grades)
        if unusable is not None:
            grade, problem = unusable
            raise ChoiceError(replace(problem, at=place(grade)))


def _written(scale: Floats, gain: Floats) -> Gains:
    """Gains of grades as a list if those above 0 are 1, 2, …, else as a mapping of those that gain or stand above 0."""
    positive = scale[scale > 0]
    if len(positive) and not gain[scale < 0].any() and np.array_equal(positive, np.arange(1, len(positive) + 1)):
        return _listed([float(gain[scale == 0].sum()), *gain[scale > 0].tolist()])
    named = (scale > 0) | (gain != 0)
    return _mapping(dict(zip(scale[named].tolist(), gain[named].tolist(), strict=True)))


def _extremes(grades: Floats) -> Floats:
    """The lowest grade above 0 and the highest: the gains of all others lie between theirs."""
    above = grades[grades > 0]
    return np.array([above.min(), above.max()]) if len(above) else above


def _beyond(gain: Floats) -> NDArray[np.bool_]:
    """Gains too large or too small to be summed."""
    return (gain > LARGEST) | ((gain > 0) & (gain < SMALLEST))


def _parse(text: str) -> Gains:
    if text in ("identity", "exp2"):
        return Gains(text, text)
    binary = _BINARY.fullmatch(text)
    if binary:
        given = binary.group(1) or binary.group(2)
        rel = 1.0 if given is None else _number(given, text)
        return Gains("binary" if rel == 1 else f"binary(rel={number_text(rel)})", "binary", rel=rel)
    if "=" in text:
        pairs = [part.partition("=") for part in text.split(",")]
        gains: dict[float, float] = {}
        for grade, _, gain in pairs:
            if gains.setdefault(_number(grade, text), number := _number(gain, text)) != number:
                raise _bad(f"gains {text!r} give grade {grade.strip()} two gains")
        return _mapping(gains)
    if "-" in text:
        return _listed([_number(part, text) for part in text.split("-")])
    raise _bad(f"gains {text!r} are not understood")


def _listed(gains: list[float]) -> Gains:
    if len(gains) < 2:
        raise _bad("a list of gains needs at least two entries, for grades 0 and 1")
    _check(gains)
    table = tuple((float(grade), gain) for grade, gain in enumerate(gains))
    return Gains("-".join(map(plain_number_text, gains)), "list", table=table)


def _mapping(gains: dict[float, float]) -> Gains:
    if not gains:
        raise _bad("a mapping of gains needs at least one grade")
    _check(list(gains.values()))
    table = tuple(sorted(gains.items()))
    return Gains(",".join(f"{number_text(grade)}={number_text(gain)}" for grade, gain in table), "mapping", table=table)


def _check(gains: list[float]) -> None:
    for gain in gains:
        if gain < 0:
            raise _bad(f"a document cannot have the negative gain {number_text(gain)}")
        if gain > LARGEST or 0 < gain < SMALLEST:
            raise ChoiceError(Problem("gains-range", f"a document cannot be worth {number_text(gain)}"))


def _number(given: object, text: str = "") -> float:
    value = finite_number(given)
    if math.isnan(value):
        where = f"gains {text!r}: " if text else ""
        what = "a number is missing" if given == "" else f"{given!r} is not a number that a grade or gain can be"
        raise _bad(where + what)
    return value


def _bad(what: str) -> ChoiceError:
    return ChoiceError(Problem("gains-syntax", what))
