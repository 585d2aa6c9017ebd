"""Every session measure's file, as `filed.py` is for measures of lists; `test_session_laws.py` does the rest.

Whoever adds a session measure writes it in its family module and files it here. All of LAWS hold for it under every
text unless its file says which text breaks which law, and why; that it is broken is proved too.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from filed import LAWS
from plain import gain_of
from plain_sessions import (
    Session,
    counted,
    cumulated,
    divisor,
    entering,
    gained,
    ideal_gains,
    own_sums,
    places,
    reach,
    recall_base,
)


class GoldenSession(NamedTuple):
    """A number from elsewhere: `line` is a session as `WrittenSession` reads it; a text is a value as printed."""

    text: str
    line: str
    value: float | str
    source: str
    choices: Mapping[str, str] = {}


@dataclass(frozen=True)
class FiledSession:
    """What is known of a session measure from outside the library.

    `breaks` are laws that do not hold: {law: {text: why}}. `one_topic` says that it refuses a session judged on several
    topics.
    """

    texts: tuple[str, ...]
    plain: Callable[..., float]
    undefined: Callable[..., bool]
    golden: tuple[GoldenSession, ...]
    breaks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    one_topic: bool = False

    def under(self, law: str) -> tuple[str, ...]:
        """The texts under which a law holds."""
        assert law in LAWS
        return tuple(text for text in self.texts if text not in self.breaks.get(law, {}))


FILED_SESSIONS: dict[str, FiledSession] = {}


def file_session(
    name: str,
    *texts: str,
    undefined: Callable[..., bool],
    golden: tuple[GoldenSession, ...],
    breaks: Mapping[str, Mapping[str, str]] | None = None,
    one_topic: bool = False,
) -> Callable[[Callable[..., float]], Callable[..., float]]:
    """File the session measure `name` with the decorated function as its plain loop."""

    def filed(plain: Callable[..., float]) -> Callable[..., float]:
        assert name not in FILED_SESSIONS, f"{name} is filed twice"
        FILED_SESSIONS[name] = FiledSession(texts, plain, undefined, golden, breaks or {}, one_topic)
        return plain

    return filed


# When a session measure is undefined ---------------------------------------------------------------------------------


def never(s: Session, **_: object) -> bool:
    """It always has a value."""
    return False


def nothing_asked(s: Session, score: str = "final", **rules: Any) -> bool:
    """No query counts."""
    return not counted(s, **rules)


def asked_for(values: list[Any], score: str) -> list[Any]:
    """Those of the first, the last or all queries."""
    return {"first": values[:1], "last": values[-1:]}.get(score, values)


def no_place_or_query(s: Session, score: str = "final", unjudged_queries: str = "skip", **rules: Any) -> bool:
    """There is nothing to take a mean over, or no query whose own value is asked for."""
    if score == "final":
        return False
    enters = entering(s, unjudged_queries, **rules)
    if score == "average":
        return not any(enters[place.number - 1] for place in places(s, **rules))
    return not any(asked_for(enters, score))


def nothing_to_gain(
    s: Session, score: str = "final", gains: str = "identity", ideal: str = "repeat", horizon: str = "own",
    normalise: str = "concat", repeats: str = "count", unjudged_queries: str = "skip", **rules: Any,
) -> bool:  # fmt: skip
    """The ideal session, or the ideal list of the query asked for, gains nothing."""
    if score in ("final", "average"):
        line = shares(s, gains, repeats, ideal, normalise, unjudged_queries, horizon=horizon, **rules)
        return all(map(math.isnan, line if score == "average" else line[-1:]))
    return all(map(math.isnan, asked_for(own_shares(s, gains, repeats, unjudged_queries, **rules), score)))


# sDCG and nsDCG ------------------------------------------------------------------------------------------------------

FOUR = "3a 2a 3b . . 1a 2b 2c 3c . | 2a 3a 1a | | 1a . 3a + 1b 1c 1d"
"""The vector of the 2008 paper's appendix, then three more queries; the recall base is 3 3 3 2 2 2 1 1 1 1."""
BY_HAND_2008 = "from the formulas of Järvelin & al. 2008 by hand, on the vector of its appendix"
OWN = "it looks at one query only, and a document can leave it for another that stands above"
UNKNOWN = (
    "an unjudged document is known by no name: one that comes again is judged each time, which bounds may not miss"
)

