"""Files of the formats of other tools."""

from __future__ import annotations

from pathlib import Path


def saved_text(folder: Path, text: str, name: str = "f") -> str:
    """The path of a new file of this text."""
    (folder / name).write_text(text, "utf-8")
    return str(folder / name)
