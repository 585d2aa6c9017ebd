"""The compiled module, where it was built and is wanted; everything in it has a twin in NumPy."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

_VERSION = 3


def _found() -> Any:
    if os.environ.get("GAINCURVE_PURE") or sys.byteorder != "little":
        return None
    try:
        module = importlib.import_module("gaincurve._scan")
    except ImportError:
        return None
    return module if getattr(module, "VERSION", None) == _VERSION else None  # one built from older sources


scan: Any = _found()
"""The module, or None: no C compiler when gaincurve was installed, or GAINCURVE_PURE is set."""


def scanner_name() -> str:
    """Which scanner serves, and why."""
    if scan is not None:
        return "compiled"
    pure = os.environ.get("GAINCURVE_PURE")
    reason = "GAINCURVE_PURE is set" if pure else "no compiled one was built from these sources"
    return f"NumPy ({reason})"
