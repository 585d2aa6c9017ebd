"""Long names cut so that they stay apart: what differs between them is kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

CUT = "…"
_EDGE = 4
"""The characters kept at both ends where the difference between two names lies inside them."""


def elided(text: str, width: int) -> str:
    """The text in at most `width` characters: a longer one loses its middle."""
    if len(text) <= width:
        return text
    tail = (width - len(CUT)) // 2
    return text[: width - len(CUT) - tail] + CUT + text[len(text) - tail :]


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Each name in at most `width` characters, no two alike unless the names are; a short name stays as it is.

    A long name loses its middle. Where that makes it the same as another, the part in which the two differ is kept, and
    a number tells apart what still looks the same.

    Worked, in 12 characters: 'retrieval-with-bm25' and 'retrieval-with-lsi' are 'retrie…-bm25' and 'retrie…h-lsi'.
    """
    plain = [elided(name, width) for name in names]
    taken = {name for name in names if len(name) <= width}
    label_of: dict[str, str] = {name: name for name in taken}
    for name, label in zip(names, plain, strict=True):
        if name in label_of:
            continue
        alike = [other for other, same in zip(names, plain, strict=True) if same == label and other != name]
        shown = _numbered(_where_different(name, alike, width) if alike else label, taken, width)
        taken.add(shown)
        label_of[name] = shown
    return [label_of[name] for name in names]


def _where_different(name: str, others: Sequence[str], width: int) -> str:
    """The ends of a name, and between them the part in which it differs from the others."""
    room = width - 2 * (_EDGE + len(CUT))
    if room < 1:
        return elided(name, width)
    start = min(_common_start(name, other) for other in others)
    end = max(len(name) - _common_end(name[start:], other[start:]) for other in others)
    spare = max(0, room - (end - start)) // 2
    first = max(_EDGE, min(start - spare, len(name) - _EDGE - room))
    return name[:_EDGE] + CUT + name[first : first + room] + CUT + name[-_EDGE:]


def _common_end(a: str, b: str) -> int:
    return _common_start(a[::-1], b[::-1])


def _common_start(a: str, b: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _numbered(label: str, taken: set[str], width: int) -> str:
    """The label, with a number after it if it is taken."""
    shown, number = label, 2
    while shown in taken:
        behind = f" ({number})"
        shown, number = elided(label, width - len(behind)) + behind, number + 1
    return shown
