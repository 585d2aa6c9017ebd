"""The verb `compare` on Spark: from sums over topics where there are too many values for the driver to hold.

Topics are cut into ranges in the order of their ids. Each range returns its moments, which add up exactly, and later,
knowing how many topics stand before its own, the sums of its differences under the sign vectors of one machine.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.comparison import Comparison
from gaincurve.model.exact import exact_rows
from gaincurve.model.rows import Floats
from gaincurve.model.source import counted
from gaincurve.spark.frames import functions
from gaincurve.spark.values import MOST_VALUES, TopicValues
from gaincurve.stats.moments import Moments
from gaincurve.stats.rounding import rounded
from gaincurve.stats.signflip import MOST_COUNTED, Randomised, exact_sign_flip, reached_by, sign_sums
from gaincurve.verbs import compare as comparing
from gaincurve.verbs.significance.records import Matrix, Procedure

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

COLLECTED = 1_000_000
"""Values up to which the driver takes them all, and every test is the one of one machine on the same numbers."""

FROM_SUMS = ("t", "randomisation")
TOPICS_A_RANGE = 100_000
SAMPLED = 100
"""Topics sampled for each range, to find where it begins."""


def compare(per: TopicValues, test: str | None = None, *, collected: int = COLLECTED, **choices: Any) -> Comparison:
    """Compare systems on each measure: `gaincurve.compare` on the same values, with its arguments.

    Up to `collected` values are brought to the driver, and up to `collected` rows of judgments and runs, for what
    unjudged documents could change. Of more values only sums are, for the tests t and randomisation: every number is
    the same, and the comparison names no topics. Other tests need all values.
    """
    count = len(per.runs) * per.topics * len(per.measures)
    default = test is None and not choices.get("post_hoc")
    if count <= collected or (test not in FROM_SUMS and not default and count <= MOST_VALUES):
        scores = per.scores()
        if per.dealt.rows <= collected:
            scores = replace(scores, evidence=per.evidence())
        return comparing.compare(scores, test=test, **choices)
    if test not in FROM_SUMS and not default:
        most = counted(MOST_VALUES, "value")
        what = f"{test or 'friedman'} needs all {counted(count, 'value')}, and the driver takes {most}"
        raise ChoiceError(Problem("spark-driver", what, hint=f"use test={' or '.join(map(repr, FROM_SUMS))}"))
    missing = one_of("missing", choices.pop("missing", "intersect"), tuple(comparing.MISSING))
    scores = per.without_values()
    procedure, notes = comparing.asked_procedure(scores, test, **choices)
    pairs = comparing.pairs_of(per.runs, procedure.baseline)
    ranges = _Ranges.of(per)
    matrices = []
    for i, measure in enumerate(per.measures):
        notes += comparing.summary_notes(scores, i)
        asked = _Asked(measure.text, per.runs, pairs, missing, procedure.min_diff, measure.lower_is_better)
        parts = dict(ranges.worked(partial(_summed, asked)))
        whole = _Sums.together([parts[number] for number in sorted(parts)], len(per.runs), len(pairs))
        if whole.partly:
            notes.append(comparing.aligned_note(measure, whole.first, whole.partly, "topic", missing))
        notes += comparing.few_topics(measure, whole.count, "topic")
        nothing = np.zeros((0, len(per.runs)))
        matrices.append(_OfSums((), nothing, pairs, per.runs, ranges=ranges, asked=asked, whole=whole, parts=parts))
    return comparing.compared(scores, matrices, procedure, notes)


@dataclass(frozen=True)
class _Asked:
    """What is compared: one measure of the runs, pair by pair, under a rule for missing scores."""

    measure: str
    runs: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    missing: str
    min_diff: float
    lower: bool

    def matrix(self, table: Any) -> tuple[Matrix, list[str]]:
        """The topics of a range with a score for every run, in the order of their ids, and those with only some."""
        import pyarrow as pa  # noqa: PLC0415 -- the extra
        import pyarrow.compute as pc  # noqa: PLC0415

        table = table.filter(pc.equal(table["measure"], self.measure))
        names = sorted(set(table["topic"].to_pylist()))
        values = np.full((len(names), len(self.runs)), np.nan)
        place = pc.index_in(table["topic"], value_set=pa.array(names, pa.string())).to_numpy()
        run = pc.index_in(table["run"], value_set=pa.array(self.runs, pa.string())).to_numpy()
        values[place, run] = table["value"].to_numpy()
        lacking = np.isnan(values)
        partly = lacking.any(axis=1) & ~lacking.all(axis=1)
        if self.missing == "zero":
            values = np.where(lacking & partly[:, None], 0.0, values)
        scored = np.flatnonzero(~np.isnan(values).any(axis=1))
        topics = tuple(names[t] for t in scored)
        return Matrix(topics, values[scored], self.pairs, self.runs), [names[t] for t in np.flatnonzero(partly)]


@dataclass
class _Sums:
    """What a range of topics, or all, tells of the differences of each pair."""

    count: int
    partly: int
    first: list[str]
    runs: Floats
    moments: Moments
    sizes: Floats
    records: list[tuple[int, int, int]]
    differing: list[int]
    counted: list[list[float]] = field(default_factory=list)

    @classmethod
    def together(cls, parts: Sequence[_Sums], runs: int, pairs: int) -> _Sums:
        """Those of all ranges."""
        nothing = Moments.of(np.zeros((pairs, 0)))
        empty = cls(
            0, 0, [], np.zeros((0, runs)), nothing, np.zeros(pairs), [(0, 0, 0)] * pairs, [0] * pairs, [[]] * pairs
        )
        return reduce(add, parts, empty)

    def __add__(self, other: _Sums) -> _Sums:
        return _Sums(
            self.count + other.count,
            self.partly + other.partly,
            sorted([*self.first, *other.first])[:3],
            exact_rows(np.concatenate([self.runs, other.runs])),
            self.moments + other.moments,
            self.sizes + other.sizes,
            [tuple(map(add, mine, theirs)) for mine, theirs in zip(self.records, other.records, strict=True)],
            list(map(add, self.differing, other.differing)),
            [[*mine, *theirs] for mine, theirs in zip(self.counted, other.counted, strict=True)],
        )


def _summed(asked: _Asked, _: int, table: Any) -> _Sums:
    """The sums of a range of topics; the differences themselves only where few differ."""
    matrix, partly = asked.matrix(table)
    rows = [row[rounded(row) != 0] for row in matrix.differences]
    return _Sums(
        matrix.count,
        len(partly),
        partly[:3],
        exact_rows(matrix.values),
        matrix.moments,
        np.abs(matrix.differences).sum(axis=1),
        [matrix.record(i, not asked.lower, asked.min_diff) for i in range(len(asked.pairs))],
        [len(row) for row in rows],
        [row[: MOST_COUNTED + 1].tolist() for row in rows],
    )


@dataclass(frozen=True)
class _Signs:
    """The sign vectors that decide, of which topics of a range some get the signs of their places among all."""

    draws: int
    seed: int
    topics: int
    starts: dict[int, int]
    rows: tuple[int, ...]


def _flipped(asked: _Asked, signs: _Signs, number: int, table: Any) -> Floats:
    """The sums of a range's differences under every sign vector, for some of the pairs."""
    differences = asked.matrix(table)[0].differences[list(signs.rows)]
    return sign_sums(differences, signs.draws, signs.seed, signs.starts[number], signs.topics)


