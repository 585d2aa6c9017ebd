"""One ranking per run: which document stands where, by a named rule."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.ids import Ids, Ints
from gaincurve.model.rows import Floats

TIE_RULES: dict[str, str] = {
    "trec": "score descending, equal scores by document id descending byte by byte (trec_eval 10)",
    "trec-float32": "the same with scores rounded to 32 bits first (trec_eval 9)",
    "average": "as trec; a tied block gives each of its ranks the mean gain: the expected value over all orders",
    "average-float32": "the same with scores rounded to 32 bits first (torchmetrics)",
    "rank": "the file's rank column, ascending; scores are ignored",
    "file": "the order of the lines in the file; scores are ignored",
}
SHARED = ("average", "average-float32")
"""The rules by which tied documents share their gains."""
FLOAT32 = ("trec-float32", "average-float32")
SCORE_RULES = ("trec", "trec-float32", *SHARED)


def comparable(scores: Floats, rule: str) -> NDArray[np.floating]:
    """Scores as the rule compares them."""
    if rule in FLOAT32:
        with np.errstate(over="ignore"):  # beyond 32-bit range C's cast gives inf, and so do we
            return scores.astype(np.float32)
    return scores


def ranking(topic: NDArray[np.int32], scores: NDArray[np.floating], documents: Ids) -> Ints | None:
    """The order by score ↓ then id ↓ inside each topic, or None where the rows already stand so.

    Rows come grouped by topic. Only topics out of order are sorted, and ids are compared only inside tied blocks.
    """
    within = topic[1:] == topic[:-1]
    rising = within & (scores[1:] > scores[:-1])
    tied = within & (scores[1:] == scores[:-1])
    if not rising.any() and not tied.any():
        return None
    order = np.arange(len(scores), dtype=np.int64)
    if rising.any():
        unsorted = np.zeros(int(topic[-1]) + 1, dtype=bool)
        unsorted[topic[1:][rising]] = True
        rows = np.flatnonzero(unsorted[topic])
        order[rows] = rows[np.lexsort((-scores[rows], topic[rows]))]
        scores = scores[order]
        tied = within & (scores[1:] == scores[:-1])
    if tied.any():
        block = np.cumsum(np.concatenate([[True], ~tied]))
        rows = np.flatnonzero(np.concatenate([tied, [False]]) | np.concatenate([[False], tied]))
        order[rows] = order[rows][documents.take(order[rows]).order_descending(block[rows])]
    return order


def tied_blocks(topic: NDArray[np.int32], scores: NDArray[np.floating]) -> Ints:
    """The row at which each block of equal scores begins, in ranked rows; one more entry than blocks."""
    new = (topic[1:] != topic[:-1]) | (scores[1:] != scores[:-1])
    return np.concatenate([[0], np.flatnonzero(new) + 1, [len(scores)]]).astype(np.int64)
