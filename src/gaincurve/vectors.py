"""The algebra of the 2002 paper on plain arrays.

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
>>> round(avg_pos(norm_vect(dcg(G), dcg(I)), 10), 6)
0.803055
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.discount import Discount
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import checked_depth
from gaincurve.model.source import counted

__all__ = ["avg_pos", "avg_vect", "cg", "dcg", "ideal", "norm_vect"]


def cg(gains: ArrayLike) -> Floats:
    """Cumulated gain (1): CG[1] = G[1], CG[i] = CG[i−1] + G[i]."""
    return np.cumsum(_vector(gains), axis=-1)


def dcg(gains: ArrayLike, base: float | None = None, discount: str = "jk2002") -> Floats:
    """Discounted cumulated gain (2): CG[i] below the base, then DCG[i−1] + G[i]/log_b i; base 2 unless given.

    `discount` names another divisor: none, rank, jarvelin2008, log, kanoulas2011.
    """
    vector = _vector(gains)
    return np.cumsum(vector / Discount.of(discount, base).divisors(vector.shape[-1]), axis=-1)


def ideal(recall_base: ArrayLike, k: int | None = None) -> Floats:
    """The best possible gain vector (4): the gains of all relevant documents, highest first, then 0 up to rank k."""
    gains = np.sort(_vector(recall_base).ravel())[::-1]
    length = len(gains) if k is None else checked_depth(k)
    return np.concatenate([gains, np.zeros(max(0, length - len(gains)))])[:length]


def norm_vect(vector: ArrayLike, ideal_vector: ArrayLike) -> Floats:
    """Relative to the ideal (5): ⟨v1/i1, …, vk/ik⟩; nan where the ideal is 0, because nothing could be gained."""
    actual, best = _vector(vector), _vector(ideal_vector)
    if actual.shape[-1] != best.shape[-1]:
        what = f"a vector of {counted(actual.shape[-1], 'rank')} cannot be held against an ideal of {best.shape[-1]}"
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
