"""gaincurve report: what it writes, says and refuses."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import Command
from terminal import on_a_terminal

from gaincurve.demo.sessions import make_sessions
from gaincurve.page.packing import unpack

FILES = ("q.qrels", "good.run", "poor.run", "late.run")


@pytest.fixture
def texts(folder: Path) -> Path:
    (folder / "topics.tsv").write_text("t1\tfirst things\nt2\tsecond things\nt3\tthird things\nt9\tunknown\n")
    (folder / "docs.jsonl").write_text('{"_id": "a", "title": "A", "text": "letter"}\n{"_id": "zz", "text": "never"}\n')
    return folder


def page(path: Path) -> str:
    return path.read_text("utf-8")


def observed(path: Path) -> dict[str, object]:
    return unpack(re.findall(r'id="observed">(.*?)</script>', page(path))[0])


def command_shown(path: Path) -> str:
    import html  # noqa: PLC0415

    return html.unescape(re.findall(r'<code id="command">(.*?)</code>', page(path))[0])


class TestWrites:
    def test_a_page(self, gaincurve: Command, folder: Path) -> None:
        done = gaincurve("report", *FILES, "-o", "page.html")
        assert (done.returncode, done.stdout) == (0, "")
        said = done.stderr.splitlines()
        assert said[0] == "read 3 topics, 7 judgments, grades 0–3, TREC qrels: q.qrels"
        assert re.fullmatch(r"wrote page\.html \(1\.\d MB\)", said[-1])
        assert "note[topics-missing]: run poor: 1 judged topic missing, counted as empty lists: t2" in said
        assert page(folder / "page.html").startswith("<!DOCTYPE html>")
        assert not list(folder.glob(".*"))

    def test_report_html_unless_told_otherwise(self, gaincurve: Command, folder: Path) -> None:
        assert gaincurve("report", *FILES, "--quiet").stderr == ""
        assert (folder / "report.html").exists()

    def test_standard_output(self, gaincurve: Command, folder: Path) -> None:
        done = gaincurve("report", *FILES, "-o", "-", "--quiet")
        assert done.stdout.startswith("<!DOCTYPE html>")
        assert not (folder / "report.html").exists()

    def test_one_run(self, gaincurve: Command, folder: Path) -> None:
        assert gaincurve("report", *FILES[:2], "-m", "AP").returncode == 0
        assert 'id="panel-pairs"' not in page(folder / "report.html")
        assert "On AP good scores" in page(folder / "report.html")

    def test_choices_reach_the_page(self, gaincurve: Command, folder: Path) -> None:
        arguments = (
            "--scenario",
            "busy",
            "--depth",
            "5",
            "--baseline",
            "late",
            "--title",
            "Ours & theirs",
            "-m",
            "DCG",
        )
        assert gaincurve("report", *FILES, *arguments).returncode == 0
        settings = json.loads(re.findall(r'id="page">(.*?)</script>', page(folder / "report.html"))[0])["settings"]
        assert (settings["measure"], settings["depth"], settings["baseline"]) == ("DCG", 5, "late")
        assert settings["gains"] == [0, 1, 10, 100]
        assert ">Ours &amp; theirs</h1>" in page(folder / "report.html")
        changed = "Scenario busy, changed: gains 0-1-10-100, discount jk2002(base=2), cutoff 5."
        assert changed in page(folder / "report.html")

    def test_a_scenario_from_a_file(self, gaincurve: Command, folder: Path) -> None:
        (folder / "own.toml").write_text('about = "ours"\ngains = "0-2-3-9"\ndepth = 7\n')
        assert gaincurve("report", *FILES, "--scenario", "own.toml").returncode == 0
        told = json.loads(re.findall(r'id="page">(.*?)</script>', page(folder / "report.html"))[0])
        assert (told["settings"]["scenario"], told["settings"]["gains"]) == ("own", [0, 2, 3, 9])
        assert told["scenarios"][0]["name"] == "own"

    def test_the_same_bytes_wherever_it_is_written(self, gaincurve: Command, folder: Path) -> None:
        for name in ("a.html", "b.htm"):
            assert gaincurve("report", *FILES, "-o", name, "--quiet").returncode == 0
        assert (folder / "a.html").read_bytes() == (folder / "b.htm").read_bytes()


class TestTexts:
    def test_they_are_read_and_shown(self, gaincurve: Command, texts: Path) -> None:
        done = gaincurve("report", *FILES, "--topics", "topics.tsv", "--docs", "docs.jsonl")
        assert "read 4 texts, 3 kept, TSV texts: topics.tsv" in done.stderr
        assert "read 2 texts, 1 kept, JSON lines texts: docs.jsonl" in done.stderr
        assert "documents of 8 without a text" in done.stderr
        found = observed(texts / "report.html")
        assert found["topics"]["texts"] == ["first things", "second things", "third things"]  # type: ignore[index]
        assert "A — letter" in json.dumps(found, ensure_ascii=False)
        assert "never" not in json.dumps(found)

    def test_digests_stand_on_the_page(self, gaincurve: Command, texts: Path) -> None:
        assert gaincurve("report", *FILES, "--topics", "topics.tsv", "--docs", "docs.jsonl").returncode == 0
        for name in (*FILES, "topics.tsv", "docs.jsonl"):
            assert hashlib.sha256((texts / name).read_bytes()).hexdigest() in page(texts / "report.html")

    def test_ids_that_do_not_fit_are_told_with_examples(self, gaincurve: Command, texts: Path) -> None:
        (texts / "smart").write_text(".I 001\n.W\nwhat\n.I 002\n.W\nwhy\n")
        done = gaincurve("report", *FILES, "--topics", "smart")
        assert done.returncode == 0
        said = "note[texts-missing]: smart: no topic has a text: t1, t2, t3; ids in it: 001, 002"
        assert said in done.stderr.splitlines()
        assert said.partition(": ")[2] in page(texts / "report.html")


class TestSessions:
    @pytest.fixture
    def logs(self, folder: Path) -> Path:
        made = make_sessions()
        (folder / "tasks.qrels").write_text(made.qrels)
        for name, text in made.logs.items():
            (folder / f"{name}.jsonl").write_text(text)
        return folder

    def test_a_panel_of_sessions(self, gaincurve: Command, logs: Path) -> None:
        own = ("--sessions", "keywords.jsonl", "--sessions", "semantic.jsonl", "--session-judgments", "tasks.qrels")
        done = gaincurve("report", *FILES, *own)
        assert done.returncode == 0, done.stderr
        assert 'id="panel-sessions"' in page(logs / "report.html")
        assert "sessions" in observed(logs / "report.html")

    def test_options_of_sessions_without_any(self, gaincurve: Command, folder: Path) -> None:
        done = gaincurve("report", *FILES, "--bq", "2")
        assert (done.returncode, "--bq belongs to sessions" in done.stderr) == (2, True)


class TestProvenance:
    def test_the_command_as_given_without_what_decides_nothing(self, gaincurve: Command, folder: Path) -> None:
        (folder / "two words.run").write_bytes((folder / "good.run").read_bytes())
        given = ("q.qrels", "two words.run", "late.run", "-m", "nDCG(gains='0-1-2-3')@5", "--quiet")
        assert gaincurve("report", *given, "-o", "x.html").returncode == 0
        shown = command_shown(folder / "x.html")
        assert shown == """gaincurve report q.qrels 'two words.run' late.run -m 'nDCG(gains='"'"'0-1-2-3'"'"')@5'"""
        for spelled in (["--out=y.html"], ["--out", "y.html"], ["-oy.html"]):
            assert gaincurve("report", *given, *spelled).returncode == 0
            assert command_shown(folder / "y.html") == shown

    def test_the_command_shown_writes_the_same_page(self, gaincurve: Command, texts: Path) -> None:
        arguments = (*FILES, "--topics", "topics.tsv", "--baseline", "poor", "--depth", "4")
        assert gaincurve("report", *arguments, "-o", "first.html").returncode == 0
        words = subprocess.run(
            ["bash", "-c", f"printf '%s\\n' {command_shown(texts / 'first.html')}"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        assert gaincurve(*words[1:]).returncode == 0
        assert (texts / "report.html").read_bytes() == (texts / "first.html").read_bytes()

    def test_no_path_that_nobody_typed(self, gaincurve: Command, folder: Path) -> None:
        assert gaincurve("report", *FILES).returncode == 0
        assert str(folder) not in page(folder / "report.html")


class TestRefuses:
    @pytest.mark.parametrize("name", ["report.pdf", "report", "report.html.gz"])
    def test_other_suffixes(self, gaincurve: Command, folder: Path, name: str) -> None:
        done = gaincurve("report", *FILES, "-o", name)
        assert done.returncode == 2
        assert f"error[format-unknown]: a report is HTML, and {name} does not end in .html" in done.stderr
        assert "read " not in done.stderr  # told before anything is read

    @pytest.mark.parametrize(
        ("arguments", "slug"),
        [
            (("-m", "ERR@10"), "report-choices"),
            (("--ties", "average"), "report-choices"),
            (("--baseline", "god"), "run-unknown"),
            (("--gains", "0-1"), "gains-grade"),
            (("--missing", "error"), "topics-missing"),
            (("--topics", "nowhere.tsv"), "input-missing"),
            (("--scenario", "nobody"), "scenario-unknown"),
            (("--topics", "-", "--docs", "-"), "stdin-twice"),
            (("-o", "nowhere/report.html"), "output-unwritable"),
        ],
    )
    def test_what_cannot_be(self, gaincurve: Command, folder: Path, arguments: tuple[str, ...], slug: str) -> None:
        done = gaincurve("report", *FILES, *arguments)
        assert (done.returncode, f"error[{slug}]" in done.stderr) == (2, True), done.stderr
        assert not (folder / "report.html").exists()

    def test_all_problems_of_all_files_are_told_at_once(self, gaincurve: Command, folder: Path) -> None:
        (folder / "q.qrels").write_text("t1 0 a three\n")
        (folder / "poor.run").write_text("t1 Q0 a 1 high x\n")
        (folder / "topics").write_text("only words\n")
        done = gaincurve("report", *FILES, "--topics", "topics", "--docs", "nowhere")
        assert done.returncode == 2
        slugs = re.findall(r"error\[(.+?)\]", done.stderr)
        assert slugs == ["judgments-grade", "run-score", "texts-format", "input-missing"]

    def test_without_the_extra_it_says_so_before_reading(self, folder: Path) -> None:
        code = "import sys; sys.modules['altair'] = None; from gaincurve.cli import main; sys.exit(main(sys.argv[1:]))"
        done = subprocess.run(
            [sys.executable, "-c", code, "report", *FILES], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert "error[extra-missing]: writing a report needs the extra 'figures'" in done.stderr
        assert "read " not in done.stderr


def test_help_names_its_panels_formats_and_options(gaincurve: Command) -> None:
    done = gaincurve("report", "--help")
    shown = " ".join(done.stdout.split())
    assert done.returncode == 0
    for option in (
        "--out",
        "--topics",
        "--docs",
        "--baseline",
        "--scenario",
        "--sessions",
        "--map",
        "--title",
        "--gains",
    ):
        assert option in shown
    assert "[default: report.html]" in shown


def test_a_bar_on_a_terminal(folder: Path) -> None:
    told = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    found = on_a_terminal([sys.executable, "-m", "gaincurve", "report", *FILES], "stderr", told)
    assert b"comparing" in found or b"packing what was observed" in found
    assert b"wrote report.html" in found
