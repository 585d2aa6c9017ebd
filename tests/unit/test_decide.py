"""Decisions against brute force, and the specification's reference numbers on Cranfield."""

from __future__ import annotations

import itertools
import math
import random
import re

import pytest

import gaincurve as gc
from gaincurve.verbs.deciding.case import Asked, Case
from gaincurve.verbs.deciding.closing import closing, closing_paths
from gaincurve.verbs.deciding.verdicts import Verdicts
from gaincurve.verbs.lists import named_runs
from tests.helpers.beside import DATA, needs
from tests.properties.test_judging_of_pairs import MEASURES, case, difference, judgings, scored


def runs_of(*lists: dict[str, list[str]]) -> dict[str, dict[str, dict[str, float]]]:
    return {name: {t: scored(r) for t, r in of.items()} for name, of in zip("abc", lists, strict=False)}


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", range(20, 28))
def test_ends_hold_every_judging_and_certain_means_no_flip(measure: str, seed: int) -> None:
    depth = int(measure.partition("@")[2][:1])
    judgments, a, b = case(seed, depth)
    pair = gc.decide(judgments, runs_of(a, b), measure, scale=[0, 1, 2]).pairs[0]
    reached = [difference(measure, a, b, judged) for _, judged in judgings(a, b, judgments, depth)]
    assert pair.low <= min(reached) + 1e-12
    assert pair.high >= max(reached) - 1e-12
    assert pair.difference == pytest.approx(difference(measure, a, b, judgments), abs=1e-12)
    if not measure.startswith(("n", "R")):
        assert (pair.low, pair.high) == pytest.approx((min(reached), max(reached)), abs=1e-12)
    if pair.certain:
        assert min(reached) > 0 or max(reached) < 0


def test_the_same_ends_as_compare() -> None:
    judgments, a, b = case(4, 3)
    for measure in ("nDCG@3", "DCG@2"):
        pair = gc.decide(judgments, runs_of(a, b), measure).pairs[0]
        standing = gc.compare(gc.evaluate(judgments, runs_of(a, b), measure)).pairs[0].standing
        assert standing is not None
        assert (pair.low, pair.high) == pytest.approx((standing.low, standing.high), abs=1e-12)


def test_the_next_document_moves_most_and_expected_is_the_least_that_decides() -> None:
    chance = random.Random(1)
    lists = [{t: chance.sample([f"d{i}" for i in range(9)], 4) for t in ("t", "u")} for _ in range(2)]
    decision = gc.decide(None, runs_of(*lists), "CG@2", scale="0-2", prior={0: 0.1, 1: 0.1, 2: 0.8}, stop="certain")
    shown = {(t, d) for t in ("t", "u") for d in {*lists[0][t][:2]} ^ {*lists[1][t][:2]}}
    assert {(n.topic, n.document) for n in decision.next} == shown
    assert all(n.moves == 1.0 for n in decision.next)  # weight 1, gains 0 to 2, two topics
    assert decision.pairs[0].matter == len(shown)


def test_all_pairs_of_several_runs_and_a_tie_for_ever() -> None:
    same = {"t": ["d1", "d2"], "u": ["d3", "d4"]}
    other = {"t": ["d5", "d2"], "u": ["d3", "d6"]}
    decision = gc.decide(None, runs_of(same, same, other), "DCG@2", scale="0-1")
    assert len(decision.pairs) == 3
    assert decision.pairs[0].tie
    assert "a tie, however the rest is judged" in decision.pairs[0].sentence()
    assert not decision.decided
    assert {n.document for n in decision.next} == {"d1", "d4", "d5", "d6"}


@pytest.mark.parametrize("measure", ["AP", "RR", "nDCG", "RBP@3", "RBP(top=2)"])
def test_measures_without_a_proved_rule_are_refused_by_name(measure: str) -> None:
    judgments, a, b = case(1, 3)
    with pytest.raises(gc.ChoiceError, match=re.escape(measure)) as error:
        gc.decide(judgments, runs_of(a, b), measure)
    assert error.value.slug == "decide-measure"


