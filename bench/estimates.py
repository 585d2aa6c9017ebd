"""Estimates from samples: how often their intervals hold the truth, and their time beside eval's on the same files.

usage: python bench/estimates.py coverage FOLDER [--draws 100]   FOLDER holds qrels.txt and *.run.gz
       python bench/estimates.py speed QRELS RUN [--rounds 5]    QRELS names strata

`coverage` samples the pool of all runs again and again (what nobody judged counts as not relevant) and counts how often
the interval of a mean holds the value of the whole pool, over all topics and over random subsets. `speed` measures
ratios within one round.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

import gaincurve as gc

MEASURES = ("DCG@10", "P@10", "NumRel", "nDCG@10", "R@20")
STRATA = "1-10:.4,11-50:.15"
SIZES = (25, 50)
OURS = Path(sys.executable).parent / "gaincurve"


class Row(NamedTuple):
    """A pooled document."""

    topic: str
    document: str
    grade: float
    stratum: str


def coverage(folder: Path, draws: int) -> None:
    """The share of intervals that hold the truth."""
    warnings.simplefilter("ignore")
    judged = gc.read_judgments(folder / "qrels.txt").to_dict()
    runs = [gc.read_run(path) for path in sorted(folder.glob("*.run.gz"))]
    whole = gc.pool(runs, depth=50).records()
    answers = {topic: {} for topic in judged}
    for record in whole:
        topic, document = str(record["topic"]), str(record["document"])
        if topic in answers:
            answers[topic][document] = max(0.0, judged[topic].get(document, 0.0))
    truth = gc.evaluate(answers, runs, list(MEASURES))
    means = {name: [[] for _ in (*SIZES, None)] for name in MEASURES}
    random = np.random.default_rng(0)
    share = []
    for seed in range(draws):
        sample = gc.pool(runs, method="sample", strata=STRATA, seed=seed)
        drawn = {(str(record["topic"]), str(record["document"])) for record in sample.records()}
        share.append(len(drawn) / len(sample.pooled))
        rows = []
        for line in sample.to_qrels5().splitlines():
            topic, _, document, stratum, _ = line.split()
            if topic in answers:
                known = answers[topic][document] if (topic, document) in drawn else -1.0
                rows.append(Row(topic, document, known, stratum))
        found = gc.estimate(rows, runs, list(MEASURES))
        for name in MEASURES:
            m = found.texts.index(name)
            for r in range(len(runs)):
                values, errors, true = found.values[r, m], found.errors[r, m], truth.values[r, m]
                usable = np.flatnonzero(~np.isnan(values) & ~np.isnan(errors) & ~np.isnan(true))
                for held, size in zip(means[name], (*SIZES, None), strict=True):
                    some = usable if size is None else random.choice(usable, size=min(size, len(usable)), replace=False)
                    half = 1.96 * np.sqrt((errors[some] ** 2).sum()) / len(some)
                    held.append(abs(values[some].mean() - true[some].mean()) <= half)
    print(f"{statistics.mean(share):.0%} of the pool judged, {draws} draws, {len(runs)} runs\n")
    print(f"| measure | {' | '.join(f'{size} topics' for size in SIZES)} | all topics |\n| --- | ---: | ---: | ---: |")
    for name, columns in means.items():
        print(f"| {name} | {' | '.join(f'{np.mean(held):.2f}' for held in columns)} |")


def speed(qrels: str, run: str, rounds: int) -> None:
    """The time of estimate over that of eval, and that of NIST's text."""
    commands = {
        "eval": ["eval", qrels, run, "-m", "nDCG@10", "-m", "DCG@10", "-m", "P@10", "-m", "R@100", "-m", "NumRel"],
        "estimate": ["estimate", qrels, run],
        "estimate -f sample_eval": ["estimate", qrels, run, "-f", "sample_eval"],
    }
    ratios: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        seconds = {}
        for name, command in commands.items():
            before = time.perf_counter()
            subprocess.run([str(OURS), *command, "--quiet"], stdout=subprocess.DEVNULL, check=True)
            seconds[name] = time.perf_counter() - before
        for name, took in seconds.items():
            ratios[name].append(took / seconds["eval"])
    for name, values in ratios.items():
        print(f"{name}: {statistics.median(values):.2f} × eval ({min(values):.2f}–{max(values):.2f})")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    covering = kinds.add_parser("coverage")
    covering.add_argument("folder", type=Path)
    covering.add_argument("--draws", type=int, default=100)
    covering.set_defaults(do=lambda given: coverage(given.folder, given.draws))
    timing = kinds.add_parser("speed")
    timing.add_argument("qrels")
    timing.add_argument("run")
    timing.add_argument("--rounds", type=int, default=5)
    timing.set_defaults(do=lambda given: speed(given.qrels, given.run, given.rounds))
    given = parser.parse_args()
    given.do(given)


if __name__ == "__main__":
    main()
