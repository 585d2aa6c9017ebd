"""What the page is told: every list, grade and document, held against plain loops over the ids."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from experiments import cases, experiment

from gaincurve.errors import ChoiceError
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.page.labels import labels, visible
from gaincurve.page.observed.runs import MOST_TEXT, observe
from gaincurve.page.settings import settings_of, settled


def experiments():
    return [experiment(random.Random(seed)) for seed in range(25)]


@pytest.mark.parametrize("ties", ["trec", "trec-float32", "file"])
def test_every_judged_document_stands_at_its_rank(ties):
    for judgments, runs in experiments():
        found = observe(judgments, runs, Scenario(ties=ties)).to_dict()
        grades = judgments.to_dict()
        assert found["topics"]["ids"] == list(judgments.topics)
        for told, run in zip(found["runs"], runs, strict=True):
            ranked = run.ranked(ties)
            at = 0
            for t, topic in enumerate(judgments.topics):
                listed = ranked.ranking_of(topic)
                wanted = [(rank, grades[topic][d]) for rank, d in enumerate(listed, 1) if d in grades[topic]]
                here = slice(at, at + told["judged"][t])
                ranks = np.cumsum(told["step"][here]).tolist()
                assert list(zip(ranks, (found["scale"][g] for g in told["grade"][here]), strict=True)) == wanted
                assert told["retrieved"][t] == len(listed)
                assert told["present"][t] == (topic in run.topics)
                at += told["judged"][t]
            assert at == len(told["step"]) == len(told["grade"])


def test_recall_base_and_pool_are_counts_by_grade():
    for judgments, runs in experiments():
        found = observe(judgments, runs, Scenario(ideal="pooled")).to_dict()
        grades = judgments.to_dict()
        for t, topic in enumerate(judgments.topics):
            every = list(grades[topic].values())
            assert found["topics"]["base"][t] == [every.count(grade) for grade in found["scale"]]
            seen = {d for run in runs for d in run.ranking_of(topic)}
            pooled = [grade for d, grade in grades[topic].items() if d in seen]
            assert found["topics"]["pool"][t] == [pooled.count(grade) for grade in found["scale"]]
        assert "pool" not in observe(judgments, runs, Scenario()).to_dict()["topics"]


@pytest.mark.parametrize("collide", [False, True])
def test_documents_are_named_once_in_order_of_first_appearance(collide):
    for judgments, runs in experiments():
        keys = judgments.keys & np.uint64(1)
        given = replace(judgments)
        if collide:
            vars(given)["keys"] = keys
        keyed = [replace(run, keys=run.keys & np.uint64(1)) for run in runs] if collide else runs
        found = observe(given, keyed, Scenario(), shown=12).to_dict()
        grades = judgments.to_dict()
        assert found["shown"] == 12
        for topic, entry in zip(judgments.topics, found["documents"], strict=True):
            lists = [run.ranking_of(topic)[:12] for run in runs]
            assert entry["ids"] == list(dict.fromkeys(d for one in lists for d in one))
            assert [[entry["ids"][i] for i in one] for one in entry["lists"]] == lists
            known = [grades[topic].get(d) for d in entry["ids"]]
            assert [None if g < 0 else found["scale"][g] for g in entry["grade"]] == known
            assert "texts" not in entry


def test_tied_blocks_are_ranks_of_equal_scores():
    met = 0
    for judgments, runs in experiments():
        found = observe(judgments, runs, Scenario(), shown=12).to_dict()
        for topic, entry in zip(judgments.topics, found["documents"], strict=True):
            for run, blocks in zip(runs, entry["tied"], strict=True):
                scores = []
                if topic in run.topics:
                    at = run.topics.index(topic)
                    scores = run.scores[run.offsets[at] : run.offsets[at + 1]].tolist()
                places = {s: [i for i, one in enumerate(scores, 1) if one == s] for s in scores}
                wanted = [[p[0], p[-1]] for p in places.values() if len(p) > 1 and p[0] <= 12]
                assert blocks == wanted
                met += len(blocks)
    assert met


def test_under_ties_file_nothing_is_tied_and_under_average_there_is_no_order():
    judgments, runs = experiments()[0]
    found = observe(judgments, runs, Scenario(ties="file")).to_dict()
    assert not any(blocks for entry in found["documents"] for blocks in entry["tied"])
    with pytest.raises(ChoiceError) as refused:
        observe(judgments, runs, Scenario(ties="average"))
    assert refused.value.problems[0].slug == "report-choices"


def test_lists_are_cut_and_documents_left_out_on_request():
    judgments, runs = experiments()[1]
    found = observe(judgments, runs, Scenario(), shown=100, reach=5).to_dict()
    assert (found["reach"], found["shown"]) == (5, 5)
    assert max(n for run in found["runs"] for n in run["retrieved"]) == 5
    assert all(len(one) <= 5 for entry in found["documents"] for one in entry["lists"])
    assert "documents" not in observe(judgments, runs, Scenario(), shown=0).to_dict()


def test_negative_grades_may_mean_unjudged():
    judgments, runs = Judgments.of({"q": {"a": -1, "b": 2}}), [Run.of({"q": ["a", "b"]}, "r")]
    assert observe(judgments, runs, Scenario()).to_dict()["judged_from"] is None
    found = observe(judgments, runs, Scenario(negative="unjudged")).to_dict()
    assert (found["judged_from"], found["scale"], found["runs"][0]["grade"]) == (0, [-1, 2], [0, 1])


def test_texts_stand_beside_topics_and_long_ones_are_cut():
    judgments, runs = Judgments.of({"q": {"a": 1}, "p": {"b": 1}, "o": {"b": 1}}), [Run.of({"q": ["a", "x"]}, "r")]
    found = observe(judgments, runs, Scenario(), topic_texts={"p": "who?", "o": "y" * 10_000}).to_dict()
    assert found["topics"]["texts"] == [None, "who?", "y" * MOST_TEXT + "…"]


HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "a\udc80b",
    "\u2028",
    "\u202etxt",
    "\x00\x1f",
    "\"'<!--",
    "é" * 10_000,
)


def test_hostile_ids_and_names_become_valid_text():
    judged = {f"q{i}{odd}": {f"d{odd}": 1, "x": 0} for i, odd in enumerate(HOSTILE)}
    runs = [Run.of({t: [*d, "y"] for t, d in judged.items()}, odd) for odd in HOSTILE]
    found = observe(Judgments.of(judged), runs, Scenario()).to_dict()
    written = json.dumps(found, ensure_ascii=False)
    assert json.loads(written.encode("utf-8")) == found
    assert found["documents"][1]["ids"][0] == "da\\x80b"
    told = [run["label"] for run in found["runs"]]
    assert len(set(told)) == len(told)
    assert all(len(label) <= 40 and label.isprintable() and label.strip() for label in told)


def test_labels():
    assert labels(["bm25", "Ω net", "x" * 28]) == ["bm25", "Ω net", "x" * 28]
    assert labels(["x" * 29, "x" * 27 + "y" * 9]) == ["x" * 14 + "…" + "x" * 13, "x" * 14 + "…" + "xxxx" + "y" * 9]
    assert labels(["x" * 60 + "\t1", "x" * 60 + "\t2"]) == ["x" * 14 + "…xxxxxxxxxx\\t" + end for end in "12"]
    assert labels([" ", "", "run 1"]) == ["run 1 (2)", "run 2", "run 1"]
    assert labels(["a\tb", "a\\tb"]) == ["a\\tb (2)", "a\\tb"]
    assert visible("plain ✓") == "plain ✓"
    assert visible("\ud800\udcff") == "\\ud800\\xff"


def test_settings_hold_every_choice():
    scenario = Scenario.of("busy")
    found = settings_of(scenario, "nDCG", np.array([0.0, 1.0, 2.0, 3.0]), "bm25")
    assert found == {
        "measure": "nDCG", "cutoff": 30, "gains": [0, 1, 10, 100], "gains_text": "0-1-10-100", "discount": "jk2002",
        "base": 2, "depth": 30, "unjudged": "zero", "baseline": "bm25", "rel": 1, "ideal": "judged", "missing": "zero",
        "empty": "undefined", "ties": "trec", "negative": "judged", "points": "exact", "alpha": 0.05,
        "scenario": "busy", "version": found["version"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [
        ("nDCG", ("nDCG@10", "identity", 10)),
        ("nDCG(gains='exp2')@20", ("nDCG@20", "exp2", 20)),
        ("AP", ("AP", "identity", 10)),
        ("AP(rel=2)@7", ("AP(rel=2)@7", "identity", 7)),
        ("P(rel=1)@5", ("P@5", "identity", 5)),
    ],
)
def test_a_measures_own_choices_become_those_of_the_scenario(measure, wanted):
    scenario, one = settled(Scenario(unjudged="bounds"), measure)
    assert (one.text, scenario.gains.text, scenario.depth) == wanted
    assert scenario.unjudged == "zero"


@pytest.mark.parametrize("measure", ["ERR@10", "AP(only=2)", "AP(norm='min')@10", "nDCG(average='ranks')@10"])
def test_what_the_page_cannot_recompute_is_refused(measure):
    with pytest.raises(ChoiceError) as refused:
        settled(Scenario(), measure)
    assert refused.value.problems[0].slug == "report-choices"


def test_bases_without_an_end_are_written_as_text():
    scenario = Scenario().with_choices(discount="jk2002", base=float("inf"))
    assert settings_of(scenario, "nDCG@10", np.array([0.0, 1.0]))["base"] == "inf"
    assert settings_of(Scenario(), "nDCG@10", np.array([0.0, 1.0]))["base"] is None
    assert [json.dumps(case.settings, allow_nan=False) for case in cases(seed=9, experiments=3, settings=4)]
