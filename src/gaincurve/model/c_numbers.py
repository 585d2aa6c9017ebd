"""Numbers as C reads them: as far as a text looks like one, else 0."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"\s*([+-]?\d+)", re.ASCII)
_NUMBER = re.compile(
    r"\s*([+-]?(?:0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?"
    r"|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan))",
    re.IGNORECASE | re.ASCII,
)
_LONGEST = 2**63 - 1


def whole(text: str) -> int:
    """What atol makes of a text: '1.7' is 1, 'abc' is 0."""
    found = _WHOLE.match(text)
    return max(-_LONGEST - 1, min(_LONGEST, int(found[1]))) if found else 0


def number(text: str) -> float:
    """What atof makes of a text: '1e3 and more' is 1000, '0x10' is 16, 'abc' is 0."""
    found = _NUMBER.match(text)
    if not found:
        return 0.0
    shown = found[1].lower()
    if "x" not in shown:
        return float(shown)
    try:
        return float.fromhex(shown)
    except OverflowError:
        return float("-inf") if shown.startswith("-") else float("inf")
