"""Judgments or a run as plain columns, as writers want them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.judgments import Judgments
from gaincurve.model.rows import nth_of
from gaincurve.model.run import Run
from gaincurve.model.sampling import VOTES
from gaincurve.model.source import Source, number_text


@dataclass(frozen=True)
class Data:
    """What is written. `rows` are (topic, document, value) with topics together: of a run in the order of its file.

    `ranks` are the places of a run's rows by its tie rule; `scored` is False where only the order is known.
    `strata` and `subtopics` stand beside judgments that have them. `header` is ir_metadata, `empty` are topics
    without documents, `origin` says where judgments come from if not from judges.
    """

    kind: str
    name: str
    rows: list[tuple[str, str, float]]
    source: Source
    ranks: list[int]
    scored: bool = True
    strata: list[str] | None = None
    subtopics: int = 0
    sampled: bool = False
    header: str = ""
    empty: tuple[str, ...] = ()
    origin: str | None = None

    @classmethod
    def of_judgments(cls, judgments: Judgments) -> Data:
        """Judgments, one row for each document."""
        rows = [
            (judgments.topics[topic], document, grade)
            for topic, document, grade in zip(
                judgments.topic.tolist(), judgments.documents, judgments.grades.tolist(), strict=True
            )
        ]
        sampling = judgments.sampling
        strata = None if sampling is None or sampling.stratum is None else sampling.stratum.texts()
        subtopics = 0 if judgments.subtopics is None else 1
        return cls(
            "judgments",
            "",
            rows,
            judgments.source,
            [],
            strata=strata,
            subtopics=subtopics,
            sampled=sampling is not None,
            empty=_without_rows(judgments.topics, judgments.topic),
            origin=VOTES if judgments.origin == VOTES else None,
        )

    @classmethod
    def of_run(cls, run: Run) -> Data:
        """A run, in the order of its file."""
        ranks = nth_of(run.topic)
        order = np.arange(len(run)) if run.position is None else np.lexsort((run.position, run.topic))
        documents = run.documents.texts()
        topic, scores = run.topic.tolist(), run.scores.tolist()
        rows = [(run.topics[topic[i]], documents[i], scores[i]) for i in order.tolist()]
        return cls(
            "run",
            run.name,
            rows,
            run.source,
            ranks[order].tolist(),
            run.scored,
            header=run.source.metadata,
            empty=_without_rows(run.topics, run.topic),
        )

    @property
    def ordered(self) -> list[tuple[str, str, int]]:
        """Topic, document and rank of a run, topic by topic, in rank order."""
        places: dict[str, list[tuple[int, str]]] = {}
        for (topic, document, _), rank in zip(self.rows, self.ranks, strict=True):
            places.setdefault(topic, []).append((rank, document))
        return [(topic, document, rank) for topic, listed in places.items() for rank, document in sorted(listed)]

    def by_topic(self) -> Iterator[tuple[str, list[tuple[str, float]]]]:
        """Each topic with its documents and their values."""
        topics: dict[str, list[tuple[str, float]]] = {}
        for topic, document, value in self.rows:
            topics.setdefault(topic, []).append((document, value))
        return iter([*topics.items(), *((topic, []) for topic in self.empty)])

    def lists(self) -> Iterator[tuple[str, list[str]]]:
        """Each topic with its documents in rank order."""
        topics: dict[str, list[str]] = {}
        for topic, document, _ in self.ordered:
            topics.setdefault(topic, []).append(document)
        return iter([*topics.items(), *((topic, []) for topic in self.empty)])


def _without_rows(topics: Sequence[str], topic: NDArray[np.int32]) -> tuple[str, ...]:
    counts = np.bincount(topic, minlength=len(topics))
    return tuple(topics[i] for i in np.flatnonzero(counts == 0).tolist())


def plain(value: float) -> int | float:
    """A value as JSON has it: 3, not 3.0."""
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def text_of(value: float) -> str:
    """A value as columns have it; every digit that makes the same number again."""
    return number_text(value)
