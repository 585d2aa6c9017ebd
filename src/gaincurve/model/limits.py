"""The limits of a gate: how each is written, and what checking it came to."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.comparison import Family, Pair
from gaincurve.model.measure import Measure
from gaincurve.model.numbers import finite_number, whole_number
from gaincurve.model.scores import json_number
from gaincurve.model.signature import Signature
from gaincurve.model.source import counted, examples, number_text, shorten
from gaincurve.model.wording import chance_of, doubt_text

FAILING: dict[str, str] = {
    "significant-drop": "worse beyond the limit, and significant",
    "drop": "worse beyond the limit (strict: significance is not required)",
    "lost-topics": "some topic has a score for the baseline and none for the candidate",
    "below-minimum": "the candidate's summary is worse than the floor",
    "topic-drops": "more topics than allowed are worse beyond their limit",
    "not-shown": "the interval does not rule out that the candidate is worse by the margin",
    "few-judged": "too few of the candidate's first documents are judged",
}
PASSING: dict[str, str] = {
    "within-limit": "the limit holds",
    "chance": "worse beyond the limit, but not significantly",
    "ahead-by-ranks": "worse beyond the limit by its mean, but ahead by the ranks that the test compares",
}
"""Why a check failed or passed: the field `why`."""

MOST_NAMED = 3
"""A sentence names this many topics."""

Row = tuple[str, float, float]
"""A topic with the scores of baseline and candidate."""


class Limit(NamedTuple):
    """How much worse a mean may be: in units of the measure, or `relative`: a share of the baseline's mean."""

    size: float
    relative: bool = False

    @classmethod
    def of(cls, given: object, where: str) -> Limit:
        """0.01, or '1%'."""
        if isinstance(given, Limit):
            return given
        text = given.strip() if isinstance(given, str) else given
        relative = isinstance(text, str) and text.endswith("%")
        size = finite_number(text[:-1] if relative and isinstance(text, str) else text)
        if not size >= 0:
            raise _bad(f"{where}: a drop of {given!r} is not a number of at least 0")
        return cls(size / 100, True) if relative else cls(size)

    def __str__(self) -> str:
        return f"{number_text(round(100 * self.size, 10))}%" if self.relative else f"{self.size:g}"

    def on(self, measure: Measure, baseline: str, mean: float) -> float:
        """The limit in units of the measure, for a baseline with this mean."""
        if not self.relative:
            return self.size
        if mean == 0:
            raise _bad(f"{self} of the mean {measure} of {baseline}, which is 0, is no limit", "give a number")
        return self.size * abs(mean)


class TopicLimit(NamedTuple):
    """How much worse a single topic may be, and how many topics may be worse than that."""

    size: float
    allowed: int = 0

    @classmethod
    def of(cls, given: object, where: str) -> TopicLimit:
        """0.3, (0.3, 2) or '0.3:2'."""
        parts = given if isinstance(given, tuple) and len(given) == 2 else (given, 0)
        if isinstance(given, str):
            size, colon, allowed = given.strip().partition(":")
            parts = (size, allowed) if colon else (size, 0)
        size_given, allowed_given = finite_number(parts[0]), whole_number(parts[1])
        if not size_given >= 0 or allowed_given is None or allowed_given < 0:
            raise _bad(f"{where}: {given!r} is not DROP or DROP:TOPICS", "for example --max-topic-drop nDCG@10=0.3:2")
        return cls(size_given, allowed_given)


class JudgedLimit(NamedTuple):
    """The least share of a list's first documents that must be judged."""

    share: float
    depth: int

    @classmethod
    def of(cls, given: object) -> JudgedLimit:
        """(0.5, 10) or '0.5@10'."""
        share: object = math.nan
        depth: object = None
        if isinstance(given, tuple) and len(given) == 2:
            share, depth = given
        elif isinstance(given, str):
            share, _, depth = given.partition("@")
        size, first = finite_number(share), whole_number(depth)
        if not 0 <= size <= 1 or first is None or first < 1:
            hint = "for example --min-judged 0.5@10: half of the first 10"
            raise _bad(f"min-judged cannot be {given!r}: it is a share from 0 to 1 of the first documents", hint)
        return cls(size, first)


