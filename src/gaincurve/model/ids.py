"""Ids by the million: bytes in one buffer, hashed, compared and ordered without making strings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve._compiled import scan as compiled
from gaincurve.model.source import counted

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

PADDING = 32
"""Every buffer ends with this many spare bytes, so that fixed-width loads at its end stay inside."""

_KEEP = np.array([(1 << (8 * n)) - 1 for n in range(8)] + [(1 << 64) - 1], dtype=np.uint64)
_MULTIPLY = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_LONG = 512  # ids beyond this many bytes are handled one by one


def padded(data: bytes) -> Bytes:
    """A buffer of `data` with the spare bytes `Ids` needs."""
    buffer = np.zeros(len(data) + PADDING, dtype=np.uint8)
    buffer[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    return buffer


def encode(text: str) -> bytes:
    """The bytes of an id; bytes that were never valid UTF-8 come back as they were read."""
    return text.encode("utf-8", "surrogateescape")


def decode(data: bytes) -> str:
    """The text of an id's bytes."""
    return data.decode("utf-8", "surrogateescape")


def scramble(keys: Keys) -> Keys:
    """Spread the bits of 64-bit keys over the whole word (multiply and fold, twice)."""
    keys = (keys ^ (keys >> _SHIFT)) * _MULTIPLY
    return (keys ^ (keys >> _SHIFT)) * _MULTIPLY


def words(buffer: Bytes, starts: Ints, lengths: NDArray[np.int32], step: int) -> Keys:
    """Bytes 8·step … 8·step+7 of each id as a little-endian word, zero beyond the id's end."""
    window: Keys = np.ndarray(shape=(len(buffer) - 7,), dtype="<u8", buffer=buffer, strides=(1,))
    left = np.clip(lengths - 8 * step, 0, 8)
    offsets = np.where(left > 0, starts + 8 * step, 0)
    return window[offsets] & _KEEP[left]


def hash_ids(buffer: Bytes, starts: Ints, lengths: NDArray[np.int32]) -> Keys:
    """A 64-bit key for each id, whatever ids stand beside it: only its own words are mixed in.

    Equal ids have equal keys; the reverse must be checked by the bytes. The compiled scanner computes the same.
    """
    longest = int(lengths.max(initial=0))
    if compiled is None:
        keys = _hash_words(buffer, starts, lengths, longest)
    else:
        keys = compiled.hash_ids(buffer, starts, lengths)
    for i in np.flatnonzero(lengths > _LONG) if longest > _LONG else ():
        import hashlib  # noqa: PLC0415 -- only for ids this long

        tail = buffer[starts[i] + _LONG : starts[i] + lengths[i]].tobytes()
        keys[i] ^= np.uint64(int.from_bytes(hashlib.blake2b(tail, digest_size=8).digest(), "little"))
    return keys


