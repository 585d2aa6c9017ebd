"""The experiments behind the reports, each with one reason to be there; Python's own answer for any settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gaincurve import compare, evaluate, read_judgments, read_run
from gaincurve.demo.experiment import make_experiment
from gaincurve.model.comparison import Family
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores

EVIL = (
    '</script><img src=x onerror="window.pwned=1">',
    "<!--<script>window.pwned=2</script>",
    "\"'><svg onload=window.pwned=3>",
    "`${window.pwned=4}`{{window.pwned=5}}",
    "&lt;b&gt;&amp;#60;",
    "line\u2028separators\u2029here",
    "\u202etfel-ot-thgir\u202c\u200f",
    "bell\x07tab\tescape\x1b[31m",
    "bytes\udcff\udcfe",
    "__proto__",
    "constructor",
    "w" + "i" * 9_998 + "e",
    "日本語 🍣 é",
)
"""What an id can be: markup, separators, directions, controls, bytes that are no text, names JavaScript has, length."""


@dataclass(frozen=True)
class Experiment:
    """Judgments and runs in files or in memory."""

    judgments: Any
    runs: dict[str, Any]

    def scores(self, measure: str, **choices: Any) -> Scores:
        """As `gaincurve eval` would."""
        return evaluate(self.judgments, self.runs, measure, scenario=Scenario().with_choices(**choices))

    def family(self, measure: str, baseline: str | None = None, **choices: Any) -> Family:
        """As `gaincurve compare --test t --adjust holm` would."""
        adjust = "holm" if len(self.runs) > 2 else None
        scores = self.scores(measure, **choices)
        return compare(scores, "t", adjust=adjust, baseline=baseline, missing="intersect").families[0]


def write_demo(folder: Path, topics: int = 50) -> tuple[Path, list[Path]]:
    """The demo's judgments and runs as files."""
    made = make_experiment(topics=topics)
    folder.mkdir(parents=True, exist_ok=True)
    qrels = folder / "judgments.qrels"
    qrels.write_text(made.qrels)
    runs = [folder / f"{name}.run" for name in made.runs]
    for path, text in zip(runs, made.runs.values(), strict=True):
        path.write_text(text)
    return qrels, runs


def from_files(qrels: Path, runs: list[Path]) -> Experiment:
    """The same, read."""
    return Experiment(read_judgments(qrels), {path.stem: read_run(path) for path in runs})


def hostile() -> Experiment:
    """Every kind of evil as run name, topic id and document id, and documents that nobody judged."""
    random = np.random.default_rng(7)
    judgments: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {name: {} for name in EVIL}
    for t, topic in enumerate(EVIL):
        documents = [f"{evil}·{t}" for evil in EVIL] + [f"unjudged-{t}-{i}" for i in range(3)]
        judgments[topic] = {document: int(random.integers(0, 4)) for document in documents[: len(EVIL)]}
        for run in runs.values():
            run[topic] = dict(zip(documents, random.normal(size=len(documents)).round(3).tolist(), strict=True))
    return Experiment(judgments, runs)


def write_large(folder: Path, topics: int = 1000, runs: int = 10, depth: int = 100) -> tuple[Path, list[Path]]:
    """As many topics as a large collection has, and ids as long: 60 judged of 250 documents a topic, growing noise."""
    random = np.random.default_rng(3)
    folder.mkdir(parents=True, exist_ok=True)
    grades = random.choice(4, size=(topics, 250), p=(0.7, 0.15, 0.1, 0.05))
    ids = [f"clueweb09-en{n:010d}" for n in random.choice(10**9, grades.size, replace=False).tolist()]
    qrels = folder / "large.qrels"
    rows = [f"{t} 0 {ids[250 * t + d]} {grades[t, d]}\n" for t in range(topics) for d in range(60)]
    qrels.write_text("".join(rows))
    paths = []
    for r in range(runs):
        seen = grades + random.normal(0, 1 + r / 5, size=grades.shape)
        order = np.argsort(-seen, axis=1)[:, :depth].tolist()
        path = folder / f"system-{r}.run"
        lines = [
            f"{t} Q0 {ids[250 * t + d]} {i} {depth - i} s\n" for t in range(topics) for i, d in enumerate(order[t], 1)
        ]
        path.write_text("".join(lines))
        paths.append(path)
    return qrels, paths


@dataclass(frozen=True)
class Report:
    """A page on disk and what it is about; `qrels` and `paths` where it was made from files."""

    path: Path
    experiment: Experiment
    qrels: Path | None = None
    paths: tuple[Path, ...] = ()
