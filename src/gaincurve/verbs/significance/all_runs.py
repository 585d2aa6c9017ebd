"""Tests of all systems at once, on the topics they share: all pairs together, all against one, or ranks."""

from __future__ import annotations

import math

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.stats.anova import Anova, anova, tukey, tukey_margin
from gaincurve.stats.friedman import conover, critical_difference, friedman, nemenyi
from gaincurve.stats.intervals import t_intervals
from gaincurve.stats.permuted import DRAWS as TUKEY_DRAWS
from gaincurve.stats.permuted import randomised_tukey
from gaincurve.stats.rounding import rounded
from gaincurve.stats.signflip import DRAWS as FLIP_DRAWS
from gaincurve.stats.signflip import max_t
from gaincurve.verbs.significance.records import Matrix, Outcome, PostHoc, Procedure, SignificanceTest


def _tukey(matrix: Matrix, procedure: Procedure) -> Outcome:
    table = anova(matrix.values)
    gaps = matrix.differences.mean(axis=1)
    p = tukey(gaps, table)
    replaced = np.flatnonzero(np.isnan(p))
    if len(replaced):
        ranges = randomised_tukey(matrix.values, TUKEY_DRAWS, procedure.seed)
        p[replaced] = ranges.p(matrix.differences.sum(axis=1))[replaced]
    margin = tukey_margin(table, procedure.alpha) if table.residual else 0.0
    return Outcome(
        title=f"Two-way ANOVA ({matrix.unit} + system) with Tukey's HSD",
        p=p,
        low=gaps - margin,
        high=gaps + margin,
        intervals=f"simultaneous {procedure.level}, Tukey",
        effect=_standardised(gaps, table),
        replaced=tuple(replaced.tolist()),
        overall={
            "F": table.f if math.isfinite(table.f) else math.nan,
            "p": float(p.min()) if len(replaced) else table.p,
            "V_E": table.error,
        },
    )


def _standardised(gaps: Floats, table: Anova) -> Floats:
    """Differences in units of what is left over: ES = difference/√V_E (Sakai 2018)."""
    if table.error == 0:
        return np.where(rounded(gaps) == 0, 0.0, np.nan)
    return gaps / math.sqrt(table.error)


def _randomised_tukey(matrix: Matrix, procedure: Procedure) -> Outcome:
    ranges = randomised_tukey(matrix.values, procedure.draws, procedure.seed)
    sums = matrix.differences.sum(axis=1)
    gaps = matrix.differences.mean(axis=1)
    p = ranges.p(sums)
    error = float(np.sqrt(p * (1 - p) / procedure.draws).max())
    margin = ranges.margin(procedure.alpha) / len(matrix.topics)
    if not rounded(matrix.differences).any():  # nothing varies: all runs are one
        margin = 0.0
    margin = margin if math.isfinite(margin) else math.nan
    return Outcome(
        title=f"Randomised Tukey HSD ({procedure.sampled(ranges.exact, error, 'permutations')})",
        p=p,
        low=gaps - margin,
        high=gaps + margin,
        intervals=f"simultaneous {procedure.level}, randomised Tukey",
        effect=_standardised(gaps, anova(matrix.values)),
        drawn=not ranges.exact,
    )


def _max_t(matrix: Matrix, procedure: Procedure) -> Outcome:
    d = matrix.differences
    flipped = max_t(d, procedure.draws, procedure.seed, procedure.alpha)
    error = float(np.sqrt(flipped.p * (1 - flipped.p) / flipped.draws).max())
    spread = d.std(axis=1, ddof=1)
    half = np.where(rounded(d).any(axis=1), flipped.critical * spread / math.sqrt(d.shape[1]), 0.0)
    gaps = d.mean(axis=1)
    title = f"Step-down max-T sign-flip test ({procedure.sampled(flipped.exact, error, 'sign vectors')})"
    intervals = f"simultaneous {procedure.level}, single-step max-T"
    return Outcome(title, flipped.p, gaps - half, gaps + half, intervals, drawn=not flipped.exact)


def _friedman(matrix: Matrix, procedure: Procedure) -> Outcome:
    ranked = friedman(matrix.values)
    table = (nemenyi if procedure.post_hoc == "nemenyi" else conover)(ranked)
    low, high = t_intervals(matrix.differences, procedure.alpha)
    after = {"nemenyi": "Nemenyi's", "conover": "Conover's"}[procedure.post_hoc]
    t2 = ranked.t2 if math.isfinite(ranked.t2) else math.nan
    return Outcome(
        title=f"Friedman test with {after} comparisons",
        p=np.array([table[pair] for pair in matrix.pairs]),
        low=low,
        high=high,
        intervals=procedure.paired_t_intervals,
        overall={"T1": ranked.t1, "p1": ranked.p1, "T2": t2, "p2": ranked.p2, "W": ranked.w},
        ahead=np.array([ranked.rank_sums[a] - ranked.rank_sums[b] for a, b in matrix.pairs]),
        by=f"ranks within {matrix.unit}s",
        mean_ranks=tuple(ranked.mean_ranks.tolist()),
        critical=critical_difference(ranked, procedure.alpha) if procedure.post_hoc == "nemenyi" else math.nan,
    )


TESTS = (
    SignificanceTest(
        "tukey",
        "two-way ANOVA (topic + system) and Tukey's HSD: all pairs, simultaneous intervals",
        _tukey,
        whole=True,
        effect="ES",
    ),
    SignificanceTest(
        "randomised-tukey",
        "randomised Tukey HSD: all pairs, no distribution assumed; what Sakai and Carterette recommend for all pairs",
        _randomised_tukey,
        whole=True,
        draws=TUKEY_DRAWS,
        effect="ES",
    ),
    SignificanceTest(
        "max-t",
        "step-down max-T by sign flips: all systems against a baseline",
        _max_t,
        whole=True,
        needs_baseline=True,
        draws=FLIP_DRAWS,
    ),
    SignificanceTest(
        "friedman",
        "Friedman's test on ranks (named by the 2002 paper), then Conover's or Nemenyi's comparison of all pairs",
        _friedman,
        post_hoc={
            "conover": PostHoc("Conover's t on rank sums, adjusted by Holm by default", whole=False),
            "nemenyi": PostHoc("for all pairs", whole=True),
        },
        protected_by="p2",
    ),
)