GAIN_TEXTS = (
    "{}", "{}@2", "{}(gains='0-1-10-100', discount='jk2002', base=3)@3",
    "{}(gains='exp2', discount='kanoulas2011', query_discount='kanoulas2011', rank_scope='session')@3",
    "{}(query_discount='rank', bq=None, pad='none', rank_scope='session')@3", "{}(bq=inf)@1",
    "{}(discount='log', query_discount='jk2002', bq=2, pad='min:2', rank_scope='session')@3",
    "{}(scan='observed')@3", "{}(scan='clicks', empty_lists='skip')@3", "{}(repeats='first')@3",
)  # fmt: skip
"""All rules that change what a session gains."""


def gain_texts(name: str) -> Iterator[str]:
    """The rules of gain under a measure's name."""
    return (text.format(name).replace(", bq=None", "") for text in GAIN_TEXTS)


@file_session(
    "sDCG",
    *gain_texts("sDCG"),
    "sDCG(score='average', pad='none')@2", "sDCG(score='first')", "sDCG(score='last', empty_lists='skip')",
    "sDCG(score='best')@2", "sDCG(score='queries')@2", "sDCG(score='first', unjudged_queries='zero')@2",
    "sDCG(score='queries', unjudged_queries='zero')@2", "sDCG(score='average', unjudged_queries='zero')@2",
    undefined=no_place_or_query,
    golden=(
        GoldenSession("sDCG", FOUR, "10.8558", BY_HAND_2008),
        GoldenSession("sDCG", "3a 2a 3b . . 1a 2b 2c 3c .", "7.1842", BY_HAND_2008),
        GoldenSession("sDCG(gains='0-1-10-100')", FOUR, "233.1725", BY_HAND_2008),
        GoldenSession("sDCG(discount='kanoulas2011', query_discount='kanoulas2011')", FOUR, "13.8835", BY_HAND_2008),
        GoldenSession("sDCG(discount='none', bq=inf)", "1 2 | 3", 6.0, "by hand"),
        GoldenSession("sDCG", "0 2 | 1 3", 2 / 2 + (1 + 3 / 2) / 1.5, "by hand: D(2) = 2, 1/c(2) = 1.5"),
        GoldenSession("sDCG(score='last')", "0 2 | 1 3", 1 + 3 / 2, "by hand"),
    ),
    breaks={
        "exchange": {"sDCG(score='last', empty_lists='skip')": OWN, "sDCG(score='best')@2": OWN},
        "bounds-reached": {"sDCG(repeats='first')@3": UNKNOWN},
    },
)  # fmt: skip
def sdcg(
    s: Session, score: str = "final", gains: str = "identity", repeats: str = "count", unjudged_queries: str = "skip",
    **rules: Any,
) -> float:  # fmt: skip
    at = places(s, **rules)
    gain = gained(s, at, gains=gains, repeats=repeats)
    enters = entering(s, unjudged_queries, **rules)
    line = cumulated(at, gain)
    if score == "final":
        return [0.0, *line][-1]
    if score == "average":
        return mean([value for place, value in zip(at, line, strict=True) if enters[place.number - 1]])
    own = own_sums(at, gain, len(enters))
    return picked([value if enters[q] else math.nan for q, value in enumerate(own)], score)


def mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def picked(own: list[float], score: str) -> float:
    """Of the queries' own values the first, the last, the best or the mean."""
    known = [value for value in asked_for(own, score) if not math.isnan(value)]
    return mean(known) if score == "queries" else max(known)


SPREAD = "the ideal holds every document once, and the session may return it again, or on places that count for more"
PER_QUERY = "shares of several queries are added up"
NARROW = "a query with a shorter list has less to reach, so the same document is a larger share of it"


