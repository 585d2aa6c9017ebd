"""Parquet by convert: the columns of ranx, read back as they were by pyarrow and by our own reader."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import gaincurve as gc
from gaincurve.cli import main

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"
RUN = "q1 Q0 d2 1 1.5 x\nq1 Q0 d1 2 0.25 x\nq2 Q0 d1 1 3 x\n"


def test_judgments_and_runs_make_the_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.qrels").write_text(QRELS)
    Path("a.run").write_text(RUN)
    assert main(["convert", "a.qrels", "j.parquet", "--quiet"]) == 0
    assert main(["convert", "a.run", "r.parquet", "--quiet"]) == 0
    table = pq.read_table("j.parquet")
    assert table.column_names == ["q_id", "doc_id", "score"]
    assert str(table.schema.field("score").type) == "int64"
    assert table.to_pylist()[0] == {"q_id": "q1", "doc_id": "d1", "score": 2}
    assert pq.read_table("r.parquet")["score"].to_pylist() == [1.5, 0.25, 3.0]
    assert main(["convert", "j.parquet", "b.qrels", "--as", "judgments", "--quiet"]) == 0
    assert Path("b.qrels").read_text() == QRELS
    from_text, from_parquet = (
        gc.evaluate(gc.read_judgments(j), gc.read_run(r), ["nDCG@10", "AP"]).values.tolist()
        for j, r in (("a.qrels", "a.run"), ("j.parquet", "r.parquet"))
    )
    assert from_text == from_parquet


def test_what_parquet_cannot_carry_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.qrels").write_bytes(b"q1 0 d\xff 2\n")
    assert main(["convert", str(tmp_path / "a.qrels"), str(tmp_path / "b.parquet")]) == 2
    assert "Parquet cannot carry an id" in capfd.readouterr().err
    assert not (tmp_path / "b.parquet").exists()
