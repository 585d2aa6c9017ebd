"""Precision by recall: the rankings A to D of the slides by hand, plain loops over made-up lists, and IPrec itself."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.curve.recall import POINTS

NAMES = {"1": "ab", "2": "cd"}  # topic 1: rankings A and B, topic 2: rankings C and D
LISTS = {"a": "1011110001", "b": "0100111011", "c": "1000010001", "d": "0100101000"}
RELEVANT = {"1": 6, "2": 3}


def ranking(topic: str, bits: str) -> list[str]:
    """Document ids for a list of the slides: the n-th 1 is the n-th relevant document."""
    return [f"{topic}-rel{bits[:i].count('1')}" if bit == "1" else f"{topic}-no{i}" for i, bit in enumerate(bits)]


JUDGMENTS = {topic: {f"{topic}-rel{i}": 1 for i in range(count)} for topic, count in RELEVANT.items()}
RUNS = {
    "system 1": {topic: ranking(topic, LISTS[names[0]]) for topic, names in NAMES.items()},
    "system 2": {topic: ranking(topic, LISTS[names[1]]) for topic, names in NAMES.items()},
}


class TestSlides:
    def test_system_1_averages_a_and_c(self) -> None:
        # A: 1 up to recall 1/6, 5/6 up to 5/6, then .6; C: 1 up to 1/3, 1/3 up to 2/3, then .3
        a = [1, 1, *[5 / 6] * 7, 0.6, 0.6]
        c = [1, 1, 1, 1, *[1 / 3] * 3, *[0.3] * 4]
        found = gc.precision_recall(JUDGMENTS, RUNS)["system 1", "rel=1"]
        assert found.tolist() == pytest.approx([(x + y) / 2 for x, y in zip(a, c, strict=True)], abs=1e-15)

    def test_system_2_averages_b_and_d(self) -> None:
        # B: .6 everywhere, for its last document is its best; D: .5 up to 1/3, then 3/7
        b, d = [0.6] * 11, [*[0.5] * 4, *[3 / 7] * 7]
        found = gc.precision_recall(JUDGMENTS, RUNS)["system 2", "rel=1"]
        assert found.tolist() == pytest.approx([(x + y) / 2 for x, y in zip(b, d, strict=True)], abs=1e-15)

    def test_neither_system_dominates_the_other(self) -> None:
        found = gc.precision_recall(JUDGMENTS, RUNS)
        assert found.dominance("rel=1") == []
        assert found.sentences() == [
            "rel=1: neither dominates the other: system 1 is ahead at recall 0 to 0.8, system 2 at 0.9 to 1."
        ]

    @pytest.mark.parametrize(
        ("run", "topic", "precision", "recall"),
        [
            ("system 1", "1", "1.00 0.50 0.67 0.75 0.80 0.83 0.71 0.63 0.56 0.60",
             "0.17 0.17 0.33 0.50 0.67 0.83 0.83 0.83 0.83 1.00"),
            ("system 2", "1", "0.00 0.50 0.33 0.25 0.40 0.50 0.57 0.50 0.56 0.60",
             "0.00 0.17 0.17 0.17 0.33 0.50 0.67 0.67 0.83 1.00"),
            ("system 1", "2", "1.00 0.50 0.33 0.25 0.20 0.33 0.29 0.25 0.22 0.30",
             "0.33 0.33 0.33 0.33 0.33 0.67 0.67 0.67 0.67 1.00"),  # printed .66, see the errata
            ("system 2", "2", "0.00 0.50 0.33 0.25 0.40 0.33 0.43 0.38 0.33 0.30",
             "0.00 0.33 0.33 0.33 0.67 0.67 1.00 1.00 1.00 1.00"),
        ],
    )  # fmt: skip
    def test_raw_points_are_the_printed_rows(self, run: str, topic: str, precision: str, recall: str) -> None:
        points = gc.precision_recall(JUDGMENTS, RUNS, topic=topic).points(run, "rel=1")
        assert points.total == RELEVANT[topic]
        for found, printed in ((points.precision, precision), (points.recall, recall)):
            assert found.tolist() == pytest.approx([float(text) for text in printed.split()], abs=0.00501)

    def test_points_at_relevant_documents_and_the_steps_of_a(self) -> None:
        found = gc.precision_recall(JUDGMENTS, RUNS, topic="1")
        points = found.points("system 1", "rel=1")
        assert points.ranks.tolist() == [1, 3, 4, 5, 6, 10]
        assert points.interpolated.tolist() == [1.0, *[5 / 6] * 4, 0.6]
        assert points.recalls.tolist() == [n / 6 for n in range(1, 7)]
        assert points.interpolated_by_rank.tolist() == [1, 1, *[5 / 6] * 7, 0.6]
        assert found["system 1", "rel=1"].tolist() == [1, 1, *[5 / 6] * 7, 0.6, 0.6]  # that topic's, not the mean

    def test_on_topic_1_system_1_dominates(self) -> None:
        found = gc.precision_recall(JUDGMENTS, RUNS, topic="1")
        (pair,) = found.dominance("rel=1")
        assert (pair.ahead, pair.behind) == ("system 1", "system 2")
        assert found.sentences() == [
            "rel=1: of 6 relevant documents system 1 finds 6 and system 2 6.",
            "rel=1: system 1 dominates system 2: its precision is never lower, and higher at recall 0.167 to 0.833.",
        ]


DRAW = random.Random(11)
TOPICS = [f"t{i}" for i in range(9)]
GRADED = {t: {f"d{i:02}": DRAW.choice([0, 0, 1, 1, 2, 3]) for i in range(DRAW.choice([4, 15, 30]))} for t in TOPICS}
GRADED["t0"] = {"d00": 0, "d01": 1}  # nothing above grade 1
GRADED["t1"] = {"d00": 0}  # nothing relevant
LISTED = {
    name: {t: DRAW.sample([*GRADED[t], "u1", "u2", "u3"], k=DRAW.randint(2, len(GRADED[t]) + 2))
           for t in TOPICS if t != absent}
    for name, absent in (("one", None), ("two", "t5"), ("three", "t6"))
}  # fmt: skip
LEVELS = {"rel=1": lambda g: g >= 1, "rel=2": lambda g: g >= 2, "only=1": lambda g: g == 1, "only=3": lambda g: g == 3}


def interpolated(listed: list[str], grades: dict[str, int], fits: Any) -> list[Fraction] | None:
    """The definition, word for word: the highest precision at any rank where recall is at least r."""
    total = sum(fits(grade) for grade in grades.values())
    if not total:
        return None
    hits = [document in grades and fits(grades[document]) for document in listed]
    points = [(Fraction(sum(hits[:i]), total), Fraction(sum(hits[:i]), i)) for i in range(1, len(hits) + 1)]
    found = []
    for tenth in range(11):
        # recall 0 is reached by the first relevant document: before it precision is 0
        found.append(max((p for r, p in points if r >= Fraction(tenth, 10)), default=Fraction(0)))
    return found


@pytest.mark.parametrize("missing", ["zero", "skip"])
@pytest.mark.parametrize("empty", ["undefined", "zero"])
@pytest.mark.parametrize("level", LEVELS)
def test_means_are_those_of_a_plain_loop(level: str, missing: str, empty: str) -> None:
    found = gc.precision_recall(GRADED, LISTED, levels=(1, 2), only=(1, 3), missing=missing, empty=empty)
    for run, lists in LISTED.items():
        counted = [t for t in TOPICS if missing == "zero" or t in lists]
        rows = [interpolated(lists.get(t, []), GRADED[t], LEVELS[level]) for t in counted]
        if empty == "zero":
            rows = [row or [Fraction(0)] * 11 for row in rows]
        defined = [row for row in rows if row is not None]
        expected = [float(sum(column) / len(defined)) for column in zip(*defined, strict=True)]
        assert found[run, level].tolist() == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("scenario", ["default", "trec_eval-9.0.8"])
@pytest.mark.parametrize("level", LEVELS)
def test_every_number_is_iprec_to_the_last_bit(level: str, scenario: str) -> None:
    found = gc.precision_recall(GRADED, LISTED, levels=(1, 2), only=(1, 3), scenario=scenario, per_topic=True)
    text = f"IPrec({level})@{','.join(f'{point:g}' for point in POINTS)}"
    scores = gc.evaluate(GRADED, LISTED, text, scenario=scenario)
    curve = found.level(level)
    assert curve.by_topic is not None
    for r, run in enumerate(found.runs):
        assert found[run, level].tolist() == list(scores.summary()[run].values())
        np.testing.assert_array_equal(curve.by_topic[r].T, scores.values[r])
    assert str(curve.signature).startswith(f"{text}|points:{'exact' if scenario == 'default' else 'trec_eval-9'}|")
    assert list(curve.signature.parts.items()) == list(scores.signatures[0].parts.items())


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("level", LEVELS)
def test_one_topic_agrees_with_its_place_among_all(level: str, topic: str) -> None:
    choices: dict[str, Any] = {"levels": (1, 2), "only": (1, 3)}
    every = gc.precision_recall(GRADED, LISTED, per_topic=True, **choices).level(level).by_topic
    alone = gc.precision_recall(GRADED, LISTED, topic=topic, **choices)
    assert every is not None
    np.testing.assert_array_equal(alone.level(level).values, every[:, TOPICS.index(topic)])
    for run, lists in LISTED.items():
        points = alone.points(run, level)
        assert len(points.precision) == len(points.recall) == len(lists.get(topic, []))
        hits = [d in GRADED[topic] and LEVELS[level](GRADED[topic][d]) for d in lists.get(topic, [])]
        assert points.ranks.tolist() == [i for i, hit in enumerate(hits, 1) if hit]
        assert points.precision.tolist() == [sum(hits[:i]) / i for i in range(1, len(hits) + 1)]


def test_levels_are_named_and_signed() -> None:
    found = gc.precision_recall(GRADED, LISTED, levels=[1, 2, 1], only=[3])
    assert found.names == ("rel=1", "rel=2", "only=3")
    assert [level.relevant for level in found.levels] == ["grades from 1", "grades from 2", "grade 3 only"]
    assert all("|points:exact|" in str(level.signature) for level in found.levels)
    assert "|topics:8/9|" in str(found.level("rel=1").signature)
    assert gc.precision_recall(GRADED, LISTED, only=2).names == ("only=2",)
    assert gc.precision_recall(GRADED, LISTED, levels=2).names == ("rel=2",)
    assert repr(found) == "RecallCurves(rel=1, rel=2, only=3 of 3 runs, 9 topics)"


def test_topics_without_a_relevant_document_are_noted_once_for_each_level() -> None:
    notes = [note for note in gc.precision_recall(GRADED, LISTED, levels=(1, 2)).notes if note.slug == "undefined"]
    assert [note.text for note in notes] == [
        "IPrec(rel=1): undefined for 1 topic, left out of the mean: t1",
        "IPrec(rel=2): undefined for 2 topics, left out of the mean: t0, t1",
    ]
    (alone,) = [n for n in gc.precision_recall(GRADED, LISTED, levels=2, topic="t0").notes if n.slug == "undefined"]
    assert alone.text == "IPrec(rel=2): undefined, topic t0 has no such document"


def test_a_run_without_the_topic_is_empty_or_left_out() -> None:
    zero, skip = (gc.precision_recall(GRADED, LISTED, topic="t5", missing=rule) for rule in ("zero", "skip"))
    for found in (zero, skip):
        assert len(found.points("two", "rel=1").precision) == 0
    assert zero["two", "rel=1"].tolist() == [0.0] * 11
    assert np.isnan(skip["two", "rel=1"]).all()
    assert "two" not in {name for pair in skip.dominance("rel=1") for name in (pair.ahead, pair.behind)}
    assert "two" not in " ".join(skip.sentences())
    assert "two" in {pair.behind for pair in zero.dominance("rel=1")}


def test_json_shape() -> None:
    found = gc.precision_recall(GRADED, LISTED, levels=(1, 2), per_topic=True).to_dict()
    assert found["schema"] == "gaincurve.recall-curves/1"
    assert found["recall"] == [i / 10 for i in range(11)]
    assert "points" not in found
    whole: Any = json.loads(json.dumps(found, allow_nan=False))
    assert [m["level"] for m in whole["measures"]] == ["rel=1", "rel=2"]
    assert whole["topics"]["one"]["t1"]["rel=1"] == [None] * 11
    one: Any = json.loads(json.dumps(gc.precision_recall(GRADED, LISTED, topic="t1").to_dict(), allow_nan=False))
    assert one["topic"] == "t1"
    assert one["points"]["one"]["rel=1"]["relevant"] == 0
    assert set(one["points"]["one"]["rel=1"]["recall"]) == {None}
    assert one["points"]["one"]["rel=1"]["interpolated"] == []


class TestDominance:
    FIRST, SECOND, THIRD, NONE = ["a", "b"], ["x", "a", "b"], ["x", "y", "a", "b"], ["x"]

    def said(self, **runs: list[str]) -> list[str]:
        return gc.precision_recall(
            {"q": {"a": 1, "b": 1}}, {name: {"q": docs} for name, docs in runs.items()}
        ).sentences()

    def test_one_run_has_nobody_to_dominate(self) -> None:
        assert self.said(only=self.FIRST) == []

    def test_same_curve(self) -> None:
        assert self.said(one=self.FIRST, other=["b", "a"]) == ["rel=1: one and other have the same curve."]

    def test_the_second_may_be_ahead(self) -> None:
        assert self.said(late=self.SECOND, early=self.FIRST) == [
            "rel=1: early dominates late: its precision is never lower, and higher at recall 0 to 1."
        ]

    def test_of_three(self) -> None:
        assert self.said(late=self.THIRD, early=self.FIRST, middle=self.SECOND) == [
            "rel=1: early dominates all others; middle dominates late."
        ]

    def test_some_pairs_have_no_winner(self) -> None:
        told = self.said(steady=self.SECOND, twin=["x", "b", "a"], none=self.NONE)
        assert told == ["rel=1: steady dominates none; twin dominates none; in no other pair does one run dominate."]

    def test_nobody_dominates(self) -> None:
        assert self.said(a=self.FIRST, b=["b", "a"], c=["a", "b", "x"]) == ["rel=1: no run dominates another."]


@pytest.mark.parametrize(
    ("choices", "slug"),
    [
        ({"levels": ()}, "measure-parameter"),
        ({"levels": "high"}, "measure-parameter"),
        ({"levels": float("nan")}, "measure-parameter"),
        ({"only": [True]}, "measure-parameter"),
        ({"ties": "average"}, "measure-no-ties"),
        ({"unjudged": "bounds"}, "measure-no-bounds"),
        ({"topic": "T3"}, "topic-unknown"),
        ({"missing": "error"}, "topics-missing"),
        ({"normalise": "mean-of-ratios"}, "choice-unknown"),
    ],
)
def test_refused(choices: dict[str, Any], slug: str) -> None:
    with pytest.raises(gc.GaincurveError) as refused:
        gc.precision_recall(GRADED, LISTED, **choices)
    assert refused.value.slug == slug


def test_names_that_are_not_there() -> None:
    found = gc.precision_recall(GRADED, LISTED)
    with pytest.raises(KeyError, match="no run 'on'"):
        found["on", "rel=1"]
    with pytest.raises(KeyError, match="no level 'rel=2'"):
        found["one", "rel=2"]
    with pytest.raises(KeyError, match="only where one topic was asked for"):
        found.points("one", "rel=1")
