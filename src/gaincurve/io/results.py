"""Results out: the JSON document around a result, and files written whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress

from gaincurve._version import __version__
from gaincurve.errors import InputError, Problem
from gaincurve.model.source import Note, Source


def document(shape: dict[str, object], inputs: Iterable[Source], notes: Iterable[Note]) -> str:
    """A result's JSON text: its shape, the tool, the inputs and the notes."""
    content = {
        "schema": shape["schema"],
        "tool": f"gaincurve {__version__}",
        "inputs": [source.to_dict() for source in inputs],
        **{key: value for key, value in shape.items() if key != "schema"},
        "notes": [note.to_dict() for note in notes],
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file so that nobody ever sees half of it: into a temporary file beside it, then renamed."""
    import tempfile  # noqa: PLC0415 -- only where a file is written

    temporary = None
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(f"{path} is a folder")
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe or device cannot be renamed over
            with open(path, "wb") as device:
                device.write(data)
            return
        target = os.path.realpath(path)  # a link stays a link
        folder, name = os.path.split(target)
        descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(temporary, _usual_mode(target))
        os.replace(temporary, target)
    except OSError as error:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)
        what = f"{os.fspath(path)} cannot be written: {error.strerror or error}"
        raise InputError(Problem("output-unwritable", what, os.fspath(path))) from None


def _usual_mode(target: str) -> int:
    """The mode of a new file, or that of the file being replaced."""
    if os.path.exists(target):
        return os.stat(target).st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
