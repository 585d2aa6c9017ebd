"""How files are read, and what is wrong with them: the problems of all files are reported together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from gaincurve.errors import InputError, Problem
from gaincurve.io.read import run_name
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.verbs.evaluate import kind_of, need
from gaincurve.verbs.experiment import refuse_names_twice

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
    """How files are read. `sessions` says how where they hold sessions; `tell` receives a line for each file read.

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
        """The same, reading also what the measures need."""
        asked = list(measures)
        sessions = self.sessions or (SessionReading() if kind_of(asked) == "session" else None)
        return replace(
            self,
            subtopics=self.subtopics or need("subtopics", asked),
            scores=self.scores or need("scores", asked),
            sessions=sessions,
        )


class Gathered:
    """The problems of several files, collected until all have been read."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.more = 0

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Collect the problems of one file and continue with the next."""
        try:
            yield
        except InputError as error:
            self.problems += error.problems
            self.more += error.more

    def stop_if_any(self) -> None:
        """Raise the problems collected so far, if there are any."""
        if self.problems:
            raise InputError(self.problems, self.more)


def check_names(
    judgments: Path, runs: Sequence[Path], noun: str = "runs", name_of: Callable[[Path], str] = run_name
) -> None:
    """Refuse two runs with the same name and two uses of standard input, before anything is read."""
    if [os.fspath(path) for path in (judgments, *runs)].count("-") > 1:
        raise InputError(Problem("stdin-twice", "'-' was given more than once"))
    refuse_names_twice(((name_of(path), os.fspath(path)) for path in runs), noun)
