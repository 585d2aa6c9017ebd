"""Measures of today's tools: published numbers with their source, else hand arithmetic, and the edges of each."""

import itertools
import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.errors import ChoiceError

Table = dict[str, dict[str, float]]


def ranked(grades: str, missed: Sequence[int] = ()) -> tuple[Table, Table]:
    """One topic: a digit a rank, '-' an unjudged document, 'n' one of grade −1; `missed` are grades not retrieved."""
    judged = {f"d{i:02}": -1 if g == "n" else int(g) for i, g in enumerate(grades) if g != "-"}
    missing = {f"m{i}": grade for i, grade in enumerate(missed)}
    return {"t": {**judged, **missing}}, {"t": {f"d{i:02}": -float(i) for i in range(len(grades))}}


def value(case: tuple[Table, Table], measure: str, **choices: object) -> float:
    scores = gc.evaluate(*case, measure, **choices)
    return scores.values.item()


def empty(*grades: int) -> tuple[Table, Table]:
    """A topic for which the run returned nothing."""
    return {"t": {f"m{i}": grade for i, grade in enumerate(grades)}, "u": {"x": 1}}, {"u": {"x": 1.0}}


def on_empty(measure: str, *grades: int) -> float:
    scores = gc.evaluate(*empty(*grades), measure)
    return scores["run", scores.measures[0]]["t"]


# published numbers

CWL = {"T1": "1011--1010", "T2": "11--101110", "T3": "---0011101"}
"""Relevance by rank in the example of cwl_eval, which the tests of ir_measures use too (test/cwl.qrels, cwl.run)."""
CWL_PRINTED = {  # "based on a manual execution of cwl-eval": ir_measures, test/test_cwl_eval.py, within 0.0001
    "AP": [0.7087, 0.7438, 0.3068],
    "INST(T=1)": [0.7934, 0.9226, 0.0888],
    "INST(T=2)": [0.5994, 0.6924, 0.1397],
    "RBP(p=0.9)": [0.3501, 0.3996, 0.1988],
    "P@1": [1.0, 1.0, 0.0],
    "P@5": [0.6, 0.6, 0.0],
    "P@10": [0.5, 0.6, 0.4],
    "P@20": [0.25, 0.3, 0.2],
    "RR": [1.0, 1.0, 0.1667],
}


@pytest.mark.parametrize("measure", CWL_PRINTED)
def test_numbers_of_cwl_eval(measure: str) -> None:
    """INST is summed to rank 1000 there, to infinity here, which lowers it by less than two thousandths of itself."""
    slack = 2e-3 if measure.startswith("INST") else 0
    for grades, printed in zip(CWL.values(), CWL_PRINTED[measure], strict=True):
        found = value(ranked(grades), measure)
        assert abs(found - printed) <= 0.0001 + slack * printed
        assert found <= printed + 0.0001


def inst(relevance: Sequence[float], t: float, depth: int) -> float:
    """INST from its continuation probabilities (Moffat et al. 2015), to a depth."""
    weight, weights, gained, found = 1.0, 0.0, 0.0, 0.0
    for i in range(1, depth + 1):
        r = relevance[i - 1] if i <= len(relevance) else 0.0
        weights += weight
        gained += weight * r
        found += r
        at = i + t + (t - found)
        weight *= ((at - 1) / at) ** 2
    return gained / weights


@pytest.mark.parametrize("t", [1, 2])
def test_inst_of_cwl_eval_to_its_depth(t: int) -> None:
    """The loop cut at rank 1000 is what cwl_eval printed; so the loop is right, and below it is held against ours."""
    for grades, printed in zip(CWL.values(), CWL_PRINTED[f"INST(T={t})"], strict=True):
        relevance = [float(g == "1") for g in grades]
        assert inst(relevance, t, 1000) == pytest.approx(printed, abs=0.0001)


@pytest.mark.parametrize("t", [1, 1.5, 3, 10])
@pytest.mark.parametrize("grades", ["1", "0", "011", "30-120", "3333333333", "0000000001"])
def test_inst_is_the_limit_of_the_loop(grades: str, t: float) -> None:
    """The weights fall as 1/i², so the loop to depth n is above the limit by about its share over n."""
    relevance = [0.0 if g == "-" else int(g) / 3 for g in grades]
    found = value(ranked(grades, missed=[3]), f"INST(T={t})")
    near, far = inst(relevance, t, 20_000), inst(relevance, t, 40_000)
    assert found == pytest.approx(2 * far - near, rel=1e-7, abs=1e-15)  # Richardson: the error halves


