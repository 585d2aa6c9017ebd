"""CONTRIBUTING.md, "Adding a test of significance", followed step by step in a copy of the package."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FUNCTION, RECORD = re.findall(
    r"^```python\n(.*?)^```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)
QRELS = "".join(f"{topic} 0 a 1\n{topic} 0 b 0\n" for topic in range(1, 9))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with the two pieces put into one of its modules, and two runs: one wins 7 topics, the other 1."""
    home = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", home / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    module = home / "src/gaincurve/verbs/significance/pairwise.py"
    before, table = module.read_text("utf-8").rstrip(")\n").split("TESTS = (\n")
    module.write_text(f"{before}{FUNCTION}\n\nTESTS = (\n{table}\n{RECORD.strip()},\n)\n", "utf-8")
    (home / "q").write_text(QRELS)
    for name, wins in (("one", range(1, 8)), ("two", (8,))):
        rows = [f"{t} Q0 {d} {r} {2 - r} x" for t in range(1, 9) for r, d in enumerate("ab" if t in wins else "ba")]
        (home / name).write_text("\n".join(rows))
    return home


def run(home: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "gaincurve", *arguments],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(home / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_record_is_all_that_help_and_lists_need(copy: Path) -> None:
    listed = [line.split("\t")[1] for line in run(copy, "ls", "tests", "-f", "tsv").splitlines()]
    assert listed.index("signs") == listed.index("bootstrap") + 1
    assert "signs: sign test by flipping signs" in " ".join(run(copy, "compare", "--help").split())
    assert "|signs" not in run(copy, "gate", "--help").replace("\n", "")  # its record does not offer it there


def test_it_compares_like_the_binomial_sign_test(copy: Path) -> None:
    shape = json.loads(run(copy, "compare", "q", "one", "two", "-m", "RR", "--test", "signs", "-f", "json"))
    (pair,) = shape["pairs"]
    assert pair["p"] == pytest.approx(2 * (1 + 8) / 2**8)  # 7 of 8 or more, either way
    assert (pair["better"], "test:signs|" in shape["measures"][0]["signature"]) == ("one", True)
