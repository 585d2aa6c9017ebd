"""How much may be held in memory: half of what the machine or the container has, unless GAINCURVE_MEMORY says more."""

from __future__ import annotations

import os
import re
from functools import cache

from gaincurve._compiled import scan as compiled
from gaincurve.errors import ChoiceError, InputError, Problem

SETTING = "GAINCURVE_MEMORY"
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_CGROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")

WHOLE = 4
"""A file of columns that is read whole takes about this many times its size, with the arrays made of it."""
OBJECTS = 12
"""JSON and tables become Python objects, which take more."""


def memory_limit() -> int:
    """The bound in bytes."""
    text = os.environ.get(SETTING, "").strip()
    if not text:
        return _machine() // 2
    size = re.fullmatch(r"(\d{1,15}(?:\.\d{1,6})?)\s*([KMGT]?)(?:i?B)?", text, re.IGNORECASE | re.ASCII)
    bound = int(float(size[1]) * _UNITS[size[2].upper()]) if size else 0
    if not bound:
        raise ChoiceError(Problem("memory-setting", f"{SETTING} cannot be {text!r}"))
    return bound


def refuse_size(name: str, size: int, times: int = WHOLE) -> None:
    """Refuse to hold text of this size, which takes so many times as much memory."""
    limit = memory_limit()
    if size * times > limit:
        what = f"{name} needs about {_in_words(size * times)} of memory, and {_in_words(limit)} may be used"
        raise InputError(Problem("input-memory", what, name))


def free_memory() -> None:
    """Give back what large arrays have left behind, before others of other sizes are made."""
    if compiled is not None:
        compiled.free_memory()


@cache
def _machine() -> int:
    """Bytes of memory that this process may ever get: those of its container, or of the machine."""
    try:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows does not say
        physical = 1 << 33
    return min([physical, *filter(None, map(_cgroup, _CGROUPS))])


def _cgroup(path: str) -> int:
    """The limit that a file of the control group holds; 0 for none."""
    try:
        with open(path, encoding="ascii") as file:  # noqa: PTH123 -- pathlib takes 7 ms to import
            return int(file.read())
    except (OSError, ValueError):  # 'max', or no such group
        return 0


def _in_words(size: int) -> str:
    unit = next((name for name in "TGMK" if size >= _UNITS[name]), "")
    return f"{size / _UNITS[unit]:.3g} {unit}B"
