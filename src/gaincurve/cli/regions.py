"""Measures crossed with several gains and several cutoffs."""

from __future__ import annotations

from collections.abc import Sequence

import click

from gaincurve.cli.options import Regions
from gaincurve.cli.session.options import Testing
from gaincurve.measures.notation import parse_measures
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.evaluate import asked_measures, kind_of


def asked_regions(
    measures: Sequence[str], average: str | None, regions: Regions, of_sessions: Testing
) -> tuple[list[Measure], Scenario, bool]:
    """Measures × gains × cutoffs, the scenario for the rest, and whether there are several gains or cutoffs.

    A measure that names its own gains or cutoff keeps it; a single choice becomes part of the scenario, as do those
    that only sessions have.
    """
    gains, depths = list(dict.fromkeys(regions.gains)), regions.depths
    several = len(gains) > 1 or len(depths) > 1
    parsed = parse_measures(measures)
    over = kind_of(parsed)
    scenario = regions.with_one(
        over,
        gains=gains[0] if len(gains) == 1 else None,
        depth=depths[0] if len(depths) == 1 else None,
        **of_sessions.choices(parsed),
    )
    if not measures:
        measures = ["nDCG"] if depths or scenario.depth else ["nDCG@10"]
    if average is not None and not any("average" in m.definition.parameters for m in parse_measures(measures)):
        raise click.UsageError(f"--average changes nothing about {', '.join(measures)}")
    crossed = [
        _in_region(measure, scheme, depth, average)
        for measure in parse_measures(measures)
        for scheme in (gains if len(gains) > 1 else [None])
        for depth in (depths if len(depths) > 1 else [None])
    ]
    return asked_measures(crossed, scenario, over), scenario, several


def _in_region(measure: Measure, gains: str | None, depth: int | None, average: str | None) -> Measure:
    parameters = dict(measure.parameters)
    accepted = measure.definition.parameters
    if gains is not None and "gains" in accepted:
        parameters.setdefault("gains", gains)
    if average is not None and "average" in accepted:
        parameters.setdefault("average", average)
    return Measure.of(measure.definition, parameters, measure.cutoff if measure.cutoff is not None else depth)
