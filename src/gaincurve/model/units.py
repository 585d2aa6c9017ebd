"""Units: what a value is given for, topics or sessions, and the lists that each of them has."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.groups import take
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.rows import offsets_of
from gaincurve.model.source import counted, grouped

Index = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Units:
    """Topics with one list each, or sessions with a list for every query.

    `labels` are the units' ids. By list, in order of unit and position (1, 2, …): the `unit` it belongs to and its
    `topic`, an index into `topics` (−1: none is known). Only logs of sessions record: by unit its `user`, an index
    into `users`; by list its text, how deep it was `scanned` (−1: not recorded) and the deepest rank `clicked` (0: no
    click). Sessions taken from a TREC run are not `complete`: it cannot hold a query that returned nothing. `judged_by`
    says whether all queries of a session share the judgments of its 'topic' or each 'query' has its own. Where sessions
    were cut by idle time, `idle` is its limit.
    """

    kind: str
    labels: Ids | tuple[str, ...]
    unit: Index
    position: Index
    topics: tuple[str, ...]
    topic: Index
    users: tuple[str, ...] = ()
    user: Index | None = None
    texts: tuple[str, ...] | None = None
    scanned: Ints | None = None
    clicked: Ints | None = None
    complete: bool = True
    judged_by: str = "topic"
    idle: str = ""

    @classmethod
    def of_topics(cls, topics: tuple[str, ...]) -> Units:
        """Topics, each with one list."""
        every = np.arange(len(topics), dtype=np.int32)
        return cls("topic", topics, every, np.ones(len(topics), dtype=np.int32), topics, every)

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"Units({self.describe()})"

    def describe(self) -> str:
        """'50 topics', '133 sessions, 401 queries'."""
        if self.kind == "topic":
            return counted(len(self), "topic")
        return f"{counted(len(self), 'session')}, {grouped(self.lists)} quer{'y' if self.lists == 1 else 'ies'}"

    @property
    def lists(self) -> int:
        """How many lists there are."""
        return len(self.unit)

    @property
    def ids(self) -> Ids:
        """The ids of the units as bytes."""
        return self.labels if isinstance(self.labels, Ids) else Ids.from_texts(self.labels)

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the units as text."""
        return tuple(self.labels.texts()) if isinstance(self.labels, Ids) else self.labels

    @property
    def lengths(self) -> Ints:
        """The number of lists of each unit."""
        return np.bincount(self.unit, minlength=len(self))

    @property
    def offsets(self) -> Ints:
        """Where each unit's lists begin; one more entry than units."""
        return offsets_of(self.unit, len(self))

    def topic_of_unit(self) -> Index:
        """The one topic of each unit, −1 where its lists have several or none."""
        first = self.topic[np.minimum(self.offsets[:-1], max(0, self.lists - 1))]
        several = np.bincount(self.unit[self.topic != first[self.unit]], minlength=len(self)) > 0
        return np.where(several, -1, first).astype(np.int32)

    def named(self, units: Ints) -> list[str]:
        """The ids of some units as text."""
        return self.ids.take(units).texts() if isinstance(self.labels, Ids) else [self.labels[i] for i in units]

    def select(self, units: Ints) -> Units:
        """Some of the units, by index in ascending order."""
        if self.kind == "topic":
            return Units.of_topics(tuple(self.named(units)))
        place = np.full(len(self), -1, dtype=np.int32)
        place[units] = np.arange(len(units), dtype=np.int32)
        lists = np.flatnonzero(place[self.unit] >= 0)
        return replace(
            self,
            labels=self.ids.take(units),
            unit=place[self.unit[lists]],
            position=self.position[lists],
            topic=self.topic[lists],
            user=take(self.user, units),
            texts=None if self.texts is None else tuple(self.texts[i] for i in lists.tolist()),
            scanned=take(self.scanned, lists),
            clicked=take(self.clicked, lists),
        )
