"""Where numbers are computed: what --engine and --master take. The engine itself is tested in tests/peers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gaincurve.cli import main


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "sparc"], "engine cannot be 'sparc' (did you mean spark?)"),
        (["--master", "local[2]"], "--master is for --engine spark"),
        (["--engine", "spark", "--duplicates", "seen"], "duplicates 'seen' is for sessions"),
        (["--engine", "spark", "--subtopics"], "--subtopics is not for --engine spark"),
        (["--engine", "spark"], "pip install 'gaincurve[spark]'"),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)  # as if it were not installed
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 x\n")
    assert main(["eval", str(tmp_path / "q"), str(tmp_path / "r"), *options]) == 2
    assert message in capsys.readouterr().err
