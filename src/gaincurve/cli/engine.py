"""Where numbers are computed: in this process, or on Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from gaincurve.cli import options
from gaincurve.errors import one_of
from gaincurve.io.read import run_name, session_name
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.verbs.experiment import Experiment

if TYPE_CHECKING:  # eval starts sooner without them
    from gaincurve.cli.session.options import SessionFiles
    from gaincurve.curve.points import Curves
    from gaincurve.model.comparison import Comparison

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
    ) -> Scores:
        """What `eval` prints, from Parquet, CSV or TREC text."""
        from gaincurve.spark import evaluate  # noqa: PLC0415 -- an extra

        ours, theirs, how = self._tables(judgments, runs, reading)
        return evaluate(ours, theirs, measures, scenario=scenario, **how).scores()

    def compared(
        self,
        judgments: str,
        runs: Sequence[str],
        measures: Sequence[Measure],
        scenario: Scenario,
        reading: options.Reading,
        testing: Mapping[str, Any],
    ) -> Comparison:
        """What `compare` prints; of many topics only sums are brought together."""
        from gaincurve.spark import compare, evaluate  # noqa: PLC0415 -- an extra

        ours, theirs, how = self._tables(judgments, runs, reading)
        return compare(evaluate(ours, theirs, measures, scenario=scenario, **how), **testing)

    def curves(
        self,
        judgments: str,
        runs: Sequence[str],
        measures: Sequence[Measure],
        scenario: Scenario,
        reading: options.Reading,
        normalise: str,
        topic: str | None,
    ) -> Curves:
        """What `curve` draws."""
        from gaincurve.spark import curves  # noqa: PLC0415 -- an extra

        ours, theirs, how = self._tables(judgments, runs, reading)
        return curves(ours, theirs, measures, scenario=scenario, normalise=normalise, topic=topic, **how)

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

        session = started(self.master)
        rules = LogRules(fields=files.reading.fields, idle=files.idle, duplicates=reading.duplicates)
        tables = {session_name(path): read_log(session, path) for path in logs}
        columns, given = reading.files["columns"] or None, reading.grades_are_scores
        ours = read_table(session, judgments, "judgments")
        return graded_sessions(ours, tables, scenario, rules, columns, given, files.design)

    def refuse_reading(self, reading: options.Reading) -> None:
        """Refuse ways of reading that are not Spark's."""
        self.refuse(subtopics=reading.subtopics, judges=reading.judges != "error", threads=reading.threads)

    def refuse(self, **given: object) -> None:
        """Refuse options, by name, that Spark does not take."""
        for name, value in given.items():
            if self.is_spark and value not in (None, False, ()):
                raise click.UsageError(f"--{name.replace('_', '-')} is not for --engine spark")

    def _tables(self, judgments: str, runs: Sequence[str], reading: options.Reading) -> tuple[Any, Any, dict[str, Any]]:
        """Judgments, runs and how they are read."""
        self.refuse_reading(reading)
        self.refuse(duplicates=reading.duplicates == "seen")
        from gaincurve.spark.tables import read_table, started  # noqa: PLC0415 -- an extra

        session = started(self.master)
        tables = {run_name(path): read_table(session, path, "run") for path in runs}
        whole = next(iter(tables.values())) if _is_several(list(tables.values())) else tables
        how = {
            "columns": reading.files["columns"] or None,
            "grades_are_scores": reading.grades_are_scores,
            "duplicates": reading.duplicates,
        }
        return read_table(session, judgments, "judgments"), whole, how


def _is_several(tables: Sequence[object]) -> bool:
    """Whether a single table holds runs by name."""
    from gaincurve.spark.frames import holds_runs  # noqa: PLC0415 -- an extra

    return len(tables) == 1 and holds_runs(tables[0])


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
