"""Pools: the part of what several runs show that a judge is asked about."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from gaincurve.model.ids import Ints
from gaincurve.model.lists import Lists
from gaincurve.model.plan import Plan
from gaincurve.model.rows import Floats, nth_of
from gaincurve.model.source import Note, Source, counted, number_text
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Column, Tidy, coded, column_of, number


@dataclass(frozen=True, eq=False)
class Pool(Result):
    """What to judge: documents of `lists` by their number, topic by topic, the first to judge first.

    `priority` counts from 1; `stratum` and `p`, the probability of being in the pool, are 1 unless it was sampled.
    `grade` is what judges said already (nan: nothing), by document of `lists`. `pooled` are all documents of which the
    sample was drawn, with their strata, and `drawn` those it holds, judged or not. `copies` names the documents whose
    text is that of an earlier one of the topic, exactly or nearly, by their places in `document`.
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
    copies: Mapping[int, int] = field(default_factory=dict)

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

    def tidy(self) -> Tidy:
        """topic, document, priority, stratum, p, runs: one document a row, the first to judge of a topic first."""
        columns = {
            "topic": coded(self.lists.topics, self.topic),
            "document": column_of("text", list(self.lists.documents.take(self.document))),
            "priority": Column("count", self.priority),
            "stratum": Column("count", self.stratum),
            "p": number(self.p),
            "runs": Column("count", self.lists.held[self.document]),
        }
        return Tidy("gaincurve.pool/1", columns)

    def records(self) -> list[dict[str, object]]:
        """One record for each document: topic, document, priority, stratum, p, runs; of a copy also `copy_of`."""
        tidy = self.tidy()
        records: list[dict[str, object]] = [dict(zip(tidy.columns, row, strict=True)) for row in tidy.rows()]
        for copy, original in self.copies.items():
            records[copy]["copy_of"] = records[original]["document"]
        return records

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
