"""Parquet against text, and against Polars and DuckDB doing the same sum on the same file. Part of `make bench`.

usage: python bench/tables.py [--rounds 5] [--topics 6980 20000] [--folder DIR] [--out FILE.md]

All compute nDCG@10 of a run of topics × 1000 rows, whole processes from start to exit. Polars and DuckDB sort by score
and id, join, and sum; they do not look for repeated documents, broken rows or ids that do not match. Seconds of a busy
machine say little: beside them stand the CPU's, and ratios round by round.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from generate import write

HERE = Path(__file__).parent
OURS = [sys.executable, "-m", "gaincurve", "eval"]
BUSY = 1.5
"""Rounds in which a process on two threads got fewer CPU seconds for each second of the clock are marked."""


@dataclass
class Contender:
    """A command, and what it took round by round: seconds, seconds of CPU, peak megabytes; what it printed last."""

    name: str
    command: list[str]
    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    answer: float = 0.0

    def run(self) -> None:
        """Once."""
        before = time.perf_counter()
        process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{self.name} failed: {' '.join(self.command)}")
        self.seconds.append(time.perf_counter() - before)
        self.cpu.append(usage.ru_utime + usage.ru_stime)
        self.megabytes.append(usage.ru_maxrss / 1000)
        self.answer = next((float(word) for word in output.split() if word.startswith("0.") and "|" not in word), 0.0)


CONVERT = """
import sys
from pyarrow import csv, parquet, string
text, made, names, wanted = sys.argv[1:]
table = csv.read_csv(
    text,
    read_options=csv.ReadOptions(column_names=names.split()),
    parse_options=csv.ParseOptions(delimiter=" "),
    convert_options=csv.ConvertOptions(
        column_types={"qid": string(), "docno": string()}, include_columns=wanted.split()
    ),
)
parquet.write_table(table, made)
"""


def parquet_of(path: Path, names: str, wanted: str) -> Path:
    """TREC columns as Parquet, ids as text; made by another process, as peaks of memory are inherited."""
    made = path.with_name(path.name + ".parquet")
    if not made.exists():
        subprocess.run([sys.executable, "-c", CONVERT, str(path), str(made), names, wanted], check=True)
    return made


def contenders(folder: Path, topics: int) -> list[Contender]:
    """Everybody on one pair of files."""
    qrels, run = write(folder, topics, 1000, 20)
    judged = parquet_of(qrels, "qid q0 docno grade", "qid docno grade")
    ranked = parquet_of(run, "qid q0 docno rank score tag", "qid docno score")
    asked = ["-m", "nDCG@10", "--quiet"]
    peers = str(HERE / "contenders.py")
    return [
        Contender("gaincurve, text", [*OURS, str(qrels), str(run), *asked]),
        Contender("gaincurve, Parquet", [*OURS, str(judged), str(ranked), *asked]),
        Contender("Polars, Parquet", [sys.executable, peers, "polars", "parquet", str(judged), str(ranked)]),
        Contender("DuckDB, Parquet", [sys.executable, peers, "duckdb", "parquet", str(judged), str(ranked)]),
        Contender("wc -w, text", ["wc", "-w", str(run)]),
    ]


def ratio(values: list[float], base: list[float]) -> str:
    """Median of the ratios round by round, with the spread."""
    ratios = sorted(a / b for a, b in zip(values, base, strict=True))
    return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})"


def report(title: str, measured: list[Contender]) -> str:
    """A table of one case."""
    lines = [
        f"### {title}\n",
        "| contender | seconds | × text | CPU seconds | × text, CPU | peak MB | nDCG@10 |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    base = measured[0]
    for one in measured:
        seconds, cpu, peak = (statistics.median(values) for values in (one.seconds, one.cpu, one.megabytes))
        ratios = f"{seconds:.2f} | {ratio(one.seconds, base.seconds)} | {cpu:.2f} | {ratio(one.cpu, base.cpu)}"
        lines.append(f"| {one.name} | {ratios} | {peak:.0f} | {f'{one.answer:.12f}' if one.answer else ''} |")
    free = sum(cpu / wall >= BUSY for cpu, wall in zip(base.cpu, base.seconds, strict=True))
    lines.append(f"\nRounds: {len(base.seconds)}, of which {free} found two cores free.")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run all cases, interleaved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--topics", type=int, nargs="+", default=[6980, 20_000])
    parser.add_argument("--folder", type=Path, default=HERE / "data")
    parser.add_argument("--out", type=Path, help="write the tables there as well")
    given = parser.parse_args()
    tables = []
    for topics in given.topics:
        measured = contenders(given.folder, topics)
        for _ in range(given.rounds + 1):
            for one in measured:
                one.run()
        for one in measured:
            del one.seconds[0], one.cpu[0], one.megabytes[0]  # the first round warms the page cache
        tables.append(report(f"nDCG@10, {topics} × 1000 rows", measured))
        print(tables[-1], flush=True)
    if given.out:
        given.out.write_text("\n".join(tables), "utf-8")


if __name__ == "__main__":
    main()
