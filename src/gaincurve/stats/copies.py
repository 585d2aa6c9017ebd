"""Texts that are copies of others, exactly or nearly: a judge need not read them twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from zlib import crc32

SHINGLE = 5
"""So many words in a row make a shingle."""
NEAR = 0.8
"""Texts are near copies where they share at least this part of all shingles of either (Broder 1997)."""
SKETCH = 8
"""Texts are compared where one of so many smallest shingles is the same: copies missed by chance are under .8 ** 8."""
_LONGEST_WORD = 20
_MIX = 0x9E3779B1


def copies(texts: Sequence[str]) -> list[int | None]:
    """For each text the place of the first earlier one that it copies, exactly or nearly; None for an original."""
    originals: dict[int, frozenset[int]] = {}
    by_shingle: dict[int, list[int]] = {}
    answers: list[int | None] = []
    for place, text in enumerate(texts):
        shingles = frozenset(_shingles(text))
        sketch = sorted(shingles)[:SKETCH]
        candidates = sorted({other for shingle in sketch for other in by_shingle.get(shingle, ())})
        original = next((other for other in candidates if _shared(shingles, originals[other]) >= NEAR), None)
        answers.append(original)
        if original is None and shingles:
            originals[place] = shingles
            for shingle in sketch:
                by_shingle.setdefault(shingle, []).append(place)
    return answers


def _shared(first: frozenset[int], other: frozenset[int]) -> float:
    both = len(first & other)
    return both / (len(first) + len(other) - both)


def _shingles(text: str) -> Iterator[int]:
    """A number for each run of words; case and punctuation make no difference."""
    words = list(_words(text))
    for i in range(max(1, len(words) - SHINGLE + 1) if words else 0):
        yield crc32(" ".join(words[i : i + SHINGLE]).encode("utf-8", "surrogatepass")) * _MIX % 2**32


def _words(text: str) -> Iterator[str]:
    """Words; where a script does not separate them, characters."""
    for word in re.findall(r"\w+", text.casefold()):
        yield from word if len(word) > _LONGEST_WORD else [word]
