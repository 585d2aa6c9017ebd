"""Totals from a sample: each drawn document stands for one over its probability (Horvitz & Thompson 1952)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats, add_by


@dataclass(frozen=True, eq=False)
class ByStratum:
    """Strata of which a fixed number was drawn: `number` by drawn document; by stratum its topic, `size`, how many were
    `drawn`, and whether it is `listed`: all of its documents are known by id."""

    number: NDArray[np.int32]
    topic: NDArray[np.int32]
    size: Floats
    drawn: Ints
    listed: NDArray[np.bool_]

    @property
    def rest(self) -> Floats:
        """The share that was not drawn."""
        return np.maximum(1 - self.drawn / self.size, 0.0)

    def means(self, y: Floats) -> Floats:
        """The mean of each stratum, 0 where nothing was drawn."""
        return add_by(self.number, y, len(self.size)) / np.maximum(self.drawn, 1)

    def left_out(self, y: Floats) -> Floats:
        """By drawn document, how the total changes if it is left out and the others of its stratum stand for it."""
        n = self.drawn[self.number].astype(np.float64)
        means = self.means(y)[self.number]
        others = np.divide(means * n - y, n - 1, out=np.full_like(y, np.nan), where=n > 1)
        return np.asarray(self.size[self.number] * (others - means))


@dataclass(frozen=True, eq=False)
class Design:
    """How documents were drawn: by drawn document its topic and its probability `p`.

    Without strata each document was drawn by itself.
    """

    topics: int
    topic: NDArray[np.int32]
    p: Floats
    strata: ByStratum | None = None

    @classmethod
    def of_strata(
        cls, topics: int, topic: NDArray[np.int32], number: Ints, size: Floats, owner: Ints, listed: NDArray[np.bool_]
    ) -> Design:
        """Strata of which a fixed number was drawn; p follows from it."""
        drawn = np.bincount(number, minlength=len(size))
        return cls(
            topics,
            topic,
            drawn[number] / size[number],
            ByStratum(number.astype(np.int32), owner.astype(np.int32), size, drawn, listed),
        )

    @property
    def variance(self) -> str:
        """What the error assumes, for signatures."""
        return "independent-draws" if self.strata is None else "strata"

    def total(self, y: Floats) -> Floats:
        """Σ y/p of each topic: over all samples its mean is the total over all documents."""
        return add_by(self.topic, y / self.p, self.topics)

    def error(self, y: Floats, matters: NDArray[np.bool_] | None = None) -> Floats:
        """The standard error of each topic's total; nan where one document stands for several.

        √Σ N²(1 − n/N)s²/n over strata; of independent draws √Σ(1 − p)y²/p². Strata that cannot `matter`, because
        every document of theirs has y = 0, drawn or not, add nothing.
        """
        if self.strata is None:
            return np.asarray(np.sqrt(add_by(self.topic, (1 - self.p) * y**2 / self.p**2, self.topics)))
        strata = self.strata
        n, rest = np.maximum(strata.drawn, 1), strata.rest
        squares = add_by(strata.number, (y - strata.means(y)[strata.number]) ** 2, len(n))
        spread = np.divide(squares, n - 1, out=np.full(len(n), np.nan), where=n > 1)
        spread = np.where(rest == 0, 0.0, spread)
        if matters is not None:
            spread = np.where(matters, spread, 0.0)
        return np.asarray(np.sqrt(add_by(strata.topic, strata.size**2 * rest * spread / n, self.topics)))

    def alone(self) -> Ints:
        """The strata in which one document was drawn of several: they have no error."""
        if self.strata is None:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero((self.strata.drawn == 1) & (self.strata.size > 1))


def tuned_lambda(human: Floats, machine: Floats) -> float:
    """cov(h, m)/var(m), within 0 to 1; 0 where the machine always says the same."""
    variance = float(np.var(machine)) if len(machine) else 0.0
    if not variance:
        return 0.0
    covariance = float(np.mean((human - human.mean()) * (machine - machine.mean())))
    return min(1.0, max(0.0, covariance / variance))


def stands_higher(group: Ints, value: Floats, labelled: NDArray[np.bool_]) -> float:
    """How far labelled documents have smaller values (better ranks) than others of their group, in standard deviations.

    The rank-sum statistic of Wilcoxon, Mann and Whitney, added up over groups; above 4 by chance three times in
    100 000.
    """
    order = np.lexsort((value, group))
    above = expected = variance = 0.0
    starts = np.flatnonzero(np.concatenate([[True], group[order][1:] != group[order][:-1]])) if len(order) else order
    for rows in np.split(order, starts[1:]):
        n, m = int(labelled[rows].sum()), int((~labelled[rows]).sum())
        if not n or not m:
            continue
        ranks = _mid_ranks(value[rows])
        above += n * (n + m + 1) - float(ranks[labelled[rows]].sum())
        expected += n * (n + m + 1) / 2
        _, tied = np.unique(value[rows], return_counts=True)
        ties = float((tied**3 - tied).sum()) / ((n + m) * (n + m - 1))
        variance += n * m / 12 * (n + m + 1 - ties)
    return float((above - expected) / np.sqrt(variance)) if variance > 0 else 0.0


def _mid_ranks(value: Floats) -> Floats:
    _, place, tied = np.unique(value, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(tied) - (tied - 1) / 2)[place], dtype=np.float64)
