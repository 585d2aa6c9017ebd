"""Paths in: judgments, runs and session logs read, graded as they are read, and let go.

What the command line does with files, for Python too: a run never stands in memory as a whole, and all problems are
gathered before stopping.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.io.content import read_content
from gaincurve.io.grading import RunGrader
from gaincurve.io.read import read_judgments, read_run, run_name
from gaincurve.io.scenarios import read_scenario
from gaincurve.io.sessions.lists import SessionLists
from gaincurve.io.sessions.logs import is_log, read_log, session_name
from gaincurve.io.sessions.maps import SessionTopics, read_queries, read_session_topics
from gaincurve.io.threads import Workers, default_threads
from gaincurve.model.graded import Graded
from gaincurve.model.instances import Instances
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import places
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.sessions.log import SessionLog, grade_log
from gaincurve.model.source import Note, counted, examples, shorten
from gaincurve.model.units import Units
from gaincurve.verbs.evaluate import asked_measures, kind_of, need
from gaincurve.verbs.experiment import Experiment, graded_experiment, refuse_names_twice, under_rules
from gaincurve.verbs.score import score
from gaincurve.verbs.sessions.evaluate import DEFAULT_MEASURES
from gaincurve.verbs.sessions.experiment import session_experiment, session_scenario, with_instances

Path = str | os.PathLike[str]
Pending = Callable[[], Graded]


@dataclass(frozen=True)
class SessionReading:
    """How session files are read: the map of sessions to topics, the pattern of query ids, and what to do with gaps."""

    topics: Path | None = None
    pattern: str | None = None
    queries: Path | None = None
    gaps: str = "error"
    unmapped: str = "error"
    design: str | None = None


@dataclass(frozen=True)
class Reading:
    """How files are read. `sessions` says how, where they hold sessions; `tell` hears what was understood.

    `each` may show progress over the runs.
    """

    duplicates: str = "error"
    subtopics: bool = False
    scores: bool = False
    threads: int | None = None
    digest: bool = True
    sessions: SessionReading | None = None
    tell: Callable[[str], None] = lambda _: None
    each: Callable[[Sequence[Pending]], Iterable[Pending]] = lambda pending: pending

    def needed_by(self, measures: Iterable[Measure]) -> Reading:
        """The same with what the measures need read along."""
        asked = list(measures)
        sessions = self.sessions or (SessionReading() if kind_of(asked) == "session" else None)
        return replace(
            self,
            subtopics=self.subtopics or need("subtopics", asked),
            scores=self.scores or need("scores", asked),
            sessions=sessions,
        )


def evaluate_files(
    judgments: Path,
    runs: Path | Iterable[Path],
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    scenario: Scenario | str = "default",
    duplicates: str = "error",
    subtopics: bool = False,
    threads: int | None = None,
    **choices: object,
) -> Scores:
    """Score run files against a file of judgments, on all cores and in little memory.

    The same numbers as `evaluate` on what `read_judgments` and `read_run` return; `scenario` may be a TOML file.
    """
    chosen = read_scenario(scenario).with_choices(**choices)
    asked = asked_measures(measures, chosen)
    reading = Reading(duplicates, subtopics, threads=threads).needed_by(asked)
    return score(read_experiment(judgments, _paths(runs), chosen, reading), asked, chosen)


def evaluate_session_files(
    judgments: Path,
    sessions: Path | Iterable[Path],
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
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
) -> Scores:
    """Score session files: JSON lines, TREC Session Track XML, or TREC runs with topics such as s12.q3.

    `topics` is a table of session and topic, `pattern` how the topic field of a run is written ('s{session}.q{query}'),
    `queries` a list of all queries, for those that returned nothing in every run.
    """
    chosen = session_scenario(read_scenario(scenario), **choices)
    asked = asked_measures(measures, chosen, "session")
    how = SessionReading(topics, pattern, queries, gaps, unmapped, design)
    reading = Reading(duplicates, subtopics, threads=threads, sessions=how).needed_by(asked)
    graded = read_experiment(judgments, _paths(sessions), chosen, reading)
    return score(graded if instances is None else with_instances(graded, instances), asked, chosen, by)


def _paths(given: Path | Iterable[Path]) -> list[Path]:
    return [given] if isinstance(given, str | os.PathLike) else list(given)


def read_experiment(judgments: Path, lists: Sequence[Path], scenario: Scenario, reading: Reading) -> Experiment:
    """An experiment from files: judgments, and runs or sessions graded as they are read."""
    noun, name_of = ("runs", run_name) if reading.sessions is None else ("systems", session_name)
    check_names(judgments, lists, noun, name_of)
    gathered = Gathered()
    with gathered.keeping():
        judged = read_judgments(
            judgments, duplicates=reading.duplicates, subtopics=reading.subtopics, digest=reading.digest
        )
        reading.tell(f"read {judged.describe()}: {judged.source.path}")
    if reading.sessions is not None:
        gathered.stop_if_any()
        return _sessions(judged, lists, scenario, reading, reading.sessions)
    if gathered.problems:  # nothing can be graded, but what is wrong with the runs can still be told
        for path in lists:
            with gathered.keeping():
                read_run(path, ties=scenario.ties, duplicates=reading.duplicates, digest=False)
        gathered.stop_if_any()
    usable = reading.threads or default_threads()
    many = len(lists) >= usable > 1  # one thread a run, or all of them on each run in turn
    share = 1 if many else usable
    grader = RunGrader(
        judged, scenario.ties, reading.duplicates, threads=share, digest=reading.digest, scores=reading.scores
    )
    graded: list[Graded] = []
    with Workers(usable if many else 1) as workers:
        for pending in reading.each([workers.submit(grader.grade, path) for path in lists]):
            with gathered.keeping():
                run = pending()
                reading.tell(f"read {run.source.describe()}: {run.source.path}")
                graded.append(under_rules(run, scenario))
    gathered.stop_if_any()
    return graded_experiment(judged, graded)


def _sessions(
    judgments: Judgments, paths: Sequence[Path], scenario: Scenario, reading: Reading, how: SessionReading
) -> Experiment:
    """Logs are read as they are, TREC runs by the scanner, all on one table of queries."""
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

    def pending(path: Path) -> Pending:
        log = logs[os.fspath(path)]
        return (lambda: grader.grade(path)) if log is None else (lambda: grade_log(judgments, log))

    for one in reading.each([pending(path) for path in paths]):
        with gathered.keeping():
            run = one()
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
    """One file with its documents, whatever its format."""
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
        return True  # the reader tells what is wrong with it
    packed = head[:2] in (b"\x1f\x8b", b"BZ", b"\xfd7", b"\x28\xb5")
    return packed or head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"<", b"{", b"#", b"")


def _session_lists(
    judgments: Judgments, mapped: SessionTopics | None, logs: dict[str, SessionLog | None], how: SessionReading
) -> SessionLists:
    whole = next((log for log in logs.values() if log is not None), None)
    if mapped is None and whole is not None and whole.sessions.judged_by == "topic":
        table = whole.sessions  # the log beside the runs tells which topic a session is on
        mapped = SessionTopics(table.ids, table.topics, table.topic_of_unit(), whole.source)
    return SessionLists(judgments, mapped, pattern=how.pattern, unmapped=how.unmapped)


def _known(lists: SessionLists, path: str, unmapped: str) -> Units:
    """All queries there are, from the list of them."""
    queries = read_queries(path)
    table, _, _ = lists.settle(queries, path).table(queries, path, unmapped)
    broken = np.flatnonzero(table.position[table.offsets[1:] - 1] != table.lengths)
    for s in broken[:1].tolist():
        what = f"session {shorten(table.ids[s])} does not have the queries 1, 2, … in the list of queries"
        raise InputError(Problem("session-query", what, path))
    return replace(table, complete=True)


def _unknown_in_map(
    mapped: SessionTopics, graded: Sequence[Graded], known: Units | None, scenario: Scenario
) -> tuple[Note, ...]:
    """Sessions of the map that no file has: nobody can say how many queries they had."""
    there = np.zeros(len(mapped.ids), dtype=bool)
    for table in [run.units for run in graded] + ([] if known is None else [known]):
        there |= places(mapped.ids, table.ids) >= 0
    strange = mapped.ids.take(np.flatnonzero(~there))
    if not len(strange):
        return ()
    if scenario.missing != "skip":
        what = f"{counted(len(strange), 'session')} of the map in no file: {examples(strange.texts())}"
        raise InputError(Problem("session-unknown", what, mapped.source.path))
    text = f"{counted(len(strange), 'session')} of the map in no file, left out: {examples(strange.texts())}"
    return (Note("session-unknown", text),)


class Gathered:
    """Problems of several files, kept until all were looked at."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.more = 0

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Keep the problems of one file and go on with the next."""
        try:
            yield
        except InputError as error:
            self.problems += error.problems
            self.more += error.more

    def stop_if_any(self) -> None:
        """Raise what was gathered."""
        if self.problems:
            raise InputError(self.problems, self.more)


def check_names(
    judgments: Path, runs: Sequence[Path], noun: str = "runs", name_of: Callable[[Path], str] = run_name
) -> None:
    """Refuse two runs of one name and two uses of standard input before anything is read."""
    if [os.fspath(path) for path in (judgments, *runs)].count("-") > 1:
        raise InputError(Problem("stdin-twice", "'-' was given more than once"))
    refuse_names_twice(((name_of(path), os.fspath(path)) for path in runs), noun)
