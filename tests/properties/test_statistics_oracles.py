"""Statistics against scipy, statsmodels, scikit-posthocs and scikit-learn on random data, and degenerate cases."""

from __future__ import annotations

import itertools
import math
import warnings

import numpy as np
import pytest
import scikit_posthocs as posthocs
import scipy.special
import scipy.stats
from scipy.integrate import quad
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from gaincurve import stats
from gaincurve.errors import ChoiceError
from gaincurve.model.rows import Floats
from gaincurve.stats.distributions import (
    chi2_upper,
    f_upper,
    fair_coin_two_sided,
    normal_two_sided,
    t_quantile,
    t_two_sided,
)
from gaincurve.stats.friedman import critical_difference
from gaincurve.stats.intervals import bootstrap_means
from gaincurve.stats.paired import signed_ranks
from gaincurve.stats.rounding import ranks
from gaincurve.stats.signflip import exact_sign_flip
from gaincurve.stats.signs import orders, samples, sign_rows, source
from gaincurve.stats.studentized import _Z as GRID
from gaincurve.stats.studentized import shifted_normal

SEEDS = range(6)


def matrix(seed: int, topics: int = 25, systems: int = 4, lattice: bool = False) -> Floats:
    random = np.random.default_rng(seed)
    values = random.beta(2, 3, (topics, 1)) * 0.5 + random.beta(2, 3, (topics, systems)) * 0.5
    return np.round(values, 1) if lattice else values


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("lattice", [False, True])
def test_two_sample_tests_agree_with_scipy(seed: int, lattice: bool) -> None:
    scores = matrix(seed, lattice=lattice)
    a, b = scores[:, 0], scores[:, 1]
    theirs = scipy.stats.ttest_rel(a, b)
    ours = stats.paired_t(a - b)
    assert (ours.statistic, ours.p) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))
    assert stats.t_interval(a - b, 0.1) == pytest.approx(tuple(theirs.confidence_interval(0.9)))
    d = np.round(a - b, 10)
    for zeros in ("pratt", "wilcox"):
        method = "asymptotic" if lattice else "exact"
        theirs = scipy.stats.wilcoxon(d, zero_method=zeros, correction=lattice, method=method)
        ours = stats.wilcoxon(a - b, zeros)
        assert (ours.statistic, ours.p) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))
        assert ours.exact is not lattice
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    assert stats.sign_test(a - b).p == pytest.approx(scipy.stats.binomtest(wins, wins + losses).pvalue)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("topics", [1, 2, 5, 9])
def test_exact_sign_flips_agree_with_a_plain_count(seed: int, topics: int) -> None:
    for d in (matrix(seed, topics)[:, 0] - 0.4, matrix(seed, topics, lattice=True)[:, 0] - 0.4):
        wanted = abs(d.sum()) - 1e-12 * np.abs(d).sum()
        reached = [abs(np.dot(s, d)) >= wanted for s in itertools.product((1, -1), repeat=topics)]
        assert exact_sign_flip(d) == pytest.approx(np.mean(reached), abs=1e-12)


def test_exact_and_sampled_sign_flips_agree() -> None:
    d = matrix(0, 26)[:, 0] - matrix(1, 26)[:, 0]
    exact = exact_sign_flip(d)
    assert exact is not None
    sums = np.concatenate([np.abs(s @ d) for s in sign_rows(26, 200_000, 7)])
    assert (sums >= abs(d.sum())).mean() == pytest.approx(exact, abs=0.004)


def test_looking_sums_up_counts_what_multiplying_counts() -> None:
    from gaincurve.stats.signflip import _reached, _reached_by_table  # noqa: PLC0415 -- the two ways of one count

    for topics in (27, 50, 64, 65, 130):
        rows = matrix(topics, topics, 5).T - matrix(topics + 1, topics, 5).T
        assert _reached(rows, 5000, 3).tolist() == _reached_by_table(rows, 5000, 3).tolist()


