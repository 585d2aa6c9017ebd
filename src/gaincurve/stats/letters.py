"""Letters for systems: which rows are significantly worse than a row, and groups that share a letter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def letter(place: int) -> str:
    """a, b, …, z, aa, ab, …: a name for the row at a place.

    Worked: the 27th row is aa.
    """
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def letter_groups(differ: NDArray[np.bool_], order: Sequence[int]) -> list[str]:
    """For each system the letters of the groups it belongs to: two systems share a letter unless they differ.

    Piepho's (2004) insert-and-absorb: begin with one group, split it wherever a pair inside differs, drop groups
    inside others. Letters go by `order`, best first.

    Worked: if the first of three differs from the last only, the letters are a, ab, b.
    """
    groups: list[frozenset[int]] = [frozenset(order)]
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            if differ[i, j]:
                groups = _split(groups, i, j)
    rank = {system: place for place, system in enumerate(order)}
    groups.sort(key=lambda group: sorted(rank[system] for system in group))
    return ["".join(letter(g) for g, group in enumerate(groups) if i in group) for i in range(len(order))]


def _split(groups: list[frozenset[int]], i: int, j: int) -> list[frozenset[int]]:
    """Every group that holds both is replaced by one without each; what lies inside another group is dropped."""
    remaining = [group for group in groups if not {i, j} <= group]
    for group in groups:
        if {i, j} <= group:
            for part in (group - {j}, group - {i}):
                if not any(part <= other for other in remaining):
                    remaining = [other for other in remaining if not other <= part] + [part]
    return remaining
