"""Files named on the command line: read, graded and told about; all problems gathered before stopping."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from gaincurve.errors import InputError, Problem
from gaincurve.io.grading import RunGrader
from gaincurve.io.read import read_judgments, read_run, run_name
from gaincurve.io.threads import Workers, default_threads
from gaincurve.model.graded import GradedRun
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import Note
from gaincurve.verbs.experiment import Experiment, graded_experiment, under_rules

PROGRESS_BYTES = 50_000_000
T = TypeVar("T")


def load(judgments: str, runs: Sequence[str], scenario: Scenario, given: dict[str, Any], quiet: bool) -> Experiment:
    """Judgments and runs, each run graded as it is read and then let go; `given` holds the options that say how."""
    check_names(judgments, runs)
    gathered = Gathered()
    duplicates = given["duplicates"]
    with gathered.keeping():
        judged = read_judgments(judgments, duplicates=duplicates, digest=given["format"] == "json")
        tell(quiet, f"read {judged.describe()}: {judged.source.path}")
    graded: list[GradedRun] = []
    if gathered.problems:  # nothing can be graded, but what is wrong with the runs can still be told
        for path in runs:
            with gathered.keeping():
                read_run(path, ties=scenario.ties, duplicates=duplicates)
        gathered.stop_if_any()
    threads = given["threads"] or default_threads()
    many = len(runs) >= threads > 1
    grader = RunGrader(
        judged, scenario.ties, duplicates, threads=1 if many else threads, digest=given["format"] == "json"
    )
    with Workers(threads if many else 1) as workers:
        pending = [workers.submit(grader.grade, path) for path in runs]
        for graded_run in progress(runs, pending):
            with gathered.keeping():
                run = graded_run()
                tell(quiet, f"read {run.source.describe()}: {run.source.path}")
                graded.append(under_rules(run, scenario))
    gathered.stop_if_any()
    return graded_experiment(judged, graded)


def load_one(judgments: str, run: str, ties: str, duplicates: str, quiet: bool) -> tuple[Judgments, Run]:
    """Judgments and one run, for commands that show documents."""
    check_names(judgments, [run])
    gathered = Gathered()
    with gathered.keeping():
        judged = read_judgments(judgments, duplicates=duplicates)
        tell(quiet, f"read {judged.describe()}: {judged.source.path}")
    with gathered.keeping():
        read = read_run(run, ties=ties, duplicates=duplicates)
        tell(quiet, f"read {read.source.describe()}: {read.source.path}")
    gathered.stop_if_any()
    return judged, read


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


def check_names(judgments: str, runs: Sequence[str]) -> None:
    """Refuse two runs of one name and two uses of standard input before anything is read."""
    if [judgments, *runs].count("-") > 1:
        raise InputError(Problem("stdin-twice", "'-' was given more than once"))
    seen: dict[str, str] = {}
    for path in runs:
        name = run_name(path)
        if name in seen:
            raise InputError(Problem("run-name-twice", f"two runs are named {name!r}", f"{seen[name]} and {path}"))
        seen[name] = path


def progress(paths: Sequence[str], items: Sequence[T]) -> Iterable[T]:
    """The items one by one, with a bar on stderr if it is a terminal and the files hold much."""
    size = sum(os.path.getsize(path) for path in paths if os.path.isfile(path))
    if not sys.stderr.isatty() or size < PROGRESS_BYTES:
        return items
    from rich.console import Console  # noqa: PLC0415 -- only where a bar is drawn
    from rich.progress import track  # noqa: PLC0415

    return track(items, description="reading runs", console=Console(stderr=True), transient=True)


def tell(quiet: bool, *lines: str | Note) -> None:
    """Notes go to stderr."""
    if not quiet:
        for line in lines:
            click.echo(str(line).encode("utf-8", "backslashreplace"), err=True)
