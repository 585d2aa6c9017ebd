"""Ids and names as a page can show them: valid text whatever bytes they came from, short where they are labels."""

from __future__ import annotations

from collections.abc import Iterable

WIDTH = 40
"""A label has at most so many characters."""


def visible(text: str) -> str:
    """The text with what no UTF-8 file can hold made visible: the byte 0x80 of an id that is no UTF-8 as \\x80."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "".join(_escaped(c) if "\ud800" <= c <= "\udfff" else c for c in text)
    return text


def _escaped(surrogate: str) -> str:
    code = ord(surrogate)
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"


def labels(names: Iterable[str]) -> list[str]:
    """A short printable label for each name, no two alike; a short printable name is its own label."""
    given = list(names)
    plain = [_printable(name, f"run {i}") for i, name in enumerate(given, start=1)]
    taken = {label for name, label in zip(given, plain, strict=True) if name == label}
    distinct = []
    for name, label in zip(given, plain, strict=True):
        short = label if name == label else _unlike(label, taken)
        taken.add(short)
        distinct.append(short)
    return distinct


def _printable(name: str, instead: str) -> str:
    """Control and format characters, which can hide or turn text, made visible; at least one character to see."""
    seen = "".join(c if c.isprintable() else repr(c)[1:-1] for c in visible(name[: WIDTH + 1]))
    return _cut(seen, WIDTH) if seen.strip() else instead


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _unlike(label: str, taken: set[str]) -> str:
    """The label, with a number behind it if it is taken."""
    unlike, number = label, 2
    while unlike in taken:
        behind = f" ({number})"
        unlike, number = _cut(label, WIDTH - len(behind)) + behind, number + 1
    return unlike
