"""Judgment health: what was not judged, what is tied, and how far either could move the primary measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaincurve.errors import ChoiceError
from gaincurve.model.graded import Graded
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import grouped, number_text
from gaincurve.page.content import Health, HealthRow
from gaincurve.page.leaderboard import ABSENT, interval
from gaincurve.verbs.check import tied_documents as all_tied
from gaincurve.verbs.evaluate import score_runs
from gaincurve.verbs.ties import tie_orders

RANKS = (5, 10)


def health_of(
    judgments: Judgments,
    runs: Sequence[Run],
    plain: Sequence[Graded],
    graded: Sequence[Graded],
    labels: Sequence[str],
    scenario: Scenario,
    measure: Measure,
) -> Health:
    """One row a run; `plain` are the runs before the rule for unjudged documents, `graded` those under it."""
    ranks = tuple(sorted({*RANKS, scenario.depth or RANKS[-1]}))
    bounds = _bounds(plain, scenario, measure)
    return Health(
        measure=measure.text,
        ranks=ranks,
        rows=tuple(
            HealthRow(
                run=label,
                unjudged=tuple(_unjudged(seen, rank) for rank in ranks),
                tied=grouped(tied_documents(run, judgments)),
                tie_range=_tie_range(run, ranked, scenario, measure),
                bounds=bounds[seen.name],
            )
            for run, seen, ranked, label in zip(runs, plain, graded, labels, strict=True)
        ),
        grades=_grades(judgments),
    )


def _unjudged(run: Graded, rank: int) -> str:
    """The share of unjudged documents among the first ones, mean over topics that have any, as the chart shows it."""
    seen = np.minimum(run.retrieved, rank)
    there = seen > 0
    if not there.any():
        return ABSENT
    return f"{100 * float((run.unjudged_at(rank)[there] / seen[there]).mean()):.1f}%"


def tied_documents(run: Run, judgments: Judgments) -> int:
    """How many documents of judged topics share their score with another one of the topic."""
    judged = set(judgments.topics)
    blocks = run.blocks()
    sizes = np.diff(blocks)
    counted = np.array([topic in judged for topic in run.topics], dtype=bool)[run.topic[blocks[:-1]]]
    return int(sizes[(sizes > 1) & counted].sum())


def _tie_range(run: Run, graded: Graded, scenario: Scenario, measure: Measure) -> str:
    """The lowest and highest mean over all orders of tied documents."""
    ties = tie_orders(graded, all_tied(run), measure, scenario)
    return ABSENT if ties.low is None or ties.high is None else interval(ties.low, ties.high)


def _bounds(graded: Sequence[Graded], scenario: Scenario, measure: Measure) -> dict[str, str]:
    """The lowest and highest mean over all judgments of unjudged documents, where the measure stops at a rank.

    Without a cutoff a long list has so many of them that the bounds are slow to find and tell nothing.
    """
    none = dict.fromkeys((run.name for run in graded), ABSENT)
    if measure.rank is None or measure.definition.bounds is None:
        return none
    try:
        bounds = score_runs(graded, [measure], replace(scenario, unjudged="bounds"), ()).bounds()
    except ChoiceError:  # an ideal of what was retrieved has no bounds
        return none
    return {name: interval(*row[measure.text]) for name, row in bounds.items()}


def _grades(judgments: Judgments) -> str:
    counts = [f"grade {number_text(grade)}: {grouped(count)}" for grade, count in judgments.histogram().items()]
    return f"Judgments by grade: {', '.join(counts)}."
