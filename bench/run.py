"""Time and peak memory beside peers, in one go, interleaved, as ratios. `make bench` runs it; see docs/performance.md.

usage: python bench/run.py [--rounds 5] [--small] [--out FILE.md]

Peers (pytrec-eval-terrier, ir-measures, ranx, scikit-learn) live in an environment of their own, bench/data/peers, made
on first use; trec_eval joins in if the variable TREC_EVAL names a binary. Machines are noisy and shared: only ratios
within one round mean anything, so each is computed round by round, and median and spread over rounds are shown.
"""

from __future__ import annotations

import argparse
import gzip
import math
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from contender import Contender, disturbed, measured, ratio
from generate import write

HERE = Path(__file__).parent
DATA = HERE / "data"
PEERS = DATA / "peers"
OURS = Path(sys.executable).parent / "gaincurve"
MEASURES = ["-m", "nDCG@10", "-m", "nDCG@100", "-m", "nDCG", "-m", "DCG@100"]


def peers_python() -> str:
    """The Python of the peers' environment, made on first use."""
    python = PEERS / "bin" / "python"
    if not (PEERS / "ready").exists():
        print("making the peers' environment …", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(PEERS)], check=True)
        wanted = ["pytrec-eval-terrier", "ir-measures", "ranx", "scikit-learn"]
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *wanted], check=True)
        (PEERS / "ready").touch()
    return str(python)


def ours(qrels: Path, run: Path, threads: int) -> list[str]:
    """Our command line on files."""
    return [str(OURS), "eval", str(qrels), str(run), *MEASURES, "--threads", str(threads), "--quiet"]


def text_case(topics: int, depth: int) -> tuple[str, list[Contender]]:
    """Reading and scoring text."""
    qrels, run = write(DATA, topics, depth, 20)
    script, python = str(HERE / "contenders.py"), peers_python()
    contenders = [
        Contender("gaincurve, 2 threads", ours(qrels, run, 2)),
        Contender("gaincurve, 1 thread", ours(qrels, run, 1)),
        Contender("gaincurve, NumPy twin", ours(qrels, run, 2), pure=True),
        Contender("gaincurve, JSON with digests", [*ours(qrels, run, 2), "-f", "json"]),
        Contender("pytrec_eval", [python, script, "pytrec_eval", "text", str(qrels), str(run)]),
        Contender("ir_measures", [python, script, "ir_measures", "text", str(qrels), str(run)]),
        Contender("ranx, warm", [python, script, "ranx", "text", str(qrels), str(run)]),
        Contender("wc -w", ["wc", "-w", str(run)]),
        Contender("python -c 'import numpy'", [sys.executable, "-c", "import numpy"]),
    ]
    if os.environ.get("TREC_EVAL"):
        asked = ["-m", "ndcg_cut.10,100", "-m", "ndcg", "-m", "map"]
        contenders.append(Contender("trec_eval", [os.environ["TREC_EVAL"], *asked, str(qrels), str(run)]))
    return f"text, {topics} × {depth} ({run.stat().st_size / 1e6:.0f} MB)", contenders


def measures_case(topics: int, depth: int) -> tuple[str, list[Contender]]:
    """One measure against all 90 values of trec_eval's all_trec, from the same file."""
    qrels, run = write(DATA, topics, depth, 20)
    one = [str(OURS), "eval", str(qrels), str(run), "-m", "nDCG@10", "--quiet"]
    every = [str(OURS), "trec_eval", "-m", "all_trec", str(qrels), str(run)]
    script, python = str(HERE / "contenders.py"), peers_python()
    contenders = [
        Contender("gaincurve eval -m nDCG@10", one),
        Contender("gaincurve trec_eval -m all_trec", every),
        Contender("gaincurve trec_eval -q -m all_trec", [*every[:2], "-q", *every[2:]]),
        Contender("pytrec_eval, all measures", [python, script, "pytrec_eval", "all", str(qrels), str(run)]),
    ]
    if os.environ.get("TREC_EVAL"):
        contenders.append(Contender("trec_eval -m all_trec", [os.environ["TREC_EVAL"], *every[2:]]))
    return f"all measures, {topics} × {depth}", contenders


def packed_case(topics: int, depth: int) -> tuple[str, list[Contender]]:
    """The same, packed."""
    qrels, run = write(DATA, topics, depth, 20)
    packed = run.with_name(run.name + ".gz")
    if not packed.exists():
        with run.open("rb") as plain, gzip.open(packed, "wb", compresslevel=6) as out:
            shutil.copyfileobj(plain, out)
    return f"gz, {topics} × {depth}", [
        Contender("gaincurve, 2 threads", ours(qrels, packed, 2)),
        Contender("gzip -dc | wc -w", ["sh", "-c", f"gzip -dc '{packed}' | wc -w"]),
    ]


