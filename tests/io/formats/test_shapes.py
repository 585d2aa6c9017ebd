"""Every format's own literal is read; with a field renamed, lacking, null or added, the message says so.

What is done to the literals: each key of each record is renamed, nulled and joined by another; each value anywhere is
replaced by each of many others. A format without such cases fails the tests of completeness.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

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


def read(path: str, format_: Format, kind: str = "") -> Any:
    return runs_of(path) if "run" in (format_.holds, kind) else read_judgments(path).to_dict()


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


def is_lines(format_: Format) -> bool:
    return format_.records and format_.example.startswith("{")


def document(format_: Format) -> Any:
    """The JSON of an example; of JSON lines the list of records."""
    return (
        [json.loads(line) for line in format_.example.splitlines()]
        if is_lines(format_)
        else json.loads(format_.example)
    )


def written(format_: Format, value: Any) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in value) if is_lines(format_) else json.dumps(value)


def steps(shape: Any, value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to each key of a shape, in every record and under every name of a document that has them."""
    if isinstance(shape, list):
        for i, item in enumerate(value):
            yield from steps(shape[0], item, (*path, i))
        return
    if not isinstance(shape, dict):
        return
    for key, inner in shape.items():
        for name in [name for name in value if name not in shape] if key == "*" else [key.removesuffix("?")]:
            if name in value:
                yield from steps(inner, value[name], (*path, name))
                if key != "*":
                    yield (*path, key)


SHAPED = [f for f in OWN if f.shape is not None]
KEYS = [(f, path) for f in SHAPED for path in steps([f.shape] if f.records else f.shape, document(f))]
FIELDS = [(f, path) for f, path in KEYS if not path[-1].endswith("?")]
OPTIONAL = [(f, (*path[:-1], path[-1][:-1])) for f, path in KEYS if path[-1].endswith("?")]


def named(x: Any) -> str:
    return x.name if isinstance(x, Format) else "-".join(map(str, x))


def changed(format_: Format, path: tuple[Any, ...], how: str) -> str:
    value = document(format_)
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    if how == "extra":
        inner["another"] = {"key": [1]}
    else:
        inner[f"{path[-1]}_x" if how == "renamed" else path[-1]] = inner.pop(path[-1]) if how == "renamed" else None
    return written(format_, value)


def kind_of(path: tuple[Any, ...]) -> str:
    """The kind for which a key is needed where a format holds both."""
    return "run" if path[-1].startswith("retrieved") else "judgments"


@pytest.mark.parametrize(("format_", "path"), FIELDS, ids=named)
def test_a_renamed_field_is_named_with_the_nearest_shape(
    tmp_path: Path, format_: Format, path: tuple[Any, ...]
) -> None:
    with pytest.raises(GaincurveError) as caught:
        read(saved(tmp_path, changed(format_, path, "renamed"), format_), format_, kind_of(path))
    message = str(caught.value)
    assert repr(path[-1]) in message and f"{path[-1]}_x" in message, message
    assert format_.title in message


@pytest.mark.parametrize(("format_", "path"), FIELDS, ids=named)
def test_a_null_is_named(tmp_path: Path, format_: Format, path: tuple[Any, ...]) -> None:
    text = changed(format_, path, "null")
    if (format_.name, path[-1]) in NULLABLE or (format_.name, path[0], path[-1]) in UNREAD:
        assert set(read(saved(tmp_path, text, format_), format_)) == set(HOLD[format_.name])
        return
    with pytest.raises(GaincurveError) as caught:
        read(saved(tmp_path, text, format_), format_, kind_of(path))
    message = str(caught.value)
    assert str(path[-1]) in message and ("null" in message or "None" in message or "empty" in message), message


NULLABLE = {
    ("quepid-book", "rating"),  # not rated yet
    ("rre-queries", "id_field"),  # which only shows what the file is
}


