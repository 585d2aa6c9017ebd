"""Measures that the 2002 paper compares with: search lengths, normalised recall, half-life, generalised precision."""

from __future__ import annotations

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.bounds import NO_DISCOUNT, corners, ends
from gaincurve.measures.cumulate import cumulated, ideal_cumulated
from gaincurve.measures.registry import measure
from gaincurve.measures.relevant import relevant, share
from gaincurve.measures.sets import check_collection
from gaincurve.model.gains import LARGEST, SMALLEST, Gains
from gaincurve.model.graded import Graded
from gaincurve.model.rows import Floats, add_by, nth_of, running

NO_DEGREES = "It takes no degrees of relevance into account."


@measure(
    "ASL",
    title="Average search length",
    source="Losee 1998",
    formula="ASL = mean rank of the relevant documents retrieved; with N, those not retrieved have rank (n + 1 + N)/2",
    unit="rank",
    low=1,
    high=None,
    better="lower",
    empty="undefined",
    ties="blocks",
    bounds=corners,
    against=f"{NO_DEGREES} It depends heavily on outliers, relevant documents found late.",
)
def average_search_length(
    run: Graded,
    *,
    rel: float = 1,
    only: float | None = None,
    N: int | None = None,
) -> Floats:
    """The mean rank of the relevant documents; a tied block counts at its mean rank.

    Without N only what was retrieved counts, so a run that finds less can look better. With N the relevant documents
    not retrieved take the mean of the places left, from n + 1 to N. Undefined where none was retrieved (with N: where
    nothing is relevant).

    Worked: the list 1 0 0 0 0 1 0 0 0 1 has ASL = (1 + 6 + 10)/3 = 5.6667; with a fourth relevant document not
    retrieved and N = 30, (17 + 20.5)/4 = 9.375.
    """
    hits = relevant(run, rel, only, blocks=True)
    ranks = add_by(hits.topic, (hits.first + hits.last) / 2, hits.topics)
    if N is None:
        return share(ranks, hits.found)
    check_collection(run, N)
    return share(ranks + (hits.total - hits.found) * (run.retrieved + 1 + N) / 2, hits.total)


@measure(
    "ESL",
    title="Expected search length",
    source="Cooper 1968",
    formula="ESL = j + i·s/(r + 1): j non-relevant before the block of the wanted one, i and r inside it, s to go",
    unit="documents",
    low=0,
    high=None,
    better="lower",
    empty="undefined",
    ties="blocks",
    bounds=corners,
    against=NO_DEGREES,
)
def expected_search_length(
    run: Graded, *, rel: float = 1, only: float | None = None, wanted: int = 1, count: str = "nonrelevant"
) -> Floats:
    """How many documents that are not relevant the user reads to find as many relevant ones as wanted.

    Documents with equal scores form a block in which every order is as likely; the expectation over the last block
    is exact. count='all' adds the wanted documents themselves: the 2002 paper counts all that must be examined, Cooper
    only those that are not relevant, as the default here. Undefined where fewer were retrieved than wanted.

    Worked: four documents tied in front, one of them relevant: for one relevant document ESL = 3·1/2 = 1.5.
    """
    hits = relevant(run, rel, only, blocks=True)
    inside, before, size = hits.blocks()
    rows = np.flatnonzero(hits.nth == wanted)
    nonrelevant = size[rows] - inside[rows]
    length = hits.first[rows] - 1 - before[rows] + nonrelevant * (wanted - before[rows]) / (inside[rows] + 1)
    value = np.full(hits.topics, np.nan)
    value[hits.topic[rows]] = length + (wanted if count == "all" else 0)
    return value


@measure(
    "NR",
    title="Normalised recall",
    source="Rocchio 1966; Salton & McGill 1983",
    formula="NR = 1 − (Σ ranks of the relevant − Σ 1 … R) / (R·(N − R)); those not retrieved come last of N",
    unit="share of the area",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    bounds=corners,
    against=f"{NO_DEGREES} It is highly sensitive to the last relevant document found late.",
)
def normalised_recall(
    run: Graded,
    *,
    N: int,
    rel: float = 1,
    only: float | None = None,
) -> Floats:
    """The area between the actual and the ideal recall curve over the whole collection, as a share.

    In a large collection every usable system is near 1. Undefined where nothing or everything is relevant.

    Worked: the list 1 0 0 0 0 1 0 0 0 1 with three relevant documents and N = 20: 1 − (17 − 6)/(3·17) = .7843.
    """
    hits = relevant(run, rel, only)
    check_collection(run, N)
    missing = hits.total - hits.found
    ranks = add_by(hits.topic, (hits.first + hits.last) / 2, hits.topics) + missing * (2 * N - missing + 1) / 2
    best = hits.total * (hits.total + 1) / 2
    return 1.0 - share(ranks - best, hits.total * (N - hits.total))


