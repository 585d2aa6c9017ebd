"""The measures of whole sessions: sDCG and nsDCG of the 2008 paper, and those that others built beside them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.bounds import NO_DISCOUNT, ends
from gaincurve.measures.grid import Grid, SessionGains, ratio, session_gains
from gaincurve.measures.paths import expected_ndcg
from gaincurve.measures.registry import measure
from gaincurve.model.discount import Discount
from gaincurve.model.elementary import power
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.instances import Instances
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.sessions.rules import SessionRules

PAPER = "Järvelin, Price, Delcambre & Nielsen 2008"
JIANG = "session_metrics.py of Jiang & Allan (CHIIR 2016)"
READ_RULES = ("scan", "empty_lists", "repeats")
SUM_RULES = ("query_discount", "bq", "rank_scope", "pad", *READ_RULES)
GAIN_RULES = (*SUM_RULES, "unjudged_queries")
IDEAL_RULES = (*GAIN_RULES, "normalise", "ideal", "horizon")
QUERY_SCORES = ("first", "last", "best", "queries")
"""What `score` takes of the queries' own scores, each cumulated from its own first rank."""
IN_THE_IDEAL = "a document found relevant would enter the ideal list of every query on its topic"


def by_session(gained: SessionGains, values: Callable[[Grid], Floats]) -> Floats:
    """One value per session, computed some sessions at a time."""
    scores = np.full(gained.sessions, np.nan)
    for grid in gained.grids():
        scores[grid.start : grid.stop] = values(grid)
    return scores


def final_sides(
    run: Graded, *, cutoff: int, gains: Gains, discount: Discount, session: SessionRules, **_: object
) -> tuple[Floats, Floats]:
    """S and I at the end of each session."""
    return _final_sides(session_gains(run, gains, discount, cutoff, session))


def _final_sides(gained: SessionGains) -> tuple[Floats, Floats]:
    actual = by_session(gained, lambda grid: grid.at_end(grid.cumulated(grid.own(grid.gain))))
    return actual, by_session(gained, lambda grid: grid.at_end(grid.cumulated(grid.own(grid.ideal()))))


def normalised(grid: Grid) -> tuple[Floats, NDArray[np.bool_]]:
    """nsDCG at every cell, nan where undefined, and where it is defined: where the ideal has gained something."""
    own = grid.own(grid.gain)
    if grid.choices.rules.normalise == "concat":
        best = grid.cumulated(grid.own(grid.ideal()))
        values, defined = ratio(grid.cumulated(own), best), best > 0
    else:
        best = grid.own(grid.best_list())
        share = np.divide(own, best, out=np.zeros_like(own), where=best > 0)
        defined = grid.cumulated(best) > 0
        values = np.where(defined, grid.cumulated(share), np.nan)
    if grid.choices.rules.unjudged_queries != "zero":
        return values, defined
    nothing = grid.cumulated(np.broadcast_to((grid.topic >= 0)[:, None], own.shape).astype(np.float64)) == 0
    return np.where(nothing, 0.0, values), defined | nothing  # no query so far is judged: 0 as each of them is


def own_scores(grid: Grid, relative: bool) -> Floats:
    """Each query's own DCG@X, or nDCG@X (nan where its topic has nothing to gain); those not judged by their rule."""
    own = grid.own(grid.gain)[:, -1]
    own = ratio(own, grid.own(grid.best_list())[:, -1]) if relative else own
    unjudged = 0.0 if grid.choices.rules.unjudged_queries == "zero" else np.nan
    return np.where(grid.topic >= 0, own, unjudged)


def one_query(run: Graded, gained: SessionGains, which: str, relative: bool) -> Floats:
    """The own score of the first, last or best query of each session, or the mean of all its queries' own scores."""
    if run.spread and which == "best":
        what = "the best query of the expected gains is not the expected best query: score='best' needs one order"
        raise ChoiceError(Problem("measure-no-ties", what))

    def chosen(grid: Grid) -> Floats:
        own = own_scores(grid, relative)
        nonempty = grid.lengths > 0
        known = grid.issued & ~np.isnan(own)
        if which == "queries":
            sums = np.bincount(grid.session[known], weights=own[known], minlength=grid.sessions)
            return ratio(
                sums.astype(np.float64), np.bincount(grid.session[known], minlength=grid.sessions).astype(np.float64)
            )
        if which == "best":
            best = np.full(grid.sessions, -np.inf)
            np.maximum.at(best, grid.session[known], own[known])
            return np.where(np.isinf(best), np.nan, best)
        rows = grid.offsets[:-1] + (0 if which == "first" else grid.lengths - 1)
        return np.where(nonempty, own[np.where(nonempty, rows, 0)] if len(own) else np.nan, np.nan)

    return by_session(gained, chosen)


