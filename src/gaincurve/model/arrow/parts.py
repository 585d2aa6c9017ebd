"""The rows of a table in parts, each with all rows of its lists: in memory, or by way of temporary files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.model.arrow.decode import compacted
from gaincurve.model.arrow.reader import Block, TableReader
from gaincurve.model.ids import Ids, Ints, padded
from gaincurve.model.lookup import numbered
from gaincurve.model.memory import memory_limit, refuse_size
from gaincurve.model.rows import Floats, Rows, distinct
from gaincurve.model.units import Index

PARTS = 64
"""Lists that come back later are spread over this many files, which have no names: nothing is left behind."""

HELD = 1 << 28
"""So many bytes of rows are held before they go to files; less where GAINCURVE_MEMORY allows less."""

_SHARE = 8  # of the memory that may be used: rows are sorted and hashed besides


def parts_of(reader: TableReader, whole: bool = False) -> Iterator[tuple[int, Ints, Rows]]:
    """Run, lists, and rows in the order of the table, for each run of each part; all in one part if `whole`."""
    most = memory_limit() // _SHARE if whole else min(HELD, memory_limit() // _SHARE)
    with ExitStack() as stack:
        files: list[IO[bytes]] = []
        held: list[Block] = []
        for block in reader.blocks():
            held.append(block)
            size = sum(some.nbytes for some in held)
            if size <= most:
                continue
            if whole:
                refuse_size(reader.table.path, size, _SHARE)
            with _saying_where():
                if not files:
                    files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(PARTS)]
                _spill(held, files)
            held = []
        if not files:
            yield from _by_run(reader, held)
            return
        with _saying_where():
            _spill(held, files)
        for file in files:
            refuse_size(reader.table.path, file.tell(), _SHARE)
            file.seek(0)
            yield from _by_run(reader, [*_stored(file)])
            file.truncate(0)


@contextmanager
def _saying_where() -> Iterator[None]:
    """Report in our words that the folder of temporary files is full or may not be written."""
    try:
        yield
    except OSError as error:
        folder = tempfile.gettempdir()
        what = f"rows cannot be kept in temporary files in {folder}: {error.strerror or error}"
        raise InputError(Problem("input-temporary", what, folder)) from None


def _spill(blocks: Iterable[Block], files: list[IO[bytes]]) -> None:
    """Write every row to the file of its list."""
    for block in blocks:
        part = block.list % len(files)
        order = np.argsort(part, kind="stable")
        ends = np.searchsorted(part[order], np.arange(len(files) + 1))
        for file, start, stop in zip(files, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            if stop > start:
                _store(block.take(order[start:stop]), file)


def _store(block: Block, file: IO[bytes]) -> None:
    documents = compacted(block.documents)
    ranked = block.ranks is not None
    size = int(documents.lengths.sum())
    file.write(np.array([len(block), size, ranked], dtype=np.int64).tobytes())
    columns = [block.row, block.list, block.values, documents.lengths, documents.buffer[:size]]
    for column in columns if block.ranks is None else [*columns, block.ranks]:
        file.write(np.ascontiguousarray(column).data)


def _stored(file: IO[bytes]) -> Iterator[Block]:
    while head := file.read(24):
        rows, size, ranked = np.frombuffer(head, dtype=np.int64).tolist()
        row: Ints = np.frombuffer(file.read(rows * 8), dtype=np.int64)
        listed: Index = np.frombuffer(file.read(rows * 4), dtype=np.int32)
        values: Floats = np.frombuffer(file.read(rows * 8), dtype=np.float64)
        lengths: Index = np.frombuffer(file.read(rows * 4), dtype=np.int32)
        starts = np.cumsum(lengths, dtype=np.int64) - lengths
        documents = Ids(padded(file.read(size)), starts, lengths)
        ranks = np.frombuffer(file.read(rows * 8), dtype=np.float64) if ranked else None
        yield Block(row, listed, documents, values, ranks, {})


def _by_run(reader: TableReader, blocks: list[Block]) -> Iterator[tuple[int, Ints, Rows]]:
    if not blocks:
        return
    block = Block.joined(blocks)
    if len(reader.lists.runs) < 2 and block.list.max() == len(reader.lists) - 1 == len(distinct(block.list)) - 1:
        names = reader.lists.from_to(0, len(reader.lists))[1]
        yield 0, np.arange(len(names)), rows_of(reader, block, block.list, tuple(names))
        return
    run, names = reader.lists.from_to(0, len(reader.lists))
    owner = run[block.list]
    for number in np.flatnonzero(np.bincount(owner)).tolist():
        mine = block if (owner == number).all() else block.take(np.flatnonzero(owner == number))
        lists, first, topic = np.unique(mine.list, return_index=True, return_inverse=True)
        order = np.argsort(first)
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        yield (
            number,
            lists[order].astype(np.int64),
            rows_of(reader, mine, place[topic], tuple(names.take(lists[order]))),
        )


def rows_of(reader: TableReader, block: Block, topic: Index, topics: tuple[str, ...]) -> Rows:
    """Rows of a table that still know where they stood."""
    table, beside = reader.table, block.beside
    subtopics, stratum, judges, p = (beside.get(name) for name in ("subtopic", "stratum", "judge", "p"))
    return Rows(
        topics=topics,
        topic=topic,
        documents=block.documents,
        values=block.values,
        ranks=block.ranks,
        place=lambda i: reader.place(int(block.row[i])),
        path=table.path,
        format=table.format,
        sha256=table.sha256,
        scored=reader.scored,
        subtopics=subtopics if isinstance(subtopics, Ids) else None,
        notes=tuple(reader.notes),
        ranked=reader.columns.rank is not None,
        stratum=stratum if isinstance(stratum, Ids) else None,
        p=p if isinstance(p, np.ndarray) else None,
        judges=judges if isinstance(judges, Ids) and len(numbered(judges)[0]) > 1 else None,
    )
