"""gaincurve curve --precision-recall: hand arithmetic for the numbers, refusals, and the pictures as files and text."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from xml.etree import ElementTree as ET

import pytest

Command = Callable[..., "CompletedProcess[str]"]

RUNS = ("q.qrels", "good.run", "poor.run", "late.run")
ASKED = ("curve", *RUNS, "--precision-recall")
# t1 has 3 relevant documents, t2 one, t3 none. good: a x b on t1 (1, 2/3, 0), f e on t2 (1/2);
# poor: d c a on t1, for equal scores go by id downwards (1, 2/3, 0), t2 is missing (0);
# late: b a on t1 (1, 1, 0), f e on t2 (1/2)
GOOD = [(1 + 0.5) / 2] * 4 + [(2 / 3 + 0.5) / 2] * 3 + [0.25] * 4
POOR = [0.5] * 4 + [1 / 3] * 3 + [0] * 4
LATE = [0.75] * 7 + [0.25] * 4
MAGIC = {"svg": b"<svg", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}
pytestmark = pytest.mark.usefixtures("folder")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def texts(svg: bytes) -> list[str]:
    return [text for element in ET.fromstring(svg).iter() if (text := (element.text or "").strip())]


class TestAveraged:
    def test_json(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve(*ASKED, "-f", "json").stdout)
        assert list(found)[:4] == ["schema", "tool", "inputs", "measures"]
        assert found["schema"] == "gaincurve.recall-curves/1"
        assert [i["path"] for i in found["inputs"]] == list(RUNS)
        for run, expected in {"good": GOOD, "poor": POOR, "late": LATE}.items():
            assert found["curves"][run]["rel=1"] == pytest.approx(expected, abs=1e-15)
        (measure,) = found["measures"]
        assert "|points:exact|" in measure["signature"]
        assert "|topics:2/3|" in measure["signature"]
        assert [note["slug"] for note in found["notes"]] == ["topics-missing", "undefined"]
        assert found["dominance"]["rel=1"] == [
            {"ahead": "good", "behind": "poor"},
            {"ahead": "late", "behind": "good"},
            {"ahead": "late", "behind": "poor"},
        ]

    def test_numbers_are_those_of_eval(self, gaincurve: Command) -> None:
        points = ",".join(f"{i / 10:g}" for i in range(11))
        scores = json.loads(gaincurve("eval", *RUNS, "-m", f"IPrec(rel=2)@{points}", "-f", "json").stdout)["summary"]
        curves = json.loads(gaincurve(*ASKED, "--level", "2", "-f", "json").stdout)["curves"]
        assert {run: list(row.values()) for run, row in scores.items()} == {r: c["rel=2"] for r, c in curves.items()}

    def test_the_signature_begins_with_a_measure_that_eval_takes(self, gaincurve: Command) -> None:
        signature = rows(gaincurve(*ASKED, "--only", "2", "--quiet").stdout)[0]["signature"]
        assert gaincurve("eval", *RUNS, "-m", signature.split("|")[0], "--quiet").returncode == 0

    def test_table(self, gaincurve: Command) -> None:
        lines = gaincurve(*ASKED, "-f", "table").stdout.splitlines()
        assert lines[0].split() == ["level", "recall", "good", "poor", "late"]
        assert lines[2].split() == ["rel=1", "0.0", "0.7500", "0.5000", "0.7500"]
        assert lines[12].split() == ["rel=1", "1.0", "0.2500", "0.0000", "0.2500"]
        assert lines[13] == "rel=1: good dominates poor; late dominates all others."
        assert lines[14].startswith("IPrec(rel=1)@0,0.1,")
        assert len(lines) == 15

    def test_levels_in_the_order_given_and_exact_ones_after(self, gaincurve: Command) -> None:
        found = rows(gaincurve(*ASKED, "--only", "3", "--level", "2", "--level", "1", "--level", "2.0").stdout)
        assert list(dict.fromkeys(row["level"] for row in found)) == ["rel=2", "rel=1", "only=3"]
        assert len(found) == 3 * 3 * 11
        assert list(found[0]) == ["level", "run", "topic", "recall", "precision", "signature"]
        only = rows(gaincurve(*ASKED, "--only", "3").stdout)
        assert {row["level"] for row in only} == {"only=3"}

    def test_per_topic(self, gaincurve: Command) -> None:
        found = rows(gaincurve(*ASKED, "-q").stdout)
        line = [row["precision"] for row in found if (row["run"], row["topic"]) == ("good", "t2")]
        assert line == ["0.5"] * 11
        assert {row["precision"] for row in found if row["topic"] == "t3"} == {""}
        nested = json.loads(gaincurve(*ASKED, "-q", "-f", "json").stdout)
        assert nested["topics"]["good"]["t2"]["rel=1"] == [0.5] * 11
        assert nested["topics"]["good"]["t3"]["rel=1"] == [None] * 11

    @pytest.mark.parametrize("form", ["csv", "jsonl", "md", "latex"])
    def test_other_formats(self, gaincurve: Command, form: str) -> None:
        done = gaincurve(*ASKED, "-f", form)
        assert done.returncode == 0
        assert "rel=1" in done.stdout

    def test_scenario_rules_are_kept_and_signed(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve(*ASKED, "--scenario", "trec_eval-9.0.8", "-f", "json").stdout)
        assert "|points:trec_eval-9|" in found["measures"][0]["signature"]
        assert found["curves"]["good"]["rel=1"][0] == pytest.approx((1 + 0.5 + 0) / 3)  # t3 counts as 0
        assert found["curves"]["poor"]["rel=1"][0] == pytest.approx((1 + 0) / 2)  # t2 is skipped


class TestOneTopic:
    def test_every_rank(self, gaincurve: Command) -> None:
        found = rows(gaincurve("curve", *RUNS[:2], "--precision-recall", "--topic", "t1").stdout)
        columns = ["level", "run", "topic", "rank", "relevant", "recall", "precision", "interpolated", "signature"]
        assert list(found[0]) == columns
        assert [[row["rank"], row["relevant"]] for row in found] == [["1", "1"], ["2", "0"], ["3", "1"]]
        numbers = [[float(row[c]) for c in ("recall", "precision", "interpolated")] for row in found]
        assert numbers == [[1 / 3, 1, 1], [1 / 3, 0.5, 1], [2 / 3, 2 / 3, 2 / 3]]

    def test_table_shows_every_rank(self, gaincurve: Command) -> None:
        lines = gaincurve(*ASKED, "--topic", "t1", "-f", "table", "--quiet").stdout.splitlines()
        shown = [line.split() for line in lines if line.startswith(" rel=1")]
        assert shown[:3] == [
            ["rel=1", "good", "1", "yes", "0.3333", "1.0000", "1.0000"],
            ["rel=1", "good", "2", "0.3333", "0.5000", "1.0000"],
            ["rel=1", "good", "3", "yes", "0.6667", "0.6667", "0.6667"],
        ]
        assert "rel=1: of 3 relevant documents good finds 2, poor 2 and late 2." in lines

    def test_ranks_behind_the_last_relevant_document_are_counted(self, gaincurve: Command, folder: Path) -> None:
        lines = [
            f"t2 Q0 {document} {i} {-i} long" for i, document in enumerate(["e", *(f"x{n}" for n in range(20))], 1)
        ]
        (folder / "long.run").write_text("\n".join(lines) + "\n")
        asked = ("curve", "q.qrels", "long.run", "--precision-recall", "--topic", "t2")
        table = gaincurve(*asked, "-f", "table", "--quiet").stdout
        assert sum(line.startswith(" rel=1") for line in table.splitlines()) == 10
        assert "rel=1, long: ranks 11 to 21 hold no relevant document." in table
        assert len(rows(gaincurve(*asked).stdout)) == 21

    def test_the_area_under_the_steps_is_ap(self, gaincurve: Command) -> None:
        """Alternative 1 of the slides: what `eval` gives is the sum over the number of relevant documents."""
        done = gaincurve(*ASKED, "--topic", "t1", "--steps", "ap", "-f", "table", "--quiet").stdout
        assert "rel=1, good: (1.0000 + 0.6667) / 3 = 0.5556, the area under the steps, is AP." in done
        assert "rel=1, late: (1.0000 + 1.0000) / 3 = 0.6667, the area under the steps, is AP." in done
        assert "\nAP steps|rel:1|ties:trec" in done
        points = json.loads(gaincurve(*ASKED, "--topic", "t1", "-f", "json").stdout)["points"]
        scored = rows(gaincurve("eval", *RUNS, "-m", "AP", "-q").stdout)
        for row in scored:
            if row["topic"] == "t1":
                area = sum(step / 3 for step in points[row["run"]]["rel=1"]["own_steps"])
                assert float(row["value"]) == pytest.approx(area, abs=1e-15)
                assert points[row["run"]]["rel=1"]["average_precision"] == pytest.approx(area, abs=1e-15)

    def test_the_eleven_points_of_one_topic(self, gaincurve: Command) -> None:
        asked = (*ASKED, "--topic", "t1", "--steps", "eleven")
        found = [row for row in rows(gaincurve(*asked).stdout) if row["run"] == "good"]
        assert [float(row["precision"]) for row in found] == [1] * 4 + [2 / 3] * 3 + [0] * 4
        assert {row["topic"] for row in found} == {"t1"}
        lines = gaincurve(*asked, "-f", "table", "--quiet").stdout.splitlines()
        mean = [line.split() for line in lines if " mean " in line and line.startswith(" rel=1")]
        assert mean == [["rel=1", "mean", "0.5455", "0.5455", "0.6364"]]

    @pytest.mark.parametrize(
        ("relevant", "ap", "eleven"), [((1, 3, 4, 5, 6, 10), 0.78, 0.82), ((2, 5, 6, 7, 9, 10), 0.52, 0.6)]
    )
    def test_both_alternatives_of_the_slides(
        self, gaincurve: Command, folder: Path, relevant: tuple[int, ...], ap: float, eleven: float
    ) -> None:
        """The two rankings of 'Ranking Effectiveness: Average Precision' with the values printed there."""
        (folder / "s.qrels").write_text("".join(f"1 0 d{rank} 1\n" for rank in relevant))
        (folder / "s.run").write_text("".join(f"1 Q0 d{rank} {rank} {-rank} s\n" for rank in range(1, 11)))
        asked = ("curve", "s.qrels", "s.run", "--precision-recall", "--topic", "1", "-f", "json")
        points = json.loads(gaincurve(*asked).stdout)
        assert points["points"]["s"]["rel=1"]["average_precision"] == pytest.approx(ap, abs=0.00501)
        assert sum(points["curves"]["s"]["rel=1"]) / 11 == pytest.approx(eleven, abs=0.00501)

    def test_json(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve(*ASKED, "--topic", "t1", "--level", "3", "-f", "json").stdout)
        assert (found["topic"], list(found["points"])) == ("t1", ["good", "poor", "late"])
        assert found["points"]["late"]["rel=3"] == {
            "relevant": 1,
            "recall": [0, 1],
            "precision": [0, 0.5],
            "ranks": [2],
            "interpolated": [0.5],
            "own_steps": [0.5],
            "average_precision": 0.5,
        }

    @pytest.mark.parametrize("arguments", [("--topic", "t3"), ("--topic", "t2", "--missing", "skip"), ("--level", "9")])
    def test_nothing_to_show_is_no_error(self, gaincurve: Command, folder: Path, arguments: tuple[str, ...]) -> None:
        for out in ("o.json", "o.txt", "o.tsv", "o.svg"):
            done = gaincurve(*ASKED, *arguments, "-o", out)
            assert done.returncode == 0, done.stderr
            assert (folder / out).stat().st_size > 0
            assert "NaN" not in (folder / out).read_text("utf-8")


class TestRefused:
    @pytest.mark.parametrize(
        ("arguments", "piece"),
        [
            (("-m", "P"), "-m is about curves by rank"),
            (("--normalise", "mean-of-ratios"), "--normalise is about curves by rank"),
            (("--depth", "10"), "--depth is about curves by rank"),
            (("--gains", "exp2"), "--gains changes nothing about IPrec"),
            (("--discount", "rank"), "--discount changes nothing about IPrec"),
            (("--ideal", "pooled"), "--ideal changes nothing about IPrec"),
            (("-q", "--topic", "t1"), "--topic asks for one topic"),
            (("--steps", "ap"), "--steps goes with --topic"),
            (("--topic", "t1", "--steps", "all"), "--steps cannot be 'all'"),
            (("--level", "high"), "'high' is not a valid float"),
            (("--only", "nan"), "error[measure-parameter]"),
            (("--ties", "average"), "error[measure-no-ties]"),
            (("--unjudged", "bounds"), "error[measure-no-bounds]"),
            (("--topic", "t9"), "error[topic-unknown]"),
            (("--missing", "error"), "error[topics-missing]"),
        ],
    )
    def test_with_precision_recall(self, gaincurve: Command, arguments: tuple[str, ...], piece: str) -> None:
        done = gaincurve(*ASKED, *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert piece in done.stderr

    @pytest.mark.parametrize("arguments", [("--level", "0"), ("--only", "2"),
                                           ("--steps", "ap")])  # fmt: skip
    def test_without_it(self, gaincurve: Command, arguments: tuple[str, ...]) -> None:
        done = gaincurve("curve", *RUNS, *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{arguments[0]} goes with --precision-recall" in done.stderr

    def test_before_anything_is_read(self, gaincurve: Command) -> None:
        done = gaincurve("curve", "absent.qrels", "absent.run", "--precision-recall", "-m", "P")
        assert "absent" not in done.stderr

    def test_points_rule_is_no_stranger(self, gaincurve: Command) -> None:
        done = gaincurve(*ASKED, "--points", "trec_eval-10")
        assert done.returncode == 0
        assert "|points:trec_eval-10|" in done.stdout


class TestPictures:
    @pytest.mark.parametrize("topic", [(), ("--topic", "t1"), ("--topic", "t1", "--steps", "ap"),
                                       ("--topic", "t1", "--steps", "eleven")])  # fmt: skip
    @pytest.mark.parametrize("suffix", MAGIC)
    def test_file_has_the_right_magic(
        self, gaincurve: Command, folder: Path, suffix: str, topic: tuple[str, ...]
    ) -> None:
        done = gaincurve(*ASKED, *topic, "-o", f"out.{suffix}")
        assert (done.returncode, done.stdout) == (0, "")
        assert f"wrote out.{suffix}" in done.stderr
        assert "note[topics-missing]" in done.stderr
        assert (folder / f"out.{suffix}").read_bytes().startswith(MAGIC[suffix])

    def test_the_area_is_named_and_shaded(self, gaincurve: Command, folder: Path) -> None:
        gaincurve(*ASKED, "--topic", "t1", "--steps", "ap", "-o", "ap.svg")
        found = texts((folder / "ap.svg").read_bytes())
        assert "good (relevant: grades from 1): AP 0.5556" in found
        assert any("the area under the strong line is AP" in text for text in found)
        assert b"mark-area" in (folder / "ap.svg").read_bytes()

    def test_svg_names_runs_levels_and_rules(self, gaincurve: Command, folder: Path) -> None:
        gaincurve(*ASKED, "--level", "1", "--only", "3", "-o", "pr.svg")
        found = texts((folder / "pr.svg").read_bytes())
        assert {"good", "poor", "late", "recall", "mean interpolated precision"} <= set(found)
        assert {"relevant: grades from 1 (topics: 2/3)", "relevant: grade 3 only (topics: 1/3)"} <= set(found)
        assert any("points:exact" in text and "ties:trec" in text for text in found)
        assert found.count("good") == 1  # one legend for all panels

    def test_one_topic_has_a_panel_for_each_run(self, gaincurve: Command, folder: Path) -> None:
        gaincurve(*ASKED, "--topic", "t1", "-o", "pr.svg")
        found = texts((folder / "pr.svg").read_bytes())
        assert {f"{run} (relevant: grades from 1)" for run in ("good", "poor", "late")} <= set(found)
        assert any(text.startswith("topic t1.") for text in found)


class TestByRank:
    """P and R by rank, the other half of the picture."""

    def test_values_and_ideal_by_hand(self, gaincurve: Command) -> None:
        asked = ("curve", "q.qrels", "good.run", "-m", "P", "-m", "R", "--depth", "3", "-f", "json")
        found = json.loads(gaincurve(*asked).stdout)["curves"]
        # t1: a x b of 3 relevant; t2: f e of 1; t3 has nothing relevant: P is 0 there, R undefined
        assert found["good"]["P"] == pytest.approx([1 / 3, (1 / 2 + 1 / 2) / 3, (2 / 3 + 1 / 3) / 3])
        assert found["good"]["R"] == pytest.approx([(1 / 3 + 0) / 2, (1 / 3 + 1) / 2, (2 / 3 + 1) / 2])
        assert found["ideal"]["P"] == pytest.approx([2 / 3, (1 + 1 / 2) / 3, (1 + 1 / 3) / 3])
        assert found["ideal"]["R"] == pytest.approx([(1 / 3 + 1) / 2, (2 / 3 + 1) / 2, 1])

    @pytest.mark.parametrize(
        ("measure", "topics"),
        [
            ("P", {"t1": 3, "t2": 1, "t3": 0}),
            ("R(rel=2)", {"t1": 2, "t2": 0, "t3": 0}),
            ("P(only=1)", {"t1": 1, "t2": 1, "t3": 0}),
        ],
    )
    def test_the_ideal_stops_after_the_relevant_documents_of_the_level(
        self, gaincurve: Command, measure: str, topics: dict[str, int]
    ) -> None:
        found = json.loads(gaincurve("curve", "q.qrels", "good.run", "-m", measure, "-f", "json").stdout)
        assert found["stopping"]["topics"] == topics
