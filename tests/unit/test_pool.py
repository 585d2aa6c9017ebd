"""Pools: the steps of every method on a toy, against plain loops, and what a planner reads."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.model.lists import Lists
from gaincurve.verbs.lists import named_runs, without
from gaincurve.verbs.pools.methods import METHODS
from gaincurve.verbs.pools.replay import replay_curves
from gaincurve.verbs.reuse import reuse

RUNS = {
    "A": {"t": ["d1", "d2", "d3", "d4", "d5"]},
    "B": {"t": ["d3", "d6", "d1", "d7", "d8"]},
    "C": {"t": ["d9", "d2", "d6", "d3", "d10"]},
}
JUDGED = {"t": {"d2": 1, "d3": 1, "d6": 1}}


def order(*arguments: object, **choices: object) -> str:
    return " ".join(str(record["document"]) for record in gc.pool(*arguments, **choices).records())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({"depth": 3}, "d1 d3 d9 d2 d6"),
        ({"method": "rrf"}, "d3 d1 d2 d6 d9 d4 d7 d5 d8 d10"),
        ({"method": "mtf", "replay": True}, "d1 d3 d6 d7 d9 d2 d4 d8 d10 d5"),
        ({"method": "mm-ns", "replay": True}, "d1 d3 d6 d7 d9 d2 d4 d5 d8 d10"),
        ({"method": "mm-ns", "update": "holding", "replay": True}, "d1 d9 d2 d3 d4 d6 d7 d10 d5 d8"),
    ],
)
def test_the_toy_of_the_specification(choices: dict[str, object], expected: str) -> None:
    judgments = JUDGED if choices.get("replay") else None
    assert order(RUNS, judgments, **choices) == expected


def made(seed: int, runs: int = 4, topics: int = 3, length: int = 12) -> dict[str, dict[str, list[str]]]:
    chance = random.Random(seed)
    documents = [f"d{i}" for i in range(25)]
    return {f"r{r}": {f"t{t}": chance.sample(documents, length) for t in range(topics)} for r in range(runs)}


@pytest.mark.parametrize("method", ["rrf", "rbp", "borda"])
def test_fused_orders_follow_their_formulas(method: str) -> None:
    runs = made(3)
    for topic in ("t0", "t1", "t2"):
        pooled = list(dict.fromkeys(d for run in runs.values() for d in run[topic]))
        size = len(pooled)
        points = {
            "rrf": lambda r: 1 / (60 + r),
            "rbp": lambda r: 0.2 * 0.8 ** (r - 1),
            "borda": lambda r, n=size: n - r + 1,
        }[method]
        ranks = {d: sorted(run[topic].index(d) + 1 for run in runs.values() if d in run[topic]) for d in pooled}
        score = {d: sum(map(points, ranks[d])) for d in pooled}
        first = {
            d: min((run[topic].index(d), i) for i, run in enumerate(runs.values()) if d in run[topic]) for d in pooled
        }
        expected = sorted(pooled, key=lambda d: (-score[d], first[d], d))
        drawn = [r["document"] for r in gc.pool(runs, method=method).records() if r["topic"] == topic]
        assert drawn == expected
        cut = [r["document"] for r in gc.pool(runs, method=method, budget=5).records() if r["topic"] == topic]
        assert cut == expected[:5]


def test_a_total_goes_by_priority_then_by_topic() -> None:
    records = gc.pool(made(5), total=7).records()
    assert [(r["topic"], r["priority"]) for r in records] == [
        ("t0", 1), ("t0", 2), ("t0", 3), ("t1", 1), ("t1", 2), ("t2", 1), ("t2", 2),
    ]  # fmt: skip


def test_asking_again_leaves_out_what_is_judged_and_nothing_else() -> None:
    runs = made(1)
    first = gc.pool({name: runs[name] for name in ("r0", "r1")}, depth=5).records()
    judged: dict[str, dict[str, int]] = {}
    for record in first:
        judged.setdefault(str(record["topic"]), {})[str(record["document"])] = 0
    again = gc.pool(runs, judged, depth=5)
    whole = {(r["topic"], r["document"]) for r in gc.pool(runs, depth=5).records()}
    assert {(r["topic"], r["document"]) for r in again.records()} == whole - {
        (r["topic"], r["document"]) for r in first
    }
    assert again.left_out == len(first)


@pytest.mark.parametrize("method", ["mtf", "mm-ns"])
def test_an_adaptive_pool_resumes_where_it_stopped(method: str) -> None:
    relevant = {"d2", "d3", "d6"}
    judged: dict[str, dict[str, int]] = {"t": {"elsewhere": 0}}
    asked = []
    while records := gc.pool(RUNS, judged, method=method).records():
        assert len(records) == 1
        document = str(records[0]["document"])
        asked.append(document)
        judged["t"][document] = int(document in relevant)
    assert " ".join(asked) == order(RUNS, JUDGED, method=method, replay=True)


def test_a_replay_passes_over_what_has_no_judgment_if_asked() -> None:
    assert order(RUNS, JUDGED, method="mtf", replay=True, absent="skip") == "d2 d3 d6"
    notes = gc.pool(RUNS, JUDGED, method="mtf", replay=True).notes
    assert [note.slug for note in notes] == ["pool-absent"]


def test_a_sample_has_the_sizes_and_probabilities_it_records() -> None:
    runs = made(2, runs=2, topics=4, length=12)
    drawn = gc.pool(runs, method="sample", strata="1-3:1,4-12:.3", seed=5)
    for topic in runs["r0"]:
        lists = [run[topic] for run in runs.values()]
        best = {d: min(ranking.index(d) + 1 for ranking in lists if d in ranking) for d in {*lists[0], *lists[1]}}
        deep = [d for d, rank in best.items() if rank > 3]
        records = [r for r in drawn.records() if r["topic"] == topic and r["stratum"] == 2]
        wanted = max(1, int(0.3 * len(deep) + 0.5))
        assert len(records) == wanted
        assert {r["p"] for r in records} == {wanted / len(deep)}
        assert {r["document"] for r in records} <= set(deep)
    alone = gc.pool({n: {"t2": run["t2"]} for n, run in runs.items()}, method="sample", strata="1-3:1,4-12:.3", seed=5)
    assert [r["document"] for r in alone.records()] == [r["document"] for r in drawn.records() if r["topic"] == "t2"]


def test_every_document_of_a_stratum_is_drawn_as_often_as_p_says() -> None:
    runs = {"r": {"t": [f"d{i}" for i in range(6)]}}
    counts = dict.fromkeys(runs["r"]["t"], 0)
    for seed in range(600):
        for record in gc.pool(runs, method="sample", strata="1-6:.5", seed=seed).records():
            counts[str(record["document"])] += 1
    assert all(abs(count - 300) < 5 * (600 * 0.25) ** 0.5 for count in counts.values())


@pytest.mark.parametrize("strata", ["1-10:1,5-20:.5", "1-10:0", "1-10:1.5", "10-1:1", "0-5:1", "nonsense", "1-10"])
def test_broken_strata_are_refused(strata: str) -> None:
    with pytest.raises(gc.ChoiceError) as error:
        gc.pool(RUNS, method="sample", strata=strata)
    assert error.value.slug == "pool-strata"


def test_five_columns_come_back_with_their_strata(tmp_path: Path) -> None:
    drawn = gc.pool(RUNS, {"t": {"d3": 2, "d4": 0}}, method="sample", strata="1-1:1,2-5:.5", seed=1)
    path = tmp_path / "sample.qrels"
    path.write_text(drawn.to_qrels5())
    judged = gc.read_judgments(path)
    assert judged.sampling is not None
    assert judged.sampling.stratum is not None
    assert len(judged) == 10
    assert judged.to_dict()["t"]["d3"] == 2
    assert judged.to_qrels() == path.read_text()
    assert gc.evaluate(judged, RUNS, "P@5") is not None


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        ([("q", "a", 1, 0.0)], "p is 0"),
        ([("q", "a", 1, 1.5)], "p is 1.5"),
        ([("q", "a", 1, 0.5), ("q", "b", 0, 0.25)], "in one stratum"),
        ([("q", "a", -2, 0.5)], "neither"),
        ([("q", "a", -1, 0.0)], "p is 0"),
        ([("q", "a", -1, 0.5), ("q", "b", 0, 0.25)], "in one stratum"),
        ([("q", "a", 1, "half")], "not a number"),
        ([("q", "a", 1, "")], "p is nan"),
    ],
)
def test_broken_probabilities_are_refused_with_their_line(
    tmp_path: Path, rows: list[tuple[str, str, int, object]], word: str
) -> None:
    path = tmp_path / "judged.csv"
    lines = [f"{t},{d},{g},s1,{p}" for t, d, g, p in rows]
    path.write_text("\n".join(["topic,document,grade,stratum,p", *lines]) + "\n")
    with pytest.raises(gc.InputError, match=word) as error:
        gc.read_judgments(path)
    assert error.value.slug == "judgments-strata"
    assert f"{path}:{len(rows) + 1}" in str(error.value)


def test_strata_and_probabilities_come_back_from_json_lines(tmp_path: Path) -> None:
    """What was not drawn may have no p; strata of two topics are apart."""
    path = tmp_path / "judged.jsonl"
    lines = [
        {"topic": "q", "document": "a", "grade": 2, "stratum": "top", "p": 1.0},
        {"topic": "q", "document": "b", "grade": 0.5, "stratum": "rest", "p": 0.25},
        {"topic": "q", "document": "c", "grade": -1, "stratum": "rest", "p": None},
        {"topic": "r", "document": "a", "grade": 0, "stratum": "top", "p": 0.5},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    judged = gc.read_judgments(path)
    assert judged.to_jsonl() == path.read_text()
    assert judged.sampling is not None
    assert judged.sampling.p is not None
    assert judged.sampling.p[:2].tolist() == [1.0, 0.25]
    assert np.isnan(judged.sampling.p[2])
    assert gc.Judgments.of({"q": {"a": 1}}).to_jsonl() == '{"topic": "q", "document": "a", "grade": 1}\n'


def test_a_run_of_five_columns_is_no_judgments(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("1 Q0 d1 1 12\n1 Q0 d2 2 11\n")
    with pytest.raises(gc.InputError) as error:
        gc.read_judgments(path)
    assert error.value.slug == "judgments-look-like-run"


def test_many_topics_are_put_together_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = made(4, runs=3, topics=17)
    whole = Lists.of(named_runs(runs), 8)
    for size in (1, 20, 100):
        monkeypatch.setattr("gaincurve.model.lists.BLOCK", size)
        pieces = Lists.of(named_runs(runs), 8)
        for column in ("topic", "keys", "best", "first", "held", "document", "run", "rank", "retrieved"):
            assert np.array_equal(getattr(pieces, column), getattr(whole, column)), column
        assert list(pieces.documents) == list(whole.documents)


def test_the_plan_counts_unique_documents_and_overlap() -> None:
    plan = gc.pool(RUNS, depth=5).plan()
    lists = {name: set(run["t"]) for name, run in RUNS.items()}
    for i, name in enumerate(RUNS):
        others = set().union(*(documents for other, documents in lists.items() if other != name))
        assert plan.unique[i] == len(lists[name] - others)
    for (i, a), (j, b) in itertools.combinations(enumerate(RUNS), 2):
        assert plan.overlap[i, j] == pytest.approx(len(lists[a] & lists[b]) / len(lists[a] | lists[b]))
    assert plan.hours()["full documents"] == pytest.approx((10 / 2 / 60, 10 / 60))


def test_provenance_is_apart_and_the_pool_is_blind() -> None:
    drawn = gc.pool(RUNS, depth=2)
    assert "A" not in drawn.to_jsonl()
    assert {"topic": "t", "document": "d2", "runs": {"A": 2, "C": 2}} in drawn.provenance()
    assert json.loads(drawn.to_jsonl().splitlines()[0])["document"] == "d1"
    ranked = [line.split()[2] for line in drawn.to_trec().splitlines()]
    assert ranked == [record["document"] for record in drawn.records()]


def test_left_out_judgments_keep_strata_probabilities_and_subtopics() -> None:
    rows = [("t", "d1", 1), ("t", "d9", 0), ("u", "x", 2)]
    judged = gc.Judgments.of(rows)
    lists = Lists.of(named_runs(RUNS), 5, judged.topics)
    held = np.array([document == b"d9" for _, document in lists.named(np.arange(len(lists)))])
    rest = without(judged, lists, held)
    assert rest.to_dict() == {"t": {"d1": 1.0}, "u": {"x": 2.0}}
    assert rest.topics == judged.topics
    by_subtopic = gc.Judgments.of({"t": {"d1": {"a": 1, "b": 2}, "d9": {"a": 1}, "z": {"b": 1}}})
    measure = "InstanceRecall@2"
    lists = Lists.of(named_runs(RUNS), 5, by_subtopic.topics)
    held = np.array([document == b"d9" for _, document in lists.named(np.arange(len(lists)))])
    less = gc.Judgments.of({"t": {"d1": {"a": 1, "b": 2}, "z": {"b": 1}}})
    wanted = gc.evaluate(less, RUNS, measure).summary()
    assert gc.evaluate(without(by_subtopic, lists, held), RUNS, measure).summary() == wanted


def test_every_method_finds_the_same_relevant_documents_in_the_end() -> None:
    curves = replay_curves(RUNS, JUDGED)
    assert set(curves) == {*METHODS, "mm-ns holding"} - {"sample"}
    for name, (relevant, total) in curves.items():
        assert total == 3
        if name != "decide":
            assert relevant[-1] == 3


def test_a_run_without_unique_documents_does_not_move() -> None:
    runs = {"a": {"t": ["d1", "d2", "d3"]}, "b": {"t": ["d2", "d1", "d4"]}, "c": {"t": ["d1", "d2", "d4"]}}
    judged = {"t": {"d1": 1, "d2": 2, "d3": 3, "d4": 1}}
    parts = {part.name: part for part in reuse(judged, runs, "nDCG@3", depth=3).parts}
    assert (parts["b"].unique, parts["b"].drop, parts["c"].drop) == (0, 0.0, 0.0)
    less = {"t": {"d1": 1, "d2": 2, "d4": 1}}
    alone = gc.evaluate(less, {"a": runs["a"]}, "nDCG@3").summary()["a"]["nDCG@3"]
    assert parts["a"].after == pytest.approx(alone, abs=1e-15)
    assert parts["a"].unique == 1
    teams = {
        part.name: part for part in reuse(judged, runs, "nDCG@3", depth=3, groups={"a": "x", "b": "y", "c": "y"}).parts
    }
    assert teams["b"].unique == 1  # d4, which only team y shows


def test_only_drawn_documents_bring_their_grade_into_a_sample() -> None:
    """A document that was judged for another reason was not chosen at random: its grade would bias every estimate."""
    whole = {"t": {f"d{i}": 1 for i in range(1, 11)}}
    drawn = {str(r["document"]) for r in gc.pool(RUNS, method="sample", strata="1-5:.3", seed=3).records()}
    rows = [
        line.split() for line in gc.pool(RUNS, whole, method="sample", strata="1-5:.3", seed=3).to_qrels5().splitlines()
    ]
    assert len(rows) == 10
    assert {document for _, _, document, _, grade in rows if grade == "1"} == drawn
    assert len(drawn) == 3


@pytest.mark.parametrize("cut", [{"budget": 2}, {"total": 2}])
def test_a_sample_is_not_cut(cut: dict[str, int]) -> None:
    with pytest.raises(gc.ChoiceError, match="probabilities"):
        gc.pool(RUNS, method="sample", **cut)  # type: ignore[arg-type]


def test_what_nobody_judged_is_not_relevant_whatever_rel_is() -> None:
    assert order(RUNS, JUDGED, method="mtf", replay=True, rel=0) == order(RUNS, JUDGED, method="mtf", replay=True)


def test_scores_that_rounding_alone_separates_are_ties() -> None:
    """Four runs at rank 2 and five at rank 3 have the same sum by rbp, but not the same bits."""
    runs = {f"high{i}": {"t": [f"x{i}", "a"]} for i in range(4)}
    runs |= {f"low{i}": {"t": [f"y{i}", f"z{i}", "b"]} for i in range(5)}
    assert order(runs, method="rbp").split()[:2] == ["a", "b"]


def as_trectools(runs: dict[str, dict[str, list[str]]], topic: str, points: dict[int, float], size: int) -> set[str]:
    """The documents with the highest sums of points by rank: how trectools' pools by rrf and rbp choose."""
    sums: dict[str, float] = {}
    for run in runs.values():
        for rank, document in enumerate(run[topic], start=1):
            sums[document] = sums.get(document, 0.0) + points[rank]
    ranked = sorted(sums, key=sums.__getitem__, reverse=True)
    assert sums[ranked[size - 1]] > sums[ranked[size]] + 1e-12, "a tie crosses the cut"
    return set(ranked[:size])


