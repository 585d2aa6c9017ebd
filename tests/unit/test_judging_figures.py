"""Pictures of what stands at each rank, counted by hand: grades, unjudged documents, lists that have ended."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gaincurve.figures import grades_chart, save, unjudged_chart
from gaincurve.figures.judging import grades_by_rank, grades_sheet, stacked_rows, unjudged_by_rank
from gaincurve.model.graded import Graded
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.experiment import Experiment, experiment

JUDGED = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 1, "z": -1}, "q3": {"b": 0}}
RUNS = {
    "x": {"q1": ["a", "new", "c"], "q2": ["z", "a"]},  # q3 is missing
    "y": {"q1": ["b"], "q2": ["u", "v", "a"], "q3": ["b", "w"]},
}


def graded(**choices: Any) -> Experiment:
    return experiment(JUDGED, RUNS, Scenario().with_choices(**choices))


def run(name: str, **choices: Any) -> Graded:
    return next(run for run in graded(**choices).runs if run.name == name)


def test_grades_by_rank_by_hand() -> None:
    # columns: grades −1 0 1 2, unjudged, nothing
    assert grades_by_rank(run("x"), 4).tolist() == [
        [1, 0, 0, 1, 0, 1],
        [0, 0, 1, 0, 1, 1],
        [0, 1, 0, 0, 0, 2],
        [0, 0, 0, 0, 0, 3],
    ]


def test_grades_that_mean_unjudged_are_unjudged() -> None:
    assert grades_by_rank(run("x", negative="unjudged"), 1).tolist() == [[0, 0, 1, 1, 1]]
    assert "grade -1" not in grades_sheet(run("x", negative="unjudged"), 1).values["shown"]


def test_condensed_lists_have_moved_up() -> None:
    assert grades_by_rank(run("y", unjudged="condensed"), 2).tolist() == [[0, 1, 2, 0, 0, 0], [0, 0, 0, 0, 0, 3]]


def test_blocks_are_stacked_best_grade_first() -> None:
    bars = grades_sheet(run("x"), 2).rows["bars"]
    second = [(bar["grade"], bar["low"], bar["high"]) for bar in bars if bar["from"] == 1.5]
    assert second == [("grade 1", 0.0, pytest.approx(1 / 3)), ("unjudged", pytest.approx(1 / 3), pytest.approx(2 / 3))]


def test_unjudged_blocks_are_hatched_and_no_others() -> None:
    sheet = grades_sheet(run("y"), 3)
    blocks = [bar for bar in sheet.rows["bars"] if bar["grade"] == "unjudged"]
    for line in sheet.rows["hatch"]:
        inside = [b for b in blocks if line["from"] <= b["from"] and b["to"] <= line["to"]]
        assert sum(b["to"] - b["from"] for b in inside) == line["to"] - line["from"]
        assert all(b["low"] < line["level"] < b["high"] for b in inside)
    levels = [(i + 0.5) / 25 for i in range(25)]
    wanted = sum(b["low"] < level < b["high"] for b in blocks for level in levels)
    assert sum(line["to"] - line["from"] for line in sheet.rows["hatch"]) == wanted


def test_many_ranks_are_drawn_in_groups() -> None:
    counts = np.zeros((250, 4), dtype=np.int64)
    counts[:, 1] = 1
    bars = stacked_rows(counts, ["grade 1", "grade 0", "unjudged"], 2)["bars"]
    assert len(bars) == 84  # groups of three ranks
    assert (bars[0]["ranks"], bars[-1]["ranks"]) == ("1–3", "250")
    assert {bar["share"] for bar in bars} == {0.5}


def test_unjudged_by_rank_by_hand() -> None:
    # x: q1 0/1 1/2 1/3, q2 none; q3 has no list. y: q1 0, q2 1 2/2 2/3, q3 0 1/2 1/2
    assert unjudged_by_rank(run("x"), 4).tolist() == pytest.approx([0, 1 / 4, 1 / 6, 1 / 6])
    assert unjudged_by_rank(run("y"), 3).tolist() == pytest.approx([1 / 3, 1.5 / 3, (2 / 3 + 1 / 2) / 3])


@pytest.mark.parametrize("given", [graded(), list(graded().runs)])
def test_charts_of_experiments_and_of_graded_runs(given: Any, tmp_path: Any) -> None:
    for chart, words in ((grades_chart(given, 5), "unjudged"), (unjudged_chart(given, 5), "unjudged among those read")):
        assert chart.to_dict(validate=True)
        save(chart, tmp_path / "c.svg")
        text = (tmp_path / "c.svg").read_text("utf-8")
        assert words in text
        assert ">x</text>" in text
        assert "NaN" not in text
