"""Whether a file names the runs it holds, one or several, by a look at its first bytes."""

from __future__ import annotations

import os

from gaincurve.io.content import is_damage, opened, packing_of
from gaincurve.io.read import split_part

HEAD = 1 << 12
_MARKS = (b"mteb_model_meta", b"Snapshot Name", b'"run_id"')


def names_its_runs(path: str | os.PathLike[str]) -> bool:
    """Whether the file may name its runs itself; what cannot be looked at without reading it, a pipe, may."""
    file, _ = split_part(path)
    if not os.path.isfile(file):
        return file == "-"
    try:
        with open(file, "rb") as stored:
            packing = packing_of(stored.read(8))
            stored.seek(0)
            head: bytes = (opened(packing, stored) if packing else stored).read(HEAD)
    except Exception as error:  # the reader reports what is wrong with it
        if not is_damage(error):
            raise
        return False
    return any(mark in head for mark in _MARKS)
