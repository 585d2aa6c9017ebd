"""Estimates as tables for people."""

from __future__ import annotations

import math

from gaincurve.curve.points import SHOWN_RANKS
from gaincurve.io.render import Cell, Table
from gaincurve.model.estimates import Estimated, EstimatedCurves, Estimates
from gaincurve.verbs.recapture import Recapture

ENDS = ("estimate", "s.e.", "95% from", "to")


def _ends(mean: Estimated) -> tuple[Cell, ...]:
    return (mean.value, *(None if math.isnan(end) else end for end in (mean.error, mean.low, mean.high)))


def estimates_wide(estimates: Estimates, per_topic: bool) -> Table:
    """A row for each run and measure; with topics a row for each of them and the mean below."""
    rows: list[tuple[Cell, ...]] = []
    for text in estimates.texts:
        for run in estimates.runs:
            if per_topic:
                for topic, (value, error) in estimates.of_topics(run, text).items():
                    rows.append((text, run, topic, value, None if math.isnan(error) else error, None, None))
            rows.append((text, run, *(("mean",) if per_topic else ()), *_ends(estimates[run, text])))
    columns = ("measure", "run", *(("topic",) if per_topic else ()), *ENDS)
    return Table(columns, rows, foot=tuple(map(str, estimates.signatures)))


def curves_wide(curves: EstimatedCurves) -> Table:
    """Selected ranks of every curve; the other formats have all."""
    shown = [rank for rank in SHOWN_RANKS if rank < curves.depth] + [curves.depth]
    rows: list[tuple[Cell, ...]] = [
        (curve.name, run, rank, *_ends(curves.at(curve, r, rank)))
        for curve in curves.curves
        for r, run in enumerate(curves.runs)
        for rank in shown
    ]
    sentence = "Only some ranks are shown: -f tsv, csv or json give all, -o FILE.svg draws all."
    signatures = (str(curve.signature) for curve in curves.curves)
    return Table(("curve", "run", "rank", *ENDS), rows, foot=(sentence, *signatures))


def recapture_wide(result: Recapture) -> Table:
    """Topics, and all together."""
    tidy = result.tidy()
    return Table(("topic", "first", "second", "both", *ENDS), tidy.rows(), foot=result.sentences())
