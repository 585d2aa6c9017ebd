"""The scenarios named after a tool give that tool's numbers, case by case, or refuse: against the real packages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import lightgbm as lgb
import numpy as np
import pytest
import ranx
import torch
from helpers.tool_cases import CASES, Case
from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores, mrr
from pyspark import SparkContext
from pyspark.mllib.evaluation import RankingMetrics
from sklearn.metrics import label_ranking_average_precision_score, ndcg_score
from torchmetrics.functional import retrieval
from torchmetrics.functional.retrieval import retrieval_normalized_dcg

import gaincurve as gc

Values = dict[str, float]
Rows = tuple[list[float], list[float]]


def rows(case: Case) -> dict[str, Rows]:
    """Grade and score of the documents of each list, in the order of the run; an empty list is none."""
    return {
        topic: ([case.qrels[topic].get(document, 0) for document in scores], list(scores.values()))
        for topic, scores in case.run.items()
        if scores
    }


def sklearn_values(case: Case) -> Values:
    return {topic: float(ndcg_score([grades], [scores], k=case.k)) for topic, (grades, scores) in rows(case).items()}


def torchmetrics_values(case: Case) -> Values:
    return {
        topic: float(retrieval_normalized_dcg(torch.tensor(scores), torch.tensor(grades), top_k=case.k))
        for topic, (grades, scores) in rows(case).items()
    }


def lightgbm_values(case: Case) -> Values:
    return {topic: lightgbm_ndcg(grades, scores, case.k) for topic, (grades, scores) in rows(case).items()}


def lightgbm_ndcg(grades: Sequence[float], scores: Sequence[float], k: int, metric: str = "ndcg") -> float:
    """A model without trees predicts the initial scores, and the metric is of these."""
    settings = {"objective": "lambdarank", "metric": metric, "eval_at": [k], "verbose": -1}
    rng = np.random.default_rng(0)
    train = lgb.Dataset(rng.normal(size=(40, 2)), rng.integers(0, 2, 40), group=[40])
    lists = lgb.Dataset(
        rng.normal(size=(len(grades), 2)), grades, group=[len(grades)], init_score=scores, reference=train
    )
    booster = lgb.Booster(settings, train).add_valid(lists, "lists")
    return float(booster.eval_valid()[0][2])


def ranx_values(case: Case) -> Values:
    """An empty list is none with ranx; it adds one that finds nothing where it is asked to."""
    run = ranx.Run({topic: scores for topic, scores in case.run.items() if scores})
    ranx.evaluate(ranx.Qrels(case.qrels), run, [f"ndcg@{case.k}"], make_comparable=len(run) < len(case.run))
    return dict(run.scores[f"ndcg@{case.k}"])


def mteb_values(case: Case) -> Values:
    found = calculate_retrieval_scores({t: s for t, s in case.run.items() if s}, case.qrels, [case.k])
    return {topic: values[f"ndcg_cut_{case.k}"] for topic, values in found.all_scores.items()}


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkContext]:
    context = SparkContext("local[1]", "presets")
    context.setLogLevel("ERROR")
    yield context
    context.stop()


def spark_mean(context: SparkContext, case: Case) -> float:
    """Spark gives no values by query. The ordinary topic comes first: types are inferred from it."""
    pairs = [
        (sorted(scores, key=scores.__getitem__, reverse=True), [d for d, g in case.qrels[topic].items() if g >= 1])
        for topic, scores in sorted(case.run.items(), reverse=True)
    ]
    return float(RankingMetrics(context.parallelize(pairs, 1)).ndcgAt(case.k))


TOOLS: dict[str, Callable[[Case], Values]] = {
    "sklearn": sklearn_values,
    "torchmetrics": torchmetrics_values,
    "lightgbm": lightgbm_values,
    "ranx": ranx_values,
    "mteb": mteb_values,
}
REFUSED = {
    "sklearn": {"negative", "empty"},
    "torchmetrics": {"negative", "empty"},
    "lightgbm": {"ties", "negative", "fractional", "empty", "high grades"},
    "ranx": {"ties", "fractional", "missing"},
    "mteb": {"fractional"},
    "spark-4": {"ties"},
}


def ours(name: str, case: Case) -> gc.Scores:
    return gc.evaluate(case.qrels, {"run": case.run}, f"nDCG@{case.k}", scenario=name)


def agree(name: str, case: Case, theirs: Values) -> None:
    scores = ours(name, case)
    by_topic = scores["run", f"nDCG@{case.k}"]
    assert {topic: by_topic[topic] for topic in theirs} == pytest.approx(theirs, abs=1e-6)
    if set(theirs) == set(case.run):
        mean = sum(theirs.values()) / len(theirs)
        assert scores.summary()["run"][f"nDCG@{case.k}"] == pytest.approx(mean, abs=1e-6)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", TOOLS)
def test_the_number_of_the_tool(name: str, case: str) -> None:
    if case in REFUSED[name]:
        with pytest.raises(gc.GaincurveError) as error:
            ours(name, CASES[case])
        assert error.value.problems[0].slug in ("scenario-refuses", "topics-missing")
    elif (name, case) == ("sklearn", "single"):
        with pytest.raises(ValueError, match="more than 1 document"):
            TOOLS[name](CASES[case])
        assert ours(name, CASES[case])["run", "nDCG@3"]["q1"] == 1
    else:
        agree(name, CASES[case], TOOLS[name](CASES[case]))


@pytest.mark.parametrize("case", CASES)
def test_the_number_of_spark(spark: SparkContext, case: str) -> None:
    if case in REFUSED["spark-4"]:
        with pytest.raises(gc.GaincurveError, match="ranked lists"):
            ours("spark-4", CASES[case])
    else:
        mean = ours("spark-4", CASES[case]).summary()["run"][f"nDCG@{CASES[case].k}"]
        assert mean == pytest.approx(spark_mean(spark, CASES[case]), abs=1e-12)


RANX = {"P": "precision", "R": "recall", "AP": "map", "RR": "mrr", "Success": "hit_rate", "DCG": "dcg"}
MTEB = {"P": "P", "R": "recall", "AP": "map_cut", "Success": "success"}


def ranx_metric(case: Case, measure: str) -> Values:
    name = f"{RANX[measure]}@{case.k}" if measure in RANX else "r-precision"
    run = ranx.Run({topic: scores for topic, scores in case.run.items() if scores})
    ranx.evaluate(ranx.Qrels(case.qrels), run, [name], make_comparable=len(run) < len(case.run))
    return dict(run.scores[name])


def mteb_metric(case: Case, measure: str) -> Values:
    results = {topic: scores for topic, scores in case.run.items() if scores}
    if measure == "RR":
        return dict(zip(results, mrr(case.qrels, results, [case.k])[f"MRR@{case.k}"], strict=True))
    by_topic = calculate_retrieval_scores(results, case.qrels, [case.k]).all_scores
    return {topic: values[f"{MTEB[measure]}_{case.k}"] for topic, values in by_topic.items()}


METRICS: dict[str, tuple[Callable[[Case, str], Values], list[str]]] = {
    "ranx": (ranx_metric, [*RANX, "Rprec"]),
    "mteb": (mteb_metric, [*MTEB, "RR"]),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("name", "measure"), [(name, measure) for name in METRICS for measure in METRICS[name][1]])
def test_the_other_metrics_of_the_tool(name: str, measure: str, case: str) -> None:
    """P, R and Success may have one number whatever the order of tied documents; then nothing is refused."""
    given = CASES[case]
    asked = measure if measure == "Rprec" else f"{measure}@{given.k}"
    refused = REFUSED[name] | ({"ties", "equal in 32 bits"} if (name, measure) == ("mteb", "RR") else set())
    if case in refused and (case != "ties" or measure in ("AP", "RR", "DCG")):
        with pytest.raises(gc.GaincurveError) as error:
            gc.evaluate(given.qrels, {"run": given.run}, asked, scenario=name)
        assert error.value.problems[0].slug in ("scenario-refuses", "topics-missing")
        return
    ours = gc.evaluate(given.qrels, {"run": given.run}, asked, scenario=name)["run", asked]
    theirs = METRICS[name][0](given, measure)
    assert {topic: ours[topic] for topic in theirs} == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_the_other_metrics_of_spark(spark: SparkContext, case: str) -> None:
    given = CASES[case]
    pairs = [
        (sorted(scores, key=scores.__getitem__, reverse=True), [d for d, g in given.qrels[topic].items() if g >= 1])
        for topic, scores in sorted(given.run.items(), reverse=True)
    ]
    metrics = RankingMetrics(spark.parallelize(pairs, 1))
    theirs = {
        f"P@{given.k}": metrics.precisionAt(given.k),
        f"R@{given.k}": metrics.recallAt(given.k),
        f"AP(norm='min')@{given.k}": metrics.meanAveragePrecisionAt(given.k),
        "AP": metrics.meanAveragePrecision,
    }
    for measure, number in theirs.items():
        if case == "ties" and measure.startswith("AP"):
            with pytest.raises(gc.GaincurveError, match="ranked lists"):
                gc.evaluate(given.qrels, {"run": given.run}, measure, scenario="spark-4")
        else:
            ours = gc.evaluate(given.qrels, {"run": given.run}, measure, scenario="spark-4")
            assert ours.summary()["run"][measure] == pytest.approx(number, abs=1e-12), measure


def test_errors_of_the_other_metrics_that_are_not_imitated() -> None:
    """What the refusals say of the tools; if one of these is mended, its record has to change."""
    below, binary = torch.tensor([-1.0, -2.0]), torch.tensor([1, 0])
    for metric in (retrieval.retrieval_reciprocal_rank, retrieval.retrieval_precision, retrieval.retrieval_recall):
        assert metric(below, binary) == 0  # logits below 0 are "not relevant"
    with pytest.raises(ValueError, match="binary"):
        retrieval.retrieval_precision(torch.tensor([2.0, 1.0]), torch.tensor([2, 0]))
    assert label_ranking_average_precision_score([[0, 0]], [[2.0, 1.0]]) == 1
    assert label_ranking_average_precision_score([[1, 0]], [[1.0, 1.0]]) == 0.5
    graded = ranx.Run({"q": {"a": 2.0, "b": 1.0}})
    ranx.evaluate(ranx.Qrels({"q": {"a": 3, "b": 2}}), graded, ["rbp.50", "bpref"])
    assert graded.scores["rbp.50"]["q"] == pytest.approx(0.5 * 3 + 0.25 * 2)
    assert np.isnan(graded.scores["bpref"]["q"])
    assert lightgbm_ndcg([0, 0, 0], [3.0, 2.0, 1.0], 2, metric="map") == 1
    assert lightgbm_ndcg([0, 1, 1, 1], [4.0, 3.0, 2.0, 1.0], 2, metric="map") == pytest.approx(0.25)


def graded_in_scala(
    context: SparkContext, predicted: list[str], labels: list[str], grades: list[float], k: int
) -> float:
    """nDCG of Spark's own class, whose grades PySpark does not hand over."""
    jvm, gateway = context._jvm, context._gateway

    def array(kind: object, values: Sequence[object]) -> object:
        filled = gateway.new_array(kind, len(values))
        for i, value in enumerate(values):
            filled[i] = value
        return filled

    objects = jvm.java.lang.Object
    rows = jvm.java.util.ArrayList()
    rows.add(jvm.scala.Tuple3(array(objects, predicted), array(objects, labels), array(gateway.jvm.double, grades)))
    tag = jvm.scala.reflect.ClassTag.apply(jvm.java.lang.Class.forName("java.lang.Object"))
    rdd = context._jsc.parallelize(rows, 1).rdd()
    return float(jvm.org.apache.spark.mllib.evaluation.RankingMetrics(rdd, tag).ndcgAt(k))


def test_errors_of_spark_that_are_not_imitated(spark: SparkContext) -> None:
    """If one of these is mended, the page on presets has to say so."""
    twice = RankingMetrics(spark.parallelize([(["a", "a", "a"], ["a", "b"])], 1))
    assert twice.recallAt(3) == 1.5
    graded = RankingMetrics(spark.parallelize([(["b", "a"], ["a", "b", "c"], [3.0, 1.0, 0.0])], 1))
    assert graded.ndcgAt(2) == 1  # the grades are dropped: the worse order of the two is perfect
    assert graded_in_scala(spark, ["b", "a"], ["a", "b"], [1.0, 3.0], 1) == pytest.approx(7)  # its ideal is not sorted
    assert graded_in_scala(spark, ["b", "a"], ["b", "a"], [3.0, 1.0], 1) == 1
    perfect = gc.evaluate({"q": {"a": 1, "b": 3}}, {"q": {"b": 2.0, "a": 1.0}}, "nDCG@1", gains="exp2")
    assert perfect.summary()["run"]["nDCG@1"] == 1