def test_sampled_p_is_never_0_and_counts_the_observed() -> None:
    d = 1.0 + matrix(0, 60)[:, 0]
    found = stats.sign_flip(d, draws=999)
    assert found.p.tolist() == [1 / 1000]
    assert 0 < found.error < 0.01


@pytest.mark.parametrize("seed", SEEDS)
def test_friedman_and_post_hoc_agree_with_scipy_and_scikit_posthocs(seed: int) -> None:
    scores = matrix(seed, lattice=seed % 2 == 1)
    found = stats.friedman(scores)
    theirs = scipy.stats.friedmanchisquare(*scores.T)
    assert (found.t1, found.p1) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        conover = posthocs.posthoc_conover_friedman(scores).to_numpy()
        nemenyi = posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
    assert np.allclose(stats.conover(found), conover, atol=1e-9)
    assert np.allclose(stats.nemenyi(found), nemenyi, atol=1e-9)


def test_nemenyis_critical_difference_is_demsars() -> None:
    """Demšar (2006), section 3.2.2: q.05 = 2.569 for four classifiers, CD = 1.25 for 14 data sets."""
    found = stats.friedman(matrix(0, topics=14))
    assert critical_difference(found) == pytest.approx(2.569 * math.sqrt(4 * 5 / (6 * 14)), abs=5e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_anova_agrees_with_a_linear_model(seed: int) -> None:
    scores = matrix(seed, topics=12, systems=3)
    n, k = scores.shape
    y = scores.ravel()
    topic, system = np.repeat(np.eye(n), k, axis=0), np.tile(np.eye(k), (n, 1))

    def left(design: Floats) -> float:
        return float(((y - design @ np.linalg.lstsq(design, y, rcond=None)[0]) ** 2).sum())

    full, without = left(np.hstack([topic, system])), left(topic)
    table = stats.anova(scores)
    assert table.residual == pytest.approx(full)
    assert table.between_systems == pytest.approx(without - full)
    f = (without - full) / (k - 1) / (full / ((n - 1) * (k - 1)))
    assert table.p == pytest.approx(scipy.stats.f.sf(f, k - 1, (n - 1) * (k - 1)))


@pytest.mark.parametrize("systems", [2, 3, 5, 10, 30, 100])
@pytest.mark.parametrize("df", [1, 2, 3, 9, 10, 29, 30, 98, 1421, math.inf])
def test_the_studentized_range_is_scipys(systems: int, df: float) -> None:
    q = np.array([0.01, 0.5, 1, 2, 3.5, 5, 8, 20])
    theirs = scipy.stats.studentized_range.sf(q, systems, df)
    assert np.abs(stats.studentized_range_sf(q, systems, df) - theirs).max() < (2e-9 if df < 3 else 2e-11)
    quantile = stats.studentized_range_quantile(0.05, systems, df)
    assert float(scipy.stats.studentized_range.sf(quantile, systems, df)) == pytest.approx(0.05, abs=1e-8)


@pytest.mark.parametrize(("ours", "theirs"), [
    ("bonferroni", "bonferroni"), ("holm", "holm"), ("hochberg", "simes-hochberg"), ("bh", "fdr_bh"), ("by", "fdr_by"),
])  # fmt: skip
@pytest.mark.parametrize("seed", SEEDS)
def test_corrections_agree_with_statsmodels(ours: str, theirs: str, seed: int) -> None:
    p = np.random.default_rng(seed).random(17) ** 3
    p[3] = p[5]
    assert np.allclose(stats.adjusted(p, ours), multipletests(p, method=theirs)[1])


def test_what_was_not_tested_does_not_poison_a_correction() -> None:
    assert np.allclose(stats.adjusted([0.01, math.nan, 0.04], "holm"), [0.02, math.nan, 0.04], equal_nan=True)
    assert stats.adjusted([], "holm").tolist() == []
    with pytest.raises(ChoiceError, match="did you mean holm"):
        stats.adjusted([0.1], "hollm")


@pytest.mark.parametrize("effect", [0.15, 0.35, 0.5])  # beyond, statsmodels answers nan
@pytest.mark.parametrize("topics", [5, 20, 80])
def test_power_agrees_with_statsmodels(effect: float, topics: int) -> None:
    theirs = TTestPower().power(effect, topics, 0.05)
    assert stats.power(effect, topics) == pytest.approx(theirs, abs=1e-6)
    needed = stats.topics_needed(effect, 0.9)
    assert stats.power(effect, needed) >= 0.9
    assert needed == 2 or stats.power(effect, needed - 1) < 0.9
    assert stats.power(stats.detectable_difference(1, topics), topics) == pytest.approx(0.8, abs=1e-6)


def power_over_the_normal(effect: float, topics: int, alpha: float) -> float:
    """The power by the other of the two integrals: over the normal, with the upper tail of χ² given it."""
    df, shift = topics - 1, effect * math.sqrt(topics)
    critical = scipy.stats.t.isf(alpha / 2, df)

    def missed(z: float) -> float:
        tail = float(scipy.special.chdtrc(df, df * ((z + shift) / critical) ** 2))
        return math.exp(-z * z / 2) / math.sqrt(2 * math.pi) * tail

    width = critical / math.sqrt(2 * df)
    steep = {-shift} | {side * critical - shift + k * width for side in (-1, 1) for k in (-8, -4, -1, 0, 1, 4, 8)}
    edges = sorted({-38.0, -8.0, -4.0, -1.0, 0.0, 1.0, 4.0, 8.0, 38.0} | {z for z in steep if -38 < z < 38})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of panels on which nothing but rounding is left
        parts = [quad(missed, *ends, epsabs=1e-14, epsrel=1e-11)[0] for ends in itertools.pairwise(edges)]
    return 1 - math.fsum(parts)


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01, 0.001, 1e-6])
@pytest.mark.parametrize("topics", [2, 3, 5, 25, 250, 100_000])
@pytest.mark.parametrize("effect", [0.0, 0.001, 0.05, 0.5, 3.0, 25.0, 1000.0])
def test_power_is_an_integral_over_the_noncentral_t(effect: float, topics: int, alpha: float) -> None:
    wanted = power_over_the_normal(effect, topics, alpha)
    assert stats.power(effect, topics, alpha) == pytest.approx(wanted, abs=1e-11)
    assert stats.power(-effect, topics, alpha) == stats.power(effect, topics, alpha)


