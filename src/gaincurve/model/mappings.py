"""Grade a run that is a dict of dicts without copying its ids: only judged documents are looked up in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.file_order import FileOrder
from gaincurve.model.ids import Ids, encode
from gaincurve.model.judgments import Judgments
from gaincurve.model.matches import MANY, Matches
from gaincurve.model.order import FLOAT32
from gaincurve.model.rows import distinct


def match_mapping(judgments: Judgments, run: Mapping[Any, Any], ties: str) -> Matches | None:
    """{topic: {document: score}} matched with the judgments; None if the run is not just that.

    A document's rank is one more than the number of higher scores, plus its place among equal ones; so nothing but
    the numbers is sorted. Odd ids and broken scores are left to `Run.of`, which has the messages, and so is a run that
    decides whether doubtful grades are meant.
    """
    if judgments.doubtful:
        return None
    with np.errstate(over="ignore"):  # a score beyond 32 bits becomes inf, as in C
        return _matched(judgments, run, ties)


def _matched(judgments: Judgments, run: Mapping[Any, Any], ties: str) -> Matches | None:
    index = {topic: i for i, topic in enumerate(judgments.topics)}
    documents = judgments.documents.texts()
    offsets = judgments.offsets.tolist()
    kind: type[np.floating] = np.float32 if ties in FLOAT32 else np.float64
    retrieved: list[int] = []
    rising, same = 0, 0
    parts: list[tuple[NDArray[np.int64], ...]] = []
    for number, (topic, listed) in enumerate(run.items()):
        scores = _scores(topic, listed, kind)
        if scores is None:
            return None
        retrieved.append(len(listed))
        rising += int(np.count_nonzero(scores[1:] > scores[:-1]))
        place = index.get(topic, -1)
        rows = range(offsets[place], offsets[place + 1]) if place >= 0 else ()
        hits = [row for row in rows if documents[row] in listed]
        if hits:
            values = np.array([listed[documents[row]] for row in hits], dtype=np.float64).astype(kind, copy=False)
            same += int(np.count_nonzero(values == judgments.grades[hits]))
            ordered = np.sort(scores)
            first = len(scores) - np.searchsorted(ordered, values, side="right") + 1
            last = len(scores) - np.searchsorted(ordered, values, side="left")
            rank = first.copy()
            if (last > first).any():
                tied = np.flatnonzero(last > first)
                names = [documents[hits[i]] for i in tied.tolist()]
                rank[tied] += _places_among_equals(names, values[tied], listed, scores)
            order = np.argsort(rank)
            owner = np.full(len(hits), number, dtype=np.int64)
            parts.append((owner, rank[order], first[order], last[order], np.array(hits, dtype=np.int64)[order]))
    if not sum(retrieved) or not _all_text(run):
        return None
    nothing = np.zeros(0, dtype=np.int64)
    columns = [np.concatenate([nothing, *column]) for column in zip(*parts, strict=True)] or [nothing] * 5
    return Matches(
        names=Ids.from_texts(tuple(run)),
        base=np.array([index.get(topic, -1) for topic in run], dtype=np.int32),
        retrieved=np.array(retrieved, dtype=np.int64),
        list=columns[0],
        rank=columns[1],
        first=columns[2],
        last=columns[3],
        judgment=columns[4],
        copied=sum(retrieved) == len(judgments) == same >= MANY,
        order=FileOrder(level=sum(retrieved) - len(retrieved), rising=rising),
    )


def listed_in(judgments: Judgments, run: Mapping[Any, Any]) -> tuple[NDArray[np.int64], list[str]]:
    """The documents listed for judged topics, with the number of the topic."""
    index = {topic: i for i, topic in enumerate(judgments.topics)}
    pairs = [(index[topic], document) for topic, listed in run.items() if topic in index for document in listed]
    return np.array([number for number, _ in pairs], dtype=np.int64), [document for _, document in pairs]


def _scores(topic: object, listed: object, kind: type[np.floating]) -> NDArray[np.floating] | None:
    """The topic's scores as the tie rule compares them; None if topic, ids or scores are not plain."""
    if type(topic) is not str or not topic or not isinstance(listed, Mapping) or "" in listed or not _all_text(listed):
        return None
    try:
        scores = np.fromiter(listed.values(), dtype=np.float64, count=len(listed))
    except (TypeError, ValueError, OverflowError):
        return None
    return scores.astype(kind, copy=False) if np.isfinite(scores).all() else None


def _all_text(names: Mapping[Any, Any]) -> bool:
    """Whether every id is text that can be written as bytes: half a surrogate pair cannot."""
    try:
        joined = "".join(names)
        return joined.isascii() or bool(encode(joined))
    except (TypeError, UnicodeEncodeError):
        return False


def _places_among_equals(
    documents: list[str], values: NDArray[np.floating], listed: Mapping[str, Any], scores: NDArray[np.floating]
) -> NDArray[np.int64]:
    """How many documents of the same score come before each: those with a greater id, byte by byte."""
    names = list(listed)
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    before = np.zeros(len(documents), dtype=np.int64)
    for value in distinct(values):
        low, high = np.searchsorted(ordered, value, side="left"), np.searchsorted(ordered, value, side="right")
        equals = sorted((encode(names[i]) for i in order[low:high].tolist()), reverse=True)
        place = {name: i for i, name in enumerate(equals)}
        for i in np.flatnonzero(values == value).tolist():
            before[i] = place[encode(documents[i])]
    return before
