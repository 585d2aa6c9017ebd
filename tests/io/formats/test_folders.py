"""Folders and data sets that stand for judgments, and what goes back to ir_measures."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path

import pytest
from saving import saved_text as save

import gaincurve as gc
from gaincurve.cli import main

GRADES = {"q1": {"d1": 2.0, "d2": 1.0}}
SCORES = {"q1": {"d2": 0.9, "d1": 0.4}}
EXPECTED = 0.8597186998521972  # (1 + 2/log2(3)) / (2 + 1/log2(3))
JUDGED = [("q1", "d1", 2), ("q1", "d2", 1)]
LISTED = [("q1", "d2", 0.9), ("q1", "d1", 0.4)]


Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")
ScoredDoc = namedtuple("ScoredDoc", "query_id doc_id score")


def test_results_go_back_to_ir_measures_by_field_name() -> None:
    judgments, run = gc.Judgments.of(GRADES), gc.Run.of(SCORES)
    assert judgments.to_records() == [Qrel("q1", "d1", 2, "0"), Qrel("q1", "d2", 1, "0")]
    assert judgments.to_records()[0]._fields == Qrel._fields
    assert run.to_records() == [ScoredDoc("q1", "d2", 0.9), ScoredDoc("q1", "d1", 0.4)]
    assert run.to_dict() == SCORES


FOLDER = {
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\n",
    "qrels/dev.tsv": "query-id\tcorpus-id\tscore\nq7\td2\t1\n",
    "queries.jsonl": '{"_id": "q1", "text": "desk lamp"}\n',
    "corpus.jsonl": '{"_id": "d1", "title": "Lamp", "text": "A small lamp."}\n',
}


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    for name, text in FOLDER.items():
        (tmp_path / "nano" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "nano" / name).write_text(text)
    return tmp_path / "nano"


def test_a_beir_folder_stands_for_its_qrels(beir: Path) -> None:
    assert gc.read_judgments(beir).to_dict() == GRADES
    assert gc.read_judgments(f"{beir}#dev").to_dict() == {"q7": {"d2": 1.0}}
    with pytest.raises(gc.InputError, match=r"has no train\.tsv; it has dev, test"):
        gc.read_judgments(f"{beir}#train")
    (beir / "qrels/test.tsv").unlink()
    assert gc.read_judgments(beir).topics == ("q7",)


def test_a_folder_without_qrels_is_no_judgments(tmp_path: Path) -> None:
    with pytest.raises(gc.InputError):
        gc.read_judgments(tmp_path)


def test_one_file_may_be_judgments_and_run_where_its_format_holds_both(tmp_path: Path) -> None:
    path = save(tmp_path, '{"query": "lamp", "expected_ids": ["d1"], "retrieved_ids": ["d2", "d1"]}\n', "r.jsonl")
    assert gc.evaluate_files(path, [path], "RR").summary() == {"r": {"RR": 0.5}}


RUN = (
    "# ir_metadata.start\n# platform:\n#   cpu: <b>x</b>\n# ir_metadata.end\n"
    "q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\nq7 Q0 d1 1 2 t\n"
)


def test_a_report_of_a_folder_shows_its_texts_and_the_metadata_of_a_run(beir: Path, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    (beir / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq7\td2\t1\n")
    run, page = save(tmp_path, RUN, "a.run"), tmp_path / "page.html"
    assert gc.read_run(run).source.to_dict()["ir_metadata"] == "platform:\n  cpu: <b>x</b>"
    assert main(["report", str(beir), run, "-o", str(page), "--quiet"]) == 0
    html = page.read_text("utf-8")
    assert "ir_metadata of" in html and "  cpu: &lt;b&gt;x&lt;/b&gt;" in html and "<b>x</b>" not in html
    assert "queries.jsonl" in html and "corpus.jsonl" in html
