"""gaincurve demo --papers: the files give the numbers that the papers, slides and textbook print, errata aside."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.helpers.command import Command


@pytest.fixture(autouse=True)
def papers(gaincurve: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = gaincurve("demo", "--papers", "new/papers")
    assert (done.returncode, done.stderr) == (0, "")
    monkeypatch.chdir(tmp_path / "new" / "papers")


def values(gaincurve: Command, *arguments: str, topic: str = "all") -> dict[tuple[str, str], float]:
    done = gaincurve("eval", *arguments, "-q", "-f", "csv", "--quiet")
    rows = csv.DictReader(io.StringIO(done.stdout))
    return {(row["run"], row["measure"]): float(row["value"]) for row in rows if row["topic"] == topic}


def test_the_slides(gaincurve: Command) -> None:
    """Printed to two places, rounded half up; MAP of system 1 is right though its second term is a slip."""
    asked = ("slides.qrels", "system-1.run", "system-2.run", "-m", "AP", "-m", "AP11", "-m", "SetP", "-m", "SetR")
    first, second, means = (values(gaincurve, *asked, topic=topic) for topic in ("1", "2", "all"))
    half_up = {"abs": 0.005 + 1e-9}
    assert [first["system-1", "AP"], second["system-1", "AP"]] == pytest.approx([0.78, 0.54], **half_up)
    assert [first["system-2", "AP"], second["system-2", "AP"]] == pytest.approx([0.52, 0.44], **half_up)
    assert [means["system-1", "AP"], means["system-2", "AP"]] == pytest.approx([0.66, 0.48], **half_up)
    assert [first["system-1", "AP11"], first["system-2", "AP11"]] == pytest.approx([0.82, 0.60], **half_up)
    assert [first[run, "SetP"] for run in ("system-1", "system-2")] == [0.6, 0.6]
    assert [first[run, "SetR"] for run in ("system-1", "system-2")] == [1, 1]


def test_the_slides_on_mrr_and_f(gaincurve: Command) -> None:
    mean = "FirstRank(summary='mean')"
    found = values(gaincurve, "mrr.qrels", "mrr-1.run", "mrr-2.run", "-m", "RR", "-m", "FirstRank", "-m", mean)
    assert [found["mrr-1", "RR"], found["mrr-2", "RR"]] == pytest.approx([(1 + 1 / 2 + 1 / 4) / 3, 1 / 2])
    assert [found["mrr-1", mean], found["mrr-2", mean]] == pytest.approx([7 / 3, 2])
    assert [found["mrr-1", "FirstRank"], found["mrr-2", "FirstRank"]] == [2, 2]
    for name, recall, precision in (("red", 0.26, 0.94), ("blue", 0.92, 0.99)):
        found = values(gaincurve, f"{name}.qrels", f"{name}.run", "-m", "SetR", "-m", "SetP", "-m", "SetF")
        expected = [recall, precision, 2 * recall * precision / (recall + precision)]
        assert list(found.values()) == pytest.approx(expected, abs=1e-12)


def test_the_textbook_and_the_2002_paper(gaincurve: Command) -> None:
    found = values(gaincurve, "textbook.qrels", "textbook.run", "-m", "CG@10", "-m", "nDCG@10", "--discount", "jk2002")
    assert list(found.values()) == pytest.approx([16, 0.6111], abs=5.1e-5)
    found = values(gaincurve, "gains.qrels", "gains.run", "-m", "DCG@10", "-m", "CG@7", "--discount", "jk2002")
    assert found["gains", "DCG@10"] == pytest.approx(9.605118, abs=5.1e-7)
    assert found["gains", "CG@7"] == 11


def test_table_2_of_2008(gaincurve: Command) -> None:
    done = gaincurve("session", "tasks.qrels", "one.jsonl", "two.jsonl", "--show", "lengths", "-f", "table", "--quiet")
    rows = [line.split() for line in done.stdout.splitlines()[2:4]]
    assert rows == [
        ["one", "28", "7", "10", "4", "5", "4", "1", "1", "0", "0", "0", "2.53"],
        ["two", "21", "7", "9", "11", "2", "4", "2", "2", "0", "1", "1", "3.18"],
    ]


def test_one_folder_only(gaincurve: Command) -> None:
    done = gaincurve("demo", "here", "--papers", "there")
    assert (done.returncode, "give DIR or --papers DIR" in done.stderr) == (2, True)
    assert not Path("here").exists()
