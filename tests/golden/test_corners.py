"""Corners at which one changed sign, rule or order of summation would go unnoticed elsewhere.

Expected numbers come from plain loops, hand arithmetic, exact fractions and scipy.
"""

from __future__ import annotations

import itertools
import math
import sys
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
import scipy.stats

import gaincurve as gc
from gaincurve import stats
from gaincurve.model.scores import mean
from gaincurve.stats.friedman import conover_lsd
from gaincurve.stats.intervals import interval_of

JUDGED = {"1": {"a": 3, "b": 2, "c": 1, "d": 0}, "2": {"a": 1, "b": 2, "e": 3}, "3": {"c": 2, "d": 1, "f": 1}}
LISTED = {
    "one": {"1": ["b", "x", "a"], "2": ["a", "b"], "3": ["x", "d", "c"]},
    "two": {"1": ["c", "a"], "2": ["e", "x", "a"], "3": ["f"]},
    "three": {"1": ["d", "c", "b"], "2": ["x"], "3": ["c", "f", "d"]},
}
GAINS = {"0-1-10-100": (0, 1, 10, 100), "0-1-1-1": (0, 1, 1, 1)}


def plain_ndcg(listed: list[float], best: list[float], depth: int) -> float:
    """nDCG with the discount of 2002, base 2."""

    def dcg(gains: list[float]) -> float:
        return sum(gain / (math.log2(i) if i >= 2 else 1) for i, gain in enumerate(gains[:depth], 1))

    ideal = dcg(sorted(best, reverse=True))
    return dcg(listed) / ideal if ideal else 0.0


@pytest.mark.parametrize("ideal", ["judged", "retrieved", "pooled"])
def test_a_sweep_holds_every_run_against_its_own_ideal(ideal: str) -> None:
    """The ideal of the judgments is the same for all runs; that of the documents retrieved is each run's own."""
    found = gc.sweep(JUDGED, LISTED, gains=list(GAINS), bases=[2], depths=[1, 3], ratios=[], ideal=ideal)
    pool = {topic: {d for run in LISTED.values() for d in run[topic]} for topic in JUDGED}
    assert len(found.settings) == 4
    for setting in found.settings:
        gain = GAINS[setting.gains]
        for run, measured in zip(found.runs, setting.means, strict=True):
            values = []
            for topic, grades in JUDGED.items():
                listed = [float(gain[grades.get(d, 0)]) for d in LISTED[run][topic]]
                pooled = [float(gain[grade]) for d, grade in grades.items() if d in pool[topic]]
                judged = [float(gain[grade]) for grade in grades.values()]
                best = {"judged": judged, "retrieved": listed, "pooled": pooled}[ideal]
                values.append(plain_ndcg(listed, best, setting.depth))
            assert measured == pytest.approx(sum(values) / 3, rel=1e-12), (run, setting.measure)


def test_the_ideal_goes_by_gain_where_gains_fall_with_the_grade() -> None:
    """Grade 1 gains 3, grade 2 gains 1: b before a is the best order."""
    judged, log = {"t": {"a": 2, "b": 1}}, math.log2(3)
    found = gc.evaluate(judged, {"best": {"t": ["b", "a"]}, "worst": {"t": ["a", "b"]}}, "nDCG", gains="1=3,2=1")
    assert found["best", "nDCG"]["t"] == 1
    assert found["worst", "nDCG"]["t"] == pytest.approx((1 + 3 / log) / (3 + 1 / log), rel=1e-12)


@pytest.mark.parametrize("differences", [(-1, 0, 0, 1, 1), (0, 0, 0, 0, 1), (-2, 1, 1, 1, 2), (0.5, 0.5, 0, 0, 1)])
@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.5])
def test_bca_on_discrete_differences_counts_equal_means_half(differences: tuple[float, ...], alpha: float) -> None:
    """All 5^5 samples: on a lattice many bootstrap means equal the observed one (Efron & Tibshirani 1993, 14.3)."""
    n, observed = len(differences), sum(differences) / len(differences)
    means = [sum(sample) / n for sample in itertools.product(differences, repeat=n)]
    below = (sum(m < observed for m in means) + sum(m <= observed for m in means)) / 2 / len(means)
    left = [(sum(differences) - d) / (n - 1) for d in differences]
    centre = sum(left) / n
    skew = sum((centre - x) ** 3 for x in left) / (6 * sum((centre - x) ** 2 for x in left) ** 1.5)
    normal = NormalDist()
    bias = normal.inv_cdf(below)
    z = [bias + normal.inv_cdf(q) for q in (alpha / 2, 1 - alpha / 2)]
    expected = [np.quantile(means, normal.cdf(bias + one / (1 - skew * one))) for one in z]
    assert interval_of(np.array(differences, float), np.array(means), alpha, "bca") == pytest.approx(expected, abs=1e-9)


def test_bca_on_discrete_differences_is_scipys() -> None:
    differences = np.repeat([-1.0, 0.0, 1.0], [6, 10, 12])
    theirs = scipy.stats.bootstrap((differences,), np.mean, n_resamples=20_000, method="BCa", rng=1).confidence_interval
    assert stats.bootstrap_interval(differences, draws=20_000, seed=2) == pytest.approx(tuple(theirs), abs=1e-9)


def test_a_list_that_ends_inside_a_tied_block() -> None:
    """z, y and x tie and only z is relevant: of one document read 0 are wasted, of two 1/2, of three 2/2 (Cooper)."""
    steps = gc.explain({"t": {"z": 1, "x": 0, "w": 0}}, {"t": {"z": 2, "y": 2, "x": 2, "w": 1}}, "t", "ESL").steps
    assert [step.document for step in steps] == ["z", "y", "x", "w"]
    assert [step.value for step in steps] == [0, 0.5, 1, 1]


def test_a_list_that_ends_inside_a_tied_block_has_its_relevant_documents_at_the_mean_of_the_ranks_left() -> None:
    steps = gc.explain({"t": {"z": 1, "x": 1}}, {"t": {"z": 2, "y": 2, "x": 2}}, "t", "ASL").steps
    assert [step.value for step in steps] == [1, 1.5, 2]


@pytest.mark.parametrize("topics", [4, 10, 1000, 100_000])
def test_friedman_one_topic_short_of_total_agreement(topics: int) -> None:
    """Two systems, n − 1 topics against 1: T1 = (n − 2)²/n, T2 = (n − 2)²/4, and Conover's t = (n − 2)/2."""
    scores = np.tile([0.0, 1.0], (topics, 1))
    scores[-1] = [1.0, 0.0]
    found = stats.friedman(scores)
    assert found.t1 == pytest.approx(float(Fraction((topics - 2) ** 2, topics)), rel=1e-12)
    assert found.t2 == pytest.approx((topics - 2) ** 2 / 4, rel=1e-4)  # what is left of T1 has few digits
    smallest = sys.float_info.min
    assert found.p2 == pytest.approx(max(scipy.stats.f.sf(found.t2, 1, topics - 1), smallest), rel=1e-6)
    p = max(2 * scipy.stats.t.sf((topics - 2) / 2, topics - 1), smallest)
    assert stats.conover(found)[0, 1] == pytest.approx(p, rel=1e-4)
    assert conover_lsd(found) == pytest.approx(2 * scipy.stats.t.ppf(0.975, topics - 1), rel=1e-4)


def test_the_order_of_topics_cannot_change_a_bit_of_a_mean() -> None:
    """In floating point (.1 + .2) + .3 is not .1 + (.2 + .3); the exact sum, rounded once, is."""
    values = [0.1, 0.2, 0.3, 0.7, 1e-17, 1 / 3]
    exact = float(sum(map(Fraction, values))) / len(values)
    assert len({sum(order) for order in itertools.permutations(values)}) > 1
    assert {mean(np.array(order)) for order in itertools.permutations(values)} == {exact}


def test_the_names_of_topics_cannot_change_a_bit_of_a_summary() -> None:
    ranks = (1, 3, 5, 6, 7, 11)
    found = set()
    for order in itertools.permutations(ranks):
        lists = {f"{i}": [*(f"u{j}" for j in range(rank - 1)), "r"] for i, rank in enumerate(order)}
        found.add(gc.evaluate({topic: {"r": 1} for topic in lists}, lists, "RR").summary()["run"]["RR"])
    assert found == {float(sum(Fraction(1.0 / rank) for rank in ranks)) / 6}


def test_the_order_of_systems_cannot_change_a_bit_of_an_analysis_of_variance() -> None:
    scores = np.random.default_rng(0).random((30, 5))
    tables = {stats.anova(scores[:, list(order)]) for order in itertools.permutations(range(5))}
    assert len(tables) == 1


@pytest.mark.parametrize("discount", ["log", "rank", "jk2002", "jarvelin2008"])
@pytest.mark.parametrize("ties", ["trec", "average"])
def test_bounds_of_what_is_all_judged_have_no_width(ties: str, discount: str) -> None:
    """Not one bit: ranks are added up in two ways, and what rounding leaves between them is no unjudged document."""
    judged = {f"{n}": {f"d{i}": float(i % 3) for i in range(n)} for n in range(1, 25)}
    run = {topic: {d: float(i // 5) for i, d in enumerate(row)} for topic, row in judged.items()}
    found = gc.evaluate(judged, run, ["DCG", "DCG@7"], unjudged="bounds", ties=ties, discount=discount, gains="0-1-1e9")
    assert found.low is not None
    assert found.high is not None
    assert (found.low == found.values).all()
    assert (found.high == found.values).all()


def test_no_judging_makes_a_share_of_the_ideal_larger_than_1() -> None:
    """d gains 3 and so could u behind it: 3 + 3/log2(3) of the 3 that are known, but never more than all there is."""
    found = gc.evaluate({"t": {"d": 3}}, {"t": ["d", "u"]}, ["nDCG", "nCG"], unjudged="bounds")
    assert found.high is not None
    assert found.high[0].tolist() == [[1.0], [1.0]]


def test_judging_can_lower_a_share_of_the_ideal() -> None:
    """u of grade 3 behind a of grade 1: the list gives 1 + 3/log2(3), and the best order would give 3 + 1/log2(3)."""
    judged, log = {"t": {"a": 1}, "other": {"x": 3}}, math.log2(3)
    found = gc.evaluate(judged, {"t": ["a", "u"], "other": ["x"]}, "nDCG", unjudged="bounds")
    assert found.low is not None
    assert found.low[0, 0, 0] == pytest.approx((1 + 3 / log) / (3 + 1 / log), rel=1e-12)


def test_judging_pushes_documents_out_of_an_ideal_that_is_cut() -> None:
    """u of grade 3 at rank 3: of four documents of grade 1 two are left in the ideal's first three."""
    judged = {"t": {"a": 1, "b": 1, "c": 1, "d": 1}, "other": {"x": 3}}
    found = gc.evaluate(judged, {"t": ["a", "b", "u"], "other": ["x"]}, "nDCG@3", unjudged="bounds")
    assert found.low is not None
    second = 1 / math.log2(3)
    assert found.low[0, 0, 0] == pytest.approx((1 + second + 3 / 2) / (3 + second + 1 / 2), rel=1e-12)


def test_a_grade_above_the_top_satisfies_for_certain() -> None:
    """(2^3 − 1)/2^2 is more than 1: whoever reads the document at rank 2 stops there, and nothing behind it counts."""
    found = gc.evaluate({"t": {"a": 3, "b": 3}}, {"t": ["x", "a", "b"]}, "ERR(top=2)")
    assert found.values[0, 0, 0] == 0.5


def test_labels_at_their_limits() -> None:
    """Spärck Jones: below 5% marginal, above 10% essential; the limits themselves are neither."""
    assert [stats.practical(percent) for percent in (4.999, 5, 10, 10.001)] == [
        "marginal", "noticeable", "noticeable", "essential"
    ]  # fmt: skip


def test_the_critical_t_of_max_t_is_that_of_all_sign_vectors() -> None:
    """The largest |t| of three rows under each of 2^8 sign vectors: 12 of 256, less than 5%, reach the twelfth."""
    rows = np.random.default_rng(1).normal(0.3, 1, (3, 8))
    largest = []
    for signs in itertools.product((1, -1), repeat=8):
        flipped = rows * np.array(signs)
        largest.append(max(abs(scipy.stats.ttest_1samp(row, 0).statistic) for row in flipped))
    assert stats.max_t(rows).critical == pytest.approx(sorted(largest, reverse=True)[11], rel=1e-9)
