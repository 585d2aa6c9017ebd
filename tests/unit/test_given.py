"""Judgments and runs in every shape that other tools hold them in: the same numbers, or a message that says where."""

from __future__ import annotations

import os
from collections import namedtuple
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gaincurve as gc

JUDGED = {"q1": {"d1": 3, "d2": 1, "d3": 0}, "q2": {"d7": 2, "d1": 1}}
FOUND = {"q1": {"d2": 9.5, "d1": 7.1, "d9": 7.0}, "q2": {"d7": 1.2, "d3": 0.4, "d1": 0.1}}
MEASURES = ["nDCG@10", "AP"]
WANTED = gc.evaluate(JUDGED, FOUND, MEASURES).summary()["run"]
GRADES = [(q, d, g) for q, by_document in JUDGED.items() for d, g in by_document.items()]
SCORED = [(q, d, s) for q, by_document in FOUND.items() for d, s in by_document.items()]
QREL = ("query_id", "doc_id", "relevance", "iteration")
HIT = ("query_id", "doc_id", "score")


@dataclass
class Judged:
    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


@dataclass(frozen=True)
class Hit:
    query_id: str
    doc_id: str
    score: float


class Rows:
    """What a Hugging Face data set has: column names, a length, columns of a slice in the format that is set."""

    def __init__(self, names: Sequence[str], rows: list[tuple[Any, ...]], set_to: str | None = "numpy"):
        self.column_names, self.rows, self.set_to = list(names), rows, set_to

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.column_names, row, strict=True)) for row in self.rows)

    def with_format(self, kind: str | None) -> Rows:
        return Rows(self.column_names, self.rows, kind)

    def __getitem__(self, key: slice) -> dict[str, Any]:
        columns = list(zip(*self.rows[key], strict=True))
        made = list if self.set_to is None else np.array
        return {name: made(column) for name, column in zip(self.column_names, columns, strict=True)}


class Streamed:
    """One that streams: rows only."""

    def __init__(self, rows: Rows):
        self.column_names, self.rows = None, rows

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)


class Kept:
    """What ranx objects have in common."""

    def __init__(self, values: Any, name: str | None = None):
        self.values, self.name = values, name

    def to_dict(self) -> Any:
        return self.values

    def to_typed_list(self) -> Any:
        return list(self.values)


Qrels, Run = type("Qrels", (Kept,), {}), type("Run", (Kept,), {})
NamedGrade, NamedHit = namedtuple("Qrel", QREL), namedtuple("ScoredDoc", HIT)  # type: ignore[misc]


def dicts(names: Sequence[str], rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=False)) for row in rows]


def structured(names: Sequence[str], rows: list[tuple[Any, ...]], text: str = "U8") -> Any:
    return np.array(rows, dtype=list(zip(names, (text, text, "f8"), strict=False)))


def frame(names: Sequence[str], rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(names[:3]))


SHAPES: dict[str, tuple[Any, Any]] = {
    "dict records": (dicts(QREL, GRADES), dicts(HIT, SCORED)),
    "dicts of an iterator": (iter(dicts(QREL, GRADES)), iter(dicts(HIT, SCORED))),
    "dataclasses": ([Judged(*row) for row in GRADES], [Hit(*row) for row in SCORED]),
    "an iterator of dataclasses": ((Judged(*row) for row in GRADES), (Hit(*row) for row in SCORED)),
    "named tuples": ([NamedGrade(*row, "0") for row in GRADES], [NamedHit(*row) for row in SCORED]),
    "a generator of named tuples": ((NamedGrade(*row, "0") for row in GRADES), (NamedHit(*row) for row in SCORED)),
    "record arrays": (structured(QREL, GRADES), structured(HIT, SCORED)),
    "record arrays of bytes": (structured(QREL, GRADES, "S8"), structured(HIT, SCORED, "S8")),
    "np.recarray": (structured(QREL, GRADES).view(np.recarray), structured(HIT, SCORED).view(np.recarray)),
    "arrays of objects": (np.array(GRADES, dtype=object), np.array(SCORED, dtype=object)),
    "data sets": (Rows(QREL[:3], GRADES), Rows(HIT, SCORED)),
    "streamed data sets": (Streamed(Rows(QREL[:3], GRADES)), Streamed(Rows(HIT, SCORED))),
    "two levels of index": (
        frame(QREL, GRADES).set_index(["query_id", "doc_id"]), frame(HIT, SCORED).set_index(["query_id", "doc_id"]),
    ),
    "topics in the index": (frame(QREL, GRADES).set_index("query_id"), frame(HIT, SCORED).set_index("query_id")),
    "series": (
        frame(QREL, GRADES).set_index(["query_id", "doc_id"])["relevance"],
        frame(HIT, SCORED).set_index(["query_id", "doc_id"])["score"],
    ),
    "series without a name": (
        frame(QREL, GRADES).set_index(["query_id", "doc_id"])["relevance"].rename(None),
        frame(HIT, SCORED).set_index(["query_id", "doc_id"])["score"].rename(None),
    ),
    "an index that is also a column": (
        frame(QREL, GRADES).set_index("query_id", drop=False), frame(HIT, SCORED).set_index("query_id", drop=False),
    ),
    "ranx objects": (Qrels(JUDGED), Run(FOUND)),
}  # fmt: skip


