"""Paths in: judgments and session logs read, TREC runs graded as they are read, all problems gathered."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.files import Gathered, Path, check_names
from gaincurve.io.content import read_content
from gaincurve.io.read import read_judgments
from gaincurve.io.scenarios import read_scenario
from gaincurve.io.sessions.grading import SessionGrader
from gaincurve.io.sessions.logs import is_log, read_log, session_name
from gaincurve.io.sessions.maps import SessionTopics, read_queries, read_session_topics
from gaincurve.io.threads import default_threads
from gaincurve.measures.session_registry import SessionMeasure, parse_session_measures
from gaincurve.model.instances import Instances
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import places
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.log import GradedSessions, SessionLog, Sessions, grade_sessions
from gaincurve.model.source import Note, counted, examples, shorten
from gaincurve.verbs.sessions.evaluate import DEFAULT_MEASURES, SessionScores, score_sessions
from gaincurve.verbs.sessions.experiment import SessionExperiment, session_choices, session_experiment


@dataclass(frozen=True)
class SessionReading:
    """How session files are read: the map of sessions to topics, the pattern of query ids, and what to do with gaps."""

    topics: Path | None = None
    pattern: str | None = None
    queries: Path | None = None
    gaps: str = "error"
    unmapped: str = "error"
    duplicates: str = "error"
    design: str | None = None
    subtopics: bool = False
    threads: int | None = None
    digest: bool = True


def evaluate_session_files(
    judgments: Path,
    sessions: Path | Iterable[Path],
    measures: str | SessionMeasure | Iterable[str | SessionMeasure] = DEFAULT_MEASURES,
    *,
    topics: Path | None = None,
    pattern: str | None = None,
    queries: Path | None = None,
    gaps: str = "error",
    unmapped: str = "error",
    duplicates: str = "error",
    design: str | None = None,
    by: str | None = None,
    scenario: Scenario | str = "session",
    instances: Instances | None = None,
    subtopics: bool = False,
    threads: int | None = None,
    **choices: object,
) -> SessionScores:
    """Score session files: JSON lines, TREC Session Track XML, or TREC runs with topics such as s12.q3.

    `topics` is a table of session and topic, `pattern` how the topic field of a run is written ('s{session}.q{query}'),
    `queries` a list of all queries, for those that returned nothing in every run.
    """
    asked = parse_session_measures(measures)
    chosen, rules = session_choices(read_scenario(scenario), **choices)
    paths = [sessions] if isinstance(sessions, str | os.PathLike) else list(sessions)
    subtopics = subtopics or need_subtopics(asked)
    reading = SessionReading(topics, pattern, queries, gaps, unmapped, duplicates, design, subtopics, threads)
    return score_sessions(grade_session_files(judgments, paths, chosen, reading), asked, chosen, rules, by=by,
                          instances=instances)  # fmt: skip


def need_subtopics(measures: Iterable[SessionMeasure]) -> bool:
    """Whether a measure needs judgments by subtopic."""
    return any(measure.definition.needs_instances for measure in measures)


def grade_session_files(
    judgments: Path,
    paths: Sequence[Path],
    scenario: Scenario,
    reading: SessionReading,
    tell: Callable[[str], None] = lambda _: None,
) -> SessionExperiment:
    """An experiment from files; `tell` hears what was understood."""
    check_names(judgments, paths, "systems", session_name)
    gathered = Gathered()
    with gathered.keeping():
        judged = read_judgments(
            judgments, duplicates=reading.duplicates, subtopics=reading.subtopics, digest=reading.digest
        )
        tell(f"read {judged.describe()}: {judged.source.path}")
    mapped: SessionTopics | None = None
    with gathered.keeping():
        if reading.topics is not None:
            mapped = read_session_topics(reading.topics, reading.digest)
            tell(f"read {counted(len(mapped.ids), 'session')} on {counted(len(mapped.topics), 'topic')}: "
                 f"{mapped.source.path}")  # fmt: skip
    gathered.stop_if_any()
    logs = _logs(paths, mapped, reading, gathered)
    grader = _grader(judged, mapped, logs, scenario, reading)
    graded: list[GradedSessions] = []
    for path in paths:
        with gathered.keeping():
            log = logs[os.fspath(path)]
            run = grader.grade(path) if log is None else grade_sessions(judged, log)
            tell(f"read {run.sessions.describe()}, {counted(int(run.retrieved.sum()), 'document')}, "
                 f"{run.source.format}: {run.source.path}")  # fmt: skip
            graded.append(run)
    gathered.stop_if_any()
    known = None if reading.queries is None else _known(grader, reading)
    notes = () if mapped is None else _unknown_in_map(mapped, graded, known, scenario)
    return session_experiment(
        judged,
        graded,
        scenario,
        known=known,
        gaps=reading.gaps,
        design=reading.design,
        notes=notes,
        beside=() if mapped is None else (mapped.source,),
    )


def load_log(judgments: Judgments, path: Path, scenario: Scenario, reading: SessionReading) -> SessionLog:
    """One file with its documents, whatever its format."""
    mapped = None if reading.topics is None else read_session_topics(reading.topics)
    log = _logs([path], mapped, reading, Gathered())[os.fspath(path)]
    return log if log is not None else _grader(judgments, mapped, {}, scenario, reading).session_log(path)


def _logs(
    paths: Sequence[Path], mapped: SessionTopics | None, reading: SessionReading, gathered: Gathered
) -> dict[str, SessionLog | None]:
    """The files that are logs of sessions; None for those that are runs."""
    topics = None if mapped is None else mapped.to_dict()
    found: dict[str, SessionLog | None] = {}
    for path in (os.fspath(path) for path in paths):
        with gathered.keeping():
            found[path] = None
            if path != "-" and not _may_be_log(path):
                continue
            content = read_content(path, reading.digest)
            if is_log(content):
                found[path] = read_log(
                    content, session_name(path), topics=topics, duplicates=reading.duplicates, unmapped=reading.unmapped
                )
            elif path == "-":
                what = "a TREC run of sessions cannot come from standard input"
                raise InputError(Problem("session-record", what, "standard input"))
    gathered.stop_if_any()
    return found


def _may_be_log(path: str) -> bool:
    """A look at the first bytes: a large run in TREC's columns need not be read twice."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 -- as the readers do: pathlib is slow to import
            head = file.read(4096)
    except OSError:
        return True  # the reader tells what is wrong with it
    packed = head[:2] in (b"\x1f\x8b", b"BZ", b"\xfd7", b"\x28\xb5")
    return packed or head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"<", b"{", b"#", b"")


