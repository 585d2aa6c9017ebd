"""The hand-written scripts of the page, in the order in which they run; Node runs the same files in the tests."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

ENGINE: tuple[str, ...] = (
    "numbers.js",
    "distributions.js",
    "statistics.js",
    "observed.js",
    "engine.js",
    "curves.js",
    "reading.js",
    "comparison.js",
    "wording.js",
    "signature.js",
    "sweep.js",
    "judging.js",
    "analysis.js",
    "sessions.js",
    "session_scores.js",
    "session_analysis.js",
    "feeds.js",
    "feeds_reading.js",
    "feeds_pairs.js",
    "feeds_sessions.js",
)
"""What computes: no script here knows that there is a page."""

APP: tuple[str, ...] = (
    "app_dom.js",
    "app_formats.js",
    "app_state.js",
    "app_analysis.js",
    "app_parts.js",
    "app_specs.js",
    "app_charts.js",
    "app_picture.js",
    "app_views.js",
    "app_controls.js",
    "app_league.js",
    "app_verdict.js",
    "app_tables.js",
    "app_judging.js",
    "app_topics.js",
    "app_ranking.js",
    "app_sums.js",
    "app_topic.js",
    "app_export.js",
    "app_sessions.js",
    "app_build.js",
    "app_address.js",
    "app_main.js",
)
"""What shows it and listens to the reader."""


def source(names: Iterable[str]) -> str:
    """The text of some scripts, one after the other."""
    folder = files("gaincurve.page") / "assets"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
