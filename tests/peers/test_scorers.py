"""Measures inside training: torchmetrics, also over two processes, and scikit-learn's search over parameters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sklearn
import torch
import torch.multiprocessing
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold
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


def score_half(rank: int, folder: str) -> None:
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    preds, target, index = documents()
    metric = GaincurveMetric("nDCG@10")
    metric.update(preds[rank::2], target[rank::2], index[rank::2])  # lists are split between the two
    Path(folder, f"value{rank}").write_text(repr(float(metric.compute())))
    torch.distributed.destroy_process_group()


def test_two_processes_give_the_value_of_one(tmp_path: Path) -> None:
    torch.multiprocessing.spawn(score_half, (str(tmp_path),), nprocs=2)
    metric = GaincurveMetric("nDCG@10")
    alone = float(metric(*documents()))
    assert [float((tmp_path / f"value{rank}").read_text()) for rank in (0, 1)] == pytest.approx([alone] * 2, abs=1e-15)


def test_scikit_learn_searches_by_the_mean_over_lists() -> None:
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(30), 12)
    features = rng.normal(size=(360, 3))
    grades = np.clip(np.round(features @ [1.0, 0.5, 0.0] + rng.normal(size=360)), 0, 3)
    with sklearn.config_context(enable_metadata_routing=True):
        search = GridSearchCV(Ridge(), {"alpha": [0.1, 1e4]}, scoring=list_scorer("nDCG@5"), cv=GroupKFold(3))
        search.fit(features, grades, groups=groups)
    for fold, (train, test) in enumerate(GroupKFold(3).split(features, grades, groups)):
        predicted = Ridge(alpha=0.1).fit(features[train], grades[train]).predict(features[test])
        by_list = gc.evaluate_arrays(predicted, grades[test], "nDCG@5", groups=groups[test])
        assert search.cv_results_[f"split{fold}_test_score"][0] == by_list.summary()["run"]["nDCG@5"]
