"""Judgments and runs as real Hugging Face data sets and ranx objects: the same numbers as from dicts."""

from __future__ import annotations

from typing import Any

import datasets
import pytest
import ranx

import gaincurve as gc

JUDGED = {"q1": {"d1": 3, "d2": 1}, "q2": {"d7": 2}}
FOUND = {"q1": {"d2": 9.5, "d1": 7.1}, "q2": {"d7": 1.2, "d9": 0.4}}
MEASURES = ["nDCG@10", "AP"]
WANTED = gc.evaluate(JUDGED, FOUND, MEASURES).summary()["run"]


def rows(values: dict[str, dict[str, Any]]) -> dict[str, list[Any]]:
    listed = [(q, d, v) for q, by_document in values.items() for d, v in by_document.items()]
    return dict(zip(("query-id", "corpus-id", "score"), map(list, zip(*listed, strict=True)), strict=True))


QRELS, HITS = datasets.Dataset.from_dict(rows(JUDGED)), datasets.Dataset.from_dict(rows(FOUND))


@pytest.mark.parametrize("form", [None, "numpy", "arrow", "pandas"])
def test_a_data_set_is_read_whatever_its_format(form: str | None) -> None:
    judged, found = QRELS.with_format(form), HITS.with_format(form)
    assert gc.evaluate(judged, found, MEASURES).summary() == {"run": WANTED}


def test_a_selection_and_a_stream_are_read_as_they_are() -> None:
    assert gc.evaluate(QRELS.shuffle(seed=1), HITS.select([3, 0, 2, 1]), MEASURES).summary() == {"run": WANTED}
    assert gc.evaluate(QRELS.to_iterable_dataset(), HITS.to_iterable_dataset(), MEASURES).summary() == {"run": WANTED}


def test_splits_ask_for_one() -> None:
    with pytest.raises(gc.InputError, match="has the splits test"):
        gc.evaluate(datasets.DatasetDict(test=QRELS), FOUND, MEASURES)


def test_ranx_objects_are_read_and_know_their_names() -> None:
    judged, bm25 = ranx.Qrels(JUDGED), ranx.Run(FOUND, name="bm25")
    assert gc.evaluate(judged, [bm25], MEASURES).summary() == {"bm25": WANTED}
    for exchanged in ((bm25, FOUND), (JUDGED, judged)):
        with pytest.raises(gc.InputError, match="is a ranx"):
            gc.evaluate(*exchanged, MEASURES)