@pytest.mark.parametrize(("judged", "found"), SHAPES.values(), ids=SHAPES)
def test_every_shape_gives_the_same_numbers(judged: Any, found: Any) -> None:
    assert gc.evaluate(judged, found, MEASURES).summary() == {"run": WANTED}


@pytest.mark.parametrize("shape", [name for name in SHAPES if "iterator" not in name and "generator" not in name])
def test_every_shape_stands_in_lists_and_under_names(shape: str) -> None:
    judged, found = SHAPES[shape]
    assert gc.evaluate(judged, [found, found], MEASURES).summary() == {"run1": WANTED, "run2": WANTED}
    assert gc.evaluate(judged, {"a": found, "b": FOUND}, MEASURES).summary() == {"a": WANTED, "b": WANTED}
    assert gc.evaluate(judged, {"b": FOUND, "a": found}, MEASURES).summary() == {"a": WANTED, "b": WANTED}
    assert len(gc.Judgments.of(judged)) == 5
    assert gc.Run.of(found, "x").ranking_of("q1") == ["d2", "d1", "d9"]


def summaries(judged: Any, *runs: Any) -> list[object]:
    """What each verb answers about two runs of these shapes; `runs` makes them anew each time."""
    both = [lambda: [make() for make in runs], lambda: dict(zip("ab", (make() for make in runs), strict=True))]
    answers: list[object] = []
    for given in both:
        answers += [
            list(gc.evaluate(judged(), given(), MEASURES).summary().values()),
            gc.compare(judged(), given(), MEASURES).pairs[0].difference,
            gc.curves(judged(), given(), depth=3).to_frame("pandas")["value"].tolist(),
            [(finding.about, finding.text) for finding in gc.check(judged(), given()).findings],
            len(gc.sweep(judged(), given()).settings),
            [check.failed for check in gc.gate(judged(), given(), {"AP": 0.5}).checks],
            len(gc.pool(given(), judged(), depth=2).lists),
            gc.decide(judged(), given()).pairs[0].certain,
            str(gc.agree(JUDGED, judged(), given())).splitlines()[:3],
            len(gc.votes(given()).runs),
            len(gc.effort(judged(), given()).to_frame("pandas")),
        ]
    return answers


ONCE: dict[str, tuple[Any, Any]] = {
    "iterators of dicts": (lambda: iter(dicts(QREL, GRADES)), lambda: iter(dicts(HIT, SCORED))),
    "generators of named tuples": (
        lambda: (NamedGrade(*row, "0") for row in GRADES), lambda: (NamedHit(*row) for row in SCORED),
    ),
    "readers": (lambda: arrow(QREL, GRADES).to_reader(), lambda: arrow(HIT, SCORED).to_reader()),
    "batches": (lambda: arrow(QREL, GRADES).to_batches(), lambda: arrow(HIT, SCORED).to_batches()),
}  # fmt: skip


def arrow(names: Any, rows: list[Any]) -> Any:
    return pytest.importorskip("pyarrow").Table.from_pandas(frame(names, rows))


@pytest.mark.parametrize(
    "shape", [*(name for name in SHAPES if "iterator" not in name and "generator" not in name), *ONCE]
)
def test_every_verb_takes_every_shape(shape: str) -> None:
    """In lists and under names, however often a verb looks at them."""
    judged, found = ONCE.get(shape) or tuple((lambda given=given: given) for given in SHAPES[shape])
    assert summaries(judged, found, found) == summaries(lambda: JUDGED, lambda: FOUND, lambda: FOUND)


