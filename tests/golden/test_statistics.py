"""Published statistics: each number beside the source it was printed in or computed by.

Sakai's three systems on 20 topics are from Sakai, Laboratory Experiments in Information Retrieval (2018); the exact
randomisation values were counted by enumeration outside this code base; the rest names its source where it stands.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from gaincurve import stats
from gaincurve.model.rows import Floats
from gaincurve.stats.friedman import conover_lsd
from gaincurve.stats.signflip import Randomised


def numbers(text: str) -> Floats:
    return np.array([float(part) for part in text.split()])


A = numbers(".7 .3 .2 .6 .4 .4 0 .7 .1 .3 .5 .4 0 .6 .5 .3 .1 .5 .2 .1")
B = numbers(".5 .1 0 .2 .4 .3 0 .5 .3 .3 .4 .4 .1 .4 .2 .1 .1 .6 .3 .2")
C = numbers("0 0 .2 .1 .3 .3 .1 .2 .4 .4 .4 .3 .3 .2 .2 .2 .1 .5 .4 .3")
SAKAI = np.column_stack([A, B, C])
PAIRS = np.array([A - B, A - C, B - C])
GRASS = np.array([
    [4, 3, 2, 1], [4, 2, 3, 1], [3, 1.5, 1.5, 4], [3, 1, 2, 4], [4, 2, 1, 3], [2, 2, 2, 4],
    [1, 3, 2, 4], [2, 4, 1, 3], [3.5, 1, 2, 3.5], [4, 1, 3, 2], [4, 2, 3, 1], [3.5, 1, 2, 3.5],
])  # fmt: skip
"""Conover (1980), section 5.8: twelve home owners rank four grasses."""
DARWIN = numbers("49 -67 8 16 6 23 28 41 14 29 56 24 75 60 -48")
"""Fisher, The Design of Experiments: Darwin's cross- and self-fertilised plants, in eighths of an inch."""
SLEEP = numbers("0.7 -1.6 -0.2 -1.2 -0.1 3.4 3.7 0.8 0.0 2.0") - numbers("1.9 0.8 1.1 0.1 -0.1 4.4 5.5 1.6 4.6 3.4")
"""R's data set `sleep`, group 1 less group 2."""


def ten(value: float) -> object:
    """Equal to the ten decimals printed."""
    return pytest.approx(value, abs=6e-11)


def test_paired_t_of_sakais_systems() -> None:
    t, p, _ = stats.paired_t(A - B)
    assert (t, p) == (ten(2.1157598613), ten(0.0477967618))
    assert stats.t_interval(A - B) == pytest.approx((0.00080594, 0.14919406), abs=5e-9)
    assert stats.paired_t(A - C).p == ten(0.1231651046)
    assert stats.paired_t(B - C).p == ten(0.5217734484)


def test_corrections_of_sakais_systems() -> None:
    p = [stats.paired_t(d).p for d in PAIRS]
    assert stats.adjusted(p, "holm").round(5).tolist() == [0.14339, 0.24633, 0.52177]
    assert stats.adjusted(p, "bh").round(5).tolist() == [0.14339, 0.18475, 0.52177]


def test_exact_randomisation_contradicts_t_on_sakais_first_pair() -> None:
    found = stats.sign_flip(PAIRS)
    assert found.p.tolist() == [2160 / 32768, 18954 / 131072, 40864 / 65536]
    assert found.exact.all()
    assert stats.sign_test(A - B).p == pytest.approx(0.3017578, abs=5e-8)


def test_two_way_anova_and_tukey_of_sakais_systems() -> None:
    table = stats.anova(SAKAI)
    sums = (table.between_systems, table.between_topics, table.residual)
    assert sums == pytest.approx((0.1083, 1.0293, 0.8317), abs=5e-5)
    assert (table.f, table.p) == (ten(2.4749498998), ten(0.0976354183))
    p = stats.tukey(PAIRS.mean(axis=1), table)
    assert p.tolist() == [ten(0.2566977464), ten(0.0956868471), ten(0.8549631811)]


def test_exact_randomised_tukey_of_sakais_systems() -> None:
    found = stats.randomised_tukey(SAKAI)
    assert found.exact
    assert found.p(PAIRS.sum(axis=1)).tolist() == [ten(0.3037641620), ten(0.1065872956), ten(0.8915998653)]


def test_sampled_randomised_tukey_comes_near_the_exact_one() -> None:
    from gaincurve.stats.permuted import _sampled  # noqa: PLC0415 -- the sampler behind the exact count

    rows = np.sort(SAKAI, axis=1)
    ranges = _sampled(rows, 100_000, seed=1)
    shares = [(ranges >= abs(d.sum()) - 1e-9).mean() for d in PAIRS]
    assert shares == pytest.approx([0.3037641620, 0.1065872956, 0.8915998653], abs=0.005)


