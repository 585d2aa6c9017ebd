"""The algebra of the 2002 and 2008 papers on plain arrays.

A vector runs over ranks 1, 2, …; where an array has more axes, the last one is the ranks. Numbers in brackets are the
paper's formulas (Järvelin & Kekäläinen 2002, ACM TOIS 20(4), 422–446).

>>> import numpy as np
>>> G = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
>>> cg(G).astype(int).tolist()
[3, 5, 8, 8, 8, 9, 11, 13, 16, 16]
>>> dcg(G, base=2).round(2).tolist()
[3.0, 5.0, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]
>>> I = ideal([3, 3, 3, 2, 2, 2, 1, 1, 1, 1], 10)
>>> norm_vect(cg(G), cg(I)).round(2).tolist()
[1.0, 0.83, 0.89, 0.73, 0.62, 0.6, 0.69, 0.76, 0.89, 0.84]
>>> round(avg_pos(norm_vect(dcg(G, base=2), dcg(I, base=2)), 10), 6)
0.803055

A session is a list of such vectors, one for each query (Järvelin, Price, Delcambre & Nielsen, ECIR 2008).

>>> round(float(sdcg([G, [2, 3, 1], [], [1, 0, 3]])[-1]), 4)
10.8558
>>> round(float(nsdcg([G, [2, 3, 1], [], [1, 0, 3]], I)[-1]), 4)
0.4704
>>> round(ap(gains(G, "binary"), 10), 4)
0.5909
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import checked_depth
from gaincurve.model.source import counted

__all__ = ["ap", "avg_pos", "avg_vect", "cg", "dcg", "gains", "ideal", "norm_vect", "nsdcg", "sdcg"]

SCANNED = 10
"""Documents read of each query's list, as in the 2008 paper."""


def gains(grades: ArrayLike, scheme: object = "identity") -> Floats:
    """What documents of these grades are worth: 'exp2', 'binary', '0-1-10-100', {1: 1, 2: 10}, …"""
    chosen, vector = Gains.of(scheme), _vector(grades)
    chosen.check(vector[np.isfinite(vector)].ravel(), lambda _: "grades")
    return chosen.of_grades(vector)


def cg(gains: ArrayLike) -> Floats:
    """Cumulated gain (1): CG[1] = G[1], CG[i] = CG[i−1] + G[i]."""
    return np.cumsum(_vector(gains), axis=-1)


def dcg(gains: ArrayLike, base: float | None = None, discount: str | None = None) -> Floats:
    """Discounted cumulated gain: DCG[i] = DCG[i−1] + G[i]/D(i), D(i) = log2(i+1) unless given, as in `evaluate`.

    A base alone asks for formula (2) of the 2002 paper, CG[i] below the base, then DCG[i−1] + G[i]/log_b i.
    `discount` names another divisor: none, rank, jk2002, jarvelin2008, log, kanoulas2011.
    """
    vector = _vector(gains)
    named = ("log" if base is None else "jk2002") if discount is None else discount
    return np.cumsum(vector / Discount.of(named, base).divisors(vector.shape[-1]), axis=-1)


def sdcg(
    queries: Sequence[ArrayLike],
    base: float = 2,
    bq: float = 4,
    k: int = SCANNED,
    discount: str = "jarvelin2008",
    query_discount: str = "jarvelin2008",
) -> Floats:
    """Session-based DCG of the 2008 paper, (1): the gains of each query's first k documents, one query after another.

    A document at rank r of query q adds G/((1 + log_b r)(1 + log_bq q)); lists shorter than k gain 0 from there on.
    The defaults are those of `evaluate_sessions`, and the last of the k·n values is its sDCG.
    """
    depth = checked_depth(k)
    grid = np.zeros((len(queries), depth))
    for row, query in zip(grid, queries, strict=True):
        listed = _vector(query)[:depth]
        row[: len(listed)] = listed
    by_rank = Discount.of(discount, base).divisors(depth)
    by_query = Discount.of(query_discount, bq).divisors(len(queries))
    return np.cumsum(grid / by_rank / by_query[:, None])