@pytest.mark.parametrize(("topics", "alpha", "right"), [(250, 0.01, 0.2176), (20, 0.001, 1.0787), (2, 0.05, 11.55)])
def test_differences_that_a_test_finds(topics: int, alpha: float, right: float) -> None:
    difference = stats.detectable_difference(1.0, topics, alpha=alpha)
    assert difference == pytest.approx(right, rel=5e-4)
    assert power_over_the_normal(difference, topics, alpha) == pytest.approx(0.8, abs=1e-10)


@pytest.mark.parametrize(("effect", "wanted", "right"), [(0.5, 0.99, 132), (0.7, 0.99, 70), (20.0, 0.8, 4)])
def test_topics_that_a_strict_test_takes(effect: float, wanted: float, right: int) -> None:
    assert stats.topics_needed(effect, wanted, 0.001) == right
    assert power_over_the_normal(effect, right, 0.001) >= wanted > power_over_the_normal(effect, right - 1, 0.001)


def test_power_at_the_ends() -> None:
    assert stats.power(3, 25) == 1.0
    assert stats.power(25, 2, 0.001) == pytest.approx(0.0443, abs=5e-5)
    assert stats.power(math.inf, 2) == 1.0
    assert stats.detectable_difference(1.0, 20, wanted=0.05) == 0.0
    assert math.isnan(stats.detectable_difference(1.0, 1))


@pytest.mark.parametrize("given", [(0.5, 1), (math.nan, 20), (0.5, 20, 0.0), (0.5, 20, 1.0), (0.5, 20, math.nan)])
def test_power_of_no_test_is_refused(given: tuple[float, int, float]) -> None:
    with pytest.raises(ChoiceError, match="statistics-value"):
        stats.power(*given)


