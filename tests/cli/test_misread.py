"""What content alone could misread: columns, scores for grades, one file for two; refused, or told by an option."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Command


def written(path: Path, rows: list[tuple[str, str, float]]) -> Path:
    """A table as BEIR has it for judgments and for runs."""
    path.write_text("".join(f"{t},{d},{v}\n" for t, d, v in [("query-id", "corpus-id", "score"), *rows]))  # type: ignore[list-item]
    return path


@pytest.mark.parametrize("command", ["eval", "check", "curve", "effort", "sweep"])
def test_a_file_against_itself_or_a_copy_is_refused(tmp_path: Path, gaincurve: Command, command: str) -> None:
    rows = [("1", "a", 2.0), ("1", "b", 1.0)]
    path, copy, link = written(tmp_path / "s.csv", rows), written(tmp_path / "t.csv", rows), tmp_path / "link.csv"
    link.symlink_to(path)
    for run in (path, copy, link):
        done = gaincurve(command, path, run)
        assert done.returncode == 2
        assert "error[judgments-same-file]" in done.stderr
    assert "judgments-same-file" not in gaincurve(command, path, path, "--grades-are-scores").stderr


def test_a_file_against_itself_where_it_is_meant(tmp_path: Path, gaincurve: Command) -> None:
    path = written(tmp_path / "s.csv", [("1", "a", 2.0), ("1", "b", 1.0)])
    done = gaincurve("eval", path, path, "--grades-are-scores", "-m", "nDCG@10", "-f", "tsv")
    assert done.returncode == 0, done.stderr
    assert "\t1.0\t" in done.stdout.splitlines()[-1]


def _more(command: str, folder: Path) -> list[object]:
    """What a command needs beside its files."""
    needed: dict[str, list[object]] = {"report": ["-o", folder / "page.html"], "gate": ["--max-drop", "nDCG@10=1"]}
    return needed.get(command, [])


SCORES = [(f"q{t}", f"d{t}-{i}", 30.117 - 0.731 * i) for t in range(3) for i in range(30)]


@pytest.mark.parametrize("command", ["eval", "curve", "effort", "check", "agree", "sweep", "report", "compare", "gate"])
def test_every_command_refuses_scores_as_judgments_and_can_be_told(
    tmp_path: Path, gaincurve: Command, command: str
) -> None:
    judgments = written(tmp_path / "scores.csv", SCORES)
    runs = [
        written(tmp_path / name, [(f"q{t}", f"d{t}-{i}", i * factor) for t in range(3) for i in range(5)])
        for name, factor in (("r.csv", 1.25), ("s.csv", -1.25))
    ]
    given = runs[:1] if command == "agree" else runs
    more = _more(command, tmp_path)
    refused = gaincurve(command, judgments, *given, *more)
    assert refused.returncode == 2
    assert "error[judgments-scores]" in refused.stderr
    meant = gaincurve(command, judgments, *given, *more, "--grades-are-scores")
    assert "error" not in meant.stderr


@pytest.mark.parametrize("command", ["eval", "curve", "effort", "check", "agree", "sweep", "report", "compare", "gate"])
def test_every_command_takes_columns(tmp_path: Path, gaincurve: Command, command: str) -> None:
    texts = {
        "q.csv": ("docid,qid,docno,doc_id,grade", ["x{i},q{t},d{i},y{i},{g}", 3]),
        "r.csv": ("doc_id,score,query,docid,qid,docno", ["y{i},{s},text,x{i},q{t},d{i}", 5]),
        "s.csv": ("docno,doc_id,score,query,docid,qid", ["d{i},y{i},-{s},text,x{i},q{t}", 5]),
    }
    paths = []
    for name, (header, (row, count)) in texts.items():
        lines = [row.format(i=i, t=t, g=i % 3, s=i + 0.5) for t in range(3) for i in range(int(count))]
        paths.append(tmp_path / name)
        paths[-1].write_text("\n".join([header, *lines, ""]))
    given = [paths[0], paths[0]] if command == "agree" else paths
    more = _more(command, tmp_path)
    assert "error[input-two-columns]" in gaincurve(command, *given, *more).stderr
    done = gaincurve(command, *given, *more, "--columns", "topic=qid,document=docno")
    assert "error" not in done.stderr
    assert "error[choice-unknown]" in gaincurve(command, *given, *more, "--columns", "docno").stderr


def test_the_columns_taken_are_told(tmp_path: Path, gaincurve: Command) -> None:
    (tmp_path / "q.txt").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "r.csv").write_text("qid,docid,docno,rank,score,query\n1,7,b,0,2.0,what\n1,8,a,1,1.0,what\n")
    done = gaincurve("eval", tmp_path / "q.txt", tmp_path / "r.csv", "-m", "RR", "-f", "json")
    told = [note["text"] for note in json.loads(done.stdout)["notes"] if note["slug"] == "columns-chosen"]
    assert len(told) == 2
    assert "'docno', not 'docid'" in " ".join(told)
    assert "note[columns-chosen]" in done.stderr
