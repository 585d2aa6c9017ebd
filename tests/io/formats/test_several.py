"""Several runs, and several judges, by a column: each is one of its own, whatever the table is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from saving import saved_text as save

import gaincurve as gc
from gaincurve.cli import main
from gaincurve.errors import GaincurveError
from gaincurve.files.evaluate import evaluate_session_files
from gaincurve.io.convert import Reading, converted
from gaincurve.io.read import read_judgments, read_run, read_runs

QRELS = "q1 0 d1 1\nq1 0 d3 2\n"
ROWS = [("A", "q1", "d1", 2.0), ("A", "q1", "d2", 1.0), ("B", "q1", "d3", 2.0), ("B", "q2", "d1", 1.0)]
LISTS = {"A": {"q1": ["d1", "d2"]}, "B": {"q1": ["d3"], "q2": ["d1"]}}
RR_AND_CG = {"A": 1.0, "B": 2.0}  # CG@1: the grade of the first document on q1


def table(mark: str, *names: str) -> str:
    return "".join(mark.join(map(str, row)) + "\n" for row in (names, *ROWS))


def records(*names: str) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in ROWS]


NAMES = ("run", "qid", "docno", "score")
FILES = {
    "CSV": table(",", *NAMES),
    "CSV, run_id": table(",", "run_id", "qid", "docno", "score"),
    "CSV with semicolons": table(";", *NAMES),
    "TSV, system": table("\t", "system", "qid", "docno", "score"),
    "columns": table(" ", *NAMES),
    "JSON lines": "".join(f"{json.dumps(record)}\n" for record in records(*NAMES)),
    "JSON records": json.dumps(records(*NAMES)),
}


@pytest.mark.parametrize("name", FILES)
def test_a_column_of_runs_in_text_makes_several_runs(tmp_path: Path, name: str) -> None:
    """Read as one they would be a list that no system made: q1 d3 d1 d2."""
    path, qrels = save(tmp_path, FILES[name]), save(tmp_path, QRELS, "qrels")
    assert {run.name: {topic: run.ranking_of(topic) for topic in run.topics} for run in read_runs(path)} == LISTS
    scores = gc.evaluate_files(qrels, path, "CG@1")
    assert {run: of["CG@1"] for run, of in scores.summary().items()} == RR_AND_CG
    assert gc.evaluate_files(qrels, f"{path}#B", "CG@1").summary() == {"B": {"CG@1": 2.0}}
    with pytest.raises(GaincurveError, match="holds 2 runs: A, B"):
        read_run(path)
    with pytest.raises(GaincurveError, match="holds 2 runs: A, B"):
        converted(path, "o.run", None, Reading("run"))
    assert converted(f"{path}#B", "o.run", None, Reading("run")).data == b"q1 Q0 d3 1 2 B\nq2 Q0 d1 1 1 B\n"


def test_a_single_run_keeps_the_name_of_its_file(tmp_path: Path) -> None:
    path = save(tmp_path, "run,qid,docno,score\nA,q1,d1,1\nA,q1,d2,2\n", "bm25.csv")
    assert [run.name for run in read_runs(path)] == ["bm25"]


def test_a_column_called_name_is_more_often_of_products(tmp_path: Path) -> None:
    path = save(tmp_path, "qid,docno,score,name\nq1,d1,2,Desk lamp\nq1,d2,1,Red chair\n")
    assert read_run(path).ranking_of("q1") == ["d1", "d2"]
    assert [run.name for run in read_runs(path, columns={"run": "name"})] == ["Desk lamp", "Red chair"]


def test_records_in_memory_are_several_runs_as_a_frame_of_them_is() -> None:
    """Dicts and a frame of them, and the same by hand."""
    judgments = {"q1": {"d1": 1, "d3": 2}}
    expected = {name: {"CG@1": value} for name, value in RR_AND_CG.items()}
    pandas = pytest.importorskip("pandas")
    for given in (records(*NAMES), pandas.DataFrame(records(*NAMES))):
        assert gc.evaluate(judgments, given, "CG@1").summary() == expected
        with pytest.raises(GaincurveError, match="holds 2 runs: A, B"):
            gc.Run.of(given)


def test_runs_of_several_files_may_be_named_alike_until_they_are_read(tmp_path: Path) -> None:
    for folder, name in (("x", "A"), ("y", "C")):
        (tmp_path / folder).mkdir()
        text = f"run,qid,docno,score\n{name}1,q1,d1,2\n{name}2,q1,d3,1\n"
        (tmp_path / folder / "runs.csv").write_text(text)
    paths = [tmp_path / folder / "runs.csv" for folder in "xy"]
    assert set(gc.evaluate_files(save(tmp_path, QRELS, "q"), paths, "CG@1").summary()) == {"A1", "A2", "C1", "C2"}
    with pytest.raises(GaincurveError, match="A1"):
        gc.evaluate_files(save(tmp_path, QRELS, "q"), [paths[0], paths[0]], "CG@1")


JUDGED = "judge,qid,docno,grade\nAlice,q1,d1,3\nBob,q1,d1,1\nBob,q2,d2,2\n"


def test_a_column_of_judges_in_text(tmp_path: Path) -> None:
    path = save(tmp_path, JUDGED)
    with pytest.raises(GaincurveError, match="judges differ about 1 of 1 document"):
        read_judgments(path)
    assert read_judgments(path, judges="mean").to_dict() == {"q1": {"d1": 2.0}, "q2": {"d2": 2.0}}
    alice = read_judgments(f"{path}#Alice")
    assert (alice.topics, alice.to_dict(), alice.source.topics) == (("q1",), {"q1": {"d1": 3.0}}, 1)
    assert read_judgments(f"{path}#Bob").to_dict() == {"q1": {"d1": 1.0}, "q2": {"d2": 2.0}}


def test_a_run_of_sessions_is_one_run(tmp_path: Path) -> None:
    path = save(tmp_path, "run,qid,docno,score\nA,s1.q1,d1,2\nB,s1.q1,d3,1\n", "runs.csv")
    with pytest.raises(GaincurveError, match="holds 2 runs"):
        evaluate_session_files(save(tmp_path, "s1.q1 0 d1 1\n", "q"), path)


def test_samples_with_long_texts_before_their_ids_are_judgments_and_run(tmp_path: Path) -> None:
    """What a file holds is recognised by all of it, not by its first bytes."""
    sample = {"user_input": "lamp", "retrieved_contexts": ["x" * 10_000], "retrieved_context_ids": ["d2", "d1"]}
    path = save(tmp_path, json.dumps({**sample, "reference_context_ids": ["d1"]}) + "\n", "r.jsonl")
    assert gc.evaluate_files(path, [path], "RR").summary() == {"r": {"RR": 0.5}}
    assert main(["eval", path, path, "-m", "RR", "--quiet"]) == 0


def test_answers_of_two_systems_in_one_file(tmp_path: Path) -> None:
    answers = [
        {"run_id": r, "topic_id": "q1", "references": list(d), "answer": []} for r, d in (("a", ["d1"]), ("b", ["d3"]))
    ]
    path = save(tmp_path, "".join(f"{json.dumps(answer)}\n" for answer in answers))
    assert gc.evaluate_files(save(tmp_path, QRELS, "q"), path, "CG@1").summary() == {
        "a": {"CG@1": 1.0},
        "b": {"CG@1": 2.0},
    }


@pytest.mark.parametrize("packing", ["gz", "zip", "lz4"])
def test_a_compressed_log_is_a_log(tmp_path: Path, packing: str) -> None:
    """sDCG of one query with one document of grade 1 is 1; the first bytes of a zip or lz4 are those of neither."""
    pytest.importorskip("lz4.frame") if packing == "lz4" else None
    from gaincurve.io.content import packed_as  # noqa: PLC0415

    log = b'{"session": "s1", "query": 1, "topic": "q1", "ranking": ["d1"]}\n'
    (tmp_path / f"log.{packing}").write_bytes(packed_as(packing, log, f"log.jsonl.{packing}"))
    scores = evaluate_session_files(save(tmp_path, QRELS, "q"), tmp_path / f"log.{packing}", "sDCG")
    assert scores.values[0, 0].tolist() == pytest.approx([1.0])
