"""nDCG with the discount log2(i+1) against trec_eval: pytrec-eval-terrier (9.0.8), and what 9.0.8 and 10.0 printed."""

import csv
import math
import random
from pathlib import Path

import pytest
import pytrec_eval

from gaincurve.errors import GaincurveError
from gaincurve.io.read import read_judgments, read_run
from gaincurve.verbs.evaluate import evaluate

CUTOFFS = (1, 2, 3, 5, 10, 15, 20, 30, 100)
OURS = ["nDCG", *(f"nDCG@{k}" for k in CUTOFFS)]
THEIRS = ["ndcg", *(f"ndcg_cut_{k}" for k in CUTOFFS)]

TAILS = ("", "", "-é", "-of-eight-bytes-and-many-more")
Table = dict[str, dict[str, float]]


def random_topics(seed: int, topics: int, missing: float = 0.05) -> tuple[Table, Table]:
    """Judgments with grades 0 to 4 and a run: ties, scores equal in 32 bits only, unjudged documents, short lists."""
    draw = random.Random(seed)
    judgments: Table = {}
    run: Table = {}
    for topic in (f"t{i:05}" for i in range(topics)):
        documents = [f"d{draw.randrange(10**4)}" + draw.choice(TAILS) for _ in range(draw.choice([1, 3, 10, 40]))]
        grades = [0] if draw.random() < 0.05 else [0, 0, 1, 2, 3, 4]
        judgments[topic] = {d: draw.choice(grades) for d in dict.fromkeys(documents)}
        if topic != "t00000" and draw.random() < missing:
            continue
        unjudged = [f"u{draw.randrange(10**4)}" + draw.choice(TAILS) for _ in range(draw.choice([0, 1, 20]))]
        listed = draw.sample(documents + unjudged, k=draw.randint(1, len(documents) + len(unjudged)))
        score = draw.choice([
            lambda: draw.gauss(0, 10),
            lambda: float(draw.randint(0, 3)),
            lambda: 1.0 + draw.randint(0, 6) * 3e-8,
            lambda: 1e-3 * draw.randint(-2, 2) + draw.randint(0, 3) * 1e-12,
            lambda: 7.0,
        ])  # fmt: skip
        run[topic] = {d: score() for d in dict.fromkeys(listed)}
    return judgments, run


def oracle(judgments: Table, run: Table) -> dict[str, dict[str, float]]:
    """{topic: {our name: pytrec_eval's value}}."""
    cuts = "ndcg_cut." + ",".join(map(str, CUTOFFS))
    found = pytrec_eval.RelevanceEvaluator(judgments, {"ndcg", cuts}).evaluate(run)
    return {topic: {o: values[t] for o, t in zip(OURS, THEIRS, strict=True)} for topic, values in found.items()}


@pytest.fixture(scope="module", params=[1, 2, 3, 4, 5, 6])
def batch(request: pytest.FixtureRequest) -> tuple[Table, Table, dict[str, dict[str, float]]]:
    judgments, run = random_topics(request.param, 600)
    return judgments, run, oracle(judgments, run)


def test_random_topics_hold_what_they_should() -> None:
    judgments, run = random_topics(1, 600)
    assert 0 < len(judgments.keys() - run.keys()) < 100
    assert any(not any(grades.values()) for grades in judgments.values())
    assert any(len(set(scores.values())) < len(scores) for scores in run.values())
    assert any(set(scores) - set(judgments[topic]) for topic, scores in run.items())


def test_trec_eval_scenario_equals_pytrec_eval(batch: tuple[Table, Table, dict[str, dict[str, float]]]) -> None:
    judgments, run, expected = batch
    scores = evaluate(judgments, run, OURS, scenario="trec_eval-9.0.8")
    for measure in OURS:
        for topic, value in scores["run", measure].items():
            if topic in run:
                assert abs(value - expected[topic][measure]) <= 1e-12, (measure, topic)
            else:
                assert math.isnan(value), (measure, topic)
        mean = math.fsum(values[measure] for values in expected.values()) / len(expected)
        assert abs(scores.summary()["run"][measure] - mean) <= 1e-12


def test_default_scenario_equals_pytrec_eval_where_scores_differ_in_32_bits(
    batch: tuple[Table, Table, dict[str, dict[str, float]]],
) -> None:
    """pytrec_eval gets the places of our documented order as scores, so that only the measure is compared."""
    judgments, run, _ = batch
    places = {
        topic: {d: float(-i) for i, d in enumerate(sorted(scores, key=lambda d: (scores[d], d), reverse=True))}
        for topic, scores in run.items()
    }
    expected = oracle(judgments, places)
    scores = evaluate(judgments, run, OURS)
    compared = 0
    for measure in OURS:
        for topic, value in scores["run", measure].items():
            if not any(grade > 0 for grade in judgments[topic].values()):
                assert math.isnan(value), (measure, topic)
            elif topic in run:
                assert abs(value - expected[topic][measure]) <= 1e-12, (measure, topic)
                compared += 1
            else:
                assert value == 0, (measure, topic)
    assert compared > 4500