def test_friedman_of_sakais_systems() -> None:
    found = stats.friedman(SAKAI)
    assert (found.t1, found.p1) == (ten(2.2388059701), ten(0.3264746467))
    assert (found.t2, found.p2) == (ten(1.1264822134), ten(0.3347563437))
    assert stats.conover(found)[np.triu_indices(3, 1)].tolist() == [ten(0.2014675374), ten(0.2014675374), 1]
    assert stats.nemenyi(found)[np.triu_indices(3, 1)].tolist() == [ten(0.4616063972), ten(0.4616063972), 1]


def test_conovers_grasses() -> None:
    found = stats.friedman(GRASS)
    assert found.rank_sums.tolist() == [38, 23.5, 24.5, 34]
    assert (found.t1, found.p1) == (ten(8.0973451327), ten(0.0440421378))
    assert (found.t2, found.p2) == (ten(3.1921979068), ten(0.0362154746))
    assert found.w == ten(0.2249262537)
    assert conover_lsd(found) == ten(11.4816775947)
    expected = (0.0148951764, 0.0226027145, 0.4834342679, 0.8604370329, 0.0717365080, 0.1017423956)
    assert stats.conover(found)[np.triu_indices(4, 1)].tolist() == [ten(p) for p in expected]


def test_darwins_plants() -> None:
    for scale in (1.0, 0.01):
        assert stats.sign_flip(DARWIN * scale).p.tolist() == [1726 / 32768]
    t, p, _ = stats.paired_t(DARWIN)
    assert (t, p) == (ten(2.1479874613), ten(0.0497029440))
    assert stats.wilcoxon(DARWIN) == (24, ten(0.0412597656), True)
    assert stats.sign_test(DARWIN).p == ten(0.0073852539)


def test_sleep() -> None:
    t, p, _ = stats.paired_t(SLEEP)
    assert (t, p) == (pytest.approx(-4.0621, abs=5e-5), pytest.approx(0.002833, abs=5e-7))
    assert stats.t_interval(SLEEP) == pytest.approx((-2.4598858, -0.7001142), abs=5e-8)
    assert stats.sign_flip(SLEEP).p.tolist() == [4 / 1024]


def test_tukeys_hsd_of_warpbreaks() -> None:
    """R: TukeyHSD(aov(breaks ~ wool + tension, warpbreaks), 'tension'), whose V_E and means are put in by hand.

    R prints mean differences L−M 10.00000, L−H 14.72222, M−H 4.722222; the residual mean square is 134.9578 on 50
    degrees of freedom, 18 looms a tension.
    """
    table = stats.Anova(0, 0, 134.9578 * 50, 18, 3, math.nan)
    q = np.array([4.722222, 14.72222, 10.0]) / math.sqrt(table.residual / 50 / 18)
    found = stats.studentized_range_sf(q, 3, 50)
    assert found.tolist() == pytest.approx([0.4474210, 0.0011218, 0.0336262], abs=2e-6)


def test_demsars_printed_chi_square_has_no_tie_correction() -> None:
    """Demšar (2006), Table 6: 14 data sets, four classifiers with average ranks 3.143 2.000 2.893 1.964.

    The scores were typed from memory, and .9751 (second row from the end) only stands for its place in the row. Only
    ranks within rows count; their means and the uncorrected χ² are checked against what the paper prints.
    """
    auc = numbers(
        "0.763 0.768 0.771 0.798  0.599 0.591 0.590 0.569  0.954 0.971 0.968 0.967  0.628 0.661 0.654 0.657 "
        "0.882 0.888 0.886 0.898  0.936 0.931 0.916 0.931  0.661 0.668 0.609 0.685  0.583 0.583 0.563 0.625 "
        "0.775 0.838 0.866 0.875  1.000 1.000 1.000 1.000  0.940 0.962 0.965 0.962  0.619 0.666 0.614 0.669 "
        "0.972 0.981 0.9751 0.975  0.957 0.978 0.946 0.970"
    ).reshape(14, 4)
    found = stats.friedman(auc)
    mean_ranks = 5 - found.mean_ranks  # printed with 1 for the best
    assert mean_ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert found.t1 == pytest.approx(10.2283, abs=5e-5)
    uncorrected = 12 * 14 / (4 * 5) * (float((mean_ranks**2).sum()) - 4 * 25 / 4)
    assert uncorrected == pytest.approx(9.28, abs=5e-3)


X = numbers(".06 .2 .27 .37 .57 .63 .66 .9 .91 .94")
Y = numbers(".37 .06 .2 .27 .57 .66 .63 .91 .9 .94")


def test_ap_correlation_as_in_the_readme_of_ircor() -> None:
    x, y = (np.round(v * 5) / 5 for v in (X, Y))
    assert stats.kendall_tau(X, Y) == pytest.approx(0.7777778, abs=5e-8)
    assert stats.tau_ap(X, Y, "a") == pytest.approx(0.7491182, abs=5e-8)
    assert stats.tau_ap(Y, X, "a") == pytest.approx(0.7592593, abs=5e-8)
    assert stats.tau_ap(X, Y) == pytest.approx((0.7491182 + 0.7592593) / 2, abs=5e-8)  # 'b' is symmetric: .7541887
    assert stats.kendall_tau(X, y, "a") == pytest.approx(0.7111111, abs=5e-8)
    assert stats.tau_ap(X, y, "a") == pytest.approx(0.6074515, abs=5e-8)
    assert stats.kendall_tau(x, y) == pytest.approx(0.75, abs=5e-8)
    assert stats.tau_ap(x, y) == pytest.approx(0.6269841, abs=5e-8)