def test_inst_by_hand() -> None:
    assert value(ranked("1"), "INST(T=1)") == pytest.approx(6 / math.pi**2, abs=1e-12)  # w[i] = 1/i²
    assert value(ranked("0", missed=[1]), "INST(T=1)") == 0


GDEVAL: tuple[Table, Table] = (
    {"0": {"D0": 0, "D1": 1, "D2": 1, "D3": 2, "D4": 0}, "1": {"D0": 1, "D3": 2, "D5": 2}},
    {
        "0": {"D0": 0.8, "D2": 0.7, "D1": 0.3, "D3": 0.4, "D4": 0.1},
        "1": {"D1": 0.8, "D3": 0.7, "D4": 0.3, "D2": 0.4},
    },
)


@pytest.mark.parametrize(
    ("measure", "printed"),
    [
        ("ERR(top=4)@20", [0.10175, 0.09375]),
        ("ERR(top=4)@2", [0.03125, 0.09375]),
        ("nDCG(gains='exp2')@20", [0.6201, 0.35099]),
        ("nDCG(gains='exp2')@2", [0.17377, 0.38685]),
    ],
)
def test_numbers_of_gdeval(measure: str, printed: list[float]) -> None:
    """gdeval.pl, as the tests of ir_measures hold it (test/test_gdeval.py); it prints five places, top grade 4."""
    assert gc.evaluate(*GDEVAL, measure).values.ravel() == pytest.approx(printed, abs=5.1e-6)


@pytest.mark.parametrize(("k", "right"), [(1000, [1, 1 / 4]), (10, [1, 1 / 4]), (3, [1, 1 / 3]), (1, [1, 0])])
def test_judged_as_ir_measures_has_it(k: int, right: list[float]) -> None:
    """ir_measures, test/test_judged.py: over the documents retrieved where there are fewer than k."""
    assert gc.evaluate(*GDEVAL, f"Judged@{k}").values.ravel() == pytest.approx(right, abs=1e-15)


@pytest.mark.parametrize(
    ("gains", "printed"),
    [
        ("0-1-2-3", {"RR": 0.5, "AP": 0.1, "Q": 0.0967, "RBP(p=0.95)": 0.0761, "nDCG@1000": 0.2760}),
        ("0-1-4-9", {"RR": 0.5, "AP": 0.1, "Q": 0.0929, "RBP(p=0.95)": 0.0666, "nDCG@1000": 0.2947}),
    ],
)
def test_numbers_of_ntcireval(gains: str, printed: dict[str, float]) -> None:
    """Sakai's sample of NTCIREVAL as pyNTCIREVAL's tests hold it (tests/dat): the list L0 L3 unjudged L2; three L3,
    three L2, four L1 and one L0 judged. Its MSnDCG is today's nDCG; its RBP has p = .95."""
    case = ranked("03-2", missed=[3, 3, 2, 2, 1, 1, 1, 1])
    for measure, number in printed.items():
        assert value(case, measure, gains=gains) == pytest.approx(number, abs=5.1e-5), measure


def test_bpref_of_the_note_on_its_correction() -> None:
    """NIST, "bpref_bug" (2005): a judged non-relevant document and then four relevant ones; two more relevant and
    three more non-relevant ones not retrieved: (4·¾ + 2·0)/6 = .5."""
    assert value(ranked("01111", missed=[1, 1, 0, 0, 0]), "bpref") == 0.5


def test_numbers_of_a_course_on_trec_eval() -> None:
    """San José State University, CS 267 (Pollett 2019): trec_eval on twelve documents of topic 351, ten relevant."""
    case = ranked("011111111101")
    printed = {
        "num_ret": 12, "num_rel": 10, "num_rel_ret": 10, "map": 0.7904, "gm_map": 0.7904, "Rprec": 0.9, "bpref": 0.45,
        "recip_rank": 0.5, "iprec_at_recall_0.00": 0.9, "iprec_at_recall_0.90": 0.9, "iprec_at_recall_1.00": 0.8333,
        "P_5": 0.8, "P_10": 0.9, "P_15": 0.6667, "P_20": 0.5, "P_30": 0.3333,
    }  # fmt: skip
    for measure, number in printed.items():
        assert value(case, measure) == pytest.approx(number, abs=5.1e-5), measure


