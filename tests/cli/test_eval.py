"""gaincurve eval against plain arithmetic on the experiment of conftest.py."""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import gaincurve as gc

Command = Callable[..., "CompletedProcess[str]"]

L = math.log2(3)  # the divisor log2(i+1) at rank 2; at rank 1 it is 1, at rank 3 it is 2
IDEAL = 3 + 2 / L + 1 / 2  # t1 at 3: grades 3 2 1
GOOD_T1, GOOD_T2, POOR_T1 = (3 + 2 / 2) / IDEAL, 1 / L, (1 + 3 / 2) / IDEAL  # poor: id d before c, so 1 0 3
GOOD, POOR = (GOOD_T1 + GOOD_T2) / 2, (POOR_T1 + 0) / 2  # t3 is undefined; poor lacks t2, which counts 0
SIGNED = (
    "nDCG@3|gain:identity|discount:log2(i+1)|ideal:judged@3|ties:trec|unjudged:zero|missing:zero|topics:2/3"
    f"|gaincurve:{gc.__version__}"
)
BOTH = ("eval", "q.qrels", "good.run", "poor.run", "-m", "nDCG@3")
pytestmark = pytest.mark.usefixtures("folder")


def values(done: CompletedProcess[str], delimiter: str = "\t") -> dict[tuple[str, str], float]:
    """(run, topic) → value of a tidy table with one measure."""
    rows = csv.DictReader(io.StringIO(done.stdout), delimiter=delimiter)
    return {(row["run"], row["topic"]): float(row["value"] or "nan") for row in rows}


def one(done: CompletedProcess[str]) -> float:
    (found,) = values(done).values()
    return found


def jk_dcg(gains: list[float], base: float = 2) -> float:
    return sum(g / (1 if i < base else math.log(i, base)) for i, g in enumerate(gains, 1))


