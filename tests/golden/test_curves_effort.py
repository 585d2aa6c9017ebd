"""Curves of several topics and runs, where they cross, when to stop, and what reading costs, against plain loops."""

import itertools
import math
import random

import numpy as np
import pytest

from gaincurve.curve.crossings import Crossing, crossings
from gaincurve.curve.effort import ranks_to_reach
from gaincurve.errors import GaincurveError
from gaincurve.verbs.curves import curves
from gaincurve.verbs.effort import effort

DRAW = random.Random(42)
DEPTH = 25
TOPICS = [f"t{i}" for i in range(12)]
JUDGMENTS = {t: {f"d{i:02}": DRAW.choice([0, 0, 0, 1, 2, 3]) for i in range(DRAW.choice([5, 20, 40]))} for t in TOPICS}
JUDGMENTS["t0"] = {"d00": 0, "d01": 0}  # nothing to gain
RUNS = {
    name: {t: DRAW.sample([*JUDGMENTS[t], "u1", "u2", "u3"], k=min(len(JUDGMENTS[t]), DRAW.randint(3, 30)))
           for t in TOPICS if t != absent}
    for name, absent in (("one", None), ("two", "t5"), ("three", None))
}  # fmt: skip


def running(gains: list[float], discounted: bool) -> list[float]:
    """(D)CG at ranks 1 … DEPTH with divisor log2(i+1)."""
    padded = [*gains, *[0.0] * DEPTH][:DEPTH]
    return list(
        itertools.accumulate(g / (math.log2(i + 1) if discounted else 1) for i, g in enumerate(padded, start=1))
    )


def mean_by_rank(rows: list[list[float]]) -> list[float]:
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]


def by_hand(run: str, name: str, normalise: str, skip_missing: bool) -> list[float]:
    topics = [t for t in TOPICS if t in RUNS[run] or not skip_missing]
    actual = [running([JUDGMENTS[t].get(d, 0) for d in RUNS[run].get(t, [])], name.endswith("DCG")) for t in topics]
    ideal = [running(sorted(JUDGMENTS[t].values(), reverse=True), name.endswith("DCG")) for t in topics]
    if not name.startswith("n"):
        return mean_by_rank(actual)
    if normalise == "ratio-of-means":
        return [a / b for a, b in zip(mean_by_rank(actual), mean_by_rank(ideal), strict=True)]
    return mean_by_rank(
        [[a / b for a, b in zip(row, best, strict=True)] for row, best in zip(actual, ideal, strict=True) if best[-1]]
    )


@pytest.mark.parametrize("normalise", ["mean-of-ratios", "ratio-of-means"])
@pytest.mark.parametrize("missing", ["zero", "skip"])
@pytest.mark.parametrize("name", ["CG", "DCG", "nCG", "nDCG"])
def test_mean_curves_are_the_plain_ones(name: str, missing: str, normalise: str) -> None:
    drawn = curves(JUDGMENTS, RUNS, name, depth=DEPTH, normalise=normalise, missing=missing)
    assert drawn.runs == ("one", "two", "three")
    assert drawn.depth == DEPTH
    for run in RUNS:
        expected = by_hand(run, name, normalise, missing == "skip")
        assert drawn[run, name].tolist() == pytest.approx(expected, rel=1e-12)


def test_the_two_normalisations_differ_and_say_which_they_are() -> None:
    one, other = (curves(JUDGMENTS, RUNS, "nDCG", normalise=n) for n in ("mean-of-ratios", "ratio-of-means"))
    assert abs(one["one", "nDCG"][4] - other["one", "nDCG"][4]) > 1e-3
    assert "normalise:mean-of-ratios" in str(one.curves[0].signature)
    assert "normalise:ratio-of-means" in str(other.curves[0].signature)
    with pytest.raises(GaincurveError) as caught:
        curves(JUDGMENTS, RUNS, "nDCG", normalise="ratio-of-mean")
    assert caught.value.slug == "choice-unknown"
    assert "did you mean ratio-of-means?" in str(caught.value)


def test_ideal_curve_is_the_mean_of_the_topics_ideals() -> None:
    for name in ("CG", "DCG"):
        best = [running(sorted(JUDGMENTS[t].values(), reverse=True), name == "DCG") for t in TOPICS]
        drawn = curves(JUDGMENTS, RUNS, name, depth=DEPTH)
        assert drawn["ideal", name].tolist() == pytest.approx(mean_by_rank(best), rel=1e-12)


def test_stopping_rank_is_where_the_ideal_turns_flat() -> None:
    """2002, conclusions: the ideal curve turns horizontal once all relevant documents are found."""
    drawn = curves(JUDGMENTS, RUNS, "CG", depth=50)
    expected = {t: sum(grade > 0 for grade in JUDGMENTS[t].values()) for t in TOPICS}
    assert drawn.stopping.by_topic == expected
    assert expected["t0"] == 0
    assert drawn.stopping.mean == pytest.approx(sum(expected.values()) / (len(TOPICS) - 1))
    flat = drawn.stopping.flat_from
    ideal = drawn["ideal", "CG"].tolist()
    assert ideal[flat - 2] < ideal[flat - 1] == ideal[flat] == ideal[-1]


