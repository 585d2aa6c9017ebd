"""What several runs show: each document of a topic once, with the ranks at which runs show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.ids import Ids, Ints, Keys
from gaincurve.model.lookup import joined
from gaincurve.model.rows import offsets_of
from gaincurve.model.run import Run

BLOCK = 1 << 17
"""So many rows are put together at a time, unless a topic has more."""


@dataclass(frozen=True, eq=False)
class Lists:
    """Everything that some runs show to a depth: each document of a topic once, topics in order, ids ascending.

    By document: its `topic`, its key (that of the judgments, too), its best rank, the first declared run that has it
    there, and how many runs hold it. By entry, in the order of `document`, then rank, then run: which run shows which
    document at which rank. `retrieved[run, topic]` is the length of each list.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    topic: NDArray[np.int32]
    documents: Ids
    keys: Keys
    best: Ints
    first: Ints
    held: Ints
    document: Ints
    run: Ints
    rank: Ints
    retrieved: Ints

    @classmethod
    def of(cls, runs: Sequence[Run], depth: int | None = None, topics: Sequence[str] | None = None) -> Lists:
        """The first `depth` documents of each run, all of them without one; `topics` restricts and orders topics."""
        names = list(dict.fromkeys(name for run in runs for name in run.topics)) if topics is None else list(topics)
        place = {name: i for i, name in enumerate(names)}
        parts = [_first_ranks(run, place, depth) for run in runs]
        of_run = np.repeat(np.arange(len(runs)), [len(part[0]) for part in parts])
        topic, rank, keys = (np.concatenate(column) for column in zip(*(part[:3] for part in parts), strict=True))
        ids = joined([part[3] for part in parts])
        rows = np.argsort(topic, kind="stable")
        size = np.bincount(topic, minlength=len(names))
        tables: list[tuple[Ints, Ints, Ints, Ints, Ints]] = []
        documents = 0
        for block in _blocks(rows, size):
            table = _table(topic[block], ids.take(block), keys[block], rank[block], of_run[block])
            tables.append((block[table[0]], table[1], table[2] + documents, table[3], table[4]))
            documents += len(table[0])
        nothing = np.zeros(0, dtype=np.int64)
        example, first, document, ranks, shown_by = (
            np.concatenate(column) for column in zip(*(tables or [(nothing,) * 5]), strict=True)
        )
        retrieved = np.bincount(of_run * len(names) + topic, minlength=len(runs) * len(names))
        starts = np.searchsorted(document, np.arange(documents))
        return cls(
            runs=tuple(run.name for run in runs),
            topics=tuple(names),
            topic=topic[example].astype(np.int32),
            documents=ids.take(example),
            keys=keys[example],
            best=ranks[starts],
            first=first,
            held=np.bincount(document, minlength=documents),
            document=document,
            run=shown_by,
            rank=ranks,
            retrieved=retrieved.reshape(len(runs), len(names)),
        )

    def __len__(self) -> int:
        return len(self.topic)

    @property
    def offsets(self) -> Ints:
        """Where the documents of each topic begin."""
        return offsets_of(self.topic, len(self.topics))

    def named(self, documents: Ints) -> Iterator[tuple[str, bytes]]:
        """Topic and id of some documents."""
        for topic, document in zip(self.topic[documents].tolist(), documents.tolist(), strict=True):
            yield self.topics[topic], self.documents.bytes_at(document)

    def ranks(self, absent: int) -> Ints:
        """ranks[run, document], `absent` where a run does not hold it."""
        matrix = np.full((len(self.runs), len(self)), absent)
        matrix[self.run, self.document] = self.rank
        return matrix

    def rankings(self) -> dict[int, list[list[int]]]:
        """By topic, each run's documents in rank order."""
        order = np.lexsort((self.rank, self.run, self.topic[self.document]))
        lists: dict[int, list[list[int]]] = {t: [[] for _ in self.runs] for t in range(len(self.topics))}
        topics = self.topic[self.document[order]].tolist()
        for t, r, d in zip(topics, self.run[order].tolist(), self.document[order].tolist(), strict=True):
            lists[t][r].append(d)
        return lists


def _first_ranks(run: Run, place: dict[str, int], depth: int | None) -> tuple[Ints, Ints, Keys, Ids]:
    topic = np.array([place.get(name, -1) for name in run.topics], dtype=np.int64)[run.topic]
    rank = np.arange(len(run)) - run.offsets[run.topic] + 1
    wanted = np.flatnonzero((topic >= 0) & ((rank <= depth) if depth is not None else True))
    return topic[wanted], rank[wanted], run.keys[wanted], run.documents.take(wanted)


def _blocks(rows: Ints, size: Ints) -> Iterator[Ints]:
    """Rows of so many topics at a time that their keys stay in the processor's cache."""
    ends = np.cumsum(size)
    start = 0
    while start < len(rows):
        topic = int(np.searchsorted(ends, start + BLOCK, side="right"))
        stop = max(int(ends[topic - 1]) if topic else 0, int(ends[np.searchsorted(ends, start, side="right")]))
        yield rows[start:stop]
        start = stop


def _table(topic: Ints, ids: Ids, keys: Keys, rank: Ints, run: Ints) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Documents by topic and id, and entries by document, rank and run.

    By document an example row and the first run that has it at its best rank; by entry document, rank and run.
    """
    number, example = _same_documents(topic, ids, keys)
    order = ids.take(example).order_descending(-topic[example])[::-1]
    renumbered = np.empty(len(order), dtype=np.int64)
    renumbered[order] = np.arange(len(order))
    runs, deepest = int(run.max(initial=0)) + 1, int(rank.max(initial=0)) + 1
    document, rest = np.divmod(np.sort((renumbered[number] * deepest + rank) * runs + run), deepest * runs)
    ranks, shown_by = np.divmod(rest, runs)
    first = shown_by[np.searchsorted(document, np.arange(len(order)))]
    return example[order], first, document, ranks, shown_by


def _same_documents(topic: Ints, ids: Ids, keys: Keys) -> tuple[Ints, Ints]:
    """A number for each row, equal for the same document of the same topic, and an example row of each number."""
    order = np.argsort(keys)
    again = keys[order][1:] == keys[order][:-1]
    new = np.concatenate([np.ones(min(1, len(keys)), dtype=bool), ~again])
    number = np.empty(len(keys), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    same = ids.take(order).repeats() & (topic[order][1:] == topic[order][:-1])
    if (same == again).all():
        return number, order[new]
    seen: dict[tuple[int, bytes], int] = {}  # different documents share a key
    rows = ((int(topic[i]), ids.bytes_at(i)) for i in range(len(ids)))
    number = np.fromiter((seen.setdefault(row, len(seen)) for row in rows), dtype=np.int64, count=len(ids))
    example = np.zeros(len(seen), dtype=np.int64)
    example[number[::-1]] = np.arange(len(ids))[::-1]
    return number, example
