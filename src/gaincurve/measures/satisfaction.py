"""The sliding ratio, and satisfaction against frustration: a list compared with the best order of itself."""

from __future__ import annotations

import numpy as np

from gaincurve.measures.bounds import NO_DISCOUNT
from gaincurve.measures.cumulate import ideal_cumulated, relative, weighted
from gaincurve.measures.registry import measure
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.rows import Floats, add_by, distinct

SAME_LIST = "the list is compared with itself, which judging would change as well"


def _satisfaction(run: Graded, cutoff: int | None, gains: Gains) -> Floats:
    best = ideal_cumulated(run, gains, NO_DISCOUNT, "retrieved", cutoff)
    actual = weighted(run, gains.of_grades(run.grade), np.ones, cutoff)
    return relative(actual, best, lambda: run.can_gain(gains))


@measure(
    "SR",
    title="Sliding ratio",
    source="Pollack 1968",
    formula="SR@k = CG[k] / CG[k] of the same list sorted by gain",
    unit="share of the best order",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    unbounded=SAME_LIST,
    against="It depends heavily on the size of the retrieved list: with a longer list the ideal may change, and with "
    "it the ratio from rank one onwards. It has no discount.",
)
def sliding_ratio(run: Graded, *, cutoff: int | None = None, gains: Gains) -> Floats:
    """The gain of the first k documents over that of the best order of the same list: nCG with ideal='retrieved'.

    It says nothing about what was missed. A run that retrieved nothing with a gain scores 0 where there was some.

    Worked: gains 0 2 1: SR@1 = 0, SR@2 = 2/3, SR@3 = 1.
    """
    return _satisfaction(run, cutoff, gains)


@measure(
    "SFT",
    title="Satisfaction, frustration, total",
    source="Myaeng & Korfhage 1990; our reading",
    formula="SFT@k = w·S + (1 − w)·(1 − F): S the sliding ratio, F frustration so far / that of the list worst first",
    unit="share",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    unbounded=SAME_LIST,
    against="It assumes the same retrieved list in different orders, which is unrealistic: different techniques "
    "retrieve different documents. It has no discount. Its strength is that it punishes what is not relevant.",
)
def satisfaction_frustration_total(
    run: Graded,
    *,
    cutoff: int | None = None,
    gains: Gains,
    w: float = 0.5,
    part: str = "total",
    frustration: str | None = None,
) -> Floats:
    """How soon the list satisfies and how soon it frustrates, each against the best (worst) order of the same list.

    The 2002 paper only sketches it; this is our reading: satisfaction is the sliding ratio; frustration is 1 for every
    document without gain (or by grade as given; an unjudged document counts as grade 0), summed to k, over the same
    for the list sorted worst first. A list with nothing frustrating has frustration 0; an empty list, which neither
    satisfies nor frustrates, has a total of 0.

    Worked: gains 2 0 1 0: S@2 = 2/3, F@2 = 1/2, so SFT@2 = (.6667 + .5)/2 = .5833.
    """
    satisfied = _satisfaction(run, cutoff, gains)
    if part == "satisfaction":
        return satisfied
    frustrated = _frustration(run, cutoff, gains, None if frustration is None else Gains.of(frustration))
    if part == "frustration":
        return np.where(np.isnan(satisfied), np.nan, frustrated)
    return np.where(run.retrieved > 0, w * satisfied + (1 - w) * (1 - frustrated), 0.0 * satisfied)


def _frustration(run: Graded, cutoff: int | None, gains: Gains, weights: Gains | None) -> Floats:
    """Frustration among the first k over the most that the same list could give there."""
    if weights is None:
        weight, unjudged = (gains.of_grades(run.grade) <= 0).astype(np.float64), 1.0
    else:
        weight = np.nan_to_num(weights.of_grades(run.grade), nan=0.0)
        unjudged = float(np.nan_to_num(weights.of_grades(np.zeros(1)), nan=0.0)[0])
    read = run.retrieved if cutoff is None else np.minimum(run.retrieved, cutoff)
    judged = weighted(run, np.ones(len(weight)), np.ones, cutoff)
    actual = weighted(run, weight, np.ones, cutoff) + unjudged * (read - judged)
    worst, left = np.zeros(run.lists), read.astype(np.float64)
    unseen = run.retrieved - np.bincount(run.list, minlength=run.lists)
    for value in distinct(np.append(weight, unjudged))[::-1]:
        count = add_by(run.list, (weight == value).astype(np.float64), run.lists)
        taken = np.minimum(count + unseen * (value == unjudged), left)
        worst += value * taken
        left -= taken
    return np.divide(actual, worst, out=np.zeros(len(worst)), where=worst > 0)