# Rprec


@pytest.mark.parametrize(
    ("mult", "cutoff"),
    [(0.1, 1), (0.2, 2), (0.5, 3), (0.55, 4), (1, 6), (1.2, 8), (1.5, 9), (2, 12), (0.01, 0)],
)
def test_r_precision_at_multiples(mult: float, cutoff: int) -> None:
    """⌊mult·R + .9⌋ documents, as trec_eval cuts; 1.2·6 is 7.2 and goes to 8. Below one document it is 0."""
    grades = "1011110001"  # six relevant
    found = value(ranked(grades), f"Rprec(mult={mult})")
    assert found == pytest.approx(grades[:cutoff].count("1") / max(cutoff, 1), abs=1e-15)


def test_r_precision_at_the_edges() -> None:
    assert value(ranked("1", missed=[1, 1]), "Rprec") == pytest.approx(1 / 3, abs=1e-15)  # a short list is filled up
    assert value(ranked("0", missed=[1]), "Rprec") == 0
    assert math.isnan(value(ranked("00"), "Rprec"))
    assert on_empty("Rprec", 1) == 0
    assert value(ranked("12", missed=[2]), "Rprec(rel=2)") == 0.5
    assert value(ranked("12", missed=[2]), "Rprec(only=1)") == 1


# bpref and infAP


def test_bpref_by_hand() -> None:
    assert value(ranked("0110"), "bpref") == 0.5  # R = N = 2, one above each
    assert value(ranked("0-1n1-0"), "bpref") == 0.5  # unjudged and negative grades are not seen
    assert value(ranked("1"), "bpref") == 1
    assert value(ranked("1", missed=[1, 0]), "bpref") == 0.5
    assert value(ranked("0001"), "bpref") == 0  # three above, only the first R = 1 counts
    assert value(ranked("10010"), "bpref") == 0.5  # (1 + 0)/2: min(2, 2)/min(3, 2)
    assert value(ranked("00"), "bpref", scenario="trec_eval-9.0.8") == 0
    assert math.isnan(value(ranked("00"), "bpref"))
    assert on_empty("bpref", 1, 0) == 0


def test_inferred_average_precision_by_hand() -> None:
    """At rank 1 it is 1; at rank k, 1/k + (k−1)/k · pooled/(k−1) · (r + ε)/(r + n + 2ε)."""
    e = 1e-5
    assert value(ranked("1"), "infAP") == 1
    second = 1 / 3 + 2 / 3 * (2 / 2) * (1 + e) / (2 + 2 * e)
    assert value(ranked("101"), "infAP") == pytest.approx((1 + second) / 2, abs=1e-15)
    # of three above two were pooled: one judged relevant, one not judged (−1); the third, outside the pool, cannot be
    pooled = 1 / 4 + 3 / 4 * (2 / 3) * (1 + e) / (1 + 2 * e)
    assert value(ranked("1n-1"), "infAP") == pytest.approx((1 + pooled) / 2, abs=1e-15)
    assert value(ranked("-1"), "infAP") == pytest.approx(0.5, abs=1e-15)  # nothing above was pooled
    assert math.isnan(value(ranked("00"), "infAP"))
    assert on_empty("infAP", 1) == 0


def test_inferred_average_precision_is_average_precision_where_all_is_judged() -> None:
    for grades in ("1011110001", "0100111011", "1000010001"):
        assert value(ranked(grades), "infAP") == pytest.approx(value(ranked(grades), "AP"), abs=1e-4)


# sets and counts


def test_success_and_relative_precision() -> None:
    assert [value(ranked("0010"), f"Success@{k}") for k in (1, 2, 3, 9)] == [0, 0, 1, 1]
    assert value(ranked("00"), "Success@5") == 0
    assert on_empty("Success@5", 1) == 0
    case = ranked("1011110001")
    assert [value(case, f"relative_P@{k}") for k in (2, 5, 10, 20)] == pytest.approx([0.5, 0.8, 1, 1], abs=1e-15)
    assert math.isnan(value(ranked("00"), "relative_P@5"))
    assert on_empty("relative_P@5", 1) == 0