def _grader(
    judged: Judgments,
    mapped: SessionTopics | None,
    logs: dict[str, SessionLog | None],
    scenario: Scenario,
    reading: SessionReading,
) -> SessionGrader:
    whole = next((log for log in logs.values() if log is not None), None)
    if mapped is None and whole is not None and whole.sessions.judged_by == "topic":
        table = whole.sessions  # the log beside the runs tells which topic a session is on
        mapped = SessionTopics(table.ids, table.topics, table.topic_of_session(), whole.source)
    return SessionGrader(
        judged,
        mapped,
        pattern=reading.pattern,
        ties=scenario.ties,
        duplicates=reading.duplicates,
        unmapped=reading.unmapped,
        threads=reading.threads or default_threads(),
        digest=reading.digest,
    )


def _known(grader: SessionGrader, reading: SessionReading) -> Sessions:
    """All queries there are, from the list of them."""
    path = os.fspath(reading.queries or "")
    queries = read_queries(path)
    table, _, _ = grader.settle(queries, path).table(queries, path, reading.unmapped)
    broken = np.flatnonzero(table.position[table.offsets[1:] - 1] != table.lengths)
    for s in broken[:1].tolist():
        what = f"session {shorten(table.ids[s])} does not have the queries 1, 2, … in the list of queries"
        raise InputError(Problem("session-query", what, path))
    return replace(table, complete=True)


def _unknown_in_map(
    mapped: SessionTopics, graded: Sequence[GradedSessions], known: Sessions | None, scenario: Scenario
) -> tuple[Note, ...]:
    """Sessions of the map that no file has: nobody can say how many queries they had."""
    there = np.zeros(len(mapped.ids), dtype=bool)
    for table in [run.sessions for run in graded] + ([] if known is None else [known]):
        there |= places(mapped.ids, table.ids) >= 0
    strange = mapped.ids.take(np.flatnonzero(~there))
    if not len(strange):
        return ()
    if scenario.missing != "skip":
        what = f"{counted(len(strange), 'session')} of the map in no file: {examples(strange.texts())}"
        raise InputError(Problem("session-unknown", what, mapped.source.path))
    text = f"{counted(len(strange), 'session')} of the map in no file, left out: {examples(strange.texts())}"
    return (Note("session-unknown", text),)
