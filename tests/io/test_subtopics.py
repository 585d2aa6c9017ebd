"""Judgments by subtopic: every form they come in, what is refused, and the commands that use them."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import gaincurve as gc
from gaincurve.cli import main
from gaincurve.errors import ChoiceError, GaincurveError, InputError

Rows = list[tuple[str, str, str, int]]
"""Topic, subtopic, document, grade."""

ROWS: Rows = [
    ("1", "a", "d1", 1), ("1", "b", "d1", 0), ("1", "a", "d2", 2), ("1", "c", "d3", 1), ("1", "b", "d4", 3),
    ("1", "c", "d4", 1), ("1", "d", "d5", 0), ("2", "a", "d1", 0), ("2", "b", "d1", 1), ("2", "a", "d9", 1),
    ("2", "b", "d9", -2),
]  # fmt: skip
HIGHEST = {"1": {"d1": 1, "d2": 2, "d3": 1, "d4": 3, "d5": 0}, "2": {"d1": 1, "d9": 1}}
RUN = {"1": ["d1", "d2", "d5", "d4", "d3"], "2": ["x", "d9", "d1"]}
SHARES = {  # subtopics a b c of topic 1 and a b of topic 2 have relevant documents; d has none
    1: [1 / 3, 0], 2: [1 / 3, 1 / 2], 3: [1 / 3, 1], 4: [1, 1], 10: [1, 1],
}  # fmt: skip


def as_qrels(rows: Rows) -> str:
    return "".join(f"{topic} {subtopic} {document} {grade}\n" for topic, subtopic, document, grade in rows)


def as_table(rows: Rows, delimiter: str = ",", name: str = "subtopic") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows([("topic", name, "document", "grade"), *rows])
    return out.getvalue()


def as_records(rows: Rows) -> list[dict[str, object]]:
    return [dict(zip(("query_id", "subtopic_id", "doc_id", "relevance"), row, strict=True)) for row in rows]


def as_json_lines(rows: Rows) -> str:
    return "".join(json.dumps(record) + "\n" for record in as_records(rows))


def as_mapping(rows: Rows) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = {}
    for topic, subtopic, document, grade in rows:
        found.setdefault(topic, {}).setdefault(document, {})[subtopic] = grade
    return found


FORMS: dict[str, Callable[[Rows], str]] = {
    "q.qrels": as_qrels,
    "q.csv": as_table,
    "q.tsv": lambda rows: as_table(rows, "\t", "subtopic_id"),
    "spaces.txt": lambda rows: as_table(rows, " ", "aspect"),
    "semicolons.csv": lambda rows: as_table(rows, ";", "Nugget"),
    "q.jsonl": as_json_lines,
    "q.json": lambda rows: json.dumps(as_records(rows)),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every form of the judgments and one run, in the current folder."""
    for name, write in FORMS.items():
        (tmp_path / name).write_text(write(ROWS))
    lines = [f"{t} Q0 {d} {i} {-i} x\n" for t, listed in RUN.items() for i, d in enumerate(listed, 1)]
    (tmp_path / "a.run").write_text("".join(lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def gaincurve(capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[..., CompletedProcess[str]]:
    def run(*arguments: str) -> CompletedProcess[str]:
        code = main(list(arguments))
        out, err = capsysbinary.readouterr()
        return CompletedProcess(arguments, code, out.decode(), err.decode())

    return run


Command = Callable[..., "CompletedProcess[str]"]


def check(scores: gc.Scores) -> None:
    for k, right in SHARES.items():
        found = scores[scores.runs[0], f"InstanceRecall@{k}"]
        assert [found["1"], found["2"]] == pytest.approx(right, abs=1e-15), k


MEASURES = [f"InstanceRecall@{k}" for k in SHARES]

# every form says the same


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_files(folder: Path, name: str) -> None:
    check(gc.evaluate_files(name, "a.run", MEASURES))
    judged = gc.read_judgments(name, subtopics=True)
    check(gc.evaluate(judged, gc.read_run("a.run"), MEASURES))
    assert judged.to_dict() == HIGHEST


@pytest.mark.parametrize(
    "judgments",
    [
        as_mapping(ROWS),
        {topic: dict(reversed(row.items())) for topic, row in as_mapping(ROWS).items()},
        gc.Judgments.of(as_mapping(ROWS)),
    ],
    ids=["mapping", "another order", "made once"],
)
def test_forms_in_python(judgments: object) -> None:
    check(gc.evaluate(judgments, RUN, MEASURES))


def test_rows_of_topics_and_subtopics_in_any_order() -> None:
    shuffled = ROWS[::2] + ROWS[1::2]
    for rows in (ROWS[::-1], shuffled):
        assert gc.Judgments.of(as_mapping(rows)).to_dict() == HIGHEST
        check(gc.evaluate(as_mapping(rows), RUN, MEASURES))


@pytest.mark.parametrize("order", list(itertools.islice(itertools.permutations(range(5)), 0, 120, 13)), ids=str)
def test_scattered_lines_of_qrels(tmp_path: Path, order: tuple[int, ...]) -> None:
    parts = [ROWS[i::5] for i in order]
    path = tmp_path / "q.qrels"
    path.write_text(as_qrels([row for part in parts for row in part]))
    assert gc.read_judgments(path, subtopics=True).to_dict() == HIGHEST
    check(gc.evaluate(gc.read_judgments(path, subtopics=True), RUN, MEASURES))


def test_the_same_name_of_a_subtopic_in_two_topics_is_two_subtopics() -> None:
    judgments = {"1": {"x": {"a": 1}, "y": {"b": 1}}, "2": {"x": {"a": 1}, "z": {"b": 1}}}
    scores = gc.evaluate(judgments, {"1": ["x"], "2": ["q", "z", "x"]}, ["InstanceRecall@1", "InstanceRecall@3"])
    assert scores.values[0].tolist() == [[0.5, 0.0], [0.5, 1.0]]


def test_subtopics_are_text_as_all_ids_are(tmp_path: Path) -> None:
    """01, 1 and 1.0 are three subtopics."""
    path = tmp_path / "q.qrels"
    path.write_text("t 01 x 1\nt 1 y 1\nt 1.0 z 1\n")
    judged = gc.read_judgments(path, subtopics=True)
    assert gc.evaluate(judged, {"t": ["x"]}, "InstanceRecall@1").values.item() == pytest.approx(1 / 3, abs=1e-15)


# other measures


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "NumRel", "Judged@3", "ERR@3", "gR@2", "NumRel(only=3)"])
@pytest.mark.parametrize("name", FORMS)
def test_other_measures_take_the_highest_grade(folder: Path, name: str, measure: str) -> None:
    found = gc.evaluate_files(name, "a.run", [measure, "InstanceRecall@2"])
    right = gc.evaluate(HIGHEST, RUN, measure)
    assert found["a", measure].values.tolist() == right["run", measure].values.tolist()


def test_the_highest_grade_may_be_negative() -> None:
    judged = gc.Judgments.of({"t": {"x": {"a": -2, "b": -1}, "y": {"a": 0, "b": -2}}})
    assert judged.to_dict() == {"t": {"x": -1, "y": 0}}
    assert [note.slug for note in judged.notes] == ["negative-grades"]


def test_a_relevance_threshold_counts_subtopics_covered_so_well() -> None:
    scores = gc.evaluate(as_mapping(ROWS), RUN, ["InstanceRecall(rel=2)@2", "InstanceRecall(rel=3)@4"])
    assert scores["run", "InstanceRecall(rel=2)@2"]["1"] == 0.5  # a and b have a document of grade 2 or more
    assert scores["run", "InstanceRecall(rel=3)@4"]["1"] == 1
    assert math.isnan(scores["run", "InstanceRecall(rel=2)@2"]["2"])


def test_subtopics_with_the_rules_for_missing_topics_and_unjudged_documents() -> None:
    run = {"2": RUN["2"]}
    assert gc.evaluate(as_mapping(ROWS), run, "InstanceRecall@3")["run", "InstanceRecall@3"].values.tolist() == [0, 1]
    skipped = gc.evaluate(as_mapping(ROWS), run, "InstanceRecall@3", missing="skip")
    assert math.isnan(skipped["run", "InstanceRecall@3"]["1"])
    condensed = gc.evaluate(as_mapping(ROWS), run, "InstanceRecall@2", unjudged="condensed")
    assert condensed["run", "InstanceRecall@2"]["2"] == 1  # x was never judged, so d9 and d1 come first


def test_bounds_are_refused_with_the_reason() -> None:
    with pytest.raises(ChoiceError, match="could cover any of the subtopics"):
        gc.evaluate(as_mapping(ROWS), RUN, "InstanceRecall@3", unjudged="bounds")


# what is refused


@pytest.mark.parametrize(("name", "line"), [("q.qrels", 12), ("q.csv", 13), ("q.tsv", 13), ("q.jsonl", 12)])
def test_one_document_twice_for_one_subtopic_is_refused_with_both_places(tmp_path: Path, name: str, line: int) -> None:
    path = tmp_path / name
    path.write_text(FORMS[name]([*ROWS, ("1", "a", "d2", 0)]))
    first = line - 9
    with pytest.raises(InputError) as caught:
        gc.read_judgments(path, subtopics=True)
    assert caught.value.slug == "judgments-duplicate-document"
    message = str(caught.value)
    assert "topic 1 judges document d2 twice for subtopic a" in message
    assert f"{path}:{line} (first at {path}:{first})" in message


@pytest.mark.parametrize("name", ["q.qrels", "q.csv", "q.jsonl"])
def test_duplicates_first_keeps_the_first_and_tells(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FORMS[name]([*ROWS, ("1", "a", "d2", 9), ("2", "b", "d9", 5)]))
    judged = gc.read_judgments(path, subtopics=True, duplicates="first")
    assert judged.to_dict() == HIGHEST
    assert [note.slug for note in judged.notes] == ["duplicates-dropped"]
    assert "2 repeated judgments left out" in judged.notes[0].text
    check(gc.evaluate(judged, RUN, MEASURES))


def test_many_duplicates_are_counted_not_all_listed(tmp_path: Path) -> None:
    path = tmp_path / "q.qrels"
    path.write_text(as_qrels([("1", "a", f"d{i}", 1) for i in range(50)] * 2))
    with pytest.raises(InputError, match="and 30 more of the kind"):
        gc.read_judgments(path, subtopics=True)


def test_diversity_qrels_read_as_ordinary_ones_repeat_documents(folder: Path) -> None:
    """Nothing says that the second column names subtopics: the repeated document is refused, with its line."""
    with pytest.raises(InputError) as caught:
        gc.evaluate_files("q.qrels", "a.run", "nDCG@10")
    assert caught.value.slug == "judgments-duplicate-document"
    assert "q.qrels:2" in str(caught.value)


ORDINARY = "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("q.qrels", ORDINARY, "no topic has more than one subtopic"),
        ("q.csv", "topic,document,grade\n1,d1,1\n", "do not name subtopics"),
        ("q.jsonl", '{"topic": "1", "document": "d1", "grade": 1}\n', "do not name subtopics"),
        ("q.json", '{"1": {"d1": 1}}', "do not name subtopics"),
    ],
)
def test_ordinary_judgments_are_refused(folder: Path, name: str, text: str, words: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(GaincurveError) as caught:
        gc.evaluate_files(name, "a.run", ["nDCG@10", "InstanceRecall@10"])
    assert caught.value.slug == "measure-needs-subtopics"
    assert words in str(caught.value)
    assert name in str(caught.value)


def test_ordinary_judgments_in_python_are_refused() -> None:
    with pytest.raises(GaincurveError) as caught:
        gc.evaluate({"t": {"d": 1}}, {"t": ["d"]}, "InstanceRecall@10")
    assert caught.value.slug == "measure-needs-subtopics"


def test_grades_beside_grades_by_subtopic_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        gc.Judgments.of({"t": {"x": {"a": 1}, "y": 2}})
    assert caught.value.slug == "input-object"
    assert "document y" in str(caught.value)


@pytest.mark.parametrize("subtopic", [None, "", float("nan")])
def test_a_subtopic_without_a_name_is_refused(subtopic: object) -> None:
    with pytest.raises(InputError):
        gc.Judgments.of({"t": {"x": {subtopic: 1, "a": 1}}})


def test_a_record_without_its_subtopic_is_refused_with_its_line(tmp_path: Path) -> None:
    records = as_records(ROWS)
    del records[3]["subtopic_id"]
    path = tmp_path / "q.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    with pytest.raises(InputError) as caught:
        gc.read_judgments(path)
    assert f"{path}:4" in str(caught.value)


def test_a_cell_without_its_subtopic_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("topic,subtopic,document,grade\n1,a,x,1\n1,,y,1\n")
    with pytest.raises(InputError) as caught:
        gc.read_judgments(path)
    assert f"{path}:3" in str(caught.value)


def test_a_grade_that_is_no_number_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "q.qrels"
    path.write_text("1 a x 1\n1 b x high\n")
    with pytest.raises(InputError) as caught:
        gc.read_judgments(path, subtopics=True)
    assert caught.value.slug == "judgments-grade"
    assert f"{path}:2" in str(caught.value)


# commands


def test_eval_reads_subtopics_when_a_measure_needs_them(folder: Path, gaincurve: Command) -> None:
    done = gaincurve("eval", "q.qrels", "a.run", "-m", "InstanceRecall@2", "-m", "nDCG@10", "-q", "-f", "json")
    assert done.returncode == 0
    found = json.loads(done.stdout)["topics"]["a"]
    assert [found[t]["InstanceRecall@2"] for t in "12"] == pytest.approx(SHARES[2], abs=1e-15)
    right = gc.evaluate(HIGHEST, RUN, "nDCG@10")["run", "nDCG@10"]
    assert [found[t]["nDCG@10"] for t in "12"] == list(right)


def test_eval_reads_subtopics_when_told(folder: Path, gaincurve: Command) -> None:
    plain = gaincurve("eval", "q.qrels", "a.run", "-m", "nDCG@10")
    assert plain.returncode == 2
    assert "error[judgments-duplicate-document]" in plain.stderr
    told = gaincurve("eval", "q.qrels", "a.run", "-m", "nDCG@10", "--subtopics", "-q", "-f", "json")
    assert told.returncode == 0
    right = gc.evaluate(HIGHEST, RUN, "nDCG@10")["run", "nDCG@10"]
    assert [json.loads(told.stdout)["topics"]["a"][t]["nDCG@10"] for t in "12"] == list(right)


def test_eval_refuses_ordinary_qrels(folder: Path, gaincurve: Command) -> None:
    (folder / "plain.qrels").write_text(ORDINARY)
    done = gaincurve("eval", "plain.qrels", "a.run", "-m", "InstanceRecall@10")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error[measure-needs-subtopics]: no topic has more than one subtopic" in done.stderr
    assert "plain.qrels" in done.stderr


def test_duplicates_first_on_the_command_line(folder: Path, gaincurve: Command) -> None:
    (folder / "q.qrels").write_text(as_qrels([*ROWS, ("1", "a", "d2", 9)]))
    refused = gaincurve("eval", "q.qrels", "a.run", "-m", "InstanceRecall@2")
    assert refused.returncode == 2
    assert "q.qrels:12 (first at q.qrels:3)" in refused.stderr
    done = gaincurve("eval", "q.qrels", "a.run", "-m", "InstanceRecall@2", "--duplicates", "first", "-f", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["summary"]["a"]["InstanceRecall@2"] == pytest.approx(5 / 12, abs=1e-15)
    assert "1 repeated judgment left out" in done.stderr


def test_explain_the_measure(gaincurve: Command) -> None:
    done = gaincurve("explain", "InstanceRecall")
    assert done.returncode == 0
    for words in ("subtopics", "diversity qrels", "SubtopicRecall", "ndeval"):
        assert words in done.stdout


@pytest.mark.parametrize("name", ["q.qrels", "q.jsonl"])
def test_explain_one_topic_by_subtopic(folder: Path, gaincurve: Command, name: str) -> None:
    """Rank by rank the value of the list that ends there."""
    done = gaincurve("explain", "--topic", "2", name, "a.run", "-m", "InstanceRecall@3", "-f", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["value"] == 1
    whole = gc.explain(gc.read_judgments(name, subtopics=True), gc.read_run("a.run"), "2", "InstanceRecall@3")
    assert whole.value == 1


def test_check_takes_subtopics(folder: Path, gaincurve: Command) -> None:
    done = gaincurve("check", "q.qrels", "a.run", "--subtopics")
    assert "judgments-duplicate-document" not in done.stderr + done.stdout
    assert done.returncode in (0, 1)


# scores


ORDERS: dict[str, str] = {
    "three columns.run": "1 d1 1\n1 d2 2\n",
    "lists.json": '{"1": ["d1", "d2"]}',
    "ranks.csv": "topic,document,rank\n1,d1,1\n1,d2,2\n",
}


@pytest.mark.parametrize("name", ORDERS)
def test_a_run_that_is_only_an_order_has_no_scores_to_compare(folder: Path, gaincurve: Command, name: str) -> None:
    (folder / name).write_text(ORDERS[name])
    (folder / "plain.qrels").write_text(ORDINARY)
    done = gaincurve("eval", "plain.qrels", name, "-m", "CosRel", "-m", "nDCG@10")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error[measure-needs-scores]" in done.stderr
    assert "has only an order" in done.stderr
    assert gaincurve("eval", "plain.qrels", name, "-m", "nDCG@10").returncode == 0
    with pytest.raises(ChoiceError) as caught:
        gc.evaluate_files("plain.qrels", name, "CosRel")
    assert caught.value.slug == "measure-needs-scores"


def ordered() -> Iterable[object]:
    yield {"1": ["d1", "d2"]}
    yield gc.Run.of({"1": ["d1", "d2"]}, "made")


@pytest.mark.parametrize("run", list(ordered()), ids=["list", "Run"])
def test_an_order_in_python_has_no_scores_to_compare(run: object) -> None:
    with pytest.raises(ChoiceError) as caught:
        gc.evaluate({"1": {"d1": 1, "d2": 0}}, run, "CosRel")
    assert caught.value.slug == "measure-needs-scores"


@pytest.mark.parametrize("ties", ["trec", "average", "file", "rank"])
def test_scores_are_kept_under_every_tie_rule(folder: Path, ties: str) -> None:
    """Scores 3 2 1 and gains 1 0 1, whatever the order is made of."""
    (folder / "s.run").write_text("1 Q0 d1 2 3 x\n1 Q0 d2 1 2 x\n1 Q0 d3 3 1 x\n")
    (folder / "s.qrels").write_text("1 0 d1 1\n1 0 d2 0\n1 0 d3 1\n")
    right = 4 / math.sqrt(28)
    assert gc.evaluate_files("s.qrels", "s.run", "CosRel", ties=ties).values.item() == pytest.approx(right, abs=1e-15)
    run = gc.read_run("s.run", ties=ties)
    judged = gc.read_judgments("s.qrels")
    assert gc.evaluate(judged, run, "CosRel", ties=ties).values.item() == pytest.approx(right, abs=1e-15)


def test_a_json_document_may_nest_subtopics(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text('{"q": {"d1": {"a": 1, "b": 0}, "d2": {"b": 2}}}')
    judgments = gc.read_judgments(tmp_path / "q.json")
    found = gc.evaluate(judgments, {"q": ["d1", "d2"]}, ["InstanceRecall@1", "InstanceRecall@2", "NumRel"])
    assert found.values[0, :, 0].tolist() == [0.5, 1.0, 2.0]
    (tmp_path / "mixed.json").write_text('{"q": {"d1": {"a": 1}}, "r": {"d2": 2}}')
    with pytest.raises(gc.InputError, match="others one for each subtopic"):
        gc.read_judgments(tmp_path / "mixed.json")
