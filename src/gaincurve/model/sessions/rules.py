"""The choices that only sessions have: each open point of the 2008 paper under a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace

from gaincurve.errors import ChoiceError, Problem, nearest, one_of
from gaincurve.model.discount import FORMS, Discount
from gaincurve.model.numbers import whole_number

RANK_SCOPES: dict[str, str] = {
    "query": "a document is discounted by its rank in its own result list",
    "session": "a document is discounted by its rank in the concatenated lists",
}
NORMALISE: dict[str, str] = {
    "concat": "the cumulated vector of the session over that of the ideal session",
    "per_query": "each query's vector over its own ideal, then discounted and cumulated; can exceed 1",
}
SESSION_IDEALS: dict[str, str] = {
    "repeat": "every query returns the topic's ideal list (the 2008 paper)",
    "spread": "the topic's documents best first over the queries, none twice",
    "bound": "the best documents on the places that count most: what no session without repeats can exceed",
}
HORIZONS: dict[str, str] = {
    "own": "the ideal session has as many queries as the session, and the value is held after it stopped",
    "longest": "the ideal session has as many queries as the longest session of all runs",
    "N": "a number: the ideal session has at least this many queries",
}
PADS: dict[str, str] = {
    "x": "a list shorter than the depth counts as that deep, with nothing at its end",
    "none": "a list counts as long as it is, and the ideal is cut alike",
    "min:K": "a list counts as at least K deep",
}
SCANS: dict[str, str] = {
    "top": "every list is read to the depth",
    "observed": "a list is read to the depth recorded for the query, where there is one",
    "clicks": "a list is read to the deepest document clicked, where one was",
}
EMPTY_LISTS: dict[str, str] = {
    "count": "a query without results counts as a query",
    "skip": "a query without results is left out, and later queries move up",
}
REPEATS: dict[str, str] = {
    "count": "a document returned by several queries counts each time (the 2008 paper)",
    "first": "it counts the first time only; later it keeps its place and gains nothing",
}
UNJUDGED_QUERIES: dict[str, str] = {
    "skip": "a query whose topic is not judged keeps its place and is left out of every mean over queries",
    "zero": "it counts as a query that found nothing",
    "error": "it is refused",
}
AVERAGES: dict[str, str] = {
    "mean-of-ratios": "the mean over sessions of each session's ratio",
    "ratio-of-means": "the mean of the sessions over the mean of their ideals",
}
EMPTY: dict[str, str] = {
    "undefined": "a session in which nothing can be gained has no normalised value and is left out of the mean",
    "zero": "such a session scores 0 and counts",
    "error": "such a session is refused",
}
MOST_QUERIES = 1000
"""The horizon may not be longer: beyond it a million sessions would not fit."""

MOST_PLACES = 10_000_000
"""Queries × ranks of one session: it is laid out as a whole, and more would not fit."""

SESSION_RULES: dict[str, Mapping[str, str]] = {
    "rank_scope": RANK_SCOPES,
    "normalise": NORMALISE,
    "ideal": SESSION_IDEALS,
    "horizon": HORIZONS,
    "pad": PADS,
    "scan": SCANS,
    "empty_lists": EMPTY_LISTS,
    "repeats": REPEATS,
    "unjudged_queries": UNJUDGED_QUERIES,
    "average": AVERAGES,
    "empty": EMPTY,
}
"""Every named rule with its values."""

BY_PAPER = Discount("jarvelin2008", 4.0)


@dataclass(frozen=True)
class SessionRules:
    """How the queries of a session are put together; the defaults are those of the 2008 paper."""

    query_discount: Discount = BY_PAPER
    rank_scope: str = "query"
    normalise: str = "concat"
    ideal: str = "repeat"
    horizon: str = "own"
    pad: str = "x"
    scan: str = "top"
    empty_lists: str = "count"
    repeats: str = "count"
    unjudged_queries: str = "skip"
    average: str = "mean-of-ratios"
    empty: str = "undefined"
    longest: int = 0
    """The longest session of all runs compared: no choice, but what horizon='longest' comes to on the data."""

    def with_choices(self, **choices: object) -> SessionRules:
        """The rules with single ones replaced; None leaves one as it is, `bq` changes the query discount's base."""
        given = {key: value for key, value in choices.items() if value is not None}
        for key in given:
            if key not in RULE_NAMES:
                what = f"sessions have no choice named {key!r}{nearest(key, RULE_NAMES)}"
                raise ChoiceError(Problem("choice-unknown", what, hint=f"choices: {', '.join(RULE_NAMES)}"))
        changed: dict[str, object] = {key: value for key, value in given.items() if key not in ("query_discount", "bq")}
        if "query_discount" in given or "bq" in given:
            discount = given.get("query_discount", self.query_discount)
            discount = self.query_discount if discount == self.query_discount.name else discount
            base = given.get("bq")
            if base is None and isinstance(discount, str) and Discount.of(discount).base is not None:
                base = 4  # the paper's, where another form with a base is asked for
            changed["query_discount"] = query_discount(discount, base)
        for key, value in changed.items():
            if key in _CHECKS:
                changed[key] = _CHECKS[key](value)
            elif key != "query_discount":
                one_of(key, value, tuple(SESSION_RULES[key]))
        rules = replace(self, **changed)  # type: ignore[arg-type]  # each value was checked above
        if rules.normalise == "per_query" and rules.ideal != "repeat":
            what = f"normalise='per_query' divides by each query's own ideal list, and ideal={rules.ideal!r} has none"
            raise ChoiceError(Problem("session-choices", what))
        return rules

    @property
    def queries(self) -> int:
        """The number of queries the ideal session has at least."""
        return 0 if self.horizon == "own" else self.longest if self.horizon == "longest" else int(self.horizon)

    @property
    def least(self) -> int | None:
        """The depth a short list counts as at least; None for the whole depth."""
        return None if self.pad == "x" else 0 if self.pad == "none" else int(self.pad[4:])


RULE_NAMES = ("bq", *(field.name for field in fields(SessionRules) if field.name != "longest"))
"""What can be chosen, by name."""


def query_discount(named: object, base: object) -> Discount:
    """A discount by query; what is wrong with its base is said of bq."""
    try:
        return Discount.of(named, base)
    except ChoiceError as error:
        if error.slug != "discount-base":
            raise
    name = named.name if isinstance(named, Discount) else str(named)
    if not FORMS[name].based:
        what, hint = f"the query discount {name} has no base, but bq {base} was given", "--query-discount jk2002 --bq 4"
    else:
        what, hint = f"bq, the base of the query discount, cannot be {base}", "for example --bq 4, or --bq inf"
    raise ChoiceError(Problem("discount-base", what, hint=hint))


def _horizon(given: object) -> str:
    if isinstance(given, str) and given in ("own", "longest"):
        return given
    queries = whole_number(given)
    if queries is None or not 1 <= queries <= MOST_QUERIES:
        what = f"the horizon cannot be {given!r}"
        raise ChoiceError(Problem("choice-unknown", what, hint=f"own, longest, or a number from 1 to {MOST_QUERIES}"))
    return str(queries)


def _pad(given: object) -> str:
    if isinstance(given, str):
        if given in ("x", "none"):
            return given
        word, _, number = given.partition(":")
        if word == "min" and number.isascii() and number.isdigit() and int(number[:9]) > 0:
            return f"min:{int(number[:9])}"
    raise ChoiceError(Problem("choice-unknown", f"pad cannot be {given!r}", hint="x, none, or min:K, e.g. min:3"))


_CHECKS: dict[str, Callable[[object], str]] = {"horizon": _horizon, "pad": _pad}
