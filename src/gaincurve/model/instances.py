"""Which instances (subtopics, aspects) of a topic each judged document covers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.groups import owners, spans
from gaincurve.model.ids import Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.rows import distinct
from gaincurve.model.subtopics import Subtopics


@dataclass(frozen=True, eq=False)
class Instances:
    """Pairs of judgment row and instance, sorted by row; `topic` is the topic of each instance."""

    judgment: Ints
    instance: Ints
    topic: NDArray[np.int32]

    @classmethod
    def of(cls, judgment: Ints, instance: Ints, topic: NDArray[np.int32]) -> Instances:
        """Instances from pairs in any order: judgment row i is relevant to instance j of topic `topic[j]`."""
        order = np.lexsort((instance, judgment))
        return cls(np.asarray(judgment)[order], np.asarray(instance)[order], topic)

    @classmethod
    def named(cls, judgments: Judgments, covers: Iterable[tuple[str, str, str]]) -> Instances:
        """Instances from (topic, subtopic, document); the subtopic of an unjudged document still counts as one."""
        judged = zip(judgments.topic.tolist(), judgments.documents, strict=True)
        rows = {identity: row for row, identity in enumerate(judged)}
        topics = {name: i for i, name in enumerate(judgments.topics)}
        numbers: dict[tuple[int, str], int] = {}
        pairs: list[tuple[int, int]] = []
        for topic, subtopic, document in covers:
            if topic in topics:
                instance = numbers.setdefault((topics[topic], subtopic), len(numbers))
                row = rows.get((topics[topic], document))
                pairs += [] if row is None else [(row, instance)]
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return cls.of(table[:, 0], table[:, 1], np.array([topic for topic, _ in numbers], dtype=np.int32))

    @classmethod
    def of_subtopics(cls, subtopics: Subtopics) -> Instances:
        """The subtopics for which some document was judged relevant."""
        relevant = subtopics.grade > 0
        numbers = distinct(subtopics.subtopic[relevant])
        instance = np.searchsorted(numbers, subtopics.subtopic[relevant])
        topic = np.zeros(len(numbers), dtype=np.int32)
        topic[instance] = subtopics.topic[relevant]
        return cls.of(subtopics.judgment[relevant], instance, topic)

    def as_subtopics(self) -> Subtopics:
        """The same as judgments by subtopic; an instance that no judged document covers stands with the row −1."""
        uncovered = np.setdiff1d(np.arange(len(self.topic)), self.instance)
        instance = np.concatenate([self.instance, uncovered])
        judgment = np.concatenate([self.judgment, np.full(len(uncovered), -1)])
        order = np.argsort(self.topic[instance], kind="stable")
        instance, judgment = instance[order], judgment[order]
        return Subtopics(self.topic[instance], judgment, instance, np.ones(len(instance)))

    def covered_by(self, rows: Ints) -> tuple[Ints, Ints]:
        """The instances of some judgment rows: for each pair the place in `rows` and the instance."""
        first, last = (np.searchsorted(self.judgment, rows, side=side) for side in ("left", "right"))
        count = last - first
        return owners(count), self.instance[spans(first, count)]
