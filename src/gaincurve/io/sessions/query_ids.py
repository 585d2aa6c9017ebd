"""Topic fields that name a session and a query, such as s12.q3, 12_3 or 12.3, taken apart by the million."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.ids import Ids, Ints, encode

USUAL = ("{session}.q{query}", "s{session}.q{query}", "{session}_q{query}", "{session}_{query}", "{session}.{query}",
         "{session}-{query}", "{session}:{query}", "{session}/{query}")  # fmt: skip
"""Patterns tried in turn where none is given."""
_MOST_DIGITS = 9


@dataclass(frozen=True)
class Pattern:
    """Fixed text before the session, between session and query number, and behind it."""

    text: str
    before: bytes
    between: bytes
    after: bytes

    @classmethod
    def of(cls, text: str) -> Pattern:
        """A pattern from its text, in which {session} comes first and {query} later."""
        before, has_session, rest = text.partition("{session}")
        between, has_query, after = rest.partition("{query}")
        if not (has_session and has_query and between) or "{" in before + between + after:
            what = f"the pattern {text!r} must hold {{session}}, some text, then {{query}}"
            raise ChoiceError(Problem("session-pattern", what))
        return cls(text, encode(before), encode(between), encode(after))

    def split(self, ids: Ids) -> tuple[Ids, Ints, NDArray[np.bool_]]:
        """The session part and query number of each id, and whether it fits at all."""
        ends = ids.starts + ids.lengths
        fits = ids.lengths >= len(self.before) + len(self.between) + len(self.after) + 2
        fits &= _stands(ids, ends - len(self.after), self.after)
        last = ends - len(self.after)
        number = np.zeros(len(ids), dtype=np.int64)
        digits = np.zeros(len(ids), dtype=np.int64)
        going = fits.copy()
        for j in range(_MOST_DIGITS + 1):
            place = np.maximum(last - 1 - j, ids.starts)
            byte = ids.buffer[place].astype(np.int64) - 48
            going &= (byte >= 0) & (byte <= 9) & (last - 1 - j >= ids.starts)
            number += np.where(going, byte * 10**j, 0)
            digits += going
        fits &= (digits > 0) & (digits <= _MOST_DIGITS)
        middle = last - digits - len(self.between)
        start = ids.starts + len(self.before)
        fits &= (middle > start) & _stands(ids, middle, self.between) & _stands(ids, ids.starts, self.before)
        lengths = np.where(fits, middle - start, 0).astype(np.int32)
        return Ids(ids.buffer, np.where(fits, start, 0), lengths), number, fits


def _stands(ids: Ids, places: Ints, text: bytes) -> NDArray[np.bool_]:
    """Whether the text stands at these places inside the ids."""
    stands = (places >= ids.starts) & (places + len(text) <= ids.starts + ids.lengths)
    for j, byte in enumerate(text):
        stands &= ids.buffer[np.where(stands, places + j, 0)] == byte
    return stands
