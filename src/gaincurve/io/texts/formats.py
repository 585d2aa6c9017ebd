"""The formats in which texts of topics and documents come, each as an iterator of records."""

from __future__ import annotations

import csv
import html
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gaincurve.errors import InputError, Problem
from gaincurve.io.formats.beginning import Beginning, Known
from gaincurve.io.tables import CsvRecords, RepeatedKey, parse_record, without_repeats
from gaincurve.io.texts.stream import Held, TextStream
from gaincurve.model.columns import folded
from gaincurve.model.source import counted, shorten

IDS = (
    "_id", "id", "docno", "doc_id", "docid", "document_id", "doc_no", "document", "doc", "passage_id", "pid",
    "corpus_id", "item_id", "qid", "query_id", "queryid", "topic_id", "topicid", "topic", "number", "num",
)  # fmt: skip
TITLES = ("title", "headline", "name")
BODIES = (
    "text", "contents", "content", "body", "passage", "abstract", "query", "question", "utterance", "description",
    "desc",
)  # fmt: skip
"""Names of the parts of a record; earlier names win, case, spaces, hyphens and underscores make no difference."""


@dataclass(frozen=True)
class TextRecord:
    """One id with its title and text, either of them empty where there is none; `line` is where it begins."""

    id: object
    title: str
    body: str
    line: int

    @property
    def text(self) -> str:
        """Title and text; a text that begins with its title says it once."""
        title, body = " ".join(self.title.split()), " ".join(self.body[: len(self.title) + MOST_BODY].split())
        if not title or body.startswith(title):
            return body
        return f"{title} — {body}" if body else title


MOST_BODY = 4000
"""More of a text is never shown."""

Records = Iterator[TextRecord | Problem]
Reader = Callable[[TextStream], Records]


@dataclass(frozen=True)
class TextFormat(Known):
    """A format of texts; `read` gives its records one by one."""

    read: Reader = field(kw_only=True)


def recognised(stream: TextStream) -> TextFormat:
    """The format of a file by its first lines."""
    first = stream.next_filled()
    if first is None:
        what = f"{stream.name} has only blank lines and comments" if stream.at else f"{stream.name} is empty"
        raise InputError(Problem("input-empty", what, stream.name))
    beginning = Beginning(first[1].lstrip())
    second = None if beginning.record is None else stream.next_filled()
    stream.put_back(second)
    stream.put_back(first)
    beginning = beginning if second is None else Beginning(beginning.line, second[1])
    for format_ in FORMATS:
        if format_.begins is not None and format_.begins(beginning):
            return format_
    what = f"the first line is not in a known format of texts: {shorten(first[1].lstrip())}"
    raise InputError(Problem("texts-format", what, stream.place(first[0])))


def _is_lines(beginning: Beginning) -> bool:
    return beginning.is_lines(lambda record: _columns(list(record)) is not None)


@dataclass(frozen=True)
class _Columns:
    """Where the id, the title and the text of a record stand; None for what it does not have."""

    id: Any
    title: Any
    body: Any


def _columns(names: Sequence[str], places: Sequence[Any] | None = None) -> _Columns | None:
    """The columns by their names, or None if there is no id or nothing to show."""
    known = {folded(name): place for place, name in reversed(list(zip(places or names, names, strict=True)))}
    columns = [next((known[name] for name in kind if name in known), None) for kind in (IDS, TITLES, BODIES)]
    return None if columns[0] is None or columns[1:] == [None, None] else _Columns(*columns)


def _of_record(record: Mapping[str, Any], line: int, place: str) -> TextRecord | Problem:
    columns = _columns(list(record))
    if columns is None:
        return Problem("texts-record", f"the record names no id, or no text: {shorten(', '.join(record))}", place)
    parts = ["" if key is None or record[key] is None else record[key] for key in (columns.title, columns.body)]
    if not all(isinstance(part, str) for part in parts):
        return Problem("texts-record", f"the text of {shorten(repr(record[columns.id]))} is not text", place)
    return TextRecord(record[columns.id], parts[0], parts[1], line)


def _json_lines(stream: TextStream) -> Records:
    while (line := stream.next_filled()) is not None:
        record = parse_record(line[1])
        if isinstance(record, str):
            yield Problem("input-json", f"{record}: {shorten(line[1])}", stream.place(), _JSON_HINT)
        else:
            yield _of_record(record, line[0], stream.place())


