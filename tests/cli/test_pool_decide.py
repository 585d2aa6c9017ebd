"""`pool` and `decide` on the command line: files in, the pool out, and what other commands say of them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from gaincurve.cli import main

LISTS = {"A": ["d1", "d2", "d3", "d4"], "B": ["d3", "d6", "d1", "d7"], "C": ["d9", "d2", "d6", "d3"]}
TOPICS = ("t", "u", "v")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, list[str]]:
    """Judgments of few documents, and three runs."""
    qrels = tmp_path / "judged.qrels"
    qrels.write_text("".join(f"{t} 0 d2 1\n{t} 0 d3 0\n{t} 0 x 2\n" for t in TOPICS))
    paths = []
    for name, ranking in LISTS.items():
        path = tmp_path / f"{name}.run"
        lines = (f"{t} Q0 {d} {i} {-i} {name}\n" for t in TOPICS for i, d in enumerate(ranking, start=1))
        path.write_text("".join(lines))
        paths.append(str(path))
    return str(qrels), paths


def test_a_pool_is_written_without_what_is_judged(
    files: tuple[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, runs = files
    out, provenance = tmp_path / "pool.jsonl", tmp_path / "who.jsonl"
    arguments = ["pool", *runs, "--depth", "3", "--judgments", qrels, "-o", str(out), "--provenance", str(provenance)]
    assert main(arguments) == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [r["document"] for r in records if r["topic"] == "t"] == ["d1", "d9", "d6"]
    assert records[0] == {"topic": "t", "document": "d1", "priority": 1, "stratum": 1, "p": 1.0, "runs": 2}
    assert json.loads(provenance.read_text().splitlines()[0])["runs"] == {"A": 1, "B": 3}
    told = capsys.readouterr().err
    assert "9 documents to judge in 3 topics: 3 per topic." in told
    assert "hours for full documents" in told
    assert "6 judged already, left out." in told


@pytest.mark.parametrize(
    ("format_", "first"),
    [("qrels5", "t 0 d1 1 -1"), ("trec", "t Q0 d1 1 5 pool"), ("json", "{"), ("jsonl", '{"topic": "t"')],
)
def test_the_formats_of_a_pool(
    files: tuple[str, list[str]], capsys: pytest.CaptureFixture[str], format_: str, first: str
) -> None:
    assert main(["pool", *files[1], "--depth", "3", "-f", format_, "--quiet"]) == 0
    assert capsys.readouterr().out.startswith(first)


def test_an_empty_run_is_left_out_of_a_pool_with_a_note(
    files: tuple[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.run"
    empty.write_text("")
    assert main(["pool", *files[1], str(empty), "--depth", "1", "-f", "trec"]) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 9
    assert "empty.run" in told.err
    assert main(["pool", str(empty)]) == 2


def test_reuse_speaks_a_verdict(
    files: tuple[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, runs = files
    asked = ["pool", "--reuse", qrels, *runs, "-m", "nDCG@3", "--depth", "3"]
    assert main([*asked, "-f", "table"]) == 0
    assert "These judgments can be trusted for a new system" in capsys.readouterr().out
    assert main(asked) == 0
    told = capsys.readouterr()
    rows = [line.split("\t") for line in told.out.splitlines()]
    assert rows[0][:5] == ["run", "team", "unique", "before", "after"]
    assert [row[0] for row in rows[1:]] == ["A", "B", "C"]
    assert "These judgments can be trusted for a new system" in told.err
    assert main([*asked, "-o", str(tmp_path / "reuse.json"), "--quiet"]) == 0
    assert json.loads((tmp_path / "reuse.json").read_text())["schema"] == "gaincurve.reuse/1"
    assert main([*asked, "-f", "qrels5"]) == 2
    assert "--format cannot be 'qrels5'" in capsys.readouterr().err
    teams = tmp_path / "teams.txt"
    teams.write_text("A one\nB two\n")
    assert main(["pool", "--reuse", qrels, *runs, "--groups", str(teams)]) == 2
    assert "no team for C" in capsys.readouterr().err
    assert main(["pool", "--reuse", qrels, *runs, "--groups", str(tmp_path / "nothing")]) == 2
    assert "input-missing" in capsys.readouterr().err
    assert main(["pool", *runs, "--groups", str(teams)]) == 2
    assert "--groups is for --reuse" in capsys.readouterr().err
    assert main(["pool", *runs, "--replay", "-o", str(tmp_path / "r.svg")]) == 2
    assert "a replay needs judgments" in capsys.readouterr().err


def test_decide_says_where_p_rests_on_few_judgments(
    files: tuple[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tmp_path / "few.qrels"
    few.write_text("t 0 d9 1\nt 0 y 0\nu 0 y 0\nv 0 y 0\n")
    assert main(["decide", str(few), *files[1], "-m", "DCG@3", "-f", "md"]) == 0
    told = capsys.readouterr()
    assert "A: 0.0% of what it shows above the cutoff is judged" in told.err
    assert "not a fact" in told.out


def test_decide_in_words_json_and_topic_by_topic(
    files: tuple[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, runs = files
    assert main(["decide", qrels, *runs, "-m", "DCG@3", "-q", "-f", "md"]) == 0
    out = capsys.readouterr().out
    for words in ("A is ahead of B with P", "more documents can matter", "Topic by topic", "Judge next"):
        assert words in out
    assert main(["decide", "none", *runs, "-m", "nDCG@3", "--scale", "0-3", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "gaincurve.decision/1"
    assert len(found["pairs"]) == 3
    assert set(found["pairs"][0]["topics"]) == set(TOPICS)
    assert main(["decide", "none", *runs]) == 2
    assert "--scale 0-3" in capsys.readouterr().err


def test_compare_and_check_name_the_command_that_goes_on(
    files: tuple[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, runs = files
    assert main(["compare", qrels, *runs, "-m", "nDCG@3"]) == 0
    command = next(line for line in capsys.readouterr().err.splitlines() if "gaincurve decide" in line)
    assert "judging could reverse" in command
    assert main(shlex.split(command.partition("gaincurve ")[2])) == 0
    assert "certain" in capsys.readouterr().out
    assert main(["check", qrels, *runs]) == 0
    assert f"gaincurve decide {shlex.join([qrels, *runs])} -m nDCG@10" in capsys.readouterr().err
    assert main(["check", qrels, runs[0]]) == 0
    assert f"gaincurve pool {runs[0]} --judgments" in capsys.readouterr().err
