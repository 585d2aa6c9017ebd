"""The measures that the 2002 paper compares with: numbers of the literature, hand arithmetic, and brute force on ties.

Every value goes through the public interface, as Python objects and once more as files.
"""

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

import gaincurve as gc
from gaincurve.errors import ChoiceError

Table = dict[str, dict[str, float]]
Grades = Sequence[Sequence[int | None]]
"""Tied blocks, best first, each with the grades of its documents; None stands for an unjudged document."""


def weak_order(blocks: Grades, missed: Sequence[int] = ()) -> tuple[Table, Table]:
    """Judgments and a run of one topic whose documents tie block by block; `missed` are grades not retrieved."""
    grades: dict[str, float] = {f"m{i}-0": grade for i, grade in enumerate(missed)}
    scores: dict[str, float] = {}
    for height, block in enumerate(blocks):
        for place, grade in enumerate(block):
            document = f"d{height}-{place}"
            scores[document] = 100.0 - height
            if grade is not None:
                grades[document] = grade
    return {"t": grades}, {"t": scores}


def ranked(grades: str, missed: Sequence[int] = ()) -> tuple[Table, Table]:
    """A list without ties: one digit a rank, '-' for an unjudged document."""
    return weak_order([[None if g == "-" else int(g)] for g in grades], missed)


def write(folder: Path, judgments: Table, run: Table) -> tuple[Path, Path]:
    qrels, listed = folder / "q.qrels", folder / "a.run"
    qrels.write_text("".join(f"{t} 0 {d} {g}\n" for t, row in judgments.items() for d, g in row.items()))
    listed.write_text("".join(f"{t} Q0 {d} 0 {s} x\n" for t, row in run.items() for d, s in row.items()))
    return qrels, listed


Value = Callable[..., float]


@pytest.fixture(params=["objects", "files"])
def value(request: pytest.FixtureRequest, tmp_path: Path) -> Value:
    """The value of the one topic, from Python objects or from files."""

    def found(case: tuple[Table, Table], measure: str, **choices: object) -> float:
        if request.param == "files":
            scores = gc.evaluate_files(*write(tmp_path, *case), measure, **choices)
        else:
            scores = gc.evaluate(*case, measure, **choices)
        return scores.values.item()

    return found


def orders(blocks: list[list[int]]) -> Iterator[list[int]]:
    """Every order of the whole list that a weak order allows."""
    for choice in itertools.product(*(itertools.permutations(block) for block in blocks)):
        yield [grade for block in choice for grade in block]


def expected(blocks: list[list[int]], of: Callable[[list[int]], Fraction]) -> float:
    """The mean of a value over all orders, in exact arithmetic."""
    values = [of(order) for order in orders(blocks)]
    return float(sum(values, Fraction(0)) / len(values))


def random_blocks(seed: int) -> list[list[int]]:
    draw = random.Random(seed)
    blocks = [[draw.choice([0, 0, 1, 2]) for _ in range(draw.randint(1, 4))] for _ in range(draw.randint(1, 3))]
    blocks[-1][-1] = 1
    return blocks


RANDOM = [random_blocks(seed) for seed in range(25)]

# ESL


def test_expected_search_length_of_van_rijsbergen(value: Value) -> None:
    """Information Retrieval, 2nd ed., chapter 7, the example of Cooper's model: six are wanted, the need is met at
    level 3 with two relevant documents among five, three others stand before; lengths 3 4 5 6 have the probabilities
    .4 .3 .2 .1, so ESL = 4."""
    levels = [[1, 1, 0], [1, 1, 1, 0, 0], [1, 1, 0, 0, 0]]
    assert value(weak_order(levels), "ESL(wanted=6)") == 4
    assert value(weak_order(levels), "ESL(wanted=7)") == 5  # 3 + 3·2/3
    assert value(weak_order(levels), "ESL(wanted=6, count='all')") == 10


