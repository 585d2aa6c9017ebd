"""CBOR (RFC 8949) as JSON: maps, lists, texts and numbers, which is what ranx keeps in its .lz4 files."""

from __future__ import annotations

import json
import struct
from typing import Any

_FLOATS = {25: ">e", 26: ">f", 27: ">d"}
_PLAIN = {20: False, 21: True, 22: None}
_DEEPEST = 16


def is_map(head: bytes) -> bool:
    """Whether CBOR begins with a map; no text begins with such a byte."""
    return bool(head) and head[0] >> 5 == 5


def json_of(data: bytes) -> bytes:
    """The JSON text of a CBOR item; ValueError where it is cut, or holds what JSON does not."""
    try:
        value, end = _item(data, 0, 0)
    except (IndexError, struct.error):
        raise ValueError("the CBOR in it ends early") from None
    if end != len(data):
        raise ValueError("something follows the CBOR in it")
    return json.dumps(value, ensure_ascii=False).encode()


def _item(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    """A value and where the next begins."""
    if depth > _DEEPEST:
        raise ValueError("the CBOR in it is nested too deeply")
    kind, low = data[at] >> 5, data[at] & 31
    if kind == 7:
        return _simple(data, at, low)
    size, at = _argument(data, at, low)
    if kind in (0, 1):
        return (size if kind == 0 else -1 - size), at
    if kind == 3:
        if at + size > len(data):
            raise ValueError("the CBOR in it ends early")
        return data[at : at + size].decode(), at + size
    if kind == 4:
        values = []
        for _ in range(size):
            value, at = _item(data, at, depth + 1)
            values.append(value)
        return values, at
    if kind == 5:
        entries: dict[str, Any] = {}
        for _ in range(size):
            key, at = _item(data, at, depth + 1)
            name = key if isinstance(key, str) else json.dumps(key)
            if name in entries:
                raise ValueError(f"the CBOR in it has the key {name!r} twice")
            entries[name], at = _item(data, at, depth + 1)
        return entries, at
    raise ValueError("the CBOR in it holds what is neither map, list, text nor number")


def _argument(data: bytes, at: int, low: int) -> tuple[int, int]:
    """The number that follows the first byte, or stands in it."""
    if low < 24:
        return low, at + 1
    if low > 27:
        raise ValueError("the CBOR in it has lists of no known length")
    size = 1 << (low - 24)
    end = at + 1 + size
    if end > len(data):
        raise ValueError("the CBOR in it ends early")
    return int.from_bytes(data[at + 1 : end], "big"), end


def _simple(data: bytes, at: int, low: int) -> tuple[Any, int]:
    if low in _PLAIN:
        return _PLAIN[low], at + 1
    if low not in _FLOATS:
        raise ValueError("the CBOR in it holds what is neither map, list, text nor number")
    (number,) = struct.unpack_from(_FLOATS[low], data, at + 1)
    return number, at + 1 + struct.calcsize(_FLOATS[low])
