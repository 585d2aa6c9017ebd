"""Bytes from a path: opened, decompressed and checked to be text."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from gaincurve._scan_py import next_newline
from gaincurve.errors import GaincurveError, InputError, Problem, extra_missing
from gaincurve.io.cbor import is_map, json_of
from gaincurve.model.ids import PADDING, Bytes
from gaincurve.model.memory import OBJECTS, refuse_size
from gaincurve.model.source import shorten

MOST_EXPANSION = 100
FREE_EXPANSION = 1 << 28
_BLOCK = 1 << 20
_PIECE = 1 << 22
BOM = b"\xef\xbb\xbf"
WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_REMOTE = {
    "s3": "aws s3 cp ADDRESS ., or duckdb and pyarrow.dataset hand over frames from there",
    "hf": "hf download (huggingface_hub), or datasets.load_dataset(…) hands over a table",
}
_KNOWN_BINARY = {
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF",
    b"SQLi": "a SQLite database",
    b"PK\5\6": "an empty zip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"\x7fELF": "a program",
}
_TAR = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")


@dataclass(frozen=True, eq=False)
class Content:
    """Text as bytes: `buffer[start:stop]`, with spare bytes behind it; `sha256` is that of the file as stored.

    `before` counts the lines of the file before the buffer.
    """

    path: str
    buffer: Bytes
    start: int
    stop: int
    sha256: str | None
    packing: str = ""
    before: int = 0

    def bytes(self) -> bytes:
        """The text as one bytes object."""
        return self.buffer[self.start : self.stop].tobytes()

    def place(self, offset: int) -> str:
        """path:line of a byte."""
        return f"{self.path}:{self.before + int(np.count_nonzero(self.buffer[:offset] == 10)) + 1}"

    def is_cut(self, offset: int) -> bool:
        """Whether the line of a byte is the last and has no line end: the file may have been cut there."""
        return next_newline(self.buffer, offset, self.stop) == self.stop and self.buffer[self.stop - 1] != 10

    def cut(self, offset: int, what: str) -> Problem:
        """The problem of a file that ends within its last line."""
        return Problem("input-cut", f"{self.path} ends within a line: {what}", self.place(offset))

    def line_at(self, offset: int) -> str:
        """The text of the line that holds a byte, for messages."""
        stop = next_newline(self.buffer, offset, self.stop)
        return self.buffer[offset:stop].tobytes().decode("utf-8", "replace").rstrip("\r\n")


def content_of(name: str, text: bytes, sha256: str | None = None) -> Content:
    """Text that is in memory already, as a content."""
    buffer = _padded(bytearray(text))
    start = len(BOM) if text.startswith(BOM) else 0
    if len(text) <= start:
        raise InputError(Problem("input-empty", f"{name} is empty", name))
    return Content(name, buffer, start, len(text), sha256)


def head_of(path: str | os.PathLike[str], size: int = 1 << 12) -> bytes:
    """The first bytes of a file, decompressed; none of what cannot be looked at, whose reader reports why."""
    if not os.path.isfile(path):
        return b""
    try:
        with open(path, "rb") as stored:
            packing = packing_of(stored.read(8))
            stored.seek(0)
            head: bytes = (opened(packing, stored, os.fspath(path)) if packing else stored).read(size)
    except Exception as error:
        if not (is_damage(error) or isinstance(error, GaincurveError)):
            raise
        return b""
    return head


def packed_as(packing: str, text: bytes, path: str) -> bytes:
    """Text compressed, the same bytes each time; a zip holds one file, named after its path."""
    if packing == "gz":
        import gzip  # noqa: PLC0415 -- only for such files

        return gzip.compress(text, mtime=0)
    if packing in ("bz2", "xz"):
        module = __import__("bz2" if packing == "bz2" else "lzma")
        compressed: bytes = module.compress(text)
        return compressed
    if packing == "zip":
        return _zip(text, os.path.basename(path)[: -len(".zip")])
    if packing:
        return _extra_packed(packing, text)
    return text


def _extra_packed(packing: str, text: bytes) -> bytes:
    try:
        if packing == "zst":
            from zstandard import ZstdCompressor  # noqa: PLC0415 -- an extra

            return bytes(ZstdCompressor().compress(text))
        from lz4 import frame  # noqa: PLC0415 -- an extra

        return bytes(frame.compress(text))
    except ImportError:
        raise extra_missing({"zst": "zstd"}.get(packing, packing), f"writing .{packing} files") from None


def _zip(text: bytes, stem: str) -> bytes:
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo  # noqa: PLC0415 -- only for such files

    stored = io.BytesIO()
    name = stem if "." in stem else f"{stem}.json"
    with ZipFile(stored, "w") as archive:
        archive.writestr(ZipInfo(name), text, ZIP_DEFLATED)
    return stored.getvalue()


Early = Callable[[Content], None]
"""Looks at the beginning of a large input and raises where the rest is not worth reading."""


def read_content(path: str | os.PathLike[str], digest: bool = True, early: Early | None = None) -> Content:
    """Read a file, or standard input for '-', decompressing gz, bz2, xz, zst, lz4 and zip by their first bytes.

    What is not text, or needs more memory than there is, is refused as soon as that is known.
    """
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    stored = _Gathering(name, early)
    with telling_why(name):
        stored.take(path)
    sha256 = new_digest(stored.data).hexdigest() if digest else None
    text = stored
    if stored.packing:
        text = _Gathering(name, early)
        _decompress(stored.data, stored.packing, text)
    size = len(text.data)
    buffer = _padded(text.data)
    start = len(BOM) if buffer[: len(BOM)].tobytes() == BOM else 0
    if size <= start:
        raise InputError(Problem("input-empty", f"{name} is empty", name))
    return Content(name, buffer, start, size, sha256, stored.packing)


class _Gathering:
    """Bytes gathered piece by piece, each looked at before the next is read."""

    def __init__(self, name: str, early: Early | None):
        self.name, self.early, self.packing = name, early, ""
        self.data = bytearray()

    def take(self, path: str | os.PathLike[str]) -> None:
        """All of a file, or of standard input."""
        if os.fspath(path) == "-":
            self._pieces(sys.stdin.buffer)
            return
        with open(path, "rb") as file:
            self._pieces(file)

    def _pieces(self, file: IO[bytes]) -> None:
        first = file.read(_BLOCK)
        self.packing = packing_of(first[:8])
        if not self.packing:
            self.add(first)
            refuse_size(self.name, _size_of(file))
        else:
            self.data += first
        while piece := file.read(_PIECE):
            if self.packing:
                self.data += piece
                refuse_size(self.name, len(self.data))
            else:
                self.add(piece)

    def add(self, piece: bytes) -> None:
        """A piece of text; refused if it is none, or if there is too much of it."""
        begun = bool(self.data)
        self.data += piece
        if not begun:
            _check_head(self.data, self.name)
        if b"\0" in piece:
            raise not_text(self.name, bytes(self.data[:4]))
        refuse_size(self.name, len(self.data))
        if begun and self.early is not None:
            early, self.early = self.early, None
            early(Content(self.name, _padded(bytearray(self.data)), 0, len(self.data), None))


def _size_of(file: IO[bytes]) -> int:
    """The size of a file; 0 for a pipe or device, which has none."""
    try:
        return os.fstat(file.fileno()).st_size
    except (AttributeError, OSError):  # a stream without a file behind it
        return 0


def new_digest(data: Any = b"") -> Any:
    """SHA-256, begun with `data`."""
    import hashlib  # noqa: PLC0415 -- it loads a large library, and only JSON output shows digests

    return hashlib.sha256(data)


@contextmanager
def telling_why(name: str) -> Iterator[None]:
    """Report in our words why the operating system cannot read a file."""
    try:
        yield
    except FileNotFoundError:
        if "://" in name:
            scheme = name.split("://", 1)[0]
            what = f"{name} is a remote address, and only files of this machine are read"
            raise InputError(Problem("input-remote", what, name, _REMOTE.get(scheme, ""))) from None
        missing = f"no file matches {name}" if any(char in name for char in "*?[") else f"there is no file {name}"
        raise InputError(Problem("input-missing", missing if name else "the name of a file is empty", name)) from None
    except IsADirectoryError:
        raise InputError(Problem("input-directory", f"{name} is a folder", name)) from None
    except PermissionError:
        raise InputError(Problem("input-permission", f"{name} may not be read", name)) from None
    except (OSError, ValueError) as error:
        raise InputError(
            Problem("input-unreadable", f"{name} cannot be read: {getattr(error, 'strerror', None) or error}", name)
        ) from None


def _padded(data: bytearray) -> Bytes:
    data.extend(bytes(PADDING))
    return np.frombuffer(data, dtype=np.uint8)


class _Members(io.RawIOBase):
    """What is compressed in a file, member by member, to its last byte.

    The readers of Python and of zstandard are silent where something else follows a bz2 or xz stream, and where a zst
    file ends within a frame; here both are damage.
    """

    def __init__(self, file: IO[bytes], packing: str):
        self._file, self._packing = file, packing
        self._new = _DECOMPRESSORS[packing]()
        self._member = self._new()
        self._unread = b""
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
        """The next piece, decompressed; empty at the end."""
        while True:
            if self._member.eof and not self._next_member():
                return b""
            block = self._piece()
            if block:
                return block

    def _piece(self) -> bytes:
        """What a little more of the file decompresses to: little, as each byte may expand to many."""
        stored = b""
        if self._packing == "zst" or self._member.needs_input:
            stored, self._unread = self._unread or self._file.read(4096), b""
            if not stored:
                raise EOFError("the file ended within a compressed stream")
        limit = () if self._packing == "zst" else (_BLOCK,)
        piece: bytes = self._member.decompress(stored, *limit)
        return piece

    def _next_member(self) -> bool:
        """Begin with what follows a finished member; False where nothing does."""
        self._unread = self._member.unused_data or self._file.read(4096)
        while self._packing == "xz" and self._unread and not self._unread.strip(b"\0"):
            self._unread = self._file.read(4096)  # xz allows zeros between streams and at the end
        if self._packing == "xz":
            self._unread = self._unread.lstrip(b"\0")
        self._member = self._new() if self._unread else self._member
        return bool(self._unread)


def _zst() -> Callable[[], Any]:
    try:
        from zstandard import ZstdDecompressor  # noqa: PLC0415 -- an extra, imported where it is used
    except ImportError:
        raise extra_missing("zstd", "reading .zst files") from None
    decompressor: Callable[[], Any] = ZstdDecompressor().decompressobj
    return decompressor


def _bz2() -> Callable[[], Any]:
    from bz2 import BZ2Decompressor  # noqa: PLC0415 -- only for such files

    return BZ2Decompressor


def _xz() -> Callable[[], Any]:
    from lzma import FORMAT_XZ, LZMADecompressor  # noqa: PLC0415 -- only for such files

    return lambda: LZMADecompressor(FORMAT_XZ)


_DECOMPRESSORS = {"zst": _zst, "bz2": _bz2, "xz": _xz}
_MAGIC = {
    b"\x1f\x8b": "gz",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zst",
    b"\x04\x22\x4d\x18": "lz4",
    b"PK\x03\x04": "zip",
}


def packing_of(head: bytes) -> str:
    """gz, bz2, xz, zst, lz4 or zip by the first bytes; '' for anything else."""
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), "")


def opened(packing: str, stored: IO[bytes], name: str) -> Any:
    """A stream of what is compressed in `stored`; `name` is what messages call it."""
    if packing == "zip":
        return _zipped(stored, name)
    if packing == "lz4":
        return _lz4(stored)
    if packing != "gz":
        return _Members(stored, packing)
    import gzip  # noqa: PLC0415 -- only for such files

    return gzip.open(stored)


def _lz4(stored: IO[bytes]) -> Any:
    try:
        from lz4 import frame  # noqa: PLC0415 -- an extra, imported where it is used
    except ImportError:
        raise extra_missing("lz4", "reading .lz4 files") from None
    stream = frame.open(stored)
    if packing_of(stream.read(4)) != "lz4":
        stream.seek(0)
        return stream
    stream.seek(0)
    return _as_json(frame.open(stream))


def _as_json(stream: Any) -> Any:
    """What ranx saves, CBOR compressed twice, as JSON; anything else that was compressed twice as it is."""
    if not is_map(stream.read(1)):
        stream.seek(0)
        return stream
    stream.seek(0)
    data = bytearray()
    while block := stream.read(_BLOCK):
        data += block
        refuse_size("the CBOR in an lz4 file", len(data), OBJECTS)
    return io.BytesIO(json_of(bytes(data)))


def _zipped(stored: IO[bytes], name: str) -> Any:
    """The one file in a zip archive, which needs all of it; names in the archive lead nowhere."""
    from zipfile import ZipFile  # noqa: PLC0415 -- only for such files

    data = bytearray()
    while piece := stored.read(_PIECE):
        data += piece
        refuse_size(name, len(data), times=2)
    archive = ZipFile(io.BytesIO(data))
    members = [member for member in archive.infolist() if not member.is_dir() and not _is_beside(member.filename)]
    if len(members) != 1:
        names = ", ".join(shorten(member.filename) for member in members[:5])
        raise ValueError(f"a zip archive with one file is read; this one has {len(members)}: {names}")
    return archive.open(members[0])


def _is_beside(name: str) -> bool:
    """What macOS puts beside the files it archives."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2] == ".DS_Store"