def test_expected_search_length_by_hand(value: Value) -> None:
    """Cooper 1968: j + i·s/(r + 1)."""
    assert value(weak_order([[1, 0, 0, 0]]), "ESL") == 1.5
    assert value(weak_order([[0], [1]]), "ESL") == 1
    assert value(weak_order([[1], [0]]), "ESL") == 0
    assert value(weak_order([[0, 0], [1, 0, 0, 1]]), "ESL") == pytest.approx(2 + 2 / 3, abs=1e-15)
    assert value(weak_order([[0, 0], [1, 0, 0, 1]]), "ESL(wanted=2)") == pytest.approx(2 + 4 / 3, abs=1e-15)


def search_length(order: list[int], wanted: int, rel: int = 1) -> Fraction:
    """Documents that are not relevant before the wanted-th relevant one."""
    found = passed = 0
    for grade in order:
        found += grade >= rel
        if found == wanted:
            return Fraction(passed)
        passed += grade < rel
    raise AssertionError("there are too few")


@pytest.mark.parametrize("blocks", RANDOM, ids=str)
def test_expected_search_length_is_the_mean_over_all_orders(blocks: list[list[int]]) -> None:
    for rel in (1, 2):
        relevant = sum(grade >= rel for block in blocks for grade in block)
        for wanted in range(1, relevant + 1):
            right = expected(blocks, lambda order, w=wanted, r=rel: search_length(order, w, r))
            found = gc.evaluate(*weak_order(blocks), f"ESL(rel={rel}, wanted={wanted})")
            assert found.values.item() == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize("ties", ["trec", "average", "trec-float32"])
@pytest.mark.parametrize("measure", ["ESL(wanted=2)", "ASL"])
def test_blocks_count_as_blocks_under_every_rule_that_looks_at_scores(value: Value, measure: str, ties: str) -> None:
    case = weak_order([[0, 1, 0], [1, 0, 1, 0]])
    assert value(case, measure, ties=ties) == value(case, measure)


def test_unjudged_documents_are_read_in_vain(value: Value) -> None:
    assert value(weak_order([[None, None, 1], [None], [1]]), "ESL") == 1
    assert value(weak_order([[None, None, 1], [None], [1]]), "ESL(wanted=2)") == 3


def test_expected_search_length_is_undefined_where_fewer_were_found_than_wanted(value: Value) -> None:
    assert math.isnan(value(ranked("0010", missed=[1]), "ESL(wanted=2)"))
    assert math.isnan(value(ranked("000", missed=[1]), "ESL"))
    assert math.isnan(value(ranked("000"), "ESL"))


# ASL


def test_average_search_length_by_hand(value: Value) -> None:
    assert value(ranked("1000010001"), "ASL") == pytest.approx(17 / 3, abs=1e-15)
    assert value(ranked("1000010001", missed=[1]), "ASL") == pytest.approx(17 / 3, abs=1e-15)
    assert value(ranked("1000010001", missed=[1]), "ASL(N=30)") == 9.375
    assert value(ranked("1000010001"), "ASL(N=30)") == pytest.approx(17 / 3, abs=1e-15)
    assert value(weak_order([[1, 0, 0], [1]]), "ASL") == 3  # ranks 2 and 4
    assert value(ranked("-2-1"), "ASL(only=2)") == 2
    assert value(ranked("-2-1"), "ASL(rel=2)") == 2


@pytest.mark.parametrize("blocks", RANDOM, ids=str)
def test_average_search_length_is_the_mean_over_all_orders(blocks: list[list[int]]) -> None:
    def mean_rank(order: list[int]) -> Fraction:
        ranks = [rank for rank, grade in enumerate(order, start=1) if grade >= 1]
        return Fraction(sum(ranks), len(ranks))

    case = weak_order(blocks)
    assert gc.evaluate(*case, "ASL").values.item() == pytest.approx(expected(blocks, mean_rank), abs=1e-12)


@pytest.mark.parametrize("blocks", RANDOM[:6], ids=str)
def test_documents_not_retrieved_stand_anywhere_below_the_list(blocks: list[list[int]]) -> None:
    """The rest of a collection of N as one last tied block: every place from n + 1 to N is as likely."""
    size = sum(map(len, blocks))
    case = weak_order(blocks, missed=[1, 1])
    whole = weak_order([*blocks, [1, 1, *[None] * 9]])
    assert gc.evaluate(*case, f"ASL(N={size + 11})").values == pytest.approx(gc.evaluate(*whole, "ASL").values)