@measure(
    "sDCG",
    title="Session-based discounted cumulated gain",
    source=f"{PAPER}, formula (1) and section 3.3",
    ties="exact",
    bounds=ends,
    formula="S = Σ_q c(q) · Σ_{r≤X} G[q,r]/D(r), c(q) = 1/(1 + log_bq q), D(r) = 1 + log_b r",
    unit="discounted gain",
    better="higher",
    low=0,
    high=None,
    empty="0",
    rules=GAIN_RULES,
    over_ranks=True,
    elsewhere={JIANG: "class SDCG: gains 2^g − 1 and the discounts kanoulas2011 for ranks and queries: "
               "sDCG(gains='exp2', discount='kanoulas2011', query_discount='kanoulas2011')"},
)  # fmt: skip
def sdcg(
    run: Graded, *, cutoff: int, gains: Gains, discount: Discount, session: SessionRules, score: str = "final"
) -> Floats:
    """What a user gained in a session: late documents count for less, and so do those of late queries.

    It grows with every query that finds anything, so a longer session is never worse: read it beside the number of
    queries, or take nsDCG or sDCG/q. Topics with more to gain weigh more in the mean.

    Worked: lists 3 2 3 0 0 1 2 2 3 0, then 2 3 1, then nothing, then 1 0 3, with b=2, bq=4, X=10 give
    7.1842 + .6667·3.8869 + 0 + .5·2.1606 = 10.8558.
    """
    gained = session_gains(run, gains, discount, cutoff, session)
    if score in QUERY_SCORES:
        return one_query(run, gained, score, relative=False)
    if score == "average":

        def mean(grid: Grid) -> Floats:
            judged = np.where(grid.topic[:, None] >= 0, grid.gain, 0.0)  # bounds open no query that is left out
            values = grid.cumulated(grid.own(judged))
            return grid.mean_of_open(values, np.ones(values.shape, dtype=bool))

        return by_session(gained, mean)
    return by_session(gained, lambda grid: grid.at_end(grid.cumulated(grid.own(grid.gain))))


@measure(
    "nsDCG",
    title="Normalised session-based discounted cumulated gain",
    source=f"{PAPER}, section 3.3",
    ties="exact",
    unbounded=IN_THE_IDEAL,
    formula="nsDCG = S / I, I the same sum for the ideal session; = Σ_q c(q)·nDCG_q@X / Σ_q c(q) with the defaults",
    unit="share of the ideal session",
    better="higher",
    low=0,
    high=1,
    empty="undefined",
    rules=IDEAL_RULES,
    sides=final_sides,
    over_ranks=True,
    normalised=True,
    elsewhere={JIANG: "class NSDCG: as its SDCG, over a session in which every query returns the ideal list: "
               "nsDCG(gains='exp2', discount='kanoulas2011', query_discount='kanoulas2011')"},
)  # fmt: skip
def nsdcg(
    run: Graded, *, cutoff: int, gains: Gains, discount: Discount, session: SessionRules, score: str = "final"
) -> Floats:
    """The share of what an ideal session with as many queries would have gained.

    A session that stops after one good query scores higher than one that goes on with worse ones, even if the second
    found more: by default the ideal has the session's own number of queries (see horizon). Undefined where the topic
    has nothing to gain.

    Worked: the session of sDCG with recall base 3 3 3 2 2 2 1 1 1 1 gives 10.8558 / 23.0797 = .4704.
    """
    gained = session_gains(run, gains, discount, cutoff, session)
    if score in QUERY_SCORES:
        return one_query(run, gained, score, relative=True)
    if score == "average":
        return by_session(gained, lambda grid: grid.mean_of_open(*normalised(grid)))
    if gained.choices.rules.normalise == "concat":
        return ratio(*_final_sides(gained))

    def ends(grid: Grid) -> Floats:
        values, defined = normalised(grid)
        return np.where(grid.at_end(defined.astype(np.float64)) > 0, grid.at_end(values), np.nan)

    return by_session(gained, ends)


@measure(
    "sDCG/q",
    title="sDCG per query",
    source="Jiang & Allan 2016",
    ties="exact",
    bounds=ends,
    formula="sDCG / number of queries",
    unit="discounted gain per query",
    better="higher",
    low=0,
    high=None,
    empty="0",
    rules=SUM_RULES,
    elsewhere={JIANG: "class SDCGQ, on its SDCG"},
)
def sdcg_per_query(run: Graded, *, cutoff: int, gains: Gains, discount: Discount, session: SessionRules) -> Floats:
    """sDCG divided by the number of queries, as a simple correction for its bias towards long sessions.

    It punishes every further query, whatever it finds, unjudged queries included.

    Worked: the session of sDCG has 4 queries: 10.8558 / 4 = 2.7139.
    """
    gained = session_gains(run, gains, discount, cutoff, session)
    whole = sdcg(run, cutoff=cutoff, gains=gains, discount=discount, session=session)
    return ratio(whole, np.bincount(gained.session, minlength=gained.sessions).astype(np.float64))


