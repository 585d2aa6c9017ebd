"""The comparison as it was written into the page: what its scripts show until a reader changes a setting."""

from __future__ import annotations

from typing import Any

from gaincurve.model.comparison import Comparison, Pair
from gaincurve.model.scores import json_number
from gaincurve.page.provenance import signature_parts

_NUMBERS = ("low", "high", "p", "p_adjusted", "effect")


def written(comparison: Comparison) -> dict[str, Any]:
    """Verdict, methods and numbers of the test that was asked for, pair by pair in their order."""
    family = comparison.families[0]
    return {
        "verdict": family.words,
        "methods": family.methods,
        "intervals": family.intervals,
        "model": family.model,
        "signature": signature_parts(family.signature),
        "groups": list(family.groups),
        "pairs": [_pair(pair, family.runs) for pair in family.pairs],
    }


def _pair(pair: Pair, runs: tuple[str, ...]) -> dict[str, Any]:
    numbers: dict[str, Any] = {name: json_number(getattr(pair, name)) for name in _NUMBERS}
    better = runs.index(pair.better) if pair.better else -1
    return {**numbers, "significant": pair.significant, "better": better, "standing": _standing(pair)}


def _standing(pair: Pair) -> dict[str, Any] | None:
    standing = pair.standing
    if standing is None:
        return None
    numbers = {name: json_number(getattr(standing, name)) for name in ("judged_a", "judged_b", "low", "high", "p")}
    return {
        **numbers,
        "depth": standing.depth,
        "certain": standing.certain,
        "decided_by_ties": standing.decided_by_ties,
    }
