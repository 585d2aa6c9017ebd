"""What the page's scripts know from Python's records: measures, discounts, sentences, the order of signatures.

Each fact is kept in its record or here, and reaches the scripts as `gaincurve.facts`; they only do arithmetic.
"""

from __future__ import annotations

import json
from typing import Any

from gaincurve.measures.notation import make_measure
from gaincurve.measures.registry import REGISTRY
from gaincurve.model.comparison import JUDGING
from gaincurve.model.discount import FORMS
from gaincurve.model.gains import LARGEST, SMALLEST
from gaincurve.model.measure import Definition, Measure
from gaincurve.model.numbers import LEVELS, MOST_DIGITS
from gaincurve.model.parameters import PARAMETERS
from gaincurve.model.scenario import CHOICES
from gaincurve.model.sentences import SENTENCES
from gaincurve.model.sessions.rules import SESSION_RULES, SessionRules
from gaincurve.model.signature import OWN, PARTS, VERSION
from gaincurve.model.standing import DEEPEST, ENOUGH, LIKELY
from gaincurve.model.sweep import AXES
from gaincurve.model.wording import MOST_DOUBTS, MOST_NAMES
from gaincurve.stats.judging import CLEAR, DRAWS, FIRST_DRAWS, SLACK
from gaincurve.verbs.axes import BASES, DEPTHS
from gaincurve.verbs.significance.records import ADJUSTMENT_NAMES

MEASURES = ("nDCG", "DCG", "nCG", "CG", "P", "R", "AP", "RR")
"""What the page computes, in the order of its menu; `assets/engine/scores.js` has a function for each."""
NAMES = tuple(name for name in REGISTRY if name in MEASURES)
"""The same in the order of the registry."""
DEFAULT = "nDCG"
"""The default primary measure, which also replaces one that has no curve or no gains."""
SESSIONS = {"nsDCG": "nsDCG, share of the ideal", "sDCG": "sDCG, gain so far"}
"""The measures of sessions as the menu calls their curves; the first decides."""

_SIGNED = {key for name in NAMES for key, value in REGISTRY[name].defaults.items() if value is not None}
_OWN = tuple(key for key in PARAMETERS["topic"] if key in _SIGNED - {*CHOICES, "summary", "average"})
"""Choices of single measures that signatures write, in their order."""
_TESTED = ("ranks", "settings", "test", "adjust", "baseline", "alpha", "prior")
"""What a sweep or a test adds to a signature, before the version."""
SIGNATURE = tuple(
    name for part in PARTS["topic"] for name in {OWN: _OWN, VERSION: (*_TESTED, VERSION)}.get(part, (part,))
)
"""The parts of a signature after the measure, in their order."""
_RULES = tuple(rule.replace("_", "-") for rule in SESSION_RULES if rule not in ("average", "empty"))
SESSION_SIGNATURE = tuple(part for part in PARTS["session"] if part != OWN)
"""The same for sessions."""

DISCOUNTS = {
    "log": ("log₂(i+1)", "log₂(q+1)", "log₂({i} + 1)"),
    "jk2002": ("2002 rule: log_b i from rank b", "log_bq q from query bq on", "log{below} {i} from {base} on"),
    "jarvelin2008": ("1 + log_b i", "1 + log_bq q (2008 paper)", "1 + log{below} {i}"),
    "kanoulas2011": ("log_b(i + b − 1)", "log_bq(q + bq − 1)", "log{below}({i} + {less})"),
    "rank": ("1/i: by the rank", "q", "{i}"),
    "none": ("none", "none: all queries count alike", "1, so not at all"),
}
"""Each form in the menu of ranks, in that of queries, and with its base in a sentence."""
BY_QUERY = ("jarvelin2008", "jk2002", "kanoulas2011", "log", "rank", "none")
"""The order of the menu of queries."""


def whole_list(name: str) -> bool:
    """Whether a measure counts the whole list unless it is written with a cutoff: one that has no curve by rank."""
    record = REGISTRY[name]
    return record.curve is None and record.cutoff == "optional"


def counts_relevant(name: str) -> bool:
    """Whether a measure asks which documents are relevant, and not how much they gain."""
    return "rel" in REGISTRY[name].parameters


