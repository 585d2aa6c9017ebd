"""The panels of the page in their order, each with the question it answers; what has no data is absent."""

from __future__ import annotations

from gaincurve.page.content import Panel

PANELS: tuple[Panel, ...] = (
    Panel("verdict", "Verdict", "Which system wins, by how much, and can I trust it?"),
    Panel("controls", "Another user", "Does the verdict hold for another kind of user?"),
    Panel("curves", "Gain by rank", "How does quality build up as the user reads on?"),
    Panel("difference", "Difference by rank", "From which rank on is which one ahead?"),
    Panel("effort", "Effort", "How much more must the user read for the same gain?"),
    Panel("map", "Robustness", "How fragile is the verdict: who wins under other gains, discounts and cutoffs?"),
    Panel("topics", "Topics", "Where does it win and where does it lose?"),
    Panel("topic", "One topic", "Why did this topic change, and how was its number made?"),
    Panel("grades", "Grades by rank", "Few excellent documents, or many fair ones?"),
    Panel("recall", "Precision and recall", "Do the classic curves agree?"),
    Panel("pairs", "All pairs", "Which differences are significant after correction?"),
    Panel("health", "Judgment health", "Could missing judgments or ties change the order?"),
    Panel("sessions", "Sessions", "How good is the whole session?"),
    Panel("provenance", "Provenance", "Can a reviewer repeat this?"),
    Panel("export", "Export", "Can I paste it?"),
)

ALONE = ("verdict", "controls", "sessions", "provenance")
"""The panels of a page about sessions alone."""
SESSION_PANELS = tuple(panel for panel in PANELS if panel.id in ALONE)

OF_PAIRS = ("difference", "map", "pairs")
"""Panels that compare: one run alone has none of them."""


def panels(runs: int, sessions: bool) -> tuple[Panel, ...]:
    """The panels of a page with this many runs."""
    absent = {*(OF_PAIRS if runs < 2 else ()), *(() if sessions else ("sessions",))}
    return tuple(panel for panel in PANELS if panel.id not in absent)