def test_average_search_length_is_undefined_where_none_was_found(value: Value) -> None:
    assert math.isnan(value(ranked("00", missed=[1]), "ASL"))
    assert value(ranked("00", missed=[1]), "ASL(N=10)") == 6.5  # places 3 to 10
    assert math.isnan(value(ranked("00"), "ASL(N=10)"))


# NR


def at_ranks(*ranks: int, length: int) -> tuple[Table, Table]:
    return ranked("".join("1" if rank in ranks else "-" for rank in range(1, length + 1)))


@pytest.mark.parametrize(
    ("ranks", "n", "printed"),
    [((44,), 83, 0.4756098), ((41,), 83, 0.5121951), ((1, 13, 18, 27, 32), 83, 0.8051282)],
)
def test_normalised_recall_as_printed_by_smart(value: Value, ranks: tuple[int, ...], n: int, printed: float) -> None:
    """Scientific report ISR-11 (Salton, ed., 1966), chapter VI, figures 11 and 12: SMART on the collection ADI."""
    assert value(at_ranks(*ranks, length=n), f"NR(N={n})") == pytest.approx(printed, abs=5.1e-8)


def test_normalised_recall_by_hand(value: Value) -> None:
    assert value(ranked("1000010001"), "NR(N=20)") == pytest.approx(1 - 11 / 51, abs=1e-15)
    assert value(ranked("111"), "NR(N=20)") == 1
    assert value(ranked("0001"), "NR(N=4)") == 0
    assert value(ranked("10", missed=[1, 1]), "NR(N=10)") == pytest.approx(1 - (1 + 9 + 10 - 6) / 21, abs=1e-15)
    assert value(ranked("00", missed=[1, 1]), "NR(N=10)") == 0  # the worst there is


