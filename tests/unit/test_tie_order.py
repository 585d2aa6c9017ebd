"""`Graded.tie_order` against every order of the tied documents."""

import itertools
import random

import numpy as np
import pytest

from gaincurve.measures.notation import parse_measure
from gaincurve.model.graded import Graded, grade
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.ties import tie_ends
from gaincurve.verbs.values import value_of

MEASURES = [
    parse_measure(text)
    for text in ("nDCG", "nDCG@3", "P@3", "RR", "RR(rel=2)", "RR@2", "AP", "AP@3", "AP(rel=2)", "ERR@4", "bpref")
]
SCENARIO = Scenario.of("default")


def drawn(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Two topics of six documents with few distinct scores; some are unjudged, some grades are negative."""
    chance = random.Random(seed)
    judgments: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for topic in "ab":
        documents = [f"d{i}" for i in range(6)]
        run[topic] = {document: float(chance.randint(1, 2)) for document in documents}
        grades = {document: chance.choice([-1, 0, 0, 1, 2]) for document in documents if chance.random() < 0.6}
        judgments[topic] = grades | {"elsewhere": 2}
    return judgments, run


def graded(judgments: dict[str, dict[str, int]], run: dict[str, dict[str, float]], ties: str = "trec") -> Graded:
    return grade(Judgments.of(judgments), Run.of(run, "run", ties))


def every_order(scores: dict[str, float]) -> list[dict[str, float]]:
    """The documents of one list with scores that fix each of the orders its ties allow."""
    blocks = [[document for document in scores if scores[document] == score] for score in sorted(set(scores.values()))]
    orders = itertools.product(*(itertools.permutations(block) for block in blocks))
    return [{document: float(i) for i, document in enumerate(itertools.chain(*order))} for order in orders]


def values(run: Graded) -> np.ndarray:
    return np.array([value_of(run, measure, SCENARIO) for measure in MEASURES])


@pytest.mark.parametrize("seed", range(12))
def test_best_and_worst_are_the_ends_of_every_order(seed: int) -> None:
    judgments, run = drawn(seed)
    for i, topic in enumerate(run):
        # every order of this topic; the other topic stays
        seen = np.array([values(graded(judgments, {**run, topic: order}))[:, i] for order in every_order(run[topic])])
        np.testing.assert_array_equal(values(graded(judgments, run).tie_order(True))[:, i], seen.max(axis=0))
        np.testing.assert_array_equal(values(graded(judgments, run).tie_order(False))[:, i], seen.min(axis=0))


@pytest.mark.parametrize("best", [True, False])
def test_rows_stay_in_order_and_hold_the_same_documents(best: bool) -> None:
    run = graded(*drawn(5))
    moved = run.tie_order(best)
    assert moved is not run
    places = list(zip(moved.list.tolist(), moved.rank.tolist(), strict=True))
    assert places == sorted(set(places))
    assert ((moved.first <= moved.rank) & (moved.rank <= moved.last)).all()
    by_document = sorted(zip(moved.judgment.tolist(), moved.grade.tolist(), moved.first.tolist(), strict=True))
    assert by_document == sorted(zip(run.judgment.tolist(), run.grade.tolist(), run.first.tolist(), strict=True))
    assert moved.tie_order(best) is moved


def test_nothing_changes_where_no_order_is_open() -> None:
    judgments = {"a": {"d1": 1, "d2": 0}}
    untied = graded(judgments, {"a": {"d1": 2.0, "d2": 1.0}})
    assert untied.tie_order(True) is untied
    shared = graded(judgments, {"a": {"d1": 1.0, "d2": 1.0}}, ties="average")
    assert shared.tie_order(False) is shared
    empty = graded(judgments, {"a": {"x": 1.0, "y": 1.0}})
    assert empty.tie_order(True) is empty


def test_a_tie_beyond_the_depth_counts_before_the_cut() -> None:
    """Three tied documents, the relevant one last: the best order shows it within the first two."""
    run = graded({"a": {"d1": 1}}, {"a": {"d3": 1.0, "d2": 1.0, "d1": 1.0}})
    assert run.rank.tolist() == [3]
    assert run.tie_order(True).cut(2).rank.tolist() == [1]
    assert run.tie_order(False).cut(2).rank.tolist() == []


@pytest.mark.parametrize("seed", range(6))
def test_topics_without_ties_do_not_change_the_ends_of_the_others(seed: int) -> None:
    """Only topics with ties are computed again: their ends are those of a run that has nothing but these."""
    judgments, run = drawn(seed)
    for i in range(5):
        judgments[f"untied{i}"] = {"d1": 1, "d2": 0}
        run[f"untied{i}"] = {"d1": 1.0, "d2": 2.0, "d3": 3.0}
    tied = graded({topic: judgments[topic] for topic in "ab"}, {topic: run[topic] for topic in "ab"})
    everything = graded(judgments, run)
    for measure in MEASURES:
        same = value_of(everything, measure, SCENARIO)[2:]
        for end, alone in zip(tie_ends(everything, measure, SCENARIO), tie_ends(tied, measure, SCENARIO), strict=True):
            np.testing.assert_array_equal(end[:2], alone)
            np.testing.assert_array_equal(end[2:], same)
