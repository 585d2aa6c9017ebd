"""The tokeniser and the number parser against bytes.split and float of plain Python."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

import numpy as np
import pytest
from effort import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gaincurve._scan_py import Lines, next_newline, parse_numbers, pieces, scan
from gaincurve.model.ids import PADDING

repeatable = settings(deadline=None, derandomize=True, max_examples=examples(400))

separators = st.sampled_from([b" ", b"\t", b"  ", b" \t ", b"\r", b"\x0b", b"\x0c"])
line_ends = st.sampled_from([b"\n", b"\n", b"\r\n", b"\n\n", b"\n \t\n", b"\r\n\r\n"])
words = st.one_of(
    st.sampled_from(
        [b"#", b"#no", b"a#b", b"301", b"Q0", b"FT911-3", b"\xff\xfe", b"\xc3\xa4", b"\x1f", b"\x0e", b"\x08"]
    ),
    st.binary(min_size=1, max_size=12).map(lambda data: data.replace(b"\0", b"x")),
    st.integers(1, 2000).map(lambda length: b"w" * length),
)
jumbled = st.lists(st.one_of(words, separators, line_ends), max_size=60).map(b"".join)
regular = st.builds(
    lambda rows, width, end, last: (
        end.join(b" ".join(b"%d.%d" % (r, c) for c in range(width)) for r in range(rows)) + last
    ),
    st.integers(1, 8),
    st.integers(1, 6),
    line_ends,
    st.sampled_from([b"", b"\n"]),
)
texts = st.one_of(jumbled, regular)


def buffer_of(text: bytes) -> np.ndarray:
    return np.frombuffer(text + bytes(PADDING), dtype=np.uint8)


def tokens_by_line(text: bytes) -> list[list[bytes]]:
    """What plain Python finds: the tokens of every line that is neither blank nor a comment."""
    split = [line.split() for line in text.split(b"\n")]
    return [tokens for tokens in split if tokens and not tokens[0].startswith(b"#")]


def tokens_found(buffer: np.ndarray, lines: Lines) -> list[list[bytes]]:
    tokens = [buffer[a:b].tobytes() for a, b in zip(lines.starts, lines.ends, strict=True)]
    return [tokens[f : f + c] for f, c in zip(lines.first, lines.count, strict=True)]


def parsed(tokens: Sequence[bytes]) -> list[float]:
    lengths = np.array([len(token) for token in tokens], dtype=np.int32)
    starts = np.cumsum(lengths, dtype=np.int64) - lengths
    return parse_numbers(buffer_of(b"".join(tokens)), starts, lengths).tolist()


def float_or_nan(token: bytes) -> float:
    try:
        return float(token) if b"_" not in token else float("nan")  # 1_0 is Python's spelling, not a file's
    except ValueError:
        return float("nan")


def bits(value: float) -> bytes:
    """The eight bytes of a number; every nan is the same nan."""
    return b"nan" if math.isnan(value) else struct.pack("<d", value)


@repeatable
@given(texts)
@example(b"")
@example(b"\n")
@example(b"#")
@example(b"a b\n#c d\ne f")
@example(b"a\nb c\nd\n")
@example(b"a b c\n\nd e f\n")  # as many tokens as two lines of three, on the wrong lines
@example(b"\na b\nc")
def test_tokens_are_those_of_bytes_split(text: bytes) -> None:
    buffer = buffer_of(text)
    assert tokens_found(buffer, scan(buffer, 0, len(text))) == tokens_by_line(text)


@repeatable
@given(texts, st.integers(1, 70))
def test_pieces_cut_anywhere_give_the_same_tokens(text: bytes, size: int) -> None:
    buffer = buffer_of(text)
    cuts = list(pieces(buffer, 0, len(text), size))
    assert b"".join(text[start:stop] for start, stop in cuts) == text
    assert all(text[stop - 1 : stop] == b"\n" for _, stop in cuts[:-1])
    found = [line for start, stop in cuts for line in tokens_found(buffer, scan(buffer, start, stop))]
    assert found == tokens_by_line(text)


@repeatable
@given(texts, st.integers(0, 40), st.integers(0, 40))
def test_a_scan_sees_nothing_outside_its_range(text: bytes, before: int, after: int) -> None:
    surrounded = b"x" * before + text + b"y" * after
    buffer = buffer_of(surrounded)
    lines = scan(buffer, before, before + len(text))
    assert tokens_found(buffer, lines) == tokens_by_line(text)


@repeatable
@given(texts, st.data())
def test_the_next_newline_is_that_of_bytes_find(text: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    at = text.find(b"\n", start)
    assert next_newline(buffer_of(text), start, len(text)) == (len(text) if at < 0 else at + 1)


@pytest.mark.parametrize("length", [255, 256, 257, 767, 768, 769, 100_000])
def test_a_newline_behind_a_very_long_line_is_found(length: int) -> None:
    text = b"x" * length + b"\nnext"
    assert next_newline(buffer_of(text), 0, len(text)) == length + 1
    assert list(pieces(buffer_of(text), 0, len(text), 10)) == [(0, length + 1), (length + 1, length + 5)]


numerals = st.one_of(
    st.floats().map(lambda value: repr(value).encode()),
    st.integers().map(lambda value: b"%d" % value),
    st.builds(lambda value, places: f"{value:.{places}f}".encode(), st.floats(-1e12, 1e12), st.integers(0, 25)),
    st.builds(lambda value, places: f"{value:.{places}e}".encode(), st.floats(), st.integers(0, 25)),
    st.from_regex(rb"[+-]?[0-9]{0,20}\.?[0-9]{0,20}([eE][+-]?[0-9]{1,3})?", fullmatch=True),
    st.from_regex(rb"[+-]?[0-9_.]{1,20}", fullmatch=True),
    st.text("0123456789+-._eEinfatyxINF", min_size=1, max_size=40).map(str.encode),
    st.binary(min_size=1, max_size=40).filter(lambda data: b"\0" not in data and len(data.split()) == 1),
).filter(lambda token: token and token == token.strip())


@repeatable
@given(st.lists(numerals, min_size=1, max_size=8))
def test_numbers_are_those_of_float_bit_for_bit(tokens: list[bytes]) -> None:
    assert [bits(value) for value in parsed(tokens)] == [bits(float_or_nan(token)) for token in tokens]


ODD_NUMBERS = [
    b"0", b"-0", b"+0", b"-0.0", b"-.0", b"0.", b"-0e5", b"00012", b"+7", b".5", b"5.", b"-.5", b"1e5", b"1E-5",
    b"9007199254740992", b"9007199254740993", b"-9007199254740993", b"900719925474099.3", b"0.9007199254740993",
    b"123456789012345678", b"1234567890123456789", b"0.12345678901234567", b"0.1234567890123456789012345678901234567",
    b"1_000", b"1__0", b"_1", b"1_", b"1_0.0_1", b"5e-324", b"2.2250738585072011e-308", b"1e999", b"-1e999", b"1e-999",
    b"nan", b"-nan", b"NaN", b"inf", b"-Infinity", b"+inf", b"infinit", b"", b".", b"+", b"-", b"+-1", b"--1", b"1-",
    b"1.2.3", b"..1", b"1+", b"e5", b"0x10", b"1e", b"1,5", b"3a", b"\xd9\xa1\xff", b"1" * 400, b"0." + b"3" * 400,
]  # fmt: skip


@pytest.mark.parametrize("token", [token for token in ODD_NUMBERS if token], ids=lambda token: repr(token[:30]))
def test_odd_numbers_alone_and_among_others(token: bytes) -> None:
    expected = bits(float_or_nan(token))
    assert bits(parsed([token])[0]) == expected
    assert [bits(value) for value in parsed([b"1.5", token, b"-2e3"])] == [bits(1.5), expected, bits(-2000.0)]


def test_no_numbers_are_no_numbers() -> None:
    assert parsed([]) == []