@pytest.mark.parametrize("blocks", RANDOM, ids=str)
def test_normalised_recall_with_ties_averaged_is_the_mean_over_all_orders(blocks: list[list[int]]) -> None:
    def of(order: list[int]) -> Fraction:
        ranks = [rank for rank, grade in enumerate(order, start=1) if grade >= 1]
        relevant = len(ranks)
        return 1 - Fraction(sum(ranks) - relevant * (relevant + 1) // 2, relevant * (20 - relevant))

    case = weak_order(blocks)
    found = gc.evaluate(*case, "NR(N=20)", ties="average").values.item()
    assert found == pytest.approx(expected(blocks, of), abs=1e-12)


def test_normalised_recall_is_undefined_without_contrast(value: Value) -> None:
    assert math.isnan(value(ranked("000"), "NR(N=10)"))
    assert math.isnan(value(ranked("111"), "NR(N=3)"))


@pytest.mark.parametrize("measure", ["NR(N=3)", "ASL(N=3)", "Fallout(N=3)"])
def test_a_collection_smaller_than_what_was_retrieved_or_judged_is_refused(value: Value, measure: str) -> None:
    for case in (ranked("1000"), ranked("10", missed=[1, 0])):
        with pytest.raises(ChoiceError) as caught:
            value(case, measure)
        assert caught.value.slug == "measure-parameter"
        assert "N=3" in str(caught.value)
        assert "4 documents that were retrieved or judged" in str(caught.value)


def test_retrieved_and_judged_together_are_in_the_collection(value: Value) -> None:
    """Three documents retrieved, none of them judged, and two relevant ones missed: the collection has five at least.

    With N = 4 the missed documents would have to stand where retrieved ones do, and fallout would be 3/2."""
    case = ranked("---", missed=[1, 1])
    assert value(case, "NR(N=5)") == 0
    assert value(case, "ASL(N=5)") == 4.5
    assert value(case, "Fallout(N=5)") == 1
    for measure in ("NR(N=4)", "ASL(N=4)", "Fallout(N=4)"):
        with pytest.raises(ChoiceError, match="5 documents that were retrieved or judged"):
            value(case, measure)


# SR


@pytest.mark.parametrize(
    ("rank", "printed"), [(1, 1), (2, 1), (3, 0.67), (4, 0.75), (5, 0.60), (6, 0.80), (7, 0.80), (13, 1), (14, 1)]
)
def test_sliding_ratio_as_printed_by_keen(value: Value, rank: int, printed: float) -> None:
    """Report IRS-13 (1967), chapter II, figure 6: five relevant documents at ranks 1, 2, 4, 6, 13."""
    case = at_ranks(1, 2, 4, 6, 13, length=20)
    assert value(case, f"SR@{rank}") == pytest.approx(printed, abs=0.005001)


def test_sliding_ratio_by_hand(value: Value) -> None:
    """Weights as in Pollack's and Korfhage's tables: sums of the list over sums of its best order."""
    weights = "731054921"
    best = sorted(map(int, weights), reverse=True)
    for k in range(1, 10):
        right = sum(map(int, weights[:k])) / sum(best[:k])
        assert value(ranked(weights), f"SR@{k}") == pytest.approx(right, abs=1e-15)
        assert value(ranked(weights, missed=[9]), f"SR@{k}") == pytest.approx(right, abs=1e-15)  # misses are not seen
        assert value(ranked(weights), f"nCG(ideal='retrieved')@{k}") == value(ranked(weights), f"SR@{k}")
    assert value(ranked(weights), "SR") == 1  # the whole list is any order of itself
    assert value(ranked("021"), "SR(gains='0-1-10')@2") == pytest.approx(10 / 11, abs=1e-15)


def test_sliding_ratio_without_gain(value: Value) -> None:
    assert value(ranked("00", missed=[2]), "SR@2") == 0  # there was something to find
    assert math.isnan(value(ranked("00"), "SR@2"))


# SFT


def test_satisfaction_frustration_total_by_hand(value: Value) -> None:
    case = ranked("2010")
    assert value(case, "SFT(part='satisfaction')@2") == pytest.approx(2 / 3, abs=1e-15)
    assert value(case, "SFT(part='frustration')@2") == 0.5
    assert value(case, "SFT@2") == pytest.approx(7 / 12, abs=1e-15)
    assert value(case, "SFT(w=1)@2") == pytest.approx(2 / 3, abs=1e-15)
    assert value(case, "SFT(w=0)@2") == 0.5
    assert value(case, "SFT(w=0.25)@2") == pytest.approx(0.25 * 2 / 3 + 0.75 * 0.5, abs=1e-15)
    assert value(case, "SFT@1") == 1
    assert value(case, "SFT") == 0.5  # at the end both lists have given all they have


def test_frustration_by_grade(value: Value) -> None:
    """Grade 0 frustrates fully, grade 1 by half; worst first the list is 1 1 .5 0."""
    case, by = ranked("0120"), "frustration='0=1,1=0.5,2=0'"
    assert value(case, f"SFT(part='frustration', {by})@1") == 1
    assert value(case, f"SFT(part='frustration', {by})@2") == 0.75
    assert value(case, f"SFT(part='frustration', {by})@3") == pytest.approx(1.5 / 2.5, abs=1e-15)
    assert value(case, f"SFT({by})@2") == pytest.approx((1 / 3 + 0.25) / 2, abs=1e-15)


def test_unjudged_documents_frustrate(value: Value) -> None:
    assert value(ranked("-1"), "SFT(part='frustration')@1") == 1
    assert value(ranked("1-0"), "SFT(part='frustration')@2") == 0.5
    assert value(ranked("1-0"), "SFT(part='frustration', frustration='0=0.5,1=0')@3") == 1


def test_a_list_with_nothing_frustrating(value: Value) -> None:
    assert value(ranked("21"), "SFT(part='frustration')@1") == 0
    assert value(ranked("21"), "SFT@1") == 1


def test_satisfaction_is_undefined_where_nothing_can_satisfy(value: Value) -> None:
    for part in ("total", "satisfaction", "frustration"):
        assert math.isnan(value(ranked("00"), f"SFT(part='{part}')@2"))


def plain_sft(order: list[int], k: int) -> Fraction:
    gain, worst = sorted(order, reverse=True), sorted((int(g == 0) for g in order), reverse=True)
    satisfied = Fraction(sum(order[:k]), sum(gain[:k]))
    bad = Fraction(sum(g == 0 for g in order[:k]), sum(worst[:k])) if sum(worst[:k]) else Fraction(0)
    return (satisfied + 1 - bad) / 2


@pytest.mark.parametrize("blocks", RANDOM, ids=str)
@pytest.mark.parametrize("k", [1, 2, 4])
def test_satisfaction_frustration_total_over_all_orders_of_ties(blocks: list[list[int]], k: int) -> None:
    right = expected(blocks, lambda order: plain_sft(order, k))
    found = gc.evaluate(*weak_order(blocks), f"SFT@{k}", ties="average")
    assert found.values.item() == pytest.approx(right, abs=1e-12)


# CosRel


def scored(*pairs: tuple[float, int | None]) -> tuple[Table, Table]:
    judgments = {f"d{i}": grade for i, (_, grade) in enumerate(pairs) if grade is not None}
    return {"t": judgments}, {"t": {f"d{i}": score for i, (score, _) in enumerate(pairs)}}


def test_relative_relevance_by_hand(value: Value) -> None:
    assert value(scored((3, 1), (2, 0), (1, 1)), "CosRel") == pytest.approx(4 / math.sqrt(28), abs=1e-15)
    assert value(scored((3, 3), (2, 2), (1, 1)), "CosRel") == pytest.approx(1, abs=1e-15)
    assert value(scored((-2, 1), (-1, 1)), "CosRel") == pytest.approx(-3 / math.sqrt(10), abs=1e-15)
    assert value(scored((3, 1), (2, None), (1, 1)), "CosRel") == pytest.approx(4 / math.sqrt(28), abs=1e-15)
    graded = (3 * 10 + 1) / (math.sqrt(14) * math.sqrt(101))
    assert value(scored((3, 2), (2, 0), (1, 1)), "CosRel(gains='0-1-10')") == pytest.approx(graded, abs=1e-15)


def test_relative_relevance_does_not_see_the_order_of_equal_products(value: Value) -> None:
    assert value(scored((1, 1), (1, 0)), "CosRel") == value(scored((1, 0), (1, 1)), "CosRel")


def test_relative_relevance_of_a_condensed_list(value: Value) -> None:
    """Without the unjudged document the scores are 3 and 1, the gains 1 and 1: 4/(√10·√2)."""
    case = scored((3, 1), (2, None), (1, 1))
    assert value(case, "CosRel", unjudged="condensed") == pytest.approx(4 / math.sqrt(20), abs=1e-15)


def test_explain_tells_no_wrong_relative_relevance_on_the_way() -> None:
    """The first document alone has the cosine 1; where that cannot be told, nothing is."""
    case = scored((3, 1), (2, None), (1, 1))
    steps = gc.explain(*case, "t", "CosRel").steps
    assert math.isnan(steps[0].value) or steps[0].value == pytest.approx(1, abs=1e-15)
    assert steps[-1].value == pytest.approx(4 / math.sqrt(28), abs=1e-15)


def test_relative_relevance_between_two_judges() -> None:
    """Grades 3 0 1 of one and 2 1 0 of the other: 6/(√10·√5)."""
    one, other = gc.Judgments.of({"t": {"a": 3, "b": 0, "c": 1}}), gc.Judgments.of({"t": {"a": 2, "b": 1, "c": 0}})
    right = 6 / math.sqrt(50)
    assert gc.evaluate(one, other.to_dict(), "CosRel").values.item() == pytest.approx(right, abs=1e-15)
    assert gc.evaluate(other, one.to_dict(), "CosRel").values.item() == pytest.approx(right, abs=1e-15)


def test_relative_relevance_is_undefined_without_gain_or_score(value: Value) -> None:
    assert math.isnan(value(scored((3, 0), (2, 0)), "CosRel"))
    assert math.isnan(value(scored((0, 1), (0, 0)), "CosRel"))


def test_relative_relevance_needs_scores() -> None:
    with pytest.raises(ChoiceError) as caught:
        gc.evaluate({"t": {"a": 1}}, {"t": ["a", "b"]}, "CosRel")
    assert caught.value.slug == "measure-needs-scores"


# RHL


def test_ranked_half_life_by_hand(value: Value) -> None:
    assert value(ranked("3230012230"), "RHL") == 3.5
    assert value(ranked("1"), "RHL") == 1  # the middle of rank 1, from ½ to 1½
    assert value(ranked("0001"), "RHL") == 4
    assert value(ranked("10000001"), "RHL") == 1.5  # half is reached exactly at the end of rank 1
    assert value(ranked("111"), "RHL") == 2
    assert value(ranked("--21"), "RHL") == pytest.approx(2.5 + 1.5 / 2, abs=1e-15)
    assert value(ranked("21"), "RHL(gains='0-1-10')") == pytest.approx(0.5 + 5.5 / 10, abs=1e-15)


def test_ranked_half_life_is_the_median_of_grouped_data(value: Value) -> None:
    """Borlund & Ingwersen take the textbook's median of grouped data, L + (n/2 − F)/f · CI with L the class's lower
    boundary and CI = 1. Here: gains 1 0 2 0 3 1, n = 7, the median class is rank 5, F = 3, f = 3."""
    assert value(ranked("102031"), "RHL") == pytest.approx(4.5 + (3.5 - 3) / 3, abs=1e-15)


@pytest.mark.parametrize(
    ("gains", "right"),
    [
        ({10: 1.0, 18: 0.4, 25: 0.6}, 10.5),
        ({7: 1.2, 13: 0.6, 22: 0.8, 24: 1.0}, 13.5),
        ({1: 0.3, 9: 0.1, 10: 0.2}, 1.5),
    ],
)
def test_ranked_half_life_of_fractional_gains_that_round(gains: dict[int, float], right: float) -> None:
    """Half is reached exactly at the end of a rank; sums of fractions must not carry it over the gap that follows."""
    judgments: Table = {"t": {f"d{rank:02}": gain for rank, gain in gains.items()}}
    run = {"t": [f"d{rank:02}" for rank in range(1, 30)]}
    assert gc.evaluate(judgments, run, "RHL").values.item() == pytest.approx(right, abs=1e-9)


def plain_half_life(gains: dict[int, float]) -> float:
    """The median of grouped data, in exact arithmetic."""
    exact = {rank: Fraction(str(gain)) for rank, gain in sorted(gains.items())}
    half, before = sum(exact.values()) / 2, Fraction(0)
    for rank, gain in exact.items():
        if before + gain >= half:
            return float(rank - Fraction(1, 2) + (half - before) / gain)
        before += gain
    raise AssertionError("half is always reached")


@pytest.mark.parametrize("seed", range(5))
def test_ranked_half_life_of_many_lists(seed: int) -> None:
    draw = random.Random(seed)
    lists = {
        f"t{i}": {r: draw.randint(1, 20) / 10 for r in draw.sample(range(1, 30), draw.randint(1, 6))}
        for i in range(500)
    }
    judgments = {topic: {f"d{r:02}": g for r, g in gains.items()} for topic, gains in lists.items()}
    run = {topic: [f"d{rank:02}" for rank in range(1, 30)] for topic in lists}
    for topic, value in gc.evaluate(judgments, run, "RHL")["run", "RHL"].items():
        assert value == pytest.approx(plain_half_life(lists[topic]), abs=1e-9), lists[topic]


def test_no_expected_half_life_is_offered(value: Value) -> None:
    with pytest.raises(gc.ChoiceError, match="measure-no-ties"):
        value(weak_order([[1, 0, 1, 0]]), "RHL", ties="average")


def test_ranked_half_life_is_undefined_without_gain(value: Value) -> None:
    assert math.isnan(value(ranked("00", missed=[3]), "RHL"))


# gP, gR


def test_generalised_precision_and_recall_by_hand(value: Value) -> None:
    case = ranked("3230012230", missed=[3, 1, 1, 1])  # recall base 3 3 3 3 2 2 2 1 1 1 1
    for k, total in {1: 3, 3: 8, 5: 8, 10: 16, 20: 16}.items():
        assert value(case, f"gP@{k}") == pytest.approx(total / (3 * k), abs=1e-15)
        assert value(case, f"gR@{k}") == pytest.approx(total / 22, abs=1e-15)
    assert value(case, "gP(gains='0-1-10-100')@5") == pytest.approx(210 / 500, abs=1e-15)
    assert value(case, "gR(gains='0-1-10-100')@5") == pytest.approx(210 / 434, abs=1e-15)


def test_binary_generalised_measures_are_precision_and_recall(value: Value) -> None:
    case = ranked("3-30012230", missed=[3, 1])
    for k in (1, 4, 10, 12):
        assert value(case, f"gP(gains='binary')@{k}") == pytest.approx(value(case, f"P@{k}"), abs=1e-15)
        assert value(case, f"gR(gains='binary')@{k}") == pytest.approx(value(case, f"R@{k}"), abs=1e-15)


def test_generalised_measures_where_nothing_has_a_gain(value: Value) -> None:
    assert value(ranked("00"), "gP@2") == 0
    assert math.isnan(value(ranked("00"), "gR@2"))


def test_generalised_precision_takes_the_highest_gain_of_all_judgments() -> None:
    """A topic in which the best grade is 1 cannot have full precision where other topics know grade 3."""
    judgments = {"a": {"d": 1}, "b": {"e": 3}}
    scores = gc.evaluate(judgments, {"a": ["d"], "b": ["e"]}, "gP@1")
    assert scores["run", "gP@1"].values.tolist() == pytest.approx([1 / 3, 1], abs=1e-15)


# InstanceRecall

Aspects = dict[str, dict[str, dict[str, int]]]


def test_instance_recall_by_hand() -> None:
    judgments: Aspects = {"t": {"x": {"a": 1}, "y": {"a": 1}, "z": {"b": 1, "c": 2}, "n": {"d": 0}}}
    run = {"t": ["x", "y", "n", "unjudged", "z"]}
    found = gc.evaluate(judgments, run, [f"InstanceRecall@{k}" for k in (1, 2, 4, 5, 50)])
    assert found.values.ravel().tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1, 1], abs=1e-15)
    assert gc.evaluate(judgments, run, "InstanceRecall(rel=2)@5").values.item() == 1  # only c is covered so well