@pytest.mark.parametrize("scale", [None, "0", "x", [1]])
def test_nothing_judged_needs_a_scale(scale: object) -> None:
    _, a, b = case(1, 3)
    with pytest.raises(gc.ChoiceError) as error:
        gc.decide(None, runs_of(a, b), "DCG@3", scale=scale)
    assert error.value.slug == "decide-scale"


def test_bands_have_a_prior_each() -> None:
    lists = [{"t": [f"{side}{i}" for i in range(12)]} for side in "ab"]
    judged = {"t": {"a0": 1, "a1": 1, "b0": 1, "a11": 0, "b10": 0, "b11": 0}}
    flat = gc.decide(judged, runs_of(*lists), "DCG@12").pairs[0].p
    banded = gc.decide(judged, runs_of(*lists), "DCG@12", prior="bands").pairs[0].p
    assert flat != banded
    asked = Asked("DCG@12", prior="bands")
    prior = Case(named_runs(runs_of(*lists)), gc.Judgments.of(judged), asked).prior(0, 1)
    assert {tuple(row) for row in prior.tolist()} == {(0.2, 0.8), (0.5, 0.5), (0.8, 0.2)}


CRANFIELD = [
    ("bm25_title", 3584, 3389, 0.530457449010, 2877, 183, 0.951895, 3387),
    ("coord", 3364, 3130, 1.041982199330, 2331, 88, 0.952547, 2957),
    ("lsi", 3038, 2709, -0.322254978729, 2084, 245, 0.044647, 2903),
]


@needs("cran")
@pytest.mark.parametrize(("other", "pooled", "matter", "full", "certain", "plausible", "p", "by_depth"), CRANFIELD)
def test_reference_numbers_on_cranfield(
    other: str, pooled: int, matter: int, full: float, certain: int, plausible: int, p: float, by_depth: int
) -> None:
    """Two independent implementations: spec/judging.md §3."""
    judged = gc.read_judgments(DATA / "cran" / "qrels.txt")
    runs = [gc.read_run(DATA / "cran" / f"{name}.run.gz") for name in ("bm25", other)]
    start = Case(runs, judged, Asked("DCG@10", scale="0-4"), from_nothing=True)
    assert (len(start.lists), len(Verdicts(start).order)) == (pooled, matter)
    assert gc.decide(judged, runs, "DCG@10", scale="0-4").pairs[0].difference == pytest.approx(full, abs=1e-12)
    closed = closing(judged, runs, "DCG@10", scale="0-4")
    assert (closed.certain_after, closed.plausible_after) == (certain, plausible)
    assert closed.p[plausible] == pytest.approx(p, abs=1e-6)
    assert closed.low[-1] == pytest.approx(full, abs=1e-9)
    assert closing(judged, runs, "DCG@10", order="depth", scale="0-4").certain_after == by_depth


def test_judging_in_any_order_narrows_the_ends() -> None:
    chance = random.Random(2)
    documents = [f"d{i}" for i in range(30)]
    lists = [{f"t{t}": chance.sample(documents, 8) for t in range(6)} for _ in range(2)]
    judged = {f"t{t}": {d: chance.choice((0, 0, 1, 2)) for d in documents} for t in range(6)}
    for order, depth in itertools.product(("decide", "depth", "random"), (3, 8)):
        closed = closing(judged, runs_of(*lists), f"DCG@{depth}", order=order, scale="0-2")
        assert (closed.low[1:] >= closed.low[:-1] - 1e-12).all()
        assert (closed.high[1:] <= closed.high[:-1] + 1e-12).all()
        assert closed.low[-1] == pytest.approx(closed.high[-1], abs=1e-12)


def test_a_document_that_only_raises_the_ideal_can_matter() -> None:
    judged = {"t": {"a": 1, "x": 1, "n": 0}, "u": {"b": 1, "x": 1, "n": 0}}
    a, b = {"t": ["a", "z", "n"], "u": ["n", "z", "b"]}, {"t": ["n", "z", "a"], "u": ["b", "z", "n"]}
    decision = gc.decide(judged, runs_of(a, b), "nDCG@3", scale="0-1", stop="certain")
    pair = decision.pairs[0]
    assert not pair.tie
    assert pair.matter == 2
    assert [(n.topic, n.document) for n in decision.next] == [("t", "z"), ("u", "z")]
    assert difference("nDCG@3", a, b, {"t": {**judged["t"], "z": 1}, "u": judged["u"]}) < 0
    assert gc.decide(judged, runs_of(a, b), "DCG@3", scale="0-1").pairs[0].tie


