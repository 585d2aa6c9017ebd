"""Reading and grading in one go: both scanners, any block size and number of threads, give what the reader gives."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from gaincurve import _compiled
from gaincurve.errors import GaincurveError
from gaincurve.io import blocks, grading
from gaincurve.io.content import packing_of
from gaincurve.io.read import read_judgments, read_run
from gaincurve.model.graded import Graded, grade
from gaincurve.model.ids import padded
from gaincurve.model.judgments import Judgments
from gaincurve.model.order import TIE_RULES
from gaincurve.model.run import Run

COLUMNS = ("base", "list", "rank", "grade", "first", "last", "judgment", "retrieved", "present")
ENGINES = ["twin", pytest.param("compiled", marks=pytest.mark.skipif(_compiled.scan is None, reason="no C compiler"))]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "twin":
        monkeypatch.setattr(grading, "compiled", None)
        monkeypatch.setattr(blocks, "compiled", None)
    return str(request.param)


def same(left: Graded, right: Graded) -> bool:
    """Alike, except for the note on the rank column: only the grader reads it beside the scores."""
    left = replace(left, notes=tuple(note for note in left.notes if note.slug != "rank-column"))
    arrays = all(np.array_equal(getattr(left, name), getattr(right, name)) for name in COLUMNS)
    return arrays and (left.name, left.notes, left.source, left.spread, left.stray) == (
        right.name,
        right.notes,
        right.source,
        right.spread,
        right.stray,
    )


def outcome(action: Callable[[], Graded]) -> Graded | str:
    try:
        return action()
    except GaincurveError as error:
        return str(error)


def check(judgments: Judgments, path: Path, ties: str = "trec", duplicates: str = "error") -> None:
    expected = outcome(lambda: grade(judgments, read_run(path, ties=ties, duplicates=duplicates)))
    for threads, block in ((1, 1 << 24), (2, 1 << 24), (3, 50), (2, 333)):
        grader = grading.RunGrader(judgments, ties, duplicates, threads=threads, block=block, piece=20)
        found = outcome(lambda grader=grader: grader.grade(path))  # type: ignore[misc]
        if isinstance(expected, Graded):
            assert isinstance(found, Graded), found
            assert same(found, expected)
        else:
            assert found == expected


@pytest.fixture
def judgments() -> Judgments:
    random = np.random.default_rng(7)
    return Judgments.of({f"t{t}": {f"d{d}": int(random.integers(0, 4)) for d in range(0, 40, 3)} for t in range(12)})


def run_lines(seed: int, topics: int = 15, depth: int = 30) -> list[str]:
    """Lines with ties, unsorted topics, topics without judgments and a topic of one document."""
    random = np.random.default_rng(seed)
    lines = []
    for topic in range(topics):
        documents = random.permutation(60)[: 1 if topic == 3 else depth]
        scores = np.round(np.sort(random.normal(size=len(documents)))[::-1], int(random.integers(0, 3)))
        if topic % 3 == 0:
            random.shuffle(scores)
        lines += [f"t{topic} Q0 d{d} {i} {s} tag" for i, (d, s) in enumerate(zip(documents, scores, strict=True), 1)]
    return lines


@pytest.mark.parametrize("ties", list(TIE_RULES))
@pytest.mark.parametrize("seed", range(4))
def test_all_engines_agree_under_every_tie_rule(
    engine: str, judgments: Judgments, tmp_path: Path, ties: str, seed: int
) -> None:
    path = tmp_path / "a.run"
    path.write_text("\n".join(run_lines(seed)) + "\n")
    check(judgments, path, ties)


ODD = {
    "tabs and spaces": lambda lines: [line.replace(" ", " \t ", 2) for line in lines],
    "CRLF": lambda lines: [line + "\r" for line in lines],
    "blank lines and comments": lambda lines: [x for line in lines for x in ("", "# t1 Q0 d1 1 9 x", "  ", line)],
    "no tag": lambda lines: [line.removesuffix(" tag") for line in lines],
    "some without tag": lambda lines: [line.removesuffix(" tag") if i % 2 else line for i, line in enumerate(lines)],
    "scattered topics": lambda lines: lines[::2] + lines[1::2],
    "three columns": lambda lines: [" ".join(np.array(line.split())[[0, 2, 3]]) for line in lines],
    "long tags": lambda lines: [line + "x" * 5000 for line in lines],
    "long ids": lambda lines: [line.replace(" d", " " + "y" * 600 + "d") for line in lines],
    "middling ids": lambda lines: [line.replace(" d", " " + "z" * 100 + "d") for line in lines],
    "any byte": lambda lines: [
        line.replace("t1 ", "t\udcff\udc80 ").replace(" d1 ", " d\x85é\udcfe ") for line in lines
    ],
    "scientific": lambda lines: [" ".join([*line.split()[:4], f"{float(line.split()[4]):e}", "tag"]) for line in lines],
    "many digits": lambda lines: [line.replace(" tag", "00000000000000000001 tag") for line in lines],
    "signs": lambda lines: [line.replace(" 0.", " +0.") for line in lines],
    "underscores": lambda lines: [*lines[:-1], " ".join([*lines[-1].split()[:4], "1_0", "tag"])],
    "repeated document": lambda lines: [*lines, lines[-1]],
    "repeated far away": lambda lines: [*lines, lines[0]],
    "wrong columns": lambda lines: [*lines, "t14 Q0 d1 7", "t14 Q0"],
    "not a number": lambda lines: [*lines, "t14 Q0 dx 99 abc tag"],
    "nan": lambda lines: [*lines, "t14 Q0 dx 99 nan tag"],
    "too large": lambda lines: [*lines, "t14 Q0 dx 99 1e999 tag"],
    "NUL in a comment": lambda lines: ["# a \0 b", *lines],
    "UTF-16 mark": lambda lines: ["\udcff\udcfe", *lines],
    "huge exponent": lambda lines: [*lines, f"t14 Q0 dx 99 0.{'0' * 99_999}1e1000000 tag"],
    "three columns of scores": lambda lines: [" ".join(np.array(line.split())[[0, 2, 4]]) for line in lines],
    "NUL": lambda lines: [*lines, "t14 Q0 d\0x 99 1 tag"],
    "one line": lambda lines: lines[:1],
    "nothing judged": lambda lines: ["u" + line for line in lines],
    "one topic": lambda lines: [f"t1 Q0 {i} 1 {i % 7} tag" for i in range(3000)],
    "comments only": lambda lines: ["# nothing"],
    "empty": lambda lines: [],
}


@pytest.mark.parametrize("oddity", list(ODD))
@pytest.mark.parametrize("duplicates", ["error", "first"])
def test_oddities_and_errors_are_the_same(
    engine: str, judgments: Judgments, tmp_path: Path, oddity: str, duplicates: str
) -> None:
    path = tmp_path / "a.run"
    text = "\n".join(ODD[oddity](run_lines(11)))
    path.write_bytes(text.encode("utf-8", "surrogateescape"))  # no final newline
    check(judgments, path, duplicates=duplicates)


def test_a_bom_is_no_part_of_the_first_topic(engine: str, judgments: Judgments, tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"\xef\xbb\xbf" + "\n".join(run_lines(5)).encode())
    check(judgments, path)


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, lzma.compress, "zst", "two members", "cut off", "flipped", "trailing"]
)
def test_packed_files_stream(engine: str, judgments: Judgments, tmp_path: Path, pack: object) -> None:
    data = ("\n".join(run_lines(3)) + "\n").encode()
    if pack == "zst":
        packed = pytest.importorskip("zstandard", reason="the zstd extra is not installed").compress(data)
    elif pack == "two members":
        packed = gzip.compress(data[:1000]) + gzip.compress(data[1000:])
    elif pack == "cut off":
        packed = gzip.compress(data)[:-20]
    elif pack == "flipped":
        packed = bytearray(gzip.compress(data))
        packed[10] = 0xFF
    elif pack == "trailing":
        packed = bz2.compress(data) + b"garbage" * 40_000
    else:
        packed = pack(data)  # type: ignore[operator]
    path = tmp_path / "a.run"
    path.write_bytes(packed)
    check(judgments, path)


def test_other_formats_and_missing_files_go_to_the_plain_reader(
    engine: str, judgments: Judgments, tmp_path: Path
) -> None:
    table = tmp_path / "a.csv"
    table.write_text("qid,docno,score\nt1,d3,2.5\nt1,d0,9\n")
    check(judgments, table)
    check(judgments, tmp_path / "nowhere.run")
    check(judgments, tmp_path)


def test_ids_of_other_lengths_beside_it_do_not_change_a_look_up(engine: str, tmp_path: Path) -> None:
    """Keys of short ids once depended on the longest id of the file."""
    path = tmp_path / "a.run"
    path.write_text(f"t Q0 d1 1 3 x\nt Q0 {'long' * 12} 2 2 x\n")
    graded = grading.RunGrader(Judgments.of({"t": {"d1": 2}})).grade(path)
    assert (graded.rank.tolist(), graded.grade.tolist()) == ([1], [2.0])
    assert same(graded, grade(Judgments.of({"t": {"d1": 2}}), read_run(path)))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("block", [100, 1 << 20])
@pytest.mark.parametrize("store", [lambda text: text, lambda text: b"\xef\xbb\xbf" + text, gzip.compress])
def test_the_digest_is_that_of_the_file(
    engine: str, judgments: Judgments, tmp_path: Path, store: Callable[[bytes], bytes], block: int, threads: int
) -> None:
    """Also of a byte-order mark that is blanked out, and whoever digests beside the reading."""
    path = tmp_path / "a.run"
    path.write_bytes(store("\n".join(run_lines(3)).encode()))
    streamed = grading.RunGrader(judgments, block=block, threads=threads).streamed(path)
    assert streamed is not None
    assert streamed.graded.source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert grading.RunGrader(judgments, digest=False).grade(path).source.sha256 is None


def test_without_an_index_the_twin_serves(
    judgments: Judgments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiled index refuses topics whose keys were made to collide; then nothing compiled may be asked."""
    monkeypatch.setattr(grading, "index_of", lambda scanner, judgments, names: None)
    path = tmp_path / "a.run"
    path.write_text("\n".join(run_lines(3)))
    check(judgments, path)


