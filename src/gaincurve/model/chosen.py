"""The columns of a table, chosen by their names and settled by their values: named, noted or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gaincurve.errors import InputError, Problem, near_key
from gaincurve.model.columns import ALIASES, VALUE, Columns, Doubt, Given, find, find_columns, folded
from gaincurve.model.likeness import out_of_rank
from gaincurve.model.rows import Rows
from gaincurve.model.source import Note, shorten

VALUE_SLUG = {"judgments": "judgments-grade", "run": "run-score"}


def columns_or_raise(names: Sequence[str], kind: str, name: str, at: str = "", given: Given | None = None) -> Columns:
    """The columns of a header, or an error that names the missing ones."""
    chosen = given or {}
    if VALUE[kind] not in chosen:
        _refuse_swapped(names, kind, at or name)
    columns, missing = find_columns(names, kind, chosen, name, at)
    if columns is None:
        there = ", ".join(map(shorten, names))
        what = f"{name} has no column for the {' and the '.join(missing)}; its columns are {there}"
        raise InputError(Problem("input-header", what + near_names(names, missing), at))
    return columns


def near_names(names: Sequence[str], roles: Sequence[str]) -> str:
    """' (did you mean doc_id instead of doc_idx?)' where a name is nearly one that is known for a role."""
    for role in roles:
        for name in names:
            near = None if find(role, [name]) is not None else near_key(folded(name), ALIASES[role])
            if near is not None and len(name) > 2:
                return f" (did you mean {near} instead of {shorten(name)}?)"
    return ""


def _refuse_swapped(names: Sequence[str], kind: str, place: str) -> None:
    """A table with ranks and scores is a run; one with grades and neither score nor rank is judgments."""
    grades = [name for name in names if find("grade", [name]) is not None and find("score", [name]) is None]
    columns = f"the columns {', '.join(map(shorten, names))} are those of"
    if kind == "judgments" and find("rank", names) is not None and not grades:
        raise InputError(Problem("judgments-look-like-run", f"{columns} a run", place))
    if kind == "run" and grades and find("score", names) is None and find("rank", names) is None:
        raise InputError(Problem("run-looks-like-judgments", f"{columns} judgments", place))


@dataclass(frozen=True)
class Rival:
    """A column that could have been taken: where it first differs, and the values there."""

    column: int
    place: str
    values: str


def settled(doubt: Doubt, columns: Columns, name: str, rivals: Sequence[Rival]) -> list[Note]:
    """Nothing where columns that could be the same thing are equal row by row; else a note, or they are refused."""
    if not rivals:
        return []
    taken, others = columns.named(doubt.taken), " and ".join(columns.named(rival.column) for rival in rivals)
    roles = {"grade": "grades", "score": "scores", "rank": "ranks"}.get(doubt.role, f"{doubt.role} ids")
    if doubt.settled:
        text = f"{name}: {roles} are from column {taken}, not {others}: {doubt.because}"
        return [Note("columns-chosen", text)]
    what = f"{name}: {roles} could be column {taken} or {others}, which differ: {rivals[0].values}"
    hint = f"--columns {doubt.role}={columns.names[doubt.taken]} (in Python columns={{'{doubt.role}': …}}) decides"
    if columns.names[doubt.taken] == columns.names[rivals[0].column]:
        hint = "rename or drop one of the two"
    raise InputError(Problem("input-two-columns", what, rivals[0].place, hint))


def refuse_exchanged_ranks(rows: Rows, columns: Columns) -> None:
    """Refuse scores that count 1, 2, 3, … beside ranks that are fractions: the list would stand upside down."""
    if rows.ranks is None or not (rows.ranks % 1 > 0).any() or len(out_of_rank(rows.topic, rows.values)):
        return
    score, rank = columns.named(columns.value), columns.named(columns.rank)
    what = f"column {score} counts 1, 2, 3, …, and column {rank} has fractions"
    raise InputError(Problem("run-rank", f"rank and score seem to be exchanged: {what}", rows.place(0)))
