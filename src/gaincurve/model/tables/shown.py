"""Tables for people where a result shows itself: text that is printed, HTML in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from gaincurve.errors import visible
from gaincurve.model.source import grouped
from gaincurve.model.tables.tidy import Column, Tidy

MOST_ROWS = 60
"""People see this many rows; frames and files have all."""
SMALLEST = 0.00005
"""A smaller number would be shown as 0 although it is not."""
UNDEFINED = "–"


def shown_cells(column: Column) -> list[str]:
    """The values as people read them: four digits after the point, 3.2e-07 for what would become 0, a dash for none."""
    return [_shown(cell) for cell in column.cells()]


def _shown(cell: Any) -> str:
    if cell is None:
        return UNDEFINED
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if not isinstance(cell, float):
        return visible(str(cell))
    return f"{cell:.1e}" if 0 < abs(cell) < SMALLEST else f"{cell:.4f}"


def _more(tidy: Tidy) -> list[str]:
    hidden = len(tidy) - MOST_ROWS
    return [f"… and {grouped(hidden)} more rows: to_frame() has all."] if hidden > 0 else []


def as_text(tidy: Tidy, lines: Iterable[object]) -> str:
    """Aligned columns, and lines under them."""
    shown = tidy.first(MOST_ROWS)
    parts = [_aligned(visible(name), column) for name, column in shown.columns.items()]
    rows = ["  ".join(cells).rstrip() for cells in zip(*parts, strict=True)]
    return "\n".join([*rows, *_more(tidy), "", *(visible(str(line)) for line in lines)]).rstrip("\n")


def _aligned(name: str, column: Column) -> list[str]:
    cells = [name, *shown_cells(column)]
    width = max(map(len, cells))
    return [cell.ljust(width) if column.kind == "text" else cell.rjust(width) for cell in cells]


def as_html(tidy: Tidy, sentences: Sequence[str], notes: Iterable[object]) -> str:
    """A table with sentences and notes under it, and the signatures behind a fold; every text is escaped."""
    shown = tidy.first(MOST_ROWS)
    aligned = [_ALIGN[column.kind == "text"] for column in shown.columns.values()]
    head = "".join(f"<th{align}>{_safe(name)}</th>" for name, align in zip(shown.columns, aligned, strict=True))
    columns = [shown_cells(column) for column in shown.columns.values()]
    body = "".join(
        "<tr>" + "".join(f"<td{align}>{escape(cell)}</td>" for cell, align in zip(row, aligned, strict=True)) + "</tr>"
        for row in zip(*columns, strict=True)
    )
    under = [f"<p>{_safe(sentence)}</p>" for sentence in (*_more(tidy), *sentences)]
    listed = [f"<li>{_safe(note)}</li>" for note in notes]
    under += [f"<ul>{''.join(listed)}</ul>"] if listed else []
    if tidy.signatures:
        title = "signature" if len(tidy.signatures) == 1 else f"{len(tidy.signatures)} signatures"
        signed = "\n".join(_safe(signature) for signature in tidy.signatures)
        wrapped = "white-space: pre-wrap; overflow-wrap: anywhere"
        under.append(f'<details><summary>{title}</summary><pre style="{wrapped}">{signed}</pre></details>')
    return f"<div><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{''.join(under)}</div>"


_PADDED = ' style="text-align: {}; padding: 0.1em 0.6em"'  # not every page that shows HTML has a style of its own
_ALIGN = {True: _PADDED.format("left"), False: _PADDED.format("right")}


def _safe(text: object) -> str:
    return escape(visible(str(text)))
