"""The distributions that tests need, from scipy.special: scipy.stats takes a second to import, this a fifth of it.

SciPy is imported where it is used, so that commands without a test do not wait for it.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from gaincurve.model.rows import Floats

SMALLEST = sys.float_info.min
"""The smallest p-value: a tail too small for a float is small, not impossible."""


def positive(p: float) -> float:
    """A probability that underflowed to 0 as the smallest number there is."""
    return max(p, SMALLEST)


def t_two_sided(t: Floats | float, df: float) -> Floats:
    """The probability of a t at least as far from 0."""
    from scipy.special import stdtr  # noqa: PLC0415

    return np.asarray(np.maximum(2.0 * stdtr(df, -np.abs(t)), SMALLEST), dtype=np.float64)


def t_quantile(probability: float, df: float) -> float:
    """The value below which Student's t lies with the probability.

    Some versions of SciPy have it to nine digits only: one step of Newton's method makes it the same under all.
    """
    from scipy.special import stdtr, stdtrit  # noqa: PLC0415

    tail = min(probability, 1 - probability)  # a small probability has more digits than one near 1
    if not tail:
        return math.inf if probability else -math.inf
    x = float(stdtrit(df, tail))
    log_scale = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(df * math.pi) / 2
    density = math.exp(log_scale - (df + 1) / 2 * math.log1p(x * x / df))
    x -= (float(stdtr(df, x)) - tail) / density
    return x if probability == tail else -x


def normal_lower(z: Floats) -> Floats:
    """The probability of a standard normal of at most each `z`."""
    from scipy.special import ndtr  # noqa: PLC0415

    return np.asarray(ndtr(z), dtype=np.float64)


def f_upper(f: float, between: float, within: float) -> float:
    """The probability of an F at least as large."""
    from scipy.special import fdtrc  # noqa: PLC0415

    return positive(float(fdtrc(between, within, f)))


def chi2_upper(x: float, df: float) -> float:
    """The probability of a χ² at least as large."""
    from scipy.special import chdtrc  # noqa: PLC0415

    return positive(float(chdtrc(df, x)))


def normal_two_sided(z: float) -> float:
    """The probability of a standard normal at least as far from 0."""
    return positive(math.erfc(abs(z) / math.sqrt(2.0)))


def normal_below(z: float) -> float:
    """The probability of a standard normal of at most `z`."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def normal_quantile(probability: float) -> float:
    """The value below which a standard normal lies with the probability."""
    from scipy.special import ndtri  # noqa: PLC0415

    return float(ndtri(probability))


def fair_coin_two_sided(heads: int, tails: int) -> float:
    """The probability that a fair coin splits at least as unevenly; 1 if it is never thrown."""
    from scipy.special import bdtr  # noqa: PLC0415

    thrown = heads + tails
    return positive(min(1.0, 2.0 * float(bdtr(min(heads, tails), thrown, 0.5)))) if thrown else 1.0
