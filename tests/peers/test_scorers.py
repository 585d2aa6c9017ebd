"""Measures inside training: torchmetrics, also over two processes, and scikit-learn's search over parameters."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
import sklearn
import torch
import torch.multiprocessing
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from torchmetrics import MetricCollection
from torchmetrics.retrieval import RetrievalMRR, RetrievalNormalizedDCG

import gaincurve as gc
from gaincurve.sklearn import list_scorer
from gaincurve.torchmetrics import GaincurveMetric


def documents() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(7)
    index = torch.randint(0, 20, (400,), generator=generator)
    return torch.rand(400, generator=generator), torch.randint(0, 4, (400,), generator=generator), index


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("nDCG@10", RetrievalNormalizedDCG(top_k=10)), ("nDCG", RetrievalNormalizedDCG()), ("RR", RetrievalMRR())],
)
def test_in_batches_as_torchmetrics(ours: str, theirs: torch.nn.Module) -> None:
    """Its nDCG has linear gains and log2(i+1), and documents that nobody retrieved do not exist here."""
    metric = GaincurveMetric(ours)
    preds, target, index = documents()
    for start in range(0, 400, 150):
        batch = slice(start, start + 150)
        metric.update(preds[batch], target[batch], index[batch])
    binary = (target > 0) if ours == "RR" else target
    assert float(metric.compute()) == pytest.approx(float(theirs(preds, binary, indexes=index)), abs=1e-6)
    metric.reset()
    assert metric.preds == []


def test_choices_reach_the_measure() -> None:
    preds, target, index = documents()
    metric = GaincurveMetric("nDCG@10", gains="exp2")
    expected = gc.evaluate_arrays(preds, target, "nDCG@10", groups=index, gains="exp2").summary()["run"]["nDCG@10"]
    assert float(metric(preds, target, index)) == expected
    assert str(GaincurveMetric("FirstRank").higher_is_better) == "False"
    with pytest.raises(gc.GaincurveError, match="nDGC"):
        GaincurveMetric("nDGC@10")
    with pytest.raises(ValueError, match="differ in shape"):
        metric.update(preds, target[:5], index)
    with pytest.raises(ValueError, match=r"torch\.float32: they name the list"):
        metric.update(preds, target, index.float())


@pytest.mark.parametrize(
    ("choices", "text"),
    [({"gain": "exp2"}, "gains"), ({"ties": "trec"}, "column"), ({"scenario": "sklaern"}, "sklearn")],
)
def test_a_wrong_choice_is_refused_before_training(choices: dict[str, str], text: str) -> None:
    for plug_in in (GaincurveMetric, list_scorer):
        with pytest.raises(gc.GaincurveError, match=text):
            plug_in("nDCG@10", **choices)
        with pytest.raises(gc.GaincurveError, match="whole sessions"):
            plug_in("sDCG@10")


def test_a_metric_is_one_of_a_collection_and_survives_pickling() -> None:
    several = MetricCollection([GaincurveMetric("nDCG", scenario="busy", gains="exp2")]).clone(prefix="test/")
    several.update(*documents())
    (value,) = pickle.loads(pickle.dumps(several)).compute().values()
    preds, target, index = documents()
    expected = gc.evaluate_arrays(preds, target, "nDCG@30", groups=index, gains="exp2", discount="jk2002", base=2)
    assert float(value) == expected.summary()["run"]["nDCG@30"]
    assert repr(several["GaincurveMetric"]) == "GaincurveMetric('nDCG@30')"
    assert GaincurveMetric("nDCG", sync_on_compute=False).sync_on_compute is False


def test_scores_of_64_bits_are_compared_in_32_as_torchmetrics_does() -> None:
    """Its nDCG casts scores; the two documents tie there, and share their gains."""
    preds, target, index = (
        torch.tensor([1.00000001, 1.0], dtype=torch.float64),
        torch.tensor([0, 1]),
        torch.zeros(2).long(),
    )
    theirs = float(RetrievalNormalizedDCG()(preds, target, indexes=index))
    assert float(GaincurveMetric("nDCG", scenario="torchmetrics")(preds, target, index)) == pytest.approx(
        theirs, abs=1e-6
    )
    assert float(GaincurveMetric("nDCG", scenario="sklearn")(preds, target, index)) < theirs - 0.1


PARTS: dict[str, tuple[list[slice], list[slice]]] = {
    "halves": ([slice(0, 400, 2)], [slice(1, 400, 2)]),  # lists are split between the two
    "batches": ([slice(0, 50), slice(50, 60), slice(60, 200)], [slice(200, 400)]),
    "none": ([slice(0, 100), slice(100, 400)], []),
}
"""What each of two processes sees: as much, more batches than the other, everything."""


def score_parts(rank: int, folder: str) -> None:
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    for name, parts in PARTS.items():
        metric = GaincurveMetric("nDCG@10")
        for part in parts[rank]:
            metric.update(*(column[part] for column in documents()))
        Path(folder, f"{name}{rank}").write_text(repr(float(metric.compute())))
    torch.distributed.destroy_process_group()


def test_two_processes_give_the_value_of_one(tmp_path: Path) -> None:
    torch.multiprocessing.spawn(score_parts, (str(tmp_path),), nprocs=2)
    alone = float(GaincurveMetric("nDCG@10")(*documents()))
    values = {file.name: float(file.read_text()) for file in tmp_path.iterdir() if file.name[:-1] in PARTS}
    assert values == {f"{name}{rank}": pytest.approx(alone, abs=1e-15) for name in PARTS for rank in (0, 1)}


def test_scikit_learn_searches_by_the_mean_over_lists() -> None:
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(30), 12)
    features = rng.normal(size=(360, 3))
    grades = np.clip(np.round(features @ [1.0, 0.5, 0.0] + rng.normal(size=360)), 0, 3)
    with sklearn.config_context(enable_metadata_routing=True):
        search = GridSearchCV(Ridge(), {"alpha": [0.1, 1e4]}, scoring=list_scorer("nDCG@5"), cv=GroupKFold(3))
        search.fit(features, grades, groups=groups)
        again = pickle.loads(pickle.dumps(search))
        assert again.best_params_ == search.best_params_
        with pytest.raises(ValueError, match="needs the list of each document"):
            cross_val_score(Ridge(), features, grades, scoring=list_scorer("nDCG@5"), error_score="raise")
        ranks = list_scorer("nDCG", scenario="busy", gains="identity", response_method="decision_function")
        by_distance = LogisticRegression().fit(features, grades > 0)
        mean = ranks(by_distance, features, grades, groups=groups)
    distances = gc.evaluate_arrays(
        by_distance.decision_function(features), grades, "nDCG@30", groups=groups, discount="jk2002", base=2
    )
    assert mean == distances.summary()["run"]["nDCG@30"]
    for fold, (train, test) in enumerate(GroupKFold(3).split(features, grades, groups)):
        predicted = Ridge(alpha=0.1).fit(features[train], grades[train]).predict(features[test])
        by_list = gc.evaluate_arrays(predicted, grades[test], "nDCG@5", groups=groups[test])
        assert search.cv_results_[f"split{fold}_test_score"][0] == by_list.summary()["run"]["nDCG@5"]