def test_agree_refuses_two_runs_of_one_name() -> None:
    with pytest.raises(gc.InputError, match="two runs are named 'a'"):
        gc.agree(JUDGED, JUDGED, [gc.Run.of(FOUND, "a"), gc.Run.of(FOUND, "a")])


def test_our_own_runs_are_no_records() -> None:
    runs = [gc.Run.of(FOUND, "a"), gc.Run.of(FOUND, "b")]
    assert gc.evaluate(gc.Judgments.of(JUDGED), runs, MEASURES).summary() == {"a": WANTED, "b": WANTED}
    assert gc.evaluate(JUDGED, iter(runs), MEASURES).runs == ("a", "b")


def test_the_name_under_which_a_run_is_given_is_its_name() -> None:
    run = gc.Run.of(FOUND, "bm25")
    assert gc.evaluate(JUDGED, {"a": run, "b": run}, MEASURES).summary() == {"a": WANTED, "b": WANTED}
    assert gc.pool({"a": run, "b": run}, depth=2).lists.runs == ("a", "b")
    assert gc.evaluate(JUDGED, {"a": Run(FOUND, "bm25")}, MEASURES).runs == ("a",)
    assert run.name == "bm25"


def test_ranx_runs_know_their_names() -> None:
    both = gc.evaluate(JUDGED, [Run(FOUND, "bm25"), Run(FOUND)], MEASURES)
    assert both.runs == ("bm25", "run2")
    assert gc.evaluate(JUDGED, Run(FOUND, "bm25"), MEASURES).runs == ("bm25",)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in GRADES))
    for name in ("bm25", "dense"):
        (tmp_path / f"{name}.run").write_text("".join(f"{q} Q0 {d} 1 {s} x\n" for q, d, s in SCORED))
    return tmp_path


@pytest.mark.parametrize("made", [Path, str, os.fspath])
def test_paths_are_read_wherever_judgments_and_runs_are(files: Path, made: Any) -> None:
    judged, bm25, dense = (made(files / name) for name in ("qrels.txt", "bm25.run", "dense.run"))
    assert gc.evaluate(judged, bm25, MEASURES).summary() == {"bm25": WANTED}
    assert gc.evaluate(judged, [bm25, dense], MEASURES).summary() == {"bm25": WANTED, "dense": WANTED}
    assert gc.evaluate(judged, {"x": bm25, "y": FOUND}, MEASURES).summary() == {"x": WANTED, "y": WANTED}
    assert gc.evaluate(JUDGED, (path for path in [bm25, dense]), MEASURES).runs == ("bm25", "dense")
    assert gc.curves(judged, [bm25, dense], depth=3).runs == ("bm25", "dense")
    assert gc.check(judged, bm25).inputs[1].path == os.fspath(bm25)
    assert gc.explain(judged, bm25, "q1", "AP").value == gc.evaluate(JUDGED, FOUND, "AP")["run", "AP"]["q1"]
    assert gc.pool([bm25, dense], judged, depth=2).lists.runs == ("bm25", "dense")
    assert gc.decide(judged, [bm25, dense]).pairs[0].a == "bm25"
    assert gc.Judgments.of(judged).source.sha256 == gc.read_judgments(judged).source.sha256


def test_how_files_are_read_is_passed_on(files: Path) -> None:
    (files / "odd.csv").write_text("a,b,c\n" + "".join(f"{q},{d},{g}\n" for q, d, g in GRADES))
    columns = {"topic": "a", "document": "b", "grade": "c"}
    assert gc.evaluate(files / "odd.csv", files / "bm25.run", MEASURES, columns=columns).summary() == {"bm25": WANTED}
    ranks = gc.Run.of(files / "bm25.run", "x", "file")
    assert (ranks.name, ranks.ties) == ("x", "file")


def refused(judged: Any, found: Any) -> gc.InputError:
    with pytest.raises(gc.InputError) as raised:
        gc.evaluate(judged, found, MEASURES)
    return raised.value


def test_a_path_that_is_none_is_told_apart() -> None:
    assert refused("no-such.qrels", FOUND).slug == "input-missing"
    error = refused("q1 0 d1 3\nq1 0 d2 1\n", FOUND)
    assert error.slug == "input-object"
    assert "is a text, 'q1 0 d1 3" in str(error)


