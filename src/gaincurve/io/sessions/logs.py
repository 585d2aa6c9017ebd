"""Read session logs: JSON lines or arrays, CSV and TSV in long form, OpenSearch UBI, TREC Session Track XML."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gaincurve.errors import InputError, Problem, Problems
from gaincurve.io.content import Content, read_content
from gaincurve.io.formats.beginning import Known
from gaincurve.io.formats.opening import DELIMITERS, Opening
from gaincurve.io.read import session_name
from gaincurve.io.sessions import ubi
from gaincurve.io.sessions.xml import read_session_xml
from gaincurve.io.tables import RepeatedKey, parse_record, split_rows, without_repeats
from gaincurve.model.columns import find_columns
from gaincurve.model.ids import decode
from gaincurve.model.sessions.fields import not_a_log, suggested
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.sessions.shapes import LogRules, logs_of_records
from gaincurve.model.source import counted, shorten


@dataclass(frozen=True)
class Records:
    """The records of a log with where they stood, and what the file was."""

    records: Sequence[tuple[str, Mapping[str, Any]]]
    format: str

    @property
    def first(self) -> Mapping[str, Any]:
        """The first record, by whose keys the file is recognised."""
        return self.records[0][1] if self.records else {}


def read_logs(contents: Sequence[tuple[Content, str]], rules: LogRules) -> dict[str, list[SessionLog] | None]:
    """The logs of each file, one for every system in it; None for a run. Events of UBI belong to the queries beside."""
    problems = Problems()
    read: dict[str, list[SessionLog] | None] = {}
    tables: dict[str, Records] = {}
    for content, name in contents:
        try:
            read[content.path] = None
            if XML.begins is not None and XML.begins(Opening(content).beginning):
                read[content.path] = [_from_xml(content, name, rules)]
            elif (table := records_of(content, rules)) is not None:
                tables[content.path] = table
        except InputError as error:
            problems.take(error)
    events = [placed for table in tables.values() if ubi.is_events(table.first) for placed in table.records]
    for content, name in contents:
        if content.path not in tables:
            continue
        try:
            read[content.path] = _logs(content, name, tables[content.path], events, rules)
        except InputError as error:
            problems.take(error)
    problems.stop_if_any()
    if events and not any(ubi.is_queries(table.first) for table in tables.values()):
        path = next(path for path, table in tables.items() if ubi.is_events(table.first))
        what = f"{path} holds events of users, and no file holds their queries"
        raise InputError(Problem("session-fields", what, path, "give ubi_queries beside ubi_events"))
    return read


def _from_xml(content: Content, name: str, rules: LogRules) -> SessionLog:
    if rules.idle is not None:
        raise InputError(
            Problem("session-time", "--idle needs the time of every query, which XML logs do not give", content.path)
        )
    return read_session_xml(content, name, topics=rules.topics, duplicates=rules.duplicates, unmapped=rules.unmapped)


def _logs(
    content: Content, name: str, table: Records, events: Sequence[tuple[str, Mapping[str, Any]]], rules: LogRules
) -> list[SessionLog]:
    if ubi.is_events(table.first):
        return []
    if not ubi.is_queries(table.first):
        return logs_of_records(table.records, name, content.path, table.format, rules, content.sha256)
    records, notes = ubi.as_records(table.records, events, content.path, rules.fields)
    if rules.idle is None and not any("session" in record for _, record in records):
        what = "the queries name no session_id, nor do their events"
        hint = "give ubi_events, or --idle 30m: a client's queries are cut where it was idle longer"
        raise InputError(Problem("session-record", what, content.path, hint))
    return logs_of_records(
        records, name, content.path, "OpenSearch UBI", replace(rules, fields={}), content.sha256, notes
    )


def records_of(content: Content, rules: LogRules) -> Records | None:
    """The records of a log; None where the content is a run. What is nearly a log is refused with an example."""
    beginning = Opening(content).beginning
    format_ = next((known for known in SESSION_FORMATS if known.begins is not None and known.begins(beginning)), None)
    if format_ is None:
        return _table(content, beginning.line, rules)
    table = _json_lines(content) if format_ is LINES else _json(content)
    if table is None or not table.records:
        return None
    return table if _is_log(table, rules, content.path) else None


def _is_record(record: Mapping[str, Any]) -> bool:
    """Whether one line is a query: an object that holds only others is a run or a search response."""
    return "hits" not in record and not all(isinstance(value, dict | list) for value in record.values())


def _is_log(table: Records, rules: LogRules, path: str) -> bool:
    """Whether records are of sessions; those of a run have a topic, a document and a score."""
    keys = list(table.first)
    if ubi.is_queries(table.first) or ubi.is_events(table.first):
        return True
    named = {rules.fields.get(role, role).split(".")[0] for role in ("session", "ranking", "document")}
    if len(named & set(keys)) > 1 or ("session" in keys and "query" in keys):
        return True
    if find_columns(keys, "run")[0] is not None:
        return False
    if rules.idle is not None and named & set(keys):
        return True
    raise InputError(not_a_log(keys, rules.fields, table.records[0][0] or path))


def _json_lines(content: Content) -> Records:
    problems = Problems()
    records: list[tuple[str, Mapping[str, Any]]] = []
    for number, line in enumerate(decode(content.bytes()).split("\n"), 1):
        if not line.strip() or line.lstrip(" \t").startswith("#"):
            continue
        place = f"{content.path}:{number}"
        record = parse_record(line)
        if isinstance(record, str):
            problems.add(Problem("input-json", f"{record}: {shorten(line)}", place))
        else:
            records.append((place, _source(record)))
    problems.stop_if_any()
    return Records(records, "session JSON lines")


def _source(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A document as OpenSearch exports it stands in `_source`."""
    inner = record.get("_source")
    return inner if isinstance(inner, dict) else record


