"""Figures of judging: every method replayed, and the ends of a difference as they close."""

from __future__ import annotations

from pathlib import Path

import pytest

import gaincurve as gc
from gaincurve.cli import main
from gaincurve.figures import closing_chart, replay_chart, save
from gaincurve.verbs.deciding.closing import closing_paths
from gaincurve.verbs.pools.replay import replay_curves

RUNS = {
    "A": {"t": ["d1", "d2", "d3", "d4", "d5"]},
    "B": {"t": ["d3", "d6", "d1", "d7", "d8"]},
    "C": {"t": ["d9", "d2", "d6", "d3", "d10"]},
}
JUDGED = {"t": {"d2": 1, "d3": 1, "d6": 1, "d1": 0}}


def test_a_replay_draws_a_line_for_each_method(tmp_path: Path) -> None:
    chart = replay_chart(replay_curves(RUNS, JUDGED))
    assert chart.to_dict(validate=True)
    save(chart, tmp_path / "r.svg")
    text = (tmp_path / "r.svg").read_text("utf-8")
    for word in ("mm-ns holding", "borda", "documents judged of each topic", "3 relevant documents in all"):
        assert word in text


def test_a_panel_for_each_pair_closes_to_a_point(tmp_path: Path) -> None:
    paths = closing_paths(JUDGED, RUNS, "nDCG@3", scale="0-1")
    assert [(path.a, path.b) for path in paths] == [("A", "B"), ("A", "C"), ("B", "C")]
    save(closing_chart(paths, "nDCG@3"), tmp_path / "c.svg")
    text = (tmp_path / "c.svg").read_text("utf-8")
    for word in ("documents judged", "difference in nDCG@3 (A less B)", "the gain that the model expects"):
        assert word in text
    assert "NaN" not in text


def test_more_pairs_than_fit_are_refused() -> None:
    runs = {f"r{i}": {"t": [f"d{(i + j) % 7}" for j in range(3)]} for i in range(6)}
    with pytest.raises(gc.ChoiceError, match="15 pairs"):
        closing_chart(closing_paths(JUDGED, runs, "DCG@3", scale="0-1"))


def test_the_command_line_draws_both(tmp_path: Path) -> None:
    qrels = tmp_path / "q.txt"
    qrels.write_text("".join(f"t 0 {d} {g}\n" for d, g in JUDGED["t"].items()))
    paths = []
    for name, lists in RUNS.items():
        path = tmp_path / f"{name}.run"
        path.write_text("".join(f"t Q0 {d} {i} {-i} {name}\n" for i, d in enumerate(lists["t"], start=1)))
        paths.append(str(path))
    assert main(["decide", str(qrels), *paths, "-o", str(tmp_path / "closing.svg")]) == 0
    assert "A less C" in (tmp_path / "closing.svg").read_text("utf-8")
    replay = ["pool", *paths, "--judgments", str(qrels), "--replay", "-o", str(tmp_path / "methods.svg")]
    assert main(replay) == 0
    assert "mtf" in (tmp_path / "methods.svg").read_text("utf-8")
