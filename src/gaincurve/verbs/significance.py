"""The tests that `compare` offers: what each is called, and how it turns a matrix of scores into p and intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.model.sentences import say
from gaincurve.model.source import counted, grouped
from gaincurve.model.wording import alpha_text
from gaincurve.stats.anova import Anova, anova, tukey, tukey_margin
from gaincurve.stats.distributions import t_quantile
from gaincurve.stats.effects import wins_ties_losses
from gaincurve.stats.friedman import conover, critical_difference, friedman, nemenyi
from gaincurve.stats.intervals import bootstrap_means, bootstrap_test, interval_of
from gaincurve.stats.paired import paired_t, sign_test, signed_ranks, wilcoxon
from gaincurve.stats.permuted import DRAWS as TUKEY_DRAWS
from gaincurve.stats.permuted import randomised_tukey
from gaincurve.stats.rounding import rounded
from gaincurve.stats.signflip import DRAWS as FLIP_DRAWS
from gaincurve.stats.signflip import max_t, sign_flip

TESTS: dict[str, str] = {
    "t": "paired t, with the sign-flip p beside it: the default for two systems and, with Holm, against a baseline",
    "randomisation": "sign-flip randomisation of the mean difference; exact where it can be counted",
    "wilcoxon": "Wilcoxon's signed ranks: about ranks of differences, not means",
    "sign": "sign test: about topics won and lost, not means",
    "bootstrap": "studentised bootstrap over topics, with its interval",
    "tukey": "two-way ANOVA (topic + system) and Tukey's HSD: all pairs, simultaneous intervals",
    "randomised-tukey": "randomised Tukey HSD: all pairs, no distribution assumed; the default for three and more",
    "max-t": "step-down max-T by sign flips: all systems against a baseline",
    "friedman": "Friedman's test on ranks (the 2002 paper), then Conover's or Nemenyi's comparison of all pairs",
}
"""Every test by the name it is asked for."""

FAMILY_WISE = ("tukey", "randomised-tukey", "max-t")
"""Tests whose p-values hold for all comparisons of a measure together."""

DRAWS: dict[str, int] = {
    "t": FLIP_DRAWS,
    "randomisation": FLIP_DRAWS,
    "bootstrap": TUKEY_DRAWS,
    "randomised-tukey": TUKEY_DRAWS,
    "max-t": FLIP_DRAWS,
}
"""How often tests that draw at random do so, unless told otherwise."""


@dataclass(frozen=True)
class Asked:
    """A checked request; `whole` if the p-values hold for the whole family as they come."""

    test: str
    adjust: str
    post_hoc: str
    baseline: str
    alpha: float
    seed: int
    draws: int
    interval: str
    min_diff: float
    whole: bool


@dataclass(frozen=True, eq=False)
class Matrix:
    """Scores of topics × runs, topics in the order of their ids, and the pairs (columns a, b) to compare."""

    topics: tuple[str, ...]
    values: Floats
    pairs: tuple[tuple[int, int], ...]

    @cached_property
    def differences(self) -> Floats:
        """A row for each pair: a less b, topic by topic."""
        a, b = np.array(self.pairs).T
        return np.ascontiguousarray((self.values[:, a] - self.values[:, b]).T)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a test says of each pair, and in words what it is and what its intervals are.

    `replaced` are pairs for which the test is undefined and randomisation answers; `check` a second p beside the first.
    `ahead` is above 0 where the test puts a before b (in what is measured), and `by` what the test goes by; without it
    the means decide. `drawn` says whether anything was drawn at random.
    """

    title: str
    p: Floats
    low: Floats
    high: Floats
    intervals: str
    effect: Floats | None = None
    check: Floats | None = None
    replaced: tuple[int, ...] = ()
    overall: dict[str, float] = field(default_factory=dict)
    mean_ranks: tuple[float, ...] = ()
    critical: float = math.nan
    ahead: Floats | None = None
    by: str = "means"
    drawn: bool = False

    def sentence(self, topics: int, comparisons: int, asked: Asked) -> str:
        """The methods sentence of a paper."""
        count = counted(comparisons, "comparison")
        if asked.whole:
            corrected = f"for {count} together"
        elif asked.test == "friedman" and asked.adjust == "none":
            corrected = f"{count} protected by the overall test"
        else:
            corrected = adjusted_text(asked.adjust, comparisons)
        sample = counted(topics, "topic")
        return say("method", test=self.title, sample=sample, comparisons=corrected, alpha=alpha_text(asked.alpha))


ADJUSTMENT_NAMES = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "bh": "Benjamini–Hochberg",
    "by": "Benjamini–Yekutieli",
}