UNREAD = {("umbrela", 1, key) for key in ("qid", "docid", "judgment")}
"""Of a document that the model did not judge."""


@pytest.mark.parametrize(("format_", "path"), FIELDS, ids=named)
def test_another_key_changes_nothing(tmp_path: Path, format_: Format, path: tuple[Any, ...]) -> None:
    if format_.name == "mteb" and len(path) == 1:
        return  # another key is another subset
    assert read(saved(tmp_path, changed(format_, path, "extra"), format_), format_) == HOLD[format_.name]


WITHOUT: dict[tuple[str, str], Any] = {
    ("rre", "placeholders"): "there is no 'placeholders', but 'placeholders_x'",
    ("rre-groups", "placeholders"): "there is no 'placeholders', but 'placeholders_x'",
    ("rre", "template"): HOLD["rre"],
    ("rre-groups", "template"): HOLD["rre-groups"],
    ("rre-queries", "relevant_documents"): "has no documents: a query without relevant documents is left out",
    ("rank-eval-response", "_score"): {"f": {"q1": {"d1": -1, "d3": -2}}},  # the order counts
    ("msearch", "_score"): {"f": {"q1": {"d1": -1, "d3": -2}}},
    ("msearch", "hits"): "there is no 'hits', but 'hits_x'",
    ("search", "_score"): {"f": {"q1": {"d1": -1, "d3": -2}}},
    ("search", "topic"): "which topic it answers: there is no 'topic', but 'topic_x'",
    ("ragas", "user_input"): {"1": {"d1": 1, "d2": 1}},  # topics are numbered, with a note
    ("llamaindex", "query"): {"1": {"d1": 1, "d2": 1}},
    ("mteb", "revision"): {"org/model": {"q1": {"d1": 0.83, "d3": 0.5}}},
}
"""What becomes of a document in which a key has another name that may be missing."""


@pytest.mark.parametrize(("format_", "path"), OPTIONAL, ids=named)
def test_a_key_that_may_be_missing_has_another_name(tmp_path: Path, format_: Format, path: tuple[Any, ...]) -> None:
    expected = WITHOUT[format_.name, path[-1]]
    file = saved(tmp_path, changed(format_, path, "renamed"), format_)
    if isinstance(expected, str):
        with pytest.raises(GaincurveError, match=expected):
            read(file, format_)
    else:
        assert read(file, format_) == expected


@pytest.mark.parametrize(("format_", "mark"), [(f, (mark,)) for f in SHAPED for mark in f.marks], ids=named)
def test_a_mark_names_the_format_whatever_else_is_wrong(tmp_path: Path, format_: Format, mark: tuple[str]) -> None:
    for value in ({mark[0]: None}, [{"another": 1}, {mark[0]: {}}]):
        if isinstance(value, list) and not format_.records:
            continue
        with pytest.raises(GaincurveError, match=f"read as {format_.title}"):
            read(saved(tmp_path, json.dumps(value), format_), format_, kind_of(mark))


