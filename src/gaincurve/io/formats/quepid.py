"""Quepid: cases, books and snapshots. A blank before a text that a spreadsheet would run is taken off."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from gaincurve.errors import InputError, Problem, nearest
from gaincurve.io.formats.data import Data, plain, text_of
from gaincurve.io.formats.opening import Opening
from gaincurve.io.formats.record import Choices, Empty, Format, Part, Row, gathered
from gaincurve.io.formats.shape import Node, first_repeat
from gaincurve.io.tables import split_rows
from gaincurve.model.columns import ALIASES, folded
from gaincurve.model.numbers import whole_number
from gaincurve.model.source import Note, counted, shorten

RISKY = ("-", "=", "+", "@")
"""Quepid writes a blank before a text that begins so."""

CASE_HEADER = ("query", "docid", "rating")
SNAPSHOT_HEADER = ("Snapshot Name", "Snapshot Time", "Case ID", "Query Text", "Doc ID", "Doc Position")


Cells = Callable[[list[str], Node], Iterator[Row | Empty | Note]]
"""The rows of a line of a table."""


def _table(opening: Opening, format_: Format, choices: Choices, cells: Cells) -> list[Part]:
    """The parts of a CSV table; rows may be shorter than the header, as Quepid's are."""
    numbered = split_rows(opening.content, ",")
    _, header = next(numbered)

    def rows() -> Iterator[Iterator[Row | Empty | Note]]:
        for line, row in numbered:
            node = Node(None, f"{opening.content.path}:{line}")
            if len(row) > len(header):
                what = f"{counted(len(row), 'field')} where the header has {len(header)}: {shorten(' | '.join(row))}"
                raise InputError(Problem("input-table", what, node.place()))
            yield cells(row + [""] * (len(header) - len(row)), node)

    return gathered(rows(), format_, opening, choices.kind)


def _case(cells: list[str], at: Node) -> Iterator[Row | Note]:
    query, document, rating = cells
    yield Row(query, document, rating, at) if document and rating else _UNRATED


_UNRATED = Note("queries-unrated", "a row without a rating is left out: nobody judged it")


def _is_case(names: list[str]) -> bool:
    return tuple(map(folded, names)) == CASE_HEADER


def _case_table(opening: Opening, choices: Choices) -> list[Part]:
    return _table(opening, CASE, choices, _case)


def _safe(text: str) -> str:
    return f" {text}" if text.startswith(RISKY) else text


def _csv(header: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(header)
    csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)  # so that no '#' begins a comment
    return text.getvalue()


def _case_text(data: Data) -> str:
    return _csv(CASE_HEADER, ((_safe(topic), _safe(doc), text_of(grade)) for topic, doc, grade in data.rows))


CASE = Format(
    "quepid-case",
    "Quepid case",
    "judgments",
    "query,docid,rating; a row of only a query is unrated",
    "query,docid,rating\ndesk lamp,d1,3\ndesk lamp,d2,0\n -10 bulbs,d4,1\nunrated query\n",
    columns=CASE_HEADER,
    header=_is_case,
    parts=_case_table,
    write=_case_text,
    fields=("query", "docid", "rating"),
    loses="blanks around ids",
)


def _is_book(names: list[str]) -> bool:
    """A query, a document, and columns with the names of judges: no name that means something else."""
    known = [folded(name) for name in names]
    others = known[2:]
    usual = {alias for aliases in ALIASES.values() for alias in aliases}
    return known[:2] in (["query", "docid"], ["query", "doc_id"]) and bool(others) and not usual & set(others)


def _book_table(opening: Opening, choices: Choices) -> list[Part]:
    header = next(split_rows(opening.content, ","))[1]
    _, _, *judges = header
    if (repeat := first_repeat(judges)) is not None:
        what = f"two judges are called {shorten(repr(repeat))}, so their grades cannot be kept apart"
        raise InputError(Problem("input-header", what, opening.place, "give each judge's column a name of its own"))
    if len(header) == 3 and (near := nearest(folded(header[2]), CASE_HEADER[2:])):
        what = f"the column {shorten(repr(header[2]))} is neither a Quepid case's 'rating' nor surely a judge's{near}"
        raise InputError(Problem("input-header", what, opening.place))

    def row(cells: list[str], at: Node) -> Iterator[Row | Note]:
        query, document, *ratings = cells
        given = [(judge, rating) for judge, rating in zip(judges, ratings, strict=True) if rating]
        if not given:
            yield _UNRATED
        if len(judges) == 1:
            yield Note("judges-one", f"the column {shorten(repr(judges[0]))} is taken for the grades of a judge")
        for judge, rating in given:
            yield Row(query, document, rating, at, judge=judge)

    return _table(opening, BOOK_CSV, choices, row)


def _book_text(data: Data) -> str:
    rows = ((_safe(topic), _safe(document), text_of(grade)) for topic, document, grade in data.rows)
    return _csv(["query", "docid", "Anonymous"], rows)


BOOK_CSV = Format(
    "quepid-book-csv",
    "Quepid book CSV",
    "judgments",
    "query,docid, then a column for each judge; empty where a judge gave none",
    "query,docid,Alice,Bob,Anonymous\ndesk lamp,d1,3,3,\ndesk lamp,d2,0,,\nunrated query,d9,,,\n",
    header=_is_book,
    parts=_book_table,
    write=_book_text,
    fields=("query", "docid", "rating"),
    loses="blanks around ids",
)


