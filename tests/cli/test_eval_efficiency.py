"""gaincurve eval --efficiency: the table, every format, the picture, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import gaincurve as gc

Command = Callable[..., "CompletedProcess[str]"]
EVAL = ("eval", "q.qrels", "good.run", "poor.run", "-m", "nDCG@3")
INDEX = '{"indexing_s": 90, "index_bytes": 2500000, "text_bytes": 10000000}\n'
LOAD = '{"queries": 1000, "wall_s": 4, "threads": 2}\n'


def query(topic: str, latency: float) -> str:
    return json.dumps({"topic": topic, "latency_ms": latency}) + "\n"


@pytest.fixture(autouse=True)
def logs(folder: Path) -> Path:
    (folder / "logs").mkdir()
    (folder / "logs" / "good.jsonl").write_text(query("t1", 10) + query("t1", 20) + query("t2", 60) + INDEX + LOAD)
    (folder / "logs" / "poor.jsonl").write_text(query("t1", 2) + query("t2", 3))
    return folder / "logs"


BOTH = (*EVAL, "--efficiency", "logs/good.jsonl", "--efficiency", "logs/poor.jsonl")


def test_columns_of_the_table(gaincurve: Command) -> None:
    done = gaincurve(*BOTH, "-f", "table", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    head, _, good, poor, *foot = done.stdout.splitlines()
    assert " ".join(head.split()) == (
        "run nDCG@3 mean ms median ms p95 ms p99 ms queries/s indexing s index MB index/text"
    )
    # p95 of 10 20 60 lies at place 1.9, p99 at 1.98; of 2 3 at 0.95 and 0.99
    assert good.split()[2:] == ["30.00", "20.00", "56.00", "59.20", "250", "90.0", "2.50", "0.250"]
    assert poor.split()[2:] == ["2.50", "2.50", "2.95", "2.99", "400", "–", "–", "–"]
    assert foot[1:] == [
        f"latency|over:measurements|percentiles:linear|measurements:2-3|gaincurve:{gc.__version__}",
        f"throughput|from:load,latencies|gaincurve:{gc.__version__}",
        "Pareto-optimal in nDCG@3 and median latency: good, poor.",
    ]


def test_digits_hold_for_every_column(gaincurve: Command) -> None:
    done = gaincurve(*BOTH, "-f", "table", "--quiet", "--digits", 1)
    assert done.stdout.splitlines()[2].split()[2:] == ["30.0", "20.0", "56.0", "59.2", "250.0", "90.0", "2.5", "0.2"]


def test_columns_nobody_recorded_are_left_out(gaincurve: Command) -> None:
    done = gaincurve(*EVAL, "--efficiency", "logs/poor.jsonl", "-f", "md", "--quiet")
    head = done.stdout.splitlines()[0]
    assert head == "| run | nDCG@3 | mean ms | median ms | p95 ms | p99 ms | queries/s |"


@pytest.mark.parametrize("format", ["tsv", "csv", "jsonl"])
def test_tidy_rows(gaincurve: Command, format: str) -> None:
    done = gaincurve(*BOTH, "-f", format, "--quiet")
    if format == "jsonl":
        rows = [json.loads(line) for line in done.stdout.splitlines()]
    else:
        rows = list(csv.DictReader(io.StringIO(done.stdout), delimiter="\t" if format == "tsv" else ","))
    found = {(row["run"], row["measure"]): row for row in rows}
    assert len(found) == len(rows) == 2 * (1 + 8)
    assert float(found["good", "latency_p95_ms"]["value"]) == pytest.approx(56)
    assert float(found["good", "throughput_qps"]["value"]) == 250
    assert float(found["good", "space_overhead"]["value"]) == 0.25
    assert str(found["good", "index_bytes"]["value"]) == "2500000"
    assert found["poor", "index_bytes"]["value"] in ("", None)
    assert found["poor", "throughput_qps"]["signature"].startswith("throughput_qps|from:latencies|measurements:2|")
    assert {row["topic"] for row in rows} == {"all"}


def test_topics_show_their_own_latencies(gaincurve: Command) -> None:
    done = gaincurve(*BOTH, "-q", "-f", "tsv", "--quiet")
    rows = csv.DictReader(io.StringIO(done.stdout), delimiter="\t")
    found = {(row["run"], row["topic"], row["measure"]): row for row in rows}
    assert found["good", "t1", "latency_mean_ms"]["value"] == "15.0"
    assert "|measurements:2|" in found["good", "t1", "latency_mean_ms"]["signature"]
    assert ("good", "t3", "latency_mean_ms") not in found
    table = gaincurve(*BOTH, "-q", "-f", "table", "--quiet").stdout.splitlines()
    lines = {tuple(line.split()[:2]): line.split()[3:] for line in table[2:10]}
    assert lines["good", "t1"][:2] == ["15.00", "15.00"]
    assert set(lines["good", "t3"]) == {"–"}
    assert lines["good", "mean"][:2] == ["30.00", "20.00"]


def test_json(gaincurve: Command) -> None:
    found = json.loads(gaincurve(*BOTH, "-f", "json", "-q", "--quiet").stdout)
    assert found["schema"] == "gaincurve.scores/1"
    assert set(found["summary"]) == {"good", "poor"}
    good, poor = found["efficiency"]["good"], found["efficiency"]["poor"]
    assert (good["latency_median_ms"], good["throughput_qps"], good["index_bytes"]) == (20, 250, 2_500_000)
    assert good["load"] == {"queries": 1000, "wall_s": 4, "threads": 2}
    assert (poor["indexing_s"], poor["space_overhead"], poor["load"]) == (None, None, None)
    assert good["topics"]["t2"]["latency_mean_ms"] == 60
    assert found["tradeoff"]["unbeaten"] == ["good", "poor"]
    log = found["inputs"][3]
    assert (log["path"], log["format"], log["topics"], log["rows"]) == ("logs/good.jsonl", "efficiency log", 2, 5)
    assert len(log["sha256"]) == 64
    assert {note["slug"] for note in found["notes"]} >= {"efficiency-few", "efficiency-serial", "efficiency-topics"}


def test_without_logs_nothing_is_added(gaincurve: Command) -> None:
    assert "efficiency" not in json.loads(gaincurve(*EVAL, "-f", "json", "--quiet").stdout)


def test_notes_go_to_stderr(gaincurve: Command) -> None:
    done = gaincurve(*BOTH)
    assert "read 3 measurements, 2 topics, index, load: logs/good.jsonl" in done.stderr
    assert "note[efficiency-serial]: run poor: no load record" in done.stderr
    assert "note[" not in done.stdout


def test_a_log_without_a_run_and_a_run_without_a_log(gaincurve: Command, logs: Path) -> None:
    (logs / "poor.jsonl").rename(logs / "pooor.jsonl")
    done = gaincurve(*EVAL, "--efficiency", "logs/*.jsonl", "-f", "table")
    assert done.returncode == 0
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()[2:5]}
    assert rows["pooor"][:2] == ["–", "2.50"]
    assert rows["poor"][1:] == ["–"] * 8
    assert "note[efficiency-log-missing]: run poor: " in done.stderr
    assert "no run is called pooor (did you mean poor?)" in done.stderr


def test_a_pattern_names_many_logs(gaincurve: Command) -> None:
    assert (
        gaincurve(*EVAL, "--efficiency", "logs/*.jsonl", "-f", "json").stdout == gaincurve(*BOTH, "-f", "json").stdout
    )


def test_a_log_can_be_named(gaincurve: Command, monkeypatch: pytest.MonkeyPatch, logs: Path) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((logs / "good.jsonl").read_bytes())))
    done = gaincurve(*EVAL, "--efficiency", "poor=-", "--efficiency", "good=logs/poor.jsonl", "-f", "json", "--quiet")
    found = json.loads(done.stdout)["efficiency"]
    assert (found["poor"]["latency_median_ms"], found["good"]["latency_median_ms"]) == (20, 2.5)


def test_a_path_with_an_equals_sign_is_a_path(gaincurve: Command, logs: Path) -> None:
    (logs / "good.jsonl").rename(logs / "a=good.jsonl")
    done = gaincurve(*EVAL, "--efficiency", "logs/a=good.jsonl", "-f", "json", "--quiet")
    assert list(json.loads(done.stdout)["efficiency"]) == ["a=good"]


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_picture(gaincurve: Command, suffix: str) -> None:
    done = gaincurve(*BOTH, "-o", f"t.{suffix}")
    assert (done.returncode, done.stdout) == (0, "")
    assert f"wrote t.{suffix}" in done.stderr
    assert "note[efficiency-serial]" in done.stderr
    assert Path(f"t.{suffix}").read_bytes()[:4] in (b"<svg", b"\x89PNG", b"%PDF")


def test_no_picture_of_scores_alone(gaincurve: Command) -> None:
    done = gaincurve(*EVAL, "-o", "t.svg")
    assert done.returncode == 2
    assert "error[format-unknown]" in done.stderr


def test_nothing_to_draw(gaincurve: Command) -> None:
    done = gaincurve(*EVAL, "--efficiency", "other=logs/good.jsonl", "-o", "t.svg", "--quiet")
    assert done.returncode == 2
    assert "error[efficiency-nothing-to-draw]" in done.stderr
    assert not Path("t.svg").exists()


def test_broken_logs_and_broken_runs_are_told_together(gaincurve: Command, logs: Path) -> None:
    (logs / "good.jsonl").write_text(query("t1", 1) + query("t1", -1))
    (logs / "poor.jsonl").write_text('{"topics": "t1"}\n')
    Path("poor.run").write_text("t1 Q0 a 1 nan x\n")
    done = gaincurve(*BOTH)
    assert (done.returncode, done.stdout) == (2, "")
    for piece in ("poor.run:1", "logs/good.jsonl:2", "logs/poor.jsonl:1", "did you mean topic?"):
        assert piece in done.stderr
    assert done.stderr.count("error[") == 3
    assert done.stderr.count("  try  ") == 3


@pytest.mark.parametrize(
    ("given", "slug"),
    [
        (("logs/absent.jsonl",), "input-missing"),
        (("logs/*.log",), "input-missing"),
        (("logs",), "input-directory"),
        (("logs/good.jsonl", "good=logs/poor.jsonl"), "efficiency-name-twice"),
        (("good=-", "poor=-"), "stdin-twice"),
    ],
)
def test_refused(gaincurve: Command, given: tuple[str, ...], slug: str) -> None:
    done = gaincurve(*EVAL, *(part for path in given for part in ("--efficiency", path)))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"error[{slug}]" in done.stderr
