"""`explain --why-different` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

from helpers.command import Command

PARTIAL = {"q1": {"a": 3, "b": 2, "c": 2, "d": 1}, "q2": {"e": 2, "f": 1}}
HITS = {"q1": {"b": 9.0, "x": 8.0, "a": 7.0}, "q2": {"f": 5.0, "e": 4.0}}


def test_on_the_command_line(gaincurve: Command, tmp_path: Path) -> None:
    judged, run = tmp_path / "judged", tmp_path / "engine"
    judged.write_text("".join(f"{t} 0 {d} {g}\n" for t, grades in PARTIAL.items() for d, g in grades.items()))
    run.write_text("".join(f"{t} Q0 {d} 1 {s} x\n" for t, scores in HITS.items() for d, s in scores.items()))
    done = gaincurve("explain", "--why-different", "nDCG@10", "0.7111", str(judged), str(run), "-f", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["reasons"][0]["scenarios"] == ["elasticsearch"]
    done = gaincurve("explain", "--why-different", "0.9", "0.7111", str(judged), str(run), "-f", "table")
    assert "the rule of elasticsearch" in done.stdout
    assert "nDCG@10 is 0.737" in done.stderr
    assert gaincurve("explain", "--why-different", "nDCG@10", "0.7", str(judged)).returncode == 2
