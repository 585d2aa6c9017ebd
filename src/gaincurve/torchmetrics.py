"""Any measure of lists as a torchmetrics metric: `GaincurveMetric("nDCG@10", gains="exp2")`.

Every process keeps its documents with their lists; they are gathered before anything is scored, so a list may be
spread over processes and the value is that of one process with all documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from gaincurve.errors import MissingExtra, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.model.choices import ArrayChoices
from gaincurve.verbs.arrays import evaluate_arrays

try:
    import torch
    from torchmetrics import Metric
    from torchmetrics.utilities.data import dim_zero_cat
except ImportError as error:
    what = f"gaincurve.torchmetrics needs torchmetrics: {error}"
    raise MissingExtra(Problem("extra-missing", what, hint="pip install torchmetrics")) from None

if TYPE_CHECKING:
    from torch import Tensor


class GaincurveMetric(Metric):  # type: ignore[misc]  # its types are not known here
    """The mean of a measure over lists, from `(preds, target, indexes)` as torchmetrics' retrieval metrics take them.

    A nan target is an unjudged document. `ties` and the other choices are those of `gaincurve.evaluate_arrays`.
    """

    is_differentiable = False
    full_state_update = False
    preds: list[Tensor]
    target: list[Tensor]
    indexes: list[Tensor]

    def __init__(
        self, measure: str, *, ties: str | None = None, scenario: str = "default", **choices: Unpack[ArrayChoices]
    ) -> None:
        super().__init__()
        self.measure = parse_measure(measure)
        self.ties, self.scenario, self.choices = ties, scenario, choices
        for state in ("preds", "target", "indexes"):
            self.add_state(state, default=[], dist_reduce_fx=None)

    @property
    def higher_is_better(self) -> bool:
        """Whether more is better, for those who keep the best checkpoint."""
        return self.measure.definition.better == "higher"

    def update(self, preds: Tensor, target: Tensor, indexes: Tensor) -> None:
        """Keep a batch: scores, grades, and the list of each document."""
        if not preds.shape == target.shape == indexes.shape:
            shapes = ", ".join(str(tuple(part.shape)) for part in (preds, target, indexes))
            raise ValueError(f"preds, target and indexes differ in shape: {shapes}")
        for state, part in zip((self.preds, self.target, self.indexes), (preds, target, indexes), strict=True):
            state.append(part.detach().flatten())

    def compute(self) -> Tensor:
        """The mean over all lists seen, undefined ones left out; nan where none has a value."""
        preds, target, indexes = (dim_zero_cat(state).cpu() for state in (self.preds, self.target, self.indexes))
        scores = evaluate_arrays(
            preds.double(),
            target.double(),
            self.measure,
            groups=indexes,
            ties=self.ties,
            scenario=self.scenario,
            **self.choices,
        )
        return torch.tensor(scores.summary()["run"][str(self.measure)], dtype=torch.float64)
