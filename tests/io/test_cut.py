"""Files that were cut, damaged or written by another rule: refused, or read as they are meant, never half-read."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

import gaincurve as gc
from gaincurve.errors import InputError
from gaincurve.io import grading
from gaincurve.io.like_trec_eval import TrecEvalError, read_like_trec_eval
from gaincurve.io.read import read_judgments, read_run
from gaincurve.io.texts.read import read_texts
from gaincurve.model.order import TIE_RULES
from gaincurve.model.run import Run

QRELS = b"1 0 a 1\n1 0 b 0\n1 0 c 2\n"
RUN = b"1 Q0 b 1 9.5 bm25\n1 Q0 a 2 7.25 bm25\n1 Q0 c 3 6.125 bm25\n"


def refused(read: Callable[[Path], object], path: Path, data: bytes) -> tuple[str, str]:
    """Slug and place of the refusal."""
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read(path)
    return caught.value.slug, caught.value.problems[0].at


# A file that ends within its last line.


@pytest.mark.parametrize("stop", range(len(RUN) - 18, len(RUN) - 5))
def test_a_run_cut_before_its_last_column_is_refused(tmp_path: Path, stop: int) -> None:
    assert 0 < len(RUN[:stop].splitlines()[-1].split()) < 6
    assert refused(read_run, tmp_path / "r", RUN[:stop]) == ("input-cut", f"{tmp_path / 'r'}:3")


@pytest.mark.parametrize("engine", ["compiled", "twin"])
@pytest.mark.parametrize("line", [b"1 Q0 c 3 6.1", b"1 Q0 c 3", b"1 Q0 c", b"1 Q0", b"1"])
def test_a_cut_run_gives_no_number(tmp_path: Path, line: bytes, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if engine == "twin":
        monkeypatch.setattr(grading, "compiled", None)
    (tmp_path / "q").write_bytes(QRELS)
    (tmp_path / "r").write_bytes(RUN[: RUN.rindex(b"1 Q0")] + line)
    for pack in (bytes, gzip.compress):
        (tmp_path / "r").write_bytes(pack(RUN[: RUN.rindex(b"1 Q0")] + line))
        with pytest.raises(InputError) as caught:
            gc.evaluate_files(tmp_path / "q", tmp_path / "r")
        assert caught.value.slug == "input-cut"


def test_all_lines_have_as_many_columns_as_the_first(tmp_path: Path) -> None:
    five = RUN.replace(b" bm25", b"")
    assert len(read_run(_file(tmp_path, five))) == len(read_run(_file(tmp_path, RUN))) == 3
    for data, line in ((RUN + b"1 Q0 d 4 1.5\n", 4), (five + b"1 Q0 d 4 1.5 bm25\n", 4), (RUN + five, 4)):
        assert refused(read_run, tmp_path / "r", data) == ("input-columns", f"{tmp_path / 'r'}:{line}")


def test_a_last_line_without_line_end_is_fine_if_whole(tmp_path: Path) -> None:
    assert len(read_run(_file(tmp_path, RUN.rstrip()))) == 3
    assert len(read_judgments(_file(tmp_path, QRELS.rstrip()))) == 3


def _file(folder: Path, data: bytes) -> Path:
    (folder / "a.run").write_bytes(data)
    return folder / "a.run"


@pytest.mark.parametrize(
    ("data", "slug"),
    [
        (QRELS + b"1 0 d", "input-cut"),
        (QRELS + b"1 0", "input-cut"),
        (b"1 a 1\n1 b", "input-cut"),
        (b"qid,docno,rel\n1,a,1\n1,b", "input-cut"),
        (b"qid\tdocno\trel\n1\ta\t1\n1", "input-cut"),
        (b"qid docno rel\n1 a 1\n1 b", "input-cut"),
        (b'qid,docno,rel\n1,a,1\n1,"b', "input-table"),
        (b'{"qid": "1", "docno": "a", "rel": 1}\n{"qid": "1", "docno": "b", "re', "input-json"),
        (b'{"1": {"a": 1, "b": 2', "input-json"),
        (b'[{"qid": "1", "docno": "a", "rel": 1}, {"qid"', "input-json"),
    ],
)
def test_judgments_cut_in_their_last_line_are_refused(tmp_path: Path, data: bytes, slug: str) -> None:
    assert refused(read_judgments, tmp_path / "q", data)[0] == slug


def test_a_broken_line_above_a_cut_one_is_told_too(tmp_path: Path) -> None:
    (tmp_path / "r").write_bytes(b"1 Q0 b 1 9.5 bm25\n1 Q0 a 2\n1 Q0 c 3 6.125")
    with pytest.raises(InputError) as caught:
        read_run(tmp_path / "r")
    assert sorted(problem.slug for problem in caught.value.problems) == ["input-columns", "input-cut"]


# Compressed files with something behind them, or cut.

PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("behind", [b"garbage", b"x", RUN, b"\x1f", b"BZh9nonsense", b"\xfd7zXZ\x00\x00"])
def test_something_behind_a_compressed_file_is_damage(tmp_path: Path, packing: str, behind: bytes) -> None:
    (tmp_path / "q").write_bytes(QRELS)
    path = tmp_path / "r"
    for data in (PACKINGS[packing](RUN) + behind, PACKINGS[packing](RUN) * 2 + behind):
        assert refused(read_run, path, data)[0] == "input-damaged"
        assert refused(lambda run: gc.evaluate_files(tmp_path / "q", run), path, data)[0] == "input-damaged"
    assert refused(read_texts, path, PACKINGS[packing](b"1\ttext\n") + behind)[0] == "input-damaged"


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_compressed_file_cut_anywhere_is_refused(tmp_path: Path, packing: str) -> None:
    stored = PACKINGS[packing](RUN * 1 + b"".join(b"2 Q0 d%d %d %d x\n" % (i, i, -i) for i in range(500)))
    (tmp_path / "q").write_bytes(QRELS)
    for stop in (*range(8, len(stored) - 1, len(stored) // 20), len(stored) - 1):
        slug = refused(lambda run: gc.evaluate_files(tmp_path / "q", run), tmp_path / "r", stored[:stop])[0]
        assert slug == "input-damaged", stop


@pytest.mark.parametrize("packing", PACKINGS)
def test_members_one_after_the_other_are_one_file(tmp_path: Path, packing: str) -> None:
    pack = PACKINGS[packing]
    long = b"".join(b"2 Q0 document-%d %d %d x\n" % (i, i, -i) for i in range(100_000))
    run = read_run(_file(tmp_path, pack(RUN) + pack(long)))
    assert len(run) == 100_003


def test_zeros_behind_gz_and_xz_are_padding(tmp_path: Path) -> None:
    for stored in (gzip.compress(RUN) + bytes(512), lzma.compress(RUN) + bytes(8192) + lzma.compress(QRELS[:0])):
        assert len(read_run(_file(tmp_path, stored))) == 3


# JSON objects that name a key twice.


@pytest.mark.parametrize(
    "text",
    [
        '{"qid": "1", "docno": "a", "score": 1, "score": 2}\n{"qid": "1", "docno": "b", "score": 1}\n',
        '{"qid": "1", "docno": "b", "score": 1}\n{"qid": "1", "docno": "a", "docno": "c", "score": 2}\n',
        '[{"qid": "1", "qid": "2", "docno": "a", "score": 1}]',
        '{"qid": "1", "docno": "a", "score": 1, "score": 2}\n',
    ],
)
def test_a_repeated_key_of_a_record_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "r").write_text(text)
    with pytest.raises(InputError, match="occurs twice") as caught:
        read_run(tmp_path / "r")
    assert caught.value.slug == "input-json"


def test_a_repeated_key_of_a_text_is_refused_and_a_repeated_text_noted(tmp_path: Path) -> None:
    path = tmp_path / "t"
    for text in (
        '{"id": "1", "text": "a", "text": "b"}\n{"id": "2", "text": "c"}\n',
        '[{"id": "1", "id": "2", "text": "a"}]',
    ):
        path.write_text(text)
        with pytest.raises(InputError, match="occurs twice"):
            read_texts(path)
    path.write_text('{"1": "a", "1": "b", "2": {"text": "c"}}')
    texts = read_texts(path)
    assert dict(texts) == {"1": "a", "2": "c"}
    assert len(texts.notes) == 1


# A comment begins a record.


@pytest.mark.parametrize("mark", [",", "\t", ";"])
def test_a_quoted_cell_may_hold_a_line_that_begins_with_a_hash(tmp_path: Path, mark: str) -> None:
    rows = ["qid,query,docno,rel", '1,"what is\n# this\n #that",a,1', '# a comment, "with a quote', '1,"# x",b,0', ""]
    (tmp_path / "q").write_text("\n".join(rows).replace(",", mark))
    judgments = read_judgments(tmp_path / "q")
    assert judgments.to_dict() == {"1": {"a": 1.0, "b": 0.0}}


def test_a_quoted_id_may_begin_with_a_hash(tmp_path: Path) -> None:
    (tmp_path / "q").write_text('docno,qid,rel\n"#a",1,1\n#b,1,0\n')
    assert read_judgments(tmp_path / "q").to_dict() == {"1": {"#a": 1.0}}
    (tmp_path / "t").write_text('id,text\n"#1",first\n# 2,"second\n3,"third\n# line"\n')
    assert dict(read_texts(tmp_path / "t")) == {"#1": "first", "3": "third # line"}


# Three columns: topic, document, rank.

UPSIDE_DOWN = {
    "scores": [90, 50, 20],
    "ranks with a gap": [1, 2, 4],
    "ranks from 2": [2, 3, 4],
    "a rank twice": [1, 1, 2],
    "competition ranks": [1, 1, 3],
    "grades": [0, 0, 1],
    "counting down to 2": [4, 3, 2],
    "negative": [-1, 0, 1],
}


@pytest.mark.parametrize("engine", ["compiled", "twin"])
@pytest.mark.parametrize("kind", UPSIDE_DOWN)
def test_a_third_column_that_does_not_count_is_refused(
    tmp_path: Path, kind: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "twin":
        monkeypatch.setattr(grading, "compiled", None)
    (tmp_path / "q").write_bytes(QRELS)
    whole = b"0 a 1\n0 b 2\n"
    path = tmp_path / "r"
    path.write_bytes(
        whole + b"".join(b"1 %s %d\n" % (d, v) for d, v in zip((b"a", b"b", b"c"), UPSIDE_DOWN[kind], strict=True))
    )
    for read in (read_run, lambda run: gc.evaluate_files(tmp_path / "q", run)):
        with pytest.raises(InputError) as caught:
            read(path)
        assert caught.value.slug == "run-ranks-broken"
        assert "topic 1" in caught.value.problems[0].what
        assert len(caught.value.problems) == 1


@pytest.mark.parametrize("engine", ["compiled", "twin"])
@pytest.mark.parametrize("ties", TIE_RULES)
def test_ranks_count_from_0_or_1_in_any_order(
    tmp_path: Path, engine: str, ties: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "twin":
        monkeypatch.setattr(grading, "compiled", None)
    (tmp_path / "q").write_bytes(b"1 0 a 1\n2 0 a 1\n3 0 a 1\n")
    ordered = b"1 b 1\n1 a 2\n1 c 3\n2 b 0\n2 c 1\n2 a 2\n3 a 0\n"
    shuffled = b"1 c 3\n2 c 1\n1 b 1\n2 a 2\n3 a 0\n1 a 2\n2 b 0\n"
    for data in (ordered, shuffled):
        if ties == "file" and data == shuffled:
            continue
        (tmp_path / "r").write_bytes(data)
        scores = gc.evaluate_files(tmp_path / "q", tmp_path / "r", "RR", ties=ties)
        assert scores.values.tolist() == [[[1 / 2, 1 / 3, 1.0]]]


def test_rank_and_score_exchanged_would_turn_the_list_upside_down(tmp_path: Path) -> None:
    exchanged = b"1 Q0 b 9.5 1 bm25\n1 Q0 a 7.25 2 bm25\n"
    (tmp_path / "q").write_bytes(QRELS)
    for data in (exchanged, exchanged.replace(b" bm25", b"")):
        assert refused(read_run, tmp_path / "r", data) == ("run-rank", f"{tmp_path / 'r'}:1")
        assert refused(lambda run: gc.evaluate_files(tmp_path / "q", run), tmp_path / "r", data)[0] == "run-rank"
    assert len(read_run(_file(tmp_path, b"1 Q0 b 1 1 x\n1 Q0 a 2 0.5 x\n"))) == 2


def test_columns_named_rank_and_score_may_be_exchanged_too(tmp_path: Path) -> None:
    exchanged = b"qid,docno,score,rank\n1,b,1,9.5\n1,a,2,7.25\n2,a,1,3\n"
    assert refused(read_run, tmp_path / "r", exchanged) == ("run-rank", f"{tmp_path / 'r'}:2")
    assert read_run(_file(tmp_path, exchanged.replace(b"score,rank", b"rank,score"))).ranking_of("1") == ["b", "a"]
    assert len(read_run(_file(tmp_path, b"qid,docno,score,rank\n1,b,3,1.5\n1,a,2,2.5\n"))) == 2


@pytest.mark.parametrize(
    "text",
    [
        "qid,docno,score\n1,a,1_0\n",
        '{"qid": "1", "docno": "a", "score": "1_0"}\n',
        "1 Q0 a 1 1_0 x\n1 Q0 b 2 5 x\n",
        f"1 Q0 a 1 1_{'0' * 40} x\n",
    ],
)
def test_a_number_with_underscores_is_python_and_no_score(tmp_path: Path, text: str) -> None:
    assert refused(read_run, tmp_path / "r", text.encode())[0] == "run-score"


def test_a_number_with_underscores_is_no_grade_either(tmp_path: Path) -> None:
    assert refused(read_judgments, tmp_path / "q", b"1 0 a 1_0\n1 0 b 0\n")[0] == "judgments-grade"


def test_named_records_of_two_kinds_are_refused() -> None:
    Scored = namedtuple("Scored", "query_id doc_id score")
    Turned = namedtuple("Turned", "doc_id query_id score")
    with pytest.raises(InputError, match="record 1 is Turned"):
        Run.of([Scored("1", "a", 2.0), Turned("b", "1", 1.0)])


@pytest.mark.parametrize("engine", ["compiled", "twin"])
def test_ranks_in_order_are_still_read_in_one_pass(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "twin":
        monkeypatch.setattr(grading, "compiled", None)
    grader = grading.RunGrader(read_judgments(_file(tmp_path, QRELS)))
    assert grader.streamed(_file(tmp_path, b"1 a 1\n1 b 2\n1 c 3\n2 a 0\n2 b 1\n")) is not None
    for broken in (b"1 a 1\n1 b 3\n", b"1 a 2\n1 b 3\n", b"1 a 90\n1 b 50\n", b"1 a 0\n1 b 0\n"):
        assert grader.streamed(_file(tmp_path, broken)) is None


def test_trec_eval_reads_a_cut_run_as_it_does(tmp_path: Path) -> None:
    """Its own reader takes six columns and stops at fewer; nothing of ours stands before it."""
    (tmp_path / "q").write_bytes(b"1 0 a 1\n1 0 b 0\n1 0 c 0.5\n")
    (tmp_path / "r").write_bytes(RUN + b"1 Q0 d 4 1.5")
    with pytest.raises(TrecEvalError) as caught:
        read_like_trec_eval(tmp_path / "q", tmp_path / "r", 9, None, 1)
    assert caught.value.code == 2
    (tmp_path / "r").write_bytes(RUN + b"1 Q0 d 4 1.5 bm")
    assert read_like_trec_eval(tmp_path / "q", tmp_path / "r", 9, None, 1).tag == "bm"
