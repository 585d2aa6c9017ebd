"""Ids in one buffer against plain Python bytes: equal, hashed, ordered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from gaincurve.errors import InputError
from gaincurve.model.graded import grade
from gaincurve.model.ids import PADDING, Ids
from gaincurve.model.judgments import Judgments
from gaincurve.model.rows import Rows, without_duplicates
from gaincurve.model.run import Run

repeatable = settings(deadline=None, derandomize=True, max_examples=examples(300))

LENGTHS = (1, 7, 8, 9, 15, 16, 17, 24, 25, 127, 128, 129, 511, 512, 513, 520, 700)
any_bytes = st.binary(min_size=1, max_size=40)
alike = st.builds(  # long ids that differ, if at all, in one byte somewhere
    lambda length, at, byte: bytes(b"p" * length)[: at % length] + bytes([byte]) + b"p" * (length - at % length - 1),
    st.sampled_from(LENGTHS),
    st.integers(0, 700),
    st.sampled_from([0, 1, 111, 112, 113, 127, 128, 255]),
)
short = st.lists(st.sampled_from([b"a", b"b", b"\0", b"\xff", b"ab"]), min_size=1, max_size=4).map(b"".join)
some_ids = st.lists(st.one_of(any_bytes, alike, short), min_size=1, max_size=25)


def ids_of(given_ids: list[bytes], before: bytes = b"") -> Ids:
    """Ids over one buffer, without a byte between them, so that reading too far is noticed."""
    lengths = np.array([len(one) for one in given_ids], dtype=np.int32)
    starts = np.cumsum(lengths, dtype=np.int64) - lengths + len(before)
    buffer = np.frombuffer(before + b"".join(given_ids) + bytes(PADDING), dtype=np.uint8)
    return Ids(buffer, starts, lengths)


@repeatable
@given(some_ids)
def test_ids_come_back_as_bytes_and_text(given_ids: list[bytes]) -> None:
    ids = ids_of(given_ids)
    assert [ids.bytes_at(i) for i in range(len(ids))] == given_ids
    texts = [one.decode("utf-8", "surrogateescape") for one in given_ids]
    assert list(ids) == texts
    again = Ids.from_texts(texts)
    assert [again.bytes_at(i) for i in range(len(again))] == given_ids


@repeatable
@given(some_ids, st.data())
def test_same_is_equality_of_bytes(given_ids: list[bytes], data: st.DataObject) -> None:
    others = [data.draw(st.sampled_from([one, *given_ids])) for one in given_ids]
    expected = [one == other for one, other in zip(given_ids, others, strict=True)]
    assert ids_of(given_ids).same(ids_of(others, b"xyz")).tolist() == expected


@repeatable
@given(some_ids, some_ids)
def test_an_id_has_one_hash_whatever_stands_beside_it(given_ids: list[bytes], others: list[bytes]) -> None:
    alone = [int(ids_of([one], b"12345").hashes()[0]) for one in given_ids]
    assert ids_of(given_ids).hashes().tolist() == alone
    assert ids_of(others + given_ids).hashes().tolist()[len(others) :] == alone


def test_hashes_tell_ids_apart() -> None:
    names = [b"%d" % i for i in range(50_000)] + [b"clueweb09-en%04d-%02d-%05d" % (i, i % 97, i) for i in range(50_000)]
    long = [b"x" * at + b"y" + b"x" * (700 - at) for at in range(0, 700, 7)] + [b"x" * n for n in range(1, 800)]
    zeros = [b"\0" * n for n in range(1, 40)]
    given_ids = names + long + zeros
    assert len(set(ids_of(given_ids).hashes().tolist())) == len(set(given_ids)) == len(given_ids)


@repeatable
@given(some_ids, st.data())
def test_order_descending_is_the_order_of_python_bytes(given_ids: list[bytes], data: st.DataObject) -> None:
    sizes = st.lists(st.integers(0, 3), min_size=len(given_ids), max_size=len(given_ids))
    block = data.draw(sizes)
    descending = sorted(range(len(given_ids)), key=given_ids.__getitem__, reverse=True)  # equal ids stay in order
    expected = sorted(descending, key=block.__getitem__)
    assert ids_of(given_ids).order_descending(np.array(block)).tolist() == expected


@pytest.mark.parametrize("length", LENGTHS)
def test_the_last_byte_decides_at_every_length(length: int) -> None:
    stem = b"s" * (length - 1)
    given_ids = [stem + bytes([last]) for last in (0, 255, 127, 128, 10)] + [stem + b"\0\0"]
    expected = sorted(range(6), key=given_ids.__getitem__, reverse=True)
    ids = ids_of(given_ids)
    assert ids.order_descending(np.zeros(6, dtype=np.int64)).tolist() == expected
    assert not ids.same(ids.take(np.array([1, 2, 3, 4, 5, 0]))).any()


def collided(rows: list[tuple[str, str]]) -> Rows:
    topics = tuple(dict.fromkeys(topic for topic, _ in rows))
    return Rows(
        topics=topics,
        topic=np.array([topics.index(topic) for topic, _ in rows], dtype=np.int32),
        documents=Ids.from_texts([document for _, document in rows]),
        values=np.arange(len(rows), dtype=np.float64),
        place=lambda i: f"file:{i + 1}",
        path="file",
        format="made up",
    )


def test_two_documents_with_one_hash_are_no_duplicates() -> None:
    rows = collided([("t1", "a"), ("t1", "b"), ("t2", "a"), ("t2", "c")])
    kept, _, dropped = without_duplicates(rows, np.zeros(4, dtype=np.uint64), "run-duplicate-document", "error")
    assert (len(kept), dropped) == (4, 0)


def test_a_duplicate_is_found_among_documents_with_one_hash() -> None:
    rows = collided([("t1", "a"), ("t2", "a"), ("t1", "b"), ("t1", "a")])
    with pytest.raises(InputError) as caught:
        without_duplicates(rows, np.zeros(4, dtype=np.uint64), "run-duplicate-document", "error")
    assert [problem.at for problem in caught.value.problems] == ["file:4 (first at line 1)"]


def test_documents_meet_their_grades_even_if_all_hashes_collide() -> None:
    judgments = Judgments.of({"t1": {"a": 1, "b": 2}, "t2": {"a": 3, "c": 4}})
    run = Run.of({"t2": ["x", "c", "b", "a"], "t1": ["b", "c", "a"]})
    vars(judgments)["keys"] = np.zeros(4, dtype=np.uint64)
    graded = grade(judgments, replace(run, keys=np.zeros(7, dtype=np.uint64)))
    found = sorted(zip(graded.list.tolist(), graded.rank.tolist(), graded.grade.tolist(), strict=True))
    assert found == [(0, 1, 2.0), (0, 3, 1.0), (1, 2, 4.0), (1, 4, 3.0)]
