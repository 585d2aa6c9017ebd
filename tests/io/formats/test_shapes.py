"""Every format's own literal is read; with a field renamed, lacking, null or added, the message says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gaincurve.errors import GaincurveError
from gaincurve.io.formats.record import Format
from gaincurve.io.formats.registry import FORMATS, OWN
from gaincurve.io.read import read_judgments, read_runs

Lists = dict[str, dict[str, dict[str, float]]]

JUDGED = {"desk lamp": {"d1": 3.0, "d2": 0.0}}
HOLD: dict[str, dict[str, dict[str, float]] | Lists] = {
    "trec-qrels": {"301": {"d1": 3, "d2": 0}},
    "trec-strata": {"301": {"d1": 3, "d2": -1}},
    "trec-qrels-3": {"301": {"d1": 3, "d2": 0}},
    "trec-run": {"f": {"301": {"d1": 2.5, "d3": 1.25}}},
    "trec-run-5": {"f": {"301": {"d1": 2.5, "d3": 1.25}}},
    "msmarco": {"f": {"301": {"d1": -1, "d3": -2}}},
    "csv": {"301": {"d1": 3, "d2": 0}},
    "tsv": {"301": {"d1": 3, "d2": 0}},
    "csv-semicolons": {"301": {"d1": 3, "d2": 0}},
    "columns": {"301": {"d1": 3, "d2": 0}},
    "json": {"301": {"d1": 3, "d2": 0}},
    "jsonl": {"301": {"d1": 3, "d2": 0}},
    "quepid-case": {**JUDGED, "-10 bulbs": {"d4": 1}},
    "quepid-book-csv": JUDGED,
    "quepid-book": JUDGED,
    "quepid-snapshot": {"before": {"desk lamp": {"d1": -1, "d3": -2}}, "after": {"desk lamp": {"d3": -1}}},
    "rre": {"desk lamp": {"d1": 3, "d2": 1}},
    "rre-queries": JUDGED,
    "rre-groups": {"desk lamp": {"d1": 3}},
    "rank-eval-request": {"q1": {"d1": 3, "d2": 0}},
    "rank-eval-response": {"f": {"q1": {"d1": 2.5, "d3": 1.25}}},
    "msearch": {"f": {"q1": {"d1": 2.5, "d3": 1.25}}},
    "search": {"f": {"q1": {"d1": 2.5, "d3": 1.25}}},
    "opensearch-judgments": JUDGED,
    "opensearch-results": {"f": {"desk lamp": {"d1": -1, "d3": -2}}},
    "umbrela": {"q1": {"d1": 3}},
    "trec-rag": {"f": {"q1": {"d1": -1, "d3": -2}}},
    "ragas": {"desk lamp": {"d1": 1, "d2": 1}},
    "llamaindex": {"desk lamp": {"d1": 1, "d2": 1}},
    "mteb": {"org/model@a1b2": {"q1": {"d1": 0.83, "d3": 0.5}}},
    "sentence-transformers": {"f": {"q1": {"d1": 0.9, "d3": 0.4}}},
    "letor": {"10": {"d1": 3, "d2": 0}},
    "letor-scores": {"f": {"10": {"d1": 2.5, "d2": 1.25}}},
}
"""What each example holds; runs by name, as the file of them is called f."""

ALSO_RUNS = {
    "csv": ("query_id,doc_id,score\n301,d1,2.5\n301,d3,1.25\n", {"301": {"d1": 2.5, "d3": 1.25}}),
    "json": ('{"301": ["d1", "d3"]}', {"301": {"d1": -1, "d3": -2}}),
    "ragas": ("", {"desk lamp": {"d1": -1, "d3": -2}}),
    "llamaindex": ("", {"desk lamp": {"d1": -1, "d3": -2}}),
}


def runs_of(path: Path | str) -> Lists:
    return {
        run.name: {
            topic: {d: float(s) for d, s, t in zip(run.documents, run.scores, run.topic, strict=True) if t == i}
            for i, topic in enumerate(run.topics)
        }
        for run in read_runs(path)
    }


def saved(folder: Path, text: str, format_: Format) -> str:
    (folder / "f").write_text(text, "utf-8")
    if format_.name != "letor-scores":
        return str(folder / "f")
    (folder / "features").write_text(next(f.example for f in FORMATS if f.name == "letor"), "utf-8")
    return f"{folder / 'f'}#{folder / 'features'}"


def read(path: str, format_: Format) -> Any:
    return runs_of(path) if format_.holds == "run" else read_judgments(path).to_dict()


def test_every_format_has_its_expected_content() -> None:
    assert [format_.name for format_ in FORMATS if format_.name not in HOLD] == []
    assert len({format_.name for format_ in FORMATS}) == len({format_.title for format_ in FORMATS}) == len(FORMATS)


@pytest.mark.parametrize("format_", FORMATS, ids=lambda f: f.name)
def test_the_example_of_a_format_is_read_as_that_format(tmp_path: Path, format_: Format) -> None:
    path = saved(tmp_path, format_.example, format_)
    assert read(path, format_) == HOLD[format_.name]
    source = read_runs(path)[0].source if format_.holds == "run" else read_judgments(path).source
    assert source.format == format_.title


@pytest.mark.parametrize("name", ALSO_RUNS)
def test_formats_of_both_hold_runs_too(tmp_path: Path, name: str) -> None:
    text, expected = ALSO_RUNS[name]
    format_ = next(f for f in FORMATS if f.name == name)
    assert runs_of(saved(tmp_path, text or format_.example, format_)) == {"f": expected}


@pytest.mark.parametrize("format_", [f for f in OWN if f.holds != "both"], ids=lambda f: f.name)
def test_a_format_of_the_other_kind_is_refused_by_name(tmp_path: Path, format_: Format) -> None:
    path = saved(tmp_path, format_.example, format_)
    with pytest.raises(GaincurveError) as caught:
        read_judgments(path) if format_.holds == "run" else read_runs(path)
    assert caught.value.slug in ("judgments-look-like-run", "run-looks-like-judgments")
    assert format_.title in str(caught.value)


def documents(text: str) -> list[Any]:
    """The JSON documents of an example: one, or one a line."""
    return (
        [json.loads(line) for line in text.splitlines()]
        if "}\n{" in text or text.endswith("}\n")
        else [json.loads(text)]
    )


def steps(shape: Any, value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to each required key of a shape, in a document that has them."""
    if isinstance(shape, list):
        if value:
            yield from steps(shape[0], value[0], (*path, 0))
        return
    if not isinstance(shape, dict):
        return
    for key, inner in shape.items():
        if key == "*":
            name = next(name for name in value if name not in shape)
            yield from steps(inner, value[name], (*path, name))
        elif not key.endswith("?"):
            yield (*path, key)
            yield from steps(inner, value[key], (*path, key))


