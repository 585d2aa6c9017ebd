"""Gains that cannot be summed are refused by whatever uses gains, and those at the ends of the range are not."""

import json
import math
from collections.abc import Callable

import numpy as np
import pytest

import gaincurve as gc
from gaincurve import stats
from gaincurve.errors import ChoiceError
from gaincurve.measures.registry import REGISTRY
from gaincurve.model.gains import LARGEST, SMALLEST, Gains
from gaincurve.model.source import number_text
from gaincurve.verbs.axes import flat_to_steep

RUN = {"q": {"a": 3.0, "b": 2.0, "x": 1.0}, "r": {"b": 2.0, "a": 1.0}}
OTHER = {"q": {"b": 3.0, "c": 2.0, "x": 1.0}, "r": {"a": 2.0, "b": 1.0}}
SESSIONS = [
    {"session": "s", "query": number, "topic": "q", "ranking": documents}
    for number, documents in enumerate([["a", "b"], ["x", "c"]], 1)
]
LISTS = [
    name
    for name, record in REGISTRY.items()
    if "gains" in record.parameters and record.over == "topic" and record.needs != "strata"
]
OF_SESSIONS = [
    name
    for name, record in REGISTRY.items()
    if "gains" in record.parameters and record.over == "session" and record.needs != "subtopics"
]


def judged(grade: float, other: float = 1) -> dict[str, dict[str, float]]:
    return {"q": {"a": grade, "b": grade, "c": other, "d": 0}, "r": {"a": other, "b": 0, "c": grade}}


def asked(name: str) -> str:
    return f"{name}@10" if REGISTRY[name].cutoff == "required" else name


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(ChoiceError) as caught:
        call()
    assert caught.value.slug == "gains-range"
    return str(caught.value)


@pytest.mark.parametrize("gain", [1e308, 1.7976931348623157e308, 2 * LARGEST, SMALLEST / 2, 5e-324])
@pytest.mark.parametrize("write", [lambda x: {1: x}, lambda x: [0, x], lambda x: f"1={x!r}"])
def test_no_scheme_holds_a_gain_beyond_the_range(gain: float, write: Callable[[float], object]) -> None:
    refused(lambda: Gains.of(write(gain)))


@pytest.mark.parametrize(
    ("gains", "grade"), [("identity", 1e308), ("identity", 1e-310), ("exp2", 300), ("exp2", 1e308)]
)
@pytest.mark.parametrize("name", LISTS)
def test_every_measure_of_lists_names_gains_and_grade(name: str, gains: str, grade: float) -> None:
    message = refused(lambda: gc.evaluate(judged(grade), RUN, asked(name), gains=gains))
    assert f"gains {gains} make a document of grade {number_text(grade)} worth" in message
    assert "topic q, document a" in message
    assert "divide all gains" in message


@pytest.mark.parametrize("name", OF_SESSIONS)
def test_every_measure_of_sessions_refuses_them(name: str) -> None:
    log = gc.sessions_from_records(SESSIONS)
    refused(lambda: gc.evaluate_sessions(judged(1e308), log, f"{name}(gains='identity')"))
    refused(lambda: gc.evaluate_sessions(judged(300), log, f"{name}(gains='exp2')"))


@pytest.mark.parametrize("verb", [
    lambda judgments: gc.curves(judgments, RUN, "nDCG", depth=5),
    lambda judgments: gc.sweep(judgments, {"a": RUN, "b": OTHER}, gains=["identity"]),
    lambda judgments: gc.explain(judgments, RUN, "q", "DCG@3"),
    lambda judgments: gc.check(judgments, RUN),
    lambda judgments: gc.effort(judgments, {"a": RUN, "b": OTHER}),
    lambda judgments: gc.report(judgments, {"a": RUN, "b": OTHER}),
    lambda judgments: gc.session_curves(judgments, gc.sessions_from_records(SESSIONS), "sDCG"),
    lambda _: gc.evaluate_arrays([[3.0, 2.0]], [[1e308, 1e308]], "nDCG@2"),
])  # fmt: skip
def test_every_verb_refuses_them(verb: Callable[[object], object]) -> None:
    refused(lambda: verb(judged(1e308)))