@pytest.mark.parametrize("given", [(1.0, 20, 1.0), (math.nan, 20, 0.8), (math.inf, 20, 0.8), (-1.0, 20, 0.8)])
def test_differences_that_cannot_be_found_are_refused(given: tuple[float, int, float]) -> None:
    with pytest.raises(ChoiceError, match="statistics-value"):
        stats.detectable_difference(*given)


@pytest.mark.parametrize("given", [(0.0, 0.8), (0.5, 1.0), (math.nan, 0.8), (1e-9, 0.8)])
def test_no_number_of_topics_is_refused(given: tuple[float, float]) -> None:
    with pytest.raises(ChoiceError, match="statistics-value"):
        stats.topics_needed(*given)


@pytest.mark.parametrize("seed", SEEDS)
def test_bootstrap_intervals_come_near_scipys(seed: int) -> None:
    d = matrix(seed, 40)[:, 0] ** 2 - 0.2
    for kind, theirs in (("percentile", "percentile"), ("bca", "BCa")):
        wanted = scipy.stats.bootstrap((d,), np.mean, n_resamples=20_000, method=theirs, rng=1).confidence_interval
        found = stats.bootstrap_interval(d, kind=kind, draws=20_000, seed=2)
        width = wanted.high - wanted.low
        assert np.abs(np.subtract(found, tuple(wanted))).max() < 0.03 * width


def test_the_bootstrap_test_is_calibrated_and_has_fixed_answers() -> None:
    random = np.random.default_rng(4)
    null = random.normal(0, 1, (400, 30))
    p = stats.bootstrap_test(null, draws=500)
    assert 0.02 < (p <= 0.05).mean() < 0.09
    assert stats.bootstrap_test(np.array([np.zeros(9), np.full(9, 0.1)]))[0] == 1
    assert math.isnan(stats.bootstrap_test(np.full(9, 0.1))[0])


@pytest.mark.parametrize("seed", SEEDS)
def test_orders_agree_with_scipy_and_a_plain_loop(seed: int) -> None:
    random = np.random.default_rng(seed)
    x, y = random.random(12), random.random(12)
    tied = np.round(x, 1), np.round(y, 1)
    assert stats.kendall_tau(*tied) == pytest.approx(scipy.stats.kendalltau(*tied).statistic)
    order = np.argsort(-y)
    total = sum(np.mean([x[order[j]] > x[order[i]] for j in range(i)]) for i in range(1, 12))
    assert stats.tau_ap(x, y, "a") == pytest.approx(2 * total / 11 - 1)
    broken = [stats.tau_ap(x, tied[1] + 1e-6 * random.permutation(12), "a") for _ in range(4000)]
    assert stats.tau_ap(x, tied[1], "a") == pytest.approx(np.mean(broken), abs=0.02)
    assert stats.tau_ap(*tied) == pytest.approx(stats.tau_ap(*tied[::-1]))
    assert math.isnan(stats.kendall_tau(np.ones(3), x[:3]))


def test_rank_biased_overlap_of_lists_of_unequal_length_extrapolates() -> None:
    """Webber et al. (2010): adding agreement beyond the shorter list moves the value towards its extrapolation."""
    even = stats.rank_biased_overlap("abcd", "abdc", 0.8)
    uneven = stats.rank_biased_overlap("abcd", "abdcxy", 0.8)
    assert uneven == pytest.approx(even, abs=0.05)
    assert stats.rank_biased_overlap("abcdef", "abc", 0.9) == pytest.approx(1.0)
    assert stats.rank_biased_overlap("abc", "xyz", 0.9) == 0.0
    assert math.isnan(stats.rank_biased_overlap("", "abc"))


