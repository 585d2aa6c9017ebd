"""Files named on the command line: a note on stderr for each, and a progress bar where reading takes long."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from gaincurve.cli.options import Reading
from gaincurve.cli.output import Output
from gaincurve.errors import visible
from gaincurve.files.experiment import read_experiment
from gaincurve.files.reading import Gathered, check_names
from gaincurve.files.reading import Reading as FileReading
from gaincurve.io.addresses import SUFFIXES, expanded, files_in
from gaincurve.io.read import read_judgments, read_run
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.evaluate import kind_of
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.linear import shown_depth

if TYPE_CHECKING:
    from rich.progress import Progress

    from gaincurve.model.arrow.capsules import Column
    from gaincurve.model.arrow.table import Table

if TYPE_CHECKING:  # most commands have no options of sessions
    from gaincurve.cli.session.options import SessionFiles

PROGRESS_BYTES = 50_000_000
"""Of text: about a second of reading. A row of Parquet takes fewer bytes."""
_SHRUNK = 5
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
    bars = Bars(runs)
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
        each=bars.each,
        rows=bars.rows,
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


class Bars:
    """Progress bars on stderr, over the runs and over the rows of a long table, where somebody looks at a terminal."""

    def __init__(self, paths: Sequence[str]):
        files = (file for path in expanded(paths) for file in (files_in(os.fspath(path)) or [os.fspath(path)]))
        sizes = ((os.path.getsize(file), file.lower().endswith(SUFFIXES)) for file in files if os.path.isfile(file))
        size = sum(size * (_SHRUNK if shrunk else 1) for size, shrunk in sizes)
        self._bars: Progress | None = None
        if sys.stderr.isatty() and size >= PROGRESS_BYTES:
            from rich.console import Console  # noqa: PLC0415 -- only where a bar is drawn
            from rich.progress import Progress  # noqa: PLC0415

            self._bars = Progress(console=Console(stderr=True), transient=True)

    def each(self, items: Sequence[T]) -> Iterable[T]:
        """The items one by one."""
        if self._bars is None:
            return items
        return self._counted(self._bars, items)

    def _counted(self, bars: Progress, items: Sequence[T]) -> Iterator[T]:
        with bars:
            yield from bars.track(items, description="reading runs")

    def rows(self, table: Table) -> Table:
        """The same table, whose bar moves as its rows are read."""
        bars = self._bars
        if bars is None:
            return table
        from rich.markup import escape  # noqa: PLC0415 -- as above

        def opened(wanted: Sequence[int], coded: Sequence[int]) -> Iterator[Sequence[Column]]:
            task = bars.add_task(f"rows of {escape(visible(os.path.basename(table.path)))}", total=table.rows)
            try:
                for columns in table.open(wanted, coded):
                    yield columns
                    bars.advance(task, columns[0].length)
            finally:
                bars.remove_task(task)

        return replace(table, open=opened)


def progress(paths: Sequence[str], items: Sequence[T]) -> Iterable[T]:
    """The items one by one, with a progress bar if stderr is a terminal and the files are large."""
    return Bars(paths).each(items)
