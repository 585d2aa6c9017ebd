"""compare, gate and sweep on sessions from the command line: the unit, and choices that only sessions have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Command
from latin_square import JUDGMENTS, LOGS, RECORDS, unit_means
from scipy import stats as scipy_stats

import gaincurve as gc


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [f"{task} 0 {document} {grade}\n" for task, row in JUDGMENTS.items() for document, grade in row.items()]
    Path("q.qrels").write_text("".join(lines))
    for name, rows in RECORDS.items():
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


ARGUMENTS = ("q.qrels", "old.jsonl", "new.jsonl")


@pytest.mark.usefixtures("files")
def test_the_unit_and_the_choices_of_sessions_on_the_command_line(gaincurve: Command) -> None:
    shape = json.loads(
        gaincurve("compare", *ARGUMENTS, "-m", "nsDCG", "--unit", "user", "--bq", "2", "-f", "json").stdout
    )
    scores = gc.evaluate_sessions(JUDGMENTS, LOGS, "nsDCG", bq=2)
    old, new = unit_means(scores, 0, "user")
    theirs = scipy_stats.ttest_rel([old[user] for user in old], [new[user] for user in old])
    assert shape["pairs"][0]["p"] == pytest.approx(theirs.pvalue, rel=1e-9)
    assert "query-discount:jarvelin2008(base=2)" in shape["measures"][0]["signature"]
    assert "over 12 users (means of their sessions)" in shape["method"]["sentences"][0]
    told = gaincurve(
        "compare", *ARGUMENTS, "-m", "nsDCG", "--unit", "user", "--design", "unpaired", "-f", "json"
    ).stdout
    assert json.loads(told)["method"]["test"] == "welch"
    gate = gaincurve("gate", *ARGUMENTS, "--max-drop", "nsDCG(score='last')=0.5", "--unit", "topic", "-f", "md").stdout
    assert "over 4 topics (means of their sessions)" in gate
    swept = json.loads(
        gaincurve(
            "sweep",
            *ARGUMENTS,
            "-m",
            "nsDCG",
            "--bq",
            "2,4",
            "--base",
            "2",
            "--depth",
            "5",
            "--unit",
            "user",
            "--ratio",
            "none",
            "-f",
            "json",
        ).stdout
    )
    assert [setting["query_discount"] for setting in swept["settings"]] == [
        "jarvelin2008(base=2)",
        "jarvelin2008(base=4)",
    ]
    assert swept["unit"] == "user"


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", *ARGUMENTS, "--unit", "user"), "--unit belongs to sessions"),
        (("compare", *ARGUMENTS, "--horizon", "longest"), "--horizon belongs to sessions"),
        (("gate", *ARGUMENTS, "--max-drop", "nDCG@10=0", "--bq", "2"), "--bq belongs to sessions"),
        (("sweep", *ARGUMENTS, "--bq", "2"), "--bq belongs to sessions"),
        (("sweep", *ARGUMENTS, "-m", "nsDCG", "--bq", "1"), "bq, the base of the query discount, cannot be 1"),
        (("sweep", *ARGUMENTS, "-m", "nsDCG(score='last')", "--bq", "2"), "no query discount to sweep over"),
        (("compare", *ARGUMENTS, "-m", "nsDCG", "--unit", "system"), "system"),
        (("compare", *ARGUMENTS, "-m", "sRBP", "--horizon", "longest"), "--horizon changes nothing about sRBP"),
    ],
)
def test_what_does_not_fit_is_refused_on_the_command_line(
    gaincurve: Command, arguments: tuple[str, ...], message: str
) -> None:
    told = gaincurve(*arguments)
    assert (told.returncode, message in told.stderr) == (2, True), told.stderr
