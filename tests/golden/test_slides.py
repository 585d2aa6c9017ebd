"""Every number printed on the lecture slides (chapter VIII, "Performance Measures"), through the public interface.

The slides round half up to two places; where what they print is a slip, the test asserts the right value and a comment
says what is printed. The rankings are facts of the slides: 1 is a relevant document.
"""

import math

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.cli import main
from gaincurve.errors import ChoiceError

A, B, C, D = "1011110001", "0100111011", "1000010001", "0100101000"
RELEVANT = {"A": 6, "B": 6, "C": 3, "D": 3}
SYSTEMS = {"system 1": {"topic 1": A, "topic 2": C}, "system 2": {"topic 1": B, "topic 2": D}}
LEVELS = [f"IPrec@{i / 10:g}" for i in range(11)]
ROUNDED = 0.005 + 1e-9  # two printed places, rounded half up

Grades = dict[str, dict[str, int]]
Ranking = dict[str, list[str]]


def listed(ranking: str, topic: str = "t") -> tuple[Grades, Ranking]:
    """Judgments in which every document of the list is judged, and the list."""
    documents = [f"d{rank:02}" for rank in range(1, len(ranking) + 1)]
    return {topic: {d: int(r) for d, r in zip(documents, ranking, strict=True)}}, {topic: documents}


def value(ranking: str, measure: str, **choices: object) -> float:
    judgments, run = listed(ranking)
    scores = gc.evaluate(judgments, run, measure, **choices)
    return scores["run", scores.measures[0]]["t"]


def both_systems(measures: list[str] | str) -> gc.Scores:
    """Both systems on both topics: their rankings hold different documents, so each has its own name for them."""
    judgments: Grades = {"topic 1": {}, "topic 2": {}}
    runs: dict[str, Ranking] = {}
    for topic, relevant in (("topic 1", 6), ("topic 2", 3)):
        judgments[topic] = {f"r{i}": 1 for i in range(relevant)} | {f"n{i}": 0 for i in range(10)}
        for system, rankings in SYSTEMS.items():
            good, bad = iter([f"r{i}" for i in range(relevant)]), iter([f"n{i}" for i in range(10)])
            runs.setdefault(system, {})[topic] = [next(good if r == "1" else bad) for r in rankings[topic]]
    return gc.evaluate(judgments, runs, measures)


# set retrieval


@pytest.mark.parametrize(("ranking", "precision", "recall"), [(A, 0.6, 1.0), (B, 0.6, 1.0)])
def test_as_sets_both_rankings_of_topic_1_are_equal(ranking: str, precision: float, recall: float) -> None:
    assert value(ranking, "SetP") == precision
    assert value(ranking, "SetR") == recall
    assert value(ranking, "SetF") == pytest.approx(2 * 0.6 / 1.6, abs=1e-15)


def contingency(a: int, b: int, c: int) -> tuple[Grades, Ranking]:
    """a relevant and b other documents retrieved, c relevant ones missed."""
    grades = {f"a{i}": 1 for i in range(a)} | {f"b{i}": 0 for i in range(b)} | {f"c{i}": 1 for i in range(c)}
    return {"t": grades}, {"t": [f"a{i}" for i in range(a)] + [f"b{i}" for i in range(b)]}


@pytest.mark.parametrize(
    ("a", "b", "c", "recall", "precision", "f"),
    [
        (611, 39, 1739, 0.26, 0.94, 0.4073),  # printed: F .40, which unrounded P and R can give (test_errata)
        (2277, 23, 198, 0.92, 0.99, 0.9537),  # printed: F .95
    ],
)
def test_f_measure_illustrations(a: int, b: int, c: int, recall: float, precision: float, f: float) -> None:
    judgments, run = contingency(a, b, c)
    found = gc.evaluate(judgments, run, ["SetR", "SetP", "SetF"]).summary()["run"]
    assert found["SetR"] == pytest.approx(recall, abs=1e-12)
    assert found["SetP"] == pytest.approx(precision, abs=1e-12)
    assert found["SetF"] == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-12)
    assert found["SetF"] == pytest.approx(f, abs=5.1e-5)


@pytest.mark.parametrize("beta", [0, 0.5, 1, 2, 5])
def test_weighted_f_measure_both_ways(beta: float) -> None:
    """β² = (1 − α)/α; both formulas of the slides, written out."""
    judgments, run = contingency(3, 7, 9)
    precision, recall, alpha = 3 / 10, 3 / 12, 1 / (beta**2 + 1)
    by_beta, by_alpha = gc.evaluate(judgments, run, [f"SetF(beta={beta})", f"SetF(alpha={alpha})"]).values.ravel()
    assert by_beta == pytest.approx((beta**2 + 1) * precision * recall / (beta**2 * precision + recall), abs=1e-15)
    assert by_alpha == pytest.approx(1 / (alpha / precision + (1 - alpha) / recall), abs=1e-15)


