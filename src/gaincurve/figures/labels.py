"""Names beside points, placed so that none covers a point, a line or another name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

FONT = 11
_LINE = 14
_RINGS = (13.5, 20.0, 27.0, 35.0, 44.0)
"""How far above or below its point a name may stand, in pixels."""
_NARROW = frozenset("fijlrtI.,:;'|!()[] -1")


class Box(NamedTuple):
    """A rectangle in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Whether two boxes share some area."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def inside(self, width: float, height: float) -> bool:
        """Whether the box lies within a figure of this size."""
        return self.left >= 0 and self.top >= 0 and self.right <= width and self.bottom <= height


class Label(NamedTuple):
    """Where a text is: x of its aligned edge and y of its middle, in pixels; a line joins it to a distant point."""

    x: float
    y: float
    align: str
    box: Box
    line: Box | None = None

    def covers(self, other: Label) -> bool:
        """Whether one of the two covers the other's text, by text or by line."""
        return any(
            mine is not None and theirs is not None and mine.overlaps(theirs)
            for mine, theirs in ((self.box, other.box), (self.box, other.line), (self.line, other.box))
        )


def text_width(text: str) -> float:
    """A generous guess at the width of a text in pixels: no font is measured."""
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return FONT
    return 4.2 if character in _NARROW else 7.0


def place_labels(
    points: Sequence[tuple[float, float]], texts: Sequence[str], taken: Sequence[Box], width: float, height: float
) -> list[Label] | None:
    """A place for each text, as near to its point as is free; None if some text has none.

    `taken` are the boxes of the points and lines. Points with the fewest free places choose first.
    """
    choices = [
        [
            label
            for label in _around(point, text_width(text))
            if label.box.inside(width, height) and _free(label.box, taken)
        ]
        for point, text in zip(points, texts, strict=True)
    ]
    placed: dict[int, Label] = {}
    for i in sorted(range(len(points)), key=lambda i: len(choices[i])):
        free = (label for label in choices[i] if not any(label.covers(other) for other in placed.values()))
        nearest = next(free, None)
        if nearest is None:
            return None
        placed[i] = nearest
    return [placed[i] for i in range(len(points))]


def _free(box: Box, taken: Sequence[Box]) -> bool:
    return not any(box.overlaps(other) for other in taken)


def _around(point: tuple[float, float], width: float) -> Iterator[Label]:
    """Places around a point, nearest first: on its left, then above and below at growing distances."""
    x, y = point
    yield _label(x - 9, y, "right", width)
    for distance in _RINGS:
        for dy in (-distance, distance):
            line = Box(x - 1, y + min(0, dy), x + 1, y + max(0, dy)) if distance > _RINGS[0] else None
            for align in ("left", "center", "right"):
                yield _label(x, y + dy, align, width, line)
    yield _label(x + 9, y, "left", width)


def _label(x: float, y: float, align: str, width: float, line: Box | None = None) -> Label:
    left = x - {"left": 0.0, "center": width / 2, "right": width}[align]
    return Label(x, y, align, Box(left, y - _LINE / 2, left + width, y + _LINE / 2), line)
