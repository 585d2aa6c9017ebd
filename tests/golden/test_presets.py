"""Scenarios of tools that no Python package holds: their published numbers, and their formulas as plain loops."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.tool_cases import CASES, Case

import gaincurve as gc
from gaincurve.measures.registry import REGISTRY
from gaincurve.model.printed import DIFFERS, PRINTED
from gaincurve.model.scenario import SCENARIOS

Grades = dict[str, float]


def numbered(grades: list[float | None]) -> tuple[dict[str, Grades], dict[str, Grades]]:
    """Judgments and a run in which document i stands at rank i; None is unjudged."""
    names = [f"d{i}" for i in range(len(grades))]
    judged = {name: grade for name, grade in zip(names, grades, strict=True) if grade is not None}
    return {"q": judged}, {"q": {name: float(-i) for i, name in enumerate(names)}}


def value(qrels: dict[str, Grades], run: dict[str, Grades], measure: str, scenario: str) -> float:
    return float(gc.evaluate(qrels, {"run": run}, measure, scenario=scenario)["run", measure]["q"])


@pytest.mark.parametrize(
    ("grades", "hits", "dcg", "ideal"),
    [
        ([3, 2, 3, 0, 1, 2], 6, 13.84826362927298, 14.595390756454922),
        ([3, 2, 3, None, 1, None], 6, 12.779642067948913, 13.347184833073591),
        ([3, 2, 3, None, 1, None], 4, 12.392789260714371, 13.347184833073591),
    ],
)
def test_elasticsearch_unit_tests(grades: list[float | None], hits: int, dcg: float, ideal: float) -> None:
    """The numbers of DiscountedCumulativeGainTests in elastic/elasticsearch, modules/rank-eval."""
    qrels, run = numbered(grades)
    run["q"] = dict([*run["q"].items()][:hits])
    assert value(qrels, run, "DCG@10", "elasticsearch") == pytest.approx(dcg, abs=1e-12)
    assert value(qrels, run, "nDCG@10", "elasticsearch") == pytest.approx(dcg / ideal, abs=1e-12)


@pytest.mark.parametrize(("shown", "k", "ndcg"), [(20, 20, 0.76), (5, 5, 0.51), (5, 8, 0.40), (8, 5, 0.51)])
def test_opensearch_unit_tests(shown: int, k: int, ndcg: float) -> None:
    """The numbers of EvaluationTests in opensearch-project/search-relevance, rounded there to two decimals."""
    qrels, run = numbered([i % 3 for i in range(1, 21)])
    run["q"] = dict([*run["q"].items()][:shown])
    assert round(value(qrels, run, f"nDCG@{k}", "opensearch-workbench"), 2) == ndcg


@pytest.mark.parametrize(
    ("grades", "measure", "number"),
    [
        ([3, 2, 0, 1], "ERR(top=3)@3", 0.8984375),
        ([3, 2, 0, 1], "ERR(top=3)@4", 0.8984375 + 0.00244140625),
        ([3, None, 0, 1], "ERR(top=3)@4", 0.875 + 0.00390625),
        ([1, 1, 1, 1, 0], "P@5", 4 / 5),
        ([0, 1, 2, 3, 4], "P(rel=2)@5", 3 / 5),
        ([1, 1, None], "P@3", 2 / 3),
        ([1, 1, 1, 1, 0], "R@10", 1),
    ],
)
def test_other_metrics_of_elasticsearch(grades: list[float | None], measure: str, number: float) -> None:
    """The numbers of ExpectedReciprocalRankTests, PrecisionAtKTests and RecallAtKTests in modules/rank-eval."""
    assert value(*numbered(grades), measure, "elasticsearch") == pytest.approx(number, abs=1e-12)


def test_recall_of_elasticsearch_counts_what_was_not_found() -> None:
    """RecallAtKTests: one of three documents rated 2 or more is among the three hits."""
    qrels, run = numbered([0, 1, 2, 3, 4])
    run["q"] = dict([*run["q"].items()][:3])
    assert value(qrels, run, "R(rel=2)@5", "elasticsearch") == pytest.approx(1 / 3, abs=1e-12)


@pytest.mark.parametrize(
    ("listed", "others", "measure", "number"),
    [
        ([1, 0], [], "P@2", 0.5),
        ([0, 1], [1], "AP@10", 0.25),
        ([0, 0, 0, 0], [0, 0], "AP@10", 0),  # NaN there, which its server saves as 0
        ([0, 3, 1], [], "CG(gains='identity')@10", 4),
        ([0, 3, 1], [], "DCG@10", 4.92),
        ([0, 3, 1], [], "nDCG@10", 0.64),
        ([0, 0, 1], [], "RR@10", 0.33),
    ],
)
def test_quepid_unit_tests(listed: list[float], others: list[float], measure: str, number: float) -> None:
    """The numbers of test/services/javascript_scorer_test.rb in o19s/quepid, which runs the scorers themselves."""
    qrels, run = numbered(listed)
    qrels["q"] |= {f"not listed {i}": grade for i, grade in enumerate(others)}
    assert round(value(qrels, run, measure, "quepid-8.6"), 2) == number


REFUSED = {
    "elasticsearch": {"P@10": "hits returned", "ERR@3": "maximum_relevance"},
    "opensearch-workbench": dict.fromkeys(("P@3", "R@3", "AP@3", "RR@3"), "90th percentile"),
    "quepid-8.6": {"P@10": "hits returned", "ERR@3": "highest grade is 3", "CG@3": "as they are", "DCG@3": "rating"},
    "sklearn": {"AP": "without relevant"},
    "lightgbm": {"AP@3": "none is relevant"},
    "ranx": {"bpref": "nan", "RBP": "exceed 1"},
    "spark-4": {"AP@3": "fit above"},
    "torchmetrics": dict.fromkeys(("P@3", "R@3", "AP@3", "RR@3", "Success@3"), "score of 0 or less"),
}


@pytest.mark.parametrize(("name", "measure"), [(name, measure) for name in REFUSED for measure in REFUSED[name]])
def test_another_number_under_the_same_name_is_refused(name: str, measure: str) -> None:
    case = CASES["unjudged on top"]
    with pytest.raises(gc.GaincurveError, match=REFUSED[name][measure]) as error:
        gc.evaluate(case.qrels, {"run": case.run}, measure, scenario=name)
    assert error.value.problems[0].slug == "scenario-refuses"
    with pytest.raises(gc.GaincurveError, match=REFUSED[name][measure]):
        gc.evaluate_arrays([[2.0, 1.0]], [[1, float("nan")]], measure, scenario=name, ties="column")


@pytest.mark.parametrize(
    ("name", "measure", "number"),
    [("quepid-8.6", "P@2", 1), ("quepid-8.6", "AP@2", 2 / 3), ("quepid-cut", "RR@2", 1)],
)
def test_quepid_takes_every_rating_above_0_for_relevant(name: str, measure: str, number: float) -> None:
    """Its scorers ask for docRating(i) > 0: with ratings .5, 1 and .25, all three are relevant."""
    qrels, run = numbered([0.5, 1, 0.25])
    run["q"].popitem()
    with pytest.raises(gc.GaincurveError, match=r"grades between 0 and 1, such as 0\.25: .* above 0"):
        value(qrels, run, measure, name)
    assert value(qrels, run, measure.replace("@", "(rel=0.1)@"), name) == pytest.approx(number, abs=1e-12)


@pytest.mark.parametrize("name", ["elasticsearch", "quepid-8.6", "quepid-cut"])
def test_no_probability_of_relevance_is_above_1(name: str) -> None:
    """Grade 4 under a top of 3 gives them (2⁴ − 1) / 2³ = 15/8, after which the user has stopped with −7/8."""
    qrels, run = numbered([4, 1])
    with pytest.raises(gc.GaincurveError, match=r"ERR\(top=3\)@2 of grades above the highest one, such as 4"):
        value(qrels, run, "ERR(top=3)@2", name)


@pytest.mark.parametrize("name", PRINTED)
def test_a_measure_the_tool_does_not_print_is_noted(name: str) -> None:
    case = CASES["single"]
    own = gc.evaluate(case.qrels, {"run": case.run}, ["nDCG@1", "SR"], scenario=name)
    assert [note.text for note in own.notes if note.slug == "scenario-measure"] == [
        f"{name} prints no SR: computed with its choices, but no number of the tool's"
    ]
    plain = gc.evaluate(case.qrels, {"run": case.run}, "SR")
    assert "scenario-measure" not in [note.slug for note in plain.notes]


def test_records_name_measures_and_scenarios_that_exist() -> None:
    for name, records in PRINTED.items():
        assert name in SCENARIOS
        assert {record.measure for record in records} <= REGISTRY.keys()
        assert {record.differs for record in records} <= {"", *DIFFERS}


def test_a_tool_that_prints_no_such_measure_explains_no_number() -> None:
    found = gc.why_different(*CASES["deep"][:2], "0.5", "R@25")
    assert "prints no R@25" in found.refused["quepid-8.6"]
    assert "90th percentile" in found.refused["opensearch-workbench"]


def average_precision(grades: list[float], best: list[float]) -> float:
    found = [rank for rank, grade in enumerate(grades, start=1) if grade > 0]
    relevant = sum(grade > 0 for grade in best)
    return math.fsum(i / rank for i, rank in enumerate(found, start=1)) / relevant if relevant else 0.0


def expected_reciprocal_rank(grades: list[float], best: list[float]) -> float:
    value, reads_on = 0.0, 1.0
    for rank, grade in enumerate(grades, start=1):
        satisfied = (2**grade - 1) / 8
        value += reads_on * satisfied / rank
        reads_on *= 1 - satisfied
    return value


def reciprocal_rank(grades: list[float], best: list[float]) -> float:
    return next((1 / rank for rank, grade in enumerate(grades, start=1) if grade > 0), 0.0)


def recall(grades: list[float], best: list[float]) -> float:
    relevant = sum(grade > 0 for grade in best)
    return sum(grade > 0 for grade in grades) / relevant if relevant else 0.0


OTHERS: dict[str, dict[str, Callable[[list[float], list[float]], float]]] = {
    "elasticsearch": {"R": recall, "RR": reciprocal_rank, "ERR(top=3)": expected_reciprocal_rank},
    "quepid-8.6": {"AP": average_precision, "RR": reciprocal_rank, "ERR(top=3)": expected_reciprocal_rank},
}


@pytest.mark.parametrize(("name", "measure"), [(name, measure) for name in OTHERS for measure in OTHERS[name]])
@pytest.mark.parametrize("case", CASES)
def test_loops_of_the_other_measures(name: str, measure: str, case: str) -> None:
    given = CASES[case]
    asked = f"{measure}@{given.k}"
    try:
        scores = gc.evaluate(given.qrels, {"run": given.run}, asked, scenario=name)["run", asked]
    except gc.GaincurveError:
        above = measure == "ERR(top=3)" and case == "high grades"
        assert case in ("ties", "negative") or (case, name) == ("fractional", "elasticsearch") or above
        return
    for topic in given.qrels:
        grades, best, _ = listed(given, topic)
        assert scores[topic] == pytest.approx(OTHERS[name][measure](grades, best), abs=1e-12)


def dcg(grades: list[float]) -> float:
    return math.fsum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))


def listed(case: Case, topic: str) -> tuple[list[float], list[float], int]:
    """Grades by rank to the cutoff (unjudged: 0), all grades from the highest, and the number of hits shown."""
    scores = case.run.get(topic, {})
    hits = sorted(scores, key=scores.__getitem__, reverse=True)[: case.k]
    grades = [case.qrels[topic].get(document, 0) for document in hits]
    return grades, sorted(case.qrels[topic].values(), reverse=True), len(hits)


LOOPS: dict[str, Callable[[list[float], int, int], list[float]]] = {
    "elasticsearch": lambda best, k, hits: best[:hits],
    "opensearch-workbench": lambda best, k, hits: best[:k],
    "quepid-8.6": lambda best, k, hits: best,
    "quepid-cut": lambda best, k, hits: best[:k],
}
"""The ideal list by tool; all four have gains 2^g - 1, divisors log2(i + 1), and 0 where the ideal is 0."""


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize("case", CASES)
def test_formula_of_the_tool(name: str, case: str) -> None:
    given = CASES[case]
    if case in ("ties", "negative") or (case, name) == ("fractional", "elasticsearch"):
        with pytest.raises(gc.GaincurveError) as error:
            gc.evaluate(given.qrels, {"run": given.run}, f"nDCG@{given.k}", scenario=name)
        assert error.value.problems[0].slug == "scenario-refuses"
        return
    scores = gc.evaluate(given.qrels, {"run": given.run}, f"nDCG@{given.k}", scenario=name)["run", f"nDCG@{given.k}"]
    for topic in given.qrels:
        grades, best, hits = listed(given, topic)
        ideal = dcg(LOOPS[name](best, given.k, hits))
        assert scores[topic] == pytest.approx(dcg(grades) / ideal if ideal else 0, abs=1e-12)


@pytest.mark.parametrize("name", [name for name, scenario in SCENARIOS.items() if scenario.refuses])
def test_duplicates_are_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 2 x\nq Q0 a 2 1 x\n")
    with pytest.raises(gc.GaincurveError) as error:
        gc.evaluate({"q": {"a": 1}}, gc.read_run(tmp_path / "run"), scenario=name)
    assert error.value.problems[0].slug == "run-duplicate-document"


def test_a_choice_of_ones_own_lifts_the_refusal() -> None:
    case = CASES["ties"]
    with pytest.raises(gc.GaincurveError, match="tied scores whose order changes"):
        gc.evaluate(case.qrels, {"run": case.run}, "nDCG@2", scenario="lightgbm")
    own = gc.evaluate(case.qrels, {"run": case.run}, "nDCG@2", scenario="lightgbm", ties="average")
    assert "ties:average" in str(own.signatures[0])
    assert "empty:one" in str(own.signatures[0])
    same = {"q1": {"a": 1.0, "c": 1.0}, "q2": {"e": 1.0}}  # the order moves nothing beyond the cutoff
    assert gc.evaluate({"q1": {"a": 1, "c": 1}, "q2": {"e": 1}}, {"run": same}, "nDCG@2", scenario="ranx")


def test_lightgbm_gives_1_to_a_list_without_relevant_rows() -> None:
    """It sees only the rows given; the matrix holds this against the real package. An empty list it cannot be given."""
    qrels, run = {"q": {"a": 3, "b": 0}}, {"q": {"b": 2.0, "x": 1.0}}
    assert value(qrels, run, "nDCG@3", "lightgbm") == 1
    assert value(qrels, run, "nDCG@3", "sklearn") == 0
    curve = gc.curves(qrels, {"run": run}, ["nDCG"], scenario="lightgbm", depth=2)
    assert list(curve["run", "nDCG"]) == [1, 1]
    two = qrels | {"empty": {"a": 1}}, run | {"empty": {}}
    for name in ("lightgbm", "sklearn", "torchmetrics"):
        with pytest.raises(gc.GaincurveError, match="topics with an empty list"):
            value(*two, "nDCG@3", name)
        own = gc.evaluate(two[0], {"run": two[1]}, "nDCG@3", scenario=name, missing="skip")
        assert own["run", "nDCG@3"]["empty"] == 0


def test_rows_have_no_ids_to_break_ties_by() -> None:
    with pytest.raises(gc.GaincurveError, match="breaks ties by document id, and rows have none"):
        gc.evaluate_arrays([[1.0, 1.0]], [[1, 0]], "nDCG@1", scenario="mteb")
    assert (
        gc.evaluate_arrays([[1.0, 1.0]], [[1, 0]], "nDCG@2", scenario="mteb", ties="column")["run", "nDCG@2"]["0"] == 1
    )


@pytest.mark.parametrize("scores", [[1.00000001, 1.0, 0.5], [1e300, 1e200, -1e300]])
def test_scores_that_are_equal_in_32_bits_share_their_gains(scores: list[float]) -> None:
    names, grades = ("a", "b", "c"), (0.0, 3.0, 1.0)
    qrels, run = {"q": dict(zip(names, grades, strict=True))}, {"q": dict(zip(names, scores, strict=True))}
    expected = (1.5 + 1.5 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert value(qrels, run, "nDCG@2", "torchmetrics") == pytest.approx(expected, abs=1e-12)
    arrays = gc.evaluate_arrays([scores], [list(grades)], "nDCG@2", scenario="torchmetrics")
    assert arrays["run", "nDCG@2"]["0"] == pytest.approx(expected, abs=1e-12)
    assert "|ties:average-float32|" in str(arrays.signatures[0])


def test_rows_stand_in_the_order_of_the_tool() -> None:
    scores, grades = [[1.0, 1.0, 0.5]], [[0, 3, 1]]
    first = gc.evaluate_arrays(scores, grades, "DCG@2", scenario="lightgbm").summary()["run"]["DCG@2"]
    assert first == pytest.approx(7 / math.log2(3), abs=1e-12)
    with pytest.raises(gc.GaincurveError, match="whole grades"):
        gc.evaluate_arrays(scores, [[0, 0.5, 1]], "nDCG@2", scenario="lightgbm")
    shared = gc.evaluate_arrays(scores, grades, "DCG@2", scenario="sklearn").summary()["run"]["DCG@2"]
    assert shared == pytest.approx(1.5 * (1 + 1 / math.log2(3)), abs=1e-12)


def test_the_signature_names_the_ideal() -> None:
    case = CASES["k above n"]
    signed = {
        name: str(gc.evaluate(case.qrels, {"run": case.run}, "nDCG@10", scenario=name).signatures[0])
        for name in ("elasticsearch", "quepid-8.6")
    }
    assert "|ideal:capped@10|" in signed["elasticsearch"]
    assert "|ideal:uncut|" in signed["quepid-8.6"]


def test_curves_refuse_what_their_points_refuse() -> None:
    tied, short = CASES["ties"], CASES["k above n"]
    with pytest.raises(gc.GaincurveError, match="tied scores whose order"):
        gc.curves(tied.qrels, {"run": tied.run}, ["nDCG"], depth=3, scenario="elasticsearch")
    with pytest.raises(gc.GaincurveError, match="shorter than the cutoff"):
        gc.curves(short.qrels, {"run": short.run}, ["P"], depth=5, scenario="elasticsearch")
    assert gc.curves(tied.qrels, {"run": tied.run}, ["nDCG"], depth=3, scenario="elasticsearch", ties="average")


@pytest.mark.parametrize("ideal", ["capped", "uncut"])
def test_curves_follow_the_ideal(ideal: str) -> None:
    case = CASES["k above n"]
    curve = gc.curves(case.qrels, {"run": case.run}, ["nDCG"], depth=6, ideal=ideal)
    ends = [
        gc.evaluate(case.qrels, {"run": case.run}, f"nDCG@{k}", ideal=ideal).summary()["run"][f"nDCG@{k}"]
        for k in range(1, 7)
    ]
    assert curve["run", "nDCG"] == pytest.approx(ends, abs=1e-12)


def test_the_report_says_what_its_page_cannot_recompute() -> None:
    case = CASES["single"]
    for name, choice in (("elasticsearch", "ideal 'capped'"), ("quepid-8.6", "ideal 'uncut'")):
        with pytest.raises(gc.GaincurveError, match=choice):
            gc.report(case.qrels, {"run": case.run}, scenario=name)
