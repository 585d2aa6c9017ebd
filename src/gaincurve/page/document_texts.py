"""Which documents' texts a page has room for: those nearest to the top of some list first."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

import numpy as np

from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.page.labels import visible
from gaincurve.page.observed.runs import SHOWN

CUTS = (100, 50, 30, 20, 10, 5, 3, 1)
"""Texts are shown down to one of these ranks."""

PACKED = 4 / 3
"""The bytes that base64 needs for one."""

SAMPLE = 3000


def best_ranks(judgments: Judgments, runs: Sequence[Run], shown: int = SHOWN) -> dict[str, int]:
    """The best rank at which any run returns each document for a judged topic, down to rank `shown`."""
    judged = set(judgments.topics)
    best: dict[str, int] = {}
    for run in runs:
        counts = np.array([topic in judged for topic in run.topics], dtype=bool)
        rank = np.arange(len(run)) - run.offsets[run.topic] + 1
        row = np.flatnonzero((rank <= shown) & counts[run.topic])
        for name, place in zip(run.documents.take(row).texts(), rank[row].tolist(), strict=True):
            if place < best.get(name, shown + 1):
                best[name] = place
    return best


def texts_by_id(texts: Mapping[str, str]) -> dict[str, dict[str, list[str]]]:
    """The part `texts` of gaincurve.observed/1: ids as the lists name them, and their texts; absent without any."""
    if not texts:
        return {}
    return {"texts": {"ids": [visible(name) for name in texts], "texts": list(texts.values())}}


def shrinking(texts: Mapping[str, str], ranks: Mapping[str, int], room: int) -> Iterator[tuple[dict[str, str], int]]:
    """Fewer and fewer texts, each time with the last rank that has one, beginning where they may fit into `room`.

    The guess rests on how well a sample of the texts packs; the caller checks whether they fit.
    """
    sizes = np.zeros(SHOWN + 2, dtype=np.int64)
    for name, text in texts.items():
        sizes[min(ranks.get(name, SHOWN + 1), SHOWN + 1)] += len(name) + len(text.encode("utf-8", "replace")) + 6
    sample = "\n".join(chain.from_iterable(islice(texts.items(), SAMPLE))).encode("utf-8", "replace")
    packs = PACKED * len(zlib.compress(sample)) / max(1, len(sample))
    for cut in CUTS:
        if sizes[: cut + 1].sum() * packs <= room:
            yield {name: text for name, text in texts.items() if ranks.get(name, SHOWN + 1) <= cut}, cut
    yield {}, 0
