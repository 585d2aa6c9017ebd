"""How far a measure could move if the unjudged documents of a run were judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.cumulate import cumulated, ideal_cumulated, ideal_ranking, ratio, weighted
from gaincurve.measures.registry import bounds_of
from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.measure import ByUnit
from gaincurve.model.recall import TopicGrades
from gaincurve.model.rows import Floats, add_by, nth_of

NO_DISCOUNT = Discount("none")


def _top_gain(run: Graded, gains: Gains) -> float:
    return float(gains.of_grades(run.scale).max())


def cumulated_bounds(
    run: Graded, *, cutoff: float | None, gains: Gains, discount: Discount = NO_DISCOUNT, average: str | None = None
) -> tuple[Floats, Floats]:
    """The sums if every unjudged document gains nothing, and if each has the highest gain in the judgments."""
    _no_average_bounds(average)
    low = cumulated(run, gains, discount, cutoff)
    reach = _reach(run, cutoff)
    running = np.concatenate([[0.0], np.cumsum(1.0 / discount.divisors(max(reach, 1)))])
    judged = weighted(run, run.judged.astype(np.float64), discount.divisors, cutoff)
    unjudged = np.maximum(running[np.minimum(run.retrieved, reach)] - judged, 0.0)
    judged_documents = np.bincount(run.list[run.judged], minlength=run.lists)
    unjudged[(run.retrieved == judged_documents) | ((run.unjudged_at(reach) == 0) & (not run.spread))] = 0.0
    return low, low + _top_gain(run, gains) * unjudged


def relative_bounds(
    run: Graded,
    *,
    cutoff: float | None,
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
    run: Graded, gains: Gains, discount: Discount, cutoff: float | None, actual: Floats, value: Floats
) -> Floats:
    reach = _reach(run, cutoff)
    topic, rank, gain = ideal_ranking(run, gains, "judged")
    longest = int(rank.max(initial=1)) + reach
    inverse = 1.0 / discount.divisors(longest)
    inverse[longest if cutoff is None else cutoff :] = 0.0
    running = np.concatenate([[0.0], np.cumsum(inverse)])
    unjudged = np.arange(1, reach + 1) <= run.retrieved[:, None]
    judged = (run.rank <= reach) & run.judged
    unjudged[run.list[judged], run.rank[judged] - 1] = False
    top = _top_gain(run, gains)
    added = np.zeros(run.lists, dtype=np.int64)
    low, sum_ = value.copy(), actual.copy()
    for i in range(reach, 0, -1):
        here = unjudged[:, i - 1]
        if not here.any():
            continue
        added[here] += 1
        sum_[here] += top * inverse[i - 1]
        place = np.minimum(rank - 1 + added[topic], longest - 1)
        ideal_sum = top * running[added] + add_by(topic, gain * inverse[place], run.lists)
        low = np.where(here, np.fmin(low, ratio(sum_, ideal_sum)), low)
    low[np.isnan(value)] = np.nan
    return low


def _reach(run: Graded, cutoff: float | None) -> int:
    """The deepest rank at which a document counts."""
    longest = int(run.retrieved.max(initial=1))
    return longest if cutoff is None else int(min(cutoff, longest))


@bounds_of
def ends(compute: ByUnit, run: Graded, **choices: Any) -> tuple[Floats, Floats]:
    """The values if no unjudged document is relevant and if all are, for measures that only rise with relevance."""
    judged = _Judged(run, choices)
    return compute(run, **choices), compute(judged.with_best(judged.most, highest=True), **choices)


@bounds_of
def corners(compute: ByUnit, run: Graded, **choices: Any) -> tuple[Floats, Floats]:
    """The range over all judgings of the unjudged documents, for measures that also look at the recall base.

    Where moving a relevant document up never hurts (or never helps), the extremes over all judgings with m relevant
    documents are those in which the m highest or the m lowest are; so only m = 0, 1, … are tried.
    """
    judged = _Judged(run, choices)
    low = high = compute(run, **choices)
    for m in range(1, judged.most + 1):
        changed = judged.count >= m
        for highest in (True, False):
            value = compute(judged.with_best(m, highest), **choices)
            low = np.where(changed, np.fmin(low, value), low)
            high = np.where(changed, np.fmax(high, value), high)
    return low, high


class _Judged:
    """A run with rows for its unjudged documents within the cutoff too, so that some can be judged relevant."""

    def __init__(self, run: Graded, choices: dict[str, Any]):
        if run.spread:
            raise ChoiceError(Problem("measure-no-bounds", "bounds need a tie rule other than 'average'"))
        refuse_topic_top(choices.get("top"))
        cutoff = choices.get("cutoff")
        rank_cutoff = cutoff if isinstance(cutoff, int) else None  # a level of recall does not end the list
        reach = np.minimum(run.retrieved, _reach(run, rank_cutoff))
        topic = np.repeat(np.arange(run.lists, dtype=np.int32), reach)
        rank = nth_of(topic)
        start = np.concatenate([[0], np.cumsum(reach)])
        within = run.rank <= reach[run.list]
        row = start[run.list[within]] + run.rank[within] - 1
        grade = np.full(len(rank), -np.inf)
        grade[row] = run.grade[within]
        first, last = rank.copy(), rank.copy()  # a tied block extends as far as its judged documents show
        end = np.minimum(run.last[within], reach[run.list[within]])
        size = end - run.first[within] + 1
        block_start = start[run.list[within]] + run.first[within] - 1
        block_rows = np.repeat(block_start - (np.cumsum(size) - size), size) + np.arange(size.sum())
        first[block_rows], last[block_rows] = np.repeat(run.first[within], size), np.repeat(end, size)
        open_ = np.ones(len(rank), dtype=bool)
        open_[row[run.judged[within]]] = False
        beyond = ~within
        order = np.lexsort((np.concatenate([rank, run.rank[beyond]]), np.concatenate([topic, run.list[beyond]])))
        self.run, self.best = run, _best_grade(run, choices)
        self.topic = np.concatenate([topic, run.list[beyond]])[order]
        self.rank = np.concatenate([rank, run.rank[beyond]])[order]
        self.grade = np.concatenate([grade, run.grade[beyond]])[order]
        self.first = np.concatenate([first, run.first[beyond]])[order]
        self.last = np.concatenate([last, run.last[beyond]])[order]
        judgment = -1 - np.arange(len(rank))  # every unjudged document has a number of its own
        judgment[row] = run.judgment[within]
        self.judgment = np.concatenate([judgment, run.judgment[beyond]])[order]
        self.open = np.flatnonzero(np.concatenate([open_, np.zeros(int(beyond.sum()), dtype=bool)])[order])
        self.nth = nth_of(self.topic[self.open])
        self.count = np.bincount(self.topic[self.open], minlength=run.lists)
        self.most = int(self.count.max(initial=0))

    def with_best(self, m: int, highest: bool) -> Graded:
        """The m highest or lowest of each topic's unjudged documents judged to be of the best grade."""
        topic = self.topic[self.open]
        chosen = self.nth <= m if highest else self.nth > self.count[topic] - m
        grade = self.grade.copy()
        grade[self.open[chosen]] = self.best
        added = np.minimum(self.count, m)
        topics = np.repeat(np.arange(len(added), dtype=np.int32), added)
        base = self.run.recall_base
        return replace(
            self.run,
            list=self.topic,
            rank=self.rank,
            grade=grade,
            first=self.first,
            last=self.last,
            judgment=self.judgment,
            base=np.where(self.run.base < 0, -1, np.arange(self.run.lists, dtype=np.int32)),  # each has its own now
            judgments=replace(
                self.run.judgments,
                topics=("",) * self.run.lists,
                recall=TopicGrades(
                    np.concatenate([base.topic, topics]),
                    np.concatenate([base.grade, np.full(len(topics), self.best)]),
                    self.run.lists,
                ),
            ),
        )


def _best_grade(run: Graded, choices: dict[str, Any]) -> float:
    """The grade that makes a document count most."""
    if choices.get("only") is not None:
        return float(choices["only"])
    if "gains" in choices:
        return float(run.scale[int(np.argmax(choices["gains"].of_grades(run.scale)))])
    return max(float(run.scale.max()), float(choices.get("rel", 0)))


def refuse_topic_top(top: object) -> None:
    """Refuse bounds where judging a document could change what full relevance is."""
    if top == "topic":
        raise ChoiceError(
            Problem("measure-no-bounds", "bounds need a top other than 'topic', which judging may change")
        )


def _no_average_bounds(average: str | None) -> None:
    if average is not None:
        raise ChoiceError(Problem("measure-no-bounds", "bounds are defined at a cutoff, not for the mean over ranks"))
