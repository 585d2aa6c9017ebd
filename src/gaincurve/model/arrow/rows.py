"""A whole table as rows, for what needs all of it: judgments, and runs whose documents are looked at."""

from __future__ import annotations

from dataclasses import replace

from gaincurve.model.arrow.parts import parts_of
from gaincurve.model.arrow.reader import TableReader
from gaincurve.model.arrow.table import Table
from gaincurve.model.chosen import refuse_exchanged_ranks
from gaincurve.model.columns import Given
from gaincurve.model.judges import by_one_judge
from gaincurve.model.rows import Rows, several_runs


def parts_of_table(table: Table, kind: str, columns: Given | None = None, only: str = "") -> list[tuple[str, Rows]]:
    """The runs of a table, with the names it gives them, or its judgments; `only` names one run or judge."""
    reader = TableReader(table, kind, columns, only)
    rows = {number: rows for number, _, rows in parts_of(reader, whole=True)}
    if kind == "run" and reader.scored:
        for run in rows.values():
            refuse_exchanged_ranks(run, reader.columns)
    names = reader.run_names("") if kind == "run" else [""]
    parts = [(names[number], replace(run, notes=tuple(reader.notes))) for number, run in sorted(rows.items())]
    return parts if kind == "run" or not only else [(only, by_one_judge(parts[0][1], only))]


def rows_of_table(table: Table, kind: str, columns: Given | None = None) -> Rows:
    """The rows of a table that holds one run, or judgments."""
    parts = parts_of_table(table, kind, columns)
    if len(parts) > 1:
        raise several_runs([name for name, _ in parts], table.path)
    return parts[0][1]
