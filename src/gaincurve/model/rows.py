"""What every reader hands over: topic, document and value in file order, before anything is decided."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem, one_of
from gaincurve.model.groups import spread, take
from gaincurve.model.ids import Ids, Ints, Keys, keys_in
from gaincurve.model.source import Note, counted, examples, shorten

Floats = NDArray[np.float64]
Number = TypeVar("Number", bound=np.generic)
DUPLICATES: dict[str, str] = {
    "error": "refused",
    "first": "only the first stays, and the others move up",
    "seen": "of sessions only: every place stays as the searcher saw it, and only the first gains",
}
"""What becomes of a document that a list holds twice."""


def rule_for_judgments(duplicates: str) -> str:
    """The rule for judgments and lists of topics beside sessions: nobody saw them, so there 'seen' means 'error'."""
    return "error" if duplicates == "seen" else duplicates


@dataclass(frozen=True, eq=False)
class Rows:
    """Parallel columns: `values` are grades or scores, `topic` indexes `topics`, `place(i)` says where row i stood.

    `scored` is False where an order was given and the values were derived from it. `subtopics`, where judges named
    them, are the subtopics to which the grades refer. `ranked` rows stood beside a rank: they are no judgments.
    Of sampled judgments, `stratum` and `p`, the probability of being drawn, may be known; of those by several judges,
    who gave each grade; of several runs, which each row belongs to. `metadata` is the ir_metadata at the head of a run;
    `origin` says where judgments come from, if not from one judge each.
    """

    topics: tuple[str, ...]
    topic: NDArray[np.int32]
    documents: Ids
    values: Floats
    place: Callable[[int], str]
    path: str
    format: str
    ranks: Floats | None = None
    sha256: str | None = None
    scored: bool = True
    subtopics: Ids | None = None
    notes: tuple[Note, ...] = ()
    ranked: bool = False
    stratum: Ids | None = None
    p: Floats | None = None
    judges: Ids | None = None
    runs: Ids | None = None
    metadata: str = ""
    origin: str | None = None

    def __len__(self) -> int:
        return len(self.values)

    def keys(self) -> Keys:
        """A 64-bit key for each (topic, document)."""
        return keys_in(self.documents, Ids.from_texts(self.topics), self.topic)

    def take(self, index: Ints) -> Rows:
        """The rows at `index`, which still know where they stood."""
        place = self.place
        return replace(
            self,
            topic=self.topic[index],
            documents=self.documents.take(index),
            values=self.values[index],
            ranks=take(self.ranks, index),
            subtopics=None if self.subtopics is None else self.subtopics.take(index),
            stratum=None if self.stratum is None else self.stratum.take(index),
            p=take(self.p, index),
            judges=None if self.judges is None else self.judges.take(index),
            runs=None if self.runs is None else self.runs.take(index),
            place=lambda i: place(int(index[i])),
        )

    def alone(self, index: Ints) -> Rows:
        """The rows at `index` as if there were no others: topics without rows are gone."""
        part = self.take(index)
        left = distinct(part.topic)
        topics = tuple(self.topics[topic] for topic in left.tolist())
        return replace(part, topics=topics, topic=np.searchsorted(left, part.topic).astype(np.int32))

    def each_run(self) -> list[tuple[str, Rows]]:
        """The rows of each run by its name, in the order in which runs appear; a single run has no name."""
        names = [] if self.runs is None else self.runs.texts()
        places: dict[str, list[int]] = {}
        for row, name in enumerate(names):
            places.setdefault(name, []).append(row)
        if len(places) < 2:
            return [("", self)]
        return [(name, replace(self.alone(np.array(rows)), runs=None)) for name, rows in places.items()]


def several_runs(names: list[str], path: str) -> InputError:
    """The error where one run was asked for and there are several."""
    what = f"{path} holds {counted(len(names), 'run')}: {examples(names, 8)}"
    return InputError(Problem("input-part", what, path, "keep the rows of one run, or give it to evaluate"))


def by_topic(rows: Rows) -> Rows:
    """Rows with each topic's together and in file order, topics in order of first appearance."""
    if not (np.diff(rows.topic) < 0).any():
        return rows
    return rows.take(np.argsort(rows.topic, kind="stable"))


def add_by(owner: NDArray[np.int32], weights: Floats, owners: int) -> Floats:
    """The sum of weights of each owner, added in the order given: the same bits for one owner alone and for all."""
    return np.bincount(owner, weights=weights, minlength=owners).astype(np.float64, copy=False)


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """The different values in ascending order: np.unique without its first call's import of masked arrays (25 ms).

    A long column of few values is looked at piece by piece, which takes less time and memory than sorting it.
    """
    if len(values) > AT_A_TIME and values.ndim == 1:
        few = distinct(values[:AT_A_TIME])
        if len(few) <= FEW:
            starts = range(AT_A_TIME, len(values), AT_A_TIME)
            values = np.concatenate([few, *(distinct(values[start : start + AT_A_TIME]) for start in starts)])
    ordered = np.sort(values, axis=None)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(ordered) else ordered


