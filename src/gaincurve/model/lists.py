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
        topic, rank, keys = (np.concatenate(column) for column in zip(*(part[:3] for part in parts), strict=True))
        ids = joined([part[3] for part in parts])
        run = np.repeat(np.arange(len(runs)), [len(part[0]) for part in parts])
        number, example = _same_documents(topic, ids, keys)
        order = ids.take(example).order_descending(-topic[example])[::-1]
        example = example[order]
        renumbered = np.empty(len(order), dtype=np.int64)
        renumbered[order] = np.arange(len(order))
        deepest = int(rank.max(initial=0)) + 1
        entries = np.sort((renumbered[number] * deepest + rank) * len(runs) + run)
        document, rest = np.divmod(entries, deepest * len(runs))
        ranks, runs_ = np.divmod(rest, len(runs))
        starts = np.flatnonzero(np.concatenate([[True], document[1:] != document[:-1]])) if len(document) else document
        retrieved = np.bincount(run * len(names) + topic, minlength=len(runs) * len(names))
        return cls(
            runs=tuple(run.name for run in runs),
            topics=tuple(names),
            topic=topic[example].astype(np.int32),
            documents=ids.take(example),
            keys=keys[example],
            best=ranks[starts],
            first=runs_[starts],
            held=np.bincount(document, minlength=len(example)),
            document=document,
            run=runs_,
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


def _same_documents(topic: Ints, ids: Ids, keys: Keys) -> tuple[Ints, Ints]:
    """A number for each row, equal for the same document of the same topic, and an example row of each number."""
    order = np.argsort(keys, kind="stable")
    new = np.concatenate([[True], keys[order][1:] != keys[order][:-1]]) if len(keys) else np.zeros(0, dtype=bool)
    number = np.empty(len(keys), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    example = order[new]
    if (topic == topic[example[number]]).all() and ids.same(ids.take(example[number])).all():
        return number, example
    seen: dict[tuple[int, bytes], int] = {}  # different documents share a key
    rows = ((int(topic[i]), ids.bytes_at(i)) for i in range(len(ids)))
    number = np.fromiter((seen.setdefault(row, len(seen)) for row in rows), dtype=np.int64, count=len(ids))
    example = np.zeros(len(seen), dtype=np.int64)
    example[number[::-1]] = np.arange(len(ids))[::-1]
    return number, example
