"""Numbers as they come: from text, from Python, from NumPy."""

from __future__ import annotations

import math
import operator


def whole_number(given: object) -> int | None:
    """A whole number from text or from any integer; None for anything else, true and false among it."""
    if isinstance(given, bool):
        return None
    try:
        return int(given) if isinstance(given, str) else operator.index(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def finite_number(given: object) -> float:
    """A finite number from text or from any number; nan for anything else."""
    try:
        number = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan
    return number if math.isfinite(number) else math.nan
