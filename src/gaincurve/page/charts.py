"""The charts of the page by id; the extra that draws is imported only when they are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MANY = 200
"""The default number of topics: so many that bars have no names."""


def session_charts(systems: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The charts of a page about sessions alone."""
    from gaincurve.page import definitions  # noqa: PLC0415 -- an extra

    return definitions.of_sessions(list(systems))


def chart_specs(
    runs: Sequence[str],
    systems: Sequence[str] = (),
    *,
    scale: Sequence[float] = (0, 1, 2, 3),
    topics: int = MANY,
) -> dict[str, dict[str, Any]]:
    """Every chart by its id: of `runs` by their labels, of the grades in `scale`, and of the `systems` of sessions.

    Charts that compare two runs are there only where there are two.
    """
    from gaincurve.page import definitions  # noqa: PLC0415 -- an extra

    specs = definitions.of_runs(list(runs), list(scale))
    if len(runs) > 1:
        specs |= definitions.of_two_runs(list(runs), topics)
    return specs | definitions.of_sessions(list(systems)) if systems else specs
