"""One rule for what counts as equal: scores that differ only by how their sums were rounded are the same score."""

from __future__ import annotations

import numpy as np

from gaincurve.model.rows import Floats

DECIMALS = 10
"""Scores are rounded to this many decimals before they are ranked and before ties and wins are counted."""

SLACK = 1e-12
"""A randomised sum this close to the observed one, relative to what was summed, has reached it."""


def rounded(values: Floats) -> Floats:
    """Values as they are compared: 0.1 + 0.2 and 0.3 are one value."""
    return np.round(values, DECIMALS) + 0.0  # no negative zero


def ranks(values: Floats) -> Floats:
    """Ranks within each row, 1 for the smallest; tied values share their mean rank.

    Worked: 0.2 0.5 0.2 0.9 have ranks 1.5 3 1.5 4.
    """
    rows = rounded(np.atleast_2d(values))
    order = np.argsort(rows, axis=1, kind="stable")
    ordered = np.take_along_axis(rows, order, axis=1)
    n = rows.shape[1]
    new = np.ones(rows.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    place = np.arange(n)
    first = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    ends = np.ones(rows.shape, dtype=bool)
    ends[:, :-1] = new[:, 1:]
    last = np.minimum.accumulate(np.where(ends, place, n - 1)[:, ::-1], axis=1)[:, ::-1]
    mean_ranks = np.empty(rows.shape)
    np.put_along_axis(mean_ranks, order, (first + last) / 2 + 1, axis=1)
    return mean_ranks.reshape(np.shape(values))
