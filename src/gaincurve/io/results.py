"""Results out: the JSON document around a result, and files written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from gaincurve._version import __version__
from gaincurve.errors import InputError, Problem
from gaincurve.model.source import Note, Source


class Result(Protocol):
    """What every result has: the inputs it came from, notes, and a JSON shape."""

    @property
    def inputs(self) -> tuple[Source, ...]:
        """Where it came from."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know."""


def document(shape: dict[str, object], inputs: Iterable[Source], notes: Iterable[Note]) -> str:
    """A result's JSON text: its shape, the tool, the inputs and the notes."""
    whole = {
        "schema": shape["schema"],
        "tool": f"gaincurve {__version__}",
        "inputs": [source.to_dict() for source in inputs],
        **{key: value for key, value in shape.items() if key != "schema"},
        "notes": [note.to_dict() for note in notes],
    }
    return json.dumps(whole, indent=2, allow_nan=False) + "\n"


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file so that nobody ever sees half of it: into a temporary file beside it, then renamed."""
    target = Path(path)
    temporary = None
    try:
        if target.is_dir():
            raise IsADirectoryError(f"{target} is a folder")
        if target.exists() and not target.is_file():  # a pipe or device such as /dev/stdout cannot be renamed over
            target.write_bytes(data)
            return
        target = target.resolve()  # a link stays a link
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(temporary).chmod(_usual_mode(target))
        Path(temporary).replace(target)
    except OSError as error:
        if temporary:
            with suppress(OSError):
                Path(temporary).unlink()
        what = f"{path} cannot be written: {error.strerror or error}"
        raise InputError(Problem("output-unwritable", what, str(path))) from None


def _usual_mode(target: Path) -> int:
    """The mode a newly made file would have, or that of the file being replaced."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
