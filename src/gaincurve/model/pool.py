"""Pools: the documents that several runs show, and the part of them that a judge is asked about."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.ids import Ids, Ints, Keys
from gaincurve.model.lookup import joined
from gaincurve.model.rows import Floats, nth_of, offsets_of
from gaincurve.model.run import Run
from gaincurve.model.source import Note, Source, counted, grouped, number_text

PACES = {"full documents": (1.0, 2.0), "passages": (3.0, 6.0)}
"""How many a judge judges a minute, slowly and quickly."""


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


@dataclass(frozen=True, eq=False)
class Pool:
    """What to judge: documents of `lists` by their number, topic by topic, the first to judge first.

    `priority` counts from 1; `stratum` and `p`, the probability of being in the pool, are 1 unless it was sampled.
    `grade` is what judges said already (nan: nothing), by document of `lists`. `pooled` are all documents of which the
    sample was drawn, with their strata, and `drawn` those it holds, judged or not.
    """

    lists: Lists
    method: str
    document: Ints
    priority: Ints
    stratum: Ints
    p: Floats
    grade: Floats
    pooled: Ints
    pooled_stratum: Ints
    drawn: Ints
    inputs: tuple[Source, ...] = ()
    notes: tuple[Note, ...] = ()
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.document)

    def __repr__(self) -> str:
        return f"Pool({self.describe()}, method {self.method})"

    def describe(self) -> str:
        """'50 topics, 1 432 documents of 4 runs'."""
        topics = counted(len(np.unique(self.topic)), "topic")
        return f"{topics}, {counted(len(self), 'document')} of {counted(len(self.lists.runs), 'run')}"

    @property
    def topic(self) -> Ints:
        """The topic of each document to judge, by number."""
        return self.lists.topic[self.document].astype(np.int64)

    def _rows(self) -> Iterator[tuple[str, str, int]]:
        """Topic and document of each one to judge, and its place here."""
        names, ids = self.lists.topics, self.lists.documents.take(self.document)
        for i, (topic, document) in enumerate(zip(self.topic.tolist(), ids, strict=True)):
            yield names[topic], document, i

    def records(self) -> list[dict[str, object]]:
        """One record for each document: topic, document, priority, stratum, p, runs."""
        held = self.lists.held[self.document].tolist()
        columns = zip(self.priority.tolist(), self.stratum.tolist(), self.p.tolist(), held, strict=True)
        names = ("priority", "stratum", "p", "runs")
        return [
            {"topic": topic, "document": document, **dict(zip(names, values, strict=True))}
            for (topic, document, _), values in zip(self._rows(), columns, strict=True)
        ]

    def to_jsonl(self) -> str:
        """The pool as JSON lines. No run is named, so that judges stay blind."""
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in self.records())

    def to_trec(self, tag: str = "pool") -> str:
        """The pool as a TREC run: first to judge, first in the list."""
        size = np.bincount(self.topic, minlength=len(self.lists.topics))
        nth = nth_of(self.topic.astype(np.int32))
        return "".join(
            f"{topic} Q0 {document} {nth[i]} {size[self.topic[i]] - nth[i] + 1} {tag}\n"
            for topic, document, i in self._rows()
        )

    def to_qrels5(self) -> str:
        """topic 0 document stratum grade, where −1 is pooled and not judged.

        Of a sample all documents it was drawn from are written, because estimates need the size of each stratum, and
        those drawn and judged have their grade; a document that was judged and not drawn has none here, because it
        was not chosen at random. Otherwise all that is to be judged.
        """
        sampled = self.method == "sample"
        document, stratum = (self.pooled, self.pooled_stratum) if sampled else (self.document, self.stratum)
        drawn = np.zeros(len(self.lists), dtype=bool)
        drawn[self.drawn] = True
        grades = np.where(drawn & ~np.isnan(self.grade), self.grade, -1.0)[document]
        names = self.lists.topics
        columns = zip(self.lists.topic[document], self.lists.documents.take(document), stratum, grades, strict=True)
        return "".join(f"{names[t]} 0 {d} {s} {number_text(g)}\n" for t, d, s, g in columns)

    def provenance(self) -> list[dict[str, object]]:
        """Which runs hold each document, and where: apart from the pool, so that judges stay blind."""
        place = np.full(len(self.lists), -1, dtype=np.int64)
        place[self.document] = np.arange(len(self))
        holders: list[dict[str, int]] = [{} for _ in range(len(self))]
        wanted = np.flatnonzero(place[self.lists.document] >= 0)
        columns = (place[self.lists.document[wanted]], self.lists.run[wanted], self.lists.rank[wanted])
        for at, run, rank in zip(*(column.tolist() for column in columns), strict=True):
            holders[at][self.lists.runs[run]] = rank
        return [{"topic": topic, "document": document, "runs": holders[i]} for topic, document, i in self._rows()]

    def plan(self) -> Plan:
        """What a planner needs to know of the pool."""
        inside = np.zeros(len(self.lists), dtype=bool)
        inside[self.document] = True
        entries = inside[self.lists.document]
        alone = entries & (self.lists.held[self.lists.document] == 1)
        count = len(self.lists.runs)
        holds = np.zeros((count, len(self.lists)), dtype=bool)
        holds[self.lists.run[entries], self.lists.document[entries]] = True
        shared = holds.astype(np.float32) @ holds.T.astype(np.float32)
        size = np.diag(shared)
        either = size[:, None] + size - shared
        return Plan(
            runs=self.lists.runs,
            by_topic=dict(
                zip(self.lists.topics, np.bincount(self.topic, minlength=len(self.lists.topics)).tolist(), strict=True)
            ),
            contributed=tuple(np.bincount(self.lists.run[entries], minlength=count).tolist()),
            unique=tuple(np.bincount(self.lists.run[alone], minlength=count).tolist()),
            overlap=np.divide(shared, either, out=np.full((count, count), np.nan), where=either > 0).astype(np.float64),
        )

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.pool/1."""
        return {
            "schema": "gaincurve.pool/1",
            "method": self.method,
            "left_out": self.left_out,
            "plan": self.plan().to_dict(),
            "documents": self.records(),
        }