@dataclass(frozen=True, eq=False)
class _OfSums(Matrix):
    """A matrix of which the driver knows sums only; what each topic scored stays where it is."""

    ranges: _Ranges = field(kw_only=True)
    asked: _Asked = field(kw_only=True)
    whole: _Sums = field(kw_only=True)
    parts: dict[int, _Sums] = field(kw_only=True)

    @property
    def count(self) -> int:
        return self.whole.count

    @property
    def means(self) -> tuple[float, ...]:
        return tuple(math.fsum(column) / self.count for column in self.whole.runs.T.tolist())

    @property
    def moments(self) -> Moments:
        return self.whole.moments

    def record(self, i: int, higher: bool, min_diff: float) -> tuple[int, int, int]:
        del higher, min_diff  # as they were asked for, the executors counted
        return self.whole.records[i]

    def flips(self, procedure: Procedure) -> Randomised:
        """Counted where few topics differ; else every range adds its topics to the sums of all sign vectors."""
        few = [len(row) <= MOST_COUNTED for row in self.whole.counted]
        counted_p = [
            exact_sign_flip(np.array(row)) if is_few else None
            for row, is_few in zip(self.whole.counted, few, strict=True)
        ]
        p = np.array([math.nan if value is None else value for value in counted_p])
        sampled = np.flatnonzero(np.isnan(p))
        exact = np.ones(len(p))
        if len(sampled):
            order = sorted(self.parts)
            before = np.cumsum([0, *(self.parts[number].count for number in order)]).tolist()
            starts = dict(zip(order, before, strict=False))
            signs = _Signs(procedure.draws, procedure.seed, self.count, starts, tuple(sampled.tolist()))
            sums = np.zeros((procedure.draws, len(sampled)))
            for _, part in self.ranges.worked(partial(_flipped, self.asked, signs)):
                sums += part
            totals = np.array([math.fsum(column) for column in self.moments.sums.T.tolist()])
            reached = reached_by(sums, totals[sampled], self.whole.sizes[sampled])
            p[sampled] = (1 + reached) / (1 + procedure.draws)
            exact[sampled] = 0
        return Randomised(p, exact, procedure.draws)


@dataclass(frozen=True, eq=False)
class _Ranges:
    """Values cut into ranges of topics, in the order of their ids: the same ranges each time."""

    frame: DataFrame

    @classmethod
    def of(cls, per: TopicValues) -> _Ranges:
        """About so many topics in each range, by a sample of them."""
        f = functions()
        wanted = -(-per.topics // TOPICS_A_RANGE)
        topics = per.frame.select("topic").distinct().orderBy(f.xxhash64("topic"), "topic").limit(wanted * SAMPLED)
        sample = sorted(row[0] for row in topics.collect()) if wanted > 1 else []
        begins = f.array(*map(f.lit, sample[SAMPLED::SAMPLED]))
        number = f.size(f.filter(begins, lambda begin: begin <= f.col("topic"))) if sample else f.lit(0)
        return cls(per.frame.select("run", "topic", "measure", "value", number.alias("range")))

    def worked(self, work: Callable[[int, Any], Any]) -> Iterator[tuple[int, Any]]:
        """Number and result of each range, one after the other."""
        rows = self.frame.groupBy("range").applyInArrow(
            lambda key, table: _in_range(work, key, table),  # Spark looks for type hints, which a partial hides
            "range int, result binary",
        )
        for row in rows.toLocalIterator():
            yield row["range"], pickle.loads(row["result"])


def _in_range(work: Any, key: Any, table: Any) -> Any:
    import pyarrow as pa  # noqa: PLC0415 -- the extra

    number = key[0].as_py()
    result = pickle.dumps(work(number, table))
    return pa.table({"range": pa.array([number], pa.int32()), "result": pa.array([result], pa.binary())})
