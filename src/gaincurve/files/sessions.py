"""Session files: logs, and TREC runs whose topics name session and query, graded on a shared table of queries."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.files.reading import Gathered, Path, Pending, Reading, SessionReading
from gaincurve.io.content import read_content
from gaincurve.io.read import session_name
from gaincurve.io.sessions.lists import SessionLists
from gaincurve.io.sessions.logs import is_log, read_log
from gaincurve.io.sessions.maps import SessionTopics, read_queries, read_session_topics
from gaincurve.io.threads import default_threads
from gaincurve.model.graded import Graded
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import places
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.log import SessionLog, grade_log
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
    logs = _logs(paths, mapped, reading, how, gathered)
    lists = _session_lists(judgments, mapped, logs, how)
    threads = reading.threads or default_threads()
    grader = lists.grader(scenario.ties, reading.duplicates, threads, reading.digest)
    graded: list[Graded] = []

    def grading(path: Path) -> Pending:
        log = logs[os.fspath(path)]
        return (lambda: grader.grade(path)) if log is None else (lambda: grade_log(judgments, log))

    for pending in reading.each([grading(path) for path in paths]):
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
    if how.topics is None:
        return None
    mapped = read_session_topics(how.topics, reading.digest)
    sessions, topics = counted(len(mapped.ids), "session"), counted(len(mapped.topics), "topic")
    reading.tell(f"read {sessions} on {topics}: {mapped.source.path}")
    return mapped


def load_log(judgments: Judgments, path: Path, scenario: Scenario, reading: Reading) -> SessionLog:
    """One session file with its documents, in any format."""
    how = reading.sessions or SessionReading()
    mapped = None if how.topics is None else read_session_topics(how.topics)
    log = _logs([path], mapped, reading, how, Gathered())[os.fspath(path)]
    if log is not None:
        return log
    return _session_lists(judgments, mapped, {}, how).log(path, scenario.ties, reading.duplicates)


def _logs(
    paths: Sequence[Path], mapped: SessionTopics | None, reading: Reading, how: SessionReading, gathered: Gathered
) -> dict[str, SessionLog | None]:
    """The files that are logs of sessions; None for those that are runs."""
    topics = None if mapped is None else mapped.to_dict()
    logs: dict[str, SessionLog | None] = {}
    for path in (os.fspath(path) for path in paths):
        with gathered.keeping():
            logs[path] = None
            if path != "-" and not _may_be_log(path):
                continue
            content = read_content(path, reading.digest)
            if is_log(content):
                logs[path] = read_log(
                    content, session_name(path), topics=topics, duplicates=reading.duplicates, unmapped=how.unmapped
                )
            elif path == "-":
                what = "a TREC run of sessions cannot come from standard input"
                raise InputError(Problem("session-record", what, "standard input"))
    gathered.stop_if_any()
    return logs


def _may_be_log(path: str) -> bool:
    """A look at the first bytes: a large run in TREC's columns need not be read twice."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 -- as the readers do: pathlib is slow to import
            head = file.read(4096)
    except OSError:
        return True  # the reader reports what is wrong with it
    compressed = head[:2] in (b"\x1f\x8b", b"BZ", b"\xfd7", b"\x28\xb5")
    return compressed or head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"<", b"{", b"#", b"")


def _session_lists(
    judgments: Judgments, mapped: SessionTopics | None, logs: dict[str, SessionLog | None], how: SessionReading
) -> SessionLists:
    first_log = next((log for log in logs.values() if log is not None), None)
    if mapped is None and first_log is not None and first_log.sessions.judged_by == "topic":
        table = first_log.sessions  # a log beside the runs has the topic of each session
        mapped = SessionTopics(table.ids, table.topics, table.topic_of_unit(), first_log.source)
    return SessionLists(judgments, mapped, pattern=how.pattern, unmapped=how.unmapped)


def _known(lists: SessionLists, path: str, unmapped: str) -> Units:
    """All queries, from the file that lists them."""
    queries = read_queries(path)
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
