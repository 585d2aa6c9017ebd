"""Scores that another tool computed are compared like our own: from frames, records and files, or refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from helpers.command import Command
from scipy.stats import ttest_rel

import gaincurve as gc

RNG = np.random.default_rng(19)
TOPICS = [f"q{i}" for i in range(1, 13)]
VALUES = {(name, measure): RNG.random(12).round(4) for name in ("bm25", "splade") for measure in ("AP", "nDCG@10")}
RECORDS = [
    {"name": name, "qid": topic, "measure": measure, "value": float(value)}
    for (name, measure), values in VALUES.items()
    for topic, value in zip(TOPICS, values, strict=True)
]
FRAME = pd.DataFrame(RECORDS)


def check(comparison: object) -> None:
    for family in comparison.families:  # type: ignore[attr-defined]
        (pair,) = family.pairs
        theirs = ttest_rel(VALUES["bm25", pair.measure], VALUES["splade", pair.measure])
        assert pair.p == pytest.approx(theirs.pvalue, abs=1e-12)
        assert abs(pair.difference) == pytest.approx(
            abs(VALUES["bm25", pair.measure].mean() - VALUES["splade", pair.measure].mean()), abs=1e-12
        )


@pytest.mark.parametrize(
    "given",
    [FRAME, pl.DataFrame(RECORDS), pl.DataFrame(RECORDS).lazy(), pa.Table.from_pylist(RECORDS), RECORDS,
     FRAME.rename(columns={"name": "run", "qid": "topic"}), FRAME.sample(frac=1, random_state=3),
     FRAME.assign(qid=FRAME.qid.str[1:].astype(int))],
)  # fmt: skip
def test_tables_in_memory(given: object) -> None:
    check(gc.compare(given))


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "json", "parquet", "csv.gz"])
def test_files(gaincurve: Command, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"perquery.{suffix}"
    if suffix == "parquet":
        FRAME.to_parquet(path)
    elif suffix in ("json", "jsonl"):
        FRAME.to_json(path, orient="records", lines=suffix == "jsonl")
    else:
        FRAME.to_csv(path, sep="\t" if suffix == "tsv" else ",")  # with pandas' column of row numbers
    check(gc.compare(path))
    done = gaincurve("compare", path, "-f", "json", "-m", "AP", "--baseline", "bm25")
    assert done.returncode == 0, done.stderr
    shape = json.loads(done.stdout)
    assert [pair["measure"] for pair in shape["pairs"]] == ["AP"]
    theirs = ttest_rel(VALUES["splade", "AP"], VALUES["bm25", "AP"])
    assert shape["pairs"][0]["p"] == pytest.approx(theirs.pvalue, abs=1e-12)


def test_our_own_results_come_back(tmp_path: Path) -> None:
    judged = {topic: {"a": 1, "b": 2} for topic in TOPICS}
    runs = {name: {t: {"a": float(RNG.random()), "b": float(RNG.random())} for t in TOPICS} for name in ("x", "y")}
    scores = gc.evaluate(judged, runs, ["nDCG@1", "RR"])
    again = gc.read_scores(_written(scores, tmp_path / "scores.csv"))
    assert again.runs == scores.runs
    assert str(again.signatures[0]) == str(scores.signatures[0])
    ours, theirs = gc.compare(scores), gc.compare(again)
    assert [pair.p for f in ours.families for pair in f.pairs] == [pair.p for f in theirs.families for pair in f.pairs]


def _written(scores: gc.Scores, path: Path) -> Path:
    scores.to_frame("pandas").to_csv(path, index=False)
    return path


def test_a_missing_score_is_noted_and_not_a_zero() -> None:
    some = FRAME[~((FRAME.name == "bm25") & (FRAME.qid == "q3"))]
    with pytest.warns(gc.GaincurveWarning, match="bm25 has no score for 1 topic of 12"):
        compared = gc.compare(some)
    assert len(compared.families[0].topics) == 11
    undefined = FRAME.assign(value=FRAME.value.where(FRAME.qid != "q3"))
    assert len(gc.compare(undefined).families[0].topics) == 11


def test_a_measure_of_theirs_keeps_its_name_and_its_direction_is_said() -> None:
    other = FRAME.assign(measure=FRAME.measure.replace({"AP": "mrt"}))
    with pytest.warns(gc.GaincurveWarning, match="mrt: not a measure of ours, so higher is taken as better"):
        scores = gc.compare(other)
    assert [family.measure for family in scores.families] == ["mrt", "nDCG@10"]
    legacy = FRAME.assign(measure=FRAME.measure.replace({"AP": "map", "nDCG@10": "ndcg_cut_10"}))
    assert [family.measure for family in gc.compare(legacy).families] == ["map", "ndcg_cut_10"]
    assert "scored:elsewhere" in str(gc.compare(FRAME).families[0].signature)


def test_means_over_topics_are_left_out_or_refused() -> None:
    means = pd.DataFrame([{"name": n, "qid": "all", "measure": "AP", "value": 0.5} for n in ("bm25", "splade")])
    check(gc.compare(pd.concat([FRAME, means])))
    with pytest.raises(gc.GaincurveError, match="means over topics only"):
        gc.compare(means)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (FRAME.rename(columns={"measure": "measur"}), "no column for measure, but 'measur'|did you mean"),
        (pd.DataFrame({"name": ["a"], "AP": [0.5]}), "no column for topic and measure and value"),
        (pd.concat([FRAME, FRAME[:1]]), "AP of bm25 on topic q1 occurs twice"),
        (FRAME.assign(value="high"), "'value' is 'high', not a number"),
        (FRAME.assign(value=float("inf")), "not a number"),
        (FRAME.assign(qid=None), "qid"),
        (FRAME[FRAME.name == "bm25"], "at least two|two runs|1 run"),
        (FRAME.assign(signature=[str(i) for i in range(len(FRAME))]), "computed in two ways"),
    ],
)
def test_broken_tables_are_refused(given: pd.DataFrame, what: str) -> None:
    with pytest.raises(gc.GaincurveError, match=what):
        gc.compare(given)


def test_the_command_line_names_what_is_missing(gaincurve: Command, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 3\n")
    done = gaincurve("compare", tmp_path / "qrels")
    assert done.returncode != 0
    assert "with judgments, give runs, too" in done.stderr
    FRAME.to_csv(tmp_path / "perquery.csv")
    done = gaincurve("compare", tmp_path / "perquery.csv", "--gains", "exp2")
    assert done.returncode == 2
    assert "--gains changes nothing about scores that were computed before" in done.stderr
