"""A text file line by line, decompressed if need be, with the digest of its bytes: for files too large for memory."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from typing import IO, Any

from gaincurve.errors import InputError, Problem
from gaincurve.io.blocks import Stored
from gaincurve.io.content import (
    BOM,
    WIDE_BOMS,
    naming_damage,
    not_text,
    opened,
    packing_of,
    refuse_expansion,
    telling_why,
)
from gaincurve.model.ids import decode
from gaincurve.model.memory import OBJECTS, memory_limit, refuse_size

Line = tuple[int, str]
"""The number of a line, from 1, and its text without the end of the line."""

PIECE = 1 << 24
OF_A_LINE = 64
"""Bytes that a line takes in memory beside its characters."""


class Held:
    """The lines of one element that are held in memory; refused where there are more of them than may be."""

    def __init__(self, name: str):
        self.name = name
        self.size, self._most = 0, memory_limit() // OBJECTS

    def add(self, line: str) -> None:
        """Count a line."""
        self.size += len(line) + OF_A_LINE
        if self.size > self._most:
            refuse_size(self.name, self.size, OBJECTS)

    def clear(self) -> None:
        """Begin with another element."""
        self.size = 0


class TextStream:
    """The lines of a file, or of standard input for '-'; `sha256` is known once all are read."""

    def __init__(self, path: str | os.PathLike[str], digest: bool = True):
        self.name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
        with telling_why(self.name):
            self._file: IO[bytes] = sys.stdin.buffer if os.fspath(path) == "-" else open(path, "rb")  # noqa: SIM115
        self._own = self._file is not sys.stdin.buffer
        self._stored = Stored(self._file, digest)
        self._left: list[Line] = []
        self._decompressed = 0
        self.at = 0
        try:
            self._lines = self._decoded()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> TextStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._own:
            self._file.close()

    @property
    def sha256(self) -> str | None:
        """The digest of the stored bytes, where it was wanted."""
        return None if self._stored.digest is None else self._stored.digest.hexdigest()

    def place(self, number: int | None = None) -> str:
        """path:line of a line; of the last one read unless given."""
        return f"{self.name}:{self.at if number is None else number}"

    def __iter__(self) -> Iterator[Line]:
        """The lines from here on."""
        while (line := self.next_line()) is not None:
            yield line

    def next_line(self) -> Line | None:
        """The next line, or None at the end."""
        line = self._left.pop() if self._left else next(self._lines, None)
        self.at = self.at if line is None else line[0]
        return line

    def put_back(self, line: Line | None) -> None:
        """Put back a line that was only looked at."""
        if line is not None:
            self._left.append(line)

    def next_filled(self) -> Line | None:
        """The next line that is neither blank nor a comment."""
        return next((line for line in self if line[1].strip() and not line[1].lstrip(" \t").startswith("#")), None)

    def rest(self) -> str:
        """Everything from here on as one text, in which lines have the numbers they have in the file."""
        lines: list[str] = []
        held = Held(self.name)
        for number, text in self:
            held.add(text)
            lines += [""] * (number - 1 - len(lines))
            lines.append(text)
        return "\n".join(lines)

    def _decoded(self) -> Iterator[Line]:
        stored = io.BufferedReader(self._stored, 1 << 16)
        with telling_why(self.name):
            packing = packing_of(stored.peek(8)[:8])
        with naming_damage(self.name, packing):
            decompressed: Any = opened(packing, stored, self.name) if packing else stored
        lines: Any = io.BufferedReader(decompressed, 1 << 18) if packing else stored
        return ((number, decode(line).rstrip("\r\n")) for number, line in enumerate(self._checked(lines, packing), 1))

    def _checked(self, lines: Any, packing: str) -> Iterator[bytes]:
        """The lines as bytes, once they are known to be text."""
        head = b""
        while line := self._line(lines, packing):
            if not head:
                head = line[:4]
                if head[:2] in WIDE_BOMS:
                    raise InputError(Problem("input-encoding", f"{self.name} is UTF-16 or UTF-32 text", self.name))
                line = line.removeprefix(BOM)
            if b"\0" in line:
                raise not_text(self.name, head)
            yield line
        while self._stored.read(1 << 20):
            pass  # what follows compressed data belongs to the file's digest

    def _line(self, lines: Any, packing: str) -> bytes:
        """The next line as bytes, read in pieces: a line without end is noticed before it fills the memory."""
        pieces: list[bytes] = []
        while not pieces or (len(pieces[-1]) == PIECE and not pieces[-1].endswith(b"\n")):
            with naming_damage(self.name, packing):
                pieces.append(lines.readline(PIECE))
            if len(pieces[-1]) == PIECE and b"\0" in pieces[-1]:
                raise not_text(self.name, pieces[0][:4])
            self._decompressed += len(pieces[-1])
            refuse_expansion(self.name, self._decompressed, self._stored.read_so_far)
            if len(pieces) > 1:
                refuse_size(self.name, len(pieces) * PIECE, OBJECTS)
        return b"".join(pieces)
