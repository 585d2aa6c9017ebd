"""Sessions by the million: time and peak memory of `gaincurve session` on TREC runs of growing size.

usage: python bench/sessions.py [--thousands 125 250 500 1000] [--measure sDCG ...] [--out FILE.md]

Each session has 3 queries with 10 results; 50 topics have 200 judged documents each, of which a tenth of the results
are. The files are made on first use in bench/data/sessions.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
DATA = HERE / "data" / "sessions"
OURS = Path(sys.executable).parent / "gaincurve"
TOPICS, JUDGED, QUERIES, RESULTS = 50, 200, 3, 10


def write(thousands: int) -> tuple[Path, Path, Path]:
    """Judgments, map and run."""
    DATA.mkdir(parents=True, exist_ok=True)
    qrels, mapped, run = DATA / "qrels", DATA / f"{thousands}k.map", DATA / f"{thousands}k.run"
    random = np.random.default_rng(thousands)
    if not qrels.exists():
        grades = np.random.default_rng(1).integers(0, 4, size=(TOPICS, JUDGED))
        lines = (f"t{t} 0 doc-{t:02d}-{d:06d} {grades[t, d]}\n" for t in range(TOPICS) for d in range(JUDGED))
        qrels.write_text("".join(lines))
    if not mapped.exists():
        mapped.write_text("".join(f"s{s}\tt{s % TOPICS}\n" for s in range(thousands * 1000)))
    if not run.exists():
        unfinished = run.with_suffix(".part")
        with unfinished.open("w") as file:
            for begin in range(0, thousands * 1000, 5000):
                file.write(_lines(random, range(begin, min(begin + 5000, thousands * 1000))))
        unfinished.rename(run)
    return qrels, mapped, run


def _lines(random: np.random.Generator, sessions: range) -> str:
    """Ten different documents for each query; the first 200 of a topic are judged."""
    parts = []
    for s in sessions:
        first = random.integers(0, JUDGED * 10, size=QUERIES).tolist()
        for q in range(QUERIES):
            for r in range(RESULTS):
                document = (first[q] + 211 * r) % (JUDGED * 10)
                parts.append(f"s{s}.q{q + 1} Q0 doc-{s % TOPICS:02d}-{document:06d} {r + 1} {RESULTS - r} bench\n")
    return "".join(parts)


def measure(thousands: int, measures: list[str]) -> tuple[float, float, float, float]:
    """Seconds by the clock and of the processors, peak megabytes, megabytes of the run."""
    qrels, mapped, run = write(thousands)
    asked = [word for name in measures for word in ("-m", name)]
    command = [str(OURS), "session", str(qrels), str(run), "--map", str(mapped), *asked, "--quiet"]
    before = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"failed: {' '.join(command)}")
    busy = usage.ru_utime + usage.ru_stime  # what other processes do at the same time hardly changes it
    return time.perf_counter() - before, busy, usage.ru_maxrss / 1000, run.stat().st_size / 1e6


def main() -> None:
    """Print one row a size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--thousands", type=int, nargs="+", default=[125, 250, 500, 1000])
    parser.add_argument("--measure", nargs="+", default=["sDCG", "nsDCG"])
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    told = ", ".join(given.measure)
    rows = [f"| sessions | run, MB | seconds | CPU seconds | CPU µs per session | peak MB ({told}) |",
            "|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
    for thousands in given.thousands:
        seconds, busy, memory, size = measure(thousands, given.measure)
        per_session = busy / thousands * 1000
        rows.append(f"| {thousands} 000 | {size:.0f} | {seconds:.1f} | {busy:.1f} | {per_session:.1f} | {memory:.0f} |")
        print(rows[-1], flush=True)
    if given.out:
        given.out.write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