BROKEN = {
    "dicts": (dicts(HIT, [*SCORED, ("q2", "d8", "high")]), "run-score", "column 'score'"),
    "dict without a field": ([*dicts(HIT, SCORED), {"query_id": "q2", "score": 1.0}], "input-id", "column 'doc_id'"),
    "dataclasses": ([*(Hit(*row) for row in SCORED), Hit("q2", "d8", None)], "run-score", "column 'score'"),  # type: ignore[arg-type]
    "record array": (structured(HIT, [*SCORED, ("q2", "d8", np.nan)]), "run-score", "column 'score'"),
    "data set": (Rows(HIT, [*SCORED, ("q2", None, 1.0)]), "input-id", "column 'doc_id'"),
    "index": (
        frame(HIT, [*SCORED, ("q2", 4.5, 1.0)]).set_index(["query_id", "doc_id"]), "input-id", "column 'doc_id'"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("found", "slug", "named"), BROKEN.values(), ids=BROKEN)
def test_a_broken_row_is_named_with_its_field(found: Any, slug: str, named: str) -> None:
    error = refused(JUDGED, found)
    assert error.slug == slug
    assert named in str(error)
    assert "run, row 6 (from 0)" in str(error)


def test_records_of_several_kinds_are_refused() -> None:
    assert "record 1 is 5, but the first has the fields query_id" in str(refused(JUDGED, [dicts(HIT, SCORED)[0], 5]))
    mixed = [Hit("q1", "d1", 1.0), Judged("q1", "d1", 1)]
    assert "record 1 is Judged(" in str(refused(JUDGED, mixed))
    assert "the first is a Hit" in str(refused(JUDGED, mixed))


NAMED = ("dict records", "dataclasses", "record arrays", "data sets", "two levels of index", "ranx objects")


@pytest.mark.parametrize("shape", NAMED)
def test_exchanged_judgments_and_runs_are_refused(shape: str) -> None:
    judged, found = SHAPES[shape]
    assert refused(JUDGED, judged).slug == "run-looks-like-judgments"
    ranked = dicts((*HIT, "rank"), [(*row, i) for i, row in enumerate(SCORED)])
    assert refused(ranked, FOUND).slug == "judgments-look-like-run"
    if shape == "ranx objects":
        assert refused(found, FOUND).slug == "judgments-look-like-run"


def test_a_field_that_is_missing_is_named() -> None:
    error = refused(JUDGED, [{"query_id": "q1", "score": 1.0}])
    assert (error.slug, "no column for the document" in str(error)) == ("input-header", True)
    unnamed = frame(HIT, SCORED).set_index(["query_id", "doc_id"])["score"]
    unnamed.index.names = [None, None]
    assert refused(JUDGED, unnamed).slug == "input-header"


def test_an_index_and_a_column_of_one_name_must_agree() -> None:
    other = frame(HIT, SCORED).set_index("doc_id", drop=False)
    other["doc_id"] = other["doc_id"].to_numpy()[::-1]
    error = refused(JUDGED, other)
    assert error.slug == "input-two-columns"
    assert "index and a column named 'doc_id'" in str(error)


def test_an_index_that_holds_no_ids_is_left_alone() -> None:
    assert gc.evaluate(JUDGED, frame(HIT, SCORED).set_index(np.arange(6)[::-1]), MEASURES).summary() == {"run": WANTED}


def test_a_data_set_of_splits_asks_for_one() -> None:
    splits = type("DatasetDict", (dict,), {"column_names": {"train": [], "test": []}})(train=Rows(QREL[:3], GRADES))
    error = refused(splits, FOUND)
    assert "has the splits train, test" in str(error)
    assert "judgments['train']" in str(error)


def test_columns_can_be_named_for_every_shape() -> None:
    odd = ("a", "b", "c")
    columns = {"topic": "a", "document": "b", "score": "c", "grade": "c"}
    for made in (dicts, structured, Rows):
        found = gc.evaluate(made(odd, GRADES), made(odd, SCORED), MEASURES, columns=columns)  # type: ignore[operator]
        assert found.summary() == {"run": WANTED}


ODD = [[[1, 2]], [{}], 7, object(), [object()], [None], np.zeros(3), np.array(5), [[]], {1: 2}, b"x", (), set()]


@pytest.mark.parametrize("odd", ODD)
def test_odd_objects_are_input_errors(odd: Any) -> None:
    with pytest.raises(gc.InputError):
        gc.Run.of(odd)
    with pytest.raises(gc.InputError):
        gc.Judgments.of(odd)