def test_beta_above_1_emphasizes_recall_and_below_1_precision() -> None:
    precise, complete = contingency(1, 0, 9), contingency(10, 40, 0)  # P 1, R .1 and P .2, R 1
    for beta, better in ((0.5, precise), (2, complete)):
        worse = complete if better is precise else precise
        one, other = (gc.evaluate(*pair, f"SetF(beta={beta})").values.item() for pair in (better, worse))
        assert one > other


def test_precision_without_results_and_recall_without_relevant_documents_are_undefined() -> None:
    judgments = {"none retrieved": {"d": 1}, "none relevant": {"d": 0}}
    scores = gc.evaluate(judgments, {"none relevant": ["d"]}, ["SetP", "SetR"])
    assert math.isnan(scores["run", "SetP"]["none retrieved"])
    assert scores["run", "SetP"]["none relevant"] == 0
    assert math.isnan(scores["run", "SetR"]["none relevant"])
    assert scores["run", "SetR"]["none retrieved"] == 0


@pytest.mark.parametrize(("ranking", "n", "retrieved"), [(A, 100, 4), (B, 20, 4), (C, 10, 7), (D, 1000, 7)])
def test_fallout_is_b_over_b_plus_d(ranking: str, n: int, retrieved: int) -> None:
    judgments, run = listed(ranking)
    relevant = ranking.count("1")
    assert gc.evaluate(judgments, run, f"Fallout(N={n})").values.item() == retrieved / (n - relevant)


def test_recall_1_is_trivial_by_returning_the_collection_and_fallout_tells() -> None:
    judgments, run = listed("0100")
    scores = gc.evaluate(judgments, run, ["SetR", "Fallout(N=4)"])
    assert scores.values.ravel().tolist() == [1.0, 1.0]


def test_fallout_needs_a_collection_large_enough() -> None:
    judgments, run = listed(A)
    with pytest.raises(ChoiceError, match="10 documents that were retrieved or judged"):
        gc.evaluate(judgments, run, "Fallout(N=9)")


# precision and recall at every rank

PRINTED_PRECISION = {
    "A": [1.00, 0.50, 0.67, 0.75, 0.80, 0.83, 0.71, 0.63, 0.56, 0.60],
    "B": [0.00, 0.50, 0.33, 0.25, 0.40, 0.50, 0.57, 0.50, 0.56, 0.60],
    "C": [1.00, 0.50, 0.33, 0.25, 0.20, 0.33, 0.29, 0.25, 0.22, 0.30],
    "D": [0.00, 0.50, 0.33, 0.25, 0.40, 0.33, 0.43, 0.38, 0.33, 0.30],
}
PRINTED_RECALL = {
    "A": [0.17, 0.17, 0.33, 0.50, 0.67, 0.83, 0.83, 0.83, 0.83, 1.00],
    "B": [0.00, 0.17, 0.17, 0.17, 0.33, 0.50, 0.67, 0.67, 0.83, 1.00],  # once .56 at rank 9, which is its precision
    "C": [0.33, 0.33, 0.33, 0.33, 0.33, 0.67, 0.67, 0.67, 0.67, 1.00],  # ranks 6 to 9 printed .66
    "D": [0.00, 0.33, 0.33, 0.33, 0.67, 0.67, 1.00, 1.00, 1.00, 1.00],
}
RANKINGS = {"A": A, "B": B, "C": C, "D": D}


@pytest.mark.parametrize("name", RANKINGS)
def test_precision_and_recall_rows(name: str) -> None:
    ranking = RANKINGS[name]
    precision = [value(ranking, f"P@{k}") for k in range(1, 11)]
    recall = [value(ranking, f"R@{k}") for k in range(1, 11)]
    assert precision == [ranking[:k].count("1") / k for k in range(1, 11)]
    assert recall == [ranking[:k].count("1") / RELEVANT[name] for k in range(1, 11)]
    assert np.abs(np.array(precision) - PRINTED_PRECISION[name]).max() <= ROUNDED
    assert np.abs(np.array(recall) - PRINTED_RECALL[name]).max() <= ROUNDED


@pytest.mark.parametrize("name", RANKINGS)
def test_precision_and_recall_as_curves(name: str) -> None:
    judgments, run = listed(RANKINGS[name])
    found = gc.curves(judgments, run, ["P", "R"], depth=10)
    assert np.abs(found["run", "P"] - PRINTED_PRECISION[name]).max() <= ROUNDED
    assert np.abs(found["run", "R"] - PRINTED_RECALL[name]).max() <= ROUNDED
    relevant = RELEVANT[name]
    assert found["ideal", "P"].tolist() == [min(k, relevant) / k for k in range(1, 11)]
    assert found["ideal", "R"].tolist() == [min(k, relevant) / relevant for k in range(1, 11)]


