"""Measures estimated from a stratified sample of a pool, step by step as NIST's sample_eval does."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.incomplete import BY_DESIGN
from gaincurve.measures.registry import measure
from gaincurve.measures.relevant import is_relevant, share
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats, add_by, distinct, running
from gaincurve.model.strata import Strata

EPSILON = 1e-5
PAPER = "Yilmaz, Kanoulas & Aslam 2008"
SCRIPT = "sample_eval of NIST (trec.nist.gov)"


@dataclass(frozen=True, eq=False)
class Walk:
    """A run read from the top, past the documents of a sampled pool.

    By stratum: its list, how many documents were pooled and sampled, and their ratio (0 where nothing was sampled). By
    row of the run: its stratum, whether it was sampled, whether relevant, and `estimate`, how many relevant documents
    the list holds up to and with it: Σ over strata of pool documents seen · (relevant seen + ε)/(sampled seen + 3ε).
    """

    run: Graded
    list: Ints
    pooled: Ints
    sampled: Ints
    weight: Floats
    relevant: Ints
    stratum: Ints
    is_sampled: Ints
    is_relevant: Ints
    estimate: Floats
    before: Floats

    @classmethod
    def of(cls, run: Graded, rel: float, only: float | None, cutoff: int | None) -> Walk:
        """The first `cutoff` ranks; relevant are grades of at least `rel`, or exactly `only`."""
        strata = strata_of_run(run)
        if cutoff is not None:
            run = run.cut(cutoff)
        count = strata.count
        owner = np.zeros(count, dtype=np.int64)
        owner[strata.stratum] = strata.topic
        drawn = strata.grade >= 0
        pooled = np.bincount(strata.stratum, minlength=count)
        sampled = np.bincount(strata.stratum[drawn], minlength=count)
        of_judgment = np.zeros(int(max(strata.judgment.max(initial=0), run.judgment.max(initial=0))) + 1, np.int64)
        of_judgment[strata.judgment] = strata.stratum
        stratum = of_judgment[run.judgment]
        seen = (run.grade >= 0).astype(np.int64)
        relevant = seen * is_relevant(run.grade, rel, only)
        step = _steps(run, stratum, seen, relevant)
        estimate = running(run.list, step)
        return cls(
            run=run,
            list=owner,
            pooled=pooled,
            sampled=sampled,
            weight=np.divide(pooled, sampled, out=np.zeros(count), where=sampled > 0),
            relevant=np.bincount(strata.stratum[drawn & is_relevant(strata.grade, rel, only)], minlength=count),
            stratum=stratum,
            is_sampled=seen,
            is_relevant=relevant,
            estimate=estimate,
            before=np.maximum(estimate - step, 0.0),
        )

    @property
    def total(self) -> Floats:
        """R by list: the estimated number of relevant documents in the pool."""
        return add_by(self.list.astype(np.int32), self.relevant * self.weight, self.run.lists)

    def found(self) -> Floats:
        """By list: the estimated number of relevant documents in what was read."""
        last = np.zeros(self.run.lists)
        last[self.run.list] = self.estimate  # rows come in rank order: the last one stays
        return last

    def not_known(self) -> Ints:
        """The lists with a stratum of which nothing was sampled."""
        return np.asarray(self.list[(self.sampled == 0) & (self.pooled > 0)])


def strata_of_run(run: Graded) -> Strata:
    """The strata of a run's judgments, which a sample has."""
    if run.strata is None:
        raise ChoiceError(Problem("measure-needs-strata", "the judgments do not name strata"))
    return run.strata


def _steps(run: Graded, stratum: Ints, seen: Ints, relevant: Ints) -> Floats:
    """What each row adds to the estimated number of relevant documents: only its own stratum changes."""
    order = np.lexsort((run.rank, stratum))
    by_stratum = stratum[order].astype(np.int32)
    nd, ns, nr = (
        running(by_stratum, column[order].astype(np.float64)) for column in (np.ones_like(seen), seen, relevant)
    )
    inside = nd * (nr + EPSILON) / (ns + 3 * EPSILON)
    first = np.concatenate([[True], by_stratum[1:] != by_stratum[:-1]]) if len(order) else np.zeros(0, dtype=bool)
    before = np.where(first, 0.0, np.concatenate([[0.0], inside[:-1]])) if len(order) else inside
    step = np.empty(len(order))
    step[order] = inside - before
    return step


