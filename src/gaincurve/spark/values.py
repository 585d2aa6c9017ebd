"""Values by run and topic in a Spark data frame, and what is said of all topics together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.exact import exact_parts, squares
from gaincurve.model.measure import Measure
from gaincurve.model.scores import Evidence, Scores
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, counted
from gaincurve.model.summaries import UNDEFINED
from gaincurve.spark.frames import functions
from gaincurve.stats.moments import deviation

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from gaincurve.spark.bucket import Task
    from gaincurve.spark.dealt import Dealt

MOST_VALUES = 50_000_000
"""Values that the driver takes: about 100 bytes each while they arrive, so 5 GB."""

SUM_BUCKETS = 64
SUMS = "run string, measure string, n long, sums array<double>, squares array<double>"


@dataclass(frozen=True, eq=False)
class TopicValues:
    """`frame` has run, topic, measure, value (nan: undefined or left out), and low, high where bounds were asked for.

    It is a Spark data frame: write it, join it, count over it. Signatures and notes are those of one machine.
    """

    frame: DataFrame
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    signatures: tuple[Signature, ...]
    notes: tuple[Note, ...]
    topics: int
    kept: DataFrame = field(repr=False)
    dealt: Dealt = field(repr=False)
    task: Task = field(repr=False)

    def __repr__(self) -> str:
        texts = ", ".join(measure.text for measure in self.measures)
        return f"TopicValues({counted(len(self.runs), 'run')}, {counted(self.topics, 'topic')}, {texts})"

    def unpersist(self) -> None:
        """Free the values that Spark keeps; they are computed again where they are asked for."""
        self.kept.unpersist()

    def scores(self, topics: Sequence[str] | None = None) -> Scores:
        """All values on the driver, as `gaincurve.evaluate` returns them; topics as in `topics`, or by name."""
        count = len(self.runs) * self.topics * len(self.measures)
        if count > MOST_VALUES:
            what = f"{counted(count, 'value')} do not fit on the driver, which takes {counted(MOST_VALUES, 'value')}"
            raise ChoiceError(Problem("spark-driver", what))
        table = self.frame.toArrow()
        units = sorted(table["topic"].unique().to_pylist()) if topics is None else list(topics)
        shape = (len(self.runs), len(self.measures), len(units))
        place = tuple(
            _places(table[name], names)
            for name, names in (("run", self.runs), ("measure", [m.text for m in self.measures]), ("topic", units))
        )
        sides = {}
        for name in ("value", "low", "high"):
            if name in table.column_names:
                sides[name] = np.full(shape, np.nan)
                sides[name][place] = table[name].to_numpy()
        return replace(
            self.without_values(),
            units=tuple(units),
            values=sides["value"],
            low=sides.get("low"),
            high=sides.get("high"),
        )

    def evidence(self) -> Evidence:
        """All judgments and runs on the driver, graded: what unjudged documents could change is known from them."""
        from gaincurve.spark.bucket import graded_bucket, without_repeats  # noqa: PLC0415 -- needs pyarrow
        from gaincurve.spark.facts import Facts, RunFacts  # noqa: PLC0415

        judged, runs = self.dealt.judged.toArrow(), self.dealt.given.toArrow()
        facts = Facts(runs=[RunFacts() for _ in self.runs])
        if self.task.duplicates == "first":
            judged, runs = without_repeats(judged, runs, facts)
        graded = graded_bucket(self.task, judged, runs, facts)
        return Evidence(() if graded is None else tuple(graded.ruled), self.task.scenario)

    def without_values(self) -> Scores:
        """The same runs and measures, of no topic."""
        nothing = np.zeros((len(self.runs), len(self.measures), 0))
        return Scores(self.runs, self.measures, (), nothing, self.signatures, (), self.notes)


def _places(column: Any, names: Any) -> Any:
    """Where each entry of a column stands among names."""
    import pyarrow as pa  # noqa: PLC0415 -- the extra
    import pyarrow.compute as pc  # noqa: PLC0415

    return pc.index_in(column, value_set=pa.array(names, pa.string())).to_numpy()


def summary(per: TopicValues) -> Any:
    """An Arrow table of run, measure, mean, n, sd, se and signature.

    Sums are exact and rounded once, so no digit depends on how rows were dealt. Only these sums reach the driver.
    """
    f = functions()
    import pyarrow as pa  # noqa: PLC0415 -- the extra

    other = next((measure for measure in per.measures if measure.summary != "mean"), None)
    if other is not None:
        what = f"{other} asks for the {other.summary}, and on Spark sums are exact for means only"
        raise ChoiceError(Problem("choice-unknown", what, hint="per.scores().summary()"))
    bucket = f.pmod(f.xxhash64("topic"), f.lit(SUM_BUCKETS))
    parts = per.frame.groupBy("run", "measure", bucket.alias("bucket")).applyInArrow(
        lambda table: _sums(pa, table),  # Spark looks for type hints, which a partial hides
        SUMS,
    )
    sums: dict[tuple[str, str], tuple[int, list[float], list[float]]] = {}
    for row in parts.collect():
        n, values, squared = sums.get((row["run"], row["measure"]), (0, [], []))
        sums[row["run"], row["measure"]] = (n + row["n"], [*values, *row["sums"]], [*squared, *row["squares"]])
    rows = []
    for run in per.runs:
        for measure, signature in zip(per.measures, per.signatures, strict=True):
            n, values, squared = sums.get((run, measure.text), (0, [], []))
            sd = deviation(n, values, squared)
            mean = math.fsum(values) / n if n else UNDEFINED
            rows.append({"run": run, "measure": measure.text, "mean": mean, "n": n, "sd": sd,
                         "se": sd / math.sqrt(n) if n else UNDEFINED, "signature": str(signature)})  # fmt: skip
    return pa.Table.from_pylist(rows)


def _sums(pa: Any, table: Any) -> Any:
    """The exact sums of the defined values of a bucket, and of their squares."""
    values = table["value"].to_numpy()
    values = values[~np.isnan(values)]
    row = {
        "run": table["run"][0].as_py(),
        "measure": table["measure"][0].as_py(),
        "n": len(values),
        "sums": exact_parts(values),
        "squares": exact_parts(np.concatenate(squares(values))),
    }
    floats = pa.list_(pa.float64())
    types = [pa.string(), pa.string(), pa.int64(), floats, floats]
    return pa.Table.from_pylist([row], schema=pa.schema(list(zip(row, types, strict=True))))
