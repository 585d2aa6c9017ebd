"""How verdicts stand against what nobody judged: each pair's difference under all judgings, and under likely ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints, Keys
from gaincurve.model.linear import Linear
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats, add_by, distinct
from gaincurve.model.scores import Evidence, Scores
from gaincurve.model.standing import DEEPEST, Standing
from gaincurve.model.summaries import mean
from gaincurve.stats.judging import DRAWS, Open, levels_of, plausible, worst_case
from gaincurve.stats.rounding import rounded
from gaincurve.verbs.linear import SHOWN, linear_of
from gaincurve.verbs.values import value_of


def standings(
    scores: Scores, m: int, topics: tuple[str, ...], pairs: Iterable[tuple[int, int]]
) -> Sequence[Standing | None]:
    """How the difference of each pair of runs stands on measure m over some topics; None where nothing is at hand."""
    if scores.evidence is None:
        return [None for _ in pairs]
    seen = _Seen(scores.evidence, scores.measures[m], topics)
    return [seen.standing(a, b) for a, b in pairs]


@dataclass(frozen=True, eq=False)
class _Column:
    """One run on the topics compared: the sum over its judged documents, their rows in the judgments and their grades,
    and topic, rank and key of the unjudged ones."""

    judged: Floats
    judgments: Ints
    grades: Floats
    topic: Ints
    rank: Ints
    key: Keys


@dataclass(frozen=True, eq=False)
class _Seen:
    """All runs as one measure sees them on some topics."""

    evidence: Evidence
    measure: Measure
    topics: tuple[str, ...]

    @cached_property
    def runs(self) -> list[Graded]:
        """Each run on the topics compared, in their order; on its own sessions where systems share none."""
        return [_on(run, self.evidence.names_of(r), self.topics) for r, run in enumerate(self.evidence.runs)]

    @cached_property
    def by_id(self) -> Ints:
        """The topics in the order of their ids, so that the order of a file decides nothing."""
        names = self.runs[0].units.names
        return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)

    @cached_property
    def place(self) -> Ints:
        """Where each topic stands in that order."""
        return np.argsort(self.by_id)

    @cached_property
    def depth(self) -> int:
        """How many of the first documents are looked at for the share judged."""
        rank = self.measure.rank
        if self.measure.definition.over == "session":
            rank = self.measure.read_to(self.evidence.scenario)
        return min(rank or DEEPEST, DEEPEST)

    @cached_property
    def shares(self) -> list[float]:
        """The share judged of each run's first documents, the mean over lists that have any."""
        return [judged_share(run, self.depth) for run in self.runs]

    @cached_property
    def linear(self) -> Linear | None:
        """The measure as a sum over ranks, where it is one."""
        return linear_of(self.measure, self.evidence.scenario) if (self.measure.rank or 0) <= SHOWN else None

    @cached_property
    def columns(self) -> list[_Column | None]:
        """What each run adds to the difference of a pair, None where it is not known."""
        return [None if self.linear is None else _column(run, self.linear) for run in self.runs]

    @cached_property
    def scale(self) -> Floats:
        """The grades that an unjudged document can turn out to have."""
        run = self.runs[0]
        return run.scale[run.scale >= run.judged_from]

    def _known(self, linear: Linear) -> Ints:
        """By topic (in the order of ids) and level of gain, how many judged documents gain at least as much."""
        base = self.runs[0].recall_base
        gain = linear.gains(base.grade)
        levels = levels_of(linear.gains(self.scale))
        counts = [np.bincount(base.topic[gain >= level], minlength=self.runs[0].lists) for level in levels]
        return np.array(counts, dtype=np.int64).reshape(len(levels), self.runs[0].lists).T[self.by_id]

    @cached_property
    def tied(self) -> list[tuple[float, float]] | None:
        """The lowest and highest mean of each run over the orders of its tied documents; None for sessions."""
        if self.measure.definition.over == "session":
            return None
        return [(self._mean(run, best=False), self._mean(run, best=True)) for run in self.runs]

    def _mean(self, run: Graded, best: bool) -> float:
        values = value_of(run.tie_order(best), self.measure, self.evidence.scenario)
        return mean(np.nan_to_num(values))

    def standing(self, a: int, b: int) -> Standing:
        """How a less b stands."""
        plain = Standing(self.depth, self.shares[a], self.shares[b], decided_by_ties=self._turned_by_ties(a, b))
        first, second = self.columns[a], self.columns[b]
        if self.linear is None or first is None or second is None:
            return plain
        gap = self._gap(a, b)
        turned = gap < 0
        pair = self._open(self.linear, *((second, first) if turned else (first, second)))
        worst = worst_case(pair)
        low, high = (-worst.high, -worst.low) if turned else (worst.low, worst.high)
        known = replace(plain, low=low, high=high, certain=worst.certain)
        if len(self.linear.weights) > DEEPEST:
            return known
        p = math.nan
        if rounded(np.array(gap)).any():
            p = 1.0 if worst.certain else plausible(pair)
        return replace(known, p=p, prior=self.prior, draws=0 if pair.ideal is None else DRAWS)

    def _gap(self, a: int, b: int) -> float:
        values = [value_of(self.runs[run], self.measure, self.evidence.scenario) for run in (a, b)]
        return mean(np.nan_to_num(values[0]) - np.nan_to_num(values[1]))

    def _turned_by_ties(self, a: int, b: int) -> bool:
        if self.tied is None:
            return False
        (low_a, high_a), (low_b, high_b) = self.tied[a], self.tied[b]
        low, high = rounded(np.array([low_a - high_b, high_a - low_b]))
        return bool(low < 0 < high)

    def _open(self, linear: Linear, first: _Column, second: _Column) -> Open:
        """The pair, with the run ahead first."""
        key, place = np.unique(np.concatenate([first.key, second.key]), return_inverse=True)
        topic, rank = np.zeros(len(key), dtype=np.int64), np.full((2, len(key)), SHOWN + 1)
        for side, (column, places) in enumerate(zip((first, second), np.split(place, [len(first.key)]), strict=True)):
            topic[places], rank[side, places] = self.place[column.topic], column.rank
        order = np.lexsort((rank[1], rank[0], topic))
        weights = np.zeros(SHOWN + 1)
        weights[: len(linear.weights)] = linear.weights
        known = None if linear.ideal is None else self._known(linear)
        return Open(
            judged=(first.judged - second.judged)[self.by_id],
            topic=topic[order],
            weight=(weights[rank[0] - 1] - weights[rank[1] - 1])[order],
            gains=linear.gains(self.scale),
            prior=self._chances(first, second),
            ideal=None if linear.ideal is None or known is None else linear.ideal(int(known.max(initial=0)) + len(key)),
            known=known,
        )

    def _chances(self, first: _Column, second: _Column) -> Floats:
        """The chance of each grade: as often as among the documents that the two show, plus one each."""
        _, places = np.unique(np.concatenate([first.judgments, second.judgments]), return_index=True)
        grades = np.concatenate([first.grades, second.grades])[places]
        counts = np.array([np.count_nonzero(grades == grade) + 1.0 for grade in self.scale])
        if self.prior == "shown":
            counts[np.argmin(np.abs(self.scale))] += len(distinct(np.concatenate([first.key, second.key])))
        chances: Floats = counts / counts.sum()
        return chances

    @cached_property
    def prior(self) -> str:
        """'pooled' where at least half of all judgments say what is not relevant, else 'shown'."""
        return usual_prior(self.runs[0].recall_base.grade)


