"""What all commands have in common: exit codes, errors, stdin, pipes, terminals, hostile input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from terminal import on_a_terminal

from gaincurve.cli import COMMANDS

Command = Callable[..., "CompletedProcess[str]"]

PROGRAM = (sys.executable, "-m", "gaincurve")
EVAL = ("eval", "q.qrels", "good.run", "poor.run")
FORM = re.compile(r"(error\[[a-z-]+\]: .+\n(  at   .+\n)?  why  .+\n  try  .+\n)+")
pytestmark = pytest.mark.usefixtures("folder")


class TestExitCodes:
    def test_fine_is_0_and_failed_check_is_1(self, gaincurve: Command) -> None:
        assert gaincurve(*EVAL).returncode == 0
        assert gaincurve("check", "q.qrels", "poor.run").returncode == 1

    @pytest.mark.parametrize(
        "arguments",
        [
            ("eval", "absent.qrels", "good.run"),
            ("eval", "q.qrels", "."),
            ("eval", "good.run", "q.qrels"),
            (*EVAL, "-f", "svg"),
            (*EVAL, "-m", "nDCG@0"),
            (*EVAL, "--ties", "coin"),
            (*EVAL, "--base", "1", "--discount", "jk2002"),
            (*EVAL, "--gains", "0-1"),
            (*EVAL, "--duplicates", "last"),
            ("check", "absent.qrels", "good.run"),
            ("explain", "--topic", "t1", "absent.qrels", "good.run"),
        ],
    )
    def test_users_mistakes_are_2_in_the_form_of_an_error(self, gaincurve: Command, arguments: tuple[str, ...]) -> None:
        done = gaincurve(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        notes = "".join(line for line in done.stderr.splitlines(True) if line.startswith(("read ", "note[")))
        assert FORM.fullmatch(done.stderr.removeprefix(notes)), done.stderr

    @pytest.mark.parametrize("arguments", [("evla",), ("eval",), (*EVAL, "--nope"), (*EVAL, "--digits", "-1"), ()])
    def test_wrong_usage_is_2(self, gaincurve: Command, arguments: tuple[str, ...]) -> None:
        done = gaincurve(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("Usage: gaincurve")

    def test_our_bug_is_3_without_a_traceback(self, gaincurve: Command, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_: object) -> None:
            raise RuntimeError("the sky fell")

        monkeypatch.delenv("GAINCURVE_DEBUG", raising=False)
        monkeypatch.setattr("gaincurve.cli.eval.score_topics", broken)
        done = gaincurve(*EVAL, "--quiet")
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.startswith("error[bug]: RuntimeError: the sky fell\n")
        assert "GAINCURVE_DEBUG=1" in done.stderr
        assert "Traceback" not in done.stderr

    def test_debug_shows_the_traceback(self) -> None:
        code = "import sys, gaincurve.cli.eval as e; e.score_topics = None; from gaincurve.cli import entry; entry()"
        environment = {**os.environ, "GAINCURVE_DEBUG": "1"}
        done = subprocess.run(
            [sys.executable, "-c", code, *EVAL], capture_output=True, text=True, env=environment, check=False
        )
        assert done.returncode not in (0, 2)
        assert "Traceback" in done.stderr
        assert "TypeError" in done.stderr

    def test_help_and_version(self, gaincurve: Command) -> None:
        for arguments in (("--help",), ("-h",), ("--version",), *((command, "--help") for command in COMMANDS)):
            done = gaincurve(*arguments)
            assert (done.returncode, done.stderr) == (0, "")
            assert "gaincurve" in done.stdout


class TestErrors:
    def test_nothing_is_written_and_an_existing_file_stays(self, gaincurve: Command, folder: Path) -> None:
        (folder / "kept.json").write_text("mine")
        before = sorted(path.name for path in folder.iterdir())
        for out in ("kept.json", "new.json"):
            done = gaincurve("eval", "q.qrels", "absent.run", "-o", out)
            assert (done.returncode, done.stdout) == (2, "")
        assert sorted(path.name for path in folder.iterdir()) == before
        assert (folder / "kept.json").read_text() == "mine"

    def test_problems_of_several_files_come_together(self, gaincurve: Command, folder: Path) -> None:
        (folder / "bad.qrels").write_text("t1 0 a 1\nt1 0 b x\n")
        (folder / "bad.run").write_text("t1 Q0 a 1 nan x\nt1 Q0 b 2 2 x\nt1 Q0 b 3 1 x\n")
        done = gaincurve("eval", "bad.qrels", "bad.run", "absent.run", "good.run")
        assert done.returncode == 2
        slugs = re.findall(r"^error\[(.+?)\]", done.stderr, re.MULTILINE)
        assert slugs[0] == "judgments-grade"
        assert "run-score" in slugs
        assert slugs[-1] == "input-missing"
        for place in ("bad.qrels:2", "bad.run:1", "absent.run"):
            assert f"  at   {place}" in done.stderr

    def test_at_most_20_and_how_many_more(self, gaincurve: Command, folder: Path) -> None:
        (folder / "bad.run").write_text("".join(f"t1 Q0 d{i} {i} nan x\n" for i in range(30)))
        done = gaincurve("eval", "q.qrels", "bad.run", *(f"absent{i}.run" for i in range(5)))
        assert done.stderr.count("error[run-score]") == 1  # one sentence, true of many lines
        assert "bad.run:1; bad.run:2; bad.run:3; bad.run:4; bad.run:5" in done.stderr
        assert "more" in done.stderr.splitlines()[-1]

    @pytest.mark.parametrize("out", ["absent/out.json", "q.qrels/out.json", "taken.json"])
    def test_unwritable_output(self, gaincurve: Command, folder: Path, out: str) -> None:
        (folder / "taken.json").mkdir()
        before = sorted(folder.rglob("*"))
        done = gaincurve(*EVAL, "-o", out)
        assert (done.returncode, done.stdout) == (2, "")
        assert "error[output-unwritable]: " in done.stderr
        assert f"  at   {out}" in done.stderr
        assert "read " not in done.stderr  # known before the work, which would be lost
        assert sorted(folder.rglob("*")) == before

    def test_a_link_is_written_through(self, gaincurve: Command, folder: Path) -> None:
        (folder / "real.json").write_text("old")
        (folder / "link.json").symlink_to("real.json")
        assert gaincurve(*EVAL, "-o", "link.json").returncode == 0
        assert (folder / "link.json").is_symlink()  # as /dev/stdout is one
        assert json.loads((folder / "real.json").read_text())["schema"] == "gaincurve.scores/1"

    def test_mode_of_a_replaced_file_is_kept(self, gaincurve: Command, folder: Path) -> None:
        (folder / "out.json").touch()
        (folder / "out.json").chmod(0o640)
        gaincurve(*EVAL, "-o", "out.json")
        assert (folder / "out.json").stat().st_mode & 0o777 == 0o640
        assert (folder / "out.json").stat().st_size > 0


class TestNames:
    def test_two_equal_names(self, gaincurve: Command, folder: Path) -> None:
        (folder / "sub").mkdir()
        (folder / "sub/good.txt").write_bytes((folder / "good.run").read_bytes())
        for command in ("eval", "curve", "effort", "check"):
            done = gaincurve(command, "q.qrels", "good.run", "sub/good.txt")
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith("error[run-name-twice]: two runs are named 'good'\n")
            assert "  at   good.run and sub/good.txt\n" in done.stderr

    @pytest.mark.parametrize("command", ["eval", "curve", "effort"])
    def test_a_run_cannot_be_called_ideal(self, gaincurve: Command, folder: Path, command: str) -> None:
        (folder / "ideal.run").write_bytes((folder / "good.run").read_bytes())
        done = gaincurve(command, "q.qrels", "ideal.run")
        assert (done.returncode, done.stdout) == (2, "")
        assert "error[run-name-twice]: " in done.stderr

    def test_name_is_the_file_name_without_folders_and_suffixes(self, gaincurve: Command, folder: Path) -> None:
        (folder / "runs").mkdir()
        (folder / "runs/bm25.v2.run.txt").write_bytes((folder / "good.run").read_bytes())
        found = json.loads(gaincurve("eval", "q.qrels", "runs/bm25.v2.run.txt", "-f", "json").stdout)
        assert list(found["summary"]) == ["bm25.v2"]


class TestStreams:
    def test_stdin(self, folder: Path) -> None:
        for place, stdin in (("-", "q.qrels"), ("q.qrels", "good.run")):
            with (folder / stdin).open("rb") as file:
                done = subprocess.run(
                    [*PROGRAM, "eval", place, "-" if stdin == "good.run" else "good.run", "-m", "CG@1"],
                    stdin=file,
                    capture_output=True,
                    check=True,
                )
            run, _, _, value, _ = done.stdout.decode().splitlines()[1].split("\t")
            assert (run, value) == ("stdin" if stdin == "good.run" else "good", "1.0")
            assert b"standard input" in done.stderr

    def test_stdin_through_a_pipe(self, folder: Path) -> None:
        data = (folder / "good.run").read_bytes()
        done = subprocess.run([*PROGRAM, "eval", "q.qrels", "-"], input=data, capture_output=True, check=True)
        assert done.stdout.decode().splitlines()[1].startswith("stdin\tall\tnDCG@10\t")

    @pytest.mark.parametrize("inputs", [("-", "-"), ("q.qrels", "-", "-"), ("-", "good.run", "-")])
    def test_stdin_only_once(self, gaincurve: Command, inputs: tuple[str, ...]) -> None:
        done = gaincurve("eval", *inputs)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error[stdin-twice]: ")

    def test_what_was_understood_stands_on_stderr(self, gaincurve: Command) -> None:
        done = gaincurve(*EVAL)
        assert done.stderr.splitlines()[:2] == [
            "read 3 topics, 7 judgments, grades 0–3, TREC qrels: q.qrels",
            "read 3 topics, 6 documents, TREC run: good.run",
        ]

    @pytest.mark.parametrize("command", ["eval", "curve", "effort", "check"])
    def test_quiet(self, gaincurve: Command, command: str) -> None:
        loud, quiet = gaincurve(command, *EVAL[1:]), gaincurve(command, *EVAL[1:], "--quiet")
        assert loud.stderr
        assert (quiet.stderr, quiet.stdout, quiet.returncode) == ("", loud.stdout, loud.returncode)

    def test_head(self) -> None:
        done = subprocess.run(
            ["/bin/sh", "-c", f"'{PROGRAM[0]}' -m gaincurve curve q.qrels good.run --depth 20000 --quiet | head -1"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "curve\trun\ttopic\trank\tvalue\tsignature\n"
        assert done.stderr == ""

    @pytest.mark.parametrize("arguments", [EVAL, ("ls", "errors"), ("--help",), ("demo", "--papers", "d")])
    def test_closed_pipe_is_quiet_and_fine(self, arguments: tuple[str, ...]) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([*PROGRAM, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writer)
        assert [line for line in done.stderr.splitlines() if not line.startswith(("read ", "note["))] == []
        assert done.returncode == 0

    def test_python_dash_m_and_main_say_the_same(self, gaincurve: Command) -> None:
        done = subprocess.run([*PROGRAM, *EVAL], capture_output=True, check=True)
        assert done.stdout.decode() == gaincurve(*EVAL).stdout

    @pytest.mark.parametrize("arguments", [(*EVAL, "-q", "-f", "table"), ("ls", "formats"), ("curve", "--help")])
    def test_an_ascii_terminal_is_no_bug(self, arguments: tuple[str, ...]) -> None:
        environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
        done = subprocess.run([*PROGRAM, *arguments], capture_output=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr


class TestTerminal:
    def on_terminal(self, **environment: str) -> str:
        plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
        words = [*PROGRAM, *EVAL, "--quiet"]
        found = on_a_terminal(words, "stdout", {**plain, "TERM": "xterm-256color", **environment})
        return found.decode()

    def test_a_table_with_colour(self) -> None:
        shown = self.on_terminal()
        assert "───" in shown
        assert "\x1b[" in shown

    def test_no_color(self) -> None:
        shown = self.on_terminal(NO_COLOR="1")
        assert "───" in shown
        assert "\x1b" not in shown


class TestHostile:
    RED = "t\x1b[31m\x07\x9b"

    def hostile(self, folder: Path, topic: str) -> tuple[str, str]:
        judgments, run = {topic: {"a": 1}, "dull": {"a": 0}}, {topic: {"a": 1.0}, "dull": {"a": 1.0}}
        (folder / "h.json").write_text(json.dumps(judgments))
        (folder / "r.json").write_text(json.dumps(run))
        return "h.json", "r.json"

    @pytest.mark.parametrize("format_", ["table", "md", "latex"])
    def test_escape_sequences_in_ids_do_not_reach_a_table(self, gaincurve: Command, folder: Path, format_: str) -> None:
        files = self.hostile(folder, self.RED)
        for arguments in (
            ("eval", *files, "-q"),
            ("check", *files),
            ("explain", *files, "--topic", self.RED),
        ):
            done = gaincurve(*arguments, "-f", format_)
            assert done.stdout
            assert not set("\x1b\x07\x9b") & set(done.stdout + done.stderr)
            if arguments[0] == "eval":
                assert r"x1b[31m" in done.stdout.replace(r"\[", "[")

    @pytest.mark.parametrize("format_", ["table", "md", "latex"])
    @pytest.mark.parametrize("command", ["curve", "effort", "eval"])
    def test_escape_sequences_in_run_names(self, gaincurve: Command, folder: Path, command: str, format_: str) -> None:
        (folder / "\x1b[31m.run").write_bytes((folder / "good.run").read_bytes())
        done = gaincurve(command, "q.qrels", "\x1b[31m.run", "poor.run", "-f", format_)
        assert done.returncode == 0
        assert "\x1b" not in done.stdout

    def test_undefined_topic_in_notes(self, gaincurve: Command, folder: Path) -> None:
        (folder / "h.qrels").write_text(f"{self.RED} 0 a 0\nt1 0 a 1\n")
        done = gaincurve("eval", "h.qrels", "good.run")
        assert "note[undefined]" in done.stderr
        assert "\x1b" not in done.stderr

    def test_markdown_is_not_html_and_has_no_extra_columns(self, gaincurve: Command, folder: Path) -> None:
        files = self.hostile(folder, "<script>|x\n")
        for arguments in (("eval", *files, "-q"), ("explain", *files, "--topic", "<script>|x\n")):
            done = gaincurve(*arguments, "-f", "md")
            assert "script" in done.stdout
            assert "<script>" not in done.stdout
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in done.stdout.splitlines() if line.startswith("|")}
        assert cells == {10}

    def test_markdown_sentences_are_not_html(self, gaincurve: Command, folder: Path) -> None:
        (folder / "<b>.run").write_bytes((folder / "good.run").read_bytes())
        assert "<b>" not in gaincurve("effort", "q.qrels", "<b>.run", "poor.run", "-f", "md").stdout

    def test_latex_is_escaped(self, gaincurve: Command, folder: Path) -> None:
        topic = "a_b&c%d\\input{x}\n\\input{y}"
        done = gaincurve("eval", *self.hostile(folder, topic), "-q", "-f", "latex")
        assert r"a\_b\&c\%d\textbackslash{}input\{x\}" in done.stdout
        explained = gaincurve("explain", *self.hostile(folder, topic), "--topic", topic, "-f", "latex")
        commands = [line for line in explained.stdout.splitlines() if line.startswith("\\")]
        assert [line.split("{")[0] for line in commands] == [
            r"\begin", r"\toprule", r"\midrule", r"\bottomrule", r"\end",
        ]  # fmt: skip

    def test_ids_that_are_not_utf8_come_out_as_they_went_in(self, gaincurve: Command, folder: Path) -> None:
        (folder / "l.qrels").write_bytes(b"caf\xe9 0 a 1\n")
        (folder / "l.run").write_bytes(b"caf\xe9 Q0 a 1 1 x\n")
        tsv = gaincurve("eval", "l.qrels", "l.run", "-q")
        assert tsv.stdout.splitlines()[1].encode("utf-8", "surrogateescape").split(b"\t")[1] == b"caf\xe9"
        for format_ in ("table", "csv", "json", "jsonl", "md", "latex"):
            assert gaincurve("eval", "l.qrels", "l.run", "-q", "-f", format_).returncode == 0
