"""Programs that some tests drive: skipped with the reason where one is missing, failed where CI is set."""

from __future__ import annotations

import programs
import pytest


def need(program: programs.Program) -> str:
    """The program's path, or no test."""
    found = programs.find(program)
    if found is not None:
        return found
    reason = programs.advice([program])
    if programs.required():
        pytest.fail(f"CI is set, and {reason}", pytrace=False)
    pytest.skip("; ".join(line.strip() for line in reason.splitlines()[:2]))