def _decompress(stored: bytearray, packing: str, text: _Gathering) -> None:
    """Unpack what is stored; a small file that expands without end is noticed on the way."""
    view = io.BytesIO(stored)
    stream: Any = None
    while True:
        with naming_damage(text.name, packing):
            stream = opened(packing, view, text.name) if stream is None else stream
            block = stream.read(_BLOCK)
        if not block:
            return
        text.add(block)
        refuse_expansion(text.name, len(text.data), view.tell())


@contextmanager
def naming_damage(name: str, packing: str) -> Iterator[None]:
    """Name the file whose compressed data, or whose disk, is damaged."""
    try:
        yield
    except Exception as error:
        if not is_damage(error):
            raise
        slug, verb = ("input-damaged", f"unpacked as {packing}") if packing else ("input-unreadable", "read")
        raise InputError(Problem(slug, f"{name} cannot be {verb}: {error}", name)) from None


def is_damage(error: Exception) -> bool:
    """Whether a stream failed because of what it read; the errors of the compression libraries share no base class."""
    names = ("LZMAError", "ZstdError", "BadZipFile", "RuntimeError", "NotImplementedError", "error")
    return isinstance(error, OSError | EOFError | ValueError) or type(error).__name__ in names


def refuse_expansion(name: str, unpacked: int, stored: int) -> None:
    """Refuse a small file that expands without end."""
    if unpacked > FREE_EXPANSION and unpacked > MOST_EXPANSION * stored:
        what = f"{name} unpacks to more than {MOST_EXPANSION} times its size"
        raise InputError(Problem("input-expands", what, name))


def _check_head(data: bytearray, name: str) -> None:
    if bytes(data[:2]) in WIDE_BOMS:
        raise InputError(Problem("input-encoding", f"{name} is UTF-16 or UTF-32 text", name))


def not_text(name: str, head: bytes) -> InputError:
    """The error for a file with NUL bytes, with its kind if the first four bytes show it."""
    kind = "a tar archive" if name.endswith(_TAR) else _KNOWN_BINARY.get(head)
    known = "is not text: it has NUL bytes" if kind is None else f"is {kind}, not text"
    unpack = "unpack it and name the files inside it" if kind is not None and kind.endswith("archive") else ""
    return InputError(Problem("input-binary", f"{name} {known}", name, unpack))
