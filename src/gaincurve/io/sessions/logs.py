"""Read session logs: native JSON lines, TREC Session Track XML, or TREC runs whose topics name session and query."""

from __future__ import annotations

import os
from collections.abc import Mapping

from gaincurve.errors import InputError, Problem, Problems
from gaincurve.io.content import Content, read_content
from gaincurve.io.read import session_name
from gaincurve.io.sessions.xml import looks_like_xml, read_session_xml
from gaincurve.io.tables import parse_record
from gaincurve.model.ids import decode
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.sessions.records import QueryRecord, query_record, session_log
from gaincurve.model.source import shorten

SESSION_FORMATS: tuple[tuple[str, str, str], ...] = (
    ("sessions", "JSON lines", '{"session": "s1", "query": 1, "topic": "301", "ranking": ["d1", "d2"]}, one query a '
     "line; also user, text, clicks, depth"),
    ("sessions", "TREC Session Track XML", "session, topic, interaction, query, results, clicked (2011 to 2014)"),
    ("sessions", "TREC run", "topics name session and query: s12.q3, 12_3, 12.3; topics by --map, or judged as named"),
)  # fmt: skip
"""What can be read, for `gaincurve ls formats`."""


def is_log(content: Content) -> bool:
    """Whether the content is a log of sessions rather than a run."""
    if looks_like_xml(content):
        return True
    head = content.buffer[content.start : min(content.stop, content.start + (1 << 20))].tobytes()
    line = next((line for line in head.splitlines() if line.strip() and not line.lstrip().startswith(b"#")), b"")
    if not line.lstrip().startswith(b"{"):
        return False
    record = parse_record(decode(line))
    return isinstance(record, dict) and "session" in record and ("ranking" in record or "query" in record)


def read_log(
    content: Content,
    name: str,
    *,
    topics: Mapping[str, str] | None = None,
    duplicates: str = "error",
    unmapped: str = "error",
) -> SessionLog:
    """A log in its own format."""
    if looks_like_xml(content):
        return read_session_xml(content, name, topics=topics, duplicates=duplicates, unmapped=unmapped)
    return session_log(
        _records(content),
        name,
        content.path,
        "session JSON lines",
        sha256=content.sha256,
        topics=topics,
        duplicates=duplicates,
        unmapped=unmapped,
    )


def _records(content: Content) -> list[QueryRecord]:
    problems = Problems()
    queries: list[QueryRecord] = []
    for number, line in enumerate(decode(content.bytes()).split("\n"), 1):
        if not line.strip() or line.lstrip(" \t").startswith("#"):
            continue
        place = f"{content.path}:{number}"
        record = parse_record(line)
        if isinstance(record, str):
            problems.add(Problem("input-json", f"{record}: {shorten(line)}", place))
            continue
        try:
            queries.append(query_record(record, place))
        except InputError as error:
            problem = error.problems[0]
            problems.add(Problem(problem.slug, problem.what, problem.at))
    problems.stop_if_any()
    return queries


def read_sessions(
    path: str | os.PathLike[str],
    *,
    topics: Mapping[str, str] | None = None,
    name: str | None = None,
    duplicates: str = "error",
    unmapped: str = "error",
    digest: bool = True,
) -> SessionLog:
    """A session log from JSON lines or TREC Session Track XML; `topics` maps sessions to topics where it has none.

    TREC runs are read together with the judgments they belong to: see `evaluate_session_files`.
    """
    content = read_content(path, digest)
    return read_log(
        content, session_name(path) if name is None else name, topics=topics, duplicates=duplicates, unmapped=unmapped
    )
