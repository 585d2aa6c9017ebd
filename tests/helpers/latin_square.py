"""A made-up Latin square as in 2008: searchers, tasks and two systems, as records, logs and means by plain loops."""

from __future__ import annotations

import math
import random
from collections import defaultdict

import gaincurve as gc

TASKS = "ABCD"
JUDGMENTS = {task: {f"{task}{i}": (i * 7 + k) % 4 for i in range(30)} for k, task in enumerate(TASKS)}
DRAW = random.Random(20)


def queries(task: str, session: str, user: str) -> list[dict[str, object]]:
    count = DRAW.randint(1, 3)
    ids = [f"{task}{i}" for i in range(40)]  # ten of them are not judged
    return [
        {"session": session, "query": q, "topic": task, "user": user, "ranking": DRAW.sample(ids, DRAW.randint(2, 12))}
        for q in range(1, count + 1)
    ]


def latin_square(users: int = 12) -> dict[str, list[dict[str, object]]]:
    """Every searcher does two tasks with each system; who does which with which goes round."""
    records: dict[str, list[dict[str, object]]] = {"old": [], "new": []}
    for u in range(users):
        for k, task in enumerate(TASKS):
            system = "old" if (k + u) % 4 < 2 else "new"
            records[system] += queries(task, f"u{u}-{task}", f"u{u}")
    return records


RECORDS = latin_square()


def logs_of(records: dict[str, list[dict[str, object]]]) -> list[gc.SessionLog]:
    return [gc.sessions_from_records(rows, name) for name, rows in records.items()]


LOGS = logs_of(RECORDS)


def unit_means(scores: gc.Scores, m: int, unit: str) -> list[dict[str, float]]:
    """By run: the plain mean of each user's or topic's defined sessions, read off the names u3-A."""
    part = 0 if unit == "user" else 1
    means = []
    for values in scores.values[:, m]:
        groups: dict[str, list[float]] = defaultdict(list)
        for session, value in zip(scores.units, values.tolist(), strict=True):
            if not math.isnan(value):
                groups[session.split("-")[part]].append(value)
        means.append({name: sum(group) / len(group) for name, group in groups.items()})
    return means
