"""Stratified samples of a pool, with the probability of each document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.ids import encode
from gaincurve.model.rows import nth_of
from gaincurve.model.source import Note, counted
from gaincurve.stats import pooling
from gaincurve.verbs.pools.drawn import Drawn, Request

STRATA = "1-10:1,11-100:.2,101-1000:.05"


@dataclass(frozen=True)
class Stratum:
    """Best ranks `low` to `high`, of which the share `share` is drawn."""

    low: int
    high: int
    share: float


def parse_strata(text: str) -> tuple[Stratum, ...]:
    """'1-10:1,11-100:.2' as strata; overlapping ranges and shares outside (0, 1] are refused."""
    strata = []
    for part in text.split(","):
        ranks, colon, share = part.strip().partition(":")
        low, dash, high = ranks.partition("-")
        try:
            stratum = Stratum(int(low), int(high if dash else low), float(share))
        except ValueError:
            raise _bad_strata(f"{part.strip()!r} is not RANK-RANK:SHARE") from None
        if not colon or not 1 <= stratum.low <= stratum.high:
            raise _bad_strata(f"{part.strip()!r} is not a range of ranks from 1")
        if not 0 < stratum.share <= 1:
            raise _bad_strata(f"the share {share} of ranks {ranks} is not above 0 and at most 1")
        strata.append(stratum)
    for before, after in zip(
        sorted(strata, key=lambda s: s.low), sorted(strata, key=lambda s: s.low)[1:], strict=False
    ):
        if after.low <= before.high:
            raise _bad_strata(f"ranks {before.low}-{before.high} and {after.low}-{after.high} overlap")
    return tuple(strata)


def _bad_strata(what: str) -> ChoiceError:
    return ChoiceError(Problem("pool-strata", what))


def sampled(request: Request, strata: Sequence[Stratum], seed: int) -> Drawn:
    """A stratified sample of each topic, drawn apart, so that another topic changes nothing."""
    if request.replay:
        raise ChoiceError(Problem("pool-answers", "a sample has no order to replay"))
    lists = request.lists
    stratum = np.zeros(len(lists), dtype=np.int64)
    for number, part in enumerate(strata, start=1):
        stratum[(lists.best >= part.low) & (lists.best <= part.high)] = number
    if outside := int((stratum == 0).sum()):
        text = f"{counted(outside, 'document')} outside all strata, not in the pool"
        request.notes.append(Note("pool-outside", text))
    documents, shares = [], []
    for topic, (start, stop) in enumerate(zip(lists.offsets[:-1], lists.offsets[1:], strict=True)):
        random = np.random.Generator(np.random.PCG64([seed, int.from_bytes(encode(lists.topics[topic]))]))
        for number, part in enumerate(strata, start=1):
            members = start + np.flatnonzero(stratum[start:stop] == number)
            if len(members):
                size = pooling.drawn_from(len(members), part.share)
                documents.append(np.sort(random.choice(members, size=size, replace=False)))
                shares.append(np.full(size, size / len(members)))
    document = np.concatenate(documents) if documents else np.zeros(0, dtype=np.int64)
    p = np.concatenate(shares) if shares else np.zeros(0)
    order = np.lexsort((lists.first[document], lists.best[document], stratum[document], lists.topic[document]))
    document, p = document[order], p[order]
    pooled = np.flatnonzero(stratum > 0)
    return Drawn(document, nth_of(lists.topic[document]), stratum[document], p, pooled, stratum[pooled])
