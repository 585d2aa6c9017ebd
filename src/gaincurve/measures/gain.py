"""The gain family of the 2002 paper: CG, DCG and both relative to the ideal."""

from __future__ import annotations

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.bounds import NO_DISCOUNT, cumulated_bounds, relative_bounds
from gaincurve.measures.cumulate import cumulated, ideal_cumulated, ideal_vectors, mean_over_ranks, relative, vectors
from gaincurve.measures.registry import measure
from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.linear import Linear, cut_ideal
from gaincurve.model.rows import Floats

MOST_RANKS = 1_000_000
PAPER = "Järvelin & Kekäläinen 2002"


def cg_curve(run: Graded, depth: int, *, gains: Gains) -> tuple[Floats, Floats]:
    """CG and ideal CG by rank."""
    return dcg_curve(run, depth, gains=gains, discount=NO_DISCOUNT)


def dcg_curve(run: Graded, depth: int, *, gains: Gains, discount: Discount) -> tuple[Floats, Floats]:
    """DCG and ideal DCG by rank."""
    return ndcg_curve(run, depth, gains=gains, discount=discount, ideal="judged")


def ncg_curve(run: Graded, depth: int, *, gains: Gains, ideal: str) -> tuple[Floats, Floats]:
    """CG and the CG of the chosen ideal by rank; their ratio is nCG."""
    return ndcg_curve(run, depth, gains=gains, discount=NO_DISCOUNT, ideal=ideal)


def ndcg_curve(run: Graded, depth: int, *, gains: Gains, discount: Discount, ideal: str) -> tuple[Floats, Floats]:
    """DCG and the DCG of the chosen ideal by rank; their ratio is nDCG."""
    return vectors(run, depth, gains, discount), ideal_vectors(run, depth, gains, discount, ideal)


def linear_gain(
    *,
    cutoff: int | None,
    gains: Gains,
    discount: Discount = NO_DISCOUNT,
    ideal: str | None = None,
    average: str | None = None,
) -> Linear | None:
    """The gain family as sums over ranks to a cutoff; shares only of the ideal that the judgments give."""
    if cutoff is None or (ideal is not None and (ideal != "judged" or average is not None)):
        return None
    weights = 1.0 / discount.divisors(cutoff)
    if average is not None:  # rank i counts in the sums of ranks i to the cutoff
        weights = weights * np.arange(cutoff, 0, -1) / cutoff
    return Linear(weights, gains.of_grades, None if ideal is None else cut_ideal(weights))


@measure(
    "CG",
    title="Cumulated gain",
    source=f"{PAPER}, formula (1)",
    formula="CG[k] = G[1] + … + G[k]",
    unit="gain",
    low=0,
    high=None,
    better="higher",
    empty="0",
    ties="exact",
    first_ranks=True,
    curve=cg_curve,
    bounds=cumulated_bounds,
    linear=linear_gain,
)
def cg(run: Graded, *, cutoff: int | None, gains: Gains, average: str | None = None) -> Floats:
    """The gain a user has collected after reading the first k documents.

    Topics with many relevant documents weigh more in the mean than topics with few: compare runs on the same topics,
    never one collection with another.

    Worked: gains 3 2 3 0 0 1 2 2 3 0 give CG@7 = 11 and CG@10 = 16.
    """
    return dcg(run, cutoff=cutoff, gains=gains, discount=NO_DISCOUNT, average=average)


@measure(
    "DCG",
    title="Discounted cumulated gain",
    source=f"{PAPER}, formula (2)",
    formula="DCG[k] = G[1]/D(1) + … + G[k]/D(k)",
    unit="discounted gain",
    low=0,
    high=None,
    better="higher",
    empty="0",
    ties="exact",
    first_ranks=True,
    curve=dcg_curve,
    bounds=cumulated_bounds,
    linear=linear_gain,
    elsewhere={
        "trec_eval": "10.0 has dcg over the whole list, without a cutoff form: gain = grade, divisor log2(i+1); 9.0.8 "
        "has none",
        "ranx": "dcg: gain = grade, divisor log2(i+1); dcg_burges: gain 2^g − 1, same divisor; unjudged documents "
        "gain 0",
        "scikit-learn": "dcg_score: gain = the value passed in, divisor log2(i+1) (log_base changes it), tied scores "
        "averaged unless ignore_ties is set",
        "Elasticsearch": "rank_eval dcg: gain 2^g − 1, divisor log2(i+1), first k hits (10 unless set); unjudged "
        "documents gain 0 unless unknown_doc_rating gives them a grade",
        "LightGBM": "reports no DCG, only ndcg; inside it the gain is label_gain, 2^g − 1 unless set, and the divisor "
        "log2(i+1)",
    },
)
def dcg(run: Graded, *, cutoff: int | None, gains: Gains, discount: Discount, average: str | None = None) -> Floats:
    """The gain collected after k documents when late ones count for less, because fewer users get there.

    The value of the sum depends on gains, discount and base; only differences under the same choices mean anything.

    Worked: gains 3 2 3 0 0 1 2 2 3 0 with discount jk2002, base 2, give DCG@10 = 9.605118.
    """
    if average is None:
        return cumulated(run, gains, discount, cutoff)
    return mean_over_ranks(vectors(run, _depth_of_average(cutoff), gains, discount))


