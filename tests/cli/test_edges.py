"""The edges of the machine: files, descriptors, signals and memory that are not as one would wish."""

from __future__ import annotations

import gzip
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from helpers.command import Command

import gaincurve as gc
from gaincurve.cli import streams
from gaincurve.errors import InputError
from gaincurve.io.results import write_whole
from gaincurve.model.memory import memory_limit

QRELS = "".join(f"q{t} 0 d{d} {d % 3}\n" for t in range(12) for d in range(9))
GOOD = "".join(f"q{t} Q0 d{8 - d} {d + 1} {9 - d} good\n" for t in range(12) for d in range(9))
BAD = "".join(f"q{t} Q0 {'x' * (t % 3 > 0)}d{d} {d + 1} {9 - d} bad\n" for t in range(12) for d in range(9))
GATE = ("gate", "qrels.txt", "good.run", "bad.run", "--max-drop", "nDCG@3=0.01")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"qrels.txt": QRELS, "good.run": GOOD, "bad.run": BAD}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    line = command.replace("gaincurve", f"{sys.executable} -m gaincurve")
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_an_input_is_not_written_over(gaincurve: Command, folder: Path, link: Any) -> None:
    (folder / "run.tsv").write_text(GOOD)
    out = "run.tsv"
    if link is not None:
        link(folder / "run.tsv", folder / "other.tsv")
        out = "other.tsv"
    done = gaincurve("eval", "qrels.txt", "run.tsv", "-o", out)
    assert (done.returncode, (folder / "run.tsv").read_text()) == (2, GOOD)
    assert "error[output-is-input]" in done.stderr


SNAPSHOTS = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n" + "".join(
    f"{name},2024-01-01,1,q{t},d{d},{d + 1}\n" for name in ("old", "new") for t in range(3) for d in range(9)
)


@pytest.mark.parametrize(
    ("command", "out"),
    [
        (("eval", "qrels.txt", "snap.csv#old"), "snap.csv"),
        (("convert", "snap.csv#old"), "./snap.csv"),
        (("eval", "beir", "good.run"), "beir/qrels/test.tsv"),
        (("eval", "beir#test", "good.run"), "beir/qrels/test.tsv"),
        (("report", "beir", "good.run"), "page.html"),
        (("compare", "beir", "good.run", "bad.run"), "beir/corpus.jsonl"),
        (("eval", "qrels.txt", "tables"), "tables/run=a/part-0.parquet"),
        (("eval", "qrels.txt", "tables/**/*.parquet"), "tables/run=a/part-0.parquet"),
        (("eval", "qrels.txt", "tab*#a"), "tables/run=a/part-0.parquet"),
    ],
)
def test_what_lies_behind_a_part_a_folder_or_a_pattern_is_not_written_over(
    gaincurve: Command, folder: Path, command: tuple[str, ...], out: str
) -> None:
    contents = {
        "snap.csv": SNAPSHOTS,
        "beir/qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
        "beir/corpus.jsonl": '{"_id": "d1", "text": "x"}\n',
        "tables/run=a/part-0.parquet": "never read",
    }
    for name, text in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    if out == "page.html":
        (folder / out).symlink_to("beir/qrels/test.tsv")
    done = gaincurve(*command, *(() if command[0] == "convert" else ("-o",)), out)
    assert (done.returncode, "error[output-is-input]" in done.stderr) == (2, True), done.stderr
    assert {name: (folder / name).read_text() for name in contents} == contents


def test_what_standard_input_reads_is_not_written_over(folder: Path) -> None:
    done = shell("gaincurve eval - good.run -f tsv -o qrels.txt < qrels.txt")
    assert (done.returncode, "what standard input reads" in done.stderr) == (2, True), done.stderr
    assert (folder / "qrels.txt").read_text() == QRELS


def test_a_read_only_file_is_not_replaced(folder: Path) -> None:
    (folder / "kept.txt").write_text("kept")
    (folder / "kept.txt").chmod(0o444)
    with pytest.raises(InputError, match="read-only"):
        write_whole("kept.txt", b"new")
    assert (folder / "kept.txt").read_text() == "kept"


def test_a_name_of_250_bytes_is_written_and_synced_first(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: (calls.append("fsync"), fsync(descriptor)))
    monkeypatch.setattr(os, "replace", lambda a, b: (calls.append("replace"), replace(a, b)))
    name = "n" * 250
    write_whole(name, b"data")
    assert (folder / name).read_bytes() == b"data"
    assert calls == ["fsync", "replace"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, streams.Stopped(signal.SIGTERM)])
