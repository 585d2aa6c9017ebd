"""Measures of subtopics: a topic has several aspects, and a second document on the same one adds nothing."""

from __future__ import annotations

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.registry import measure
from gaincurve.measures.relevant import share
from gaincurve.model.graded import Graded
from gaincurve.model.rows import Floats
from gaincurve.model.subtopics import Subtopics


@measure(
    "InstanceRecall",
    title="Instance recall at k",
    source="Over 1999 (TREC interactive track); Zhai, Cohen & Lafferty 2003 (subtopic recall)",
    formula="InstanceRecall@k = distinct subtopics covered by the first k documents / all subtopics",
    unit="share of the subtopics",
    low=0,
    high=1,
    better="higher",
    empty="undefined",
    cutoff="required",
    ties="exact",
    needs="subtopics",
    unbounded="an unjudged document could cover any of the subtopics, or a new one",
    aliases=("SubtopicRecall", "StRecall"),
    against="The 2002 paper names it as what handles overlapping documents, and adds that n(D)CG may in principle "
    "serve for that, too.",
    elsewhere={"ndeval": "strec@k, over the subtopics for which a document was judged relevant, as here"},
)
def instance_recall(run: Graded, *, cutoff: int, rel: float = 1) -> Floats:
    """Of the subtopics (instances, aspects) of a topic, the share that the first k documents cover.

    Needs judgments by subtopic, e.g. TREC diversity qrels, whose second column names it. A subtopic without a relevant
    document does not count. Undefined where a topic has none. With ties averaged it is the expected share, exactly.

    Worked: subtopics a b c; documents cover {a}, {a}, {b, c}: InstanceRecall@2 = 1/3, @3 = 1.
    """
    if run.subtopics is None:
        raise ChoiceError(Problem("measure-needs-subtopics", "InstanceRecall needs judgments by subtopic"))
    covering = _relevant_for(run.subtopics, rel)
    missed = _missed(run, covering, cutoff)
    known = np.zeros(len(missed), dtype=bool)
    known[covering.subtopic] = True
    topic_of = np.zeros(len(missed), dtype=np.int64)
    topic_of[covering.subtopic] = covering.topic
    total = np.bincount(topic_of[known], minlength=run.lists)
    covered = np.bincount(topic_of[known], weights=(1.0 - missed)[known], minlength=run.lists)
    return share(covered, total)


def _relevant_for(subtopics: Subtopics, rel: float) -> Subtopics:
    relevant = subtopics.grade >= rel
    return Subtopics(*(column[relevant] for column in vars(subtopics).values()))


def _missed(run: Graded, covering: Subtopics, cutoff: int) -> Floats:
    """For each subtopic the probability that none of its documents is among the first k: 0 or 1 without ties."""
    place = np.full(int(max(covering.judgment.max(initial=-1), run.judgment.max(initial=-1))) + 1, -1, dtype=np.int64)
    place[run.judgment] = np.arange(len(run.judgment))
    row = place[covering.judgment]
    subtopic, row = covering.subtopic[row >= 0], row[row >= 0]
    first, last = (run.first, run.last) if run.spread else (run.rank, run.rank)
    missed = np.ones(int(covering.subtopic.max(initial=-1)) + 1)
    missed[subtopic[last[row] <= cutoff]] = 0.0
    split = (first[row] <= cutoff) & (last[row] > cutoff)  # at most one block of a topic ends beyond the cutoff
    covers = np.bincount(subtopic[split], minlength=len(missed))
    size, within = np.ones(len(missed)), np.zeros(len(missed))
    size[subtopic[split]] = (last - first + 1)[row[split]]
    within[subtopic[split]] = cutoff - first[row[split]] + 1
    for i in range(int(covers.max(initial=0))):
        missed = np.where(i < covers, missed * np.maximum(size - within - i, 0) / np.maximum(size - i, 1), missed)
    return missed
