"""Texts of topics and documents: every format, what is kept, and every refusal."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import inspect
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import beside
import pytest

import gaincurve as gc
from gaincurve.errors import InputError
from gaincurve.io.texts.read import Texts, clipped, read_texts, unmatched_notes

FORMATS = {
    "TSV": "7\twind power\nabc\tthe \"quoted\" sea, and more\n",
    "TSV with a header": "query_id\tquery\n7\twind power\nabc\tthe \"quoted\" sea, and more\n",
    "TSV, columns in another order": "text\tlang\tdocno\nwind power\ten\t7\nthe \"quoted\" sea, and more\ten\tabc\n",
    "CSV": '7,wind power\nabc,"the ""quoted"" sea, and more"\n',
    "CSV with a header": 'ID,Text\n7,wind power\nabc,"the ""quoted""\nsea, and more"\n',
    "JSON lines": '{"_id": 7, "text": "wind power"}\n\n{"_id": "abc", "text": "the \\"quoted\\" sea, and more"}\n',
    "JSON lines, other names": '{"qid": "7", "query": "wind power"}\n'
    '{"qid": "abc", "query": "the \\"quoted\\" sea, and more"}',
    "JSON": '{"7": "wind power", "abc": "the \\"quoted\\" sea, and more"}',
    "JSON over lines": '{\n  "7": "wind power",\n  "abc": {"text": "the \\"quoted\\" sea, and more"}\n}\n',
    "JSON records": '[{"id": 7, "contents": "wind power"},'
    '{"id": "abc", "contents": "the \\"quoted\\" sea, and more"}]',
    "SMART": '.I 7\n.W\nwind\npower\n.I abc\n.A\nsomebody\n.W\nthe "quoted" sea,\nand more\n.X\n1 2 3\n',
    "SMART from another system": '.I 7\r\n.W\r\nwind power\r\n.I abc\r\n.W\r\nthe "quoted" sea, and more\r\n',
    "TREC topics": '<top>\n<num> Number: 7\n<title> Topic: wind power\n</top>\n\n'
    '<top>\n<num>abc</num>\n<title>the &quot;quoted&quot; sea, and more</title>\n</top>\n',
    "TREC topics in XML": '<?xml version="1.0"?>\n<topics>\n<topic number="7"><query>wind power</query></topic>'
    '<topic number="abc"><query>the "quoted" sea, and more</query></topic>\n</topics>\n',
    "TREC documents": '<DOC>\n<DOCNO> 7 </DOCNO>\n<TEXT>\n<P>wind</P>\n<P>power</P>\n</TEXT>\n</DOC>\n'
    '<DOC><DOCNO>abc</DOCNO><TEXT>the "quoted" sea, and more</TEXT></DOC>',
}  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def written(text: str | bytes) -> Path:
        path = tmp_path / "texts"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_texts(name: str, file: Callable[[str | bytes], Path]) -> None:
    found = read_texts(file(FORMATS[name]))
    assert dict(found) == {"7": "wind power", "abc": 'the "quoted" sea, and more'}
    assert found.source.format.split(maxsplit=1)[0] == name.split(maxsplit=1)[0].rstrip(",")
    assert found.source.rows == 2


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_and_their_digest(pack: Callable[[bytes], bytes], file: Callable[[str | bytes], Path]) -> None:
    stored = pack(FORMATS["TSV"].encode())
    found = read_texts(file(stored))
    assert found["7"] == "wind power"
    assert found.source.sha256 == hashlib.sha256(stored).hexdigest()


def test_zst(file: Callable[[str | bytes], Path]) -> None:
    zstandard = pytest.importorskip("zstandard")
    stored = zstandard.ZstdCompressor().compress(FORMATS["JSON lines"].encode())
    found = read_texts(file(stored))
    assert (len(found), found.source.sha256) == (2, hashlib.sha256(stored).hexdigest())


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(gzip.compress(b"7\twind\n"))))
    found = read_texts("-")
    assert (dict(found), found.source.path) == ({"7": "wind"}, "standard input")


def test_titles_stand_before_texts_and_are_not_said_twice(file: Callable[[str | bytes], Path]) -> None:
    records = [
        {"id": "a", "title": "Wind", "text": "It blows."},
        {"id": "b", "title": "Wind", "text": "Wind blows."},
        {"id": "c", "title": "Wind", "text": ""},
        {"id": "d", "title": None, "text": "It blows."},
    ]
    found = read_texts(file("\n".join(map(json.dumps, records))))
    assert dict(found) == {"a": "Wind — It blows.", "b": "Wind blows.", "c": "Wind", "d": "It blows."}
    topic = "<top><num>1<title>Crime\n<desc> Description:\nWho did it?\n<narr> Narrative: nobody</top>"
    assert read_texts(file(topic))["1"] == "Crime — Who did it?"


def test_only_what_is_wanted_is_kept_and_all_is_counted(file: Callable[[str | bytes], Path]) -> None:
    found = read_texts(file("".join(f"d{i}\ttext {i}\n" for i in range(1000))), {"d3", "d999", "elsewhere"})
    assert dict(found) == {"d3": "text 3", "d999": "text 999"}
    assert (found.source.rows, found.first) == (1000, ("d0", "d1", "d2"))
    assert repr(found).startswith("Texts(1 000 texts, 2 kept, TSV texts, from ")


def test_an_id_given_again_is_told_and_the_first_text_shown(file: Callable[[str | bytes], Path]) -> None:
    found = read_texts(file("a\tfirst\nb\tother\na\tsecond\n"))
    assert found["a"] == "first"
    assert [note.slug for note in found.notes] == ["texts-repeated"]


def test_bytes_that_are_no_utf8(file: Callable[[str | bytes], Path]) -> None:
    found = read_texts(file(b"caf\xe9\tna\xefve\n"))
    (name,) = found
    assert name.encode("utf-8", "surrogateescape") == b"caf\xe9"  # as judgments and runs read it
    assert found[name] == "na\ufffdve"


def test_a_byte_order_mark_is_no_part_of_the_first_id(file: Callable[[str | bytes], Path]) -> None:
    assert list(read_texts(file(b"\xef\xbb\xbf7\twind\n"))) == ["7"]


def test_lines_end_at_newlines_only(file: Callable[[str | bytes], Path]) -> None:
    assert dict(read_texts(file("7\twind\u2028power\x0bhere\n"))) == {"7": "wind power here"}


class TestClipped:
    def test_at_a_word(self) -> None:
        assert clipped("laminar flow past a flat plate", 15) == "laminar flow…"
        assert clipped("laminar flow", 12) == "laminar flow"

    def test_without_a_word_to_cut_at(self) -> None:
        assert clipped("x" * 1000, 300) == "x" * 300 + "…"

    def test_on_one_line_with_nothing_unseen(self) -> None:
        assert clipped(" a\n\tb\x00c\x9b \ud800d\r\n") == "a b c \ufffdd"


class TestMissing:
    def test_none_matches(self, file: Callable[[str | bytes], Path]) -> None:
        found = read_texts(file(".I 001\n.W\nwhat\n.I 002\n.W\nwhy\n"), {"1", "2"})
        (note,) = unmatched_notes(found, ["1", "2"], "topic")
        assert note.text.endswith("no topic has a text: 1, 2; ids in it: 001, 002")

    def test_some_match(self) -> None:
        wanted = [str(i) for i in range(1, 6)]
        (note,) = unmatched_notes({**dict.fromkeys(wanted[1:], "x"), "9": "y"}, wanted, "topic")
        assert note.text == "1 topic of 5 without a text: 1; texts were given for 2, 3, 4, … (5 in all)"

    def test_so_many_gaps_raise_a_doubt(self) -> None:
        (note,) = unmatched_notes({"1": "x", "9": "y"}, ["1", "2"], "topic")
        assert "so many gaps may mean another numbering" in note.text
        (note,) = unmatched_notes({"1": "x"}, ["1", "2"], "document")  # a collection is often given in part
        assert "numbering" not in note.text

    def test_all_match(self) -> None:
        assert unmatched_notes({"1": "x"}, ["1"], "topic") == ()


BROKEN = {
    "input-empty": "",
    "texts-format": "just a line of words\n",
    "texts-record": "7\twind\njust a line of words\n",
    "input-table": "7,wind\n8,wind, and more\n",
    "input-json": '{"id": 1, "text": "x"}\nnope\n',
    "input-id": '{"id": 1.5, "text": "x"}\n',
    "input-binary": "7\twi\x00nd\n",
    "input-encoding": "7\twind\n".encode("utf-16"),
    "input-damaged": gzip.compress(b"7\twind\n" * 100)[:20],
}


@pytest.mark.parametrize("slug", BROKEN)
def test_refusals_name_the_file(slug: str, file: Callable[[str | bytes], Path]) -> None:
    path = file(BROKEN[slug])
    with pytest.raises(InputError) as caught:
        read_texts(path)
    assert caught.value.slug == slug
    assert caught.value.problems[0].at.startswith(str(path))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("7\twind\n\nnothing\n", 3, "expected an id and its text, got nothing"),
        ('7,wind\n8,"never ends\n', 2, "the row cannot be read"),
        ('{"id": 1, "text": "x"}\n{"id": 2}\n', 2, "names no id, or no text: id"),
        ('{"id": 1, "text": ["x"]}\n', 1, "the text of 1 is not text"),
        ('{"id": "", "text": "x"}\n', 1, "the id is empty"),
        ('{\n "a": "x",\n "b": \n}\n', 4, "not JSON"),
        ("<top>\n<title>x\n</top>", 1, "names no id, or no text: title"),
    ],
)
def test_refusals_name_the_line(text: str, line: int, said: str, file: Callable[[str | bytes], Path]) -> None:
    path = file(text)
    with pytest.raises(InputError) as caught:
        read_texts(path)
    problem = caught.value.problems[0]
    assert problem.at == f"{path}:{line}"
    assert said in problem.what


@pytest.mark.parametrize(("text", "said"), [('{"a": 3}', "the text of 'a' is not text"), ("[3]", "not a record: 3")])
def test_refusals_in_one_document_of_json(text: str, said: str, file: Callable[[str | bytes], Path]) -> None:
    with pytest.raises(InputError) as caught:
        read_texts(file(text))
    assert said in caught.value.problems[0].what


def test_many_problems_are_gathered(file: Callable[[str | bytes], Path]) -> None:
    with pytest.raises(InputError) as caught:
        read_texts(file("1\tx\n" + "nothing\n" * 30))
    assert (len(caught.value.problems), caught.value.more) == (20, 10)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path, slug in ((tmp_path / "none", "input-missing"), (tmp_path, "input-directory")):
        with pytest.raises(InputError) as caught:
            read_texts(path)
        assert caught.value.slug == slug


def test_it_is_public() -> None:
    assert inspect.unwrap(gc.read_texts) is read_texts
    assert issubclass(Texts, dict) is False


@beside.needs("cran")
def test_cranfield() -> None:
    cran = beside.DATA / "cran"
    documents = read_texts(cran / "documents.txt", {"1", "995", "1400"})
    assert documents.source.rows == 1400
    assert documents["1"].startswith("experimental investigation of the aerodynamics of a wing in a slipstream")
    assert set(documents) == {"1", "1400"}  # 995 has neither title nor text
    queries = read_texts(cran / "queries.txt")
    (note,) = unmatched_notes(queries, [str(i) for i in range(1, 226)], "topic")
    assert "1, 2, 3" in note.text
    assert "001, 002, 004" in note.text  # the judgments count 1, 2, 3, …: a reader sees why nothing fits
