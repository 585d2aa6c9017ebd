"""Time stamps of logs as whole microseconds, and how long a user may be idle within a session."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any

from gaincurve.errors import ChoiceError, InputError, Problem
from gaincurve.model.numbers import finite_number
from gaincurve.model.source import shorten

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MILLISECONDS_FROM = 1e11
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_IDLE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([smhd])")


def idle_microseconds(text: str) -> int:
    """'30m', '90s', '1.5h', '1d' in microseconds."""
    match = _IDLE.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None or not Decimal(match[1]):
        what = f"--idle cannot be {text!r}"
        raise ChoiceError(Problem("choice-unknown", what, hint="a number and its unit, s, m, h or d: --idle 30m"))
    return int(Decimal(match[1]) * _UNITS[match[2]] * 1_000_000)


def idle_text(text: str) -> str:
    """The same time in one spelling for signatures: '1800s' and '0.5h' are '30m'."""
    microseconds = idle_microseconds(text)
    for unit, seconds in reversed(_UNITS.items()):
        if microseconds % (seconds * 1_000_000) == 0:
            return f"{microseconds // (seconds * 1_000_000)}{unit}"
    return f"{Decimal(microseconds) / 1_000_000:f}s"


def microseconds(times: Sequence[Any], places: Sequence[str]) -> list[int]:
    """Time stamps since 1970: ISO 8601 or datetimes, or numbers of seconds (milliseconds where they are over 10¹¹).

    Offsets are taken into account; without one the time is UTC. Times with and without an offset, and dates beside
    numbers, are not mixed.
    """
    stamps = [_stamp(time, place) for time, place in zip(times, places, strict=True)]
    kinds = {kind: i for i, (kind, _) in reversed(list(enumerate(stamps)))}
    if len(kinds) > 1:
        (first, i), (second, j) = list(kinds.items())[:2]
        what = f"time {shorten(str(times[j]))} is {second}, and {shorten(str(times[i]))} is {first}"
        raise InputError(Problem("session-time", what, f"{places[j]} (and {places[i]})"))
    values = [value for _, value in stamps]
    if "a number" in kinds:
        scale = 1000 if max(map(abs, values), default=0) >= _MILLISECONDS_FROM else 1_000_000
        return [int((value * scale).to_integral_value()) for value in values]
    return [int(value) for value in values]


def _stamp(time: Any, place: str) -> tuple[str, Decimal]:
    """What kind of time it is, and its number or its microseconds."""
    number = float("nan") if isinstance(time, bool | datetime) else finite_number(time)
    if isfinite(number):
        return "a number", Decimal(str(time).strip())
    try:
        moment = time if isinstance(time, datetime) else datetime.fromisoformat(time.strip())
    except (ValueError, AttributeError):
        what = f"time {shorten(repr(time))} is neither a date and time nor a number of seconds"
        raise InputError(Problem("session-time", what, place)) from None
    if moment.tzinfo is None:
        return "a time without time zone", Decimal((moment.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND)
    return "a time with time zone", Decimal((moment - _EPOCH) // _MICROSECOND)
