"""Where lists meet the judgments: each document looked up in the judgments of its topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.file_order import FileOrder
from gaincurve.model.ids import Ids, Ints, Keys, keys_in
from gaincurve.model.judgments import Judgments
from gaincurve.model.likeness import refuse_exchanged
from gaincurve.model.lookup import joined, places
from gaincurve.model.rows import Floats, add_by
from gaincurve.model.run import Run
from gaincurve.model.units import Index
from gaincurve.model.unjudged import Unjudged

MANY = 20
"""So many grades are no run's scores by accident."""


@dataclass(frozen=True, eq=False)
class Matches:
    """Where lists, or a part of a file with whole lists, meet the judgments.

    By list, in file order: its name, its recall base (−1: none), its documents. By judged document: its list, rank,
    tied block and row in the judgments; where asked for, its score, and by list the length of its vector of scores;
    and the unjudged documents of the first ranks. `order` is what the order of the file says beside the scores;
    `copied` whether the scores are the grades of the judgments, all of them.
    """

    names: Ids
    base: Index
    retrieved: Ints
    list: Ints
    rank: Ints
    first: Ints
    last: Ints
    judgment: Ints
    score: Floats | None = None
    length: Floats | None = None
    unjudged: Unjudged | None = None
    order: FileOrder = field(default_factory=FileOrder)
    copied: bool = False

    @classmethod
    def joined(cls, parts: Sequence[Matches]) -> Matches:
        """Parts of one file put together."""
        starts = np.cumsum([0, *(len(part.names) for part in parts)])
        columns: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts]) for name in _MATCH_COLUMNS
        }
        lists = np.concatenate([part.list + start for part, start in zip(parts, starts, strict=False)])
        unjudged = Unjudged.joined([part.unjudged for part in parts if part.unjudged is not None])
        order = sum((part.order for part in parts), FileOrder())
        for name in ("score", "length"):
            known = [getattr(part, name) for part in parts]
            columns[name] = None if any(column is None for column in known) else np.concatenate(known)
        return cls(joined([part.names for part in parts]), list=lists, unjudged=unjudged, order=order, **columns)


_MATCH_COLUMNS = ("base", "retrieved", "rank", "first", "last", "judgment")

_ROW_COLUMNS = {"list": np.int32, "rank": np.int64, "first": np.int32, "last": np.int32, "judgment": np.int32}

_NO_ROWS: dict[str, Any] = dict.fromkeys(_ROW_COLUMNS, np.zeros(0, dtype=np.int64))


class MatchParts:
    """Parts of one file put together as they come: rows are copied at once, to columns with room for those to come.

    `room` says how many rows are likely; memory is only taken by those that there are.
    """

    def __init__(self, room: int):
        self.columns = {name: np.empty(room, dtype=kind) for name, kind in _ROW_COLUMNS.items()}
        self.parts: list[Matches] = []
        self.lists = self.rows = 0

    def add(self, part: Matches) -> None:
        """The next part."""
        stop = self.rows + len(part.rank)
        for name, column in self.columns.items():
            if stop > len(column):
                self.columns[name] = np.concatenate([column[: self.rows], np.empty(stop, dtype=column.dtype)])
            self.columns[name][self.rows : stop] = getattr(part, name)
        self.columns["list"][self.rows : stop] += np.int32(self.lists)
        self.parts.append(replace(part, **_NO_ROWS))
        self.lists, self.rows = self.lists + len(part.names), stop

    def joined(self) -> Matches:
        """All parts as one."""
        rows: dict[str, Any] = {name: column[: self.rows] for name, column in self.columns.items()}
        return replace(Matches.joined(self.parts), **rows)


def match(judgments: Judgments, run: Run, scores: bool = False, base: Index | None = None, shown: int = 0) -> Matches:
    """Look up every document of the run in the judgments of its topic, or of the recall base given for each list.

    The unjudged documents of the first `shown` ranks are kept too.
    """
    if judgments.doubtful and run.could_be_judgments:
        given = (judgments.topic, judgments.grades, judgments.source.path)
        refuse_exchanged(given, (run.topic, run.scores_in_file_order(), run.source.path))
    names, keys = Ids.from_texts(run.topics), run.keys
    if base is None:
        base = places(names, Ids.from_texts(judgments.topics)).astype(np.int32)
    else:
        keys = keys_of(judgments, base, run.topic, run.documents)
    row, judgment = look_up(judgments, keys, run.topic, run.documents, base)
    start = run.offsets[run.topic[row]]
    blocks = run.blocks()
    block = np.searchsorted(blocks, row, side="right") - 1
    return Matches(
        names=names,
        base=base,
        retrieved=np.diff(run.offsets),
        list=run.topic[row].astype(np.int64),
        rank=row - start + 1,
        first=blocks[block] - start + 1,
        last=blocks[block + 1] - start,
        judgment=judgment,
        score=run.scores[row] if scores and run.scored else None,
        length=_length(run) if scores and run.scored else None,
        unjudged=_unjudged(run, keys, row, base, shown) if shown else None,
        copied=run.scored and len(run) == len(row) and is_copy(judgments, judgment, run.scores[row]),
    )


def is_copy(judgments: Judgments, judgment: Ints, scores: NDArray[np.floating]) -> bool:
    """Whether scores, by their rows in the judgments, are the grades of all of them."""
    return len(judgment) == len(judgments) >= MANY and bool((scores == judgments.grades[judgment]).all())


def unjudged_of(judgments: Judgments, run: Run, depth: int) -> Unjudged | None:
    """The unjudged documents of the first `depth` ranks of a run that is in memory."""
    return match(judgments, run, shown=depth).unjudged


def _unjudged(run: Run, keys: Keys, judged: Ints, base: Index, depth: int) -> Unjudged:
    rank = np.arange(len(run)) - run.offsets[run.topic] + 1
    wanted = (rank <= depth) & (base[run.topic] >= 0)
    wanted[judged] = False
    return Unjudged(base[run.topic[wanted]], rank[wanted], keys[wanted], depth)


def _length(run: Run) -> Floats:
    """The length of each topic's vector of scores; inf where it is too large for a number."""
    with np.errstate(over="ignore"):
        return np.sqrt(add_by(run.topic, run.scores * run.scores, len(run.topics)))


def keys_of(judgments: Judgments, base: Index, owner: Index, documents: Ids) -> Keys:
    """The keys under which documents are looked up: built from the judged topic of their list and the document."""
    return keys_in(documents, Ids.from_texts(judgments.topics), base[owner])


def look_up(judgments: Judgments, keys: Keys, owner: Index, documents: Ids, base: Index) -> tuple[Ints, Ints]:
    """Rows that are judged, and beside each its row in the judgments.

    `base[owner[i]]` is the judged topic of row i (−1: none), and `keys` are built from that topic and the document.
    """
    order = judgments.key_order
    table = judgments.keys[order]
    row = _candidates(table, keys)
    place = np.searchsorted(table, keys[row])
    hit = (place < len(table)) & (table[np.minimum(place, len(table) - 1)] == keys[row])
    row, judgment = row[hit], order[place[hit]]
    same = base[owner[row]] == judgments.topic[judgment]
    same &= judgments.documents.take(judgment).same(documents.take(row))
    equal = np.flatnonzero(table[1:] == table[:-1])
    if not same.all() and len(equal):  # different documents share a key: look these up by name
        rows = order[np.concatenate([equal, equal + 1])].tolist()
        named = {(int(judgments.topic[other]), judgments.documents.bytes_at(other)): other for other in rows}
        for i in np.flatnonzero(~same).tolist():
            identity = (int(base[owner[row[i]]]), documents.bytes_at(int(row[i])))
            same[i] = identity in named
            judgment[i] = named.get(identity, 0)
    return row[same], judgment[same]


def _candidates(table: Keys, keys: Keys) -> Ints:
    """Rows whose key may be in the table: one look at a small bit map spares most of the binary searches."""
    bits = max(10, len(table).bit_length() + 4)
    shift = np.uint64(64 - bits)
    marked = np.zeros(1 << bits, dtype=bool)
    marked[table >> shift] = True
    return np.flatnonzero(marked[keys >> shift])
