"""A scenario: every choice that decides a number, under one name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Unpack

from gaincurve.errors import ChoiceError, Problem, nearest, one_of
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains
from gaincurve.model.numbers import whole_number
from gaincurve.model.order import TIE_RULES
from gaincurve.model.printed import PRINTED, Printed
from gaincurve.model.sessions.rules import RULE_NAMES, SessionRules

IDEALS: dict[str, str] = {
    "judged": "all judged documents of the topic, highest gain first (the 2002 paper's recall base)",
    "retrieved": "the documents of the list itself, highest gain first (sliding ratio)",
    "pooled": "the judged documents returned by any of the runs compared",
    "capped": "as judged, but no longer than the list that the run returned (Elasticsearch)",
    "uncut": "as judged, never cut: nDCG@k asks for all gain within k documents (Quepid)",
}
UNJUDGED: dict[str, str] = {
    "zero": "unjudged documents gain nothing and keep their ranks",
    "condensed": "unjudged documents are taken out and the others move up",
    "bounds": "as zero, with the lowest and highest value the measure could take if those above its cutoff were judged",
}
MISSING: dict[str, str] = {
    "zero": "a judged topic absent from the run counts as an empty list",
    "skip": "a judged topic absent from the run is left out of that run's mean",
    "error": "a judged topic absent from the run is refused",
}
EMPTY: dict[str, str] = {
    "undefined": "a topic in which nothing can be gained has no normalised value and is left out of the mean",
    "zero": "such a topic scores 0 and counts (trec_eval)",
    "one": "such a topic scores 1 and counts (LightGBM); under ideal 'retrieved' so does a list without gain",
}
NEGATIVE: dict[str, str] = {
    "judged": "a document with a negative grade was judged, and not relevant",
    "unjudged": "it was pooled but not judged (trec_eval)",
}
POINTS: dict[str, str] = {
    "exact": "recall r of R relevant documents is reached with ⌈r·R⌉ of them, in exact arithmetic",
    "trec_eval-9": "with ⌊r·R + 0.9⌋ of them (trec_eval 9)",
    "trec_eval-10": "with r·R of them rounded to the nearest number (trec_eval 10)",
}


IDENTITY = Gains("identity", "identity")
LOG = Discount("log")
SESSION = SessionRules()


class Refused(NamedTuple):
    """A case that a scenario may refuse: the choice that decides it here, and the case in words."""

    choice: str
    what: str


REFUSED: dict[str, Refused] = {
    "ties": Refused("ties", "tied scores whose order changes the number"),
    "negative": Refused("negative", "grades below 0"),
    "fractions": Refused("gains", "grades that are no whole numbers"),
    "high": Refused("gains", "grades above 30"),
    "lists": Refused("missing", "topics with an empty list"),
}


class Refusal(NamedTuple):
    """What a scenario cannot reproduce of a tool: a case of `REFUSED`, and why. Making its choice oneself lifts it.

    `by_rows` says that arrays, whose rows stand in the tool's own order, are no such case. `only` names the one measure
    it is about.
    """

    case: str
    why: str
    by_rows: bool = False
    only: str = ""

    @property
    def choice(self) -> str:
        """The choice that decides the case here."""
        return REFUSED[self.case].choice


@dataclass(frozen=True)
class Scenario:
    """All choices together. `depth` is the cutoff of measures that name none; None leaves them uncut.

    `session` holds what only sessions need, among it the query discount and its base bq. `refuses` is what a tool does
    that these choices do not say, and `prints` its measures; both are empty where no tool is meant.
    """

    name: str = "default"
    gains: Gains = IDENTITY
    discount: Discount = LOG
    depth: int | None = None
    ideal: str = "judged"
    ties: str = "trec"
    unjudged: str = "zero"
    missing: str = "zero"
    empty: str = "undefined"
    negative: str = "judged"
    points: str = "exact"
    about: str = ""
    session: SessionRules = SESSION
    refuses: tuple[Refusal, ...] = ()
    prints: tuple[Printed, ...] = ()

    def with_choices(self, **choices: Unpack[ScenarioChoices]) -> Scenario:
        """The scenario with single choices replaced; None leaves one as it is, `base` changes the discount's base."""
        return self.choosing(choices)

    def choosing(self, choices: Mapping[str, object]) -> Scenario:
        """The same for choices that come as text, or under names that a user wrote."""
        given = {key: value for key, value in choices.items() if value is not None}
        unknown = [key for key in given if key not in CHOICES]
        if unknown:
            what = f"there is no choice named {unknown[0]!r}{nearest(unknown[0], CHOICES)}"
            raise ChoiceError(Problem("choice-unknown", what, hint=f"choices: {', '.join(CHOICES)}"))
        changed: dict[str, object] = {key: value for key, value in given.items() if key not in ("discount", "base")}
        if "gains" in changed:
            changed["gains"] = Gains.of(changed["gains"])
        if "discount" in given or "base" in given:
            discount = given.get("discount", self.discount)
            if discount == self.discount.name:
                discount = self.discount  # its base stays unless one is given
            changed["discount"] = Discount.of(discount, given.get("base"))
        if "depth" in changed:
            changed["depth"] = checked_depth(changed["depth"])
        for key, values in RULES.items():
            if key in changed:
                one_of(key, changed[key], tuple(values))
        changed["refuses"] = tuple(refusal for refusal in self.refuses if refusal.choice not in given)
        return replace(self, **changed)  # type: ignore[arg-type]  # each value was checked above

    @classmethod
    def of(cls, given: object) -> Scenario:
        """A scenario by its name, or a Scenario."""
        if isinstance(given, Scenario):
            return given
        if isinstance(given, str) and given in SCENARIOS:
            return SCENARIOS[given]
        what = f"there is no scenario named {given!r}{nearest(str(given), SCENARIOS)}"
        raise ChoiceError(Problem("scenario-unknown", what, hint=f"use one of: {', '.join(SCENARIOS)}, or a TOML file"))


