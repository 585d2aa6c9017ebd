"""Paths in place of judgments or a run: files are read in a room above this one, which says here how."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeGuard

from gaincurve.errors import InputError, Problem, visible

readers: dict[str, Callable[..., Any]] = {}
"""How 'judgments', a 'run' and all 'runs' are read from a path, the 'name' of a run and the 'paths' of a folder or of a
pattern are found; filled by `gaincurve` itself."""


def is_path(given: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether it names a file."""
    return isinstance(given, str | os.PathLike)


def read_path(kind: str, path: str | os.PathLike[str], given_as: str, **choices: Any) -> Any:
    """The judgments or the run of a file; a text with several lines or columns is no path."""
    text = os.fspath(path)
    if isinstance(text, str) and any(char in text for char in "\n\t"):
        what = f"{given_as} is a text, {visible(text, 40)!r}, and no path"
        raise InputError(Problem("input-object", what, hint="write it to a file and give the path"))
    return readers[kind](path, **choices)
