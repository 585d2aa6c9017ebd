"""A plain loop over queries and ranks, written from the formulas of the 2008 paper; it shares nothing with the package.

A session is a list of queries (topic, list of documents, how many were read: None for all); judgments are
{topic: {document: gain}}. Every rule of the command line is an `if` here.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

Query = tuple[str | None, list[str], int | None]
Cell = tuple[int, int, str | None, str | None, float, float]
Judged = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Rules:
    form: str = "jarvelin2008"
    b: float = 2.0
    query_form: str = "jarvelin2008"
    bq: float = 4.0
    x: int = 10
    rank_scope: str = "query"
    normalise: str = "concat"
    ideal: str = "repeat"
    horizon: int = 0
    pad: str = "x"
    skip_empty: bool = False
    repeats: str = "count"
    unjudged_queries: str = "skip"


def weight(form: str, base: float, i: int) -> float:
    if form == "none" or math.isinf(base):
        return 1.0
    if form == "rank":
        return 1.0 / i
    if form == "log":
        return 1.0 / (math.log(i + 1) / math.log(2))
    if form == "jarvelin2008":
        return 1.0 / (1.0 + math.log(i) / math.log(base))
    if form == "kanoulas2011":
        return 1.0 / (math.log(i + base - 1) / math.log(base))
    if form == "jk2002":
        return 1.0 if i < base else 1.0 / (math.log(i) / math.log(base))
    raise ValueError(form)


def issued(session: list[Query], rules: Rules) -> list[Query]:
    return [query for query in session if query[1]] if rules.skip_empty else session


def width(documents: list[str], read: int | None, rules: Rules) -> int:
    most = rules.x if read is None else min(rules.x, read)
    if rules.pad == "x":
        return most
    least = 0 if rules.pad == "none" else int(rules.pad.split(":")[1])
    return min(most, max(len(documents), least))


def cells(session: list[Query], rules: Rules) -> list[Cell]:
    """(query, rank, topic, document or None, d, c) of every place of the concatenated list."""
    found = []
    place = 0
    queries = issued(session, rules)
    for q in range(1, max(len(queries), rules.horizon) + 1):
        real = q <= len(queries)
        topic, documents, read = queries[q - 1] if real else (queries[-1][0] if queries else None, [], None)
        for r in range(1, (width(documents, read, rules) if real else rules.x) + 1):
            place += 1
            d = weight(rules.form, rules.b, r if rules.rank_scope == "query" else place)
            c = weight(rules.query_form, rules.bq, q)
            found.append((q, r, topic, documents[r - 1] if r <= len(documents) else None, d, c))
    return found


def actual_gains(session: list[Query], judged: Judged, rules: Rules) -> list[float]:
    seen: set[tuple[str | None, str]] = set()
    gains = []
    for _, _, topic, document, _, _ in cells(session, rules):
        gain = 0.0
        if document is not None and topic in judged and document in judged[topic]:
            gain = judged[topic][document]
            if rules.repeats == "first" and (topic, document) in seen:
                gain = 0.0
            seen.add((topic, document))
        gains.append(gain)
    return gains


def ideal_gains(session: list[Query], judged: Judged, rules: Rules) -> list[float]:
    places = cells(session, rules)
    best = {topic: sorted(grades.values(), reverse=True) for topic, grades in judged.items()}
    gains = [0.0] * len(places)
    if rules.ideal == "repeat":
        for i, (_, r, topic, _, _, _) in enumerate(places):
            base = best.get(topic or "", [])
            gains[i] = base[r - 1] if r <= len(base) else 0.0
        return gains
    for topic in {place[2] for place in places}:
        base = best.get(topic or "", [])
        mine = [i for i, place in enumerate(places) if place[2] == topic]
        if rules.ideal == "bound":
            mine.sort(key=lambda i: -places[i][4] * places[i][5])
        for i, gain in zip(mine, base, strict=False):
            gains[i] = gain
    return gains


def cumulated(places: list[Cell], gains: list[float]) -> list[float]:
    """S[(q−1)X + r] = Σ_{p<q} c(p)·DCG_p + c(q)·DCG_q[r]."""
    found: list[float] = []
    before = own = 0.0
    for i, ((q, _, _, _, d, c), gain) in enumerate(zip(places, gains, strict=True)):
        if i and q != places[i - 1][0]:
            before += places[i - 1][5] * own
            own = 0.0
        own += d * gain
        found.append(before + c * own)
    return found


def sdcg(session: list[Query], judged: Judged, rules: Rules) -> float:
    vector = cumulated(cells(session, rules), actual_gains(session, judged, rules))
    return vector[-1] if vector else 0.0


def nsdcg_vector(session: list[Query], judged: Judged, rules: Rules) -> list[float]:
    places = cells(session, rules)
    actual, best = actual_gains(session, judged, rules), ideal_gains(session, judged, rules)
    if rules.normalise == "concat":
        above, below = cumulated(places, actual), cumulated(places, best)
        return leading_zeros(
            places, judged, rules, [a / i if i > 0 else math.nan for a, i in zip(above, below, strict=True)]
        )
    found: list[float] = []
    before = own = own_best = ever = 0.0
    share = 0.0
    for i, ((q, _, _, _, d, c), gain, good) in enumerate(zip(places, actual, best, strict=True)):
        if i and q != places[i - 1][0]:
            before += places[i - 1][5] * share
            own = own_best = share = 0.0
        own, own_best, ever = own + d * gain, own_best + d * good, ever + good
        share = own / own_best if own_best > 0 else 0.0
        found.append(before + c * share if ever > 0 else math.nan)
    return leading_zeros(places, judged, rules, found)


def leading_zeros(places: list[Cell], judged: Judged, rules: Rules, shares: list[float]) -> list[float]:
    """0 before the first judged query where queries that are not judged count as 0."""
    first = next((i for i, place in enumerate(places) if place[2] in judged), len(places))
    return shares if rules.unjudged_queries == "skip" else [0.0] * first + shares[first:]


def counting(session: list[Query], judged: Judged, rules: Rules, vector: list[float]) -> list[float]:
    """The values on the places of queries that enter a mean: the judged ones, or all where the others count as 0."""
    at = zip(cells(session, rules), vector, strict=True)
    return [value for place, value in at if rules.unjudged_queries == "zero" or place[2] in judged]


def nsdcg(session: list[Query], judged: Judged, rules: Rules) -> float:
    vector = nsdcg_vector(session, judged, rules)
    return vector[-1] if vector else math.nan


def line(session: list[Query], vector: list[float], rules: Rules, queries: int, start: float) -> list[float]:
    """A vector over `queries` · X places: what is not read, and what comes after the end, holds the last value."""
    at = {(q, r): value for (q, r, _, _, _, _), value in zip(cells(session, rules), vector, strict=True)}
    found, last = [], start
    for q in range(1, queries + 1):
        for r in range(1, rules.x + 1):
            last = at.get((q, r), last)
            found.append(last)
    return found


def average(vector: list[float]) -> float:
    defined = [value for value in vector if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def own_scores(session: list[Query], judged: Judged, rules: Rules, relative: bool) -> list[float]:
    """Each query's own DCG or nDCG."""
    sums: dict[int, list[float]] = {}
    best = ideal_gains(session, judged, Rules(**{**vars(rules), "ideal": "repeat"}))
    for (q, _, _, _, d, _), gain, good in zip(
        cells(session, rules), actual_gains(session, judged, rules), best, strict=True
    ):
        one = sums.setdefault(q, [0.0, 0.0])
        one[0] += d * gain
        one[1] += d * good
    issued_now = len(issued(session, rules))
    both = [sums.get(q, [0.0, 0.0]) for q in range(1, issued_now + 1)]
    own = [(a / b if b > 0 else math.nan) if relative else a for a, b in both]
    unjudged = 0.0 if rules.unjudged_queries == "zero" else math.nan
    return [x if topic in judged else unjudged for x, (topic, _, _) in zip(own, issued(session, rules), strict=True)]