CHOICES = (
    "gains", "discount", "base", "depth", "ideal", "ties", "unjudged", "missing", "empty", "negative", "points",
)  # fmt: skip
RULES: dict[str, Mapping[str, str]] = {
    "ideal": IDEALS,
    "ties": TIE_RULES,
    "unjudged": UNJUDGED,
    "missing": MISSING,
    "empty": EMPTY,
    "negative": NEGATIVE,
    "points": POINTS,
}
"""The choices that are one of a few named rules."""


MOST_COUNT = 10**15
"""Ranks and documents are counted up to here, more than any list or collection has."""


def checked_depth(given: object, where: str = "") -> int:
    """A cutoff: a whole number of ranks, at least 1; `where` it stands begins the message."""
    depth = whole_number(given)
    if depth is None or not 1 <= depth <= MOST_COUNT:
        raise ChoiceError(Problem("measure-cutoff", f"{where}{given!r} is not a number of ranks"))
    return depth


def _named(name: str, about: str, *refuses: Refusal, **choices: Unpack[ScenarioChoices]) -> Scenario:
    chosen = Scenario(name=name).with_choices(**choices)
    return replace(chosen, about=about, refuses=refuses, prints=PRINTED.get(name, ()))


_HITS = Refusal("ties", "it ranks hits as returned, and equal scores do not show that order", by_rows=True)
_BELOW_0 = Refusal("negative", "it gives such a document a gain below 0, and no document has that here")
_NO_GRADE_BELOW_0 = Refusal("negative", "it takes no grades below 0")
_WHOLE = Refusal("fractions", "it takes whole grades only")
_NO_LIST = Refusal("lists", "it is given the documents of each list, and has no list without any")


