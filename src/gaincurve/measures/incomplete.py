"""Measures made for incomplete judgments: they look at judged documents only, or estimate what the others are."""

from __future__ import annotations

import numpy as np

from gaincurve.measures.registry import measure
from gaincurve.measures.relevant import is_nonrelevant, is_relevant, share, total_nonrelevant, total_relevant
from gaincurve.model.graded import Graded
from gaincurve.model.rows import Floats, add_by, running

EPSILON = 1e-5
BY_DESIGN = "it is designed to need no judgments of these documents"


@measure(
    "bpref",
    title="Binary preference",
    source="Buckley & Voorhees 2004, trec_eval",
    formula="bpref = Σ over relevant retrieved (1 − min(n, R)/min(N, R)) / R, n judged non-relevant ranked above, "
    "N all of them",
    unit="share of preferences",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="refused",
    unbounded=BY_DESIGN,
    elsewhere={"trec_eval": "bpref, 0 where nothing is relevant; negative grades are skipped, as here"},
)
def binary_preference(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """How often a relevant document is ranked above documents that were judged not relevant.

    Unjudged documents, and those of negative grade (pooled but not judged), are skipped, so incomplete judgments
    harm it less than AP. Only the first R judged non-relevant documents count.

    Worked: the judged documents of a list are 0 1 1 0, with R = 2 and N = 2: (½ + ½)/2 = .5.
    """
    nonrelevant = is_nonrelevant(run.grade, rel, only)
    above = running(run.list, nonrelevant.astype(np.float64))
    relevant = is_relevant(run.grade, rel, only)
    topic, above = run.list[relevant], above[relevant]
    total = total_relevant(run, rel, only)
    fewer = np.minimum(total_nonrelevant(run, rel, only), total)
    preference = np.where(above > 0, 1.0 - np.minimum(above, total[topic]) / np.maximum(fewer[topic], 1), 1.0)
    return share(add_by(topic, preference, run.lists), total)


@measure(
    "infAP",
    title="Inferred average precision",
    source="Yilmaz & Aslam 2006, trec_eval",
    formula="infAP = Σ over relevant retrieved at k: 1/k + (k−1)/k · pooled/(k−1) · (r + ε)/(r + n + 2ε), / R",
    unit="estimated mean of precisions",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    ties="refused",
    unbounded=BY_DESIGN,
    elsewhere={"trec_eval": "infAP, with ε = 0.00001 as here"},
)
def inferred_average_precision(run: Graded, *, rel: float = 1, only: float | None = None) -> Floats:
    """Average precision estimated from a sample of judgments.

    Negative grades mark documents that were pooled but not judged: they are taken to be relevant in the proportion of
    those judged. With complete judgments it is AP, but for the small ε.

    Worked: with every document of the list 1 0 1 judged and R = 2, infAP = (1 + 2/3)/2 = .8333 but for ε.
    """
    relevant, nonrelevant = is_relevant(run.grade, rel, only), is_nonrelevant(run.grade, rel, only)
    relevant = relevant & (run.grade >= 0)
    r, n, pooled = (running(run.list, part.astype(np.float64)) for part in (relevant, nonrelevant, run.grade < 0))
    topic, above = run.list[relevant], run.rank[relevant] - 1.0
    r, n, pooled = r[relevant] - 1, n[relevant], pooled[relevant]
    inside = np.divide(r + n + pooled, above, out=np.zeros(len(above)), where=above > 0)
    estimate = 1 / (above + 1) + above / (above + 1) * inside * ((r + EPSILON) / (r + n + 2 * EPSILON))
    sums = add_by(topic, np.where(above == 0, 1.0, estimate), run.lists)
    return share(sums, total_relevant(run, rel, only))
