"""What judging could do to a pair, against brute force: every grade that every unjudged document can have."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.model.comparison import Pair
from gaincurve.model.standing import Standing
from gaincurve.stats.judging import IfJudged, Open, draws, plausible, worst_case

Judgments = dict[str, dict[str, int]]
Lists = dict[str, list[str]]
MEASURES = (
    "DCG@2",
    "CG@3",
    "nDCG@3",
    "nDCG@2",
    "nCG@3",
    "P@3",
    "R@2",
    "nDCG(gains='1-2.5-2.5')@3",
    "nDCG(gains='0-1-10')@3",
    "RBP(p=0.5, top=2)@3",
)


def value(measure: str, ranking: list[str], grades: dict[str, int]) -> float:
    """A measure from its formula; grades of documents that are absent count as gain 0."""
    name, depth = measure.partition("@")[0].partition("(")[0], int(measure.partition("@")[2][:1])
    gains = {"1-2.5-2.5": [1, 2.5, 2.5], "0-1-10": [0, 1, 10]}.get(
        measure.partition("'")[2].partition("'")[0], [0, 1, 2]
    )
    if name in ("P", "R"):
        gains = [0, 1, 1]
    gain = {document: gains[grade] for document, grade in grades.items()}
    weight = [1 / math.log2(i + 2) if "DCG" in name else 1.0 for i in range(max(depth, len(grades)))]
    actual = sum(weight[i] * gain.get(document, 0) for i, document in enumerate(ranking[:depth]))
    best = sorted(gain.values(), reverse=True)
    if name == "RBP":
        return sum(0.5 ** (i + 1) * min(1.0, gain.get(d, 0) / 2) for i, d in enumerate(ranking[:depth]))
    if name == "P":
        return actual / depth
    if name == "R":
        return actual / sum(best) if sum(best) else 0.0
    if name.startswith("n"):
        ideal = sum(weight[i] * each for i, each in enumerate(best[:depth]))
        return actual / ideal if ideal else 0.0
    return actual


def difference(measure: str, a: Lists, b: Lists, judgments: Judgments) -> float:
    """a less b, the mean over topics."""
    gaps = [value(measure, a[t], judgments[t]) - value(measure, b[t], judgments[t]) for t in judgments]
    return sum(gaps) / len(gaps)


def unjudged(a: Lists, b: Lists, judgments: Judgments, depth: int) -> list[tuple[str, str]]:
    """Topic and document of what either list shows and nobody judged."""
    shown = {t: dict.fromkeys([*a[t][:depth], *b[t][:depth]]) for t in judgments}
    return [(t, document) for t in judgments for document in shown[t] if document not in judgments[t]]


def judgings(a: Lists, b: Lists, judgments: Judgments, depth: int) -> list[tuple[tuple[int, ...], Judgments]]:
    """All ways to judge them, with grades 0, 1 and 2."""
    open_ = unjudged(a, b, judgments, depth)
    ways = []
    for grades in itertools.product((0, 1, 2), repeat=len(open_)):
        judged = {topic: dict(of_topic) for topic, of_topic in judgments.items()}
        for (topic, document), grade in zip(open_, grades, strict=True):
            judged[topic][document] = grade
        ways.append((grades, judged))
    return ways


def case(seed: int, depth: int) -> tuple[Judgments, Lists, Lists]:
    """Two topics, shared documents, at most six unjudged ones, lists longer than the cutoff."""
    chance = random.Random(seed)
    while True:
        judgments: Judgments = {}
        lists: tuple[Lists, Lists] = ({}, {})
        for topic in ("t1", "t2"):
            documents = [f"d{i}" for i in range(6)]
            judged = {document: chance.choice((0, 0, 1, 2)) for document in chance.sample(documents, 4)}
            judgments[topic] = {**judged, "x": 2, "y": 1, "z": 0}
            for side in lists:
                side[topic] = chance.sample(documents, depth + 1)
        if 0 < len(unjudged(*lists, judgments, depth)) <= 6:
            return judgments, *lists


def scored(ranking: list[str]) -> dict[str, float]:
    return {document: float(-i) for i, document in enumerate(ranking)}


def compared(measure: str, a: Lists, b: Lists, judgments: Judgments, **choices: object) -> Pair:
    runs = {"a": {t: scored(r) for t, r in a.items()}, "b": {t: scored(r) for t, r in b.items()}}
    return gc.compare(gc.evaluate(judgments, runs, measure, **choices)).pairs[0]


def standing_of(pair: Pair) -> Standing:
    assert pair.standing is not None
    return pair.standing


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(12))
def test_bounds_hold_every_judging_and_certain_means_no_flip(measure: str, seed: int) -> None:
    depth = int(measure.partition("@")[2][:1])
    judgments, a, b = case(seed, depth)
    standing = standing_of(compared(measure, a, b, judgments))
    reached = [difference(measure, a, b, judged) for _, judged in judgings(a, b, judgments, depth)]
    assert standing.low <= min(reached) + 1e-12
    assert standing.high >= max(reached) - 1e-12
    if not measure.startswith(("n", "R")):
        assert standing.low == pytest.approx(min(reached), abs=1e-12)
        assert standing.high == pytest.approx(max(reached), abs=1e-12)
    if standing.certain:
        assert min(reached) > 0 or max(reached) < 0


@pytest.mark.parametrize("measure", ["nDCG@3", "nCG@3", "R@2"])
@pytest.mark.parametrize("seed", range(12))
def test_the_chance_of_a_share_is_that_of_all_judgings_by_their_weight(measure: str, seed: int) -> None:
    depth = int(measure.partition("@")[2][:1])
    judgments, a, b = case(seed, depth)
    standing = standing_of(compared(measure, a, b, judgments))
    lead = difference(measure, a, b, judgments)
    if round(lead, 10) == 0:
        assert math.isnan(standing.p)
        return
    chance_of = prior(a, b, judgments, depth)
    exact = 0.0
    for grades, judged in judgings(a, b, judgments, depth):
        gap = difference(measure, a, b, judged) * (1 if lead > 0 else -1)
        exact += math.prod(chance_of[grade] for grade in grades) * (0.5 if abs(gap) < 1e-12 else float(gap > 0))
    assert standing.p == pytest.approx(exact, abs=4.5 * math.sqrt(0.25 / 2000))


def prior(a: Lists, b: Lists, judgments: Judgments, depth: int) -> list[float]:
    """Pooled: judged documents that the two show, each once, and one of each grade; unjudged as 0 if few are 0."""
    everything = [grade for of_topic in judgments.values() for grade in of_topic.values()]
    counts = [1, 1, 1]
    for topic, of_topic in judgments.items():
        for document in {*a[topic][:depth], *b[topic][:depth]}:
            if document in of_topic:
                counts[of_topic[document]] += 1
            elif 2 * everything.count(0) < len(everything):
                counts[0] += 1
    return [count / sum(counts) for count in counts]


@pytest.mark.parametrize("seed", range(20))
def test_the_chance_of_a_sum_is_that_of_the_normal_with_its_mean_and_variance(seed: int) -> None:
    judgments, a, b = case(seed, 3)
    standing = standing_of(compared("DCG@3", a, b, judgments))
    lead = difference("DCG@3", a, b, judgments)
    if round(lead, 10) == 0 or standing.certain:
        return
    chance_of = prior(a, b, judgments, 3)
    ways = judgings(a, b, judgments, 3)
    weights = [math.prod(chance_of[grade] for grade in grades) for grades, _ in ways]
    gaps = [difference("DCG@3", a, b, judged) * (1 if lead > 0 else -1) for _, judged in ways]
    middle = sum(w * gap for w, gap in zip(weights, gaps, strict=True))
    variance = sum(w * (gap - middle) ** 2 for w, gap in zip(weights, gaps, strict=True))
    expected = 0.5 * math.erfc(-middle / math.sqrt(2 * variance)) if variance > 1e-20 else float(middle > 0)
    assert standing.p == pytest.approx(expected, abs=1e-9)


def test_disjoint_bounds_of_two_runs_do_not_make_a_verdict_certain() -> None:
    """The counterexample of the specification: B's document raises A's ideal."""
    judgments = {
        "T1": {"d1": 3, "d0": 1, "d4": 0, "d5": 1},
        "T2": {"d2": 0, "d3": 1, "d5": 1, "d0": 2, "d4": 3, "d6": 0},
    }
    a = {"T1": ["d1", "d5", "d6"], "T2": ["d6", "d0", "d4"]}
    b = {"T1": ["d1", "d2", "d0"], "T2": ["d2", "d0", "d6"]}
    runs = {"a": {t: scored(r) for t, r in a.items()}, "b": {t: scored(r) for t, r in b.items()}}
    bounds = gc.evaluate(judgments, runs, "nDCG@3", unjudged="bounds").bounds()
    assert bounds["a"]["nDCG@3"] == pytest.approx((0.7295, 0.7900), abs=6e-5)
    assert bounds["b"]["nDCG@3"] == pytest.approx((0.5561, 0.6325), abs=6e-5)
    standing = standing_of(compared("nDCG@3", a, b, judgments))
    assert not standing.certain
    assert standing.low <= -0.0059
    judged = {"T1": {**judgments["T1"], "d2": 3, "d6": 0}, "T2": judgments["T2"]}
    assert compared("nDCG@3", a, b, judged).difference == pytest.approx(-0.0059, abs=5e-5)


def test_the_other_way_round_nothing_changes_but_the_sign() -> None:
    for seed in range(6):
        judgments, a, b = case(seed, 3)
        one, other = (standing_of(compared("nDCG@3", *pair, judgments)) for pair in ((a, b), (b, a)))
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-15)
        assert (one.p == other.p) or (math.isnan(one.p) and math.isnan(other.p))
        assert (one.judged_a, one.judged_b) == (other.judged_b, other.judged_a)


def test_neither_a_third_run_nor_the_order_of_topics_changes_a_pair() -> None:
    judgments, a, b = case(3, 3)
    third = {t: [*reversed(r)] for t, r in a.items()}
    runs = {name: {t: scored(r) for t, r in of.items()} for name, of in (("a", a), ("b", b), ("c", third))}
    alone = standing_of(compared("nDCG@3", a, b, judgments))
    among = gc.compare(gc.evaluate(judgments, runs, "nDCG@3"))["nDCG@3", "a", "b"].standing
    turned = {topic: judgments[topic] for topic in reversed(judgments)}
    assert among == alone
    assert standing_of(compared("nDCG@3", a, b, turned)) == alone


def test_files_and_objects_see_the_same_unjudged_documents(tmp_path) -> None:  # type: ignore[no-untyped-def]
    judgments, a, b = case(5, 3)
    qrels = tmp_path / "q.qrels"
    qrels.write_text("".join(f"{t} 0 {d} {g}\n" for t, of in judgments.items() for d, g in of.items()))
    paths = []
    for name, lists in (("a", a), ("b", b)):
        path = tmp_path / f"{name}.run"
        lines = (f"{t} Q0 {d} {i} {-i} x\n" for t, r in lists.items() for i, d in enumerate(r, start=1))
        path.write_text("".join(lines))
        paths.append(path)
    from_files = gc.compare(gc.evaluate_files(qrels, paths, ["nDCG@3", "DCG@2"]))
    for measure in ("nDCG@3", "DCG@2"):
        assert from_files[measure, "a", "b"].standing == compared(measure, a, b, judgments).standing


def test_measures_that_are_no_sums_and_rules_that_move_ranks_leave_it_open() -> None:
    judgments, a, b = case(1, 3)
    for measure, choices in (("AP", {}), ("RR", {}), ("nDCG", {}), ("nDCG@3", {"ties": "average"})):
        standing = standing_of(compared(measure, a, b, judgments, **choices))
        assert math.isnan(standing.p)
        assert math.isnan(standing.low)
        assert 0 < standing.judged_a <= 1
    assert math.isnan(standing_of(compared("nDCG@3", a, b, judgments, unjudged="condensed")).p)


def test_only_pooled_documents_are_unjudged() -> None:
    judgments = {"t": {"d1": 1, "d2": -1, "d3": 0}, "u": {"d1": 1, "d3": 0}}
    a, b = {"t": ["d1", "d2"], "u": ["d1", "d3"]}, {"t": ["d3", "d1"], "u": ["d3", "d1"]}
    assert standing_of(compared("DCG@2", a, b, judgments)).judged_a == 1
    standing = standing_of(compared("DCG@2", a, b, judgments, negative="unjudged"))
    assert standing.judged_a == 0.75
    step = 1 / math.log2(3)
    assert standing.high - standing.low == pytest.approx(step / 2)


def test_a_verdict_weakens_where_few_are_judged_the_order_is_unlikely_or_ties_decide() -> None:
    base = {"depth": 10, "low": -0.1, "high": 0.2}
    assert not Standing(judged_a=0.9, judged_b=0.9, p=0.95, **base).doubtful  # type: ignore[arg-type]
    assert Standing(judged_a=0.9, judged_b=0.9, p=0.949, **base).doubtful  # type: ignore[arg-type]
    assert Standing(judged_a=0.9, judged_b=0.19, p=0.99, **base).doubtful  # type: ignore[arg-type]
    assert not Standing(judged_a=0.9, judged_b=0.19, p=1.0, certain=True, **base).doubtful  # type: ignore[arg-type]
    assert Standing(judged_a=1, judged_b=1, p=1.0, certain=True, decided_by_ties=True, **base).doubtful  # type: ignore[arg-type]
    assert not Standing(judged_a=0.9, judged_b=0.9, depth=10).doubtful
    texts = [Standing(10, 1, 1, p=p).text for p in (0.62, 0.987, 0.9999, 0.001, math.nan)]
    assert texts == ["open .62", "likely .99", "likely > .99", "open < .01", "–"]
    assert Standing(10, 1, 0.1, p=0.99).text == "likely .99, few judged"
    assert Standing(10, 1, 0.1, p=0.6, decided_by_ties=True).text == "open .60, few judged, ties open"


def test_a_run_that_nobody_judged_is_behind_but_no_verdict_rests_on_it() -> None:
    """Ten relevant documents against ten that nobody saw: chance does not explain it, and it says nothing."""
    judged = {
        f"t{t:02d}": {**{f"r{i}": 1 + i % 2 for i in range(10)}, **{f"n{i}": 0 for i in range(9)}} for t in range(12)
    }
    known = {t: [f"r{i}" for i in range(10)] for t in judged}
    unseen = {t: [*(f"u{i}" for i in range(10)), "r1", "n1"] for t in judged}
    mixed = {t: [f"n{i}" if (i + int(t[1:])) % 3 else f"r{i}" for i in range(9)] for t in judged}
    comparison = gc.compare(gc.evaluate(judged, {"known": known, "unseen": unseen, "mixed": mixed}, "nDCG@10"))
    pair = comparison["nDCG@10", "known", "unseen"]
    standing = standing_of(pair)
    assert (standing.judged_a, standing.judged_b, pair.mean_b) == (1.0, 0.0, 0.0)
    assert pair.significant
    assert pair.doubtful
    assert not standing.unlikely
    (sentence,) = comparison.sentences()
    assert "its lead over unseen is uncertain: 100% of unseen's top 10 are unjudged, too many for a verdict" in sentence
    assert sentence.endswith("3 of 3 pairs differ significantly, but 2 of them depend on unjudged or tied documents.")
    assert not standing_of(comparison["nDCG@10", "known", "mixed"]).doubtful


def test_tie_orders_alone_can_turn_a_verdict() -> None:
    judgments = {"t": {"r": 1, "n": 0}, "u": {"r": 1, "n": 0}}
    tied, sure = {"r": 1.0, "n": 1.0}, {"n": 2.0, "r": 1.0}
    pair = gc.compare(
        gc.evaluate(judgments, {"tied": {"t": tied, "u": sure}, "sure": {"t": sure, "u": tied}}, "RR")
    ).pairs[0]
    assert standing_of(pair).decided_by_ties
    pair = gc.compare(
        gc.evaluate(judgments, {"tied": {"t": tied, "u": tied}, "sure": {"t": sure, "u": sure}}, "RR")
    ).pairs[0]
    assert not standing_of(pair).decided_by_ties  # at worst it is a tie


def test_draws_are_even_and_do_not_repeat() -> None:
    numbers = draws(np.arange(300), np.arange(2000))
    counts = np.bincount((numbers >> 28).ravel(), minlength=16)
    expected = numbers.size / 16
    assert float(((counts - expected) ** 2 / expected).sum()) < 45  # χ² with 15 degrees of freedom: p < .0001
    of_documents = np.corrcoef(numbers[:40].astype(np.float64))
    assert np.abs(of_documents - np.eye(40)).max() < 5 / math.sqrt(2000)
    assert len(np.unique(numbers)) > 0.9998 * numbers.size
    assert (draws(np.arange(5), np.arange(3), seed=1) != numbers[:5, :3]).all()


def test_nothing_open_is_decided_as_it_stands() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    shared = {"topic": nothing, "weight": np.zeros(0), "gains": np.array([0.0, 1.0]), "prior": np.array([0.5, 0.5])}
    ideal, known = np.array([0.0, 1.0]), np.array([[1], [1]])
    for judged, p in (([0.5, -0.2], 1.0), ([0.2, -0.5], 0.0), ([0.1, -0.1], 0.5)):
        for form in ({"ideal": None, "known": None}, {"ideal": ideal, "known": known}):
            pair = Open(judged=np.array(judged), **shared, **form)  # type: ignore[arg-type]
            assert plausible(pair) == p
            assert worst_case(pair) == IfJudged(
                pytest.approx(sum(judged) / 2), pytest.approx(sum(judged) / 2), p != 0.5
            )  # type: ignore[arg-type]
