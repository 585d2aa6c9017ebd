"""Runs side by side: named, ranked by one rule, and their documents with the grades that judges gave."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.lists import Lists
from gaincurve.model.lookup import places
from gaincurve.model.matches import look_up
from gaincurve.model.rows import Floats
from gaincurve.model.run import Run
from gaincurve.verbs.experiment import ranked_runs, refuse_names_twice


def named_runs(runs: object, ties: str = "trec") -> list[Run]:
    """Runs with distinct names, ranked by one rule."""
    ranked = ranked_runs(runs, ties)
    if not ranked:
        raise InputError(Problem("run-none", "no run was given"))
    refuse_names_twice(((run.name, run.source.path) for run in ranked), "runs")
    return ranked


def judgments_if_any(given: object) -> Judgments | None:
    """The judgments, or None where nobody has judged yet: given as None or as an empty dict."""
    return None if given is None or (isinstance(given, dict) and not given) else Judgments.of(given)


def judgments_of(lists: Lists, judgments: Judgments) -> tuple[Ints, Ints]:
    """The documents of the lists that somebody judged, and beside each its row in the judgments."""
    base = places(Ids.from_texts(lists.topics), Ids.from_texts(judgments.topics)).astype(np.int32)
    return look_up(judgments, lists.keys, lists.topic, lists.documents, base)


def grades_of(lists: Lists, judgments: Judgments | None) -> Floats:
    """The grade of each document of the lists, nan where nobody has judged it."""
    grade = np.full(len(lists), np.nan)
    if judgments is None:
        return grade
    row, judgment = judgments_of(lists, judgments)
    grade[row] = judgments.grades[judgment]
    if judgments.sampling is not None:  # −1: pooled, and not sampled
        grade[grade < 0] = np.nan
    return grade


def without(judgments: Judgments, lists: Lists, documents: NDArray[np.bool_]) -> Judgments:
    """The judgments without some documents of the lists; topics stay, even empty ones."""
    row, judgment = judgments_of(lists, judgments)
    stays = np.ones(len(judgments), dtype=bool)
    stays[judgment[documents[row]]] = False
    return judgments.select(np.flatnonzero(stays))