class TestFormats:
    def test_piped_output_is_tsv_with_one_signed_number_a_row(self, gaincurve: Command) -> None:
        done = gaincurve(*BOTH)
        assert done.returncode == 0
        head, *rows = [line.split("\t") for line in done.stdout.splitlines()]
        assert head == ["run", "topic", "measure", "value", "signature"]
        assert [row[:3] + row[4:] for row in rows] == [[r, "all", "nDCG@3", SIGNED] for r in ("good", "poor")]
        assert values(done) == pytest.approx({("good", "all"): GOOD, ("poor", "all"): POOR}, abs=1e-15)

    def test_csv_and_jsonl_say_the_same(self, gaincurve: Command) -> None:
        tsv = values(gaincurve(*BOTH, "-q"))
        assert str(tsv) == str(values(gaincurve(*BOTH, "-q", "-f", "csv"), ","))  # as text, for nan is not nan
        records = [json.loads(line) for line in gaincurve(*BOTH, "-q", "-f", "jsonl").stdout.splitlines()]
        assert [(r["run"], r["topic"]) for r in records] == list(tsv)
        assert {r["signature"] for r in records} == {SIGNED}
        assert next(r["value"] for r in records if r["topic"] == "t3") is None
        assert [r["value"] for r in records if r["run"] == "good"] == pytest.approx([GOOD_T1, GOOD_T2, None, GOOD])

    def test_table(self, gaincurve: Command) -> None:
        head, _, good, poor, foot = gaincurve(*BOTH, "-f", "table").stdout.splitlines()
        assert head.split() == ["run", "nDCG@3"]
        assert [good.split(), poor.split()] == [["good", f"{GOOD:.4f}"], ["poor", f"{POOR:.4f}"]]
        assert foot == SIGNED

    def test_table_per_topic(self, gaincurve: Command) -> None:
        lines = [line.split() for line in gaincurve(*BOTH, "-q", "-f", "table").stdout.splitlines()]
        assert lines[0] == ["run", "topic", "nDCG@3"]
        assert lines[2:6] == [
            ["good", "t1", f"{GOOD_T1:.4f}"],
            ["good", "t2", f"{GOOD_T2:.4f}"],
            ["good", "t3", "–"],
            ["good", "mean", f"{GOOD:.4f}"],
        ]

    def test_markdown(self, gaincurve: Command) -> None:
        lines = gaincurve(*BOTH, "-f", "md").stdout.splitlines()
        assert lines[:3] == ["| run | nDCG@3 |", "| --- | ---: |", f"| good | {GOOD:.4f} |"]
        assert lines[-1].strip() == f"`{SIGNED}`"

    def test_latex(self, gaincurve: Command) -> None:
        lines = gaincurve(*BOTH, "-f", "latex").stdout.splitlines()
        assert lines[0] == f"% {SIGNED}"
        assert lines[1] == r"\begin{tabular}{lr}"
        assert rf"good & {GOOD:.4f} \\" in lines
        assert lines[-1] == r"\end{tabular}"

    @pytest.mark.parametrize(
        ("suffix", "format_"),
        [("txt", "table"), ("tsv",) * 2, ("csv",) * 2, ("json",) * 2, ("jsonl",) * 2, ("md",) * 2, ("tex", "latex")],
    )
    def test_suffix_of_out_decides(self, gaincurve: Command, folder: Path, suffix: str, format_: str) -> None:
        done = gaincurve(*BOTH, "-o", f"out.{suffix.upper()}")
        assert (done.returncode, done.stdout) == (0, "")
        assert f"wrote out.{suffix.upper()}" in done.stderr
        written = (folder / f"out.{suffix.upper()}").read_text("utf-8")
        assert written == gaincurve(*BOTH, "-f", format_).stdout
        assert f"{GOOD:.4f}" in written or repr(GOOD) in written

    def test_format_wins_over_suffix_and_dash_is_stdout(self, gaincurve: Command, folder: Path) -> None:
        gaincurve(*BOTH, "-f", "json", "-o", "out.csv")
        assert json.loads((folder / "out.csv").read_text())["schema"] == "gaincurve.scores/1"
        assert gaincurve(*BOTH, "-o", "-").stdout == gaincurve(*BOTH).stdout

    @pytest.mark.parametrize("format_", ["table", "tsv", "csv", "json", "jsonl", "md", "latex"])
    def test_same_bytes_twice(self, gaincurve: Command, format_: str) -> None:
        first = gaincurve(*BOTH, "-q", "-f", format_).stdout
        assert first
        assert first == gaincurve(*BOTH, "-q", "-f", format_).stdout

    def test_digits(self, gaincurve: Command) -> None:
        assert one(gaincurve(*BOTH[:3], "-m", "nDCG@3", "--digits", "2")) == round(GOOD, 2)
        assert f"good   {GOOD:.6f}" in gaincurve(*BOTH, "-f", "table", "--digits", "6").stdout

    def test_digits_also_decide_how_bounds_are_shown(self, gaincurve: Command) -> None:
        table = gaincurve(*BOTH, "--unjudged", "bounds", "-f", "table", "--digits", "2").stdout
        assert f"{GOOD:.2f} [{GOOD:.2f}, {(1 + GOOD_T2) / 2:.2f}]" in table


class TestJson:
    def test_shape(self, gaincurve: Command, folder: Path) -> None:
        found = json.loads(gaincurve(*BOTH, "-m", "CG@3", "-f", "json").stdout)
        assert list(found) == ["schema", "tool", "inputs", "measures", "summary", "notes"]
        assert (found["schema"], found["tool"]) == ("gaincurve.scores/1", f"gaincurve {gc.__version__}")
        assert [list(entry) for entry in found["measures"]] == [["name", "signature"]] * 2
        assert found["measures"][0] == {"name": "nDCG@3", "signature": SIGNED}
        assert found["measures"][1]["signature"].startswith("CG@3|gain:identity|ties:trec|")
        assert "topics:3|" in found["measures"][1]["signature"]
        assert found["summary"]["good"] == pytest.approx({"nDCG@3": GOOD, "CG@3": (5 + 1 + 0) / 3})
        assert found["summary"]["poor"] == pytest.approx({"nDCG@3": POOR, "CG@3": (4 + 0 + 0) / 3})

    def test_inputs(self, gaincurve: Command, folder: Path) -> None:
        inputs = json.loads(gaincurve(*BOTH, "-f", "json").stdout)["inputs"]
        expected = [("q.qrels", "TREC qrels", 3, 7), ("good.run", "TREC run", 3, 6), ("poor.run", "TREC run", 2, 4)]
        assert [tuple(i[k] for k in ("path", "format", "topics", "rows")) for i in inputs] == expected
        digests = [hashlib.sha256((folder / path).read_bytes()).hexdigest() for path, *_ in expected]
        assert [i["sha256"] for i in inputs] == digests

    def test_topics_and_undefined(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve(*BOTH, "-q", "-f", "json").stdout)
        good = {topic: row["nDCG@3"] for topic, row in found["topics"]["good"].items()}
        assert good.pop("t3") is None
        assert good == pytest.approx({"t1": GOOD_T1, "t2": GOOD_T2})
        notes = {note["slug"]: note["text"] for note in found["notes"]}
        assert "t3" in notes["undefined"]
        assert "nDCG@3" in notes["undefined"]
        assert "poor" in notes["topics-missing"]
        assert "t2" in notes["topics-missing"]

    def test_notes_also_stand_on_stderr(self, gaincurve: Command) -> None:
        done = gaincurve(*BOTH, "-f", "json")
        for note in json.loads(done.stdout)["notes"]:
            assert f"note[{note['slug']}]: {note['text']}" in done.stderr

    def test_a_mean_without_topics_is_null(self, gaincurve: Command, folder: Path) -> None:
        (folder / "none.qrels").write_text("t3 0 g 0\n")
        found = json.loads(gaincurve("eval", "none.qrels", "good.run", "-f", "json").stdout)
        assert found["summary"] == {"good": {"nDCG@10": None}}
        assert "undefined" in [note["slug"] for note in found["notes"]]


