"""Runs side by side: named, ranked by one rule, and their documents with the grades that judges gave."""

from __future__ import annotations

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.model.graded import look_up
from gaincurve.model.ids import Ids
from gaincurve.model.judgments import Judgments
from gaincurve.model.lists import Lists
from gaincurve.model.lookup import places
from gaincurve.model.rows import Floats
from gaincurve.model.run import Run
from gaincurve.verbs.experiment import each_run, refuse_names_twice


def named_runs(runs: object, ties: str = "trec") -> list[Run]:
    """Runs with distinct names, ranked by one rule."""
    ranked = [Run.of(run, name, ties) for name, run in each_run(runs)]
    if not ranked:
        raise InputError(Problem("run-none", "no run was given"))
    refuse_names_twice(((run.name, run.source.path) for run in ranked), "runs")
    return ranked


def grades_of(lists: Lists, judgments: Judgments | None) -> Floats:
    """The grade of each document of the lists, nan where nobody has judged it."""
    grade = np.full(len(lists), np.nan)
    if judgments is None:
        return grade
    base = places(Ids.from_texts(lists.topics), Ids.from_texts(judgments.topics)).astype(np.int32)
    row, judgment = look_up(judgments, lists.keys, lists.topic, lists.documents, base)
    grade[row] = judgments.grades[judgment]
    if judgments.sampling is not None:  # −1: pooled, and not sampled
        grade[grade < 0] = np.nan
    return grade
