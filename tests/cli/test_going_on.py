"""Results that go on from the command line: Parquet, Arrow, DVC, a GitHub step's summary; and names for trackers."""

from __future__ import annotations

import io
import json
import math
import os
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

import gaincurve as gc
from gaincurve.cli import main
from gaincurve.io.render import Table, as_tidy, render
from gaincurve.io.tracking import metric_names, safe_names
from gaincurve.measures.registry import REGISTRY


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Judgments with an empty topic and two runs, in the working folder."""
    (tmp_path / "q").write_text("".join(f"t{t} 0 d{d} {d % 3}\n" for t in range(6) for d in range(5)) + "e 0 d1 0\n")
    for name, order in (("a", (4, 2, 1, 0, 3)), ("b", (0, 1, 2, 3, 4))):
        rows = (
            f"t{t} Q0 d{(d + t * (name == 'b')) % 5} {i} {9 - i} x\n" for t in range(6) for i, d in enumerate(order)
        )
        (tmp_path / f"{name}.run").write_text("".join(rows))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return tmp_path


RUNS = ["q", "a.run", "b.run"]
COMMANDS = {
    "eval": ["eval", *RUNS, "-q"],
    "eval bounds": ["eval", *RUNS, "--unjudged", "bounds"],
    "curve": ["curve", *RUNS, "--depth", "5"],
    "recall": ["curve", *RUNS, "--precision-recall"],
    "effort": ["effort", *RUNS],
    "compare": ["compare", *RUNS],
    "sweep": ["sweep", *RUNS, "--gains", "0-1-1", "--depth", "5", "--ratio", "none"],
    "gate": ["gate", *RUNS, "--max-drop", "nDCG@10=0.5"],
    "agree": ["agree", "q", "q", "a.run", "b.run"],
    "check": ["check", *RUNS],
    "decide": ["decide", *RUNS],
    "ls": ["ls", "measures"],
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_files_of_columns_hold_the_rows_of_csv(
    demo: Path, arguments: list[str], suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*arguments, "-o", f"x.{suffix}", "--quiet"])
    table = pq.read_table("x.parquet") if suffix == "parquet" else pa.ipc.open_file("x.arrow").read_all()
    capsys.readouterr()
    main([*arguments, "-f", "jsonl", "--quiet"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) > 0
    assert table.to_pylist() == rows


def test_rows_of_the_command_line_are_those_of_python(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One schema for each result, wherever it comes from."""
    runs = ["a.run", "b.run"]
    log = '{"session": "s", "query": 1, "topic": "t1", "ranking": ["d1", "d9"]}\n'
    (demo / "log.jsonl").write_text(log + log.replace('"query": 1', '"query": 2'))
    results = {
        ("check", *RUNS): gc.check("q", runs),
        ("explain", "--topic", "t1", "q", "a.run"): gc.explain("q", "a.run", "t1", "nDCG@10"),
        ("explain", "--topic", "t1", "q", "a.run", "-m", "AP"): gc.explain("q", "a.run", "t1", "AP"),
        ("explain", "--session", "s", "q", "log.jsonl"): gc.explain_session(
            "q", gc.read_session_logs("log.jsonl")[0], "s"
        ),
        ("explain", "--why-different", "nDCG@10", "0.9", "q", "a.run"): gc.why_different(
            "q", "a.run", "0.9", "nDCG@10"
        ),
        ("pool", "--reuse", *RUNS): gc.reuse("q", runs),
        ("compare", *RUNS): gc.compare("q", runs, ["nDCG@10"]),
    }
    for arguments, result in results.items():
        main([*arguments, "-o", "rows.parquet", "--quiet"])
        table = pq.read_table("rows.parquet")
        assert table.equals(result.to_arrow(), check_metadata=True), arguments
    asked = ["explain", "--topic", "t1", "q", "a.run", "-m", "AP", "-m", "nDCG@3", "-f", "jsonl", "--quiet"]
    capsys.readouterr()
    main(asked)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for measure in ("AP", "nDCG@3"):
        alone = [dict(zip(tidy.columns, row, strict=True)) for tidy in [gc.explain("q", "a.run", "t1", measure).tidy()]
                 for row in tidy.rows()]  # fmt: skip
        mine = [row for row in rows if row["measure"] == measure]
        assert [{name: row[name] for name in first} for row, first in zip(mine, alone, strict=True)] == alone


def test_parquet_says_what_it_holds(demo: Path) -> None:
    assert main(["eval", *RUNS, "-o", "x.parquet", "--quiet"]) == 0
    metadata = pq.read_schema("x.parquet").metadata
    assert metadata[b"gaincurve.schema"] == b"gaincurve.scores/1"
    assert "nDCG@10|gain:identity" in json.loads(metadata[b"gaincurve.signatures"])[0]
    assert pl.read_parquet("x.parquet")["topic"].to_list() == ["all", "all"]


def test_bytes_go_through_a_pipe_and_not_to_a_terminal(
    demo: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["eval", *RUNS, "-f", "parquet", "--quiet"]) == 0
    assert pq.read_table(io.BytesIO(capfdbinary.readouterr().out)).num_rows == 2
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert main(["eval", *RUNS, "-f", "parquet", "--quiet"]) == 2
    assert b"which no terminal shows" in capfdbinary.readouterr().err