def test_recall_misprints_are_further_off_than_rounding() -> None:
    assert [value(C, f"R@{k}") for k in range(6, 10)] == [2 / 3] * 4  # printed .66: cut, not rounded
    assert abs(2 / 3 - 0.66) > ROUNDED
    assert value(B, "R@9") == 5 / 6  # printed .56 in the alternative-1 table, the precision of the same rank
    assert value(B, "P@9") == 5 / 9


# average precision


@pytest.mark.parametrize(
    ("ranking", "exact", "printed"),
    [(A, 0.7750, 0.78), (B, 0.5212, 0.52), (C, 0.5444, 0.54), (D, 0.4429, 0.44)],
)
def test_average_precision_alternative_1(ranking: str, exact: float, printed: float) -> None:
    found = value(ranking, "AP")
    assert found == pytest.approx(exact, abs=5.1e-5)
    assert abs(found - printed) <= ROUNDED


def test_average_precision_sums_as_printed() -> None:
    """The precisions that the slides add, exactly."""
    assert value(A, "AP") == pytest.approx((1 + 2 / 3 + 3 / 4 + 4 / 5 + 5 / 6 + 6 / 10) / 6, abs=1e-15)
    assert value(B, "AP") == pytest.approx((1 / 2 + 2 / 5 + 3 / 6 + 4 / 7 + 5 / 9 + 6 / 10) / 6, abs=1e-15)
    assert value(C, "AP") == pytest.approx((1 + 2 / 6 + 3 / 10) / 3, abs=1e-15)
    assert value(D, "AP") == pytest.approx((1 / 2 + 2 / 5 + 3 / 7) / 3, abs=1e-15)


def test_a_relevant_document_that_is_not_found_gets_precision_0() -> None:
    judgments, run = listed(C)
    judgments["t"]["elsewhere"] = 1
    assert gc.evaluate(judgments, run, "AP").values.item() == pytest.approx((1 + 2 / 6 + 3 / 10) / 4, abs=1e-15)


@pytest.mark.parametrize("name", RANKINGS)
@pytest.mark.parametrize("k", [1, 2, 3, 5, 6, 9, 10])
def test_ap1_at_k_divides_by_the_smaller_of_k_and_r(name: str, k: int) -> None:
    ranking, relevant = RANKINGS[name], RELEVANT[name]
    total = sum(ranking[:i].count("1") / i for i in range(1, k + 1) if ranking[i - 1] == "1")
    assert value(ranking, f"AP(norm='min')@{k}") == pytest.approx(total / min(k, relevant), abs=1e-15)
    assert value(ranking, f"AP@{k}") == pytest.approx(total / relevant, abs=1e-15)


def test_eleven_point_average_precision() -> None:
    assert value(A, "AP11") == pytest.approx((2 * 1 + 7 * 5 / 6 + 2 * 0.6) / 11, abs=1e-15)  # printed .82
    assert abs(value(A, "AP11") - 0.82) <= ROUNDED
    assert value(A, "AP11") == pytest.approx(0.8212, abs=5.1e-5)
    assert value(B, "AP11") == pytest.approx(0.6, abs=1e-15)


def test_interpolated_precision_of_ranking_a_as_the_slides_count_it() -> None:
    """Two levels at 1.0, seven at .83, two at .6: recall .8 is reached with the fifth of six, in exact arithmetic."""
    judgments, run = listed(A)
    found = gc.evaluate(judgments, run, LEVELS).values.ravel().tolist()
    assert found == [1.0] * 2 + [5 / 6] * 7 + [0.6] * 2
    judgments, run = listed(B)
    assert gc.evaluate(judgments, run, LEVELS).values.ravel().tolist() == [0.6] * 11


# two topics


def test_average_precision_recall_curve_at_eleven_points() -> None:
    """Unequal recall points become comparable: the mean over topics of interpolated precision.

    The slides only draw these curves; the values are the definition worked by hand. C reaches .3 with one of three,
    .6 with two; D's highest precision, .5, comes first and .43 serves the levels above a third.
    """
    scores = both_systems(LEVELS)
    c = [1.0] * 4 + [1 / 3] * 3 + [0.3] * 4
    a = [1.0] * 2 + [5 / 6] * 7 + [0.6] * 2
    d = [0.5] * 4 + [3 / 7] * 7
    system_1 = [(x + y) / 2 for x, y in zip(a, c, strict=True)]
    system_2 = [(0.6 + y) / 2 for y in d]
    assert [scores.summary()["system 1"][level] for level in LEVELS] == pytest.approx(system_1, abs=1e-15)
    assert [scores.summary()["system 2"][level] for level in LEVELS] == pytest.approx(system_2, abs=1e-15)
    # the slides' reading: system 1 is better early, system 2 late; neither dominates
    assert system_1[0] > system_2[0]
    assert system_1[-1] < system_2[-1]


