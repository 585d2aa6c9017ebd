"""Rows of a table in blocks: which list each belongs to, its document and its numbers, and what was wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem, Problems
from gaincurve.model.arrow.capsules import Column
from gaincurve.model.arrow.decode import IdColumn, NumberColumn, holds_numbers, number_ids, shown, together
from gaincurve.model.arrow.table import Table
from gaincurve.model.chosen import Rival, columns_or_raise, settled
from gaincurve.model.columns import VALUE, Doubt, Given
from gaincurve.model.ids import Ids, Ints, decode
from gaincurve.model.rows import Floats
from gaincurve.model.source import Note, counted, examples, shorten
from gaincurve.model.units import Index

ROWS = 1 << 16
"""So many rows are taken at a time; smaller batches are put together."""


@dataclass(frozen=True, eq=False)
class Block:
    """Rows in the order of the table: their numbers, lists, documents and values.

    `beside` holds what judgments may have: subtopic, stratum and judge as ids, p as numbers.
    """

    row: Ints
    list: Index
    documents: Ids
    values: Floats
    ranks: Floats | None
    beside: dict[str, Ids | Floats]

    def __len__(self) -> int:
        return len(self.row)

    @property
    def nbytes(self) -> int:
        """About how much memory the rows take."""
        return len(self) * 40 + len(self.documents.buffer)

    def take(self, index: NDArray[np.integer] | NDArray[np.bool_] | slice) -> Block:
        """Some of the rows."""
        beside = {name: ids.take(index) if isinstance(ids, Ids) else ids[index] for name, ids in self.beside.items()}
        ranks = None if self.ranks is None else self.ranks[index]
        return Block(self.row[index], self.list[index], self.documents.take(index), self.values[index], ranks, beside)

    @classmethod
    def joined(cls, blocks: Sequence[Block]) -> Block:
        """Blocks one after the other."""
        if len(blocks) == 1:
            return blocks[0]
        row, listed, values = (np.concatenate([getattr(b, name) for b in blocks]) for name in ("row", "list", "values"))
        ranks = [block.ranks for block in blocks if block.ranks is not None]
        beside: dict[str, Ids | Floats] = {}
        for name in blocks[0].beside:
            parts = [block.beside[name] for block in blocks]
            ids = [part for part in parts if isinstance(part, Ids)]
            numbers = [part for part in parts if not isinstance(part, Ids)]
            beside[name] = together(ids) if ids else np.concatenate(numbers)
        documents = together([block.documents for block in blocks])
        return cls(row, listed, documents, values, np.concatenate(ranks) if ranks else None, beside)


class Lists:
    """The names met so far: runs, topics, and each pair of both as a list, numbered in the order they are met."""

    def __init__(self) -> None:
        self.runs: dict[bytes, int] = {}
        self.topics: dict[bytes, int] = {}
        self._topics: list[bytes] = []
        self._pairs: dict[int, int] = {}

    def of(self, topic: Index, run: Index | None) -> Index:
        """The list of each row, from the numbers of its topic and its run."""
        self._topics.extend(islice(self.topics, len(self._topics), None))
        if run is None:
            return topic
        both = run.astype(np.int64) << 32 | topic
        changed = np.concatenate([[True], both[1:] != both[:-1]])[: len(both)]
        some = [self._pairs.setdefault(pair, len(self._pairs)) for pair in both[changed].tolist()]
        listed: Index = np.array(some, dtype=np.int32)[np.cumsum(changed) - 1]
        return listed

    def __len__(self) -> int:
        return len(self._pairs) or len(self._topics)

    def from_to(self, start: int, stop: int) -> tuple[Ints, Ids]:
        """Run, and name of the topic, of some of the lists."""
        if not self.runs:
            return np.zeros(stop - start, dtype=np.int64), Ids.from_bytes(self._topics[start:stop])
        pairs = np.fromiter(islice(self._pairs, start, stop), dtype=np.int64, count=stop - start)
        return pairs >> 32, Ids.from_bytes([self._topics[topic] for topic in (pairs & 0xFFFFFFFF).tolist()])


class TableReader:
    """A table read as judgments or as runs; with `only`, the run of that name.

    Problems of single rows are gathered and raised at the end of the table. `notes` are known then, too.
    """

    def __init__(self, table: Table, kind: str, given: Given | None = None, only: str = ""):
        self.table, self.kind, self.only = table, kind, only
        at = "" if table.format == "Python objects" else table.path
        self.columns = chosen = columns_or_raise(table.names, kind, table.path, at, given)
        self.lists, self.notes = Lists(), list[Note]()
        self.met: dict[bytes, int] = {}
        self.scored = chosen.value is not None
        ids = {"topic": chosen.topic, "document": chosen.document, "run": chosen.run, "judge": chosen.judge}
        ids |= {"subtopic": chosen.subtopic, "stratum": chosen.stratum}
        numbers = {VALUE[kind] if self.scored else "rank": chosen.value if self.scored else chosen.rank}
        ranked = chosen.rank is not None and holds_numbers(table.fields[chosen.rank])
        numbers |= {"rank": chosen.rank if ranked or not self.scored else None, "p": chosen.p}
        self._fields = [*table.fields]
        self._ids = {role: self._id_column(role, i) for role, i in ids.items() if i is not None}
        self._numbers = {role: self._number_column(role, i) for role, i in numbers.items() if i is not None}
        self._doubts = [doubt for doubt in chosen.doubts if doubt.role in (*self._ids, *self._numbers)]
        self._rivals: dict[tuple[str, int], Rival] = {}
        compared = {place for doubt in self._doubts for place in (doubt.taken, *doubt.others)}
        read = {column.place for column in self._ids.values()} | {column.place for column in self._numbers.values()}
        self._wanted = sorted(read | compared)

    def _id_column(self, role: str, place: int, at: str = "") -> IdColumn:
        return IdColumn(self._fields[place], role, place, self.table.path, at)

    def _number_column(self, role: str, place: int, at: str = "") -> NumberColumn:
        return NumberColumn(self._fields[place], role, place, self.table.path, at)

    def _follow_types(self, columns: Sequence[Column], first: int) -> None:
        """Read the columns by the types of this batch: the files of a folder may store one thing in several ways."""
        for place, column in zip(self._wanted, columns, strict=True):
            field = column.as_field(self._fields[place].name)
            if field == self._fields[place]:
                continue
            self._fields[place], at = field, self.place(first)
            self._ids |= {
                role: self._id_column(role, place, at) for role, known in self._ids.items() if known.place == place
            }
            self._numbers |= {
                role: self._number_column(role, place, at)
                for role, known in self._numbers.items()
                if known.place == place
            }

    def place(self, row: int) -> str:
        """Where a row stands."""
        file, number = (self.table.path, row) if self.table.place is None else self.table.place(row)
        return f"{file}, row {number} (from 0)"

    def run_names(self, name: str) -> list[str]:
        """The names of the runs, by number; a single one keeps the name it is known by."""
        names = [decode(run) for run in self.lists.runs]
        return names if len(names) > 1 or self.only else [name]

    def blocks(self, rows: int = ROWS) -> Iterator[Block]:
        """All rows, in blocks of this size or somewhat more."""
        self.lists, self._rivals, problems, self.met = Lists(), {}, Problems(), {}
        waiting: list[Block] = []
        first = 0
        coded = [self._ids[role].place for role in ("topic", "run") if role in self._ids]
        for columns in self.table.open(self._wanted, coded):
            count = columns[0].length
            self._follow_types(columns, first)
            for start in range(0, count, rows):
                stop = min(start + rows, count)
                part = {place: column.rows(start, stop) for place, column in zip(self._wanted, columns, strict=True)}
                block = self._block(part, first + start, problems)
                if not problems and len(block):
                    waiting.append(block)
                if sum(map(len, waiting)) >= rows:
                    yield Block.joined(waiting)
                    waiting = []
            first += count
        problems.stop_if_any()
        if not first:
            raise InputError(Problem("input-empty", f"{self.table.path} has no rows", self.table.path))
        if waiting:
            yield Block.joined(waiting)
        self._refuse_unknown()
        self.notes = [note for doubt in self._doubts for note in self._settled(doubt)]
        if self.kind == "run" and self.columns.run_is_vague and len(self.lists.runs) > 1:
            column = self.columns.named(self.columns.run)
            text = f"{self.table.path}: column {column} is read as the names of {counted(len(self.lists.runs), 'run')}"
            self.notes.append(Note("columns-chosen", f"{text}; if it names documents, leave it out of the table"))

    def _refuse_unknown(self) -> None:
        """Refuse the name of a run that is not there."""
        if not self.only or self.kind == "judgments" or (self.columns.run is not None and len(self.lists)):
            return
        names = [decode(name) for name in self.met]
        there = f"it holds {examples(names, 8)}" if names else "it holds one run without a name"
        what = f"{self.table.path} has nothing called {shorten(repr(self.only))}: {there}"
        raise InputError(Problem("input-part", what, self.table.path))

    def _block(self, part: dict[int, Column], first: int, problems: Problems) -> Block:
        known = {
            role: column.ids(part[column.place])
            for role, column in self._ids.items()
            if role not in ("topic", "run") or self.only or not column.complete(part[column.place])
        }
        numbers = {role: column.numbers(part[column.place]) for role, column in self._numbers.items()}
        value = VALUE[self.kind] if self.scored else "rank"
        for role, ids in known.items():
            self._refuse(np.flatnonzero(ids.lengths == 0), self._ids[role], part, first, problems)
        self._refuse(np.flatnonzero(~np.isfinite(numbers[value])), self._numbers[value], part, first, problems)
        self._compare(part, first)
        row = np.arange(first, first + len(numbers[value]), dtype=np.int64)
        values = numbers[value] if self.scored else -numbers["rank"]
        beside: dict[str, Ids | Floats] = {
            role: known[role] for role in ("subtopic", "stratum", "judge") if role in known
        }
        beside |= {"p": numbers["p"]} if "p" in numbers else {}
        ranks = numbers.get("rank")
        if self.only and "run" in known:
            topics, runs = known["topic"], known["run"]
            mine = self._chosen(runs)
            every = Block(row, row.astype(np.int32), known["document"], values, ranks, beside)
            listed = number_ids(topics.take(mine), self.lists.topics), number_ids(runs.take(mine), self.lists.runs)
            return replace(every.take(mine), list=self.lists.of(*listed))
        topic = self._number("topic", part, self.lists.topics, known.get("topic"))
        run = self._number("run", part, self.lists.runs, known.get("run")) if "run" in self._ids else None
        return Block(row, self.lists.of(topic, run), known["document"], values, ranks, beside)

    def _number(self, role: str, part: dict[int, Column], known: dict[bytes, int], ids: Ids | None) -> Index:
        column = self._ids[role]
        return column.numbered(part[column.place], known, ids)

    def _chosen(self, runs: Ids) -> Ints:
        """The rows of the run that was asked for."""
        number_ids(runs, self.met)
        wanted = Ids.from_texts([self.only]).take(np.zeros(len(runs), dtype=np.int64))
        return np.flatnonzero(runs.same(wanted))

    def _refuse(
        self, broken: Ints, column: IdColumn | NumberColumn, part: dict[int, Column], first: int, problems: Problems
    ) -> None:
        """Rows without a usable id or number."""

        def problem(i: int) -> Problem:
            return column.problem(part[column.place].rows(i, i + 1), self.place(first + i), self.kind)

        problems.each(broken.tolist(), problem)

    def _compare(self, part: dict[int, Column], first: int) -> None:
        """Look for the first row in which columns that could be the same thing differ."""
        for doubt in self._doubts:
            for other in doubt.others:
                if (doubt.role, other) in self._rivals:
                    continue
                column = self._numbers.get(doubt.role) or self._ids[doubt.role]
                row = column.first_difference(part[doubt.taken], part[other], self._fields[other])
                if row is not None:
                    values = [shown(part[i].rows(row, row + 1), self._fields[i]) for i in (doubt.taken, other)]
                    self._rivals[doubt.role, other] = Rival(other, self.place(first + row), " and ".join(values))
                    if not doubt.settled:
                        self._settled(doubt)

    def _settled(self, doubt: Doubt) -> list[Note]:
        rivals = [self._rivals[doubt.role, i] for i in doubt.others if (doubt.role, i) in self._rivals]
        return settled(doubt, self.columns, self.table.path, rivals)
