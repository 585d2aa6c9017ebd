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
    match = _WHOLE.match(text)
    return max(-_LONGEST - 1, min(_LONGEST, int(match[1]))) if match else 0


def number(text: str) -> float:
    """What atof makes of a text: '1e3 and more' is 1000, '0x10' is 16, 'abc' is 0."""
    match = _NUMBER.match(text)
    if not match:
        return 0.0
    token = match[1].lower()
    if "x" not in token:
        return float(token)
    try:
        return float.fromhex(token)
    except OverflowError:
        return float("-inf") if token.startswith("-") else float("inf")
