"""Scenarios of tools that no Python package holds: their published numbers, and their formulas as plain loops."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.twelve import CASES, Case

import gaincurve as gc
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
