"""The sweep map: which run wins for which user."""

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
"""Longer gains are cut beside a row; the number after them distinguishes the rows."""
WEIGHT = "weight of the best grade"
FREE = "no discount"


def sweep_chart(sweep: Sweep) -> Any:
    """A cell for each setting: the colour is the winner, full where significant, the number the margin."""
    panels = []
    if sweep.grid:
        panels.append(_map(sweep, sweep.grid, _rows_title(sweep.grid)))
    if sweep.ratios:
        panels.append(_map(sweep, sweep.ratios, WEIGHT))
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=2)
    legend = "Full colour: significant; pale, in brackets: not. The number is the margin over the next best."
    method = _wrapped(sweep.method) if "sessions" in sweep.signature.parts else []
    caption = [*_wrapped(sweep.sentence()), *_wrapped(sweep.ratio_sentence()), legend, *method]
    axis = {"grid": False, "labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": "normal"}
    return finished(chart, caption).configure_axis(**axis)


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
            "gains": setting.gains,
            "discount": _both_discounts(setting),
            "last": setting.depth,
            "depth": str(setting.depth),
            "winner": equal if setting.winner == TIED else setting.winner,
            "margin": f"{setting.margin:.3f}" if setting.significant else f"({setting.margin:.3f})",
            "shade": 1.0 if setting.significant else 0.35,
            "ink": PAPER if setting.significant else INK,
        }
        for setting, name in zip(settings, names, strict=True)
    ]
    winners = {equal if setting.winner == TIED else setting.winner for setting in sweep.settings}
    return Sheet({"cells": cells}, {"seen": [name for name in (*sweep.runs, equal) if name in winners]})


def _both_discounts(setting: Setting) -> str:
    """The discount by rank, and of sessions that by query."""
    by_rank = setting.discount if _discounted(setting) else FREE
    return f"{by_rank}; by query {setting.query_discount}" if setting.query_discount else by_rank


def nobody(runs: Sequence[str]) -> str:
    """The map's winner where two runs share the best mean; no run has this name."""
    name = "no run (equal)"
    while name in runs:
        name = f"({name})"
    return name


def sweep_map(sheet: Sheet, runs: list[str], title: list[str] | None) -> Any:
    """The definition: cells by cutoff, and by gains and discount, in their order; on a page one is marked."""
    scale = alt.Scale(domain=[*runs, nobody(runs)], range=[*tones(runs), EQUAL])
    base = alt.Chart(sheet.data("cells")).encode(
        x=alt.X(
            "depth:N",
            sort=in_order_of("last"),
            title="cutoff",
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
        labelLimit=0,
    )
    tips = [alt.Tooltip(f"{name}:N") for name in ("gains", "discount", "winner", "margin")]
    cells = base.mark_rect(stroke=PAPER, strokeWidth=2).encode(
        color=alt.Color("winner:N", scale=scale, legend=legend),
        opacity=alt.Opacity("shade:Q", scale=None),
        tooltip=[*tips[:2], alt.Tooltip("depth:N", title="cutoff"), *tips[2:]],
    )
    size = alt.ExprRef("bandwidth('x') < 44 ? 9 : 11") if sheet.on_page else 11
    margins = base.mark_text(fontSize=size).encode(text="margin:N", color=alt.Color("ink:N", scale=None))
    layers = [cells, margins]
    if sheet.on_page:
        outline = base.mark_rect(filled=False, stroke=INK, strokeWidth=3)
        layers.append(outline.encode(opacity=alt.condition("datum.here", alt.value(1), alt.value(0))))
    return alt.layer(*layers).resolve_scale(color="independent")


def _rows_title(settings: tuple[Setting, ...]) -> str:
    """The title of the rows: gains and discounts; of sessions also the bases of the query discount."""
    title = rows_title(setting.discount for setting in settings if _discounted(setting))
    by_query = list(dict.fromkeys(setting.query_discount for setting in settings if setting.query_discount))
    if not by_query:
        return title
    forms = ", ".join(dict.fromkeys(text.split("(base=")[0] for text in by_query))
    named = f"base bq of the query discount {forms}" if len(by_query) > 1 else f"query discount {by_query[0]}"
    title = f"{title}; {named}"
    return title.replace("gains, ", f"gains {settings[0].gains}; ", 1) if _one_scheme(settings) else title


def _one_scheme(settings: tuple[Setting, ...]) -> bool:
    """Whether all settings of sessions have the same gains, which the title can name."""
    return bool(settings[0].query_discount) and len({setting.gains for setting in settings}) == 1


def rows_title(discounts: Iterable[str]) -> str:
    """The title of the rows of a map: gains, and what the short names of the discounts leave out."""
    tried = list(dict.fromkeys(discounts))
    if len(tried) < 2:
        return "; discount ".join(["gains", *tried])
    forms = dict.fromkeys(text.split("(base=")[0] for text in tried if "(base=" in text)
    return f"gains, base b of the discount {', '.join(forms)}"


def _row_names(settings: tuple[Setting, ...]) -> list[str]:
    """A short name for the row of each setting: 0-1-1-1, or 0-1-1-1, b=2 where several discounts are tried."""
    if settings[0].ratio is not None:
        return [f"{number_text(setting.ratio)} : 1" for setting in settings if setting.ratio is not None]
    gains = short_gains([setting.gains for setting in settings])
    discounts, by_query = ({getattr(s, axis) for s in settings} for axis in ("discount", "query_discount"))
    free = "b=inf" if len(by_query) > 1 else FREE
    return [
        ", ".join(
            (
                *([] if _one_scheme(settings) and len(discounts) > 1 else [gains[setting.gains]]),
                *([short_discount(setting.discount, free=free)] if len(discounts) > 1 else []),
                *([short_discount(setting.query_discount, "bq", "bq=inf")] if len(by_query) > 1 else []),
            )
        )
        for setting in settings
    ]


def short_discount(text: str, name: str = "b", free: str = FREE) -> str:
    """A discount without its form where it has a base: b=2; `free` where it does not discount."""
    _, separator, base = text.partition("(base=")
    return free if text == "none" or base == "inf)" else f"{name}={base[:-1]}" if separator else text


def short_gains(texts: Iterable[str]) -> dict[str, str]:
    """Gains short enough to fit beside a row, all distinct: long ones are cut and numbered."""
    short = {text: text for text in texts}
    long = [text for text in short if len(text) > MOST_LETTERS]
    for i, text in enumerate(long, start=1):
        number = f"… ({i})"
        short[text] = text[: MOST_LETTERS - len(number)] + number
    return short


def _discounted(setting: Setting) -> bool:
    """Whether the measure has a discount at all."""
    return "discount=" in setting.measure


def _wrapped(text: str, width: int = 110) -> list[str]:
    import textwrap  # noqa: PLC0415 -- only where a map is drawn

    return textwrap.wrap(text, width)
