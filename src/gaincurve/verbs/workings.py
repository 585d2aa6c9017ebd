"""How the number of a binary measure comes out: precision and recall by rank, levels of recall, a contingency table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from gaincurve.measures.binary import LEVELS, interpolated, needed
from gaincurve.measures.relevant import Relevant, is_relevant, relevant
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.source import number_text


@dataclass(frozen=True)
class Part:
    """A small table beside the ranks: the eleven points, a contingency table."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]


@dataclass(frozen=True)
class Working:
    """What leads to a number: further columns by rank, tables beside them, and the sums written out."""

    columns: Mapping[str, tuple[float | None, ...]]
    parts: tuple[Part, ...] = ()
    sums: tuple[str, ...] = ()


NO_WORKING = Working({})


def working(run: Graded, measure: Measure, arguments: Mapping[str, Any], depth: int, value: float) -> Working:
    """The working of the one list in `run`; empty for measures that do not ask which documents are relevant.

    Where tied documents share their ranks, there is no one order whose precision could be shown.
    """
    if "rel" not in arguments or run.spread:
        return NO_WORKING
    hits = relevant(run, arguments["rel"], arguments.get("only"))
    columns = _by_rank(run, hits, arguments, depth)
    if measure.name in _WORKINGS:
        return _WORKINGS[measure.name](hits, arguments, columns, value)
    if measure.name in _SETS:
        return _set(run, hits, measure.name, arguments, value)
    return Working(columns)


def _by_rank(
    run: Graded, hits: Relevant, arguments: Mapping[str, Any], depth: int
) -> dict[str, tuple[float | None, ...]]:
    relevant = np.zeros(depth)
    inside = run.rank <= depth
    relevant[run.rank[inside] - 1] = is_relevant(run.grade, arguments["rel"], arguments.get("only"))[inside]
    so_far = np.cumsum(relevant)
    total = int(hits.total[0])
    recall = [count / total if total else None for count in so_far.tolist()]
    return {"P@i": tuple((so_far / np.arange(1, depth + 1)).tolist()), "R@i": tuple(recall)}


def _average_precision(
    hits: Relevant, arguments: Mapping[str, Any], columns: Mapping[str, tuple[float | None, ...]], value: float
) -> Working:
    """P@i at the ranks of relevant documents, and their sum over R."""
    precisions, ranks = columns["P@i"], set(hits.rank.tolist())
    adds = tuple(p if i in ranks else None for i, p in enumerate(precisions, 1))
    whole, cutoff = int(hits.total[0]), arguments.get("cutoff")
    if arguments["norm"] == "min" and cutoff is not None:
        whole = min(whole, cutoff)
    if not whole:
        return Working({**columns, "adds": adds})
    terms = [p for p in adds if p is not None]
    missed = whole - len(terms)
    text = f"({' + '.join(map(_short, terms)) or '0'})/{whole} = {value:.4f}"
    if missed > 0:
        text += f"; {missed} relevant not found add{'s' if missed == 1 else ''} 0"
    return Working({**columns, "adds": adds}, sums=(text,))


def _levels(
    hits: Relevant, arguments: Mapping[str, Any], columns: Mapping[str, tuple[float | None, ...]], value: float
) -> Working:
    """The levels of recall that are asked for: how many documents they take, and the best precision from there on."""
    given, points = arguments.get("levels"), arguments["points"]
    if "cutoff" in arguments:
        levels = [Fraction(repr(float(arguments["cutoff"])))]
    else:
        levels = [*LEVELS] if given is None else [Fraction(level) for level in given.split(",")]
    if not hits.total[0]:
        return Working(columns)
    rows = []
    for level in levels:
        count = max(int(needed(hits.total, level, points)[0]), 1)
        ranks = hits.rank[hits.nth == count].tolist()
        rows.append((float(level), count, ranks[0] if ranks else None, float(interpolated(hits, level, points)[0])))
    part = Part("interpolated precision: the best P@i at this rank or later",
                ("recall", "relevant needed", "reached at rank", "IPrec"), tuple(rows))  # fmt: skip
    return Working(columns, (part,), () if len(rows) == 1 else (_mean_text([row[3] for row in rows], value),))


