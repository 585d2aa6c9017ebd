"""Results out: the JSON document around a result, and files written whole or not at all."""

from __future__ import annotations

import errno
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
    """Write a file so that nobody ever sees half of it: into a temporary file beside it, synced, then renamed."""
    check_target(path)
    try:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe or device cannot be renamed over
            with open(path, "wb") as device:
                device.write(data)
            return
        _replace(os.path.realpath(path), data)  # a link stays a link
    except (OSError, ValueError) as error:
        raise _unwritable(path, reason(error)) from None


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuse a file that cannot be written, as far as that is known before there is anything to write."""
    name = os.fspath(path)
    if not name or "\0" in name:
        raise _unwritable(path, "its name is empty" if not name else "its name holds a NUL character")
    if os.path.isdir(path):
        raise _unwritable(path, "it is a folder")
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        given = os.path.dirname(name)
        shown = folder if not given or os.path.isdir(given) else given
        why = f"{shown} is a file, not a folder" if os.path.exists(shown) else f"there is no folder {shown}"
        raise _unwritable(path, why)
    if os.path.isfile(path) and not (os.access(path, os.W_OK) and os.stat(path).st_mode & 0o222):
        raise _unwritable(path, "the file is read-only")  # root may write it all the same, but somebody protected it


def _unwritable(path: str | os.PathLike[str], why: str) -> InputError:
    name = os.fspath(path)
    return InputError(Problem("output-unwritable", f"{name or 'a file'} cannot be written: {why}", name))


def reason(error: Exception) -> str:
    """Why the operating system refuses to write, in words a user knows."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full"
    return getattr(error, "strerror", None) or str(error)


def _replace(target: str, data: bytes) -> None:
    """Replace a file; whatever stops this, a signal too, leaves no temporary file behind."""
    temporary = os.path.join(os.path.dirname(target), f".gaincurve-{os.getpid()}-{os.urandom(6).hex()}")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _usual_mode(target))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _usual_mode(target: str) -> int:
    """The mode of a new file, or that of the file being replaced."""
    if os.path.exists(target):
        return os.stat(target).st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
