"""A made-up interactive experiment after section 3.1 of the 2008 paper: 30 searchers, 4 tasks, 2 systems.

Every searcher does every task once, two tasks with each system, in a balanced square, so that each task is searched 15
times with each system. A searcher asks again until a good document turns up, or gives up. Same seed, same bytes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SEARCHERS = 30
TASKS = ("A", "B", "C", "D")
SEED = 2008
COLLECTION = 400
DEPTH = 20
MOST_QUERIES = 11
SQUARE = ((0, 0, 1, 1), (1, 1, 0, 0), (0, 1, 1, 0), (1, 0, 0, 1), (0, 1, 0, 1), (1, 0, 1, 0))
"""Which system a searcher of each group uses for task A, B, C, D: all ways to use each of two systems twice."""
WORDS = ("dosage", "guideline", "side effects", "children", "referral", "first choice", "long term", "test", "elderly")


@dataclass(frozen=True)
class SearchSystem:
    """How well a system finds documents of grade 0, 1, 2, 3, and how much a better query helps it."""

    name: str
    sees: tuple[float, float, float, float]
    learns: float


SYSTEMS = (
    SearchSystem("keywords", (0.0, 0.6, 1.2, 1.7), 0.2),
    SearchSystem("semantic", (0.0, 0.6, 1.5, 2.2), 0.2),
)
"""`semantic` has a better index and is the one the sessions should show to be better."""


@dataclass(frozen=True)
class MadeUpSessions:
    """Judgments in TREC's columns, and a log of JSON lines for each system."""

    qrels: str
    logs: dict[str, str]


def make_sessions(seed: int = SEED) -> MadeUpSessions:
    """Judgments cover what any query returned; the rest stays unjudged."""
    random = np.random.default_rng(seed)
    grades = {task: _grades(random) for task in TASKS}
    names = {task: [f"{task}{number:03d}" for number in random.permutation(COLLECTION)] for task in TASKS}
    logs: dict[str, list[str]] = {system.name: [] for system in SYSTEMS}
    seen: dict[str, set[int]] = {task: set() for task in TASKS}
    for searcher in range(1, SEARCHERS + 1):
        skill = random.normal(0.0, 0.15)
        for place in random.permutation(len(TASKS)).tolist():
            task, system = TASKS[place], SYSTEMS[SQUARE[searcher % len(SQUARE)][place]]
            for query, listed in enumerate(_session(random, system, grades[task], skill), 1):
                seen[task].update(listed.tolist())
                record = {
                    "session": f"u{searcher:02d}-{task}",
                    "query": query,
                    "topic": task,
                    "user": f"u{searcher:02d}",
                    "text": f"task {task} {WORDS[(searcher + 2 * query) % len(WORDS)]}",
                    "ranking": [names[task][document] for document in listed.tolist()],
                }
                logs[system.name].append(json.dumps(record))
    qrels = [
        f"{task} 0 {names[task][document]} {grades[task][document]}"
        for task in TASKS
        for document in sorted(seen[task])
    ]
    return MadeUpSessions("\n".join(qrels) + "\n", {name: "\n".join(lines) + "\n" for name, lines in logs.items()})


def _grades(random: np.random.Generator) -> NDArray[np.int64]:
    grades = np.zeros(COLLECTION, dtype=np.int64)
    relevant = int(random.integers(18, 32))
    grades[:relevant] = random.choice((1, 2, 3), size=relevant, p=(0.55, 0.3, 0.15))
    return grades


def _session(
    random: np.random.Generator, system: SearchSystem, grades: NDArray[np.int64], skill: float
) -> list[NDArray[np.int64]]:
    """Result lists until the searcher is content or gives up; later queries are better on average."""
    lists: list[NDArray[np.int64]] = []
    while len(lists) < MOST_QUERIES:
        quality = 0.1 + skill + system.learns * len(lists) + random.normal(0.0, 0.4)
        lists.append(_results(random, system, grades, max(0.05, quality)))
        best = int(grades[lists[-1][:10]].max(initial=0))
        if random.random() < (0.06, 0.10, 0.25, 0.75)[best]:
            break
    return lists


def _results(
    random: np.random.Generator, system: SearchSystem, grades: NDArray[np.int64], quality: float
) -> NDArray[np.int64]:
    if random.random() < 0.07:  # too narrow a query
        return np.zeros(0, dtype=np.int64)
    size = DEPTH if random.random() < 0.8 else int(random.integers(1, 10))
    scores = quality * np.array(system.sees)[grades] + random.normal(0.0, 0.75, size=len(grades))
    return np.argsort(-scores, kind="stable")[:size]
