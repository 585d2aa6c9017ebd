"""Every discount against a plain loop written from its formula; bases that make no sense are refused."""

import math
import random

import pytest

from gaincurve import vectors
from gaincurve.errors import ChoiceError
from gaincurve.model.discount import FORMS, Discount
from gaincurve.verbs.curves import curves
from gaincurve.verbs.evaluate import evaluate

BASES = [1.5, 2, 2.5, math.e, 10, 100, math.inf]
DRAWS = random.Random(2002)
LISTS = [[DRAWS.choice([0, 0, 0.5, 1, 2, 3, 100]) for _ in range(n)] for n in (1, 2, 3, 9, 10, 11, 99, 150, 400) * 3]


def formula_2(gains: list[float], base: float) -> list[float]:
    """DCG as printed in 2002: CG[i] if i < b, else DCG[i−1] + G[i]/log_b i."""
    cg: list[float] = []
    dcg: list[float] = []
    for i, gain in enumerate(gains, start=1):
        cg.append(gain if i == 1 else cg[-1] + gain)
        if i < base:
            dcg.append(cg[-1])
        else:
            dcg.append((dcg[-1] if dcg else 0.0) + gain / (math.log(i) / math.log(base)))
    return dcg


def by_loop(gains: list[float], divisor: object) -> list[float]:
    total, found = 0.0, []
    for i, gain in enumerate(gains, start=1):
        total += gain / divisor(i)
        found.append(total)
    return found


def as_dicts(gains: list[float]) -> tuple[dict[str, dict[str, float]], dict[str, list[str]]]:
    names = [f"d{i:03}" for i in range(len(gains))]
    return {"q": dict(zip(names, gains, strict=True))}, {"q": names}


def agree(found: list[float], expected: list[float]) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert abs(one - other) <= 1e-12 * max(1.0, abs(other))


@pytest.mark.parametrize("base", BASES)
def test_jk2002_is_formula_2_of_2002(base: float) -> None:
    for gains in LISTS:
        agree(vectors.dcg(gains, base).tolist(), formula_2(gains, base))


@pytest.mark.parametrize("base", BASES)
def test_jk2002_from_dicts_is_formula_2_of_2002(base: float) -> None:
    for gains in LISTS[:9]:
        judgments, run = as_dicts(gains)
        expected, best = formula_2(gains, base), formula_2(sorted(gains, reverse=True), base)
        drawn = curves(judgments, run, "DCG", discount="jk2002", base=base, depth=len(gains))
        agree(drawn["run", "DCG"].tolist(), expected)
        agree(drawn["ideal", "DCG"].tolist(), best)
        scores = evaluate(judgments, run, ["DCG", "nDCG"], discount="jk2002", base=base)
        agree([scores["run", "DCG"]["q"]], [expected[-1]])
        if best[-1]:
            agree([scores["run", "nDCG"]["q"]], [expected[-1] / best[-1]])


@pytest.mark.parametrize(
    ("name", "base", "divisor"),
    [
        ("none", None, lambda i: 1),
        ("rank", None, lambda i: i),
        ("log", None, lambda i: math.log2(i + 1)),
        *[("jarvelin2008", b, lambda i, b=b: 1 + math.log(i) / math.log(b)) for b in BASES[:-1]],
        *[("kanoulas2011", b, lambda i, b=b: math.log(i + b - 1) / math.log(b)) for b in BASES[:-1]],
        ("jarvelin2008", math.inf, lambda i: 1),
        ("kanoulas2011", math.inf, lambda i: 1),
    ],
)
def test_other_discounts_are_their_formulas(name: str, base: float | None, divisor: object) -> None:
    for gains in LISTS:
        agree(vectors.dcg(gains, base, name).tolist(), by_loop(gains, divisor))


def test_every_discount_is_checked_here() -> None:
    assert set(FORMS) == {"none", "rank", "jk2002", "jarvelin2008", "log", "kanoulas2011"}


def test_base_is_2_unless_given() -> None:
    for name in ("jk2002", "jarvelin2008", "kanoulas2011"):
        assert vectors.dcg([3, 2, 3, 1], None, name).tolist() == vectors.dcg([3, 2, 3, 1], 2, name).tolist()


def test_infinite_base_is_cumulated_gain() -> None:
    gains = LISTS[-1]
    for name in ("jk2002", "jarvelin2008", "kanoulas2011"):
        assert vectors.dcg(gains, math.inf, name).tolist() == vectors.cg(gains).tolist()


@pytest.mark.parametrize("base", [2, 10])
def test_logarithms_of_powers_are_exact(base: int) -> None:
    divisors = Discount.of("jk2002", base).divisors(1000)
    exponent = 1
    while base**exponent <= 1000:
        assert divisors[base**exponent - 1] == exponent
        exponent += 1


@pytest.mark.parametrize("name", ["jk2002", "jarvelin2008", "kanoulas2011"])
@pytest.mark.parametrize(
    "base", [1, 0, -1, -math.inf, math.nan, "x", "", [2], 10**400], ids=lambda base: repr(base)[:9]
)
def test_bases_that_make_no_sense_are_refused(name: str, base: object) -> None:
    judgments, run = {"q": {"d": 1}}, {"q": {"d": 1.0}}
    for refused in (
        lambda: vectors.dcg([1, 2], base, name),
        lambda: evaluate(judgments, run, "nDCG@10", discount=name, base=base),
    ):
        with pytest.raises(ChoiceError) as caught:
            refused()
        assert caught.value.slug == "discount-base"


@pytest.mark.parametrize("name", ["none", "rank", "log"])
def test_base_for_a_discount_without_base_is_refused(name: str) -> None:
    for refused in (
        lambda: vectors.dcg([1, 2], 2, name),
        lambda: evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, "nDCG@10", discount=name, base=2),
        lambda: evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, f"nDCG(discount='{name}', base=2)@10"),
    ):
        with pytest.raises(ChoiceError) as caught:
            refused()
        assert caught.value.slug == "discount-base"
        assert f"the discount {name} has no base" in str(caught.value)


def test_unknown_discount_suggests_the_nearest() -> None:
    with pytest.raises(ChoiceError) as caught:
        vectors.dcg([1], None, "jk2020")
    assert caught.value.slug == "choice-unknown"
    assert "did you mean jk2002?" in str(caught.value)
