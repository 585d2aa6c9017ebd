"""Any measure of lists as a torchmetrics metric: `GaincurveMetric("nDCG@10", gains="exp2")`.

Every process keeps its documents with their lists; they are gathered before anything is scored. So a list may be
spread over processes, each may have seen any number of batches, and the value is that of one process with all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaincurve.errors import MissingExtra, Problem
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.arrays import evaluate_arrays, measures_of_rows, of_rows

try:
    import torch
    from torchmetrics import Metric
    from torchmetrics.utilities.data import dim_zero_cat
except ImportError as error:
    what = f"gaincurve.torchmetrics needs torchmetrics: {error}"
    raise MissingExtra(Problem("extra-missing", what, hint="pip install torchmetrics")) from None

if TYPE_CHECKING:
    from torch import Tensor


STATES = {"preds": torch.float64, "target": torch.float64, "indexes": torch.int64}
"""What is kept of each document, and as what it is exchanged between processes."""
OF_TORCHMETRICS = (
    "compute_on_cpu", "compute_with_cache", "dist_sync_on_step", "dist_sync_fn", "distributed_available_fn",
    "process_group", "sync_on_compute",
)  # fmt: skip


class GaincurveMetric(Metric):  # type: ignore[misc]  # its types are not known here
    """The mean of a measure over lists, from `(preds, target, indexes)` as torchmetrics' retrieval metrics take them.

    A nan target is an unjudged document. `ties` and the other choices are those of `gaincurve.evaluate_arrays`;
    what torchmetrics.Metric takes (`sync_on_compute`, `process_group`, …) is handed to it.
    """

    is_differentiable = False
    full_state_update = False
    preds: list[Tensor]
    target: list[Tensor]
    indexes: list[Tensor]

    def __init__(
        self, measure: str, *, ties: str | None = None, scenario: Scenario | str = "default", **choices: Any
    ) -> None:
        super().__init__(**{key: choices.pop(key) for key in [*choices] if key in OF_TORCHMETRICS})
        chosen = of_rows(ties, Scenario.of(scenario).with_choices(**choices))
        (self.measure,) = measures_of_rows(measure, chosen)
        self.ties, self.scenario, self.choices = ties, scenario, choices
        for state in STATES:
            self.add_state(state, default=[], dist_reduce_fx=None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.measure)!r})"

    @property
    def higher_is_better(self) -> bool:
        """Whether more is better, for those who keep the best checkpoint."""
        return self.measure.definition.better == "higher"

    def update(self, preds: Tensor, target: Tensor, indexes: Tensor) -> None:
        """Keep a batch: scores, grades, and the list of each document."""
        if not preds.shape == target.shape == indexes.shape:
            shapes = ", ".join(str(tuple(part.shape)) for part in (preds, target, indexes))
            raise ValueError(f"preds, target and indexes differ in shape: {shapes}")
        if indexes.is_floating_point():
            raise ValueError(f"indexes are {indexes.dtype}: they name the list of each document by whole numbers")
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
        (value,) = scores.summary()["run"].values()
        kind = torch.float32 if self.device.type == "mps" else torch.float64  # that device has no 64 bits
        return torch.tensor(value, dtype=kind, device=self.device)

    def _sync_dist(self, *arguments: Any, **options: Any) -> None:
        """One tensor of one type for each state: processes may differ in batches, and one may have seen none."""
        for state, kind in STATES.items():
            parts = [part.to(kind) for part in getattr(self, state)]
            setattr(self, state, [torch.cat([torch.empty(0, dtype=kind, device=self.device), *parts])])
        super()._sync_dist(*arguments, **options)