def srbp(session: list[Query], judged: Judged, p: float, b: float, x: int) -> float:
    total = 0.0
    for m, (topic, documents, _) in enumerate(session, 1):
        for n, document in enumerate(documents[:x], 1):
            gain = 1.0 if judged.get(topic or "", {}).get(document, 0) > 0 else 0.0
            total += ((p - b * p) / (1 - b * p)) ** (m - 1) * (b * p) ** (n - 1) * gain
    return (1 - p) * total


def path_ndcg(path: list[float], base: list[float]) -> float:
    dcg = sum(gain / math.log2(i + 1) for i, gain in enumerate(path, 1))
    best = sum(gain / math.log2(i + 1) for i, gain in enumerate(base[: len(path)], 1))
    return dcg / best if best > 0 else 0.0


def esndcg_by_paths(lists: list[list[float]], base: list[float], p_down: float, p_reform: float) -> float:
    """Every path there is, one by one."""

    def walk(q: int, path: list[float], probability: float) -> float:
        total = 0.0
        choices = list(range(1, len(lists[q]) + 1)) or [0]
        for k in choices:
            leaves = 1.0 if not lists[q] else p_down ** (k - 1) * (1.0 if k == len(lists[q]) else 1 - p_down)
            longer = path + lists[q][:k]
            stops = 1.0 if q == len(lists) - 1 else 1 - p_reform
            total += probability * leaves * stops * path_ndcg(longer, base)
            if q < len(lists) - 1:
                total += walk(q + 1, longer, probability * leaves * p_reform)
        return total

    return walk(0, [], 1.0)


def esndcg_by_sampling(
    lists: list[list[float]], base: list[float], p_down: float, p_reform: float, draws: int, seed: int
) -> tuple[float, float]:
    """Mean and standard error over random paths."""
    chance = random.Random(seed)
    values = []
    for _ in range(draws):
        path: list[float] = []
        for listed in lists:
            for gain in listed:
                path.append(gain)
                if chance.random() >= p_down:
                    break
            if chance.random() >= p_reform:
                break
        values.append(path_ndcg(path, base))
    mean = sum(values) / draws
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (draws - 1) / draws)
