"""Where numbers are computed: in this process, or on Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import click

from gaincurve.cli import options
from gaincurve.errors import one_of
from gaincurve.io.read import run_name
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores

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
        """What Spark computes from Parquet, CSV or TREC text."""
        others = {"--subtopics": reading.subtopics, "--duplicates": reading.duplicates != "error"}
        others |= {"--judges": reading.judges != "error", "--threads": reading.threads is not None}
        for name, given in others.items():
            if given:
                raise click.UsageError(f"{name} is not for --engine spark")
        from gaincurve.spark import evaluate  # noqa: PLC0415 -- an extra
        from gaincurve.spark.tables import read_table, started  # noqa: PLC0415

        session = started(self.master)
        tables = {run_name(path): read_table(session, path, "run") for path in runs}
        per = evaluate(
            read_table(session, judgments, "judgments"),
            next(iter(tables.values())) if _is_several(list(tables.values())) else tables,
            measures,
            scenario=scenario,
            columns=reading.files["columns"] or None,
            grades_are_scores=reading.grades_are_scores,
        )
        return per.scores()


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
