"""What judging costs: judgments needed for a verdict, how far to trust P, and the time of pooling and deciding.

usage: python bench/judging.py needed FOLDER [--subsets 10]    FOLDER holds qrels.txt and *.run.gz
       python bench/judging.py speed [--rounds 3]

`needed` judges every pair of runs again from nothing, with the answers of the judgments (absent: not relevant), and
prints after how many judgments the order is certain or plausible, and how often a plausible order was right on random
subsets of the topics. docs/judging-results.md shows what it printed. `speed` measures ratios within one round.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import gaincurve as gc
from gaincurve.verbs.deciding.closing import Closing, closing

ORDERS = ("decide", "depth", "random")
SIZES = (25, 50, 100)
BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
LOOKS = (10, 20, 50, 100, 200, 500)
"""P is looked at after so many judgments."""


def needed(folder: Path, subsets: int) -> None:
    """Judgments needed for all pairs, and the calibration of P."""
    judgments = gc.read_judgments(folder / "qrels.txt")
    runs = {path.name.partition(".")[0]: gc.read_run(path) for path in sorted(folder.glob("*.run.gz"))}
    scale = judgments.scale.tolist()
    print("| pair | pool | certain: decide | depth | random | plausible: decide | depth | random |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for a, b in itertools.combinations(runs, 2):
        pair = [runs[a], runs[b]]
        closed = [closing(judgments, pair, "DCG@10", order=order, scale=scale) for order in ORDERS]
        certain = [_count(one.certain_after) for one in closed]
        plausible = [f"{_count(one.plausible_after)}{'' if _right(one) else ' (wrong)'}" for one in closed]
        pool = str(len(closed[1].p) - 1)  # depth asks for all of it
        print(f"| {a} – {b} | {' | '.join([pool, *certain, *plausible])} |", flush=True)
    rng = np.random.default_rng(0)
    right: dict[int, list[bool]] = {size: [] for size in SIZES}
    looked: list[tuple[float, bool]] = []
    for size, _ in itertools.product(SIZES, range(subsets)):
        topics = rng.permutation(np.array(judgments.topics))[:size].tolist()
        for a, b in itertools.combinations(runs.values(), 2):
            one = closing(judgments, [a, b], "DCG@10", scale=scale, topics=topics)
            ahead = float(one.p[-1])
            if ahead == 0.5 or one.plausible_after is None:
                continue
            right[size].append(_right(one))
            looked += [(max(p, 1 - p), (p > 0.5) == (ahead > 0.5)) for p in one.p[[k for k in LOOKS if k < len(one.p)]]]
    print("\n| topics | pairs that became plausible | of them right |\n| ---: | ---: | ---: |")
    for size, answers in right.items():
        print(f"| {size} | {len(answers)} | {sum(answers) / len(answers):.1%} |")
    print("\n| P of the one ahead | looks | right |\n| --- | ---: | ---: |")
    for low, high in itertools.pairwise(BINS):
        answers = [good for p, good in looked if low <= p < high or (high == 1 and p == 1)]
        print(f"| {low:g}–{high:g} | {len(answers)} | {sum(answers) / max(1, len(answers)):.1%} |")


def _count(after: int | None) -> str:
    return "–" if after is None else str(after)


def _right(closed: Closing) -> bool:
    """Whether the one ahead when P first sufficed is ahead once all is judged."""
    return closed.plausible_after is None or (closed.p[closed.plausible_after] > 0.5) == (closed.p[-1] > 0.5)


def speed(rounds: int) -> None:
    """Pooling against reading, and deciding, in one process."""
    folder = Path(__file__).parent / "data" / "pools"
    folder.mkdir(parents=True, exist_ok=True)
    paths = made_runs(folder, 143, 30, 1000)
    read: list[float] = []
    ratios: dict[str, list[float]] = {}
    for _ in range(rounds):
        seconds, runs = timed(lambda: [gc.read_run(path) for path in paths])
        read.append(seconds)
        for label, choices in CASES.items():
            spent, _ = timed(lambda: gc.pool(runs, **choices))  # type: ignore[arg-type]  # noqa: B023
            ratios.setdefault(label, []).append(spent / seconds)
    print(f"reading 143 runs × 30 topics × 1000: {statistics.median(read):.1f} s")
    for label, values in ratios.items():
        print(f"pool {label}: {statistics.median(values):.2f} × reading ({min(values):.2f}–{max(values):.2f})")
    runs = [gc.read_run(path) for path in made_runs(folder, 6, 50, 1000)]
    pooled = gc.pool(runs, depth=5).records()
    grades = np.random.default_rng(0).choice(4, size=len(pooled), p=[0.6, 0.2, 0.1, 0.1]).tolist()
    judged = gc.Judgments.of(
        [(row["topic"], row["document"], grade) for row, grade in zip(pooled, grades, strict=True)]
    )
    for measure in ("DCG@10", "nDCG@10", "nDCG@100"):
        clock = time.process_time()
        spent = [timed(lambda: gc.decide(judged, runs, measure))[0] for _ in range(rounds)]  # noqa: B023
        processor = (time.process_time() - clock) / rounds
        print(
            f"decide {measure}, 50 topics × 6 runs: {statistics.median(spent):.2f} s, {processor:.2f} s of a processor"
        )


CASES: dict[str, dict[str, object]] = {
    "depth 100": {"depth": 100},
    "rrf": {"method": "rrf"},
    "borda": {"method": "borda"},
    "sample": {"method": "sample"},
}


def timed(job: Callable[[], object]) -> tuple[float, object]:
    """Seconds and result."""
    start = time.perf_counter()
    result = job()
    return time.perf_counter() - start, result


def made_runs(folder: Path, runs: int, topics: int, depth: int) -> list[Path]:
    """Runs that share documents as systems do: each orders the same candidates with its own noise."""
    paths = []
    for run in range(runs):
        path = folder / f"{runs}x{topics}-{run}.run"
        paths.append(path)
        if path.exists():
            continue
        with path.open("w") as lines:
            for topic in range(topics):
                worth = np.random.default_rng(topic).gamma(2.0, 2.0, size=3 * depth)
                noisy = worth + np.random.default_rng([run, topic]).gamma(2.0, 2.0, size=3 * depth)
                best = np.argsort(-noisy)[:depth]
                lines.writelines(f"{topic} Q0 D{topic}-{d} {i} {noisy[d]:.6f} r\n" for i, d in enumerate(best, 1))
    return paths


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    of_needed = commands.add_parser("needed")
    of_needed.add_argument("folder", type=Path)
    of_needed.add_argument("--subsets", type=int, default=10)
    commands.add_parser("speed").add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    if given.command == "needed":
        needed(given.folder, given.subsets)
    else:
        speed(given.rounds)


if __name__ == "__main__":
    main()
