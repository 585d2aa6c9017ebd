"""What a definition draws: rows and values inside it, or only their names, which the scripts of a page fill in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import altair as alt

from gaincurve.figures.colours import AXIS, CAPTION, FRAME, GRID, INK
from gaincurve.figures.style import line_legend, values_data

Rows = list[dict[str, Any]]

COLUMNS = "max(1, floor(width / 230))"
"""How many columns of a legend fit below a plot on a page."""


def in_order_of(field: str) -> Any:
    """Names along an axis by a number in their rows: the order of rows itself is lost when a page changes them."""
    return alt.EncodingSortField(field=field, op="min", order="ascending")


@dataclass(frozen=True)
class Sheet:
    """Data sets and values by name. A definition asks for them and never looks inside, so it serves both uses.

    In a saved figure they are inside the definition, and nothing is drawn for a data set without rows. On a page
    (`blank`) the data sets are empty and named, and each value is a parameter with an initial value.
    """

    rows: Mapping[str, Rows] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    on_page: bool = False

    @classmethod
    def blank(cls, **values: Any) -> Sheet:
        """A sheet of names only."""
        return cls({}, values, on_page=True)

    def data(self, name: str) -> Any:
        """The data set called `name`."""
        return alt.NamedData(name) if self.on_page else values_data(self.rows.get(name, []))

    def value(self, name: str) -> Any:
        """The value called `name`, or an expression that reads it."""
        return alt.ExprRef(name) if self.on_page else self.values[name]

    def has(self, name: str) -> bool:
        """Whether there is, or on a page may be, something to draw."""
        return self.on_page or bool(self.rows.get(name))

    @property
    def columns(self) -> Any:
        """The columns of a legend: one beside a saved figure, as many as fit below a figure on a page."""
        return alt.ExprRef(COLUMNS) if self.on_page else 1

    @property
    def wrapped(self) -> dict[str, Any]:
        """How a legend above the plot is broken into rows: a saved figure has room for one row."""
        return {"columns": self.columns} if self.on_page else {}

    def legend(self, title: list[str] | None, **more: Any) -> Any:
        """A legend of line styles: beside a saved figure; below a figure on a page, which may be narrow."""
        return line_legend(title, below=self.on_page, columns=self.columns, **more)

    def across(self) -> list[Any]:
        """The name of the x axis where a page may change it: an axis title cannot, so it is a text of its own."""
        if not self.on_page:
            return []
        text = alt.Chart(values_data([{}])).mark_text(
            text=alt.ExprRef("across"),
            limit=0,
            align="right",
            baseline="top",
            dy=24,
            fontSize=12,
            color=INK,
        )
        return [text.encode(x=alt.value("width"), y=alt.value("height"))]

    def up(self, over_names: bool = False) -> Any:
        """The name of the y axis where a page may change it: above the plot, or above the names beside it too."""
        frame, limit = ("bounds", "width + 100") if over_names else ("group", "max(300, width)")
        return alt.TitleParams(
            alt.ExprRef("up"), limit=alt.ExprRef(limit), anchor="start", frame=frame, fontSize=12, offset=6
        )

    def page_spec(self, chart: Any, width: int = 560) -> dict[str, Any]:
        """The definition for a page: parameters declared, colours written out, resized at each change."""
        parameters = [alt.param(name=name, value=value) for name, value in self.values.items()]
        spec: dict[str, Any] = chart.add_params(*parameters).properties(width=width).to_dict()
        del spec["$schema"]
        return spec | {
            "background": "transparent",
            "autosize": {"type": "pad", "resize": True},
            "config": PAGE,
        }


PAGE: dict[str, Any] = {
    "font": "sans-serif",
    "axis": {
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "grid": True,
        "gridColor": GRID,
        "labelColor": CAPTION,
        "titleColor": INK,
        "domainColor": AXIS,
        "tickColor": AXIS,
    },
    "legend": {"titleFontWeight": "normal", "labelColor": INK, "titleColor": CAPTION, "symbolStrokeColor": AXIS},
    "title": {"fontWeight": "normal", "color": INK, "fontSize": 12},
    "text": {"fill": INK},
    "view": {"stroke": FRAME},
}
"""Fonts and colours for a white page, in place of those that Vega would choose."""
