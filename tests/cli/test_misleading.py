"""What a newcomer types or feeds in by mistake: each gets a message that says what is wrong, or works."""

from __future__ import annotations

from pathlib import Path

import pytest

import gaincurve as gc
from gaincurve.cli import main
from gaincurve.measures.notation import parse_measures

QRELS = "1 0 a 1\n1 0 b 0\n"
RUN = "1 Q0 a 1 5.5 x\n1 Q0 b 2 4.5 x\n"
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.qrels").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("nDCG@10,P@5", ["nDCG@10", "P@5"]),
        ("nDCG@10 P@5", ["nDCG@10", "P@5"]),
        ("nDCG@5,10, AP", ["nDCG@5", "nDCG@10", "AP"]),
        ("nDCG(gains='0-1', discount=rank)@5 AP", ["nDCG(gains='0-1', discount='rank')@5", "AP"]),
        ("ndcg.1=3,2=9", ["nDCG(gains='1=3,2=9')"]),
        ("hit_rate@5", ["Success@5"]),
        ("f1", ["SetF"]),
    ],
)
def test_measures_in_one_text(text: str, measures: list[str]) -> None:
    assert [str(measure) for measure in parse_measures(text)] == measures


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("x.run", RUN.replace(".", ","), "decimal point"),
        ("x.run", RUN.replace("5.5", "high"), "words cannot be scores"),
        ("x.run", RUN.replace(" ", "\xa0"), "separated by non-breaking spaces"),
        ("x.run", RUN + "2\xa0Q0 a 1 5 x\n", "separated by non-breaking spaces"),
        ("x.run", "1 a 1 .5\n1 b 2 .4\n", "topic document rank score"),
        ("x.run", LFS, "Git LFS pointer"),
        ("x.run", "<!DOCTYPE html>\n<html></html>\n", "web page"),
        (
            "x.csv",
            "Search Term,Found Doc,My Number\nx,a,1\n",
            "no column of the header is known: Search Term, Found Doc, My Number",
        ),
        ("x.json", '{"meta": 1}', "the key 'meta' holds a number"),
        ("x.json", "[1, 2]", "a list of numbers"),
    ],
)
def test_files_that_are_something_else(
    folder: Path, name: str, content: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_text(content, encoding="utf-8")
    assert main(["eval", "q.qrels", name]) == 2
    assert expected in capsys.readouterr().err


def test_a_header_of_topic_doc_rank_score_is_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "x.run").write_text("topic doc rank score\n1 a 1 .5\n1 b 2 .4\n")
    assert main(["eval", "q.qrels", "x.run", "-m", "P@1", "--digits", "1"]) == 0
    assert "\t1.0\t" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["eval", "q.qrels", "a.run", "-m", "nsDCG"], "gaincurve session JUDGMENTS SESSIONS -m nsDCG"),
        (["eval", "q.qrels", "a.run", "-m", "f1_score"], "SetF"),
        (["ls", "foo"], "there is no list of 'foo'"),
        (["evla", "q.qrels"], "did you mean eval?"),
        (["evaluate"], "did you mean eval?"),
    ],
)
def test_words_that_are_wrong(
    folder: Path, arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert expected in capsys.readouterr().err


def test_one_mistake_in_many_lines_is_explained_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = '{"session": "s1", "query": 1, "topic": "1", "ranking": "d1"}\n'
    (folder / "log.jsonl").write_text(record * 30)
    assert main(["session", "q.qrels", "log.jsonl"]) == 2
    shown = capsys.readouterr().err
    assert shown.count("  why  ") == shown.count("  try  ") == 1
    assert shown.count("error[session-record]") == 1
    assert "the ranking is text, not a list" in shown
    assert shown.rstrip().endswith("… and 10 more of the kind")


def test_scores_explain_how_they_are_read() -> None:
    scores = gc.evaluate({"1": {"a": 1}}, {"1": {"a": 2.0}}, "nDCG@10")
    with pytest.raises(KeyError, match=r"scores\['run', 'nDCG@10'\]"):
        scores["run"]  # type: ignore[index]
    assert [(run, measure, list(values)) for run, measure, values in scores] == [("run", "nDCG@10", [1.0])]
    assert gc.explain({"1": {"a": 1}}, {"1": {"a": 2.0}}, 1).value == 1.0
