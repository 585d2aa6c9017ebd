"""What trec_eval 9.0.8 and 10.0 printed for inputs that stress an evaluator, held against `gaincurve trec_eval`."""

import csv
from pathlib import Path

import pytest

from gaincurve.cli import main
from gaincurve.files.evaluate import evaluate_files
from gaincurve.measures.notation import parse_measure

INDEX = Path(__file__).parents[1] / "data" / "trec_eval" / "index.tsv"

UNSET_MEMORY = ("rbp", "rbp_resid")
"""10.0 reads uninitialised memory for these two; their lines mean nothing."""


def rows() -> list[dict[str, str]]:
    with INDEX.open() as table:
        return list(csv.DictReader(table, delimiter="\t"))


def meant(text: str) -> list[str]:
    return [line for line in text.splitlines(keepends=True) if line.split("\t")[0].strip() not in UNSET_MEMORY]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['case']}-{row['version']}-{row['flags']}")
def test_text_and_exit_code_are_those_of_trec_eval(
    row: dict[str, str], recorded: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    folder = recorded / row["case"]
    like = ["--like", "10"] if row["version"] == "10.0" else []
    code = main(["trec_eval", *like, *row["arguments"].split(), str(folder / "qrels"), str(folder / "run")])
    printed = capsysbinary.readouterr().out.decode()
    expected = (recorded / row["file"]).read_text()
    assert meant(printed) == meant(expected)
    assert code == int(row["exit"])


@pytest.mark.parametrize("version", ["9.0.8", "10"])
@pytest.mark.parametrize("case", sorted({row["case"] for row in rows()}))
def test_the_scenarios_give_the_same_numbers_through_eval(case: str, version: str, recorded: Path) -> None:
    printed: dict[str, dict[str, str]] = {}
    for line in (recorded / case / f"all.v{version.partition('.')[0]}.txt").read_text().splitlines():
        name, topic, value = line.split("\t")
        if name.strip() not in ("runid", "num_q", "relstring", *UNSET_MEMORY):
            printed.setdefault(name.strip(), {})[topic] = value
    scenario = {"scenario": f"trec_eval-{version}"}
    if case == "missing_topics" and version == "10":  # there the program stops; what it printed before is compared
        scenario["missing"] = "skip"
    scores = evaluate_files(recorded / case / "qrels", recorded / case / "run", list(printed), **scenario)
    for name, values in printed.items():
        measure = str(parse_measure(name))
        for topic, value in values.items():
            ours = scores.summary()["run"][measure] if topic == "all" else scores["run", measure][topic]
            assert (f"{ours:6.4f}" if "." in value else f"{ours:.0f}") == value, (name, topic)
