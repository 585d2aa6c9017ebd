"""Models of an unjudged document: the grades a judge can give, and the chance of each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.ids import Ints
from gaincurve.model.numbers import finite_number
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.source import number_text

PRIORS = {
    "pooled": "as the judged documents that the compared runs show, plus one of each grade",
    "bands": "the same by best rank: 1–5, 6–10, 11–20, 21–50, 51–100, then doublings",
    "shown": "as all documents that the compared runs show, where unjudged counts as not relevant",
    "uniform": "every grade of the scale alike",
}
"""Models of an unjudged document; a file may give the chance of each grade."""


_BANDS = (5, 10, 20, 50, 100)


def parse_scale(given: object) -> Floats | None:
    """'0-3', '0,1,3' or a list of grades, ascending; None if none is given."""
    if given is None:
        return None
    low, dash, high = str(given).partition("-")
    if isinstance(given, str) and dash and low.isdigit() and high.isdigit():
        grades = [float(grade) for grade in range(int(low), int(high) + 1)]
    else:
        grades = [finite_number(part) for part in (given.split(",") if isinstance(given, str) else given)]  # type: ignore[attr-defined]
    scale = distinct(np.array(grades, dtype=np.float64))
    if len(scale) < 2 or not np.isfinite(scale).all():
        raise ChoiceError(Problem("decide-scale", f"--scale cannot be {given!r}"))
    return scale


def shares(counts: Floats) -> Floats:
    """Counts as chances."""
    chances: Floats = counts / counts.sum(axis=-1, keepdims=True)
    return chances


def band_of(best: Ints) -> Ints:
    """0 for ranks 1–5, 1 for 6–10, …, 5 for 101–200, 6 for 201–400, …."""
    doublings = [100 * 2**i for i in range(1, 20)]
    return np.searchsorted(np.array([*_BANDS, *doublings]), best, side="left")


def given_chances(chances: Mapping[float, float], scale: Floats) -> Floats:
    """Chances that the user gave for each grade."""
    named = {finite_number(grade): finite_number(chance) for grade, chance in chances.items()}
    values = np.array([named.get(grade, np.nan) for grade in scale.tolist()])
    if len(named) != len(scale) or not (values >= 0).all() or not 0 < values.sum() < np.inf:
        grades = ", ".join(map(number_text, scale.tolist()))
        raise ChoiceError(Problem("decide-prior", f"the prior has no chance for each of the grades {grades} alone"))
    return shares(values)
