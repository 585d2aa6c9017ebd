"""A small experiment in a folder of its own, and the command line called in this process."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest
from command import Command

from gaincurve.cli import main

JUDGMENTS = {"t1": {"a": 3, "b": 2, "c": 0, "d": 1}, "t2": {"e": 1, "f": 0}, "t3": {"g": 0}}
RUNS = {
    "good": {"t1": [("a", 9), ("x", 8), ("b", 7)], "t2": [("f", 2), ("e", 1)], "t3": [("g", 1)]},
    "poor": {"t1": [("c", 9), ("d", 9), ("a", 7)], "t3": [("g", 1)]},  # c and d tie; t2 is missing
    "late": {"t1": [("b", 2), ("a", 1)], "t2": [("f", 2), ("e", 1)], "t3": [("g", 1)]},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """q.qrels, good.run, poor.run and late.run in the current folder; x is unjudged, t3 has nothing relevant."""
    lines = [f"{t} 0 {d} {g}\n" for t, row in JUDGMENTS.items() for d, g in row.items()]
    (tmp_path / "q.qrels").write_text("".join(lines))
    for name, run in RUNS.items():
        lines = [f"{t} Q0 {d} {i} {s} x\n" for t, row in run.items() for i, (d, s) in enumerate(row, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def gaincurve(capsysbinary: pytest.CaptureFixture[bytes]) -> Command:
    """Run a command with stdout and stderr apart."""

    def run(*arguments: object) -> CompletedProcess[str]:
        code = main([str(a) for a in arguments])
        out, err = capsysbinary.readouterr()
        return CompletedProcess(arguments, code, out.decode("utf-8", "surrogateescape"), err.decode())

    return run
