"""A topic seen plainly: what a formula of the literature speaks about, and nothing of how the library keeps it."""

import itertools
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

UNJUDGED = None
Grade = float | None
Subtopics = dict[str, float]

GAINS: dict[str, Callable[[float], float]] = {
    "identity": lambda g: max(g, 0),
    "exp2": lambda g: 2 ** max(g, 0) - 1,
    "binary": lambda g: 1.0 if g >= 1 else 0.0,
    "binary(rel=2)": lambda g: 1.0 if g >= 2 else 0.0,
    "0-1-10-100": lambda g: [0, 1, 10, 100][int(max(g, 0))],
    "0-0.25-0.5-1": lambda g: [0, 0.25, 0.5, 1][int(max(g, 0))],
    "0-0.25-0.5-2.75": lambda g: [0, 0.25, 0.5, 2.75][int(max(g, 0))],
    "1=5,2=1,3=2": lambda g: {1: 5, 2: 1, 3: 2}.get(g, 0),  # not monotone
}
DISCOUNTS: dict[tuple[str, float | None], Callable[[int], float]] = {
    ("none", None): lambda i: 1.0,
    ("log", None): lambda i: math.log2(i + 1),
    ("rank", None): lambda i: i,
    ("jk2002", 2): lambda i: 1 if i < 2 else math.log2(i),
    ("jk2002", 2.5): lambda i: 1 if i < 2.5 else math.log(i) / math.log(2.5),
    ("jarvelin2008", 4): lambda i: 1 + math.log(i) / math.log(4),
    ("kanoulas2011", 3): lambda i: math.log(i + 2) / math.log(3),
}


@dataclass(frozen=True)
class Topic:
    """The grades of a list by rank (None: unjudged), those of all judged documents, and all grades the judges used.

    `tied` holds the sizes of the blocks of equal scores from the top; `covers` and `coverable` the subtopics of the
    documents listed and of all judged ones, `strata` and `pool` the stratum of each.
    """

    listed: tuple[Grade, ...]
    base: tuple[float, ...]
    scale: tuple[float, ...]
    scores: tuple[float, ...] = ()
    tied: tuple[int, ...] = ()
    covers: tuple[Subtopics, ...] = ()
    coverable: tuple[Subtopics, ...] = ()
    strata: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()
    names: tuple[str, ...] = field(default=(), compare=False)

    @property
    def n(self) -> int:
        """How many documents were retrieved."""
        return len(self.listed)

    def orders(self) -> Iterator["Topic"]:
        """The topic under every order of its tied documents."""
        starts = [sum(self.tied[:i]) for i in range(len(self.tied))]
        blocks = [range(start, start + size) for start, size in zip(starts, self.tied, strict=True)]
        for order in itertools.product(*map(itertools.permutations, blocks)):
            rows = list(itertools.chain(*order))
            covers = tuple(self.covers[i] for i in rows) if self.covers else ()
            yield replace(self, listed=tuple(self.listed[i] for i in rows), covers=covers, tied=(1,) * self.n)

    def judgings(self, reach: int | None) -> Iterator["Topic"]:
        """The topic under every judging, by grades of the scale, of what is unjudged in the top `reach`."""
        open_ = [i for i, grade in enumerate(self.listed[:reach]) if grade is UNJUDGED]
        for new in itertools.product(self.scale, repeat=len(open_)):
            listed = list(self.listed)
            for i, grade in zip(open_, new, strict=True):
                listed[i] = grade
            yield replace(self, listed=tuple(listed), base=self.base + new)


def is_relevant(grade: Grade, rel: float = 1, only: float | None = None) -> bool:
    """Of at least grade `rel`, or of exactly `only`; an unjudged document is not."""
    return grade is not UNJUDGED and (grade >= rel if only is None else grade == only)


def hits(t: Topic, rel: float = 1, only: float | None = None) -> list[bool]:
    """Which documents of the list are relevant."""
    return [is_relevant(grade, rel, only) for grade in t.listed]


def how_many(t: Topic, rel: float = 1, only: float | None = None) -> int:
    """R."""
    return sum(is_relevant(grade, rel, only) for grade in t.base)


def gain_of(grade: Grade, gains: str) -> float:
    """What a document gains; an unjudged one nothing."""
    return 0.0 if grade is UNJUDGED else GAINS[gains](grade)


def gained(t: Topic, gains: str = "identity") -> list[float]:
    """The gains of the list."""
    return [gain_of(grade, gains) for grade in t.listed]


def ideal(t: Topic, gains: str = "identity") -> list[float]:
    """The gains of the recall base, highest first."""
    return sorted((gain_of(grade, gains) for grade in t.base), reverse=True)


def top_gain(t: Topic, gains: str = "identity") -> float:
    """The highest gain of any grade the judges used."""
    return max(gain_of(grade, gains) for grade in t.scale)


def dcg(gains: list[float], k: int | None = None, discount: str = "log", base: float | None = None) -> float:
    """Σ G[i]/D(i) to rank k."""
    divisor = DISCOUNTS[discount, base]
    return math.fsum(gain / divisor(i) for i, gain in enumerate(gains[:k], start=1))


# A topic as text: '(3 0) . 1 + 2 2' --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Written:
    """Judgments and a run of one topic `q`, written as a line: the list by grade, then '+' and what it missed.

    '.' is an unjudged document, brackets hold documents of equal score, letters are the subtopics that a document
    covers. All grades of the line are the scale.
    """

    line: str
    scores: tuple[float, ...] = ()

    @property
    def judgments(self) -> dict[str, dict[str, Any]]:
        listed, missed = self._sides()
        grades = {f"d{i}": _grade(token) for i, (token, _) in enumerate(listed) if token != "."}
        return {"q": grades | {f"m{i}": _grade(token) for i, token in enumerate(missed)}}

    @property
    def run(self) -> dict[str, dict[str, float]]:
        listed, _ = self._sides()
        scores = self.scores or [1000.0 - block for _, block in listed]
        return {"q": {f"d{i}": score for i, score in enumerate(scores)}}

    def _sides(self) -> tuple[list[tuple[str, int]], list[str]]:
        listed, _, missed = self.line.partition("+")
        found: list[tuple[str, int]] = []
        block, inside = 0, False
        for token in re.findall(r"[()]|[^\s()]+", listed):
            if token in "()":
                inside = token == "("
                block += 1
            else:
                block += 0 if inside else 1
                found.append((token, block))
        return found, missed.split()


def _grade(token: str) -> float | Subtopics:
    if token.isalpha():
        return dict.fromkeys(token, 1.0)
    return float(token)
