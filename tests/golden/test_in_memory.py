"""Dicts graded as they stand, and matrices: against the plain path, scikit-learn and hand-written loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import dcg_score, ndcg_score

import gaincurve as gc
from gaincurve.errors import GaincurveError
from gaincurve.model import arrays
from gaincurve.model.judgments import Judgments
from gaincurve.model.mappings import match_mapping
from gaincurve.model.matches import Matches, match
from gaincurve.model.run import Run

DOCUMENT = st.sampled_from(["a", "b", "ä", "aa", "ab", "b\U0001f600", "z", "Z", "\udcff"])
TOPICS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q4"]),
    st.dictionaries(DOCUMENT, st.sampled_from([0.0, -0.0, 1.0, 1.00000001, 2.5, -3.0]), max_size=9),
    min_size=1,
)
JUDGED = st.dictionaries(
    st.sampled_from(["q1", "q2", "q5"]), st.dictionaries(DOCUMENT, st.integers(-1, 3), min_size=1), min_size=1
)


def columns(matches: Matches) -> dict[str, Any]:
    order = np.lexsort((matches.rank, matches.list))
    found = {name: getattr(matches, name)[order].tolist() for name in ("list", "rank", "first", "last", "judgment")}
    return {
        **found,
        "names": matches.names.texts(),
        "base": matches.base.tolist(),
        "retrieved": matches.retrieved.tolist(),
    }


@settings(max_examples=examples(300), deadline=None)
@given(judged=JUDGED, run=TOPICS, ties=st.sampled_from(["trec", "trec-float32", "average", "average-float32"]))
def test_dicts_are_graded_as_the_run_made_of_them(judged: dict[str, Any], run: dict[str, Any], ties: str) -> None:
    judgments = Judgments.of(judged)
    direct = match_mapping(judgments, run, ties)
    if not any(run.values()):
        assert direct is None  # a run without any document is refused by Run.of
        return
    assert direct is not None
    assert columns(direct) == columns(match(judgments, Run.of(run, ties=ties)))


@pytest.mark.parametrize(
    "run",
    [
        {1: {"a": 1.0}},
        {"q": {1: 1.0}},
        {"q": {"a": "x"}},
        {"q": {"a": math.nan}},
        {"q": {"": 1.0}},
        {"q": ["a", "b"]},
        {"q": {"\ud800": 1.0}},
        {"q": {"a": 10**400}},
        {"q": {}},
        {},
        {"\ud800": {"a": 1.0}},
    ],
)
def test_what_is_not_plain_is_left_to_the_run(run: dict[Any, Any]) -> None:
    assert match_mapping(Judgments.of({"q": {"a": 1}}), run, "trec") is None


@pytest.fixture(params=["compiled", "twin"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "twin":
        monkeypatch.setattr(arrays, "compiled", None)
    elif arrays.compiled is None:
        pytest.skip("no C compiler")
    return str(request.param)


@pytest.mark.parametrize("k", [1, 5, 10, 37, 64, None])
@pytest.mark.parametrize("digits", [0, 1, 6])
def test_arrays_equal_scikit_learn(engine: str, k: int | None, digits: int) -> None:
    random = np.random.default_rng(k or 0)
    scores = np.round(random.normal(size=(80, 64)), digits)
    grades = random.integers(0, 5, size=(80, 64)).astype(float)
    at = "" if k is None else f"@{k}"
    found = gc.evaluate_arrays(scores, grades, [f"nDCG{at}", f"DCG{at}"]).summary()["run"]
    assert found[f"nDCG{at}"] == pytest.approx(ndcg_score(grades, scores, k=k), abs=1e-12)
    assert found[f"DCG{at}"] == pytest.approx(dcg_score(grades, scores, k=k), abs=1e-10)


@pytest.mark.parametrize("cut", [3, 100])
def test_arrays_with_unjudged_and_padding_equal_dicts(engine: str, cut: int) -> None:
    random = np.random.default_rng(3)
    scores = random.permutation(30 * 20).reshape(30, 20).astype(float)
    grades = random.integers(-1, 4, size=(30, 20)).astype(float)
    scores[random.random((30, 20)) < 0.2] = -np.inf
    grades[random.random((30, 20)) < 0.3] = np.nan
    judged = {
        str(t): {str(d): g for d, g in enumerate(row) if not math.isnan(g)} for t, row in enumerate(grades.tolist())
    }
    run = {str(t): {str(d): s for d, s in enumerate(row) if s > -math.inf} for t, row in enumerate(scores.tolist())}
    names = [
        f"nDCG@{cut}",
        f"nCG@{cut}",
        f"DCG@{cut}",
        f"nDCG(gains='0-5-1-2')@{cut}",
        f"nDCG(ideal='retrieved')@{cut}",
    ]
    ours = gc.evaluate_arrays(scores, grades, names)
    plain = gc.evaluate(judged, run, names)
    for name in names:
        np.testing.assert_allclose(ours["run", name].values, plain["run", name].values, rtol=0, atol=1e-15)


def test_columns_break_ties_when_asked(engine: str) -> None:
    found = gc.evaluate_arrays([[1.0, 1.0, 1.0]], [[0, 3, 0]], "CG@1", ties="column")
    assert found.summary()["run"]["CG@1"] == 0
    assert "|ties:column|" in str(found.signatures[0])
    assert gc.evaluate_arrays([[1.0, 1.0, 1.0]], [[0, 3, 0]], "CG@1").summary()["run"]["CG@1"] == pytest.approx(1.0)


def test_anything_with_array_is_taken_and_a_vector_is_one_topic() -> None:
    class Tensor:
        def __init__(self, values: list[float]):
            self.values = values

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array(self.values, dtype=dtype)

    scores = gc.evaluate_arrays(Tensor([0.1, 0.9]), Tensor([3, 0]), "nDCG@2")
    assert scores.topics == ("0",)
    assert scores["run", "nDCG@2"]["0"] == pytest.approx(1 / math.log2(3))


@pytest.mark.parametrize(
    ("scores", "grades", "options", "slug"),
    [
        ([[1, math.nan]], [[1, 0]], {}, "run-score"),
        ([[1, math.inf]], [[1, 0]], {}, "run-score"),
        ([[-math.inf, math.inf]], [[1, 0]], {}, "run-score"),
        ([[1, 2]], [[1, math.inf]], {}, "judgments-grade"),
        ([[1, 2]], [[1, 2, 3]], {}, "input-object"),
        ([["x", 2]], [[1, 2]], {}, "input-object"),
        ([[[1]]], [[[1]]], {}, "input-object"),
        ([[1, 2]], [[1, 7]], {"gains": "0-1-2"}, "gains-grade"),
        ([[1, 2]], [[1, 0]], {"unjudged": "bounds"}, "choice-unknown"),
        ([[1, 2]], [[1, 0]], {"ideal": "pooled"}, "choice-unknown"),
        ([[1, 2]], [[1, 0]], {"ties": "trec"}, "choice-unknown"),
    ],
)
def test_matrices_that_make_no_sense_are_refused(scores: Any, grades: Any, options: dict[str, Any], slug: str) -> None:
    with pytest.raises(GaincurveError) as raised:
        gc.evaluate_arrays(scores, grades, "nDCG@2", **options)
    assert raised.value.slug == slug
