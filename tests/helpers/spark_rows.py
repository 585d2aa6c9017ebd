"""Graded judgments and runs for Spark, the same on one machine, and what it means that results are the same."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyarrow as pa

import gaincurve as gc

MEASURES = ["nDCG@10", "AP", "DCG@100", "P@5", "ERR", "RBP", "RR", "Bpref", "nDCG"]

Rows = list[tuple[Any, ...]]


def rows(seed: int = 3, topics: int = 40) -> tuple[Rows, Rows]:
    """Graded judgments and three runs: ties, unjudged documents, missing and unjudged topics, negative grades."""
    draw = random.Random(seed)
    judged = [
        (f"t{t}", f"d{d}", float(draw.choice([-1, 0, 0, 1, 2, 3 if t == 0 else 1])))
        for t in range(topics)
        for d in draw.sample(range(60), 25)
    ]
    listed = [
        (run, f"t{t}", f"d{d}", float(draw.randint(0, 12)))
        for run, first in (("bm25", 0), ("splade", 3), ("dense", 0))
        for t in range(first, topics + 2)
        for d in draw.sample(range(60), 30)
    ]
    return judged, listed


def arrow(judged: Rows, listed: Rows) -> tuple[pa.Table, pa.Table]:
    """The same rows as Arrow tables."""
    ours = pa.table(dict(zip(("topic", "document", "grade"), map(list, zip(*judged, strict=True)), strict=True)))
    runs = pa.table(dict(zip(("run", "topic", "document", "score"), map(list, zip(*listed, strict=True)), strict=True)))
    return ours, runs


def local(judged: Rows, listed: Rows, *measures: str, **choices: Any) -> gc.Scores:
    names = sorted({row[0] for row in listed})
    ours, runs = arrow(judged, listed)
    mask = np.array(runs["run"])
    by_run = {name: runs.filter(pa.array(mask == name)).drop(["run"]) for name in names}
    return gc.evaluate(ours, by_run, list(measures or MEASURES), **choices)


def frames(spark: Any, judged: Rows, listed: Rows) -> tuple[Any, Any]:
    return spark.createDataFrame(arrow(judged, listed)[0]), spark.createDataFrame(arrow(judged, listed)[1])


def same_bits(ours: gc.Scores, theirs: gc.Scores) -> None:
    assert ours.runs == theirs.runs
    assert ours.texts == theirs.texts
    order = [ours.units.index(unit) for unit in theirs.units]
    assert len(ours.units) == len(theirs.units)
    assert ours.values[:, :, order].tobytes() == theirs.values.tobytes()
    assert ours.summary() == theirs.summary()
    assert list(map(str, ours.signatures)) == list(map(str, theirs.signatures))
