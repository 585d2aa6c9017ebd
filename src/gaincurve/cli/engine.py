"""Where numbers are computed: in this process, or on Spark."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from gaincurve.cli import options
from gaincurve.errors import ChoiceError, GaincurveError, InputError, Problem, one_of
from gaincurve.files.reading import check_names
from gaincurve.io.addresses import expanded, parts_or_files
from gaincurve.io.read import run_name, session_name
from gaincurve.model.graded import SEEN_TWICE
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.source import Note, Source
from gaincurve.verbs.experiment import Experiment

if TYPE_CHECKING:  # eval starts sooner without them
    from gaincurve.cli.session.options import SessionFiles
    from gaincurve.curve.points import Curves
    from gaincurve.model.comparison import Comparison
    from gaincurve.spark.tables import TableFile

ENGINES = {"local": "in this process, on all cores", "spark": "on Spark, the same numbers (extra spark)"}


@dataclass(frozen=True)
class Engine:
    """The values of --engine and --master."""

    engine: str
    master: str | None

    @property
    def is_spark(self) -> bool:
        """Whether Spark was asked for."""
        spark = one_of("engine", self.engine, tuple(ENGINES)) == "spark"
        if self.master and not spark:
            raise click.UsageError("--master is for --engine spark")
        return spark

    def scores(
        self,
        judgments: str,
        runs: Sequence[str],
        measures: Sequence[Measure],
        scenario: Scenario,
        reading: options.Reading,
        digest: bool,
    ) -> Scores:
        """What `eval` prints, from Parquet, CSV or TREC columns."""
        from gaincurve.spark import evaluate  # noqa: PLC0415 -- an extra

        with _told():
            files, how = self._files(judgments, runs, reading)
            per = evaluate(*_frames(files), measures, scenario=scenario, **how)
            scores = per.scores(files[0].topics(how["columns"]))
            return replace(scores, inputs=_sources(files, how["columns"], digest), notes=_notes(scores.notes, files))

    def compared(
        self,
        judgments: str,
        runs: Sequence[str],
        measures: Sequence[Measure],
        scenario: Scenario,
        reading: options.Reading,
        testing: Mapping[str, Any],
        digest: bool,
    ) -> Comparison:
        """What `compare` prints; of many topics only sums are brought together."""
        from gaincurve.spark import compare, evaluate  # noqa: PLC0415 -- an extra

        with _told():
            files, how = self._files(judgments, runs, reading)
            comparison = compare(evaluate(*_frames(files), measures, scenario=scenario, **how), **testing)
            sources, notes = _sources(files, how["columns"], digest), _notes(comparison.notes, files)
        if any(pair.standing is not None for pair in comparison.pairs):  # each pair says so itself
            notes = tuple(note for note in notes if note.slug not in ("ties", "unjudged"))
        return replace(comparison, inputs=sources, notes=notes)

    def curves(
        self,
        judgments: str,
        runs: Sequence[str],
        measures: Sequence[Measure],
        scenario: Scenario,
        reading: options.Reading,
        normalise: str,
        topic: str | None,
        digest: bool,
    ) -> Curves:
        """What `curve` draws."""
        from gaincurve.spark import curves  # noqa: PLC0415 -- an extra

        with _told():
            files, how = self._files(judgments, runs, reading)
            drawn = curves(*_frames(files), measures, scenario=scenario, normalise=normalise, topic=topic, **how)
            known = drawn.stopping.by_topic
            ordered = {name: known[name] for name in files[0].topics(how["columns"]) if name in known}
            return replace(
                drawn,
                topics=tuple(ordered),
                stopping=replace(drawn.stopping, by_topic=ordered),
                inputs=_sources(files, how["columns"], digest),
                notes=_notes(drawn.notes, files),
            )

    def sessions(
        self,
        judgments: str,
        logs: Sequence[str],
        scenario: Scenario,
        reading: options.Reading,
        files: SessionFiles,
    ) -> Experiment:
        """Session logs, graded: what is computed from them is the same on one machine."""
        self.refuse_reading(reading)
        self.refuse(map=files.topics, pattern=files.pattern, queries=files.queries, gaps=files.gaps)
        self.refuse(unmapped=files.unmapped)
        from gaincurve.model.sessions.shapes import LogRules  # noqa: PLC0415 -- eval starts sooner without it
        from gaincurve.spark.sessions import graded_sessions  # noqa: PLC0415 -- an extra
        from gaincurve.spark.tables import read_log, read_table, started  # noqa: PLC0415

        check_names(judgments, logs, "systems", session_name, grades_are_scores=reading.grades_are_scores)
        rules = LogRules(fields=files.reading.fields, idle=files.idle, duplicates=reading.duplicates)
        columns, given = reading.files["columns"] or None, reading.grades_are_scores
        with _told():
            session = started(self.master)
            tables = {session_name(path): read_log(session, path) for path in logs}
            ours = read_table(session, judgments, "judgments", columns)
            graded = graded_sessions(ours.frame, tables, scenario, rules, columns, given, files.design)
        paths = {session_name(path): path for path in logs}
        placed = [
            replace(run, source=replace(run.source, path=paths[run.name])) if run.name in paths else run
            for run in graded.runs
        ]
        source = replace(graded.judgments.source, path=judgments, format=ours.format)
        return replace(graded, judgments=replace(graded.judgments, source=source), runs=tuple(placed))

    def refuse_reading(self, reading: options.Reading) -> None:
        """Refuse ways of reading that are not Spark's."""
        self.refuse(subtopics=reading.subtopics, judges=reading.judges != "error", threads=reading.threads)

    def refuse(self, **given: object) -> None:
        """Refuse options, by name, that Spark does not take."""
        for name, value in given.items():
            if self.is_spark and value not in (None, False, ()):
                raise click.UsageError(f"--{name.replace('_', '-')} is not for --engine spark")

    def _files(
        self, judgments: str, runs: Sequence[str], reading: options.Reading
    ) -> tuple[list[TableFile], dict[str, Any]]:
        """Judgments and each run as tables, and how they are read."""
        self.refuse_reading(reading)
        if reading.duplicates == "seen":
            raise ChoiceError(SEEN_TWICE)
        from gaincurve.spark.tables import read_table, started  # noqa: PLC0415 -- an extra

        if "-" in (judgments, *runs):
            raise click.UsageError("Spark reads files and folders, not standard input")
        lists = [os.fspath(file) for path in expanded(runs) for file in parts_or_files(path)]
        check_names(judgments, lists, grades_are_scores=reading.grades_are_scores)
        session = started(self.master)
        columns = reading.files["columns"] or None
        files = [read_table(session, judgments, "judgments", columns)]
        files += [read_table(session, path, "run", columns) for path in lists]
        given, duplicates = reading.grades_are_scores, reading.duplicates
        return files, {"columns": columns, "grades_are_scores": given, "duplicates": duplicates}


