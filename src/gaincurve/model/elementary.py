"""Logarithms and powers with the same bits under every NumPy.

NumPy computes them by vector instructions, whose last bit depends on its version and on the processor. In long double
they come from the C library and are rounded once, to the nearest float (but for one in some thousand).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gaincurve.model.rows import Floats

_HIGHEST = 2000.0
"""2 to this power is infinite."""


def log(x: ArrayLike, base: float | None = None) -> Floats:
    """The logarithm of each x to a base, the natural one unless given; exact at the base's powers."""
    if base == 2:
        return np.log2(_long(x)).astype(np.float64)
    natural = np.log(_long(x))
    return (natural if base is None else natural / np.log(np.longdouble(base))).astype(np.float64)


def exp(x: ArrayLike) -> Floats:
    """e to the power of each x."""
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(_long(x)).astype(np.float64)


def exp2(x: Floats) -> Floats:
    """2 to the power of each x; inf where that is too large for a number."""
    with np.errstate(over="ignore", under="ignore"):
        if (np.floor(x) == x).all():
            return np.ldexp(1.0, np.clip(x, -_HIGHEST, _HIGHEST).astype(np.int32))
        return np.exp2(_long(x)).astype(np.float64)


def power(base: float, exponents: ArrayLike) -> Floats:
    """A base to the power of each exponent; inf where that is too large for a number."""
    with np.errstate(over="ignore", under="ignore"):
        return (np.longdouble(base) ** _long(exponents)).astype(np.float64)


def _long(x: ArrayLike) -> np.ndarray[tuple[int, ...], np.dtype[np.longdouble]]:
    return np.asarray(x, dtype=np.longdouble)
