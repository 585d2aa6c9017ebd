"""Every block of the pages for users of PyTerrier, scikit-learn, torch … runs against the real library, as printed."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn
from sentence_transformers import SentenceTransformer
from sentence_transformers.evaluation import InformationRetrievalEvaluator
from sentence_transformers.models import BoW
from sentence_transformers.util import cos_sim

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
PAGES = ("from-pyterrier.md", "from-scikit-learn-lightgbm-torch.md")
TITLED = re.compile(r"^## ([^\n]+)$(?:(?!^## ).)*?^```python\n(?!>>>)(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = {title: body for page in PAGES for title, body in TITLED.findall((HOW_TO / page).read_text("utf-8"))}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_recipe_runs(block: str) -> None:
    with sklearn.config_context():  # a recipe sets it; the next test has its own
        exec(compile(block, "recipe", "exec"), {"__name__": "recipe"})


def test_the_evaluator_scores_what_the_model_ranks() -> None:
    recipe: dict[str, type] = {}
    exec(BLOCKS["sentence-transformers"], recipe)
    model = SentenceTransformer(modules=[BoW(["gain", "cumulated", "session", "search", "rank"])], device="cpu")
    corpus = {"d1": "cumulated gain", "d2": "search session", "d3": "rank"}
    judgments = {"q1": {"d1": 2}, "q2": {"d1": 1, "d2": 3}}
    evaluator = recipe["RankingEvaluator"]({"q1": "cumulated gain", "q2": "session"}, corpus, judgments)
    q2 = (3 + 1 / math.log2(4)) / (3 + 1 / math.log2(3))  # d1 and d3 score 0 alike, and ids tie downwards
    assert evaluator(model)["nDCG@10"] == pytest.approx((1 + q2) / 2, abs=1e-12)


def test_the_evaluator_agrees_with_the_one_of_sentence_transformers() -> None:
    """Its InformationRetrievalEvaluator knows relevant or not; no two documents score alike here."""
    recipe: dict[str, type] = {}
    exec(BLOCKS["sentence-transformers"], recipe)
    words = ["gain", "cumulated", "session", "search", "rank", "user"]
    model = SentenceTransformer(modules=[BoW(words)], device="cpu")
    corpus = {f"d{i}": " ".join(words[: i + 1]) for i in range(len(words))}
    queries = {"q1": "gain", "q2": "gain cumulated session search rank"}
    relevant = {"q1": {"d2", "d5"}, "q2": {"d0", "d3"}}
    theirs = InformationRetrievalEvaluator(queries, corpus, relevant, score_functions={"cos": cos_sim})(model)
    judgments = {query: dict.fromkeys(documents, 1) for query, documents in relevant.items()}
    for measure, name in (("nDCG@10", "ndcg@10"), ("AP@100", "map@100"), ("RR@10", "mrr@10"), ("P@3", "precision@3")):
        ours = recipe["RankingEvaluator"](queries, corpus, judgments, measure)(model)
        assert ours[measure] == pytest.approx(theirs[f"cos_{name}"], abs=1e-6)


def learning_to_rank() -> tuple[np.ndarray, np.ndarray]:
    """40 lists of 12 documents; the first four hold nothing relevant."""
    rng = np.random.default_rng(3)
    features = rng.normal(size=(480, 4))
    grades = np.clip(np.round(features[:, 0] + rng.normal(size=480)), 0, 3)
    grades[:48] = 0
    return features, grades


def test_the_recipe_for_lightgbm_gives_the_number_that_lightgbm_prints() -> None:
    recipe: dict[str, Any] = {}
    exec(BLOCKS["LightGBM"].replace('gains="exp2"', 'scenario="lightgbm"'), recipe)
    features, grades = learning_to_rank()
    data = recipe["lgb"].Dataset(features, grades, group=[12] * 40, free_raw_data=False)
    history: dict[str, dict[str, list[float]]] = {}
    settings = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "verbose": -1, "min_data_in_leaf": 5}
    callbacks = [recipe["lgb"].record_evaluation(history)]
    recipe["lgb"].train(settings, data, 6, valid_sets=[data], feval=recipe["ndcg"], callbacks=callbacks)
    theirs, ours = history["training"]["ndcg@10"], history["training"]["gaincurve nDCG@10"]
    assert ours == pytest.approx(theirs, abs=1e-9)
    assert theirs[0] < theirs[-1]


def test_the_recipe_for_xgboost_gives_the_number_that_xgboost_prints() -> None:
    """Its gains are exponential, and a list with nothing relevant counts 1."""
    recipe: dict[str, Any] = {}
    exec(BLOCKS["XGBoost"].replace("sizes=sizes)", 'sizes=sizes, gains="exp2", empty="one", ties="column")'), recipe)
    features, grades = learning_to_rank()
    data = recipe["xgb"].DMatrix(features, label=grades, qid=np.repeat(np.arange(40), 12))
    history: dict[str, dict[str, list[float]]] = {}
    settings = {"objective": "rank:ndcg", "eval_metric": "ndcg@10"}
    recipe["xgb"].train(
        settings,
        data,
        6,
        evals=[(data, "train")],
        custom_metric=recipe["ndcg"],
        evals_result=history,
        verbose_eval=False,
    )
    assert history["train"]["gaincurve-nDCG-10"] == pytest.approx(history["train"]["ndcg@10"], abs=1e-6)
