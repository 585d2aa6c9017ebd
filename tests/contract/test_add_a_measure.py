"""docs/how-to/add-a-measure.md, followed step by step in a copy of the project."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "add-a-measure.md").read_text("utf-8")
PIECES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
FILES = ("src/gaincurve/measures/binary.py", "tests/properties/filed.py",
         "src/gaincurve/measures/sessions.py", "tests/properties/filed_sessions.py")  # fmt: skip


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and the property tests, with the pieces of the page put at the ends of the files it names."""
    home = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", home / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for folder in ("helpers", "properties"):
        shutil.copytree(ROOT / "tests" / folder, home / "tests" / folder)
    shutil.copy(ROOT / "pyproject.toml", home)
    for name, piece in zip(FILES, PIECES, strict=True):
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


@pytest.fixture(scope="module")
def passed(copy: Path) -> set[tuple[str, str]]:
    """The tests of properties that passed for the new measures, each with the measure's name."""
    done = run(copy, "pytest", "-p", "no:cacheprovider", "-vv", "tests/properties", "-k", "LastRank or sCG or filed")
    assert done.returncode == 0, done.stdout[-3000:]
    return set(re.findall(r"::(test_\w+)\[(LastRank|sCG)[^\]]*\] PASSED", done.stdout))


def test_its_laws_hold(passed: set[tuple[str, str]]) -> None:
    held = {test for test, measure in passed if measure == "LastRank"}
    assert {
        "test_values_are_the_plain_ones_and_within_the_range_of_the_record",
        "test_moving_a_relevant_document_up_past_a_worthless_one_never_hurts",
        "test_golden_numbers",
    } <= held, sorted(held)


SESSIONS = {
    "a": [[["good", "x"], ["fair"]], [["x", "good"]], [["fair"], [], ["good"]], [["good", "fair"]], [["x"], ["good"]]],
    "b": [[["x", "good"], ["x"]], [["x"]], [["x"], [], ["fair"]], [["fair", "x"]], [["x"], ["x"]]],
}
"""Five sessions under two systems: the gains 3, 2, 3, 3, 2 and 2, 0, 1, 1, 0."""


@pytest.fixture(scope="module")
def logs(copy: Path) -> tuple[str, str, str]:
    (copy / "qrels").write_text("t 0 good 2\nt 0 fair 1\nt 0 bad 0\n")
    for name, sessions in SESSIONS.items():
        records = [
            {"session": f"s{s}", "query": q, "topic": "t", "ranking": ranking}
            for s, lists in enumerate(sessions, start=1)
            for q, ranking in enumerate(lists, start=1)
        ]
        (copy / f"{name}.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return "qrels", "a.jsonl", "b.jsonl"


def told(copy: Path, command: str, *words: str, code: int = 0) -> dict[str, Any]:
    """What a command says as JSON."""
    done = run(copy, "gaincurve", command, *words, "-f", "json")
    assert done.returncode == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_session_measure_is_listed_explained_and_computed(copy: Path, logs: tuple[str, str, str]) -> None:
    assert "sCG" in run(copy, "gaincurve", "ls", "measures", "-f", "tsv").stdout
    explained = run(copy, "gaincurve", "explain", "sCG").stdout
    assert "What a user gained in a session, early or late" in explained
    found = told(copy, "session", *logs, "-m", "sCG", "-m", "sCG(gains='exp2')@1", "-q")
    assert [one["sCG"] for one in found["sessions"]["a"].values()] == [3, 2, 3, 3, 2]
    assert found["summary"]["b"]["sCG"] == 0.8
    assert found["summary"]["a"]["sCG(gains='exp2')@1"] == (4 + 0 + 4 + 3 + 3) / 5
    bounds = told(copy, "session", *logs, "-m", "sCG", "--unjudged", "bounds")["bounds"]["b"]["sCG"]
    assert bounds == [0.8, pytest.approx(0.8 + 2 * 7 / 5)]
    refused = run(copy, "gaincurve", "eval", *logs, "-m", "sCG")
    assert (refused.returncode, "measure-kind" in refused.stderr) == (2, True)


def test_the_session_measure_is_compared_gated_checked_and_swept(copy: Path, logs: tuple[str, str, str]) -> None:
    compared = told(copy, "compare", *logs, "-m", "sCG")
    assert compared["summary"] == {"a": {"sCG": 2.6}, "b": {"sCG": 0.8}}
    (pair,) = compared["pairs"]
    assert (pair["wins"], pair["difference"]) == (5, pytest.approx(1.8))
    gated = told(copy, "gate", *logs, "--max-drop", "sCG=0.1", code=1)
    assert [(one["measure"], one["drop"]) for one in gated["checks"]] == [("sCG", pytest.approx(1.8))]
    assert told(copy, "gate", "qrels", "b.jsonl", "a.jsonl", "--max-drop", "sCG=0.1")["passed"] is True
    checked = told(copy, "check", *logs, "-m", "sCG")  # unjudged documents could change its number: a remark
    assert [one["name"] for one in checked["measures"]] == ["sCG"]
    assert {one["about"] for one in checked["findings"] if one["level"] != "fine"} == {"unjudged"}
    swept = told(copy, "sweep", *logs, "-m", "sCG", "--depth", "1,2", "--gains", "exp2", "--ratio", "none")
    assert {one["measure"]: one["summary"]["a"] for one in swept["settings"]} == {
        "sCG(gains='exp2')@1": pytest.approx((4 + 0 + 4 + 3 + 3) / 5),
        "sCG(gains='exp2')@2": pytest.approx((4 + 3 + 4 + 4 + 3) / 5),
    }


def test_the_laws_of_the_session_measure_hold(copy: Path, passed: set[tuple[str, str]]) -> None:
    """All of them: each law has tests, and at least one of each ran for it."""
    laws = set(re.findall(r'^    "([\w-]+)": "', (copy / "tests/properties/filed.py").read_text("utf-8"), re.MULTILINE))
    tests = (copy / "tests/properties/test_session_laws.py").read_text("utf-8")
    proved = [*re.findall(r'^@law\("([\w-]+)".*?^def (test_\w+)', tests, re.MULTILINE | re.DOTALL)]
    proved += [("golden", "test_golden_numbers")]
    held = {test for test, measure in passed if measure == "sCG"}
    assert len(laws) == 19
    assert laws - {law for law, test in proved if test in held} == set()


def test_a_measure_that_is_not_filed_fails(copy: Path, passed: set[tuple[str, str]]) -> None:
    written = {copy / name: (copy / name).read_text("utf-8") for name in (FILES[1], FILES[3])}
    for file, piece in zip(written, (PIECES[1], PIECES[3]), strict=True):
        file.write_text(written[file].replace(piece, ""), "utf-8")
    done = run(copy, "pytest", "-p", "no:cacheprovider", "-q", "tests/properties", "-k", "filed")
    for file, text in written.items():
        file.write_text(text, "utf-8")
    assert done.returncode == 1
    for measure, laws in (("LastRank", "test_laws.py"), ("sCG", "test_session_laws.py")):
        assert re.search(rf"FAILED tests/properties/{laws}::\w+", done.stdout), (
            done.stdout
        )  # on a narrow terminal the line ends here
        assert measure in done.stdout
