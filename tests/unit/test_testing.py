"""`gaincurve.testing`: a gate as an assertion, and a fixture that keeps the baseline of a test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gaincurve.testing import gate

JUDGMENTS = {f"q{i}": {"good": 1, "bad": 0} for i in range(12)}
BEST = {topic: {"good": 2.0, "bad": 1.0} for topic in JUDGMENTS}
WORST = {topic: {"good": 1.0, "bad": 2.0} for topic in JUDGMENTS}


def test_a_gate_that_holds_says_so() -> None:
    assert gate(JUDGMENTS, WORST, BEST, {"nDCG@1": 0.01}).passed


def test_a_broken_limit_fails_the_test_with_its_sentence() -> None:
    with pytest.raises(AssertionError, match=r"nDCG@1.*\n.*nDCG@1\|gain:identity"):
        gate(JUDGMENTS, BEST, WORST, {"nDCG@1": 0.01})
    with pytest.raises(AssertionError, match=r"0\.5"):
        gate(JUDGMENTS, BEST, WORST, min_score={"nDCG@1": 0.5})


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_fixture_keeps_a_ranking_and_holds_the_next_against_it(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["gaincurve.testing"]\n')
    (tmp_path / "ranking.json").write_text(json.dumps(BEST))
    (tmp_path / "test_mine.py").write_text(
        "import json, pathlib\n"
        f"JUDGMENTS = {JUDGMENTS!r}\n"
        "def test_search(ranking_gate):\n"
        "    run = json.loads(pathlib.Path('ranking.json').read_text())\n"
        "    ranking_gate(JUDGMENTS, run, {'nDCG@1': 0.01})\n"
    )
    first = run_pytest(tmp_path)
    assert first.returncode == 1
    assert "no ranking is kept" in first.stdout
    assert "pytest --update-rankings" in first.stdout
    assert run_pytest(tmp_path, "--update-rankings").returncode == 0
    baseline = json.loads((tmp_path / "rankings" / "test_mine-test_search.json").read_text())
    assert baseline == {topic: ["good", "bad"] for topic in BEST}
    assert run_pytest(tmp_path).returncode == 0
    (tmp_path / "ranking.json").write_text(json.dumps(WORST))
    worse = run_pytest(tmp_path)
    assert worse.returncode == 1
    assert "nDCG@1" in worse.stdout
    assert run_pytest(tmp_path, "--update-rankings").returncode == 0


def test_no_two_gates_share_a_kept_ranking(tmp_path: Path) -> None:
    """Classes, parameters that are spelt alike, and several calls in a test: WORST hides behind none of them."""
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["gaincurve.testing"]\n')
    (tmp_path / "ranking.json").write_text(json.dumps(BEST))
    (tmp_path / "test_mine.py").write_text(
        "import json, pathlib, pytest\n"
        f"JUDGMENTS, WORST = {JUDGMENTS!r}, {WORST!r}\n"
        "def ranking():\n"
        "    return json.loads(pathlib.Path('ranking.json').read_text())\n"
        "class TestOld:\n"
        "    def test_search(self, ranking_gate):\n"
        "        ranking_gate(JUDGMENTS, ranking(), {'nDCG@1': 0.01})\n"
        "class TestPoor:\n"
        "    def test_search(self, ranking_gate):\n"
        "        ranking_gate(JUDGMENTS, WORST, {'nDCG@1': 0.01})\n"
        "@pytest.mark.parametrize('text', ['a b', 'a/b'])\n"
        "def test_text(ranking_gate, text):\n"
        "    ranking_gate(JUDGMENTS, ranking() if ' ' in text else WORST, {'nDCG@1': 0.01})\n"
        "def test_two(ranking_gate):\n"
        "    ranking_gate(JUDGMENTS, ranking(), {'nDCG@1': 0.01})\n"
        "    ranking_gate(JUDGMENTS, WORST, {'nDCG@1': 0.01})\n"
    )
    assert run_pytest(tmp_path, "--update-rankings").returncode == 0
    assert len([*(tmp_path / "rankings").iterdir()]) == 6
    assert run_pytest(tmp_path).returncode == 0
    (tmp_path / "ranking.json").write_text(json.dumps(WORST))
    worse = run_pytest(tmp_path)
    assert "3 failed, 2 passed" in worse.stdout
    assert "testing.py" not in worse.stdout  # a failure points at the line of the test