def test_utility_by_hand() -> None:
    """Six relevant and four others retrieved, two relevant ones missed, of a collection of twenty: eight are left."""
    case = ranked("1011110001", missed=[1, 1])
    assert value(case, "Utility") == 2
    assert value(case, "Utility(a=2, b=-0.5, c=-1, d=0)") == 12 - 2 - 2
    assert value(case, "Utility(a=0, b=0, c=0, d=1, N=20)") == 8
    assert value(case, "Utility(a=1, b=1, c=1, d=1, N=20)") == 20  # everything counted once
    assert value(case, "utility.3,-2,-1,0") == 18 - 8 - 2
    assert on_empty("Utility(c=-1)", 1, 1, 0) == -2
    with pytest.raises(ChoiceError, match="needs N"):
        value(case, "Utility(d=1)")


def test_counts_by_hand() -> None:
    case = ranked("201-n", missed=[1, 0])
    counts = {"NumRet": 5, "NumRel": 3, "NumRelRet": 2, "NumNonrelRet": 1, "NumRel(rel=2)": 1, "NumRel(only=1)": 2}
    for measure, right in counts.items():
        assert value(case, measure) == right, measure
    assert value(case, "NumNonrelRet(rel=2)") == 2
    assert on_empty("NumRet", 1) == on_empty("NumRelRet", 1) == on_empty("NumNonrelRet", 1) == 0
    assert on_empty("NumRel", 1, 0, 2) == 2


def test_counts_are_summed_over_topics() -> None:
    judgments: Table = {"a": {"x": 1, "y": 0}, "b": {"x": 2}}
    found = gc.evaluate(judgments, {"a": {"x": 1, "y": 0}, "b": {"z": 1}}, ["NumRet", "NumRel", "NumRelRet"])
    assert found.summary() == {"run": {"NumRet": 3, "NumRel": 3 - 1, "NumRelRet": 1}}


def test_judged_and_unjudged_by_hand() -> None:
    case = ranked("1-0--n")
    assert [value(case, f"Judged@{k}") for k in (1, 2, 5, 6, 100)] == pytest.approx([1, 0.5, 0.4, 0.5, 0.5], abs=1e-15)
    assert [value(case, f"Unjudged@{k}") for k in (1, 2, 5, 10)] == pytest.approx([0, 0.5, 0.6, 0.3], abs=1e-15)
    assert value(case, "Judged@6", negative="unjudged") == pytest.approx(2 / 6, abs=1e-15)
    assert value(case, "Unjudged@6", negative="unjudged") == pytest.approx(4 / 6, abs=1e-15)
    assert math.isnan(on_empty("Judged@5", 1))
    assert on_empty("Unjudged@5", 1) == 0


# RBP


def test_rank_biased_precision_by_hand() -> None:
    assert value(ranked("101"), "RBP") == pytest.approx(0.2 * (1 + 0.64), abs=1e-15)
    assert value(ranked("10110"), "RBP") == pytest.approx(0.4304, abs=1e-12)  # 0.2 + 0.128 + 0.1024
    assert value(ranked("10110"), "RBPResidual") == pytest.approx(0.8**5, abs=1e-12)
    assert value(ranked("10110"), "RBP@3") == pytest.approx(0.328, abs=1e-12)
    assert value(ranked("31"), "RBP(p=0.5)") == pytest.approx(0.5 * (1 + 0.5 / 3), abs=1e-15)
    assert value(ranked("31"), "RBP(p=0.5, gains='binary')") == 0.75
    assert value(ranked("11"), "RBP(p=0.5)") == 0.75


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
def test_residual_is_the_weight_of_what_nobody_judged(p: float) -> None:
    """Unjudged at ranks 2 and 4, and all beyond rank 5."""
    case = ranked("1-0-1")
    weights = [(1 - p) * p**i for i in range(5)]
    assert value(case, f"RBPResidual(p={p})") == pytest.approx(weights[1] + weights[3] + p**5, abs=1e-12)
    assert value(case, f"RBPResidual(p={p})@2") == pytest.approx(weights[1] + p**2, abs=1e-12)


