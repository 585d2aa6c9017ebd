"""What all figures share: line styles, labels that do not collide, and how they are saved."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import PurePath
from typing import Any

from gaincurve.errors import ChoiceError, Problem, extra_missing
from gaincurve.figures.colours import ALIKE, BLACK, CAPTION, FRAME, GRID, PAPER
from gaincurve.figures.colours import COLOURS as COLOURS  # noqa: PLC0414 -- also importable from here
from gaincurve.figures.colours import DARK as DARK  # noqa: PLC0414
from gaincurve.io.render import FIGURES
from gaincurve.io.results import write_whole
from gaincurve.model.graded import IDEAL
from gaincurve.model.signature import Signature

try:
    import altair as alt
except ImportError:
    raise extra_missing("figures", "drawing") from None

DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (7, 3), (2, 2), (8, 3, 2, 3), (12, 4), (4, 2, 1, 2, 1, 2))
"""Line styles, so that lines can be distinguished in black and white."""

MOST_LABELS = 10
MOST_POINTS = 500
"""A longer line is thinned to about this many points, more than the eye can distinguish."""
RANK_AXIS = alt.Axis(tickMinStep=1, format="d", labelFlush=False)
"""Ranks are whole numbers, and each stands under its tick."""
_LINE_HEIGHT = 13


def values_data(rows: list[dict[str, Any]]) -> Any:
    """Rows as the data of a chart, in the chart itself: no data frame is needed."""
    return alt.Data(values=rows)  # type: ignore[no-untyped-call]  # Altair's own annotation is missing


def kept_ranks(depth: int) -> list[int]:
    """The ranks of a line that are drawn: all, or about `MOST_POINTS` of them and the last."""
    return sorted({*range(1, depth + 1, max(1, depth // MOST_POINTS)), depth})


def colour(names: Sequence[str]) -> Any:
    """A colour for each run; the ideal is black."""
    return alt.Scale(domain=list(names), range=tones(names))


def tones(names: Sequence[str]) -> list[str]:
    """The colours of the runs in every figure, in their order."""
    return [BLACK if name == IDEAL else COLOURS[i % len(COLOURS)] for i, name in enumerate(names)]


def pair_tones(runs: Sequence[str], a: str, b: str) -> tuple[str, str]:
    """The colours of two runs by their places among all; where they would be the same, the second is grey."""
    first, second = (tones(runs)[list(runs).index(name)] for name in (a, b))
    return first, ALIKE if first == second else second


def dashes(names: Sequence[str]) -> Any:
    """A line style for each run; the ideal is dotted."""
    return alt.Scale(domain=list(names), range=styles(names))


def styles(names: Sequence[str]) -> list[list[int]]:
    """The line styles of the runs in every figure, in their order."""
    return [[1, 3] if name == IDEAL else list(DASHES[i % len(DASHES)]) for i, name in enumerate(names)]


def line_legend(title: list[str] | None, below: bool = False, columns: Any = 1, **more: Any) -> Any:
    """A legend that shows line styles, beside the figure or below it; it never truncates a name."""
    return alt.Legend(
        title=title,
        orient="bottom" if below else "right",
        columns=columns,
        symbolType="stroke",
        symbolStrokeWidth=2,
        symbolSize=400,
        symbolOpacity=1,
        titleLimit=0,
        labelLimit=0,
        **more,
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
    in_given_order = [0.0] * len(values)
    for i, label_height in zip(order, heights, strict=True):
        in_given_order[i] = label_height
    return in_given_order


class Shown:
    """A figure that a notebook shows as SVG, without a network; a renderer chosen in Altair is used instead."""

    def _repr_mimebundle_(self, *args: Any, **choices: Any) -> Any:
        if alt.renderers.active == "default" and find_spec("vl_convert"):
            text = io.StringIO()
            self.save(text, format="svg")  # type: ignore[attr-defined]  # every chart has it
            return {"image/svg+xml": text.getvalue()}
        return super()._repr_mimebundle_(*args, **choices)  # type: ignore[misc]  # and this


class _Chart(Shown, alt.Chart):
    pass


class _Layered(Shown, alt.LayerChart):
    pass


class _Beside(Shown, alt.HConcatChart):
    pass


class _Below(Shown, alt.VConcatChart):
    pass


class _Panels(Shown, alt.ConcatChart):
    pass


_SHOWN = {kind.__bases__[1]: kind for kind in (_Chart, _Layered, _Beside, _Below, _Panels)}


def finished(chart: Any, caption: str | list[str]) -> Any:
    """Fonts, grid and the caption under a chart, of one line or several; a notebook shows it without a network."""
    object.__setattr__(chart, "__class__", _SHOWN[type(chart)])  # a plain one would set a property of the chart
    return (
        chart.properties(
            title=alt.TitleParams(
                text=caption,
                orient="bottom",
                anchor="start",
                fontSize=10,
                fontWeight="normal",
                color=CAPTION,
                offset=14,
            ),
            background=PAPER,
        )
        .configure(font="sans-serif")
        .configure_axis(labelFontSize=11, titleFontSize=12, titleFontWeight="normal", grid=True, gridColor=GRID)
        .configure_legend(titleFontWeight="normal")
        .configure_title(fontWeight="normal")
        .configure_view(stroke=FRAME)
        .configure_concat(spacing=28)
    )


def caption(*signatures: Signature) -> str:
    """What the signatures of a figure say beyond its axes, each part once."""
    parts = [part for signature in signatures for part in signature.parts.items()]
    texts = (f"{name}:{value}" for name, value in parts if name not in ("gain", "discount"))
    return "  ".join(dict.fromkeys(texts))


def _renumbered(svg: str) -> str:
    """Clip paths numbered from 0: vl-convert continues its count from one figure to the next."""
    numbers: dict[str, int] = {}
    return re.sub(
        r"(?<=[\"#])clip(\d+)(?=[\")])", lambda match: f"clip{numbers.setdefault(match[1], len(numbers))}", svg
    )


def save(chart: Any, path: str | os.PathLike[str], scale: float = 2.0) -> None:
    """Save a chart as .svg, .png or .pdf; no browser and no network are used."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in FIGURES:
        raise ChoiceError(
            Problem("format-unknown", f"a figure cannot be saved as {suffix or path}", hint=" ".join(FIGURES))
        )
    try:
        import vl_convert as _  # noqa: F401, PLC0415 -- the extra that draws
    except ImportError:
        raise extra_missing("figures", "saving a figure") from None
    if suffix == ".svg":
        text = io.StringIO()
        chart.save(text, format="svg")
        write_whole(path, _renumbered(text.getvalue()).encode())
        return
    data = io.BytesIO()
    chart.save(data, format=suffix[1:], **({"scale_factor": scale} if suffix == ".png" else {}))
    write_whole(path, data.getvalue())
