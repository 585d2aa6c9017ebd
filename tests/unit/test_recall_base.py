"""Recall bases, blocks of groups and distinct values, against plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaincurve._compiled import scan as compiled
from gaincurve.model import ids as ids_module
from gaincurve.model import rows as rows_module
from gaincurve.model.ids import Ids, keys_in
from gaincurve.model.matches import Matches, MatchParts
from gaincurve.model.recall import RecallBase, TopicGrades
from gaincurve.model.rows import blocks, distinct, offsets_of

GRADES = st.one_of(
    st.integers(-3, 5).map(float),
    st.sampled_from([0.5, 1e-17, -0.0, 1e16, 1e16 + 2, 2.0**60, -1e300, 0.1]),
    st.floats(-10, 10),
)


@given(st.lists(st.tuples(st.integers(0, 4), GRADES), max_size=60), st.integers(5, 7), st.sampled_from([1, 3, 1 << 16]))
def test_a_recall_base_holds_the_grades_of_each_topic_in_descending_order(rows, topics, at_a_time):
    topic = np.array([t for t, _ in rows], dtype=np.int32)
    grade = np.array([g for _, g in rows], dtype=np.float64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_module, "AT_A_TIME", at_a_time)
        base = RecallBase.of(topic, grade, topics)
    wanted = [sorted((g for t, g in rows if t == one), reverse=True) for one in range(topics)]
    assert np.diff(base.offsets).tolist() == [len(grades) for grades in wanted]
    assert base.grade.tolist() == [g for grades in wanted for g in grades]
    assert base.topic.tolist() == [t for t, grades in enumerate(wanted) for _ in grades]


def test_the_base_of_a_pool_holds_each_document_once():
    topic, grade = np.array([0, 0, 1, 1], dtype=np.int32), np.array([1.0, 3.0, 2.0, 0.0])
    base = TopicGrades(topic, grade, 2, (np.array([1, 3]), np.array([3, 0]))).base
    assert (base.topic.tolist(), base.grade.tolist()) == ([0, 0, 1], [3.0, 1.0, 0.0])


@given(st.lists(st.integers(0, 6), max_size=30), st.integers(1, 12))
def test_blocks_cover_every_group_once_and_are_small_or_of_one_group(sizes, at_a_time):
    offsets = np.concatenate([[0], np.cumsum(np.array(sizes, dtype=np.int64))])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_module, "AT_A_TIME", at_a_time)
        spans = list(blocks(offsets))
    assert [group for first, last in spans for group in range(first, last)] == list(range(len(sizes)))
    assert all(sum(sizes[first:last]) <= at_a_time or last == first + 1 for first, last in spans)


@pytest.mark.parametrize("kinds", [3, 10_000_000])
def test_distinct_values_of_a_long_column(kinds):
    values = np.random.default_rng(0).integers(0, kinds, 200_001).astype(np.float64)
    assert distinct(values).tolist() == sorted(set(values.tolist()))


def test_parts_of_a_file_are_joined_beyond_the_room_that_was_expected():
    def part(names: list[str], lists: list[int]) -> Matches:
        rows = np.arange(len(lists), dtype=np.int64)
        base = np.arange(len(names), dtype=np.int32)
        return Matches(Ids.from_texts(names), base, base + 5, np.array(lists), rows + 1, rows + 1, rows + 2, rows + 7)

    parts = [part(["a", "b"], [0, 1, 1]), part(["c"], []), part(["d"], [0, 0])]
    for room in (0, 2, 100):
        gathered = MatchParts(room)
        for one in parts:
            gathered.add(one)
        whole, plain = gathered.joined(), Matches.joined(parts)
        assert whole.names.texts() == plain.names.texts() == ["a", "b", "c", "d"]
        for name in ("base", "retrieved", "list", "rank", "first", "last", "judgment"):
            assert getattr(whole, name).tolist() == getattr(plain, name).tolist(), name


@pytest.mark.skipif(compiled is None, reason="the compiled scanner is not built")
def test_both_ways_give_a_document_the_same_key(monkeypatch):
    documents = Ids.from_texts(["d1", "", "ü" * 300, "x" * 600, "a longer id than eight bytes"])
    topics, owner = Ids.from_texts(["t1", "t2"]), np.array([0, 1, 1, 0, -1])
    for some in (slice(0, 2), slice(4, 5), slice(None)):
        ours = keys_in(documents.take(some), topics, owner[some])
        with monkeypatch.context() as patch:
            patch.setattr(ids_module, "compiled", None)
            assert keys_in(documents.take(some), topics, owner[some]).tolist() == ours.tolist()


@pytest.mark.skipif(compiled is None, reason="the compiled scanner is not built")
@pytest.mark.parametrize("owner", [[5], [-3]])
def test_a_document_of_no_topic_has_no_key(owner):
    documents = Ids.from_texts(["d1"])
    with pytest.raises(ValueError, match="in no topic"):
        compiled.hash_rows(
            documents.buffer, documents.starts, documents.lengths, np.zeros(2, np.uint64), np.array(owner, np.int32)
        )


def test_offsets_begin_each_group():
    assert offsets_of(np.array([0, 0, 2], dtype=np.int32), 4).tolist() == [0, 2, 2, 3, 3]
