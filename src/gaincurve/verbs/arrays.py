"""The verb `evaluate_arrays`: matrices of scores and grades in, scores out; for training loops."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.array_groups import in_rows, without_padding
from gaincurve.model.arrays import ARRAY_TIES, graded_arrays, matrix
from gaincurve.model.choices import ArrayChoices
from gaincurve.model.gains import Gains
from gaincurve.model.measure import Measure
from gaincurve.model.order import SHARED
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.scenario import Refusal, Scenario
from gaincurve.model.scores import Scores
from gaincurve.verbs.evaluate import asked_measures, score_runs
from gaincurve.verbs.experiment import under_rules
from gaincurve.verbs.refusals import not_printed, refuse_grades, refuse_measures
from gaincurve.verbs.ties import refuse_tied


def evaluate_arrays(
    scores: Any,
    grades: Any,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    groups: Any = None,
    sizes: Any = None,
    padding: float | None = None,
    ties: str | None = None,
    name: str = "run",
    scenario: Scenario | str = "default",
    **choices: Unpack[ArrayChoices],
) -> Scores:
    """Score `scores[topic, document]` against `grades[topic, document]`, NumPy or anything with `__array__`.

    A nan grade is an unjudged document, a score of −inf one that was not retrieved (padding); `padding` is a grade that
    says the same, such as TF-Ranking's −1, and rows that end in −1 are refused without it. Documents have no ids
    here, so ties are shared ('average', as scikit-learn does) or broken by the order of columns ('column', as LightGBM
    does and the scenarios of tools that rank rows as they stand). Topics are named '0', '1', …; the other choices are
    those of `evaluate`.

    Lists of unlike length come as two vectors with the list of each document (`groups`: XGBoost's qid, torchmetrics'
    indexes; topics then have these names) or the length of each list (`sizes`: LightGBM's group).
    """
    chosen = of_rows(ties, Scenario.of(scenario).with_choices(**choices))
    asked = measures_of_rows(measures, chosen)
    names = None
    if groups is not None or sizes is not None:
        if groups is not None and sizes is not None:
            raise ChoiceError(Problem("choice-unknown", "groups and sizes say the same: give one of them"))
        scores, grades, names = in_rows(scores, grades, groups, sizes)
    scores, judged = matrix(scores, "scores"), matrix(grades, "grades")
    settled = sizes is not None or groups is not None or choices.get("negative") is not None
    scores, judged = without_padding(scores, judged, padding, settled)
    refuse_grades(judged[np.isfinite(judged)], chosen, lambda _: "grades")
    for measure in asked:
        if "gains" in measure.definition.parameters:
            measure.choices(chosen).gains.check(judged[np.isfinite(judged)], lambda _: "grades")
    run = graded_arrays(scores, judged, chosen.ties, _depth(asked, chosen, judged), name, names)
    ruled = under_rules(run, chosen)
    refuse_measures([ruled], asked, chosen)
    refuse_tied([ruled], asked, chosen)
    return score_runs([ruled], asked, chosen, (run.source,), tuple(not_printed(asked, chosen)))


def of_rows(ties: str | None, scenario: Scenario) -> Scenario:
    """The scenario with the rule for ties among rows, and what it then refuses."""
    by_rows = any(refusal.by_rows for refusal in scenario.refuses)
    refuses = tuple(refusal for refusal in scenario.refuses if ties is None or refusal.choice != "ties")
    if scenario.prints and ties is None and scenario.ties not in SHARED and not by_rows:
        refuses = (*refuses, Refusal("ties", "it breaks ties by document id, and rows have none"))
    usual = "column" if by_rows else scenario.ties if scenario.ties in SHARED else "average"
    ties = one_of("ties", ties or usual, tuple(ARRAY_TIES))
    return replace(scenario, ties=ties, refuses=tuple(refusal for refusal in refuses if not refusal.by_rows))


def measures_of_rows(measures: str | Measure | Iterable[str | Measure] | None, scenario: Scenario) -> list[Measure]:
    """The measures asked for, refused where rows have no number for them."""
    asked = asked_measures(measures, scenario)
    if scenario.unjudged == "bounds" or any(measure.choices(scenario).ideal == "pooled" for measure in asked):
        raise ChoiceError(Problem("choice-unknown", "arrays have neither bounds nor a pool of runs"))
    return asked


def _depth(measures: list[Measure], scenario: Scenario, grades: Floats) -> int | None:
    """How many ranks matter; None (all) for measures without cutoff, other ideals, and gains that fall somewhere."""
    depths = [measure.rank for measure in measures]
    for measure in measures:
        chosen = measure.choices(scenario)
        if (
            not measure.definition.first_ranks
            or measure.rank is None
            or chosen.ideal != "judged"
            or chosen.unjudged == "condensed"
        ):
            return None
        if not _rising(chosen.gains, grades):
            return None
    return max(depth for depth in depths if depth is not None)


def _rising(gains: Gains, grades: Floats) -> bool:
    """Whether a higher grade never has a lower gain."""
    if gains.rule not in ("list", "mapping"):
        return True
    known = distinct(grades[~np.isnan(grades)])
    return bool((np.diff(gains.of_grades(known)) >= 0).all())