@pytest.mark.parametrize("measure", ["nDCG@3", "DCG@2", "nCG@3", "R@2"])
@pytest.mark.parametrize("seed", range(30, 36))
def test_what_cannot_matter_changes_nothing_and_judging_what_is_next_decides(measure: str, seed: int) -> None:
    depth = int(measure.partition("@")[2])
    judgments, a, b = case(seed, depth)
    decision = gc.decide(judgments, runs_of(a, b), measure, scale=[0, 1, 2], stop="certain")
    if not decision.pairs[0].certain:
        listed = {(n.topic, n.document) for n in decision.next}
        by_grades: dict[tuple[int, ...], set[float]] = {}
        for _, judged in judgings(a, b, judgments, depth):
            key = tuple(judged[t][d] for t, d in sorted(listed))
            by_grades.setdefault(key, set()).add(round(difference(measure, a, b, judged), 12))
        assert all(len(differences) == 1 for differences in by_grades.values())
    chance = random.Random(seed)
    for _ in range(20):
        if not decision.next:
            break
        following = decision.next[0]
        judgments[following.topic][following.document] = chance.choice((0, 1, 2))
        decision = gc.decide(judgments, runs_of(a, b), measure, scale=[0, 1, 2], stop="certain")
    assert decision.pairs[0].certain or decision.pairs[0].tie


@pytest.mark.parametrize("seed", range(6))
def test_the_chance_is_that_of_compare_and_a_third_run_changes_nothing(seed: int) -> None:
    judgments, a, b = case(seed, 3)
    third = {t: [*reversed(ranking)] for t, ranking in a.items()}
    for measure in ("nDCG@3", "DCG@3"):
        alone = gc.decide(judgments, runs_of(a, b), measure).pairs[0]
        among = gc.decide(judgments, runs_of(a, b, third), measure).pairs[0]
        assert (alone.low, alone.high, alone.p) == (among.low, among.high, among.p)
        standing = gc.compare(gc.evaluate(judgments, runs_of(a, b), measure)).pairs[0].standing
        assert standing is not None
        if round(alone.difference, 10):
            assert standing.p == pytest.approx(alone.p if alone.difference > 0 else 1 - alone.p, abs=1e-12)


def test_missing_topics_follow_their_rule_and_the_signature_says_that_empty_ones_are_0() -> None:
    judged = {"t": {"a": 1, "b": 0}, "u": {"b": 0}, "v": {"c": 1}}
    runs = {"A": {"t": ["a", "q"], "u": ["b", "c"], "v": ["z", "c"]}, "B": {"t": ["q", "a"], "u": ["c"]}}
    gap = 1 - 1 / math.log2(3)
    zero = gc.decide(judged, runs, "nDCG@2")
    assert zero.pairs[0].difference == pytest.approx((gap + 1 / math.log2(3)) / 3)
    assert "topics-empty" in [note.slug for note in zero.notes]
    assert "empty:zero" in str(zero.signature)
    assert gc.decide(judged, runs, "nDCG@2", missing="skip").pairs[0].difference == pytest.approx(gap / 2)
    with pytest.raises(gc.InputError) as error:
        gc.decide(judged, runs, "nDCG@2", missing="error")
    assert error.value.slug == "topics-missing"


def test_an_exact_tie_is_never_certain_in_a_replay() -> None:
    chance = random.Random(5)
    documents = [f"d{i}" for i in range(40)]
    first = {f"t{t}": chance.sample(documents, 10) for t in range(7)}
    second = {topic: [f"{d}x" for d in ranking] for topic, ranking in first.items()}
    judged = {t: {d: g for e in r for g in [chance.choice((0, 1, 3))] for d in (e, f"{e}x")} for t, r in first.items()}
    for order in ("decide", "depth", "random"):
        assert closing(judged, runs_of(first, second), "DCG@10", order=order).certain_after is None


