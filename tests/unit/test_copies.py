"""Copies of texts against the share of shingles counted by hand."""

from __future__ import annotations

import random

import pytest

import gaincurve as gc
from gaincurve.stats.copies import NEAR, SHINGLE, copies


def shares(one: str, other: str) -> float:
    sets = []
    for text in (one, other):
        words = text.split()
        sets.append({tuple(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1)})
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def test_case_and_punctuation_make_no_copy_new() -> None:
    assert copies(["The wing, in a stream.", "other text", "the WING in a stream", "", "", "other; text!"]) == [
        None, None, 0, None, None, 1,
    ]  # fmt: skip


def test_near_copies_are_those_that_share_enough_shingles() -> None:
    chance = random.Random(3)
    words = [f"w{i}" for i in range(2000)]
    base = chance.sample(words, 300)
    near = far = 0
    for changes in (*range(1, 14), 20, 60):
        changed = list(base)
        for place in chance.sample(range(300), changes):
            changed[place] = "changed"
        share = shares(" ".join(base), " ".join(changed))
        if abs(share - NEAR) < 0.02:
            continue
        assert copies([" ".join(base), " ".join(changed)]) == [None, 0 if share > NEAR else None], share
        near, far = near + (share > NEAR), far + (share < NEAR)
    assert near > 2
    assert far > 3


def test_scripts_without_spaces_are_compared_by_characters() -> None:
    text = "日本語の文書はどのようにして評価されるのかという問いに答えるための長い文章である"
    assert copies([text, text + "。", text[:20], "まったく違う内容の文書でありここには同じところがひとつもないはずだ"])[
        :2
    ] == [None, 0]
    assert copies([text, text[:20]]) == [None, None]


@pytest.mark.parametrize("method", ["depth", "rrf"])
def test_a_pool_flags_copies_within_a_topic_and_names_the_first(method: str) -> None:
    runs = {"A": {"t": ["d1", "d2", "d3"], "u": ["d2", "d4"]}}
    texts = {"d1": "one and the same long text", "d2": "One and the same long text!", "d4": "another one"}
    pool = gc.pool(runs, method=method, texts=texts)
    assert [(r["document"], r.get("copy_of")) for r in pool.records()] == [
        ("d1", None), ("d2", "d1"), ("d3", None), ("d2", None), ("d4", None),
    ]  # fmt: skip
    assert [note.slug for note in pool.notes] == ["pool-copies"]
    assert "1 document without a text" in pool.notes[0].text
