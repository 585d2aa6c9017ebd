"""One measure estimated from a sample: totals, ratios of totals, and both with a machine's labels beside people's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.cumulate import ratio
from gaincurve.measures.notation import parse_measures
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.linear import Linear
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats, add_by, distinct
from gaincurve.model.scenario import Scenario
from gaincurve.stats.samples import tuned_lambda
from gaincurve.verbs.labels import Sample

TUNED = "tuned"


def linear_of(measure: Measure, scenario: Scenario) -> Linear:
    """The measure as a sum over ranks, or as a ratio of such sums; others have no estimate."""
    if measure.name == "NumRel":
        return parse_measures("P(rel=1)@1")[0].definition.linear(  # type: ignore[misc, return-value]
            cutoff=1, **{key: value for key, value in measure.parameters if key in ("rel", "only")}
        )
    linear = None
    if measure.definition.linear is not None:
        linear = measure.definition.linear(**measure.arguments(scenario))
    if linear is None:
        near = {"AP": "xinfAP", "infAP": "xinfAP"}.get(measure.name)
        hint = f"ask for {near}" if near else "CG, DCG, nCG, nDCG, P and R at a cutoff, NumRel, or those of `xinfAP`"
        what = f"{measure} is neither a sum over ranks nor a ratio of two, so it has no estimate with an error"
        raise ChoiceError(Problem("estimate-measure", what, hint=hint))
    return linear


@dataclass(frozen=True, eq=False)
class Estimator:
    """One measure of a sample: what documents gain by their labels, and how the ideal follows from counts.

    `human` and `machine` are gains, of the drawn documents and of all rows of the pool.
    """

    sample: Sample
    measure: Measure
    linear: Linear
    human: Floats
    machine: Floats | None
    weight: float
    tuned: bool

    @classmethod
    def of(cls, sample: Sample, measure: Measure, scenario: Scenario, weight: float | str) -> Estimator:
        """The estimator of a measure under a scenario; `weight` is λ, or 'tuned'."""
        linear = linear_of(measure, scenario)
        human = linear.gains(sample.grade)
        machine = None if sample.machine is None else linear.gains(sample.machine)
        chosen = _weight(weight)
        if chosen is None:
            chosen = 0.0 if machine is None else tuned_lambda(human, machine[sample.rows])
        return cls(sample, measure, linear, human, machine, chosen, weight == TUNED)

    @property
    def parts(self) -> dict[str, object]:
        """What the signature says of it."""
        design = self.sample.design
        kind = "horvitz-thompson" if self.linear.ideal is None else "ratio"
        parts: dict[str, object] = {"estimator": kind, "variance": design.variance}
        if self.machine is not None:
            spelled = f"{self.weight:.4g}" + ("(tuned)" if self.tuned else "")
            labels = f"{kind}+difference" if kind == "ratio" else "difference"
            parts |= {"estimator": labels, "lambda": spelled}
        if self.sample.assumed:
            parts["sample"] = "assumed-random"
        return parts

    def estimate(self, run: Graded) -> tuple[Floats, Floats]:
        """The value of each topic and its standard error."""
        weights = self._weights(run)
        drawn = weights[self.sample.rows]
        machine = None if self.machine is None else weights * self.machine
        total = self._total(drawn * self.human, machine)
        if self.linear.ideal is None:
            return total, self._error(drawn * self.human, machine, weights)
        ideal = Ideal.of(self.linear.ideal, *self._counts())
        value = ideal.value(ideal.counts)
        share = ratio(total, value)
        tilt = np.nan_to_num(share[:, None] * ideal.slopes * ideal.steps)  # one more document of a level lowers it so

        def residual(gain: Floats, weight: Floats, topic: NDArray[np.integer]) -> Floats:
            of_levels = (gain[:, None] >= ideal.levels) * tilt[topic]
            return np.asarray((weight * gain - of_levels.sum(axis=1)) / np.where(value > 0, value, 1.0)[topic])

        human = residual(self.human, drawn, self.sample.design.topic)
        of_machine = None
        if self.machine is not None:
            of_machine = residual(self.machine, weights, self.sample.pool.topic)
        error = self._error(human, of_machine, None)
        return share, np.where(value > 0, error, np.nan)

    def bias(self, run: Graded) -> Floats:
        """By topic how far a ratio is off on average, by the jackknife over the documents judged; 0 for totals.

        Leaving out one document after the other shows it: Σ over strata (1 − n/N)(n − 1)(mean without one − with all).
        """
        design, strata = self.sample.design, self.sample.design.strata
        if self.linear.ideal is None or strata is None:
            return np.zeros(design.topics)
        weights = self._weights(run)
        ideal = Ideal.of(self.linear.ideal, *self._counts())
        machine = None if self.machine is None else weights * self.machine
        human = weights[self.sample.rows] * self.human
        total = self._total(human, machine)
        at_least = [self._residual(self.human >= level, self._of_machine(level)) for level in ideal.levels.tolist()]
        without = ideal.counts[design.topic]
        for i, y in enumerate(at_least):
            without[:, i] += strata.left_out(y)
        total_without = total[design.topic] + strata.left_out(self._residual(human, machine))
        whole, part = ratio(total, ideal.value(ideal.counts)), ratio(total_without, ideal.value(without))
        n, rest = strata.drawn[strata.number], strata.rest[strata.number]
        moved = np.where(rest > 0, rest * (n - 1) / n * (part - whole[design.topic]), 0.0)
        return add_by(design.topic, moved, design.topics)

    def _weights(self, run: Graded) -> Floats:
        """The weight in the measure of every document of the pool: 0 where the run does not show it."""
        pool = self.sample.pool
        if self.measure.name == "NumRel":
            return np.ones(len(pool))
        running = np.concatenate([[0.0], np.cumsum(self.linear.weights)])
        reach = len(running) - 1
        first, last = (run.first, run.last) if run.spread else (run.rank, run.rank)
        whole = running[np.minimum(last, reach)] - running[np.minimum(first - 1, reach)]
        weights = np.zeros(len(pool))
        weights[run.judgment] = np.where(first == last, _at(self.linear.weights, first), whole / (last - first + 1))
        return weights

    def _total(self, human: Floats, machine: Floats | None) -> Floats:
        """Σ y/p of each topic, with a machine λΣ m over all + Σ (h − λm)/p."""
        design = self.sample.design
        drawn = design.total(self._residual(human, machine))
        if machine is None:
            return drawn
        return np.asarray(self.weight * add_by(self.sample.pool.topic, machine, design.topics) + drawn)

    def _residual(self, human: Floats | NDArray[np.bool_], machine: Floats | None) -> Floats:
        """What the judges add to the machine: h − λm of the drawn documents."""
        own = human.astype(np.float64)
        return own if machine is None else own - self.weight * machine[self.sample.rows]

    def _error(self, human: Floats, machine: Floats | None, weights: Floats | None) -> Floats:
        matters = None if weights is None else self._matters(weights)
        return self.sample.design.error(self._residual(human, machine), matters)

    def _matters(self, weights: Floats) -> NDArray[np.bool_] | None:
        """The strata in which some document has a weight, and all of those whose documents are not listed."""
        by_stratum, strata, topic = self.sample.design.strata, self.sample.pool.strata, self.sample.pool.topic
        if by_stratum is None or (strata is None and not self.sample.assumed):
            return None
        of_pool = topic.astype(np.int64) if strata is None else strata.stratum
        known = np.bincount(of_pool, weights=weights != 0, minlength=len(by_stratum.size)) > 0
        return np.asarray(known | ~by_stratum.listed)

    def _of_machine(self, level: float) -> Floats | None:
        """1 for every document of the pool to which the machine gives at least this gain."""
        return None if self.machine is None else (self.machine >= level).astype(np.float64)

    def _counts(self) -> tuple[Floats, Floats]:
        """The levels of gain, highest first, and by topic the estimated number of documents of at least each."""
        everything = self.human if self.machine is None else np.concatenate([self.human, self.machine])
        levels = distinct(everything[everything > 0])[::-1]
        counts = np.zeros((self.sample.design.topics, len(levels)))
        for i, level in enumerate(levels.tolist()):
            counts[:, i] = self._total((self.human >= level).astype(np.float64), self._of_machine(level))
        return levels, counts


@dataclass(frozen=True, eq=False)
class Ideal:
    """The ideal list of estimated counts[topic, level]: how many documents gain at least each level.

    Its sum is Σ over levels (level − next level)·W(count), where W(n), `whole` for whole numbers, is the sum of the
    weights of the first n documents of the ideal list, linear between whole numbers.
    """

    levels: Floats
    counts: Floats
    whole: Floats

    @classmethod
    def of(cls, whole: Callable[[int], Floats], levels: Floats, counts: Floats) -> Ideal:
        """With the weights of a measure's ideal list, to as many documents as leaving one out can make of them."""
        return cls(levels, counts, whole(2 * int(np.ceil(counts.max(initial=0.0))) + 2))

    @property
    def steps(self) -> Floats:
        """From each level down to the next."""
        return np.asarray(self.levels - np.append(self.levels[1:], 0.0), dtype=np.float64)

    def _reached(self, n: Floats) -> Floats:
        ranks = np.arange(len(self.whole), dtype=np.float64)
        return np.asarray(np.interp(np.maximum(n, 0.0), ranks, self.whole))

    def value(self, counts: Floats) -> Floats:
        """The sum of the ideal list of some counts, row by row."""
        return np.asarray((self._reached(counts) * self.steps).sum(axis=1))

    @property
    def slopes(self) -> Floats:
        """How W grows with each count."""
        low, high = np.maximum(self.counts - 0.5, 0.0), np.maximum(self.counts, 0.0) + 0.5
        return np.asarray((self._reached(high) - self._reached(low)) / (high - low))


def _at(weights: Floats, rank: Ints) -> Floats:
    """The weight of each rank, 0 beyond the last."""
    reached: Floats = np.where(rank <= len(weights), weights[np.minimum(rank, len(weights)) - 1], 0.0)
    return reached


def _weight(given: float | str) -> float | None:
    """λ as a number; None where it is to be tuned."""
    if given == TUNED:
        return None
    try:
        number = float(given)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ChoiceError(Problem("choice-unknown", f"--lambda cannot be {given!r}", hint="tuned, or from 0 to 1"))
    return number
