"""What a file holds beside a plain run, by a look at its first bytes."""

from __future__ import annotations

import os

from gaincurve.errors import GaincurveError
from gaincurve.io.addresses import split_part
from gaincurve.io.content import is_damage, opened, packing_of

HEAD = 1 << 12
_MARKS = (b"mteb_model_meta", b"Snapshot Name", b'"run_id"')


_BOTH = (b"reference_context_ids", b"expected_ids")


def names_its_runs(path: str | os.PathLike[str]) -> bool:
    """Whether the file may name its runs itself; what cannot be looked at without reading it, a pipe, may."""
    return os.fspath(path) == "-" or any(mark in _head(path) for mark in _MARKS)


def holds_both(path: str | os.PathLike[str]) -> bool:
    """Whether the file may hold judgments and a run beside each other."""
    return any(mark in _head(path) for mark in _BOTH)


def _head(path: str | os.PathLike[str]) -> bytes:
    """The first bytes of a file, decompressed; none of what cannot be looked at."""
    file, _ = split_part(path)
    if not os.path.isfile(file):
        return b""
    try:
        with open(file, "rb") as stored:
            packing = packing_of(stored.read(8))
            stored.seek(0)
            head: bytes = (opened(packing, stored, file) if packing else stored).read(HEAD)
    except Exception as error:  # the reader reports what is wrong with it
        if not (is_damage(error) or isinstance(error, GaincurveError)):
            raise
        return b""
    return head