def test_a_pipe_is_read_once(judgments: Judgments, tmp_path: Path) -> None:
    """A stream that cannot be read twice must not lose its first bytes to a look at the format."""
    path, pipe = tmp_path / "a.run", tmp_path / "pipe"
    path.write_text("\n".join(run_lines(3)))
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(path.read_bytes()))
    writer.start()
    found = grading.RunGrader(judgments).grade(pipe)
    writer.join()
    expected = grade(judgments, read_run(path))
    assert [getattr(found, name).tolist() for name in COLUMNS] == [getattr(expected, name).tolist() for name in COLUMNS]


def test_a_topic_cut_off_at_the_end_of_a_block_is_no_new_topic(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("".join(f"1000003 Q0 d{i} 1 {-i} x\n" for i in range(400)) * 1)
    for size in range(300, 700):
        with blocks.BlockReader(path, digest=False, size=size) as reader:
            assert len(list(reader)) == 1


def test_a_small_file_that_expands_is_refused_while_it_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(gzip.compress(b"x" * (1 << 22)))
    monkeypatch.setattr("gaincurve.io.content.FREE_EXPANSION", 1 << 20)
    with blocks.BlockReader(path, digest=False, size=1 << 18) as reader, pytest.raises(GaincurveError) as raised:
        list(reader)
    assert raised.value.slug == "input-expands"


def test_documents_whose_keys_collide_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every key equal only the bytes can tell documents apart; they must."""
    for module in ("rows", "judgments", "matches"):
        monkeypatch.setattr(
            f"gaincurve.model.{module}.keys_in", lambda documents, *_: np.zeros(len(documents), dtype=np.uint64)
        )
    judged = Judgments.of({"t": {f"d{i}": i % 4 for i in range(40)}, "u": {"d1": 3}})
    run = Run.of({"t": [f"d{i}" for i in range(60)], "u": ["d2", "d1"], "v": ["d1"]})
    graded = grade(judged, run)
    assert graded.grade.tolist() == [i % 4 for i in range(40)] + [3]
    assert graded.rank.tolist() == [*range(1, 41), 2]


TOKEN = st.sampled_from(
    ["t1", "t2", "t77", "Q0", "d0", "d3", "d9", "1", "2.5", "-0", "1e3", "x", "#", ".", "1_0", "inf"]
)
LINE = st.lists(TOKEN, max_size=7).map(" ".join)
ORDERLY = st.tuples(
    st.sampled_from(["t1", "t2", "t3"]), st.sampled_from([f"d{i}" for i in range(9)]), st.integers(-3, 3)
).map(lambda row: f"{row[0]} Q0 {row[1]} 1 {row[2]} x")
TEXT = st.one_of(
    st.binary(max_size=300),
    st.lists(st.one_of(LINE, ORDERLY, ORDERLY, ORDERLY), max_size=25).map(lambda lines: "\n".join(lines).encode()),
)


@settings(max_examples=examples(400), deadline=None)
@given(
    text=TEXT,
    block=st.integers(1, 200),
    threads=st.integers(1, 3),
    ties=st.sampled_from(["trec", "trec-float32", "file"]),
)
@pytest.mark.parametrize("name", ENGINES)
def test_arbitrary_bytes_never_crash_or_disagree(
    name: str, tmp_path_factory: pytest.TempPathFactory, text: bytes, block: int, threads: int, ties: str
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "a.run"
    path.write_bytes(text)
    judged = Judgments.of({"t1": {"d0": 1, "d3": 2}, "t2": {"d3": 3, "d8": 1}})
    expected = outcome(lambda: grade(judged, read_run(path, ties=ties)))
    with pytest.MonkeyPatch.context() as patch:
        if name == "twin":
            patch.setattr(grading, "compiled", None)
            patch.setattr(blocks, "compiled", None)
        found = outcome(lambda: grading.RunGrader(judged, ties, threads=threads, block=block, piece=20).grade(path))
    if isinstance(expected, Graded):
        assert isinstance(found, Graded), found
        assert same(found, expected)
    else:
        assert found == expected


@pytest.mark.skipif(_compiled.scan is None, reason="no C compiler")
@given(text=TEXT, start=st.integers(0, 40), cut=st.integers(0, 9))
@settings(max_examples=examples(300), deadline=None)
def test_both_scanners_find_the_same_boundary(text: bytes, start: int, cut: int) -> None:
    buffer, stop = padded(text.replace(b"\0", b" ")), max(0, len(text) - cut)
    found = blocks.next_boundary(buffer, start, stop)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "compiled", None)
        assert blocks.next_boundary(buffer, start, stop) == found


@given(text=TEXT, size=st.integers(1, 80))
@settings(max_examples=examples(200), deadline=None)
def test_blocks_are_the_file_cut_before_topics(
    tmp_path_factory: pytest.TempPathFactory, text: bytes, size: int
) -> None:
    path = tmp_path_factory.mktemp("blocks") / "a.run"
    path.write_bytes(text)
    if packing_of(text):
        return  # by chance the bytes look compressed
    with blocks.BlockReader(path, digest=False, size=size) as reader:
        if b"\0" in text or text[:2] in (b"\xff\xfe", b"\xfe\xff"):
            with pytest.raises(GaincurveError):
                list(reader)
            return
        found = [buffer[:stop].tobytes() for buffer, stop in reader]
    mark = b"\xef\xbb\xbf"
    assert b"".join(found) == (b"   " + text[3:] if text.startswith(mark) else text)
    assert all(block.endswith(b"\n") for block in found[:-1])


def test_the_judgments_of_a_file_are_shared_by_many_runs(judgments: Judgments, tmp_path: Path) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(f"{t} 0 {d} {g:g}\n" for t, row in judgments.to_dict().items() for d, g in row.items()))
    grader = grading.RunGrader(read_judgments(qrels))
    for seed in range(3):
        path = tmp_path / f"{seed}.run"
        path.write_text("\n".join(run_lines(seed)))
        assert same(grader.grade(path), grade(read_judgments(qrels), read_run(path)))
