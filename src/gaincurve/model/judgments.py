"""Judgments: what the judges said about documents, topic by topic."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.columns import Given
from gaincurve.model.groups import take
from gaincurve.model.ids import Ids, Ints, Keys, keys_in
from gaincurve.model.judges import by_judges
from gaincurve.model.likeness import refuse_scores
from gaincurve.model.lookup import compact
from gaincurve.model.objects import rows_from_object
from gaincurve.model.paths import is_path, read_path
from gaincurve.model.recall import RecallBase, TopicGrades
from gaincurve.model.rows import Floats, Rows, by_topic, distinct, offsets_of, without_duplicates
from gaincurve.model.sampling import VOTES, Sampling, sampling_of
from gaincurve.model.source import Note, Source, counted, number_text
from gaincurve.model.strata import Strata, strata_of
from gaincurve.model.subtopics import Subtopics, by_document
from gaincurve.model.units import Units


class Qrel(NamedTuple):
    """A judgment as ir_measures and ir_datasets name its parts."""

    query_id: str
    doc_id: str
    relevance: float
    iteration: str


@dataclass(frozen=True, eq=False)
class Judged:
    """What measures see of judgments, shared by all runs: the recall base of each topic, and the `scale` of grades.

    `pool`, where set, holds the grades of documents returned by any of the runs compared. `origin` says where they come
    from, if not from one judge each: every number made with them is signed with it.
    """

    topics: tuple[str, ...]
    recall: TopicGrades | RecallBase
    scale: Floats
    subtopics: Subtopics | None = None
    pool: TopicGrades | None = None
    strata: Strata | None = None
    origin: str | None = None

    @property
    def recall_base(self) -> RecallBase:
        """The recall base of each topic."""
        return self.recall.base


@dataclass(frozen=True, eq=False)
class Judgments:
    """topic → document → grade, rows grouped by topic.

    Graded, judged not relevant (grade ≤ 0) and never judged (absent) are three different things. `recall_base`
    and `scale` (the grades used) are computed once and shared by all runs. Where judges named
    `subtopics`, a document's grade is the highest it has for any of them. `doubtful` grades could be a run's scores,
    which is decided when a run is graded. With `sampling` the judged documents are a sample of a pool, and grade −1
    means pooled and not sampled: nobody has judged it.
    """

    topics: tuple[str, ...]
    topic: NDArray[np.int32]
    documents: Ids
    grades: Floats
    offsets: Ints
    scale: Floats
    source: Source
    notes: tuple[Note, ...] = ()
    subtopics: Subtopics | None = None
    dropped: int = 0
    doubtful: bool = False
    sampling: Sampling | None = None
    strata: Strata | None = None
    origin: str | None = None

    @classmethod
    def from_rows(
        cls, rows: Rows, duplicates: str = "error", *, grades_are_scores: bool = True, judges: str = "error"
    ) -> Judgments:
        """Judgments from the rows of a reader; values that look like scores are refused unless `grades_are_scores`.

        Where several judges differ about a document, `judges` is mean, median, min or max.
        """
        rows, subtopics, repeated = by_judges(by_topic(rows), judges), None, 0
        doubtful = not grades_are_scores and refuse_scores(rows)
        if rows.subtopics is not None:
            rows, subtopics, repeated = by_document(rows, rows.subtopics, duplicates)
        rows, keys, dropped = without_duplicates(rows, rows.keys(), "judgments-duplicate-document", duplicates)
        del keys
        dropped += repeated
        notes = [*rows.notes]
        if dropped:
            notes.append(Note("duplicates-dropped", f"{rows.path}: {counted(dropped, 'repeated judgment')} left out"))
        if rows.origin == VOTES:
            text = f"{rows.path}: systems voted for these documents, nobody judged them"
            notes.append(Note("judgments-votes", text))
        sampling = sampling_of(rows)
        rows = replace(rows, documents=compact(rows.documents), place=_nowhere)  # a text they were read from can go
        negative = int((rows.values < 0).sum())
        if negative and sampling is not None:
            text = f"{rows.path}: {counted(negative, 'document')} pooled and not sampled (grade −1): unjudged"
            notes.append(Note("not-sampled", text))
        elif negative:
            notes.append(negative_note(rows.path, negative))
        return cls(
            topics=rows.topics,
            topic=rows.topic,
            documents=rows.documents,
            grades=rows.values,
            offsets=offsets_of(rows.topic, len(rows.topics)),
            scale=distinct(rows.values),
            source=Source(rows.path, rows.format, len(rows.topics), len(rows), rows.sha256),
            notes=tuple(notes),
            subtopics=subtopics,
            dropped=dropped,
            doubtful=doubtful,
            sampling=sampling,
            strata=strata_of(sampling, rows.topic, rows.values),
            origin=rows.origin,
        )

    @classmethod
    def of(
        cls,
        judgments: object,
        duplicates: str = "error",
        *,
        columns: Given | None = None,
        grades_are_scores: bool = False,
    ) -> Judgments:
        """Judgments from {topic: {document: grade}}, tuples (topic, document, grade), records, a path, or Judgments.

        Records are dicts, named tuples, dataclasses, a data frame (ids may stand in its index), a NumPy record array
        or a Hugging Face data set; ranx Qrels are read as well. With subtopics: {topic: {document: {subtopic: grade}}},
        or a column of that name. `columns` names the columns of records: {"topic": "qid", "document": "docno"}. Values
        that look like a run's scores are refused, unless `grades_are_scores`.
        """
        if isinstance(judgments, Judgments):
            return judgments
        if is_path(judgments):
            read: Judgments = read_path(
                "judgments", judgments, "judgments", duplicates=duplicates, columns=columns,
                grades_are_scores=grades_are_scores,
            )  # fmt: skip
            return read
        rows = rows_from_object(judgments, "judgments", "judgments", columns)
        return cls.from_rows(rows, duplicates, grades_are_scores=grades_are_scores)

    @cached_property
    def recall(self) -> TopicGrades:
        """The grades from which ideal rankings are built, shared by all runs."""
        return TopicGrades(self.topic, self.grades, len(self.topics))

    @property
    def recall_base(self) -> RecallBase:
        """The recall base of each topic."""
        return self.recall.base

    @cached_property
    def keys(self) -> Keys:
        """A 64-bit key for each judgment, for look-up by NumPy: made when it is first wanted."""
        return keys_in(self.documents, Ids.from_texts(self.topics), self.topic)

    @cached_property
    def key_order(self) -> Ints:
        """The order that sorts the keys, for look-up by NumPy: made when it is first wanted."""
        return np.argsort(self.keys, kind="stable")

    @property
    def judged(self) -> Judged:
        """What measures see."""
        return Judged(self.topics, self.recall, self.scale, self.subtopics, strata=self.strata, origin=self.origin)

    @property
    def units(self) -> Units:
        """The judged topics as what a value is given for."""
        return Units.of_topics(self.topics)

    def __len__(self) -> int:
        return len(self.grades)

    def __repr__(self) -> str:
        return f"Judgments({self.describe()}, from {self.source.path})"

    def describe(self) -> str:
        """What was understood: '50 topics, 1 432 judgments, grades 0–3, TREC qrels'."""
        low, high = number_text(float(self.grades.min())), number_text(float(self.grades.max()))
        dash = "–" if self.grades.min() >= 0 else " to "
        grades = f"grades {low}{dash}{high}" if low != high else f"grade {low} only"
        return f"{counted(len(self.topics), 'topic')}, {counted(len(self), 'judgment')}, {grades}, {self.source.format}"

    def select(self, rows: Ints) -> Judgments:
        """Only the judgments in these rows; topics stay, even empty ones, and so does the scale of grades."""
        topic, grades = self.topic[rows], self.grades[rows]
        subtopics, sampling = self.subtopics, self.sampling
        if subtopics is not None:
            place = np.full(len(self), -1, dtype=np.int64)
            place[rows] = np.arange(len(rows))
            stays = place[subtopics.judgment] >= 0
            subtopics = Subtopics(
                subtopics.topic[stays],
                place[subtopics.judgment[stays]],
                subtopics.subtopic[stays],
                subtopics.grade[stays],
            )
        if sampling is not None:
            stratum = None if sampling.stratum is None else sampling.stratum.take(rows)
            sampling = Sampling(stratum, take(sampling.p, rows))
        return replace(
            self,
            topic=topic,
            documents=self.documents.take(rows),
            grades=grades,
            offsets=offsets_of(topic, len(self.topics)),
            subtopics=subtopics,
            sampling=sampling,
        )

    def to_qrels(self) -> str:
        """TREC qrels: four columns, or with strata five (topic, 0, document, stratum, grade).

        Five columns leave probabilities to the sizes of the strata; `to_jsonl` writes those that were recorded.
        """
        strata = None if self.sampling is None or self.sampling.stratum is None else self.sampling.stratum
        topics, second = [self.topics[topic] for topic in self.topic.tolist()], VOTES if self.origin == VOTES else 0
        rows = zip(topics, self.documents, self.grades.tolist(), strict=True)
        return "".join(
            f"{topic} {second} {document} {'' if strata is None else f'{strata[i]} '}{number_text(grade)}\n"
            for i, (topic, document, grade) in enumerate(rows)
        )

    def to_jsonl(self) -> str:
        """One record a line: topic, document, grade, and of a sample stratum and p where they are known."""
        sampling = self.sampling or Sampling(None, None)
        strata = [] if sampling.stratum is None else list(sampling.stratum)
        lines = []
        for i, (topic, document) in enumerate(zip(self.topic.tolist(), self.documents, strict=True)):
            grade = float(self.grades[i])
            record: dict[str, object] = {"topic": self.topics[topic], "document": document}
            record["grade"] = int(grade) if grade.is_integer() else grade
            if strata:
                record["stratum"] = strata[i]
            if sampling.p is not None:
                record["p"] = None if np.isnan(sampling.p[i]) else float(sampling.p[i])
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")
        return "".join(lines)

    def to_records(self) -> list[Qrel]:
        """One named tuple for each document, as ir_measures and ir_datasets have them."""
        rows = zip(self.topic.tolist(), self.documents, self.grades.tolist(), strict=True)
        return [
            Qrel(self.topics[topic], document, int(grade) if grade.is_integer() else grade, "0")
            for topic, document, grade in rows
        ]

    def histogram(self) -> dict[float, int]:
        """How many judgments there are of each grade."""
        grades, counts = np.unique(self.grades, return_counts=True)
        return {float(grade): int(count) for grade, count in zip(grades, counts, strict=True)}

    def to_dict(self) -> dict[str, dict[str, float]]:
        """{topic: {document: grade}}."""
        grades: dict[str, dict[str, float]] = {topic: {} for topic in self.topics}
        for topic, document, grade in zip(self.topic, self.documents, self.grades, strict=True):
            grades[self.topics[topic]][document] = float(grade)
        return grades


def _nowhere(_: int) -> str:
    return ""


def negative_note(path: str, count: int) -> Note:
    """That there are negative grades."""
    return Note("negative-grades", f"{path}: {counted(count, 'negative grade')}, gaining 0")
