"""Session files: logs, and TREC runs whose topics name session and query, graded on a shared table of queries."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.files.reading import Gathered, Path, Pending, Reading, SessionReading
from gaincurve.io.content import head_of, read_content
from gaincurve.io.read import is_named_by_file, session_name
from gaincurve.io.sessions.lists import SessionLists
from gaincurve.io.sessions.logs import read_logs
from gaincurve.io.sessions.maps import SessionTopics, holds_topics, read_queries, read_session_topics
from gaincurve.io.threads import default_threads
from gaincurve.model.graded import Graded
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import places
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.log import SessionLog, grade_log
from gaincurve.model.sessions.shapes import LogRules
from gaincurve.model.sessions.times import idle_microseconds
from gaincurve.model.source import Note, counted, examples, shorten
from gaincurve.model.units import Units
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.sessions.experiment import session_experiment


def read_sessions(
    judgments: Judgments, paths: Sequence[Path], scenario: Scenario, reading: Reading, how: SessionReading
) -> Experiment:
    """An experiment from logs, which are read whole, and TREC runs, which the scanner reads, on shared queries."""
    gathered = Gathered()
    mapped: SessionTopics | None = None
    with gathered.keeping():
        mapped = _session_map(reading, how)
    gathered.stop_if_any()
    logs = _logs(judgments, paths, mapped, reading, how, gathered)
    lists = _session_lists(judgments, mapped, logs, how)
    threads = reading.threads or default_threads()
    grader = lists.grader(scenario.ties, reading.duplicates, threads, reading.digest, reading.columns)
    graded: list[Graded] = []

    def grading(path: Path) -> list[Pending]:
        read = logs[os.fspath(path)]
        if read is None:
            return [lambda: grader.grade(path)]
        return [lambda log=log: grade_log(judgments, log) for log in read]  # type: ignore[misc]

    for pending in reading.each([pending for path in paths for pending in grading(path)]):
        with gathered.keeping():
            run = pending()
            documents = counted(int(run.retrieved.sum()), "document")
            reading.tell(f"read {run.units.describe()}, {documents}, {run.source.format}: {run.source.path}")
            graded.append(run)
    gathered.stop_if_any()
    known = None if how.queries is None else _known(lists, os.fspath(how.queries), how.unmapped)
    return session_experiment(
        judgments,
        graded,
        scenario,
        known=known,
        gaps=how.gaps,
        design=how.design,
        notes=() if mapped is None else _unknown_in_map(mapped, graded, known, scenario),
        beside=() if mapped is None else (mapped.source,),
    )


def _session_map(reading: Reading, how: SessionReading) -> SessionTopics | None:
    table = how.topics
    if table is None and how.queries is not None and holds_topics(how.queries):
        table = how.queries
    if table is None:
        return None
    mapped = read_session_topics(table, reading.digest)
    sessions, topics = counted(len(mapped.ids), "session"), counted(len(mapped.topics), "topic")
    reading.tell(f"read {sessions} on {topics}: {mapped.source.path}")
    return mapped


def load_log(judgments: Judgments, path: Path, scenario: Scenario, reading: Reading) -> SessionLog:
    """One session file with its documents, in any format."""
    how = reading.sessions or SessionReading()
    mapped = None if how.topics is None else read_session_topics(how.topics)
    read = _logs(judgments, [path], mapped, reading, how, Gathered())[os.fspath(path)]
    if read is not None and len(read) != 1:
        what = (
            f"{os.fspath(path)} holds the systems {examples([log.name for log in read], 8)}; one is explained at a time"
        )
        raise InputError(Problem("session-record", what, os.fspath(path), "keep one system's queries in the file"))
    if read is not None:
        return read[0]
    return _session_lists(judgments, mapped, {}, how).log(path, scenario.ties, reading.duplicates, reading.columns)


def _logs(
    judgments: Judgments,
    paths: Sequence[Path],
    mapped: SessionTopics | None,
    reading: Reading,
    how: SessionReading,
    gathered: Gathered,
) -> dict[str, list[SessionLog] | None]:
    """The logs of each file, by system; None for files that are runs."""
    if how.idle is not None:
        idle_microseconds(how.idle)
    topics = {} if mapped is None else mapped.to_dict()
    rules = LogRules(topics, judgments.topics, how.fields, how.idle, how.pattern, reading.duplicates, how.unmapped)
    contents = []
    logs: dict[str, list[SessionLog] | None] = {}
    for path in (os.fspath(path) for path in paths):
        logs[path] = None
        with gathered.keeping():
            if path == "-" or _may_be_log(path):
                contents.append((replace(read_content(path, reading.digest), path=path), session_name(path)))
    with gathered.keeping():
        logs |= read_logs(contents, rules)
        if "-" in logs and logs["-"] is None:
            what = "a TREC run of sessions cannot come from standard input"
            raise InputError(Problem("session-record", what, "standard input"))
        if (how.idle is not None or how.fields) and all(read is None for read in logs.values()):
            option = "--fields" if how.fields else "--idle"
            what = f"{option} is for logs, and no file is one"
            raise InputError(
                Problem("session-fields", what, os.fspath(paths[0]), "TREC runs name their sessions: --pattern")
            )
    gathered.stop_if_any()
    return logs


def _may_be_log(path: str) -> bool:
    """A look at the first bytes: a large run in TREC's columns need not be read twice."""
    separated = any(mark in head_of(path).partition(b"\n")[0] for mark in (b",", b"\t", b";"))
    return separated or not is_named_by_file(path)


def _session_lists(
    judgments: Judgments, mapped: SessionTopics | None, logs: dict[str, list[SessionLog] | None], how: SessionReading
) -> SessionLists:
    first_log = next((log for read in logs.values() for log in read or ()), None)
    if mapped is None and first_log is not None and first_log.sessions.judged_by == "topic":
        table = first_log.sessions  # a log beside the runs has the topic of each session
        mapped = SessionTopics(table.ids, table.topics, table.topic_of_unit(), first_log.source)
    return SessionLists(judgments, mapped, pattern=how.pattern, unmapped=how.unmapped)


def _known(lists: SessionLists, path: str, unmapped: str) -> Units:
    """All queries, from the file that lists them."""
    queries = read_queries(path, None if lists.names is None else lists.names.pattern)
    table, _, _ = lists.settle(queries, path).table(queries, path, unmapped)
    broken = np.flatnonzero(table.position[table.offsets[1:] - 1] != table.lengths)
    if len(broken):
        what = f"session {shorten(table.ids[int(broken[0])])} does not have the queries 1, 2, … in the list of queries"
        raise InputError(Problem("session-query", what, path))
    return replace(table, complete=True)


def _unknown_in_map(
    mapped: SessionTopics, graded: Sequence[Graded], known: Units | None, scenario: Scenario
) -> tuple[Note, ...]:
    """Sessions of the map that are in no file: the number of their queries is unknown."""
    present = np.zeros(len(mapped.ids), dtype=bool)
    for table in [run.units for run in graded] + ([] if known is None else [known]):
        present |= places(mapped.ids, table.ids) >= 0
    absent = mapped.ids.take(np.flatnonzero(~present))
    if not len(absent):
        return ()
    if scenario.missing != "skip":
        what = f"{counted(len(absent), 'session')} of the map in no file: {examples(absent.texts())}"
        raise InputError(Problem("session-unknown", what, mapped.source.path))
    text = f"{counted(len(absent), 'session')} of the map in no file, left out: {examples(absent.texts())}"
    return (Note("session-unknown", text),)