def test_whatever_stops_writing_leaves_no_temporary_file(
    monkeypatch: pytest.MonkeyPatch, folder: Path, stop: BaseException
) -> None:
    def stopped(_: int) -> None:
        raise stop

    monkeypatch.setattr(os, "fsync", stopped)
    before = sorted(folder.iterdir())
    with pytest.raises((KeyboardInterrupt, streams.Stopped)):
        write_whole("out.txt", b"data")
    assert sorted(folder.iterdir()) == before


SIGNALLED_TWICE = """
import os, signal, sys
from gaincurve.cli import entry
unlink, first, second = os.unlink, *(getattr(signal, name) for name in sys.argv[1:3])
os.fsync = lambda _: os.kill(os.getpid(), first)
os.unlink = lambda path: (os.kill(os.getpid(), second), unlink(path))
sys.argv[1:3] = []
entry()
"""


@pytest.mark.parametrize(("first", "code"), [("SIGTERM", 143), ("SIGINT", 130), ("SIGHUP", 129)])
@pytest.mark.parametrize("second", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_second_signal_does_not_stop_the_clearing_away(folder: Path, first: str, second: str, code: int) -> None:
    before = sorted(folder.iterdir())
    command = [sys.executable, "-c", SIGNALLED_TWICE, first, second, "convert", "good.run", "out.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.split()[-1]) == (code, "stopped"), done.stderr
    assert sorted(folder.iterdir()) == before


def test_a_later_signal_ends_what_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 1.5, 3.0])
    monkeypatch.setattr("gaincurve.cli.streams.time.monotonic", lambda: next(now))
    stop = streams._stopping()
    with pytest.raises(streams.Stopped):
        stop(signal.SIGTERM, None)
    stop(signal.SIGINT, None)
    with pytest.raises(KeyboardInterrupt):
        stop(signal.SIGINT, None)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_signals_end_in_order(number: int, code: int) -> None:
    command = [sys.executable, "-m", "gaincurve", "eval", "-", "good.run"]
    running = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdin is not None
    running.stdin.write("q0 0 d1 1\n")
    running.stdin.flush()
    status = Path(f"/proc/{running.pid}/status")
    while running.poll() is None and not _handles(status, signal.SIGHUP):
        time.sleep(0.05)
    running.send_signal(number)
    _, said = running.communicate()
    assert (running.returncode, said.strip()) == (code, "stopped")


def _handles(status: Path, number: int) -> bool:
    if not status.exists():
        time.sleep(2)  # no /proc to ask
        return True
    caught = next(line for line in status.read_text().splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


@pytest.mark.parametrize(
    "streams_", ["", "2>&-", ">&-", "<&-", "2>/dev/full", ">/dev/full", "<&- >&- 2>&-", "| head -0"]
)
def test_streams_do_not_change_the_verdict_of_a_gate(streams_: str) -> None:
    done = shell(f"set -o pipefail; gaincurve {' '.join(GATE)} {streams_}")
    assert done.returncode == 1
    assert "error[bug]" not in done.stderr


def test_a_closed_stderr_costs_no_file(folder: Path) -> None:
    done = shell("gaincurve eval qrels.txt good.run -o scores.tsv 2>&- && gaincurve eval qrels.txt nothing.run 2>&-")
    assert done.returncode == 2
    assert (folder / "scores.tsv").read_text().startswith("run\t")


@pytest.mark.parametrize("command", ["eval qrels.txt good.run", "--version", "trec_eval qrels.txt good.run", "ls"])
def test_a_full_disk_is_named(command: str) -> None:
    done = shell(f"gaincurve {command} > /dev/full")
    assert done.returncode == 2
    assert "the disk is full" in done.stderr


@pytest.mark.parametrize("size", ["1000", "2k", "1.5M", "4GiB"])
def test_the_bound_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch, size: str) -> None:
    monkeypatch.setenv("GAINCURVE_MEMORY", size)
    assert memory_limit() == {"1000": 1000, "2k": 2048, "1.5M": 3 << 19, "4GiB": 1 << 32}[size]


