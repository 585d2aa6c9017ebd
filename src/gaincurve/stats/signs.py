"""Random numbers that never change: raw bits of PCG64, whose stream NumPy promises to keep.

What NumPy's Generator turns them into may change from version to version, so signs, orders and samples are drawn here.
Rows stand for topics in the order of their ids, so a result depends on neither the order of systems nor of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.rows import Floats

CHUNK = 2048
"""How many draws at once, few enough to stay in the cache; part of the definition of the stream of permutations."""


def source(seed: int) -> np.random.PCG64:
    """The generator of a seed; 0 is a seed like any other."""
    return np.random.PCG64(seed)


def chunks(draws: int) -> Iterator[int]:
    """`draws` cut into pieces."""
    for start in range(0, draws, CHUNK):
        yield min(CHUNK, draws - start)


def sign_rows(topics: int, draws: int, seed: int) -> Iterator[Floats]:
    """Rows of +1 and −1, one column per topic, in pieces."""
    for eights in sign_bytes(topics, draws, seed):
        ones = np.unpackbits(eights, axis=1, bitorder="little")[:, :topics]
        yield 1.0 - 2.0 * ones.astype(np.float64)


def sign_bytes(topics: int, draws: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """The same rows as bytes: bit i of byte j is set where topic 8j + i changes its sign."""
    bits = source(seed)
    words = -(-topics // 64)
    for size in chunks(draws):
        raw = bits.random_raw(size * words).astype("<u8", copy=False)
        yield raw.view(np.uint8).reshape(size, words * 8)


def every_sign(topics: int) -> Floats:
    """All 2^topics rows of +1 and −1."""
    count = np.arange(1 << topics, dtype=np.int64)[:, None]
    return 1.0 - 2.0 * ((count >> np.arange(topics)) & 1).astype(np.float64)


def orders(bits: np.random.PCG64, size: int, items: int) -> NDArray[np.intp]:
    """`size` random orders of 0 … items − 1: random keys that carry their place in the low bits, sorted."""
    shift = max(1, (items - 1).bit_length())
    mask = np.uint64((1 << shift) - 1)
    keys = (bits.random_raw(size * items).reshape(size, items) & ~mask) | np.arange(items, dtype=np.uint64)
    keys.sort(axis=1)
    return (keys & mask).astype(np.intp)


def samples(bits: np.random.PCG64, size: int, items: int) -> NDArray[np.intp]:
    """`size` samples with replacement of as many items as there are."""
    uniform = (bits.random_raw(size * items) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return (uniform.reshape(size, items) * items).astype(np.intp)
