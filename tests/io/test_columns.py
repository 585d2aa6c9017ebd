"""Which column is meant: the right number, a note or a refusal, in every order of the columns; never another number."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.errors import ChoiceError, InputError
from gaincurve.io.read import read_judgments, read_run
from gaincurve.model.columns import ALIASES, VAGUE, parse_columns
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run

QRELS = {"q1": {"d1": 3, "d2": 0, "d3": 1, "d4": 2}, "q2": {"d2": 1, "d9": 0}}
SCORED = [("q1", "d3", 4.5), ("q1", "d1", 3.5), ("q1", "d2", 2.5), ("q2", "d9", 7.0), ("q2", "d2", 1.0)]
RIGHT = {"q1": {"d3": 4.5, "d1": 3.5, "d2": 2.5}, "q2": {"d9": 7.0, "d2": 1.0}}


def ndcg(listed: list[int], judged: list[int]) -> float:
    """nDCG by hand: grades as gains, log2(rank + 1) below the line."""
    gain = sum(g / math.log2(rank + 1) for rank, g in enumerate(listed, 1))
    return gain / sum(g / math.log2(rank + 1) for rank, g in enumerate(sorted(judged, reverse=True), 1))


BY_HAND = (ndcg([1, 3, 0], [3, 0, 1, 2]) + ndcg([0, 1], [1, 0])) / 2


def values(names: tuple[str, ...], aliases: bool = False) -> list[tuple[Any, ...]]:
    """The run as rows of these columns: qid and docno hold the ids; the others a text, and a number that misleads."""
    misleading = {"d1": "d4", "d2": "d1", "d3": "d2", "d9": "d3"}
    rows = []
    for topic, document, score in SCORED:
        other = document if aliases else misleading[document]
        known = {"qid": topic, "query": f"text of {topic}", "docno": document, "docid": other, "doc_id": other}
        rows.append(tuple({**known, "score": score}[name] for name in names))
    return rows


class Frame:
    """What is used of a pandas data frame."""

    def __init__(self, names: tuple[str, ...], rows: list[tuple[Any, ...]]):
        self.columns, self._rows = list(names), rows

    def itertuples(self, index: bool = True, name: str | None = "Pandas") -> Any:
        assert (index, name) == (False, None)
        return iter(self._rows)


def read_as(form: str, names: tuple[str, ...], rows: list[tuple[Any, ...]], path: Path, **how: Any) -> Run:
    if form == "frame":
        return Run.of(Frame(names, rows), "mine", **how)
    if form == "JSON lines":
        path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))
    else:
        mark = {"CSV": ",", "TSV": "\t"}[form]
        path.write_text("".join(mark.join(map(str, row)) + "\n" for row in [names, *rows]))
    return read_run(path, name="mine", **how)


def scores_of(run: Run) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    for topic, document, score in zip(run.topic, run.documents, run.scores, strict=True):
        scores.setdefault(run.topics[topic], {})[document] = float(score)
    return scores


FORMS = ("CSV", "TSV", "JSON lines", "frame")
NAMES = ("docid", "docno", "query", "qid", "doc_id")


@pytest.mark.parametrize("form", FORMS)
def test_every_order_of_every_choice_of_columns_is_right_or_refused(tmp_path: Path, form: str) -> None:
    right = refused = 0
    for size in range(2, 6):
        for names in itertools.permutations(NAMES, size):
            if "docno" not in names or "qid" not in names:
                continue
            try:
                run = read_as(form, (*names, "score"), values((*names, "score")), tmp_path / "a")
            except InputError as error:
                assert error.slug == "input-two-columns"
                assert "doc_id" in names
                refused += 1
                continue
            assert scores_of(run) == RIGHT, names
            told = [name for name in ("docid", "query") if any(f"'{name}'" in note.text for note in run.notes)]
            assert told == [name for name in ("docid", "query") if name in names], names
            right += 1
    assert (right, refused) == (2 + 6 + 6 + 24, 6 + 48 + 120)  # all without doc_id; all with it


@pytest.mark.parametrize("form", FORMS)
def test_columns_that_are_equal_row_by_row_are_no_problem(tmp_path: Path, form: str) -> None:
    names = ("doc_id", "docid", "qid", "docno", "score")
    run = read_as(form, names, values(names, aliases=True), tmp_path / "a")
    assert (scores_of(run), run.notes) == (RIGHT, ())


@pytest.mark.parametrize("form", FORMS)
def test_named_columns_decide_in_every_order(tmp_path: Path, form: str) -> None:
    for names in itertools.permutations(NAMES):
        columns = (*names, "score")
        run = read_as(form, columns, values(columns), tmp_path / "a", columns={"document": "docno", "topic": "qid"})
        assert (scores_of(run), run.notes) == (RIGHT, ())


def test_a_pyterrier_frame_gives_the_number_of_docno_and_qid() -> None:
    names = ("qid", "docid", "docno", "rank", "score", "query")
    rows = [(t, i, d, i, s, f"text of {t}") for i, (t, d, s) in enumerate(SCORED)]
    scores = gc.evaluate(QRELS, {"mine": Frame(names, rows)}, "nDCG@10")
    assert scores.values[0, 0].mean() == pytest.approx(BY_HAND, abs=1e-15)
    texts = [note.text for note in scores.notes if note.slug == "columns-chosen"]
    assert ["'docno', not 'docid'" in text or "'qid', not 'query'" in text for text in texts] == [True, True]


@pytest.mark.parametrize("topic", ["qid", "query_id", "query-id", "topic"])
@pytest.mark.parametrize("first", [True, False])
def test_an_exact_name_beats_a_vague_one_wherever_it_stands(tmp_path: Path, topic: str, first: bool) -> None:
    pair = (topic, "query") if first else ("query", topic)
    rows = [(*((t, f"text {t}") if first else (f"text {t}", t)), d, s) for t, d, s in SCORED]
    run = read_as("CSV", (*pair, "docno", "score"), rows, tmp_path / "a")
    assert scores_of(run) == RIGHT
    assert [note.slug for note in run.notes] == ["columns-chosen"]


@pytest.mark.parametrize(
    "names",
    [
        ("qid", "query_id", "docno", "score"),
        ("qid", "topic", "docno", "score"),
        ("qid", "docno", "corpus-id", "score"),
        ("qid", "docno", "score", "sim"),
        ("qid", "docno", "score", "score"),
        ("qid", "docno", "doc-no", "score"),
        ("qid", "QID", "docno", "score"),
    ],
)
def test_two_exact_names_that_differ_are_refused_with_row_and_values(tmp_path: Path, names: tuple[str, ...]) -> None:
    rows = [("1", "a", "b", "2.5"), ("1", "c", "d", "3.5")]
    with pytest.raises(InputError) as caught:
        read_as("CSV", names, rows, tmp_path / "a")
    problem = caught.value.problems[0]
    assert (problem.slug, problem.at) == ("input-two-columns", f"{tmp_path / 'a'}:2")
    assert ("--columns" in problem.hint) == (len(set(names)) == len(names))


def test_two_columns_for_the_grade(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("qid,docno,label,relevance\n1,a,1,1.0\n1,b,0,0\n")
    assert read_judgments(path).to_dict() == {"1": {"a": 1.0, "b": 0.0}}
    path.write_text("qid,docno,label,relevance\n1,a,1,1\n1,b,0,2\n")
    with pytest.raises(InputError, match="'label' or 'relevance'"):
        read_judgments(path)
    assert read_judgments(path, columns={"grade": "relevance"}).to_dict() == {"1": {"a": 1.0, "b": 2.0}}


def test_names_we_do_not_know_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Anfrage,Dok,Wert\n1,a,2\n1,b,3\n")
    named = {"topic": "Anfrage", "document": "Dok", "score": "Wert"}
    assert scores_of(read_run(path, columns=named)) == {"1": {"a": 2.0, "b": 3.0}}
    path.write_text("Anfrage Q0 Dok Rang Wert Name\n1 0 a 1 2 x\n1 0 b 2 3 x\n")
    qrels = tmp_path / "q"
    qrels.write_text("1 0 a 1\n")
    scores = gc.evaluate_files(qrels, path, "RR", columns=named)
    assert scores.values.tolist() == [[[0.5]]]


def test_a_named_column_must_be_there_but_may_have_several_names(tmp_path: Path) -> None:
    qrels, run = tmp_path / "q.csv", tmp_path / "r.csv"
    qrels.write_text("query_id,doc_id,docid,label\n1,a,x,1\n1,b,y,0\n")
    run.write_text("qid,docno,doc_id,score\n1,b,q,2\n1,a,r,1\n")
    with pytest.raises(InputError, match="has no column 'docno' for the document"):
        read_judgments(qrels, columns={"document": "docno"})
    scores = gc.evaluate_files(qrels, run, "RR", columns={"document": ["docno", "doc_id"]})
    assert scores.values.tolist() == [[[0.5]]]
    assert parse_columns("document=docno, document = doc_id,topic=q") == {
        "document": ("docno", "doc_id"),
        "topic": ("q",),
    }


@pytest.mark.parametrize("text", ["docno", "document=", "documents=docno", "=docno", "topic=q,,"])
def test_columns_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(ChoiceError):
        parse_columns(text)


def test_columns_given_in_python_must_be_a_mapping_of_roles() -> None:
    for given in ("topic=qid", {"documents": "docno"}):
        with pytest.raises(ChoiceError):
            Run.of(SCORED, columns=given)  # type: ignore[arg-type]


def test_vague_names_are_names() -> None:
    assert {role: set(names) - set(ALIASES[role]) for role, names in VAGUE.items()} == {role: set() for role in VAGUE}


# Ids and values that are none.

FRAME = ("docno", "qid", "label", "score")
GOOD = ("d1", "q1", 1, 0.5)


@pytest.mark.parametrize("kind", ["judgments", "run"])
@pytest.mark.parametrize("broken", [1.0, np.float64(7), float("nan"), None, "", True, [1], b""], ids=repr)
@pytest.mark.parametrize("column", ["docno", "qid"])
def test_a_broken_id_is_refused_with_row_and_column(kind: str, broken: object, column: str) -> None:
    row = list(GOOD)
    row[FRAME.index(column)] = broken
    frame = Frame(FRAME, [GOOD, ("d2", "q1", 1, 0.5), tuple(row)])
    with pytest.raises(InputError) as caught:
        Judgments.of(frame) if kind == "judgments" else Run.of(frame)
    problem = caught.value.problems[0]
    assert problem.slug == "input-id"
    assert f"column '{column}'" in problem.what
    assert "row 2" in problem.at


@pytest.mark.parametrize("broken", [None, float("nan"), float("inf"), "", "high"], ids=repr)
def test_a_null_value_is_refused_with_row_and_column(broken: object) -> None:
    frame = Frame(FRAME, [GOOD, ("d2", "q1", broken, broken)])
    for kind, column, slug in ((Judgments, "label", "judgments-grade"), (Run, "score", "run-score")):
        with pytest.raises(InputError) as caught:
            kind.of(frame)  # type: ignore[attr-defined]
        problem = caught.value.problems[0]
        assert problem.slug == slug
        assert f"column '{column}'" in problem.what
        assert "row 1" in problem.at


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_real_frames_with_gaps_are_refused(library: str) -> None:
    frames = pytest.importorskip(library)
    for column in ("qid", "docno", "score"):
        columns: dict[str, list[Any]] = {"qid": ["1", "1"], "docno": [1, 2], "score": [2.0, 1.0]}
        columns[column][1] = None
        with pytest.raises(InputError, match=f"column '{column}'"):
            Run.of(frames.DataFrame(columns))


def test_a_run_frame_given_as_judgments_is_told_by_its_columns() -> None:
    with pytest.raises(InputError) as caught:
        Judgments.of(Frame(("qid", "docno", "rank", "score"), [("1", "a", 0, 2.0)]))
    assert caught.value.slug == "judgments-look-like-run"
    with pytest.raises(InputError) as caught:
        Run.of(Frame(("qid", "docno", "label"), [("1", "a", 0)]))
    assert caught.value.slug == "run-looks-like-judgments"