SHAPED = [f for f in OWN if f.shape is not None]
FIELDS = [
    (f, path)
    for f in SHAPED
    for path in steps([f.shape] if documents(f.example)[0].__class__ is list else f.shape, documents(f.example)[0])
]


def changed(format_: Format, path: tuple[Any, ...], how: str) -> str:
    first, *rest = documents(format_.example)
    inner = first
    for step in path[:-1]:
        inner = inner[step]
    value = inner.pop(path[-1])
    if how == "renamed":
        inner[f"{path[-1]}_x"] = value
    elif how == "null":
        inner[path[-1]] = None
    else:
        inner |= {path[-1]: value, "another": {"key": [1]}}
    return "\n".join(map(json.dumps, [first, *rest])) + "\n"


@pytest.mark.parametrize(
    ("format_", "path"), FIELDS, ids=lambda x: x.name if isinstance(x, Format) else "-".join(map(str, x))
)
def test_a_renamed_field_is_named_with_the_nearest_shape(
    tmp_path: Path, format_: Format, path: tuple[Any, ...]
) -> None:
    if (format_.name, path) in TOLERATED:
        return
    with pytest.raises(GaincurveError) as caught:
        read(saved(tmp_path, changed(format_, path, "renamed"), format_), format_)
    message = str(caught.value)
    assert repr(path[-1]) in message and f"{path[-1]}_x" in message, message
    assert format_.title in message


TOLERATED: set[tuple[str, tuple[Any, ...]]] = set()


@pytest.mark.parametrize(
    ("format_", "path"), FIELDS, ids=lambda x: x.name if isinstance(x, Format) else "-".join(map(str, x))
)
def test_a_null_is_named(tmp_path: Path, format_: Format, path: tuple[Any, ...]) -> None:
    if (format_.name, path) in NULLABLE:
        return
    with pytest.raises(GaincurveError) as caught:
        read(saved(tmp_path, changed(format_, path, "null"), format_), format_)
    message = str(caught.value)
    assert str(path[-1]) in message and ("null" in message or "None" in message or "empty" in message), message


NULLABLE = {
    ("quepid-book", ("query_doc_pairs", 0, "judgements", 0, "rating")),  # not rated yet
    ("rre-queries", ("id_field",)),
    ("umbrela", ("result_status",)),
}


@pytest.mark.parametrize(
    ("format_", "path"), FIELDS, ids=lambda x: x.name if isinstance(x, Format) else "-".join(map(str, x))
)
def test_another_key_changes_nothing(tmp_path: Path, format_: Format, path: tuple[Any, ...]) -> None:
    if format_.name == "mteb" and len(path) == 1:
        return  # another key is another subset
    assert read(saved(tmp_path, changed(format_, path, "extra"), format_), format_) == HOLD[format_.name]