class TestRules:
    @pytest.mark.parametrize(
        ("rule", "gains"),
        [("trec", [1, 0, 3]), ("file", [0, 1, 3]), ("rank", [0, 1, 3]), ("average", [0.5, 0.5, 3])],
    )
    def test_ties(self, gaincurve: Command, rule: str, gains: list[float]) -> None:
        expected = sum(g / math.log2(i + 1) for i, g in enumerate(gains, 1)) / IDEAL
        done = gaincurve("eval", "q.qrels", "poor.run", "-m", "nDCG@3", "-q", "--ties", rule)
        assert values(done)["poor", "t1"] == pytest.approx(expected, abs=1e-15)
        assert f"|ties:{rule}|" in done.stdout

    def test_rank_column_may_contradict_the_scores(self, gaincurve: Command, folder: Path) -> None:
        (folder / "r.run").write_text("t1 Q0 c 2 9 x\nt1 Q0 a 1 1 x\n")
        asked = ("eval", "q.qrels", "r.run", "-m", "CG@1", "-q")
        assert values(gaincurve(*asked))["r", "t1"] == 0
        assert values(gaincurve(*asked, "--ties", "rank"))["r", "t1"] == 3

    def test_missing(self, gaincurve: Command) -> None:
        asked = ("eval", "q.qrels", "poor.run", "-m", "nDCG@3")
        assert one(gaincurve(*asked, "--missing", "zero")) == pytest.approx(POOR_T1 / 2)
        skipped = gaincurve(*asked, "--missing", "skip")
        assert one(skipped) == pytest.approx(POOR_T1)
        assert "|missing:skip|topics:1/3|" in skipped.stdout
        refused = gaincurve(*asked, "--missing", "error")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "error[topics-missing]: run poor lacks 1 judged topic: t2" in refused.stderr

    def test_unjudged_condensed(self, gaincurve: Command) -> None:
        done = gaincurve("eval", "q.qrels", "good.run", "-m", "nDCG@3", "--unjudged", "condensed")
        assert one(done) == pytest.approx(((3 + 2 / L) / IDEAL + GOOD_T2) / 2)  # b moves up over x
        assert "|unjudged:condensed|" in done.stdout

    def test_bounds_columns(self, gaincurve: Command) -> None:
        done = gaincurve("eval", "q.qrels", "good.run", "-m", "CG@3", "-q", "--unjudged", "bounds", "-f", "csv")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        assert list(rows[0]) == ["run", "topic", "measure", "value", "low", "high", "signature"]
        found = {row["topic"]: [float(row[k]) for k in ("value", "low", "high")] for row in rows}
        assert found == {"t1": [5, 5, 8], "t2": [1, 1, 1], "t3": [0, 0, 0], "all": [2, 2, 3]}  # x could have grade 3

    def test_bounds_in_table_and_json(self, gaincurve: Command) -> None:
        asked = ("eval", "q.qrels", "good.run", "-m", "CG@3", "--unjudged", "bounds")
        assert "good   2.0000 [2.0000, 3.0000]" in gaincurve(*asked, "-f", "table").stdout
        assert json.loads(gaincurve(*asked, "-f", "json").stdout)["bounds"] == {"good": {"CG@3": [2.0, 3.0]}}

    def test_bounds_of_ndcg_hold_every_way_to_judge(self, gaincurve: Command, folder: Path) -> None:
        (folder / "u.run").write_text("".join(f"t1 Q0 {d} {i} {-i} x\n" for i, d in enumerate("ayxbdz", 1)))
        done = gaincurve("eval", "q.qrels", "u.run", "-m", "nDCG@6", "-q", "--unjudged", "bounds", "-f", "json")
        low, high = json.loads(done.stdout)["bounds"]["u"]["nDCG@6"]
        reached = []
        for y, x, z in itertools.product(range(4), repeat=3):
            got = sum(g / math.log2(i + 1) for i, g in enumerate([3, y, x, 2, 1, z], 1))
            best = sorted([3, 2, 1, 0, y, x, z], reverse=True)[:6]
            reached.append(got / sum(g / math.log2(i + 1) for i, g in enumerate(best, 1)))
        assert low == pytest.approx(min(reached) / 2)  # t2 is missing and counts 0
        assert max(reached) / 2 - 1e-12 <= high <= 1 / 2

    def test_gains_and_discount_flags(self, gaincurve: Command) -> None:
        asked = ("eval", "q.qrels", "good.run", "-q", "-m", "DCG@3")
        assert values(gaincurve(*asked, "--gains", "0-1-10-100"))["good", "t1"] == pytest.approx(100 + 10 / 2)
        assert values(gaincurve(*asked, "--gains", "exp2"))["good", "t1"] == pytest.approx(7 + 3 / 2)
        done = gaincurve(*asked, "--discount", "jk2002", "--base", "3")
        assert values(done)["good", "t1"] == pytest.approx(3 + 2 / 1)
        assert "|discount:jk2002(base=3)|" in done.stdout

    def test_ideal_pooled_and_retrieved(self, gaincurve: Command) -> None:
        asked = ("eval", "q.qrels", "late.run", "-m", "nDCG@3", "-q", "--ideal")
        got = 2 + 3 / L
        assert values(gaincurve(*asked, "judged"))["late", "t1"] == pytest.approx(got / IDEAL)
        assert values(gaincurve(*asked, "retrieved"))["late", "t1"] == pytest.approx(got / (3 + 2 / L))
        pooled = gaincurve(*asked[:2], "poor.run", *asked[2:], "pooled")
        assert values(pooled)["late", "t1"] == pytest.approx(got / IDEAL)  # poor returned d


