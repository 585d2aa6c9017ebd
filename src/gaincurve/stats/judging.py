"""What judging the unjudged documents could do to the difference of two systems.

One document has one grade, in both lists and in the ideal they share, so the difference of a pair is bounded directly:
comparing the bounds of two systems is wrong both ways.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats, Number
from gaincurve.stats.distributions import normal_below

DRAWS = 2_000
FIRST_DRAWS = 200
CLEAR = 6.0
"""After the first draws a mean this many standard deviations from 0 needs no more of them."""
SLACK = 1e-12
_CHUNK = 1 << 17


@dataclass(frozen=True, eq=False)
class Open:
    """Two systems, topic by topic, and the unjudged documents that either of them shows.

    - `judged[topic]`: the difference of their sums over judged documents.
    - `topic` and `weight` of each unjudged document: the weight of its rank in the first list less that in the second.
      Documents stand in the order of their topics, then of their ranks in the first list, then in the second.
    - `gains` of the grades of the scale, and the chance of each grade (`prior`) for an unjudged document: the same
      for all, or a row for each.
    - for a measure relative to an ideal: `ideal[n]`, the sum of the first n weights of an ideal list, and by topic and
      level `known`, how many judged documents gain at least as much as each of the `levels`. `also` are gains of
      judged documents that are none of the scale's.
    """

    judged: Floats
    topic: Ints
    weight: Floats
    gains: Floats
    prior: Floats
    ideal: Floats | None
    known: Ints | None
    also: Floats | None = None

    @property
    def levels(self) -> Floats:
        """The gains above 0, in ascending order."""
        return levels_of(self.gains if self.also is None else np.concatenate([self.gains, self.also]))

    @property
    def expected(self) -> Floats:
        """The expected gain of each unjudged document."""
        mean: Floats = np.broadcast_to(expected_gain(self.prior, self.gains), self.weight.shape)
        return mean

    def revealed(self, documents: Ints, gain: Floats) -> Open:
        """The pair once some documents are judged, by their places here; every gain is one of the `levels` or 0."""
        stays = np.ones(len(self.weight), dtype=bool)
        stays[documents] = False
        topic, count = self.topic[documents], len(self.judged)
        known = self.known
        if known is not None:
            reached = [np.bincount(topic[gain >= level], minlength=count) for level in self.levels]
            known = known + np.array(reached, dtype=np.int64).reshape(len(self.levels), count).T
        return replace(
            self,
            judged=self.judged + np.bincount(topic, weights=self.weight[documents] * gain, minlength=count),
            topic=self.topic[stays],
            weight=self.weight[stays],
            prior=self.prior if self.prior.ndim == 1 else self.prior[stays],
            known=known,
        )


@dataclass(frozen=True)
class IfJudged:
    """The lowest and highest mean difference over all judgings, whether they have one sign, and the chance that the
    first system is ahead once all is judged (ties count half; nan where nobody asked)."""

    low: float
    high: float
    certain: bool
    p: float = math.nan


def levels_of(gains: Floats) -> Floats:
    """The different gains above 0, in ascending order."""
    return np.unique(gains[gains > 0])


def expected_gain(prior: Floats, gains: Floats) -> Floats:
    """Σ chance × gain, the same bits for a row alone and among others."""
    return np.asarray((prior * gains).sum(axis=-1))


def can_matter(pair: Open) -> NDArray[np.bool_]:
    """Which unjudged documents can change the difference: those of different weight in the two lists.

    In a share of an ideal also those of the same weight, where the sums of their topic can differ: they raise the ideal
    that the topic's difference is divided by. None where all grades of the scale gain the same.
    """
    matters = np.asarray((pair.weight != 0) & (np.ptp(pair.gains) > 0))
    if pair.ideal is None or not np.ptp(pair.gains):
        return matters
    apart = np.abs(pair.judged) > SLACK
    apart[pair.topic[matters]] = True
    return np.asarray(matters | apart[pair.topic])


def worst_case(pair: Open) -> IfJudged:
    """Ends of the mean difference over all judgings: reached for sums; for shares of an ideal at least as wide.

    Documents that neither system shows count as not relevant.
    """
    low, high = ends_by_topic(pair)
    slack = SLACK * float((np.abs(low) + np.abs(high)).sum())
    certain = float(low.sum()) > slack or float(high.sum()) < -slack
    return IfJudged(float(low.sum()) / len(low), float(high.sum()) / len(low), certain)


def ends_by_topic(pair: Open) -> tuple[Floats, Floats]:
    """The lowest and highest difference of each topic over all judgings."""
    least, most = float(pair.gains.min()), float(pair.gains.max())
    count = len(pair.judged)
    ends = np.sort(np.stack([pair.weight * least, pair.weight * most]), axis=0)
    low, high = (pair.judged + np.bincount(pair.topic, weights=side, minlength=count) for side in ends)
    if pair.ideal is not None and pair.known is not None:
        more, levels = np.bincount(pair.topic, minlength=count)[:, None], pair.levels
        small, large = (_ideal(pair.ideal, levels, pair.known + more * (levels <= gain)) for gain in (least, most))
        low, high = -_share(-low, small, large), _share(high, small, large)
    return low, high


def as_judged(pair: Open) -> Floats:
    """The difference of each topic where unjudged documents gain nothing."""
    if pair.ideal is None or pair.known is None:
        return pair.judged
    return _divided(pair.judged, _ideal(pair.ideal, pair.levels, pair.known))


def least_that_decides(pair: Open, order: Ints) -> int | None:
    """How many of the documents in this order decide the sign if each gains what is expected; None if all do not.

    Judging narrows the ends, so that bisection finds the number.
    """
    gain = pair.expected

    def decided(m: int) -> bool:
        return worst_case(pair.revealed(order[:m], gain[order[:m]])).certain

    if not decided(len(order)):
        return None
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if decided(middle) else (middle + 1, high)
    return low


def _share(top: Floats, small: Floats, large: Floats) -> Floats:
    """The highest share of an ideal between `small` and `large` that a sum of at most `top` can be."""
    with np.errstate(divide="ignore", invalid="ignore"):
        rising = np.where(small > 0, np.minimum(1.0, top / small), 1.0)
        falling = np.where(large > 0, top / large, 0.0)
    return np.where(large > 0, np.where(top > 0, rising, np.maximum(falling, -1.0)), 0.0)


def _ideal(ideal: Floats, levels: Floats, counts: Ints) -> Floats:
    """The ideal sum where, level by level (last axis), `counts` documents gain at least as much."""
    return np.asarray((ideal[np.minimum(counts, len(ideal) - 1)] * np.diff(levels, prepend=0.0)).sum(axis=-1))


def plausible(pair: Open, seed: int = 0) -> float:
    """The chance that the first system is ahead once all is judged, if unjudged grades follow the prior.

    For sums by the normal distribution, whose mean and variance add up over documents; for shares of an ideal by
    2 000 draws, of which 200 suffice where these leave no doubt. It is a model, not a fact.
    """
    if pair.ideal is None or pair.known is None:
        mean = expected_gain(pair.prior, pair.gains)
        spread = (pair.prior * (pair.gains - np.expand_dims(mean, -1)) ** 2).sum(axis=-1)
        variance = float((spread * pair.weight**2).sum())
        middle = float(pair.judged.sum()) + float((mean * pair.weight).sum())
        return _side(middle, math.sqrt(variance))
    if not len(pair.weight):
        return _side(float(_divided(pair.judged, _ideal(pair.ideal, pair.levels, pair.known)).sum()), 0.0)
    sums = _drawn(pair, pair.ideal, pair.known, 0, FIRST_DRAWS, seed)
    if abs(float(sums.mean())) > CLEAR * float(sums.std()):
        return float(sums.mean() > 0)
    sums = np.concatenate([sums, _drawn(pair, pair.ideal, pair.known, FIRST_DRAWS, DRAWS, seed)])
    slack = SLACK * float(np.abs(sums).max())
    return float((sums > slack).mean() + (sums >= -slack).mean()) / 2


def _side(middle: float, spread: float) -> float:
    if spread == 0:
        return 0.5 if abs(middle) <= SLACK else float(middle > 0)
    return normal_below(middle / spread)


def _drawn(pair: Open, ideal: Floats, known: Ints, start: int, stop: int, seed: int) -> Floats:
    """Σ of the differences over topics in draws start … stop − 1."""
    levels = pair.levels
    bars = _bars(pair.gains, pair.prior, levels)
    gain_of = np.add.accumulate(np.diff(levels, prepend=[0.0, 0.0]))  # of no level, of the first, of the second …
    offsets = np.searchsorted(pair.topic, np.arange(len(pair.judged) + 1))
    sums = np.zeros(stop - start)
    for first, last in _spans(offsets, stop - start):
        documents = slice(offsets[first], offsets[last])
        numbers = draws(np.arange(documents.start, documents.stop), np.arange(start, stop), seed)
        within = offsets[first : last + 1] - offsets[first]
        level_of = np.zeros(numbers.shape, dtype=np.intp)
        counts = np.repeat(known[first:last, None], stop - start, axis=1)
        for level, bar in enumerate(bars):
            reached = numbers >= (int(bar) if pair.prior.ndim == 1 else bar[documents, None])
            level_of += reached
            counts[:, :, level] += _by_topic(reached.astype(np.float32), within).astype(np.int64)
        gain = gain_of.take(level_of)
        gain *= pair.weight[documents][:, None]
        difference = pair.judged[first:last, None] + _by_topic(gain, within)
        sums += _divided(difference, _ideal(ideal, levels, counts)).sum(axis=0)
    return sums


def _divided(sums: Floats, ideal: Floats) -> Floats:
    """Shares of the ideal, 0 where there is none."""
    shares: Floats = np.divide(sums, ideal, out=np.zeros_like(sums), where=ideal > 0)
    return shares


def _spans(offsets: Ints, draws_: int) -> list[tuple[int, int]]:
    """Runs of topics whose draws fit into a chunk of memory; a topic alone may be larger."""
    spans, first = [], 0
    for topic in range(1, len(offsets)):
        full = topic + 1 < len(offsets) and (offsets[topic + 1] - offsets[first]) * draws_ > _CHUNK
        if full or topic + 1 == len(offsets):
            spans.append((first, topic))
            first = topic
    return spans


def _by_topic(rows: NDArray[Number], offsets: Ints) -> NDArray[Number]:
    """The rows of each topic added up: those of topic t begin at offsets[t]."""
    sums = np.zeros((len(offsets) - 1, rows.shape[1]), dtype=rows.dtype)
    some = np.flatnonzero(np.diff(offsets))
    if len(some):
        sums[some] = np.add.reduceat(rows, offsets[some], axis=0)
    return sums


def _bars(gains: Floats, prior: Floats, levels: Floats) -> NDArray[np.uint64]:
    """A draw of 0 … 2^32 − 1 reaches a level if it is not below its bar: by level, and by document if priors are."""
    below = np.array([prior[..., gains < level].sum(axis=-1) for level in levels])
    return np.minimum(np.floor(below * 2.0**32), 2.0**32).astype(np.uint64)


def draws(document: Ints, draw: Ints, seed: int = 0) -> NDArray[np.uint32]:
    """A number from 0 to 2^32 − 1 for each document and draw, the same on every machine and in the page's script.

    Two rounds of a 32-bit mixing function: every number depends on its document, its draw and the seed alone.
    """
    with np.errstate(over="ignore"):
        start = _mixed(document.astype(np.uint32) * np.uint32(0x9E3779B1) + np.uint32(seed % 2**32))
        return _mixed(start[:, None] + (draw.astype(np.uint32) + np.uint32(1)) * np.uint32(0x85EBCA77))


def _mixed(x: NDArray[np.uint32]) -> NDArray[np.uint32]:
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x21F0AAAD)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x735A2D97)
    return np.asarray(x ^ (x >> np.uint32(15)))
