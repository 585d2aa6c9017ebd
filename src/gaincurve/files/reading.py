"""How files are read, and what is wrong with them: the problems of all files are reported together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gaincurve.errors import InputError, Problem, Problems
from gaincurve.io.read import holds_both, is_named_by_file, run_name, same_file
from gaincurve.model.columns import Given
from gaincurve.model.measure import Measure
from gaincurve.model.rows import rule_for_judgments
from gaincurve.verbs.evaluate import kind_of, need
from gaincurve.verbs.experiment import refuse_names_twice

if TYPE_CHECKING:  # text is read without what tables need
    from gaincurve.model.arrow.table import Table

Path = str | os.PathLike[str]
Pending = Callable[[], Any]
"""Reads and grades what a path names: a run, or the several of one file."""


@dataclass(frozen=True)
class SessionReading:
    """How session files are read: the map of sessions to topics, the pattern of query ids, and what to do with gaps;
    of logs the names of their fields, and how long a user may be idle within a session.
    """

    topics: Path | None = None
    pattern: str | None = None
    queries: Path | None = None
    gaps: str = "error"
    unmapped: str = "error"
    design: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    idle: str | None = None


@dataclass(frozen=True)
class Reading:
    """How files are read. `sessions` says how where they hold sessions; `tell` receives a line for each file read.

    `columns` names columns of tables, and `grades_are_scores` takes judgments that look like a run. `each` and `rows`
    may show progress over the runs and over the rows of a table. Of unjudged documents those of the first `shown` ranks
    are kept. `judges` says what counts where several differ.
    """

    duplicates: str = "error"
    subtopics: bool = False
    columns: Given | None = None
    grades_are_scores: bool = False
    scores: bool = False
    shown: int = 0
    threads: int | None = None
    digest: bool = True
    judges: str = "error"
    sessions: SessionReading | None = None
    tell: Callable[[str], None] = lambda _: None
    each: Callable[[Sequence[Pending]], Iterable[Pending]] = lambda pending: pending
    rows: Callable[[Table], Table] = lambda table: table

    @property
    def of_judgments(self) -> str:
        """The rule for repeated documents in judgments, and in runs beside sessions."""
        return rule_for_judgments(self.duplicates)

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
        self.problems = Problems()

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Collect the problems of one file and continue with the next."""
        try:
            yield
        except InputError as error:
            self.problems.take(error)

    def stop_if_any(self) -> None:
        """Raise the problems collected so far, if there are any."""
        self.problems.stop_if_any()


def check_names(
    judgments: Path,
    runs: Sequence[Path],
    noun: str = "runs",
    name_of: Callable[[Path], str] = run_name,
    *,
    grades_are_scores: bool = False,
) -> None:
    """Refuse two runs with the same name and two uses of standard input, before anything is read.

    Without `grades_are_scores`, a run that is the file of judgments, or a copy of it, is refused as well.
    """
    if [os.fspath(path) for path in (judgments, *runs)].count("-") > 1:
        raise InputError(Problem("stdin-twice", "'-' was given more than once"))
    named = [path for path in runs if name_of is not run_name or is_named_by_file(path)]
    refuse_names_twice(((name_of(path), os.fspath(path)) for path in named), noun)
    for path in runs:
        if not grades_are_scores and same_file(judgments, path) and not holds_both(judgments):
            what = f"{os.fspath(judgments)} was given as judgments, and {os.fspath(path)} as a run is the same file"
            raise InputError(Problem("judgments-same-file", what, os.fspath(path)))
