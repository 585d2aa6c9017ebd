"""Any measure of lists as a scikit-learn scorer, for cross-validation and searches over parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

from gaincurve.errors import MissingExtra, Problem
from gaincurve.model.choices import ArrayChoices
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.arrays import evaluate_arrays, measures_of_rows, of_rows

try:
    from sklearn.metrics import make_scorer
except ImportError as error:
    what = f"gaincurve.sklearn needs scikit-learn: {error}"
    raise MissingExtra(Problem("extra-missing", what, hint="pip install scikit-learn")) from None


@dataclass(frozen=True)
class _MeanOverLists:
    """What the scorer calls; an object of a class, because a search that holds it is sent to processes and pickled."""

    measure: Measure
    ties: str | None
    scenario: Scenario

    @property
    def __name__(self) -> str:
        return str(self.measure)

    def __call__(self, grades: Any, scores: Any, *, groups: Any = None) -> float:
        if groups is None:
            raise ValueError(f"{self.measure} needs the list of each document: fit(X, grades, groups=…)")
        by_list = evaluate_arrays(scores, grades, self.measure, groups=groups, ties=self.ties, scenario=self.scenario)
        (mean,) = by_list.summary()["run"].values()
        return mean


def list_scorer(
    measure: str,
    *,
    ties: str | None = None,
    scenario: Scenario | str = "default",
    response_method: str | tuple[str, ...] = "predict",
    **choices: Unpack[ArrayChoices],
) -> Any:
    """A scorer for `GridSearchCV(model, …, scoring=list_scorer("nDCG@10")).fit(X, grades, groups=qid)`.

    `groups` names the list of every document: scikit-learn hands it to scorers and splitters once
    `sklearn.set_config(enable_metadata_routing=True)` is set. Measures of which less is better count negatively, as
    scikit-learn wants it. A classifier predicts classes, which tie: rank by its "decision_function" or "predict_proba"
    as the `response_method`. The other choices are those of `gaincurve.evaluate_arrays`.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    (parsed,) = measures_of_rows(measure, of_rows(ties, chosen))
    scorer = make_scorer(
        _MeanOverLists(parsed, ties, chosen),
        response_method=response_method,
        greater_is_better=parsed.definition.better == "higher",
    )
    return scorer.set_score_request(groups=True)
