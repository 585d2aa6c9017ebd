"""Do judges agree? Cross table of grades, Cohen's κ, weighted κ, Krippendorff's α."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gaincurve.errors import one_of
from gaincurve.model.rows import Floats, distinct

WEIGHTS = ("none", "linear", "quadratic")
LEVELS = ("nominal", "ordinal", "interval")


def cross_table(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """The grades used by either, and how often the first judge gave the one (row) where the second gave the other."""
    scale = distinct(np.concatenate([first, second]))
    table = np.zeros((len(scale), len(scale)))
    np.add.at(table, (np.searchsorted(scale, first), np.searchsorted(scale, second)), 1)
    return scale, table


def cohen_kappa(table: Floats, weights: str = "none") -> float:
    """Agreement beyond chance; with weights, steps apart on the scale count ('linear') or their squares ('quadratic').

    1 is perfect, 0 what chance gives; nan where both used a single grade only and chance leaves nothing to gain.
    """
    one_of("weights", weights, WEIGHTS)
    place = np.arange(len(table), dtype=np.float64)
    apart = np.abs(place[:, None] - place)
    cost = {"none": (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}[weights]
    total = table.sum()
    by_chance = float((cost * np.outer(table.sum(axis=1), table.sum(axis=0))).sum()) / total if total else 0.0
    return 1.0 - float((cost * table).sum()) / by_chance if by_chance else math.nan


def krippendorff_alpha(ratings: Floats, level: str = "ordinal") -> float:
    """α of a judges × units matrix, nan where a judge left a unit out (Krippendorff 2011).

    Worked: two judges with 0 1 0 0 0 0 0 0 1 0 and 1 1 1 0 0 1 0 0 0 0 have α = .095.
    """
    one_of("level", level, LEVELS)
    known = ~np.isnan(ratings)
    scale = distinct(ratings[known])
    counts = np.array([((ratings == value) & known).sum(axis=0) for value in scale], dtype=np.float64)
    size = counts.sum(axis=0)
    counts, size = counts[:, size > 1], size[size > 1]
    if not len(size):
        return math.nan
    share = counts / (size - 1)
    together = np.array([(share * row).sum(axis=1) for row in counts])  # not @, whose order of sums is the processor's
    together[np.diag_indices(len(scale))] -= share.sum(axis=1)
    margin = together.sum(axis=0)
    distance = _DISTANCES[level](scale, margin)
    expected = float((np.outer(margin, margin) * distance).sum()) / (margin.sum() - 1)
    return 1.0 - float((together * distance).sum()) / expected if expected else math.nan


def _ordinal(scale: Floats, margin: Floats) -> Floats:  # noqa: ARG001 -- one signature for all distances
    middle = np.cumsum(margin) - margin / 2
    distance: Floats = (middle[:, None] - middle) ** 2
    return distance


def _interval(scale: Floats, margin: Floats) -> Floats:  # noqa: ARG001 -- as above
    """Squared differences in units of a power of two near the largest grade: α is the same, and no square overflows."""
    units = np.ldexp(scale, -int(np.frexp(np.abs(scale).max())[1]))
    distance: Floats = (units[:, None] - units) ** 2
    return distance


_DISTANCES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "nominal": lambda scale, _: (scale[:, None] != scale).astype(np.float64),
    "ordinal": _ordinal,
    "interval": _interval,
}