@file_session(
    "nsDCG",
    *gain_texts("nsDCG"),
    "nsDCG(normalise='per_query')@2", "nsDCG(normalise='per_query', pad='none', score='average')@2",
    "nsDCG(normalise='per_query', pad='none', bq=inf)@2",
    "nsDCG(ideal='spread')@2", "nsDCG(ideal='bound')@2", "nsDCG(ideal='bound', repeats='first')@2",
    "nsDCG(horizon='longest')@2", "nsDCG(horizon=6, ideal='spread')@2", "nsDCG(horizon=3, score='average')@2",
    "nsDCG(score='queries')@2", "nsDCG(score='queries', unjudged_queries='zero')@2",
    "nsDCG(unjudged_queries='zero')@2", "nsDCG(score='average', unjudged_queries='zero')@2",
    "nsDCG(score='first')@2", "nsDCG(score='last')", "nsDCG(score='best', empty_lists='skip')@2",
    undefined=nothing_to_gain,
    golden=(
        GoldenSession("nsDCG", FOUR, "0.4704", BY_HAND_2008),
        GoldenSession("nsDCG", "3a 2a 3b . . 1a 2b 2c 3c . | 2a 3a 1a + 1b 1c 1d", "0.6924", BY_HAND_2008),
        GoldenSession("nsDCG(gains='0-1-10-100')", FOUR, "0.4305", BY_HAND_2008),
        GoldenSession("nsDCG(score='average')", FOUR, "0.6560", BY_HAND_2008),
        GoldenSession("nsDCG(horizon=6)", FOUR, "0.3537", BY_HAND_2008),
        GoldenSession("nsDCG(normalise='per_query')", FOUR, "1.2815", BY_HAND_2008),
        GoldenSession("nsDCG@1", "0 | 3a + 1", 3 / 1.5 / (3 + 3 / 1.5), "by hand: 1/c(2) = 1.5"),
    ),
    breaks={
        "plain": {
            "nsDCG(normalise='per_query')@2": PER_QUERY,
            "nsDCG(normalise='per_query', pad='none', score='average')@2": PER_QUERY,
            "nsDCG(normalise='per_query', pad='none', bq=inf)@2": PER_QUERY,
            "nsDCG(ideal='spread')@2": SPREAD,
            "nsDCG(ideal='bound')@2": SPREAD,
            "nsDCG(horizon=6, ideal='spread')@2": SPREAD,
        },
        "exchange": {
            "nsDCG(normalise='per_query', pad='none', bq=inf)@2": NARROW,
            "nsDCG(score='last')": OWN,
            "nsDCG(score='best', empty_lists='skip')@2": OWN,
        },
    },
)  # fmt: skip
def nsdcg(
    s: Session, score: str = "final", gains: str = "identity", repeats: str = "count", ideal: str = "repeat",
    normalise: str = "concat", horizon: str = "own", unjudged_queries: str = "skip", **rules: Any,
) -> float:  # fmt: skip
    if score not in ("final", "average"):
        return picked(own_shares(s, gains, repeats, unjudged_queries, **rules), score)
    line = shares(s, gains, repeats, ideal, normalise, unjudged_queries, horizon=horizon, **rules)
    if score == "final":
        return line[-1]
    zero, at = unjudged_queries == "zero", places(s, horizon=horizon, **rules)
    counts = [zero or place.topic in s.judged for place in at]
    return mean([value for value, enters in zip(line, counts, strict=True) if enters and not math.isnan(value)])


def own_shares(s: Session, gains: str, repeats: str, unjudged_queries: str, **rules: Any) -> list[float]:
    """Each query's own nDCG, nan where there is nothing to gain; one that is not judged is 0 or nan, by its rule."""
    at, queries = places(s, **rules), counted(s, **rules)
    actual = own_sums(at, gained(s, at, gains=gains, repeats=repeats), len(queries))
    best = own_sums(at, ideal_gains(s, at, gains=gains), len(queries))
    unjudged = 0.0 if unjudged_queries == "zero" else math.nan
    share = [a / b if b else math.nan for a, b in zip(actual, best, strict=True)]
    return [share[q] if query.topic in s.judged else unjudged for q, query in enumerate(queries)]


