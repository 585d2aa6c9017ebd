"""Tests of one pair of systems at a time, on the topics they share; many pairs are adjusted."""

from __future__ import annotations

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.model.sentences import say
from gaincurve.stats.effects import wins_ties_losses
from gaincurve.stats.intervals import DRAWS as BOOTSTRAP_DRAWS
from gaincurve.stats.intervals import bootstrap_means, bootstrap_test, interval_of, t_intervals
from gaincurve.stats.paired import paired_t_of, sign_test, signed_ranks, wilcoxon
from gaincurve.stats.rounding import rounded
from gaincurve.stats.signflip import DRAWS as FLIP_DRAWS
from gaincurve.stats.signflip import sign_flip
from gaincurve.verbs.significance.records import Matrix, Outcome, Procedure, SignificanceTest


def _t(matrix: Matrix, procedure: Procedure) -> Outcome:
    tested = paired_t_of(matrix.moments, procedure.alpha)
    flipped = matrix.flips(procedure)
    return Outcome(
        title=say("paired t"),
        p=tested.p,
        low=tested.low,
        high=tested.high,
        intervals=procedure.paired_t_intervals,
        check=flipped.p,
        replaced=tuple(np.flatnonzero(matrix.moments.constant).tolist()),
        drawn=not bool(flipped.exact.all()),
    )


def _randomisation(matrix: Matrix, procedure: Procedure) -> Outcome:
    flipped = matrix.flips(procedure)
    exact = bool(flipped.exact.all())
    how = procedure.sampled(exact, flipped.error, "sign vectors")
    _, _, low, high = paired_t_of(matrix.moments, procedure.alpha)
    title = f"Two-sided sign-flip randomisation test ({how})"
    return Outcome(title, flipped.p, low, high, procedure.paired_t_intervals, drawn=not exact)


def _wilcoxon(matrix: Matrix, procedure: Procedure) -> Outcome:
    tests = [wilcoxon(row) for row in matrix.differences]
    exact = {test.exact for test in tests}
    how = "exact" if exact == {True} else "normal approximation" if exact == {False} else "exact without ties"
    low, high = t_intervals(matrix.differences, procedure.alpha)
    title = f"Two-sided Wilcoxon signed-rank test ({how})"
    return Outcome(
        title=title,
        p=np.array([test.p for test in tests]),
        low=low,
        high=high,
        intervals=procedure.paired_t_intervals,
        ahead=np.array([signed_ranks(row) for row in matrix.differences]),
        by="signed ranks of differences",
    )


def _sign(matrix: Matrix, procedure: Procedure) -> Outcome:
    p = np.array([sign_test(row, procedure.min_diff).p for row in matrix.differences])
    low, high = t_intervals(matrix.differences, procedure.alpha)
    ties = f" (differences up to {procedure.min_diff:g} are ties)" if procedure.min_diff else ""
    won = [wins_ties_losses(row, procedure.min_diff) for row in matrix.differences]
    return Outcome(
        title=f"Two-sided sign test{ties}",
        p=p,
        low=low,
        high=high,
        intervals=procedure.paired_t_intervals,
        ahead=np.array([float(wins - losses) for wins, _, losses in won]),
        by=f"{matrix.unit}s won",
    )


def _bootstrap(matrix: Matrix, procedure: Procedure) -> Outcome:
    turned = np.array([_orientation(row) for row in matrix.differences])
    d = matrix.differences * turned[:, None]  # each pair the same way round, whichever run was named first
    p = bootstrap_test(d, procedure.draws, procedure.seed)
    error = float(np.sqrt(np.nan_to_num(p) * (1 - np.nan_to_num(p)) / procedure.draws).max())
    means = bootstrap_means(d, procedure.draws, procedure.seed)
    ends = [interval_of(row, drawn, procedure.alpha, procedure.interval) for row, drawn in zip(d, means, strict=True)]
    low, high = np.sort(np.array(ends) * turned[:, None], axis=1).T
    replaced = np.flatnonzero(np.isnan(p))
    if len(replaced):
        p[replaced] = sign_flip(d[replaced], procedure.draws, procedure.seed).p
    title = f"Two-sided studentised bootstrap test ({procedure.sampled(False, error, 'samples')})"
    kind = {"bca": "BCa bootstrap", "percentile": "percentile bootstrap"}[procedure.interval]
    intervals = f"each {procedure.level}, {kind}"
    return Outcome(title, p, low, high, intervals, replaced=tuple(replaced.tolist()), drawn=True)


def _orientation(row: Floats) -> float:
    """The sign of the first topic's difference, if any topic differs."""
    differing = np.flatnonzero(rounded(row))
    return float(np.sign(row[differing[0]])) if len(differing) else 1.0


TESTS = (
    SignificanceTest(
        "t",
        "paired t with the sign-flip p beside it, adjusted by Holm: the default",
        _t,
        draws=FLIP_DRAWS,
        signs_draws=False,
        gates=True,
    ),
    SignificanceTest(
        "randomisation",
        "sign-flip randomisation of the mean difference; exact where it can be counted",
        _randomisation,
        draws=FLIP_DRAWS,
        gates=True,
    ),
    SignificanceTest(
        "wilcoxon",
        "Wilcoxon's signed ranks: about ranks of differences, not means",
        _wilcoxon,
        gates=True,
    ),
    SignificanceTest(
        "sign",
        "sign test: about topics won and lost, not means",
        _sign,
    ),
    SignificanceTest(
        "bootstrap",
        "studentised bootstrap over topics, with its interval",
        _bootstrap,
        draws=BOOTSTRAP_DRAWS,
        gates=True,
    ),
)
