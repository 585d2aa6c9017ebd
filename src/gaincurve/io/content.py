"""Bytes from a path: opened, decompressed and checked to be text."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from gaincurve._scan_py import next_newline
from gaincurve.errors import InputError, Problem, extra_missing
from gaincurve.model.ids import PADDING, Bytes

MOST_EXPANSION = 200
FREE_EXPANSION = 1 << 30
_BLOCK = 1 << 20
BOM = b"\xef\xbb\xbf"
WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_KNOWN_BINARY = {
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a zip archive",
    b"%PDF": "a PDF",
    b"SQLi": "a SQLite database",
}


@dataclass(frozen=True, eq=False)
class Content:
    """Text as bytes: `buffer[start:stop]`, with spare bytes behind it; `sha256` is that of the file as stored."""

    path: str
    buffer: Bytes
    start: int
    stop: int
    sha256: str | None
    packing: str = ""

    def bytes(self) -> bytes:
        """The text as one bytes object."""
        return self.buffer[self.start : self.stop].tobytes()

    def place(self, offset: int) -> str:
        """path:line of a byte."""
        return f"{self.path}:{int(np.count_nonzero(self.buffer[:offset] == 10)) + 1}"

    def line_at(self, offset: int) -> str:
        """The text of the line that holds a byte, for messages."""
        stop = next_newline(self.buffer, offset, self.stop)
        return self.buffer[offset:stop].tobytes().decode("utf-8", "replace").rstrip("\r\n")


def read_content(path: str | os.PathLike[str], digest: bool = True) -> Content:
    """Read a file, or standard input for '-', decompressing gz, bz2, xz and zst by their first bytes."""
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    buffer, size = _stored(path, name)
    sha256 = new_digest(buffer.data[:size]).hexdigest() if digest else None
    packing = packing_of(buffer[: min(8, size)].tobytes())
    if packing:
        buffer, size = _decompressed(buffer[:size].tobytes(), packing, name)
    start = len(BOM) if buffer[: len(BOM)].tobytes() == BOM else 0
    _check_text(buffer, start, size, name)
    return Content(name, buffer, start, size, sha256, packing)


def new_digest(data: Any = b"") -> Any:
    """SHA-256, begun with `data`."""
    import hashlib  # noqa: PLC0415 -- it loads a large library, and only JSON output shows digests

    return hashlib.sha256(data)


def _stored(path: str | os.PathLike[str], name: str) -> tuple[Bytes, int]:
    with telling_why(name):
        if os.fspath(path) == "-":
            return _in_buffer(sys.stdin.buffer)
        with open(path, "rb") as file:
            return _in_buffer(file)


@contextmanager
def telling_why(name: str) -> Iterator[None]:
    """Report in our words why the operating system cannot read a file."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(Problem("input-missing", f"there is no file {name}", name)) from None
    except IsADirectoryError:
        raise InputError(Problem("input-directory", f"{name} is a folder", name)) from None
    except PermissionError:
        raise InputError(Problem("input-permission", f"{name} may not be read", name)) from None
    except (OSError, ValueError) as error:
        raise InputError(Problem("input-unreadable", f"{name} cannot be read: {error}", name)) from None


def _in_buffer(file: IO[bytes]) -> tuple[Bytes, int]:
    """All of a file in a buffer with spare bytes, without a second copy where its size is known."""
    try:
        expected = os.fstat(file.fileno()).st_size
    except (AttributeError, OSError):  # a stream without a file behind it
        expected = 0
    if not expected:
        data = file.read()
        return _padded(bytearray(data)), len(data)
    buffer = np.zeros(expected + PADDING, dtype=np.uint8)
    view, filled = buffer.data[:expected], 0
    while filled < expected:
        size = file.readinto(view[filled:])  # type: ignore[attr-defined]
        if not size:
            break
        filled += size
    rest = file.read()
    if rest:  # it grew while we read: take what is there
        return _padded(bytearray(view[:filled].tobytes() + rest)), filled + len(rest)
    return buffer, filled


