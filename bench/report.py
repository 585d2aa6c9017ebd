"""What a change of the page's controls costs, as ratios within one round; see docs/performance.md.

usage: python bench/report.py [--rounds 5] [--out FILE.md]

The engine of the page runs under Node as it does in a browser, after two changes to warm up, beside Python's own
evaluate and compare on lists that are already graded. Times are inside the process: no start-up, no reading.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from gaincurve.measures.notation import parse_measures
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.page.observed.runs import observe
from gaincurve.page.packing import pack
from gaincurve.page.scripts import ENGINE, source
from gaincurve.page.settings import settings_of
from gaincurve.verbs.compare import compare
from gaincurve.verbs.experiment import experiment
from gaincurve.verbs.score import score

CASES = ((50, 5, 100), (1000, 10, 100))
BODY = """
const gc = globalThis.gaincurve;
const input = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const observed = gc.observe(input.document);
const timed = (job) => { const before = performance.now(); job(); return (performance.now() - before) / 1000; };
const rounds = [];
for (let i = 0; i < 2 + input.rounds; i++) {
  const analysis = new gc.Analysis(observed, { ...input.settings, depth: 10 + i });
  const leaderboard = timed(() => [analysis.leaderboard, analysis.verdict, analysis.signature]);
  const curves = timed(() => {
    for (const name of ["CG", "DCG", "nCG", "nDCG"]) analysis.curve(name);
    analysis.difference("nDCG", 0, 1);
  });
  rounds.push({ leaderboard, change: leaderboard + curves, sweep: timed(() => analysis.sweep) });
}
console.log(JSON.stringify(rounds.slice(2)));
"""


def made_up(topics: int, runs: int, depth: int) -> tuple[Judgments, list[Run]]:
    """Runs of which every document is judged."""
    random = np.random.default_rng(0)
    judged: dict[str, dict[str, int]] = {}
    lists: list[dict[str, dict[str, float]]] = [{} for _ in range(runs)]
    for t in range(topics):
        documents = [f"D{number:06d}" for number in random.choice(900_000, size=3 * depth, replace=False).tolist()]
        grades = random.choice(4, size=3 * depth, p=(0.7, 0.15, 0.1, 0.05)).tolist()
        judged[str(t)] = dict(zip(documents, grades, strict=True))
        for run in lists:
            chosen = random.choice(3 * depth, size=depth, replace=False).tolist()
            run[str(t)] = {documents[i]: float(s) for i, s in zip(chosen, random.normal(size=depth), strict=True)}
    return Judgments.of(judged), [Run.of(run, f"run{r}") for r, run in enumerate(lists)]


def by_engine(document: dict[str, Any], settings: dict[str, Any], rounds: int) -> list[dict[str, float]]:
    """Seconds of each round under Node."""
    node = shutil.which("node")
    if node is None:
        sys.exit("Node is not installed: apt-get install nodejs")
    given = json.dumps({"document": document, "settings": settings, "rounds": rounds})
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bench.js"
        script.write_text(source(ENGINE) + BODY, encoding="utf-8")
        done = subprocess.run([node, str(script)], input=given, text=True, capture_output=True, check=True)
    found: list[dict[str, float]] = json.loads(done.stdout)
    return found


def by_python(judgments: Judgments, runs: list[Run], rounds: int) -> list[float]:
    """Seconds of evaluate and compare (t, with its sign flips) on graded runs."""
    graded = experiment(judgments, runs, Scenario())
    found = []
    for i in range(rounds):
        before = time.perf_counter()
        compare(score(graded, parse_measures(f"nDCG@{10 + i}"), Scenario()), "t", adjust="holm", draws=1000)
        found.append(time.perf_counter() - before)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    lines = ["| case | what | ms | of Python's evaluate + compare |", "|---|---|---|---|"]
    for topics, runs, depth in CASES:
        judgments, ranked = made_up(topics, runs, depth)
        before = time.perf_counter()
        document = observe(judgments, ranked, Scenario()).to_dict()
        packed = pack(document)
        wrote = time.perf_counter() - before
        python = statistics.median(by_python(judgments, ranked, asked.rounds))
        rounds = by_engine(document, settings_of(Scenario(), "nDCG@10", judgments.scale), asked.rounds)
        case = f"{topics} × {runs} × {depth}"
        rows = {"evaluate + compare, Python": python}
        rows |= {f"{what}, engine": statistics.median(one[what] for one in rounds) for what in rounds[0]}
        rows[f"observe + pack, Python ({len(packed) / 1e6:.2f} MB)"] = wrote
        lines += [f"| {case} | {what} | {1000 * s:.1f} | {s / python:.2f} |" for what, s in rows.items()]
    text = "\n".join(lines)
    print(text)
    if asked.out:
        asked.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