def _frames(files: Sequence[TableFile]) -> tuple[Any, dict[str, Any]]:
    """The data frames of judgments and of each run, by the name of its file."""
    return files[0].frame, {run_name(file.path.rstrip("/")): file.frame for file in files[1:]}


def _sources(files: Sequence[TableFile], columns: Any, digest: bool) -> tuple[Source, ...]:
    """Where everything came from, counted and with the digests of files only where it is shown."""
    return tuple(source for file in files for source in file.sources(columns)) if digest else ()


def _notes(notes: Sequence[Note], files: Sequence[TableFile]) -> tuple[Note, ...]:
    """Notes on an input by the path of its file."""
    paths = {"judgments": files[0].path, **{run_name(file.path.rstrip("/")): file.path for file in files[1:]}}
    ours = ("negative-grades", "duplicates-dropped")
    split = [(note, *note.text.partition(": ")) for note in notes]
    return tuple(
        replace(note, text=f"{paths[name]}: {text}") if note.slug in ours and name in paths else note
        for note, name, _, text in split
    )


@contextmanager
def _told() -> Iterator[None]:
    """What Spark itself reports, a file it cannot read or a master that is not there, in a few lines."""
    try:
        yield
    except Exception as error:
        if isinstance(error, GaincurveError | click.ClickException):
            raise
        from gaincurve.spark.tables import report_of  # noqa: PLC0415 -- an extra, which is there by now

        report = report_of(error)
        if report is None:
            raise
        raise InputError(Problem("spark-failed", f"Spark says: {report}")) from error


engine = options.gathered(
    "engine",
    Engine,
    [
        click.option(
            "--engine",
            metavar="|".join(ENGINES),
            default="local",
            help="; ".join(f"{name}: {about}" for name, about in ENGINES.items()) + ".",
        ),
        click.option("--master", metavar="URL", help="Where Spark runs; local[*,4], this machine, unless given."),
    ],
)
"""Where numbers are computed."""