def _undefined_where_empty(values: Floats, walk: Walk, empty_strata: str | None) -> Floats:
    """A stratum of which nothing was sampled says nothing, unless it is to be passed over."""
    if empty_strata == "skip":
        return values
    values = values.copy()
    values[walk.not_known()] = np.nan
    return values


@measure(
    "xinfAP",
    title="Inferred average precision of a stratified sample",
    source=f"{PAPER}, {SCRIPT}",
    formula="xinfAP = Σ over strata (pooled/sampled) · Σ over relevant retrieved at k: (1 + N(k−1))/k, "
    "/ min(R, depth); N(k) = Σ over strata pool documents seen · (relevant seen + ε)/(sampled seen + 3ε)",
    unit="estimated mean of precisions",
    low=0,
    high=None,
    better="higher",
    empty="undefined",
    ties="refused",
    needs="strata",
    unbounded=BY_DESIGN,
    elsewhere={
        "sample_eval": "infAP at depth 1000, ε = 0.00001 as here",
        "trec_eval": "infAP is another number: one stratum, 2ε instead of 3ε",
    },
)
def inferred_ap_of_strata(
    run: Graded, *, cutoff: int | None, rel: float = 1, only: float | None = None, empty_strata: str | None = None
) -> Floats:
    """Average precision estimated from judgments of a stratified sample.

    Each relevant document represents as many as its stratum has pooled documents per sampled one; the precision
    above it is estimated from what was sampled there. It can exceed 1. With everything pooled and sampled it is AP, but
    for ε. Without a cutoff the whole list counts; with more relevant documents than the cutoff it is divided by that.

    Worked: one stratum of four, all sampled; the list 1 0 1 holds all the relevant: xinfAP = (1 + 2/3)/2 = .8333 but
    for ε.
    """
    walk = Walk.of(run, rel, only, cutoff)
    rows = np.flatnonzero(walk.is_relevant)
    run = walk.run
    precision = walk.weight[walk.stratum[rows]] * (1.0 + walk.before[rows]) / run.rank[rows]
    total = walk.total
    values = share(add_by(run.list[rows], precision, run.lists), np.minimum(total, cutoff or math.inf))
    return _undefined_where_empty(values, walk, empty_strata)


@measure(
    "infNDCG",
    title="Inferred nDCG of a stratified sample",
    source=f"{PAPER}, {SCRIPT}",
    formula="infNDCG = Σ over strata (pool documents seen/sampled seen) · Σ gain/log2(k+1) / ideal DCG of the "
    "estimated numbers of each gain",
    unit="estimated share of the ideal",
    low=0,
    high=None,
    better="higher",
    empty="undefined",
    ties="refused",
    needs="strata",
    unbounded=BY_DESIGN,
    elsewhere={"sample_eval": "infNDCG at depth 1000, gain = grade"},
)
def inferred_ndcg(run: Graded, *, cutoff: int | None, gains: Gains, empty_strata: str | None = None) -> Floats:
    """nDCG (divisor log2(k+1)) estimated from judgments of a stratified sample; it can exceed 1.

    The ideal list holds an estimated number of documents of each gain, which need not be whole: the next gain begins
    after that fraction of a rank, as in the script.

    Worked: one stratum of four, all sampled; the list 1 0 1 holds all the relevant: infNDCG = 1.5/1.6309 = .9197.
    """
    walk = Walk.of(run, 0.0, None, cutoff)
    run, count = walk.run, len(walk.pooled)
    seen = np.bincount(walk.stratum, minlength=count).astype(np.float64)
    sampled = np.bincount(walk.stratum, weights=walk.is_sampled, minlength=count)
    discounted = gains.of_grades(run.grade) * walk.is_sampled / np.log2(run.rank + 1.0)
    summed = np.bincount(walk.stratum, weights=discounted, minlength=count)
    means = np.divide(summed, sampled, out=np.zeros(count), where=sampled > 0)
    estimate = add_by(walk.list.astype(np.int32), seen * means, run.lists)
    ideal = _fractional_ideal(strata_of_run(run), walk, gains, cutoff or math.inf)
    return _undefined_where_empty(share(estimate, ideal), walk, empty_strata)