def test_residual_is_the_width_of_the_bounds() -> None:
    scores = gc.evaluate(*ranked("1-0-2"), ["RBP", "RBPResidual"], unjudged="zero")
    bounds = gc.evaluate(*ranked("1-0-2"), "RBP", unjudged="bounds").bounds()["run"]["RBP"]
    low, width = scores.values.ravel()
    assert bounds == pytest.approx((low, low + width), abs=1e-15)
    bounds = gc.evaluate(*ranked("1-0-2"), "RBP@3", unjudged="bounds").bounds()["run"]["RBP@3"]
    assert bounds == pytest.approx((0.2 / 2, 0.2 / 2 + 0.2 * 0.8 + 0.8**3), abs=1e-12)


def test_rank_biased_precision_and_every_document_judged_relevant_adds_to_1() -> None:
    assert value(ranked("1" * 40), "RBP") + value(ranked("1" * 40), "RBPResidual") == pytest.approx(1, abs=1e-12)


def test_rank_biased_precision_at_the_edges() -> None:
    assert value(ranked("00"), "RBP") == 0
    assert on_empty("RBP", 1) == 0
    assert on_empty("RBPResidual", 1) == 1
    assert value(ranked("31"), "RBP(p=0.5, top=2)") == pytest.approx(0.5 * (1 + 0.25), abs=1e-15)  # 3 counts as 2
    assert value(ranked("n1"), "RBP(p=0.5)") == 0.25
    assert value(ranked("0" * 5000 + "1"), "RBP(p=0.5)") == 0  # so deep that nobody gets there


def test_top_in_the_judgments_the_topic_or_as_given() -> None:
    judgments: Table = {"a": {"x": 1}, "b": {"y": 2}}
    run = {"a": ["x"], "b": ["y"]}
    for top, right in {"'judgments'": [0.25, 0.5], "'topic'": [0.5, 0.5], "4": [0.125, 0.25]}.items():
        found = gc.evaluate(judgments, run, f"RBP(p=0.5, top={top})").values.ravel().tolist()
        assert found == right, top
    found = gc.evaluate(judgments, run, ["ERR(top='topic')", "ERR", "ERR(top=3)"]).values[0].tolist()
    assert found == [[1 / 2, 3 / 4], [1 / 4, 3 / 4], [1 / 8, 3 / 8]]


# ERR


def err(grades: Sequence[int], top: int) -> float:
    """Chapelle et al. 2009, algorithm 2."""
    going, total = 1.0, 0.0
    for rank, grade in enumerate(grades, start=1):
        satisfied = (2**grade - 1) / 2**top
        total += going * satisfied / rank
        going *= 1 - satisfied
    return total


def test_expected_reciprocal_rank_by_hand() -> None:
    assert value(ranked("301"), "ERR") == pytest.approx(7 / 8 + 1 / 3 / 8 / 8, abs=1e-15)
    assert value(ranked("301"), "ERR@2") == 7 / 8
    assert value(ranked("1"), "ERR") == 0.5
    assert value(ranked("-1"), "ERR") == 0.25


@pytest.mark.parametrize("grades", list(itertools.islice(itertools.product(range(4), repeat=4), 0, 256, 7)), ids=str)
def test_expected_reciprocal_rank_is_the_algorithm(grades: tuple[int, ...]) -> None:
    case = ranked("".join(map(str, grades)), missed=[3])
    for k in (1, 2, 4, 9):
        assert value(case, f"ERR@{k}") == pytest.approx(err(grades[:k], 3), abs=1e-15)
    assert value(case, "ERR(top=5)") == pytest.approx(err(grades, 5), abs=1e-15)


def test_expected_reciprocal_rank_of_grades_beyond_any_power_of_2() -> None:
    """Grades of 1100 satisfy as good as surely, those of 1099 with probability ½."""
    judgments: Table = {"t": {"a": 1100, "b": 1099}}
    assert gc.evaluate(judgments, {"t": ["b", "a"]}, "ERR").values.item() == pytest.approx(0.5 + 0.25, abs=1e-15)