def _sized(limit: float, asked: Limit) -> str:
    return f"{limit:.4f}" + (f" ({asked})" if asked.relative else "")


def _bad(what: str, hint: str = "") -> ChoiceError:
    return ChoiceError(Problem("gate-limit", what, hint=hint))


@dataclass(frozen=True, kw_only=True)
class Check(ABC):
    """One limit: the values of baseline and candidate, and `why` it failed or passed (`FAILING`, `PASSING`).

    `topics` are the worst of those that speak for or against it, of sessions or users if these are the `unit`.
    """

    rule: ClassVar[str]
    tested: ClassVar[bool] = False

    measure: Measure
    before: float
    after: float
    why: str
    signature: Signature
    topics: tuple[Row, ...] = ()
    unit: str = "topic"
    higher_is_better: bool = True

    @property
    def failed(self) -> bool:
        """Whether the limit is broken."""
        return self.why in FAILING

    @property
    def drop(self) -> float:
        """How much worse the candidate is; negative where it is better."""
        return 0.0 + (self.before - self.after) * (1 if self.higher_is_better else -1)

    @property
    def name(self) -> str:
        """What is limited."""
        return self.measure.text

    @property
    @abstractmethod
    def size(self) -> float:
        """The limit as a number."""

    @property
    @abstractmethod
    def allows(self) -> str:
        """The limit as a table shows it."""

    @property
    def pair(self) -> Pair | None:
        """The test of the difference, where one was made."""
        return None

    @property
    def verdict(self) -> str:
        """The verdict in a few words."""
        short = {
            "below-minimum": "beyond the limit",
            "not-shown": "not shown",
            "topic-drops": "too many topics",
            "few-judged": "too few judged",
        }
        return f"failed: {short.get(self.why, FAILING[self.why])}" if self.failed else "passed"

    @abstractmethod
    def sentence(self, baseline: str, candidate: str) -> str:
        """The verdict in plain words."""

    @abstractmethod
    def limit_dict(self) -> dict[str, object]:
        """The limit as JSON has it."""

    def to_dict(self) -> dict[str, object]:
        """One entry of `checks`."""
        return {
            "rule": self.rule,
            "measure": self.name,
            "baseline": json_number(self.before),
            "candidate": json_number(self.after),
            "drop": json_number(self.drop),
            **self.limit_dict(),
            "failed": self.failed,
            "why": self.why,
            "worst_topics": [
                {"topic": topic, "baseline": json_number(before), "candidate": json_number(after)}
                for topic, before, after in self.topics
            ],
        }