SNAPSHOT = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
BROKEN: dict[str, tuple[tuple[str, str], ...]] = {
    "trec-qrels": (("301 0 d1\n302 0 d1 3\n", "4 columns"), ("301 0 d1 null\n", "grade 'null' is not")),
    "trec-strata": (("301 0 d1 s1 3\n301 0 d2 -1\n", "4 columns"), ("301 0 d1 s1 null\n", "grade 'null' is not")),
    "trec-qrels-3": (("301 d1 3\n301 3\n", "2 columns"), ("301 d1 null\n", "grade 'null' is not")),
    "trec-run": (("301 Q0 d1 1 2.5 t\n301 Q0 d2 2\n", "4 columns"), ("301 Q0 d1 1 null t\n", "score 'null' is not")),
    "trec-run-5": (("301 Q0 d1 1 2.5\n301 Q0 d2\n", "3 columns"), ("301 Q0 d1 1 null\n", "score 'null' is not")),
    "msmarco": (("301\td1\t1\n301\td2\n", "2 columns"), ("301\td1\tnull\n", "rank 'null' is not")),
    "csv": (
        ("query_id,doc_idx,relevance\n1,a,1\n", "did you mean doc_id instead of doc_idx?"),
        ("query_id,doc_id,relevancx\n1,a,1\n", "no column for the grade.*did you mean relevance instead of relevancx?"),
        ("query_id,doc_id,relevance\n1,,1\n", "column 'doc_id'"),
        ("query_id,doc_id,relevance\n1,a,\n", "column 'relevance'"),
    ),
    "tsv": (
        ("query_idx\tdoc_id\trelevance\n1\ta\t1\n", "did you mean query_id instead of query_idx?"),
        ("query_id\tdoc_id\trelevance\n\ta\t1\n", "column 'query_id'"),
    ),
    "csv-semicolons": (
        ("query_id;doc_idx;relevance\n1;a;1\n", "did you mean doc_id instead of doc_idx?"),
        ("query_id;doc_id;relevance\n1;a;\n", "column 'relevance'"),
    ),
    "columns": (
        ("query_id doc_id relevancx\n1 a 1\n", "did you mean relevance instead of relevancx?"),
        ("query_id doc_id relevance\n1 a\n", "2 fields where the header has 3"),
    ),
    "json": (
        ('{"301": null}', "'301' holds null"),
        ('{"301": {"d1": null}}', "None is not"),
        ('{"301": 3}', "a number"),
    ),
    "jsonl": (
        ('{"query_id": 1, "doc_idx": 2, "relevance": 1}\n', "did you mean doc_id instead of doc_idx?"),
        ('{"query_id": 1, "doc_id": null, "relevance": 1}\n', "column 'doc_id'"),
        ('{"query_id": 1, "doc_id": 2, "relevance": null}\n', "column 'relevance'"),
    ),
    "quepid-case": (
        ("queryx,docid,rating\na,d1,3\n", "nearly Quepid case: there is no column 'query', but 'queryx'"),
        ("query,dokid,rating\na,d1,3\n", "nearly Quepid case: there is no column 'docid', but 'dokid'"),
        ("query,docid,ratng\na,d1,3\n", "'ratng' is neither a Quepid case's 'rating'"),
        ("query,docid,rating\n,d1,3\n", "column 'query'"),
    ),
    "quepid-book-csv": (
        ("queryx,docid,Alice,Bob\na,d1,3,3\n", "did you mean query instead of queryx?"),
        ("query,docid,Alice,Alice\na,d1,3,2\n", "two judges are called 'Alice'"),
        ("query,docid,Alice,Bob\na,d1,3,x\n", "grade 'x' is not"),
        ("query,docid,Alice,Bob\na,,3,3\n", "column 'docid'"),
    ),
    "quepid-snapshot": (
        *(
            (
                SNAPSHOT.replace(name, f"{name}x") + "s,2026,7,lamp,d1,1\n",
                f"nearly Quepid snapshots.*'{name}', but '{name}x'",
            )
            for name in SNAPSHOT.strip().split(",")
        ),
        (SNAPSHOT + "s,2026,7,,d1,1\n", "column 'Query Text'"),
        (SNAPSHOT + "s,2026,7,lamp,d1,\n", "Doc Position '' of query lamp is not a whole number"),
        (SNAPSHOT + "s,2026,7,lamp,d1,1.5\n", "Doc Position .1.5. of query lamp is not a whole number"),
    ),
    "letor": (
        ("2 qidx:10 1:0.03 # d1\n", "not a line of LETOR.*read as LETOR features"),
        ("2 qid:10 1;0.03 # d1\n", "not a line of LETOR"),
        ("2 qid: 1:0.03 # d1\n", "not a line of LETOR"),
        ("null qid:10 1:0.03\n", "grade 'null' is not"),
    ),
    "letor-scores": (("2.5\nnull\n", "score 'null' is not"), ("2.5\n", "1 score,.*2 lines")),
}
"""Tables and lines with a column renamed or missing, and with a cell that holds nothing, and what is said of each."""


