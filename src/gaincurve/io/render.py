"""Tables as text: for a terminal, TSV, CSV, Markdown, LaTeX, JSON lines."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gaincurve.io.columnar import BINARY
from gaincurve.model.numbers import LEVELS, no_level
from gaincurve.model.tables.tidy import Kind, Tidy


@dataclass(frozen=True)
class Bounded:
    """A value between bounds."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Marked:
    """A value with a mark raised beside it: letters of the rows that are significantly worse."""

    value: float
    mark: str


Cell = str | int | float | Bounded | Marked | None

RAISED = "\x1f"
"""Between a value and its mark until the format is known; no cell text keeps it."""

FORMATS: dict[str, str] = {
    "table": "for people: aligned columns, the default on a terminal",
    "tsv": "one row per number, signed, tab-separated: the default in a pipe",
    "csv": "the same, comma-separated",
    "json": "the whole result with inputs, signatures and notes",
    "jsonl": "one JSON record per number",
    "md": "a Markdown table",
    "latex": "a LaTeX table (booktabs)",
    **BINARY,
    "dvc": "JSON for DVC: metrics {run: {measure: value}} of scores, rows by rank of curves",
}
SUFFIXES: dict[str, str] = {
    ".txt": "table",
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "md",
    ".tex": "latex",
    ".parquet": "parquet",
    ".arrow": "arrow",
}
FIGURES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Table:
    """Rows under named columns. `foot` lines stand under it: signatures and sentences.

    `column_digits` gives single columns, by their number from 0, other digits after the point than the rest.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    title: str = ""
    foot: tuple[str, ...] = ()
    digits: int = field(default=4, kw_only=True)
    column_digits: Mapping[int, int] = field(default_factory=dict, kw_only=True)

    def numeric(self, column: int) -> bool:
        """Whether the column holds numbers ('> 100' and '< .0001' are, too), which are set flush right."""
        cells = [row[column] for row in self.rows]
        return bool(cells) and all(not isinstance(cell, str) or cell.startswith(("> ", "< ", ".")) for cell in cells)


def render(
    table: Table | Tidy, format: str, digits: int | None = None, width: int | None = None, color: bool = False
) -> str:
    """The table in one of the formats; `digits` after the point, all in TSV, CSV and JSON lines unless given."""
    if isinstance(table, Tidy):
        table = _as_table(table, truths=format == "jsonl")
    exact = format in ("tsv", "csv", "jsonl")
    if not exact:  # run names and topic ids also stand in headings, titles and sentences
        columns, foot = (tuple(map(_printable, texts)) for texts in (table.columns, table.foot))
        table = replace(table, columns=columns, title=_printable(table.title), foot=foot)
    column_digits = [table.column_digits.get(i, table.digits) for i in range(len(table.columns))]
    places = column_digits if digits is None and not exact else [digits] * len(column_digits)
    writers: dict[str, Callable[[], str]] = {
        "table": lambda: _aligned(table, _texts(table, places, "–"), width, color),
        "tsv": lambda: _delimited(table, _texts(table, places, ""), "\t"),
        "csv": lambda: _delimited(_defused(table), _texts(_defused(table), places, ""), ","),
        "jsonl": lambda: _json_lines(table, digits),
        "md": lambda: _markdown(table, _texts(table, places, "–")),
        "latex": lambda: _latex(table, _texts(table, places, "–")),
    }
    return writers[format]()


def _as_table(tidy: Tidy, truths: bool) -> Table:
    """The rows of a result; yes and no stand for its truths except in JSON."""
    columns = [column.cells() for column in tidy.columns.values()]
    words = {True: "yes", False: "no", None: None}
    for i, column in enumerate(tidy.columns.values()):
        if column.kind == "truth" and not truths:
            columns[i] = [words[cell] for cell in columns[i]]
    return Table(tuple(tidy.columns), list(zip(*columns, strict=True)))


def as_tidy(table: Table | Tidy) -> Tidy:
    """The typed columns of a table that has none of its own: text, unless all cells are numbers, counts or truths."""
    if isinstance(table, Tidy):
        return table
    kinds: dict[str, Kind] = {}
    for i, name in enumerate(table.columns):
        types = {type(row[i]) for row in table.rows} - {type(None)}
        kinds[name] = next((kind for kind, known in _KINDS.items() if types and types <= known), "text")
    return Tidy.of_rows("gaincurve.table/1", kinds, table.rows)  # type: ignore[arg-type]


_KINDS: dict[Kind, set[type]] = {"truth": {bool}, "count": {int}, "number": {int, float}}


def number(value: float, digits: int | None) -> str:
    """A number with this many digits after the point, or all its digits."""
    return repr(float(value)) if digits is None else f"{value:.{digits}f}"


P_VALUES = ("p", "p_adjusted", "p_randomisation", "judged_p")


def _p_value(p: float, digits: int) -> str:
    """A p-value or probability that rounding makes neither 0 nor a level of significance that it is not."""
    text = no_level(p, digits, LEVELS)
    return text if float(text) else f"{p:.1e}"


def _text(cell: Cell, digits: int | None, undefined: str) -> str:
    if isinstance(cell, Bounded):
        return f"{number(cell.value, digits)} [{number(cell.low, digits)}, {number(cell.high, digits)}]"
    if isinstance(cell, Marked):
        return f"{number(cell.value, digits)}{RAISED}{cell.mark}" if cell.mark else number(cell.value, digits)
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return undefined
    return number(cell, digits) if isinstance(cell, float) else str(cell)


def _texts(table: Table, places: Sequence[int | None], undefined: str) -> list[list[str]]:
    """The cells as text; for people (undefined is a dash) ids become printable before marks are added."""
    people = undefined == "–"

    def text(name: str, cell: Cell, digits: int | None) -> str:
        if people and isinstance(cell, str):
            return _printable(cell)
        if name in P_VALUES and digits is not None and isinstance(cell, float) and cell > 0:
            return _p_value(cell, digits)
        return _text(cell, digits, undefined)

    return [
        [text(name, cell, digits) for name, cell, digits in zip(table.columns, row, places, strict=True)]
        for row in table.rows
    ]


def _aligned(table: Table, rows: Sequence[Sequence[str]], width: int | None, color: bool) -> str:
    from rich import box  # noqa: PLC0415 -- only for people's tables: programs do not pay for the import
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table as RichTable  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, column in enumerate(table.columns):
        marked = any(isinstance(row[i], Marked) for row in table.rows)  # marks are of any length, values of one
        right = table.numeric(i) and not marked
        drawn.add_column(Text(column), justify="right" if right else "left", overflow="fold", no_wrap=right)
    for row in rows:
        drawn.add_row(*(Text(_raised(cell, " ", "", _printable)) for cell in row))
    out = io.StringIO()
    console = Console(file=out, width=width or 10_000, no_color=not color, force_terminal=color, highlight=False)
    console.print(drawn)
    body = "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").splitlines())
    head = [table.title, ""] if table.title else []  # above the table: rich would break it at the table's width
    return "\n".join([*head, body.strip("\n"), *table.foot]) + "\n"


def _printable(text: str) -> str:
    """A text with visible control characters, so that an id cannot move the cursor or recolour the terminal."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _raised(text: str, begin: str, end: str, escape: Callable[[str], str]) -> str:
    """A cell whose mark, if it has one, stands between `begin` and `end`."""
    value, separator, mark = text.partition(RAISED)
    return f"{escape(value)}{begin}{escape(mark)}{end}" if separator else escape(value)


