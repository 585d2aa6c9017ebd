"""Curves by rank and by recall, and effort, as tables: wide for people, tidy (one number per row) for programs."""

from __future__ import annotations

import math

from gaincurve.curve.effort import Effort
from gaincurve.curve.points import Curves
from gaincurve.curve.recall import POINTS, RecallCurves, TopicPoints
from gaincurve.io.render import Cell, Table
from gaincurve.model.graded import IDEAL

MOST_TERMS = 12
"""The most terms of a sum that are written out."""


def curves_wide(curves: Curves) -> Table:
    """Selected ranks of every curve; the other formats have all ranks."""
    rows: list[tuple[Cell, ...]] = []
    for curve in curves.curves:
        for rank in curves.shown_ranks:
            values = [float(line[rank - 1]) for line in curve.values]
            rows.append((curve.name, rank, *values, float(curve.ideal[rank - 1])))
    stopping = curves.stopping
    on_average = f"{stopping.mean:.1f} on average, rank {stopping.flat_from} at most"
    after = on_average if curves.topic is None else stopping.flat_from
    sentences = [
        f"Even an ideal list gains nothing more after rank {after}.",
        *(
            f"{curve.name}: at rank {crossing.rank} {crossing.ahead} gets ahead of {crossing.behind}."
            for curve in curves.curves
            for crossing in curves.crossings(curve.name)
        ),
        "Only some ranks are shown: -f tsv, csv or json give all, -o FILE.svg draws all.",
    ]
    signatures = (str(curve.signature) for curve in curves.curves)
    title = "" if curves.topic is None else f"topic {curves.topic}"
    return Table(("curve", "rank", *curves.runs, IDEAL), rows, title, foot=(*sentences, *signatures))


def recall_wide(curves: RecallCurves, steps: str = "interpolated") -> Table:
    """Precision at the eleven recall points, runs side by side; for one topic at every rank, or at the eleven."""
    signatures = tuple(str(level.signature) for level in curves.levels)
    if steps == "ap":
        signatures = tuple(
            "AP steps|" + level.signature.without("points").replace("  ", "|") for level in curves.levels
        )
    if curves.topic is None or steps == "eleven":
        rows: list[tuple[Cell, ...]] = [
            (level.name, f"{recall:.1f}", *level.values[:, i].tolist())
            for level in curves.levels
            for i, recall in enumerate(POINTS)
        ]
        title = "" if curves.topic is None else f"topic {curves.topic}"
        sentences = curves.sentences()
        if curves.topic is not None:
            rows += [(level.name, "mean", *level.values.mean(axis=1).tolist()) for level in curves.levels]
            sentences = ["The mean of the eleven points is AP11."]
        return Table(("level", "recall", *curves.runs), rows, title, foot=(*sentences, *signatures))
    lines = [
        (level.name, run, points)
        for level in curves.levels
        for run, points in zip(curves.runs, level.points, strict=True)
    ]
    sentences = list(curves.sentences())
    if steps == "ap":
        sentences += [_area(name, run, points) for name, run, points in lines]
    sentences += [text for name, run, points in lines if (text := _rest(name, run, points))]
    columns = ("level", "run", "rank", "relevant", "recall", "precision", "step" if steps == "ap" else "interpolated")
    ranks = [row for name, run, points in lines for row in _by_rank(name, run, points, steps)]
    return Table(columns, ranks, f"topic {curves.topic}", foot=(*sentences, *signatures))


def _shown(points: TopicPoints) -> int:
    """The ranks of one topic shown to people: to the last relevant document, or to rank 10 if that is further."""
    last = int(points.ranks[-1]) if len(points.ranks) else 0
    return min(len(points.recall), max(10, last))


def _by_rank(name: str, run: str, points: TopicPoints, steps: str) -> list[tuple[Cell, ...]]:
    relevant = set(points.ranks.tolist())
    heights = dict(zip(points.ranks.tolist(), points.own_steps.tolist(), strict=False))
    interpolated = points.interpolated_by_rank.tolist()
    return [
        (
            name,
            run,
            rank,
            "yes" if rank in relevant else "",
            float(points.recall[rank - 1]),
            float(points.precision[rank - 1]),
            heights.get(rank) if steps == "ap" else interpolated[rank - 1],
        )
        for rank in range(1, _shown(points) + 1)
    ]


def _area(name: str, run: str, points: TopicPoints) -> str:
    """'rel=1, A: (1.0000 + 0.6667 + …) / 6 = 0.7750 is the area under the steps, AP.'"""
    if not points.total:
        return f"{name}, {run}: nothing is relevant, so there is no AP."
    terms = [f"{value:.4f}" for value in points.own_steps[: len(points.ranks)].tolist()]
    shown = terms if len(terms) <= MOST_TERMS else [*terms[: MOST_TERMS - 1], "…", terms[-1]]
    total = f"({' + '.join(shown) or '0'}) / {points.total} = {points.average_precision:.4f}"
    return f"{name}, {run}: {total}, the area under the steps, is AP."


def _rest(name: str, run: str, points: TopicPoints) -> str:
    """What the ranks hold that are not shown."""
    last, shown = len(points.recall), _shown(points)
    return f"{name}, {run}: ranks {shown + 1} to {last} hold no relevant document." if shown < last else ""


def eleven_tidy(curves: RecallCurves) -> Table:
    """level, run, topic, recall, precision, signature: the eleven points of one topic."""
    return Table(
        ("level", "run", "topic", "recall", "precision", "signature"),
        [
            (level.name, run, curves.topic, recall, value, str(level.signature))
            for level in curves.levels
            for run, values in zip(curves.runs, level.values.tolist(), strict=True)
            for recall, value in zip(POINTS, values, strict=True)
        ],
    )


def effort_wide(effort: Effort) -> Table:
    """The ranks that every run needs for each target."""
    rows: list[tuple[Cell, ...]] = []
    for g, giver in enumerate(effort.givers):
        needed = [_ranks(float(value), effort.depth) for value in effort.needed[g]]
        rows.append((f"{giver} @{effort.rank}" if effort.rank else giver, float(effort.targets[g]), *needed))
    columns = ("target", effort.curve, *(f"read with {run}" for run in effort.runs))
    return Table(columns, rows, foot=(*effort.sentences(), str(effort.signature)))


def _ranks(value: float, depth: int) -> Cell:
    if math.isnan(value):
        return f"> {depth}"
    return int(value) if value.is_integer() else value
