"""The hand-written scripts of the page, in the order in which they run; Node runs the same files in the tests."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from gaincurve.page.facts import facts_script

_FOLDERS = {
    "engine": "numbers distributions statistics observed scores curves reading comparison wording signature sweep "
    "judging analysis",
    "sessions": "lists scores analysis",
    "feeds": "curves reading pairs sessions",
    "app": "dom formats state analysis parts specs charts picture views controls league verdict tables judging topics "
    "ranking sums topic export sessions build address main",
}
"""Each folder of `assets` with its scripts."""


def _scripts(*folders: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}.js" for folder in folders for name in _FOLDERS[folder].split())


ENGINE: tuple[str, ...] = _scripts("engine", "sessions", "feeds")
"""What computes: no script here knows that there is a page."""

APP: tuple[str, ...] = _scripts("app")
"""What shows it and listens to the reader."""


def source(names: Iterable[str]) -> str:
    """The facts, then the text of some scripts, one after the other."""
    folder = files("gaincurve.page") / "assets"
    return "\n".join((facts_script(), *((folder / name).read_text(encoding="utf-8") for name in names)))