SCENARIOS: dict[str, Scenario] = {
    scenario.name: scenario
    for scenario in (
        _named("default", "what most people call nDCG today"),
        _named("jk2002", "the 2002 paper: its discount, to rank 200", discount="jk2002", base=2, depth=200),
        _named("busy", "the 2002 paper's busy user: few, excellent documents",
               gains="0-1-10-100", discount="jk2002", base=2, depth=30),
        _named("patient", "the 2002 paper's patient user: reads on, takes what is marginal",
               gains="0-1-2-3", discount="jk2002", base=10, depth=200),
        _named("session", "sessions: the 2008 paper's discounts for ranks (b=2) and queries (bq=4), gains = grades",
               discount="jarvelin2008", base=2, depth=10),
        _named("session2008", "the 2008 paper: b=2, bq=4, the first 10 documents of every query",
               gains="0-1-10-100", discount="jarvelin2008", base=2, depth=10),
        _named("burges", "the web-search convention: exponential gains", gains="exp2"),
        _named("trec_eval-9.0.8", "the rules of trec_eval 9.0.8 (and of the Python wrappers built on it)",
               ties="trec-float32", missing="skip", empty="zero", negative="unjudged", points="trec_eval-9"),
        _named("sample_eval", "the rules of NIST's sample_eval: to rank 1000, without the topics that the run lacks",
               depth=1000, missing="skip"),
        _named("trec_eval-10", "the rules of trec_eval 10.0",
               ties="trec", missing="error", empty="zero", negative="unjudged", points="trec_eval-10"),
        _named("elasticsearch", "_rank_eval's dcg with normalize: exponential gains, ideal cut at the hits returned",
               _HITS, _BELOW_0, _WHOLE, gains="exp2", ideal="capped", empty="zero"),
        _named("opensearch-workbench", "NDCG@k of OpenSearch's Search Relevance Workbench, before it rounds each query",
               _HITS, _BELOW_0, gains="exp2", empty="zero"),
        _named("quepid-8.6", "Quepid's nDCG@10: exponential gains, ideal of all rated documents, not cut at 10",
               _HITS, _BELOW_0, gains="exp2", ideal="uncut", empty="zero"),
        _named("quepid-cut", "Quepid's nDCG_CUT@10: the same with the ideal cut at 10",
               _HITS, _BELOW_0, gains="exp2", empty="zero"),
        _named("sklearn", "ndcg_score: the ideal holds only the documents given, ties share gains",
               _NO_GRADE_BELOW_0, _NO_LIST, ideal="retrieved", ties="average", missing="skip", empty="zero"),
        _named("lightgbm", "metric ndcg: exponential gains, ideal of the rows of a query, 1 where none is relevant",
               Refusal("ties", "it leaves tied rows in their order, which a run does not show", by_rows=True),
               _NO_GRADE_BELOW_0, _WHOLE, _NO_LIST, Refusal("high", "its label_gain ends there unless one is given"),
               gains="exp2", ideal="retrieved", missing="skip", empty="one"),
        _named("ranx", "ndcg: gain = grade, a judged topic absent from the run is an error",
               Refusal("ties", "its sort leaves the order of equal scores undefined"), _WHOLE,
               missing="error", empty="zero"),
        _named("mteb", "MTEB and BEIR: pytrec_eval, which is trec_eval 9",
               Refusal("ties", "its MRR is its own: 64 bits, not 32, and equal scores as given in older versions",
                       only="RR"),
               _WHOLE, ties="trec-float32", missing="skip", empty="zero", negative="unjudged", points="trec_eval-9"),
        _named("spark-4", "RankingMetrics.ndcgAt(k) of labels without grades: a document is relevant or not",
               Refusal("ties", "it is given ranked lists, and equal scores do not show their order", by_rows=True),
               gains="binary", missing="skip", empty="zero"),
        _named("torchmetrics", "RetrievalNormalizedDCG: the ideal holds only the documents given, ties share gains",
               _BELOW_0, _NO_LIST, ideal="retrieved", ties="average-float32", missing="skip", empty="zero"),
    )
}  # fmt: skip


def session_scenario(scenario: Scenario | str, **choices: object) -> Scenario:
    """A scenario with single choices put in, those of sessions among them."""
    start = Scenario.of(scenario)
    rules = start.session.with_choices(**{key: value for key, value in choices.items() if key in RULE_NAMES})
    if start.empty == "zero" and choices.get("empty") is None:
        rules = rules.with_choices(empty="zero")
    chosen = start.choosing({key: value for key, value in choices.items() if key not in RULE_NAMES})
    return replace(chosen, session=rules)
