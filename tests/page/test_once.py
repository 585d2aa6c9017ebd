"""A report does its work once: each run is graded once, and the page is laid out once."""

import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from experiments import experiment

import gaincurve as gc
from gaincurve.model.graded import graded_topics
from gaincurve.page.write import bundle, json_block, lay_out


def calls(of: tuple[Callable[..., Any], ...], act: Callable[[], object]) -> list[int]:
    """How often each function is called while something is done, whoever calls it."""
    seen: Counter[object] = Counter()

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen[frame.f_code] += 1

    sys.setprofile(watch)
    try:
        act()
    finally:
        sys.setprofile(None)
    return [seen[function.__code__] for function in of]


@pytest.mark.parametrize(
    "choices",
    [{}, {"unjudged": "condensed"}, {"ideal": "pooled", "measure": "AP", "negative": "unjudged"}, {"docs": True}],
)
def test_each_run_is_graded_once_and_the_page_laid_out_once(choices: dict[str, Any], tmp_path: Path) -> None:
    judgments, runs = experiment(random.Random(4))
    given = {**choices, "docs": {f"d{i}": "a text" for i in range(45)}} if "docs" in choices else choices
    counts = calls(
        (graded_topics, lay_out, bundle, json_block),
        lambda: gc.report(judgments, runs, tmp_path / "report.html", **given),
    )
    assert counts == [len(runs), 1, 1, 1]


def test_the_range_over_ties_is_that_of_the_measure_named_above_it() -> None:
    judgments, runs = experiment(random.Random(4))
    page = gc.report(judgments, runs, measure="AP").page
    means = {row.run: float(row.mean) for row in page.leaderboard.rows}
    assert page.health.measure == page.leaderboard.measure == "AP"
    for row in page.health.rows:
        low, high = map(float, row.tie_range.split(" to "))
        assert low - 1e-4 <= means[row.run] <= high + 1e-4
