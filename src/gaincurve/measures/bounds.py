"""How far the gain family could move if the unjudged documents of a run were judged."""

from __future__ import annotations

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.cumulate import cumulated, ideal_cumulated, ideal_ranking, ratio
from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains
from gaincurve.model.graded import GradedRun
from gaincurve.model.rows import Floats, add_by_topic

NO_DISCOUNT = Discount("none")


def _top_gain(run: GradedRun, gains: Gains) -> float:
    return float(gains.of_grades(run.scale).max())


def cumulated_bounds(
    run: GradedRun, *, cutoff: int | None, gains: Gains, discount: Discount = NO_DISCOUNT, average: str | None = None
) -> tuple[Floats, Floats]:
    """Every unjudged document worthless, and every one of the highest gain any grade in the judgments has."""
    _no_average_bounds(average)
    low = cumulated(run, gains, discount, cutoff)
    reach = _reach(run, cutoff)
    running = np.concatenate([[0.0], np.cumsum(1.0 / discount.divisors(max(reach, 1)))])
    judged = cumulated(run, Gains.of({float(g): 1.0 for g in run.scale}), discount, cutoff)
    unjudged = np.maximum(running[np.minimum(run.retrieved, reach)] - judged, 0.0)
    judged_documents = np.bincount(run.topic, minlength=len(run.topics))
    unjudged[(run.retrieved == judged_documents) | ((run.unjudged_at(reach) == 0) & (not run.spread))] = 0.0
    return low, low + _top_gain(run, gains) * unjudged


def relative_bounds(
    run: GradedRun,
    *,
    cutoff: int | None,
    gains: Gains,
    ideal: str,
    discount: Discount = NO_DISCOUNT,
    average: str | None = None,
) -> tuple[Floats, Floats]:
    """The range of n(D)CG over all judgments of the unjudged documents among the first `cutoff`.

    A document found to be relevant also enters the ideal, so judging can lower the value: the floor is the least over
    'the m lowest of them are of the highest gain', m = 0, 1, …, which is exact because the value is smallest at a
    corner. The ceiling lets them add their gain without entering the ideal, capped at 1: safe, not always reached.
    """
    _no_average_bounds(average)
    if run.spread or ideal != "judged":
        raise ChoiceError(
            Problem("measure-no-bounds", "bounds of n(D)CG need ideal 'judged' and a tie rule other than 'average'")
        )
    low_sum, high_sum = cumulated_bounds(run, cutoff=cutoff, gains=gains, discount=discount)
    ideal_sum = ideal_cumulated(run, gains, discount, ideal, cutoff)
    value = ratio(low_sum, ideal_sum)
    low = _floor(run, gains, discount, cutoff, low_sum, value)
    high = np.minimum(ratio(high_sum, ideal_sum), 1.0)
    opened = np.isnan(value) & (high_sum > 0)  # nothing relevant is known yet, but it could be among the unjudged
    return np.where(opened, 0.0, low), np.where(opened, 1.0, high)


def _floor(
    run: GradedRun, gains: Gains, discount: Discount, cutoff: int | None, actual: Floats, value: Floats
) -> Floats:
    reach = _reach(run, cutoff)
    topic, rank, gain = ideal_ranking(run, gains, "judged")
    longest = int(rank.max(initial=1)) + reach
    inverse = 1.0 / discount.divisors(longest)
    inverse[longest if cutoff is None else cutoff :] = 0.0
    running = np.concatenate([[0.0], np.cumsum(inverse)])
    unjudged = np.arange(1, reach + 1) <= run.retrieved[:, None]
    kept = run.rank <= reach
    unjudged[run.topic[kept], run.rank[kept] - 1] = False
    top = _top_gain(run, gains)
    added = np.zeros(len(run.topics), dtype=np.int64)
    low, sum_ = value.copy(), actual.copy()
    for i in range(reach, 0, -1):
        here = unjudged[:, i - 1]
        if not here.any():
            continue
        added[here] += 1
        sum_[here] += top * inverse[i - 1]
        place = np.minimum(rank - 1 + added[topic], longest - 1)
        ideal_sum = top * running[added] + add_by_topic(topic, gain * inverse[place], len(run.topics))
        low = np.where(here, np.fmin(low, ratio(sum_, ideal_sum)), low)
    low[np.isnan(value)] = np.nan
    return low


def _reach(run: GradedRun, cutoff: int | None) -> int:
    """The last rank at which a document stands that counts."""
    longest = int(run.retrieved.max(initial=1))
    return longest if cutoff is None else min(cutoff, longest)


def _no_average_bounds(average: str | None) -> None:
    if average is not None:
        raise ChoiceError(Problem("measure-no-bounds", "bounds are defined at a cutoff, not for the mean over ranks"))