def adjusted_text(adjust: str, comparisons: int) -> str:
    """'Holm-adjusted over 3 comparisons', '3 comparisons not adjusted', '1 comparison'."""
    count = counted(comparisons, "comparison")
    if adjust != "none":
        return say("adjusted", name=ADJUSTMENT_NAMES[adjust], comparisons=count)
    return say("not adjusted", comparisons=count) if comparisons > 1 else count


def run_test(matrix: Matrix, asked: Asked) -> Outcome:
    """The outcome of the test asked for."""
    return _RUN[asked.test](matrix, asked)


def _level(asked: Asked) -> str:
    return f"{100 * (1 - asked.alpha):g} %"


def _paired_t_intervals(asked: Asked) -> str:
    return say("paired t intervals", level=f"{100 * (1 - asked.alpha):g}")


def _t_ends(d: Floats, alpha: float) -> tuple[Floats, Floats]:
    """The ends of all t intervals at once."""
    n = d.shape[1]
    half = t_quantile(1 - alpha / 2, n - 1) * d.std(axis=1, ddof=1) / math.sqrt(n)
    middle = d.mean(axis=1)
    return middle - half, middle + half


def _sampled(exact: bool, error: float, asked: Asked, what: str) -> str:
    if exact:
        return "exact"
    return f"{grouped(asked.draws)} {what}, seed {asked.seed}, Monte Carlo error of p {_small(error)}"


def _small(error: float) -> str:
    return f"at most {error:.4f}".replace("0.", ".") if error >= 0.00005 else "< .0001"


def _t(matrix: Matrix, asked: Asked) -> Outcome:
    d = matrix.differences
    p = np.array([paired_t(row).p for row in d])
    flipped = sign_flip(d, asked.draws, asked.seed)
    replaced = tuple(int(i) for i in np.flatnonzero(np.isnan(p)))
    low, high = _t_ends(d, asked.alpha)
    p = np.where(np.isnan(p), flipped.p, p)
    title = say("paired t")
    told = _paired_t_intervals(asked)
    drawn = not flipped.exact.all()
    return Outcome(title, p, low, high, told, check=flipped.p, replaced=replaced, drawn=bool(drawn))


def _randomisation(matrix: Matrix, asked: Asked) -> Outcome:
    found = sign_flip(matrix.differences, asked.draws, asked.seed)
    exact = bool(found.exact.all())
    how = _sampled(exact, found.error, asked, "sign vectors")
    low, high = _t_ends(matrix.differences, asked.alpha)
    title = f"Two-sided sign-flip randomisation test ({how})"
    return Outcome(title, found.p, low, high, _paired_t_intervals(asked), drawn=not exact)


def _wilcoxon(matrix: Matrix, asked: Asked) -> Outcome:
    found = [wilcoxon(row) for row in matrix.differences]
    exact = {test.exact for test in found}
    how = "exact" if exact == {True} else "normal approximation" if exact == {False} else "exact without ties"
    low, high = _t_ends(matrix.differences, asked.alpha)
    title = f"Two-sided Wilcoxon signed-rank test ({how})"
    return Outcome(
        title=title,
        p=np.array([test.p for test in found]),
        low=low,
        high=high,
        intervals=_paired_t_intervals(asked),
        ahead=np.array([signed_ranks(row) for row in matrix.differences]),
        by="signed ranks of differences",
    )


def _sign(matrix: Matrix, asked: Asked) -> Outcome:
    p = np.array([sign_test(row, asked.min_diff).p for row in matrix.differences])
    low, high = _t_ends(matrix.differences, asked.alpha)
    told = f" (differences up to {asked.min_diff:g} are ties)" if asked.min_diff else ""
    won = [wins_ties_losses(row, asked.min_diff) for row in matrix.differences]
    return Outcome(
        title=f"Two-sided sign test{told}",
        p=p,
        low=low,
        high=high,
        intervals=_paired_t_intervals(asked),
        ahead=np.array([float(wins - losses) for wins, _, losses in won]),
        by="topics won",
    )


def _bootstrap(matrix: Matrix, asked: Asked) -> Outcome:
    turned = np.array([_orientation(row) for row in matrix.differences])
    d = matrix.differences * turned[:, None]  # each pair the same way round, whichever run was named first
    p = bootstrap_test(d, asked.draws, asked.seed)
    error = float(np.sqrt(np.nan_to_num(p) * (1 - np.nan_to_num(p)) / asked.draws).max())
    means = bootstrap_means(d, asked.draws, asked.seed)
    ends = [interval_of(row, drawn, asked.alpha, asked.interval) for row, drawn in zip(d, means, strict=True)]
    low, high = np.sort(np.array(ends) * turned[:, None], axis=1).T
    replaced = np.flatnonzero(np.isnan(p))
    if len(replaced):
        p[replaced] = sign_flip(d[replaced], asked.draws, asked.seed).p
    title = f"Two-sided studentised bootstrap test ({_sampled(False, error, asked, 'samples')})"
    kind = {"bca": "BCa bootstrap", "percentile": "percentile bootstrap"}[asked.interval]
    told = f"each {_level(asked)}, {kind}"
    return Outcome(title, p, low, high, told, replaced=tuple(replaced.tolist()), drawn=True)