def test_scores_that_collide_in_32_bits_tie_in_9_but_not_in_10() -> None:
    judgments, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}}
    found = pytrec_eval.RelevanceEvaluator(judgments, {"ndcg_cut.1"}).evaluate(run)["q"]["ndcg_cut_1"]
    assert found == 0
    assert evaluate(judgments, run, "nDCG@1", scenario="trec_eval-9.0.8")["run", "nDCG@1"]["q"] == 0
    assert evaluate(judgments, run, "nDCG@1", scenario="trec_eval-10")["run", "nDCG@1"]["q"] == 1
    assert evaluate(judgments, run, "nDCG@1")["run", "nDCG@1"]["q"] == 1


def test_scores_beyond_32_bits_tie_at_infinity() -> None:
    judgments, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 2e300, "b": 1e300}}
    assert evaluate(judgments, run, "nDCG@1", scenario="trec_eval-9.0.8")["run", "nDCG@1"]["q"] == 0
    assert evaluate(judgments, run, "nDCG@1", scenario="trec_eval-10")["run", "nDCG@1"]["q"] == 1


@pytest.mark.parametrize("length", [1, 7, 8, 9, 16, 17, 24, 25, 32, 33, 512, 513, 600])
def test_a_document_is_found_whatever_the_lengths_of_its_neighbours(length: int) -> None:
    """Judgments hold one id, the run also longer and shorter ones; topics likewise."""
    document, others = "d" * length, ["x" * n for n in (1, 8, 9, 17, 25, 700)]
    run = {
        "q" * length: {document: 9.0} | dict.fromkeys(others, 1.0),
        "another topic, with a longer name" * 20: {"y": 1},
    }
    scores = evaluate({"q" * length: {document: 1}}, run, "CG")
    assert scores["run", "CG"]["q" * length] == 1


def test_ids_compare_by_bytes_on_ties() -> None:
    """Ids of several lengths and beyond ASCII, all tied: the order is that of their bytes, descending."""
    names = ["d", "d1", "d10", "d2", "D2", "é", "e", "z", "\U0001f600", "\uffff", "doc-with-a-rather-long-name-1",
             "doc-with-a-rather-long-name-2", "doc-with-a-rather-long-name"]  # fmt: skip
    run = {"q": dict.fromkeys(names, 1.0)}
    expected = sorted(names, key=lambda name: name.encode(), reverse=True)
    for rank, name in enumerate(expected, start=1):
        scores = evaluate({"q": {name: 1}}, run, "DCG", discount="rank")
        assert scores["run", "DCG"]["q"] == 1 / rank


INDEX = Path(__file__).parents[1] / "data" / "trec_eval" / "index.tsv"
SCENARIOS = {"9.0.8": "trec_eval-9.0.8", "10.0": "trec_eval-10"}
FLAGS: dict[str, dict[str, object]] = {  # -l2 is ignored by nDCG; -M10 would cut the run itself
    "all": {}, "all_l2": {}, "all_c": {"missing": "zero"}, "all_J": {"unjudged": "condensed"}, "cuts": {}, "gains": {},
}  # fmt: skip


def conformance_rows() -> list[dict[str, str]]:
    with INDEX.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines, delimiter="\t") if row["flags"] in FLAGS]


def printed(path: Path) -> dict[str, dict[str, str]]:
    """{our notation's trec_eval name: {topic or 'all': number as printed}} of the nDCG lines."""
    found: dict[str, dict[str, str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, topic, value = line.split("\t")
        name = name.strip()
        if name == "ndcg" or name.startswith(("ndcg_cut_", "ndcg_1=")):
            found.setdefault(name.replace("ndcg_1=", "ndcg.1="), {})[topic] = value
    return found


@pytest.mark.parametrize("row", conformance_rows(), ids=lambda row: row["file"])
def test_what_trec_eval_printed(row: dict[str, str], recorded: Path) -> None:
    judgments = read_judgments(recorded / row["case"] / "qrels")
    run = read_run(recorded / row["case"] / "run")
    choices = {"scenario": SCENARIOS[row["version"]], **FLAGS[row["flags"]]}
    if row["exit"] != "0":
        with pytest.raises(GaincurveError) as caught:
            evaluate(judgments, run, "nDCG", **choices)
        assert caught.value.slug == "topics-missing"
        return
    expected = printed(recorded / row["file"])
    assert expected
    if row["flags"] == "gains" and row["case"] == "negative_grades":  # grade 4 has no gain: an error here, 4 there
        with pytest.raises(GaincurveError) as caught:
            evaluate(judgments, run, list(expected), **choices)
        assert caught.value.slug == "gains-grade"
        return
    scores = evaluate(judgments, run, list(expected), **choices)
    assert len(scores.measures) == len(expected)
    for lines, measure in zip(expected.values(), scores.measures, strict=True):
        single = dict(scores[scores.runs[0], measure].items()) | {"all": scores.summary()[scores.runs[0]][measure]}
        for topic, text in lines.items():
            assert abs(single[topic] - float(text)) <= 0.00005 + 1e-12, (measure, topic)
        # trec_eval 9 prints no line for a topic the run lacks; every other topic with a value has its line
        silent = {topic for topic, value in single.items() if not math.isnan(value)} - lines.keys()
        assert silent <= set(judgments.topics) - set(run.topics)
