"""The sweep map: who wins under which user."""

from __future__ import annotations

from typing import Any

import altair as alt

from gaincurve.figures.style import COLOURS, finished, values_data
from gaincurve.model.source import number_text
from gaincurve.model.sweep import TIED, Setting, Sweep

CELL, ROW = 62, 22


def sweep_chart(sweep: Sweep) -> Any:
    """A cell for each setting: the colour is the winner, full where significant, the number the margin."""
    panels = []
    if sweep.grid:
        panels.append(_map(sweep, sweep.grid, "gains, discount"))
    if sweep.ratios:
        panels.append(_map(sweep, sweep.ratios, "weight of the best grade"))
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=2)
    legend = "Full colour: significant; pale: not. The number is the margin over the next best."
    said = [*_wrapped(sweep.sentence()), *_wrapped(sweep.ratio_sentence()), legend]
    axis = {"grid": False, "labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": "normal"}
    return finished(chart, said).configure_axis(**axis)


def _map(sweep: Sweep, settings: tuple[Setting, ...], title: str) -> Any:
    names = [_row_name(s) for s in settings]
    rows: list[dict[str, Any]] = [
        {
            "row": name,
            "depth": str(s.depth),
            "winner": "equal" if s.winner == TIED else s.winner,
            "margin": f"{s.margin:.3f}",
            "shade": 1.0 if s.significant else 0.35,
            "ink": "white" if s.significant else "#222",
        }
        for name, s in zip(names, settings, strict=True)
    ]
    order = list(dict.fromkeys(names))
    depths = list(dict.fromkeys(row["depth"] for row in rows))
    winners = [*sweep.runs, "equal"]
    tones = [COLOURS[i % len(COLOURS)] for i in range(len(sweep.runs))] + ["#bbbbbb"]
    seen = [w for w in winners if w in {"equal" if s.winner == TIED else s.winner for s in sweep.settings}]
    scale = alt.Scale(domain=winners, range=tones)
    base = alt.Chart(values_data(rows)).encode(
        x=alt.X("depth:N", sort=depths, title="last rank", axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("row:N", sort=order, title=title, axis=alt.Axis(labelLimit=0)),
    )
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=alt.Color(
            "winner:N", scale=scale, legend=alt.Legend(title="winner", orient="right", values=seen, labelLimit=0)
        ),
        opacity=alt.Opacity("shade:Q", scale=None),
        tooltip=["row:N", "depth:N", "winner:N", "margin:N"],
    )
    written = base.mark_text(fontSize=11).encode(text="margin:N", color=alt.Color("ink:N", scale=None))
    return (
        alt.layer(cells, written)
        .resolve_scale(color="independent")
        .properties(width=CELL * len(depths), height=ROW * len(order))
    )


def _row_name(s: Setting) -> str:
    if s.ratio is not None:
        return f"{number_text(s.ratio)} : 1"
    return f"{s.gains}, {s.discount}"


def _wrapped(text: str, width: int = 110) -> list[str]:
    import textwrap  # noqa: PLC0415 -- only where a map is drawn

    return textwrap.wrap(text, width)