def nsdcg(
    queries: Sequence[ArrayLike],
    recall_base: ArrayLike,
    base: float = 2,
    bq: float = 4,
    k: int = SCANNED,
    discount: str = "jarvelin2008",
    query_discount: str = "jarvelin2008",
) -> Floats:
    """`sdcg` relative to the session in which every query returns the ideal list; nan where that has gained nothing."""
    best = [ideal(recall_base, k)] * len(queries)
    actual, perfect = (sdcg(lists, base, bq, k, discount, query_discount) for lists in (queries, best))
    return norm_vect(actual, perfect)


def ap(gains: ArrayLike, relevant: int | None = None) -> float:
    """Average precision: precision at each rank with a gain above 0, over all relevant documents; nan without any.

    `relevant` counts them all; unless given, those of the list.
    """
    vector = _vector(gains)
    if vector.ndim != 1:
        raise ChoiceError(Problem("input-object", "ap takes the vector of one list"))
    hits = np.flatnonzero(vector > 0)
    total = len(hits) if relevant is None else relevant
    if total < len(hits):
        what = f"the list has {len(hits)} relevant documents, but relevant={total} was given"
        raise ChoiceError(Problem("input-object", what, hint="relevant counts all, found or not"))
    precision = np.arange(1, len(hits) + 1) / (hits + 1)
    return math.fsum(precision) / total if total else float("nan")


def ideal(recall_base: ArrayLike, k: int | None = None) -> Floats:
    """The best possible gain vector (4): the gains of all relevant documents, highest first, then 0 up to rank k."""
    gains = np.sort(_vector(recall_base).ravel())[::-1]
    length = len(gains) if k is None else checked_depth(k)
    return np.concatenate([gains, np.zeros(max(0, length - len(gains)))])[:length]


def norm_vect(vector: ArrayLike, ideal_vector: ArrayLike) -> Floats:
    """Relative to the ideal (5): ⟨v1/i1, …, vk/ik⟩; nan where the ideal is 0, because nothing could be gained."""
    actual, best = _vector(vector), _vector(ideal_vector)
    if actual.shape[-1] != best.shape[-1]:
        what = f"a vector of {counted(actual.shape[-1], 'rank')} cannot be divided by an ideal of {best.shape[-1]}"
        raise ChoiceError(Problem("input-object", what, hint="cut or pad one of them"))
    actual, best = np.broadcast_arrays(actual, best)
    ratios: Floats = np.divide(actual, best, out=np.full(actual.shape, np.nan), where=best > 0)
    return ratios


def avg_vect(vectors: ArrayLike) -> Floats:
    """The average vector of a set of vectors (3): one row per topic, all of the same length."""
    matrix = _vector(vectors)
    if matrix.ndim < 2 or not len(matrix):
        raise ChoiceError(Problem("input-object", "avg_vect takes a set of vectors: a matrix with one row per topic"))
    total: Floats = matrix.sum(axis=0)
    return total / len(matrix)


def avg_pos(vector: ArrayLike, k: int | None = None) -> float:
    """The average of a vector up to rank k (6); of the whole vector unless k is given."""
    values = _vector(vector)
    length = len(values) if k is None else checked_depth(k)
    if values.ndim != 1 or not 0 < length <= len(values):
        raise ChoiceError(
            Problem("measure-cutoff", f"avg_pos to rank {length} needs one vector of at least that length")
        )
    return float(np.cumsum(values[:length])[-1] / length)


def _vector(values: ArrayLike) -> Floats:
    try:
        vector = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ChoiceError(Problem("input-object", f"not a vector of numbers: {error}")) from None
    if vector.ndim == 0:
        raise ChoiceError(Problem("input-object", "a vector over ranks is wanted, not a single number"))
    return vector
