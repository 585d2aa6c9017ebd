"""Results as frames: 7 000 topics × 90 measures, against melting the same matrix in pandas and unpivoting it in polars.

usage: python bench/frames.py [--topics 7000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable

import pandas as pd
import polars as pl

import gaincurve as gc


def scored(topics: int) -> gc.Scores:
    """Scores of one run under 90 measures."""
    judged = {f"q{i}": {"d1": 1} for i in range(topics)}
    run = {f"q{i}": {"d2": 2.0, "d1": 1.0} for i in range(topics)}
    measures = [f"{name}@{k}" for name in ("nDCG", "P") for k in range(1, 46)]
    return gc.evaluate(judged, {"bm25": run}, measures)


def by_pandas(scores: gc.Scores) -> object:
    """The same long form by pandas itself."""
    frame = pd.DataFrame(scores.values[0].T, columns=list(scores.texts)).assign(run="bm25", topic=scores.topics)
    return frame.melt(id_vars=["run", "topic"], var_name="measure")


def by_polars(scores: gc.Scores) -> object:
    """The same long form by polars itself."""
    frame = pl.DataFrame(scores.values[0].T, schema=list(scores.texts), orient="row")
    return frame.with_columns(topic=pl.Series(scores.topics), run=pl.lit("bm25")).unpivot(index=["run", "topic"])


def seconds(make: Callable[[], object], rounds: int) -> float:
    """The median of several rounds, after one that warms up."""
    make()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        make()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    """Print a row for each library: ours, theirs, the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topics", type=int, default=7000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    scores = scored(chosen.topics)
    print(f"{chosen.topics} topics × {len(scores.texts)} measures, long form")
    print("library   to_frame  by itself  ratio")
    for library, theirs in (("pandas", by_pandas), ("polars", by_polars)):
        ours = seconds(lambda library=library: scores.to_frame(library), chosen.rounds)
        other = seconds(lambda theirs=theirs: theirs(scores), chosen.rounds)
        print(f"{library:8}  {ours:7.3f}s  {other:8.3f}s  {ours / other:5.2f}")


if __name__ == "__main__":
    main()
