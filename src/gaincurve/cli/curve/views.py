"""Curves by rank and by recall, and effort, as tables: wide for people, tidy (one number per row) for programs."""

from __future__ import annotations

import math

from gaincurve.curve.effort import Effort
from gaincurve.curve.points import Curves
from gaincurve.curve.recall import POINTS, RecallCurves
from gaincurve.io.render import Cell, Table
from gaincurve.model.graded import IDEAL

SHOWN_RANKS = (1, 2, 3, 5, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)


def curves_wide(curves: Curves) -> Table:
    """Selected ranks of every curve; the other formats have all ranks."""
    shown = [rank for rank in SHOWN_RANKS if rank < curves.depth] + [curves.depth]
    rows: list[tuple[Cell, ...]] = []
    for curve in curves.curves:
        for rank in shown:
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


def curves_tidy(curves: Curves) -> Table:
    """curve, run, topic, rank, value, signature."""
    rows: list[tuple[Cell, ...]] = []
    for curve in curves.curves:
        lines = [(run, "all", curve.values[r]) for r, run in enumerate(curves.runs)] + [(IDEAL, "all", curve.ideal)]
        if curve.by_topic is not None:
            lines += [
                (run, topic, curve.by_topic[r, t])
                for r, run in enumerate(curves.runs)
                for t, topic in enumerate(curves.topics)
            ]
        for run, topic, values in lines:
            rows += [
                (curve.name, run, topic, rank, value, str(curve.signature))
                for rank, value in enumerate(values.tolist(), 1)
            ]
    return Table(("curve", "run", "topic", "rank", "value", "signature"), rows)


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


def recall_tidy(curves: RecallCurves) -> Table:
    """level, run, topic, recall, precision, signature; for one topic a row for every rank."""
    if curves.topic is not None:
        return _points_tidy(curves, curves.topic)
    rows: list[tuple[Cell, ...]] = []
    for level in curves.levels:
        lines = [(run, "all", level.values[r]) for r, run in enumerate(curves.runs)]
        if level.by_topic is not None:
            lines += [
                (run, topic, level.by_topic[r, t])
                for r, run in enumerate(curves.runs)
                for t, topic in enumerate(curves.topics)
            ]
        for run, topic, values in lines:
            pairs = zip(POINTS, values.tolist(), strict=True)
            rows += [(level.name, run, topic, recall, value, str(level.signature)) for recall, value in pairs]
    return Table(("level", "run", "topic", "recall", "precision", "signature"), rows)


def _points_tidy(curves: RecallCurves, topic: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for level in curves.levels:
        for run, points in zip(curves.runs, level.points, strict=True):
            relevant = set(points.ranks.tolist())
            by_rank = (points.recall.tolist(), points.precision.tolist(), points.interpolated_by_rank.tolist())
            for rank, values in enumerate(zip(*by_rank, strict=True), start=1):
                rows.append((level.name, run, topic, rank, int(rank in relevant), *values, str(level.signature)))
    columns = ("level", "run", "topic", "rank", "relevant", "recall", "precision", "interpolated", "signature")
    return Table(columns, rows)


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


def effort_tidy(effort: Effort) -> Table:
    """gain_of, gain, run, ranks, ratio, signature; empty ranks: not reached within the depth."""
    rows: list[tuple[Cell, ...]] = []
    for g, giver in enumerate(effort.givers):
        for r, run in enumerate(effort.runs):
            needed = float(effort.needed[g, r])
            ratio = needed / effort.rank if effort.rank else None
            rows.append((giver, float(effort.targets[g]), run, needed, ratio, str(effort.signature)))
    return Table(("gain_of", "gain", "run", "ranks", "ratio", "signature"), rows)
