"""Runs as voters: which documents they elect."""

from __future__ import annotations

import numpy as np

from gaincurve.model.lists import Lists
from gaincurve.model.rows import Floats


def held(lists: Lists) -> Floats:
    """How many runs hold a document."""
    return lists.held.astype(np.float64)


def condorcet(lists: Lists) -> Floats:
    """Duels won, then fewest lost (Nuray & Can 2006): in a duel each run votes for the document that it ranks higher.

    A document that a run does not hold stands below all that it holds; of two that it lacks it prefers neither.
    """
    score = np.zeros(len(lists))
    absent = int(lists.rank.max(initial=0)) + 1
    ranks = lists.ranks(absent)
    for start, stop in zip(lists.offsets[:-1].tolist(), lists.offsets[1:].tolist(), strict=True):
        margin = np.zeros((stop - start, stop - start), dtype=np.int32)
        for row in ranks[:, start:stop]:
            margin += np.sign(row[None, :] - row[:, None]).astype(np.int32)
        won, lost = (margin > 0).sum(axis=1), (margin < 0).sum(axis=1)
        score[start:stop] = won * (stop - start + 1.0) - lost
    return score