def test_mean_average_precision_of_both_systems() -> None:
    scores = both_systems("MAP")
    assert scores.measures == ("AP",)
    assert scores["system 1", "AP"].values == pytest.approx([0.7750, 0.5444], abs=5.1e-5)
    # printed (.78 + .44)/2 = .66: that sum is .61; .66 comes of C's .54, which the same slide gives in brackets
    assert scores.summary()["system 1"]["AP"] == pytest.approx(0.6597, abs=5.1e-5)
    assert abs(scores.summary()["system 1"]["AP"] - 0.66) <= ROUNDED
    assert scores.summary()["system 2"]["AP"] == pytest.approx(0.4820, abs=5.1e-5)  # printed (.52 + .44)/2 = .48
    assert abs(scores.summary()["system 2"]["AP"] - 0.48) <= ROUNDED


# reciprocal rank


@pytest.mark.parametrize(
    ("rank", "printed"),
    list(enumerate([1, 0.50, 0.33, 0.25, 0.20, 0.17, 0.14, 0.13, 0.11, 0.10], start=1)),
)
def test_reciprocal_rank_table(rank: int, printed: float) -> None:
    found = value("0" * (rank - 1) + "1", "RR")
    assert found == 1 / rank
    assert abs(found - printed) <= ROUNDED  # .125 is printed .13: half up
    assert value("0" * (rank - 1) + "1", "FirstRank") == rank


def test_reciprocal_rank_is_0_without_a_relevant_document() -> None:
    judgments = {"t": {"d1": 0, "missed": 1}}
    assert gc.evaluate(judgments, {"t": ["d1"]}, "RR").values.item() == 0
    assert math.isnan(gc.evaluate(judgments, {"t": ["d1"]}, "FirstRank").values.item())


def first_at(*ranks: int) -> tuple[Grades, Ranking]:
    judgments: Grades = {}
    run: Ranking = {}
    for number, rank in enumerate(ranks, start=1):
        documents = [f"d{i}" for i in range(1, 6)]
        judgments[f"t{number}"] = {d: int(i == rank) for i, d in enumerate(documents, start=1)}
        run[f"t{number}"] = documents
    return judgments, run


@pytest.mark.parametrize(
    ("ranks", "mrr", "printed", "mean_rank", "printed_rank", "median"),
    [((1, 2, 4), 7 / 12, 0.58, 7 / 3, 2.3, 2), ((2, 2, 2), 0.5, 0.5, 2, 2, 2)],
)
def test_mean_reciprocal_rank_contradicts_mean_rank(
    ranks: tuple[int, ...], mrr: float, printed: float, mean_rank: float, printed_rank: float, median: float
) -> None:
    """System 1 wins by MRR and loses by mean rank; the median, which ordinal values allow, ties."""
    scores = gc.evaluate(*first_at(*ranks), ["MRR", "FirstRank(summary='mean')", "FirstRank"])
    found = list(scores.summary()["run"].values())
    assert found == pytest.approx([mrr, mean_rank, median], abs=1e-15)
    assert abs(found[0] - printed) <= ROUNDED
    assert abs(found[1] - printed_rank) <= 0.05


def test_explain_warns_that_reciprocal_ranks_are_ordinal(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["explain", "RR"]) == 0
    about = capsysbinary.readouterr().out.decode()
    assert "ordinal" in about
    assert "FirstRank" in about


# discounted cumulated gain


def test_slides_dcg_and_ndcg_rows() -> None:
    """Exponential gains, log2(1 + i), the ideal made of the ranking itself; the last row divides the printed two."""
    gains = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
    documents = [f"d{i:02}" for i in range(10)]
    judgments, run = {"t": dict(zip(documents, gains, strict=True))}, {"t": documents}
    found = gc.curves(judgments, run, ["DCG", "nDCG"], gains="exp2", ideal="retrieved", depth=10)
    printed = [7.00, 8.89, 12.39, 12.39, 12.39, 12.75, 13.75, 14.70, 16.80, 16.80]
    ideal = [7.00, 11.42, 14.92, 16.21, 17.37, 18.44, 18.77, 18.77, 18.77, 18.77]
    share = [1.00, 0.78, 0.83, 0.76, 0.71, 0.69, 0.73, 0.78, 0.90, 0.90]
    best = gc.curves(judgments, {"t": sorted(documents, key=lambda d: -judgments["t"][d])}, "DCG", gains="exp2")
    assert np.abs(found["run", "DCG"] - printed).max() <= ROUNDED
    assert np.abs(best["run", "DCG"][:10] - ideal).max() <= ROUNDED
    assert np.abs(found["run", "nDCG"] - share).max() <= ROUNDED