def _orientation(row: Floats) -> float:
    """The sign of the first topic's difference, if any topic differs."""
    differing = np.flatnonzero(rounded(row))
    return float(np.sign(row[differing[0]])) if len(differing) else 1.0


def _tukey(matrix: Matrix, asked: Asked) -> Outcome:
    table = anova(matrix.values)
    gaps = matrix.differences.mean(axis=1)
    p = tukey(gaps, table)
    replaced = np.flatnonzero(np.isnan(p))
    if len(replaced):
        ranges = randomised_tukey(matrix.values, TUKEY_DRAWS, asked.seed)
        p[replaced] = ranges.p(matrix.differences.sum(axis=1))[replaced]
    margin = tukey_margin(table, asked.alpha) if table.residual else 0.0
    return Outcome(
        title="Two-way ANOVA (topic + system) with Tukey's HSD",
        p=p,
        low=gaps - margin,
        high=gaps + margin,
        intervals=f"simultaneous {_level(asked)}, Tukey",
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


def _randomised_tukey(matrix: Matrix, asked: Asked) -> Outcome:
    ranges = randomised_tukey(matrix.values, asked.draws, asked.seed)
    sums = matrix.differences.sum(axis=1)
    gaps = matrix.differences.mean(axis=1)
    p = ranges.p(sums)
    error = float(np.sqrt(p * (1 - p) / asked.draws).max())
    margin = ranges.margin(asked.alpha) / len(matrix.topics)
    if not rounded(matrix.differences).any():  # nothing varies: all runs are one
        margin = 0.0
    margin = margin if math.isfinite(margin) else math.nan
    return Outcome(
        title=f"Randomised Tukey HSD ({_sampled(ranges.exact, error, asked, 'permutations')})",
        p=p,
        low=gaps - margin,
        high=gaps + margin,
        intervals=f"simultaneous {_level(asked)}, randomised Tukey",
        effect=_standardised(gaps, anova(matrix.values)),
        drawn=not ranges.exact,
    )


def _max_t(matrix: Matrix, asked: Asked) -> Outcome:
    d = matrix.differences
    found = max_t(d, asked.draws, asked.seed, asked.alpha)
    error = float(np.sqrt(found.p * (1 - found.p) / found.draws).max())
    spread = d.std(axis=1, ddof=1)
    half = np.where(rounded(d).any(axis=1), found.critical * spread / math.sqrt(d.shape[1]), 0.0)
    gaps = d.mean(axis=1)
    title = f"Step-down max-T sign-flip test ({_sampled(found.exact, error, asked, 'sign vectors')})"
    told = f"simultaneous {_level(asked)}, single-step max-T"
    return Outcome(title, found.p, gaps - half, gaps + half, told, drawn=not found.exact)


def _friedman(matrix: Matrix, asked: Asked) -> Outcome:
    found = friedman(matrix.values)
    table = (nemenyi if asked.post_hoc == "nemenyi" else conover)(found)
    low, high = _t_ends(matrix.differences, asked.alpha)
    after = {"nemenyi": "Nemenyi's", "conover": "Conover's"}[asked.post_hoc]
    t2 = found.t2 if math.isfinite(found.t2) else math.nan
    return Outcome(
        title=f"Friedman test with {after} comparisons",
        p=np.array([table[pair] for pair in matrix.pairs]),
        low=low,
        high=high,
        intervals=_paired_t_intervals(asked),
        overall={"T1": found.t1, "p1": found.p1, "T2": t2, "p2": found.p2, "W": found.w},
        ahead=np.array([found.rank_sums[a] - found.rank_sums[b] for a, b in matrix.pairs]),
        by="ranks within topics",
        mean_ranks=tuple(found.mean_ranks.tolist()),
        critical=critical_difference(found, asked.alpha) if asked.post_hoc == "nemenyi" else math.nan,
    )


_RUN: dict[str, Callable[[Matrix, Asked], Outcome]] = {
    "t": _t,
    "randomisation": _randomisation,
    "wilcoxon": _wilcoxon,
    "sign": _sign,
    "bootstrap": _bootstrap,
    "tukey": _tukey,
    "randomised-tukey": _randomised_tukey,
    "max-t": _max_t,
    "friedman": _friedman,
}
