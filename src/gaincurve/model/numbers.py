"""Numbers as they come: from text, from Python, from NumPy."""

from __future__ import annotations

import math
import operator
import re


def whole_number(given: object) -> int | None:
    """A whole number from text or from any integer; None for anything else, true and false among it."""
    if isinstance(given, bool):
        return None
    try:
        return int(given) if isinstance(given, str) else operator.index(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def finite_number(given: object) -> float:
    """A finite number from text or from any number; nan for anything else, Python's 1_000 among it."""
    if isinstance(given, str) and "_" in given:
        return math.nan
    try:
        number = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def no_level(value: float, digits: int, levels: tuple[float, ...]) -> str:
    """A share with more digits where fewer would make it a level that it is not: .0502 is not .050."""
    text = f"{value:.{digits}f}"
    if digits < MOST_DIGITS and float(text) in levels and float(text) != value:
        return no_level(value, digits + 1, levels)
    return text


def number_hint(text: object, role: str) -> str:
    """What to do about a text that should be a number, where its look says what went wrong; '' otherwise."""
    word = str(text).strip()
    if re.fullmatch(r"[-+]?\d{1,3}(\.\d{3})*,\d+([eE][-+]?\d+)?|[-+]?\d*,\d+", word):
        return "write numbers with a decimal point, not a comma"
    if re.fullmatch(r"[^\W\d_]+([ _-][^\W\d_]+)*", word) and word.lower() not in _NOT_FINITE:
        return (
            f"words cannot be {role}s: replace each with a number, or name the {role} column of a table with --columns"
        )
    return ""


LEVELS = (0.1, 0.05, 0.025, 0.02, 0.01, 0.005, 0.001)
"""Levels of significance that a p-value must not reach by rounding."""
MOST_DIGITS = 10
"""Scores are rounded to as many before they are tested."""
_NOT_FINITE = ("nan", "inf", "infinity", "none", "null", "na")