def test_subtopic_recall_of_pyndeval() -> None:
    """The value that pyndeval's own test holds (strec@5 .6666): subtopics a b c, C is not retrieved, E is unjudged."""
    judgments: Aspects = {"0": {"A": {"a": 1}, "B": {"b": 1}, "D": {"b": 1}, "C": {"c": 1}}}
    run = {"0": {"A": 9.3, "D": 8.4, "E": 8.1, "B": 7.6}}
    for k in (5, 10, 20):
        assert gc.evaluate(judgments, run, f"StRecall@{k}").values.item() == pytest.approx(2 / 3, abs=1e-15)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_instance_recall_with_ties_averaged_is_the_mean_over_all_orders(seed: int, k: int) -> None:
    draw = random.Random(seed)
    blocks = [[f"d{h}{i}" for i in range(draw.randint(1, 4))] for h in range(draw.randint(1, 3))]
    documents = [d for block in blocks for d in block]
    covers = {d: draw.sample("abcd", k=draw.randint(1, 3)) for d in draw.sample(documents, k=(len(documents) + 1) // 2)}
    covers["missed"] = ["e"]
    judgments: Aspects = {"t": {d: dict.fromkeys(named, 1) for d, named in covers.items()}}
    run = {"t": {d: -float(h) for h, block in enumerate(blocks) for d in block}}
    every = {s for named in covers.values() for s in named}
    shares = [
        Fraction(len({s for d in list(itertools.chain(*order))[:k] for s in covers.get(d, ())}), len(every))
        for order in itertools.product(*(itertools.permutations(block) for block in blocks))
    ]
    found = gc.evaluate(judgments, run, f"InstanceRecall@{k}", ties="average").values.item()
    assert found == pytest.approx(float(sum(shares, Fraction(0)) / len(shares)), abs=1e-12)


def test_instance_recall_is_undefined_where_no_subtopic_has_a_relevant_document() -> None:
    judgments: Aspects = {"t": {"x": {"a": 0, "b": 0}}, "u": {"y": {"a": 1, "b": 1}}}
    scores = gc.evaluate(judgments, {"t": ["x"], "u": []}, "InstanceRecall@5")
    assert math.isnan(scores["run", "InstanceRecall@5"]["t"])
    assert scores["run", "InstanceRecall@5"]["u"] == 0


# what is refused


@pytest.mark.parametrize(
    ("measure", "slug", "words"),
    [
        ("NR", "measure-parameter", "NR needs N"),
        ("Fallout", "measure-parameter", "Fallout needs N"),
        ("NR(N=0)", "measure-parameter", "N cannot be 0"),
        ("NR(N=10.5)", "measure-parameter", "whole number"),
        ("NR(N='many')", "measure-parameter", "many"),
        ("ESL(wanted=0)", "measure-parameter", "wanted cannot be 0"),
        ("ESL(wanted=1.5)", "measure-parameter", "whole number"),
        ("ESL(count='some')", "choice-unknown", "nonrelevant"),
        ("SFT(w=1.5)@5", "measure-parameter", "between 0 and 1"),
        ("SFT(part='joy')@5", "choice-unknown", "satisfaction"),
        ("SFT(frustration='much')@5", "gains-syntax", "much"),
        ("ASL(rel=1, only=2)", "measure-parameter", "rel or only, not both"),
        ("NR(N=9, rel=1, only=2)", "measure-parameter", "rel or only, not both"),
        ("SetF(beta=1, alpha=0.5)", "measure-parameter", "beta or alpha, not both"),
        ("ASL@10", "measure-cutoff", "ASL has no cutoff"),
        ("ESL@10", "measure-cutoff", "ESL has no cutoff"),
        ("NR(N=100)@10", "measure-cutoff", "NR has no cutoff"),
        ("RHL@10", "measure-cutoff", "RHL has no cutoff"),
        ("CosRel@10", "measure-cutoff", "CosRel has no cutoff"),
        ("gP", "measure-cutoff", "gP@10"),
        ("gR", "measure-cutoff", "gR@10"),
        ("InstanceRecall", "measure-cutoff", "InstanceRecall@10"),
        ("gP(rel=1)@5", "measure-parameter", "no parameter 'rel'"),
        ("ASL(N=5, M=3)", "measure-parameter", "no parameter 'M'"),
    ],
)
def test_parameters_that_make_no_sense(value: Value, measure: str, slug: str, words: str) -> None:
    with pytest.raises(ChoiceError) as caught:
        value(ranked("10"), measure)
    assert caught.value.slug == slug
    assert words in str(caught.value)


@pytest.mark.parametrize("measure", ["ASL", "ESL", "ASL(N=10)"])
def test_the_scenario_cannot_cut_what_has_no_cutoff(value: Value, measure: str) -> None:
    """depth is the cutoff of measures that have one; these look at the whole list whatever it is."""
    case = ranked("0001")
    assert value(case, measure, depth=2) == value(case, measure)


def test_the_scenario_gives_a_cutoff_where_one_is_needed(value: Value) -> None:
    assert value(ranked("3100"), "gP", depth=2) == pytest.approx(4 / 6, abs=1e-15)


@pytest.mark.parametrize("measure", ["ASL", "ESL", "NR(N=50)", "RHL", "SR@3", "gR@3", "SFT@3"])
def test_undefined_topics_stay_out_of_the_mean_and_are_told(measure: str) -> None:
    judgments = {"a": {"x": 1, "y": 0}, "b": {"x": 0}}
    scores = gc.evaluate(judgments, {"a": {"y": 2, "x": 1}, "b": {"x": 1}}, measure)
    text = scores.measures[0]
    assert math.isnan(scores["run", text]["b"])
    assert scores.summary()["run"][text] == scores["run", text]["a"]
    assert [note.slug for note in scores.notes] == ["undefined"]


@pytest.mark.parametrize("measure", ["ASL", "ESL", "RHL"])
def test_zero_is_never_put_for_a_rank_that_does_not_exist(measure: str) -> None:
    """Under trec_eval's rule an undefined topic counts 0; where lower is better that would be the best of all."""
    scores = gc.evaluate({"t": {"x": 0}}, {"t": {"x": 1}}, measure, scenario="trec_eval-9.0.8")
    assert math.isnan(scores.values.item())