def _fractional_ideal(strata: Strata, walk: Walk, gains: Gains, depth: float) -> Floats:
    """The ideal DCG by list, of estimated numbers of documents: start + 1, start + 2, … while within a gain's number.

    Within a gain terms are added up to and with the first at `depth` or beyond, as the script does.
    """
    drawn = strata.grade >= 0
    gain = gains.of_grades(strata.grade[drawn])
    topic, weight = strata.topic[drawn], walk.weight[strata.stratum[drawn]]
    ideal = np.zeros(walk.run.lists)
    start = np.zeros(walk.run.lists)
    for level in distinct(gain[gain > 0])[::-1].tolist():
        number = add_by(topic, weight * (gain == level), walk.run.lists)
        for t in np.flatnonzero(number).tolist():
            rank = start[t] + np.arange(1.0, number[t] + 2)
            rank = rank[rank <= start[t] + number[t]]
            reached = np.flatnonzero(rank >= depth)
            rank = rank[: reached[0] + 1] if len(reached) else rank
            ideal[t] += float((level / np.log2(rank + 1)).sum())
        start += number
    return ideal


@measure(
    "iP",
    title="Inferred precision at k",
    source=f"{PAPER}, {SCRIPT}",
    formula="iP@k = N(k)/k; N(k) = Σ over strata pool documents seen · (relevant seen + ε)/(sampled seen + 3ε)",
    unit="estimated share of the first k",
    low=0,
    high=1,
    better="higher",
    empty="defined",
    cutoff="required",
    ties="refused",
    needs="strata",
    unbounded=BY_DESIGN,
    elsewhere={"sample_eval": "iP5 … iP1000"},
)
def inferred_precision(
    run: Graded, *, cutoff: int, rel: float = 1, only: float | None = None, empty_strata: str | None = None
) -> Floats:
    """Of the first k documents, the share estimated to be relevant.

    Because of ε a stratum of which only unsampled documents were seen counts as one third relevant.

    Worked: one stratum, all sampled; the list 1 0 1 has iP@3 = .6667 (2/3 but for ε).
    """
    walk = Walk.of(run, rel, only, cutoff)
    return _undefined_where_empty(walk.found() / cutoff, walk, empty_strata)


@measure(
    "iNumRel",
    title="Estimated number of relevant documents",
    source=SCRIPT,
    formula="iNumRel = R = Σ over strata relevant sampled · pooled/sampled",
    unit="documents",
    low=0,
    high=None,
    better="neither",
    empty="0",
    ties="refused",
    needs="strata",
    summary="sum",
    unbounded=BY_DESIGN,
    aliases=("inum_rel",),
    elsewhere={"sample_eval": "inum_rel, the sum over topics as here"},
)
def inferred_relevant(
    run: Graded, *, rel: float = 1, only: float | None = None, empty_strata: str | None = None
) -> Floats:
    """How many relevant documents the pool is estimated to hold.

    Worked: a stratum of four documents, two of them sampled and one of these relevant, gives iNumRel = 2.
    """
    walk = Walk.of(run, rel, only, None)
    return _undefined_where_empty(walk.total, walk, empty_strata)


@measure(
    "iNumRelRet",
    title="Estimated number of relevant documents retrieved",
    source=SCRIPT,
    formula="iNumRelRet = N(last) = Σ over strata pool documents seen · (relevant seen + ε)/(sampled seen + 3ε)",
    unit="documents",
    low=0,
    high=None,
    better="higher",
    empty="defined",
    ties="refused",
    needs="strata",
    summary="sum",
    unbounded=BY_DESIGN,
    aliases=("inum_rel_ret",),
    elsewhere={"sample_eval": "inum_rel_ret at depth 1000, the sum over topics as here"},
)
def inferred_relevant_retrieved(
    run: Graded, *, cutoff: int | None, rel: float = 1, only: float | None = None, empty_strata: str | None = None
) -> Floats:
    """How many relevant documents the list is estimated to hold; without a cutoff the whole list counts.

    Worked: one stratum; the list 1 . −1 holds one document that was sampled and one that was not: 2·(1 + ε)/(1 + 3ε),
    so iNumRelRet = 2 but for ε.
    """
    walk = Walk.of(run, rel, only, cutoff)
    return _undefined_where_empty(walk.found(), walk, empty_strata)
