"""Estimates from samples: over all samples their mean is the value of the whole pool, and the errors are right."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.cli import main
from gaincurve.errors import GaincurveError
from gaincurve.measures.notation import parse_measure
from gaincurve.model.scenario import Scenario
from gaincurve.stats.recapture import recapture_interval, recaptured
from gaincurve.stats.samples import stands_higher, tuned_lambda
from gaincurve.verbs.estimate import read_sample
from gaincurve.verbs.estimators import Estimator
from gaincurve.verbs.experiment import experiment


class Row(NamedTuple):
    topic: str
    document: str
    grade: float
    stratum: str


class Drawn(NamedTuple):
    topic: str
    document: str
    grade: float
    p: float


POOL = {
    "q1": {"a": {"d1": 2, "d2": 0, "d3": 1}, "b": {"d4": 0, "d5": 3, "d6": 0, "d7": 1}},
    "q2": {"a": {"e1": 0, "e2": 2}, "b": {"e3": 1, "e4": 0, "e5": 0}},
}
"""Two topics of two strata, with the grades that a judge would give."""
SIZES = {"q1": {"a": 2, "b": 2}, "q2": {"a": 1, "b": 2}}
RUN = {
    "q1": ["d5", "u1", "d1", "d4", "d3", "d2"],
    "q2": ["e1", "e3", "u2", "e2"],
}
MACHINE = {
    "good": lambda grade, i: grade,
    "noisy": lambda grade, i: (grade + i) % 4,
    "upside down": lambda grade, i: 1 - min(grade, 1),
}


def grades() -> dict[str, dict[str, float]]:
    return {t: {d: g for row in strata.values() for d, g in row.items()} for t, strata in POOL.items()}


def machine(kind: str) -> dict[str, dict[str, float]]:
    return {t: {d: MACHINE[kind](g, i) for i, (d, g) in enumerate(row.items())} for t, row in grades().items()}


def samples() -> Iterator[list[Row]]:
    """Every sample that can be drawn with these sizes; all are equally likely."""
    parts = [(t, s, tuple(row)) for t, strata in POOL.items() for s, row in strata.items()]
    for chosen in itertools.product(*(itertools.combinations(row, SIZES[t][s]) for t, s, row in parts)):
        rows = []
        for (topic, stratum, documents), drawn in zip(parts, chosen, strict=True):
            for d in documents:
                rows.append(Row(topic, d, POOL[topic][stratum][d] if d in drawn else -1, stratum))
        yield rows


TOTALS = ["CG@3", "DCG@5", "P@4", "DCG(gains='0-1-10-100')@5", "NumRel", "NumRel(rel=2)"]


def whole(text: str) -> np.ndarray:
    """What eval says of the pool with every document judged."""
    return gc.evaluate(grades(), RUN, text).values[0, 0]


@pytest.mark.parametrize("text", TOTALS)
def test_the_mean_over_all_samples_is_the_value_of_the_pool(text: str) -> None:
    found = np.array([gc.estimate(sample, RUN, text).values[0, 0] for sample in samples()])
    assert len(found) == 3 * 6 * 2 * 3
    assert found.mean(axis=0) == pytest.approx(whole(text), abs=1e-12)


@pytest.mark.parametrize("text", ["DCG@5", "NumRel"])
def test_the_mean_of_the_squared_error_is_the_variance_over_all_samples(text: str) -> None:
    """Where at least two documents of each stratum are judged: topic q1."""
    pairs = [gc.estimate(sample, RUN, text).of_topics("run", text)["q1"] for sample in samples()]
    values, errors = np.array(pairs).T
    assert (errors**2).mean() == pytest.approx(values.var(), abs=1e-12)


@pytest.mark.parametrize("text", ["nDCG@5", "nCG@3", "R@4"])
def test_a_ratio_is_that_of_the_totals_and_of_the_whole_pool_the_measure_itself(text: str) -> None:
    everything = [Row(t, d, g, s) for t, strata in POOL.items() for s, row in strata.items() for d, g in row.items()]
    found = gc.estimate(everything, RUN, text)
    assert found.values[0, 0] == pytest.approx(whole(text), abs=1e-12)
    assert (found.errors == 0).all()


def test_a_ratio_by_hand() -> None:
    """Of stratum b two of four were judged: the relevant d5 counts twice, so R = 1 + 1 + 2 and R@1 = 2/4.

    The ideal of nDCG@3 has 2 documents of grade 3, then d1 of grade 2.
    """
    rows = [Row("q1", d, -1 if d in ("d6", "d7") else g, "b" if d > "d3" else "a") for d, g in grades()["q1"].items()]
    found = gc.estimate(rows, {"q1": RUN["q1"]}, ["R@1", "nDCG@3"])
    assert found["run", "R@1"].value == pytest.approx(2 / 4)
    dcg = 2 * 3 + 2 / math.log2(4)
    assert found["run", "nDCG@3"].value == pytest.approx(dcg / (3 + 3 / math.log2(3) + 2 / math.log2(4)))


@pytest.mark.parametrize("kind", MACHINE)
@pytest.mark.parametrize("weight", [1.0, 0.4])
@pytest.mark.parametrize("text", ["DCG@5", "P@4", "NumRel"])
def test_whatever_the_machine_says_the_mean_over_all_samples_is_the_value_of_the_pool(
    kind: str, weight: float, text: str
) -> None:
    labels = machine(kind)
    found = [gc.estimate(s, RUN, text, machine=labels, weight=weight).values[0, 0] for s in samples()]
    assert np.mean(found, axis=0) == pytest.approx(whole(text), abs=1e-12)


@pytest.mark.parametrize("kind", MACHINE)
def test_a_machine_adds_nothing_where_people_judged_everything(kind: str) -> None:
    everything = [Row(t, d, g, s) for t, strata in POOL.items() for s, row in strata.items() for d, g in row.items()]
    found = gc.estimate(everything, RUN, ["DCG@5", "nDCG@5"], machine=machine(kind))
    assert found.values[0] == pytest.approx(gc.evaluate(grades(), RUN, ["DCG@5", "nDCG@5"]).values[0], abs=1e-12)
    assert found.errors == pytest.approx(np.zeros((1, 2, 2)), abs=1e-12)


def test_a_machine_that_is_right_leaves_no_error() -> None:
    sample = next(samples())
    found = gc.estimate(sample, RUN, "DCG@5", machine=machine("good"))
    assert found.of_topics("run", "DCG@5")["q1"] == (pytest.approx(whole("DCG@5")[0]), 0.0)


def test_independent_draws_have_the_mean_and_the_variance_of_the_formula() -> None:
    """p alone: all subsets of four documents, each with its probability."""
    p = {"d1": 0.5, "d2": 0.8, "d3": 0.25, "d5": 1.0}
    mean = second = expected = 0.0
    for chosen in itertools.product([False, True], repeat=len(p)):
        chance = math.prod(p[d] if drawn else 1 - p[d] for d, drawn in zip(p, chosen, strict=True))
        rows = [Drawn("q1", d, grades()["q1"][d], p[d]) for d, drawn in zip(p, chosen, strict=True) if drawn]
        if not chance:
            continue
        found = gc.estimate(rows, {"q1": RUN["q1"]}, "CG@6")
        value, error = found.of_topics("run", "CG@6")["q1"]
        mean, second, expected = mean + chance * value, second + chance * value**2, expected + chance * error**2
        assert "variance:independent-draws" in str(found.signatures[0])
    assert mean == pytest.approx(sum(grades()["q1"][d] for d in p))
    assert expected == pytest.approx(second - mean**2)


def test_strata_with_p_and_without_the_rest_of_the_pool_have_the_same_error() -> None:
    class Both(NamedTuple):
        topic: str
        document: str
        grade: float
        stratum: str
        p: float

    sample = next(samples())
    share = {(t, s): SIZES[t][s] / len(row) for t, strata in POOL.items() for s, row in strata.items()}
    short = [Both(*row, share[row.topic, row.stratum]) for row in sample if row.grade >= 0]
    one, other = (gc.estimate(given, RUN, ["DCG@5", "NumRel"]) for given in (sample, short))
    assert one.values == pytest.approx(other.values)
    assert one.errors[0, :, 0] == pytest.approx(other.errors[0, :, 0])


def test_one_document_that_stands_for_several_has_no_error_unless_they_cannot_count() -> None:
    sample = next(samples())
    found = gc.estimate(sample, RUN, ["NumRel", "P@1"])
    assert math.isnan(found.of_topics("run", "NumRel")["q2"][1])
    assert math.isnan(found["run", "NumRel"].error)
    assert any(note.slug == "stratum-of-one" for note in found.notes)
    only_b = {"q2": ["e3", "e4"]}  # the run shows nothing of stratum a, of which one was judged: that cannot count
    assert not math.isnan(gc.estimate(sample, only_b, "P@2").of_topics("run", "P@2")["q2"][1])


def test_json_holds_null_where_there_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, run = tmp_path / "q", tmp_path / "r.run"
    qrels.write_text("1 0 a s 1\n1 0 b s -1\n")
    run.write_text("1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n")
    assert main(["estimate", str(qrels), str(run), "-f", "json", "-q", "--quiet"]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert shape["schema"] == "gaincurve.estimates/1"
    assert shape["estimates"]["r"]["NumRel"] == {"value": 2.0, "se": None, "low": None, "high": None, "topics": 1}
    assert shape["topics"]["r"]["1"]["NumRel"] == {"value": 2.0, "se": None}


def test_one_topic_has_no_interval_and_few_have_a_note() -> None:
    one = [row for row in next(samples()) if row.topic == "q1"]
    found = gc.estimate(one, RUN, "DCG@5")
    assert not math.isnan(found["run", "DCG@5"].error)
    assert math.isnan(found["run", "DCG@5"].low)
    assert any(note.slug == "few-topics" and "one topic" in note.text for note in found.notes)


def simulated(topics: int, seed: int) -> tuple[dict[str, dict[str, float]], dict[str, list[str]]]:
    """Topics of 60 documents, relevant ones likelier to stand high."""
    draw = random.Random(seed)
    judged, run = {}, {}
    for t in range(topics):
        documents = [f"t{t}d{i}" for i in range(60)]
        chances = [(d, 0.6 * 0.95**i) for i, d in enumerate(documents)]
        judged[f"t{t}"] = {d: float(draw.random() < chance) * draw.randint(1, 3) for d, chance in chances}
        run[f"t{t}"] = documents[:40]
    return judged, run


def drawn_from(judged: dict[str, dict[str, float]], seed: int) -> list[Row]:
    draw = np.random.default_rng(seed)
    rows = []
    for topic, row in judged.items():
        documents = list(row)
        for name, members, size in (("top", documents[:10], 4), ("rest", documents[10:], 10)):
            chosen = set(draw.choice(len(members), size=size, replace=False).tolist())
            rows += [Row(topic, d, row[d] if i in chosen else -1, name) for i, d in enumerate(members)]
    return rows


@pytest.mark.parametrize("text", ["DCG@20", "P@20", "NumRel"])
def test_intervals_over_200_topics_hold_the_truth(text: str) -> None:
    """60 samples: a coverage of 95% gives at least 52 but once in 200 times; the seed is fixed."""
    judged, run = simulated(200, 7)
    truth = float(gc.evaluate(judged, run, text).values[0, 0].mean())
    means = [gc.estimate(drawn_from(judged, seed), run, text)["run", text] for seed in range(60)]
    held = sum(mean.low <= truth <= mean.high for mean in means)
    assert 52 <= held <= 60
    spread = np.std([mean.value for mean in means], ddof=1)
    assert np.mean([mean.error for mean in means]) == pytest.approx(spread, rel=0.25)


@pytest.mark.parametrize("text", ["nDCG@20", "R@20"])
def test_a_ratio_of_small_samples_leans_and_the_note_says_how_far(text: str) -> None:
    judged, run = simulated(200, 7)
    truth = gc.evaluate(judged, run, text).summary()["run"][text]
    said, off = [], []
    for seed in range(12):
        found = gc.estimate(drawn_from(judged, seed), run, text)
        (note,) = [note.text for note in found.notes if note.slug == "ratio-leans"]
        said.append(float(note.partition("by about ")[2].partition(",")[0]))
        off.append(found["run", text].value - truth)
        assert math.isnan(found["run", text].low)
        assert found["run", text].error > 0
    assert np.mean(said) == pytest.approx(np.mean(off), rel=0.35)
    larger = [Row(t, d, g, "all") for t, row in judged.items() for d, g in row.items()]
    assert not [note for note in gc.estimate(larger, run, text).notes if note.slug == "ratio-leans"]


def test_the_bias_is_that_of_a_plain_jackknife() -> None:
    """Leave out one judged document after the other, and make the others of its stratum stand for it."""
    sample = [row for row in next(samples()) if row.topic == "q1"]
    prepared = read_sample(sample)
    (run,) = experiment(prepared.pool, RUN, Scenario()).runs
    for text in ("nDCG@5", "R@4"):
        estimator = Estimator.of(prepared, parse_measure(text), Scenario(), 1.0)
        whole_value = gc.estimate(sample, RUN, text).values[0, 0, 0]
        expected = 0.0
        for stratum, size in SIZES["q1"].items():
            full = len(POOL["q1"][stratum])
            for out in [row for row in sample if row.stratum == stratum and row.grade >= 0]:
                rest = [row._replace(grade=-1) if row == out else row for row in sample]
                expected += (1 - size / full) * (size - 1) / size * (
                    gc.estimate(rest, RUN, text).values[0, 0, 0] - whole_value
                )  # fmt: skip
        assert estimator.bias(run)[0] == pytest.approx(expected)


def test_a_tuned_machine_is_never_much_worse_than_none() -> None:
    judged, run = simulated(30, 3)
    rows = drawn_from(judged, 1)
    alone = gc.estimate(rows, run, "DCG@20")["run", "DCG@20"].error
    right = {t: {d: g + (i % 7 == 0) for i, (d, g) in enumerate(row.items())} for t, row in judged.items()}
    useless = {t: dict.fromkeys(row, 2.0) for t, row in judged.items()}
    good, flat = (gc.estimate(rows, run, "DCG@20", machine=m, weight="tuned") for m in (right, useless))
    assert good["run", "DCG@20"].error < 0.5 * alone
    assert flat["run", "DCG@20"].error == pytest.approx(alone)
    assert "estimator:difference|variance:strata|lambda:0(tuned)" in str(flat.signatures[0])


def test_lambda_by_hand() -> None:
    assert tuned_lambda(np.array([0.0, 1.0, 2.0]), np.array([0.0, 2.0, 4.0])) == pytest.approx(0.5)
    assert tuned_lambda(np.array([2.0, 1.0, 0.0]), np.array([0.0, 2.0, 4.0])) == 0.0
    assert tuned_lambda(np.array([0.0, 4.0]), np.array([0.0, 1.0])) == 1.0
    assert tuned_lambda(np.array([0.0, 4.0]), np.array([1.0, 1.0])) == 0.0


# What is refused ----------------------------------------------------------------------------------------------------


def refused(slug: str, *args: Any, **words: Any) -> str:
    with pytest.raises(GaincurveError) as caught:
        gc.estimate(*args, **words)
    assert caught.value.slug == slug
    return str(caught.value)


def test_judgments_that_are_no_sample_are_refused() -> None:
    assert "how their documents were chosen" in refused("judgments-no-sample", grades(), RUN)
    assert "--assume-random" in refused("judgments-no-sample", grades(), RUN, machine=machine("good"))


def test_missing_machine_labels_are_refused_with_the_count() -> None:
    labels = machine("good")
    del labels["q1"]["d2"], labels["q2"]["e1"]
    assert "2 documents of the pool have no machine label" in refused(
        "labels-missing", next(samples()), RUN, machine=labels
    )
    labels["q1"]["d2"] = -1
    labels["q2"]["e1"] = 0
    assert "1 document of the pool has no machine label: d2 of topic q1" in refused(
        "labels-missing", next(samples()), RUN, machine=labels
    )


def test_labels_of_pool_tops_are_refused_and_random_ones_are_signed() -> None:
    judged, run = simulated(10, 1)
    tops = {t: {d: row[d] for d in run[t][:10]} for t, row in judged.items()}
    refused("labels-of-tops", tops, run, machine=judged, assume_random=True)
    draw = np.random.default_rng(5)
    chance = {t: {d: row[d] for d in draw.choice([*row], 10, replace=False).tolist()} for t, row in judged.items()}
    found = gc.estimate(chance, run, "DCG@10", machine=judged, assume_random=True)
    assert "sample:assumed-random" in str(found.signatures[0])
    assert found["run", "DCG@10"].value == pytest.approx(gc.evaluate(judged, run, "DCG@10").summary()["run"]["DCG@10"])


def test_a_declared_sample_of_tops_gets_a_note() -> None:
    judged, run = simulated(10, 1)
    rows = [Row(t, d, row[d] if i < 10 else -1, "all") for t, row in judged.items() for i, d in enumerate(row)]
    assert any(note.slug == "sample-not-random" for note in gc.estimate(rows, run, "DCG@10").notes)


def test_measures_and_choices_without_an_estimate_are_refused() -> None:
    assert "xinfAP" in refused("estimate-measure", next(samples()), RUN, "AP")
    refused("estimate-measure", next(samples()), RUN, "nDCG(ideal='retrieved')@5")
    refused("estimate-measure", next(samples()), RUN, "DCG@5", unjudged="condensed")
    refused("choice-unknown", next(samples()), RUN, "DCG@5", weight="2")


def test_broken_strata_and_probabilities_are_refused_by_name_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "r.run"
    run.write_text("1 Q0 a 1 2 r\n")
    for rows, said in (
        (["1,a,1,s,0"], "p is 0"),
        (["1,a,1,s,1.5"], "p is 1.5"),
        (["1,a,1,s,.5", "1,b,0,s,.25"], "p is 0.25 here and 0.5"),
        (["1,a,1,s,.5", "1,b,-2,s,.5"], "grade -2"),
    ):
        table = tmp_path / "q.csv"
        table.write_text("\n".join(["topic,document,grade,stratum,p", *rows]) + "\n")
        assert main(["estimate", str(table), str(run)]) == 2
        printed = capsys.readouterr().err
        assert "judgments-strata" in printed
        assert said in printed
        assert f"q.csv:{1 + len(rows)}" in printed
    empty = tmp_path / "q"
    empty.write_text("1 0 a s 1\n1 0 b rest -1\n")
    assert main(["estimate", str(empty), str(run), "-m", "DCG@5"]) == 2
    assert "stratum rest of topic 1" in capsys.readouterr().err
    assert main(["estimate", str(empty), str(run), "-m", "DCG@5", "--empty-strata", "skip"]) == 0


def test_a_p_that_the_listed_pool_contradicts_is_refused() -> None:
    class Both(NamedTuple):
        topic: str
        document: str
        grade: float
        stratum: str
        p: float

    rows = [Both("q", f"d{i}", 1 if i < 2 else -1, "s", 0.5) for i in range(8)]
    assert "p is 0.5, but 0.25 of its stratum was judged" in refused("judgments-strata", rows, {"q": ["d1"]}, "P@1")


# Chance, recapture, curves ------------------------------------------------------------------------------------------


def test_the_rank_sum_is_that_of_scipy() -> None:
    from scipy.stats import mannwhitneyu  # noqa: PLC0415 -- takes a second

    draw = np.random.default_rng(3)
    value = draw.integers(0, 6, 40).astype(float)
    labelled = draw.random(40) < 0.4
    ours = stands_higher(np.zeros(40, dtype=np.int64), value, labelled)
    words = {"alternative": "less", "use_continuity": False, "method": "asymptotic"}
    test = mannwhitneyu(value[labelled], value[~labelled], **words)
    assert 0.5 * math.erfc(ours / math.sqrt(2)) == pytest.approx(test.pvalue)


def test_recapture_by_hand() -> None:
    estimate, variance = recaptured(10, 15, 5)
    assert (estimate, variance) == (pytest.approx(28.3333, abs=1e-4), pytest.approx(34.92, abs=5e-3))
    low, high = recapture_interval(20, estimate, variance)
    assert 20 < low < estimate < high
    assert recapture_interval(10, *recaptured(10, 5, 5)) == (10.0, 10.0)


def test_recapture_over_topics_and_what_it_refuses() -> None:
    a = {"q": {f"d{i}": 1 for i in range(10)}, "r": {"x": 1}}
    b = {"q": {f"d{i}": 1 for i in range(5, 20)}, "r": {"y": 1}}
    result = gc.recapture(a, b)
    assert result.topics[0].estimate == pytest.approx(28.3333, abs=1e-4)
    assert (result.all.first, result.all.second, result.all.both) == (11, 16, 5)
    assert any(note.slug == "recapture-apart" for note in result.notes)
    with pytest.raises(GaincurveError) as caught:
        gc.recapture(a, {t: dict.fromkeys(row, 0) for t, row in a.items()})
    assert caught.value.slug == "recapture-same"


@pytest.mark.parametrize("name", ["CG", "DCG", "nCG", "nDCG", "P", "R"])
def test_the_curve_at_rank_k_is_the_estimate_at_k(name: str) -> None:
    judged, run = simulated(12, 2)
    rows = drawn_from(judged, 2)
    curve = gc.estimated_curves(rows, run, name, depth=6)
    for k in (1, 3, 6):
        mean, at = gc.estimate(rows, run, f"{name}@{k}")["run", f"{name}@{k}"], curve.at(curve.curves[0], 0, k)
        assert (at.value, at.error, at.topics) == (mean.value, mean.error, mean.topics)


# Comparing estimates ------------------------------------------------------------------------------------------------


def two_systems(topics: int, seed: int) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, list[str]]]]:
    """Two orders of the same documents by chance: no system is better."""
    judged, run = simulated(topics, seed)
    draw = random.Random(seed)
    return judged, {name: {t: draw.sample(row[:20], 20) + row[20:] for t, row in run.items()} for name in ("a", "b")}


def test_t_on_estimates_keeps_its_level() -> None:
    """Two systems of chance on 30 topics, 200 experiments: p ≤ .05 in about 5 %, at most 18 of 200 (.5 % above it)."""
    small = 0
    for seed in range(200):
        judged, runs = two_systems(30, seed)
        found = gc.compare(gc.estimate(drawn_from(judged, seed), runs, "DCG@10"))
        small += found.families[0].pairs[0].p <= 0.05
    assert 2 <= small <= 18


def test_tests_of_single_topics_are_refused_on_estimates_and_means_get_a_note() -> None:
    judged, runs = two_systems(12, 1)
    rows = drawn_from(judged, 1)
    found = gc.estimate(rows, runs, ["DCG@10", "xinfAP"])
    for test in ("wilcoxon", "sign", "friedman"):
        with pytest.raises(GaincurveError) as caught:
            gc.compare(found, test)
        assert caught.value.slug == "test-not-possible"
        with pytest.raises(GaincurveError):
            gc.compare(gc.evaluate(rows, runs, "xinfAP"), test)
    compared = gc.compare(found)
    assert any(note.slug == "estimates-compared" for note in compared.notes)
    assert "estimator:horvitz-thompson" in str(compared.families[0].signature)
    assert not any(n.slug == "estimates-compared" for n in gc.compare(gc.evaluate(judged, runs, "DCG@10")).notes)
