"""Broken inputs, each beside the slug, the place and a piece of the message it must get."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import zstandard

from gaincurve.errors import CATALOGUE, GaincurveError, InputError, MissingExtra
from gaincurve.io import content
from gaincurve.io.read import read_judgments, read_run
from gaincurve.model.graded import grade
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run

READERS: dict[str, Callable[..., Judgments | Run]] = {"judgments": read_judgments, "run": read_run}
QRELS = b"301 0 FT911-3 1\n301 0 FT911-4 0\n"
RUN_FILE = b"301 Q0 FT911-3 1 9.5 bm25\n301 Q0 FT911-4 2 7.25 bm25\n"
RANDOM = bytes((i * 167 + 13) % 256 for i in range(2000))


class Broken(NamedTuple):
    """One broken file: what it is read as and what must be said; line None means the file as a whole."""

    title: str
    kind: str
    data: bytes
    slug: str
    line: int | None
    piece: str


def jsonl(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


GOOD, RANKED = {"qid": "1", "docno": "a", "rel": 1}, {"qid": "1", "docno": "a", "rank": 1, "score": 9.5}

BROKEN = [
    # nothing there, or no text
    Broken("empty file", "judgments", b"", "input-empty", None, "is empty"),
    Broken("empty run", "run", b"", "input-empty", None, "is empty"),
    Broken("only a byte order mark", "run", b"\xef\xbb\xbf", "input-empty", None, "is empty"),
    Broken("only blank lines", "run", b"\n \t\r\n\n", "input-empty", None, "only blank lines and comments"),
    Broken("only comments", "judgments", b"# a\n  # b\n\n#", "input-empty", None, "only blank lines and comments"),
    Broken("empty when unpacked", "run", gzip.compress(b""), "input-empty", None, "is empty"),
    Broken("header without rows", "run", b"qid,docno,score\n\n#x\n", "input-empty", None, "a header and no rows"),
    Broken("JSON without topics", "run", b"{}", "input-empty", None, "no documents"),
    Broken("JSON without records", "judgments", b"[]", "input-empty", None, "no records"),
    Broken("bytes of anything", "judgments", RANDOM, "input-binary", None, "NUL"),
    Broken("one NUL byte", "run", RUN_FILE + b"302 Q0 a\0b 1 1 x\n", "input-binary", None, "NUL"),
    Broken("Parquet", "judgments", b"PAR1\x15\x04\x15\x00" + RANDOM + b"PAR1", "input-damaged", None, "cannot be read"),
    Broken("zip", "run", b"PK\x03\x04\x14\x00\x00\x00" + RANDOM, "input-damaged", None, "unpacked as zip"),
    Broken("PDF", "run", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n\0", "input-binary", None, "a PDF"),
    Broken("SQLite", "run", b"SQLite format 3\0" + RANDOM, "input-binary", None, "a SQLite database"),
    Broken("packed bytes of anything", "run", gzip.compress(RANDOM), "input-binary", None, "not text"),
    Broken("UTF-16", "judgments", QRELS.decode().encode("utf-16"), "input-encoding", None, "UTF-16"),
    Broken("UTF-16, big end first", "run", b"\xfe\xff" + "1 Q0".encode("utf-16-be"), "input-encoding", None, "UTF-16"),
    Broken("UTF-32", "run", RUN_FILE.decode().encode("utf-32"), "input-encoding", None, "UTF-32"),
    # damaged on the way
    Broken("gz cut off", "run", gzip.compress(RUN_FILE)[:-12], "input-damaged", None, "unpacked as gz"),
    Broken("bz2 cut off", "run", bz2.compress(RUN_FILE)[:-12], "input-damaged", None, "unpacked as bz2"),
    Broken("xz cut off", "run", lzma.compress(RUN_FILE)[:-12], "input-damaged", None, "unpacked as xz"),
    Broken("zst cut off", "run", zstandard.compress(RUN_FILE * 9)[:-6], "input-damaged", None, "unpacked as zst"),
    Broken("only the first bytes of gz", "run", b"\x1f\x8b", "input-damaged", None, "unpacked as gz"),
    Broken("only the first bytes of zst", "run", b"\x28\xb5\x2f\xfd", "input-damaged", None, "unpacked as zst"),
    Broken("gz of nonsense", "judgments", b"\x1f\x8b\x08\0" + RANDOM, "input-damaged", None, "unpacked as gz"),
    Broken("zst of nonsense", "judgments", b"\x28\xb5\x2f\xfd" + RANDOM, "input-damaged", None, "unpacked as zst"),
    Broken("xz of nonsense", "judgments", b"\xfd7zXZ\0" + RANDOM, "input-damaged", None, "unpacked as xz"),
    Broken("bz2 of nonsense", "judgments", b"BZh9" + RANDOM, "input-damaged", None, "unpacked as bz2"),
    Broken(
        "gz with a wrong checksum",
        "run",
        gzip.compress(RUN_FILE)[:-8] + zlib.crc32(b"other").to_bytes(4, "little") + gzip.compress(RUN_FILE)[-4:],
        "input-damaged",
        None,
        "CRC",
    ),
    # TREC columns
    Broken("judgments of two columns", "judgments", b"\n301 a\n", "input-columns", 2, "2 columns where 3, 4 or 5"),
    Broken("run of two columns", "run", b"301 a\n", "input-columns", 1, "2 columns where 3, 5 or 6"),
    Broken("one column", "run", b"# x\n\nhello\n", "input-columns", 3, "1 column where"),
    Broken("run of seven columns", "run", b"1 Q0 d 1 2.5 my tag\n", "input-columns", 1, "7 columns"),
    Broken("a short line later", "judgments", QRELS + b"\n301 0 x\n", "input-columns", 4, "3 columns where 4 were"),
    Broken(
        "a long line later", "run", RUN_FILE + b"301 Q0 d 3 1 a b\r\n", "input-columns", 3, "7 columns where 6 were"
    ),
    Broken("columns named", "judgments", QRELS + b"301 d\n", "input-columns", 3, "topic, ignored, document, grade"),
    Broken("the line is shown", "judgments", QRELS + b"301 doc7\n", "input-columns", 3, "301 doc7"),
    # grades and scores
    Broken("grade in words", "judgments", QRELS + b"301 0 x high\n", "judgments-grade", 3, "'high' is not a finite"),
    Broken("grade nan", "judgments", b"#\n301 0 x nan\n", "judgments-grade", 2, "'nan'"),
    Broken("grade without a number", "judgments", b"301 x -\n", "judgments-grade", 1, "'-'"),
    Broken("grade with a decimal comma", "judgments", b"301 x 1,5\n", "judgments-grade", 1, "'1,5'"),
    Broken("grade in CSV", "judgments", b"qid,docno,rel\n1,a,1\n\n1,b,yes\n", "judgments-grade", 4, "'yes'"),
    Broken("no grade in CSV", "judgments", b"qid,docno,rel\n1,a,\n", "judgments-grade", 2, "''"),
    Broken("grade in JSON lines", "judgments", jsonl(GOOD, GOOD | {"rel": None}), "judgments-grade", 2, "None"),
    Broken("score in words", "run", RUN_FILE + b"301 Q0 x 3 best t\n", "run-score", 3, "score 'best' is not"),
    Broken("score nan", "run", RUN_FILE + b"301 Q0 x 3 NaN t\n", "run-score", 3, "'NaN'"),
    Broken("score inf", "run", b"301 Q0 x 3 -inf t\n", "run-score", 1, "'-inf'"),
    Broken("score too large", "run", b"301 Q0 x 3 1e999 t\n", "run-score", 1, "'1e999'"),
    Broken("score in hexadecimal", "run", b"301 Q0 x 3 0x1F t\n", "run-score", 1, "'0x1F'"),
    Broken("score and tag swapped", "run", b"301 Q0 x 1 bm25 9.5\n", "run-score", 1, "'bm25'"),
    Broken("score in TSV", "run", b"qid\tdocno\tscore\n1\ta\tinf\n", "run-score", 2, "'inf'"),
    Broken("score in JSON lines", "run", jsonl({"qid": "1", "docno": "a", "score": "x"}), "run-score", 1, "'x'"),
    Broken("rank for a score", "run", b"qid,docno,rank\n1,a,1\n1,b,first\n", "run-score", 3, "'first'"),
    # duplicates
    Broken(
        "judged twice", "judgments", QRELS + b"#\n301 0 FT911-3 2\n", "judgments-duplicate-document", 4, "FT911-3 twice"
    ),
    Broken(
        "retrieved twice", "run", b"2 Q0 a 1 3 t\n" + RUN_FILE + RUN_FILE[:26], "run-duplicate-document", 4, "topic 301"
    ),
    Broken("twice in CSV", "run", b"qid,docno,score\n1,a,2\n1,a,1\n", "run-duplicate-document", 3, "document a twice"),
    Broken("twice in JSON lines", "judgments", jsonl(GOOD, GOOD), "judgments-duplicate-document", 2, "document a"),
    # swapped
    Broken("run for judgments", "judgments", b"\n" + RUN_FILE, "judgments-look-like-run", 2, "6 columns of a run"),
    Broken("run of 5 columns", "judgments", b"1 Q0 d 1 9.5\n", "judgments-look-like-run", 1, "5 columns of a run"),
    Broken("judgments for run", "run", b"# q\n" + QRELS, "run-looks-like-judgments", 2, "4 columns of judgments"),
    Broken("CSV run", "judgments", b"#\nqid,docno,rank,score\n1,a,1,9\n", "judgments-look-like-run", 2, "of a run"),
    Broken("TSV run", "judgments", b"qid\tdocno\trank\n1\ta\t1\n", "judgments-look-like-run", 1, "of a run"),
    Broken("CSV judgments", "run", b"qid,docno,label\n1,a,1\n", "run-looks-like-judgments", 1, "of judgments"),
    Broken("JSON lines run", "judgments", jsonl(RANKED), "judgments-look-like-run", 1, "of a run"),
    Broken("JSON lines judgments", "run", jsonl(GOOD), "run-looks-like-judgments", 1, "of judgments"),
    # tables
    Broken("unknown header", "judgments", b"#\nfoo,bar,baz\n1,a,1\n", "input-header", 2, "foo, bar, baz"),
    Broken("no header", "run", b"q1,d1,2.5\n", "input-header", 1, "q1, d1, 2.5"),
    Broken(
        "header without a grade", "judgments", b"qid,docno,extra\n1,a,1\n", "input-header", 1, "no column for the grade"
    ),
    Broken("header without a score", "run", b"qid;docno;extra\n1;a;1\n", "input-header", 1, "no column for the score"),
    Broken("header without documents", "run", b"qid,score,rank\n1,2,3\n", "input-header", 1, "for the document"),
    Broken(
        "record without a key",
        "run",
        jsonl(RANKED, {"qid": "1", "docno": "b", "rank": 2}),
        "input-header",
        2,
        "'score'",
    ),
    Broken("record of other keys", "run", jsonl({"a": 1}, {"b": 2}), "input-header", 1, "its columns are a"),
    Broken(
        "row too short", "run", b"qid,docno,score\n1,a,2\n\n1,b\n", "input-table", 4, "2 fields where the header has 3"
    ),
    Broken("row too long", "run", b"qid\tdocno\tscore\n1\ta\t2\tx\n", "input-table", 2, "4 fields where"),
    Broken("quote never closed", "run", b'qid,docno,score\n1,a,2\n1,"b,3\n', "input-table", 3, "cannot be read"),
    Broken("text after a quote", "run", b'qid,docno,score\n1,"a"b,2\n1,c,3\n', "input-table", 2, "cannot be read"),
    Broken("document without a name", "run", b"qid,docno,score\n1,a,2\n1,,1\n", "input-id", 3, "document id"),
    Broken("topic without a name", "run", b"qid,docno,score\n,a,2\n", "input-id", 2, "topic id"),
    Broken("topic that is a float", "run", jsonl(RANKED, RANKED | {"qid": 1.5}), "input-id", 2, "1.5"),
    # JSON
    Broken("JSON broken", "run", b'{\n "1": {\n  "a": 1,,\n }\n}', "input-json", 3, "not JSON"),
    Broken("JSON cut off", "run", b'{"1": {"a": 1},\n"2": {"b"', "input-json", 2, "not JSON"),
    Broken("JSON with something behind", "run", b'{"1": {"a": 1}}\n\nend', "input-json", 3, "Extra data"),
    Broken("JSON of another shape", "judgments", b'{"1": 3}', "input-json", None, "the key '1' holds a number"),
    Broken("JSON list for judgments", "judgments", b'{"1": ["a"]}', "input-json", None, "the key '1' holds a list"),
    Broken("JSON list of numbers", "run", b"[1, 2]", "input-json", None, "a list"),
    Broken("JSON null for a topic", "run", b'{"1": null}', "input-json", None, "holds null"),
    Broken("JSON nested too deep", "run", b"[" * 100_000, "input-json", None, "not JSON"),
    Broken("JSON lines, one broken", "run", jsonl(RANKED) + b"\n{'a'}\n", "input-json", 3, "not JSON"),
    Broken("JSON lines, one a list", "run", jsonl(RANKED) + b"[1]\n", "input-json", 2, "not a record"),
    Broken("JSON lines, one a text", "run", jsonl(RANKED) + b'"hello"\n', "input-json", 2, "not a record"),
]


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.title.replace(" ", "-"))
def test_a_broken_file_is_refused_with_slug_place_and_message(tmp_path: Path, broken: Broken) -> None:
    path = tmp_path / "broken"
    path.write_bytes(broken.data)
    with pytest.raises(InputError) as caught:
        READERS[broken.kind](path)
    problem = caught.value.problems[0]
    assert problem.slug == broken.slug
    assert broken.piece in problem.what
    if broken.line is not None:
        assert problem.at.split(" (")[0] == f"{path}:{broken.line}"
    else:
        assert problem.at == str(path)
    assert (len(caught.value.problems), caught.value.more) == (1, 0)
    form = [line[:7] for line in str(caught.value).split("\n")]  # what, where, why, what next
    assert form == ["error[" + broken.slug[0], "  at   ", "  why  ", "  try  "]


def test_what_an_error_says_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "bm25.run"
    path.write_bytes(RUN_FILE + b"301 Q0 FT911-3 3 1 bm25\n")
    with pytest.raises(InputError) as caught:
        read_run(path)
    entry = CATALOGUE["run-duplicate-document"]
    assert str(caught.value).split("\n") == [
        "error[run-duplicate-document]: topic 301 lists document FT911-3 twice",
        f"  at   {path}:3 (first at line 1)",
        f"  why  {entry.why}",
        f"  try  {entry.hint}",
    ]
    assert "--duplicates first" in entry.hint


# Paths that cannot be opened.


@pytest.mark.parametrize("kind", READERS)
def test_a_missing_file_a_folder_and_a_folder_that_is_a_file(tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_bytes(QRELS)
    for name, slug in (("nothing", "input-missing"), (".", "input-directory"), ("file/below", "input-unreadable")):
        with pytest.raises(InputError) as caught:
            READERS[kind](tmp_path / name)
        assert (caught.value.slug, caught.value.problems[0].at) == (slug, str(tmp_path / name))
    with pytest.raises(InputError) as caught:
        READERS[kind]("a\0b")
    assert caught.value.slug == "input-unreadable"


def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(QRELS)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file, whatever its permissions")
    with pytest.raises(InputError) as caught:
        read_judgments(path)
    assert (caught.value.slug, caught.value.problems[0].at) == ("input-permission", str(path))


def test_permission_refused_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(content, "open", refuse, raising=False)
    with pytest.raises(InputError) as caught:
        read_judgments(tmp_path / "secret")
    assert (caught.value.slug, caught.value.problems[0].at) == ("input-permission", str(tmp_path / "secret"))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
def test_a_small_file_that_expands_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(content, "FREE_EXPANSION", 1 << 20)
    (tmp_path / "bomb").write_bytes(pack(b"#" * (8 << 20)))
    with pytest.raises(InputError) as caught:
        read_run(tmp_path / "bomb")
    assert caught.value.slug == "input-expands"
    (tmp_path / "fine").write_bytes(pack(b"#" * (1 << 19) + b"\n" + RUN_FILE))
    assert len(read_run(tmp_path / "fine")) == 2


def test_a_zst_file_without_the_extra_names_the_install_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    (tmp_path / "a").write_bytes(zstandard.compress(RUN_FILE))
    with pytest.raises(MissingExtra) as caught:
        read_run(tmp_path / "a")
    assert "pip install 'gaincurve[zstd]'" in str(caught.value)


# Duplicates.

TWICE = {
    "judgments": b"1 0 a 1\n2 0 a 5\n1 0 b 0\n1 0 a 3\n2 0 a 4\n",
    "run": b"1 Q0 a 1 1 t\n2 Q0 a 1 5 t\n1 Q0 b 2 2 t\n1 Q0 a 3 9 t\n2 Q0 a 2 4 t\n",
}


@pytest.mark.parametrize("kind", READERS)
def test_both_lines_of_every_duplicate_are_named(tmp_path: Path, kind: str) -> None:
    (tmp_path / "a").write_bytes(TWICE[kind])
    with pytest.raises(InputError) as caught:
        READERS[kind](tmp_path / "a")
    found = {problem.at for problem in caught.value.problems}
    assert found == {f"{tmp_path / 'a'}:4 (first at line 1)", f"{tmp_path / 'a'}:5 (first at line 2)"}


def test_duplicates_first_goes_on_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "q").write_bytes(TWICE["judgments"])
    (tmp_path / "r").write_bytes(TWICE["run"])
    judgments = read_judgments(tmp_path / "q", duplicates="first")
    run = read_run(tmp_path / "r", duplicates="first")
    assert judgments.to_dict() == {"1": {"a": 1.0, "b": 0.0}, "2": {"a": 5.0}}
    assert [run.ranking_of("1"), run.ranking_of("2"), run.scores.tolist()] == [["b", "a"], ["a"], [2.0, 1.0, 5.0]]
    assert [(note.slug, "2 repeated" in note.text) for note in judgments.notes + run.notes] == [
        ("duplicates-dropped", True)
    ] * 2
    graded = grade(judgments, run)
    assert list(zip(graded.list.tolist(), graded.rank.tolist(), graded.grade.tolist(), strict=True)) == [
        (0, 1, 0.0),
        (0, 2, 1.0),
        (1, 1, 5.0),
    ]


def test_an_unknown_rule_for_duplicates_is_refused(tmp_path: Path) -> None:
    (tmp_path / "q").write_bytes(QRELS)
    with pytest.raises(GaincurveError) as caught:
        read_judgments(tmp_path / "q", duplicates="last")
    assert caught.value.slug == "choice-unknown"
    assert "error, first" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        b'{"1": {"a": 1, "b": 2, "a": 3}}',
        b'{"1": {"a": 1}, "2": {"a": 1}, "1": {"b": 2, "a": 3}}',
        b'[{"qid": "1", "docno": "a", "rel": 1},\n{"qid": "1", "docno": "a", "rel": 2}]',
    ],
    ids=["one object", "topic twice", "records"],
)
def test_keys_repeated_in_json_are_duplicates(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "a").write_bytes(text)
    with pytest.raises(InputError) as caught:
        read_judgments(tmp_path / "a")
    assert [problem.slug for problem in caught.value.problems] == ["judgments-duplicate-document"]
    assert "topic 1 lists document a twice" in str(caught.value)
    assert str(tmp_path / "a") in caught.value.problems[0].at


@pytest.mark.parametrize("document", ["http://a", "a:12"])
def test_a_colon_in_an_id_is_not_taken_for_a_line(document: str) -> None:
    with pytest.raises(InputError) as caught:
        Run.of([("1", document, 2.0), ("1", document, 1.0)])
    assert f"{document} twice" in str(caught.value)
    assert "first at line" not in str(caught.value)


def test_json_records_over_several_lines_claim_no_wrong_line(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(json.dumps([GOOD, GOOD | {"docno": "b", "rel": "bad"}], indent=1))
    with pytest.raises(InputError) as caught:
        read_judgments(tmp_path / "a")
    assert caught.value.slug == "judgments-grade"
    assert not caught.value.problems[0].at.startswith(f"{tmp_path / 'a'}:2")  # line 2 is the first record's brace


# No common topic, many problems at once.


def test_no_common_topic_shows_ids_of_both(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("".join(f"{topic} 0 d 1\n" for topic in range(301, 351)))
    (tmp_path / "r.run").write_text("0301 Q0 d 1 2.5 x\n0302 Q0 d 1 2.5 x\n")
    with pytest.raises(InputError) as caught:
        grade(read_judgments(tmp_path / "q"), read_run(tmp_path / "r.run"))
    problem = caught.value.problems[0]
    assert problem.slug == "topics-disjoint"
    assert all(piece in problem.what for piece in ("301, 302, 303", "50 in all", "0301, 0302", "run r"))
    assert problem.at == f"{tmp_path / 'q'} and {tmp_path / 'r.run'}"


MANY: dict[str, tuple[str, str, bytes]] = {
    "columns": ("judgments", "input-columns", QRELS + b"".join(b"301 x\n" for _ in range(25))),
    "grades": ("judgments", "judgments-grade", QRELS + b"".join(b"301 0 d%d x\n" % i for i in range(25))),
    "scores": ("run", "run-score", RUN_FILE + b"".join(b"301 Q0 d%d 1 nan t\n" % i for i in range(25))),
    "duplicates": ("run", "run-duplicate-document", b"".join(b"1 Q0 d%d 1 1 t\n" % (i % 25) for i in range(50))),
    "rows of a table": ("run", "input-table", b"qid,docno,score\n1,a,1\n" + b"1,b\n" * 25),
    "scores in a table": ("run", "run-score", b"qid,docno,score\n1,a,1\n" + b"1,b,inf\n" * 25),
    "ids in a table": ("run", "input-id", b"qid,docno,score\n1,a,1\n" + b"1,,2\n" * 25),
    "JSON lines": ("judgments", "input-json", jsonl(GOOD) + b"{broken\n" * 25),
    "records without a key": ("judgments", "input-header", jsonl(GOOD) + jsonl({"qid": "1", "docno": "b"}) * 25),
    "grades in JSON": ("judgments", "judgments-grade", json.dumps({"1": {f"d{i}": "x" for i in range(25)}}).encode()),
}


@pytest.mark.parametrize("case", MANY)
def test_twenty_problems_are_shown_and_the_rest_counted(tmp_path: Path, case: str) -> None:
    kind, slug, text = MANY[case]
    (tmp_path / "a").write_bytes(text)
    with pytest.raises(InputError) as caught:
        READERS[kind](tmp_path / "a")
    assert [problem.slug for problem in caught.value.problems] == [slug] * 20
    assert caught.value.more == 5
    assert str(caught.value).count("  why  ") == 1
    places = [problem.at for problem in caught.value.problems]
    assert all(place in str(caught.value) for place in places[:5])
    assert "5 more" in str(caught.value).split("\n")[-1]


def test_problems_of_several_kinds_are_gathered_in_one_go(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1 0 a 1\n1 0 b x\n1 b\n1 0 c nan\n")
    with pytest.raises(InputError) as caught:
        read_judgments(tmp_path / "a")
    found = {(problem.slug, problem.at.rpartition(":")[2]) for problem in caught.value.problems}
    assert found == {("judgments-grade", "2"), ("input-columns", "3"), ("judgments-grade", "4")}


@pytest.mark.parametrize("rows", [1, 20_000, 200_000])
def test_lines_are_counted_right_beyond_one_piece(tmp_path: Path, rows: int) -> None:
    (tmp_path / "a").write_bytes(
        b"".join(b"301 Q0 document%d 1 1 t\n" % i for i in range(rows)) + b"#\n\n301 Q0 x 1 y t"
    )
    with pytest.raises(InputError) as caught:
        read_run(tmp_path / "a")
    assert caught.value.problems[0].at == f"{tmp_path / 'a'}:{rows + 3}"


# Ranks that are asked for.


@pytest.mark.parametrize(
    ("text", "line"),
    [(b"1 Q0 a 1 9 t\n1 Q0 b second 8 t\n", 2), (b"qid,docno,rank,score\n1,a,1,9\n1,b,second,8\n", 3)],
    ids=["TREC", "CSV"],
)
def test_a_rank_that_is_no_number_is_refused_only_where_ranks_decide(tmp_path: Path, text: bytes, line: int) -> None:
    (tmp_path / "a").write_bytes(text)
    assert read_run(tmp_path / "a").ranking_of("1") == ["a", "b"]
    with pytest.raises(InputError) as caught:
        read_run(tmp_path / "a", ties="rank")
    problem = caught.value.problems[0]
    assert (problem.slug, problem.at) == ("run-rank", f"{tmp_path / 'a'}:{line}")
    assert "rank" in problem.what


# Objects in memory.

OBJECTS: dict[str, tuple[object, str, str]] = {
    "a number": (3, "input-object", "int"),
    "nothing": (None, "input-object", "NoneType"),
    "no topics": ({}, "input-empty", "no documents"),
    "no documents": ({"1": {}}, "input-empty", "no documents"),
    "no records": ([], "input-empty", "no records"),
    "a score for a topic": ({"1": 3.0}, "input-object", "expected {document: score}"),
    "a text for a topic": ({"1": "abc"}, "input-object", "expected {document: score}"),
    "pairs": ([("1", "a")], "input-object", "record 0 is ('1', 'a')"),
    "a record too long": ([("1", "a", 1.0), ("1", "b", 2, 3)], "input-object", "record 1"),
    "a float as topic": ({1.0: {"a": 1}}, "input-id", "1.0 (float) cannot be a topic id"),
    "None as document": ({"1": {None: 1}}, "input-id", "None (NoneType) cannot be a document id"),
    "an empty document": ({"1": {"": 1}}, "input-id", "document id"),
    "an empty topic": ([("", "a", 1)], "input-id", "topic id"),
    "a score nan": ({"1": {"a": 1.0, "b": float("nan")}}, "run-score", "topic 1, document b"),
    "a score inf": ([("1", "a", float("inf"))], "run-score", "inf"),
    "a score None": ({"1": {"a": None}}, "run-score", "None"),
    "a score in words": ([("1", "a", "high")], "run-score", "'high'"),
    "a score too large": ({"1": {"a": 10**400}}, "run-score", "document a"),
    "a document twice": ([("1", "a", 1), ("2", "a", 1), ("1", "a", 2)], "run-duplicate-document", "document a twice"),
    "a list with a document twice": ({"1": ["a", "b", "a"]}, "run-duplicate-document", "document a twice"),
    "a topic in two spellings": ({1: {"a": 1}, "1": {"a": 2}}, "run-duplicate-document", "document a twice"),
    "half a surrogate pair": ({"1": {"\ud800": 1}}, "input-id", "document id"),
    "half a surrogate pair as topic": ({"\ud800": {"a": 1}}, "input-id", "topic id"),
}


def test_text_is_a_path() -> None:
    with pytest.raises(InputError) as caught:
        Run.of("no-such.run", "mine")
    assert (caught.value.slug, caught.value.problems[0].at) == ("input-missing", "no-such.run")


@pytest.mark.parametrize("case", OBJECTS)
def test_an_object_that_is_no_run_is_refused(case: str) -> None:
    given, slug, piece = OBJECTS[case]
    with pytest.raises(InputError) as caught:
        Run.of(given, "mine")
    assert caught.value.slug == slug
    assert piece in str(caught.value)
    assert "mine" in str(caught.value)


def test_a_list_cannot_be_judgments() -> None:
    with pytest.raises(InputError) as caught:
        Judgments.of({"1": ["a"]})
    assert caught.value.slug == "input-object"
    assert "{document: grade}" in str(caught.value)


@pytest.mark.parametrize(
    "text", [b'{"1": {"a": 1' + b"0" * 400 + b"}}", b'{"1": {"\\ud800": 1}}', b'{"\\ud800": {"a": 1}}']
)
def test_hostile_json_is_refused_not_a_crash(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "a").write_bytes(text)
    with pytest.raises(InputError):
        read_run(tmp_path / "a")
