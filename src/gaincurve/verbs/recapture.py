"""The verb `recapture`: how many relevant documents there are, from what two independent searches found."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.model.estimates import ENDS
from gaincurve.model.ids import Ids
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import places
from gaincurve.model.matches import look_up
from gaincurve.model.source import Note, Source, counted, examples
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Cell, Kind, Tidy
from gaincurve.stats.recapture import recapture_interval, recaptured


@dataclass(frozen=True)
class Recaptured:
    """Relevant documents of a topic found by the first search, by the second, by both; how many there may be in all."""

    topic: str
    first: int
    second: int
    both: int
    estimate: float
    variance: float

    @property
    def interval(self) -> tuple[float, float]:
        """The log-normal 95% interval, never below what was found."""
        return recapture_interval(self.first + self.second - self.both, self.estimate, self.variance)

    def to_dict(self) -> dict[str, object]:
        """The JSON shape of a topic."""
        low, high = self.interval
        return {
            "topic": self.topic, "first": self.first, "second": self.second, "both": self.both,
            "estimate": self.estimate, "se": math.sqrt(self.variance), "low": low, "high": high,
        }  # fmt: skip


@dataclass(frozen=True)
class Recapture(Result):
    """Every topic that both searches covered, and all together."""

    topics: tuple[Recaptured, ...]
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        return f"Recapture({counted(len(self.topics), 'topic')}, {self.all.estimate:.1f} relevant documents)"

    @property
    def all(self) -> Recaptured:
        """The sums over topics, which are estimated one by one."""
        return Recaptured(
            "all",
            sum(topic.first for topic in self.topics),
            sum(topic.second for topic in self.topics),
            sum(topic.both for topic in self.topics),
            math.fsum(topic.estimate for topic in self.topics),
            math.fsum(topic.variance for topic in self.topics),
        )

    def sentences(self) -> tuple[str, ...]:
        """What the number assumes."""
        return ("This holds if the two searches are independent. If both find the easy documents, there are more.",)

    def tidy(self) -> Tidy:
        """topic, first, second, both, value, se, low, high."""
        rows: list[tuple[Cell, ...]] = [
            (row.topic, row.first, row.second, row.both, row.estimate, math.sqrt(row.variance), *row.interval)
            for row in (*self.topics, self.all)
        ]
        counts: dict[str, Kind] = {"first": "count", "second": "count", "both": "count"}
        return Tidy.of_rows("gaincurve.recapture/1", {"topic": "text", **counts, **ENDS}, rows)

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.recapture/1."""
        topics = [topic.to_dict() for topic in self.topics]
        return {"schema": "gaincurve.recapture/1", "all": self.all.to_dict(), "topics": topics}


def recapture(first: object, second: object, *, rel: float = 1) -> Recapture:
    """How many relevant documents each topic has, if both searches found theirs independently of each other.

    (n1 + 1)(n2 + 1)/(m + 1) − 1 with n1 and n2 found by each and m by both. Relevant are grades of at least `rel`. Two
    judges of the same documents are no two searches: that is refused.
    """
    mine, other = Judgments.of(first), Judgments.of(second)
    base = places(Ids.from_texts(mine.topics), Ids.from_texts(other.topics)).astype(np.int32)
    row, judgment = look_up(other, mine.keys, mine.topic, mine.documents, base)
    shared = [topic for topic, place in zip(mine.topics, base.tolist(), strict=True) if place >= 0]
    where = f"{mine.source.path} and {other.source.path}"
    if not shared:
        raise InputError(Problem("judgments-disjoint", "no topic is judged in both", where))
    if len(row) == len(mine) == len(other):
        raise InputError(Problem("recapture-same", f"both judge the same {counted(len(mine), 'document')}", where))
    topics = len(mine.topics)
    of_mine = np.bincount(mine.topic[mine.grades >= rel], minlength=topics)
    twice = row[(mine.grades[row] >= rel) & (other.grades[judgment] >= rel)]
    both = np.bincount(mine.topic[twice], minlength=topics)
    of_other = np.bincount(other.topic[other.grades >= rel], minlength=len(other.topics))
    results = []
    for t, place in enumerate(base.tolist()):
        if place >= 0:
            counts = int(of_mine[t]), int(of_other[place]), int(both[t])
            results.append(Recaptured(mine.topics[t], *counts, *recaptured(*counts)))
    apart = [result.topic for result in results if not result.both and result.first + result.second]
    text = f"nothing was found by both for {counted(len(apart), 'topic')}, so only a lower bound is known: "
    notes = [Note("recapture-apart", text + examples(apart))] if apart else []
    left = len(set(mine.topics) ^ set(other.topics))
    if left:
        notes.append(Note("topics-aligned", f"{counted(left, 'topic')} judged in one only left out"))
    return Recapture(tuple(results), (mine.source, other.source), (*mine.notes, *other.notes, *notes))