_JSON_HINT = 'expected {id: text}, a list of records, or one record a line: {"id": "301", "text": "…"}'


def _json(stream: TextStream) -> Records:
    try:
        parsed: object = json.loads(stream.rest(), object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg}"
        raise InputError(Problem("input-json", what, stream.place(error.lineno), _JSON_HINT)) from None
    except (ValueError, RecursionError) as error:
        raise InputError(Problem("input-json", f"not JSON we can use: {error}", stream.name, _JSON_HINT)) from None
    if isinstance(parsed, _Pairs):
        for name, text in parsed:
            place = f"{stream.name}, entry {shorten(name)}"
            if isinstance(text, _Pairs):
                own_id = any(key == "_id" for key, _ in text)
                yield _of_pairs([*text] if own_id else [("_id", name), *text], place)
            elif isinstance(text, str):
                yield TextRecord(name, "", text, 0)
            else:
                yield Problem("texts-record", f"the text of {shorten(repr(name))} is not text", place)
    elif isinstance(parsed, list):
        for number, record in enumerate(parsed, 1):
            place = f"{stream.name}, record {number}"
            if isinstance(record, _Pairs):
                yield _of_pairs(record, place)
            else:
                yield Problem("texts-record", f"not a record: {shorten(repr(record))}", place)


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as written, in which a repeated key stays."""


def _of_pairs(pairs: list[tuple[str, Any]], place: str) -> TextRecord | Problem:
    try:
        return _of_record(without_repeats(pairs), 0, place)
    except RepeatedKey as error:
        return Problem("input-json", str(error), place, _JSON_HINT)


def _tsv(stream: TextStream) -> Records:
    """Tabs separate, quotation marks are text: as MS MARCO has it."""
    columns: _Columns | None = None
    first = True
    while (line := stream.next_filled()) is not None:
        row = line[1].split("\t")
        if first and (columns := _columns(row, range(len(row)))) is not None:
            first = False
            continue
        first = False
        yield _of_row(row, columns, stream, line[0])


def _csv(stream: TextStream) -> Records:
    reader = CsvRecords(f"{text}\n" for _, text in stream)
    columns: _Columns | None = None
    width = 0
    while True:
        begin = stream.at + 1
        try:
            row = reader.next_record()
        except csv.Error as error:
            yield Problem("input-table", f"the row cannot be read: {error}", stream.place(begin))
            return
        if row is None:
            return
        if not any(field.strip() for field in row):
            continue
        if not width:
            columns = _columns(row, range(len(row)))
            width = len(row) if columns is not None else 2
            if columns is not None:
                continue
        if len(row) != width:
            what = f"{counted(len(row), 'field')} where {width} were expected: {shorten(' | '.join(row))}"
            yield Problem("input-table", what, stream.place(begin))
        else:
            yield _of_row(row, columns, stream, begin)


def _of_row(row: list[str], columns: _Columns | None, stream: TextStream, line: int) -> TextRecord | Problem:
    if columns is None:
        if len(row) < 2:
            what = f"expected an id and its text, got {shorten(row[0])}"
            return Problem("texts-record", what, stream.place(line))
        return TextRecord(row[0].strip(), "", " ".join(row[1:]), line)
    name, title, body = (
        row[column] if column is not None and column < len(row) else ""
        for column in (columns.id, columns.title, columns.body)
    )
    return TextRecord(name.strip(), title, body, line)


_FIELD = re.compile(r"\.([A-Z])\s*")


def _smart(stream: TextStream) -> Records:
    """SMART's format: `.I id`, then fields that begin with a line such as `.W`."""
    name, line, field = "", 0, ""
    parts: dict[str, list[str]] = {}
    held = Held(stream.name)

    def finished() -> TextRecord:
        title, body = (" ".join(parts.get(key, ())) for key in ("T", "W"))
        return TextRecord(name, title, body, line)

    for number, text in stream:
        start = re.match(r"\.I\s+(\S.*)", text)
        if start:
            if line:
                yield finished()
            name, line, field, parts = start[1].strip(), number, "", {}
            held.clear()
        elif heading := _FIELD.fullmatch(text):
            field = heading[1]
        elif field in ("T", "W"):
            parts.setdefault(field, []).append(text)
            held.add(text)
    if line:
        yield finished()


