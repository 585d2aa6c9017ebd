"""One value per document beside the list it belongs to, as LightGBM, XGBoost and torchmetrics hold lists."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem
from gaincurve.model.arrays import matrix
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats
from gaincurve.model.source import counted


def in_rows(scores: Any, grades: Any, groups: Any, sizes: Any) -> tuple[Floats, Floats, tuple[str, ...]]:
    """Matrices of scores and grades with a row for each list, and the names of the lists in order of appearance.

    `groups` names the list of every document (`qid`, `indexes`); `sizes` says how many documents each list has, one
    list after the other (LightGBM's `group`). Shorter rows are filled with scores of −inf and unjudged grades.
    """
    score, grade = _vector(scores, "scores"), _vector(grades, "grades")
    if len(score) != len(grade):
        raise InputError(Problem("input-object", f"{counted(len(score), 'score')}, but {counted(len(grade), 'grade')}"))
    row, names = _by_size(sizes, len(score)) if groups is None else _by_name(groups, len(score))
    order = np.argsort(row, kind="stable")
    counts = np.bincount(row, minlength=len(names))
    column = np.empty(len(row), dtype=np.int64)
    column[order] = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    shape = len(names), int(counts.max())
    filled = np.full(shape, -np.inf), np.full(shape, np.nan)
    for rows, values in zip(filled, (score, grade), strict=True):
        rows[row, column] = values
    return (*filled, names)


PADDING = -1.0
"""The label of places without a document in the matrices of TF-Ranking and allRank."""


def without_padding(scores: Floats, grades: Floats, padding: float | None, settled: bool) -> tuple[Floats, Floats]:
    """The matrices without the places of the label `padding`; rows that end in −1 are refused unless `settled`.

    A grade of −1 is padding in TF-Ranking and a judgment in TREC, and only a user knows which.
    """
    if padding is not None:
        places = grades == padding
        return np.where(places, -np.inf, scores), np.where(places, np.nan, grades)
    if not settled and len(grades) > 1 and scores.shape == grades.shape and _ends_in_padding(scores, grades):
        what = "every grade of −1 is at the end of its row, as padding does in TF-Ranking and allRank"
        raise InputError(
            Problem("arrays-padding", what, "grades", "padding=-1, or negative='judged' if they are grades")
        )
    return scores, grades


def _ends_in_padding(scores: Floats, grades: Floats) -> bool:
    places = grades == PADDING
    if not places.any() or not np.isfinite(scores[places]).any() or (grades[~places] < 0).any():
        return False
    return bool((places[:, 1:] >= places[:, :-1]).all())


def _vector(values: Any, name: str) -> Floats:
    rows = matrix(values, name)
    if len(rows) != 1:
        raise InputError(Problem("input-object", f"{name} have shape {rows.shape}; with groups they are one vector"))
    vector: Floats = rows[0]
    return vector


def _by_size(sizes: Any, documents: int) -> tuple[Ints, tuple[str, ...]]:
    counts = np.asarray(sizes)
    if counts.ndim != 1 or counts.dtype.kind not in "iu" or not len(counts) or counts.min() < 1:
        raise InputError(Problem("input-object", "sizes must be whole numbers from 1 on, one for each list"))
    if counts.sum() != documents:
        raise InputError(Problem("input-object", f"sizes add up to {counts.sum()}, but there are {documents} scores"))
    return np.repeat(np.arange(len(counts)), counts), tuple(map(str, range(len(counts))))


def _by_name(groups: Any, documents: int) -> tuple[Ints, tuple[str, ...]]:
    named: NDArray[Any] = np.asarray(groups)
    if named.ndim != 1 or len(named) != documents or named.dtype.kind not in "iuUSO":
        what = f"groups must name the list of each of the {documents} documents, by text or whole number"
        raise InputError(Problem("input-object", what))
    distinct, first, row = np.unique(named, return_index=True, return_inverse=True)
    order = np.argsort(first)  # lists keep the order in which they appear
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[row], tuple(map(str, distinct[order].tolist()))
