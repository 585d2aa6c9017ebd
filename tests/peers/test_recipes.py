"""Every block of the pages for users of PyTerrier, scikit-learn, torch … runs against the real library, as printed."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
import sklearn
from sentence_transformers import SentenceTransformer
from sentence_transformers.models import BoW

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
