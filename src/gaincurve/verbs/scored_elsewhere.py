"""Scores that another tool computed, topic by topic: PyTerrier's per-query table, or results of `gaincurve eval -q`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaincurve.errors import GaincurveError, InputError, Problem, nearest
from gaincurve.measures.notation import parse_measure
from gaincurve.model.columns import ALIASES, folded
from gaincurve.model.measure import Measure
from gaincurve.model.numbers import finite_number
from gaincurve.model.objects import text_ids
from gaincurve.model.paths import is_path, read_path
from gaincurve.model.scores import Scores
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted, shorten

ROLES: dict[str, tuple[str, ...]] = {
    "run": ("name", "run", "system"),
    "topic": ("qid", *(name for name in ALIASES["topic"] if name != "qid")),
    "measure": ("measure", "metric"),
    "value": ("value", "score"),
}
"""The columns of a table of scores, by the names they have."""

SUMMARIES = ("all", "amean", "mean")
"""Topics of this name hold a mean over topics."""

EXPECTED = (
    "columns for run (name), topic (qid), measure and value, as pt.Experiment(…, perquery=True) returns; "
    "with judgments, give runs, too"
)
Rows = Mapping[str, Sequence[Any]]


def scores_in(given: Any) -> Scores | None:
    """Scores from a path, a data frame, an Arrow table or a list of records; None for anything else."""
    if is_path(given):
        scores: Scores = read_path("scores", given, "the scores")
        return scores
    table = table_in(given)
    return None if table is None else scores_of(table, "scores")


def table_in(given: Any) -> Rows | None:
    """The columns of a data frame, an Arrow table or a list of records; None for anything else."""
    if isinstance(given, list | tuple) and given and all(isinstance(row, Mapping) for row in given):
        return {str(name): [row.get(name) for row in given] for name in given[0]}
    given = given.collect() if hasattr(given, "collect") else given  # a lazy frame
    if hasattr(given, "to_pydict"):
        columns: Rows = given.to_pydict()
        return columns
    if hasattr(given, "columns") and hasattr(given, "__getitem__") and not isinstance(given, Mapping):
        return {str(name): given[name].to_list() for name in given.columns}
    return None


def _places(names: Iterable[str]) -> dict[str, str]:
    known = {folded(name): name for name in reversed(list(names))}
    columns = {role: next((known[name] for name in ROLES[role] if name in known), "") for role in ROLES}
    return {role: name for role, name in columns.items() if name}


def scores_of(
    table: Rows, name: str, place: Callable[[int], str] | None = None, sha256: str | None = None, format: str = ""
) -> Scores:
    """Scores from a table with a row for each run, topic and measure; `place` says where a row stands."""
    columns = _places(table)
    if columns.keys() != ROLES.keys():
        raise InputError(Problem("scores-table", _missing(table, columns), name, EXPECTED))
    at = place or (lambda i: f"{name}, row {i} (from 0)")
    texts = {
        role: text_ids(list(table[columns[role]]), role, name, at, repr(columns[role]))
        for role in ("run", "topic", "measure")
    }
    kept = [i for i, topic in enumerate(texts["topic"]) if topic not in SUMMARIES]
    if not kept:
        what = f"{name} holds means over topics only, and a test needs the scores of every topic"
        raise InputError(Problem("scores-table", what, name, "pt.Experiment(…, perquery=True), gaincurve eval -q"))
    index = {role: _index(texts[role][i] for i in kept) for role in texts}
    values = np.full([len(index[role]) for role in ("run", "measure", "topic")], np.nan)
    seen: dict[tuple[int, int, int], int] = {}
    for i in kept:
        run, measure, topic = (index[role][texts[role][i]] for role in ("run", "measure", "topic"))
        if (run, measure, topic) in seen:
            what = f"{texts['measure'][i]} of {texts['run'][i]} on topic {shorten(texts['topic'][i])} occurs twice"
            raise InputError(Problem("scores-table", what, f"{at(i)} (first {at(seen[run, measure, topic])})"))
        seen[run, measure, topic] = i
        values[run, measure, topic] = _value(table[columns["value"]][i], columns["value"], at(i))
    measures = [_measure(text) for text in index["measure"]]
    signed = _signatures(table, texts["measure"], kept, at)
    topics = len(index["topic"])
    return Scores(
        runs=tuple(index["run"]),
        measures=tuple(measure for measure, _ in measures),
        units=tuple(index["topic"]),
        values=values,
        signatures=tuple(
            Signature(measure, signed.get(measure.text) or {"scored": "elsewhere", "topics": str(topics)})
            for measure, _ in measures
        ),
        inputs=(Source(name, format or "scores by topic", topics, len(kept), sha256),),
        notes=tuple(_notes(measures, index, values, name)),
    )


def _missing(table: Rows, columns: Mapping[str, str]) -> str:
    there = ", ".join(shorten(repr(name)) for name in table)
    lacking = [role for role in ROLES if role not in columns]
    near = nearest(ROLES[lacking[0]][0], [folded(name) for name in table])
    return f"no scores by topic: there is no column for {' and '.join(lacking)}{near} among {there or 'none'}"


def _index(texts: Iterable[str]) -> dict[str, int]:
    index: dict[str, int] = {}
    for text in texts:
        index.setdefault(text, len(index))
    return index


def _value(given: Any, column: str, where: str) -> float:
    """A number; nan where a tool writes that it has none."""
    if given is None or (isinstance(given, float) and math.isnan(given)) or str(given).lower() in ("", "nan"):
        return math.nan
    value = finite_number(given)
    if math.isnan(value):
        raise InputError(Problem("scores-table", f"{column!r} is {shorten(repr(given))}, not a number", where))
    return value


def _measure(text: str) -> tuple[Measure, bool]:
    """A measure under the name that its tool gives it, and whether we know which way is better."""
    try:
        known = parse_measure(text.removeprefix("gaincurve."))  # so the plug-in of ir_measures names them
    except GaincurveError:
        form = parse_measure("CG").definition  # any will do: nothing of it is used but its form
        other = replace(form, name=text, title=text, source="", formula="", better="higher", low=None, high=None)
        return Measure(text, other, None, ()), False
    return replace(known, text=text), True


def _signatures(
    table: Rows, measures: Sequence[str], kept: Sequence[int], at: Callable[[int], str]
) -> dict[str, dict[str, str]]:
    """The parts of the signatures that our own results carry; two under one measure are not comparable."""
    written = next((table[name] for name in table if folded(name) == "signature"), None)
    first: dict[str, int] = {}
    for i in kept if written is not None else ():
        before = first.setdefault(measures[i], i)
        if written is not None and written[i] != written[before]:
            what = f"{measures[i]} was computed in two ways: {shorten(str(written[before]))} and {written[i]}"
            raise InputError(Problem("scores-table", what, f"{at(i)} (first {at(before)})"))
    parts: dict[str, dict[str, str]] = {}
    for measure, i in first.items():
        pieces = (piece.partition(":") for piece in str(written[i] if written is not None else "").split("|")[1:])
        parts[measure] = {key: value for key, colon, value in pieces if colon}
    return parts


def _notes(
    measures: Sequence[tuple[Measure, bool]], index: Mapping[str, Mapping[str, int]], values: Any, name: str
) -> Iterable[Note]:
    unknown = [measure.text for measure, known in measures if not known]
    if unknown:
        text = f"{', '.join(unknown)}: not a measure of ours, so higher is taken as better"
        yield Note("scores-direction", text)
    for run, r in index["run"].items():
        lacking = int(np.isnan(values[r]).any(axis=0).sum())
        if lacking:
            text = f"{name}: {run} has no score for {counted(lacking, 'topic')} of {len(index['topic'])}"
            yield Note("scores-missing", text, (run,))
