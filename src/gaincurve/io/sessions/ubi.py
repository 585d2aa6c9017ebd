"""OpenSearch User Behavior Insights: queries with their hits (ubi_queries), and clicks among events (ubi_events).

A query names its user by `client_id`; its session stands in `session_id`, of the query or of its events.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gaincurve.errors import InputError, Problem
from gaincurve.model.sessions.fields import value_at
from gaincurve.model.source import Note, counted, examples, shorten

Placed = tuple[str, Mapping[str, Any]]
QUERIES = {"session": "session_id", "user": "client_id", "text": "user_query", "ranking": "query_response_hit_ids",
           "time": "timestamp"}  # fmt: skip
"""The fields of ubi_queries."""
_OTHERS = ("query_id", "query", "query_response_id", "query_attributes", "application", "object_id_field", "indexes")
_CLICK = re.compile(r"(^|[^a-z])(on)?click(ed|s)?($|[^a-z])")


def is_queries(record: Mapping[str, Any]) -> bool:
    """Whether a record is one of ubi_queries."""
    return "query_id" in record and ("query_response_hit_ids" in record or "query_response_id" in record)


def is_events(record: Mapping[str, Any]) -> bool:
    """Whether a record is one of ubi_events."""
    return "action_name" in record and ("query_id" in record or "event_attributes" in record)


def as_records(
    queries: Sequence[Placed], events: Sequence[Placed], path: str, fields: Mapping[str, str]
) -> tuple[list[Placed], tuple[Note, ...]]:
    """Records of a session log; `fields` given by the user win over those of UBI."""
    clicks, sessions, notes = _events(queries, events, path)
    records: list[Placed] = []
    seen: dict[str, str] = {}
    for at, query in queries:
        name = query.get("query_id")
        if not isinstance(name, str) or not name:
            raise InputError(Problem("session-record", f"query_id {shorten(repr(name))} is not a text", at))
        if name in seen:
            raise InputError(
                Problem("session-query", f"query_id {shorten(name)} occurs twice", f"{at} (first at {seen[name]})")
            )
        seen[name] = at
        record = {role: value_at(query, fields.get(role, key)) for role, key in QUERIES.items()}
        record |= {role: value_at(query, key) for role, key in fields.items() if role not in QUERIES}
        record["session"] = record["session"] if record["session"] is not None else sessions.get(name)
        record["ranking"] = [] if record["ranking"] is None else record["ranking"]  # nothing was returned
        record["clicks"] = clicks.get(name)
        used = {*QUERIES.values(), *_OTHERS, *(key.split(".")[0] for key in fields.values())}
        record |= {key: value for key, value in query.items() if key not in used and key not in record}
        records.append((at, {key: value for key, value in record.items() if value is not None}))
    return records, notes


def _events(
    queries: Sequence[Placed], events: Sequence[Placed], path: str
) -> tuple[dict[str, list[str]], dict[str, str], tuple[Note, ...]]:
    """Clicked documents and session by query, and what was not used."""
    hits = {query.get("query_id"): set(query.get("query_response_hit_ids") or ()) for _, query in queries}
    clicks: dict[str, list[str]] = {}
    sessions: dict[str, str] = {}
    others: dict[str, int] = {}
    unknown = strange = 0
    for at, event in events:
        query, action = event.get("query_id"), str(event.get("action_name") or "")
        if query not in hits:
            unknown += 1
            continue
        session = event.get("session_id")
        if session is not None and sessions.setdefault(str(query), session) != session:
            before, here = shorten(str(sessions[str(query)])), shorten(str(session))
            what = f"query {shorten(str(query))} has the sessions {before} and {here}"
            raise InputError(Problem("session-record", what, at))
        if not _CLICK.search(action.lower()):
            others[action] = others.get(action, 0) + 1
            continue
        document = value_at(event, "event_attributes.object.object_id")
        if document in hits[query]:
            clicks.setdefault(str(query), []).append(document)
        else:
            strange += 1
    texts = []
    if others:
        kinds = [f"{name} ({number})" for name, number in others.items()]
        texts.append(f"events other than clicks are not used: {examples(kinds, 8)}")
    if strange:
        texts.append(f"{counted(strange, 'click')} on something that is not a result of its query, not used")
    if unknown:
        texts.append(f"{counted(unknown, 'event')} of queries that are not in the log, not used")
    return clicks, sessions, tuple(Note("ubi-events", f"{path}: {text}") for text in texts)