@pytest.mark.parametrize("size", ["0", "much", "-1", "1e9", "4 X"])
def test_a_bound_that_is_none_is_refused(gaincurve: Command, monkeypatch: pytest.MonkeyPatch, size: str) -> None:
    monkeypatch.setenv("GAINCURVE_MEMORY", size)
    done = gaincurve("eval", "qrels.txt", "good.run")
    assert (done.returncode, "error[memory-setting]" in done.stderr) == (2, True)


def test_a_streamed_run_may_be_larger_than_memory(gaincurve: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = "".join(f"q{t} Q0 d{d} {d + 1} {-d} big\n" for t in range(4000) for d in range(1000))
    Path("big.run").write_text(documents)
    monkeypatch.setenv("GAINCURVE_MEMORY", "90M")  # read whole, these 90 MB would take 350
    done = gaincurve("eval", "qrels.txt", "big.run", "-m", "nDCG@3")
    assert done.returncode == 0, done.stderr
    assert gaincurve("explain", "nDCG@3", "qrels.txt", "big.run", "--topic", "q1").returncode == 2


@pytest.mark.parametrize(
    ("last", "says"),
    [
        ("q4000 Q0 a 1 nan big", "big.run:4000001"),
        ("q3999 Q0 d7 1 1 big", "big.run:4000001 (first at line 3999008)"),
        ("q3 Q0 a 1 1 big", "as topic q3 comes back after others"),
        ("q3 Q0 a 1 1 big\nq4000 Q0 a", "big.run:4000002"),
        ("q4000 Q0 a", "big.run:4000001"),
    ],
)
def test_a_run_larger_than_memory_says_why_it_is_not_streamed(
    gaincurve: Command, monkeypatch: pytest.MonkeyPatch, last: str, says: str
) -> None:
    with Path("big.run").open("w") as file:
        for t in range(4000):
            file.write("".join(f"q{t} Q0 d{d} {d + 1} {-d} big\n" for d in range(1000)))
        file.write(f"{last}\n")
    monkeypatch.setenv("GAINCURVE_MEMORY", "90M")
    done = gaincurve("eval", "qrels.txt", "big.run", "-m", "nDCG@3")
    assert (done.returncode, says in done.stderr) == (2, True), done.stderr


def test_a_large_run_that_is_damaged_says_so(gaincurve: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(f"q{t} Q0 d{os.urandom(8).hex()} 1 {d} big\n" for t in range(900) for d in range(1000, 0, -1))
    packed = gzip.compress(lines.encode(), 1)
    Path("big.run.gz").write_bytes(packed[:-1000] + bytes(1000))
    monkeypatch.setenv("GAINCURVE_MEMORY", "24M")
    done = gaincurve("eval", "qrels.txt", "big.run.gz", "-m", "nDCG@3")
    assert (done.returncode, "big.run.gz cannot be unpacked as gz" in done.stderr) == (2, True), done.stderr


def test_endless_inputs_are_refused_early() -> None:
    limit = "ulimit -v 4000000; "
    for source, slug in {
        "gaincurve eval /dev/zero good.run": "input-binary",
        "gaincurve report qrels.txt good.run --docs /dev/zero -o r.html": "input-binary",
        "yes | gaincurve eval - good.run": "input-columns",
        "yes 'q1 0 d1 1' | gaincurve eval - good.run": "input-memory",
        "truncate -s 10G sparse; gaincurve eval sparse good.run": "input-binary",
        "gaincurve eval qrels.txt sparse": "input-binary",
    }.items():
        done = shell(limit + source, GAINCURVE_MEMORY="300M")
        assert (done.returncode, f"error[{slug}]" in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize(
    ("first", "line", "slug"),
    [
        ("<top><num>1</num>", "x", "input-memory"),
        (".I 1\n.W", "x", "input-memory"),
        ("[", "1,", "input-memory"),
        ('{"id": "1", "text": "x"}', '{"no": 1}', "texts-record"),
        ("1\ta\n2\tb", "\tc", "texts-record"),
        ('id,text\n1,"', "x", "input-table"),
    ],
)
def test_texts_without_end_are_refused(first: str, line: str, slug: str) -> None:
    source = f"(printf '{first}\n'; yes '{line}') | gaincurve report qrels.txt good.run --docs - -o r.html"
    done = shell(f"ulimit -v 4000000; {source}", GAINCURVE_MEMORY="64M")
    assert (done.returncode, f"error[{slug}]" in done.stderr) == (2, True), done.stderr


def test_an_archive_without_end_is_refused(folder: Path) -> None:
    (folder / "big.zip").write_bytes(b"PK\3\4")
    os.truncate(folder / "big.zip", 10 << 30)
    for command in ("eval qrels.txt big.zip", "eval big.zip good.run", "report qrels.txt good.run --docs big.zip"):
        done = shell(f"ulimit -v 4000000; gaincurve {command}", GAINCURVE_MEMORY="64M")
        assert (done.returncode, "error[input-memory]: big.zip" in done.stderr) == (2, True), done.stderr


def test_a_bomb_is_refused_by_what_was_unpacked_so_far(monkeypatch: pytest.MonkeyPatch, gaincurve: Command) -> None:
    monkeypatch.setattr("gaincurve.io.content.FREE_EXPANSION", 1 << 20)
    bomb = gzip.compress(b"q1 0 d1 1\n" * 2_000_000)
    Path("bomb.gz").write_bytes(bomb + os.urandom(len(bomb) * 10))  # what follows does not make it smaller
    done = gaincurve("eval", "bomb.gz", "good.run")
    assert (done.returncode, "error[input-expands]" in done.stderr) == (2, True)


def test_memory_that_runs_out_is_no_bug(monkeypatch: pytest.MonkeyPatch, gaincurve: Command) -> None:
    def nothing_left(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("gaincurve.cli.eval.load", nothing_left)
    done = gaincurve("eval", "qrels.txt", "good.run")
    assert (done.returncode, "error[memory]" in done.stderr) == (2, True)


ESCAPE = "\x1b[31m\x9b2J\a"


@pytest.mark.parametrize(
    "command",
    [
        ("eval", f"{ESCAPE}.txt", "good.run"),
        ("eval", "qrels.txt", "good.run", "-m", ESCAPE),
        ("eval", "qrels.txt", "good.run", "-f", ESCAPE),
        ("eval", "qrels.txt", "good.run", "--digits", ESCAPE),
        ("eval", "qrels.txt", "good.run", f"--{ESCAPE}"),
        ("eval", "qrels.txt", "good.run", "--scenario", ESCAPE),
        ("trec_eval", "-m", ESCAPE, "qrels.txt", "good.run"),
        ("trec_eval", ESCAPE, "good.run"),
        (ESCAPE,),
    ],
)
def test_escapes_never_reach_stderr(gaincurve: Command, command: tuple[str, ...]) -> None:
    done = gaincurve(*command)
    assert done.returncode in (1, 2)
    assert all(char.isprintable() or char == "\n" for char in done.stderr)


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("command", [["trec_eval", "-q"], ["eval", "-q", "-f", "tsv"], ["eval", "-q", "-f", "md"]])
def test_escapes_in_ids_stay_in_pipes(gaincurve: Command, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    Path("qrels.txt").write_text(f"q{ESCAPE} 0 d1 1\n")
    Path("good.run").write_text(f"q{ESCAPE} Q0 d1 1 1 good\n")
    arguments = [*command, "qrels.txt", "good.run"]
    if "md" not in command:
        assert ESCAPE in gaincurve(*arguments).stdout
    screen = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", _Terminal(screen, "utf-8"))
    from gaincurve.cli import main  # noqa: PLC0415 -- as the fixture does

    assert main(arguments) == 0
    text = screen.getvalue().decode()
    assert "\\x1b[31m" in text.replace("\\\\", "\\").replace("\\[", "[")
    assert all(char.isprintable() or char in "\n\t" for char in text)


def test_messages_have_a_length(gaincurve: Command) -> None:
    done = gaincurve("eval", "qrels.txt", "good.run", "-m", "x" * 100_000)
    assert done.returncode == 2
    assert max(map(len, done.stderr.splitlines())) < 700


@pytest.mark.parametrize("cell", ["=1+1", "+cmd", "-x", "@sum", "\t=1", " =1"])
def test_csv_cells_are_no_formulas(gaincurve: Command, cell: str) -> None:
    Path(f"{cell}.run").write_text(GOOD)
    done = gaincurve("eval", "qrels.txt", f"./{cell}.run", "-f", "csv", "-m", "P@1")
    assert done.stdout.splitlines()[1].lstrip('"').startswith("'")
    assert gaincurve("eval", "qrels.txt", f"./{cell}.run", "-f", "jsonl", "-m", "P@1").returncode == 0


def test_numbers_in_csv_stay_numbers(gaincurve: Command) -> None:
    Path("-1.5.run").write_text(GOOD)
    done = gaincurve("eval", "qrels.txt", "./-1.5.run", "-f", "csv", "-m", "P@1")
    assert done.stdout.splitlines()[1].startswith("-1.5,")


def test_latex_rows_and_markdown_names_are_text(gaincurve: Command) -> None:
    for name in ("[2cm]", "*", "[here](http:evil)`x`"):
        Path(f"{name}.run").write_text(GOOD)
        tex = gaincurve("eval", "qrels.txt", f"{name}.run", "-f", "latex").stdout
        assert not any(line.lstrip().startswith(("[", "*")) for line in tex.splitlines())
    shown = gaincurve("eval", "qrels.txt", "[here](http:evil)`x`.run", "-f", "md").stdout
    assert r"\[here\](http:evil)\`x\`" in shown


HUGE = "9" * 5000


@pytest.mark.parametrize(
    "arguments",
    [
        ("-m", f"nDCG@{HUGE}"),
        ("-m", f"RBP(p=0.{HUGE})"),
        ("-m", "," * 100_000),
        ("-m", f"P(rel={HUGE})@5"),
        ("--depth", HUGE),
        ("--gains", f"0-1-{HUGE}"),
        ("--gains", f"exp{HUGE}"),
        ("--base", HUGE),
        ("--threads", HUGE),
        ("--digits", HUGE),
    ],
)
def test_numbers_of_thousands_of_digits_are_answered(gaincurve: Command, arguments: tuple[str, ...]) -> None:
    done = gaincurve("eval", "qrels.txt", "good.run", *arguments)
    assert done.returncode in (0, 2), done.stderr
    assert "error[bug]" not in done.stderr


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000 + "]" * 5000, f"depth = {HUGE}", "[" + "a." * 3000 + "a]", "depth = 1" + "0" * 2000]
)
def test_deep_and_long_toml_gets_a_message(gaincurve: Command, text: str) -> None:
    Path("s.toml").write_text(text)
    done = gaincurve("eval", "qrels.txt", "good.run", "--scenario", "s.toml")
    assert done.returncode == 2, done.stderr
    assert "error[bug]" not in done.stderr


@pytest.mark.parametrize("text", ['{"q0": {"d1": %s}}', '{"topic": "q0", "document": "d1", "grade": %s}', "q0 0 d1 %s"])
@pytest.mark.parametrize("digits", [400, 5000])
def test_grades_of_many_digits_get_a_message(gaincurve: Command, text: str, digits: int) -> None:
    Path("qrels.txt").write_text(text % ("9" * digits) + "\n")
    done = gaincurve("eval", "qrels.txt", "good.run")
    assert (done.returncode, "error[bug]" in done.stderr) == (2, False), done.stderr


@pytest.mark.parametrize("piece", ["<top ", "<top>\n", "<top><num ", "</top ", "<doc>", "<top>&#" + HUGE])
def test_tags_without_end_take_linear_time(folder: Path, piece: str) -> None:
    (folder / "topics.txt").write_text("<top><num>1</num><title>words</title></top>\n" + piece * 40_000)
    try:
        assert gc.read_texts("topics.txt")["1"] == "words"
    except InputError as error:
        assert error.slug == "texts-record"


@pytest.mark.parametrize("piece", [".a", "#1", "1", "0", "%41", "/"])
def test_long_ids_that_do_not_match_take_linear_time(piece: str) -> None:
    name = piece * (60_000 // len(piece))
    with pytest.raises(InputError) as refused:
        gc.evaluate({"1": {f"{name}!": 1}}, {"1": {f"{name}?": 1.0}}, "nDCG@10")
    assert refused.value.slug == "documents-disjoint"


WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("altair", "vl_convert", "jinja2", "pandas", "zstandard"):
            raise ImportError(name)
sys.meta_path.insert(0, Missing())
import gaincurve, pydoc
from gaincurve import *
assert hasattr(gaincurve, "figures") and "evaluate" in pydoc.render_doc(gaincurve)
help(gaincurve)
try:
    gaincurve.figures.curves_chart
except gaincurve.MissingExtra as error:
    assert "gaincurve[figures]" in str(error)
else:
    raise SystemExit("altair was there")
"""


def test_everything_public_is_there_without_extras() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
