"""What a reader of scores should know about them: ties that decide a number, and how much was never judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.source import Note
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.ties import tie_orders

DIGITS = 4
"""Tables show so many digits: a range over tie orders that does not change them is not worth a line."""

UNJUDGED = 0.1
"""From this share on: below it hardly any two systems change places over what was not judged."""

SEEN = 10
"""The first documents that count, where no measure has a cutoff."""

SHOWN = 3


def with_remarks(scores: Scores, graded: Experiment, scenario: Scenario) -> Scores:
    """The scores with a line on unjudged documents and one on ties, where they matter."""
    remarks = (*unjudged_note(graded.runs, scores.measures, scenario), *tie_note(scores, graded, scenario))
    return replace(scores, notes=(*scores.notes, *remarks)) if remarks else scores


def unjudged_note(runs: Sequence[Graded], measures: Sequence[Measure], scenario: Scenario) -> list[Note]:
    """The shares of unjudged documents among the first ones, largest first; where they are taken out there are none."""
    if scenario.unjudged == "condensed":
        return []
    rank = rank_seen(measures)
    return note_on_shares([(_unjudged(run, rank), run.name) for run in runs], rank, measures, scenario)


def rank_seen(measures: Sequence[Measure]) -> int:
    """The first documents that count: to the first cutoff there is."""
    return next((measure.rank for measure in measures if measure.rank is not None), SEEN)


def note_on_shares(
    shares: list[tuple[float, str]], rank: int, measures: Sequence[Measure], scenario: Scenario
) -> list[Note]:
    """The note from the share of unjudged documents of each run."""
    shares = sorted(shares, key=lambda pair: -pair[0])
    if shares[0][0] < UNJUDGED:
        return []
    shown = [f"{name} {100 * share:.0f}%" for share, name in shares[:SHOWN]]
    more = f", … least {shares[-1][1]} {100 * shares[-1][0]:.0f}%" if len(shares) > SHOWN else ""
    text = f"unjudged in the top {rank}: {', '.join(shown)}{more}"
    if scenario.unjudged == "zero" and any(measure.definition.bounds is not None for measure in measures):
        text += " (--unjudged bounds shows what they could change)"
    return [Note("unjudged", text)]


def _unjudged(run: Graded, rank: int) -> float:
    """The share of unjudged documents among the first of the lists on judged topics."""
    judged = run.base >= 0
    seen = np.minimum(run.retrieved, rank)[judged].sum()
    return float(run.unjudged_at(rank)[judged].sum() / seen) if seen else 0.0


def tie_note(scores: Scores, graded: Experiment, scenario: Scenario) -> list[Note]:
    """The values that the order of tied documents decides, widest range first."""
    if scores.by:
        return []
    ranges: list[tuple[float, str]] = []
    for i, measure in enumerate(scores.measures):
        settled = _settled(graded, measure, scenario)
        if measure.averaging(settled) == "ratio-of-means":
            continue
        for r, run in enumerate(graded.runs):
            tied = 0 if run.spread else int((run.last > run.first).sum())
            known = graded.kind == "topic" and scenario.unjudged != "bounds" and scores.units == run.units.names
            ties = tie_orders(run, tied, measure, settled, scores.values[r, i] if known else None)
            if ties.low is None or ties.high is None:
                continue
            ranges += tie_range(measure, run.name, ties.low, ties.high)
    return note_on_ranges(ranges)


def tie_range(measure: Measure, name: str, least: float, most: float) -> list[tuple[float, str]]:
    """The width of a range over tie orders and its text, if it shows in a table."""
    low, high = (f"{end:.{DIGITS}f}" for end in (least, most))
    return [] if low == high else [(most - least, f"{measure} of {name} ({low} to {high})")]


def note_on_ranges(ranges: list[tuple[float, str]]) -> list[Note]:
    """The note on the values that the order of tied documents decides."""
    if not ranges:
        return []
    ranges.sort(key=lambda pair: -pair[0])
    more = f", … ({len(ranges)} in all)" if len(ranges) > SHOWN else ""
    text = f"the order of tied documents decides {', '.join(text for _, text in ranges[:SHOWN])}{more}"
    return [Note("ties", f"{text} (--ties average gives the mean over all orders)")]


def _settled(graded: Experiment, measure: Measure, scenario: Scenario) -> Scenario:
    if graded.kind == "topic":
        return scenario
    from gaincurve.verbs.sessions.experiment import on_data  # noqa: PLC0415 -- eval starts sooner without it

    return on_data(graded, measure, scenario)