_UNJUDGED = Note("queries-unrated", "a document without a rating, unrateable or put off is left out: it is unjudged")


def _book(root: Node) -> Iterator[Row | Note]:
    for pair in root["query_doc_pairs"].items():
        query, document = pair["query_text"].value, pair["doc_id"].value
        judgements = list(pair["judgements"].items())
        if not judgements:
            yield _UNJUDGED
        unnamed = 0  # judgements without a user are not all by one
        for judgement in judgements:
            flags = [judgement.get(flag) for flag in ("unrateable", "judge_later")]
            put_off = any(flag is not None and flag.value is True for flag in flags)
            if put_off or (rating := judgement["rating"]).value is None:
                yield _UNJUDGED
                continue
            if (user := judgement.get("user_email")) is None:
                unnamed += 1
            judge = user.text() if user else "Anonymous" if unnamed == 1 else f"Anonymous {unnamed}"
            yield Row(query, document, rating.value, judgement, judge=judge)


def _book_json(data: Data) -> str:
    pairs: list[dict[str, Any]] = [
        {
            "query_text": topic,
            "doc_id": document,
            "position": None,
            "document_fields": {},
            "judgements": [{"rating": grade, "unrateable": False, "judge_later": False}],
        }
        for topic, document, grade in data.rows
    ]
    scale = sorted({plain(grade) for _, _, grade in data.rows})
    book = {"name": "judgments", "scale": scale, "scale_with_labels": {}, "query_doc_pairs": pairs}
    return json.dumps(book, ensure_ascii=False) + "\n"


BOOK = Format(
    "quepid-book",
    "Quepid book",
    "judgments",
    "the export of a book, JSON, in a zip or not; what is unrateable or put off is unjudged",
    '{"name": "lamps", "scale": [0, 1, 2, 3], "scale_with_labels": {}, "query_doc_pairs": [{"query_text": "desk lamp", '
    '"doc_id": "d1", "position": 1, "document_fields": {}, "information_need": null, "judgements": [{"rating": 3.0, '
    '"unrateable": false, "judge_later": false, "user_email": "a@x.org", "explanation": null}]}, {"query_text": '
    '"desk lamp", "doc_id": "d2", "judgements": [{"rating": 0.0, "user_email": "a@x.org"}]}]}',
    marks=("query_doc_pairs",),
    shape={"query_doc_pairs": [{"query_text": "text", "doc_id": "value", "judgements": [{"rating": "number"}]}]},
    rows=_book,
    write=_book_json,
    fields=("query_text", "doc_id", "rating"),
)


def _is_snapshot(names: list[str]) -> bool:
    return [folded(name) for name in names[: len(SNAPSHOT_HEADER)]] == [folded(name) for name in SNAPSHOT_HEADER]


def _snapshot(opening: Opening, choices: Choices) -> list[Part]:
    """Positions count from 1: the smaller stands first. Snapshots of one name are told apart by time and case."""
    taken: dict[tuple[str, str, str], str] = {}
    places: dict[tuple[str, str, str], Node] = {}

    def row(cells: list[str], at: Node) -> Iterator[Row | Empty | Note]:
        name, time, case, query, document, position = cells[: len(SNAPSHOT_HEADER)]
        if (name, time, case) not in taken:
            same = [others for others in taken if others[0] == name]
            suffix = (
                "" if not same else f" {time}" if all(others[1] != time for others in same) else f" {time} case {case}"
            )
            taken[name, time, case] = (name + suffix).strip() or time
        run = taken[name, time, case]
        if not document:
            yield Empty(query, at, run)
            return
        if whole_number(position) is None:
            what = f"Doc Position {shorten(repr(position))} of query {shorten(query)} is not a whole number"
            raise InputError(Problem("run-rank", what, at.place()))
        if (first := places.setdefault((run, query, position), at)) is not at:
            what = f"position {shorten(position)} of query {shorten(query)} occurs twice in {shorten(run)}"
            raise InputError(Problem("run-rank", what, f"{at.place()} (first at {first.place()})"))
        yield Row(query, document, position, at, run=run)

    parts = _table(opening, SNAPSHOT, choices, row)
    return [replace(part, rows=replace(part.rows, values=-part.rows.values, scored=False)) for part in parts]


SNAPSHOT = Format(
    "quepid-snapshot",
    "Quepid snapshots",
    "run",
    "a run for each snapshot, named after it: FILE#NAME is one",
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\nbefore,2026-03-01 10:00:00 UTC,7,desk lamp,"
    "d1,1\nbefore,2026-03-01 10:00:00 UTC,7,desk lamp,d3,2\nafter,2026-03-02 10:00:00 UTC,7,desk lamp,d3,1\n",
    columns=SNAPSHOT_HEADER,
    header=_is_snapshot,
    parts=_snapshot,
    fields=("Query Text", "Doc ID", "Doc Position"),
    names_runs=True,
    loses="scores",
)

FORMATS = (CASE, BOOK_CSV, BOOK, SNAPSHOT)