def _hash_words(buffer: Bytes, starts: Ints, lengths: NDArray[np.int32], longest: int) -> Keys:
    keys = scramble(lengths.astype(np.uint64))
    for step in range((min(longest, _LONG) + 7) // 8):
        if step < 2:  # most ids reach this far: cheaper to load all and keep the key of those that do not
            mixed = scramble(keys ^ words(buffer, starts, lengths, step))
            keys = np.where(lengths > 8 * step, mixed, keys)
            continue
        reaches = np.flatnonzero(lengths > 8 * step)
        keys[reaches] = scramble(keys[reaches] ^ words(buffer, starts[reaches], lengths[reaches], step))
    return keys


def keys_in(documents: Ids, topics: Ids, owner: NDArray[np.integer]) -> Keys:
    """A 64-bit key for each document in its topic: document i is one of topic owner[i]."""
    topic_keys = scramble(topics.hashes())
    if compiled is None or int(documents.lengths.max(initial=0)) > _LONG:
        return scramble(documents.hashes() ^ topic_keys[owner])
    owner = np.ascontiguousarray(owner, dtype=np.int32)
    keys: Keys = compiled.hash_rows(documents.buffer, documents.starts, documents.lengths, topic_keys, owner)
    return keys


@dataclass(frozen=True, eq=False)
class Ids:
    """Ids as bytes in one shared buffer. Text is built only when someone asks for it."""

    buffer: Bytes
    starts: Ints
    lengths: NDArray[np.int32]

    @classmethod
    def from_texts(cls, texts: Sequence[str]) -> Ids:
        """Ids of Python strings."""
        joined = "".join(texts)
        if joined.isascii():
            data, sizes = joined.encode(), np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        else:
            return cls.from_bytes([encode(text) for text in texts])
        starts = np.cumsum(sizes) - sizes
        return cls(padded(data), starts, sizes.astype(np.int32))

    @classmethod
    def from_bytes(cls, names: Sequence[bytes]) -> Ids:
        """Ids of bytes."""
        sizes = np.fromiter(map(len, names), dtype=np.int64, count=len(names))
        return cls(padded(b"".join(names)), np.cumsum(sizes) - sizes, sizes.astype(np.int32))

    def __len__(self) -> int:
        return len(self.starts)

    def __repr__(self) -> str:
        return f"Ids({counted(len(self), 'id')})"

    def bytes_at(self, i: int) -> bytes:
        """The bytes of id i."""
        start = int(self.starts[i])
        return self.buffer[start : start + int(self.lengths[i])].tobytes()

    def __getitem__(self, i: int) -> str:
        return decode(self.bytes_at(i))

    def __iter__(self) -> Iterator[str]:
        return (self[i] for i in range(len(self)))

    def texts(self) -> list[str]:
        """All ids as text; where everything is ASCII, cut from one string."""
        if (self.buffer < 128).all():
            whole = self.buffer.tobytes().decode("ascii")
            ends = self.starts + self.lengths
            return [whole[start:end] for start, end in zip(self.starts.tolist(), ends.tolist(), strict=True)]
        return list(self)

    def take(self, index: NDArray[np.integer] | NDArray[np.bool_] | slice) -> Ids:
        """The ids at `index`, over the same buffer."""
        return Ids(self.buffer, self.starts[index], self.lengths[index])

    def hashes(self) -> Keys:
        """A 64-bit key for each id."""
        return hash_ids(self.buffer, self.starts, self.lengths)

    def same(self, other: Ids) -> NDArray[np.bool_]:
        """Whether id i here has the same bytes as id i of `other`."""
        equal: NDArray[np.bool_] = self.lengths == other.lengths
        for step in range((min(int(self.lengths[equal].max(initial=0)), _LONG) + 7) // 8):
            left = words(self.buffer, self.starts, self.lengths, step)
            equal &= left == words(other.buffer, other.starts, other.lengths, step)
        for i in np.flatnonzero(equal & (self.lengths > _LONG)):
            equal[i] = self.bytes_at(int(i)) == other.bytes_at(int(i))
        return equal

    def repeats(self) -> NDArray[np.bool_]:
        """Whether each id from the second on has the same bytes as the one before it."""
        equal: NDArray[np.bool_] = self.lengths[1:] == self.lengths[:-1]
        for step in range((min(int(self.lengths.max(initial=0)), _LONG) + 7) // 8):
            word = words(self.buffer, self.starts, self.lengths, step)
            equal &= word[1:] == word[:-1]
        for i in np.flatnonzero(equal & (self.lengths[1:] > _LONG)).tolist():
            equal[i] = self.bytes_at(i) == self.bytes_at(i + 1)
        return equal

    def order_descending(self, block: NDArray[np.integer]) -> Ints:
        """The order that sorts by `block` ascending, then by id descending byte by byte."""
        if int(self.lengths.max(initial=0)) > 128:
            keys = [(-int(group), self.bytes_at(i)) for i, group in enumerate(block)]
            return np.array(sorted(range(len(self)), key=keys.__getitem__, reverse=True), dtype=np.int64)
        columns: list[NDArray[np.generic]] = [~self.lengths]
        for step in reversed(range((int(self.lengths.max(initial=0)) + 7) // 8)):
            columns.append(~words(self.buffer, self.starts, self.lengths, step).byteswap())
        return np.lexsort([*columns, block])