def test_expected_reciprocal_rank_at_the_edges() -> None:
    assert value(ranked("00"), "ERR") == 0
    assert value(ranked("nn0"), "ERR") == 0
    assert on_empty("ERR@5", 1) == 0
    assert value(ranked("33"), "ERR(top=1)") == 1  # (2³ − 1)/2 is no probability: the user is satisfied
    assert value(ranked("3"), "ERR(top=3)@1000") == 7 / 8


# Q


def q_measure(gains: Sequence[int], base: Sequence[int], beta: float = 1) -> float:
    """Sakai's blended ratio at every relevant document, over all relevant ones."""
    best = sorted(base, reverse=True)
    total = 0.0
    for rank, gain in enumerate(gains, start=1):
        if gain:
            count = sum(g > 0 for g in gains[:rank])
            total += (count + beta * sum(gains[:rank])) / (rank + beta * sum(best[:rank]))
    return total / sum(g > 0 for g in base)


def test_q_measure_by_hand() -> None:
    assert value(ranked("031"), "Q") == pytest.approx((4 / 6 + 6 / 7) / 2, abs=1e-15)
    assert value(ranked("321"), "Q") == 1
    assert value(ranked("-1"), "Q") == pytest.approx(2 / 3, abs=1e-15)


@pytest.mark.parametrize("seed", range(20))
def test_q_measure_is_the_blended_ratio(seed: int) -> None:
    draw = random.Random(seed)
    gains, missed = [draw.choice([0, 0, 1, 2, 3]) for _ in range(8)], [draw.randint(1, 3) for _ in range(2)]
    case = ranked("".join(map(str, gains)), missed)
    for beta in (0, 0.5, 1, 10):
        right = q_measure(gains, gains + missed, beta)
        assert value(case, f"Q(beta={beta})") == pytest.approx(right, abs=1e-15)
    assert value(case, "Q(beta=0)") == pytest.approx(value(case, "AP"), abs=1e-15)


def test_q_measure_at_the_edges() -> None:
    assert math.isnan(value(ranked("00"), "Q"))
    assert value(ranked("00", missed=[1]), "Q") == 0
    assert on_empty("Q", 1) == 0


# trec_eval's experimental measures


def test_g_and_binary_g_by_hand() -> None:
    log2 = math.log2
    assert value(ranked("101"), "binG") == pytest.approx((1 + 1 / log2(3)) / 2, abs=1e-15)
    assert value(ranked("0-1", missed=[1]), "binG") == pytest.approx(1 / log2(4) / 2, abs=1e-15)
    assert value(ranked("101"), "G") == pytest.approx((1 + 1 / log2(3)) / 2, abs=1e-15)
    # recall base 2 1: costs 2 3 4; rank 2 gains 1 at 2 + 3 − 1, rank 3 gains 2 at 2 + 4 − 3
    assert value(ranked("012"), "G") == pytest.approx((1 / log2(4) + 2 / log2(3)) / 3, abs=1e-15)
    assert value(ranked("21"), "G") == pytest.approx(1, abs=1e-15)
    # a rank costs 1 at least: recall base ½, found at rank 2, costs 1 2
    assert value(ranked("01"), "G(gains='0-0.5')") == pytest.approx(1 / log2(2 + 2 - 0.5), abs=1e-15)


def test_ndcg_over_relevant_documents_and_levels_by_hand() -> None:
    second, third = 1 / math.log2(3), 1 / math.log2(4)
    ideal = [1, 1 + second]
    assert value(ranked("01", missed=[1]), "ndcg_rel") == pytest.approx(second / ideal[1], abs=1e-15)
    # 1 at rank 1 is all it could be; the second at rank 3
    assert value(ranked("101"), "ndcg_rel") == pytest.approx((1 + (1 + third) / ideal[1]) / 2, abs=1e-15)
    # levels of the recall base 2 1 end at ranks 1 and 2; the list ends at 3, one longer: no point of its own
    assert value(ranked("012"), "Rndcg") == pytest.approx((0 + second / (2 + second)) / 2, abs=1e-15)
    # one longer again, and its end is a point: DCG = second + 2·third
    longer = (0 + second / (2 + second) + (second + 2 * third) / (2 + second)) / 3
    assert value(ranked("0120"), "Rndcg") == pytest.approx(longer, abs=1e-15)