def shares(
    s: Session, gains: str, repeats: str, ideal: str, normalise: str, unjudged_queries: str, **rules: Any
) -> list[float]:
    """nsDCG at every place, nan where the ideal gains nothing yet; 0 before the first judged query, if so ruled."""
    line = plain_shares(s, gains, repeats, ideal, normalise, **rules)
    first = next((i for i, place in enumerate(places(s, **rules)) if place.topic in s.judged), len(line))
    return [0.0] * first + line[first:] if unjudged_queries == "zero" else line


def plain_shares(s: Session, gains: str, repeats: str, ideal: str, normalise: str, **rules: Any) -> list[float]:
    """nsDCG at every place, nan where the ideal has gained nothing yet."""
    at = places(s, **rules)
    actual, best = gained(s, at, gains=gains, repeats=repeats), ideal_gains(s, at, gains=gains, ideal=ideal)
    if normalise == "concat":
        sides = zip(cumulated(at, actual), cumulated(at, best), strict=True)
        return [a / i if i else math.nan for a, i in sides]
    found, before, ever = [], 0.0, 0.0
    for i, place in enumerate(at):
        own = [k for k in range(i + 1) if at[k].number == place.number]
        top, bottom = (math.fsum(at[k].d * side[k] for k in own) for side in (actual, best))
        share, ever = (top / bottom if bottom else 0.0), ever + best[i]
        found.append(before + place.c * share if ever else math.nan)
        if i + 1 < len(at) and at[i + 1].number != place.number:
            before += place.c * share
    return found


@file_session(
    "sDCG/q",
    *gain_texts("sDCG/q"),
    undefined=nothing_asked,
    golden=(
        GoldenSession("sDCG/q", FOUR, "2.7139", BY_HAND_2008),
        GoldenSession("sDCG/q(discount='none', bq=inf)", "1 2 | 3", 3.0, "by hand"),
    ),
    breaks={"bounds-reached": {"sDCG/q(repeats='first')@3": UNKNOWN}},
)  # fmt: skip
def sdcg_per_query(s: Session, **rules: Any) -> float:
    return sdcg(s, **rules) / len(counted(s, **rules))


# Users who leave lists and sessions -----------------------------------------------------------------------------------


def no_base(s: Session, gains: str = "identity", **rules: Any) -> bool:
    """No query counts, or nothing judged for the session's topic has a gain."""
    return not counted(s, **rules) or not any(recall_base(s, s.queries[0].topic, gains))


@file_session(
    "esNDCG",
    "esNDCG", "esNDCG@2", "esNDCG(p_down=0.5, p_reform=0.3)@3", "esNDCG(p_down=1, p_reform=1, gains='exp2')@2",
    "esNDCG(p_down=0, discount='kanoulas2011', base=3)", "esNDCG(scan='observed', empty_lists='skip')@3",
    "esNDCG(scan='clicks')@3", "esNDCG(repeats='first')@3",
    undefined=no_base,
    golden=(
        GoldenSession("esNDCG", FOUR, "0.856285", "Kanoulas & al. 2011: all paths one by one"),
        GoldenSession("esNDCG(p_down=1, p_reform=1)", "0 1 + 1", 1 / math.log2(3) / (1 + 1 / math.log2(3)), "by hand"),
        GoldenSession("esNDCG(p_down=0, p_reform=0.5)", "1 | 0", 0.5 * 1 + 0.5 * 1, "by hand: one relevant in all"),
        GoldenSession("esNDCG(p_down=0.5, p_reform=0)", "0 2", 0.5 * (2 / math.log2(3)) / 2, "by hand: rank 2 or not"),
    ),
    one_topic=True,
)  # fmt: skip
def esndcg(
    s: Session, cutoff: int = 10, p_down: float = 0.7, p_reform: float = 0.9, gains: str = "identity",
    discount: str = "log", base: float = 2, repeats: str = "count", empty_lists: str = "count", scan: str = "top",
) -> float:  # fmt: skip
    queries = counted(s, empty_lists)
    best = recall_base(s, queries[0].topic, gains)
    seen: set[str] = set()
    lists: list[list[float]] = []
    for query in queries:
        read = query.documents[: reach(query, cutoff, scan)]
        fresh = [d for d in read if repeats == "count" or d not in seen]
        lists.append([gain_of(s.grade(query, d), gains) if d in fresh else 0.0 for d in read])
        seen |= set(read)

    def dcg(path: list[float]) -> float:
        return math.fsum(gain / divisor(discount, base, i) for i, gain in enumerate(path, start=1))

    def expected(number: int, path: list[float]) -> float:
        """From the head of a list on, having read a path."""
        listed, value = lists[number], 0.0
        for k in range(1, len(listed) + 1) if listed else (0,):
            leaves = 1.0 if not listed else p_down ** (k - 1) * (1 if k == len(listed) else 1 - p_down)
            if not leaves:
                continue
            longer = path + listed[:k]
            ended = dcg(longer) / dcg(best[: len(longer)]) if longer else 0.0
            more = number + 1 < len(lists)
            stays = p_reform * expected(number + 1, longer) if more and p_reform else 0.0
            value += leaves * ((1 - p_reform if more else 1) * ended + stays)
        return value

    return expected(0, [])