@measure(
    "nCG",
    title="Normalised cumulated gain",
    source=f"{PAPER}, formula (5)",
    formula="nCG[k] = CG[k] / CG of the ideal list[k]",
    unit="share of the ideal",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    first_ranks=True,
    curve=ncg_curve,
    normalised=True,
    bounds=relative_bounds,
    linear=linear_gain,
)
def ncg(run: Graded, *, cutoff: int | None, gains: Gains, ideal: str, average: str | None = None) -> Floats:
    """The share of all gain obtainable in k documents that the run gives in its first k.

    Late documents count as much as early ones within the cutoff; with a cutoff beyond the recall base it is the share
    of all gain that was found. With ideal='retrieved' it is the sliding ratio and says nothing about what was missed.

    Worked: gains 3 2 3 0 0 1 2 2 3 0 with recall base 3 3 3 2 2 2 1 1 1 1 give nCG@10 = 16/19 = .842105.
    """
    return ndcg(run, cutoff=cutoff, gains=gains, discount=NO_DISCOUNT, ideal=ideal, average=average)


@measure(
    "nDCG",
    title="Normalised discounted cumulated gain",
    source=f"{PAPER}, formula (5)",
    formula="nDCG[k] = DCG[k] / DCG of the ideal list[k]",
    unit="share of the ideal",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    first_ranks=True,
    curve=ndcg_curve,
    normalised=True,
    bounds=relative_bounds,
    linear=linear_gain,
    spellings={
        ("dcg", "log2"): {"gains": "identity", "discount": "log"},
        ("dcg", "exp-log2"): {"gains": "exp2", "discount": "log"},
    },
    elsewhere={
        "trec_eval": "ndcg, ndcg_cut_k: gain = grade, divisor log2(i+1), ideal from all judgments, cut at k only in "
        "ndcg_cut_k; unjudged documents gain 0; a topic without relevant documents scores 0 and counts; tied scores "
        "go by document id, descending, and 9.0.8 also ties scores equal in 32 bits; a judged topic missing from the "
        "run is left out by 9.0.8 and stops 10.0, and with -c scores 0 in both. The scenarios trec_eval-9.0.8 and "
        "trec_eval-10 follow them",
        "ranx": "ndcg: gain = grade, divisor log2(i+1), ideal from all judgments, cut at k; ndcg_burges: gain "
        "2^g − 1; unjudged documents gain 0; a topic without relevant documents scores 0 and counts; the order of "
        "tied scores is not defined (the sort is unstable beyond 15 documents); a judged topic missing from the run "
        "is an error, or 0 with make_comparable",
        "scikit-learn": "ndcg_score: gain = the value passed in, divisor log2(i+1); tied scores share their mean gain "
        "(our ties rule average) unless ignore_ties is set; the ideal is the best order of the documents passed in, "
        "cut at k, so documents the system did not return are missing from it unless you pass them; a row without "
        "gain scores 0 and counts",
        "Elasticsearch": "rank_eval dcg with normalize: gain 2^g − 1, divisor log2(i+1); the ideal is made of all "
        "rated documents of the request but cut at the number of hits returned, so a search with fewer than k hits "
        "is measured against a shorter ideal; unjudged documents gain 0 unless unknown_doc_rating is set; a request "
        "without relevant documents or without hits scores 0 and counts",
        "LightGBM": "metric ndcg: label_gain 2^g − 1 unless set, divisor log2(i+1), ideal from the labels of the "
        "query's rows, cut at k; tied scores stay in row order; a query without relevant rows scores 1 and counts; "
        "documents without a row are missing from the ideal",
    },
)
def ndcg(
    run: Graded, *, cutoff: int | None, gains: Gains, discount: Discount, ideal: str, average: str | None = None
) -> Floats:
    """The discounted gain of the first k documents as a share of the best that was possible.

    Undefined where nothing relevant is known. The mean hides at which rank a system is ahead and how much gain a
    topic had to offer: draw the curve. 'nDCG@10' is at least eight different numbers in today's tools: read the
    signature.

    Worked: gains 3 2 3 0 0 1 2 2 3 0 with recall base 3 3 3 2 2 2 1 1 1 1 give nDCG@10 = .833613 with the
    discount log2(i+1) and .811662 with jk2002, base 2.
    """
    if average is None:
        best = ideal_cumulated(run, gains, discount, ideal, cutoff)
        return relative(cumulated(run, gains, discount, cutoff), best, lambda: run.can_gain(gains))
    depth = _depth_of_average(cutoff)
    actual, best_by_rank = ndcg_curve(run, depth, gains=gains, discount=discount, ideal=ideal)
    return mean_over_ranks(relative(actual, best_by_rank, lambda: run.can_gain(gains)[:, None]))


def _depth_of_average(cutoff: int | None) -> int:
    if cutoff is None:
        what = "average='ranks' is a mean over ranks 1 to the cutoff, and none was given"
        raise ChoiceError(Problem("measure-cutoff", what))
    if cutoff > MOST_RANKS:
        raise ChoiceError(Problem("measure-cutoff", f"a mean over {cutoff} ranks is over more than {MOST_RANKS}"))
    return cutoff
