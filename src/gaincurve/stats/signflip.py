"""Sign-flip randomisation: if two systems were alike, each topic's difference could as well have the other sign.

Exact where all sign vectors can be counted: few topics, or differences on a lattice (as those of P@10 are); else a
sample, with p = (1 + reached)/(1 + drawn), which is never 0 (Phipson & Smyth 2010).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.stats.distributions import positive
from gaincurve.stats.rounding import SLACK, rounded
from gaincurve.stats.signs import CHUNK, chunks, every_sign, sign_bytes, sign_rows, source

DRAWS = 100_000
_MOST_SPLIT = 26
"""Up to this many differences are counted exactly, in two halves of 2^13 sums."""
_MOST_LATTICE = 2_000_000
"""Lattice points × topics up to which sums are counted exactly."""


MOST_COUNTED = max(_MOST_SPLIT, math.isqrt(_MOST_LATTICE))
"""With more topics that differ no count is tried: it would take too long whatever the differences are."""

_FEW = 8
"""Up to this many rows, looking sums up is quicker than multiplying by the matrix of signs."""


class Randomised(NamedTuple):
    """p-values of a family; `exact` where nothing was sampled, `draws` how many sign vectors or orders were used."""

    p: Floats
    exact: Floats
    draws: int

    @property
    def error(self) -> float:
        """The largest Monte Carlo standard error of a sampled p."""
        sampled = self.p[self.exact == 0]
        return float(np.sqrt(sampled * (1 - sampled) / self.draws).max(initial=0.0))


def sign_flip(differences: Floats, draws: int = DRAWS, seed: int = 0) -> Randomised:
    """Two-sided p of the mean of each row of a pairs × topics matrix; all rows share the sign vectors drawn.

    Worked: Darwin's 15 plants give exactly 1726/32768 = .05267.
    """
    rows = np.atleast_2d(np.asarray(differences, dtype=np.float64))
    exact_p = [exact_sign_flip(row) for row in rows]
    p = np.array([np.nan if value is None else value for value in exact_p])
    sampled = np.flatnonzero(np.isnan(p))
    if len(sampled):
        count = _reached_by_table if len(sampled) <= _FEW else _reached
        p[sampled] = (1 + count(rows[sampled], draws, seed)) / (1 + draws)
    exact = np.ones(len(rows))
    exact[sampled] = 0
    return Randomised(p, exact, draws)


def _reached(rows: Floats, draws: int, seed: int) -> Floats:
    """How many sign vectors give each row a sum at least as far from 0; a row's own signs do not matter."""
    wanted, sizes = _wanted(rows), np.abs(rows).T
    reached = np.zeros(len(rows))
    room, far = np.empty((CHUNK, len(rows))), np.empty((CHUNK, len(rows)), dtype=bool)  # used again for every piece
    for block in sign_rows(rows.shape[1], draws, seed):
        sums = np.matmul(block, sizes, out=room[: len(block)])
        np.abs(sums, out=sums)
        np.greater_equal(sums, wanted, out=far[: len(block)])
        reached += np.add.reduce(far[: len(block)].view(np.uint8), axis=0, dtype=np.uint16)  # a piece is below 2^16
    return reached


