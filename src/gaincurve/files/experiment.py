"""From paths to an experiment: no run is ever in memory as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from gaincurve.errors import ChoiceError
from gaincurve.files.reading import Gathered, Path, Reading, check_names
from gaincurve.io.addresses import expanded, is_table
from gaincurve.io.grading import RunGrader
from gaincurve.io.read import read_judgments, read_runs, run_name, session_name
from gaincurve.io.threads import Workers, default_threads
from gaincurve.model.graded import SEEN_TWICE, Graded
from gaincurve.model.judgments import Judgments
from gaincurve.model.memory import free_memory
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.experiment import Experiment, graded_experiment, under_rules


def read_experiment(judgments: Path, lists: Sequence[Path], scenario: Scenario, reading: Reading) -> Experiment:
    """An experiment from files: judgments, and runs or sessions graded as they are read."""
    lists = expanded(lists)
    noun, name_of = ("runs", run_name) if reading.sessions is None else ("systems", session_name)
    check_names(judgments, lists, noun, name_of, grades_are_scores=reading.grades_are_scores)
    if reading.duplicates == "seen" and reading.sessions is None:
        raise ChoiceError(SEEN_TWICE)
    gathered = Gathered()
    with gathered.keeping():
        judged = read_judgments(
            judgments,
            duplicates=reading.of_judgments,
            subtopics=reading.subtopics,
            digest=reading.digest,
            columns=reading.columns,
            grades_are_scores=reading.grades_are_scores,
            judges=reading.judges,
        )
        free_memory()  # the text of the judgments
        reading.tell(f"read {judged.describe()}: {judged.source.path}")
    if reading.sessions is not None:
        from gaincurve.files.sessions import read_sessions  # noqa: PLC0415 -- eval starts sooner without it

        gathered.stop_if_any()
        return read_sessions(judged, lists, scenario, reading, reading.sessions)
    if gathered.problems:  # nothing can be graded, but problems in the runs can still be reported
        for path in lists:
            with gathered.keeping():
                read_runs(
                    path, ties=scenario.ties, duplicates=reading.duplicates, digest=False, columns=reading.columns
                )
        gathered.stop_if_any()
    experiment = grade_runs(judged, lists, scenario, reading)
    free_memory()  # what only the look-up of documents needed
    return experiment


def grade_runs(judged: Judgments, lists: Sequence[Path], scenario: Scenario, reading: Reading) -> Experiment:
    """An experiment from judgments in memory and files of runs."""
    gathered = Gathered()
    threads = reading.threads or default_threads()
    run_per_thread = len(lists) >= threads > 1  # else all threads read one run after the other
    grader = RunGrader(
        judged,
        scenario.ties,
        reading.duplicates,
        threads=1 if run_per_thread else threads,
        digest=reading.digest,
        scores=reading.scores,
        shown=reading.shown,
        columns=reading.columns,
    )

    def grading(path: Path) -> list[Graded]:
        if is_table(path):
            return grader.grade_table(path, lambda table: reading.rows(table.until(lambda: workers.stopping)))
        return grader.grade_each(path)

    graded: list[Graded] = []
    with Workers(threads if run_per_thread else 1) as workers:
        for pending in reading.each([workers.submit(grading, path) for path in lists]):
            with gathered.keeping():
                for run in pending():
                    reading.tell(f"read {run.source.describe()}: {run.source.path}")
                    graded.append(under_rules(run, scenario))
    gathered.stop_if_any()
    return graded_experiment(judged, graded, scenario)
