"""Any measure of lists as a scikit-learn scorer, for cross-validation and searches over parameters."""

from __future__ import annotations

from typing import Any, Unpack

from gaincurve.errors import MissingExtra, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.model.choices import ArrayChoices
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.arrays import evaluate_arrays

try:
    from sklearn.metrics import make_scorer
except ImportError as error:
    what = f"gaincurve.sklearn needs scikit-learn: {error}"
    raise MissingExtra(Problem("extra-missing", what, hint="pip install scikit-learn")) from None


def list_scorer(
    measure: str, *, ties: str | None = None, scenario: Scenario | str = "default", **choices: Unpack[ArrayChoices]
) -> Any:
    """A scorer for `GridSearchCV(model, …, scoring=list_scorer("nDCG@10")).fit(X, grades, groups=qid)`.

    `groups` names the list of every document: scikit-learn hands it to scorers and splitters once
    `sklearn.set_config(enable_metadata_routing=True)` is set. Measures of which less is better count negatively, as
    scikit-learn wants it. The other choices are those of `gaincurve.evaluate_arrays`.
    """
    parsed = parse_measure(measure)

    def mean(grades: Any, scores: Any, *, groups: Any) -> float:
        by_list = evaluate_arrays(scores, grades, parsed, groups=groups, ties=ties, scenario=scenario, **choices)
        return by_list.summary()["run"][str(parsed)]

    scorer = make_scorer(mean, greater_is_better=parsed.definition.better == "higher")
    return scorer.set_score_request(groups=True)
