"""Files named on the command line: read, graded and told about; all problems gathered before stopping."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from gaincurve.errors import InputError, Problem
from gaincurve.io.read import read_judgments, read_run, run_name
from gaincurve.model.graded import GradedRun
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import Note
from gaincurve.verbs.experiment import Experiment, grade_run, graded_experiment

PROGRESS_BYTES = 50_000_000


def load(judgments: str, runs: Sequence[str], scenario: Scenario, duplicates: str, quiet: bool) -> Experiment:
    """Judgments and runs, each run graded as soon as it is read and then let go."""
    check_names(judgments, runs)
    gathered = Gathered()
    with gathered.keeping():
        judged = read_judgments(judgments, duplicates=duplicates)
        tell(quiet, f"read {judged.describe()}: {judged.source.path}")
    graded: list[GradedRun] = []
    for path in progress(runs):
        with gathered.keeping():
            run = read_run(path, ties=scenario.ties, duplicates=duplicates)
            tell(quiet, f"read {run.describe()}: {run.source.path}")
            if not gathered.problems:
                graded.append(grade_run(judged, run, scenario))
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
        tell(quiet, f"read {read.describe()}: {read.source.path}")
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


def progress(runs: Sequence[str]) -> Iterable[str]:
    """The paths one by one, with a bar on stderr if it is a terminal and there is much to read."""
    size = sum(Path(path).stat().st_size for path in runs if Path(path).is_file())
    if not sys.stderr.isatty() or size < PROGRESS_BYTES:
        return runs
    from rich.console import Console  # noqa: PLC0415 -- only where a bar is drawn
    from rich.progress import track  # noqa: PLC0415

    return track(runs, description="reading runs", console=Console(stderr=True), transient=True)


def tell(quiet: bool, *lines: str | Note) -> None:
    """Notes go to stderr."""
    if not quiet:
        for line in lines:
            click.echo(str(line).encode("utf-8", "backslashreplace"), err=True)
