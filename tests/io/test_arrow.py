"""Tables of record batches: the bits of the text path, whatever the library, types, batches and order of rows."""

from __future__ import annotations

import errno
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaincurve as gc
from gaincurve import _compiled
from gaincurve.cli import main
from gaincurve.errors import GaincurveError, InputError
from gaincurve.io import addresses
from gaincurve.model.arrow import capsules, decode, grading, parts, reader
from gaincurve.model.ids import Ids
from gaincurve.model.order import TIE_RULES

pa = pytest.importorskip("pyarrow", reason="the extra arrow is not installed")
from pyarrow import compute, parquet  # noqa: E402 -- behind the check that it is there

MEASURES = ["nDCG@10", "DCG@100", "AP", "P@5", "Judged@10"]
ENGINES = ["twin", pytest.param("compiled", marks=pytest.mark.skipif(_compiled.scan is None, reason="no C compiler"))]
Row = tuple[str, str, float]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "twin":
        monkeypatch.setattr(grading, "compiled", None)
        monkeypatch.setattr(decode, "compiled", None)
    return str(request.param)


def made(seed: int = 1, topics: int = 12, depth: int = 40) -> tuple[list[Row], list[Row]]:
    """Judgments and a run with ties, disorder, topics of one of both only, ids of 1 to 50 bytes."""
    dice = random.Random(seed)
    documents = [f"d{i}" if i % 3 else f"müßig-{'x' * (i % 40)}-{i}" for i in range(90)]
    qrels = [
        (f"q{t}", d, float(dice.choice([0, 0, 1, 2, 3]))) for t in range(topics) for d in dice.sample(documents, 25)
    ]
    run = []
    for t in range(2, topics + 2):
        scored = [(f"q{t}", d, round(dice.gauss(0, 3), 1)) for d in dice.sample(documents, dice.randint(1, depth))]
        run += sorted(scored, key=lambda row: -row[2]) if t % 3 else scored
    return qrels, run


def written(folder: Path, qrels: list[Row], run: list[Row]) -> tuple[Path, Path]:
    """The same as text."""
    (folder / "q.txt").write_text("".join(f"{t} 0 {d} {g:g}\n" for t, d, g in qrels), "utf-8")
    (folder / "text.run").write_text("".join(f"{t} Q0 {d} 1 {s!r} tag\n" for t, d, s in run), "utf-8")
    return folder / "q.txt", folder / "text.run"


def table(rows: list[Row], value: str, ids: Any = None, coded: bool = False, size: int = 65_536) -> Any:
    """Rows as an Arrow table in batches of a size."""
    ids = pa.string() if ids is None else ids
    columns = [pa.array([row[i] for row in rows], pa.string()).cast(ids) for i in (0, 1)]
    columns = [column.dictionary_encode() for column in columns] if coded else columns
    whole = pa.table([*columns, pa.array([row[2] for row in rows])], names=["qid", "docno", value])
    return pa.Table.from_batches(whole.to_batches(max_chunksize=size), whole.schema)


def bits(scores: gc.Scores) -> list[bytes]:
    return [values.tobytes() for values in scores.values]


def of_text(folder: Path, qrels: list[Row], run: list[Row], **how: Any) -> gc.Scores:
    return gc.evaluate_files(*written(folder, qrels, run), MEASURES, **how)


def run_ends(given: Any, size: int) -> Any:
    """The same with columns that store equal neighbours once, cut into batches that begin within a run."""
    columns = {name: compute.run_end_encode(given[name].combine_chunks()) for name in given.column_names}
    batch = pa.record_batch(columns)
    return [batch.slice(start, size) for start in range(0, len(batch), size)]


TYPES = {
    "utf8": lambda rows, value, size: table(rows, value, size=size),
    "large_utf8": lambda rows, value, size: table(rows, value, pa.large_string(), size=size),
    "string_view": lambda rows, value, size: table(rows, value, pa.string_view(), size=size),
    "binary": lambda rows, value, size: table(rows, value, pa.binary(), size=size),
    "large_binary": lambda rows, value, size: table(rows, value, pa.large_binary(), size=size),
    "dictionary": lambda rows, value, size: table(rows, value, coded=True, size=size),
    "run-end encoded": lambda rows, value, size: run_ends(table(rows, value), size),
    "batches": lambda rows, value, size: table(rows, value, size=size).to_batches(),
    "reader": lambda rows, value, size: table(rows, value, size=size).to_reader(),
}


@pytest.mark.parametrize("size", [1, 7, 65_536])
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("order", ["by topic", "shuffled"])
def test_the_bits_are_those_of_the_text(tmp_path: Path, engine: str, kind: str, size: int, order: str) -> None:
    qrels, run = made()
    wanted = of_text(tmp_path, qrels, run)
    if order == "shuffled":
        random.Random(5).shuffle(run)
        random.Random(6).shuffle(qrels)
        qrels.sort(key=lambda row: row[0] != "q0")  # topics of judgments keep the order of their first row
        wanted = of_text(tmp_path, qrels, run)
    make = TYPES[kind]
    scores = gc.evaluate(make(qrels, "grade", size), make(run, "score", size), MEASURES)
    assert bits(scores) == bits(wanted)
    assert scores.topics == wanted.topics


