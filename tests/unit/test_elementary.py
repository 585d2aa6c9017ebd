"""Numbers do not depend on which NumPy computed them: logarithms, powers and the order in which sums are made.

Each is held against decimal arithmetic with 40 digits and against a plain loop, bit for bit.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.model.discount import Discount
from gaincurve.model.elementary import exp, exp2, log, power
from gaincurve.model.rows import Floats
from gaincurve.stats.intervals import bootstrap_interval, bootstrap_means

pytestmark = pytest.mark.skipif(np.finfo(np.longdouble).nmant < 60, reason="long double is no longer than a float here")
CHANCE = 0.8
NEAREST = 0.5005
"""Units of the last place by which a nearest float may be off, and a hair: it was rounded twice."""


def off(values: Floats, exact: list[Decimal]) -> float:
    """How far values are from the exact ones, in units of the last place."""
    return max(
        float(abs(Decimal(value) - right) / Decimal(math.ulp(value)))
        for value, right in zip(values.tolist(), exact, strict=True)
    )


@pytest.mark.parametrize("base", [2.0, 10.0, 3.0, 1.5, None])
def test_logarithms_are_the_nearest_floats(base: float | None) -> None:
    numbers = np.arange(2, 3000, dtype=np.float64)
    with localcontext(prec=40):
        below = Decimal(1) if base is None else Decimal(base).ln()
        exact = [Decimal(number).ln() / below for number in numbers.tolist()]
    assert off(log(numbers, base), exact) < NEAREST


@pytest.mark.parametrize("base", [2.0, 3.0, 5.0, 7.0, 10.0])
def test_logarithms_of_powers_are_whole(base: float) -> None:
    exponents = np.arange(15.0)
    assert log(base**exponents, base).tolist() == exponents.tolist()
    assert Discount.of("jk2002", base).divisors(10**4)[[int(base**e) - 1 for e in range(1, 5)]].tolist() == [1, 2, 3, 4]


def test_powers_are_the_nearest_floats() -> None:
    grades = np.arange(1, 400) / 10
    with localcontext(prec=40):
        assert off(exp2(grades), [(Decimal(grade) * Decimal(2).ln()).exp() for grade in grades.tolist()]) < NEAREST
        assert off(power(CHANCE, -np.arange(400.0)), [Decimal(CHANCE) ** -i for i in range(400)]) < NEAREST
    assert exp2(np.array([0.0, 10, 1023, 1024, -1074, -2000])).tolist() == [1, 1024, 2.0**1023, math.inf, 2.0**-1074, 0]


def test_exponentials_are_the_nearest_floats() -> None:
    exponents = np.linspace(-700.0, 700.0, 1999)
    with localcontext(prec=40):
        assert off(exp(exponents), [Decimal(x).exp() for x in exponents.tolist()]) < NEAREST


def test_ends_of_a_bootstrap_interval_lie_between_two_means_in_proportion() -> None:
    """Fractions, not NumPy: the place is share × (n − 1), counted from 0."""
    differences = np.array([0.5, 0.25, -0.125, 0.75, 0.0, 0.375])
    means = np.sort(bootstrap_means(differences, draws=99)[0])
    found = bootstrap_interval(differences, 0.1, "percentile", draws=99)
    for end, share in zip(found, (Fraction(1, 20), Fraction(19, 20)), strict=True):
        place = share * 98
        low, high = (Fraction(float(means[math.floor(place) + i])) for i in (0, 1))
        assert end == pytest.approx(float(low + (place - math.floor(place)) * (high - low)), rel=1e-14)


def nearest_log2(rank: int) -> float:
    with localcontext(prec=40):
        return float(Decimal(rank + 1).ln() / Decimal(2).ln())


RANKS = 300
GRADES = [(7 * i * i + 3 * i) % 4 for i in range(RANKS)]
JUDGMENTS = {"q": {f"d{i:03}": grade for i, grade in enumerate(GRADES)}}
RUN = {"q": [f"d{i:03}" for i in range(RANKS)]}


def added(values: list[float]) -> float:
    """One after the other, from rank 1 on."""
    total = 0.0
    for value in values:
        total += value
    return total


def value(measure: str, **choices: object) -> float:
    return float(gc.evaluate(JUDGMENTS, RUN, measure, **choices).values[0, 0, 0])


@pytest.mark.parametrize(("gains", "worth"), [("identity", lambda g: g), ("exp2", lambda g: 2**g - 1)])
def test_sums_are_made_rank_by_rank(gains: str, worth: object) -> None:
    gained = [float(worth(grade)) for grade in GRADES]  # type: ignore[operator]
    divisors = [nearest_log2(rank) for rank in range(1, RANKS + 1)]
    dcg = added([gain / divisor for gain, divisor in zip(gained, divisors, strict=True)])
    best = added([gain / divisor for gain, divisor in zip(sorted(gained, reverse=True), divisors, strict=True)])
    assert value("DCG", gains=gains) == dcg
    assert value("nDCG", gains=gains) == dcg / best
    curve = gc.curves(JUDGMENTS, RUN, "DCG", depth=RANKS, gains=gains)["run", "DCG"]
    assert curve[-1] == dcg


def test_precisions_and_geometric_weights_are_added_rank_by_rank() -> None:
    relevant = [grade > 0 for grade in GRADES]
    precisions = [sum(relevant[: i + 1]) / (i + 1) for i in range(RANKS) if relevant[i]]
    assert value("AP") == added(precisions) / sum(relevant)
    with localcontext(prec=40):
        weights = [float(Decimal(CHANCE) ** -i) for i in range(RANKS)]
    assert value("RBP(gains='binary')") == (1 - 0.8) * added(
        [hit / w for hit, w in zip(relevant, weights, strict=True)]
    )
