"""Tables as text: each format read back by something that is not the code under test."""

from __future__ import annotations

import csv
import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaincurve.io.render import FORMATS, SUFFIXES, Cell, Table, number, render

TABLE = Table(
    ("run", "rank", "value"),
    [("bm25", 3, 1 / 3), ("splade", 12, math.nan), ("none", 1, None)],
    title="A title",
    foot=("nDCG@10|gain:identity",),
)
CELLS = st.one_of(st.text(), st.integers(-(10**6), 10**6), st.floats(allow_nan=False, allow_infinity=False), st.none())


def test_every_suffix_names_a_format() -> None:
    assert set(SUFFIXES.values()) == set(FORMATS) - {"dvc"}  # DVC reads .json, which is ours


def test_table_is_aligned_numbers_to_the_right() -> None:
    title, blank, head, rule, *rows, foot = render(TABLE, "table").splitlines()
    assert (title, blank, foot) == ("A title", "", "nDCG@10|gain:identity")
    assert set(rule.strip()) == {"─"}
    assert [row.split() for row in rows] == [["bm25", "3", "0.3333"], ["splade", "12", "–"], ["none", "1", "–"]]
    assert {len(row) for row in (head, *rows)} == {len(head)}  # the last column is flush right
    assert [row.index(name) for row, name in zip(rows, ("bm25", "splade", "none"), strict=True)] == [1, 1, 1]


@pytest.mark.parametrize(("format_", "delimiter"), [("tsv", "\t"), ("csv", ",")])
def test_delimited_is_exact_and_undefined_is_empty(format_: str, delimiter: str) -> None:
    head, first, second, third = csv.reader(io.StringIO(render(TABLE, format_)), delimiter=delimiter)
    assert head == ["run", "rank", "value"]
    assert first == ["bm25", "3", "0.3333333333333333"]
    assert (second[2], third[2]) == ("", "")


def test_json_lines() -> None:
    lines = render(TABLE, "jsonl").splitlines()
    assert [json.loads(line)["value"] for line in lines] == [1 / 3, None, None]
    assert json.loads(render(TABLE, "jsonl", digits=2).splitlines()[0]) == {"run": "bm25", "rank": 3, "value": 0.33}


@pytest.mark.parametrize("format_", ["table", "tsv", "csv", "md", "latex"])
def test_digits(format_: str) -> None:
    assert "0.33333" in render(TABLE, format_, digits=5)
    assert "0.333333" not in render(TABLE, format_, digits=5)


@pytest.mark.parametrize(("value", "digits", "text"), [(0.1, None, "0.1"), (2, None, "2.0"), (0.125, 2, "0.12")])
def test_number(value: float, digits: int | None, text: str) -> None:
    assert number(value, digits) == text


def runs(text: str) -> bool:
    """Whether a spreadsheet may run a cell as a formula: its first letter says so, and it is no number."""
    if text[:1] in ("\t", "\r", "\n"):
        return True
    if text.lstrip()[:1] not in tuple("=+-@＝＋－＠"):
        return False
    try:
        float(text)
    except ValueError:
        return True
    return not text.isascii() or text != text.strip() or "_" in text or "n" in text.lower().replace("inf", "")


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1))
def test_what_is_written_can_be_read_back(rows: list[tuple[Cell, ...]]) -> None:
    table = Table(("a", "b"), rows)
    expected = [["" if c is None else repr(c) if isinstance(c, float) else str(c) for c in row] for row in rows]
    defused = [[f"'{text}" if isinstance(c, str) and runs(text) else text for c, text in zip(row, texts, strict=True)]
               for row, texts in zip(rows, expected, strict=True)]  # fmt: skip
    for format_, delimiter, wanted in (("tsv", "\t", expected), ("csv", ",", defused)):
        text = io.StringIO(render(table, format_), newline="")
        assert list(csv.reader(text, delimiter=delimiter))[1:] == wanted
    assert [list(json.loads(line).values()) for line in render(table, "jsonl").splitlines()] == [[*r] for r in rows]


@given(st.lists(st.text(), min_size=1))
def test_a_markdown_row_is_one_line_of_as_many_cells(cells: list[str]) -> None:
    lines = render(Table(("a", "b"), [(cell, 1.0) for cell in cells]), "md").splitlines()
    assert len(lines) == 2 + len(cells)
    for line in lines[2:]:
        bars = line.replace("\\\\", "").replace("\\|", "")
        assert bars.count("|") == 3
        assert "<" not in line


@given(st.text())
def test_no_text_of_others_moves_the_cursor_or_ends_a_line(text: str) -> None:
    plain = Table(("a", "column"), [("cell", 1.0)], title="title", foot=("foot",))
    text = f"x{text}x"
    hostile = Table((text, text), [(text, 1.0)], title=text, foot=(text,))
    for format_ in ("table", "md", "latex"):
        found = render(hostile, format_)
        assert not [c for c in found if not c.isprintable() and c != "\n"]
        assert len(found.splitlines()) == len(render(plain, format_).splitlines())


def test_markdown_shows_html_as_text_everywhere() -> None:
    bold = "<b>x</b>"
    assert "<b>" not in render(Table((bold,), [(bold,)], title=bold, foot=(bold,)), "md")


def test_latex_escapes() -> None:
    text = render(Table(("a_b",), [("50% & #1 {x} ~ ^ \\ $ –",)]), "latex")
    assert r"a\_b \\" in text
    assert r"50\% \& \#1 \{x\} \textasciitilde{} \textasciicircum{} \textbackslash{} \$ -- \\" in text


def test_comments_of_latex_stay_comments() -> None:
    text = render(Table(("a",), [(1.0,)], title="one\n\\input{evil}", foot=("two\r\\input{evil}",)), "latex")
    assert all(line.startswith("%") for line in text.splitlines() if "evil" in line)


def test_an_empty_table_is_only_a_head() -> None:
    empty = Table(("a", "b"), [])
    assert render(empty, "tsv") == "a\tb\n"
    assert render(empty, "jsonl") == ""
    for format_ in ("table", "md", "latex"):
        assert "a" in render(empty, format_)


def test_width_folds_text_but_never_numbers() -> None:
    table = Table(("text", "value"), [("word " * 30, 1 / 3)])
    lines = render(table, "table", width=40).splitlines()
    assert max(map(len, lines)) <= 40
    assert "0.3333" in lines[2]


def test_colour_only_where_asked() -> None:
    assert "\x1b[" in render(TABLE, "table", color=True)
    assert "\x1b" not in render(TABLE, "table", color=False)


@pytest.mark.parametrize(("p", "tsv"), [
    (0.0502, "0.0502"), (0.05, "0.05"), (0.1234, "0.12"), (0.00004, "4.0e-05"), (0.0, "0.00"), (0.009, "0.009"),
])  # fmt: skip
def test_digits_make_a_p_value_neither_0_nor_a_level_that_it_is_not(p: float, tsv: str) -> None:
    table = Table(("p", "mean"), [(p, p)])
    assert render(table, "tsv", digits=2) == f"p\tmean\n{tsv}\t{p:.2f}\n"
    assert render(table, "csv", digits=2) == f"p,mean\n{tsv},{p:.2f}\n"
    assert json.loads(render(table, "jsonl", digits=2)) == {"p": float(tsv), "mean": round(p, 2)}
    assert render(table, "tsv") == f"p\tmean\n{p}\t{p}\n"