@pytest.mark.parametrize("seed", SEEDS)
def test_kappas_are_scikit_learns_and_alpha_a_plain_loops(seed: int) -> None:
    random = np.random.default_rng(seed)
    first = random.integers(0, 4, 60).astype(float)
    second = np.where(random.random(60) < 0.6, first, random.integers(0, 4, 60)).astype(float)
    _, table = stats.cross_table(first, second)
    for weights in ("none", "linear", "quadratic"):
        theirs = cohen_kappa_score(first, second, weights=None if weights == "none" else weights)
        assert stats.cohen_kappa(table, weights) == pytest.approx(theirs)
    values = np.concatenate([first, second])
    seen = np.mean((first - second) ** 2)
    chance = np.mean([(a - b) ** 2 for a, b in itertools.permutations(values, 2)])
    assert stats.krippendorff_alpha(np.array([first, second]), "interval") == pytest.approx(1 - seen / chance)


def test_judges_who_use_one_grade_have_no_kappa() -> None:
    _, table = stats.cross_table(np.ones(5), np.ones(5))
    assert math.isnan(stats.cohen_kappa(table))
    assert math.isnan(stats.krippendorff_alpha(np.ones((2, 5))))
    assert math.isnan(stats.krippendorff_alpha(np.array([[1.0, np.nan], [np.nan, 1.0]])))


def test_hedges_g_by_its_definition() -> None:
    d = matrix(3)[:, 0] - 0.3
    df = len(d) - 1
    factor = math.gamma(df / 2) / (math.sqrt(df / 2) * math.gamma((df - 1) / 2))
    assert stats.cohen_dz(d) == pytest.approx(np.mean(d) / np.std(d, ddof=1))
    assert stats.hedges_g(d) == pytest.approx(factor * stats.cohen_dz(d))
    assert factor == pytest.approx(1 - 3 / (4 * df - 1), abs=1e-3)


def test_wins_ties_losses_round_first() -> None:
    d = np.array([0.1 + 0.2 - 0.3, 0.2, -0.1, 0.04])
    assert stats.wins_ties_losses(d) == (2, 1, 1)
    assert stats.wins_ties_losses(d, 0.05) == (1, 2, 1)
    assert stats.sign_test(d, 0.15).p == 1.0


@pytest.mark.parametrize(("percent", "label"), [(3, "marginal"), (-7, "noticeable"), (11, "essential"), (math.nan, "")])
def test_practical_labels(percent: float, label: str) -> None:
    assert stats.practical(percent) == label


ZERO, SHIFT = np.zeros(12), np.full(12, 0.1)


def test_identical_systems_are_p_1_everywhere() -> None:
    assert stats.paired_t(ZERO).p == stats.wilcoxon(ZERO).p == stats.sign_test(ZERO).p == 1
    assert stats.sign_flip(ZERO).p.tolist() == [1]
    assert stats.cohen_dz(ZERO) == stats.hedges_g(ZERO) == 0
    same = np.repeat(matrix(0, 12, 1), 3, axis=1)
    table = stats.anova(same)
    assert (table.f, table.p) == (0, 1)
    assert stats.tukey(np.zeros(3), table).tolist() == [1, 1, 1]
    assert stats.randomised_tukey(same).p(np.zeros(3)).tolist() == [1, 1, 1]
    found = stats.friedman(same)
    assert (found.t1, found.p1, found.t2, found.p2, found.w) == (0, 1, 0, 1, 0)
    assert stats.conover(found).min() == stats.nemenyi(found).min() == 1
    assert stats.max_t(np.array([ZERO, ZERO])).p.tolist() == [1, 1]


def test_a_constant_shift_leaves_t_undefined_and_the_sign_flip_exact() -> None:
    assert math.isnan(stats.paired_t(SHIFT).statistic)
    assert stats.paired_t(SHIFT).p == 2 / 2**12
    assert math.isnan(stats.cohen_dz(SHIFT))
    assert stats.sign_flip(SHIFT).p.tolist() == [2 / 2**12]
    assert stats.t_interval(SHIFT) == pytest.approx((0.1, 0.1))
    table = stats.anova(np.column_stack([SHIFT, ZERO]) + matrix(0, 12, 1))
    assert math.isnan(stats.tukey(np.array([0.1]), table)[0])


