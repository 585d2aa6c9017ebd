"""The sweep map: who wins under which user."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from gaincurve.figures.colours import EQUAL, INK, PAPER
from gaincurve.figures.sheet import Rows, Sheet, in_order_of
from gaincurve.figures.style import finished, tones
from gaincurve.model.source import number_text
from gaincurve.model.sweep import TIED, Setting, Sweep

CELL, ROW, LETTER = 62, 22, 6
LONGEST = 180
"""Pixels of gains and discount beside a row of the map on a page."""
MOST_LETTERS = 16
"""Longer gains are cut beside a row: what follows them tells rows apart."""
WEIGHT = "weight of the best grade"
FREE = "no discount"


def sweep_chart(sweep: Sweep) -> Any:
    """A cell for each setting: the colour is the winner, full where significant, the number the margin."""
    panels = []
    if sweep.grid:
        panels.append(_map(sweep, sweep.grid, rows_title(s.discount for s in sweep.grid if _discounted(s))))
    if sweep.ratios:
        panels.append(_map(sweep, sweep.ratios, WEIGHT))
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=2)
    legend = "Full colour: significant; pale, in brackets: not. The number is the margin over the next best."
    said = [*_wrapped(sweep.sentence()), *_wrapped(sweep.ratio_sentence()), legend]
    axis = {"grid": False, "labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": "normal"}
    return finished(chart, said).configure_axis(**axis)


def _map(sweep: Sweep, settings: tuple[Setting, ...], title: str) -> Any:
    sheet = map_sheet(sweep, settings)
    cells = sheet.rows["cells"]
    rows, depths = (len({cell[side] for cell in cells}) for side in ("row", "depth"))
    lines = _wrapped(title, max(18, rows * ROW // LETTER))
    return sweep_map(sheet, list(sweep.runs), lines).properties(width=CELL * depths, height=ROW * rows)


def map_sheet(sweep: Sweep, settings: tuple[Setting, ...]) -> Sheet:
    """A row for each setting, and the winners that the legend explains."""
    names = _row_names(settings)
    lines = {name: i for i, name in enumerate(dict.fromkeys(names))}
    equal = nobody(sweep.runs)
    cells: Rows = [
        {
            "line": lines[name],
            "row": name,
            "gains": s.gains,
            "discount": s.discount if _discounted(s) else FREE,
            "last": s.depth,
            "depth": str(s.depth),
            "winner": equal if s.winner == TIED else s.winner,
            "margin": f"{s.margin:.3f}" if s.significant else f"({s.margin:.3f})",
            "shade": 1.0 if s.significant else 0.35,
            "ink": PAPER if s.significant else INK,
        }
        for s, name in zip(settings, names, strict=True)
    ]
    won = {equal if s.winner == TIED else s.winner for s in sweep.settings}
    return Sheet({"cells": cells}, {"seen": [name for name in (*sweep.runs, equal) if name in won]})


def nobody(runs: Sequence[str]) -> str:
    """Stands in the map for a winner where two runs share the best mean; no run is called like it."""
    name = "no run (equal)"
    while name in runs:
        name = f"({name})"
    return name


def sweep_map(sheet: Sheet, runs: list[str], title: list[str] | None) -> Any:
    """The definition: cells by last rank and gains with discount, in their order; on a page one is marked."""
    scale = alt.Scale(domain=[*runs, nobody(runs)], range=[*tones(runs), EQUAL])
    base = alt.Chart(sheet.data("cells")).encode(
        x=alt.X(
            "depth:N",
            sort=in_order_of("last"),
            title="last rank",
            axis=alt.Axis(labelAngle=0, orient="top", grid=False),
        ),
        y=alt.Y(
            "row:N",
            sort=in_order_of("line"),
            title=title,
            axis=alt.Axis(labelLimit=LONGEST if sheet.on_page else 0, grid=False),
        ),
    )
    legend = alt.Legend(
        title="winner",
        orient="bottom" if sheet.on_page else "right",
        columns=sheet.columns,
        values=sheet.value("seen"),
        labelLimit=sheet.entry,
    )
    told = [alt.Tooltip(f"{name}:N") for name in ("gains", "discount", "winner", "margin")]
    cells = base.mark_rect(stroke=PAPER, strokeWidth=2).encode(
        color=alt.Color("winner:N", scale=scale, legend=legend),
        opacity=alt.Opacity("shade:Q", scale=None),
        tooltip=[*told[:2], alt.Tooltip("depth:N", title="last rank"), *told[2:]],
    )
    size = alt.ExprRef("bandwidth('x') < 44 ? 9 : 11") if sheet.on_page else 11
    written = base.mark_text(fontSize=size).encode(text="margin:N", color=alt.Color("ink:N", scale=None))
    layers = [cells, written]
    if sheet.on_page:
        here = base.mark_rect(filled=False, stroke=INK, strokeWidth=3)
        layers.append(here.encode(opacity=alt.condition("datum.here", alt.value(1), alt.value(0))))
    return alt.layer(*layers).resolve_scale(color="independent")


def rows_title(discounts: Iterable[str]) -> str:
    """What the rows of a map are: gains, and what their short names leave out of the discounts tried."""
    tried = list(dict.fromkeys(discounts))
    if len(tried) < 2:
        return "; discount ".join(["gains", *tried])
    forms = dict.fromkeys(text.split("(base=")[0] for text in tried if "(base=" in text)
    return f"gains, base b of the discount {', '.join(forms)}"


def _row_names(settings: tuple[Setting, ...]) -> list[str]:
    """A short name for the row of each setting: 0-1-1-1, or 0-1-1-1, b=2 where several discounts are tried."""
    if settings[0].ratio is not None:
        return [f"{number_text(s.ratio)} : 1" for s in settings if s.ratio is not None]
    gains = short_gains([s.gains for s in settings])
    if len({s.discount for s in settings}) < 2:
        return [gains[s.gains] for s in settings]
    return [f"{gains[s.gains]}, {short_discount(s.discount)}" for s in settings]


def short_discount(text: str) -> str:
    """A discount without its form where it has a base: b=2."""
    _, based, base = text.partition("(base=")
    return FREE if text == "none" or base == "inf)" else f"b={base[:-1]}" if based else text


def short_gains(texts: Iterable[str]) -> dict[str, str]:
    """Gains short enough to stand beside a row, no two alike: long ones are cut and numbered."""
    different = dict.fromkeys(texts)
    found = {text: text for text in different}
    for i, text in enumerate((text for text in different if len(text) > MOST_LETTERS), start=1):
        behind = f"… ({i})"
        found[text] = text[: MOST_LETTERS - len(behind)] + behind
    return found


def _discounted(s: Setting) -> bool:
    """Whether the measure has a discount at all."""
    return "discount=" in s.measure


def _wrapped(text: str, width: int = 110) -> list[str]:
    import textwrap  # noqa: PLC0415 -- only where a map is drawn

    return textwrap.wrap(text, width)