@pytest.mark.parametrize("measure", ["binG", "G", "ndcg_rel", "Rndcg"])
def test_experimental_measures_at_the_edges(measure: str) -> None:
    assert math.isnan(value(ranked("00"), measure))
    assert value(ranked("00"), measure, scenario="trec_eval-9.0.8") == 0
    assert value(ranked("00", missed=[1]), measure) == 0
    assert on_empty(measure, 1) == 0
    assert value(ranked("1"), measure) == pytest.approx(1, abs=1e-15)


# all of them together

EVERYTHING = [
    "Rprec", "Rprec(mult=0.5)", "bpref", "infAP", "Success@5", "relative_P@5", "Utility", "G", "binG", "ndcg_rel",
    "Rndcg", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet", "Judged@5", "Unjudged@5", "RBP", "RBPResidual", "ERR@5",
    "Q", "INST", "SetP", "SetR", "SetF", "SetAP", "SetRelP", "AP", "AP11", "IPrec@0.5", "RR", "FirstRank", "R@5", "P@5",
]  # fmt: skip


@pytest.mark.parametrize("measure", EVERYTHING)
def test_nothing_relevant_and_nothing_judged_of_what_was_retrieved(measure: str) -> None:
    """No measure fails where no row is left, and none gives anything but a number or nan."""
    for judgments, run in ((ranked("00")), (ranked("---", missed=[0])), (ranked("---", missed=[1])), (ranked("nn"))):
        for scenario in ("default", "trec_eval-9.0.8"):
            found = gc.evaluate(judgments, run, measure, scenario=scenario).values.item()
            assert math.isnan(found) or math.isfinite(found)


@pytest.mark.parametrize("measure", EVERYTHING)
def test_documents_below_the_last_relevant_one_that_nobody_judged_do_not_matter(measure: str) -> None:
    """Lists of ten or of ten thousand documents have the same value, except where the measure counts documents."""
    counting = {"Utility", "NumRet", "SetP", "SetF", "SetAP", "SetRelP", "Rndcg"}
    short, long = (value(ranked(f"10210{'-' * more}", missed=[1]), measure) for more in (5, 5000))
    if measure in counting:
        assert math.isfinite(short)
        assert math.isfinite(long)
    else:
        assert short == pytest.approx(long, abs=1e-12), measure


def test_values_do_not_depend_on_the_company_of_other_topics() -> None:
    """Each topic's value is its own, except where the highest grade of all judgments is asked for."""
    cases = {"a": ranked("10210"), "b": ranked("00"), "c": ranked("---1", missed=[2]), "d": ranked("2n-1")}
    judgments = {name: case[0]["t"] for name, case in cases.items()}
    runs = {name: case[1]["t"] for name, case in cases.items()}
    scores = gc.evaluate(judgments, runs, EVERYTHING)
    for name, case in cases.items():
        padded = ({**case[0], "z": {"x": 2}}, case[1])  # the same scale of grades
        alone = gc.evaluate(*padded, EVERYTHING).values[0, :, 0]
        place = scores.topics.index(name)
        assert np.array_equal(scores.values[0, :, place], alone, equal_nan=True), name


@pytest.mark.parametrize(
    "measure", ["AP", "R@5", "Rprec", "SetF", "NR(N=9)", "AP11", "nDCG@5", "FirstRank", "ASL", "P@2"]
)
@pytest.mark.parametrize("scenario", ["default", "trec_eval-9.0.8", "trec_eval-10"])
def test_bounds_hold_the_value_also_where_a_topic_has_none(measure: str, scenario: str) -> None:
    """Topic b has nothing relevant: undefined by default, 0 under the rules of trec_eval."""
    judgments = {"a": {"d1": 1, "x": 0}, "b": {"x": 0}}
    run = {"a": {"u": 4.0, "d1": 3.0}, "b": {"y": 2.0}}
    found = gc.evaluate(judgments, run, measure, unjudged="bounds", scenario=scenario)
    low, high = found.bounds()["run"][next(iter(found.measures))]
    assert low <= found.summary()["run"][found.measures[0]] <= high
    assert np.array_equal(np.isnan(found.values), np.isnan(found.low))
