"""The verb `gate`: fail only where a drop is beyond the limit and real."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.measures.notation import parse_measure
from gaincurve.model.comparison import Family
from gaincurve.model.gate import Check, Gate
from gaincurve.model.numbers import finite_number
from gaincurve.model.scores import Scores
from gaincurve.model.source import counted
from gaincurve.stats.rounding import rounded
from gaincurve.verbs.compare import compare
from gaincurve.verbs.sessions.units import in_units
from gaincurve.verbs.significance import PAIRED, TESTS, UNPAIRED

GATE_TESTS = tuple(name for name, test in PAIRED.items() if test.gates)
WORST = 5


def gate(
    scores: Scores,
    max_drop: Mapping[str, float],
    *,
    test: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    worst: int = WORST,
    unit: str | None = None,
    design: str | None = None,
) -> Gate:
    """Whether the second run of `scores` may replace the first.

    `max_drop` holds for each measure the drop allowed. A check fails if the mean falls by more than that and the
    difference is significant, Holm-adjusted over all limits; `worst` topics are listed for each. The test (paired t
    unless given, Welch's t for systems scored on different sessions) is about falling at all: a limit of 0 fails on
    every significant drop. A check also fails if a topic has a score for the baseline and none for the candidate.
    `unit` and `design` are those of `compare`, for sessions.
    """
    scores = in_units(scores, unit, design)
    if len(scores.runs) != 2:
        what = f"a gate takes a baseline and a candidate, not {counted(len(scores.runs), 'run')}"
        raise ChoiceError(Problem("runs-too-few", what, hint="give exactly two runs"))
    limits = checked_limits((_named(measure, scores), _limit(measure, limit)) for measure, limit in max_drop.items())
    unknown = [measure for measure in limits if measure not in scores.texts]
    if unknown or not limits:
        what = f"there is no score for {unknown[0]}" if unknown else "no limit was given"
        raise ChoiceError(Problem("gate-limit", what))
    unpaired = scores.design == "unpaired"
    if test is not None:
        one_of("test", test, tuple(name for name in TESTS if TESTS[name].gates) if unpaired else GATE_TESTS)
    together = "all-measures" if len(limits) > 1 else "measure"
    limited = scores.scores.of(*limits)
    chosen = test or next(iter(UNPAIRED if unpaired else PAIRED))
    comparison = compare(limited, chosen, baseline=scores.runs[0], alpha=alpha, seed=seed, family=together)
    checks = tuple(
        _check(family, limits[family.measure.text], () if unpaired else _lost(limited, m), 0 if unpaired else worst)
        for m, family in enumerate(comparison.families)
    )
    return Gate(scores.runs[0], scores.runs[1], checks, comparison)


def checked_limits(given: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Measures with their limits; a measure cannot have two different ones."""
    limits: dict[str, float] = {}
    for measure, limit in given:
        if limits.setdefault(measure, limit) != limit:
            what = f"{measure} may drop by {limits[measure]:g} and by {limit:g}"
            raise ChoiceError(Problem("gate-limit", what, hint="give one limit for each measure"))
    return limits


def _named(measure: str, scores: Scores) -> str:
    """A measure as the scores name it: sessions have measures of their own."""
    return measure if measure in scores.texts else parse_measure(measure).text


def _lost(scores: Scores, m: int) -> tuple[tuple[str, float, float], ...]:
    """Topics with a score for the baseline and none for the candidate: leaving them out would hide the loss."""
    before, after = scores.values[:, m]
    places = np.flatnonzero(~np.isnan(before) & np.isnan(after))
    return tuple(sorted((scores.topics[t], float(before[t]), math.nan) for t in places))


def parse_limit(text: str) -> tuple[str, float]:
    """'nDCG@10=0.01' as measure and limit; the last = counts, because measures have their own."""
    measure, equals, limit = text.rpartition("=")
    if not equals or not measure:
        raise ChoiceError(Problem("gate-limit", f"{text!r} is not MEASURE=DROP"))
    return parse_measure(measure.strip()).text, _limit(text, limit)


def _limit(text: str, given: object) -> float:
    limit = finite_number(given)
    if not limit >= 0:
        raise ChoiceError(Problem("gate-limit", f"{text!r}: a drop of {given!r} is not a number of at least 0"))
    return limit


def _check(family: Family, limit: float, lost: tuple[tuple[str, float, float], ...], worst: int) -> Check:
    pair = family.pairs[0]  # the candidate less the baseline
    sign = 1 if family.higher_is_better else -1
    drop = -sign * pair.difference
    beyond = bool(rounded(np.array(drop - limit)) > 0)
    rows = zip(family.topics, family.scores[:, 0].tolist(), family.scores[:, 1].tolist(), strict=True)
    fallen = sorted(
        (row for row in rows if sign * (row[1] - row[2]) > 0), key=lambda row: (-sign * (row[1] - row[2]), row[0])
    )
    return Check(
        measure=family.measure,
        limit=limit,
        drop=drop,
        pair=pair,
        beyond=beyond,
        failed=bool(lost) or (beyond and pair.significant and pair.better == pair.b),
        topics=(*lost, *fallen)[:worst],
        signature=family.signature,
        lost=tuple(topic for topic, _, _ in lost),
        unit=family.unit,
        higher_is_better=family.higher_is_better,
    )
