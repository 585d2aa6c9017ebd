"""Scan text by the megabyte with NumPy: tokens, lines and numbers, no Python object per line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

PIECE = 1 << 21
"""Text is scanned in pieces of about this many bytes, so that the temporary arrays stay in the cache."""

_NEWLINE, _HASH, _DOT, _PLUS, _MINUS, _UNDERSCORE = b"\n#.+-_"
_EXACT = 1 << 53  # whole numbers up to here are exact as floats, and so are powers of ten up to 10^22
_POWERS = 10.0 ** np.arange(23)


@dataclass(frozen=True, eq=False)
class Lines:
    """Tokens of a piece of text, and for each line that has any: its first token and how many there are."""

    starts: Ints
    ends: Ints
    first: Ints
    count: Ints


def pieces(buffer: Bytes, start: int, stop: int, size: int = PIECE) -> Iterator[tuple[int, int]]:
    """Cut [start, stop) into pieces that end after a newline."""
    while start < stop:
        end = min(start + size, stop)
        if end < stop:
            end = next_newline(buffer, end - 1, stop)
        yield start, end
        start = end


def next_newline(buffer: Bytes, start: int, stop: int) -> int:
    """The place after the next newline, or `stop`."""
    step = 256
    while start < stop:
        newlines = np.flatnonzero(buffer[start : min(start + step, stop)] == _NEWLINE)
        if len(newlines):
            return start + int(newlines[0]) + 1
        start, step = start + step, step * 2
    return stop


def scan(buffer: Bytes, start: int, stop: int) -> Lines:
    """Find the tokens and lines of [start, stop); blank lines and lines that begin with # are left out."""
    text = buffer[start:stop]
    space = (text == 32) | (text - 9 < 5)
    edges = np.flatnonzero(space[1:] != space[:-1]) + (start + 1)
    if len(space) and not space[0]:
        edges = np.concatenate([[start], edges])
    if len(edges) % 2:
        edges = np.concatenate([edges, [stop]])
    starts, ends = edges[0::2], edges[1::2]
    newlines = np.flatnonzero(text == _NEWLINE) + start
    if not len(newlines) or newlines[-1] != stop - 1:
        newlines = np.concatenate([newlines, [stop]])
    first, count = _lines(starts, ends, newlines)
    comment = buffer[starts[first]] == _HASH
    if comment.any():
        first, count = first[~comment], count[~comment]
    return Lines(starts, ends, first, count)


def _lines(starts: Ints, ends: Ints, newlines: Ints) -> tuple[Ints, Ints]:
    """First token and number of tokens of each line that has any."""
    width, rest = divmod(len(starts), len(newlines))
    if not rest and width:  # where every line has as many tokens, two comparisons prove it
        regular = (ends[width - 1 :: width] <= newlines).all() and (starts[width::width] > newlines[:-1]).all()
        if regular:
            first = np.arange(0, len(starts), width, dtype=np.int64)
            return first, np.full(len(first), width, dtype=np.int64)
    upto = np.searchsorted(starts, newlines)
    count = np.diff(upto, prepend=0)
    filled = count > 0
    return (upto - count)[filled], count[filled]


def parse_numbers(buffer: Bytes, starts: Ints, lengths: NDArray[np.int32]) -> Floats:
    """The tokens as Python's float reads them; nan where it would refuse, and for Python's 1_000.

    A plain decimal whose digits make a whole number up to 2^53 is that number divided by a power of ten, both exact,
    so the quotient is correctly rounded. All other tokens go through float itself.
    """
    mantissa = np.zeros(len(starts), dtype=np.int64)
    digits = np.zeros(len(starts), dtype=np.int64)
    decimals = np.zeros(len(starts), dtype=np.int64)
    dotted = np.zeros(len(starts), dtype=bool)
    plain = lengths <= 18
    head = buffer[starts]
    signed = (head == _MINUS) | (head == _PLUS)
    for j in range(min(int(lengths.max(initial=0)), 18)):
        inside = lengths > j
        byte = buffer[starts + j]
        digit = byte - np.uint8(48)
        is_digit = (digit < 10) & inside
        is_dot = (byte == _DOT) & inside
        plain &= ~inside | is_digit | (is_dot & ~dotted) | (signed if j == 0 else False)
        mantissa = np.where(is_digit, mantissa * 10 + digit, mantissa)
        digits += is_digit
        decimals += is_digit & dotted
        dotted |= is_dot
    plain &= (digits > 0) & (mantissa <= _EXACT)
    values = mantissa / _POWERS[decimals]
    values = np.where(head == _MINUS, -values, values)
    other = np.flatnonzero(~plain)
    if len(other):
        values[other] = _with_float(buffer, starts[other], lengths[other])
    return values


def _with_float(buffer: Bytes, starts: Ints, lengths: NDArray[np.int32]) -> Floats:
    width = int(lengths.max())
    if width <= 32:
        column = np.arange(width)
        table = np.where(column < lengths[:, None], buffer[starts[:, None] + column], 0).astype(np.uint8)
        try:
            if not (table == _UNDERSCORE).any():
                return table.view(f"S{width}").ravel().astype(np.float64)
        except ValueError:
            pass  # at least one is not a number: find out which, one by one
    ends = starts + lengths
    return np.array([_float(buffer[start:end].tobytes()) for start, end in zip(starts, ends, strict=True)])


def _float(token: bytes) -> float:
    try:
        return float("nan") if b"_" in token else float(token)
    except ValueError:
        return float("nan")
