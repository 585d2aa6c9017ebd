"""A session seen plainly: what the formulas of the literature speak about, and nothing of how the library keeps it.

Every rule of sessions is an `if` here. A document is known by its name, since queries may return it again.
"""

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from plain import Grade, Subtopics, gain_of

Judged = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Query:
    """One query: its documents by rank, the topic it is judged on, and how far the user read and clicked, if known.

    `tied` holds the sizes of the blocks of equal scores from the top.
    """

    documents: tuple[str, ...]
    topic: str
    read: int | None = None
    clicked: int | None = None
    tied: tuple[int, ...] = ()

    def orders(self) -> Iterator["Query"]:
        """The query under every order of its tied documents."""
        starts = [sum(self.tied[:i]) for i in range(len(self.tied))]
        blocks = [self.documents[at : at + size] for at, size in zip(starts, self.tied, strict=True)]
        for order in itertools.product(*map(itertools.permutations, blocks)):
            yield replace(self, documents=tuple(itertools.chain(*order)), tied=())


@dataclass(frozen=True)
class Session:
    """The queries of a session, and what the judges said of all topics: grades, and grades by subtopic.

    `longest` is the number of queries of the longest session it is compared with.
    """

    queries: tuple[Query, ...]
    judged: Judged
    covers: Mapping[str, Mapping[str, Subtopics]] = field(default_factory=dict)
    longest: int = 0

    def grade(self, query: Query, document: str) -> Grade:
        """What the judges of the query's topic said of a document."""
        return self.judged.get(query.topic, {}).get(document)

    def orders(self) -> Iterator["Session"]:
        """The session under every order of the tied documents of each of its lists."""
        for queries in itertools.product(*(query.orders() for query in self.queries)):
            yield replace(self, queries=queries)

    def judgings(self, reach: int, judged_queries: bool = False) -> Iterator["Session"]:
        """The session under every judging, by grades the judges used, of what is unjudged in the top `reach`.

        With `judged_queries` those of a query that is not judged stay unjudged, and it stays out.
        """
        scale = sorted({grade for row in self.judged.values() for grade in row.values()})
        open_ = {
            (q.topic, d): None
            for q in self.queries
            for d in q.documents[:reach]
            if self.grade(q, d) is None and (q.topic in self.judged or not judged_queries)
        }  # judged once, wherever it is returned
        for new in itertools.product(scale, repeat=len(open_)):
            judged = {topic: dict(row) for topic, row in self.judged.items()}
            for (topic, document), grade in zip(open_, new, strict=True):
                judged.setdefault(topic, {})[document] = grade
            yield replace(self, judged=judged)


# Discounts, places and gains ----------------------------------------------------------------------------------------


def divisor(form: str, base: float, i: int) -> float:
    """D(i) or, of queries, 1/c(i)."""
    if form == "none" or math.isinf(base):
        return 1.0
    if form == "rank":
        return i
    if form == "log":
        return math.log2(i + 1)
    if form == "jk2002":
        return 1.0 if i < base else math.log(i) / math.log(base)
    if form == "kanoulas2011":
        return math.log(i + base - 1) / math.log(base)
    assert form == "jarvelin2008"
    return 1 + math.log(i) / math.log(base)


class Place(NamedTuple):
    """A rank of a query that is read: its query (None: one the ideal session asks after the end), and its weight."""

    number: int
    rank: int
    query: Query | None
    topic: str
    document: str | None
    d: float
    c: float


def counted(s: Session, empty_lists: str = "count", **_: object) -> list[Query]:
    """The queries that count."""
    return [query for query in s.queries if query.documents or empty_lists == "count"]


def entering(s: Session, unjudged_queries: str = "skip", **rules: Any) -> list[bool]:
    """Which of the queries that count enter means over queries: the judged ones, or all where the others count as 0."""
    return [unjudged_queries == "zero" or query.topic in s.judged for query in counted(s, **rules)]


def reach(query: Query, cutoff: int = 10, scan: str = "top", **_: object) -> int:
    """How far a list is read."""
    seen = {"top": None, "observed": query.read, "clicks": query.clicked}[scan]
    return cutoff if seen is None else min(cutoff, seen)


def width(query: Query, pad: str = "x", **rules: Any) -> int:
    """How long a list counts as."""
    most = reach(query, **rules)
    if pad == "x":
        return most
    least = 0 if pad == "none" else int(pad.partition(":")[2])
    return min(most, max(least, len(query.documents)))


