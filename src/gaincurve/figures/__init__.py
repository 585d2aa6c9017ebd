"""Figures as Altair (Vega-Lite) charts: saved as svg, png or pdf, shown by a notebook, reused by the report.

Needs the extra `figures`: pip install 'gaincurve[figures]'.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaincurve.figures.curves import curves_chart
    from gaincurve.figures.differences import forest_chart, topics_chart
    from gaincurve.figures.efficiency import tradeoff_chart
    from gaincurve.figures.effort import effort_chart
    from gaincurve.figures.estimates import estimated_chart, votes_chart
    from gaincurve.figures.judging import grades_chart, unjudged_chart
    from gaincurve.figures.pools import closing_chart, replay_chart
    from gaincurve.figures.precision_recall import precision_recall_chart
    from gaincurve.figures.ranks import ranks_chart
    from gaincurve.figures.sessions.curves import session_curves_chart
    from gaincurve.figures.sessions.last import last_queries_chart
    from gaincurve.figures.sessions.queries import best_chart, lengths_chart, positions_chart, reformulations_chart
    from gaincurve.figures.sessions.singles import single_sessions_chart
    from gaincurve.figures.style import save
    from gaincurve.figures.sweep import sweep_chart
    from gaincurve.figures.two_runs import difference_chart, scatter_chart

_HOMES = {
    "best_chart": "sessions.queries",
    "closing_chart": "pools",
    "curves_chart": "curves",
    "estimated_chart": "estimates",
    "difference_chart": "two_runs",
    "effort_chart": "effort",
    "forest_chart": "differences",
    "grades_chart": "judging",
    "last_queries_chart": "sessions.last",
    "lengths_chart": "sessions.queries",
    "positions_chart": "sessions.queries",
    "precision_recall_chart": "precision_recall",
    "ranks_chart": "ranks",
    "reformulations_chart": "sessions.queries",
    "replay_chart": "pools",
    "save": "style",
    "scatter_chart": "two_runs",
    "session_curves_chart": "sessions.curves",
    "single_sessions_chart": "sessions.singles",
    "sweep_chart": "sweep",
    "topics_chart": "differences",
    "tradeoff_chart": "efficiency",
    "unjudged_chart": "judging",
    "votes_chart": "estimates",
}

__all__ = [
    "best_chart",
    "closing_chart",
    "curves_chart",
    "difference_chart",
    "effort_chart",
    "estimated_chart",
    "forest_chart",
    "grades_chart",
    "last_queries_chart",
    "lengths_chart",
    "positions_chart",
    "precision_recall_chart",
    "ranks_chart",
    "reformulations_chart",
    "replay_chart",
    "save",
    "scatter_chart",
    "session_curves_chart",
    "single_sessions_chart",
    "sweep_chart",
    "topics_chart",
    "tradeoff_chart",
    "unjudged_chart",
    "votes_chart",
]


def __getattr__(name: str) -> object:
    """A function of this package, imported when first used: the package itself needs no extra."""
    if name in _HOMES:
        importlib.import_module("gaincurve.figures.style")  # first: its error names the extra that is missing
        return getattr(importlib.import_module(f"gaincurve.figures.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'gaincurve.figures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
