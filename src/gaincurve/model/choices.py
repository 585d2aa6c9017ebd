"""The choices that decide a number, by name and type: what `**choices` of a verb takes.

Each class names what one kind of verb takes; None leaves a choice as the scenario has it. The classes at the top say
what each choice means, and nothing else does: editors show these texts, and type checkers refuse any other name or
value. What each value means is said where the rules are, in `scenario` and `sessions/rules`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, TypedDict

from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains

SomeGains: TypeAlias = Gains | str | Sequence[float] | Mapping[int, float] | Mapping[float, float]
SomeDiscount: TypeAlias = Discount | Literal["none", "rank", "jk2002", "jarvelin2008", "log", "kanoulas2011"]
Ideal: TypeAlias = Literal["judged", "retrieved", "pooled", "capped", "uncut"]
Ties: TypeAlias = Literal["trec", "trec-float32", "average", "average-float32", "rank", "file"]
Unjudged: TypeAlias = Literal["zero", "condensed", "bounds"]
Missing: TypeAlias = Literal["zero", "skip", "error"]
Empty: TypeAlias = Literal["undefined", "zero", "one"]
Negative: TypeAlias = Literal["judged", "unjudged"]
Points: TypeAlias = Literal["exact", "trec_eval-9", "trec_eval-10"]
SessionIdeal: TypeAlias = Literal["repeat", "spread", "bound"]
SessionEmpty: TypeAlias = Literal["undefined", "zero", "error"]


class _Common(TypedDict, total=False):
    discount: SomeDiscount | None
    """The divisor by rank, D(i); `gaincurve ls discounts` shows the formulas."""
    base: float | None
    """The base of the discount's logarithm: above 1, or inf for no discount."""
    unjudged: Unjudged | None
    """What an unjudged document counts: 'zero' gains nothing, 'condensed' takes it out, 'bounds' adds both extremes."""
    negative: Negative | None
    """Whether a document with a negative grade was 'judged' (not relevant) or 'unjudged' (pooled only)."""
    points: Points | None
    """How a recall point is reached: 'exact', or as trec_eval 9 or 10 rounds it."""


class _Gains(TypedDict, total=False):
    gains: SomeGains | None
    """What a document of a grade is worth: 'identity', 'binary', 'exp2', '0-1-10-100', [0, 1, 10, 100], {3: 1}."""


class _Missing(TypedDict, total=False):
    missing: Missing | None
    """What a judged topic absent from the run counts: 'zero', 'skip' it, or 'error'."""


class _Depth(TypedDict, total=False):
    depth: int | None
    """The cutoff of measures that name none; for sessions, how many documents of each list are read."""


class _Ties(TypedDict, total=False):
    ties: Ties | None
    """How equal scores are ordered; `gaincurve check` shows what that can change."""


class _Lists(TypedDict, total=False):
    ideal: Ideal | None
    """The ideal list: all 'judged' documents, 'capped' at the run's length, 'uncut'; those 'retrieved' or 'pooled'."""
    empty: Empty | None
    """What a topic counts in which nothing can be gained: 'undefined' leaves it out, 'zero' and 'one' count it."""


class _Queries(TypedDict, total=False):
    query_discount: SomeDiscount | None
    """The divisor by query, as `discount` is by rank."""
    bq: float | None
    """The base of the query discount's logarithm: above 1, or inf for no discount."""
    rank_scope: Literal["query", "session"] | None
    """Whether ranks count from the start of each 'query' or of the whole 'session'."""
    normalise: Literal["concat", "per_query"] | None
    """Whether the session as a whole ('concat') or each query by itself ('per_query') is divided by its ideal."""
    horizon: Literal["own", "longest"] | str | int | None
    """How many queries the ideal session has: its 'own', those of the 'longest' session, or at least a number."""
    pad: Literal["x", "none"] | str | None
    """How deep a short list counts: to the depth ('x'), as it is ('none'), or at least K ('min:K')."""
    scan: Literal["top", "observed", "clicks"] | None
    """How far lists are read: to the depth ('top'), as 'observed', or to the deepest of the 'clicks'."""
    empty_lists: Literal["count", "skip"] | None
    """Whether a query without results counts as a query."""
    repeats: Literal["count", "first"] | None
    """Whether a document that several queries return counts each time or the 'first' time only."""
    unjudged_queries: Literal["skip", "zero", "error"] | None
    """What a query counts whose topic nobody judged."""
    average: Literal["mean-of-ratios", "ratio-of-means"] | None
    """How sessions are averaged: each session's ratio, or the mean session over the mean ideal."""


class ScenarioChoices(_Gains, _Depth, _Lists, _Ties, _Missing, _Common):
    """The choices of verbs that score single lists."""


class SessionChoices(_Gains, _Depth, _Queries, _Ties, _Missing, _Common, total=False):
    """The choices of verbs that score sessions."""

    ideal: SessionIdeal | None
    """The ideal session: every query returns the ideal list ('repeat'), no document twice ('spread'), or 'bound'."""
    empty: SessionEmpty | None
    """What a session counts in which nothing can be gained."""


class _Either(TypedDict, total=False):
    ideal: Ideal | SessionIdeal | None
    """What the ideal holds, of lists or of sessions."""
    empty: SessionEmpty | None
    """What a topic or session counts in which nothing can be gained."""


class AnyChoices(_Gains, _Depth, _Either, _Queries, _Ties, _Missing, _Common):
    """The choices of verbs that score single lists or sessions, as their measure asks."""


class SweepChoices(_Depth, _Either, _Queries, _Ties, _Missing, _Common):
    """The choices of `sweep`, which varies the gains."""


class ArrayChoices(_Gains, _Depth, _Lists, _Missing, _Common):
    """The choices of `evaluate_arrays`, where documents have no ids to break ties by."""


class PoolChoices(_Gains, _Lists, _Ties, _Missing, _Common):
    """The choices where the depth is that of the pool."""


class CompareChoices(_Gains, _Depth, _Either, _Queries, _Ties, _Common):
    """The choices of `compare`, whose `missing` is about topics without a score."""