@measure(
    "esNDCG",
    title="Expected session nDCG",
    source="Kanoulas, Carterette, Clough & Sanderson 2011; paths as in Jiang & Allan 2016",
    ties="exact",
    unbounded=IN_THE_IDEAL,
    formula="Σ over paths of P(path) · DCG(path) / DCG(ideal list as long as the path)",
    unit="share of the ideal, expected",
    better="higher",
    low=0,
    high=None,
    empty="undefined",
    rules=READ_RULES,
    chosen={"discount": "log"},
    elsewhere={JIANG: "class ESNDCG: the same expectation estimated from random paths, with gains 2^g − 1: "
               "esNDCG(gains='exp2')"},
)  # fmt: skip
def esndcg(
    run: Graded,
    *,
    cutoff: int,
    gains: Gains,
    discount: Discount,
    session: SessionRules,
    p_down: float = 0.7,
    p_reform: float = 0.9,
) -> Floats:
    """The nDCG a user can expect who leaves lists early and may stop after any query.

    All documents on a path are discounted by their place on the path. A document can be met twice and counts twice
    unless repeats='first', so values above 1 are possible. Lists are as long as they are, whatever `pad` says.

    Worked: the session of sDCG at p_down=.7, p_reform=.9 gives .856285.
    """
    gained = session_gains(run, gains, discount, cutoff, session)
    several = (
        gained.topic != gained.topic[gained.offsets[gained.session]] if len(gained.topic) else np.zeros(0, dtype=bool)
    )
    if several.any():
        what = "esNDCG holds a path against one ideal list, and some sessions are judged on several topics"
        raise ChoiceError(Problem("session-choices", what, hint="use sDCG or nsDCG for sessions judged query by query"))
    return expected_ndcg(gained, discount, p_down, p_reform)


@measure(
    "sRBP",
    title="Session rank-biased precision",
    source="Lipani, Carterette & Yilmaz 2019",
    ties="exact",
    bounds=ends,
    formula="(1−p) Σ_m ((p−bp)/(1−bp))^(m−1) Σ_n (bp)^(n−1) G[m,n]",
    unit="expected gain per step",
    better="higher",
    low=0,
    high=1,
    empty="0",
    rules=READ_RULES,
    chosen={"gains": "binary"},
)
def srbp(run: Graded, *, cutoff: int, gains: Gains, session: SessionRules, p: float = 0.9, b: float = 0.75) -> Floats:
    """The rate of gain for a user who goes on with probability p, and then down the list with probability b or to the
    next query.

    Gains should lie between 0 and 1; all relevant documents gain 1 unless the brackets say otherwise. With b=1 only
    the first query counts, and it is RBP. Nothing is normalised: a topic with two relevant documents cannot reach 1.

    Worked: the session of sDCG at p=.9, b=.75 with binary gains gives .4430.
    """
    gained = session_gains(run, gains, NO_DISCOUNT, cutoff, session)
    query, rank = gained.position[gained.query] - 1, gained.rank - 1
    arrives = power((p - b * p) / (1 - b * p), np.arange(int(query.max(initial=0)) + 1))
    weight = arrives[query] * power(b * p, np.arange(int(rank.max(initial=0)) + 1))[rank]
    sums = np.bincount(gained.session[gained.query], weights=weight * gained.gain, minlength=gained.sessions)
    return (1 - p) * sums.astype(np.float64)


@measure(
    "sIR",
    title="Session instance recall",
    source="Over 1999 (TREC-7 interactive track)",
    formula="instances covered by relevant documents among the first X of any query / instances of the topic",
    unit="share of the instances",
    better="higher",
    low=0,
    high=1,
    empty="undefined",
    rules=("scan",),
    chosen={"gains": "binary"},
    needs="subtopics",
    ties="refused",
    unbounded="an unjudged document could cover any of the subtopics, or a new one",
)
def instance_recall(run: Graded, *, cutoff: int, gains: Gains, session: SessionRules) -> Floats:
    """The share of a topic's instances (subtopics) that the session has shown.

    Early and late, first and last query count the same: sDCG was designed to go beyond that.

    Worked: a topic with 4 subtopics; the first query shows documents on subtopics 1 and 2, the second on 2 and 3: .75.
    """
    if run.judgments.subtopics is None:
        raise ChoiceError(Problem("measure-needs-subtopics", "sIR needs judgments by subtopic"))
    instances = Instances.of_subtopics(run.judgments.subtopics)
    gained = session_gains(run, gains, NO_DISCOUNT, cutoff, session)
    useful = np.flatnonzero(gained.gain > 0)
    place, instance = instances.covered_by(gained.judgment[useful])
    total = max(1, len(instances.topic))
    seen = distinct(gained.session[gained.query[useful]][place].astype(np.int64) * total + instance)
    covered = np.bincount(seen // total, minlength=gained.sessions)
    sizes = np.bincount(instances.topic, minlength=len(run.judgments.topics))
    judged = np.flatnonzero(gained.topic >= 0)
    topics = max(1, len(sizes))
    pairs = distinct(gained.session[judged].astype(np.int64) * topics + gained.topic[judged])
    coverable = np.bincount(pairs // topics, weights=sizes[pairs % topics], minlength=gained.sessions)
    return ratio(covered.astype(np.float64), coverable.astype(np.float64))