IDS: list[Callable[[Any], Any]] = [
    *(
        lambda ids, kind=kind: ids.cast(kind)
        for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.binary())
    ),
    lambda ids: ids.dictionary_encode(),
    lambda ids: ids.dictionary_encode().cast(pa.dictionary(pa.uint16(), pa.string())),
    compute.run_end_encode,
    lambda ids: pa.Array.from_buffers(ids.type, len(ids), [pa.py_buffer(b"\xff" * len(ids)), *ids.buffers()[1:]]),
]
NUMBERS: list[Callable[[Any], Any]] = [
    lambda numbers: numbers,
    lambda numbers: numbers.dictionary_encode(),
    compute.run_end_encode,
    lambda numbers: pa.array(list(map(repr, numbers.to_pylist()))),
]


def any_batches(dice: random.Random, rows: list[Row], value: str) -> list[Any]:
    """Rows under columns of any type in any order, cut anywhere, some batches empty or beginning inside a buffer."""
    topics, documents, numbers = (pa.array([row[i] for row in rows]) for i in (0, 1, 2))
    columns = {
        "qid": dice.choice(IDS)(topics),
        "docno": dice.choice(IDS)(documents),
        value: dice.choice(NUMBERS)(numbers),
    }
    names = dice.sample([*columns, "text"], 4)
    columns["text"] = pa.array([["of", "no", "use"]] * len(rows))
    whole = pa.record_batch({name: columns[name] for name in names})
    cuts = sorted([0, len(rows), *(dice.randint(0, len(rows)) for _ in range(dice.choice([0, 1, 7, 90])))])
    return [whole.slice(start, stop - start) for start, stop in pairwise(cuts)]


