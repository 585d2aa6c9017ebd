"""Paths in: judgments and runs read, graded as they are read, and let go; all problems gathered before stopping.

What the command line does with files, for Python too: a run never stands in memory as a whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from gaincurve.errors import InputError, Problem
from gaincurve.io.grading import RunGrader
from gaincurve.io.read import read_judgments, read_run, run_name
from gaincurve.io.scenarios import read_scenario
from gaincurve.io.threads import Workers, default_threads
from gaincurve.measures.notation import Measure
from gaincurve.model.graded import GradedRun
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.verbs.evaluate import asked_measures, need, score
from gaincurve.verbs.experiment import Experiment, graded_experiment, refuse_names_twice, under_rules

Path = str | os.PathLike[str]
Pending = Callable[[], GradedRun]


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
    paths = [runs] if isinstance(runs, str | os.PathLike) else list(runs)
    graded = grade_files(judgments, paths, chosen, asked, duplicates=duplicates, subtopics=subtopics, threads=threads)
    return score(graded, asked, chosen)


def grade_files(
    judgments: Path,
    runs: Sequence[Path],
    scenario: Scenario,
    measures: Iterable[Measure] = (),
    *,
    duplicates: str = "error",
    subtopics: bool = False,
    threads: int | None = None,
    digest: bool = True,
    tell: Callable[[str], None] = lambda _: None,
    each: Callable[[Sequence[Pending]], Iterable[Pending]] = lambda pending: pending,
) -> Experiment:
    """An experiment from files, with what the measures need read along.

    `tell` hears what was understood, `each` may show progress over the runs.
    """
    check_names(judgments, runs)
    asked = list(measures)
    subtopics = subtopics or need("subtopics", asked)
    gathered = Gathered()
    with gathered.keeping():
        judged = read_judgments(judgments, duplicates=duplicates, subtopics=subtopics, digest=digest)
        tell(f"read {judged.describe()}: {judged.source.path}")
    if gathered.problems:  # nothing can be graded, but what is wrong with the runs can still be told
        for path in runs:
            with gathered.keeping():
                read_run(path, ties=scenario.ties, duplicates=duplicates, digest=False)
        gathered.stop_if_any()
    usable = threads or default_threads()
    many = len(runs) >= usable > 1  # one thread a run, or all of them on each run in turn
    share = 1 if many else usable
    grader = RunGrader(judged, scenario.ties, duplicates, threads=share, digest=digest, scores=need("scores", asked))
    graded: list[GradedRun] = []
    with Workers(usable if many else 1) as workers:
        for pending in each([workers.submit(grader.grade, path) for path in runs]):
            with gathered.keeping():
                run = pending()
                tell(f"read {run.source.describe()}: {run.source.path}")
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
