"""Paths in: judgments, runs and session logs read, graded as they are read, and let go.

What the command line does with files, for Python too: a run never stands in memory as a whole, and all problems are
gathered before stopping.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from gaincurve.errors import InputError, Problem
from gaincurve.io.grading import RunGrader
from gaincurve.io.read import read_judgments, read_run, run_name, session_name
from gaincurve.io.scenarios import read_scenario
from gaincurve.io.threads import Workers, default_threads
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.verbs.evaluate import asked_measures, kind_of, need, score_topics
from gaincurve.verbs.experiment import Experiment, graded_experiment, refuse_names_twice, under_rules

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
    return score_topics(read_experiment(judgments, paths_of(runs), chosen, reading), asked, chosen)


def paths_of(given: Path | Iterable[Path]) -> list[Path]:
    """One path, or several."""
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
        from gaincurve.files.sessions import read_sessions  # noqa: PLC0415 -- eval starts sooner without it

        gathered.stop_if_any()
        return read_sessions(judged, lists, scenario, reading, reading.sessions)
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
