"""Grade the runs of a table as they are read: only judged documents stay in memory.

Blocks of whole lists go to the compiled scanner, or to the code that grades a run in memory, its twin. Where that is
not enough (a list that comes back later, a repeated document, a rule that needs more than the scores) the rows are
read again and put into parts, each with all rows of its lists; a part is graded like a run in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from gaincurve._compiled import scan as compiled
from gaincurve.errors import GaincurveError, InputError, Problems
from gaincurve.model.arrow.parts import parts_of, rows_of
from gaincurve.model.arrow.reader import Block, TableReader
from gaincurve.model.arrow.table import table_of
from gaincurve.model.chosen import refuse_exchanged_ranks
from gaincurve.model.columns import Given
from gaincurve.model.file_order import FileOrder
from gaincurve.model.graded import Graded, graded_topics, looked_at
from gaincurve.model.groups import owners, take
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.kernel import index_of
from gaincurve.model.lookup import IdIndex
from gaincurve.model.matches import Matches, match
from gaincurve.model.memory import refuse_size
from gaincurve.model.order import FLOAT32, SCORE_RULES
from gaincurve.model.rows import distinct
from gaincurve.model.run import Run
from gaincurve.model.source import Source, repeated_notes
from gaincurve.model.strays import MOST_ROWS
from gaincurve.model.units import Index
from gaincurve.model.unjudged import Unjudged

_RULES = {**{rule: int(rule in FLOAT32) for rule in SCORE_RULES}, "file": 2}


@dataclass
class _OfRun:
    """What is known of one run of a table so far: its matches, and beside them the numbers of their lists."""

    parts: list[Matches] = field(default_factory=list)
    lists: list[Ints] = field(default_factory=list)
    dropped: int = 0
    kept: int = 0
    ranks_known: bool = True

    def add(self, matches: Matches, lists: Ints) -> None:
        """Lists that have been graded."""
        self.parts.append(matches)
        self.lists.append(lists)

    def matches(self) -> Matches:
        """All lists, in the order in which the table names them."""
        whole, lists = Matches.joined(self.parts), np.concatenate(self.lists)
        if not self.ranks_known:
            whole = replace(whole, order=replace(whole.order, contradicting=0))
        if (np.diff(lists) > 0).all():
            return whole
        order = np.argsort(lists)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return replace(
            whole,
            names=whole.names.take(order),
            base=whole.base[order],
            retrieved=whole.retrieved[order],
            list=place[whole.list],
            length=take(whole.length, order),
        )


class TableGrader:
    """Judgments prepared once, to grade many tables under one tie rule.

    Of the unjudged documents those of the first `shown` ranks are kept; with `scores` what a measure of scores needs.
    """

    def __init__(
        self,
        judgments: Judgments,
        ties: str = "trec",
        duplicates: str = "error",
        *,
        scores: bool = False,
        shown: int = 0,
    ):
        self.judgments, self.ties, self.duplicates = judgments, ties, duplicates
        self.scores, self.shown = scores, shown
        self._topics = IdIndex.of(Ids.from_texts(judgments.topics))
        self._index = index_of(compiled, judgments, _NO_NAMES)

    def grade(self, reader: TableReader, name: str) -> list[Graded]:
        """The runs of a table, in the order in which they appear; `name` is that of a run without one."""
        runs = self._streamed(reader) if self._is_plain(reader) else None
        if runs is None:
            runs = self._by_parts(reader)
        names = reader.run_names(name)
        return [self._graded(reader, number, run, names[number]) for number, run in sorted(runs.items())]

    def _is_plain(self, reader: TableReader) -> bool:
        """Whether scores or the order decide, so that lists can be graded as they come."""
        plain = self.ties in _RULES and not self.scores and self.duplicates != "seen"
        return plain and not self._exchangeable(reader)

    def _decides_by_score(self, reader: TableReader) -> bool:
        return self.ties in SCORE_RULES and reader.scored

    def _exchangeable(self, reader: TableReader) -> bool:
        """Whether all values are needed to tell judgments and run apart."""
        return self.judgments.doubtful and reader.scored and reader.columns.rank is None

    def _graded(self, reader: TableReader, number: int, run: _OfRun, name: str) -> Graded:
        matches, table = run.matches(), reader.table
        source = Source(table.path, table.format, len(matches.names), int(matches.retrieved.sum()), table.sha256)
        notes = (*reader.notes, *repeated_notes(table.path, run.dropped, run.kept))
        seen = graded_topics(self.judgments, matches, name, self.ties, source, notes, run.dropped)
        order = matches.order.notes(name, len(matches.names)) if self._decides_by_score(reader) else ()
        seen = replace(seen, kept=run.kept, notes=(*seen.notes, *order))
        return looked_at(self.judgments, matches, seen, lambda: self._listed(reader, number))

    def _listed(self, reader: TableReader, number: int) -> tuple[Ints, list[str]]:
        """The documents of a run that are listed for judged topics: the table is read again."""
        topic, texts = [np.zeros(0, dtype=np.int64)], list[str]()
        for block in reader.blocks():
            run, base, _ = self._lists(reader, 0, len(reader.lists))
            rows = np.flatnonzero((run[block.list] == number) & (base[block.list] >= 0))
            topic.append(base[block.list[rows]].astype(np.int64))
            texts += block.documents.take(rows).texts()
            if len(texts) >= MOST_ROWS:
                break
        return np.concatenate(topic)[:MOST_ROWS], texts[:MOST_ROWS]

    def _lists(self, reader: TableReader, start: int, stop: int) -> tuple[Ints, Index, Ids]:
        """Of some of the lists: the run, the judged topic (−1: none), and the name of the topic."""
        run, names = reader.lists.from_to(start, stop)
        return run, self._topics.places(names).astype(np.int32), names

    def _streamed(self, reader: TableReader) -> dict[int, _OfRun] | None:
        """The runs of a table in which each list is in one piece; None where rows need a closer look."""
        runs: dict[int, _OfRun] = {}
        begun: list[Block] = []
        first = 0  # the list that begun rows belong to
        for block in reader.blocks():
            changed = np.flatnonzero(block.list[1:] != block.list[:-1]) + 1
            order = block.list[np.concatenate([[0], changed])]
            if order[0] not in (first, first + bool(begun)) or (np.diff(order) != 1).any():
                return None  # a list came back
            if order[-1] == first:
                begun.append(block)
                refuse_size(reader.table.path, sum(some.nbytes for some in begun), 2)
                continue
            cut = int(changed[-1]) if len(changed) else 0
            whole = [*begun, block.take(slice(0, cut))] if cut else begun
            if not self._take(reader, whole, first, runs):
                return None
            begun, first = [block.take(slice(cut, None))], int(order[-1])
        return runs if self._take(reader, begun, first, runs) else None

    def _take(self, reader: TableReader, blocks: list[Block], first: int, runs: dict[int, _OfRun]) -> bool:
        """Grade whole lists, the first of which has the number `first`; False if they need a closer look."""
        block = Block.joined(blocks)
        bounds = np.concatenate([[0], np.flatnonzero(block.list[1:] != block.list[:-1]) + 1, [len(block)]])
        run, base, names = self._lists(reader, first, first + len(bounds) - 1)
        fractions = block.ranks is not None and reader.scored and bool((block.ranks % 1 > 0).any())
        if fractions:
            return False  # ranks and scores may be exchanged
        parts = self._compiled(block, bounds, run, base, names)
        if parts is None:
            parts = self._twin(reader, block, bounds, run, names)
        for number, matches, lists in parts or ():
            known = runs.setdefault(number, _OfRun())
            known.add(matches, first + lists)
            if block.ranks is not None and known.ranks_known and not np.isfinite(block.ranks).all():
                mine = owners(np.diff(bounds))
                known.ranks_known = bool(np.isfinite(block.ranks[run[mine] == number]).all())
        return parts is not None

    def _compiled(self, block: Block, bounds: Ints, run: Ints, base: Index, names: Ids) -> list[_Part] | None:
        """The lists of each run, graded by the compiled scanner; None where it leaves them to the twin."""
        if self._index is None:
            return None
        documents = block.documents
        ranks = block.ranks if self.ties in SCORE_RULES and block.ranks is not None else _NO_RANKS
        graded = compiled.grade_rows(
            self._index, bounds, base, documents.buffer, documents.starts, documents.lengths, block.values, ranks,
            _RULES[self.ties], self.shown,
        )  # fmt: skip
        if graded is None or (graded[2] == _UNORDERED).any():
            return None
        level, rising = _steps(block, bounds, run)
        parts = []
        for number in distinct(run).tolist():
            lists = np.flatnonzero(run == number)
            place = np.full(len(run), -1, dtype=np.int64)
            place[lists] = np.arange(len(lists))
            rows, others = (table if len(lists) == len(run) else table[place[table[:, 0]] >= 0] for table in graded[:2])
            matches = Matches(
                names=names.take(lists),
                base=base[lists],
                retrieved=np.diff(bounds)[lists],
                list=place[rows[:, 0]],
                rank=rows[:, 1],
                first=rows[:, 2],
                last=rows[:, 3],
                judgment=rows[:, 4],
                unjudged=Unjudged(base[others[:, 0]], others[:, 1], others[:, 2].view(np.uint64), self.shown),
                order=FileOrder(int((graded[2][lists] == _CONTRADICTING).sum()), 0, level[number], rising[number]),
            )
            parts.append((number, matches, lists))
        return parts

    def _twin(self, reader: TableReader, block: Block, bounds: Ints, run: Ints, names: Ids) -> list[_Part] | None:
        """The same in NumPy; None where something is wrong with the rows."""
        owner = owners(np.diff(bounds))
        parts = []
        for number in distinct(run).tolist():
            lists = np.flatnonzero(run == number)
            place = np.full(len(run), -1, dtype=np.int32)
            place[lists] = np.arange(len(lists), dtype=np.int32)
            mine = np.flatnonzero(run[owner] == number)
            rows = rows_of(reader, block.take(mine), place[owner[mine]], tuple(names.take(lists)))
            try:
                listed = Run.from_rows(rows, "", self.ties)
            except GaincurveError:
                return None
            matches = match(self.judgments, listed, shown=self.shown)
            parts.append((number, replace(matches, order=listed.file_order()), lists))
        return parts

    def _by_parts(self, reader: TableReader) -> dict[int, _OfRun]:
        """The runs of any table, with the problems of all of them."""
        runs: dict[int, _OfRun] = {}
        problems = Problems()
        for number, lists, rows in parts_of(reader, self._exchangeable(reader)):
            try:
                refuse_exchanged_ranks(rows, reader.columns)
                run = Run.from_rows(rows, "", self.ties, self.duplicates)
                matches = match(self.judgments, run, self.scores, shown=self.shown)
            except InputError as error:
                problems.take(error)
                continue
            known = runs.setdefault(number, _OfRun())
            known.add(replace(matches, order=run.file_order()), lists)
            known.dropped, known.kept = known.dropped + run.dropped, known.kept + run.kept
            if run.ranks is not None and not np.isfinite(run.ranks).all():
                known.ranks_known = False
        problems.stop_if_any()
        return runs


def _steps(block: Block, bounds: Ints, run: Ints) -> tuple[list[int], list[int]]:
    """By run: the steps within lists on which no ranks claim an order, and those of them on which scores rise."""
    level = block.list[1:] == block.list[:-1]
    if block.ranks is not None:
        level &= block.ranks[1:] == block.ranks[:-1]
    rising = level & (block.values[1:] > block.values[:-1])
    runs = int(run.max()) + 1
    if runs == 1:
        return [int(np.count_nonzero(level))], [int(np.count_nonzero(rising))]
    owner = np.repeat(run, np.diff(bounds))
    level_of, rising_of = (np.bincount(owner[1:][steps], minlength=runs).tolist() for steps in (level, rising))
    return level_of, rising_of


def grade_table(
    judgments: Judgments, given: object, name: str, ties: str, scores: bool = False, columns: Given | None = None
) -> list[Graded] | None:
    """The runs of a table in memory; None if it can only be read by its own library.

    Unjudged documents are found when somebody asks: the table is read again.
    """
    table = table_of(given, name)
    if table is None:
        return None
    runs = TableGrader(judgments, ties, scores=scores).grade(TableReader(table, "run", columns), name)

    def unjudged(number: int, depth: int) -> Unjudged | None:
        reader = TableReader(table, "run", columns)
        return TableGrader(judgments, ties, shown=depth).grade(reader, name)[number].unjudged(depth)

    return [replace(run, unjudged=partial(unjudged, number)) for number, run in enumerate(runs)]


_Part = tuple[int, Matches, Ints]
"""A run, some of its lists graded, and the places of these among all."""

_CONTRADICTING, _UNORDERED = 1, 2  # what the compiled scanner says of a list's ranks
_NO_RANKS = np.zeros(0, dtype=np.float64)
_NO_NAMES: tuple[object, ...] = (
    np.zeros(0, np.uint64), np.zeros(0, np.uint8), np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32),
)  # fmt: skip
