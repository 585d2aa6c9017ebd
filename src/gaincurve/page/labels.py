"""Ids and names as a page can show them: valid text whatever bytes they came from, short where they are labels."""

from __future__ import annotations

from collections.abc import Iterable

from gaincurve.model.names import short_names

WIDTH = 28
"""The most characters of a label."""


def visible(text: str) -> str:
    """The text with what UTF-8 cannot hold made visible: a stray byte 0x80 becomes \\x80."""
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
        unlike = label if name == label else _unlike(label, taken)
        taken.add(unlike)
        distinct.append(unlike)
    return short_names(distinct, WIDTH)


def _printable(name: str, instead: str) -> str:
    """The name with characters that hide or reverse text made visible; `instead` if it is blank."""
    seen = "".join(c if c.isprintable() else repr(c)[1:-1] for c in visible(name))
    return seen if seen.strip() else instead


def _unlike(label: str, taken: set[str]) -> str:
    """The label, with a number after it if it is taken."""
    unlike, number = label, 2
    while unlike in taken:
        unlike, number = f"{label} ({number})", number + 1
    return unlike