@file_session(
    "sRBP",
    "sRBP", "sRBP@2", "sRBP(p=0.5, b=0.2)", "sRBP(b=1)@3", "sRBP(b=0)@3", "sRBP(gains='0-0.25-0.5-1')@3",
    "sRBP(scan='observed')@3", "sRBP(scan='clicks', empty_lists='skip')@3", "sRBP(repeats='first')@3",
    undefined=never,
    golden=(
        GoldenSession("sRBP", FOUR, "0.4430", "from the formula of Lipani & al. 2019 by hand"),
        GoldenSession("sRBP(p=0.8, b=1)", "1 0 1 | 1", 0.2 * (1 + 0.64), "by hand: RBP of the first query"),
        GoldenSession("sRBP(p=0.5, b=0)", "0 1 | 1 | 1", 0.5 * (0.5 + 0.25), "by hand: only first ranks are read"),
    ),
    breaks={"bounds-reached": {"sRBP(repeats='first')@3": UNKNOWN}},
)  # fmt: skip
def srbp(
    s: Session, p: float = 0.9, b: float = 0.75, gains: str = "binary", repeats: str = "count", **rules: Any
) -> float:
    at = places(s, **rules)
    gain = gained(s, at, gains=gains, repeats=repeats)
    onward = (p - b * p) / (1 - b * p)
    return (1 - p) * math.fsum(
        onward ** (place.number - 1) * (b * p) ** (place.rank - 1) * g for place, g in zip(at, gain, strict=True)
    )


# Subtopics ------------------------------------------------------------------------------------------------------------


def instances(s: Session) -> set[tuple[str, str]]:
    """The subtopics of the session's topics for which some document was judged relevant."""
    topics = {query.topic for query in s.queries}
    return {
        (topic, subtopic)
        for topic in topics
        for document in s.covers.get(topic, {}).values()
        for subtopic, grade in document.items()
        if grade > 0
    }


@file_session(
    "sIR",
    "sIR", "sIR@1", "sIR@2", "sIR(gains='binary(rel=2)')@3", "sIR(scan='observed')@3", "sIR(scan='clicks')@3",
    undefined=lambda s, **_: not instances(s),
    golden=(
        GoldenSession("sIR", "ab | bc + d", 3 / 4, "by hand"),
        GoldenSession("sIR@1", "a b | b c + d", 2 / 4, "by hand: a and b"),
        GoldenSession("sIR", "a1 | a1 | . + b", 1 / 2, "by hand"),
    ),
    breaks={"ideal-is-best": dict.fromkeys(("sIR@1", "sIR@2"), "documents of the highest grade may cover the same")},
)  # fmt: skip
def instance_recall(s: Session, gains: str = "binary", **rules: Any) -> float:
    shown = {
        (place.topic, subtopic)
        for place in places(s, **rules)
        if place.query is not None and place.document is not None
        and gain_of(s.grade(place.query, place.document), gains) > 0
        for subtopic, grade in s.covers[place.topic][place.document].items()
        if grade > 0
    }  # fmt: skip
    return len(shown) / len(instances(s))
