"""Curves by rank and by recall, and effort, as tables: wide for people, tidy (one number per row) for programs."""

from __future__ import annotations

import math

from gaincurve.curve.effort import Effort
from gaincurve.curve.points import Curves
from gaincurve.curve.recall import POINTS, RecallCurves
from gaincurve.io.render import Cell, Table
from gaincurve.model.graded import IDEAL


def curves_wide(curves: Curves) -> Table:
    """Selected ranks of every curve; the other formats have all ranks."""
    rows: list[tuple[Cell, ...]] = []
    for curve in curves.curves:
        for rank in curves.shown_ranks:
            values = [float(line[rank - 1]) for line in curve.values]
            rows.append((curve.name, rank, *values, float(curve.ideal[rank - 1])))
    stopping = curves.stopping
    sentences = [
        f"Even an ideal list has nothing more to give after rank {stopping.mean:.1f} on average, "
        f"rank {stopping.flat_from} at most.",
        *(
            f"{curve.name}: at rank {crossing.rank} {crossing.ahead} gets ahead of {crossing.behind}."
            for curve in curves.curves
            for crossing in curves.crossings(curve.name)
        ),
        "Some ranks only: -f tsv, csv or json give all, -o FILE.svg the picture.",
    ]
    signatures = (str(curve.signature) for curve in curves.curves)
    return Table(("curve", "rank", *curves.runs, IDEAL), rows, foot=(*sentences, *signatures))


def recall_wide(curves: RecallCurves) -> Table:
    """Precision at the eleven recall points, runs side by side; for one topic, at its relevant documents."""
    signatures = tuple(str(level.signature) for level in curves.levels)
    if curves.topic is None:
        means: list[tuple[Cell, ...]] = [
            (level.name, f"{recall:.1f}", *level.values[:, i].tolist())
            for level in curves.levels
            for i, recall in enumerate(POINTS)
        ]
        return Table(("level", "recall", *curves.runs), means, foot=(*curves.sentences(), *signatures))
    rows: list[tuple[Cell, ...]] = []
    for level in curves.levels:
        for run, points in zip(curves.runs, level.points, strict=True):
            for i, rank in enumerate(points.ranks.tolist()):
                recall, precision = float(points.recall[rank - 1]), float(points.precision[rank - 1])
                rows.append((level.name, run, rank, recall, precision, float(points.interpolated[i])))
    sentences = (
        *curves.sentences(),
        "Ranks of relevant documents only: -f tsv, csv or json give all, -o FILE.svg the picture.",
    )
    columns = ("level", "run", "rank", "recall", "precision", "interpolated")
    return Table(columns, rows, f"topic {curves.topic}", foot=(*sentences, *signatures))


def effort_wide(effort: Effort) -> Table:
    """The ranks that every run needs for each target."""
    rows: list[tuple[Cell, ...]] = []
    for g, giver in enumerate(effort.givers):
        needed = [_ranks(float(value), effort.depth) for value in effort.needed[g]]
        rows.append((f"{giver} @{effort.rank}" if effort.rank else giver, float(effort.targets[g]), *needed))
    columns = ("to gain what … gives", effort.curve, *(f"read with {run}" for run in effort.runs))
    return Table(columns, rows, foot=(*effort.sentences(), str(effort.signature)))


def _ranks(value: float, depth: int) -> Cell:
    if math.isnan(value):
        return f"> {depth}"
    return int(value) if value.is_integer() else value
