"""A run's text in blocks of whole topics, read one after the other, so that a large file needs little memory."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from gaincurve._compiled import scan as compiled
from gaincurve._scan_py import next_newline, scan
from gaincurve.errors import InputError, Problem
from gaincurve.io.content import BOM, WIDE_BOMS, new_digest, opened, packing_of, refuse_expansion
from gaincurve.io.threads import Workers
from gaincurve.model.ids import PADDING, Bytes, Ids
from gaincurve.model.memory import refuse_size

BLOCK = 1 << 22
"""This many bytes are read at a time; a block ends before the last topic that is not known to be complete."""


_WINDOW = 1 << 16

SHARE = 1 << 20
"""A thread gets at least this many bytes: fewer are not worth handing over."""


class Stored(io.RawIOBase):
    """A file's bytes as stored, with their digest where it is wanted."""

    def __init__(self, file: IO[bytes], digest: bool):
        self.file = file
        self.read_so_far = 0
        self.digest = new_digest() if digest else None

    def readable(self) -> bool:
        """Yes: `io` asks before it wraps a stream."""
        return True

    def readinto(self, view: Any) -> int:
        """Fill the view from the file."""
        size: int = self.file.readinto(view) or 0  # type: ignore[attr-defined]
        self.read_so_far += size
        if self.digest is not None:
            self.digest.update(memoryview(view)[:size])
        return size