def test_stopping_rank_follows_the_gains() -> None:
    judgments, run = {"q": {"a": 1, "b": 2, "c": 3, "d": 0}, "p": {"a": 1}}, {"q": ["a"], "p": ["a"]}
    assert curves(judgments, run, "CG").stopping.by_topic == {"q": 3, "p": 1}
    by_scenario = curves(judgments, run, "CG", gains="binary(rel=2)")
    assert by_scenario.stopping.by_topic == {"q": 2, "p": 0}
    assert (by_scenario.stopping.mean, by_scenario.stopping.flat_from) == (2, 2)


def test_stopping_rank_follows_the_gains_written_in_the_measure() -> None:
    judgments, run = {"q": {"a": 1, "b": 2, "c": 3, "d": 0}}, {"q": ["a"]}
    drawn = curves(judgments, run, "CG(gains='binary(rel=2)')")
    assert drawn.curves[0].ideal.tolist()[:4] == [1, 2, 2, 2]
    assert drawn.stopping.by_topic == {"q": 2}


def test_stopping_without_anything_to_gain_is_undefined() -> None:
    stopping = curves({"q": {"a": 0}}, {"q": ["a"]}, "CG").stopping
    assert math.isnan(stopping.mean)
    assert stopping.flat_from == 0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([1, 2, 3], [0, 1, 2], []),
        ([1, 1, 1, 5], [0, 2, 2, 4], [(2, "B"), (4, "A")]),
        ([2, 2, 4], [1, 2, 3], []),  # touching is no crossing
        ([2, 2, 2, 3], [1, 2, 2, 4], [(4, "B")]),  # equal for a stretch, then passed
        ([0, 0, 1, 1], [0, 0, 0, 2], [(4, "B")]),  # equal from the start
        ([1, 1, 1], [1, 1, 1], []),
        ([0, 0, 2], [0, 0, 1], []),  # the first lead is no crossing
        ([0.1 + 0.2, 1], [0.3, 2], []),  # equal but for rounding
        ([0.3, 1.0, 2], [0.1 + 0.2, 0.9, 3], [(3, "B")]),
        ([1, 1, 3, 4], [0, 2, 3, 4], [(2, "B")]),  # ahead at rank 2 alone, level again from rank 3 on
    ],
)
def test_crossings(a: list[float], b: list[float], expected: list[tuple[int, str]]) -> None:
    found = crossings("A", np.array(a, dtype=float), "B", np.array(b, dtype=float))
    assert found == [Crossing(rank, ahead, "A" if ahead == "B" else "B") for rank, ahead in expected]
    mirrored = crossings("B", np.array(b, dtype=float), "A", np.array(a, dtype=float))
    assert mirrored == found


def test_curves_list_the_crossings_of_every_pair() -> None:
    judgments = {"q": {"a": 3, "b": 1, "c": 1, "d": 1, "e": 1}}
    runs = {"early": {"q": ["a", "x", "y", "z"]}, "late": {"q": ["b", "c", "d", "e"]}, "none": {"q": ["x"]}}
    drawn = curves(judgments, runs, "CG", depth=4)
    assert drawn.crossings("CG") == [Crossing(4, "late", "early")]
    assert drawn.to_dict()["crossings"] == {"CG": [{"rank": 4, "ahead": "late", "behind": "early"}]}


def test_undefined_curves_do_not_cross() -> None:
    judgments, runs = {"q": {"a": 0}}, {"one": {"q": ["a"]}, "two": {"q": ["b"]}}
    drawn = curves(judgments, runs, "nDCG", depth=4)
    assert np.isnan(drawn["one", "nDCG"]).all()
    assert drawn.crossings("nDCG") == []


CG_PRIME = np.array([3, 5, 8, 8, 8, 9, 11, 13, 16, 16], dtype=float)  # CG' of the 2002 paper


@pytest.mark.parametrize(
    ("target", "whole", "between"),
    [
        (0.5, 1, 0.5 / 3),
        (3, 1, 1),
        (3.5, 2, 1.25),
        (6, 3, 2 + 1 / 3),
        (8, 3, 3),
        (8.5, 6, 5.5),
        (10, 7, 6.5),
        (16, 9, 9),
        (16.5, math.nan, math.nan),
    ],
)
def test_ranks_to_reach(target: float, whole: float, between: float) -> None:
    assert ranks_to_reach(CG_PRIME, target) == pytest.approx(whole, nan_ok=True)
    assert ranks_to_reach(CG_PRIME, target, interpolate=True) == pytest.approx(between, nan_ok=True)


def test_ranks_to_reach_forgives_rounding() -> None:
    curve = np.array([0.1, 0.1 + 0.2])
    assert ranks_to_reach(curve, 0.3) == 2
    assert ranks_to_reach(np.array([0.1, 0.3]), 0.1 + 0.2) == 2
    assert ranks_to_reach(np.array([0.1, 0.3]), 0.1 + 0.2, interpolate=True) == 2


