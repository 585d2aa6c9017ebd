"""The usual formats: TREC columns, tables with a header, JSON and JSON lines."""

from __future__ import annotations

from gaincurve.io.formats.columns import layout_of
from gaincurve.io.formats.opening import DELIMITERS, Opening
from gaincurve.io.formats.record import Choices, Format, Part
from gaincurve.io.json_maps import read_json
from gaincurve.io.memory import OBJECTS, refuse_size
from gaincurve.io.tables import read_delimited, read_json_lines
from gaincurve.io.trec import LAYOUTS, read_trec
from gaincurve.model.columns import split_columns


def _trec(opening: Opening, choices: Choices) -> list[Part]:
    layout = layout_of(opening.content, choices.kind, split_columns(opening.line), opening.offset)
    rows = read_trec(opening.content, choices.kind, layout, choices.with_ranks, choices.with_subtopics)
    return [Part("", rows)]


def _table(opening: Opening, choices: Choices) -> list[Part]:
    refuse_size(opening.content.path, opening.content.stop, OBJECTS)
    delimiter = opening.delimiter or ","
    return [Part("", read_delimited(opening.content, choices.kind, delimiter, choices.columns))]


def _json(opening: Opening, choices: Choices) -> list[Part]:
    return [Part("", read_json(opening.content, opening.value, choices.kind, choices.columns))]


def _json_lines(opening: Opening, choices: Choices) -> list[Part]:
    refuse_size(opening.content.path, opening.content.stop, OBJECTS)
    return [Part("", read_json_lines(opening.content, choices.kind, choices.columns))]


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
    Format(name, layout.title, kind, layout.columns, example, parts=_trec, loses=_LOSES.get(name, "white space in ids"))
    for (kind, width), (name, example) in _EXAMPLES.items()
    for layout in [LAYOUTS[kind][width]]
)

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
)
JSON_LINES = Format(
    "jsonl",
    "JSON lines",
    "both",
    "one record a line with named values",
    '{"query_id": "301", "doc_id": "d1", "relevance": 3}\n{"query_id": "301", "doc_id": "d2", "relevance": 0}\n',
    parts=_json_lines,
)

FORMATS = (*TREC, *TABLES.values(), JSON, JSON_LINES)
