"""How hard property tests try."""

from __future__ import annotations

import os


def examples(number: int) -> int:
    """As many examples, or a tenth under `make quick`."""
    return max(2, number // 10) if os.environ.get("GAINCURVE_QUICK") else number
