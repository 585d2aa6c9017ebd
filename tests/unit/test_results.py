"""Results go on: frames, Arrow, text and HTML hold the numbers of the result, typed, signed and escaped."""

from __future__ import annotations

import copy
import csv
import io
import json
import math
import pickle
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import gaincurve as gc
from gaincurve.io.render import render
from gaincurve.model.tables import frames
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.shown import shown_cells
from gaincurve.model.tables.tidy import Tidy

JUDGED = {
    "q1": {"d1": 3, "d2": 1, "d3": 0, "d5": 2},
    "q2": {"d7": 2, "d1": 1},
    "q3": {"d3": 0},
    "q4": {"d1": 1, "d4": 2, "d9": 0},
    "q5": {"d2": 1},
}
RUNS = {
    "bm25": {q: {f"d{i}": 10.0 - i for i in range(1, 9)} for q in JUDGED},
    "dense": {q: {f"d{i}": float(i % 5) + i / 100 for i in range(1, 9)} for q in JUDGED},
}
SCORES = gc.evaluate(JUDGED, RUNS, ["nDCG@10", "AP", "P(rel=2)@5"])


def asked(session: str, topic: str, *rankings: list[str]) -> list[dict[str, Any]]:
    """The records of one session."""
    return [
        {"session": session, "query": i, "topic": topic, "ranking": ranking} for i, ranking in enumerate(rankings, 1)
    ]


TIMES = [{"topic": "q1", "latency_ms": 12.0}, {"topic": "q2", "latency_ms": 8.5}]
SAMPLED = [
    {"topic": topic, "document": document, "grade": grade, "p": 0.5 if grade < 2 else 1.0}
    for topic, graded in JUDGED.items()
    for document, grade in graded.items()
]
RECORDS = asked("s1", "q1", ["d1", "d2"], ["d3"]) + asked("s2", "q2", ["d7"])
LOGS = {"a": RECORDS, "rank": asked("s1", "q1", ["d4", "d1"], ["d5", "d1"]) + asked("s2", "q2", ["d1"])}
SESSIONS = gc.evaluate_sessions(
    JUDGED, {"a": asked("s1", "q1", ["d1", "d2"], ["d3"]) + asked("s2", "q2", ["d7"])}, ["sDCG", "nsDCG"]
)
RESULTS: dict[str, Any] = {
    "scores": SCORES,
    "bounded": gc.evaluate(JUDGED, RUNS, "nDCG@10", unjudged="bounds"),
    "sessions": SESSIONS,
    "curves": gc.curves(JUDGED, RUNS, ["CG", "nDCG"], depth=8, per_topic=True),
    "recall": gc.precision_recall(JUDGED, RUNS, per_topic=True),
    "one topic": gc.precision_recall(JUDGED, RUNS, topic="q1"),
    "effort": gc.effort(JUDGED, RUNS, "CG", rank=3),
    "comparison": gc.compare(SCORES),
    "sweep": gc.sweep(JUDGED, RUNS),
    "gate": gc.gate(SCORES, {"nDCG@10": 0.01}),
    "agreement": gc.agree(JUDGED, JUDGED, RUNS),
    "decision": gc.decide(JUDGED, RUNS, "nDCG@5", scale="0-3"),
    "pool": gc.pool(RUNS, depth=3),
    "session curves": gc.session_curves(JUDGED, LOGS, "sDCG", at_least=2),
    "normalised session curves": gc.session_curves(JUDGED, LOGS),
    "tradeoff": gc.tradeoff(SCORES, {"bm25": TIMES}),
    "check": gc.check(JUDGED, RUNS),
    "reuse": gc.reuse(JUDGED, RUNS, depth=5),
    "why": gc.why_different(JUDGED, RUNS["bm25"], "0.72", "nDCG@3"),
    "explanation": gc.explain(JUDGED, RUNS["bm25"], "q1", "nDCG@5"),
    "explanation of AP": gc.explain(JUDGED, RUNS["bm25"], "q1", "AP"),
    "session explanation": gc.explain_session(JUDGED, gc.sessions_from_records(RECORDS, name="a"), "s1"),
    "estimates": gc.estimate(SAMPLED, RUNS, ["P@5", "nDCG@5"]),
    "estimated curves": gc.estimated_curves(SAMPLED, RUNS, ["CG"], depth=5),
    "recapture": gc.recapture(JUDGED, {"q1": {"d1": 1, "d8": 1}, "q2": {"d7": 1}}),
    "votes": gc.votes({**RUNS, "third": {q: {"d3": 2.0, "d9": 1.0} for q in JUDGED}}),
}
each_result = pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)


