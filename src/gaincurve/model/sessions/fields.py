"""The fields of a session log: which key of a record means what, and keys that mean nothing to us."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from typing import Any

from gaincurve.errors import ChoiceError, InputError, Problem, nearest, one_of
from gaincurve.model.source import Note, examples, shorten

FIELDS: dict[str, str] = {
    "session": "id of the session",
    "query": "number of the query in its session: 1, 2, …",
    "topic": "the judged topic",
    "user": "who searched",
    "text": "what the user typed",
    "ranking": "the documents in order",
    "clicks": "clicked documents, or their ranks",
    "depth": "how many documents were looked at",
    "time": "when the query was sent; orders queries that have no number",
    "system": "the system that answered; several are told apart",
    "document": "long form, one result a row: the document",
    "rank": "long form: its rank",
    "clicked": "long form: 1 if it was clicked",
}
"""Fields of a record by role; `--fields` names others."""

LOOKS_LIKE = '{"session": "s1", "query": 1, "topic": "301", "ranking": ["d1", "d2"]}'
"""A record of a session log, for messages."""

_ALIKE: dict[str, tuple[str, ...]] = {
    "session": ("session_id", "sessionid", "sid", "conversation_id", "conversation"),
    "query": ("query_number", "query_no", "turn", "turn_id", "query_index", "number", "q"),
    "ranking": ("results", "result", "documents", "docs", "hits", "ranked_list", "doc_ids", "rankings"),
    "topic": ("topic_id", "task", "task_id", "qid"),
    "time": ("timestamp", "datetime", "date", "ts"),
    "user": ("user_id", "userid", "client_id", "searcher"),
    "system": ("system_id", "run", "engine", "variant", "arm"),
    "document": ("doc_id", "docid", "docno", "document_id", "doc"),
    "rank": ("position", "pos"),
}
"""Names that others use. They are suggested, never taken silently."""


def parse_fields(text: str | None) -> dict[str, str]:
    """'session=session_id,ranking=results' as {role: key}."""
    fields: dict[str, str] = {}
    for part in text.split(",") if text else []:
        role, equals, key = (piece.strip() for piece in part.partition("="))
        if not equals or not key or role in fields:
            hint = "for example --fields session=session_id,ranking=results, each field once"
            raise ChoiceError(Problem("choice-unknown", f"--fields cannot be {text!r}", hint=hint))
        fields[one_of("a field", role, tuple(FIELDS))] = key
    return fields


def value_at(record: Mapping[str, Any], key: str) -> Any:
    """The value of a key; 'query_attributes.topic' reaches into nested records."""
    if key in record:
        return record[key]
    value: Any = record
    for step in key.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def by_role(record: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """A record with the names of our fields; empty texts of tables and nulls are left out."""
    values = ((role, value_at(record, fields.get(role, role))) for role in FIELDS)
    return {role: value for role, value in values if not _is_absent(value)}


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and isnan(value))


def check_fields(records: Sequence[Mapping[str, Any]], fields: Mapping[str, str], at: str) -> None:
    """Refuse a field of `--fields` that no record has."""
    for role, key in fields.items():
        one_of("a field", role, tuple(FIELDS))
        if all(value_at(record, key) is None for record in records):
            keys = list(dict.fromkeys(key for record in records for key in record))
            what = f"no record has {key!r} for the {role}{nearest(key, keys)}; keys: {examples(keys, 12)}"
            raise InputError(Problem("session-fields", what, at))


def unused_notes(records: Iterable[Mapping[str, Any]], fields: Mapping[str, str], path: str) -> tuple[Note, ...]:
    """Keys of records that are not used; one that is nearly a field, and stands where the field is absent, is loud."""
    counts: dict[str, int] = {}
    for record in records:
        for key in record:
            counts[key] = counts.get(key, 0) + 1
    used = {fields.get(role, role).split(".")[0] for role in FIELDS} | set(fields.values())
    unused = [key for key in counts if key not in used]
    absent = [role for role in FIELDS if fields.get(role, role) not in counts]
    likely = {key: role for key in unused if (role := _meant(key, absent))}
    notes = []
    for key, role in likely.items():
        text = f"{path}: {key!r} is not a field and is not used; did you mean {role!r}? (--fields {role}={key})"
        notes.append(Note("fields-misspelt", text))
    others = [key for key in unused if key not in likely]
    if others:
        notes.append(Note("fields-unused", f"{path}: keys that are not used: {examples(others, 12)}"))
    return tuple(notes)


def _meant(key: str, absent: Sequence[str]) -> str:
    """The absent field a key most likely stands for, or nothing."""
    folded = key.lower().replace("-", "_")
    for role in absent:
        if folded in (role, f"{role}s", f"{role}_id", role.removesuffix("s")) or folded in _ALIKE.get(role, ()):
            return role
    return ""


def suggested(keys: Sequence[str], fields: Mapping[str, str]) -> dict[str, str]:
    """Fields that keys most likely stand for: {"session": "session_id"}."""
    absent = [role for role in FIELDS if fields.get(role, role) not in keys]
    return {role: key for key in reversed(keys) if key not in FIELDS and (role := _meant(key, absent))}


def lacking(role: str, record: Mapping[str, object], at: str) -> Problem:
    """A record without a field: it is null, another key is nearly it, or there is none."""
    if role in record:
        return Problem("session-record", f"{role!r} is null", at)
    others = [key for key in record if key not in FIELDS]
    return Problem("session-record", f"the record has no {role!r}{nearest(role, others)}", at)


def not_a_log(keys: Sequence[str], fields: Mapping[str, str], at: str) -> Problem:
    """What to do about records that are nearly those of a session log."""
    meant = suggested(keys, fields)
    what = f"these are not the records of a session log; keys: {examples([*keys], 12)}"
    wanted = f"a session log has one query a record: {LOOKS_LIKE}"
    spelt = ",".join(f"{role}={key}" for role, key in sorted(meant.items()))
    return Problem("session-fields", what, at, f"--fields {shorten(spelt, 100)}; {wanted}" if meant else wanted)