@pytest.mark.parametrize("seed", range(20))
def test_any_types_cut_anywhere_give_the_bits_of_text(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    dice = random.Random(seed)
    qrels, run = made(seed, topics=dice.choice([3, 8, 15]), depth=dice.choice([1, 12, 60]))
    if dice.random() < 0.5:
        dice.shuffle(run)
    monkeypatch.setattr(parts, "HELD", dice.choice([1, 2000, 1 << 28]))
    monkeypatch.setattr(reader, "ROWS", dice.choice([1, 50, 1 << 16]))
    scores = gc.evaluate(any_batches(dice, qrels, "grade"), any_batches(dice, run, "score"), MEASURES)
    wanted = of_text(tmp_path, qrels, run)
    assert bits(scores) == bits(wanted)
    assert scores.topics == wanted.topics


@pytest.mark.parametrize(
    "library", ["polars", "polars categorical", "polars lazy", "pandas", "pandas objects", "duckdb"]
)
@pytest.mark.parametrize("order", ["by topic", "shuffled"])
def test_frames_of_every_library(tmp_path: Path, engine: str, library: str, order: str) -> None:
    qrels, run = made(2)
    if order == "shuffled":
        random.Random(5).shuffle(run)
    frames = [frame(library, rows, value) for rows, value in ((qrels, "grade"), (run, "score"))]
    wanted = bits(of_text(tmp_path, qrels, run))
    assert bits(gc.evaluate(*frames, MEASURES)) == wanted
    assert bits(gc.evaluate(frames[0], {"mine": frames[1]}, MEASURES)) == wanted


def frame(library: str, rows: list[Row], value: str) -> Any:
    columns = {"qid": [r[0] for r in rows], "docno": [r[1] for r in rows], value: [r[2] for r in rows]}
    module = pytest.importorskip(library.split(maxsplit=1)[0])
    if library == "duckdb":
        return module.from_arrow(pa.table(columns))
    made_frame = module.DataFrame(columns)
    if library == "polars categorical":
        return made_frame.with_columns(module.col("qid", "docno").cast(module.Categorical))
    if library == "pandas objects":
        return made_frame.astype({"qid": object, "docno": object})
    return made_frame.lazy() if library == "polars lazy" else made_frame


@pytest.mark.parametrize("form", ["Parquet", "row groups", "Arrow file", "Arrow stream"])
@pytest.mark.parametrize("order", ["by topic", "shuffled"])
def test_files_of_every_kind(tmp_path: Path, engine: str, form: str, order: str) -> None:
    qrels, run = made(3)
    if order == "shuffled":
        random.Random(5).shuffle(run)
    paths = []
    for rows, value in ((qrels, "grade"), (run, "score")):
        paths.append(tmp_path / f"{value}.table")
        save(table(rows, value, size=50), paths[-1], form)
    scores = gc.evaluate_files(*paths, MEASURES)
    wanted = of_text(tmp_path, qrels, run)
    assert bits(scores) == bits(wanted)
    assert [source.rows for source in scores.inputs] == [source.rows for source in wanted.inputs]
    assert all(len(source.sha256 or "") == 64 for source in scores.inputs)


def save(given: Any, path: Path, form: str = "Parquet") -> Path:
    if form in ("Parquet", "row groups"):
        parquet.write_table(given, path, row_group_size=30 if form == "row groups" else None)
        return path
    new = pa.ipc.new_file if form == "Arrow file" else pa.ipc.new_stream
    with pa.OSFile(str(path), "wb") as sink, new(sink, given.schema) as writer:
        writer.write_table(given)
    return path


def test_the_numbers_are_those_of_a_plain_loop(engine: str) -> None:
    qrels, run = made(4)
    grades: dict[str, dict[str, float]] = {}
    lists: dict[str, list[tuple[float, bytes, str]]] = {}
    for t, d, g in qrels:
        grades.setdefault(t, {})[d] = g
    for t, d, s in run:
        lists.setdefault(t, []).append((s, d.encode(), d))
    scores = gc.evaluate(table(qrels, "grade"), table(run, "score"), ["nDCG@10", "AP"])
    for i, topic in enumerate(scores.topics):
        ranked = [d for _, _, d in sorted(lists.get(topic, []), reverse=True)]
        ideal = sorted((g for g in grades[topic].values() if g > 0), reverse=True)[:10]
        best = sum(g / math.log2(r + 1) for r, g in enumerate(ideal, 1))
        gain = sum(grades[topic].get(d, 0.0) / math.log2(r + 1) for r, d in enumerate(ranked[:10], 1))
        hits, precision = 0, 0.0
        for rank, d in enumerate(ranked, 1):
            if grades[topic].get(d, 0) > 0:
                hits += 1
                precision += hits / rank
        relevant = sum(g > 0 for g in grades[topic].values())
        assert scores.values[0, 0, i] == pytest.approx(gain / best, abs=1e-12)
        assert scores.values[0, 1, i] == pytest.approx(precision / relevant, abs=1e-12)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_whole_numbers_are_ids_as_they_are_written(tmp_path: Path, kind: str) -> None:
    info = np.iinfo(kind)
    ids = sorted({info.min, info.max, 0, 7, 10, 99, 100, info.max - 1, info.max // 10, -1 if info.min else 1})
    texts = list(decode.digits(np.array(ids, dtype=kind)))
    assert texts == [str(i) for i in ids]
    given = pa.table({"qid": pa.array([1] * len(ids), kind), "docno": pa.array(ids, kind), "grade": [1] * len(ids)})
    assert gc.evaluate(given, {"run": {"1": {str(i): float(-n) for n, i in enumerate(ids)}}}, "AP").values[0, 0, 0] == 1


@pytest.mark.parametrize("size", [1, 300, 1 << 20])
def test_scattered_topics_go_through_files_that_are_removed(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    qrels, run = made(5)
    random.Random(9).shuffle(run)
    wanted = of_text(tmp_path, qrels, run)
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    monkeypatch.setattr(parts, "HELD", size)
    monkeypatch.setattr(reader, "ROWS", 16)
    seen: list[int] = []
    spill = parts._spill
    monkeypatch.setattr(parts, "_spill", lambda blocks, files: (seen.append(len(files)), spill(blocks, files)))
    scores = gc.evaluate(table(qrels, "grade"), table(run, "score", size=9), MEASURES)
    assert bits(scores) == bits(wanted)
    assert bool(seen) is (size < 1 << 20)
    assert list((tmp_path / "temp").iterdir()) == []


@pytest.fixture
def spilling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A run that goes through temporary files: its table, and the files that were opened."""
    opened: list[Any] = []
    make = tempfile.TemporaryFile
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("tempfile.TemporaryFile", lambda: (opened.append(make()), opened[-1])[1])
    monkeypatch.setattr(parts, "HELD", 1)
    return opened


def scattered() -> Any:
    rows = made(5)[1]
    random.Random(9).shuffle(rows)
    return table(rows, "score")


def test_a_stop_in_the_middle_leaves_nothing(
    tmp_path: Path, spilling: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(file: Any) -> Any:
        assert len([file for file in spilling if not file.closed]) == parts.PARTS
        raise KeyboardInterrupt

    monkeypatch.setattr(parts, "_stored", stopped)
    with pytest.raises(KeyboardInterrupt):
        gc.evaluate(table(made(5)[0], "grade"), scattered(), "AP")
    assert all(file.closed for file in spilling)
    assert list(tmp_path.iterdir()) == []


def test_a_full_folder_of_temporary_files_is_named(
    tmp_path: Path, spilling: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(block: Any, file: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(parts, "_store", full)
    told = refusal(lambda: gc.evaluate(table(made(5)[0], "grade"), scattered(), "AP"))
    assert told.startswith("error[input-temporary]")
    assert str(tmp_path) in told
    assert "TMPDIR" in told
    assert all(file.closed for file in spilling)


@pytest.mark.parametrize("order", ["by run", "by topic", "shuffled"])
@pytest.mark.parametrize("size", [1, 7, 65_536])
def test_several_runs_of_one_table(tmp_path: Path, engine: str, order: str, size: int) -> None:
    qrels, first = made(6)
    second = [(t, d, -s) for t, d, s in first if t != "q3"]
    rows = [("bm25", *row) for row in first] + [("splade", *row) for row in second]
    if order == "by topic":
        rows.sort(key=lambda row: row[1])
    if order == "shuffled":
        random.Random(5).shuffle(rows)
    columns = {name: [row[i] for row in rows] for i, name in enumerate(("run", "qid", "docno", "score"))}
    whole = pa.table(columns)
    given = pa.Table.from_batches(whole.to_batches(max_chunksize=size))
    path = save(given, tmp_path / "all.parquet")
    together = [gc.evaluate(table(qrels, "grade"), given, MEASURES)]
    together.append(gc.evaluate_files(written(tmp_path, qrels, first)[0], path, MEASURES))
    apart = {name: gc.evaluate_files(tmp_path / "q.txt", f"{path}#{name}", MEASURES) for name in ("bm25", "splade")}
    for scores in together:
        for name, run in (("bm25", first), ("splade", second)):
            mine = [row[1:] for row in rows if row[0] == name]
            assert sorted(mine) == sorted(run)
            wanted = of_text(tmp_path, qrels, mine)
            assert scores.values[scores.runs.index(name)].tobytes() == wanted.values[0].tobytes()
            assert apart[name].values[0].tobytes() == wanted.values[0].tobytes()


def test_where_one_run_is_wanted_several_are_refused(tmp_path: Path) -> None:
    several = pa.table({"system": ["a", "b"], "qid": ["1", "1"], "docno": ["x", "x"], "score": [1.0, 2.0]})
    path = save(several, tmp_path / "all.parquet")
    with pytest.raises(InputError, match=r"holds 2 runs: a, b"):
        gc.read_run(path)
    with pytest.raises(InputError, match=r"holds 2 runs: a, b"):
        gc.Run.of(several)
    assert (gc.read_run(f"{path}#b").name, gc.read_run(f"{path}#b").scores.tolist()) == ("b", [2.0])
    with pytest.raises(InputError, match="nothing called 'c': it holds a, b"):
        gc.read_run(f"{path}#c")
    alone = save(pa.table({"system": ["a"], "qid": ["1"], "docno": ["x"], "score": [1.0]}), tmp_path / "one.parquet")
    assert (gc.read_run(alone).name, gc.read_run(f"{alone}#a").name) == ("one", "a")
    bare = save(pa.table({"qid": ["1"], "docno": ["x"], "score": [1.0]}), tmp_path / "bare.parquet")
    with pytest.raises(InputError, match="one run without a name"):
        gc.read_run(f"{bare}#a")


RANKED, MERGED = {"1": {"x": 1.0}, "2": {"y": 1.0}}, ("mean", "median", "min", "max")


def test_judges_are_merged_by_a_rule_or_named(tmp_path: Path) -> None:
    rows = {"judge": ["ann", "bob", "ann"], "qid": ["1", "1", "2"], "docno": ["x", "x", "y"], "grade": [1, 2, 0]}
    path = save(pa.table(rows), tmp_path / "q.parquet")
    with pytest.raises(InputError, match="2 judges differ") as caught:
        gc.read_judgments(path)
    assert caught.value.slug == "judges-differ"
    assert gc.read_judgments(path, judges="mean").to_dict() == {"1": {"x": 1.5}, "2": {"y": 0.0}}
    assert gc.read_judgments(f"{path}#bob").to_dict()["1"] == {"x": 2.0}
    signed = {
        rule: str(gc.evaluate(gc.read_judgments(path, judges=rule), RANKED, "CG@1").signatures[0]) for rule in MERGED
    }
    assert all(f"|judgments:{rule}(judges=2)|topics:2|" in text for rule, text in signed.items())
    rows["grade"] = [1, 1, 0]
    agreeing = gc.read_judgments(save(pa.table(rows), path), judges="mean")
    for one_grade in (agreeing, gc.read_judgments(f"{path}#ann")):
        assert "judgments:" not in str(gc.evaluate(one_grade, RANKED, "CG@1").signatures[0])
    assert agreeing.to_qrels() == "1 0 x 1\n2 0 y 0\n"
    assert gc.agree(gc.read_judgments(f"{path}#ann"), gc.read_judgments(f"{path}#bob"))


def test_folders_patterns_and_keys(tmp_path: Path) -> None:
    qrels, run = made(7)
    wanted = of_text(tmp_path, qrels, run)
    half = len(run) // 2
    parted = tmp_path / "spark"
    parted.mkdir()
    save(table(run[:half], "score"), parted / "part-00000-a.parquet")
    save(table(run[half:], "score"), parted / "part-00001-b.parquet")
    (parted / "_SUCCESS").write_text("")
    apart = tmp_path / "runs"
    apart.mkdir()
    save(table(run, "score"), apart / "bm25.parquet")
    save(table(run, "score"), apart / "splade.arrow", "Arrow file")
    keyed = tmp_path / "keyed"
    for name in ("run=a", "run=b"):
        (keyed / name).mkdir(parents=True)
        save(table(run, "score"), keyed / name / "part-0.parquet")
    for path, names in (
        (parted, ["spark"]),
        (f"{parted}/", ["spark"]),
        (apart, ["bm25", "splade"]),
        (apart / "*", ["bm25", "splade"]),
        (keyed, ["a", "b"]),
        (f"{keyed}#b", ["b"]),
    ):
        scores = gc.evaluate_files(tmp_path / "q.txt", path, MEASURES)
        assert list(scores.runs) == names
        assert {values.tobytes() for values in scores.values} == {wanted.values[0].tobytes()}


def test_names_of_folders_are_as_hive_writes_them(tmp_path: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    names = ["bm25", "k1=0.9/b=0.4", "ü %41#x"]
    rows = [(name, "1", d, float(i)) for name in names for i, d in enumerate("ab")]
    given = pa.table({key: [row[i] for row in rows] for i, key in enumerate(("run", "qid", "docno", "score"))})
    for form in ("parquet", "feather"):
        flavour = {"format": form, "partitioning": ["run"], "partitioning_flavor": "hive"}
        dataset.write_dataset(given, tmp_path / form, **flavour)
        scores = gc.evaluate({"1": {"b": 1}}, tmp_path / form, "RR")
        assert sorted(scores.runs) == sorted(names)
    unnamed = given.set_column(0, "run", pa.array(["bm25", "bm25", None, None, None, None]))
    dataset.write_dataset(unnamed, tmp_path / "null", **flavour)
    told = refusal(lambda: gc.evaluate({"1": {"b": 1}}, tmp_path / "null", "RR"))
    assert "null cannot be a run id (column 'run')" in told


def test_files_of_a_folder_may_store_columns_in_several_ways(tmp_path: Path) -> None:
    """What a folder holds was written over months: another order, whole numbers, texts, dictionaries."""
    rows = [("1", "7", 3.0), ("1", "8", 2.0), ("2", "7", 1.0), ("2", "9", 4.0)]
    save(table(rows[:1], "score"), tmp_path / "part-0.parquet")
    save(pa.table({"score": [2], "docno": [8], "qid": [1]}), tmp_path / "part-1.parquet")
    save(pa.table({"qid": ["2"], "docno": ["7"], "score": ["1.0"]}), tmp_path / "part-2.arrow", "Arrow file")
    save(table(rows[3:], "score", coded=True), tmp_path / "part-3.parquet")
    assert gc.read_run(tmp_path).to_dict() == {"1": {"7": 3.0, "8": 2.0}, "2": {"9": 4.0, "7": 1.0}}
    broken = [
        ({"docno": pa.array([1.5])}, "input-id", "column 'docno' is of type float", 0),
        ({"score": pa.array([[1.0]])}, "input-number", "column 'score' is of type nested", 0),
        ({"score": ["x"]}, "run-score", "score 'x' is not a finite number (column 'score')", 0),
        ({"qid": ["1", None], "docno": ["a", "b"], "score": [1.0, 1.0]}, "input-id", "null cannot be a topic id", 1),
    ]
    for columns, slug, text, row in broken:
        save(pa.table({"qid": ["3"], "docno": ["7"], "score": [1.0], **columns}), tmp_path / "part-4.parquet")
        told = refusal(lambda: gc.read_run(tmp_path))
        assert told.startswith(f"error[{slug}]")
        assert text in told
        assert f"{tmp_path / 'part-4.parquet'}, row {row} (from 0)" in told
        assert refusal(lambda: gc.evaluate({"1": {"7": 1}}, tmp_path, "AP")) == told
    save(pa.table({"qid": ["3"], "docno": ["7"]}), tmp_path / "part-4.parquet")
    assert "has other columns than" in refusal(lambda: gc.read_run(tmp_path))


def test_runs_in_files_and_folders_of_a_folder_stay_apart(tmp_path: Path) -> None:
    """One run each, although all are called part-0 and share no document: together they would be another run."""
    folder = tmp_path / "runs"
    for name, document in (("bm25", "a"), ("splade", "b")):
        (folder / name).mkdir(parents=True)
        save(pa.table({"qid": ["1"], "docno": [document], "score": [1.0]}), folder / name / "part-0.parquet")
    save(pa.table({"qid": ["1"], "docno": ["c"], "score": [1.0]}), folder / "dense.parquet")
    wanted = {"bm25": {"RR": 1.0}, "dense": {"RR": 0.0}, "splade": {"RR": 0.0}}
    judged = {"1": {"a": 1, "d": 1}}
    (tmp_path / "q.txt").write_text("1 0 a 1\n1 0 d 1\n")
    for given in (folder, str(folder), [folder], folder / "*"):
        assert gc.evaluate(judged, given, "RR").summary() == wanted
    assert gc.evaluate_files(tmp_path / "q.txt", folder, "RR").summary() == wanted
    assert gc.check(judged, folder).signature
    assert gc.pool(folder, depth=1).lists.runs == ("bm25", "dense", "splade")
    assert gc.read_run(f"{folder}#splade").documents[0] == "b"
    assert "holds 3 runs: bm25, dense, splade" in refusal(lambda: gc.read_run(folder))
    assert "holds 3 files: bm25, dense, splade" in refusal(lambda: gc.read_judgments(folder))
    assert "holds 3 files" in refusal(lambda: gc.read_run(f"{folder}#none"))


@pytest.mark.parametrize("given", ["path", "table"])
def test_several_runs_of_one_table_wherever_runs_are(tmp_path: Path, given: str) -> None:
    several = pa.table(
        {"system": ["a", "a", "b"], "qid": ["1"] * 3, "docno": ["x", "y", "y"], "score": [1.0, 2.0, 2.0]}
    )
    runs = save(several, tmp_path / "all.parquet") if given == "path" else several
    judged = {"1": {"x": 1, "y": 2}, "2": {"z": 1}}
    assert gc.evaluate(judged, runs, "RR").runs == gc.curves(judged, runs, depth=2).runs == ("a", "b")
    assert gc.evaluate(judged, {"other": gc.Run.of({"1": ["x"]}), "name": runs}, "RR").runs == ("other", "a", "b")
    assert [(pair.a, pair.b) for pair in gc.compare(judged, runs, ["RR"]).pairs] == [("a", "b")]
    assert gc.pool(runs, depth=2).lists.runs == ("a", "b")
    assert gc.decide(judged, runs).pairs[0].b == "b"
    assert len(gc.votes(runs).runs) == 2
    assert len(gc.check(judged, runs).inputs) == 3


def test_commands_take_several_runs_of_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    several = pa.table(
        {"system": ["a", "a", "b"], "qid": ["1"] * 3, "docno": ["x", "y", "y"], "score": [1.0, 2.0, 2.0]}
    )
    path = str(save(several, tmp_path / "all.parquet"))
    judged = tmp_path / "q.txt"
    judged.write_text("1 0 x 1\n1 0 y 2\n")
    for command in (["check", judged, path], ["pool", path], ["votes", path], ["decide", judged, path]):
        assert main([*map(str, command)]) in (0, 1)
        assert capsys.readouterr().err.count(", Parquet: ") == 2


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(GaincurveError) as caught:
        action()
    return str(caught.value)


GOOD = {"qid": ["1", "1", "2"], "docno": ["a", "b", "c"], "score": [1.0, 2.0, 3.0]}
REFUSED = [
    ("qid", [1.0, 1.0, 2.0], "input-id", "column 'qid' is of type float, which cannot hold topic ids"),
    ("docno", [1.5, 1.0, 2.0], "input-id", "column 'docno' is of type float"),
    (
        "docno",
        ["a", None, "c"],
        "input-id",
        "null cannot be a document id (column 'docno')\n  at   run, row 1 (from 0)",
    ),
    ("docno", ["a", "", "c"], "input-id", "'' cannot be a document id (column 'docno')\n  at   run, row 1 (from 0)"),
    ("qid", [1, None, 2], "input-id", "null cannot be a topic id (column 'qid')\n  at   run, row 1 (from 0)"),
    ("qid", [True, True, False], "input-id", "of type boolean"),
    ("qid", [["1"], ["1"], ["2"]], "input-id", "of type nested"),
    ("score", [1.0, None, 3.0], "run-score", "score null is not a finite number (column 'score')\n  at   run, row 1"),
    (
        "score",
        [1.0, 2.0, math.nan],
        "run-score",
        "score nan is not a finite number (column 'score')\n  at   run, row 2",
    ),
    ("score", [1.0, math.inf, 2.0], "run-score", "score inf is not a finite number"),
    ("score", ["1", "x", "3"], "run-score", "score 'x' is not a finite number"),
    ("score", [[1.0], [2.0], [3.0]], "input-number", "column 'score' is of type nested, which cannot hold a score"),
    (
        "docno",
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 1]), pa.array([5, None])),
        "input-id",
        "null cannot be a document id (column 'docno')\n  at   run, row 1 (from 0); run, row 2 (from 0)",
    ),
    ("score", pa.DictionaryArray.from_arrays(pa.array([0, 0, 1]), pa.array([5.0, None])), "run-score", "score null"),
]


@pytest.mark.parametrize(("column", "values", "slug", "text"), REFUSED)
def test_what_cannot_be_an_id_or_a_number_is_named(column: str, values: Any, slug: str, text: str) -> None:
    given = pa.table({**GOOD, column: values})
    told = refusal(lambda: gc.Run.of(given))
    assert told.startswith(f"error[{slug}]")
    assert text in told
    assert refusal(lambda: gc.evaluate({"1": {"a": 1}}, given, "AP")) == told


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (pa.decimal128(9, 2), "decimal"),
        (pa.timestamp("s"), "timestamp"),
        (pa.date32(), "date"),
        (pa.list_(pa.int8()), "nested"),
    ],
)
@pytest.mark.parametrize("column", ["qid", "docno", "score"])
def test_types_are_refused_by_name(kind: Any, word: str, column: str) -> None:
    given = pa.table({**GOOD, column: pa.nulls(3, kind)})
    assert f"column '{column}' is of type {word}" in refusal(lambda: gc.Run.of(given))


def test_many_broken_rows_of_several_batches_are_gathered() -> None:
    given = pa.table({"qid": ["1"] * 50, "docno": [None] * 50, "score": [1.0] * 50})
    told = refusal(lambda: gc.Run.of(pa.Table.from_batches(given.to_batches(max_chunksize=7))))
    assert "run, row 0 (from 0); run, row 1 (from 0)" in told
    assert "and 30 more of the kind" in told


def test_a_repeated_document_is_refused_with_both_rows_or_left_out(tmp_path: Path, engine: str) -> None:
    rows = [("1", "a", 3.0), ("1", "b", 2.0), ("2", "a", 1.0), ("1", "a", 1.0)]
    given = table(rows, "score", size=1)
    told = refusal(lambda: gc.evaluate({"1": {"a": 1}}, {"mine": given}, "AP"))
    assert "topic 1 lists document a twice\n  at   mine, row 3 (from 0) (first at mine, row 0 (from 0))" in told
    path = save(given, tmp_path / "r.parquet")
    text = written(tmp_path, [("1", "a", 1.0)], rows)
    for run in (path, text[1]):
        scores = gc.evaluate_files(text[0], run, "AP", duplicates="first")
        assert scores.values.ravel().tolist() == [1.0]
        assert [n.text for n in scores.notes if n.slug == "duplicates-dropped"] == [
            f"{run}: 1 repeated document left out"
        ]


def test_two_columns_for_one_thing_are_compared_in_every_batch() -> None:
    same = pa.table({"qid": [1, 1], "topic": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    assert gc.Run.of(same).notes == ()
    other = pa.table({"qid": ["1", "1"], "topic": ["1", "2"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    given = pa.Table.from_batches(other.to_batches(max_chunksize=1))
    told = refusal(lambda: gc.Run.of(given))
    assert "topic ids could be column 'qid' or 'topic', which differ: '1' and '2'\n  at   run, row 1 (from 0)" in told
    assert gc.Run.of(given, columns={"topic": "topic"}).topics == ("1", "2")
    noted = gc.Run.of(pa.table({"qid": [1], "query": ["some text"], "docno": ["a"], "docid": [4], "score": [1.0]}))
    assert [note.slug for note in noted.notes] == ["columns-chosen", "columns-chosen"]


def test_two_columns_of_one_name_ask_for_another_name() -> None:
    twice = pa.Table.from_arrays(
        [pa.array([column]) for column in ("1", "a", 1.0, 2.0)], ["qid", "docno", "score", "score"]
    )
    assert "rename or drop one of the two" in refusal(lambda: gc.Run.of(twice))


def test_batches_of_other_types_are_told_apart() -> None:
    batches = [pa.table({**GOOD, "qid": topics}).to_batches()[0] for topics in (["1", "1", "2"], [1, 1, 2])]
    assert "qid (integer), docno (text), score (float), not qid (text)" in refusal(lambda: gc.Run.of(batches))


def test_a_column_that_is_no_table_is_called_by_its_type() -> None:
    assert "single column of type integer" in refusal(lambda: gc.Run.of(pa.chunked_array([[1, 2]])))


def test_exchanged_judgments_and_scores_are_refused(tmp_path: Path) -> None:
    run = [(f"q{t}", f"d{d}", 20 - d + t / 7) for t in range(3) for d in range(12)]
    with pytest.raises(InputError, match="look like scores"):
        gc.evaluate(table(run, "score"), table(run, "score"), "AP")
    doubtful = [(t, d, s) for t, d, s in run if int(d[1:]) < 6]
    whole = [(t, d, float(int(d[1:]) % 2)) for t, d, _ in doubtful]
    for order in (1, 2):
        random.Random(order).shuffle(whole)
        with pytest.raises(InputError, match="exchanged"):
            gc.evaluate(table(doubtful, "score"), table(whole, "score"), "AP")


def test_ids_that_are_spelt_otherwise_are_refused_as_in_text(tmp_path: Path, engine: str) -> None:
    qrels = [("1", f"D{i}", 1.0) for i in range(40)]
    run = [("1", f"d{i}", float(-i)) for i in range(40)]
    text = refusal(lambda: of_text(tmp_path, qrels, run))
    path = save(table(run, "score"), tmp_path / "text.parquet")
    assert refusal(lambda: gc.evaluate_files(tmp_path / "q.txt", path, MEASURES)) == text.replace(
        "text.run", "text.parquet"
    )


@pytest.mark.parametrize("ties", TIE_RULES)
@pytest.mark.parametrize("order", ["by topic", "shuffled"])
def test_every_tie_rule_and_ranks_that_contradict(tmp_path: Path, engine: str, ties: str, order: str) -> None:
    dice = random.Random(3)
    rows = [(f"q{t}", f"d{d}", float(dice.randint(0, 6)), dice.randint(1, 40)) for t in range(6) for d in range(30)]
    if order == "shuffled":
        dice.shuffle(rows)
    (tmp_path / "q.txt").write_text("".join(f"q{t} 0 d{d} {d % 4}\n" for t in range(6) for d in range(0, 30, 2)))
    (tmp_path / "mine.run").write_text("".join(f"{t} Q0 {d} {r} {s} x\n" for t, d, s, r in rows))
    names = ("qid", "docno", "score", "rank")
    given = pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)})
    wanted = gc.evaluate_files(tmp_path / "q.txt", tmp_path / "mine.run", MEASURES, ties=ties)
    judged = gc.read_judgments(tmp_path / "q.txt")
    path = save(given, tmp_path / "mine.parquet")
    for scores in (
        gc.evaluate(judged, {"mine": given}, MEASURES, ties=ties),
        gc.evaluate_files(tmp_path / "q.txt", path, MEASURES, ties=ties),
    ):
        assert bits(scores) == bits(wanted)
        assert {n.text for n in scores.notes} == {n.text for n in wanted.notes}


@pytest.mark.parametrize("order", ["by topic", "shuffled"])
def test_scores_that_rise_from_row_to_row_are_noted(tmp_path: Path, engine: str, order: str) -> None:
    run = [(f"q{t}", f"d{i}", float(i)) for t in range(4) for i in range(30)]
    if order == "shuffled":
        run = [row for i in range(30) for row in run[i::30]]
    qrels = [(f"q{t}", f"d{i}", 1.0) for t in range(4) for i in range(0, 30, 3)]
    wanted = of_text(tmp_path, qrels, run)
    scores = gc.evaluate(table(qrels, "grade"), {"text": table(run, "score", size=9)}, MEASURES)
    assert "scores-rising" in [note.slug for note in wanted.notes]
    assert {note.text for note in scores.notes} == {note.text for note in wanted.notes}


def test_measures_of_scores_and_bounds_agree_too(tmp_path: Path, engine: str) -> None:
    qrels, run = made(8)
    path = save(table(run, "score"), tmp_path / "text.parquet")
    for measures, choices in ((["RBP@20"], {"unjudged": "bounds"}), (["nDCG@5"], {"unjudged": "condensed"})):
        wanted = gc.evaluate_files(*written(tmp_path, qrels, run), measures, **choices)
        assert bits(gc.evaluate_files(tmp_path / "q.txt", path, measures, **choices)) == bits(wanted)
        assert bits(gc.evaluate(table(qrels, "grade"), table(run, "score"), measures, **choices)) == bits(wanted)


def test_no_python_string_is_made_for_a_row(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, topics = 200_000, 100
    number = np.arange(rows)
    given = pa.table(
        {
            "qid": pa.array(number // (rows // topics)).cast(pa.string()),
            "docno": pa.array([f"document-{i}" for i in range(rows)]),
            "score": pa.array(-(number % (rows // topics)).astype(float)),
        }
    )
    judgments = gc.Judgments.of({str(t): {f"document-{t * 2000 + i}": 1 for i in range(5)} for t in range(topics)})
    built: list[int] = []
    bytes_at = Ids.bytes_at
    monkeypatch.setattr(Ids, "bytes_at", lambda self, i: (built.append(i), bytes_at(self, i))[1])
    monkeypatch.setattr(Ids, "texts", lambda self: (built.extend(range(len(self))), list(self))[1])
    tracemalloc.start()
    scores = gc.evaluate(judgments, given, "AP")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert scores.values.ravel().tolist() == [1.0] * topics
    assert len(built) < 30 * topics
    calls: list[str] = []
    sys.setprofile(lambda frame, event, argument: calls.append(event))  # also of what is written in C
    gc.evaluate(judgments, given, "AP")
    sys.setprofile(None)
    assert len(calls) < rows // 5  # nothing is called for a row, whatever it makes and forgets
    assert (
        peak < 300 * reader.ROWS + 64 * 2 * rows // 10
    )  # arrays of a few blocks; a string a row would take 60 bytes each


def test_a_polars_frame_needs_no_pyarrow() -> None:
    pytest.importorskip("polars")
    code = """
import sys
sys.modules["pyarrow"] = None
import polars as pl, gaincurve as gc
qrels = pl.DataFrame({"qid": [1, 1], "docno": ["a", "a document with a long id"], "grade": [1, 2]})
run = pl.DataFrame({"qid": ["1", "1"], "docno": ["x", "a document with a long id"], "score": [2.0, 1.0]})
print(gc.evaluate(qrels, run, "RR").values[0, 0, 0], gc.evaluate(qrels, run.lazy(), "RR").values[0, 0, 0])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "0.5 0.5\n", done.stderr


def test_a_file_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(pa.table(GOOD), tmp_path / "r.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install 'gaincurve[arrow]'" in refusal(lambda: gc.read_run(path))


@pytest.mark.parametrize("head", [b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"])
def test_damaged_files_are_refused(tmp_path: Path, head: bytes) -> None:
    (tmp_path / "r.parquet").write_bytes(head + bytes(range(256)))
    assert refusal(lambda: gc.read_run(tmp_path / "r.parquet")).startswith("error[input-damaged]")
    for form in ("Parquet", "Arrow file", "Arrow stream"):
        whole = save(pa.table({**GOOD, "docno": ["a" * 50, "b", "c"]}), tmp_path / "whole", form).read_bytes()
        for at in range(0, len(whole), 11):
            broken = bytearray(whole)
            broken[at] ^= 0xFF
            (tmp_path / "broken").write_bytes(broken)
            try:
                gc.read_run(tmp_path / "broken")
            except GaincurveError:
                continue


def test_offsets_of_a_hostile_producer_are_checked() -> None:
    good = pa.array(["abc", "de", "f"])
    offsets = pa.py_buffer(np.array([0, 3, 2, 6], dtype=np.int32).tobytes())
    broken = pa.Array.from_buffers(pa.string(), 3, [None, offsets, good.buffers()[2]])
    assert "go backwards" in refusal(lambda: gc.Run.of(pa.table({**GOOD, "docno": broken})))


def test_batches_are_released(monkeypatch: pytest.MonkeyPatch) -> None:
    before = pa.total_allocated_bytes()
    qrels, run = made(1)
    for given in (table(run, "score", size=3), table(run, "score").to_reader()):
        gc.evaluate(table(qrels, "grade"), given, "AP")
    del given
    assert pa.total_allocated_bytes() <= before + 4096
    assert capsules.__doc__


def test_sliced_batches_begin_where_they_should(tmp_path: Path, engine: str) -> None:
    qrels, run = made(1)
    padded = [("zz", "before", 9.0)] * 11 + run + [("zz", "after", 9.0)] * 3
    for ids in (pa.string(), pa.string_view(), pa.large_binary()):
        sliced = table(padded, "score", ids).slice(11, len(run))
        assert bits(gc.evaluate(table(qrels, "grade"), sliced, MEASURES)) == bits(of_text(tmp_path, qrels, run))


@pytest.mark.parametrize("address", ["s3://bucket/run.parquet", "hf://datasets/x/y.parquet", "https://x.org/run.txt"])
def test_remote_addresses_are_refused_with_advice(tmp_path: Path, address: str) -> None:
    told = refusal(lambda: gc.read_run(address))
    assert told.startswith("error[input-remote]")
    assert "try " in told


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text("1 0 a 1\n1 0 b 0\n"))
    writer.start()
    assert gc.read_judgments(tmp_path / "pipe").to_dict() == {"1": {"a": 1.0, "b": 0.0}}
    writer.join()


def test_a_file_named_with_a_mark_is_itself(tmp_path: Path) -> None:
    path = save(pa.table(GOOD), tmp_path / "r#1.parquet")
    assert (gc.read_run(path).name, os.fspath(path)) == ("r#1", addresses.split_part(path)[0])


@pytest.mark.parametrize("column", ["name", "run"])
def test_runs_named_by_a_vague_column_are_noted(column: str) -> None:
    """A column `name` may hold the names of products; text and records do not take it for runs, tables say so."""
    rows = {"qid": ["1", "1"], "docno": ["x", "y"], "score": [2.0, 1.0], column: ["Lamp", "Desk"]}
    scores = gc.evaluate({"1": {"x": 1}}, pa.table(rows), "RR")
    assert scores.runs == ("Lamp", "Desk")
    said = [note.text for note in scores.notes if note.slug == "columns-chosen"]
    assert any("column 'name' is read as the names of 2 runs" in text for text in said) == (column == "name")
    assert bool(said) == (column == "name")
