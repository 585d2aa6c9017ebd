"""Every colour of our figures, by its use, and what it becomes on a dark page."""

from __future__ import annotations

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#3A98D2", "#B8860B", "#7A4FBF", "#8B4513", "#5F7A1F", "#4D4D4D")
"""Okabe and Ito's colour-blind-safe palette, its yellow and sky blue darkened for white paper, and four more."""

OPEN, ALIKE = "#8a8a8a", "#767676"
"""Neither of two runs is better; and the second of two whose own colours are the same."""

PAPER, BLACK = "#ffffff", "#000000"
INK, RULE, MARK = "#222222", "#333333", "#777777"
"""Texts in a figure, the line of no difference, and the line at a rank."""

CAPTION, AXIS, FRAME, GRID = "#444444", "#888888", "#999999", "#e6e6e6"
FAINT, EQUAL, BEHIND = "#c4c4c4", "#bbbbbb", "#bababa"
"""Borders between queries, cells that nobody wins, and lines behind others."""

GREY = "#8c8c8c"

NOT_RELEVANT = "#dadfe5"
GRADES = ("#bdd7ee", "#8fbfe3", "#5fa2d3", "#3584c0", "#1a64a3", "#0b4680", "#082d59")
"""From the lowest relevant grade to the highest."""
UNJUDGED, HATCH = "#fbe8c8", COLOURS[5]

_ON_DARK = (
    *("#58ABE6", "#F28B45", "#2FC296", "#E59CC4", "#9AD6FA"),
    *("#DDB347", "#B59CF0", "#D19C6D", "#A9C25D", "#B9BEC5"),
)
DARK: dict[str, str] = {
    **dict(zip(COLOURS, _ON_DARK, strict=True)),
    OPEN: "#9aa0a6",
    ALIKE: "#a6acb3",
    PAPER: "#15181c",
    BLACK: "#f2f4f6",
    INK: "#e4e7ea",
    RULE: "#c9ced3",
    MARK: "#9ea4ab",
    CAPTION: "#b4bac1",
    AXIS: "#8b9199",
    FRAME: "#5c636b",
    GRID: "#2b3036",
    FAINT: "#454b52",
    EQUAL: "#6a7179",
    BEHIND: "#6b7178",
    GREY: "#989ea5",
    NOT_RELEVANT: "#363c44",
    **dict(zip(GRADES, ("#1d3f63", "#265681", "#306ea1", "#4189c2", "#69a7da", "#9cc9ee", "#d3e8fa"), strict=True)),
    UNJUDGED: "#43371c",
}
"""Light to dark for every colour string that a definition or its rows may hold: a page replaces them one by one.

All are written with six digits: a run called 'white' must keep its name.
Lines and texts keep a contrast of 4.5 : 1 to the dark paper; higher grades, darker on white, are brighter on black.
"""


def grade_tones(scale: list[float]) -> list[str]:
    """A colour for each grade, lowest first: grey for those that are not relevant, then darker and darker blues."""
    relevant = [grade for grade in scale if grade > 0]
    last = len(GRADES) - 1
    steps = max(1, len(relevant) - 1)
    blues = [GRADES[round(i * last / steps)] if len(relevant) > 1 else GRADES[3] for i in range(len(relevant))]
    return [NOT_RELEVANT] * (len(scale) - len(relevant)) + blues
