"""The studentized range: how far apart the largest and smallest of k means lie by chance (Tukey's HSD, Nemenyi).

SciPy has it, but takes 25 ms a value by adaptive quadrature. Both integrands are smooth and vanish at both ends, where
the plain trapezoid rule converges faster than any power of the step: fixed grids give 11 digits, for many values at
once. Nothing of SciPy is imported, which would take longer than all p-values of a sweep.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from gaincurve.model.elementary import exp
from gaincurve.model.rows import Floats

RESOLUTION = 1e-12
"""Smaller tails cannot be distinguished from 0, so this stands for them: p is never 0."""

_Z: Floats = np.arange(-50.0, 51.0) * (11 / 64)
"""The grid of z, to 8.6 on both sides; its step is exact in binary, and so is that of the table below."""
_PART = 64
"""How many values are integrated at once, to stay within the cache."""


def studentized_range_sf(q: ArrayLike, systems: int, df: float) -> Floats:
    """P(range/s ≥ q) for `systems` independent normal means and an s of `df` degrees of freedom (inf: s is known).

    Tails below 1e-12 are given as 1e-12.

    Worked: q = 3.5 with 3 systems and 20 degrees of freedom is exceeded with probability .0559.
    """
    return np.maximum(_tail(q, systems, df), RESOLUTION)


def _tail(q: ArrayLike, systems: int, df: float) -> Floats:
    values = np.asarray(q, dtype=np.float64)
    tails = np.ones(values.shape)
    positive = values > 0
    flat = values[positive]
    if math.isinf(df):
        tails[positive] = 1.0 - _range_below(flat, systems)
    else:
        scale, weight = _scales(df)
        parts = [flat[i : i + _PART] for i in range(0, len(flat), _PART)]
        below = [np.einsum("qs,s->q", _range_below(part[:, None] * scale, systems), weight) for part in parts]
        tails[positive] = 1.0 - np.concatenate(below) if below else []
    return np.clip(tails, 0.0, 1.0)


def studentized_range_quantile(alpha: float, systems: int, df: float) -> float:
    """The value exceeded with probability `alpha`, by halving."""
    low, high = 0.0, 4.0
    while float(_tail(high, systems, df)) > alpha:
        low, high = high, 2.0 * high
    for _ in range(60):
        middle = (low + high) / 2
        if float(_tail(middle, systems, df)) > alpha:
            low = middle
        else:
            high = middle
    return (low + high) / 2


_FINE = 256
"""Places of the table of Φ from one point of the grid to the next."""
_FARTHEST = 18.0
"""A range this wide is certain."""


@cache
def _taylor() -> tuple[Floats, Floats, Floats, Floats]:
    """Φ and its Taylor coefficients φ, −xφ/2, (x² − 1)φ/6 from the end of the grid down to where any shift leads."""
    step = (_Z[1] - _Z[0]) / _FINE
    count = (len(_Z) - 1) * _FINE + math.ceil(_FARTHEST / step) + 1
    places: Floats = _Z[-1] - step * np.arange(float(count))[::-1]
    below = np.zeros(count)
    nonzero = places > -9.0  # Φ is 0 to the last digit below
    below[nonzero] = [math.erfc(-x / math.sqrt(2)) / 2 for x in places[nonzero].tolist()]
    density = _density(places)
    return below, density, -places * density / 2, (places**2 - 1) * density / 6


def _density(x: Floats) -> Floats:
    density: Floats = exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    return density


def shifted_normal(w: Floats) -> Floats:
    """Φ(z − w) for every z of the grid, to 15 digits after the point.

    The table's step divides that of the grid, so all points of the grid lie equally far from their nearest place.
    """
    below, first, second, third = _taylor()
    step = (_Z[1] - _Z[0]) / _FINE
    shift = np.minimum(w, _FARTHEST)
    near = np.rint(shift / step)
    h = (near * step - shift)[..., None]
    last = len(below) - 1 - near.astype(np.intp)
    places = last[..., None] - _FINE * np.arange(len(_Z))[::-1]
    shifted: Floats = below[places] + h * (first[places] + h * (second[places] + h * third[places]))
    return shifted


def _power(values: Floats, exponent: int) -> Floats:
    """Values to a whole power by squaring, which is several times as fast as a power in general."""
    product = values
    for digit in f"{exponent:b}"[1:]:
        product = product * product * values if digit == "1" else product * product
    return product


def _range_below(w: Floats, systems: int) -> Floats:
    """P(range < w) of standard normals: k ∫ φ(z) [Φ(z) − Φ(z − w)]^(k−1) dz."""
    density = _density(_Z) * (_Z[1] - _Z[0])
    inside = shifted_normal(np.zeros(1)) - shifted_normal(w)
    # not @: a row's sum must not depend on where the row stands
    probability: Floats = systems * np.einsum("...z,z->...", _power(inside, systems - 1), density)
    return probability


def _scales(df: float) -> tuple[Floats, Floats]:
    """Values of s = √(χ²/df) with their weights, evenly spaced in log s."""
    spread = 1.0 / math.sqrt(2.0 * df)
    low, high = -38.0 / df - 8.5 * spread, 8.5 * spread
    nodes = 1500 if df < 3 else 240 if df < 10 else 96 if df < 30 else 48
    x = np.linspace(low, min(high, 3.0), nodes)
    logarithm = df * x - df * exp(2 * x) / 2
    constant = math.log(2.0) + df / 2 * math.log(df / 2) - math.lgamma(df / 2)
    return exp(x), exp(logarithm + constant) * (x[1] - x[0])
