"""Judgments of a sample: which part of a pool was drawn, with which probability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import Problem, Problems
from gaincurve.model.ids import Ids
from gaincurve.model.lookup import numbered
from gaincurve.model.rows import Floats, Rows
from gaincurve.model.source import number_text, shorten

VOTES = "votes"
"""The second column of qrels that nobody judged: systems voted for these documents."""
NOT_SAMPLED = -1.0
"""The grade of a document that was pooled, and not sampled."""


@dataclass(frozen=True, eq=False)
class Sampling:
    """By row of the judgments: the stratum, and the probability of being drawn, where they are known."""

    stratum: Ids | None
    p: Floats | None


def sampling_of(rows: Rows) -> Sampling | None:
    """Strata and probabilities of judgments, checked; None where there are none."""
    if rows.stratum is None and rows.p is None:
        return None
    problems = Problems()
    drawn = rows.values > NOT_SAMPLED
    other = np.flatnonzero((rows.values < 0) & (rows.values != NOT_SAMPLED)).tolist()
    problems.each(other, lambda i: _broken(rows, i, f"grade {number_text(rows.values[i])} is neither −1 nor a grade"))
    if rows.p is not None:
        p = rows.p
        known = drawn | ~np.isnan(p)  # of a document that was not drawn p may be missing
        wrong = np.flatnonzero(known & ~((p > 0) & (p <= 1))).tolist()
        problems.each(wrong, lambda i: _broken(rows, i, f"p is {p[i]:g}, not above 0 and at most 1"))
        problems.stop_if_any()
        if rows.stratum is not None:
            _refuse_uneven(rows, rows.stratum, p, known, problems)
    problems.stop_if_any()
    return Sampling(rows.stratum, rows.p)


def _refuse_uneven(rows: Rows, stratum: Ids, p: Floats, known: NDArray[np.bool_], problems: Problems) -> None:
    """Within a stratum of a topic every document has the same probability."""
    _, number = numbered(stratum)
    firsts: dict[tuple[int, int], int] = {}
    for i in np.flatnonzero(known).tolist():
        first = firsts.setdefault((int(rows.topic[i]), int(number[i])), i)
        if abs(p[first] - p[i]) > 1e-9:
            what = f"p is {p[i]:g} here and {p[first]:g} at {rows.place(first)}, in one stratum {shorten(stratum[i])}"
            problems.add(_broken(rows, i, what))


def _broken(rows: Rows, i: int, what: str) -> Problem:
    topic, document = shorten(rows.topics[rows.topic[i]]), shorten(rows.documents[i])
    return Problem("judgments-strata", f"topic {topic}, document {document}: {what}", rows.place(i))
