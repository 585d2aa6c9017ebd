"""Write a big made-up run and its judgments: topics × depth lines, the shape of a passage-ranking submission.

usage: python bench/generate.py DIR [--topics 6980] [--depth 1000] [--judged 20]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np


def write(folder: Path, topics: int, depth: int, judged: int, seed: int = 2002) -> tuple[Path, Path]:
    """Judgments and a run in `folder`; existing files of the same shape are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    qrels, run = folder / f"{topics}x{depth}.qrels", folder / f"{topics}x{depth}.run"
    if qrels.exists() and run.exists():
        return qrels, run
    random = np.random.default_rng(seed)
    with qrels.open("w") as judgments, run.open("w") as lines:
        for topic in range(1_000_000, 1_000_000 + topics):
            documents = random.choice(8_841_823, size=depth, replace=False)
            scores = np.sort(random.gamma(4.0, 4.0, size=depth))[::-1]
            lines.writelines(
                f"{topic} Q0 {document} {rank} {score:.6f} made-up\n"
                for rank, (document, score) in enumerate(zip(documents.tolist(), scores.tolist(), strict=True), 1)
            )
            inside = random.choice(documents, size=min(judged // 2, depth), replace=False)
            outside = random.choice(8_841_823, size=judged - len(inside), replace=False)
            pool = dict.fromkeys([*inside.tolist(), *outside.tolist()])
            grades = random.choice(4, size=len(pool), p=[0.5, 0.25, 0.15, 0.1])
            judgments.writelines(f"{topic} 0 {d} {g}\n" for d, g in zip(pool, grades.tolist(), strict=True))
    return qrels, run


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--topics", type=int, default=6980)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--judged", type=int, default=20)
    given = parser.parse_args()
    for path in write(given.folder, given.topics, given.depth, given.judged):
        print(path, f"{path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