@dataclass(frozen=True, kw_only=True)
class Drop(Check):
    """How far the mean may fall; unless `strict`, only a significant drop fails.

    `lost` are the topics with a score for the baseline and none for the candidate, which no mean shows: any fails.
    """

    rule = "max-drop"
    tested = True

    limit: float
    asked: Limit
    family: Family
    beyond: bool
    lost: tuple[str, ...] = ()

    @property
    def drop(self) -> float:
        """How far the mean over the topics that were compared got worse; negative where it is better."""
        return 0.0 - self.pair.difference * (1 if self.higher_is_better else -1)

    @property
    def pair(self) -> Pair:
        """The candidate less the baseline."""
        return self.family.pairs[0]

    @property
    def size(self) -> float:
        """The limit as a number."""
        return self.limit

    @property
    def allows(self) -> str:
        """'drop ≤ 0.0100', or 'drop ≤ 0.0039 (1%)'."""
        return f"{'drop' if self.higher_is_better else 'worse'} ≤ {_sized(self.limit, self.asked)}"

    @property
    def verdict(self) -> str:
        """The verdict in a few words."""
        return {
            "lost-topics": f"failed: {counted(len(self.lost), self.unit)} without a score",
            "significant-drop": f"failed: {self._drop} beyond the limit, and significant",
            "drop": f"failed: {self._drop} beyond the limit",
            "ahead-by-ranks": "passed: beyond the limit, but the test finds the candidate ahead",
            "chance": "passed: beyond the limit, but not significantly",
        }.get(self.why, "passed")

    @property
    def _drop(self) -> str:
        return "a drop" if self.higher_is_better else "worse"

    def sentence(self, baseline: str, candidate: str) -> str:
        """The verdict in plain words."""
        chance = chance_of(self.pair.p_adjusted)
        words = ("fell", "rose") if self.higher_is_better else ("got worse", "got better")
        verb = words[self.drop < 0]
        if self.lost:
            return (
                f"{self.measure} of {candidate} is undefined for {counted(len(self.lost), self.unit)} with a "
                f"score for {baseline}: {examples(list(self.lost))}; over the rest it {verb} by "
                f"{abs(self.drop):.4f} ({chance})."
            )
        if self.drop == 0:
            return f"{self.measure} of {candidate} equals that of {baseline}."
        text = f"{self.measure} {verb} by {abs(self.drop):.4f} from {baseline} to {candidate} ({chance})"
        doubt = f", but {doubt_text(self.pair)}" if self.pair.doubtful else ""
        limit = f"{self.limit:.4g}" + (f", {self.asked} of {baseline}'s mean" if self.asked.relative else "")
        ends = {
            "drop": f"beyond the limit of {limit}",
            "significant-drop": f"significant, and beyond the limit of {limit}{doubt}",
            "ahead-by-ranks": f"beyond the limit of {limit}, but by {self.family.by} {candidate} is ahead",
            "chance": f"beyond the limit of {limit}, but not significant; more {self.unit}s would decide it",
        }
        return f"{text}: {ends.get(self.why, f'within the limit of {limit}{doubt}')}."

    def limit_dict(self) -> dict[str, object]:
        """The limit, and the test."""
        return {
            "limit": self.limit,
            "relative": self.asked.size if self.asked.relative else None,
            "beyond": self.beyond,
            "significant": self.pair.significant,
            "lost_topics": list(self.lost),
            "pair": self.pair.to_dict(),
        }


@dataclass(frozen=True, kw_only=True)
class Floor(Check):
    """The worst summary that the candidate may have; nothing is tested."""

    rule = "min"

    limit: float

    @property
    def size(self) -> float:
        """The limit as a number."""
        return self.limit

    @property
    def allows(self) -> str:
        """'≥ 0.4000'."""
        return f"{'≥' if self.higher_is_better else '≤'} {self.limit:.4f}"

    def sentence(self, baseline: str, candidate: str) -> str:  # noqa: ARG002 -- one shape for all checks
        """The verdict in plain words."""
        least = "least" if self.higher_is_better else "most"
        if math.isnan(self.after):
            return f"{self.measure} of {candidate} is undefined, and it must be at {least} {self.limit:g}."
        text = f"{self.measure} of {candidate} is {self.after:.4f}"
        return (
            f"{text}: it must be at {least} {self.limit:g}." if self.failed else f"{text}, at {least} {self.limit:g}."
        )

    def limit_dict(self) -> dict[str, object]:
        """The floor."""
        return {"limit": self.limit}


@dataclass(frozen=True, kw_only=True)
class TopicDrops(Check):
    """How far single topics may fall, and how many may fall further: `beyond` did."""

    rule = "max-topic-drop"

    limit: TopicLimit
    beyond: tuple[str, ...]

    @property
    def size(self) -> float:
        """The limit as a number."""
        return self.limit.size

    @property
    def allows(self) -> str:
        """'≤ 2 topics by > 0.3'."""
        number = f"≤ {counted(self.limit.allowed, self.unit)}" if self.limit.allowed else f"no {self.unit}"
        return f"{number} by > {self.limit.size:g}"

    def sentence(self, baseline: str, candidate: str) -> str:
        """The verdict in plain words."""
        worse = "fell" if self.higher_is_better else "got worse"
        number = counted(len(self.beyond), self.unit) if self.beyond else f"No {self.unit}"
        more = ", …" if len(self.beyond) > MOST_NAMED else ""
        named = f" ({', '.join(map(shorten, self.beyond[:MOST_NAMED]))}{more})" if self.beyond else ""
        allowed = "none is allowed" if not self.limit.allowed else f"{self.limit.allowed} allowed"
        text = (
            f"{number}{named} {worse} by more than {self.limit.size:g} in {self.measure} from {baseline} to {candidate}"
        )
        return f"{text}; {allowed}."

    def limit_dict(self) -> dict[str, object]:
        """The limit, how many topics may break it, and which do."""
        return {"limit": self.limit.size, "allowed_topics": self.limit.allowed, "beyond_topics": list(self.beyond)}


