"""The verb `compare`: published numbers all the way, defaults, degenerate cases, independence of order."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from made import scores_of

import gaincurve as gc
from gaincurve.errors import GaincurveError
from gaincurve.model.comparison import Comparison, Family
from gaincurve.model.rows import Floats
from gaincurve.model.scores import Scores
from gaincurve.model.wording import joined, p_text
from gaincurve.stats.letters import letter, letter_groups
from gaincurve.verbs.detectable import detectable
from gaincurve.verbs.significance import PAIRED

A = [0.7, 0.3, 0.2, 0.6, 0.4, 0.4, 0, 0.7, 0.1, 0.3, 0.5, 0.4, 0, 0.6, 0.5, 0.3, 0.1, 0.5, 0.2, 0.1]
B = [0.5, 0.1, 0, 0.2, 0.4, 0.3, 0, 0.5, 0.3, 0.3, 0.4, 0.4, 0.1, 0.4, 0.2, 0.1, 0.1, 0.6, 0.3, 0.2]
C = [0, 0, 0.2, 0.1, 0.3, 0.3, 0.1, 0.2, 0.4, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.2, 0.1, 0.5, 0.4, 0.3]


def scored(measures: int = 1, **runs: list[float] | Floats) -> Scores:
    """Scores as `evaluate` gives them; further measures are the first, a little changed."""
    values = np.array([[np.array(run, float) * (1 - 0.01 * m) for m in range(measures)] for run in runs.values()])
    names = tuple(f"nDCG@{10 * (m + 1)}" for m in range(measures))
    topics = tuple(f"t{i:03d}" for i in range(values.shape[2]))
    return scores_of(tuple(runs), names, topics, values)


SAKAI = scored(a=A, b=B, c=C)


def adjusted_p(found: Comparison) -> list[float]:
    return [pair.p_adjusted for pair in found.pairs]


@pytest.mark.parametrize(("test", "expected"), [
    ("t", [0.14339, 0.24633, 0.52177]),
    ("tukey", [0.2566977464, 0.0956868471, 0.8549631811]),
    ("randomised-tukey", [0.3037641620, 0.1065872956, 0.8915998653]),
    ("randomisation", [3 * 2160 / 32768, 2 * 18954 / 131072, 40864 / 65536]),
])  # fmt: skip
def test_sakais_systems(test: str, expected: list[float]) -> None:
    assert adjusted_p(gc.compare(SAKAI, test)) == pytest.approx(expected, abs=5e-6)


def test_sakais_systems_by_friedman() -> None:
    conover = gc.compare(SAKAI, "friedman", adjust="bonferroni")
    assert [pair.p for pair in conover.pairs] == pytest.approx([0.2014675374, 0.2014675374, 1], abs=1e-10)
    assert adjusted_p(conover) == pytest.approx([3 * 0.2014675374, 3 * 0.2014675374, 1], abs=1e-9)
    assert conover.families[0].overall["T1"] == pytest.approx(2.2388059701)
    assert conover.families[0].overall["p2"] == pytest.approx(0.3347563437)
    nemenyi = gc.compare(SAKAI, post_hoc="nemenyi")
    assert adjusted_p(nemenyi) == pytest.approx([0.4616063972, 0.4616063972, 1], abs=1e-9)


def test_two_systems_by_t_with_the_randomisation_check_that_contradicts_it() -> None:
    found = gc.compare(scored(a=A, b=B))
    pair = found["nDCG@10", "a", "b"]
    assert (found.test, found.adjust) == ("t", "none")
    assert pair.p == pair.p_adjusted == pytest.approx(0.0477967618)
    assert pair.check == 2160 / 32768
    assert (pair.low, pair.high) == pytest.approx((0.00080594, 0.14919406), abs=5e-9)
    assert (pair.wins, pair.ties, pair.losses) == (10, 5, 5)
    assert (pair.significant, pair.stars, pair.better, pair.worse) == (True, "*", "a", "b")
    assert [note.slug for note in found.notes] == ["tests-disagree"]
    assert found.families[0].methods == "Two-sided paired t-test over 20 topics, 1 comparison, α = .05."
    size = "0.0750 (95% interval 0.0008 to 0.1492, p = .048)"
    assert found.sentences() == [f"On nDCG@10 a is ahead of b by {size}: a significant difference."]


def test_defaults_by_what_was_asked() -> None:
    assert (gc.compare(SAKAI).test, gc.compare(SAKAI).adjust) == ("t", "holm")
    assert [pair.p_adjusted for pair in gc.compare(SAKAI).pairs] == pytest.approx([0.14339, 0.24633, 0.52177], abs=5e-6)
    against = gc.compare(SAKAI, baseline="c")
    assert (against.test, against.adjust) == ("t", "holm")
    assert [(pair.a, pair.b) for pair in against.pairs] == [("a", "c"), ("b", "c")]
    assert gc.compare(SAKAI, adjust="bh").test == "t"
    assert gc.compare(SAKAI, "friedman").post_hoc == "conover"
    assert gc.compare(SAKAI, "friedman").adjust == "holm"


def many(seed: int = 1, systems: int = 5, topics: int = 40) -> Scores:
    random = np.random.default_rng(seed)
    base = random.random(topics)
    return scored(**{f"s{i}": base + random.normal(0.02 * i, 0.1, topics) for i in range(systems)})


def turned(scores: Scores) -> Scores:
    """Runs in the other order, topics shuffled."""
    shuffled = np.random.default_rng(9).permutation(len(scores.topics))
    return replace(
        scores,
        runs=scores.runs[::-1],
        units=tuple(scores.topics[t] for t in shuffled),
        values=scores.values[::-1][:, :, shuffled],
    )


@pytest.mark.parametrize("test", PAIRED)
def test_order_of_runs_pairs_and_topics_changes_no_p(test: str) -> None:
    scores = many()
    given = {"baseline": "s2"} if test == "max-t" else {}
    one, two = (gc.compare(s, test, draws=2000, **given) for s in (scores, turned(scores)))  # type: ignore[arg-type]
    for pair in one.pairs:
        other = two["nDCG@10", pair.a, pair.b]
        if test in ("tukey", "friedman"):  # sums of squares may differ in the last bit
            assert other.p_adjusted == pytest.approx(pair.p_adjusted, rel=1e-9)
        else:
            assert (other.p, other.p_adjusted) == (pair.p, pair.p_adjusted)
        assert abs(other.difference) == abs(pair.difference)
        assert other.better == pair.better


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "randomised-tukey", "max-t"])
def test_same_seed_same_bits_and_0_is_a_seed(test: str) -> None:
    scores = many()
    given = {"baseline": "s0"} if test == "max-t" else {}

    def p(seed: int) -> list[float]:
        return adjusted_p(gc.compare(scores, test, seed=seed, draws=500, **given))  # type: ignore[arg-type]

    assert p(0) == p(0)
    assert p(0) != p(1)


@pytest.mark.parametrize("test", PAIRED)
def test_identical_systems_are_p_1_and_poison_nothing(test: str) -> None:
    scores = many(systems=3)
    twin = scored(**{**{run: scores.values[r, 0] for r, run in enumerate(scores.runs)}, "twin": scores.values[0, 0]})
    given = {"baseline": "s0"} if test == "max-t" else {}
    found = gc.compare(twin, test, draws=1000, **given)  # type: ignore[arg-type]
    pair = found["nDCG@10", "s0", "twin"]
    assert (pair.p_adjusted, pair.difference, pair.effect, pair.better, pair.significant) == (1, 0, 0, "", False)
    assert not any(math.isnan(p) for p in adjusted_p(found))


@pytest.mark.parametrize("test", ["t", "tukey", "bootstrap", "randomised-tukey", "friedman", "wilcoxon"])
def test_a_constant_shift_has_the_p_of_randomisation(test: str) -> None:
    base = np.linspace(0.1, 0.5, 12)
    found = gc.compare(scored(a=base + 0.1, b=base), test)
    pair = found.pairs[0]
    assert 0 < pair.p_adjusted < 0.01
    if test in ("t", "tukey", "bootstrap"):
        assert pair.p_adjusted == pytest.approx(2 / 2**12)
        assert "constant-shift" in [note.slug for note in found.notes]
    assert found.to_dict()["pairs"][0]["effect"] is None  # type: ignore[index]


def test_topics_without_a_score_for_some_run() -> None:
    holes = scored(a=[*A[:18], math.nan, 0.1], b=B)
    found = gc.compare(holes)
    assert len(found.families[0].topics) == 19
    assert found.notes[0].slug == "topics-aligned"
    assert "topics:19" in str(found.families[0].signature)
    zero = gc.compare(holes, missing="zero")
    assert (len(zero.families[0].topics), zero.families[0].scores[18, 0]) == (20, 0)
    with pytest.raises(GaincurveError, match="topics-missing"):
        gc.compare(holes, missing="error")
    empty = scored(a=[*A[:19], math.nan], b=[*B[:19], math.nan])  # undefined for all: nobody's fault
    assert gc.compare(empty, missing="error").notes == ()


def test_few_topics_are_noted_and_one_is_refused() -> None:
    assert [n.slug for n in gc.compare(scored(a=A[:9], b=B[:9])).notes] == ["few-topics"]
    with pytest.raises(GaincurveError, match="topics-too-few"):
        gc.compare(scored(a=A[:1], b=B[:1]))


@pytest.mark.parametrize(("given", "slug"), [
    ({"test": "tukeys"}, "choice-unknown"),
    ({"adjust": "sidak"}, "choice-unknown"),
    ({"family": "all"}, "choice-unknown"),
    ({"missing": "skip"}, "choice-unknown"),
    ({"test": "friedman", "post_hoc": "dunn"}, "choice-unknown"),
    ({"baseline": "z"}, "run-unknown"),
    ({"test": "max-t"}, "test-not-possible"),
    ({"test": "tukey", "baseline": "a"}, "test-not-possible"),
    ({"test": "randomised-tukey", "adjust": "holm"}, "test-not-possible"),
    ({"post_hoc": "nemenyi", "adjust": "none"}, "test-not-possible"),
    ({"test": "tukey", "family": "all-measures"}, "test-not-possible"),
    ({"test": "t", "post_hoc": "conover"}, "test-not-possible"),
    ({"alpha": 0}, "statistics-value"),
    ({"alpha": 1.5}, "statistics-value"),
    ({"seed": -1}, "statistics-value"),
    ({"seed": 1.5}, "statistics-value"),
    ({"draws": 0}, "statistics-value"),
    ({"min_diff": -1.0}, "statistics-value"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(given: dict[str, object], slug: str) -> None:
    with pytest.raises(GaincurveError) as caught:
        gc.compare(SAKAI, **given)  # type: ignore[arg-type]
    assert caught.value.slug == slug


def test_one_run_is_refused() -> None:
    with pytest.raises(GaincurveError, match="runs-too-few"):
        gc.compare(scored(a=A))


def test_the_family_may_be_all_measures() -> None:
    scores = scored(3, a=A, b=B)
    alone = gc.compare(scores)
    together = gc.compare(scores, adjust="bonferroni", family="all-measures")
    assert [pair.p_adjusted for pair in together.pairs] == [min(1, 3 * pair.p) for pair in alone.pairs]
    assert "Bonferroni-adjusted over 3 comparisons" in together.families[0].methods


def test_the_seeds_protected_procedure_needs_the_whole_test() -> None:
    found = gc.compare(SAKAI, "friedman", adjust="none")
    overall = found.families[0].overall["p2"]
    assert [pair.p_adjusted for pair in found.pairs] == [max(pair.p, overall) for pair in found.pairs]
    assert "protected" in [note.slug for note in found.notes]
    assert "protected by the overall test" in found.families[0].methods


def test_methods_sentences() -> None:
    ten = scored(**{f"s{i}": np.random.default_rng(i).random(50) for i in range(10)})
    expected = "Two-sided paired t-test over 50 topics, Holm-adjusted over 9 comparisons, α = .05."
    assert gc.compare(ten, baseline="s0").families[0].methods == expected
    drawn = gc.compare(ten, "randomised-tukey", draws=1000, seed=7).families[0].methods
    assert drawn.startswith("Randomised Tukey HSD (1 000 permutations, seed 7, Monte Carlo error of p at most .0")
    assert drawn.endswith("over 50 topics, for 45 comparisons together, α = .05.")
    signature = str(gc.compare(ten, "randomised-tukey", draws=1000, seed=7).families[0].signature)
    assert signature.endswith("|test:randomised-tukey|alpha:0.05|draws:1000|seed:7|gaincurve:0")


def apart(*ahead: str) -> Comparison:
    """Five systems, those named far ahead of A."""
    random = np.random.default_rng(0)
    names = "ABCDE"
    return gc.compare(scored(**{n: random.random(20) * 0.1 + (0.05 if n in ahead else 0.0) for n in names}), "friedman")


def test_stars_are_written_as_in_the_seed() -> None:
    family = apart("D", "E").families[0]
    wanted = {pair.worse: pair.stars for pair in family.pairs if pair.significant}
    assert set(wanted) == {"A", "B", "C"}
    assert family.stars().replace(" ", "")[:4] in ("D,E>", "E,D>")
    one = replace(family, pairs=tuple(p for p in family.pairs if "A" in (p.a, p.b)))
    assert one.stars() in ("D, E > A**", "E, D > A**")
    assert replace(one, pairs=()).stars() == ""


def test_letters_and_groups() -> None:
    assert [letter(i) for i in (0, 25, 26, 701, 702)] == ["a", "z", "aa", "zz", "aaa"]
    differ = np.zeros((3, 3), dtype=bool)
    assert letter_groups(differ, [0, 1, 2]) == ["a", "a", "a"]
    differ[0, 2] = differ[2, 0] = True
    assert letter_groups(differ, [0, 1, 2]) == ["a", "ab", "b"]
    assert letter_groups(differ, [2, 1, 0]) == ["b", "ab", "a"]
    assert letter_groups(~np.eye(3, dtype=bool), [1, 0, 2]) == ["b", "a", "c"]


@pytest.mark.parametrize("seed", range(20))
def test_systems_share_a_letter_exactly_if_they_do_not_differ(seed: int) -> None:
    random = np.random.default_rng(seed)
    differ = random.random((7, 7)) < 0.4
    differ = np.triu(differ, 1)
    differ = differ | differ.T
    letters = letter_groups(differ, random.permutation(7).tolist())
    for i, j in itertools.combinations(range(7), 2):
        assert bool(set(letters[i]) & set(letters[j])) is not bool(differ[i, j])


def test_words_for_many_systems() -> None:
    found = apart("D", "E")
    words = found.sentences()[0]
    first, second = (found.runs[r] for r in found.families[0].best_first[:2])
    assert words == (
        f"On nDCG@10 {first} scores highest, ahead of {second} by 0.0150 (95% interval 0.0002 to 0.0297 for this pair "
        "alone; not significant after Holm over 10 comparisons, p = .407 by ranks within topics); it is significantly "
        f"better than B, A and C; {second} is not significantly worse, which does not mean that they are equal; "
        "6 of 10 pairs differ significantly."
    )
    nothing = gc.compare(SAKAI)
    assert nothing.sentences() == [
        "On nDCG@10 a scores highest, ahead of b by 0.0750 (95% interval 0.0008 to 0.1492 for this pair alone; not "
        "significant after Holm over 3 comparisons, p = .143); no two runs differ significantly."
    ]


def test_words_against_a_baseline_name_the_run_to_ship_and_by_how_much() -> None:
    rise = np.linspace(0.1, 0.2, 20)
    three = gc.compare(scored(a=A, b=A + rise, c=C), baseline="a")
    size = "by 0.1500 (95% interval 0.1354 to 0.1646, p < .0001 after Holm over 2 comparisons)"
    assert three.sentences() == [
        f"On nDCG@10 b is significantly better than a, {size}; c is not significantly different from a."
    ]
    four = gc.compare(scored(a=A, b=A + rise, c=A + rise / 2, d=A - rise), baseline="a").sentences()[0]
    assert four.startswith("On nDCG@10 b and c are significantly better than a, b the most, by 0.1500 (95% interval")
    assert four.endswith("; d is significantly worse than a.")
    none = gc.compare(SAKAI, baseline="a").sentences()[0]
    assert none.startswith("On nDCG@10 no run is significantly better than a; the best, b, is behind by 0.0750 (95%")
    assert none.endswith("; b and c are not significantly different from a.")
    same = gc.compare(scored(a=A, b=A, c=C), baseline="a").sentences()[0]
    assert "; the best, b, has the same mean;" in same


def test_words_of_three_runs_say_by_how_much_the_first_leads() -> None:
    rise = np.linspace(0.1, 0.2, 20)
    best = gc.compare(scored(a=A, b=A + rise, c=A - rise)).sentences()[0]
    assert best == (
        "On nDCG@10 b scores highest, ahead of a by 0.1500 (95% interval 0.1354 to 0.1646, p < .0001 after Holm over "
        "3 comparisons); it is significantly better than every other run; 3 of 3 pairs differ significantly."
    )
    level = gc.compare(scored(a=A, b=A, c=A - rise)).sentences()[0]
    assert level.startswith("On nDCG@10 a scores highest, level with b; it is significantly better than c; b is not")


def test_a_run_more_changes_no_other_pair_before_holm() -> None:
    two, three = gc.compare(scored(a=A, b=B)).pairs[0], gc.compare(scored(a=A, b=B, c=C))["nDCG@10", "a", "b"]
    for name in ("difference", "low", "high", "p"):
        assert getattr(two, name) == getattr(three, name)
    assert three.p_adjusted == 3 * two.p


@pytest.mark.parametrize("topics", [2, 12, 60, 500])
def test_a_constant_shift_has_the_p_of_the_exact_sign_flip_and_no_interval(topics: int) -> None:
    random = np.random.default_rng(topics)
    base = random.random(topics)
    found = gc.compare(scored(a=base, b=base + 0.1, c=base + random.normal(0, 0.01, topics)))
    pair = found["nDCG@10", "a", "b"]
    assert pair.p == 2.0 ** (1 - topics)
    assert not pair.has_interval
    assert (pair.to_dict()["low"], pair.to_dict()["high"]) == (None, None)
    assert not any(math.isnan(other.p_adjusted) for other in found.pairs)
    alone = gc.compare(scored(a=base, b=base + 0.1))
    assert "by 0.1000 (no interval, as nothing varies, p " in alone.sentences()[0]
    assert alone.pairs[0].significant is (topics > 2)


def test_a_measure_where_less_is_better_turns_the_verdict() -> None:
    family: Family = gc.compare(scored(a=A, b=B)).families[0]
    low = replace(family, higher_is_better=False)
    assert [family.runs[r] for r in family.best_first] == ["a", "b"]
    assert [low.runs[r] for r in low.best_first] == ["b", "a"]


@pytest.mark.parametrize(("p", "text"), [
    (0.04779, ".048"), (0.0016, ".0016"), (0.00004, "< .0001"), (1.0, "1"), (math.nan, "–"), (0.9999, "1.000"),
    (0.05, ".050"), (0.0502, ".0502"), (0.05003, ".05003"), (0.0498, ".0498"), (0.01002, ".01002"), (0.00996, ".00996"),
    (0.1001, ".1001"), (0.050000000000001, ".0500000000"),
])  # fmt: skip
def test_p_is_never_printed_as_0_nor_as_a_level_that_it_is_not(p: float, text: str) -> None:
    assert p_text(p) == text


@pytest.mark.parametrize("level", [0.1, 0.05, 0.01, 0.005, 0.001])
def test_a_printed_p_is_on_the_side_of_a_level_where_its_stars_are(level: float) -> None:
    for off in np.linspace(-0.001, 0.001, 2001):
        p = level * (1 + off)
        assert (float(p_text(p)) <= level) == (p <= level), p


def test_names_are_joined() -> None:
    assert (joined(["a"]), joined(["a", "b"]), joined(list("abc"))) == ("a", "a and b", "a, b and c")
    assert joined(list("abcdefgh")) == "a, b, c, d, e, … (8 in all)"


def test_the_json_shape() -> None:
    shape = gc.compare(SAKAI, baseline="c").to_dict()
    assert shape["schema"] == "gaincurve.comparison/1"
    wanted = {"measure", "a", "b", "mean_a", "mean_b", "difference", "low", "high", "p", "p_adjusted", "effect"}
    for pair in shape["pairs"]:  # type: ignore[attr-defined]
        assert set(pair) >= wanted | {"wins", "ties", "losses"}
    assert shape["method"]["baseline"] == "c"  # type: ignore[index]


def test_pairs_by_name() -> None:
    found = gc.compare(SAKAI)
    assert found["nDCG@10", "b", "a"] is found["nDCG@10", "a", "b"]
    with pytest.raises(KeyError, match="not compared"):
        found["nDCG@10", "a", "z"]
    assert found.families[0].topic_differences("a", "c")[0] == ("t000", 0.7)
    assert repr(found) == "Comparison(t: 3 pairs, 0 significant, nDCG@10)"


def test_topics_needed_for_a_difference() -> None:
    found = gc.compare(scored(a=A, b=B))
    one = detectable(found, 0.05)[0]
    spread = float(np.std(np.array(A) - np.array(B), ddof=1))
    assert one.spread == pytest.approx(spread)
    assert one.needed == gc.stats.topics_needed(0.05 / spread)
    assert one.found == pytest.approx(gc.stats.detectable_difference(spread, 20))
    with pytest.raises(GaincurveError, match="statistics-value"):
        detectable(found, 0)


def test_topics_needed_where_differences_are_all_the_same() -> None:
    """0.3 and 0.1 + 0.2 differ by how they are rounded, which is no spread."""
    level = detectable(gc.compare(scored(a=[0.3, 0.8, 0.5], b=[0.1 + 0.1, 0.7, 0.4])), 0.05)[0]
    assert (level.needed, level.spread, level.found) == (None, 0.0, 0.0)


def test_the_bootstrap_interval_is_a_choice() -> None:
    ends = [gc.compare(scored(a=A, b=B), "bootstrap", interval=kind).pairs[0].low for kind in ("bca", "percentile")]
    assert ends[0] != ends[1]
    assert ends == pytest.approx([0.01, 0.01], abs=0.01)


@pytest.mark.parametrize("test", ["tukey", "randomised-tukey", "max-t"])
def test_simultaneous_intervals_decide_as_p_does(test: str) -> None:
    for seed in range(5):
        given = {"baseline": "s0"} if test == "max-t" else {}
        found = gc.compare(many(seed), test, draws=2000, **given)  # type: ignore[arg-type]
        for pair in found.pairs:
            outside = pair.low > 0 or pair.high < 0
            if test == "max-t":  # step-down finds at least what the single-step interval does
                assert pair.significant or not outside
            else:
                assert pair.significant == outside or pair.low == 0 or pair.high == 0


AHEAD = np.array([0.55] * 18 + [-0.4] * 2) + np.linspace(0, 0.001, 20)
"""Ahead of .5 on 18 of 20 topics, behind in the mean."""


@pytest.mark.parametrize(("test", "by"), [
    ("sign", "topics won"), ("wilcoxon", "signed ranks of differences"), ("friedman", "ranks within topics"),
])  # fmt: skip
def test_a_test_on_ranks_names_its_own_winner(test: str, by: str) -> None:
    found = gc.compare(scored(a=AHEAD, b=[0.5] * 20), test)
    pair = found.pairs[0]
    assert pair.difference < 0
    assert (pair.wins, pair.losses) == (18, 2)
    assert (pair.significant, pair.better) == (True, "a")
    assert found.families[0].stars().startswith("a > b*")
    words = found.sentences()[0]
    assert f"a is ahead of b by {by} (a better on 18, b on 2 of 20 topics), significantly" in words
    assert words.endswith("although the mean of b is better by 0.0445.")
    low = replace(scored(a=-AHEAD, b=[-0.5] * 20), measures=(gc.parse_measure("FirstRank"),))
    assert gc.compare(low, test).pairs[0].better == "a"


def test_tests_of_means_go_by_means() -> None:
    for test in ("t", "randomisation", "bootstrap", "tukey", "randomised-tukey"):
        assert gc.compare(scored(a=AHEAD, b=[0.5] * 20), test).pairs[0].better == "b"


def test_words_where_ranks_and_means_disagree() -> None:
    three = scored(a=AHEAD, b=[0.5] * 20, c=0.4 + np.linspace(0, 0.01, 20))
    assert gc.compare(three, "friedman").sentences() == [
        "On nDCG@10 b scores highest, ahead of a by 0.0445 (95% interval -0.0923 to 0.1813, p = .0002 by ranks within "
        "topics after Holm over 3 comparisons), but a is significantly better by ranks within topics; 3 of 3 pairs "
        "differ significantly. The test compares ranks within topics; the means point the other way for a over b."
    ]
    assert gc.compare(three, "sign", baseline="b").sentences() == [
        "On nDCG@10 a is significantly better than b, by -0.0445 (95% interval -0.1813 to 0.0923, p = .0004 by topics "
        "won after Holm over 2 comparisons); c is significantly worse than b. The test compares topics won; the "
        "means point the other way for a over b."
    ]
    even = gc.compare(scored(a=[0.9, 0.9, 0.4, 0.4] * 3, b=[0.5] * 12), "sign")
    assert even.pairs[0].better == ""
    assert even.sentences() == [
        "On nDCG@10 neither a nor b is ahead by topics won (p = 1), although the mean of a is better by 0.1500."
    ]
    assert "the means are equal" in gc.compare(scored(a=[0.6] * 8 + [0.1] * 2, b=[0.5] * 10), "sign").sentences()[0]


@pytest.mark.parametrize("test", PAIRED)
def test_p_is_never_0(test: str) -> None:
    random = np.random.default_rng(0)
    far = scored(**{name: random.random(1200) * 1e-6 + i for i, name in enumerate("abc")})
    given = {"baseline": "a"} if test == "max-t" else {}
    found = gc.compare(far, test, draws=100, **given)  # type: ignore[arg-type]
    assert all(0 < pair.p <= pair.p_adjusted < 0.05 for pair in found.pairs)
    assert all(value != 0 for name, value in found.families[0].overall.items() if name.startswith("p"))


def test_identical_systems_have_intervals_of_no_width() -> None:
    for test in PAIRED:
        given = {"baseline": "a"} if test == "max-t" else {}
        found = gc.compare(scored(a=A, b=A, c=A), test, **given)  # type: ignore[arg-type]
        assert {(pair.low, pair.high) for pair in found.pairs} == {(0.0, 0.0)}
        if test != "max-t":
            assert found.sentences() == ["On nDCG@10 all runs have the same mean."]


@pytest.mark.parametrize("topics", [2, 3, 4, 5])
def test_too_few_topics_have_no_simultaneous_interval(topics: int) -> None:
    """2^n sign vectors reach each |t| twice at least: below 2/2^n no level can be kept."""
    found = gc.compare(scored(a=A[:topics], b=B[:topics], c=C[:topics]), "max-t", baseline="a")
    for pair in found.pairs:
        assert math.isnan(pair.low) or -1 < pair.low <= pair.high < 1
    if 0.05 * 2**topics < 1:
        assert all(math.isnan(pair.low) for pair in found.pairs)


def test_only_what_was_drawn_is_signed_as_drawn() -> None:
    exact = gc.compare(scored(a=A, b=B), "randomisation")
    assert "draws" not in str(exact.families[0].signature)
    assert exact.to_dict()["method"]["draws"] is exact.to_dict()["method"]["seed"] is None  # type: ignore[index]
    random = np.random.default_rng(0)
    drawn = gc.compare(scored(a=random.random(60), b=random.random(60)), "randomisation", seed=3)
    assert "|draws:100000|seed:3|" in str(drawn.families[0].signature)
    assert drawn.to_dict()["method"]["seed"] == 3  # type: ignore[index]


def test_a_tiny_monte_carlo_error_is_not_0() -> None:
    far = scored(a=np.linspace(0.9, 1, 60) ** 0.5, b=np.linspace(0, 0.1, 60) ** 2)
    assert "Monte Carlo error of p < .0001)" in gc.compare(far, "randomisation", draws=100_000).families[0].methods


@pytest.mark.parametrize("test", PAIRED)
def test_a_pair_the_other_way_round_differs_in_its_sign_only(test: str) -> None:
    scores = many()
    given = {"baseline": "s2"} if test == "max-t" else {}
    one, two = (gc.compare(s, test, draws=500, **given) for s in (scores, turned(scores)))  # type: ignore[arg-type]
    for pair in one.pairs:
        other = two["nDCG@10", pair.a, pair.b]
        sign = 1 if other.a == pair.a else -1
        ends = (other.low, other.high) if sign > 0 else (-other.high, -other.low)
        assert (*ends, sign * other.effect, sign * other.hedges_g) == (pair.low, pair.high, pair.effect, pair.hedges_g)
        assert other.p_adjusted == pair.p_adjusted


def test_methods_say_which_measure_they_hold_for() -> None:
    two = scored(2, a=A, b=B)
    assert gc.compare(two).methods() == ["Two-sided paired t-test over 20 topics, 1 comparison, α = .05."]
    values = two.values.copy()
    values[:, 1, :8] = math.nan
    assert gc.compare(replace(two, values=values)).methods() == [
        "nDCG@10: Two-sided paired t-test over 20 topics, 1 comparison, α = .05.",
        "nDCG@20: Two-sided paired t-test over 12 topics, 1 comparison, α = .05.",
    ]


def test_an_unknown_interval_is_refused_by_every_test() -> None:
    with pytest.raises(GaincurveError, match="choice-unknown"):
        gc.compare(SAKAI, "t", interval="zz")
