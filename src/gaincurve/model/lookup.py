"""Look ids up among ids by the million: hashed, compared by their bytes, without a Python object each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaincurve._compiled import scan as compiled
from gaincurve.model.groups import spans
from gaincurve.model.ids import PADDING, Ids, Ints, Keys

_SOME = 1 << 16  # ids are copied this many at a time, so that the places of their bytes need little memory


@dataclass(frozen=True, eq=False)
class IdIndex:
    """A table of different ids, prepared for many look-ups."""

    table: Ids
    keys: Keys
    order: Ints

    @classmethod
    def of(cls, table: Ids) -> IdIndex:
        """Hash and sort the table once."""
        keys = table.hashes()
        order = np.argsort(keys, kind="stable")
        return cls(table, keys[order], order)

    def places(self, ids: Ids) -> Ints:
        """Where each id stands in the table; −1 where it is not there."""
        place = np.full(len(ids), -1, dtype=np.int64)
        if not len(ids) or not len(self.table):
            return place
        wanted = ids.hashes()
        slot = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        near = np.flatnonzero(self.keys[slot] == wanted)
        candidate = self.order[slot[near]]
        same = self.table.take(candidate).same(ids.take(near))
        place[near[same]] = candidate[same]
        if not same.all() and (self.keys[1:] == self.keys[:-1]).any():  # different ids share a key: look up by name
            named = {self.table.bytes_at(i): i for i in range(len(self.table))}
            for i in near[~same].tolist():
                place[i] = named.get(ids.bytes_at(i), -1)
        return place


def places(ids: Ids, table: Ids) -> Ints:
    """Where each id stands in a table of different ids; −1 where it is not there."""
    return IdIndex.of(table).places(ids)


def numbered(ids: Ids) -> tuple[Ids, Ints]:
    """The different ids in order of first appearance, and the number of each id among them."""
    if not len(ids):
        return ids, np.zeros(0, dtype=np.int64)
    keys = ids.hashes()
    order = np.argsort(keys, kind="stable")
    new = np.concatenate([[True], keys[order][1:] != keys[order][:-1]])
    group = np.empty(len(ids), dtype=np.int64)
    group[order] = np.cumsum(new) - 1
    first = order[new]  # the sort is stable: the earliest of each group
    if not ids.same(ids.take(first[group])).all():  # different ids share a key
        seen: dict[bytes, int] = {}
        number = np.array([seen.setdefault(ids.bytes_at(i), len(seen)) for i in range(len(ids))], dtype=np.int64)
        return ids.take(np.flatnonzero(_first_time(number))), number
    rank = np.argsort(np.argsort(first))
    return ids.take(np.sort(first)), rank[group]


def _first_time(number: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    first = np.zeros(len(number), dtype=bool)
    first[np.concatenate([[0], np.flatnonzero(number[1:] > np.maximum.accumulate(number)[:-1]) + 1])] = True
    return first


def compact(ids: Ids) -> Ids:
    """The same ids in a buffer of their own, so that a large text they were cut from can be freed."""
    starts = np.cumsum(ids.lengths, dtype=np.int64)
    buffer = np.zeros(int(starts[-1] if len(starts) else 0) + PADDING, dtype=np.uint8)
    starts -= ids.lengths
    if compiled is not None:
        compiled.pack(ids.buffer, ids.starts, ids.lengths, buffer)
    for some in range(0, len(ids), _SOME) if compiled is None else ():
        part = ids.take(slice(some, some + _SOME))
        places = spans(part.starts, part.lengths.astype(np.int64))
        buffer[starts[some] : starts[some] + len(places)] = ids.buffer[places]
    return Ids(buffer, starts, ids.lengths if ids.lengths.base is None else ids.lengths.copy())


def joined(parts: list[Ids]) -> Ids:
    """Ids of several buffers in one."""
    own = [compact(part) for part in parts]
    shifts = np.cumsum([0, *(len(part.buffer) for part in own)])
    starts = np.concatenate([part.starts + shift for part, shift in zip(own, shifts, strict=False)])
    return Ids(np.concatenate([part.buffer for part in own]), starts, np.concatenate([part.lengths for part in own]))
