"""Efficiency logs from files: what is read, and every way to be refused, with its line."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import gaincurve as gc
from gaincurve.catalogue import CATALOGUE
from gaincurve.io.efficiency import log_name, read_efficiency

QUERY = b'{"topic": "301", "latency_ms": 12.5}\n'
INDEX = b'{"indexing_s": 812.0, "index_bytes": 1000, "text_bytes": 4000}\n'
LOAD = b'{"queries": 100, "wall_s": 4, "threads": 8}\n'


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(data: bytes, name: str = "bm25.jsonl") -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


Write = Callable[..., Path]


def test_a_whole_log(file: Write) -> None:
    found = read_efficiency(
        file(b"# one server, warm\n\n" + INDEX + QUERY + QUERY + b'{"latency_ms": 7, "topic": 302}\r\n' + LOAD)
    )
    assert found.name == "bm25"
    assert found.topics == ("301", "301", "302")
    assert found.latencies.tolist() == [12.5, 12.5, 7]
    assert (found.indexing_s, found.space_overhead, found.throughput) == (812, 0.25, 25)
    assert (found.source.format, found.source.topics, found.source.rows) == ("efficiency log", 2, 5)
    assert found.source.sha256


def test_without_a_last_newline_and_with_a_byte_order_mark(file: Write) -> None:
    assert read_efficiency(file(b"\xef\xbb\xbf" + QUERY.rstrip())).latencies.tolist() == [12.5]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed(file: Write, pack: Callable[[bytes], bytes]) -> None:
    assert read_efficiency(file(pack(QUERY))).latencies.tolist() == [12.5]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(QUERY)))
    found = read_efficiency("-", name="bm25")
    assert (found.name, found.source.path) == ("bm25", "standard input")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("logs/bm25.jsonl", "bm25"),
        ("bm25.efficiency.jsonl.gz", "bm25"),
        ("bm25.run.log", "bm25"),
        ("bm25.latency.json", "bm25"),
        ("bm25.v2.jsonl", "bm25.v2"),
        ("-", "stdin"),
    ],
)
def test_a_log_is_named_like_its_run(path: str, name: str) -> None:
    assert log_name(path) == name


class Broken(NamedTuple):
    what: str
    data: bytes
    slug: str
    line: int | None
    says: str


def latency(value: bytes) -> bytes:
    return QUERY + b'{"topic": "1", "latency_ms": ' + value + b"}\n"


BROKEN = [
    Broken("nothing", b"", "input-empty", None, "is empty"),
    Broken("only comments", b"# x\n\n", "input-empty", None, "has no efficiency records"),
    Broken("not JSON", QUERY + b"301 12.4\n", "input-json", 2, "301 12.4"),
    Broken("a line cut off", QUERY + QUERY[:-4], "input-json", 2, "not JSON"),
    Broken("JSON over several lines", b"{\n", "input-json", 1, "not JSON"),
    Broken("a list", b"[12.4]\n", "input-json", 1, "not a record: [12.4]"),
    Broken("a number", QUERY + b"\n12.4\n", "input-json", 3, "not a record"),
    Broken("nested without end", b"[" * 100_000, "input-json", 1, "not JSON"),
    Broken("an unknown key", b'{"topic": "1", "latencyms": 2}\n', "efficiency-record", 1, "(did you mean latency_ms?)"),
    Broken("one key more", b'{"topic": "1", "latency_ms": 2, "node": 3}\n', "efficiency-record", 1, "has no 'node'"),
    Broken("two kinds", b'{"topic": "1", "latency_ms": 2, "threads": 3}\n', "efficiency-record", 1, "query and load"),
    Broken("empty record", QUERY + b"{}\n", "efficiency-record", 2, "the record is empty"),
    Broken("twice", b'{"wall_s": 1, "queries": 2, "wall_s": 3}\n', "efficiency-record", 1, "has 'wall_s' twice"),
    Broken("no topic", b'{"latency_ms": 2}\n', "efficiency-record", 1, "the query record has no 'topic'"),
    Broken("no latency", b'{"topic": "7"}\n', "efficiency-record", 1, "the query record has no 'latency_ms'"),
    Broken("no time", b'{"queries": 7}\n', "efficiency-record", 1, "the load record has no 'wall_s'"),
    Broken("threads alone", b'{"threads": 7}\n', "efficiency-record", 1, "has no 'queries' and no 'wall_s'"),
    Broken("two index records", INDEX + QUERY + INDEX, "efficiency-record", 3, "a second index record"),
    Broken("two load records", LOAD + LOAD, "efficiency-record", 2, "a second load record"),
    Broken("negative", latency(b"-0.1"), "efficiency-value", 2, "latency_ms is -0.1, not a finite number, 0 or more"),
    Broken("nan", latency(b"NaN"), "efficiency-value", 2, "latency_ms is nan"),
    Broken("infinite", latency(b"Infinity"), "efficiency-value", 2, "latency_ms is infinite"),
    Broken("minus infinite", latency(b"-Infinity"), "efficiency-value", 2, "latency_ms is minus infinite"),
    Broken("beyond any float", latency(b"1e999"), "efficiency-value", 2, "latency_ms is infinite"),
    Broken("whole and beyond any float", latency(b"1" * 400), "efficiency-value", 2, "latency_ms is 1111"),
    Broken("too large to add up", latency(b"1e300"), "efficiency-value", 2, "latency_ms is 1e+300"),
    Broken("true", latency(b"true"), "efficiency-value", 2, "latency_ms is true"),
    Broken("null", latency(b"null"), "efficiency-value", 2, "latency_ms is null"),
    Broken("a number in quotes", latency(b'"12.4"'), "efficiency-value", 2, 'latency_ms is the text "12.4"'),
    Broken("a list for a number", latency(b"[1]"), "efficiency-value", 2, "latency_ms is [1]"),
    Broken("a record for a number", latency(b'{"a": 1}'), "efficiency-value", 2, "latency_ms is "),
    Broken("half a byte", b'{"index_bytes": 1.5}\n', "efficiency-value", 1, "index_bytes is 1.5, not a whole number"),
    Broken("no text", b'{"text_bytes": 0}\n', "efficiency-value", 1, "text_bytes is 0, not a whole number above 0"),
    Broken("negative size", b'{"index_bytes": -1}\n', "efficiency-value", 1, "index_bytes is -1"),
    Broken("negative time", b'{"indexing_s": -1}\n', "efficiency-value", 1, "indexing_s is -1"),
    Broken("no time at all", b'{"queries": 5, "wall_s": 0}\n', "efficiency-value", 1, "not a finite number above 0"),
    Broken("no queries", b'{"queries": 0, "wall_s": 1}\n', "efficiency-value", 1, "queries is 0"),
    Broken("no thread", b'{"queries": 1, "wall_s": 1, "threads": 0}\n', "efficiency-value", 1, "threads is 0"),
    Broken("topic null", b'{"topic": null, "latency_ms": 1}\n', "input-id", 1, "cannot be a topic id"),
    Broken("topic true", b'{"topic": true, "latency_ms": 1}\n', "input-id", 1, "cannot be a topic id"),
    Broken("topic of a float", b'{"topic": 1.5, "latency_ms": 1}\n', "input-id", 1, "1.5 (float)"),
    Broken("topic empty", b'{"topic": "", "latency_ms": 1}\n', "input-id", 1, "cannot be a topic id"),
    Broken("damaged gz", gzip.compress(QUERY * 9)[:-6], "input-damaged", None, "unpacked as gz"),
    Broken("UTF-16", b"\xff\xfe" + QUERY.decode().encode("utf-16-le"), "input-encoding", None, "UTF-16"),
    Broken("binary", QUERY + b"\0", "input-binary", None, "NUL"),
]  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.what)
def test_refused_by_line(file: Write, broken: Broken) -> None:
    path = file(broken.data)
    with pytest.raises(gc.InputError) as refused:
        read_efficiency(path)
    problem = refused.value.problems[0]
    assert (problem.slug, len(refused.value.problems)) == (broken.slug, 1)
    assert broken.says in problem.what
    place = str(path) if broken.line is None else f"{path}:{broken.line}"
    assert problem.at.split(" (")[0] == place
    text = str(refused.value)
    assert f"  why  {CATALOGUE[broken.slug].why}" in text
    assert "  try  " in text


def test_both_places_of_a_second_record_are_named(file: Write) -> None:
    path = file(INDEX + QUERY + INDEX)
    with pytest.raises(gc.InputError) as refused:
        read_efficiency(path)
    assert refused.value.problems[0].at == f"{path}:3 (first at {path}:1)"


def test_all_problems_of_a_record_are_told(file: Write) -> None:
    with pytest.raises(gc.InputError) as refused:
        read_efficiency(file(b'{"indexing_s": "1", "index_bytes": -1, "text_bytes": 5}\n{"a": 1, "b": 2}\n'))
    assert len(refused.value.problems) == 4


def test_twenty_are_told_and_the_rest_counted(file: Write) -> None:
    with pytest.raises(gc.InputError) as refused:
        read_efficiency(file(QUERY + b'{"topic": "1", "latency_ms": -1}\n' * 25))
    assert [problem.at.rsplit(":", 1)[1] for problem in refused.value.problems] == [str(i) for i in range(2, 22)]
    assert refused.value.more == 5
    assert str(refused.value).endswith("… and 5 more of the kind")


def test_a_json_hint_shows_a_record(file: Write) -> None:
    with pytest.raises(gc.InputError) as refused:
        read_efficiency(file(b"301 12.4\n"))
    assert '{"topic": "301", "latency_ms": 12.4}' in str(refused.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(gc.InputError) as refused:
        gc.read_efficiency(tmp_path / "absent.jsonl")
    assert refused.value.slug == "input-missing"
