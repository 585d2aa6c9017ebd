"""docs/how-to/add-a-measure.md, followed step by step in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "add-a-measure.md").read_text("utf-8")
WRITTEN, FILED = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and the property tests, with the two pieces of the page put at the ends of the files it names."""
    home = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", home / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for folder in ("helpers", "properties"):
        shutil.copytree(ROOT / "tests" / folder, home / "tests" / folder)
    shutil.copy(ROOT / "pyproject.toml", home)
    for name, piece in (("src/gaincurve/measures/binary.py", WRITTEN), ("tests/properties/filed.py", FILED)):
        assert f"`{name}`" in PAGE
        with (home / name).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{piece}")
    return home


def run(home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(home / "src")}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=home, env=environment, capture_output=True, text=True, check=False
    )


def test_the_measure_is_listed_explained_and_computed(copy: Path) -> None:
    (copy / "q").write_text("1 0 a 1\n1 0 b 2\n1 0 c 0\n2 0 a 0\n")
    (copy / "r").write_text("1 Q0 a 1 4 x\n1 Q0 c 2 3 x\n1 Q0 b 3 2 x\n1 Q0 u 4 1 x\n2 Q0 a 1 1 x\n")
    assert "LastRank" in run(copy, "gaincurve", "ls", "measures", "-f", "tsv").stdout
    told = run(copy, "gaincurve", "explain", "LastRank").stdout
    assert "how far" not in told
    assert "Undefined where nothing relevant was retrieved" in told
    done = run(copy, "gaincurve", "eval", "q", "r", "-m", "LastRank", "-m", "LastRank(only=1)", "-q", "-f", "tsv")
    rows = [line.split("\t")[:4] for line in done.stdout.splitlines()]
    assert ["r", "1", "LastRank", "3.0"] in rows
    assert ["r", "2", "LastRank", ""] in rows
    assert ["r", "all", "LastRank(only=1)", "1.0"] in rows
    refused = run(copy, "gaincurve", "eval", "q", "r", "-m", "LastRank", "--ties", "average")
    assert (refused.returncode, "measure-no-ties" in refused.stderr) == (2, True)


def test_its_laws_hold(copy: Path) -> None:
    command = ("pytest", "-p", "no:cacheprovider", "-vv", "tests/properties", "-k")
    done = run(copy, *command, "LastRank or filed")
    assert done.returncode == 0, done.stdout[-3000:]
    held = set(re.findall(r"::(test_\w+)\[LastRank[^\]]*\] PASSED", done.stdout))
    assert {
        "test_values_are_the_plain_ones_and_within_the_range_of_the_record",
        "test_moving_a_relevant_document_up_past_a_worthless_one_never_hurts",
        "test_golden_numbers",
    } <= held, sorted(held)


def test_a_measure_that_is_not_filed_fails(copy: Path) -> None:
    filed = copy / "tests" / "properties" / "filed.py"
    whole = filed.read_text("utf-8")
    filed.write_text(whole.replace(FILED, ""), "utf-8")
    try:
        done = run(copy, "pytest", "-p", "no:cacheprovider", "-q", "tests/properties", "-k", "filed")
        assert done.returncode == 1
        assert "LastRank" in done.stdout
    finally:
        filed.write_text(whole, "utf-8")
