"""Texts and session logs have a record for each format, too: its literal is read, or a broken field is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gaincurve as gc
from gaincurve.errors import GaincurveError
from gaincurve.files.evaluate import evaluate_session_files
from gaincurve.io.formats.beginning import Beginning, Known
from gaincurve.io.sessions import logs
from gaincurve.io.texts.formats import FORMATS as TEXTS
from gaincurve.io.texts.formats import TextFormat, recognised
from gaincurve.io.texts.stream import TextStream

HELD = {"d1": "Lamp — A small lamp.", "d2": "A desk."}
QRELS = "301 0 d1 1\n301 0 d2 3\n301 0 d3 2\n"


def titled(known: Known) -> str:
    return known.title


@pytest.mark.parametrize("known", TEXTS, ids=titled)
def test_the_example_of_a_text_format_is_read_as_that_format(tmp_path: Path, known: TextFormat) -> None:
    (tmp_path / "f").write_text(known.example, "utf-8")
    texts = gc.read_texts(tmp_path / "f")
    assert dict(texts) == HELD
    assert texts.source.format == f"{known.title} texts"
    with TextStream(tmp_path / "f") as stream:
        assert recognised(stream) is known


@pytest.mark.parametrize("name", ["_id", "text"])
def test_a_text_record_with_a_field_renamed_null_or_added(tmp_path: Path, name: str) -> None:
    known = next(known for known in TEXTS if known.title == "JSON lines")
    records = [json.loads(line) for line in known.example.splitlines()]

    def read(record: dict[str, object]) -> dict[str, str]:
        (tmp_path / "f").write_text("\n".join(map(json.dumps, [record, records[1]])) + "\n", "utf-8")
        return dict(gc.read_texts(tmp_path / "f"))

    assert read({**records[0], "another": [1]}) == HELD
    renamed = {f"{key}_x" if key == name else key: value for key, value in records[0].items()}
    if name == "_id":
        with pytest.raises(GaincurveError, match="names no id, or no text: _id_x, title, text"):
            read(renamed)
        with pytest.raises(GaincurveError, match="id"):
            read({**records[0], name: None})
    else:
        assert read(renamed)["d1"] == "Lamp"  # the title is left
        assert read({**records[0], name: None})["d1"] == "Lamp"


@pytest.mark.parametrize("known", logs.SESSION_FORMATS, ids=titled)
def test_the_example_of_a_session_format_is_the_same_session(tmp_path: Path, known: Known) -> None:
    """Two queries, d1 and d2, then d3; sDCG with b = 2 and bq = 4 by hand: 1 + 3/(1 + log2 2) + 2/(1 + log4 2)."""
    (tmp_path / "log").write_text(known.example, "utf-8")
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "map").write_text("s1 301\n")
    mapped = {"topics": tmp_path / "map"} if known is logs.RUN else {}
    fields = {"topic": "query_attributes.topic"} if known is logs.UBI else None
    choices = {"fields": fields} if fields else {}
    scores = evaluate_session_files(tmp_path / "qrels", tmp_path / "log", "sDCG", **mapped, **choices)
    assert scores.values[0, 0].tolist() == pytest.approx([1 + 3 / 2 + 2 / 1.5], abs=1e-12)
    if known is not logs.RUN:
        (log,) = gc.read_session_logs(tmp_path / "log", judged=["301"], **choices)
        assert log.source.format in (f"session {known.title}", known.title, "session CSV")


@pytest.mark.parametrize("name", ["session", "ranking"])
@pytest.mark.parametrize("known", [logs.LINES, logs.LIST], ids=titled)
def test_a_session_record_with_a_field_renamed_is_named(tmp_path: Path, known: Known, name: str) -> None:
    (tmp_path / "log").write_text(known.example.replace(f'"{name}":', f'"{name}_x":'), "utf-8")
    with pytest.raises(GaincurveError) as caught:
        gc.read_sessions(tmp_path / "log")
    assert f"no {name!r}" in str(caught.value) or f"{name}_x" in str(caught.value)
    nulled = known.example.replace('"s1"' if name == "session" else '["d1", "d2"]', "null", 1)
    (tmp_path / "log").write_text(nulled, "utf-8")
    with pytest.raises(GaincurveError, match=name):
        gc.read_sessions(tmp_path / "log")
    (tmp_path / "log").write_text(known.example.replace('"session":', '"another": {"k": 1}, "session":'), "utf-8")
    assert gc.read_sessions(tmp_path / "log").sessions.ids[0] == "s1"


@pytest.mark.parametrize(
    ("line", "second", "is_lines"),
    [
        ('{"a": 1}', '{"a": 2}', True),
        ('{"a": 1}', "", False),
        ('{"topic": 1}', "", True),
        ('{"a": 1}', "garbage", False),
        ("{", '"a": 1}', False),
        ("[{}]", "", False),
        ("q1 0 d 1", '{"a": 1}', False),
    ],
)
def test_lines_and_documents_are_told_apart(line: str, second: str, is_lines: bool) -> None:
    assert Beginning(line, second).is_lines(lambda record: "topic" in record) is is_lines
