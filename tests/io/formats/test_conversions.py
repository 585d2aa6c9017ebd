"""Conversions keep every id and number: proved between all formats, and refused where a format cannot carry one."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from saving import saved_text as save

import gaincurve as gc
from gaincurve.errors import GaincurveError
from gaincurve.io.convert import WRITTEN, Reading, converted
from gaincurve.io.formats.record import Format
from gaincurve.io.formats.registry import FORMATS
from gaincurve.io.read import read_judgments, read_run

JUDGED = {"301": {"FT-1": 3.0, "d2": 0.0, "grün": 0.1}, "1": {"007": -1.0, "d#5": 2.0}}
SCORED = {"301": {"d2": 0.1, "FT-1": 7.25, "grün": 7.25}, "1": {"007": 1e-3, "7": -2.5}}
TO = {
    kind: [f for f in WRITTEN.values() if f.holds_a(kind) and f.name != "trec-strata"] for kind in ("judgments", "run")
}
PAIRS = [(kind, a.name, b.name) for kind, formats in TO.items() for a in formats for b in formats]


def written(folder: Path, content: Any, kind: str, to: str, name: str) -> str:
    source = save(folder, json.dumps(content), f"{name}.source")
    done = converted(source, name, to, Reading(kind))
    (folder / name).write_bytes(done.data)
    return str(folder / name)


def scores_of(path: str) -> dict[str, dict[str, float]]:
    run = read_run(path)
    rows = zip(run.topic.tolist(), run.documents, run.scores.tolist(), strict=True)
    lists: dict[str, dict[str, float]] = {}
    for topic, document, score in rows:
        lists.setdefault(run.topics[topic], {})[document] = score
    return lists


def orders_of(path: str) -> dict[str, list[str]]:
    run = read_run(path)
    return {topic: run.ranking_of(topic) for topic in run.topics}


@pytest.mark.parametrize(("kind", "first", "second"), PAIRS)
def test_every_pair_of_formats_goes_round(tmp_path: Path, kind: str, first: str, second: str) -> None:
    content = JUDGED if kind == "judgments" else SCORED
    there = written(tmp_path, content, kind, first, "there")
    done = converted(there, "back", second, Reading(kind))
    (tmp_path / "back").write_bytes(done.data)
    back = str(tmp_path / "back")
    if kind == "judgments":
        assert read_judgments(back).to_dict() == JUDGED
        return
    assert orders_of(back) == {"301": ["grün", "FT-1", "d2"], "1": ["007", "7"]}
    if all("scores" in WRITTEN[name].carries for name in (first, second)):
        assert scores_of(back) == SCORED


IDS = st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=6)


@settings(max_examples=examples(150), deadline=None)
@given(
    st.dictionaries(IDS, st.dictionaries(IDS, st.floats(-1e6, 1e6), min_size=1, max_size=3), min_size=1, max_size=3),
    st.sampled_from([f.name for f in TO["judgments"]]),
)
def test_any_ids_are_carried_exactly_or_refused(content: dict[str, dict[str, float]], to: str) -> None:
    import tempfile  # noqa: PLC0415 -- one folder for each example

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            path = written(folder, content, "judgments", to, "f")
        except GaincurveError as error:
            assert error.slug in ("convert-lossy", "input-id")
            assert to not in ("json", "jsonl", "opensearch-judgments") or error.slug == "input-id"
            return
        assert read_judgments(path, grades_are_scores=True).to_dict() == content


@pytest.mark.parametrize(
    "format_", [f for f in FORMATS if f.holds != "both" and f.name != "letor-scores"], ids=lambda f: f.name
)
def test_every_format_converts_to_json_by_its_content_alone(tmp_path: Path, format_: Any) -> None:
    path = save(tmp_path, format_.example)
    if format_.name == "quepid-snapshot":
        path += "#before"
    kind = "run" if format_.name == "msmarco" else ""  # ranks 1, 2 could be grades
    done = converted(path, "out.json", None, Reading(kind))
    out = save(tmp_path, done.data.decode(), "out.json")
    if format_.holds == "judgments":
        assert read_judgments(out).to_dict() == read_judgments(path).to_dict()
    else:
        assert orders_of(out) == orders_of(path)


def test_what_could_be_either_must_be_named(tmp_path: Path) -> None:
    path = save(tmp_path, '{"1": {"a": 1}}')
    with pytest.raises(GaincurveError, match="could be judgments or a run"):
        converted(path, "o.csv", None, Reading())
    assert converted(path, "o.csv", None, Reading("run")).data == b"query_id,doc_id,score\n1,a,1\n"
    assert converted(path, "o.qrels", None, Reading("judgments")).data == b"1 0 a 1\n"


def test_what_a_format_does_not_keep_is_said(tmp_path: Path) -> None:
    run = save(tmp_path, "1 Q0 a 1 2.5 t\n1 Q0 b 2 2.0 t\n")
    assert [note.slug for note in converted(run, "o", "msmarco", Reading()).notes] == ["not-kept"]
    assert converted(run, "o", "trec-run-5", Reading()).notes == ()
    order = save(tmp_path, '{"1": ["a", "b"]}')
    assert "made from the ranks" in converted(order, "o.run", None, Reading()).notes[0].text
    assert converted(order, "o.json", None, Reading()).notes == ()
    strata = save(tmp_path, "1 0 a s1 2\n1 0 b s1 -1\n")
    assert "strata" in " ".join(note.text for note in converted(strata, "o.csv", None, Reading()).notes)
    assert converted(strata, "o.txt", None, Reading()).data == b"1 0 a s1 2\n1 0 b s1 -1\n"


def test_a_query_with_blanks_has_no_place_in_trec_columns(tmp_path: Path) -> None:
    path = save(tmp_path, "query,docid,rating\ndesk lamp,d1,3\n")
    with pytest.raises(GaincurveError) as caught:
        converted(path, "o.qrels", None, Reading())
    assert caught.value.slug == "convert-lossy" and "--to json" in str(caught.value)


def test_quepid_reads_a_text_that_a_spreadsheet_would_run(tmp_path: Path) -> None:
    path = save(tmp_path, json.dumps({"=1+1": {"-d": 2}}))
    data = converted(path, "o", "quepid-case", Reading("judgments")).data.decode()
    assert list(csv.reader(data.splitlines())) == [["query", "docid", "rating"], [" =1+1", " -d", "2"]]


METADATA = "# ir_metadata.start\n# platform:\n#   hardware:\n#     cpu: x\n# ir_metadata.end\n"


def test_ir_metadata_stays_at_the_head_of_a_run(tmp_path: Path) -> None:
    path = save(tmp_path, METADATA + "1 Q0 a 1 2.5 f\n")
    assert converted(path, "o.run", None, Reading()).data.decode() == METADATA + "1 Q0 a 1 2.5 f\n"
    assert "ir_metadata" in converted(path, "o.json", None, Reading()).notes[0].text


def test_in_python_a_file_is_converted_and_the_notes_returned(tmp_path: Path) -> None:
    path = save(tmp_path, "1 Q0 a 1 2.5 t\n1 Q0 b 2 2.0 t\n", "a.run")
    done = gc.convert(path, tmp_path / "b.tsv", "msmarco")
    assert (tmp_path / "b.tsv").read_text() == "1\ta\t1\n1\tb\t2\n"
    assert [note.slug for note in done.notes] == ["not-kept"]


MEASURES = ["nDCG@10", "AP", "RR", "P@5", "CG@10", "nCG@20", "ERR@10", "RBP(p=0.8)", "R@10"]
MANY = {
    "judgments": {
        str(q): {f"d{(7 * q + 11 * i) % 60}": (i * q) % 4 - (i == 9) + 0.5 * (i == 5) for i in range(25)}
        for q in range(5)
    },
    "run": {str(q): {f"d{(13 * q + 17 * i) % 60}": ((i * i * 7 + q) % 23) / 8 for i in range(40)} for q in range(5)},
}


@pytest.mark.parametrize(
    ("kind", "format_"), [(kind, f) for kind in TO for f in TO[kind]], ids=lambda x: getattr(x, "name", x)
)
def test_the_same_data_in_any_format_has_the_same_scores_to_the_bit(tmp_path: Path, kind: str, format_: Format) -> None:
    """Ties, fractions, negative grades and unjudged documents among them."""
    files = {other: save(tmp_path, json.dumps(content), other) for other, content in MANY.items()}
    expected = gc.evaluate_files(files["judgments"], files["run"], MEASURES).values
    files[kind] = written(tmp_path, MANY[kind], kind, format_.name, f"{kind}.converted")
    values = gc.evaluate_files(files["judgments"], files["run"], MEASURES).values
    assert np.array_equal(values, expected, equal_nan=True)


EMPTY = {
    "json": '{"q1": {"d1": 1.0}, "q2": {}}',
    "json, in order": '{"q1": ["d1"], "q2": []}',
    "opensearch-results": '[{"searchText": "q1", "documentIds": ["d1"]}, {"searchText": "q2", "documentIds": []}]',
    "search": '{"topic": "q1", "hits": {"hits": [{"_id": "d1"}]}}\n{"topic": "q2", "hits": {"hits": []}}\n',
    "rank-eval-response": '{"details": {"q1": {"hits": [{"hit": {"_id": "d1", "_score": 1}}]}, "q2": {"hits": []}}}',
    "trec-rag": '{"run_id": "r", "topic_id": "q1", "references": ["d1"]}\n'
    '{"run_id": "r", "topic_id": "q2", "references": []}\n',
    "mteb": '{"mteb_model_meta": {"model_name": "r"}, "default": {"test": {"q1": {"d1": 1}, "q2": {}}}}',
    "sentence-transformers": '{"query_id": "q1", "results": [{"corpus_id": "d1", "score": 1}]}\n'
    '{"query_id": "q2", "results": []}\n',
    "ragas": '[{"user_input": "q1", "retrieved_context_ids": ["d1"], "reference_context_ids": []}, '
    '{"user_input": "q2", "retrieved_context_ids": [], "reference_context_ids": []}]',
    "quepid-snapshot": "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\nr,,7,q1,d1,1\nr,,7,q2,,\n",
}


@pytest.mark.parametrize("name", EMPTY)
def test_an_empty_list_is_no_missing_one_and_stays_where_it_can(tmp_path: Path, name: str) -> None:
    """RR of q1 is 1 and of the empty q2 0; where q2 is missing, it is left out of the mean."""
    qrels, path = save(tmp_path, "q1 0 d1 1\nq2 0 d1 1\n", "q"), save(tmp_path, EMPTY[name], "r")

    def mean(run: str) -> float:
        return next(iter(gc.evaluate_files(qrels, run, "RR", missing="skip").summary().values()))["RR"]

    assert mean(path) == 0.5
    for to, expected in (("json", 0.5), ("opensearch-results", 0.5), ("trec-run", 1.0), ("csv", 1.0), ("parquet", 1.0)):
        done = converted(path, "o", to, Reading("run"))
        (tmp_path / "o").write_bytes(done.data)
        assert mean(str(tmp_path / "o")) == expected
        said = any("topics without documents are not kept" in note.text for note in done.notes)
        assert said == (expected == 1.0)


def test_a_query_without_hits_counts_as_missing_where_only_hits_name_it(tmp_path: Path) -> None:
    answer = {"hits": {"hits": [{"_id": "d1", "_score": 1, "matched_queries": ["q1"]}]}}
    run = read_run(save(tmp_path, json.dumps({"responses": [answer, {"hits": {"hits": []}}]})))
    assert run.topics == ("q1",) and [note.slug for note in run.notes] == ["queries-empty"]
    del answer["hits"]["hits"][0]["matched_queries"]
    assert read_run(save(tmp_path, json.dumps({"responses": [answer, {"hits": {"hits": []}}]}))).topics == ("1", "2")