@pytest.mark.parametrize("measure", ["DCG@3", "nDCG@3", "nDCG(gains='1-2.5-2.5')@3"])
@pytest.mark.parametrize("seed", range(40, 44))
def test_the_path_of_a_figure_goes_through_what_decide_says_of_fewer_judgments(measure: str, seed: int) -> None:
    judgments, a, b = case(seed, 3)
    path = closing_paths(judgments, runs_of(a, b), measure, scale=[0, 1, 2])[0]
    now = gc.decide(judgments, runs_of(a, b), measure, scale=[0, 1, 2]).pairs[0]
    at = path.judged.tolist().index(path.known)
    assert (path.low[at], path.high[at]) == pytest.approx((now.low, now.high), abs=1e-12)
    shown = {(t, d) for t in judgments for d in {*a[t][:3], *b[t][:3]}}
    bare = {t: {d: g for d, g in of.items() if (t, d) not in shown} for t, of in judgments.items()}
    start = gc.decide(bare, runs_of(a, b), measure, scale=[0, 1, 2]).pairs[0]
    assert (path.low[0], path.high[0]) == pytest.approx((start.low, start.high), abs=1e-12)
    assert (path.low[1:] >= path.low[:-1] - 1e-12).all()
    assert (path.high[1:] <= path.high[:-1] + 1e-12).all()
    assert path.low[-1] == pytest.approx(path.high[-1], abs=1e-12)


@pytest.mark.parametrize("measure", ["DCG@2", "nDCG@3", "nCG@3", "CG@2"])
@pytest.mark.parametrize("seed", range(50, 58))
def test_a_scale_that_begins_at_1_and_fractional_gains(measure: str, seed: int) -> None:
    """No judge can say 0: every unjudged document gains at least 0.5, in both lists and in the ideal."""
    depth = int(measure.partition("@")[2])
    judgments, a, b = case(seed, depth)
    judgments = {t: {d: max(1, g) for d, g in of.items()} for t, of in judgments.items()}
    worth = {1: 0.5, 2: 1.25, 3: 3.0}
    pair = gc.decide(judgments, runs_of(a, b), measure, scale="1-3", gains=worth).pairs[0]
    weight = [1 / math.log2(i + 2) if "DCG" in measure else 1.0 for i in range(depth)]

    def score(ranking: list[str], grades: dict[str, int]) -> float:
        actual = sum(weight[i] * worth[grades[d]] for i, d in enumerate(ranking[:depth]) if d in grades)
        best = sorted((worth[g] for g in grades.values()), reverse=True)[:depth]
        ideal = sum(w * g for w, g in zip(weight, best, strict=False))
        return actual / ideal if measure.startswith("n") else actual

    open_ = [(t, d) for t in judgments for d in dict.fromkeys([*a[t][:depth], *b[t][:depth]]) if d not in judgments[t]]
    reached = []
    for grades in itertools.product((1, 2, 3), repeat=len(open_)):
        judged = {t: dict(of) for t, of in judgments.items()}
        for (t, d), grade in zip(open_, grades, strict=True):
            judged[t][d] = grade
        reached.append(sum(score(a[t], judged[t]) - score(b[t], judged[t]) for t in judged) / len(judged))
    assert pair.low <= min(reached) + 1e-12
    assert pair.high >= max(reached) - 1e-12
    if not measure.startswith("n"):
        assert (pair.low, pair.high) == pytest.approx((min(reached), max(reached)), abs=1e-12)
    if pair.certain:
        assert min(reached) > 0 or max(reached) < 0


def test_grades_that_gain_the_same_cannot_matter() -> None:
    runs = runs_of({"t": ["d1", "d2"]}, {"t": ["d3", "d4"]})
    pair = gc.decide(None, runs, "DCG@2", scale="0-1", gains={0: 0, 1: 0}).pairs[0]
    assert (pair.matter, pair.tie) == (0, True)