def memory_case(job: str, topics: int, depth: int, peer: str) -> tuple[str, list[Contender]]:
    """Dicts or arrays that are already in memory; both contenders in the same kind of process."""
    script = str(HERE / "contenders.py")
    return f"{job}, {topics} × {depth}", [
        Contender("gaincurve", [sys.executable, script, "gaincurve", job, str(topics), str(depth)], inside=True),
        Contender(peer, [peers_python(), script, peer, job, str(topics), str(depth)], inside=True),
    ]


def many_case(runs: int) -> tuple[str, list[Contender]]:
    """Many runs against the same judgments."""
    qrels, run = write(DATA, 50, 1000, 20)
    folder = DATA / "many"
    folder.mkdir(exist_ok=True)
    for i in range(runs):
        if not (folder / f"run{i}.run").exists():
            shutil.copy(run, folder / f"run{i}.run")
    paths = [str(folder / f"run{i}.run") for i in range(runs)]
    return f"{runs} runs, 50 × 1000", [
        Contender(
            "gaincurve, 2 threads", [str(OURS), "eval", str(qrels), *paths, *MEASURES, "--threads", "2", "--quiet"]
        ),
        Contender(
            "gaincurve, 1 thread", [str(OURS), "eval", str(qrels), *paths, *MEASURES, "--threads", "1", "--quiet"]
        ),
        Contender("wc -w", ["wc", "-w", *paths]),
    ]


def growth_case(millions: list[int]) -> tuple[str, list[Contender]]:
    """Files of growing size; the first is so small that it tells what starting costs."""
    contenders = [Contender("0 million lines (50 × 1000: the start)", ours(*write(DATA, 50, 1000, 20), 2))]
    for million in millions:
        qrels, run = write(DATA, million * 1000, 1000, 20)
        contenders.append(Contender(f"{million} million lines", ours(qrels, run, 2)))
    return "growth, gaincurve on 2 threads", contenders


def report(title: str, contenders: list[Contender]) -> str:
    """A table of one case: median seconds and peak memory, and the ratio to our first contender with its spread."""
    lines = [
        f"### {title}\n",
        "| contender | seconds | CPU seconds | × ours | peak MB |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    base = contenders[0]
    for contender in contenders:
        seconds, cpu, peak = map(statistics.median, (contender.seconds, contender.cpu, contender.megabytes))
        times = ratio(contender.seconds, base.seconds)
        lines.append(f"| {contender.name} | {seconds:.3f} | {cpu:.3f} | {times} | {peak:.0f} |")
    if title.startswith("growth"):
        start = statistics.median(base.seconds)
        sizes = [math.log(int(contender.name.split()[0])) for contender in contenders[1:]]
        times_less_start = [math.log(statistics.median(contender.seconds) - start) for contender in contenders[1:]]
        slope = statistics.linear_regression(sizes, times_less_start).slope
        lines.append(f"\nSlope of log time over log lines, less the start: {slope:.2f}.")
    lines.append(f"\n{disturbed(contenders)}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run all cases, interleaved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="cases whose title begins like this")
    parser.add_argument("--small", action="store_true", help="small inputs only, to try the driver")
    parser.add_argument("--out", type=Path, help="write the tables there as well")
    given = parser.parse_args()
    if given.small:
        cases = [
            text_case(50, 1000),
            measures_case(50, 1000),
            memory_case("dicts", 50, 1000, "pytrec_eval"),
            many_case(5),
        ]
    else:
        cases = [
            text_case(50, 1000),
            text_case(6980, 1000),
            text_case(100_000, 100),
            measures_case(6980, 1000),
            packed_case(6980, 1000),
            memory_case("dicts", 6980, 1000, "pytrec_eval"),
            memory_case("arrays", 1000, 1000, "scikit-learn"),
            many_case(100),
            growth_case([1, 2, 4, 8]),
        ]
    tables = []
    for title, contenders in cases:
        if given.only and not title.startswith(given.only):
            continue
        measured(contenders, given.rounds)
        tables.append(report(title, contenders))
        print(tables[-1], flush=True)
    if given.out:
        given.out.write_text("\n".join(tables), "utf-8")


if __name__ == "__main__":
    main()
