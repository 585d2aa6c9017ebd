"""Measures of a result as a set: the order does not matter, only what is in it."""

from __future__ import annotations

import math

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.binary import SLIDES, TREC
from gaincurve.measures.bounds import corners, ends
from gaincurve.measures.registry import measure
from gaincurve.measures.relevant import relevant, share
from gaincurve.model.graded import Graded
from gaincurve.model.rows import Floats


@measure(
    "SetP",
    title="Precision of the result set",
    source=SLIDES,
    formula="SetP = relevant documents retrieved / documents retrieved",
    unit="share of the documents retrieved",
    low=0,
    high=1,
    better="higher",
    empty="0; undefined where nothing was retrieved",
    ties="exact",
    bounds=ends,
    elsewhere={"trec_eval": "set_P, 0 where nothing was retrieved"},
)
def set_precision(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """Of all documents retrieved, the share that is relevant.

    A user who reads the whole result in no particular order. Undefined where nothing was retrieved.

    Worked: the list 1 0 1 1 1 1 0 0 0 1 has SetP = .6.
    """
    return share(relevant(run, rel, only).found, run.retrieved)


@measure(
    "SetR",
    title="Recall of the result set",
    source=SLIDES,
    formula="SetR = relevant documents retrieved / all relevant documents",
    unit="share of the relevant documents",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    bounds=corners,
    elsewhere={"trec_eval": "set_recall, 0 where nothing is relevant"},
)
def set_recall(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """Of all relevant documents known, the share that was retrieved.

    It is trivial to reach 1 by returning the whole collection. Undefined where nothing is relevant.

    Worked: the list 1 0 0 0 0 1 0 0 0 1 with four relevant documents has SetR = .75.
    """
    hits = relevant(run, rel, only)
    return share(hits.found, hits.total)


@measure(
    "SetF",
    title="F-measure of the result set",
    source=SLIDES,
    formula="SetF = (β² + 1)·P·R / (β²·P + R), with β² = (1 − α)/α",
    unit="weighted harmonic mean of precision and recall",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    bounds=corners,
    elsewhere={
        "trec_eval": "set_F.x: x is β², so set_F.0.5 is SetF(beta=0.7071067811865476); 0 where undefined",
        "ir_measures": "SetF(beta=2) hands its beta to trec_eval as x, so it is β² there: the same number here is "
        "SetF(beta=1.4142135623730951); only beta=1 agrees",
    },
)
def set_f(
    run: Graded, *, rel: float = 1, only: float | None = None, beta: float = 1, alpha: float | None = None
) -> Floats:
    """One number for precision and recall; the harmonic mean punishes the worse of the two.

    With β above 1 recall counts more, below 1 precision. Undefined where precision or recall is; 0 where nothing
    relevant was retrieved.

    Worked: precision .94 and recall .26 give F = .4073 (the slides print .40), .99 and .92 give .9537 (.95).
    """
    return weighted_f(run, _squared(beta) if alpha is None else (1 - alpha) / alpha, rel, only)


def weighted_f(run: Graded, weight: float, rel: float, only: float | None) -> Floats:
    """The F-measure by its weight β²; nan where precision or recall is."""
    hits = relevant(run, rel, only)
    precision, recall = share(hits.found, run.retrieved), share(hits.found, hits.total)
    above, below = (weight + 1) * precision * recall, weight * precision + recall
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((hits.found == 0) & ~np.isnan(below), 0.0, above / below)


def _squared(beta: float) -> float:
    """β², of a root as the number whose root it is: that of .7071067811865476 is .5, not .5000000000000001."""
    square = beta * beta
    plain = float(f"{square:.15g}")
    return plain if math.sqrt(plain) == beta else square


@measure(
    "Fallout",
    title="Fallout",
    source=SLIDES,
    formula="Fallout = non-relevant documents retrieved / all non-relevant documents (N − R)",
    unit="share of the non-relevant documents",
    low=0,
    high=1,
    better="lower",
    empty="defined",
    ties="exact",
    bounds=corners,
)
def fallout(run: Graded, *, N: int, rel: float = 1, only: float | None = None) -> Floats:
    """Of all documents that are not relevant, the share that was retrieved: the false positive rate.

    In a large collection it is tiny for every system. An unjudged document counts as not relevant. Undefined where
    every document of the collection is relevant.

    Worked: four documents that are not relevant retrieved from a collection of 100 with six relevant: 4/94 = .0426.
    """
    hits = relevant(run, rel, only)
    check_collection(run, N)
    return share(run.retrieved - hits.found, N - hits.total)


def check_collection(run: Graded, size: int) -> None:
    """Refuse a collection smaller than what is known to be in it."""
    judged = np.bincount(run.recall_base.topic, minlength=run.lists)
    both = np.bincount(run.list, minlength=run.lists)
    known = int((run.retrieved + judged - both).max(initial=0))
    if size < known:
        what = f"N={size} is less than the {known} documents that were retrieved or judged for one topic"
        raise ChoiceError(Problem("measure-parameter", what))


@measure(
    "SetAP",
    title="Average precision of the result set",
    source=TREC,
    formula="SetAP = SetP · SetR",
    unit="precision × recall",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    bounds=corners,
    elsewhere={"trec_eval": "set_map, 0 where undefined"},
)
def set_average_precision(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """Average precision without an order: every relevant document retrieved has the precision of the set.

    Undefined where nothing was retrieved or nothing is relevant.

    Worked: the list 1 0 0 0 0 1 0 0 0 1 with four relevant documents has SetAP = .3 · .75 = .225.
    """
    hits = relevant(run, rel, only)
    return share(hits.found * hits.found, run.retrieved * hits.total)


@measure(
    "SetRelP",
    title="Precision of the result set relative to the best possible",
    source=TREC,
    formula="SetRelP = relevant documents retrieved / min(documents retrieved, R)",
    unit="share of the best possible",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="exact",
    bounds=corners,
    elsewhere={"trec_eval": "set_relative_P, 0 where undefined"},
)
def set_relative_precision(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """The relevant documents retrieved over as many as a set of that size could hold.

    Undefined where nothing was retrieved or nothing is relevant.

    Worked: the list 1 0 0 0 0 1 0 0 0 1 with four relevant documents has SetRelP = 3/4.
    """
    hits = relevant(run, rel, only)
    return share(hits.found, np.minimum(run.retrieved, hits.total))


@measure(
    "Utility",
    title="Utility of the result set",
    source=TREC,
    formula="Utility = a·(relevant retrieved) + b·(non-relevant retrieved) + c·(relevant missed) + d·(the rest)",
    unit="worth",
    low=None,
    high=None,
    better="higher",
    empty="defined",
    ties="exact",
    unbounded="its worths may have any sign",
    elsewhere={"trec_eval": "utility.a,b,c,d; the number of documents comes from -N, 0 unless given"},
)
def utility(
    run: Graded,
    *,
    rel: float = 1,
    only: float | None = None,
    N: int | None = None,
    a: float = 1,
    b: float = -1,
    c: float = 0,
    d: float = 0,
) -> Floats:
    """What the result is worth if each of the four kinds of documents has a worth; 1, −1, 0, 0 unless given.

    Topics with many documents dominate the mean. `d` needs N, the size of the collection.

    Worked: the list 1 0 1 1 1 1 0 0 0 1 has Utility = 6 − 4 = 2.
    """
    if d and N is None:
        raise ChoiceError(Problem("measure-parameter", f"Utility(d={d}) needs N, the size of the collection"))
    hits = relevant(run, rel, only)
    rest = (N or 0) + hits.found - run.retrieved - hits.total
    value: Floats = a * hits.found + b * (run.retrieved - hits.found) + c * (hits.total - hits.found) + d * rest
    return value.astype(np.float64)
