"""Measures of a user who goes down the list and decides at every document whether to go on."""

from __future__ import annotations

import numpy as np

from gaincurve.measures.bounds import ends, refuse_topic_top
from gaincurve.measures.cumulate import weighted
from gaincurve.measures.registry import measure
from gaincurve.model.elementary import exp2, power
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.linear import Linear
from gaincurve.model.rows import WORKING, Floats, add_by, nth_of, running


def _top(values: Floats, scale: Floats, run: Graded, top: object) -> Floats:
    """What counts as full relevance in each topic; 1 where nothing is relevant.

    `values` are those of the recall base, `scale` those of all grades the judges used.
    """
    if top == "topic":
        full = np.zeros(run.lists)
        np.maximum.at(full, run.recall_base.topic, values)
    else:
        highest = float(scale.max(initial=0)) if top == "judgments" else float(str(top))
        full = np.full(run.lists, highest)
    return np.where(full > 0, full, 1.0)


def _relevance(run: Graded, gains: Gains, top: object) -> Floats:
    """The gain of each row as a share of the highest, at most 1."""
    highest = _top(gains.of_grades(run.recall_base.grade), gains.of_grades(run.scale), run, top)
    return np.minimum(gains.of_grades(run.grade) / highest[run.list], 1.0)


def _persistence(p: float, depth: int) -> Floats:
    return power(p, -np.arange(depth, dtype=np.float64))  # inf so far down that nobody gets there


def linear_rbp(*, cutoff: int | None, gains: Gains, p: float = 0.8, top: object = "judgments") -> Linear | None:
    """RBP to a cutoff as a sum over ranks; only where `top` is a number, because judging can raise any other."""
    if cutoff is None or top in ("judgments", "topic"):
        return None
    full = float(str(top))
    return Linear((1 - p) / _persistence(p, cutoff), lambda grade: np.minimum(gains.of_grades(grade) / full, 1.0))


def _rbp_bounds(
    run: Graded, *, cutoff: int | None, gains: Gains, p: float = 0.8, top: object = "judgments"
) -> tuple[Floats, Floats]:
    """RBP, and RBP with its residual."""
    refuse_topic_top(top)
    low = rank_biased_precision(run, cutoff=cutoff, gains=gains, p=p, top=top)
    return low, np.minimum(low + rank_biased_residual(run, cutoff=cutoff, p=p), 1.0)


@measure(
    "RBP",
    title="Rank-biased precision",
    source="Moffat & Zobel 2008",
    formula="RBP = (1 − p) · Σ p^(i−1) · G[i]/highest gain",
    unit="rate of gain",
    low=0,
    high=1,
    better="higher",
    empty="0",
    ties="exact",
    bounds=_rbp_bounds,
    linear=linear_rbp,
    spellings={("rel", grade): {"gains": f"binary(rel={grade})"} for grade in range(1, 6)},
    elsewhere={
        "trec_eval": "rbp of 10.0: p = 0.9, gains scaled to the topic's top grade (there it reads "
        "uninitialised memory)",
        "ir_measures": "RBP(p=0.8, rel=1) is binary, and read here as RBP(gains='binary')",
    },
)
def rank_biased_precision(
    run: Graded, *, cutoff: int | None = None, gains: Gains, p: float = 0.8, top: object = "judgments"
) -> Floats:
    """The rate of gain of a user who reads on to the next document with probability p.

    The sum never ends, so a list of n documents leaves a residual that RBPResidual gives and --unjudged bounds adds:
    the value could be anything between RBP and RBP plus residual. With p = .8 the user reads five documents on average.

    Worked: the list 1 0 1 with p = .8 has RBP = .2·(1 + .64) = .328.
    """
    return (1 - p) * weighted(run, _relevance(run, gains, top), lambda depth: _persistence(p, depth), cutoff)


@measure(
    "RBPResidual",
    title="Residual of rank-biased precision",
    source="Moffat & Zobel 2008",
    formula="RBPResidual = 1 − (1 − p) · Σ p^(i−1) over judged documents",
    unit="rate of gain",
    low=0,
    high=1,
    better="lower",
    empty="defined",
    ties="exact",
    unbounded="it is itself the width of the bounds of RBP",
    elsewhere={"trec_eval": "rbp_resid of 10.0, p = 0.9"},
)
def rank_biased_residual(run: Graded, *, cutoff: int | None = None, p: float = 0.8) -> Floats:
    """How much RBP could still rise: the weight of unjudged documents and of everything below the end of the list.

    A large residual says that the judgments, or the list, are too short for this p.

    Worked: three judged documents with p = .8 leave .8³ = .512.
    """
    judged = weighted(run, run.judged.astype(np.float64), lambda depth: _persistence(p, depth), cutoff)
    return 1.0 - (1 - p) * judged