def _json(content: Content) -> Records | None:
    """An array of records, or the hits of a search response; None for another JSON value."""
    try:
        value = json.loads(decode(content.bytes()), object_pairs_hook=without_repeats)
    except RepeatedKey as error:
        raise InputError(Problem("input-json", str(error), content.path)) from None
    except (ValueError, RecursionError) as error:
        raise InputError(Problem("input-json", f"not JSON ({error})", content.path)) from None
    if isinstance(value, dict) and isinstance(value.get("hits"), dict):
        value = value["hits"].get("hits")
    if value == []:
        raise InputError(Problem("input-empty", f"{content.path} has no queries", content.path))
    if not isinstance(value, list):
        return None
    for i, record in enumerate(value):
        if not isinstance(record, dict):
            raise InputError(Problem("input-json", f"not a record: {shorten(repr(record))}", f"{content.path}[{i}]"))
    return Records([(f"{content.path}[{i}]", _source(record)) for i, record in enumerate(value)], "session JSON")


def _table(content: Content, header: str, rules: LogRules) -> Records | None:
    """A table of results in long form; None where the header, if it is one, names no session."""
    fields = {rules.fields.get(role, role): role for role in ("session", "document", "user")}
    for delimiter in (",", "\t", ";"):
        names = [name.strip().strip('"') for name in header.split(delimiter)]
        if len(names) < 3:
            continue
        roles = {fields[name] for name in names if name in fields}
        owned = "session" in roles or (rules.idle is not None and "user" in roles)
        if owned and "document" in roles:
            return _rows(content, delimiter)
        if ("session" in roles or "session" in suggested(names, rules.fields)) and find_columns(names, "run")[
            0
        ] is None:
            raise InputError(_not_long(names, rules, content.path))
    return None


def _not_long(names: Sequence[str], rules: LogRules, path: str) -> Problem:
    problem = not_a_log(names, rules.fields, path)
    return replace(problem, hint=problem.hint + "; a table has one result a row: session, query, topic, document, rank")


def _rows(content: Content, delimiter: str) -> Records:
    numbered = split_rows(content, delimiter)
    _, header = next(numbered)
    twice = [name for i, name in enumerate(header) if name in header[:i]]
    if twice:
        raise InputError(Problem("input-header", f"the column {twice[0]!r} occurs twice", content.path))
    problems = Problems()
    records = []
    for line, row in numbered:
        if len(row) != len(header):
            what = f"{counted(len(row), 'field')} where the header has {len(header)}: {shorten(' | '.join(row))}"
            problems.add(Problem("input-table", what, f"{content.path}:{line}"))
            continue
        values = {name: value for name, value in zip(header, row, strict=True) if value != ""}
        records.append((f"{content.path}:{line}", {**dict.fromkeys(header), **values}))
    problems.stop_if_any()
    return Records(records, f"session {DELIMITERS[delimiter]}")