@dataclass(frozen=True, kw_only=True)
class Margin(Check):
    """Whether the candidate is shown not to be worse by a margin: non-inferiority.

    `bound` is the lower end of the one-sided 1 − `alpha` interval of how much better the candidate is. The check fails
    unless that lies above −margin, so that few topics and noise count against the candidate, not for it.
    """

    rule = "not-worse-by"
    tested = True

    limit: float
    asked: Limit
    family: Family
    bound: float
    alpha: float
    lost: tuple[str, ...] = ()

    @property
    def drop(self) -> float:
        """How far the mean over the topics that were compared got worse."""
        return 0.0 - self.family.pairs[0].difference * (1 if self.higher_is_better else -1)

    @property
    def size(self) -> float:
        """The limit as a number."""
        return self.limit

    @property
    def allows(self) -> str:
        """'drop < 0.0100, shown'."""
        return f"{'drop' if self.higher_is_better else 'worse'} < {_sized(self.limit, self.asked)}, shown"

    def sentence(self, baseline: str, candidate: str) -> str:
        """The verdict in plain words."""
        if self.lost:
            return (
                f"{self.measure} of {candidate} is undefined for {counted(len(self.lost), self.unit)} with a score for "
                f"{baseline}: {examples(list(self.lost))}."
            )
        by = f"(one-sided {100 * (1 - self.alpha):g}% interval)"
        if not self.failed:
            start = f"{candidate} is shown not to be worse than {baseline} by {self.limit:.4g} in {self.measure}"
            reach = f"at most {-self.bound:.4f} worse" if self.bound < 0 else f"at least {self.bound:.4f} better"
            return f"{start}: it is {reach} {by}."
        start = f"{candidate} is not shown to be within {self.limit:.4g} of {baseline} in {self.measure}"
        if math.isinf(self.bound):
            return f"{start}: all {self.unit}s shift alike, and they are too few to decide."
        return f"{start}: it may be {-self.bound:.4f} worse {by}."

    def limit_dict(self) -> dict[str, object]:
        """The margin, and the bound that decides."""
        return {
            "limit": self.limit,
            "relative": self.asked.size if self.asked.relative else None,
            "bound": None if math.isinf(self.bound) else json_number(self.bound),
            "confidence": 1 - self.alpha,
            "lost_topics": list(self.lost),
        }


@dataclass(frozen=True, kw_only=True)
class Judged(Check):
    """How much of the candidate's first documents must be judged for its numbers to count."""

    rule = "min-judged"

    limit: JudgedLimit

    @property
    def name(self) -> str:
        """'judged@10'."""
        return f"judged@{self.limit.depth}"

    @property
    def size(self) -> float:
        """The limit as a number."""
        return self.limit.share

    @property
    def allows(self) -> str:
        """'≥ 0.5000'."""
        return f"≥ {self.limit.share:.4f}"

    def sentence(self, baseline: str, candidate: str) -> str:
        """The verdict in plain words."""
        end = f"at least {100 * self.limit.share:g}% must be" if self.failed else f"{100 * self.limit.share:g}% suffice"
        shares = f"{100 * self.after:.0f}% of {candidate}'s top {self.limit.depth} are judged"
        return f"{shares} ({100 * self.before:.0f}% of {baseline}'s): {end}."

    def limit_dict(self) -> dict[str, object]:
        """The share, and of how many documents."""
        return {"limit": self.limit.share, "depth": self.limit.depth}


RULES: dict[str, Callable[..., Check]] = {kind.rule: kind for kind in (Drop, Floor, TopicDrops, Margin, Judged)}
"""Each kind of limit by the name of its option."""