EFFORT_JUDGMENTS = {"q": {f"r{i:02}": 1 for i in range(12)}}
EFFORT_RUNS = {
    "best": {"q": ["r00", "r01", "x1", "r02", "r03", "r04"]},
    "slow": {"q": ["x1", "r00", "x2", "r01", "x3", "r02", "x4", "r03"]},
}


def test_effort_reads_curves_sideways() -> None:
    found = effort(EFFORT_JUDGMENTS, EFFORT_RUNS, rank=4, depth=8)
    assert found.givers == ("ideal", "best", "slow")
    assert found.targets.tolist() == [4, 3, 2]
    assert [[found.ranks(reader, giver) for reader in found.runs] for giver in found.givers] == [[5, 8], [4, 6], [2, 4]]
    assert found.sentences() == [
        "To gain what the ideal gives in 4 documents, read 5 with best and 8 with slow.",
        "To gain what best gives in 4 documents, read 6 with slow.",
    ]
    rows = found.to_dict()["targets"]
    assert [row["gain_of"] for row in rows] == ["ideal", "best", "slow"]
    assert [row["ratio"] for row in rows] == [
        {"best": 5 / 4, "slow": 8 / 4},
        {"best": 4 / 4, "slow": 6 / 4},
        {"best": 2 / 4, "slow": 4 / 4},
    ]


def test_effort_that_is_never_enough_is_undefined() -> None:
    found = effort(EFFORT_JUDGMENTS, EFFORT_RUNS, rank=5, depth=8)
    assert math.isnan(found.ranks("slow", "ideal"))
    assert (
        found.sentences()[0]
        == "To gain what the ideal gives in 5 documents, read 6 with best and more than 8 with slow."
    )
    assert found.to_dict()["targets"][0] == {
        "gain_of": "ideal",
        "gain": 5.0,
        "ranks": {"best": 6.0, "slow": None},
        "ratio": {"best": 6 / 5, "slow": None},
    }


def test_effort_for_named_gains() -> None:
    found = effort(EFFORT_JUDGMENTS, EFFORT_RUNS, gains_wanted=[2, 4.5], depth=8)
    assert found.rank is None
    assert found.sentences() == [
        "To gain 2, read 2 with best and 4 with slow.",
        "To gain 4.5, read 6 with best and more than 8 with slow.",
    ]
    assert "ratio" not in found.to_dict()["targets"][0]


def test_effort_between_ranks_on_request() -> None:
    found = effort(EFFORT_JUDGMENTS, EFFORT_RUNS, gains_wanted=[2.5], interpolate=True, depth=8)
    assert found.needed.tolist() == [[3.5, 5.5]]
    assert found.sentences() == ["To gain 2.5, read 3.5 with best and 5.5 with slow."]


def test_effort_of_one_run_speaks_of_the_ideal_only() -> None:
    found = effort(EFFORT_JUDGMENTS, EFFORT_RUNS["best"], rank=1, depth=8)
    assert found.sentences() == ["To gain what the ideal gives in 1 document, read 1 with run."]


def test_effort_on_discounted_gain_over_topics() -> None:
    """Mean DCG by a plain loop; the first rank at which it reaches what the ideal gives at rank 3."""
    found = effort(JUDGMENTS, RUNS, "DCG", rank=3, depth=DEPTH)
    best = mean_by_rank([running(sorted(JUDGMENTS[t].values(), reverse=True), True) for t in TOPICS])[2]
    for run in RUNS:
        curve = by_hand(run, "DCG", "", skip_missing=False)
        expected = next((float(i) for i, value in enumerate(curve, start=1) if value >= best), math.nan)
        assert found.ranks(run, "ideal") == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("slug", "arguments"),
    [
        ("measure-no-curve", {"measure": "nDCG"}),
        ("measure-no-curve", {"measure": "CG(average='ranks')@10"}),
        ("measure-cutoff", {"rank": 101}),
        ("measure-cutoff", {"rank": 0}),
        ("measure-cutoff", {"rank": 9, "depth": 8}),
        ("choice-unknown", {"gains_wanted": [0]}),
        ("choice-unknown", {"gains_wanted": [math.inf]}),
        ("choice-unknown", {"gains_wanted": [math.nan]}),
    ],
)
def test_effort_that_makes_no_sense_is_refused(slug: str, arguments: dict[str, object]) -> None:
    with pytest.raises(GaincurveError) as caught:
        effort(EFFORT_JUDGMENTS, EFFORT_RUNS, **arguments)
    assert caught.value.slug == slug


def test_curves_in_json_have_no_nan() -> None:
    shape = curves({"q": {"a": 0}}, {"q": ["a"]}, ["CG", "nCG"], depth=2, per_topic=True).to_dict()
    assert shape["schema"] == "gaincurve.curves/1"
    assert shape["curves"]["run"] == {"CG": [0, 0], "nCG": [None, None]}
    assert shape["curves"]["ideal"]["CG"] == [0, 0]
    assert shape["topics"] == {"run": {"q": {"CG": [0, 0], "nCG": [None, None]}}}
