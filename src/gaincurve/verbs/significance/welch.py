"""Welch's t: systems that were scored on different units, such as sessions they do not share."""

from __future__ import annotations

import numpy as np

from gaincurve.model.sentences import say
from gaincurve.stats.unpaired import cohen_d, welch_t
from gaincurve.verbs.significance.records import Matrix, Outcome, Procedure, SignificanceTest


def _welch(matrix: Matrix, procedure: Procedure) -> Outcome:
    samples = matrix.samples
    tests = [welch_t(samples[a], samples[b], procedure.alpha) for a, b in matrix.pairs]
    sizes = ", ".join(f"{len(sample)} {run}" for sample, run in zip(samples, matrix.runs, strict=True))
    return Outcome(
        title=say("welch"),
        p=np.array([test.p for test in tests]),
        low=np.array([test.low for test in tests]),
        high=np.array([test.high for test in tests]),
        intervals=f"{procedure.level} intervals of Welch's t, each for itself",
        effect=np.array([cohen_d(samples[a], samples[b]) for a, b in matrix.pairs]),
        over=say("different units", unit=matrix.unit, sizes=sizes),
    )


TESTS = (
    SignificanceTest(
        "welch",
        "Welch's t over sessions that systems do not share: no equal spread assumed",
        _welch,
        design="unpaired",
        effect="d",
        gates=True,
        called="Welch's t",
    ),
)
