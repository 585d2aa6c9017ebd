"""Figures as Altair (Vega-Lite) charts: saved as svg, png or pdf, shown by a notebook, reused by the report.

Needs the extra `figures`: pip install 'gaincurve[figures]'.
"""

from gaincurve.figures.style import save  # isort: skip -- first: its error names the extra that is missing
from gaincurve.figures.curves import curves_chart
from gaincurve.figures.differences import forest_chart, topics_chart
from gaincurve.figures.efficiency import tradeoff_chart
from gaincurve.figures.effort import effort_chart
from gaincurve.figures.judging import grades_chart, unjudged_chart
from gaincurve.figures.precision_recall import precision_recall_chart
from gaincurve.figures.ranks import ranks_chart
from gaincurve.figures.sessions import last_queries_chart, session_curves_chart, single_sessions_chart
from gaincurve.figures.sweep import sweep_chart
from gaincurve.figures.two_runs import difference_chart, scatter_chart

__all__ = [
    "curves_chart",
    "difference_chart",
    "effort_chart",
    "forest_chart",
    "grades_chart",
    "last_queries_chart",
    "precision_recall_chart",
    "ranks_chart",
    "save",
    "scatter_chart",
    "session_curves_chart",
    "single_sessions_chart",
    "sweep_chart",
    "topics_chart",
    "tradeoff_chart",
    "unjudged_chart",
]
