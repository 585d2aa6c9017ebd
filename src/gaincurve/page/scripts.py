"""The hand-written scripts of the page, in the order in which they run; Node runs the same files in the tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files

from gaincurve.page.facts import facts_script

_ASSETS = files("gaincurve.page") / "assets"
_FIRST = {"feeds": ("curves",), "app": ("dom", "formats", "state")}
"""Scripts that others of their folder use as soon as they are loaded."""
_LAST = {"app": ("build", "address", "main")}
"""Scripts that use all others."""


def _scripts(*folders: str) -> tuple[str, ...]:
    """Every script of some folders of `assets`; those in the middle in alphabetical order."""
    return tuple(f"{folder}/{name}.js" for folder in folders for name in _names(folder))


def _names(folder: str) -> tuple[str, ...]:
    first, last = _FIRST.get(folder, ()), _LAST.get(folder, ())
    there = {file.name.removesuffix(".js") for file in (_ASSETS / folder).iterdir() if file.name.endswith(".js")}
    return (*first, *sorted(there - {*first, *last}), *last)


ENGINE: tuple[str, ...] = _scripts("engine", "sessions", "feeds")
"""What computes: no script here knows that there is a page."""

APP: tuple[str, ...] = _scripts("app")
"""What shows it and listens to the reader."""


def source(names: Iterable[str]) -> str:
    """The facts, then the text of some scripts, one after the other."""
    return "\n".join((facts_script(), *(_code((_ASSETS / name).read_text(encoding="utf-8")) for name in names)))


def _code(text: str) -> str:
    """A script without the comments that stand on lines of their own: a page is sent by e-mail."""
    return re.sub(r"^[ \t]*(?:/\*\*.*?\*/|//[^\n]*)[ \t]*\n", "", text, flags=re.DOTALL | re.MULTILINE)
