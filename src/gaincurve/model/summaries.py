"""What can be said of all topics, or all sessions, together."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gaincurve.model.elementary import log
from gaincurve.model.rows import Floats

UNDEFINED = float("nan")


def mean(values: Floats) -> float:
    """The mean of the defined values, rounded once: the order of topics cannot change a bit. nan if there are none."""
    defined = values[~np.isnan(values)]
    return math.fsum(defined) / len(defined) if len(defined) else UNDEFINED


def _median(values: Floats) -> float:
    return float(np.median(values))


def _geometric(values: Floats) -> float:
    return math.exp(math.fsum(log(np.maximum(values, LEAST))) / len(values))


LEAST = 1e-5
"""What a geometric mean takes for smaller values, as trec_eval does: a single 0 would hide all other topics."""

SUMMARIES: dict[str, Callable[[Floats], float]] = {
    "mean": mean,
    "median": _median,
    "sum": math.fsum,
    "geometric": _geometric,
}
"""What can be said of all topics together."""


def summarised(values: Floats, kind: str) -> float:
    """One number for all topics that have a value; nan if none has."""
    defined = values[~np.isnan(values)]
    return SUMMARIES[kind](defined) if len(defined) else UNDEFINED
