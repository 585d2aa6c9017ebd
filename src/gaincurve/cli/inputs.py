"""Files named on the command line: what was understood goes to stderr, with a bar where it takes long."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import click

from gaincurve.files import Gathered, Reading, check_names, read_experiment
from gaincurve.io.read import read_judgments, read_run
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import Note
from gaincurve.verbs.experiment import Experiment

PROGRESS_BYTES = 50_000_000
T = TypeVar("T")


def load(
    judgments: str,
    runs: Sequence[str],
    scenario: Scenario,
    given: dict[str, Any],
    quiet: bool,
    measures: Iterable[Measure] = (),
) -> Experiment:
    """Judgments and graded runs; `given` holds the options that say how to read them."""
    reading = Reading(
        duplicates=given["duplicates"],
        subtopics=given.get("subtopics", False),
        threads=given["threads"],
        digest=given["format"] == "json",
        tell=lambda text: tell(quiet, text),
        each=lambda pending: progress(runs, pending),
    )
    return read_experiment(judgments, runs, scenario, reading.needed_by(measures))


def load_one(
    judgments: str, run: str, ties: str, duplicates: str, quiet: bool, subtopics: bool = False
) -> tuple[Judgments, Run]:
    """Judgments and one run, for commands that show documents."""
    check_names(judgments, [run])
    gathered = Gathered()
    with gathered.keeping():
        judged = read_judgments(judgments, duplicates=duplicates, subtopics=subtopics)
        tell(quiet, f"read {judged.describe()}: {judged.source.path}")
    with gathered.keeping():
        read = read_run(run, ties=ties, duplicates=duplicates)
        tell(quiet, f"read {read.source.describe()}: {read.source.path}")
    gathered.stop_if_any()
    return judged, read


def progress(paths: Sequence[str], items: Sequence[T]) -> Iterable[T]:
    """The items one by one, with a bar on stderr if it is a terminal and the files hold much."""
    size = sum(os.path.getsize(path) for path in paths if os.path.isfile(path))
    if not sys.stderr.isatty() or size < PROGRESS_BYTES:
        return items
    from rich.console import Console  # noqa: PLC0415 -- only where a bar is drawn
    from rich.progress import track  # noqa: PLC0415

    return track(items, description="reading runs", console=Console(stderr=True), transient=True)


def tell(quiet: bool, *lines: str | Note) -> None:
    """Notes go to stderr, with control characters made visible: file names and ids are other people's text."""
    if not quiet:
        for line in lines:
            visible = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(line))
            click.echo(visible.encode("utf-8", "backslashreplace"), err=True)
