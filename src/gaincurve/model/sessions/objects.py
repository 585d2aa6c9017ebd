"""Session logs that are already in memory: logs, records, data frames, {session: rankings}, and several systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

from gaincurve.errors import InputError, Problem
from gaincurve.model.sessions.fields import LOOKS_LIKE
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.sessions.shapes import LogRules, logs_of_records
from gaincurve.model.source import shorten

_EXPECTED = (
    f"expected one record a query, {LOOKS_LIKE}; a data frame of them; {{session: [ranking, …]}}; "
    "or {system: any of these}"
)


def logs_of(given: object, rules: LogRules, name: str = "sessions") -> list[SessionLog]:
    """The logs of each system."""
    if isinstance(given, SessionLog):
        return [given]
    if _is_frame(given):
        return _from_records(_rows(given), name, rules)
    if isinstance(given, Mapping):
        return _from_mapping(given, name, rules)
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise _unknown(given, name)
    listed = list(given)
    if not listed:
        raise InputError(Problem("input-empty", f"{name} has no queries"))
    if all(isinstance(item, SessionLog) for item in listed):
        return listed
    return _from_records(listed, name, rules)


def _unknown(given: object, name: str) -> InputError:
    what = f"{name} cannot be made from {type(given).__name__} {shorten(repr(given))}"
    read = "; to read a file use gaincurve.read_sessions(path)" if isinstance(given, str | bytes) else ""
    return InputError(Problem("input-object", what, hint=_EXPECTED + read))


def _is_frame(given: object) -> bool:
    return hasattr(given, "columns") and (hasattr(given, "itertuples") or hasattr(given, "iter_rows"))


def _rows(frame: Any) -> list[dict[str, Any]]:
    names = [str(column) for column in frame.columns]
    rows = frame.itertuples(index=False, name=None) if hasattr(frame, "itertuples") else frame.iter_rows()
    return [dict(zip(names, row, strict=True)) for row in rows]


def _from_mapping(given: Mapping[Any, Any], name: str, rules: LogRules) -> list[SessionLog]:
    """{session: [ranking, …]}, or {system: a log of it}."""
    if any(role in given and not isinstance(given[role], Mapping) for role in ("session", "ranking")):
        what = f"{name} is a single record; the records of a log belong in a list"
        raise InputError(Problem("input-object", what, hint=_EXPECTED))
    if given and all(_is_rankings(value) for value in given.values()):
        records = [
            {"session": session, "query": number, "ranking": list(ranking)}
            for session, rankings in given.items()
            for number, ranking in enumerate(rankings, 1)
        ]
        return _from_records(records, name, rules)
    logs: list[SessionLog] = []
    for system, value in given.items():
        if not isinstance(value, Mapping | SessionLog) and not _is_frame(value) and not isinstance(value, Iterable):
            raise _unknown(value, f"{name}[{system!r}]")
        logs += logs_of(value, rules, str(system))
    if not logs:
        raise InputError(Problem("input-empty", f"{name} has no queries"))
    return logs


def _is_rankings(value: object) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(ranking, list | tuple) and not hasattr(ranking, "_fields") for ranking in value
    )


def _from_records(records: Iterable[Any], name: str, rules: LogRules) -> list[SessionLog]:
    placed = [(f"{name}[{i}]", _record(record, f"{name}[{i}]")) for i, record in enumerate(records)]
    return logs_of_records(placed, name, name, "Python objects", rules)


def _record(record: Any, at: str) -> Mapping[str, Any]:
    if isinstance(record, Mapping):
        plain: Mapping[str, Any] = record
    elif hasattr(record, "_asdict"):
        plain = record._asdict()
    elif is_dataclass(record) and not isinstance(record, type):
        plain = asdict(record)
    else:
        what = f"{shorten(repr(record))} ({type(record).__name__}) is not a record"
        raise InputError(Problem("input-object", what, at, _EXPECTED))
    ranking: Any = plain.get("ranking")
    return {**plain, "ranking": ranking.tolist()} if hasattr(ranking, "tolist") else plain


def sessions_from_records(
    records: object,
    name: str = "sessions",
    *,
    topics: Mapping[str, str] | None = None,
    judged: Iterable[str] = (),
    fields: Mapping[str, str] | None = None,
    idle: str | None = None,
    duplicates: str = "error",
    unmapped: str = "error",
) -> SessionLog:
    """The log of one system from records in memory, a data frame of them, or {session: [ranking, …]}."""
    rules = LogRules(topics or {}, tuple(judged), fields or {}, idle, None, duplicates, unmapped)
    logs = logs_of(records, rules, name)
    if len(logs) != 1:
        what = f"{name} holds the systems {', '.join(log.name for log in logs)}"
        raise InputError(Problem("input-object", what, hint="evaluate_sessions takes them as they are"))
    return logs[0]