def usual_prior(grades: Floats) -> str:
    """'pooled' where at least half of all judgments say what is not relevant, else 'shown'."""
    return "pooled" if 2 * np.count_nonzero(grades <= 0) >= len(grades) else "shown"


def _on(run: Graded, names: Sequence[str], topics: tuple[str, ...]) -> Graded:
    """The run on some topics only, in its order; on those it has where systems do not share them."""
    wanted = frozenset(topics)
    return run.select(np.flatnonzero([name in wanted for name in names]))


def judged_share(run: Graded, depth: int) -> float:
    """The share judged of a run's first documents, the mean over lists that have any."""
    seen = np.minimum(run.retrieved, depth)
    some = seen > 0
    return mean(run.judged_at(depth)[some] / seen[some]) if some.any() else 1.0


def _column(run: Graded, linear: Linear) -> _Column | None:
    """None where the unjudged documents are not known; those that were only pooled are among them."""
    depth = len(linear.weights)
    unjudged = run.unjudged(depth)
    if unjudged is None:
        return None
    within = (run.rank <= depth) & run.judged
    gain = linear.gains(run.grade[within]) * linear.weights[run.rank[within] - 1]
    lists = np.full(len(run.judgments.topics), -1, dtype=np.int64)
    lists[run.base] = np.arange(run.lists)
    here = lists[unjudged.topic] >= 0
    pooled = (run.rank <= depth) & ~run.judged
    return _Column(
        judged=add_by(run.list[within], gain, run.lists),
        judgments=run.judgment[within],
        grades=run.grade[within],
        topic=np.concatenate([lists[unjudged.topic[here]], run.list[pooled]]),
        rank=np.concatenate([unjudged.rank[here], run.rank[pooled]]),
        key=np.concatenate([unjudged.key[here], ~run.judgment[pooled].astype(np.uint64)]),
    )
