"""What was observed: the grade at each rank of every list, and the documents behind it, before anything is decided.

The page recomputes every number from this. Rankings are those of the tie rule; unjudged documents keep their ranks,
because taking them out is a choice of the reader.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.graded import Graded, grade, pooled
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.order import SHARED
from gaincurve.model.recall import RecallBase
from gaincurve.model.rows import Floats, offsets_of
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import counted
from gaincurve.page.labels import labels, visible

SCHEMA = "gaincurve.observed/1"
SHOWN = 100
"""Documents are named down to this rank unless the page would grow too large."""
MOST_TEXT = 600
"""The most characters of the text of a document or topic."""


@dataclass(frozen=True, eq=False)
class Observed:
    """One experiment as the page knows it; `documents` is None where none are named (`shown` is 0)."""

    judgments: Judgments
    runs: tuple[Graded, ...]
    judged_from: float | None
    pool: RecallBase | None
    reach: int | None
    shown: int
    documents: Documents | None
    topic_texts: Mapping[str, str] | None = None

    def __repr__(self) -> str:
        return f"Observed({counted(len(self.runs), 'run')}, {counted(len(self.judgments.topics), 'topic')})"

    @property
    def labels(self) -> list[str]:
        """The runs as charts and tables call them."""
        return labels([run.name for run in self.runs])

    def to_dict(self) -> dict[str, Any]:
        """The document gaincurve.observed/1."""
        scale, topics = self.judgments.scale, self.judgments.topics
        about_topics: dict[str, Any] = {"ids": [visible(topic) for topic in topics]}
        about_topics["base"] = _counts(self.judgments.recall_base, scale, len(topics))
        if self.pool is not None:
            about_topics["pool"] = _counts(self.pool, scale, len(topics))
        if self.topic_texts is not None:
            about_topics["texts"] = [_text(self.topic_texts, topic) for topic in topics]
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "scale": [json_grade(grade_) for grade_ in scale.tolist()],
            "judged_from": None if self.judged_from is None else json_grade(self.judged_from),
            "reach": self.reach,
            "topics": about_topics,
            "runs": [_run(run, label, scale) for run, label in zip(self.runs, self.labels, strict=True)],
            "shown": self.shown,
        }
        if self.judgments.origin is not None:
            document["origin"] = self.judgments.origin
        if self.documents is not None:
            document["documents"] = self.documents.to_list(len(topics), len(self.runs))
        return document


def observe(
    judgments: Judgments,
    runs: Sequence[Run],
    scenario: Scenario,
    *,
    graded: Sequence[Graded] | None = None,
    shown: int = SHOWN,
    reach: int | None = None,
    topic_texts: Mapping[str, str] | None = None,
) -> Observed:
    """Runs seen through the judgments, each list whole or cut after rank `reach`, its first `shown` documents named.

    `graded` are the runs with unjudged documents in their places, where they have been graded before.
    """
    refuse_average_ties(scenario)
    ranked = [run.ranked(scenario.ties) for run in runs]
    seen = [grade(judgments, run) for run in ranked] if graded is None else list(graded)
    if reach is not None:
        seen = [run.cut(reach) for run in seen]
    named = min(shown, reach or shown)
    return Observed(
        judgments=judgments,
        runs=tuple(seen),
        judged_from=0.0 if scenario.negative == "unjudged" else None,
        pool=pooled(seen, judgments)[0].pool if scenario.ideal == "pooled" else None,
        reach=reach,
        shown=named,
        documents=_documents(judgments, ranked, seen, named) if named else None,
        topic_texts=topic_texts,
    )


def refuse_average_ties(scenario: Scenario) -> None:
    """A page shows lists in one order, and its scripts compute from that order."""
    if scenario.ties in SHARED:
        what = f"under ties {scenario.ties!r} a list has no one order that could be shown"
        raise ChoiceError(Problem("report-choices", what, hint="--ties trec"))


def longest_list(runs: Sequence[Run]) -> int:
    """How many documents the longest list of any run has."""
    return max((int(np.diff(run.offsets).max(initial=0)) for run in runs), default=0)


def json_grade(value: float) -> int | float:
    """A grade or gain as people write it in JSON: 2, not 2.0."""
    return int(value) if float(value).is_integer() and abs(value) < 1e15 else float(value)


def _text(texts: Mapping[str, str], key: str) -> str | None:
    text = texts.get(key)
    if text is None:
        return None
    return visible(text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}…")


def _places(grades: Floats, scale: Floats) -> Ints:
    """The place of each grade on the scale."""
    return np.searchsorted(scale, grades)


def _counts(base: RecallBase, scale: Floats, topics: int) -> list[list[int]]:
    """How many documents of each grade a topic has."""
    cell = base.topic.astype(np.int64) * len(scale) + _places(base.grade, scale)
    counts: list[list[int]] = np.bincount(cell, minlength=topics * len(scale)).reshape(topics, len(scale)).tolist()
    return counts


def _run(run: Graded, label: str, scale: Floats) -> dict[str, Any]:
    """The judged documents of a run as steps from rank to rank, topic after topic; `judged` counts them."""
    judged = np.bincount(run.list, minlength=len(run.units.names))
    new = np.ones(len(run.rank), dtype=bool)
    new[1:] = run.list[1:] != run.list[:-1]
    before = np.concatenate([[0], run.rank[:-1]])
    return {
        "name": visible(run.name),
        "label": label,
        "present": run.present.astype(int).tolist(),
        "retrieved": run.retrieved.tolist(),
        "judged": judged.tolist(),
        "step": (run.rank - np.where(new, 0, before)).tolist(),
        "grade": _places(run.grade, scale).tolist(),
        "ties": _ties(run),
    }


def _ties(run: Graded) -> list[list[int]]:
    """Judged documents with a tied score: their row, and the first and last rank of the tied block."""
    rows = np.flatnonzero(run.last > run.first)
    columns: list[list[int]] = np.column_stack([rows, run.first[rows], run.last[rows]]).tolist()
    return columns


@dataclass(frozen=True, eq=False)
class Documents:
    """The first documents of every list, each topic's different ones numbered in order of first appearance.

    By document, grouped by topic: `ids`, `grade` (its place on the scale, −1 unjudged). By place in a list,
    in the order topic, run, rank: `number`. By block of tied scores: topic, run, first and last rank.
    """

    ids: list[str]
    grade: Ints
    offsets: Ints
    number: Ints
    lists: Ints
    blocks: Ints
    tied: Ints

    def to_list(self, topics: int, runs: int) -> list[dict[str, Any]]:
        """One entry for each topic."""
        grade_, number, lists = self.grade.tolist(), self.number.tolist(), self.lists.tolist()
        blocks, tied, offsets = self.blocks.tolist(), self.tied.tolist(), self.offsets.tolist()
        entries = []
        for t in range(topics):
            here = slice(offsets[t], offsets[t + 1])
            cells = range(t * runs, (t + 1) * runs)
            entry: dict[str, Any] = {"ids": self.ids[here], "grade": grade_[here]}
            entry["lists"] = [number[lists[cell] : lists[cell + 1]] for cell in cells]
            entry["tied"] = [blocks[tied[cell] : tied[cell + 1]] for cell in cells]
            entries.append(entry)
        return entries


@dataclass(frozen=True, eq=False)
class _Shown:
    """The documents shown, in the order topic, run, rank; `row` is the row of the run."""

    topic: Ints
    run: Ints
    row: Ints
    key: NDArray[np.uint64]


def _documents(
    judgments: Judgments,
    runs: Sequence[Run],
    graded: Sequence[Graded],
    shown: int,
) -> Documents:
    """The documents down to rank `shown`, each once however many runs return it."""
    places = [_judged_topics(judgments, run) for run in runs]
    rows = _shown(runs, places, shown)
    same = _identity(rows, runs)
    new = same == np.arange(len(same))
    heads, number = np.flatnonzero(new), (np.cumsum(new) - 1)[same]
    offsets = offsets_of(rows.topic[heads].astype(np.int32), len(judgments.topics))
    ids = _texts_of(rows, heads, runs)
    cells = len(judgments.topics) * len(runs)
    blocks, tied = _tied(runs, places, shown, len(judgments.topics))
    return Documents(
        ids=[visible(i) for i in ids],
        grade=_grades(rows, heads, number, judgments, runs, graded),
        offsets=offsets,
        number=number - offsets[rows.topic],
        lists=offsets_of((rows.topic * len(runs) + rows.run).astype(np.int32), cells),
        blocks=blocks,
        tied=tied,
    )


def _judged_topics(judgments: Judgments, run: Run) -> Ints:
    """The place of each topic of a run among the judged ones, −1 where it is not judged."""
    index = {topic: i for i, topic in enumerate(judgments.topics)}
    return np.array([index.get(topic, -1) for topic in run.topics], dtype=np.int64)


def _shown(runs: Sequence[Run], places: Sequence[Ints], shown: int) -> _Shown:
    columns = []
    for r, (run, place) in enumerate(zip(runs, places, strict=True)):
        rank = np.arange(len(run)) - run.offsets[run.topic] + 1
        row = np.flatnonzero((rank <= shown) & (place[run.topic] >= 0))
        columns.append((place[run.topic[row]], np.full(len(row), r), row, run.keys[row]))
    topic, which, row, key = (np.concatenate(column) for column in zip(*columns, strict=True))
    order = np.lexsort((which, topic))  # stable: ranks stay in order
    return _Shown(topic[order], which[order], row[order], key[order])


def _identity(rows: _Shown, runs: Sequence[Run]) -> Ints:
    """For each place, the first place of the same document in the same topic."""
    order = np.argsort(rows.key, kind="stable")
    key = rows.key[order]
    new = np.ones(len(key), dtype=bool)
    new[1:] = key[1:] != key[:-1]
    first = np.empty(len(key), dtype=np.int64)
    first[order] = order[new][np.cumsum(new) - 1]
    if not _confirmed(rows, runs, first):  # different documents share a key: every one is asked for by name
        seen: dict[tuple[int, bytes], int] = {}
        named = zip(rows.topic.tolist(), rows.run.tolist(), rows.row.tolist(), strict=True)
        first = np.array(
            [seen.setdefault((t, runs[r].documents.bytes_at(i)), place) for place, (t, r, i) in enumerate(named)]
        )
    return first


def _confirmed(rows: _Shown, runs: Sequence[Run], first: Ints) -> bool:
    """Whether all that share a key are the same document of the same topic."""
    if (rows.topic != rows.topic[first]).any():
        return False
    for a in range(len(runs)):
        of_a = np.flatnonzero((rows.run == a) & (first != np.arange(len(first))))
        for b in range(len(runs)):
            asked = of_a[rows.run[first[of_a]] == b]
            if len(asked):
                ours, theirs = runs[a].documents.take(rows.row[asked]), runs[b].documents.take(rows.row[first[asked]])
                if not ours.same(theirs).all():
                    return False
    return True


def _texts_of(rows: _Shown, heads: Ints, runs: Sequence[Run]) -> list[str]:
    """The ids of the documents at some places."""
    texts = [""] * len(heads)
    for r, run in enumerate(runs):
        own = np.flatnonzero(rows.run[heads] == r)
        for place, text in zip(own.tolist(), _compact(run.documents, rows.row[heads[own]]), strict=True):
            texts[place] = text
    return texts


def _compact(ids: Ids, rows: Ints) -> list[str]:
    """Ids as text without looking at the rest of a large buffer."""
    return list(ids.take(rows)) if len(rows) * 20 < len(ids) else ids.take(rows).texts()


def _grades(
    rows: _Shown, heads: Ints, number: Ints, judgments: Judgments, runs: Sequence[Run], graded: Sequence[Graded]
) -> Ints:
    """The place on the scale of each document, −1 where it is not judged: its grade is the same in every list."""
    grades = np.full(len(heads), -1, dtype=np.int64)
    for r, (run, seen) in enumerate(zip(runs, graded, strict=True)):
        start = np.zeros(len(judgments.topics), dtype=np.int64)
        place = _judged_topics(judgments, run)
        start[place[place >= 0]] = run.offsets[:-1][place >= 0]
        by_row = np.full(len(run), -1, dtype=np.int64)
        by_row[start[seen.list] + seen.rank - 1] = _places(seen.grade, judgments.scale)
        own = rows.run == r
        judged = by_row[rows.row[own]]
        grades[number[own][judged >= 0]] = judged[judged >= 0]
    return grades


def _tied(runs: Sequence[Run], places: Sequence[Ints], shown: int, topics: int) -> tuple[Ints, Ints]:
    """First and last rank of blocks of equal scores that begin above `shown`, by topic and run."""
    tied = []
    for r, (run, place) in enumerate(zip(runs, places, strict=True)):
        starts = run.blocks()
        first, last = starts[:-1], starts[1:] - 1
        many = np.flatnonzero(last > first)
        topic = run.topic[first[many]]
        begin, end = first[many] - run.offsets[topic] + 1, last[many] - run.offsets[topic] + 1
        is_shown = (place[topic] >= 0) & (begin <= shown)
        tied.append(np.column_stack([place[topic], np.full(len(many), r), begin, end])[is_shown])
    every = np.concatenate(tied)
    every = every[np.lexsort((every[:, 2], every[:, 1], every[:, 0]))]
    cell = (every[:, 0] * len(runs) + every[:, 1]).astype(np.int32)
    return every[:, 2:], offsets_of(cell, topics * len(runs))