@measure(
    "ERR",
    title="Expected reciprocal rank",
    source="Chapelle, Metzler, Zhang & Grinspan 2009",
    formula="ERR = Σ 1/i · s[i] · Π over j < i (1 − s[j]), with s = (2^grade − 1)/2^top",
    unit="expected 1 / rank",
    low=0,
    high=1,
    better="higher",
    empty="0",
    ties="refused",
    first_ranks=True,
    bounds=ends,
    elsewhere={"gdeval": "ERR@20 with top = 4", "ir_measures": "ERR@k calls gdeval: ERR(top=4)@k"},
)
def expected_reciprocal_rank(run: Graded, *, cutoff: int | None = None, top: object = "judgments") -> Floats:
    """The expected reciprocal rank at which the user is satisfied and stops, when better documents satisfy sooner.

    A document counts less the better those above it are. The highest grade decides how likely a document satisfies:
    unless given it is the highest in the judgments, so name it (top=4) to compare collections.

    Worked: grades 3 0 1 with top = 3: s = 7/8, 0, 1/8, so ERR = 7/8 + 1/3·1/8·1/8 = .8802.
    """
    grades = np.maximum(run.recall_base.grade, 0.0)
    highest = _top(grades, np.maximum(run.scale, 0.0), run, top)
    relevant = run.grade > 0 if cutoff is None else (run.grade > 0) & (run.rank <= cutoff)
    topic, rank = run.list[relevant], run.rank[relevant]
    grade, full = run.grade[relevant], highest[topic]
    satisfied = np.minimum(exp2(np.minimum(grade - full, 0.0)) - exp2(-full), 1.0)  # (2^grade − 1)/2^top
    satisfied[grade > full] = 1.0
    reading = running(topic, 1.0 - satisfied, np.multiply)
    arrived = np.ones(len(topic))
    arrived[1:] = np.where(nth_of(topic)[1:] > 1, reading[:-1], 1.0)
    return add_by(topic, satisfied * arrived / rank, run.lists)


@measure(
    "INST",
    title="INST",
    source="Moffat, Bailey, Scholer & Thomas 2015",
    formula="INST = Σ w[i]·r[i] / Σ w[i], w[i+1] = w[i]·((i + T + T[i] − 1)/(i + T + T[i]))², T[i] = T − Σ r to i",
    unit="rate of gain",
    low=0,
    high=1,
    better="higher",
    empty="0",
    ties="refused",
    unbounded="its weights depend on what was found before",
    spellings={("max_rel", grade): {"top": grade} for grade in range(1, 6)},
    elsewhere={"ir_measures": "INST(T=…), there summed to a limited depth; here to infinity"},
)
def inst(run: Graded, *, gains: Gains, T: float = 1, top: object = "judgments") -> Floats:
    """The rate of gain of a user who hopes for T relevant documents and becomes less patient with each one found.

    The sum over ranks goes on for ever; below the end of the list nothing is gained, and weights are summed exactly.

    Worked: T = 1 and one relevant document at rank 1: w[i] = 1/i², so INST = 1/(π²/6) = .6079.
    """
    from scipy.special import zeta  # noqa: PLC0415 -- scipy only where it is needed

    relevance = _relevance(run, gains, top)
    value = np.zeros(run.lists)
    batch = max(1, WORKING // max(1, int(run.retrieved.max(initial=0))))
    for start in range(0, run.lists, batch):
        part = slice(start, min(start + batch, run.lists))
        length = run.retrieved[part]
        depth = int(length.max(initial=0))
        rows = (run.list >= part.start) & (run.list < part.stop)
        gained = np.zeros((len(length), depth + 1))
        gained[run.list[rows] - part.start, run.rank[rows] - 1] = relevance[rows]
        denominator = np.arange(1, depth + 2) + 2 * T - np.cumsum(gained, axis=1)
        weight = np.ones((len(length), depth + 1))
        np.cumprod(((denominator - 1) / denominator)[:, :-1] ** 2, axis=1, out=weight[:, 1:])
        inside = np.arange(depth + 1) < length[:, None]
        end = (np.arange(len(length)), length)
        beyond = denominator[end] - 1  # below the end the weights fall as 1/(beyond + 0, 1, 2, …)²
        whole = np.cumsum(weight * inside, axis=1)[:, -1] + weight[end] * beyond**2 * zeta(2, beyond)
        value[part] = np.cumsum(weight * gained * inside, axis=1)[:, -1] / whole
    return value
