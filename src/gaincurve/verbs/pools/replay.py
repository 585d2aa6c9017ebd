"""Methods replayed with answers that exist: relevant documents found against documents judged."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats, nth_of
from gaincurve.verbs.lists import named_runs
from gaincurve.verbs.pool import pool
from gaincurve.verbs.pools.drawn import relevant_of
from gaincurve.verbs.pools.methods import METHODS


def replay_curves(
    runs: object,
    judgments: object,
    *,
    depth: int | None = None,
    budget: int | None = None,
    rel: float | None = None,
    absent: str = "zero",
    measure: str | Measure = "nDCG@10",
    scale: object = None,
) -> Mapping[str, tuple[Floats, int]]:
    """For every method with an order: relevant documents found after 1, 2, … documents judged of each topic.

    Beside each curve the number of relevant documents in all lists. `measure` and `scale` are for the method decide.
    """
    if judgments is None:
        raise ChoiceError(Problem("pool-answers", "a replay needs judgments"))
    ranked, judged = named_runs(runs), Judgments.of(judgments)
    orders = {name: (name, "played") for name in METHODS if name != "sample"}
    orders["mm-ns holding"] = ("mm-ns", "holding")
    curves: dict[str, tuple[Floats, int]] = {}
    for label, (method, update) in orders.items():
        result = pool(
            ranked,
            judged,
            method=method,
            update=update,
            depth=depth,
            budget=budget,
            replay=True,
            rel=rel,
            absent=absent,
            measure=measure,
            scale=scale,
        )
        relevant = relevant_of(result.grade, rel)
        nth = nth_of(result.topic.astype(np.int32))
        reached = np.cumsum(np.bincount(nth, weights=relevant[result.document], minlength=1)).astype(np.float64)
        curves[label] = (reached, int(relevant.sum()))
    return curves