def blocks(offsets: Ints) -> Iterator[tuple[int, int]]:
    """The first group of each block and the first after it: about AT_A_TIME rows, or one group that has more."""
    first, groups = 0, len(offsets) - 1
    while first < groups:
        last = int(np.searchsorted(offsets, offsets[first] + AT_A_TIME, side="right")) - 1
        yield first, (last := max(last, first + 1))
        first = last


AT_A_TIME = 1 << 16
"""Rows that are processed at a time, so that they stay in the cache."""

FEW = 1 << 10
"""A column with at most this many different values among its first `AT_A_TIME` is treated as one of few values."""


def offsets_of(topic: NDArray[np.int32], topics: int) -> Ints:
    """Where each topic's rows begin in rows grouped by topic; one more entry than topics."""
    return np.concatenate([[0], np.cumsum(np.bincount(topic, minlength=topics))]).astype(np.int64)


def nth_of(topic: NDArray[np.int32]) -> Ints:
    """1 for the first row of a topic, 2 for the next …, in rows grouped by topic."""
    if not len(topic):
        return np.zeros(0, dtype=np.int64)
    starts = np.flatnonzero(np.concatenate([[True], topic[1:] != topic[:-1]]))
    return np.arange(len(topic)) - spread(starts, starts, len(topic)) + 1


def running(topic: NDArray[np.int32], values: Floats, step: np.ufunc = np.add) -> Floats:
    """The running sum (or product, or maximum) inside each topic, in the order given, in rows grouped by topic.

    One topic after the other gives the same bits as all together: each is a row of a matrix.
    """
    nth = nth_of(topic)
    accumulated = np.empty(len(values))
    if not len(values):
        return accumulated
    place = np.cumsum(nth == 1) - 1
    width = int(nth.max())
    batch = max(1, WORKING // width)
    ends = np.searchsorted(place, np.arange(0, int(place[-1]) + 1 + batch, batch))
    for start, stop in itertools.pairwise(ends.tolist()):
        row, column = place[start:stop] - place[start] if stop > start else place[:0], nth[start:stop] - 1
        matrix = np.zeros((int(row[-1]) + 1 if stop > start else 0, width))
        matrix[row, column] = values[start:stop]
        accumulated[start:stop] = step.accumulate(matrix, axis=1)[row, column]
    return accumulated


WORKING = 1 << 22
"""This many numbers are processed at a time where an intermediate matrix is needed."""


def without_duplicates(rows: Rows, keys: Keys, slug: str, rule: str) -> tuple[Rows, Keys, int]:
    """Rows in which each document stands once per topic, their keys, and how many rows were dropped.

    Under the rule 'error' a repeated document raises, naming both places; under 'first' later rows are left out.
    """
    one_of("--duplicates", rule, ("error", "first"))
    again, first = _repeated(rows, keys)
    if not len(again):
        return rows, keys, 0
    if rule == "error":
        twice = list(zip(again.tolist(), first.tolist(), strict=True))
        raise InputError.each(twice, lambda pair: _duplicate(rows, slug, *pair))
    remaining = np.delete(np.arange(len(rows), dtype=np.int64), again)
    return rows.take(remaining), keys[remaining], len(again)


def repeated_rows(rows: Rows, keys: Keys) -> int:
    """How many rows hold a document that stood before in the list."""
    return len(_repeated(rows, keys)[0])


def _repeated(rows: Rows, keys: Keys) -> tuple[Ints, Ints]:
    """Rows whose (topic, document) stood before, in file order, and beside each the row where it stood first."""
    nothing = np.zeros(0, dtype=np.int64)
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return nothing, nothing
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    seen: dict[tuple[int, bytes], int] = {}
    again: list[tuple[int, int]] = []
    equal = ordered[1:] == ordered[:-1]
    suspects = np.sort(order[np.concatenate([equal, [False]]) | np.concatenate([[False], equal])])
    for row in suspects.tolist():
        identity = (int(rows.topic[row]), rows.documents.bytes_at(row))
        if identity in seen:
            again.append((row, seen[identity]))
        else:
            seen[identity] = row
    if not again:
        return nothing, nothing
    pairs = np.array(again, dtype=np.int64)
    return pairs[:, 0], pairs[:, 1]


LOOKED_AT = 1000
"""Lines that are enough to see that all have the same document."""


def _duplicate(rows: Rows, slug: str, row: int, first: int) -> Problem:
    topic, document = rows.topics[rows.topic[row]], rows.documents[row]
    here, before = rows.place(row), rows.place(first)
    if before.startswith(f"{rows.path}:"):
        before = f"line {before[len(rows.path) + 1 :]}"
    hint = ""
    if all(other == document for other in itertools.islice(rows.documents, LOOKED_AT)):
        hint = f"every line has document {shorten(document)}: the columns are topic, 0 or Q0, document, in this order"
    what = f"topic {shorten(topic)} lists document {shorten(document)} twice"
    return Problem(slug, what, f"{here} (first at {before})", hint)
