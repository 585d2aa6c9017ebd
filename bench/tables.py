"""Parquet against text, and against Polars and DuckDB doing the same sum on the same file. Part of `make bench`.

usage: python bench/tables.py [--rounds 5] [--topics 6980 20000] [--folder DIR] [--out FILE.md]

All compute nDCG@10 of a run of topics × 1000 rows, whole processes from start to exit. Polars and DuckDB sort by score
and id, join, and sum; they do not look for repeated documents, broken rows or ids that do not match. Seconds of a busy
machine say little: beside them stand the CPU's, and ratios round by round.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

from contender import Contender, disturbed, measured, ratio
from generate import write

HERE = Path(__file__).parent
OURS = [str(Path(sys.executable).parent / "gaincurve"), "eval"]  # as it is installed: with what `entry` sets

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


def report(title: str, contenders: list[Contender]) -> str:
    """A table of one case."""
    lines = [
        f"### {title}\n",
        "| contender | seconds | × text | CPU seconds | × text, CPU | peak MB | nDCG@10 |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    base = contenders[0]
    for contender in contenders:
        seconds, cpu, peak = map(statistics.median, (contender.seconds, contender.cpu, contender.megabytes))
        times = f"{seconds:.2f} | {ratio(contender.seconds, base.seconds)}"
        times += f" | {cpu:.2f} | {ratio(contender.cpu, base.cpu)}"
        answer = f"{contender.answer:.12f}" if contender.answer else ""
        lines.append(f"| {contender.name} | {times} | {peak:.0f} | {answer} |")
    lines.append(f"\n{disturbed(contenders)}")
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
        cases = contenders(given.folder, topics)
        measured(cases, given.rounds)
        tables.append(report(f"nDCG@10, {topics} × 1000 rows", cases))
        print(tables[-1], flush=True)
    if given.out:
        given.out.write_text("\n".join(tables), "utf-8")


if __name__ == "__main__":
    main()
