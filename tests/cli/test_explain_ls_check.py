"""gaincurve explain, ls and check."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, ClassVar

import beside
import pytest

Command = Callable[..., "CompletedProcess[str]"]

L = math.log2(3)
pytestmark = pytest.mark.usefixtures("folder")


def dcg(gains: list[float]) -> float:
    return sum(g / math.log2(i + 1) for i, g in enumerate(gains, 1))


class TestExplainTopic:
    ASKED = ("explain", "--topic", "t1", "q.qrels", "good.run", "-m", "nDCG@3")

    def test_every_measure_asked_for_is_explained(self, gaincurve: Command) -> None:
        asked = ("explain", "--topic", "t1", "q.qrels", "late.run", "-m", "AP", "-m", "RR", "-m", "nDCG@2")
        table = gaincurve(*asked, "-f", "table").stdout
        assert [line for line in table.splitlines() if line.startswith("topic t1")] == [
            f"topic t1, run late: {text}"
            for text in ("AP = 0.666667", "RR = 1.000000", f"nDCG@2 = {dcg([2, 3]) / dcg([3, 2]):.6f}")
        ]
        rows = [line.split("\t") for line in gaincurve(*asked, "-f", "tsv").stdout.splitlines()]
        assert (rows[0][0], rows[0][-2:]) == ("measure", ["value", "signature"])
        assert {len(row) for row in rows} == {len(rows[0])}
        values = {(row[0], row[1]): float(row[-2]) for row in rows[1:]}
        assert values["AP", "2"] == pytest.approx((1 + 1) / 3)
        assert values["RR", "1"] == 1
        found = json.loads(gaincurve(*asked, "-f", "json").stdout)
        assert found["schema"] == "gaincurve.explanations/1"
        assert [one["measures"][0]["name"] for one in found["explanations"]] == ["AP", "RR", "nDCG@2"]

    def test_one_topic_is_signed_as_one(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve(*self.ASKED, "-f", "json").stdout)
        assert "|topics:1|" in found["measures"][0]["signature"]

    def test_a_session_has_one_measure(self, gaincurve: Command) -> None:
        done = gaincurve("explain", "--session", "s", "q.qrels", "x.jsonl", "-m", "sDCG", "-m", "nsDCG")
        assert (done.returncode, "give -m once" in done.stderr) == (2, True)

    def test_steps_by_hand(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve(*self.ASKED, "-f", "json").stdout)
        assert found["schema"] == "gaincurve.explanation/1"
        assert (found["topic"], found["run"], found["measures"][0]["name"]) == ("t1", "good", "nDCG@3")
        steps = [list(step.values()) for step in found["steps"]]
        assert list(found["steps"][0]) == [
            "rank", "document", "grade", "gain", "divisor", "sum", "ideal_gain", "ideal_sum", "value",
        ]  # fmt: skip
        assert [step[:3] for step in steps] == [[1, "a", 3], [2, "x", None], [3, "b", 2]]
        assert steps[0][3:] == pytest.approx([3, 1, 3, 3, 3, 1])
        assert steps[1][3:] == pytest.approx([0, L, 3, 2, 3 + 2 / L, 3 / (3 + 2 / L)])
        assert steps[2][3:] == pytest.approx([2, 2, 4, 1, 3 + 2 / L + 0.5, 4 / (3 + 2 / L + 0.5)])
        assert found["value"] == steps[2][-1]

    @beside.needs("cran")
    def test_cranfield_passes(self, gaincurve: Command) -> None:
        for run in sorted((beside.DATA / "cran").glob("*.run.gz")):
            done = gaincurve("check", str(beside.DATA / "cran" / "qrels.txt"), str(run), "-f", "json")
            assert (done.returncode, json.loads(done.stdout)["errors"]) == (0, 0)

    def test_remarks_pass_unless_strict(self, gaincurve: Command, folder: Path) -> None:
        (folder / "s.qrels").write_text("t1 0 a 1\nt1 0 b 0\nt1 0 c -1\nt2 0 a 0\n")
        (folder / "s.run").write_text("t1 Q0 a 1 2 x\nt1 Q0 b 2 2 x\nt1 Q0 z 3 1 x\nt2 Q0 a 1 1 x\n")
        done = gaincurve("check", "s.qrels", "s.run", "-f", "json")
        shape = json.loads(done.stdout)
        assert (done.returncode, shape["errors"], shape["remarks"]) == (0, 0, 4)
        strict = gaincurve("check", "s.qrels", "s.run", "--strict")
        assert (strict.returncode, "exit 1: 4 remarks" in strict.stderr) == (1, True)
        (folder / "d.run").write_text((folder / "s.run").read_text() + "t1 Q0 a 4 0.5 x\n")
        both = gaincurve("check", "s.qrels", "d.run", "--strict")
        assert (both.returncode, "exit 1: 1 error and 4 remarks" in both.stderr) == (1, True)
        assert gaincurve("check", "s.qrels", "d.run").returncode == 1

    def test_table(self, gaincurve: Command) -> None:
        lines = gaincurve(*self.ASKED, "-f", "table").stdout.splitlines()
        assert lines[0] == f"topic t1, run good: nDCG@3 = {4 / dcg([3, 2, 1]):.6f}"
        assert " ".join(lines[2].split()) == (
            "rank document grade gain divisor running sum ideal gain ideal sum nDCG@3"
        )
        assert lines[5].split() == ["2", "x", "unjudged", "0.0000", f"{L:.4f}", "3.0000", "2.0000"] + [
            f"{v:.4f}" for v in (3 + 2 / L, 3 / (3 + 2 / L))
        ]
        assert lines[-1].startswith("nDCG@3|gain:identity|discount:log2(i+1)|")

    @pytest.mark.parametrize("run", ["good", "poor", "late"])
    @pytest.mark.parametrize("topic", ["t1", "t2", "t3"])
    @pytest.mark.parametrize(
        "choices",
        [
            ("-m", "nDCG@3"),
            ("-m", "nDCG"),
            ("-m", "nDCG@1", "--ties", "average"),
            ("-m", "nCG@2", "--ideal", "pooled"),
            ("-m", "nDCG@3", "--ideal", "retrieved"),
            ("-m", "DCG@3", "--unjudged", "condensed", "--gains", "0-1-10-100"),
            ("-m", "CG", "--scenario", "busy"),
        ],
    )
    def test_the_last_row_is_the_value_and_that_is_evals(
        self, gaincurve: Command, run: str, topic: str, choices: tuple[str, ...]
    ) -> None:
        done = gaincurve("explain", "--topic", topic, "q.qrels", f"{run}.run", *choices, "-f", "json")
        found = json.loads(done.stdout)
        scores = json.loads(gaincurve("eval", "q.qrels", f"{run}.run", *choices, "-q", "-f", "json").stdout)
        (value,) = scores["topics"][run][topic].values()
        assert found["value"] == value
        assert found["steps"][-1]["value"] == pytest.approx(value)

    def test_the_last_row_is_the_value_when_the_list_is_shorter_than_the_recall_base(
        self, gaincurve: Command, folder: Path
    ) -> None:
        (folder / "many.qrels").write_text("".join(f"t1 0 d{i} 1\n" for i in range(20)))
        (folder / "short.run").write_text("t1 Q0 d1 1 1 x\n")
        done = gaincurve("explain", "--topic", "t1", "many.qrels", "short.run", "-m", "nDCG", "-f", "json")
        found = json.loads(done.stdout)
        assert found["value"] == pytest.approx(1 / dcg([1] * 20))
        assert found["steps"][-1]["value"] == pytest.approx(found["value"])

    def test_topic_the_run_lacks(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve("explain", "--topic", "t2", "q.qrels", "poor.run", "-f", "json").stdout)
        assert found["value"] == 0
        assert {step["document"] for step in found["steps"]} == {None}
        assert "topics-missing" in [note["slug"] for note in found["notes"]]

    def test_unknown_topic_suggests_the_nearest(self, gaincurve: Command) -> None:
        done = gaincurve("explain", "--topic", "T1", "q.qrels", "good.run")
        assert (done.returncode, done.stdout) == (2, "")
        assert "error[topic-unknown]: topic T1 is not judged (did you mean t1?)" in done.stderr

    @pytest.mark.parametrize(
        "arguments", [("nDCG", "CG"), ("nDCG", "-m", "CG"), ("--topic", "t1", "q.qrels"), ("--topic", "t1"), ()]
    )
    def test_wrong_number_of_words(self, gaincurve: Command, arguments: tuple[str, ...]) -> None:
        done = gaincurve("explain", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("Usage: gaincurve explain ")


class TestExplainMeasure:
    def test_ndcg_names_the_other_tools(self, gaincurve: Command) -> None:
        table = gaincurve("explain", "nDCG", "-f", "table").stdout
        for word in ("trec_eval", "ranx", "scikit-learn", "Elasticsearch", "LightGBM", "Järvelin", "jk2002", "average"):
            assert word in table
        assert "nDCG[k] = DCG[k] / DCG of the ideal list[k]" in table

    def test_json(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve("explain", "dcg@5", "-f", "json").stdout)
        assert (found["schema"], found["name"]) == ("gaincurve.measure/1", "DCG")
        assert {"formula", "source", "parameters", "what it says"} <= set(found["about"])

    def test_unknown(self, gaincurve: Command) -> None:
        done = gaincurve("explain", "nDGC")
        assert done.returncode == 2
        assert "did you mean nDCG?" in done.stderr


class TestLs:
    @pytest.mark.parametrize(
        ("what", "expected"),
        [
            ("measures", ("CG", "DCG", "nCG", "nDCG")),
            ("scenarios", ("default", "jk2002", "session2008", "trec_eval-9.0.8", "elasticsearch", "grades below 0")),
            ("formats", ("TREC qrels", "JSON lines", "docno", "latex", ".svg")),
            ("gains", ("identity", "binary", "exp2", "0-1-10-100", "1=3,2=9")),
            ("discounts", ("none", "rank", "jk2002", "jarvelin2008", "log", "kanoulas2011")),
            ("rules", ("trec", "average", "condensed", "bounds", "pooled", "skip")),
            ("errors", ("input-missing", "run-duplicate-document", "topics-disjoint")),
        ],
    )
    def test_lists(self, gaincurve: Command, what: str, expected: tuple[str, ...]) -> None:
        for format_ in ("table", "tsv", "json"):
            done = gaincurve("ls", what, "-f", format_)
            assert done.returncode == 0
            assert all(word in done.stdout for word in expected)
        found = json.loads(done.stdout)
        assert (found["schema"], found["list"]) == ("gaincurve.list/1", what)
        assert len(found["entries"]) >= 4

    def test_measures_unless_said_and_unknown(self, gaincurve: Command) -> None:
        assert gaincurve("ls").stdout == gaincurve("ls", "measures").stdout
        done = gaincurve("ls", "measure")
        assert done.returncode == 2
        assert "did you mean measures?" in done.stderr


class TestCheck:
    def findings(self, done: CompletedProcess[str]) -> dict[tuple[str, str], dict[str, Any]]:
        return {(f["about"], f["subject"]): f for f in json.loads(done.stdout)["findings"]}

    def test_clean_input_is_exit_0(self, gaincurve: Command, folder: Path) -> None:
        (folder / "clean.qrels").write_text("1 0 a 2\n1 0 b 0\n2 0 a 1\n")
        (folder / "clean.run").write_text("1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n2 Q0 a 1 1 x\n")
        done = gaincurve("check", "clean.qrels", "clean.run", "-f", "json")
        assert done.returncode == 0
        found = self.findings(done)
        assert {f["level"] for f in found.values()} == {"fine"}
        assert found["grades", "clean.qrels"]["text"] == "grade 0: 1, grade 1: 1, grade 2: 1"
        assert found["topics", "clean"]["text"] == "all 2 judged topics present"
        assert found["ties", "clean"]["text"] == "no tied scores"
        assert found["unjudged", "clean"]["text"].startswith("0.0% of the top 10")
        assert found["rank column", "clean"]["text"] == "agrees with the scores"

    def test_duplicates(self, gaincurve: Command, folder: Path) -> None:
        (folder / "d.qrels").write_text("1 0 a 2\n1 0 a 1\n1 0 b 0\n")
        (folder / "d.run").write_text("1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n1 Q0 a 3 1 x\n")
        done = gaincurve("check", "d.qrels", "d.run", "-f", "json")
        assert done.returncode == 1
        found = self.findings(done)
        for subject in ("d.qrels", "d"):
            assert found["duplicates", subject]["level"] == "error"
            assert "1 repeated" in found["duplicates", subject]["text"]

    def test_topic_mismatch(self, gaincurve: Command, folder: Path) -> None:
        (folder / "m.run").write_text("t1 Q0 a 1 3 x\nt9 Q0 a 1 3 x\n")
        done = gaincurve("check", "q.qrels", "m.run", "-f", "json")
        assert done.returncode == 1
        missing, extra = [f for f in json.loads(done.stdout)["findings"] if f["about"] == "topics"]
        assert missing["level"] == "error"
        assert missing["text"] == "2 judged topics missing (--missing decides): t2, t3"
        assert extra["level"] == "fine"
        assert extra["text"] == "1 topic without judgments, ignored: t9"

    def test_recall_base_negative_grades_and_strange_ids(self, gaincurve: Command, folder: Path) -> None:
        (folder / "n.qrels").write_text("t1 0 a -1\nt1 0 b 1\nt2 0 a 0\n")
        (folder / "n.run").write_text("t1 Q0 A 1 3 x\nt2 Q0 a 1 3 x\n")
        findings = json.loads(gaincurve("check", "n.qrels", "n.run", "-f", "json").stdout)["findings"]
        told = {(f["about"], f["level"]): f["text"] for f in findings}
        assert told["grades", "remark"].startswith("1 negative grade")
        assert "t2" in told["recall base", "remark"]
        assert "t1" in told["ids", "remark"]

    def test_unjudged_at_10(self, gaincurve: Command, folder: Path) -> None:
        lines = [f"t1 Q0 {d} {i} {-i} x\n" for i, d in enumerate(["a", "x", "b", "y", *map(str, range(8)), "c"], 1)]
        (folder / "u.run").write_text("".join([*lines, "t2 Q0 e 1 2 x\n", "t2 Q0 z 2 1 x\n"]))
        found = self.findings(gaincurve("check", "q.qrels", "u.run", "-f", "json"))["unjudged", "u"]
        assert found["level"] == "remark"
        assert found["text"].startswith(f"{(8 + 1) / 12:.1%} of the top 10 documents are unjudged")

    def test_rank_column_contradicts_scores(self, gaincurve: Command, folder: Path) -> None:
        (folder / "r.run").write_text("t1 Q0 a 1 1 x\nt1 Q0 b 2 2 x\nt2 Q0 e 1 2 x\nt3 Q0 g 1 1 x\n")
        found = self.findings(gaincurve("check", "q.qrels", "r.run", "-f", "json"))["rank column", "r"]
        assert found["level"] == "error"
        assert found["text"].startswith("contradicts the scores in 1 topic")
        assert found["text"].endswith("t1")

    TIED = (("a", 5), ("x", 4), ("d", 4), ("b", 4), ("c", 3), ("y", 2), ("e", 2), ("f", 2))
    GRADES: ClassVar = {"a": 1, "b": 3, "c": 1, "d": 0, "e": 2, "f": 1, "h": 3}

    def tie_orders(self) -> list[list[str]]:
        blocks = [[d for d, _ in block] for _, block in itertools.groupby(self.TIED, key=lambda pair: pair[1])]
        return [[*itertools.chain(*order)] for order in itertools.product(*map(itertools.permutations, blocks))]

    def tied_files(self, folder: Path) -> tuple[str, str]:
        (folder / "tied.qrels").write_text("".join(f"t 0 {d} {g}\n" for d, g in self.GRADES.items()))
        (folder / "tied.run").write_text("".join(f"t Q0 {d} 1 {s} x\n" for d, s in self.TIED))
        return "tied.qrels", "tied.run"

    @pytest.mark.parametrize("cutoff", [1, 2, 3, 6, 7, 8, 20])
    @pytest.mark.parametrize("gains", ["identity", "0-9-2-5"])
    def test_tie_range_is_that_over_all_orders(self, gaincurve: Command, folder: Path, cutoff: int, gains: str) -> None:
        worth = {0: 0, 1: 9, 2: 2, 3: 5} if gains != "identity" else {g: g for g in range(4)}
        gain = {d: float(worth[g]) for d, g in self.GRADES.items()}
        ideal = dcg(sorted(gain.values(), reverse=True)[:cutoff])
        reached = [dcg([gain.get(d, 0.0) for d in order[:cutoff]]) / ideal for order in self.tie_orders()]
        done = gaincurve("check", *self.tied_files(folder), "-m", f"nDCG@{cutoff}", "--gains", gains, "-f", "json")
        found = self.findings(done)["ties", "tied"]
        assert found["range"] == pytest.approx([min(reached), max(reached)], abs=1e-12)
        assert found["text"].startswith("6 documents in tied blocks")
        assert (found["level"] == "remark") is (max(reached) - min(reached) > 1e-12)

    @pytest.mark.parametrize(
        ("choices", "topics"),
        [((), 2), (("--unjudged", "condensed"), 2), (("--missing", "skip"), 1), (("--scenario", "trec_eval-10"), 2)],
    )
    def test_tie_range_is_of_the_number_the_scenario_gives(
        self, gaincurve: Command, folder: Path, choices: tuple[str, ...], topics: int
    ) -> None:
        """The topic `other` is missing from the run, and the topic `none` has nothing relevant."""
        judgments, run = self.tied_files(folder)
        with (folder / judgments).open("a") as file:
            file.write("other 0 a 1\nnone 0 a 0\n")
        with (folder / run).open("a") as file:
            file.write("none Q0 a 1 1 x\n")
        if "trec_eval-10" in choices:  # it refuses missing topics, and the topic without anything relevant counts 0
            choices, topics = (*choices, "--missing", "zero"), 3
        kept = [[d for d in order if d in self.GRADES or "condensed" not in choices] for order in self.tie_orders()]
        ideal = dcg(sorted(map(float, self.GRADES.values()), reverse=True)[:3])
        reached = [dcg([float(self.GRADES.get(d, 0)) for d in order[:3]]) / ideal / topics for order in kept]
        done = gaincurve("check", judgments, run, "-m", "nDCG@3", *choices, "-f", "json")
        assert self.findings(done)["ties", "tied"]["range"] == pytest.approx([min(reached), max(reached)], abs=1e-12)

    def test_scores_equal_in_32_bits_tie_under_trec_eval_9(self, gaincurve: Command, folder: Path) -> None:
        (folder / "f.qrels").write_text("t 0 a 1\nt 0 b 0\n")
        (folder / "f.run").write_text("t Q0 a 1 1.00000000002 x\nt Q0 b 2 1.00000000001 x\n")
        asked = ("check", "f.qrels", "f.run", "-f", "json")
        assert self.findings(gaincurve(*asked))["ties", "f"]["level"] == "fine"
        found = self.findings(gaincurve(*asked, "--scenario", "trec_eval-9.0.8"))["ties", "f"]
        assert found["range"] == pytest.approx([1 / L, 1])

    @beside.needs("cran")
    def test_cranfield_passes(self, gaincurve: Command) -> None:
        for run in sorted((beside.DATA / "cran").glob("*.run.gz")):
            done = gaincurve("check", str(beside.DATA / "cran" / "qrels.txt"), str(run), "-f", "json")
            assert (done.returncode, json.loads(done.stdout)["errors"]) == (0, 0)

    def test_remarks_pass_unless_strict(self, gaincurve: Command, folder: Path) -> None:
        (folder / "s.qrels").write_text("t1 0 a 1\nt1 0 b 0\nt1 0 c -1\nt2 0 a 0\n")
        (folder / "s.run").write_text("t1 Q0 a 1 2 x\nt1 Q0 b 2 2 x\nt1 Q0 z 3 1 x\nt2 Q0 a 1 1 x\n")
        done = gaincurve("check", "s.qrels", "s.run", "-f", "json")
        shape = json.loads(done.stdout)
        assert (done.returncode, shape["errors"], shape["remarks"]) == (0, 0, 4)
        strict = gaincurve("check", "s.qrels", "s.run", "--strict")
        assert (strict.returncode, "exit 1: 4 remarks" in strict.stderr) == (1, True)
        (folder / "d.run").write_text((folder / "s.run").read_text() + "t1 Q0 a 4 0.5 x\n")
        both = gaincurve("check", "s.qrels", "d.run", "--strict")
        assert (both.returncode, "exit 1: 1 error and 4 remarks" in both.stderr) == (1, True)
        assert gaincurve("check", "s.qrels", "d.run").returncode == 1

    def test_table(self, gaincurve: Command) -> None:
        done = gaincurve("check", "q.qrels", "poor.run", "--gains", "0-1-10-100", "-f", "table")
        assert done.returncode == 1
        assert "exit 1: " in done.stderr
        assert "remark" in done.stdout
        told = re.search(r"nDCG@10 can be ([0-9.]+) to ([0-9.]+)", done.stdout)
        assert told
        ideal = 100 + 10 / L + 1 / 2
        reached = [dcg([0, 1, 100]) / ideal / 2, dcg([1, 0, 100]) / ideal / 2]  # t2 is missing, t3 undefined
        assert [float(value) for value in told.groups()] == pytest.approx(reached, abs=5.1e-5)

    def test_the_range_is_a_number_and_so_it_is_signed(self, gaincurve: Command) -> None:
        for format_ in ("table", "json"):
            done = gaincurve("check", "q.qrels", "poor.run", "--gains", "0-1-10-100", "-f", format_)
            assert "nDCG@10|gain:0-1-10-100|discount:log2(i+1)|" in done.stdout

    def test_disjoint_topics(self, gaincurve: Command, folder: Path) -> None:
        (folder / "o.run").write_text("1 Q0 a 1 1 x\n")
        done = gaincurve("check", "q.qrels", "o.run")
        assert (done.returncode, done.stdout) == (2, "")
        assert "error[topics-disjoint]: " in done.stderr
