"""Counts: how much was retrieved, is relevant, was judged. They say what other numbers rest on."""

from __future__ import annotations

import numpy as np

from gaincurve.measures.binary import TREC
from gaincurve.measures.cumulate import weighted
from gaincurve.measures.registry import measure
from gaincurve.measures.relevant import is_nonrelevant, relevant, share, total_relevant
from gaincurve.model.graded import Graded
from gaincurve.model.rows import Floats

COUNTS = "it counts what there is"


@measure(
    "NumRet",
    title="Documents retrieved",
    source=TREC,
    formula="NumRet = documents retrieved",
    unit="documents",
    low=0,
    high=None,
    better="neither",
    empty="defined",
    ties="exact",
    summary="sum",
    unbounded=COUNTS,
    elsewhere={"trec_eval": "num_ret, the sum over topics as here"},
)
def retrieved(run: Graded) -> Floats:
    """How many documents the run returned. Worked: the list 1 0 1 1 has NumRet = 4."""
    return run.retrieved.astype(np.float64)


@measure(
    "NumRel",
    title="Relevant documents",
    source=TREC,
    formula="NumRel = R, the relevant documents among the judged ones",
    unit="documents",
    low=0,
    high=None,
    better="neither",
    empty="0",
    ties="exact",
    summary="sum",
    unbounded=COUNTS,
    elsewhere={"trec_eval": "num_rel, the sum over topics as here"},
)
def number_relevant(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """How many documents were judged relevant. Worked: grades 0 1 2 2 have NumRel = 3, NumRel(only=1) = 1."""
    return total_relevant(run, rel, only).astype(np.float64)


@measure(
    "NumRelRet",
    title="Relevant documents retrieved",
    source=TREC,
    formula="NumRelRet = relevant documents retrieved",
    unit="documents",
    low=0,
    high=None,
    better="higher",
    empty="0",
    ties="exact",
    summary="sum",
    unbounded=COUNTS,
    elsewhere={"trec_eval": "num_rel_ret, the sum over topics as here"},
)
def relevant_retrieved(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """How many relevant documents the run returned. Worked: the list 1 0 1 1 has NumRelRet = 3."""
    return relevant(run, rel, only).found.astype(np.float64)


@measure(
    "NumNonrelRet",
    title="Documents retrieved that were judged not relevant",
    source=TREC,
    formula="NumNonrelRet = documents retrieved with a grade of 0 or above that is not relevant",
    unit="documents",
    low=0,
    high=None,
    better="lower",
    empty="defined",
    ties="exact",
    summary="sum",
    unbounded=COUNTS,
    elsewhere={"trec_eval": "num_nonrel_judged_ret"},
)
def nonrelevant_retrieved(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """How many documents the run returned that the judges found not relevant; negative grades are not counted.

    Worked: a list with grades 2, 0, unjudged, 0, −1 has NumNonrelRet = 2.
    """
    nonrelevant = is_nonrelevant(run.grade, rel, only)
    return np.bincount(run.list[nonrelevant], minlength=run.lists).astype(np.float64)


@measure(
    "Judged",
    title="Share of judged documents at k",
    source="ir_measures",
    formula="Judged@k = judged documents among the first k / min(k, documents retrieved)",
    unit="share of the documents read",
    low=0,
    high=1,
    better="neither",
    empty="defined; undefined where nothing was retrieved",
    cutoff="required",
    ties="exact",
    unbounded=COUNTS,
    elsewhere={"ir_measures": "Judged@k"},
)
def judged(run: Graded, *, cutoff: int) -> Floats:
    """The share of judged documents among the first k: how far other numbers can be trusted.

    Undefined where nothing was retrieved. The scenario says whether a negative grade is a judgment.

    Worked: a list of three documents, two of them judged, has Judged@10 = 2/3.
    """
    return share(_judged_at(run, cutoff), np.minimum(run.retrieved, cutoff))


def _judged_at(run: Graded, cutoff: int) -> Floats:
    """Judged documents among the first k; the expected number where ties are averaged."""
    return weighted(run, run.judged.astype(np.float64), np.ones, cutoff)


@measure(
    "Unjudged",
    title="Unjudged documents at k",
    source="trec_eval 10",
    formula="Unjudged@k = unjudged documents among the first k / k",
    unit="share of the documents read",
    low=0,
    high=1,
    better="neither",
    empty="defined",
    cutoff="required",
    ties="exact",
    unbounded=COUNTS,
    elsewhere={"trec_eval": "unj_k of 10.0; the ranks below a list shorter than k do not count as unjudged"},
)
def unjudged(run: Graded, *, cutoff: int) -> Floats:
    """The share of the first k ranks that hold an unjudged document: a warning about other numbers.

    Worked: a list of three documents, one of them unjudged, has Unjudged@10 = .1.
    """
    value: Floats = (np.minimum(run.retrieved, cutoff) - _judged_at(run, cutoff)) / cutoff
    return value
