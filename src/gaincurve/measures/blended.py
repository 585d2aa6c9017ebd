"""Measures that blend precision with cumulated gain: Q, and trec_eval's experimental G, binG, ndcg_rel and Rndcg."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.bounds import NO_DISCOUNT
from gaincurve.measures.cumulate import cumulated, ideal_ranking
from gaincurve.measures.registry import measure
from gaincurve.measures.relevant import relevant, share
from gaincurve.model.discount import Discount
from gaincurve.model.elementary import log
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats, add_by, nth_of, offsets_of, running

NOT_MONOTONE = "judging a document changes the points at which it is averaged"
BUCKLEY = "trec_eval (Buckley 2008, experimental)"
_WHOLE = 2.0**53
"""Up to here sums of whole gains are exact."""


@dataclass(frozen=True, eq=False)
class _Ideal:
    """The ideal list of each topic with its running sum, which can be read at any rank."""

    offsets: Ints
    gain: Floats
    sums: Floats

    @classmethod
    def of(cls, run: Graded, gains: Gains, discount: Discount) -> _Ideal:
        topic, rank, gain = ideal_ranking(run, gains, "judged")
        has_gain = gain > 0
        topic, rank, gain = topic[has_gain], rank[has_gain], gain[has_gain]
        sums = running(topic, gain / discount.divisors(int(rank.max(initial=1)))[rank - 1])
        return cls(offsets_of(topic, run.lists), gain, sums)

    @property
    def size(self) -> Ints:
        """How many documents have a gain, by topic."""
        return np.diff(self.offsets)

    def at(self, topic: NDArray[np.int32], rank: Ints) -> Floats:
        """The running sum of each topic at a rank; 0 where nothing has a gain."""
        place = self.offsets[topic] + np.minimum(rank, self.size[topic]) - 1
        padded = np.append(self.sums, 0.0)
        return np.where(self.size[topic] > 0, padded[place], 0.0)

    def whole(self) -> Floats:
        """The sum over the whole list of every topic."""
        topics = np.arange(len(self.size), dtype=np.int32)
        return self.at(topics, self.size)


@measure(
    "Q",
    title="Q-measure",
    source="Sakai 2004",
    formula="Q = Σ over relevant at r: (count + β·CG[r]) / (r + β·ideal CG[r]) / R",
    unit="mean of blended ratios",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="refused",
    unbounded=NOT_MONOTONE,
    elsewhere={"NTCIREVAL": "Q-measure with β = 1 and gains given by grade"},
)
def q_measure(run: Graded, *, gains: Gains, beta: float = 1) -> Floats:
    """Average precision with degrees of relevance: at every relevant document a blend of precision and nCG.

    A document is relevant if it has a gain. With β = 0 it is AP, with a large β gain outweighs count. The rank in
    the denominator discounts late relevant documents, also below rank R.

    Worked: gains 0 3 1 of a recall base 3 1: (1 + 3)/(2 + 4) at rank 2, (2 + 4)/(3 + 4) at rank 3: Q = .7619.
    """
    ideal = _Ideal.of(run, gains, NO_DISCOUNT)
    gain = gains.of_grades(run.grade)
    has_gain = gain > 0
    topic, rank = run.list[has_gain], run.rank[has_gain]
    blend = (nth_of(topic) + beta * running(topic, gain[has_gain])) / (rank + beta * ideal.at(topic, rank))
    return share(add_by(topic, blend, run.lists), ideal.size)


@measure(
    "binG",
    title="Binary G",
    source=BUCKLEY,
    formula="binG = Σ over relevant retrieved 1/log2(2 + non-relevant documents above) / R",
    unit="mean",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="refused",
    unbounded="what a document counts depends on all those above it, and its extremes are not known to us",
    elsewhere={"trec_eval": "binG, 0 where nothing is relevant"},
)
def binary_g(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """Like AP, but a relevant document is discounted by the logarithm of the non-relevant documents above it.

    Worked: the list 1 0 1 with R = 2: (1/log2(2) + 1/log2(3))/2 = .8155.
    """
    hits = relevant(run, rel, only)
    worth = 1.0 / log(2.0 + hits.rank - hits.nth, 2)
    return share(add_by(hits.topic, worth, hits.topics), hits.total)


@measure(
    "G",
    title="Normalised gain G",
    source=BUCKLEY,
    formula="G = Σ G[i]/log2(2 + cost[i] − CG[i]) / Σ ideal gain; cost adds the ideal gain at each rank, at least 1",
    unit="share",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="refused",
    unbounded="what a document counts depends on all those above it, and its extremes are not known to us",
    elsewhere={"trec_eval": "G, G.1=3,2=9; 0 where nothing has a gain; fractional gains are sorted wrongly there"},
)
def normalised_gain(run: Graded, *, gains: Gains) -> Floats:
    """A document counts almost fully if those above it were nearly as good as possible, and less the worse they were.

    Worked: gains 1 0 1 of a recall base 1 1: costs 1 2 3, so (1/log2(2) + 1/log2(3))/2 = .8155.
    """
    ideal = _Ideal.of(run, gains, NO_DISCOUNT)
    if (ideal.whole() > _WHOLE).any():
        what = f"G adds 2 to sums of gains, and gains {gains} sum to {ideal.whole().max():.6g} in a topic"
        raise ChoiceError(Problem("gains-range", what, hint="smaller gains: 2 vanishes in sums above 2^53"))
    gain = gains.of_grades(run.grade)
    of_ideal = np.repeat(np.arange(len(ideal.size), dtype=np.int32), ideal.size)
    costs = _Ideal(ideal.offsets, ideal.gain, running(of_ideal, np.maximum(ideal.gain, 1.0)))
    has_gain = gain > 0
    topic, rank = run.list[has_gain], run.rank[has_gain]
    cost = costs.at(topic, rank) + np.maximum(rank - ideal.size[topic], 0)
    worth = gain[has_gain] / log(2.0 + cost - running(topic, gain[has_gain]), 2)
    return share(add_by(topic, worth, run.lists), ideal.whole())


@measure(
    "ndcg_rel",
    title="nDCG averaged over relevant documents",
    source=BUCKLEY,
    formula="ndcg_rel = mean of nDCG[r] at the rank r of every relevant document; one not retrieved has the last value",
    unit="mean share of the ideal",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="refused",
    unbounded=NOT_MONOTONE,
    elsewhere={"trec_eval": "ndcg_rel, ndcg_rel.1=3,2=9; divisor log2(i+1); 0 where nothing has a gain"},
)
def ndcg_over_relevant(run: Graded, *, gains: Gains, discount: Discount) -> Floats:
    """The mean of nDCG at the ranks of all relevant documents, instead of nDCG at one rank for all topics.

    A relevant document that was not retrieved has the nDCG of the whole list.

    Worked: gains 0 1 of a recall base 1 1, divisor log2(i+1): DCG = .6309, nDCG[2] = .6309/1.6309 = .3869 for both.
    """
    ideal = _Ideal.of(run, gains, discount)
    gain = gains.of_grades(run.grade)
    has_gain = gain > 0
    topic, rank = run.list[has_gain], run.rank[has_gain]
    sums = running(topic, gain[has_gain] / discount.divisors(int(rank.max(initial=1)))[rank - 1])
    ndcg = share(sums, ideal.at(topic, rank))
    retrieved = np.bincount(topic, minlength=run.lists)
    not_retrieved = share((ideal.size - retrieved) * cumulated(run, gains, discount, None), ideal.whole())
    return share(add_by(topic, ndcg, run.lists) + not_retrieved, ideal.size)


@measure(
    "Rndcg",
    title="nDCG averaged over levels of relevance",
    source=BUCKLEY,
    formula="Rndcg = mean of nDCG[r] at the ranks r where the ideal list falls to a lower gain, and at the list's end",
    unit="mean share of the ideal",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="refused",
    unbounded=NOT_MONOTONE,
    elsewhere={"trec_eval": "Rndcg, Rndcg.1=3,2=9; divisor log2(i+1); 0 where nothing has a gain"},
)
def ndcg_over_levels(run: Graded, *, gains: Gains, discount: Discount) -> Floats:
    """The mean of nDCG at the ranks where the ideal list falls to a lower gain.

    The end of the list is one more point if the list is longer than the recall base by two or more, as in trec_eval.

    Worked: gains 0 1 2 of a recall base 2 1, divisor log2(i+1): nDCG[1] = 0, nDCG[2] = .6309/2.6309 = .2398; the list
    is longer by one only, so Rndcg = .1199.
    """
    ideal = _Ideal.of(run, gains, discount)
    topics = run.lists
    of_ideal = np.repeat(np.arange(topics, dtype=np.int32), ideal.size)
    last = np.ones(len(of_ideal), dtype=bool)
    last[:-1] = (of_ideal[1:] != of_ideal[:-1]) | (ideal.gain[1:] != ideal.gain[:-1])
    topic, rank = of_ideal[last], nth_of(of_ideal)[last]
    level = nth_of(topic)
    worth = gains.of_grades(run.grade) / discount.divisors(int(run.rank.max(initial=1)))[run.rank - 1]
    sums, points = np.zeros(topics), np.zeros(topics)
    for i in range(1, int(level.max(initial=0)) + 1):
        level_end = np.zeros(topics, dtype=np.int64)
        level_end[topic[level == i]] = rank[level == i]
        within = run.rank <= level_end[run.list]
        value = share(
            add_by(run.list[within], worth[within], topics), ideal.at(np.arange(topics, dtype=np.int32), level_end)
        )
        sums, points = np.where(level_end > 0, sums + value, sums), points + (level_end > 0)
    longer = run.retrieved > ideal.size + 1
    end = share(cumulated(run, gains, discount, None), ideal.whole())
    return share(np.where(longer, sums + end, sums), points + (longer & (points > 0)))