def _padded(data: bytearray) -> Bytes:
    data.extend(bytes(PADDING))
    return np.frombuffer(data, dtype=np.uint8)


class _ZstStream(io.RawIOBase):
    """Frames of a zst file; zstandard's own reader is silent when a file ends within a frame."""

    def __init__(self, file: IO[bytes]):
        try:
            from zstandard import ZstdDecompressor  # noqa: PLC0415 -- an extra, imported where it is used
        except ImportError:
            raise extra_missing("zstd", "reading .zst files") from None
        self._file, self._new = file, ZstdDecompressor().decompressobj
        self._frame = self._new()
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, view: Any) -> int:
        if not self._left:
            self._left = memoryview(self._block())
        size = min(len(view), len(self._left))
        view[:size] = self._left[:size]
        self._left = self._left[size:]
        return size

    def _block(self) -> bytes:
        """The next small piece, decompressed; empty at the end."""
        while True:
            piece = self._frame.unused_data if self._frame.eof else b""
            piece = piece or self._file.read(4096)  # small, as each byte may expand to many
            if not piece:
                if not self._frame.eof:
                    raise EOFError("the file ended within a frame")
                return b""
            if self._frame.eof:
                self._frame = self._new()
            block: bytes = self._frame.decompress(piece)
            if block:
                return block


_MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}


def packing_of(head: bytes) -> str:
    """gz, bz2, xz, zst by the first bytes; '' for anything else."""
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), "")


def opened(packing: str, stored: IO[bytes]) -> Any:
    """A stream of what is compressed in `stored`."""
    if packing == "zst":
        return _ZstStream(stored)
    module = importlib.import_module({"gz": "gzip", "bz2": "bz2", "xz": "lzma"}[packing])
    return module.open(stored)


def _decompressed(stored: bytes, packing: str, name: str) -> tuple[Bytes, int]:
    stream = opened(packing, io.BytesIO(stored))
    data = bytearray()
    while True:
        try:
            block = stream.read(_BLOCK)
        except Exception as error:
            if not is_damage(error):
                raise
            what = f"{name} cannot be unpacked as {packing}: {error}"
            raise InputError(Problem("input-damaged", what, name)) from None
        if not block:
            break
        data += block
        if b"\0" in block:
            raise InputError(Problem("input-binary", f"{name} unpacks to something that is not text", name))
        refuse_expansion(name, len(data), len(stored))
    size = len(data)
    return _padded(data), size


def is_damage(error: Exception) -> bool:
    """Whether a stream failed because of what it read; the errors of the compression libraries share no base class."""
    return isinstance(error, OSError | EOFError | ValueError) or type(error).__name__ in (
        "LZMAError",
        "ZstdError",
        "error",
    )


def refuse_expansion(name: str, unpacked: int, stored: int) -> None:
    """Refuse a small file that expands without end."""
    if unpacked > FREE_EXPANSION and unpacked > MOST_EXPANSION * stored:
        what = f"{name} unpacks to more than {MOST_EXPANSION} times its size"
        raise InputError(Problem("input-expands", what, name))


def _check_text(buffer: Bytes, start: int, size: int, name: str) -> None:
    head = buffer[: min(4, size)].tobytes()
    if head[:2] in WIDE_BOMS:
        raise InputError(Problem("input-encoding", f"{name} is UTF-16 or UTF-32 text", name))
    if size <= start:
        raise InputError(Problem("input-empty", f"{name} is empty", name))
    if not buffer[:size].min():
        raise not_text(name, head)


def not_text(name: str, head: bytes) -> InputError:
    """The error for a file with NUL bytes, with its kind if the first four bytes show it."""
    known = f"is {_KNOWN_BINARY[head]}, not text" if head in _KNOWN_BINARY else "is not text: it has NUL bytes"
    return InputError(Problem("input-binary", f"{name} {known}", name))
