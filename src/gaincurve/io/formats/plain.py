"""The usual formats: TREC columns, tables with a header, JSON and JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from gaincurve.io.formats.columns import layout_of
from gaincurve.io.formats.data import Data, text_of
from gaincurve.io.formats.data import plain as plain_number
from gaincurve.io.formats.metadata import header_of, metadata_of
from gaincurve.io.formats.opening import DELIMITERS, Opening
from gaincurve.io.formats.record import Choices, Format, Part, parts_of_runs
from gaincurve.io.json_maps import read_json
from gaincurve.io.tables import read_delimited, read_json_lines
from gaincurve.io.trec import LAYOUTS, read_trec
from gaincurve.model.columns import split_columns
from gaincurve.model.memory import OBJECTS, refuse_size


def _trec(opening: Opening, choices: Choices) -> list[Part]:
    layout = layout_of(opening.content, choices.kind, split_columns(opening.line), opening.offset)
    rows = read_trec(opening.content, choices.kind, layout, choices.with_ranks, choices.with_subtopics)
    if choices.kind == "run" and (metadata := metadata_of(opening.content)):
        rows = replace(rows, metadata=metadata)
    return [Part("", rows)]


def _table(opening: Opening, choices: Choices) -> list[Part]:
    refuse_size(opening.content.path, opening.content.stop, OBJECTS)
    delimiter = opening.delimiter or ","
    return parts_of_runs(read_delimited(opening.content, choices.kind, delimiter, choices.columns))


def _json(opening: Opening, choices: Choices) -> list[Part]:
    return parts_of_runs(read_json(opening.content, opening.value, choices.kind, choices.columns))


def _json_lines(opening: Opening, choices: Choices) -> list[Part]:
    refuse_size(opening.content.path, opening.content.stop, OBJECTS)
    return parts_of_runs(read_json_lines(opening.content, choices.kind, choices.columns))


def _qrels(data: Data) -> str:
    second = data.origin or 0
    return "".join(f"{topic} {second} {document} {text_of(grade)}\n" for topic, document, grade in data.rows)


def _qrels_with_strata(data: Data) -> str:
    strata = data.strata or []
    rows = zip(data.rows, strata, strict=True)
    return "".join(f"{topic} 0 {document} {stratum} {text_of(grade)}\n" for (topic, document, grade), stratum in rows)


def _qrels_of_three(data: Data) -> str:
    return "".join(f"{topic} {document} {text_of(grade)}\n" for topic, document, grade in data.rows)


def _run(data: Data) -> str:
    tag = "_".join(data.name.split()) or "run"
    rows = zip(data.rows, data.ranks, strict=True)
    lines = (f"{topic} Q0 {document} {rank} {text_of(score)} {tag}\n" for (topic, document, score), rank in rows)
    return header_of(data.header) + "".join(lines)


def _run_without_tag(data: Data) -> str:
    rows = zip(data.rows, data.ranks, strict=True)
    return "".join(f"{topic} Q0 {document} {rank} {text_of(score)}\n" for (topic, document, score), rank in rows)


def _ranks(data: Data) -> str:
    return "".join(f"{topic}\t{document}\t{rank}\n" for topic, document, rank in data.ordered)


_WRITERS: dict[str, tuple[Callable[[Data], str], frozenset[str]]] = {
    "trec-qrels": (_qrels, frozenset()),
    "trec-strata": (_qrels_with_strata, frozenset({"strata"})),
    "trec-qrels-3": (_qrels_of_three, frozenset()),
    "trec-run": (_run, frozenset({"scores", "metadata"})),
    "trec-run-5": (_run_without_tag, frozenset({"scores"})),
    "msmarco": (_ranks, frozenset({"order"})),
}

_EXAMPLES = {
    ("judgments", 4): ("trec-qrels", "301 0 d1 3\n301 0 d2 0\n"),
    ("judgments", 5): ("trec-strata", "301 0 d1 s1 3\n301 0 d2 s1 -1\n"),
    ("judgments", 3): ("trec-qrels-3", "301 d1 3\n301 d2 0\n"),
    ("run", 6): ("trec-run", "301 Q0 d1 1 2.5 bm25\n301 Q0 d3 2 1.25 bm25\n"),
    ("run", 5): ("trec-run-5", "301 Q0 d1 1 2.5\n301 Q0 d3 2 1.25\n"),
    ("run", 3): ("msmarco", "301\td1\t1\n301\td3\t2\n"),
}
_LOSES = {"msmarco": "scores"}

TREC = tuple(
    Format(
        name,
        layout.title,
        kind,
        layout.columns,
        example,
        parts=_trec,
        write=_WRITERS[name][0],
        carries=_WRITERS[name][1],
        loses=_LOSES.get(name, "white space in ids"),
    )
    for (kind, width), (name, example) in _EXAMPLES.items()
    for layout in [LAYOUTS[kind][width]]
)


def _delimited(delimiter: str) -> Callable[[Data], str]:
    def write(data: Data) -> str:
        text = io.StringIO()
        comment = any(topic.lstrip(" \t").startswith("#") for topic, _, _ in data.rows)
        quoting: Literal[0, 1] = csv.QUOTE_ALL if comment else csv.QUOTE_MINIMAL
        writer = csv.writer(text, delimiter=delimiter, lineterminator="\n", quoting=quoting)
        writer.writerow(_names(data))
        writer.writerows((topic, document, text_of(value)) for topic, document, value in data.rows)
        return text.getvalue()

    return write


def _names(data: Data) -> tuple[str, str, str]:
    return ("query_id", "doc_id", "relevance" if data.kind == "judgments" else "score")


def _json_text(data: Data) -> str:
    """Runs that are only an order keep it: {topic: [documents]}."""
    if data.kind == "run" and not data.scored:
        return json.dumps(dict(data.lists()), ensure_ascii=False) + "\n"
    topics = {topic: {document: plain_number(value) for document, value in listed} for topic, listed in data.by_topic()}
    return json.dumps(topics, ensure_ascii=False) + "\n"


def _json_records(data: Data) -> str:
    names = _names(data)
    rows = ((topic, document, plain_number(value)) for topic, document, value in data.rows)
    return "".join(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) + "\n" for row in rows)


_NAMED = "a header names the columns, e.g. query_id, doc_id, relevance or score"
TABLES = {
    delimiter: Format(
        {",": "csv", "\t": "tsv", ";": "csv-semicolons", " ": "columns"}[delimiter],
        title,
        "both",
        _NAMED,
        "".join(
            delimiter.join(row) + "\n"
            for row in (("query_id", "doc_id", "relevance"), ("301", "d1", "3"), ("301", "d2", "0"))
        ),
        parts=_table,
        write=None if delimiter == " " else _delimited(delimiter),
        carries=frozenset({"scores"}),
        loses="white space in ids" if delimiter == " " else "white space around ids",
    )
    for delimiter, title in DELIMITERS.items()
}
JSON = Format(
    "json",
    "JSON",
    "both",
    "{topic: {document: value}}; runs also {topic: [documents in order]}; a list of records",
    '{"301": {"d1": 3, "d2": 0}}',
    parts=_json,
    write=_json_text,
    carries=frozenset({"scores", "order", "empty"}),
)
JSON_LINES = Format(
    "jsonl",
    "JSON lines",
    "both",
    "one record a line with named values",
    '{"query_id": "301", "doc_id": "d1", "relevance": 3}\n{"query_id": "301", "doc_id": "d2", "relevance": 0}\n',
    parts=_json_lines,
    write=_json_records,
    carries=frozenset({"scores"}),
)

PARQUET = Format(
    "parquet",
    "Parquet",
    "both",
    "columns by name, as in CSV: ranx (q_id, doc_id, score), HF qrels (query-id, corpus-id, score); several runs by a "
    "column run; folders; Arrow files too",
    "",
    carries=frozenset({"scores"}),
)
"""Tables of record batches, which are recognised by their first bytes in `addresses`."""

FORMATS = (*TREC, *TABLES.values(), JSON, JSON_LINES)