def gain_curves() -> tuple[str, ...]:
    """The measures of gain that have a curve, from the plainest on."""
    return tuple(name for name in NAMES if "gains" in REGISTRY[name].parameters)


def beside(primary: str) -> tuple[str, ...]:
    """The measures beside the primary one in the leaderboard: the usual one, and those of relevant documents."""
    return tuple(name for name in _LEADERBOARD if name != primary)


def cut(name: str, depth: int | None, relevant: dict[str, object]) -> Measure:
    """A measure of the page at its depth, with the grade from which documents are relevant where it asks for that."""
    return make_measure(name, relevant if counts_relevant(name) else {}, None if whole_list(name) else depth)


_LEADERBOARD = (
    DEFAULT,
    *sorted((name for name in MEASURES if counts_relevant(name)), key=lambda name: not whole_list(name)),
)


def facts() -> dict[str, Any]:
    """Everything that the scripts take from here, ready for JSON."""
    return {
        "default": DEFAULT,
        "menu": MEASURES,
        "leaderboard": _LEADERBOARD,
        "gain_curves": gain_curves(),
        "measures": {name: _measure(REGISTRY[name]) for name in MEASURES},
        "sessions": {name: _session_measure(REGISTRY[name]) for name in SESSIONS},
        "signature": SIGNATURE,
        "session_signature": SESSION_SIGNATURE,
        "discounts": {name: _discount(name) for name in DISCOUNTS},
        "discounts_by_query": BY_QUERY,
        "gain_range": (SMALLEST, LARGEST),
        "sentences": SENTENCES,
        "levels": {"p": LEVELS, "most_digits": MOST_DIGITS},
        "most_names": MOST_NAMES,
        "most_doubts": MOST_DOUBTS,
        "judging": {
            "likely": LIKELY,
            "enough": ENOUGH,
            "deepest": DEEPEST,
            "draws": DRAWS,
            "first_draws": FIRST_DRAWS,
            "clear": CLEAR,
            "slack": SLACK,
            "columns": JUDGING,
        },
        "adjustments": ADJUSTMENT_NAMES,
        "sweep": {"bases": ["inf" if base == float("inf") else base for base in BASES], "depths": DEPTHS, "axes": AXES},
    }


def facts_script() -> str:
    """The facts as the first statement of the page's scripts."""
    return f"(globalThis.gaincurve ??= {{}}).facts = {json.dumps(facts(), ensure_ascii=True, separators=(',', ':'))};"


def _measure(record: Definition) -> dict[str, Any]:
    """What the scripts need of a record; `own` are choices that no control changes, with the values they have."""
    uses = record.parameters
    own = {key: value for key, value in record.defaults.items() if key in _OWN and key != "rel" and value is not None}
    return {
        "title": record.title,
        "unit": record.unit,
        "gains": "gains" in uses,
        "discounted": "discount" in uses,
        "normalised": record.normalised,
        "relevant": counts_relevant(record.name),
        "undefined": record.empty == "undefined",
        "curve": record.curve is not None,
        "whole": whole_list(record.name),
        "own": own,
    }


def _session_measure(record: Definition) -> dict[str, Any]:
    """`rules` are those that do not concern the measure: they have the values of the 2008 paper."""
    uses = {part: part.replace("-", "_") in record.rules for part in _RULES}
    uses |= {"average": record.sides is not None, "empty": record.empty == "undefined"}
    paper = SessionRules()
    return {
        "title": record.title,
        "unit": record.unit,
        "menu": SESSIONS[record.name],
        "normalised": record.normalised,
        "rules": {part.replace("-", "_"): getattr(paper, part.replace("-", "_")) for part in _RULES if not uses[part]},
        "parts": [part for part in SESSION_SIGNATURE if uses.get(part, True)],
    }


def _discount(name: str) -> dict[str, Any]:
    by_rank, by_query, divided_by = DISCOUNTS[name]
    form = FORMS[name]
    written = form.formula if name == "log" else name
    return {"based": form.based, "text": written, "rank": by_rank, "query": by_query, "divisor": divided_by}
