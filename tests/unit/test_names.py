"""Long names: short enough, and apart wherever they differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaincurve.model.names import elided, short_names
from gaincurve.model.source import examples, shorten

SAME = "collection-robust04-retrieval-with-a-learned-sparse-mode"
"""56 characters."""


def differing(where: str) -> list[str]:
    """Names of 60 characters that differ in four of them."""
    at = {"start": 0, "middle": 28, "end": 56}[where]
    return [SAME[:at] + part + SAME[at:] for part in ("bm25", "lsi2", "sp-1", "sp-2")]


@pytest.mark.parametrize("where", ["start", "middle", "end"])
@pytest.mark.parametrize("width", [14, 20, 28, 40])
def test_what_differs_is_kept(where: str, width: int) -> None:
    names = differing(where)
    shown = short_names(names, width)
    assert {len(name) for name in names} == {60}
    assert len(set(shown)) == 4
    assert all(len(label) <= width for label in shown)
    assert all(part in label for part, label in zip(("bm25", "lsi2", "sp-1", "sp-2"), shown, strict=True))


def test_worked() -> None:
    names = ["retrieval-with-bm25", "retrieval-with-lsi", "bm25"]
    assert short_names(names, 12) == ["retrie…-bm25", "retrie…h-lsi", "bm25"]
    assert short_names(["x" * 20, "x" * 21, "x" * 20], 10) == ["xxxxx…xxxx", "xxx…xx (2)", "xxxxx…xxxx"]


def test_a_name_that_looks_like_a_cut_one_keeps_its_own() -> None:
    assert short_names(["abcdefghijkl", "abcd…jkl"], 8) == ["ab…l (2)", "abcd…jkl"]


@given(st.lists(st.text("ab-", min_size=1, max_size=60), unique=True, max_size=12), st.integers(14, 40))
def test_no_two_are_alike_and_none_is_too_long(names: list[str], width: int) -> None:
    shown = short_names(names, width)
    assert len(set(shown)) == len(names)
    assert all(len(label) <= width for label in shown)
    assert all(label == name for name, label in zip(names, shown, strict=True) if len(name) <= width)


def test_ids_in_messages_keep_their_ends() -> None:
    assert elided("abcdefghij", 5) == "ab…ij"
    ids = [f"msmarco-{'passage-' * 9}{i}" for i in range(3)]
    assert len(set(map(shorten, ids))) == 3
    assert all(len(shorten(text)) == 60 for text in ids)
    assert shorten("a\tb") == "a\\tb"
    assert examples(ids, 2).endswith("… (3 in all)")
    assert examples(ids, 2).split(", ")[0] != examples(ids, 2).split(", ")[1]
