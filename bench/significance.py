"""What statistics cost, as ratios within one round; see docs/performance.md.

usage: python bench/significance.py [--rounds 5] [--out FILE.md]

Sign flips, Tukey p-values and the sweep are timed inside one process after their imports; `compare` and `sweep` also as
whole commands beside `eval` on the same files, which is the time of reading them.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from gaincurve import stats
from gaincurve.files.experiment import read_experiment
from gaincurve.files.reading import Reading
from gaincurve.measures.notation import parse_measure
from gaincurve.model.scenario import Scenario
from gaincurve.stats.signs import sign_rows
from gaincurve.verbs.sweep import Axes, sweep_graded

sys.path.insert(0, str(Path(__file__).parent))
from generate import write

DATA = Path(__file__).parent / "data"
OURS = str(Path(sys.executable).parent / "gaincurve")
Job = Callable[[], object]


def seconds(job: Job) -> float:
    """Once."""
    before = time.perf_counter()
    job()
    return time.perf_counter() - before


def command(*arguments: str) -> Job:
    """A whole command."""
    return lambda: subprocess.run([OURS, *arguments], check=True, capture_output=True)


def different_runs(count: int) -> tuple[str, list[str]]:
    """Judgments and runs whose scores differ: the benchmark's run with its scores shuffled a little."""
    qrels, run = write(DATA, 50, 1000, 20)
    folder = DATA / "compared"
    folder.mkdir(exist_ok=True)
    lines = run.read_text().splitlines()
    for i in range(count):
        path = folder / f"run{i}.run"
        if not path.exists():
            random = np.random.default_rng(i)
            noise = random.normal(0, 1 + i / 10, len(lines))
            with path.open("w") as out:
                for line, extra in zip(lines, noise.tolist(), strict=True):
                    topic, q0, document, rank, score, tag = line.split()
                    out.write(f"{topic} {q0} {document} {rank} {float(score) + extra:.6f} {tag}\n")
    return str(qrels), [str(folder / f"run{i}.run") for i in range(count)]


def sign_flip_case() -> tuple[str, dict[str, Job], str]:
    """One pair, 50 topics, 100 000 sign vectors."""
    from scipy.stats import permutation_test  # noqa: PLC0415 -- the peer

    d = np.random.default_rng(0).normal(0.1, 1, 50)
    return (
        "sign flips, 50 topics × 100 000",
        {
            "gaincurve": lambda: stats.sign_flip(d, 100_000),
            "scipy permutation_test, vectorised": lambda: permutation_test(
                (d,),
                lambda x, axis: x.mean(axis=axis),
                permutation_type="samples",
                n_resamples=100_000,
                vectorized=True,
            ),
        },
        "at least 50",
    )


def all_pairs_case() -> tuple[str, dict[str, Job], str]:
    """435 pairs share one sign matrix."""
    scores = np.random.default_rng(0).random((50, 30))
    i, j = np.triu_indices(30, 1)
    pairs = np.ascontiguousarray((scores[:, i] - scores[:, j]).T)

    def multiply() -> None:
        for block in sign_rows(50, 100_000, 0):
            block @ pairs.T

    return (
        "all pairs of 30 runs × 100 000",
        {
            "drawing and multiplying the signs": multiply,
            "gaincurve, with counting": lambda: stats.sign_flip(pairs, 100_000),
        },
        "under 2",
    )


def tukey_case() -> tuple[str, dict[str, Job], str]:
    """435 p-values of the studentized range."""
    from scipy.stats import studentized_range  # noqa: PLC0415 -- the peer

    q = np.linspace(0.1, 9, 435)
    return (
        "435 Tukey p-values, 30 systems, 50 topics",
        {
            "gaincurve": lambda: stats.studentized_range_sf(q, 30, 1421),
            "scipy studentized_range.sf": lambda: studentized_range.sf(q, 30, 1421),
        },
        "at least 30",
    )


def compare_case() -> tuple[str, dict[str, Job], str]:
    """All pairs of 30 runs, whole commands."""
    qrels, runs = different_runs(30)
    return (
        "compare 30 runs × 50 topics, all pairs",
        {
            "gaincurve eval (reading the files)": command("eval", qrels, *runs, "--quiet"),
            "gaincurve compare": command("compare", qrels, *runs, "--quiet"),
        },
        "at most 3",
    )


def sweep_command_case() -> tuple[str, dict[str, Job], str]:
    """190 settings, whole commands."""
    qrels, runs = different_runs(6)
    return (
        "sweep 6 runs × 50 topics, 190 settings, whole commands",
        {
            "gaincurve eval (reading the files)": command("eval", qrels, *runs, "--quiet"),
            "gaincurve sweep": command("sweep", qrels, *runs, "--quiet"),
        },
        "under 2",
    )


def sweep_case() -> tuple[str, dict[str, Job], str]:
    """200 settings from one grading, beside reading and grading the files."""
    qrels, runs = different_runs(6)
    scenario, measure = Scenario.of("jk2002"), parse_measure("nDCG")
    graded = read_experiment(qrels, runs, scenario, Reading())
    axes = Axes.of(
        ["binary", "identity", "exp2", "0-1-10-100"], [2, 3, 5, 8, 10], [5, 10, 20, 30, 50, 70, 100], [1, 10, 100]
    )
    return (
        "sweep 6 runs × 50 topics × 200 settings, after imports",
        {
            "reading and grading the files": lambda: read_experiment(qrels, runs, scenario, Reading(digest=False)),
            "gaincurve sweep of what was graded": lambda: sweep_graded(graded, measure, scenario, axes),
        },
        "under 2",
    )


def report(title: str, timed: dict[str, list[float]], target: str) -> str:
    """Median seconds and the ratio to the first, with its spread over rounds."""
    lines = [f"### {title}\n", "| what | seconds | ratio to the first | spread |", "| --- | ---: | ---: | --- |"]
    first = next(iter(timed.values()))
    for name, taken in timed.items():
        ratios = sorted(a / b for a, b in zip(taken, first, strict=True))
        spread = f"{ratios[0]:.2f}–{ratios[-1]:.2f}"
        lines.append(f"| {name} | {statistics.median(taken):.4f} | {statistics.median(ratios):.2f} | {spread} |")
    return "\n".join([*lines, f"\nWanted: {target}."]) + "\n"


def main() -> None:
    """Run all cases, interleaved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, help="write the tables there as well")
    parser.add_argument("--fresh", action="store_true", help="make the runs again")
    given = parser.parse_args()
    if given.fresh:
        shutil.rmtree(DATA / "compared", ignore_errors=True)
    tables = []
    for case in (sign_flip_case, all_pairs_case, tukey_case, compare_case, sweep_case, sweep_command_case):
        title, jobs, target = case()
        for job in jobs.values():
            job()  # warm
        timed: dict[str, list[float]] = {name: [] for name in jobs}
        for _ in range(given.rounds):
            for name, job in jobs.items():
                timed[name].append(seconds(job))
        tables.append(report(title, timed, target))
        print(tables[-1], flush=True)
    if given.out:
        given.out.write_text("\n".join(tables), "utf-8")


if __name__ == "__main__":
    main()
