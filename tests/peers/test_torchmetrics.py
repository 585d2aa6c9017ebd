"""Tensors in a training loop: the same numbers as torchmetrics where its rule is ours."""

from __future__ import annotations

import numpy as np
import torch
from torchmetrics.retrieval import RetrievalNormalizedDCG

import gaincurve as gc


def test_tensors_score_as_torchmetrics_scores_them() -> None:
    """torchmetrics has linear gains, log2(i+1) and an ideal of the list's own grades, which hold all judgments here."""
    generator = torch.Generator().manual_seed(7)
    scores = torch.rand((20, 30), generator=generator, dtype=torch.float64)
    grades = torch.randint(0, 4, (20, 30), generator=generator)
    index = torch.arange(20).repeat_interleave(30)
    theirs = RetrievalNormalizedDCG(top_k=10)(scores.flatten(), grades.flatten(), indexes=index)
    ours = gc.evaluate_arrays(scores, grades, "nDCG@10").summary()["run"]["nDCG@10"]
    assert np.isclose(ours, float(theirs), rtol=0, atol=1e-6)  # theirs adds in single precision