@dataclass(frozen=True, eq=False)
class Plan:
    """Documents to judge by topic; by run how many it holds and how many only it holds; how far runs overlap (the
    share of documents in both among those in either); and the hours it takes."""

    runs: tuple[str, ...]
    by_topic: dict[str, int]
    contributed: tuple[int, ...]
    unique: tuple[int, ...]
    overlap: Floats

    @property
    def documents(self) -> int:
        """How many documents are to be judged."""
        return sum(self.by_topic.values())

    def hours(self, pace: float | None = None) -> dict[str, tuple[float, float]]:
        """The least and the most hours, by what is judged; with `pace`, documents a minute, only at that pace."""
        if pace is not None:
            return {"documents": (self.documents / pace / 60, self.documents / pace / 60)}
        return {what: (self.documents / fast / 60, self.documents / slow / 60) for what, (slow, fast) in PACES.items()}

    def sentences(self, pace: float | None = None) -> tuple[str, ...]:
        """Documents per topic, and hours."""
        counts = np.array([*self.by_topic.values()] or [0])
        low, middle, high = (number_of(value) for value in (counts.min(), np.median(counts), counts.max()))
        size = f"{grouped(self.documents)} documents to judge in {counted(len(counts), 'topic')}"
        per_topic = f"{size}: {low} to {high} a topic, median {middle}"
        if pace is not None:
            return (f"{per_topic}.", f"{self.hours(pace)['documents'][0]:.1f} hours at {pace:g} a minute.")
        spans = [f"{least:.1f}–{most:.1f} hours for {what}" for what, (least, most) in self.hours().items()]
        paces = ", ".join(f"{slow:g}–{fast:g} {what}" for what, (slow, fast) in PACES.items())
        return (f"{per_topic}.", f"{' or '.join(spans)} (at {paces} a minute).")

    def to_dict(self) -> dict[str, object]:
        """The JSON shape of a plan."""
        return {
            "documents": self.documents,
            "by_topic": self.by_topic,
            "runs": [
                {"run": run, "documents": held, "unique": alone}
                for run, held, alone in zip(self.runs, self.contributed, self.unique, strict=True)
            ],
            "overlap": [[None if np.isnan(share) else float(share) for share in row] for row in self.overlap],
            "hours": {what: list(span) for what, span in self.hours().items()},
        }


def number_of(value: float) -> str:
    """12 or 12.5."""
    return f"{value:g}"
