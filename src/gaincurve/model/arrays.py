"""Scores and grades as matrices, one row per topic: the shape a training loop has them in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve._compiled import scan as compiled
from gaincurve.errors import InputError, Problem
from gaincurve.model.graded import Graded
from gaincurve.model.groups import owners
from gaincurve.model.ids import Ints
from gaincurve.model.judgments import Judged
from gaincurve.model.order import FLOAT32, SHARED, tied_blocks
from gaincurve.model.recall import RecallBase
from gaincurve.model.rows import Floats, distinct, offsets_of
from gaincurve.model.source import Source
from gaincurve.model.units import Units

ARRAY_TIES: dict[str, str] = {
    "average": "a tied block gives each of its ranks the mean gain (as scikit-learn does)",
    "average-float32": "the same with scores rounded to 32 bits first (as torchmetrics does)",
    "column": "equal scores stay in the order of the columns",
}


def matrix(values: Any, name: str) -> Floats:
    """A matrix of numbers; one row may come as a vector."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(Problem("input-object", f"{name} cannot be made a matrix of numbers: {error}")) from None
    if array.ndim == 1:
        array = array[None, :]
    if array.ndim != 2 or not array.size:
        raise InputError(Problem("input-object", f"{name} has shape {array.shape}, expected topics × documents"))
    return array


def graded_arrays(
    scores: Floats, grades: Floats, ties: str, depth: int | None, name: str, names: tuple[str, ...] | None = None
) -> Graded:
    """A graded run of matrices of the same shape: nan grades are unjudged, −inf scores not retrieved.

    With a `depth` only the documents that can stand within it are sorted, and only as many grades stay for the
    ideal: enough for measures cut there whose gains do not fall as grades rise. Rows are taken a few at a time, so
    that intermediate arrays stay in the processor's cache.
    """
    if scores.shape != grades.shape:
        raise InputError(Problem("input-object", f"scores have shape {scores.shape}, grades {grades.shape}"))
    if ties in FLOAT32:
        scores = _in_32_bits(scores)
    topics, width = scores.shape
    reach = width if depth is None else min(depth, width)
    step = max(1, CACHED // width)
    with np.errstate(invalid="ignore", over="ignore"):  # sums that only ask whether all is finite
        pieces = [_piece(scores[i : i + step], grades[i : i + step], reach, i) for i in range(0, topics, step)]
    topic, column, rank, first, last, grade, base_topic, base = (
        np.concatenate(parts) for parts in zip(*(piece[:-1] for piece in pieces), strict=True)
    )
    names = tuple(map(str, range(topics))) if names is None else names
    return Graded(
        name=name,
        units=Units.of_topics(names),
        base=np.arange(topics, dtype=np.int32),
        list=topic,
        rank=rank,
        grade=grade,
        first=first,
        last=last,
        judgment=topic.astype(np.int64) * width + column,
        retrieved=np.concatenate([piece[-1] for piece in pieces]),
        present=np.ones(topics, dtype=bool),
        judgments=Judged(names, RecallBase(base_topic, base, offsets_of(base_topic, topics)), distinct(grade)),
        spread=ties in SHARED,
        source=Source(name, "arrays", topics, scores.size),
    )


def _in_32_bits(scores: Floats) -> Floats:
    """Scores rounded to 32 bits; those beyond their range stay finite, because −inf is not retrieved."""
    most = float(np.finfo(np.float32).max)
    rounded = np.clip(scores, -most, most).astype(np.float32).astype(np.float64)
    return np.where(np.isfinite(scores), rounded, scores)


CACHED = 1 << 18
"""This many numbers of each matrix are processed at a time."""


def _piece(scores: Floats, grades: Floats, reach: int, offset: int) -> tuple[NDArray[Any], ...]:
    """The columns of a graded run, those of its recall base, and the documents retrieved, for some of the rows."""
    _check(scores, grades, offset)
    topic, column = _leading(scores, reach)
    value = scores[topic, column]
    order = np.lexsort((column, -value, topic))
    column, value = column[order], value[order]
    row: NDArray[np.int32] = topic[order].astype(np.int32)
    start = np.searchsorted(row, np.arange(len(scores)))[row]
    blocks = tied_blocks(row, value)
    block = owners(np.diff(blocks))
    grade = grades[row, column]
    judged = ~np.isnan(grade) & (value != -np.inf)
    base_topic, base = _recall_base(grades, reach)
    columns = (
        row + np.int32(offset),
        column,
        np.arange(len(row)) - start + 1,
        blocks[:-1][block] - start + 1,
        blocks[1:][block] - start,
        grade,
    )
    padded = not np.isfinite(scores.sum())
    retrieved = (scores != -np.inf).sum(axis=1) if padded else np.full(len(scores), scores.shape[1])
    return (*(part[judged] for part in columns), base_topic + np.int32(offset), base, retrieved)


def _check(scores: Floats, grades: Floats, offset: int) -> None:
    """Refuse nan and inf among scores, inf among grades; a finite sum shows at once that there are none."""
    if not np.isfinite(scores.sum()) and not (scores < np.inf).all():
        row, column = (int(axis[0]) for axis in np.nonzero(~(scores < np.inf)))
        what = f"score {scores[row, column]} is not a finite number"
        raise InputError(Problem("run-score", what, f"scores[{row + offset}, {column}]"))
    if not np.isfinite(grades.sum()) and np.isinf(grades).any():
        row, column = (int(axis[0]) for axis in np.nonzero(np.isinf(grades)))
        raise InputError(Problem("judgments-grade", "a grade is infinite", f"grades[{row + offset}, {column}]"))


def _leading(scores: Floats, reach: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Row and column of the documents that can stand within `reach`: all that score as high as the one there."""
    width = scores.shape[1]
    places = np.arange(scores.size) if reach >= width else _highest(scores, reach, above=False)[1]
    return np.divmod(places, width)


def _highest(values: Floats, reach: int, above: bool) -> tuple[Floats, Ints]:
    """Each row's value at place `reach`, sorted downwards, and the flat places of all as high, or `above` it.

    nan is left out; the value is −inf where a row has fewer numbers than `reach`.
    """
    if compiled is not None and reach <= 256:  # a heap beyond that is slower than NumPy's selection
        leading: tuple[Floats, Ints] = compiled.leading(np.ascontiguousarray(values), reach, above)
        return leading
    width = values.shape[1]
    known = np.where(np.isnan(values), -np.inf, values)
    least = np.partition(known, width - reach, axis=1)[:, width - reach]
    chosen = values > least[:, None] if above else values >= least[:, None]
    return least, np.flatnonzero(chosen)


def _recall_base(grades: Floats, reach: int) -> tuple[NDArray[np.int32], Floats]:
    """Row and grade of each row's judged documents, highest grade first; no more than `reach` of them.

    Those above the grade at place `reach`, then as many of that grade as it takes.
    """
    rows = np.arange(len(grades))
    if reach < grades.shape[1]:
        least, places = _highest(grades, reach, above=True)
    else:
        least, places = np.full(len(grades), -np.inf), np.flatnonzero(grades > -np.inf)
    row, column = np.divmod(places, grades.shape[1])
    more = np.where(least > -np.inf, reach - np.bincount(row, minlength=len(grades)), 0)
    grade = np.concatenate([grades[row, column], np.repeat(least, more)])
    row = np.concatenate([row, np.repeat(rows, more)])
    order = np.lexsort((-grade, row))
    return row[order].astype(np.int32), grade[order]
