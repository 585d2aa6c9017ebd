"""Every tie rule against a plain Python sort, for topics in one piece and scattered over the file."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from gaincurve.errors import ChoiceError, InputError
from gaincurve.model.run import Run

repeatable = settings(deadline=None, derandomize=True, max_examples=examples(300))

RULES = ("trec", "trec-float32", "average", "average-float32", "rank", "file")


class Row(NamedTuple):
    """One line of a run."""

    topic: str
    document: str
    score: float
    rank: int


def float32(value: float) -> float:
    """The nearest 32-bit number, as C's cast gives it."""
    return ctypes.c_float(value).value


def expected(rows: Iterable[Row], rule: str) -> dict[str, list[str]]:
    """Documents per topic in the order of the rule, by sorts that keep the file's order among equals."""
    topics: dict[str, list[Row]] = {}
    for row in rows:
        topics.setdefault(row.topic, []).append(row)
    for listed in topics.values():
        if rule == "rank":
            listed.sort(key=lambda row: row.rank)
        elif rule != "file":
            listed.sort(key=lambda row: row.document.encode(), reverse=True)
            listed.sort(key=lambda row: float32(row.score) if rule.endswith("float32") else row.score, reverse=True)
    return {topic: [row.document for row in listed] for topic, listed in topics.items()}


def rankings(run: Run) -> dict[str, list[str]]:
    return {topic: run.ranking_of(topic) for topic in run.topics}


documents = st.one_of(
    st.sampled_from(["a", "b", "B", "ab", "a0", "a10", "a9", "ä", "z", "\U0001f600", "\uffee", "x" * 130, "x" * 600]),
    st.text(min_size=1, max_size=12),
)
scores = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-12, 1.0 - 1e-12, 2.5, -3.0, 1e300, 1e301, -1e300, 5e-324]),
    st.floats(allow_nan=False, allow_infinity=False),
)
runs = st.lists(
    st.builds(Row, st.sampled_from(["1", "001", "t", "ü"]), documents, scores, st.integers(0, 6)),
    min_size=1,
    max_size=30,
    unique_by=lambda row: (row.topic, row.document),
)


@repeatable
@given(runs, st.sampled_from(RULES))
def test_a_rule_gives_the_order_of_a_plain_sort(rows: list[Row], rule: str) -> None:
    run = Run.of(rows, ties=rule)
    assert rankings(run) == expected(rows, rule)
    assert (run.ties, list(run.topics)) == (rule, list(dict.fromkeys(row.topic for row in rows)))
    given_scores = {(row.topic, row.document): row.score for row in rows}
    found = zip(run.topic.tolist(), run.documents, run.scores.tolist(), strict=True)
    assert {(run.topics[topic], document): score for topic, document, score in found} == given_scores


@repeatable
@given(runs, st.lists(st.sampled_from(RULES), min_size=2, max_size=4))
def test_ranking_again_forgets_the_rule_before(rows: list[Row], rules: list[str]) -> None:
    run = Run.of(rows, ties=rules[0])
    for rule in rules[1:]:
        run = run.ranked(rule)
        assert rankings(run) == expected(rows, rule)


@repeatable
@given(runs, st.sampled_from(RULES))
def test_tied_blocks_are_those_of_groupby(rows: list[Row], rule: str) -> None:
    run = Run.of(rows, ties=rule)
    score = {(row.topic, row.document): row.score for row in rows}
    starts, at = [0], 0
    for topic, listed in expected(rows, rule).items():
        values = [score[topic, document] for document in listed]
        if rule.endswith("float32"):
            values = [float32(value) for value in values]
        keys = range(len(values)) if rule in ("rank", "file") else values
        for _, block in groupby(keys):
            at += len(list(block))
            starts.append(at)
    assert run.blocks().tolist() == starts


def test_scores_equal_in_32_bits_only_are_tied_under_that_rule_only() -> None:
    run = Run.of({"t": {"a": 1.00000001, "b": 1.0, "c": 0.5}})
    assert run.ranking_of("t") == ["a", "b", "c"]
    assert run.ranked("trec-float32").ranking_of("t") == ["b", "a", "c"]


def test_ids_are_compared_as_bytes_not_as_numbers_or_utf16() -> None:
    tied = ["9", "10", "1", "A", "a", "\uffee", "\U0001f600"]
    run = Run.of({"t": dict.fromkeys(tied, 1.0)})
    assert run.ranking_of("t") == ["\U0001f600", "\uffee", "a", "A", "9", "10", "1"]


def test_a_topic_the_run_does_not_have_is_empty() -> None:
    assert Run.of({"t": ["a"]}).ranking_of("001") == []


def test_a_run_without_ranks_cannot_follow_them() -> None:
    with pytest.raises(InputError) as caught:
        Run.of({"t": {"a": 1.0}}, "bm25", ties="rank")
    assert caught.value.slug == "run-without-ranks"
    assert "bm25" in str(caught.value)


def test_an_unknown_rule_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ChoiceError) as caught:
        Run.of({"t": {"a": 1.0}}, ties="averge")
    assert caught.value.slug == "choice-unknown"
    assert "did you mean average?" in str(caught.value)
