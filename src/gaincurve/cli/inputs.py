"""Files named on the command line: a note on stderr for each, and a progress bar where reading takes long."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from gaincurve.cli.options import Reading
from gaincurve.cli.output import Output
from gaincurve.files.experiment import read_experiment
from gaincurve.files.reading import Gathered, check_names
from gaincurve.files.reading import Reading as FileReading
from gaincurve.io.read import read_judgments, read_run
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.evaluate import kind_of
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.standing import shown_depth

if TYPE_CHECKING:  # most commands have no options of sessions
    from gaincurve.cli.session.options import SessionFiles

PROGRESS_BYTES = 50_000_000
T = TypeVar("T")


def load(
    judgments: str,
    runs: Sequence[str],
    scenario: Scenario,
    reading: Reading,
    output: Output,
    measures: Iterable[Measure] = (),
    sessions: SessionFiles | None = None,
    compared: bool = False,
) -> Experiment:
    """Judgments and graded runs or sessions, read with what the measures need, and verdicts where they are compared."""
    asked = list(measures)
    of_sessions = kind_of(asked) == "session"
    if sessions is not None and not of_sessions:
        sessions.refuse("name a measure of sessions, such as -m nsDCG")
    files = FileReading(
        duplicates=reading.duplicates,
        subtopics=reading.subtopics,
        columns=reading.files["columns"],
        grades_are_scores=reading.grades_are_scores,
        judges=reading.judges,
        shown=shown_depth(asked, scenario) if compared else 0,
        threads=reading.threads,
        digest=output.digest,
        tell=output.tell,
        each=lambda pending: progress(runs, pending),
        sessions=sessions.reading if sessions is not None and of_sessions else None,
    )
    return read_experiment(judgments, runs, scenario, files.needed_by(asked))


def load_one(judgments: str, run: str, ties: str, reading: Reading, output: Output) -> tuple[Judgments, Run]:
    """Judgments and one run, for commands that show documents."""
    check_names(judgments, [run], grades_are_scores=reading.grades_are_scores)
    gathered = Gathered()
    with gathered.keeping():
        judged = read_judgments(judgments, subtopics=reading.subtopics, **reading.judgments)
        output.tell(f"read {judged.describe()}: {judged.source.path}")
    with gathered.keeping():
        loaded = read_run(run, ties=ties, **reading.runs)
        output.tell(f"read {loaded.source.describe()}: {loaded.source.path}")
    gathered.stop_if_any()
    return judged, loaded


def progress(paths: Sequence[str], items: Sequence[T]) -> Iterable[T]:
    """The items one by one, with a progress bar if stderr is a terminal and the files are large."""
    size = sum(os.path.getsize(path) for path in paths if os.path.isfile(path))
    if not sys.stderr.isatty() or size < PROGRESS_BYTES:
        return items
    from rich.console import Console  # noqa: PLC0415 -- only where a bar is drawn
    from rich.progress import track  # noqa: PLC0415

    return track(items, description="reading runs", console=Console(stderr=True), transient=True)
