"""Number and noun agree: 1 topic is, 2 topics are, 1 run, 1 of 3 pairs differs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from made import scores_of

import gaincurve as gc
from gaincurve.errors import InputError

SOURCE = Path(gc.__file__).parent
BARE = re.compile(r"\{len\([^{}]*\)\} [a-z]+s\b")
"""A count that is written before a plural whatever it is."""
NEVER_ONE = {
    "{len(measures)} measures",
    "{len(judges)} judges",  # who differ
    "{len(tidy.signatures)} signatures",
    "{len(shares)} runs",  # more than three
    "{len(paths)} pairs",  # too many
    "{len(group)} choices",  # of a group that several share
    "{len(runs)} runs",  # where one was wanted
    "{len(parts)} runs",
}


def test_no_count_stands_bare_before_a_plural() -> None:
    found = {hit for path in SOURCE.rglob("*.py") for hit in BARE.findall(path.read_text("utf-8"))}
    assert found == NEVER_ONE


def test_one_run_and_one_pair_in_a_repr() -> None:
    judged = {"q": {"a": 1}, "r": {"a": 1}}
    assert repr(gc.evaluate(judged, {"q": ["a"]}, "P@1")).startswith("Scores(1 run, ")
    compared = gc.compare(gc.evaluate(judged, {"x": {"q": ["a"]}, "y": {"r": ["a"]}}, "P@1"), "t")
    assert "1 pair," in repr(compared)


@pytest.mark.parametrize(("apart", "words"), [(1, "1 of 3 pairs differs"), (2, "2 of 3 pairs differ ")])
def test_pairs_that_differ(apart: int, words: str) -> None:
    noise = np.random.default_rng(3).normal(0, 0.01, (3, 20))
    means = {1: [0.55, 0.5, 0.45], 2: [0.9, 0.5, 0.5]}[apart]
    spread = {1: [0.0, 0.15, 0.0], 2: [0.0, 0.0, 0.0]}[apart]
    wild = np.random.default_rng(4).normal(0, 1, (3, 20)) * np.array(spread)[:, None]
    values = (np.array(means)[:, None] + noise + wild)[:, None, :]
    scores = scores_of(("a", "b", "c"), ("nDCG@10",), tuple(f"t{i}" for i in range(20)), values)
    family = gc.compare(scores, "t").families[0]
    assert sum(pair.significant for pair in family.pairs) == apart
    assert words in f"{family.words} "


def test_a_gate_of_one_run() -> None:
    with pytest.raises(gc.GaincurveError) as refused:
        gc.gate(gc.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "P@1"), {"P@1": 0.1})
    assert "not 1 run" in str(refused.value)


def test_one_column(tmp_path: Path) -> None:
    path = tmp_path / "one.qrels"
    path.write_text("301 0 a 1\n301\n")
    with pytest.raises(InputError) as refused:
        gc.read_judgments(path)
    assert "1 column where" in str(refused.value)


def test_one_negative_grade_and_the_only_topic() -> None:
    judged = gc.Judgments.of({"q": {"a": 1, "b": -1}})
    assert [note.text for note in judged.notes] == ["judgments: 1 negative grade, gaining 0"]
    texts = [finding.text for finding in gc.check(judged, {"q": ["a"]}).findings]
    assert "the only judged topic present" in texts