class TestScenarios:
    def test_named_scenario_and_override(self, gaincurve: Command) -> None:
        busy = gaincurve("eval", "q.qrels", "good.run", "-q", "--scenario", "busy")
        assert values(busy)["good", "t1"] == pytest.approx(jk_dcg([100, 0, 10]) / jk_dcg([100, 10, 1]))
        assert "\tnDCG@30\t" in busy.stdout
        assert "|gain:0-1-10-100|discount:jk2002(base=2)|ideal:judged@30|" in busy.stdout
        other = gaincurve(*busy.args, "--gains", "0-1-2-3", "--base", "10", "--depth", "2")
        assert values(other)["good", "t1"] == pytest.approx(3 / 5)  # below the base nothing is discounted
        assert "nDCG@2|gain:identity|discount:jk2002(base=10)|" in other.stdout

    def test_toml_file(self, gaincurve: Command, folder: Path) -> None:
        (folder / "mine.toml").write_text(
            'extends = "busy"\ndepth = 2\nmissing = "skip"\n[gains]\n1 = 1\n2 = 4\n3 = 9\n'
        )
        done = gaincurve("eval", "q.qrels", "good.run", "-q", "--scenario", "mine.toml", "-m", "DCG")
        assert values(done)["good", "t1"] == 9
        assert "DCG@2|gain:0-1-4-9|discount:jk2002(base=2)|" in done.stdout
        assert "|missing:skip|" in done.stdout
        over = gaincurve(*done.args, "--depth", "3", "--missing", "zero")
        assert values(over)["good", "t1"] == pytest.approx(9 + 4 / math.log2(3))
        assert "|missing:zero|" in over.stdout

    @pytest.mark.parametrize(
        ("text", "slug", "piece"),
        [
            ("gain = 'exp2'\n", "scenario-file", "did you mean gains?"),
            ("depth = \n", "scenario-file", "cannot be read"),
            ("depth = 0\n", "measure-cutoff", "0"),
            ("ties = 'coin'\n", "choice-unknown", "coin"),
            ("extends = 'buzy'\n", "scenario-unknown", "did you mean busy?"),
            ("gains = 3\n", "gains-syntax", "3"),
            ("base = 1\ndiscount = 'jk2002'\n", "discount-base", "1"),
        ],
    )
    def test_broken_toml(self, gaincurve: Command, folder: Path, text: str, slug: str, piece: str) -> None:
        (folder / "bad.toml").write_text(text)
        done = gaincurve("eval", "q.qrels", "good.run", "--scenario", "bad.toml", "-o", "out.json")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"error[{slug}]: " in done.stderr
        assert piece in done.stderr
        assert not (folder / "out.json").exists()

    @pytest.mark.parametrize("name", ["absent.toml", "buzy", ""])
    def test_no_such_scenario(self, gaincurve: Command, name: str) -> None:
        done = gaincurve("eval", "q.qrels", "good.run", "--scenario", name)
        assert done.returncode == 2
        assert done.stderr.startswith("error[scenario-")


def test_a_cutoff_beyond_all_ranks_does_not_need_the_memory(gaincurve: Command) -> None:
    done = gaincurve("eval", "q.qrels", "good.run", "-m", f"nDCG@{10**15}")
    assert done.returncode in (0, 2), done.stderr
    if done.returncode == 0:
        assert one(done) == pytest.approx(GOOD)
    bounded = gaincurve(
        "eval", "q.qrels", "good.run", "-m", f"nDCG@{10**15}", "-m", f"CG@{10**15}", "--unjudged", "bounds"
    )
    assert bounded.returncode == 0, bounded.stderr
    averaged = gaincurve("eval", "q.qrels", "good.run", "-m", f"nDCG(average='ranks')@{10**15}")
    assert (averaged.returncode, averaged.stdout) == (2, "")
    assert averaged.stderr.splitlines()[-3].startswith("error[measure-cutoff]")
    explained = gaincurve("explain", "--topic", "t1", "q.qrels", "good.run", "-m", f"nDCG@{10**15}")
    assert explained.returncode == 0, explained.stderr


def test_a_gain_too_large_for_a_number_is_refused(gaincurve: Command, folder: Path) -> None:
    (folder / "big.qrels").write_text("t1 0 a 2000\n")
    done = gaincurve("eval", "big.qrels", "good.run", "--gains", "exp2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-4].startswith("error[gains-")


def test_other_tools_names(gaincurve: Command) -> None:
    done = gaincurve("eval", "q.qrels", "good.run", "-m", "ndcg_cut_3", "-m", "nDCG(dcg='exp-log2')@3")
    assert [line.split("\t")[2] for line in done.stdout.splitlines()[1:]] == [
        "nDCG@3",
        "nDCG(gains='exp2', discount='log')@3",
    ]
    unknown = gaincurve("eval", "q.qrels", "good.run", "-m", "nDGC@10")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "error[measure-unknown]" in unknown.stderr
    assert "did you mean nDCG?" in unknown.stderr


def test_the_line_under_the_topics_is_a_mean_only_where_all_summaries_are(gaincurve: Command, folder: Path) -> None:
    asked = ("eval", "q.qrels", "good.run", "-q", "-f", "table", "--quiet")
    assert " mean " in gaincurve(*asked, "-m", "P@2").stdout
    told = gaincurve(*asked, "-m", "P@2", "-m", "NumRet").stdout
    assert " mean " not in told
    assert " all " in told


def test_json_tells_the_bounds_of_every_topic(gaincurve: Command, folder: Path) -> None:
    done = gaincurve("eval", "q.qrels", "good.run", "-m", "P@2", "--unjudged", "bounds", "-q", "-f", "json")
    assert json.loads(done.stdout)["topic_bounds"]["good"]["t1"] == {"P@2": [0.5, 1.0]}


@pytest.mark.parametrize("format_", ["json", "tsv"])
def test_gains_that_cannot_be_summed_are_refused(
    gaincurve: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n")
    for measure in ("nDCG", "CG"):
        done = gaincurve("eval", "-m", measure, "--gains", "1=1e308", "-f", format_, "q", "r")
        assert (done.returncode, done.stdout) == (2, "")
        assert "error[gains-range]: a document cannot be worth 1e+308" in done.stderr