@pytest.mark.parametrize("method", ["topX", "rrf", "rbp"])
def test_sets_are_those_of_trectools(method: str) -> None:
    """trectools 0.0.50: make_pool(topX=k) is the union of the first k; rrf Σ 1/(60 + rank), rbp Σ .2 · .8^(rank−1)."""
    runs, compared = made(11, runs=5, topics=6), 0
    for topic in runs["r0"]:
        if method == "topX":
            records = gc.pool(runs, depth=4).records()
            expected = {d for run in runs.values() for d in run[topic][:4]}
        else:
            points = {r: 1 / (60 + r) if method == "rrf" else 0.2 * 0.8 ** (r - 1) for r in range(1, 13)}
            records = gc.pool(runs, method=method, budget=6).records()
            expected = as_trectools(runs, topic, points, 6)
        assert {str(r["document"]) for r in records if r["topic"] == topic} == expected
        compared += 1
    assert compared == 6


@pytest.mark.parametrize("seed", range(12))
def test_reuse_keeps_its_identities_on_random_runs(seed: int) -> None:
    """No unique judged document, no drop; where each run is its own team, teams change nothing."""
    runs = made(seed, runs=4, topics=3, length=9)
    runs["copy"] = runs["r0"]
    chance = random.Random(seed)
    judged = {t: {f"d{i}": chance.choice((0, 0, 1, 2)) for i in chance.sample(range(25), 14)} for t in runs["r0"]}
    alone = reuse(judged, runs, "nDCG@5", depth=6)
    for part in alone.parts:
        lists = {t: set(ranking[:6]) for t, ranking in runs[part.name].items()}
        others = {t: set().union(*(set(r[t][:6]) for n, r in runs.items() if n != part.name)) for t in lists}
        unique = {t: (lists[t] - others[t]) & set(judged[t]) for t in lists}
        assert part.unique == sum(map(len, unique.values()))
        rest = {t: {d: g for d, g in judged[t].items() if d not in unique[t]} for t in judged}
        wanted = gc.evaluate(rest, {"x": runs[part.name]}, "nDCG@5").summary()["x"]["nDCG@5"]
        assert part.after == pytest.approx(wanted, abs=1e-15)
        if not part.unique:
            assert (part.drop, part.tau, part.place_before) == (0.0, 1.0, part.place_after)
    assert {part.unique for part in alone.parts if part.name in ("r0", "copy")} == {0}
    teams = reuse(judged, runs, "nDCG@5", depth=6, groups={name: name for name in runs})
    assert [(p.after, p.unique) for p in teams.parts] == [(p.after, p.unique) for p in alone.parts]