def test_topics_that_all_agree_have_conovers_fixed_answer() -> None:
    found = stats.friedman(np.tile([1.0, 2.0, 3.0], (5, 1)))
    assert math.isinf(found.t2)
    assert found.p2 == pytest.approx((1 / 6) ** 4)
    assert stats.conover(found)[0, 1] == pytest.approx((1 / 6) ** 4)


@pytest.mark.parametrize("seed", SEEDS)
def test_max_t_agrees_with_a_plain_loop_and_bounds(seed: int) -> None:
    scores = matrix(seed, topics=8, systems=4)
    rows = np.array([scores[:, i] - scores[:, 0] for i in (1, 2, 3)])

    def t(d: Floats) -> Floats:
        return np.abs(d.mean(axis=1)) / (d.std(axis=1, ddof=1) / math.sqrt(8))

    observed = t(rows)
    order = np.argsort(-observed)
    reached = np.zeros(3)
    for signs in itertools.product((1, -1), repeat=8):
        flipped = t(rows * np.array(signs))[order]
        for step in range(3):
            reached[step] += flipped[step:].max() >= observed[order][step] * (1 - 1e-9)
    expected = np.empty(3)
    expected[order] = np.maximum.accumulate(reached / 256)
    found = stats.max_t(rows)
    assert found.exact
    assert np.allclose(found.p, expected)
    single = stats.sign_flip(rows).p
    assert (found.p >= single - 1e-12).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_randomised_tukey_is_exact_where_it_can_be_counted(seed: int) -> None:
    scores = matrix(seed, topics=5, systems=3, lattice=True)
    rows = [list(itertools.permutations(row)) for row in scores.tolist()]
    ranges = [np.ptp(np.sum(choice, axis=0)) for choice in itertools.product(*rows)]
    gap = abs(scores[:, 0].sum() - scores[:, 1].sum())
    found = stats.randomised_tukey(scores)
    assert found.exact
    expected = np.mean(np.array(ranges) >= gap - 1e-9) if gap > 1e-9 else 1.0
    assert found.p(np.array([gap]))[0] == pytest.approx(expected)


def test_order_of_systems_pairs_and_topics_changes_no_bit() -> None:
    scores = matrix(2, topics=40, systems=5)
    turned = scores[:, ::-1]
    gap = np.array([scores[:, 0].sum() - scores[:, 3].sum()])
    assert stats.randomised_tukey(scores, 3000).p(gap) == stats.randomised_tukey(turned, 3000).p(-gap)
    rows = np.array([scores[:, 0] - scores[:, i] for i in (1, 2, 3)])
    assert stats.sign_flip(rows, 3000).p.tolist() == stats.sign_flip(-rows[::-1], 3000).p[::-1].tolist()
    assert stats.max_t(rows, 3000).p.tolist() == stats.max_t(-rows[::-1], 3000).p[::-1].tolist()
    again = stats.max_t(rows, 3000).p
    assert again.tolist() == stats.max_t(rows, 3000).p.tolist()
    assert stats.sign_flip(rows, 3000, seed=0).p.tolist() != stats.sign_flip(rows, 3000, seed=1).p.tolist()


def test_streams_are_those_of_pcg64_for_ever() -> None:
    """The first raw words of PCG64(0), and what is made of them by a plain reading of their bits."""
    raw = [int(word) for word in np.random.PCG64(0).random_raw(3)]
    assert raw[0] == 11749869230777074271  # NumPy's own promise: streams of bit generators do not change
    first = next(sign_rows(5, 3, 0))
    assert first.tolist() == [[1 - 2 * ((word >> i) & 1) for i in range(5)] for word in raw]
    shuffled = orders(source(0), 1, 3)[0].tolist()
    assert shuffled == sorted(range(3), key=lambda i: raw[i] >> 2)
    assert samples(source(0), 1, 3)[0].tolist() == [int((word >> 11) * 2.0**-53 * 3) for word in raw]


