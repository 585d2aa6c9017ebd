"""Scores given as judgments are refused, in every format; judgments of every kind are not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import beside
import numpy as np
import pytest

import gaincurve as gc
from gaincurve.errors import InputError
from gaincurve.io.read import read_judgments, read_run
from gaincurve.model.judgments import Judgments

Data = dict[str, dict[str, float]]
rng = np.random.default_rng(13)
SEEDED = rng.bit_generator.state


@pytest.fixture(autouse=True)
def seeded() -> None:
    """Every test draws the same numbers, whatever ran before it in its process."""
    rng.bit_generator.state = SEEDED


def table(topics: int, rows: int, value: Callable[[int], Any]) -> Data:
    """Topics with so many documents; value(i) is the grade or score of the i-th of a topic."""
    return {f"q{t}": {f"d{t}-{i}": float(value(i)) for i in range(rows)} for t in range(topics)}


def falling(topics: int, rows: int, digits: int | None = None, whole: bool = False) -> Data:
    """A run: scores that fall from rank to rank."""
    data: Data = {}
    for t in range(topics):
        scores = np.sort(rng.gamma(2.0, 8.0, rows))[::-1]
        scores = np.round(scores * 100) if whole else scores if digits is None else np.round(scores, digits)
        data[f"q{t}"] = {f"d{t}-{i}": float(score) for i, score in enumerate(scores)}
    return data


def mean_of(judges: int, top: int, digits: int | None = None) -> Callable[[int], float]:
    def mean(_: int) -> float:
        grade = float(rng.integers(0, top + 1, judges).mean())
        return grade if digits is None else round(grade, digits)

    return mean


GRADES: dict[str, Callable[[], Data]] = {
    "binary": lambda: table(20, 30, lambda _: rng.integers(0, 2)),
    "BEIR, only relevant ones": lambda: table(300, 1, lambda _: 1),
    "BEIR, graded": lambda: table(50, 40, lambda _: rng.integers(0, 3)),
    "negative": lambda: table(20, 30, lambda _: rng.integers(-2, 5)),
    "0 to 10": lambda: table(20, 30, lambda _: rng.integers(0, 11)),
    "mean of two judges": lambda: table(20, 30, mean_of(2, 4)),
    "mean of three judges": lambda: table(20, 30, mean_of(3, 3)),
    "mean of three judges, two digits": lambda: table(20, 30, mean_of(3, 3, 2)),
    "mean of three judges, 0 to 10": lambda: table(40, 30, mean_of(3, 10)),
    "mean of three judges, 0 to 10, two digits": lambda: table(40, 30, mean_of(3, 10, 2)),
    "mean of five judges": lambda: table(20, 30, mean_of(5, 3)),
    "mean of ten judges, one digit": lambda: table(20, 30, mean_of(10, 3, 1)),
    **{
        f"slider, {rows} documents": lambda rows=rows: table(20, rows, lambda _: rng.integers(0, 101))
        for rows in (5, 9, 10, 12, 20, 30, 100, 300)
    },
    "slider in tens": lambda: table(20, 30, lambda _: 10 * rng.integers(0, 11)),
    "slider, three judges": lambda: table(20, 15, mean_of(3, 100)),
    "slider of one topic": lambda: table(1, 60, lambda _: rng.integers(0, 101)),
    "five grades, each once": lambda: table(30, 5, lambda i: i),
}

SCORES: dict[str, Callable[[], Data]] = {
    "long run": lambda: falling(20, 100),
    "two digits": lambda: falling(20, 100, 2),
    "one digit": lambda: falling(20, 30, 1),
    "one topic": lambda: falling(1, 50),
    "ten documents": lambda: falling(30, 10),
    "cosines": lambda: table(20, 50, lambda i: 0.9 - 0.0123 * i + 0.001 * rng.random()),
    "cosines of two digits": lambda: table(20, 25, lambda i: round(0.93 - 0.013 * i - 0.01 * rng.random(), 2)),
    "negative log likelihoods": lambda: table(20, 50, lambda i: -5.1 - 0.113 * i),
    "whole numbers": lambda: falling(20, 30, whole=True),
    "whole numbers below 100": lambda: table(20, 30, lambda i: 95 - 3 * i),
    "counting down": lambda: table(20, 30, lambda i: 1000 - i),
    "ranks": lambda: table(20, 10, lambda i: i + 1),
    "ranks, shuffled": lambda: table(20, 30, lambda i: (7 * i) % 30 + 1),
    "ranks from 0": lambda: table(3, 30, lambda i: i),
}

SHORT: dict[str, Callable[[], Data]] = {
    "five documents": lambda: falling(10, 5),
    "three documents": lambda: falling(2, 3),
    "five documents, whole numbers": lambda: falling(10, 5, whole=True),
    "coordination levels": lambda: table(20, 12, lambda i: 8 - i // 2),
    "counting down from 9999": lambda: table(20, 3, lambda i: 9999 - i),
    "nine documents, two digits": lambda: falling(10, 9, 2),
}
"""Runs too short to be told by themselves."""


def records(data: Data) -> list[tuple[str, str, float]]:
    return [(t, d, value) for t, row in data.items() for d, value in row.items()]


class Frame:
    """What is used of a pandas data frame."""

    def __init__(self, data: Data):
        self.columns, self._rows = ["query_id", "doc_id", "score"], records(data)

    def itertuples(self, index: bool = True, name: str | None = "Pandas") -> Any:
        assert (index, name) == (False, None)
        return iter(self._rows)


def written(form: str, data: Data, path: Path) -> Path:
    mark = {"BEIR": "\t", "CSV": ",", "columns": " "}.get(form)
    if form == "JSON":
        path.write_text(json.dumps(data))
    elif form == "JSON lines":
        path.write_text("".join(json.dumps({"qid": t, "docid": d, "score": v}) + "\n" for t, d, v in records(data)))
    elif form == "JSON records":
        path.write_text(json.dumps([{"qid": t, "docid": d, "score": v} for t, d, v in records(data)]))
    elif mark is not None:
        rows = [("query-id", "corpus-id", "score"), *records(data)]
        path.write_text("".join(mark.join(map(str, row)) + "\n" for row in rows))
    else:
        middle = "0 " if form == "TREC" else ""
        path.write_text("".join(f"{t} {middle}{d} {value:g}\n" for t, d, value in records(data)))
    return path


FILES = ("TREC", "TREC of 3 columns", "BEIR", "CSV", "columns", "JSON", "JSON lines", "JSON records")


def judgments_of(form: str, data: Data, path: Path, **how: Any) -> Judgments:
    if form in FILES:
        return read_judgments(written(form, data, path), **how)
    given = {"dict": data, "tuples": records(data), "frame": Frame(data)}[form]
    return Judgments.of(given, **how)


FORMS = (*FILES, "dict", "tuples", "frame")


@pytest.mark.parametrize("kind", GRADES)
def test_judgments_of_every_kind_are_judgments(kind: str, tmp_path: Path) -> None:
    run = falling(400, 5)
    for form in FORMS:
        data = GRADES[kind]()
        judgments = judgments_of(form, data, tmp_path / "q")
        assert len(judgments) == sum(map(len, data.values()))
        assert len(gc.evaluate(judgments, run, "P@5").notes) <= 2  # accepted beside a run of five documents, too


def test_a_slider_is_no_run_whatever_the_draw() -> None:
    for seed in range(200):
        drawn = np.random.default_rng(seed)
        rows = int(drawn.integers(10, 60))
        data = table(int(drawn.integers(1, 30)), rows, lambda _, drawn=drawn: drawn.integers(0, 101))  # type: ignore[misc]
        assert Judgments.of(data).topics


@pytest.mark.parametrize("kind", SCORES)
def test_scores_are_no_judgments(kind: str, tmp_path: Path) -> None:
    for form in FORMS:
        data = SCORES[kind]()
        with pytest.raises(InputError) as caught:
            judgments_of(form, data, tmp_path / "q")
        problem = caught.value.problems[0]
        assert problem.slug == "judgments-scores", form
        assert "--grades-are-scores" in str(problem)
        assert len(judgments_of(form, data, tmp_path / "q", grades_are_scores=True)) == sum(map(len, data.values()))


@pytest.mark.parametrize("grades", ["binary", "BEIR, graded", "0 to 10"])
@pytest.mark.parametrize("kind", [*SHORT, *SCORES])
def test_swapped_judgments_and_run_are_refused(kind: str, grades: str, tmp_path: Path) -> None:
    run = {**SHORT, **SCORES}[kind]()
    judged = {t: dict(list(row.items())[:20]) for t, row in GRADES[grades]().items()}
    for form in ("dict", "frame", "tuples"):
        with pytest.raises(InputError) as caught:
            gc.evaluate({"dict": run, "tuples": records(run), "frame": Frame(run)}[form], {"mine": judged}, "nDCG@10")
        assert caught.value.slug == "judgments-scores"
    for form in ("BEIR", "CSV", "JSON", "JSON lines"):
        files = written(form, run, tmp_path / "run"), written(form, judged, tmp_path / "qrels")
        with pytest.raises(InputError) as caught:
            gc.evaluate_files(*files, "nDCG@10")
        assert caught.value.slug == "judgments-scores"
        gc.evaluate_files(*files[::-1], "nDCG@10")
    assert gc.evaluate(run, {"mine": judged}, "nDCG@10", grades_are_scores=True).values.size


@pytest.mark.parametrize("kind", [*SHORT, *SCORES])
def test_scores_against_themselves_are_refused(kind: str) -> None:
    run = {**SHORT, **SCORES}[kind]()
    with pytest.raises(InputError) as caught:
        gc.evaluate(run, {"mine": dict(run)})
    assert caught.value.slug == "judgments-scores"


def test_ranked_lists_are_no_grades() -> None:
    probabilities = {"q": {"a": 0.913, "b": 0.118, "c": 0.537}}
    scores = gc.evaluate(probabilities, {"q": ["c", "a", "b"]}, "RR(rel=0.5)")
    assert scores.values.tolist() == [[[1.0]]]


@pytest.mark.parametrize(
    ("judged", "run"),
    [
        (
            {"s": {"a": 3, "b": 2, "c": 1, "d": 0, "e": -1}, "t": {"a": -1}},
            {"s": {"b": 5, "a": 3}, "t": {"a": 1, "b": 1}},
        ),
        ({"t": {"a": 10, "b": 7, "c": 4, "d": 2, "e": 0}}, {"t": {"a": 1, "b": 1, "c": 2, "d": 2, "e": 2}}),
        ({"t": {"a": 4, "b": 3, "c": 2, "d": 1, "e": 0}}, {"t": {"a": 4, "b": 3, "c": 2, "d": 1, "e": 0}}),
        ({"t": {"a": 0.5, "b": 1}}, {"t": {"a": 1, "b": 2}}),
    ],
)
def test_small_examples_are_taken_as_given(judged: Data, run: Data) -> None:
    assert not Judgments.of(judged).doubtful
    assert gc.evaluate(judged, run, "nDCG@10").values.shape == (1, 1, len(judged))


@beside.needs("cran", "cast2021", "session2013")
def test_real_judgments_are_judgments_and_real_runs_are_not() -> None:
    for name in ("cran/qrels.txt", "cast2021/qrels.txt", "session2013/qrels.txt"):
        judgments = read_judgments(beside.DATA / name, duplicates="first")
        assert not judgments.doubtful, name
    by_ids = read_judgments(beside.DATA / "cran" / "qrels.txt").to_dict()
    for path in (*beside.DATA.glob("cran/*.run.gz"), *beside.DATA.glob("cast2021/*.run.gz")):
        run = read_run(path, duplicates="first")
        data: Data = {}
        for topic, document, score in zip(run.topic, run.documents, run.scores, strict=True):
            data.setdefault(run.topics[topic], {})[document] = float(score)
        with pytest.raises(InputError) as caught:
            if path.name == "coord.run.gz":  # it counts words, so only the run beside it tells
                gc.evaluate(data, {"qrels": by_ids})
            Judgments.of(data)
        assert caught.value.slug == "judgments-scores", path


@pytest.mark.parametrize("form", ["dict", "tuples", "JSON"])
def test_grades_against_themselves_are_noted(form: str, tmp_path: Path) -> None:
    judged = GRADES["BEIR, graded"]()
    given: Any = {"dict": judged, "tuples": records(judged)}.get(form)
    if form == "JSON":
        given = read_run(written(form, judged, tmp_path / "a.json"))
    assert "run-is-judgments" in {note.slug for note in gc.evaluate(judged, {"a": given}, "P@1").notes}
    less = {t: dict(list(row.items())[1:]) for t, row in judged.items()}
    more = {t: {**row, "unseen": 0.0} for t, row in judged.items()}
    for other in (less, more):
        assert "run-is-judgments" not in {note.slug for note in gc.evaluate(judged, {"a": other}, "P@1").notes}


def test_a_toy_may_be_its_own_run() -> None:
    assert not gc.evaluate({"1": {"a": 2, "b": 1}}, {"1": {"a": 2, "b": 1}}, "P@1").notes


@pytest.mark.parametrize("kind", [set, frozenset])
def test_a_set_of_documents_has_no_order(kind: type) -> None:
    with pytest.raises(InputError, match="has no order"):
        gc.evaluate({"1": {"a": 2, "b": 1}}, {"1": kind(["a", "b"])}, "P@1")
    scored = gc.evaluate({"1": {"a": 2, "b": 0}}, {"1": kind([("a", 2.0), ("b", 1.0)])}, "P@1")
    assert list(scored["run", "P@1"]) == [1.0]
    keys = gc.evaluate({"1": {"a": 2, "b": 0}}, {"1": {"a": 2.0, "b": 1.0}.keys()}, "P@1")
    assert list(keys["run", "P@1"]) == [1.0]