def cells(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row with nan and NA as None, so that rows can be compared."""
    return tuple(None if pd.isna(cell) else cell for cell in row)


@each_result
@pytest.mark.parametrize("library", frames.LIBRARIES)
def test_frames_hold_the_tidy_rows(result: Result, library: str) -> None:
    frame = result.to_frame(library)
    rows = {
        "pandas": lambda: list(frame.itertuples(index=False, name=None)),
        "polars": lambda: list(frame.iter_rows()),
        "pyarrow": lambda: list(zip(*(column.to_pylist() for column in frame.columns), strict=True)),
    }[library]()
    names = frame.column_names if library == "pyarrow" else list(frame.columns)
    assert names == list(result.tidy().columns)
    assert [cells(row) for row in rows] == result.tidy().rows()


@each_result
def test_the_same_rows_are_printed_as_csv(result: Result) -> None:
    printed = list(csv.reader(io.StringIO(render(result.tidy(), "csv"))))
    assert printed[0] == list(result.tidy().columns)
    assert len(printed) == len(result.tidy()) + 1
    lines = [json.loads(line) for line in render(result.tidy(), "jsonl").splitlines()]
    assert [tuple(line.values()) for line in lines] == result.tidy().rows()


@each_result
def test_columns_are_typed_whatever_the_values(result: Result) -> None:
    table = result.to_arrow()
    types = {"text": pa.string(), "number": pa.float64(), "count": pa.int64(), "truth": pa.bool_()}
    for name, column in result.tidy().columns.items():
        wanted = pa.dictionary(pa.int32(), pa.string()) if name == "signature" else types[column.kind]
        assert table.schema.field(name).type == wanted


@each_result
def test_arrow_says_its_schema_version_and_signatures(result: Any) -> None:
    described = {key.decode(): value.decode() for key, value in result.to_arrow().schema.metadata.items()}
    assert described["gaincurve.schema"] == result.to_dict()["schema"]
    assert described["gaincurve.version"] == gc.__version__
    signatures = json.loads(described["gaincurve.signatures"])
    column = result.tidy().columns.get("signature")
    if column is not None:
        assert set(column.cells()) == set(signatures)


@each_result
def test_anything_that_takes_arrow_takes_a_result(result: Result) -> None:
    assert pa.table(result).equals(result.to_arrow())
    assert pl.DataFrame(result).height == len(result.tidy())


def test_values_are_those_of_the_scores() -> None:
    frame = SCORES.to_frame("pandas")
    for run, measure, values in SCORES:
        of_topic = frame[(frame["run"] == run) & (frame["measure"] == measure)].set_index("topic")["value"]
        assert of_topic.index.tolist() == list(SCORES.topics)
        np.testing.assert_array_equal(of_topic.to_numpy(), values.values)
    means = SCORES.to_frame("pandas", topics=False).set_index(["run", "measure"])["value"]
    assert means["bm25", "AP"] == SCORES.summary()["bm25"]["AP"]
    grouped = frame.groupby(["run", "measure"])["value"].mean()  # no summary stands among the topics
    assert grouped["dense", "AP"] == pytest.approx(SCORES.summary()["dense"]["AP"], rel=1e-15)


def test_wide_frames_have_a_column_for_each_measure() -> None:
    wide = SCORES.to_frame("polars", wide=True)
    assert wide.columns == ["run", "topic", *SCORES.texts]
    assert wide.height == 10
    row = wide.filter((pl.col("run") == "dense") & (pl.col("topic") == "q4"))
    assert row["AP"].item() == SCORES["dense", "AP"]["q4"]
    assert SCORES.to_frame("polars", wide=True, topics=False).columns == ["run", *SCORES.texts]
    curves = RESULTS["curves"]
    wide = curves.to_frame("polars", wide=True)
    assert wide.columns == ["curve", "rank", "bm25", "dense", "ideal"]
    np.testing.assert_array_equal(wide.filter(pl.col("curve") == "CG")["dense"].to_numpy(), curves["dense", "CG"])


def test_bounds_stand_behind_the_value() -> None:
    bounded = RESULTS["bounded"]
    frame = bounded.to_frame("pandas")
    assert list(frame.columns) == ["run", "topic", "measure", "value", "low", "high", "signature"]
    np.testing.assert_array_equal(frame["high"].to_numpy(), bounded.high.ravel())
    assert list(bounded.wide().columns)[2:] == ["nDCG@10", "nDCG@10 low", "nDCG@10 high"]


def test_sessions_of_their_own_have_rows_of_their_own() -> None:
    unpaired = gc.evaluate_sessions(
        JUDGED, {"a": asked("s1", "q1", ["d1"]), "b": asked("s2", "q2", ["d7"]) + asked("s3", "q1", ["d2"])},
        "sDCG", design="unpaired",
    )  # fmt: skip
    assert [row[:2] for row in unpaired.tidy().rows()] == [("a", "s1"), ("b", "s2"), ("b", "s3")]
    both = {"a": asked("s1", "q1", ["d1"]) + asked("s2", "q2", ["d7"])}
    grouped = gc.evaluate_sessions(JUDGED, both, "sDCG", by="topic")
    rows = grouped.tidy(topics=False).rows()
    assert [row[1] for row in rows] == ["q1", "q2", "all"]
    assert [row[3] for row in rows] == [
        *(row["sDCG"] for row in grouped.groups["a"].values()),
        grouped.means["a"]["sDCG"],
    ]
    assert grouped.tidy().rows()[0][-1] == str(grouped.single[0])


@each_result
def test_results_are_pickled_and_copied(result: Any) -> None:
    for again in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert again.to_dict() == result.to_dict() or str(again.to_dict()) == str(result.to_dict())
        assert render(again.tidy(), "csv") == render(result.tidy(), "csv")
        assert again.notes == result.notes


class Read(HTMLParser):
    """What a browser would make of HTML: open tags, attributes, cells."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.cells: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


@each_result
def test_html_is_a_table_of_the_numbers(result: Result) -> None:
    read = Read(result._repr_html_())
    assert set(read.tags) <= {
        "div",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "p",
        "ul",
        "li",
        "details",
        "summary",
        "pre",
    }
    assert read.attributes <= {"style"}
    shown = result.shown()
    assert read.cells[: len(shown.columns)] == list(shown.columns)
    assert len(read.cells) == len(shown.columns) * (1 + min(len(shown), 60))


HOSTILE = "<script>alert('x')</script>&amp;\"'\x1b[31m\u202e"


def test_hostile_names_are_text_wherever_they_are_shown() -> None:
    judged = {HOSTILE: {"d1": 1}, "q2": {"d1": 1}, "empty": {"d1": 0}}
    scores = gc.evaluate(judged, {HOSTILE: {HOSTILE: {"d1": 1.0}}, "b": {"q2": {"d1": 1.0}}}, "nDCG@10")
    comparison = gc.compare(scores)
    for result in (scores, comparison, gc.curves(judged, {HOSTILE: {"q2": {"d1": 1.0}}}, depth=3)):
        page = result._repr_html_()
        read = Read(page)
        assert "script" not in read.tags
        assert any("<script>alert('x')</script>&amp;\"'\\x1b[31m\\u202e" in cell for cell in read.cells)
        assert "\x1b" not in page + str(result)
        assert "\u202e" not in page + str(result)
    assert "note[undefined]" in scores._repr_html_()


def test_notes_and_signatures_are_shown() -> None:
    page, text = SCORES._repr_html_(), str(SCORES)
    for note in SCORES.notes:
        assert note.text in text
    assert len(SCORES.notes) == page.count("<li>") > 0
    assert "<details><summary>3 signatures</summary>" in page
    assert all(str(signature) in text for signature in SCORES.signatures)


def test_print_shows_the_numbers_and_repr_one_line() -> None:
    lines = str(SCORES).splitlines()
    assert lines[0].split() == ["run", "nDCG@10", "AP", "P(rel=2)@5"]
    assert lines[1].split() == ["bm25", *(f"{value:.4f}" for value in SCORES.summary()["bm25"].values())]
    assert repr(SCORES) == "Scores(2 runs, 5 topics, nDCG@10, AP, P(rel=2)@5)"
    undefined = gc.evaluate({"q": {"d": 0}}, {"q": {"d": 1.0}}, "AP")
    assert str(undefined).splitlines()[1].split() == ["run", "–"]


@each_result
def test_repr_is_short(result: Result) -> None:
    """It stands in tracebacks and lists."""
    assert repr(result).startswith(f"{type(result).__name__}(")
    assert len(repr(result)) < 100
    assert "\n" not in repr(result)


def test_grades_of_an_explanation_are_shown_as_given() -> None:
    shown = RESULTS["explanation"].shown().columns
    assert shown_cells(shown["grade"]) == ["3", "1", "0", "–", "2"]
    assert shown_cells(shown["gain"]) == ["3", "1", "0", "0", "2"]
    halves = gc.explain({"q": {"d": 1.5, "e": 1}}, {"q": ["d", "e"]}, "q", "nDCG@5").shown().columns
    assert shown_cells(halves["grade"])[:2] == ["1.5000", "1.0000"]


def test_a_small_number_is_not_shown_as_none() -> None:
    tidy = Tidy.of_rows("gaincurve.none/1", {"p": "number"}, [(3.21e-7,), (-2e-5,), (0.0,), (0.00006,), (None,)])
    assert shown_cells(tidy.columns["p"]) == ["3.2e-07", "-2.0e-05", "0.0000", "0.0001", "–"]


def test_whole_ranks_are_shown_whole() -> None:
    effort = RESULTS["effort"]
    assert effort.shown().columns["bm25"].cells() == [
        None if math.isnan(rank) else rank for rank in effort.needed[:, 0]
    ]
    assert effort.shown().columns["bm25"].kind == "count"
    between = gc.effort(JUDGED, RUNS, "CG", rank=3, interpolate=True)
    assert between.shown().columns["dense"].kind == "number"


def test_people_see_the_first_rows_of_many() -> None:
    names = [f"run{i}" for i in range(70)]
    many = gc.evaluate(JUDGED, dict.fromkeys(names, RUNS["bm25"]), "AP")
    assert "… and 10 more rows: to_frame() has all." in str(many)
    assert "… and 10 more rows" in many._repr_html_()
    assert "run59" in str(many)
    assert "run60" not in str(many)


def test_bytes_that_are_no_text_do_not_stop_a_frame() -> None:
    scores = gc.evaluate({b"q\xff": {"d": 1}}, {b"q\xff": {"d": 1.0}}, "AP")
    for library in frames.LIBRARIES:
        topic = scores.to_frame(library)["topic"]
        assert [str(value) for value in (topic.to_pylist() if library == "pyarrow" else topic)] == ["q\\udcff"]


def test_undefined_values_are_null() -> None:
    assert math.isnan(SCORES["bm25", "AP"]["q3"])
    assert SCORES.to_arrow().column("value").null_count == sum(np.isnan(SCORES.values).ravel())
    assert SCORES.to_frame("polars")["value"].null_count() == sum(np.isnan(SCORES.values).ravel())


def test_frames_without_rows_keep_their_columns() -> None:
    tidy = Tidy.of_rows("gaincurve.none/1", {"a": "text", "n": "count", "yes": "truth", "x": "number"}, [])
    for library in frames.LIBRARIES:
        frame = frames.frame_of(tidy, library)
        assert list(frame.column_names if library == "pyarrow" else frame.columns) == ["a", "n", "yes", "x"]
        assert len(frame) == 0


def test_which_library_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(SCORES.to_frame(), pd.DataFrame)
    installed = {"polars": object(), "pyarrow": object()}
    monkeypatch.setattr(frames, "find_spec", installed.get)
    assert isinstance(SCORES.to_frame(), pl.DataFrame)
    installed.pop("polars")
    assert isinstance(SCORES.to_frame(), pa.Table)
    installed.clear()
    with pytest.raises(gc.MissingExtra, match="none is installed"):
        SCORES.to_frame()
    with pytest.raises(gc.ChoiceError, match="did you mean pandas"):
        SCORES.to_frame("panda")


@pytest.mark.parametrize(("library", "line"), [("pyarrow", "gaincurve[arrow]"), ("polars", "pip install polars")])
def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch, library: str, line: str) -> None:
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(gc.MissingExtra) as raised:
        SCORES.to_frame(library)
    assert line in str(raised.value)


