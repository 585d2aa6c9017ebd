"""What all pictures share: colours, line styles, labels that do not collide, and how they are saved."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from gaincurve.errors import ChoiceError, Problem, extra_missing
from gaincurve.io.render import FIGURES
from gaincurve.io.results import write_whole
from gaincurve.model.graded import IDEAL

try:
    import altair as alt
except ImportError:
    raise extra_missing("figures", "drawing") from None

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#B8860B", "#7A4FBF", "#8B4513", "#5F7A1F", "#4D4D4D")
"""Okabe and Ito's colour-blind-safe palette, its yellow darkened to be seen on paper, and four more dark tones."""

DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (7, 3), (2, 2), (8, 3, 2, 3), (12, 4), (4, 2, 1, 2, 1, 2))
"""Line styles, so that lines can be told apart in black and white."""

MOST_LABELS = 10
RANK_AXIS = alt.Axis(tickMinStep=1, format="d")
"""Ranks are whole numbers."""
_LINE_HEIGHT = 13


def values_data(rows: list[dict[str, Any]]) -> Any:
    """Rows as the data of a chart, in the chart itself: no data frame is needed."""
    return alt.Data(values=rows)  # type: ignore[no-untyped-call]  # Altair's own annotation is missing


def colour(names: Sequence[str]) -> Any:
    """A colour for each run; the ideal is black."""
    tones = ["#000000" if name == IDEAL else COLOURS[i % len(COLOURS)] for i, name in enumerate(names)]
    return alt.Scale(domain=list(names), range=tones)


def dashes(names: Sequence[str]) -> Any:
    """A line style for each run; the ideal is dotted."""
    styles = [[1, 3] if name == IDEAL else list(DASHES[i % len(DASHES)]) for i, name in enumerate(names)]
    return alt.Scale(domain=list(names), range=styles)


def line_legend(title: list[str] | None) -> Any:
    """A legend beside the picture that shows line styles and never cuts a name."""
    return alt.Legend(
        title=title,
        orient="right",
        columns=1,
        symbolType="stroke",
        symbolStrokeWidth=2,
        symbolSize=400,
        titleLimit=0,
        labelLimit=0,
    )


def spread_labels(values: Sequence[float], low: float, high: float, height: int) -> list[float]:
    """Heights for labels beside the ends of lines, moved apart so that none covers another, in the same order.

    Labels that would overlap form a block around their mean, which is kept between `low` and `high`.
    """
    gap = (high - low) * _LINE_HEIGHT / height
    order = sorted(range(len(values)), key=lambda i: values[i])
    blocks: list[list[float]] = []  # [bottom, labels, sum of their wanted heights]
    for i in order:
        blocks.append([values[i], 1, values[i]])
        while len(blocks) > 1 and blocks[-2][0] + blocks[-2][1] * gap > blocks[-1][0]:
            _, more, wanted = blocks.pop()
            blocks[-1][1:] = [blocks[-1][1] + more, blocks[-1][2] + wanted]
            span = (blocks[-1][1] - 1) * gap
            middle = blocks[-1][2] / blocks[-1][1] - span / 2
            blocks[-1][0] = max(low, min(middle, high - span))
    heights = [bottom + j * gap for bottom, count, _ in blocks for j in range(int(count))]
    found = [0.0] * len(values)
    for i, placed in zip(order, heights, strict=True):
        found[i] = placed
    return found


def finished(chart: Any, caption: str | list[str]) -> Any:
    """Fonts, grid and the caption under a chart."""
    return (
        chart.properties(
            title=alt.TitleParams(
                text=caption, orient="bottom", anchor="start", fontSize=10, fontWeight="normal", color="#444", offset=14
            ),
            background="white",
        )
        .configure(font="sans-serif")
        .configure_axis(labelFontSize=11, titleFontSize=12, titleFontWeight="normal", grid=True, gridColor="#e6e6e6")
        .configure_legend(titleFontWeight="normal")
        .configure_title(fontWeight="normal")
        .configure_view(stroke="#999")
        .configure_concat(spacing=28)
    )


def caption(*signatures: str) -> str:
    """What the signatures of a picture say beyond its axes, each part once."""
    told = ("gain:", "discount:")
    parts = [part for text in signatures for part in text.split("|")[1:] if not part.startswith(told)]
    return "  ".join(dict.fromkeys(parts))


def _renumbered(svg: str) -> str:
    """Clip paths numbered from 0: vl-convert goes on counting from one picture to the next."""
    numbers: dict[str, int] = {}
    return re.sub(r"(?<=[\"#])clip(\d+)(?=[\")])", lambda m: f"clip{numbers.setdefault(m[1], len(numbers))}", svg)


def save(chart: Any, path: str | os.PathLike[str], scale: float = 2.0) -> None:
    """Save a chart as .svg, .png or .pdf; no browser and no network are used."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in FIGURES:
        raise ChoiceError(
            Problem("format-unknown", f"a picture cannot be saved as {suffix or path}", hint=" ".join(FIGURES))
        )
    try:
        import vl_convert as _  # noqa: F401, PLC0415 -- the extra that draws
    except ImportError:
        raise extra_missing("figures", "saving a picture") from None
    if suffix == ".svg":
        text = io.StringIO()
        chart.save(text, format="svg")
        write_whole(path, _renumbered(text.getvalue()).encode())
        return
    data = io.BytesIO()
    chart.save(data, format=suffix[1:], **({"scale_factor": scale} if suffix == ".png" else {}))
    write_whole(path, data.getvalue())
