"""Conversions keep every id and number: proved between all formats, and refused where a format cannot carry one."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from saving import saved_text as save

import gaincurve as gc
from gaincurve.errors import GaincurveError
from gaincurve.io.convert import WRITTEN, Reading, converted
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