def test_every_format_is_broken_somewhere() -> None:
    assert {*BROKEN, *(f.name for f in SHAPED)} == {f.name for f in FORMATS}
    assert {(f.name, path[-1]) for f, path in OPTIONAL} == set(WITHOUT)


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, cases in BROKEN.items() for case in cases])
def test_a_broken_table_or_line_is_named(tmp_path: Path, name: str, case: tuple[str, str]) -> None:
    format_ = next(f for f in FORMATS if f.name == name)
    with pytest.raises(GaincurveError) as caught:
        read(saved(tmp_path, case[0], format_), format_)
    assert re.search(case[1], str(caught.value), re.DOTALL), str(caught.value)


def test_another_column_changes_nothing(tmp_path: Path) -> None:
    """Snapshots carry the fields of the documents behind their own columns, whatever those are called."""
    text = SNAPSHOT.strip() + ",Rating,doc_id,Snapshot Name\ns,2026,7,lamp,d1,1,,other,other\n"
    assert runs_of(saved(tmp_path, text, FORMATS[0])) == {"s": {"lamp": {"d1": -1}}}
    for text in (
        "query,docid,rating,title\nlamp,d1,3,x\n",
        '{"qid": "lamp", "docno": "d1", "rel": 3, "x": {"y": [1]}}\n',
    ):
        assert read_judgments(saved(tmp_path, text, FORMATS[0])).to_dict() == {"lamp": {"d1": 3}}


OTHERS: tuple[Any, ...] = (
    None,
    "",
    "text",
    "2",
    7,
    -1,
    1.5,
    True,
    [],
    {},
    [1],
    {"a": 1},
    [[{}]],
    float("nan"),
    10**400,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to every value of a document."""
    if path:
        yield path
    for step, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places(inner, (*path, step))


def mutants(value: Any, path: tuple[Any, ...]) -> Iterator[Any]:
    """The document with one of its values replaced, wrapped, doubled or left out."""
    for other in (*OTHERS, "wrapped", "doubled", "gone"):
        mutant = copy.deepcopy(value)
        inner = mutant
        for step in path[:-1]:
            inner = inner[step]
        if other == "gone":
            inner.pop(path[-1])
        elif other == "doubled" and isinstance(inner, list):
            inner.append(inner[path[-1]])
        else:
            inner[path[-1]] = [inner[path[-1]]] if other == "wrapped" else other
        yield mutant


def read_or_refused(file: str) -> None:
    """Both readers give their answer, or say what is wrong; anything else fails the test."""
    for reader in (read_judgments, read_runs):
        try:
            reader(file)
        except GaincurveError as error:
            assert str(error).startswith("error[")


@pytest.mark.filterwarnings("ignore::gaincurve.errors.GaincurveWarning")
@pytest.mark.parametrize("format_", SHAPED, ids=named)
def test_a_document_with_any_value_replaced_is_read_or_refused(tmp_path: Path, format_: Format) -> None:
    value = document(format_)
    for path in places(value):
        for mutant in mutants(value, path):
            read_or_refused(saved(tmp_path, written(format_, mutant), format_))


@pytest.mark.filterwarnings("ignore::gaincurve.errors.GaincurveWarning")
@settings(max_examples=examples(300), deadline=None)
@given(st.data())
def test_documents_changed_in_several_places_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    format_ = data.draw(st.sampled_from(SHAPED))
    value = document(format_)
    for _ in range(data.draw(st.integers(2, 4))):
        path = data.draw(st.sampled_from([*places(value)] or [()]))
        if path:
            value = data.draw(st.sampled_from([*mutants(value, path)]))
    folder = tmp_path_factory.getbasetemp()
    read_or_refused(saved(folder, written(format_, value), format_))
