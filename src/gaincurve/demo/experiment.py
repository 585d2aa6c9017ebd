"""A made-up experiment: 50 topics, graded judgments, four systems with different virtues. Same seed, same bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TOPICS = 50
COLLECTION = 1200
DEPTH = 200
POOL_DEPTH = 40
SEED = 2002


@dataclass(frozen=True)
class System:
    """How a system scores: what it sees in a document of grade 0, 1, 2, 3, how noisily, and in what steps."""

    name: str
    sees: tuple[float, float, float, float]
    noise: float
    step: float


SYSTEMS = (
    System("broad", (0.0, 1.8, 1.9, 1.9), 1.05, 0.001),
    System("sharp", (0.0, 0.9, 1.5, 2.7), 1.05, 0.001),
    System("titles", (0.0, 1.0, 1.3, 1.7), 0.95, 1.0),
    System("legacy", (0.0, 0.9, 1.1, 1.4), 0.95, 0.05),
)
"""`broad` finds whatever is relevant, `sharp` puts the excellent first, `titles` counts matching words and so ties,
`legacy` is older and was not in the pool that was judged."""


@dataclass(frozen=True)
class Cost:
    """What a system costs: its usual latency and the factor it varies by, indexing, storage, and speed under load."""

    latency_ms: float
    strays: float
    indexing_s: float
    index_bytes: int
    queries_per_s: float


COSTS = {
    "broad": Cost(41.0, 1.5, 912.0, 1_610_000_000, 148.0),
    "sharp": Cost(186.0, 1.25, 2740.0, 3_350_000_000, 31.0),
    "titles": Cost(2.4, 1.6, 64.0, 38_000_000, 2600.0),
    "legacy": Cost(12.5, 2.3, 655.0, 702_000_000, 390.0),
}
TEXT_BYTES = 1_250_000_000
REPEATS = 3
"""Each topic is measured this many times."""


@dataclass(frozen=True)
class MadeUp:
    """Judgments and runs as text, in TREC's columns."""

    qrels: str
    runs: dict[str, str]


def make_experiment(seed: int = SEED, topics: int = TOPICS) -> MadeUp:
    """The judgments pool the first 40 documents of all systems but `legacy`; the rest stays unjudged."""
    random = np.random.default_rng(seed)
    judged: list[str] = []
    runs: dict[str, list[str]] = {system.name: [] for system in SYSTEMS}
    for topic in range(1, topics + 1):
        grades = _grades(random)
        names = [f"D{number:05d}" for number in random.choice(90_000, size=COLLECTION, replace=False)]
        difficulty = random.uniform(0.6, 1.3)
        pool: set[int] = set()
        for system in SYSTEMS:
            scores = _scores(random, system, grades, difficulty)
            order = np.lexsort((np.arange(COLLECTION), -scores))[:DEPTH]
            runs[system.name].extend(
                f"{topic} Q0 {names[document]} {rank} {scores[document]:.3f} {system.name}"
                for rank, document in enumerate(order.tolist(), 1)
            )
            if system.name != "legacy":
                pool.update(order[:POOL_DEPTH].tolist())
        judged.extend(f"{topic} 0 {names[document]} {grades[document]}" for document in sorted(pool))
    return MadeUp(_text(judged), {name: _text(lines) for name, lines in runs.items()})


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def make_logs(seed: int = SEED, topics: int = TOPICS) -> dict[str, str]:
    """An efficiency log for each system: three latencies a topic, the index, and a load of 10 000 queries."""
    random = np.random.default_rng((seed, 1))  # a stream of its own: the judgments and runs do not depend on it
    logs: dict[str, str] = {}
    for name, cost in COSTS.items():
        difficulty = random.normal(0.0, 0.8, size=topics)
        records: list[dict[str, object]] = [
            {"indexing_s": cost.indexing_s, "index_bytes": cost.index_bytes, "text_bytes": TEXT_BYTES},
            {"queries": 10_000, "wall_s": round(10_000 / cost.queries_per_s, 1), "threads": 8},
        ]
        for _ in range(REPEATS):
            noise = difficulty + random.normal(0.0, 0.3, size=topics)
            latencies = (cost.latency_ms * cost.strays**noise).round(3).tolist()
            records += [{"topic": str(topic), "latency_ms": latency} for topic, latency in enumerate(latencies, 1)]
        logs[name] = "".join(json.dumps(record) + "\n" for record in records)
    return logs


def _grades(random: np.random.Generator) -> NDArray[np.int64]:
    """Few relevant documents among many: about half of them marginal, a fifth excellent, as in the 2002 paper."""
    relevant = int(np.clip(random.lognormal(3.4, 0.5), 8, 120))
    grades = np.zeros(COLLECTION, dtype=np.int64)
    grades[:relevant] = random.choice((1, 2, 3), size=relevant, p=(0.5, 0.3, 0.2))
    return grades


def _scores(
    random: np.random.Generator, system: System, grades: NDArray[np.int64], difficulty: float
) -> NDArray[np.float64]:
    signal = np.array(system.sees)[grades]
    seen = signal / difficulty + random.normal(0.0, system.noise, size=len(grades))
    return 10.0 + np.round(seen / system.step) * system.step