def test_orders_are_uniform() -> None:
    found = orders(source(1), 60_000, 3)
    counts = np.bincount(found @ np.array([9, 3, 1]))
    counts = counts[counts > 0]
    assert len(counts) == 6
    assert scipy.stats.chisquare(counts).pvalue > 1e-4


def test_bootstrap_rows_share_their_samples() -> None:
    d = matrix(0, 20)[:, :2].T
    assert bootstrap_means(d, 100)[1].tolist() == bootstrap_means(d[1], 100)[0].tolist()


def test_ranks_are_scipys_after_rounding() -> None:
    values = np.round(matrix(0, 9, 7), 1) + 1e-13 * np.arange(7)
    assert ranks(values).tolist() == scipy.stats.rankdata(np.round(values, 10), axis=1).tolist()
    assert ranks(values[0]).tolist() == scipy.stats.rankdata(np.round(values[0], 10)).tolist()


def test_the_table_of_the_normal_distribution_is_scipys() -> None:
    shifts = np.concatenate([np.linspace(0, 18, 1001), np.random.default_rng(0).random(1000) * 18])
    theirs = scipy.special.ndtr(GRID - shifts[:, None])
    assert np.abs(shifted_normal(shifts) - theirs).max() < 1e-15
    assert not shifted_normal(np.array([25.0])).max() > 1e-15


@pytest.mark.parametrize("df", [1, 20, 5000, math.inf])
def test_a_studentized_range_is_never_impossible(df: float) -> None:
    found = stats.studentized_range_sf(np.array([50.0, 1e6, 1e300]), 4, df)
    assert (found >= 1e-12).all()
    assert (np.diff(found) <= 0).all()
    assert math.isfinite(stats.studentized_range_quantile(1e-13, 4, 20))


def test_tails_too_small_for_a_float_are_not_0() -> None:
    assert float(t_two_sided(1e9, 5000)) > 0
    assert min(f_upper(1e9, 3, 1e4), chi2_upper(1e6, 3), normal_two_sided(60.0), fair_coin_two_sided(5000, 0)) > 0
    assert stats.sign_flip(np.full((1, 1200), 0.5)).p[0] > 0
    agreed = stats.friedman(np.tile([0.1, 0.2, 0.3], (2000, 1)))
    assert agreed.p2 > 0
    assert stats.conover(agreed).min() > 0


@pytest.mark.parametrize("seed", range(10))
def test_signed_ranks_point_where_scipys_rank_sums_do(seed: int) -> None:
    d = np.round(np.random.default_rng(seed).normal(0, 0.2, 15), 1)
    rank = scipy.stats.rankdata(np.abs(d))
    assert signed_ranks(d) == pytest.approx(rank[d > 0].sum() - rank[d < 0].sum())


QUANTILES = {
    1: lambda p: math.copysign(1 / math.tan(math.pi * min(p, 1 - p)), p - 0.5),
    2: lambda p: (2 * p - 1) / math.sqrt(2 * p * (1 - p)),
}


@pytest.mark.parametrize("off", [0.0, 1e-9, -1e-9])
@pytest.mark.parametrize("df", QUANTILES)
@pytest.mark.parametrize("p", [1e-7, 0.0005, 0.025, 0.2, 0.5, 0.9, 0.975, 0.9995])
def test_quantiles_of_t_do_not_depend_on_how_well_scipy_has_them(
    df: int, p: float, off: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SciPy 1.11 has them to nine digits at .9995, later ones to all."""
    coarse = scipy.special.stdtrit
    monkeypatch.setattr(scipy.special, "stdtrit", lambda df, p: coarse(df, p) * (1 + off))
    assert t_quantile(p, df) == pytest.approx(QUANTILES[df](p), rel=2e-14, abs=1e-15)


def test_a_level_too_small_for_a_float_has_no_end() -> None:
    assert t_quantile(1.0, 5) == math.inf
