"""How the ends of a pair close as documents are judged."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.ids import Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.stats.distributions import normal_lower
from gaincurve.stats.judging import (
    SLACK,
    Open,
    can_matter,
    worst_case,
)
from gaincurve.verbs.deciding.case import Asked, Case
from gaincurve.verbs.deciding.verdicts import most_telling
from gaincurve.verbs.lists import grades_of, judgments_if_any, named_runs, without


@dataclass(frozen=True, eq=False)
class Closing:
    """How the ends of one pair close as documents are judged: ends and P after 0, 1, … of them."""

    low: Floats
    high: Floats
    p: Floats
    certain_after: int | None
    plausible_after: int | None


STEPS = 200
"""A figure of how ends close has about this many points."""


@dataclass(frozen=True, eq=False)
class Path:
    """How the ends of one pair close: after so many judgments (`judged`) the mean difference is between low and high.

    The first `known` judgments have the grades that judges gave, in the order in which `decide` would have asked; the
    rest is what happens if every document gains what is expected of it.
    """

    a: str
    b: str
    judged: Ints
    low: Floats
    high: Floats
    known: int


def closing_paths(
    judgments: object,
    runs: object,
    measure: str | Measure = "nDCG@10",
    *,
    scenario: Scenario | str = "default",
    scale: object = None,
    prior: str | Mapping[float, float] | None = None,
    topics: str = "judged",
    **choices: Unpack[ScenarioChoices],
) -> tuple[Path, ...]:
    """For every pair of runs how the ends of their difference close as the most decisive documents are judged first."""
    judged = judgments_if_any(judgments)
    chosen = Scenario.of(scenario).with_choices(**choices)
    now = Case(named_runs(runs, chosen.ties), judged, Asked(measure, chosen, scale, prior, topics=topics))
    start = now
    if judged is not None:
        bare = without(judged, now.lists, ~np.isnan(now.grade))
        start = Case(now.runs, bare, replace(now.asked, scale=now.scale.tolist()))
    pairs = itertools.combinations(range(len(now.runs)), 2)
    return tuple(_path(now, start, a, b) for a, b in pairs)


def _path(now: Case, start: Case, a: int, b: int) -> Path:
    """Two runs judged again from nothing: what has a grade first, then what is expected."""
    gain = now.linear.gains(np.nan_to_num(now.grade))
    gain[now.shown_open(a, b)] = now.pair(a, b).expected
    documents = start.shown_open(a, b)
    pair = start.pair(a, b, also=gain[documents])
    order = most_telling(np.abs(pair.weight), pair.topic)
    order = order[can_matter(pair)[order]]
    graded = ~np.isnan(now.grade[documents[order]])
    order, known = np.concatenate([order[graded], order[~graded]]), int(graded.sum())
    steps = np.unique(np.append(np.linspace(0, len(order), STEPS).astype(np.int64), known))
    ends = [worst_case(pair.revealed(order[:step], gain[documents[order[:step]]])) for step in steps.tolist()]
    low, high = np.array([end.low for end in ends]), np.array([end.high for end in ends])
    return Path(now.runs[a].name, now.runs[b].name, steps, low, high, known)


def closing(
    judgments: object,
    runs: object,
    measure: str | Measure,
    *,
    order: str = "decide",
    seed: int = 0,
    confidence: float = 0.95,
    topics: Sequence[str] | None = None,
    **choices: object,
) -> Closing:
    """Judge two runs again from nothing, in some order, with the answers of `judgments` (absent: not relevant).

    Orders: 'decide' (the most decisive first), 'depth' (by best rank, then topic and id), 'random'. For sums (CG,
    DCG, P) only, whose ends and P under the prior `pooled` follow from running sums. `topics` are those to look at.
    """
    judged, ranked = Judgments.of(judgments), named_runs(runs)
    case = Case(ranked, judged, Asked(measure, **choices), from_nothing=True)  # type: ignore[arg-type]
    if case.linear.ideal is not None or len(ranked) != 2:
        raise ChoiceError(Problem("decide-measure", f"{case.measure} is not replayed: two runs and CG, DCG or P are"))
    pair, grade = case.pair(0, 1), np.nan_to_num(grades_of(case.lists, judged))
    rows = {
        "decide": most_telling(np.abs(pair.weight) * float(np.ptp(pair.gains)), pair.topic),
        "depth": np.lexsort((case.lists.topic, case.lists.best)),
        "random": np.random.default_rng(seed).permutation(len(grade)),
    }[one_of("order", order, ("decide", "depth", "random"))]
    wanted = np.isin(np.array(case.topics)[pair.topic], list(case.topics if topics is None else topics))
    asked = wanted & (pair.weight != 0) if order == "decide" else wanted  # others ask all
    rows = rows[asked[rows]]
    return _closing(pair, rows, grade[rows], case.scale, len(case.topics if topics is None else topics), confidence)


def _closing(pair: Open, rows: Ints, grade: Floats, scale: Floats, topics: int, confidence: float) -> Closing:
    weight = pair.weight[rows]
    gain = pair.gains[np.searchsorted(scale, grade)]
    ends = np.sort(np.stack([weight * pair.gains.min(), weight * pair.gains.max()]), axis=0)
    judged = np.concatenate([[0.0], np.cumsum(weight * gain)])
    low, high = (judged + side.sum() - np.concatenate([[0.0], np.cumsum(side)]) for side in ends)
    counts = np.concatenate([np.zeros((1, len(scale))), np.cumsum(grade[:, None] == scale, axis=0)]) + 1
    chances = counts / counts.sum(axis=1, keepdims=True)
    mean = chances @ pair.gains
    variance = chances @ pair.gains**2 - mean**2
    rest, square = (total.sum() - np.concatenate([[0.0], np.cumsum(total)]) for total in (weight, weight**2))
    middle, spread = judged + mean * rest, np.sqrt(np.maximum(0.0, variance * square))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(spread > 0, normal_lower(middle / spread), (np.sign(middle) + 1) / 2)
    slack = SLACK * float(np.abs(ends).sum())
    certain = np.flatnonzero((low > slack) | (high < -slack))
    likely = np.flatnonzero(np.maximum(p, 1 - p) >= confidence)
    firsts = [int(places[0]) if len(places) else None for places in (certain, likely)]
    return Closing(low / topics, high / topics, p, *firsts)
