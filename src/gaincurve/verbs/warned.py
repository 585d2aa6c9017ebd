"""What the library has to say about a result, raised as warnings where a script asked for it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, wraps
from itertools import islice
from typing import Any

from gaincurve.errors import GaincurveWarning, visible
from gaincurve.model.source import Note

MOST_RUNS = 1000
"""Longer lists hold rows, not runs."""


@cache
def warned(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as users call it: each note of its result is a GaincurveWarning at their line.

    Notes that an argument brought along were raised when that was made, and are not repeated. The rooms and the
    command line call the plain function.
    """

    @wraps(function)
    def public(*arguments: Any, **choices: Any) -> Any:
        result = function(*arguments, **choices)
        known = {note for argument in (*arguments, *choices.values()) for note in _notes(argument)}
        for note in dict.fromkeys(_notes(result)):
            if note not in known:
                warnings.warn(visible(f"{note.slug}: {note.sentence()}"), GaincurveWarning, stacklevel=2)
        return result

    public.__module__ = "gaincurve"  # where pickle finds it again
    return public


def _notes(value: object) -> Iterator[Note]:
    """The notes of a result or an argument, also of those that stand in a list or under names."""
    several: Iterable[object] = ()
    if isinstance(value, Mapping):
        several = value.values()
    elif isinstance(value, list):
        several = value
    for single in (value, *islice(several, MOST_RUNS)):
        notes = getattr(single, "notes", None)
        if isinstance(notes, tuple):
            yield from (note for note in notes if isinstance(note, Note))