def places(
    s: Session, *, horizon: str = "own", discount: str = "jarvelin2008", base: float = 2,
    query_discount: str = "jarvelin2008", bq: float = 4, rank_scope: str = "query", cutoff: int = 10, **rules: Any,
) -> list[Place]:  # fmt: skip
    """Every rank that is read, in order; with a horizon those of the queries that the ideal session has beyond."""
    queries: list[Query | None] = [*counted(s, **rules)]
    last = queries[-1].topic if queries and queries[-1] else ""
    least = {"own": 0, "longest": s.longest}[horizon] if horizon in ("own", "longest") else int(horizon)
    queries += [None] * (least - len(queries))
    found: list[Place] = []
    for number, query in enumerate(queries, start=1):
        for rank in range(1, (cutoff if query is None else width(query, cutoff=cutoff, **rules)) + 1):
            i = rank if rank_scope == "query" else len(found) + 1
            document = query.documents[rank - 1] if query and rank <= len(query.documents) else None
            d, c = 1 / divisor(discount, base, i), 1 / divisor(query_discount, bq, number)
            found.append(Place(number, rank, query, query.topic if query else last, document, d, c))
    return found


def gained(s: Session, at: Sequence[Place], *, gains: str = "identity", repeats: str = "count") -> list[float]:
    """What each place gains: a document that comes again only where repeats count."""
    seen: set[tuple[str, str]] = set()
    found = []
    for place in at:
        gain = 0.0
        if place.query is not None and place.document is not None:
            identity = (place.topic, place.document)
            if repeats == "count" or identity not in seen:
                gain = gain_of(s.grade(place.query, place.document), gains)
            seen.add(identity)
        found.append(gain)
    return found


def recall_base(s: Session, topic: str, gains: str = "identity") -> list[float]:
    """The gains of a topic's judged documents, highest first."""
    return sorted((gain_of(grade, gains) for grade in s.judged.get(topic, {}).values()), reverse=True)


def ideal_gains(s: Session, at: Sequence[Place], *, gains: str = "identity", ideal: str = "repeat") -> list[float]:
    """What each place gains in the ideal session."""
    found = [0.0] * len(at)
    for topic in {place.topic for place in at}:
        best = recall_base(s, topic, gains)
        own = [i for i, place in enumerate(at) if place.topic == topic]
        if ideal == "repeat":
            for i in own:
                found[i] = best[at[i].rank - 1] if at[i].rank <= len(best) else 0.0
            continue
        if ideal == "bound":
            own.sort(key=lambda i: (-at[i].c * at[i].d, i))
        for i, gain in zip(own, best, strict=False):
            found[i] = gain
    return found


def cumulated(at: Sequence[Place], gains: Sequence[float]) -> list[float]:
    """S at every place: Σ c(q)·G/D(r) up to it."""
    return list(itertools.accumulate(place.c * place.d * gain for place, gain in zip(at, gains, strict=True)))


def own_sums(at: Sequence[Place], gains: Sequence[float], queries: int) -> list[float]:
    """Each query's own DCG."""
    return [
        math.fsum(place.d * gain for place, gain in zip(at, gains, strict=True) if place.number == number)
        for number in range(1, queries + 1)
    ]


# A session as text: '3a . 1 | | 3a 2 + 2' ----------------------------------------------------------------------------


@dataclass(frozen=True)
class WrittenSession:
    """Judgments of one topic `t` and a session `s` written as a line: its lists by '|', then '+' and what they missed.

    A document is its grade; '.' is an unjudged one; letters behind a grade name a document that comes again. Letters
    alone are the subtopics a document covers, and a number behind them names it.
    """

    line: str

    @property
    def judgments(self) -> dict[str, dict[str, Any]]:
        return {"t": {name: value for row in self._rows() for name, value in row if value is not None}}

    @property
    def records(self) -> list[dict[str, Any]]:
        lists = self._rows()[:-1]
        return [
            {"session": "s", "query": q, "topic": "t", "ranking": [name for name, _ in row]}
            for q, row in enumerate(lists, start=1)
        ]

    def _rows(self) -> list[list[tuple[str, Any]]]:
        listed, _, missed = self.line.partition("+")
        rows = [part.split() for part in (*listed.split("|"), missed)]
        return [[_document(token, f"{i}.{k}") for k, token in enumerate(row)] for i, row in enumerate(rows)]


def _document(token: str, place: str) -> tuple[str, Any]:
    """Name and judgment of a document as written; one without a name is called by its place."""
    if token == ".":
        return place, None
    graded = re.fullmatch(r"(-?\d+)([a-z]*)", token)
    if graded:
        return (token if graded[2] else place), float(graded[1])
    covered = re.fullmatch(r"([a-z]+)(\d*)", token)
    assert covered, token
    return (token if covered[2] else place), dict.fromkeys(covered[1], 1.0)