def _mean_text(terms: list[float], value: float) -> str:
    """Equal neighbours are counted: (2·1 + 7·0.8333 + 2·0.6)/11 = 0.8212."""
    groups: list[tuple[float, int]] = []
    for term in terms:
        if groups and groups[-1][0] == term:
            groups[-1] = (term, groups[-1][1] + 1)
        else:
            groups.append((term, 1))
    text = " + ".join(_short(term) if count == 1 else f"{count}·{_short(term)}" for term, count in groups)
    return f"({text})/{len(terms)} = {value:.4f}"


def _set(run: Graded, hits: Relevant, name: str, arguments: Mapping[str, Any], value: float) -> Working:
    """The contingency table of the result set, and the measure computed from its cells."""
    a, retrieved, total = int(hits.found[0]), int(run.retrieved[0]), int(hits.total[0])
    b, c, size = retrieved - a, total - a, arguments.get("N")
    d = None if size is None else int(size) - a - b - c
    rows = (
        ("retrieved", a, b, retrieved),
        ("not retrieved", c, d, None if d is None else c + d),
        ("all", total, None if d is None else b + d, size),
    )
    part = Part("a, b / c, d", ("", "relevant", "not relevant", "all"), rows)
    sums = [text for text in (*_shares(name, a, b, c), _combined(name, arguments, (a, b, c, d), value)) if text]
    return Working({}, (part,), tuple(sums))


def _shares(name: str, a: int, b: int, c: int) -> list[str]:
    """Precision and recall, where the measure is made of them."""
    texts = []
    if name in ("SetP", "SetF", "SetAP"):
        texts.append(f"P = a/(a + b) = {a}/{a + b}" + (f" = {a / (a + b):.4f}" if a + b else ": undefined"))
    if name in ("SetR", "SetF", "SetAP"):
        texts.append(f"R = a/(a + c) = {a}/{a + c}" + (f" = {a / (a + c):.4f}" if a + c else ": undefined"))
    return texts


def _combined(
    name: str, arguments: Mapping[str, Any], cells: tuple[int, int, int, int | None], value: float
) -> str | None:
    """The measure from the cells of the table, where it is not precision or recall itself."""
    if np.isnan(value):
        return f"{name} is undefined"
    a, b, c, d = cells
    best = min(a + b, a + c)
    texts = {
        "SetF": f"F = {_f_text(arguments, a, b, c)}{value:.4f}" if name == "SetF" else "",
        "SetAP": f"SetAP = P·R = {value:.4f}",
        "SetRelP": f"SetRelP = a/min(a + b, a + c) = {a}/{best} = {value:.4f}",
        "Fallout": f"Fallout = b/(b + d) = {b}/{b + (d or 0)} = {value:.4f}",
        "Utility": f"Utility = {_worths(arguments)} = {number_text(value)}" if name == "Utility" else "",
    }
    return texts.get(name)


def _f_text(arguments: Mapping[str, Any], a: int, b: int, c: int) -> str:
    alpha = arguments.get("alpha")
    weight = arguments["beta"] ** 2 if alpha is None else (1 - alpha) / alpha
    if weight == 1:
        return f"2·P·R/(P + R) = 2a/(2a + b + c) = {2 * a}/{2 * a + b + c} = "
    return f"(β² + 1)·P·R/(β²·P + R) with β² = {number_text(round(weight, 6))}: "


def _worths(arguments: Mapping[str, Any]) -> str:
    return " + ".join(f"{number_text(float(arguments[cell]))}·{cell}" for cell in "abcd" if arguments[cell])


def _short(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


_Make = Callable[[Relevant, Mapping[str, Any], Mapping[str, "tuple[float | None, ...]"], float], Working]
_WORKINGS: dict[str, _Make] = {"AP": _average_precision, "AP11": _levels, "IPrec": _levels}
_SETS = ("SetP", "SetR", "SetF", "SetAP", "SetRelP", "Fallout", "Utility")