def test_the_studentized_range_of_its_docstring() -> None:
    """scipy.stats.studentized_range.sf(3.5, 3, 20) is .05589."""
    assert float(stats.studentized_range_sf(3.5, 3, 20)) == pytest.approx(0.0559, abs=5e-5)


def test_fifty_topics_miss_a_difference_of_five_hundredths() -> None:
    assert stats.power(0.05 / 0.18, 50) < 0.5 < stats.power(0.05 / 0.17, 50)  # as docs/pitfalls.md says


def test_rank_biased_overlap() -> None:
    assert stats.rank_biased_overlap("abcde", "bacdf", 0.9) == pytest.approx(0.76878, abs=5e-6)
    assert stats.rank_biased_overlap("abc", "abc", 0.9) == pytest.approx(1)
    assert stats.rank_biased_overlap("abc", "def", 0.9) == 0


@pytest.mark.parametrize(("effect", "topics"), [(0.5, 34), (0.4, 52), (0.3, 90), (0.2, 199)])
def test_topics_needed(effect: float, topics: int) -> None:
    assert stats.topics_needed(effect) == topics
    assert stats.detectable_difference(1.0, topics) == pytest.approx(effect, abs=0.01)


def test_krippendorffs_worked_examples() -> None:
    """Krippendorff (2011), Computing Krippendorff's Alpha-Reliability: examples A, B and C."""
    binary = np.array([numbers("0 1 0 0 0 0 0 0 1 0"), numbers("1 1 1 0 0 1 0 0 0 0")])
    assert round(stats.krippendorff_alpha(binary, "nominal"), 3) == 0.095
    letters = np.array([[ord(c) for c in word] for word in ("aabbdcccedda", "babbbcccEddd".lower())], dtype=float)
    assert round(stats.krippendorff_alpha(letters, "nominal"), 3) == 0.692
    four = np.array(
        [[float(v) if v != "." else math.nan for v in row.split()] for row in (
            "1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 .",
        )]
    )  # fmt: skip
    found = [round(stats.krippendorff_alpha(four, level), 3) for level in ("nominal", "ordinal", "interval")]
    assert found == [0.743, 0.815, 0.849]


def test_table_one_of_the_2002_paper() -> None:
    """New judgments (0 to 3) of documents that TREC called relevant or not: counts and column percentages."""
    counts = np.array([[691, 2780], [1004, 134], [724, 40], [353, 11]])
    new = np.repeat([0.0, 1, 2, 3, 0, 1, 2, 3], counts.T.ravel())
    trec = np.repeat([1.0, 0.0], counts.sum(axis=0))
    scale, table = stats.cross_table(new, trec)
    assert scale.tolist() == [0, 1, 2, 3]
    assert table[:, :2].astype(int).tolist() == [[2780, 691], [134, 1004], [40, 724], [11, 353]]
    percent = 100 * table[:, 1] / table[:, 1].sum()
    assert percent.round(1).tolist() == [24.9, 36.2, 26.1, 12.7]  # the paper prints 25.0 for 691/2772 = 24.93


def test_identities() -> None:
    two = SAKAI[:, :2]
    d = A - B
    t, p, _ = stats.paired_t(d)
    table = stats.anova(two)
    assert (table.f, table.p) == (pytest.approx(t**2), pytest.approx(p))
    assert stats.tukey(np.array([d.mean()]), table)[0] == pytest.approx(p, abs=1e-10)
    assert stats.randomised_tukey(two).p(np.array([d.sum()]))[0] == pytest.approx(stats.sign_flip(d).p[0], abs=1e-15)
    noisy = two + np.random.default_rng(5).normal(0, 0.01, (20, 2))
    longer = np.vstack([noisy, noisy + 0.001, noisy * 1.01])  # too many to count: both sample the same signs
    flipped: Randomised = stats.sign_flip(longer[:, 0] - longer[:, 1], draws=5000, seed=3)
    assert not flipped.exact.any()
    ranged = stats.randomised_tukey(longer, draws=5000, seed=3)
    assert ranged.p(np.array([(longer[:, 0] - longer[:, 1]).sum()]))[0] == flipped.p[0]
    ranked = np.array([[sorted(row).index(v) + 1.0 for v in row] for row in np.random.default_rng(1).random((30, 4))])
    found = stats.friedman(ranked)
    assert stats.anova(ranked).f == pytest.approx(found.t2)


def test_bh_below_holm_below_bonferroni() -> None:
    p = np.random.default_rng(0).random(40) ** 3
    order = [stats.adjusted(p, rule) for rule in ("none", "bh", "holm", "bonferroni")]
    assert all((a <= b).all() for a, b in combinations(order, 2))
    assert (stats.adjusted(p, "hochberg") <= stats.adjusted(p, "holm")).all()
