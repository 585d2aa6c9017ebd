"""Measures of ranked lists that ask of a document only whether it is relevant: the slides', and trec_eval's."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from gaincurve.measures.bounds import corners, ends
from gaincurve.measures.cumulate import by_rank
from gaincurve.measures.registry import measure
from gaincurve.measures.relevant import Relevant, is_relevant, relevant, relevant_at, share, total_relevant
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.linear import Linear, whole_ideal
from gaincurve.model.rows import Floats, add_by, running
from gaincurve.model.scenario import POINTS

SLIDES = "lecture slides IR:VIII, part 'Performance Measures'"
TREC = "trec_eval"
LEVELS = tuple(Fraction(i, 10) for i in range(11))
"""The eleven points of recall: 0, .1, … 1."""


def _relevant_by_rank(run: Graded, depth: int, rel: float, only: float | None) -> tuple[Floats, Floats]:
    """Relevant documents among the first 1 … depth, in the list and in an ideal list."""
    actual = np.cumsum(by_rank(run, is_relevant(run.grade, rel, only).astype(np.float64), depth), axis=1)
    return actual, np.minimum(np.arange(1, depth + 1), total_relevant(run, rel, only)[:, None]).astype(np.float64)


def precision_curve(run: Graded, depth: int, *, rel: float = 1, only: float | None = None) -> tuple[Floats, Floats]:
    """Precision by rank, and that of an ideal list."""
    actual, best = _relevant_by_rank(run, depth, rel, only)
    ranks = np.arange(1, depth + 1)
    return actual / ranks, best / ranks


def recall_curve(run: Graded, depth: int, *, rel: float = 1, only: float | None = None) -> tuple[Floats, Floats]:
    """Recall by rank, and that of an ideal list; nan where nothing is relevant."""
    total = total_relevant(run, rel, only).astype(np.float64)[:, None]
    total[total == 0] = np.nan
    actual, best = _relevant_by_rank(run, depth, rel, only)
    return actual / total, best / total


def linear_precision(*, cutoff: int, rel: float = 1, only: float | None = None) -> Linear:
    """P@k as a sum over ranks."""
    return Linear(np.full(cutoff, 1 / cutoff), lambda grade: is_relevant(grade, rel, only).astype(np.float64))


def linear_recall(*, cutoff: int, rel: float = 1, only: float | None = None) -> Linear:
    """R@k as a sum over ranks, as a share of all relevant documents."""
    return Linear(np.ones(cutoff), lambda grade: is_relevant(grade, rel, only).astype(np.float64), whole_ideal)


@measure(
    "P",
    title="Precision at k",
    source=SLIDES,
    formula="P@k = relevant documents among the first k / k",
    unit="share of the documents read",
    low=0,
    high=1,
    better="higher",
    empty="0",
    cutoff="required",
    ties="exact",
    first_ranks=True,
    curve=precision_curve,
    bounds=ends,
    linear=linear_precision,
    aliases=("Precision",),
    elsewhere={"trec_eval": "P_k: divided by k also where fewer than k were retrieved, as here"},
)
def precision(run: Graded, *, cutoff: int, rel: float = 1, only: float | None = None) -> Floats:
    """The share of relevant documents among the first k.

    It does not look at the order above k, cannot reach 1 where fewer than k documents are relevant, and knows no
    degrees of relevance. A shorter list counts as if it went on with documents that are not relevant.

    Worked: the list 1 0 1 1 1 1 0 0 0 1 (1 is relevant) has P@5 = .8 and P@10 = .6.
    """
    return relevant_at(run, rel, only, cutoff) / cutoff


@measure(
    "R",
    title="Recall at k",
    source=SLIDES,
    formula="R@k = relevant documents among the first k / all relevant documents",
    unit="share of the relevant documents",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    cutoff="required",
    ties="exact",
    curve=recall_curve,
    bounds=corners,
    linear=linear_recall,
    aliases=("Recall",),
    elsewhere={"trec_eval": "recall_k: 0 where nothing is relevant; here undefined unless the scenario says zero"},
)
def recall(run: Graded, *, cutoff: int, rel: float = 1, only: float | None = None) -> Floats:
    """The share of all known relevant documents that are among the first k.

    It depends on knowing all relevant documents: with incomplete judgments it is too high, and more so for systems that
    helped to find them.

    Worked: the list 1 0 1 1 1 1 0 0 0 1 with six relevant documents has R@5 = 4/6 = .6667.
    """
    return share(relevant_at(run, rel, only, cutoff), total_relevant(run, rel, only))


@measure(
    "Success",
    title="Success at k",
    source=TREC,
    formula="Success@k = 1 if one of the first k documents is relevant, else 0",
    unit="share of the topics",
    low=0,
    high=1,
    better="higher",
    empty="0",
    cutoff="required",
    ties="exact",
    first_ranks=True,
    bounds=ends,
    aliases=("HitRate", "Hits"),
    elsewhere={"trec_eval": "success_k, the same"},
)
def success(run: Graded, *, cutoff: int, rel: float = 1, only: float | None = None) -> Floats:
    """Whether the user finds anything relevant among the first k documents.

    One relevant document is as good as ten. With ties averaged it is the probability of success.

    Worked: the list 0 1 0 0 1 1 1 0 1 1 has Success@1 = 0 and Success@5 = 1.
    """
    hits = relevant(run, rel, only)
    heads = np.flatnonzero(hits.nth == 1)
    inside, _, size = hits.blocks()
    r, n = inside[heads], size[heads]
    within = np.clip(cutoff - hits.first[heads] + 1, 0, n)
    missed = np.ones(len(heads))  # the probability that none of the r is within k
    for i in range(int(r.max(initial=0))):
        missed = np.where(i < r, missed * np.maximum(n - within - i, 0) / np.maximum(n - i, 1), missed)
    value = np.zeros(hits.topics)
    value[hits.topic[heads]] = 1.0 - missed
    return value


@measure(
    "relative_P",
    title="Precision at k relative to the best possible",
    source=TREC,
    formula="relative_P@k = relevant documents among the first k / min(k, R)",
    unit="share of the best possible",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    cutoff="required",
    ties="exact",
    bounds=corners,
    elsewhere={"trec_eval": "relative_P_k, 0 where nothing is relevant"},
)
def relative_precision(run: Graded, *, cutoff: int, rel: float = 1, only: float | None = None) -> Floats:
    """Precision at k over the best that any list could have there: it can reach 1 even if few documents are relevant.

    Up to k = R it is precision, beyond it recall, so it measures different things on different topics.

    Worked: the list 1 0 1 1 1 1 0 0 0 1 with six relevant documents has relative_P@10 = 6/6 = 1, P@10 = .6.
    """
    return share(relevant_at(run, rel, only, cutoff), np.minimum(total_relevant(run, rel, only), cutoff))


@measure(
    "Rprec",
    title="R-precision",
    source="Buckley & Voorhees 2005, trec_eval",
    formula="Rprec = P@c with c = ⌊mult·R + 0.9⌋; mult = 1 unless given",
    unit="share of the documents read",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    bounds=corners,
    elsewhere={"trec_eval": "Rprec; Rprec_mult_x for multiples of R; 0 where nothing is relevant"},
)
def r_precision(run: Graded, *, rel: float = 1, only: float | None = None, mult: float = 1) -> Floats:
    """Precision after as many documents as there are relevant ones: there precision and recall are equal.

    The user whom it models stops at a rank that nobody knows beforehand. Multiples below 1 are about early precision,
    those above 1 about recall.

    Worked: the list 1 0 1 1 1 1 0 0 0 1 with six relevant documents has Rprec = 5/6 = .8333.
    """
    hits = relevant(run, rel, only)
    cutoff = np.floor(mult * hits.total + 0.9)
    inside = np.clip(np.minimum(hits.last, cutoff[hits.topic]) - hits.first + 1, 0, None) / (hits.last - hits.first + 1)
    value = add_by(hits.topic, inside, hits.topics) / np.maximum(cutoff, 1)
    return np.where(hits.total > 0, value, np.nan)


@measure(
    "AP",
    title="Average precision",
    source=f"{SLIDES}, AP1",
    formula="AP = Σ P@i over the ranks i of relevant documents / R; AP@k sums to k and divides by R, or min(k, R)",
    unit="mean of precisions",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    bounds=corners,
    aliases=("MAP",),
    elsewhere={
        "trec_eval": "map; map_cut_k divides by all relevant documents (norm='R', the rule here unless given)",
        "the slides": "AP₁@k divides by min(k, R): norm='min'",
        "ranx": "map@k divides by R",
        "scikit-learn": "average_precision_score integrates the precision–recall curve over thresholds: tied scores "
        "form one step; all relevant documents must be in the list",
    },
)
def average_precision(
    run: Graded, *, cutoff: int | None = None, rel: float = 1, only: float | None = None, norm: str = "R"
) -> Floats:
    """The mean of the precisions at each relevant document; one that was not found counts 0.

    It models a user who stops after a relevant document, any of them with equal probability, without knowing how
    many there are (Robertson 2008). It knows no degrees of relevance, and its mean hides on which topics a system
    fails; AP(summary='geometric') shows that more.

    Worked: the list 1 0 1 1 1 1 0 0 0 1 with six relevant documents has AP = .7750.
    """
    hits = relevant(run, rel, only)
    whole = hits.total if norm == "R" or cutoff is None else np.minimum(hits.total, cutoff)
    if run.spread:
        return share(_expected_precisions(hits, cutoff), whole)
    within = slice(None) if cutoff is None else hits.rank <= cutoff
    return share(add_by(hits.topic[within], hits.precision[within], hits.topics), whole)


def _expected_precisions(hits: Relevant, cutoff: int | None) -> Floats:
    """The expected sum of precisions over all orders of tied blocks, exactly.

    At place j of a block of n documents, r of them relevant, stands a relevant one with probability r/n; given that,
    (j − 1)(r − 1)/(n − 1) of those before it inside the block are relevant too.
    """
    inside, before, size = hits.blocks()
    heads = np.flatnonzero((hits.nth - 1) == before)
    r, n, start = inside[heads], size[heads], hits.first[heads]
    end = hits.last[heads] if cutoff is None else np.minimum(hits.last[heads], cutoff)
    places = np.maximum(end - start + 1, 0)
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, int(hits.last.max(initial=0)) + 1))])
    inverse = np.where(places == 1, 1.0 / start, harmonic[np.maximum(end, start - 1)] - harmonic[start - 1])
    slope = np.where(n > 1, (r - 1) / np.maximum(n - 1, 1), 0.0)
    expected = r / n * ((before[heads] + 1) * inverse + slope * (places - start * inverse))
    return add_by(hits.topic[heads], np.where(places > 0, expected, 0.0), hits.topics)


@measure(
    "RR",
    title="Reciprocal rank",
    source=SLIDES,
    formula="RR = 1 / rank of the first relevant document, 0 if there is none",
    unit="1 / rank",
    low=0,
    high=1,
    better="higher",
    empty="0",
    ties="exact",
    first_ranks=True,
    bounds=ends,
    aliases=("MRR",),
    elsewhere={"trec_eval": "recip_rank, without a cutoff form", "MS MARCO": "MRR@10 is RR@10"},
)
def reciprocal_rank(run: Graded, *, cutoff: int | None = None, rel: float = 1, only: float | None = None) -> Floats:
    """How soon the user meets the first relevant document.

    Reciprocal ranks are ordinal: from rank 1 to 2 is as far as from 2 to never, so their mean has no clear meaning
    (Fuhr 2017, on the slides). First ranks 1, 2, 4 give a mean of .5833, ranks 2, 2, 2 one of .5, although the second
    system's mean rank, 2, is better than the first's, 2.33. FirstRank gives the ranks themselves.

    Worked: the list 0 1 0 0 1 1 1 0 1 1 has RR = .5.
    """
    hits = relevant(run, rel, only)
    heads = np.flatnonzero(hits.nth == 1)
    value = np.zeros(hits.topics)
    if run.spread:
        value[hits.topic[heads]] = _expected_reciprocal(hits, heads, cutoff)
        return value
    reached = heads if cutoff is None else heads[hits.rank[heads] <= cutoff]
    value[hits.topic[reached]] = 1.0 / hits.rank[reached]
    return value


def _expected_reciprocal(hits: Relevant, heads: Ints, cutoff: int | None) -> Floats:
    """The expected 1/rank of the first of r relevant documents among the n of a tied block."""
    inside, _, size = hits.blocks()
    r, n, start = inside[heads], size[heads], hits.first[heads]
    chance, value = r / n, np.zeros(len(heads))  # chance that the first relevant document is at place j
    for j in range(1, int((n - r).max(initial=0)) + 2):
        rank = start + j - 1
        value += np.where((j <= n - r + 1) & (rank <= (cutoff or np.inf)), chance / rank, 0.0)
        chance = chance * np.maximum(n - j - r + 1, 0) / np.maximum(n - j, 1)
    return value


@measure(
    "FirstRank",
    title="Rank of the first relevant document",
    source=f"{SLIDES}, remarks on MRR",
    formula="FirstRank = rank of the first relevant document",
    unit="documents read",
    low=1,
    high=None,
    better="lower",
    empty="undefined",
    ties="exact",
    summary="median",
    bounds=corners,
)
def first_rank(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """How many documents the user reads to meet the first relevant one.

    Undefined where none was retrieved: such topics are left out of the median, so read Success beside it. The median
    is the summary that ranks allow, though the slides warn that it would yield many ties; FirstRank(summary='mean')
    gives the mean.

    Worked: the list 0 1 0 0 1 1 1 0 1 1 has FirstRank = 2; ranks 1, 2, 4 have the median 2 and the mean 2.33.
    """
    hits = relevant(run, rel, only)
    heads = np.flatnonzero(hits.nth == 1)
    value = np.full(hits.topics, np.nan)
    value[hits.topic[heads]] = hits.rank[heads]
    if run.spread:
        inside, _, size = hits.blocks()
        value[hits.topic[heads]] = hits.first[heads] - 1 + (size[heads] + 1) / (inside[heads] + 1)
    return value


def needed(total: Ints, level: Fraction, points: str) -> Ints:
    """How many relevant documents it takes to reach a level of recall; `points` names the rule."""
    if points == "exact":
        enough: Ints = -(-total * level.numerator // level.denominator)
        return enough
    rounding = {"trec_eval-9": 0.9, "trec_eval-10": 0.5}[points]
    counts: Ints = np.floor(float(level) * total + rounding).astype(np.int64)
    return counts


def interpolated(hits: Relevant, level: Fraction, points: str) -> Floats:
    """The highest precision at any rank at which a level of recall is reached; 0 if it never is."""
    best = running(hits.topic[::-1], hits.precision[::-1], np.maximum)[::-1]
    least = np.maximum(needed(hits.total, level, points), 1)
    reached = hits.nth == least[hits.topic]
    value = np.where(hits.total > 0, 0.0, np.nan)
    value[hits.topic[reached]] = best[reached]
    return value


@measure(
    "IPrec",
    title="Interpolated precision at a recall level",
    source=SLIDES,
    formula="IPrec@r = max P@i over the ranks i at which recall is at least r",
    unit="precision",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    cutoff="recall",
    ties="refused",
    bounds=corners,
    elsewhere={"trec_eval": f"iprec_at_recall_r; the level is reached otherwise: {'; '.join(POINTS.values())}"},
)
def interpolated_precision(
    run: Graded, *, cutoff: float, points: str, rel: float = 1, only: float | None = None
) -> Floats:
    """The best precision the user can still have after finding a share r of the relevant documents.

    It does not say at which rank that is. Recall points compare exactly: ⌈r·R⌉ documents.

    Worked: the list 1 0 1 1 1 1 0 0 0 1 with six relevant documents reaches r = .8 with the fifth: IPrec@0.8 = 5/6.
    """
    return interpolated(relevant(run, rel, only), Fraction(repr(float(cutoff))), points)


@measure(
    "AP11",
    title="Eleven-point average precision",
    source=f"{SLIDES}, AP2",
    formula="AP11 = mean of IPrec@r at r = 0, .1, …, 1, or at the levels given",
    unit="mean of precisions",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="refused",
    bounds=corners,
    elsewhere={
        "trec_eval": "11pt_avg; 11pt_avg.0.2,0.5,0.8 is AP11(levels='0.2,0.5,0.8'); recall points are reached "
        "otherwise, see IPrec"
    },
)
def eleven_point_average(
    run: Graded, *, points: str, levels: str | None = None, rel: float = 1, only: float | None = None
) -> Floats:
    """The area under the interpolated precision–recall curve, from eleven points.

    Interpolation is generous: precision that comes later counts for earlier recall levels. Other levels may be given:
    .2, .5 and .8 make the three-point average of early TRECs.

    Worked: the list 1 0 1 1 1 1 0 0 0 1 with six relevant documents has AP11 = (2·1 + 7·.8333 + 2·.6)/11 = .8212.
    """
    chosen = LEVELS if levels is None else [Fraction(level) for level in levels.split(",")]
    return mean_interpolated(relevant(run, rel, only), chosen, points)


def mean_interpolated(hits: Relevant, levels: Sequence[Fraction], points: str) -> Floats:
    """The mean of interpolated precision at levels of recall in ascending order, added from the highest down."""
    sums = np.zeros(hits.topics)
    for level in reversed(levels):
        sums = sums + interpolated(hits, level, points)
    return sums / len(levels)
