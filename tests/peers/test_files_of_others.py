"""Files and records of other tools, read by us, and ours read by them: one number on every way."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import ir_datasets
import ir_measures
import pandas as pd
import pyterrier as pt
import pytest
import ranx

import gaincurve as gc
from gaincurve.io.read import read_judgments, read_run

GRADES = {"q1": {"d1": 2.0, "d2": 1.0}}
SCORES = {"q1": {"d2": 0.9, "d1": 0.4}}
EXPECTED = 0.8597186998521972  # (1 + 2/log2(3)) / (2 + 1/log2(3))
JUDGED = [("q1", "d1", 2), ("q1", "d2", 1)]
LISTED = [("q1", "d2", 0.9), ("q1", "d1", 0.4)]

Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")
ScoredDoc = namedtuple("ScoredDoc", "query_id doc_id score")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """Judgments or a run in one of our formats, by kind and suffix."""
    monkeypatch.chdir(tmp_path)
    Path("judgments.source").write_text(json.dumps(GRADES))
    Path("run.source").write_text(json.dumps(SCORES))

    def written(kind: str, suffix: str) -> str:
        out = f"{kind}{suffix}"
        gc.convert(f"{kind}.source", out, kind=kind)
        return out

    return written


def test_measures_and_records_of_ir_measures_itself() -> None:
    judgments, run = gc.Judgments.of(GRADES), gc.Run.of(SCORES)
    assert gc.evaluate(judgments, run, [ir_measures.nDCG @ 10, ir_measures.P @ 1]).summary()["run"] == {
        "nDCG@10": pytest.approx(EXPECTED),
        "P@1": 1.0,
    }
    qrels = [ir_measures.Qrel(*row) for row in judgments.to_records()]
    scored = [ir_measures.ScoredDoc(*row) for row in run.to_records()]
    assert gc.evaluate(qrels, scored, ir_measures.nDCG @ 10).summary()["run"]["nDCG@10"] == pytest.approx(EXPECTED)


def test_judgments_and_lists_of_a_data_set_by_id() -> None:
    class Dataset(ir_datasets.Dataset):
        def __init__(self) -> None:
            super().__init__()

        def has_qrels(self) -> bool:
            return True

        def has_scoreddocs(self) -> bool:
            return True

        def qrels_iter(self) -> Any:
            return iter([Qrel(*row, "0") for row in JUDGED])

        def scoreddocs_iter(self) -> Any:
            return iter([ScoredDoc(*row) for row in LISTED])

    ir_datasets.registry.register("gaincurve-made/up", Dataset())
    assert gc.read_judgments("irds:gaincurve-made/up").to_dict() == GRADES
    run = gc.read_run("irds:gaincurve-made/up")
    assert (run.name, run.ranking_of("q1")) == ("gaincurve-made/up", ["d2", "d1"])
    with pytest.raises(gc.InputError, match="no data set 'gaincurve-made/upp'"):
        gc.read_judgments("irds:gaincurve-made/upp")


@pytest.mark.parametrize("kind", ["trec", "json"])
def test_ranx_reads_what_we_write(files: Callable[[str, str], str], kind: str) -> None:
    suffixes = {"trec": (".qrels", ".run"), "json": (".json", ".json")}[kind]
    qrels = ranx.Qrels.from_file(files("judgments", suffixes[0]), kind=kind)
    run = ranx.Run.from_file(files("run", suffixes[1]), kind=kind)
    assert ranx.evaluate(qrels, run, "ndcg@10") == pytest.approx(EXPECTED, abs=1e-12)


@pytest.mark.parametrize("suffix", [".json", ".lz4", ".parquet", ".trec"])
def test_we_read_what_ranx_saves(files: Callable[[str, str], str], suffix: str) -> None:
    """Its .lz4 is CBOR, compressed twice."""
    ranx.Run(SCORES, name="theirs").save(f"theirs{suffix}")
    assert read_run(f"theirs{suffix}").to_dict() == SCORES
    ranx.Qrels({"q1": {"d1": 2, "d2": 1}}).save("theirs.json" if suffix == ".lz4" else f"qrels{suffix}")
    judged = "theirs.json" if suffix == ".lz4" else f"qrels{suffix}"
    assert read_judgments(judged).to_dict() == GRADES
    scores = gc.evaluate_files(files("judgments", ".qrels"), f"theirs{suffix}", "nDCG@10")
    assert scores.summary()["theirs"]["nDCG@10"] == pytest.approx(EXPECTED)


def test_ir_measures_reads_what_we_write(files: Callable[[str, str], str]) -> None:
    qrels = ir_measures.read_trec_qrels(files("judgments", ".qrels"))
    run = ir_measures.read_trec_run(files("run", ".run"))
    measure = ir_measures.nDCG @ 10
    assert ir_measures.calc_aggregate([measure], qrels, run)[measure] == pytest.approx(EXPECTED)


def test_pyterrier_reads_what_we_write_and_we_what_it_writes(files: Callable[[str, str], str]) -> None:
    qrels, results = pt.io.read_qrels(files("judgments", ".qrels")), pt.io.read_results(files("run", ".run"))
    assert gc.evaluate(qrels, results, "nDCG@10").summary()["run"]["nDCG@10"] == pytest.approx(EXPECTED)
    pt.io.write_results(results, "theirs.res.gz", format="trec")
    assert read_run("theirs.res.gz").to_dict() == SCORES


def test_pandas_and_datasets_read_what_we_write(files: Callable[[str, str], str]) -> None:
    for suffix, read in ((".csv", pd.read_csv), (".parquet", pd.read_parquet)):
        frames = [read(files(kind, suffix)) for kind in ("judgments", "run")]
        assert gc.evaluate(*frames, "nDCG@10").summary()["run"]["nDCG@10"] == pytest.approx(EXPECTED)
    rows = [{"query-id": topic, "corpus-id": document, "score": grade} for topic, document, grade in JUDGED]
    datasets.Dataset.from_list(rows).to_parquet("hf.parquet")
    assert read_judgments("hf.parquet").to_dict() == GRADES
