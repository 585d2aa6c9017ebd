"""The statistics of the page's engine: t against exact sums and scipy, Holm, letters, and numbers as text."""

import math
import random
import sys
from decimal import Decimal, localcontext

import numpy as np
import pytest
from experiments import close
from node import run

from gaincurve.model.source import counted, number_text, plain_number_text
from gaincurve.model.wording import alpha_text, p_text
from gaincurve.stats.corrections import adjusted
from gaincurve.stats.effects import cohen_dz, wins_ties_losses
from gaincurve.stats.letters import letter, letter_groups
from gaincurve.stats.paired import is_constant, paired_t_rows
from gaincurve.stats.rounding import rounded

T = (1e-300, 1e-8, 1e-3, 0.1, 0.5, 1.0, 1.7, 1.75, 2.0, 2.5, 3.0, 5.0, 8.0, 12.0, 20.0, 37.0, 100.0, 1e4, 1e8)
DF = (1, 2, 3, 4, 5, 8, 9, 10, 19, 24, 30, 49, 50, 99, 150, 499, 1000, 10_000)


def exact_two_sided(t: float, df: int) -> float:
    """P(|T| ≥ t) for even df: 1 − sin θ (1 + ½ cos²θ + 1·3/(2·4) cos⁴θ + …), θ = atan(t/√df), in 700 digits."""
    with localcontext() as context:
        context.prec = 700
        square = Decimal(t) * Decimal(t)
        cosine = Decimal(df) / (Decimal(df) + square)
        total = term = Decimal(1)
        for j in range(1, df // 2):
            term *= cosine * (2 * j - 1) / (2 * j)
            total += term
        return float(1 - (square / (Decimal(df) + square)).sqrt() * total)


def test_t_is_exact_for_even_degrees_of_freedom():
    grid = [(t, df) for t in T for df in (2, 4, 8, 10, 24, 50, 150, 1000)]
    found = run("return input.map(([t, df]) => gc.tTwoSided(t, df));", grid)
    for (t, df), p in zip(grid, found, strict=True):
        wanted = exact_two_sided(t, df)
        if wanted < sys.float_info.min:
            assert p == sys.float_info.min
        else:
            within = 1e-13 if wanted > 1e-100 else 1e-12
            assert p == pytest.approx(wanted, rel=within, abs=0), (t, df)


def test_t_and_its_quantiles_are_those_of_scipy():
    from scipy import stats  # noqa: PLC0415 -- a second to import

    grid = [(t, df) for t in T for df in DF if t >= 0.1]  # nearer to 0 scipy loses digits: the test below
    levels = (1e-12, 0.001, 0.025, 0.05, 0.2, 0.4, 0.6, 0.9, 0.975, 0.995, 0.99999)
    chances = [(p, df) for p in levels for df in DF]
    body = "return [input[0].map(([t, df]) => gc.tTwoSided(-t, df)), input[1].map(([p, df]) => gc.tQuantile(p, df))];"
    found, quantiles = run(body, [grid, chances])
    for (t, df), p in zip(grid, found, strict=True):
        wanted = max(2 * stats.t.sf(t, df), sys.float_info.min)
        assert p == pytest.approx(wanted, rel=1e-12, abs=0), (t, df)
    for (p, df), quantile in zip(chances, quantiles, strict=True):
        assert quantile == pytest.approx(stats.t.ppf(p, df), rel=1e-12, abs=0), (p, df)


def test_t_with_one_degree_of_freedom_is_cauchy():
    found = run("return input.map((t) => [gc.tTwoSided(t, 1), gc.tQuantile(0.5 + Math.atan(t) / Math.PI, 1)]);", T)
    for t, (p, quantile) in zip(T, found, strict=True):
        assert p == pytest.approx(2 / math.pi * math.atan2(1, t), rel=1e-13, abs=0)
        if 0.1 <= t <= 100:
            assert quantile == pytest.approx(t, rel=1e-12)


def test_quantiles_with_two_degrees_of_freedom_have_a_formula():
    levels = [1e-300, 1e-9, 0.025, 0.3, 0.499, 0.4999999, 0.500001, 0.51, 0.74, 0.76, 0.975]
    found = run("return input.map((p) => gc.tQuantile(p, 2));", levels)
    for p, quantile in zip(levels, found, strict=True):
        assert quantile == pytest.approx((2 * p - 1) / math.sqrt(2 * p * (1 - p)), rel=1e-13, abs=0), p


def test_quantiles_lead_back_to_their_probability():
    chances = [(p, df) for p in (1e-300, 1e-100, 1e-20, 1e-6, 0.01, 0.1, 0.2499, 0.2501, 0.3, 0.49999) for df in DF]
    found = run("return input.map(([p, df]) => gc.tTwoSided(gc.tQuantile(p, df), df));", chances)
    for (p, df), both in zip(chances, found, strict=True):
        assert both == pytest.approx(2 * p, rel=1e-12, abs=0), (p, df)


def test_the_ends_of_t():
    body = """return [gc.tQuantile(0.5, 7), gc.tQuantile(0, 7), gc.tQuantile(1, 7), gc.tQuantile(0.3, 0),
    gc.tTwoSided(0, 7), gc.tTwoSided(Infinity, 7), gc.tTwoSided(NaN, 7), gc.tTwoSided(1e300, 1)];"""
    half, low, high, none, zero, infinite, undefined, huge = run(body)
    assert (half, low, high, zero, infinite) == (0, -math.inf, math.inf, 1, sys.float_info.min)
    assert math.isnan(none)
    assert math.isnan(undefined)
    assert huge == pytest.approx(2 / (math.pi * 1e300), rel=1e-12, abs=0)


def differences(rng: random.Random) -> list[list[float]]:
    """Rows of differences: ordinary ones, none at all, constant shifts, lattices, nearly constant ones."""
    found = [[rng.gauss(0.05, 0.2) for _ in range(rng.randint(2, 60))] for _ in range(60)]
    found += [[0.0] * n for n in (2, 5, 30)] + [[0.25] * n for n in (2, 3, 9, 60, 1100, 1414, 1415)]
    found += [[0.1 + 0.2, 0.3, 0.3], [0.1 + 0.2 - 0.3, 0.0]]
    found += [[rng.choice((-0.1, 0, 0.1, 0.2)) for _ in range(20)] for _ in range(20)]
    return found + [[1 + rng.choice((0, 1e-9)) for _ in range(8)] + [1 + 1e-9] for _ in range(5)] + [[1.0, 1.0 + 1e-9]]


def test_the_paired_t_test_and_its_fixed_answers_are_those_of_python():
    rows = differences(random.Random(3))
    found = run("return input.map((d) => gc.pairedT(d, 0.05));", rows)
    for row, answer in zip(rows, found, strict=True):
        d = np.array(row)
        tested = paired_t_rows(d[None])
        assert close(answer["p"], tested.p[0]), row
        assert answer["replaced"] == is_constant(d[None])[0]
        assert close([answer["low"], answer["high"]], [tested.low[0], tested.high[0]])
        assert close(answer["effect"], cohen_dz(d), 1e-6)  # of nearly constant differences few digits are known
        assert (answer["wins"], answer["ties"], answer["losses"]) == wins_ties_losses(d)


def test_one_difference_has_no_test():
    found = run("return [gc.pairedT([0.3], 0.05), gc.pairedT([], 0.05)];")
    assert all(math.isnan(one[key]) for one in found for key in ("p", "low", "high", "effect"))


def test_holm_is_that_of_statsmodels():
    from statsmodels.stats.multitest import multipletests  # noqa: PLC0415 -- slow to import

    rng = random.Random(4)
    families = [[rng.random() ** 4 for _ in range(rng.randint(1, 45))] for _ in range(50)] + [[0.02, 0.02, 1.0, 1.0]]
    for p, found in zip(families, run("return input.map(gc.holm);", families), strict=True):
        assert close(found, multipletests(p, method="holm")[1], 1e-15)
        assert close(found, adjusted(p, "holm"), 0)


def test_holm_leaves_out_what_was_not_tested():
    assert close(run("return gc.holm([0.01, NaN, 0.04]);"), [0.02, math.nan, 0.04])


def test_letters_are_those_of_python():
    rng = random.Random(5)
    given = []
    for _ in range(200):
        size = rng.randint(2, 12)
        differ = [[False] * size for _ in range(size)]
        for i in range(size):
            for j in range(i):
                differ[i][j] = differ[j][i] = rng.random() < rng.choice((0.2, 0.5, 0.9))
        given.append((differ, rng.sample(range(size), size)))
    found = run("return input.map(([differ, order]) => gc.letterGroups(differ, order));", given)
    assert found == [letter_groups(np.array(differ), order) for differ, order in given]
    assert run("return [0, 25, 26, 701, 702].map(gc.letter);") == [letter(i) for i in (0, 25, 26, 701, 702)]


def numbers(rng: random.Random) -> list[float]:
    found = [0.0, -0.0, 1.0, 0.5, 0.03125, 0.28125, -0.03125, 2.5, 0.00005, 1e-5, 1e-7, 1e15, 1e16, 1.5e16, 1e21, 1e22]
    found += [0.1, 1 / 3, 123456.5, 1e-4, 0.00012345, 99999.95, 0.99995, 0.9995, 1e100, 0.0001, 0.01, 0.05, 0.999951]
    found += [k / 2**n for n in range(1, 12) for k in (1, 3, 5, 7)]
    return found + [rng.uniform(-1, 1) * 10 ** rng.randint(-8, 8) for _ in range(500)]


def test_numbers_are_written_as_python_writes_them():
    given = numbers(random.Random(6))
    body = """return input.map((x) => [
      gc.fixed(x, 4), gc.fixed(x, 3), gc.fixed(x, 0), gc.general(x), gc.numberText(x), gc.plainNumberText(x),
      gc.rounded(x),
    ]);"""
    for x, found in zip(given, run(body, given), strict=True):
        assert found[:3] == [f"{x:.4f}", f"{x:.3f}", f"{x:.0f}"]
        assert found[4:6] == [number_text(x), plain_number_text(x)]
        assert found[6] == float(rounded(np.array(x)))
        assert found[3] == (f"{x:g}" if x else "0")


def test_p_values_and_counts_are_written_as_python_writes_them():
    rng = random.Random(7)
    p = [rng.random() ** rng.choice((1, 4, 12)) for _ in range(300)] + [0.0001, 0.00009999, 0.01, 0.0095, 1.0, 0.9996]
    p += [0.05, 0.0502, 0.05003, 0.0498, 0.01002, 0.00996, 0.1001, 0.050000000000001]
    found = run("return [input.map(gc.pText), input.map(gc.alphaText)];", p)
    assert found[0] == [p_text(one) for one in p]
    assert found[1] == [alpha_text(one) for one in p]
    assert run("return gc.pText(NaN);") == p_text(math.nan)
    counts = [0, 1, 2, 999, 1000, 1432, 1234567]
    assert run("return input.map((n) => gc.counted(n, 'topic'));", counts) == [counted(n, "topic") for n in counts]


def test_sums_are_rounded_once():
    rng = random.Random(8)
    given = [[rng.gauss(0, 1) * 10 ** rng.randint(-12, 12) for _ in range(rng.randint(0, 60))] for _ in range(200)]
    given += [[1e16, 1.0, -1e16], [1.0, 2**-53, 2**-106], [0.1] * 10, [1e-16, 1.0, 1e16]]
    assert run("return input.map(gc.sum);", given) == [math.fsum(one) for one in given]
    assert math.isnan(run("return gc.mean([NaN, NaN]);"))
    assert run("return gc.mean([NaN, 1, 2]);") == 1.5


def test_names_are_ordered_by_code_point():
    names = ["b", "a", "ab", "", "𝔘", "\uffee", "Ω", "Z", "a" * 3]
    assert run("return input.sort(gc.byCodePoint);", names) == sorted(names)


def test_logarithms_are_exact_at_powers():
    body = "return [input.map((n) => gc.log2(2 ** n)), input.slice(0, 23).map((n) => gc.log10(Number(`1e${n}`)))];"
    two, ten = run(body, list(range(60)))
    assert two == list(range(60))
    assert ten == list(range(23))