def _delimited(table: Table, rows: Sequence[Sequence[str]], delimiter: str) -> str:
    lines: list[str] = []
    for row in (table.columns, *rows):
        line = io.StringIO()
        csv.writer(line, delimiter=delimiter, lineterminator="\r\n").writerow(row)  # so that a lone \r is quoted too
        lines.append(line.getvalue()[:-2] + "\n")
    return "".join(lines)


_FORMULA = re.compile(r"\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]inf", re.IGNORECASE | re.ASCII)


def _defused(table: Table) -> Table:
    """The table without cells that a spreadsheet would run as formulas: an apostrophe stands before them."""
    rows = [tuple(_harmless(cell) if isinstance(cell, str) else cell for cell in row) for row in table.rows]
    return replace(table, columns=tuple(map(_harmless, table.columns)), rows=rows)


def _harmless(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def _json_lines(table: Table, digits: int | None) -> str:
    lines = []
    for row in table.rows:
        values = [None if isinstance(cell, float) and math.isnan(cell) else cell for cell in row]
        record = dict(zip(table.columns, values, strict=True))
        if digits is not None:
            for name, cell in record.items():
                if isinstance(cell, float):
                    record[name] = float(_p_value(cell, digits)) if name in P_VALUES and cell else round(cell, digits)
        lines.append(json.dumps(record, allow_nan=False))
    return "".join(line + "\n" for line in lines)


_SIGNED = re.compile(r"[^`<]*\|gaincurve:[^`<]*$")


_MARKDOWN = re.compile(r"[\\|*\[\]`]|<|&(?=#?\w+;)|:(?=//)|(?<=www)\.", re.IGNORECASE)
_ENTITIES = {"<": "&lt;", "&": "&amp;", ":": "&#58;", ".": "&#46;"}


def _as_text(text: str) -> str:
    """Text that Markdown shows as it is: no column ends, no tag, link or code begins."""
    return _MARKDOWN.sub(lambda mark: _ENTITIES.get(mark[0], "\\" + mark[0]), _printable(text))


def _markdown(table: Table, rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(_raised(cell, '<sup>', '</sup>', _as_text) for cell in cells)} |"

    marks = ["---:" if table.numeric(i) else "---" for i in range(len(table.columns))]
    head = [f"**{_as_text(table.title)}**", ""] if table.title else []
    foot = (
        ["", *(f"`{text}`  " if _SIGNED.match(text) else f"{_as_text(text)}  " for text in table.foot)]
        if table.foot
        else []
    )
    return "\n".join([*head, line(table.columns), f"| {' | '.join(marks)} |", *map(line, rows), *foot]) + "\n"


_TEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--"}
_TEX |= {"<": r"\textless{}", ">": r"\textgreater{}", "−": "$-$"}
_TEX |= {char: "\\" + char for char in "&%$#_{}"}


def _latex(table: Table, rows: Sequence[Sequence[str]]) -> str:
    def escape(text: str) -> str:
        return "".join(_TEX.get(char, char) for char in _printable(text))

    def line(cells: Sequence[str]) -> str:
        row = " & ".join(_raised(cell, r"\textsuperscript{", "}", escape) for cell in cells)
        return ("{}" if row.lstrip().startswith(("[", "*")) else "") + row + r" \\"  # no argument of the line before

    shape = "".join("r" if table.numeric(i) else "l" for i in range(len(table.columns)))
    return "\n".join(
        [
            *(f"% {text}" for text in (table.title, *table.foot) if text),
            rf"\begin{{tabular}}{{{shape}}}",
            r"\toprule",
            line(table.columns),
            r"\midrule",
            *map(line, rows),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )
