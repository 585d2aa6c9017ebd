"""compare, sweep, gate and agree on the command line: formats, regions, exit codes, pictures, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from gaincurve.demo.experiment import make_experiment

Command = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """judgments.qrels and four runs over 12 topics in the current folder."""
    experiment = make_experiment(seed=4, topics=12)
    (tmp_path / "judgments.qrels").write_text(experiment.qrels)
    for name, text in experiment.runs.items():
        (tmp_path / f"{name}.run").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


RUNS = ("broad.run", "legacy.run", "sharp.run", "titles.run")


def test_two_runs(made: Path, gaincurve: Command) -> None:
    done = gaincurve("compare", "judgments.qrels", "sharp.run", "legacy.run", "-f", "table")
    assert done.returncode == 0
    for part in (
        "sharp − legacy",
        "won/tied/lost",
        "p by sign flips",
        "Two-sided paired t-test over 12 topics, 1 comparison, α = .05.",
        "On nDCG@10 sharp is ahead of legacy by",
        "nDCG@10: sharp > legacy",
        "|test:t|adjust:none|",
    ):
        assert part in done.stdout


def test_all_pairs_with_letters_and_groups(made: Path, gaincurve: Command) -> None:
    done = gaincurve("compare", "judgments.qrels", *RUNS, "-f", "table", "--quiet")
    assert "group" in done.stdout.splitlines()[0]
    assert "Two-sided paired t-test over 12 topics, Holm-adjusted over 6 comparisons" in done.stdout
    assert "if all judged" in done.stdout
    assert done.stderr == ""


def test_the_json_is_a_comparison(made: Path, gaincurve: Command) -> None:
    done = gaincurve("compare", "judgments.qrels", *RUNS, "--baseline", "legacy", "-m", "nDCG@5,10", "-f", "json")
    shape = json.loads(done.stdout)
    assert shape["schema"] == "gaincurve.comparison/1"
    assert len(shape["pairs"]) == 6
    assert {pair["b"] for pair in shape["pairs"]} == {"legacy"}
    assert shape["method"]["adjust"] == "holm"
    assert [source["topics"] for source in shape["inputs"]] == [12] * 5


def test_tsv_has_a_row_a_pair(made: Path, gaincurve: Command) -> None:
    lines = gaincurve("compare", "judgments.qrels", *RUNS, "--quiet").stdout.splitlines()
    assert len(lines) == 7
    assert lines[0].split("\t")[:4] == ["measure", "a", "b", "mean_a"]
    assert lines[0].endswith("judged_p\tjudged_a\tjudged_b\tcertain\tdecided_by_ties\tsignature")


def test_latex_is_ready_for_a_paper(made: Path, gaincurve: Command) -> None:
    done = gaincurve("compare", "judgments.qrels", *RUNS, "-o", "table.tex", "-m", "nDCG@10", "-m", "nDCG@100")
    text = (made / "table.tex").read_text()
    assert done.returncode == 0
    assert "\\toprule" in text
    assert "\\textsuperscript{" in text
    assert text.count("\\begin{tabular}") == 1
    assert text.count("% Two-sided paired t-test over 12 topics, Holm-adjusted over 6 comparisons") == 1


def test_markdown_escapes_stars_and_raises_letters(made: Path, gaincurve: Command) -> None:
    text = gaincurve("compare", "judgments.qrels", "sharp.run", "legacy.run", "-f", "md", "--quiet").stdout
    assert "<sup>b</sup>" in text
    assert "sharp > legacy\\*" in text


def test_regions_are_several_last_ranks(made: Path, gaincurve: Command) -> None:
    done = gaincurve(
        "compare", "judgments.qrels", *RUNS, "--depth", "5,10,100", "-m", "nCG", "-m", "nDCG@30", "-f", "json"
    )
    assert [m["name"] for m in json.loads(done.stdout)["measures"]] == ["nCG@5", "nCG@10", "nCG@100", "nDCG@30"]


def test_table_two_is_one_command(made: Path, gaincurve: Command) -> None:
    done = gaincurve(
        "compare", "judgments.qrels", *RUNS, "-m", "nCG", "-m", "nDCG", "--average", "ranks", "--scenario", "jk2002",
        "--gains", "0-1-1-1", "--gains", "0-1-10-100", "--gains", "0-0-0-1", "--test", "friedman", "-f", "table",
        "--quiet",
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["measure", "broad", "legacy", "sharp", "titles", "significant"]
    named = [line.split("  ")[0].strip() for line in lines[2:8]]
    assert named == [
        f"{m}(gains='{g}', average='ranks')@200" for m in ("nCG", "nDCG") for g in ("0-1-1-1", "0-1-10-100", "0-0-0-1")
    ]
    assert any(" > legacy*" in line for line in lines[2:8])


def test_topics_needed(made: Path, gaincurve: Command) -> None:
    done = gaincurve("compare", "judgments.qrels", "sharp.run", "broad.run", "--detect", "0.02", "-f", "table")
    assert "detecting one of 0.02 with power .80 takes" in done.stdout


@pytest.mark.parametrize(("arguments", "told"), [
    (("--test", "anova"), "choice-unknown"),
    (("--baseline", "bm25"), "run-unknown"),
    (("--test", "max-t"), "test-not-possible"),
    (("--unjudged", "bounds"), "cannot be tested"),
    (("--layout", "columns"), "choice-unknown"),
    (("--figure", "pie"), "choice-unknown"),
    (("--depth", "10,x"), "measure-cutoff"),
    (("--detect", "0"), "statistics-value"),
    (("--seed", "-1"), "statistics-value"),
    (("--interval", "percentile"), "--interval is for --test bootstrap"),
    (("--test", "bootstrap", "--interval", "zz"), "choice-unknown"),
    (("--pair", "sharp", "broad"), "--pair is for --figure topics"),
    (("--figure", "ranks", "-o", "x.svg"), "test-not-possible"),
    (("--figure", "topics", "-o", "x.svg"), "run-unknown"),
    (("--figure", "topics", "--pair", "sharp", "nobody", "-o", "x.svg"), "run-unknown"),
])  # fmt: skip
def test_compare_refuses_with_2(made: Path, gaincurve: Command, arguments: tuple[str, ...], told: str) -> None:
    done = gaincurve("compare", "judgments.qrels", *RUNS, *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_one_run_cannot_be_compared(made: Path, gaincurve: Command) -> None:
    assert "runs-too-few" in gaincurve("compare", "judgments.qrels", "sharp.run").stderr


@pytest.mark.parametrize("arguments", [
    (), ("--figure", "topics", "--pair", "sharp", "broad"), ("--figure", "ranks", "--post-hoc", "nemenyi"),
    ("-m", "nDCG@5", "-m", "nDCG@50"),
])  # fmt: skip
def test_compare_draws(made: Path, gaincurve: Command, arguments: tuple[str, ...]) -> None:
    assert gaincurve("compare", "judgments.qrels", *RUNS, *arguments, "-o", "x.svg").returncode == 0
    assert "<svg" in (made / "x.svg").read_text()


def test_sweep_table_marks_flips_and_says_the_verdict(made: Path, gaincurve: Command) -> None:
    given = ("judgments.qrels", "broad.run", "sharp.run", "--depth", "20", "--base", "2")
    done = gaincurve("sweep", *given, "-f", "table")
    assert "! broad" in done.stdout
    assert "sharp wins" in done.stdout
    assert "1000 : 1" in done.stdout


def test_sweep_json_and_tsv(made: Path, gaincurve: Command) -> None:
    given = ("judgments.qrels", *RUNS, "--gains", "0-1-1-1", "--gains", "exp2", "--depth", "5,10", "--ratio", "1,10")
    shape = json.loads(gaincurve("sweep", *given, "-f", "json").stdout)
    assert shape["schema"] == "gaincurve.sweep/1"
    assert len(shape["settings"]) == 2 * 5 * 2 + 2 * 2
    lines = gaincurve("sweep", *given, "--ratio", "none", "--quiet").stdout.splitlines()
    assert len(lines) == 1 + 2 * 5 * 2


def test_sweep_draws_its_map(made: Path, gaincurve: Command) -> None:
    assert gaincurve("sweep", "judgments.qrels", *RUNS, "--depth", "10", "-o", "x.svg").returncode == 0
    assert "cutoff" in (made / "x.svg").read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--ratio", "x"), ("--base", "1"), ("--base", "abc"), ("--alpha", "7"), ("--discount", "log", "--base", "2"),
        ("--unjudged", "bounds"), *(("-m", name) for name in ("Q", "G", "INST", "RHL", "Rndcg", "CosRel", "P@5")),
    ],
)  # fmt: skip
def test_sweep_refuses_with_2(made: Path, gaincurve: Command, arguments: tuple[str, ...]) -> None:
    done = gaincurve("sweep", "judgments.qrels", *RUNS, *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_gate_exit_codes(made: Path, gaincurve: Command) -> None:
    failed = gaincurve("gate", "judgments.qrels", "sharp.run", "legacy.run", "--max-drop", "nDCG@10=0.01", "-f", "md")
    assert failed.returncode == 1
    assert failed.stdout.startswith("**Gate failed**")
    assert "**Topics that fell most**" in failed.stdout
    assert "exit 1: the gate failed" in failed.stderr
    passed = gaincurve(
        "gate", "judgments.qrels", "legacy.run", "sharp.run", "--max-drop", "nDCG@10=0.01", "-f", "table"
    )
    assert (passed.returncode, "Gate passed" in passed.stdout) == (0, True)


def test_gate_takes_one_file_name_from_two_folders(made: Path, gaincurve: Command) -> None:
    for folder, run in (("old", "sharp.run"), ("new", "legacy.run")):
        (made / folder).mkdir()
        (made / folder / "bm25.run").write_text((made / run).read_text())
    given = ("gate", "judgments.qrels", "old/bm25.run", "new/bm25.run", "--max-drop", "nDCG@10=0.01")
    done = gaincurve(*given, "-f", "json")
    shape = json.loads(done.stdout)
    assert (done.returncode, shape["baseline"], shape["candidate"]) == (1, "baseline", "candidate")
    assert shape["checks"][0]["failed"] is True
    assert len(shape["checks"][0]["worst_topics"]) == 5
    assert gaincurve(*given).stdout.splitlines()[1].split("\t")[6] == "yes"


@pytest.mark.parametrize("limit", ["nDCG@10", "nDCG@10=minus", "what@10=1"])
def test_gate_refuses_limits_with_2(made: Path, gaincurve: Command, limit: str) -> None:
    assert gaincurve("gate", "judgments.qrels", "sharp.run", "legacy.run", "--max-drop", limit).returncode == 2


def test_agree_prints_table_one_and_the_orders(made: Path, gaincurve: Command) -> None:
    lines = [line.split() for line in (made / "judgments.qrels").read_text().splitlines()]
    text = "".join(f"{t} 0 {d} {max(0, int(g) - (i % 5 == 0))}\n" for i, (t, _, d, g) in enumerate(lines))
    (made / "second.qrels").write_text(text)
    done = gaincurve("agree", "judgments.qrels", "second.qrels", *RUNS, "-f", "table", "--quiet")
    assert done.stdout.startswith("Grades of second.qrels (rows) by grades of judgments.qrels (columns)")
    assert "100.0" in done.stdout
    assert "τ_b = " in done.stdout
    shape = json.loads(gaincurve("agree", "judgments.qrels", "second.qrels", "-f", "json").stdout)
    assert shape["schema"] == "gaincurve.agreement/1"
    assert shape["common"] == len(lines)
    tsv = gaincurve("agree", "judgments.qrels", "second.qrels", "broad.run", "sharp.run", "--quiet").stdout
    assert "kappa_quadratic\t" in tsv
    assert "order tau_ap\t" in tsv


def test_agree_refuses_with_2(made: Path, gaincurve: Command) -> None:
    assert "stdin-twice" in gaincurve("agree", "-", "-").stderr
    assert "stdin-twice" in gaincurve("agree", "judgments.qrels", "judgments.qrels", "-").stderr
    (made / "other.qrels").write_text("x 0 y 1\n")
    assert "judgments-disjoint" in gaincurve("agree", "judgments.qrels", "other.qrels").stderr
    assert gaincurve("agree", "judgments.qrels", "absent.qrels").returncode == 2


def test_ls_tests(gaincurve: Command) -> None:
    done = gaincurve("ls", "tests", "-f", "table")
    assert all(word in done.stdout for word in ("randomised-tukey", "max-t", "holm", "nemenyi"))


def test_json_lines_hold_true_and_false(made: Path, gaincurve: Command) -> None:
    two = ("judgments.qrels", "sharp.run", "legacy.run", "--quiet", "-f", "jsonl")
    compared = [json.loads(line) for line in gaincurve("compare", *two).stdout.splitlines()]
    assert [row["significant"] for row in compared] == [True]
    swept = [json.loads(line) for line in gaincurve("sweep", *two, "--depth", "10", "--base", "2").stdout.splitlines()]
    assert {type(row[name]) for row in swept for name in ("significant", "flip")} == {bool}
    assert {row["topics"] for row in swept} == {12}
    gated = gaincurve("gate", *two, "--max-drop", "nDCG@10=0.01").stdout
    assert json.loads(gated)["failed"] is True


def test_the_legend_of_a_strict_level_has_no_single_star(made: Path, gaincurve: Command) -> None:
    given = ("compare", "judgments.qrels", *RUNS, "-f", "table", "--quiet", "--test", "tukey")
    assert "** adjusted p ≤ .001.\n" in gaincurve(*given, "--alpha", "0.001").stdout
    assert "** adjusted p ≤ .01, * adjusted p ≤ .05.\n" in gaincurve(*given).stdout


def test_identical_runs_print_no_nan(made: Path, gaincurve: Command) -> None:
    for name in ("one", "two", "three"):
        (made / f"{name}.run").write_text((made / "sharp.run").read_text())
    for test in ("randomised-tukey", "tukey", "t", "bootstrap"):
        done = gaincurve(
            "compare", "judgments.qrels", "one.run", "two.run", "three.run", "--test", test, "-f", "table", "--quiet"
        )
        assert "nan" not in done.stdout
        assert "0.0000 [0.0000, 0.0000]" in done.stdout
        assert "On nDCG@10 all runs have the same mean.\n" in done.stdout


def test_too_few_topics_for_a_simultaneous_interval_show_none(tmp_path: Path, gaincurve: Command) -> None:
    (tmp_path / "q").write_text("".join(f"{t} 0 {d} 1\n" for t in (1, 2, 3) for d in "ab"))
    for name, lists in {"x": ("ab", "cb", "ac"), "y": ("ca", "ab", "cc"), "z": ("ab", "ca", "cb")}.items():
        text = "".join(f"{t + 1} 0 {d}{i} {i} {9 - i} x\n" for t, row in enumerate(lists) for i, d in enumerate(row))
        (tmp_path / f"{name}.run").write_text(text.replace("a0", "a").replace("b1", "b").replace("a1", "a"))
    runs = [str(tmp_path / f"{name}.run") for name in "xyz"]
    done = gaincurve("compare", str(tmp_path / "q"), *runs, "--test", "max-t", "--baseline", "x", "-f", "table")
    assert done.returncode == 0
    assert "Differences without an interval have none at this level" in done.stdout
    assert "nan" not in done.stdout


def test_means_of_a_measure_with_another_summary_are_signed_as_means(made: Path, gaincurve: Command) -> None:
    two = ("judgments.qrels", "sharp.run", "legacy.run")
    for name, given in (
        ("compare", (*two, "-m", "FirstRank")),
        ("gate", (*two, "--max-drop", "FirstRank=1")),
        ("agree", ("judgments.qrels", *two, "-m", "FirstRank")),
    ):
        done = gaincurve(name, *given, "-f", "json")
        assert "|summary:mean|" in done.stdout
        assert "summary:median" not in done.stdout
        assert "means are compared, although its summary is the median" in done.stderr


def test_agree_gives_the_first_place_to_the_best(made: Path, gaincurve: Command) -> None:
    done = gaincurve("agree", "judgments.qrels", "judgments.qrels", *RUNS, "-m", "FirstRank", "-f", "json")
    rows = json.loads(done.stdout)["orders"]["summary"].values()
    means = [row["first"] for row in rows]
    assert [row["first_place"] for row in rows] == [1 + sum(other < mean for other in means) for mean in means]
    (made / "twin.run").write_text((made / "sharp.run").read_text())
    twin = gaincurve("agree", "judgments.qrels", "judgments.qrels", *RUNS, "twin.run", "-f", "table", "--quiet").stdout
    lines = [line.split() for line in twin.splitlines() if line.startswith((" sharp ", " twin "))]
    places = {cells[0]: cells[2] for cells in lines}
    assert places == {"sharp": "1", "twin": "1"}


@pytest.mark.parametrize("second", ["nDCG@10=0.5", "nDCG(gains='identity')@10=0.5"])
def test_contradictory_limits_are_refused(made: Path, gaincurve: Command, second: str) -> None:
    given = ("gate", "judgments.qrels", "sharp.run", "legacy.run", "--max-drop", "nDCG@10=0", "--max-drop")
    done = gaincurve(*given, second)
    if "gains" in second:  # another spelling is another measure
        assert done.returncode == 1
    else:
        assert (done.returncode, "--max-drop gives nDCG@10 two limits, 0 and 0.5" in done.stderr) == (2, True)
    assert gaincurve(*given, "nDCG@10=0").returncode == 1


def test_a_gate_on_ranks_speaks_of_worse_and_better(made: Path, gaincurve: Command) -> None:
    given = ("judgments.qrels", "sharp.run", "legacy.run", "--max-drop", "FirstRank=0.01", "-f", "md", "--quiet")
    text = gaincurve("gate", *given).stdout
    assert "**Topics that got worse most**" in text
    assert "fell" not in text


def test_a_gate_of_equal_runs_prints_no_negative_zero(made: Path, gaincurve: Command) -> None:
    assert gaincurve("convert", "legacy.run", "same.run").returncode == 0
    limits = ("--max-drop", "FirstRank=0.1", "--not-worse-by", "nDCG@10=0.1", "--min", "FirstRank=99")
    done = gaincurve("gate", "judgments.qrels", "legacy.run", "same.run", *limits)
    assert [line.split("\t")[3] for line in done.stdout.splitlines()[1:]] == ["0.0"] * 3, done.stderr