def test_a_run_that_is_called_like_a_column_keeps_its_numbers() -> None:
    sessions = RESULTS["session curves"]
    wide = sessions.to_frame("pandas", wide=True)
    assert wide["rank"].tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] * sessions.queries
    np.testing.assert_array_equal(wide["rank (run)"], sessions["rank"])
    np.testing.assert_array_equal(wide["a"], sessions["a"])
    named = {"curve": RUNS["bm25"], "rank": RUNS["dense"], "rank (run)": RUNS["bm25"]}
    curves = gc.curves(JUDGED, named, "CG", depth=4)
    wide = curves.to_frame("polars", wide=True)
    assert wide.columns == ["curve", "rank", "curve (run)", "rank (run)'", "rank (run)", "ideal"]
    np.testing.assert_array_equal(wide["rank (run)'"].to_numpy(), curves["rank", "CG"])
    effort = gc.effort(JUDGED, {"CG": RUNS["dense"], "bm25": RUNS["bm25"]}, "CG", rank=3)
    assert effort.shown().columns["CG (run)"].cells() == [None if math.isnan(r) else r for r in effort.needed[:, 0]]


def test_the_points_of_session_curves_are_the_rows() -> None:
    sessions = RESULTS["session curves"]
    frame = sessions.to_frame("pandas").set_index(["run", "place"])
    for line in sessions.lines:
        of_line = frame.loc[line.label]
        np.testing.assert_array_equal(of_line["value"], line.values)
        np.testing.assert_array_equal(of_line["low"], sessions.interval(line)[0])
        assert of_line["sessions"].tolist() == [int(n) for n in line.going for _ in range(sessions.depth)]
    assert frame.loc["ideal"]["sessions"].isna().all()
    assert frame.loc["ideal"]["low"].isna().all()
    assert list(frame.loc["a"]["query"])[::10] == [1, 2]