_BEGIN = re.compile(r"<(top|topic|doc|query)(\s[^<>]*)?>", re.IGNORECASE)
_ENDS = {kind: re.compile(rf"</{kind}\s*>", re.IGNORECASE) for kind in ("top", "topic", "doc", "query")}
_NUMBER = re.compile(r"\b(?:number|num|id|qid)\s*=\s*[\"']([^\"']*)[\"']", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([a-z_]+)\b[^<>]*>", re.IGNORECASE)
_LABEL = re.compile(r"\A\s*(?:Number|Topic|Description)\s*:", re.IGNORECASE)
_KNOWN_TAGS = {*IDS, *TITLES, *BODIES, "narr", "narrative"}


def _tagged(stream: TextStream) -> Records:
    """TREC's topics and documents: tags, of which not all are closed; entities are the plain ones of HTML."""
    kind, line, lines = "", 0, [""]
    held = Held(stream.name)  # by an element that is never closed
    for number, text in stream:
        at = 0
        while at < len(text):
            if not kind:
                begin = _BEGIN.search(text, at)
                if begin is None:
                    break
                kind, line, lines, at = begin[1].lower(), number, [begin[2] or ""], begin.end()
                held.clear()
            end = _ENDS[kind].search(text, at)
            lines.append(text[at:] if end is None else text[at : end.start()])
            held.add(lines[-1])
            if end is None:
                break
            yield _of_tags(lines, line, stream.place(line))
            kind, at = "", end.end()
    if kind:
        yield _of_tags(lines, line, stream.place(line))


def _unescaped(text: str) -> str:
    """Text with its entities resolved; as it is where one names a character by thousands of digits."""
    try:
        return html.unescape(text)
    except ValueError:
        return text


def _of_tags(lines: list[str], line: int, place: str) -> TextRecord | Problem:
    number = _NUMBER.search(lines[0])
    parts: dict[str, str] = {} if number is None else {"_id": _unescaped(number[1])}
    text, field, start = "\n".join(lines[1:]), "", 0
    for tag in _TAG.finditer(text):
        name = folded(tag[2])
        if name not in _KNOWN_TAGS:
            continue
        if field:
            parts.setdefault(field, _LABEL.sub("", text[start : tag.start()]))
        field, start = ("" if tag[1] else name), tag.end()
    if field:
        parts.setdefault(field, _LABEL.sub("", text[start:]))
    elif not parts.keys() - {"_id"}:
        parts["text"] = text
    plain = {name: _unescaped(_TAG.sub(" ", part)).strip() for name, part in parts.items()}
    return _of_record(plain, line, place)


FORMATS: tuple[TextFormat, ...] = (
    TextFormat(
        "JSON lines",
        'one record a line: {"_id", "title", "text"}, or other usual names',
        '{"_id": "d1", "title": "Lamp", "text": "A small lamp."}\n{"_id": "d2", "title": "", "text": "A desk."}\n',
        _is_lines,
        read=_json_lines,
    ),
    TextFormat(
        "JSON",
        "{id: text}, or a list of records",
        '{"d1": "Lamp — A small lamp.", "d2": "A desk."}',
        lambda beginning: beginning.is_json,
        read=_json,
    ),
    TextFormat(
        "SMART",
        ".I id, then fields such as .T and .W, as the Cranfield collection has them",
        ".I d1\n.T\nLamp\n.W\nA small lamp.\n.I d2\n.W\nA desk.\n",
        lambda beginning: re.match(r"\.I\s+\S", beginning.line) is not None,
        read=_smart,
    ),
    TextFormat(
        "TREC",
        "<top> with <num>, <title>, <desc>; <topic number=…>; <DOC> with <DOCNO>, <TEXT>",
        "<DOC>\n<DOCNO> d1 </DOCNO>\n<TITLE>Lamp</TITLE>\n<TEXT>A small lamp.</TEXT>\n</DOC>\n"
        "<DOC>\n<DOCNO> d2 </DOCNO>\n<TEXT>A desk.</TEXT>\n</DOC>\n",
        lambda beginning: beginning.is_markup,
        read=_tagged,
    ),
    TextFormat(
        "TSV",
        "id and text, with or without a header",
        "d1\tLamp — A small lamp.\nd2\tA desk.\n",
        lambda beginning: "\t" in beginning.line,
        read=_tsv,
    ),
    TextFormat(
        "CSV",
        "id and text, quoted where need be, with or without a header",
        'id,title,text\nd1,Lamp,A small lamp.\nd2,,"A desk."\n',
        lambda beginning: "," in beginning.line,
        read=_csv,
    ),
)
"""In this order they are tried."""
