"""Judgments by several judges: one grade for each document, by a rule that is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import fmean, median

import numpy as np

from gaincurve.errors import InputError, Problem, nearest, one_of
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Rows
from gaincurve.model.source import Note, counted, examples, number_text, shorten

JUDGES: dict[str, str] = {
    "error": "refused where judges differ",
    "mean": "the mean of their grades",
    "median": "the median",
    "min": "the lowest",
    "max": "the highest",
}
"""What counts where several judges graded a document."""

_RULES: dict[str, Callable[[list[float]], float]] = {"mean": fmean, "median": median, "min": min, "max": max}


def by_judges(rows: Rows, rule: str) -> Rows:
    """Rows with one grade for each document, where judges are named."""
    one_of("--judges", rule, tuple(JUDGES))
    if rows.judges is None:
        return rows
    names = rows.judges.texts()
    judges = list(dict.fromkeys(names))
    groups = _groups(rows, names)
    several = [group for group in groups if len(group) > 1]
    if not several:
        return replace(rows, judges=None)
    differing = [group for group in several if len({float(rows.values[i]) for i in group}) > 1]
    if differing and rule == "error":
        raise _differ(rows, names, judges, several, differing)
    values = rows.values.copy()
    for group in several:
        values[group[0]] = _RULES.get(rule, max)([float(rows.values[i]) for i in group])
    share = f"{counted(len(differing), 'document')} of {len(several)} judged by several got different grades"
    text = f"{rows.path}: {counted(len(judges), 'judge')}; {share}"
    text += f": {JUDGES[rule]} counts" if differing else ""
    first: Ints = np.array([group[0] for group in groups], dtype=np.int64)
    format_ = f"{rows.format}, {rule} of {len(judges)} judges" if differing else rows.format
    notes = (*rows.notes, Note("judges-merged", text))
    origin = f"{rule}(judges={len(judges)})" if differing else rows.origin
    merged = replace(rows, values=values, judges=None, format=format_, notes=notes, origin=origin)
    return merged.take(first)


def _groups(rows: Rows, names: list[str]) -> list[list[int]]:
    """Rows of each document of a topic; one judge who graded it twice opens a group of their own, as a duplicate."""
    groups: dict[tuple[int, bytes, int], list[int]] = {}
    times: dict[tuple[int, bytes, str], int] = {}
    for row, judge in enumerate(names):
        topic, document = int(rows.topic[row]), rows.documents.bytes_at(row)
        nth = times[topic, document, judge] = times.get((topic, document, judge), 0) + 1
        groups.setdefault((topic, document, nth), []).append(row)
    return sorted(groups.values(), key=lambda group: group[0])


def by_one_judge(rows: Rows, judge: str) -> Rows:
    """The judgments of one judge."""
    names = [] if rows.judges is None else rows.judges.texts()
    own = np.array([i for i, name in enumerate(names) if name == judge], dtype=np.int64)
    if not len(own):
        judges = list(dict.fromkeys(names))
        what = f"{rows.path} has no judge {shorten(repr(judge))}{nearest(judge, judges)}: {examples(judges, 8)}"
        raise InputError(Problem("input-part", what, rows.path))
    return replace(rows.alone(own), judges=None, format=f"{rows.format}, judge {shorten(judge)}")


def _differ(
    rows: Rows, names: list[str], judges: list[str], several: list[list[int]], differing: list[list[int]]
) -> InputError:
    group = differing[0]
    grades = ", ".join(f"{shorten(names[i])} {number_text(float(rows.values[i]))}" for i in group[:4])
    where = f"topic {shorten(rows.topics[rows.topic[group[0]]])}, document {shorten(rows.documents[group[0]])}"
    what = f"{counted(len(judges), 'judge')} differ about {len(differing)} of {counted(len(several), 'document')}"
    hint = f"--judges mean, median, min or max (in Python judges=…); {rows.path}#{judges[0]} is one judge's"
    return InputError(
        Problem("judges-differ", f"{what} judged by several, such as {where}: {grades}", rows.place(group[0]), hint)
    )