def test_costs_stand_beside_the_scores() -> None:
    tradeoff = RESULTS["tradeoff"]
    rows = tradeoff.to_frame("pandas", topics=False).set_index(["run", "measure"])["value"]
    assert rows["bm25", "latency_mean_ms"] == 10.25
    assert rows["bm25", "AP"] == SCORES.summary()["bm25"]["AP"]
    wide = tradeoff.to_frame("pandas", wide=True).set_index("run")
    assert wide.loc["bm25", "latency_mean_ms"] == 10.25
    assert math.isnan(wide.loc["dense", "latency_mean_ms"])
    assert "index_bytes" not in str(tradeoff)


def test_every_schema_is_documented_with_the_columns_it_has() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "use-with-pandas-and-polars.md"
    rows = re.findall(r"^\| .*? \| `(gaincurve\.\S+)` \| .*? \| (.*) \|$", page.read_text("utf-8"), re.MULTILINE)
    documented = dict(reversed(rows))  # the scores stand before the trade-off, which has their schema
    for tidy in (result.tidy() for result in RESULTS.values()):
        names = {name for names in re.findall(r"`(.*?)`", documented[tidy.schema]) for name in names.split(", ")}
        assert names - {"low", "high", "…", "rank", "relevant", "interpolated"} <= set(tidy.columns)
        assert set(tidy.columns) <= names or re.search("…|each|computes", documented[tidy.schema])