class BlockReader:
    """Blocks of a file, decompressed if need be; `sha256` and `last_line` are known once all are read.

    With more than one thread the digest of a block that is stored as it stands is made while the next one is read.
    """

    def __init__(self, path: str | os.PathLike[str], digest: bool, size: int = BLOCK, threads: int = 1):
        self.file = open(path, "rb")  # noqa: SIM115 -- closed by close()
        self.name, self.size = os.fspath(path), max(size, 16)  # room to check the first bytes
        self.last_line = b""
        self.digester = Workers(threads)
        try:
            self.packing = packing = packing_of(self.file.read(8))
            self.file.seek(0)
            self.stored = Stored(self.file, digest and bool(packing))
            self.digest = new_digest() if digest and not packing else self.stored.digest
            self.digesting: Callable[[], None] | None = None
            self.text: Any = opened(packing, self.stored, self.name) if packing else self.stored  # type: ignore[arg-type]
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> BlockReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, read to its end or not."""
        self.digester.close()
        self.file.close()

    @property
    def sha256(self) -> str | None:
        """The digest of the stored bytes, where it was wanted."""
        return None if self.digest is None else self.digest.hexdigest()

    def __iter__(self) -> Iterator[tuple[Bytes, int]]:
        """Buffers, each with the place where its whole topics end.

        Two buffers take turns: a block stays as it is while the next one is read, no longer.
        """
        rest = np.zeros(0, dtype=np.uint8)
        buffer = other = rest
        decompressed = 0
        ended = False
        while not ended:
            if len(buffer) < len(rest) + max(self.size // 2, len(rest)) + PADDING:
                refuse_size(self.name, 2 * len(rest) + self.size, times=2)  # a topic, or a line, without end
                buffer = np.empty(2 * len(rest) + self.size + PADDING, dtype=np.uint8)
            buffer[: len(rest)] = rest
            filled, ended = self._fill(buffer, len(rest))
            buffer[filled : filled + PADDING] = 0
            self._check(buffer, len(rest), filled, decompressed)
            decompressed += filled - len(rest)
            stop = filled if ended else last_boundary(buffer, filled)
            rest = buffer[stop:filled]
            if ended:
                self.last_line = last_line(buffer, stop)
            if stop:
                yield buffer, stop
                buffer, other = other, buffer
        self._finish_digest()
        while self.stored.digest is not None and self.stored.read(1 << 20):
            pass  # what follows the compressed data belongs to the file's digest

    def _check(self, buffer: Bytes, start: int, stop: int, before: int) -> None:
        """Refuse what is not text or expands without end, so that the plain reader can say why; blank out a BOM."""
        refuse_expansion(self.name, before + stop - start, self.stored.read_so_far)
        if stop > start and not buffer[start:stop].min():
            raise InputError(Problem("input-binary", f"{self.name} has NUL bytes", self.name))
        if before == 0:
            if buffer[:2].tobytes() in WIDE_BOMS:
                raise InputError(Problem("input-encoding", f"{self.name} is UTF-16 or UTF-32 text", self.name))
            if buffer[: len(BOM)].tobytes() == BOM:
                self._finish_digest()
                buffer[: len(BOM)] = 32  # so that it is no part of the first topic

    def _finish_digest(self) -> None:
        if self.digesting is not None:
            self.digesting()
            self.digesting = None

    def _fill(self, buffer: Bytes, filled: int) -> tuple[int, bool]:
        room = len(buffer) - PADDING
        while filled < room:
            piece = buffer.data[filled:room]
            size = self.text.readinto(piece)
            if not size:
                return filled, True
            filled += size
            if self.digest is not None and self.text is self.stored:
                self._finish_digest()  # of the piece before: none is written over before it was digested
                self.digesting = self.digester.submit(self.digest.update, piece[:size])
        return filled, False


def next_boundary(buffer: Bytes, start: int, stop: int) -> int:
    """The first place after `start` where a line begins a topic other than the line before it, or `stop`."""
    if compiled is not None:
        boundary: int = compiled.next_boundary(buffer, start, stop)
        return boundary
    begin = next_newline(buffer, start, stop)
    before: bytes | None = None
    while begin < stop:
        end = next_newline(buffer, min(begin + _WINDOW, stop) - 1, stop)
        lines = scan(buffer, begin, end)
        starts = lines.starts[lines.first]
        topics = Ids(buffer, starts, (lines.ends[lines.first] - starts).astype(np.int32))
        if len(topics):
            new = np.concatenate([[before is not None and topics.bytes_at(0) != before], _changes(topics)])
            if new.any():
                return line_start(buffer, int(starts[np.argmax(new)]))
            before = topics.bytes_at(len(topics) - 1)
        begin = end
    return stop


def _changes(topics: Ids) -> NDArray[np.bool_]:
    return ~topics.take(slice(1, None)).same(topics.take(slice(0, -1)))


def last_boundary(buffer: Bytes, stop: int) -> int:
    """A place before `stop`, as late as a quick search finds one, where a topic begins; 0 if there is none.

    A last line that may not be whole is ignored: its topic could be cut off.
    """
    stop = line_start(buffer, stop)
    back = 2 * _WINDOW
    while stop:
        start = max(0, stop - back)
        boundary = next_boundary(buffer, start, stop)
        if boundary < stop:
            return boundary
        if start == 0:
            break
        back *= 8
    return 0


def line_start(buffer: Bytes, at: int) -> int:
    """Where the line of a byte begins."""
    step = 256
    while at > 0:
        floor = max(0, at - step)
        before = np.flatnonzero(buffer[floor:at] == 10)
        if len(before):
            return floor + int(before[-1]) + 1
        at, step = floor, step * 2
    return 0


def last_line(buffer: Bytes, stop: int) -> bytes:
    """The last line before `stop` that is not blank."""
    step = 4096
    while stop > 0:
        floor = max(0, stop - step)
        kept = len(buffer[floor:stop].tobytes().rstrip())
        if kept:
            return buffer[line_start(buffer, floor + kept) : floor + kept].tobytes().strip()
        stop, step = floor, step * 2
    return b""


def topic_pieces(buffer: Bytes, stop: int, count: int, least: int = SHARE) -> list[tuple[int, int]]:
    """A block cut into at most `count` pieces of whole topics."""
    wanted = max(1, min(count, stop // least))
    cuts = [0]
    for i in range(1, wanted):
        cut = next_boundary(buffer, max(cuts[-1], i * stop // wanted), stop)
        if cuts[-1] < cut < stop:
            cuts.append(cut)
    return list(zip(cuts, [*cuts[1:], stop], strict=True))
