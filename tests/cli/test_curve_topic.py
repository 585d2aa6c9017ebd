"""gaincurve curve --topic and figures of explain --topic, on rankings C and D of the lecture slides (IR:VIII)."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import pytest

import gaincurve as gc
from tests.helpers.command import Command

C, D = (1, 0, 0, 0, 0, 1, 0, 0, 0, 1), (0, 1, 0, 0, 1, 0, 1, 0, 0, 0)


@pytest.fixture(autouse=True)
def papers(gaincurve: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    gaincurve("demo", "--papers", ".")


ASKED = ("curve", "slides.qrels", "system-1.run", "system-2.run", "--topic", "2", "--depth", "10")


def test_one_topic_by_hand(gaincurve: Command) -> None:
    shape = json.loads(gaincurve(*ASKED, "-m", "CG", "-m", "nDCG", "-f", "json").stdout)
    assert shape["topic"] == "2"
    assert shape["stopping"]["topics"] == {"2": 3}
    best = math.fsum(1 / math.log2(i + 1) for i in (1, 2, 3))
    for run, ranking in (("system-1", C), ("system-2", D)):
        assert shape["curves"][run]["CG"] == [sum(ranking[:k]) for k in range(1, 11)]
        dcg = math.fsum(gain / math.log2(i + 1) for i, gain in enumerate(ranking, 1))
        assert shape["curves"][run]["nDCG"][-1] == pytest.approx(dcg / best)
    assert shape["curves"]["ideal"]["CG"] == [1, 2, 3, 3, 3, 3, 3, 3, 3, 3]
    assert all("|topics:1|topic:2|" in measure["signature"] for measure in shape["measures"])


def test_rows_and_table_name_the_topic(gaincurve: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(gaincurve(*ASKED, "-m", "CG", "-f", "csv").stdout)))
    assert ({row["topic"] for row in rows}, len(rows)) == ({"2"}, 30)
    table = gaincurve(*ASKED, "-m", "CG", "-f", "table").stdout
    assert table.startswith("topic 2\n")
    assert "gains nothing more after rank 3.\n" in table


def test_in_python_it_is_the_topics_own_curve() -> None:
    judged, runs = gc.read_judgments("slides.qrels"), [gc.read_run("system-1.run"), gc.read_run("system-2.run")]
    whole = gc.curves(judged, runs, "DCG", depth=10, per_topic=True).curve("DCG").by_topic
    alone = gc.curves(judged, runs, "DCG", depth=10, topic=2)
    assert whole is not None
    assert alone.curve("DCG").values.tolist() == whole[:, 1].tolist()
    assert alone.tidy().columns["topic"].values.tolist() == [0] * 30


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(("--topic", "9"), "error[topic-unknown]: topic 9 is not judged"),
     (("--topic", "2", "-q"), "--topic asks for one topic")],
)  # fmt: skip
def test_refused(gaincurve: Command, arguments: tuple[str, ...], says: str) -> None:
    done = gaincurve("curve", "slides.qrels", "system-1.run", *arguments)
    assert (done.returncode, says in done.stderr) == (2, True)


def test_figures_name_their_topic(gaincurve: Command) -> None:
    pytest.importorskip("altair")
    assert gaincurve(*ASKED, "-m", "CG", "-o", "curve.svg").returncode == 0
    assert "CG, topic 2" in Path("curve.svg").read_text("utf-8")
    asked = ("explain", "--topic", "2", "slides.qrels", "system-1.run")
    assert gaincurve(*asked, "-m", "DCG@10", "-m", "nDCG@10", "-o", "explain.svg").returncode == 0
    drawn = Path("explain.svg").read_text("utf-8")
    assert ["DCG, topic 2" in drawn, "nDCG, topic 2" in drawn] == [True, True]
    done = gaincurve("explain", "nDCG", "-o", "measure.svg")
    assert (done.returncode, "figures are drawn with --topic" in done.stderr) == (2, True)
    assert "error[measure-no-curve]" in gaincurve(*asked, "-m", "AP", "-o", "ap.svg").stderr