def _reached_by_table(rows: Floats, draws: int, seed: int) -> Floats:
    """The same for few rows: sums of eight topics under all their signs are computed once, then looked up by byte."""
    wanted = _wanted(rows)
    groups = -(-rows.shape[1] // 8)
    padded = np.zeros((len(rows), groups * 8))
    padded[:, : rows.shape[1]] = np.abs(rows)
    tables = padded.reshape(len(rows), groups, 8) @ every_sign(8).T
    reached = np.zeros(len(rows))
    for block in sign_bytes(rows.shape[1], draws, seed):
        columns = [np.ascontiguousarray(block[:, group]) for group in range(groups)]
        for r, table in enumerate(tables):
            sums = table[0][columns[0]]
            for group in range(1, groups):
                sums += table[group][columns[group]]
            reached[r] += np.count_nonzero(np.abs(sums) >= wanted[r])
    return reached


def _wanted(rows: Floats) -> Floats:
    wanted: Floats = np.abs(rows.sum(axis=1)) - SLACK * np.abs(rows).sum(axis=1)
    return wanted


def exact_sign_flip(differences: Floats) -> float | None:
    """The exact p of one row, or None where counting would take too long."""
    size = np.abs(rounded(differences))
    size = size[size > 0]
    if not len(size):
        return 1.0
    steps = lattice(size, _MOST_LATTICE // len(size))
    if steps is not None:
        return _count_lattice(steps, abs(float(rounded(differences).sum())) / (float(size.sum()) / steps.sum()))
    if len(size) <= _MOST_SPLIT:
        return _count_split(differences[rounded(differences) != 0])
    return None


def lattice(sizes: Floats, most: float) -> Floats | None:
    """Positive numbers as whole multiples of their common step, if they have one and their sum is at most `most`."""
    step = 0.0
    near = 1e-7 * float(sizes.max())
    for size in sizes.tolist():
        a, b = max(step, size), min(step, size)
        while b > near:
            a, b = b, a % b
            b = 0.0 if a - b <= near else b
        step = a
    steps = np.rint(sizes / step)
    if steps.sum() > most or np.abs(sizes - steps * step).max() > 1e-9:
        return None
    return steps


def _count_lattice(steps: Floats, observed: float) -> float:
    """P(|Σ ± steps| ≥ observed): the distribution of the sum, one difference after the other."""
    reach = int(steps.sum())
    chance = np.zeros(2 * reach + 1)
    chance[reach] = 1.0
    for step in steps.astype(np.int64).tolist():
        moved = np.zeros_like(chance)
        moved[step:] += chance[:-step]
        moved[:-step] += chance[step:]
        chance = moved / 2
    far = np.abs(np.arange(-reach, reach + 1)) >= observed - 0.5
    return positive(min(1.0, float(chance[far].sum())))


def _count_split(differences: Floats) -> float:
    """All sign vectors in two halves: for each sum of the first, how many of the second bring it far enough."""
    half = len(differences) // 2
    first = every_sign(half) @ differences[:half]
    second = np.sort(every_sign(len(differences) - half) @ differences[half:])
    wanted = float(_wanted(differences[None])[0])
    above = len(second) - np.searchsorted(second, wanted - first, side="left")
    below = np.searchsorted(second, -wanted - first, side="right")
    reached = int(above.sum() + below.sum()) if wanted > 0 else len(first) * len(second)
    return reached / (len(first) * len(second))


class MaxT(NamedTuple):
    """Adjusted p of each row, and the value of |t| that the largest of all rows exceeds with probability alpha.

    The value is nan where there are too few sign vectors to have one.
    """

    p: Floats
    exact: bool
    draws: int
    critical: float


def max_t(differences: Floats, draws: int = DRAWS, seed: int = 0, alpha: float = 0.05) -> MaxT:
    """Step-down max-T (Westfall & Young 1993) over the rows of a systems × topics matrix of differences.

    All rows change sign together, topic by topic, so what they have in common is used, not paid for.
    """
    rows = np.asarray(differences, dtype=np.float64)
    n = rows.shape[1]
    exact = n <= 16 and 2**n <= draws
    length = np.sqrt((rows**2).sum(axis=1))
    flat = ~rounded(rows).any(axis=1)
    unit = rows / np.where(flat, 1.0, length)[:, None]
    unit[flat] = 0.0
    observed = np.abs(unit.sum(axis=1))
    order = np.argsort(-observed, kind="stable")
    wanted = observed[order] - SLACK * np.abs(unit[order]).sum(axis=1)
    reached = np.zeros(len(rows))
    largest = []
    for block in iter((every_sign(n),)) if exact else sign_rows(n, draws, seed):
        sums = np.abs(block @ unit[order].T)
        steps = np.maximum.accumulate(sums[:, ::-1], axis=1)[:, ::-1]
        reached += np.count_nonzero(steps >= wanted, axis=0)
        largest.append(steps[:, 0])
    p = reached / 2**n if exact else (1 + reached) / (1 + draws)
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p)
    adjusted[flat] = 1.0
    return MaxT(adjusted, exact, 2**n if exact else draws, _critical_t(np.concatenate(largest), n, alpha))


def _critical_t(largest: Floats, n: int, alpha: float) -> float:
    """|t| from the length-free sum r: Σd² does not change with signs, so t² = (n − 1) r² / (n − r²)."""
    place = int(alpha * len(largest) + 1e-9)
    if place < 1:
        return math.nan
    r2 = float(np.sort(largest)[::-1][place - 1]) ** 2
    return math.sqrt((n - 1) * r2 / (n - r2)) if r2 < n * (1 - 1e-9) else math.nan


_WORDS = 512
"""Words of 64 topics whose signs are drawn at once."""


def sign_sums(differences: Floats, draws: int, seed: int, start: int, topics: int) -> Floats:
    """Σ ± |d| of each row under every sign vector, over some of the topics: those from `start`, of `topics` in all.

    They get the signs that `sign_flip` gives them among all topics, so sums over all parts are sums over the whole.
    """
    rows = np.atleast_2d(differences)
    words, before = -(-topics // 64), start % 64
    width = -(-(before + rows.shape[1]) // 64)
    sizes = np.zeros((len(rows), width * 64))  # topics outside have no size, whatever their sign
    sizes[:, before : before + rows.shape[1]] = np.abs(rows)
    sums = np.zeros((draws, len(rows)))
    for first in range(0, width, _WORDS):
        inside = sizes[:, first * 64 : (first + _WORDS) * 64]
        own = inside.shape[1] // 64
        tables = inside.reshape(len(rows), own * 8, 8) @ every_sign(8).T
        bits = source(seed).advance(start // 64 + first)
        done = 0
        for size in chunks(draws):
            raw = np.empty((size, own), dtype="<u8")
            for draw in raw:
                draw[:] = bits.random_raw(own)
                bits.advance(words - own)
            groups = np.ascontiguousarray(raw.view(np.uint8).T)
            for r, table in enumerate(tables):
                for group, of_group in zip(groups, table, strict=True):
                    sums[done : done + size, r] += of_group[group]
            done += size
    return sums


def reached_by(sums: Floats, total: Floats, size: Floats) -> Floats:
    """How many sums over all topics reach as far from 0 as Σd, by row, where Σ|d| is `size`."""
    return np.asarray(np.count_nonzero(np.abs(sums) >= np.abs(total) - SLACK * size, axis=0), dtype=np.float64)
