"""The real MLflow, with a store in SQLite: names are accepted, numbers and signatures are found again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mlflow
import numpy as np
import pytest

import gaincurve as gc
from gaincurve.cli import main

JUDGED = {"q1": {"d1": 3, "d2": 1, "d3": 0}, "q2": {"d7": 2, "d1": 1}, "q3": {"d1": 0}}
FOUND = {"q1": {"d2": 9.5, "d1": 7.1}, "q2": {"d7": 1.2, "d3": 0.4}, "q3": {"d1": 1.0}}
MEASURES = ["nDCG@10", "AP", "P(rel=2)@5", "nDCG(gains='0-1-10-100', discount='jk2002', base=2)@100"]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    mlflow.set_experiment("gaincurve")
    yield
    mlflow.end_run()


def test_scores_are_metrics_with_their_signatures_as_tags() -> None:
    scores = gc.evaluate(JUDGED, {"bm25": FOUND, "é (v2)": FOUND}, MEASURES)
    with mlflow.start_run() as run:
        logged = gc.log_to_mlflow(scores, step=3)
    kept = mlflow.get_run(run.info.run_id).data
    assert kept.metrics == logged
    assert len(logged) == 8
    assert kept.metrics["bm25/nDCG_at_10"] == scores.summary()["bm25"]["nDCG@10"]
    assert kept.tags["gaincurve.signature.nDCG_at_10"] == str(scores.signatures[0])
    assert kept.tags["gaincurve.version"] == gc.__version__
    assert all(note.text in kept.tags["gaincurve.notes"] for note in scores.notes)
    history = mlflow.MlflowClient().get_metric_history(run.info.run_id, "bm25/AP")
    assert [point.step for point in history] == [3]


def test_the_recipe_of_the_page_runs() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "track-with-mlflow-and-dvc.md"
    recipe = page.read_text("utf-8").split("```py\n")[1].split("```")[0]
    assert main(["demo", "gaincurve-demo"]) == 0
    names: dict[str, Any] = {}
    exec(compile(recipe, "recipe", "exec"), names)
    kept = mlflow.last_active_run().data.metrics
    assert kept == {"nDCG_at_10": names["scores"].summary()["sharp"]["nDCG@10"], "P_rel_2_at_5": kept["P_rel_2_at_5"]}


def test_one_run_needs_no_name_and_undefined_values_are_left_out() -> None:
    logged = gc.log_to_mlflow(gc.evaluate({"q": {"d": 0}}, {"q": {"d": 1.0}}, ["AP", "P@5"]), prefix="dev/")
    assert logged == {"dev/P_at_5": 0.0}
    active = mlflow.active_run()
    assert active is not None
    assert mlflow.get_run(active.info.run_id).data.metrics == logged


def test_curves_are_metrics_step_by_step() -> None:
    curves = gc.curves(JUDGED, {"bm25": FOUND, "dense": FOUND}, ["CG", "nDCG"], depth=600)
    with mlflow.start_run() as run:
        gc.log_to_mlflow(curves)
    history = mlflow.MlflowClient().get_metric_history(run.info.run_id, "dense/CG")
    assert [point.step for point in history] == list(range(1, 601))
    np.testing.assert_array_equal([point.value for point in history], curves["dense", "CG"])


def test_every_measure_has_a_name_that_mlflow_takes() -> None:
    names = [f"{name}@5" for name in ("nDCG", "P", "R", "DCG", "CG", "nCG", "Success")] + ["AP", "RR", "bpref"]
    scores = gc.evaluate(JUDGED, FOUND, names)
    with mlflow.start_run() as run:
        gc.log_to_mlflow(scores)
    kept = mlflow.get_run(run.info.run_id).data.metrics
    assert sorted(kept.values()) == sorted(v for v in scores.summary()["run"].values() if not math.isnan(v))