def test_a_missing_extra_is_named_before_anything_is_read(
    demo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert main(["eval", "no-such-file", "a.run", "-o", "x.parquet"]) == 2
    assert "gaincurve[arrow]" in capsys.readouterr().err


def test_dvc_metrics_are_a_tree_of_defined_numbers(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", *RUNS, "-m", "nDCG@10", "-m", "P(rel=2)@5", "-f", "dvc", "--quiet"]) == 0
    scores = gc.evaluate("q", ["a.run", "b.run"], ["nDCG@10", "P(rel=2)@5"])
    assert json.loads(capsys.readouterr().out) == scores.summary()
    nothing = gc.evaluate({"q": {"d": 0}}, {"q": {"d": 1.0}}, ["AP", "P@5"])
    assert math.isnan(nothing.summary()["run"]["AP"])
    assert nothing.to_dvc() == {"run": {"P@5": 0.0}}


def test_dvc_plots_are_rows_by_rank(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["curve", *RUNS, "-m", "CG", "-m", "nDCG", "--depth", "4", "-f", "dvc", "--quiet"]) == 0
    rows = json.loads(capsys.readouterr().out)
    curves = gc.curves("q", ["a.run", "b.run"], ["CG", "nDCG"], depth=4)
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    assert set(rows[0]) == {"rank", *(f"{run} {name}" for run in ("a", "b", "ideal") for name in ("CG", "nDCG"))}
    np.testing.assert_array_equal([row["b nDCG"] for row in rows], curves["b", "nDCG"])


@pytest.mark.parametrize("command", ["compare", "sweep", "recall", "ls", "gate"])
def test_dvc_is_refused_where_there_is_nothing_for_it(
    demo: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*COMMANDS[command], "-f", "dvc"]) == 2
    assert "nothing for -f dvc" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["gate", "compare"])
def test_the_summary_of_a_step_is_appended_to(
    demo: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = demo / "summary.md"
    summary.write_text("# Before\n\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert main([*COMMANDS[command], "-f", "json", "--quiet"]) == 0
    once = summary.read_text()
    assert once.startswith(f"# Before\n\n### gaincurve {command}\n\n")
    assert "| nDCG@10 |" in once
    assert json.loads(capsys.readouterr().out)["schema"].startswith("gaincurve.")  # nothing of it on stdout
    main([*COMMANDS[command], "-f", "md", "--quiet"])
    printed = capsys.readouterr().out
    assert summary.read_text().endswith(f"### gaincurve {command}\n\n{printed}\n")
    assert summary.read_text().count("### gaincurve") == 2


@pytest.mark.skipif(os.name == "nt", reason="folders are no files on Windows either, with other words")
def test_a_summary_that_cannot_be_written_changes_no_verdict(
    demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(demo))
    assert main([*COMMANDS["gate"]]) == 0
    assert f"note[summary-unwritten]: GITHUB_STEP_SUMMARY {demo} cannot be written" in capsys.readouterr().err
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "")
    assert main([*COMMANDS["gate"]]) == 0
    assert "summary-unwritten" not in capsys.readouterr().err


ACCEPTED: Callable[[str], object] = re.compile(r"[/\w.\- ]*").fullmatch
"""What MLflow accepts on every system (mlflow.utils.validation)."""


def test_names_for_trackers() -> None:
    assert safe_names(["nDCG@10", "AP", "P(rel=2)@5"]) == {
        "nDCG@10": "nDCG_at_10", "AP": "AP", "P(rel=2)@5": "P_rel_2_at_5"
    }  # fmt: skip
    texts = [definition.name for definition in REGISTRY.values()]
    texts += ["nDCG(gains='0-1-10-100', discount='jk2002', base=2)@100", "nDCG(base=2)@10", "nDCG(base='2')@10"]
    texts += ["P(rel=2)@5", "P_rel_2_at_5", "p(rel=2)@5", "..", ".", "", "a/b", "a b", "/", "x" * 300, "x" * 301, "é@1"]
    names = safe_names(texts)
    assert len({name.lower() for name in names.values()}) == len(set(texts))
    for name in names.values():
        assert ACCEPTED(name)
        assert name
        assert "/" not in name
        assert len(name) <= 100
        assert os.path.normpath(name) == name
        assert name not in (".", "..")


def test_metrics_name_their_run_where_there_are_several() -> None:
    judged, found = {"q": {"d": 1}}, {"q": {"d": 1.0}}
    one, two = (gc.evaluate(judged, runs, ["nDCG@10", "AP"]) for runs in (found, {"a b": found, "a/b": found}))
    assert metric_names(one.series()) == ["nDCG_at_10", "AP"]
    names = metric_names(two.series(), "test/")
    assert len(set(names)) == 4
    assert all(re.fullmatch(r"test/a_b-[0-9a-f]{8}/(nDCG_at_10|AP)", name) for name in names)
    assert [line.values for line in gc.curves(judged, found, "CG", depth=2).series()] == [(1.0, 1.0), (1.0, 1.0)]
    with pytest.raises(gc.ChoiceError, match="log scores or curves"):
        gc.effort(judged, found).series()


def test_a_table_without_types_gets_them_from_its_cells() -> None:
    table = Table(("t", "n", "c", "y", "e", "m"), [("a", 1.5, 2, True, None, 1), (None, 3, 4, False, None, "x")])
    tidy = as_tidy(table)
    assert [column.kind for column in tidy.columns.values()] == ["text", "number", "count", "truth", "text", "text"]
    assert tidy.rows() == [("a", 1.5, 2, True, None, "1"), (None, 3.0, 4, False, None, "x")]
    assert render(table, "csv") == "t,n,c,y,e,m\na,1.5,2,True,,1\n,3,4,False,,x\n"