@pytest.mark.parametrize("name", [name for name in LISTS if name != "G"])
@pytest.mark.parametrize("gain", [LARGEST, SMALLEST])
def test_at_the_ends_of_the_range_every_number_is_one(name: str, gain: float) -> None:
    """What is relative to an ideal or a highest gain is the same as with gains of 1."""
    measure = asked(name)
    scores = gc.evaluate(judged(1), RUN, measure, gains={1: gain})
    values = scores.values[~np.isnan(scores.values)]
    assert np.isfinite(values).all()
    json.dumps(scores.to_dict(), allow_nan=False)
    if REGISTRY[name].high == 1 and name != "Q":  # which adds gains to ranks
        plain = gc.evaluate(judged(1), RUN, measure, gains={1: 1}).values
        assert scores.values == pytest.approx(plain, rel=1e-12, nan_ok=True)


def test_g_refuses_gains_in_which_its_2_vanishes() -> None:
    """(1/log2(2) + 1/log2(3))/2 for gains 1 0 1; what the gains are worth changes what a rank costs."""
    assert "2^53" in refused(lambda: gc.evaluate(judged(1), RUN, "G", gains={1: 1e16}))
    assert gc.evaluate({"q": {"a": 1, "b": 1}}, {"q": ["a", "x", "b"]}, "G").values[0, 0, 0] == pytest.approx(
        (1 + 1 / math.log2(3)) / 2
    )


def test_a_test_of_the_largest_gains_has_numbers() -> None:
    rows = {f"t{i}": {"a": 1, "b": i % 2} for i in range(6)}
    runs = {"a": {t: {"a": 2.0, "b": 1.0} for t in rows}, "b": {t: {"b": 2.0, "x": 1.0} for t in rows}}
    pair = gc.compare(gc.evaluate(rows, runs, "DCG@2", gains={1: LARGEST}), "t").pairs[0]
    assert all(map(math.isfinite, (pair.difference, pair.low, pair.high, pair.p)))


def test_a_sweep_leaves_out_gains_that_cannot_be_summed() -> None:
    many = np.arange(0, 101, dtype=np.float64)
    assert [str(gains) for gains in flat_to_steep(many)][1:3] == ["identity", "exp2"]
    assert len(flat_to_steep(many)) == 4  # tenfold from grade to grade would end at 1e99
    assert [str(gains) for gains in flat_to_steep(np.array([0, 1, 1000.0]))] == [
        "1=1,1000=1", "identity", "1=1,1000=10", "1=0,1000=1",
    ]  # fmt: skip


@pytest.mark.parametrize("score", [1e200, 1e-200])
def test_scores_that_cannot_be_squared_are_refused(score: float) -> None:
    run = {"q": {"a": score, "b": score / 2}}
    with pytest.raises(ChoiceError, match="divide all scores"):
        gc.evaluate(judged(1), run, "CosRel")
    assert gc.evaluate({"q": {"a": 1}}, {"q": {"a": 1e50, "b": 0.0}}, "CosRel").values[0, 0, 0] == 1


def test_alpha_does_not_depend_on_the_unit_of_grades() -> None:
    """By hand: units differ by 3/6 squared in the mean, all pairs of values by 294/(12·11)."""
    ratings = np.array([[0, 1, 2, 3, 0, 1.0], [0, 1, 1, 3, 1, 2]])
    alpha = stats.krippendorff_alpha(ratings, "interval")
    assert alpha == pytest.approx(1 - 0.5 / (294 / 132), abs=1e-14)
    for unit in (2.0**1000, 2.0**-900):
        assert stats.krippendorff_alpha(ratings * unit, "interval") == alpha