_QUERY = '{"session": "s1", "query": 1, "topic": "301", "ranking": ["d1", "d2"], "clicks": ["d2"]}'
_NEXT = '{"session": "s1", "query": 2, "topic": "301", "ranking": ["d3"]}'
LINES = Known(
    "JSON lines",
    '{"session": "s1", "query": 1, "topic": "301", "ranking": ["d1", "d2"]}, one query a line; also user, text, '
    "clicks, depth, time, system; --fields names other keys",
    f"{_QUERY}\n{_NEXT}\n",
    lambda beginning: beginning.is_lines(_is_record),
)
LIST = Known("JSON", "an array of such records", f"[{_QUERY}, {_NEXT}]\n", lambda beginning: beginning.is_json)
XML = Known(
    "TREC Session Track XML",
    "session, topic, interaction, query, results, clicked (2011 to 2014)",
    '<sessiontrack2013>\n<session num="s1">\n<topic num="301"/>\n<interaction num="1"><query>lamp</query><results>\n'
    '<result rank="1"><clueweb12id>d1</clueweb12id></result>\n<result rank="2"><clueweb12id>d2</clueweb12id></result>\n'
    '</results><clicked><click num="1"><rank>2</rank></click></clicked></interaction>\n'
    '<interaction num="2"><query>desk lamp</query><results>\n'
    '<result rank="1"><clueweb12id>d3</clueweb12id></result>\n</results></interaction>\n</session>\n'
    "</sessiontrack2013>\n",
    lambda beginning: beginning.is_markup,
)
TABLE = Known(
    "CSV, TSV",
    "long form, one result a row: session, query or time, document; also rank, clicked, topic, user, text, depth, "
    "system; a row without document is a query that returned nothing",
    "session,query,topic,document,rank,clicked\ns1,1,301,d1,1,0\ns1,1,301,d2,2,1\ns1,2,301,d3,1,0\n",
)
UBI = Known(
    "OpenSearch UBI",
    "ubi_queries (query_id, client_id, session_id, timestamp, user_query, query_response_hit_ids) and, beside it, "
    "ubi_events (query_id, action_name, session_id, event_attributes) as JSON lines, an array or a search response",
    '{"query_id": "a", "client_id": "u", "session_id": "s1", "timestamp": "2026-03-01T09:00:00Z", "user_query": '
    '"lamp", "query_response_hit_ids": ["d1", "d2"], "query_attributes": {"topic": "301"}}\n'
    '{"query_id": "b", "client_id": "u", "session_id": "s1", "timestamp": "2026-03-01T09:05:00Z", "user_query": "desk '
    'lamp", "query_response_hit_ids": ["d3"], "query_attributes": {"topic": "301"}}\n',
)
RUN = Known(
    "TREC run",
    "topics name session and query: s12.q3, 12_3, 12.3; topics by --map, or judged as named",
    "s1.q1 Q0 d1 1 2 t\ns1.q1 Q0 d2 2 1 t\ns1.q2 Q0 d3 1 1 t\n",
)

SESSION_FORMATS = (LINES, LIST, TABLE, UBI, XML, RUN)
"""What can be read. JSON and XML are recognised by their beginning, tables by their header, UBI by its keys."""


def read_session_logs(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    topics: Mapping[str, str] | None = None,
    judged: Iterable[str] = (),
    fields: Mapping[str, str] | None = None,
    idle: str | None = None,
    duplicates: str = "error",
    unmapped: str = "error",
    digest: bool = True,
) -> list[SessionLog]:
    """The logs of one or more files, one for each system: JSON, CSV or TSV, OpenSearch UBI, Session Track XML.

    `fields` names other keys ({"session": "session_id"}), `idle` ('30m') cuts sessions where a user was idle longer,
    and `judged` are the judged topics, by which a session that names no topic is judged if it is one.
    """
    listed = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    rules = LogRules(topics or {}, tuple(judged), fields or {}, idle, None, duplicates, unmapped)
    contents = [(read_content(path, digest), session_name(path)) for path in listed]
    logs: list[SessionLog] = []
    for path, read in read_logs(contents, rules).items():
        if read is None:
            what = f"{path} is not a session log"
            hint = "TREC runs of sessions are read by evaluate_session_files, which knows the judgments"
            raise InputError(Problem("session-fields", what, path, hint))
        logs += read
    return logs


def read_sessions(
    path: str | os.PathLike[str],
    *,
    topics: Mapping[str, str] | None = None,
    name: str | None = None,
    judged: Iterable[str] = (),
    fields: Mapping[str, str] | None = None,
    idle: str | None = None,
    duplicates: str = "error",
    unmapped: str = "error",
    digest: bool = True,
) -> SessionLog:
    """The session log of one system; `topics` maps sessions to topics where it has none.

    The other arguments are those of `read_session_logs`, which reads files of several systems and UBI's two indexes.
    """
    logs = read_session_logs(
        path, topics=topics, judged=judged, fields=fields, idle=idle, duplicates=duplicates, unmapped=unmapped,
        digest=digest,
    )  # fmt: skip
    if len(logs) != 1:
        names = ", ".join(log.name for log in logs)
        what = f"{os.fspath(path)} holds the systems {names}"
        raise InputError(Problem("session-record", what, os.fspath(path), "read_session_logs returns a log for each"))
    return logs[0] if name is None else replace(logs[0], name=name)