@measure(
    "RHL",
    title="Ranked half-life",
    source="Borlund & Ingwersen 1998",
    formula="RHL = (m − ½) + (T/2 − CG[m−1])/G[m], T all gain retrieved, m the first rank with CG[m] ≥ T/2",
    unit="rank",
    low=0.5,
    high=None,
    better="lower",
    empty="undefined",
    ties="refused",
    bounds=corners,
    against="Like average search length it depends on outliers; it may be the same for queries that perform quite "
    "differently; it has no discount.",
)
def ranked_half_life(run: Graded, *, gains: Gains) -> Floats:
    """The rank by which the user has half of the gain of the list: the median of gain, computed as for grouped data.

    It does not see how much gain that is: a list that finds one document can beat one that finds ten. Undefined where
    the list gives no gain.

    Worked: gains 3 2 3 0 0 1 2 2 3 0 have T = 16 and CG[3] = 8, so RHL = 2.5 + (8 − 5)/3 = 3.5.
    """
    gain = gains.of_grades(run.grade)
    has_gain = gain > 0
    topic, rank, gain = run.list[has_gain], run.rank[has_gain], gain[has_gain]
    after = running(topic, gain)
    before = np.where(nth_of(topic) == 1, 0.0, np.concatenate([[0.0], after])[:-1])
    half = add_by(topic, gain, run.lists)[topic] / 2
    enough = half * (1 - 1e-12)  # sums of fractional gains round, and a hair's breadth must not skip a gap in the list
    halfway = np.flatnonzero((after >= enough) & (before < enough))
    value = np.full(run.lists, np.nan)
    value[topic[halfway]] = rank[halfway] - 0.5 + np.minimum((half[halfway] - before[halfway]) / gain[halfway], 1.0)
    return value


@measure(
    "gP",
    title="Generalised precision at k",
    source="Kekäläinen & Järvelin 2002a",
    formula="gP@k = Σ G[i] for i ≤ k / (k · highest gain)",
    unit="share of the highest gain",
    low=0,
    high=1,
    better="higher",
    empty="0",
    cutoff="required",
    ties="exact",
    bounds=ends,
    against="It is like precision with degrees of relevance, and has no discount.",
)
def generalised_precision(run: Graded, *, cutoff: int, gains: Gains) -> Floats:
    """Precision with degrees of relevance: the gain of the first k documents over k times the highest gain.

    The highest gain is that of any grade in the judgments. With binary gains it is P@k.

    Worked: gains 3 2 3 0 0 with 3 the highest: gP@5 = 8/15 = .5333.
    """
    return cumulated(run, gains, NO_DISCOUNT, cutoff) / (cutoff * highest_gain(run, gains))


@measure(
    "gR",
    title="Generalised recall at k",
    source="Kekäläinen & Järvelin 2002a",
    formula="gR@k = Σ G[i] for i ≤ k / Σ gain of all judged documents",
    unit="share of all gain",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    cutoff="required",
    ties="exact",
    bounds=corners,
    against="It is like recall with degrees of relevance, and has no discount.",
)
def generalised_recall(run: Graded, *, cutoff: int, gains: Gains) -> Floats:
    """Recall with degrees of relevance: the gain of the first k documents over all gain there is.

    With binary gains it is R@k. Undefined where nothing has a gain.

    Worked: gains 3 2 3 0 0 of a recall base 3 3 3 2 2 2 1 1 1 1: gR@5 = 8/19 = .4211.
    """
    whole = ideal_cumulated(run, gains, NO_DISCOUNT, "judged", None)
    return share(cumulated(run, gains, NO_DISCOUNT, cutoff), whole)


def highest_gain(run: Graded, gains: Gains) -> float:
    """The highest gain that a grade used by the judges has; 1 if none has any."""
    return float(gains.of_grades(run.scale).max(initial=0)) or 1.0


@measure(
    "CosRel",
    title="Relative relevance",
    source="Borlund & Ingwersen 1998; the cosine: Borlund 2000",
    formula="CosRel = Σ score·gain / (√Σ score² · √Σ gain²), over the documents retrieved",
    unit="cosine",
    low=-1,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    needs="scores",
    unbounded="it compares scores with judgments, and an unjudged document has none",
    against="It is a measure of association between kinds of relevance, not directly of performance; the ranked order "
    "of documents is not taken into account.",
)
def relative_relevance(run: Graded, *, gains: Gains) -> Floats:
    """How far the system's scores agree with the gains: the cosine of the two over the documents retrieved.

    (Their authors call it RR, which today means reciprocal rank.) Scores must be on a scale with a true zero;
    log-probabilities give nonsense. Undefined where no retrieved document has a gain, or all scores are 0. A run
    that has only an order has no scores to compare. Between two judges, give the second's grades as the run:
    `evaluate(one, other.to_dict(), "CosRel")` compares them on the documents that the second judged.

    Worked: scores 3 2 1 and gains 1 0 1: 4/(√14·√2) = .7559.
    """
    if run.score is None or run.length is None:
        what = f"CosRel compares scores with gains, and run {run.name} has only an order"
        raise ChoiceError(Problem("measure-needs-scores", what))
    if (run.length > LARGEST).any() or ((run.score != 0) & (run.length[run.list] < SMALLEST)).any():
        what = f"CosRel multiplies scores and gains, and those of run {run.name} are beyond {LARGEST:g} or {SMALLEST:g}"
        raise ChoiceError(Problem("measure-needs-scores", what, run.source.path, "divide all scores by one number"))
    gain = gains.of_grades(run.grade)
    product = add_by(run.list, run.score * gain, run.lists)
    length = run.length * np.sqrt(add_by(run.list, gain * gain, run.lists))
    return np.clip(share(product, length), -1.0, 1.0)
