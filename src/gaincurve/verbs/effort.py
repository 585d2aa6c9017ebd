"""The verb `effort`: how much must be read with one run to gain what another gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from gaincurve.curve.effort import Effort, ranks_to_reach
from gaincurve.curve.points import Curve, Curves
from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.graded import IDEAL
from gaincurve.model.measure import Measure
from gaincurve.model.numbers import finite_number
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario, checked_depth
from gaincurve.model.source import number_text
from gaincurve.verbs.curves import draw
from gaincurve.verbs.experiment import experiment


def effort(
    judgments: object,
    runs: object,
    measure: str | Measure = "CG",
    *,
    rank: int = 10,
    gains_wanted: Sequence[float] = (),
    interpolate: bool = False,
    scenario: Scenario | str = "default",
    **choices: Unpack[ScenarioChoices],
) -> Effort:
    """Ranks needed for what each run, and the ideal, gives at `rank`; or for the gains named in `gains_wanted`.

    Read off the mean curves of CG or DCG to the scenario's depth (100 unless it has one).
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    parsed = parse_measure(measure)
    return read_sideways(draw(experiment(judgments, runs, chosen), [parsed], chosen), rank, gains_wanted, interpolate)


def read_sideways(
    curves: Curves, rank: int = 10, gains_wanted: Sequence[float] = (), interpolate: bool = False
) -> Effort:
    """Effort from the first of some curves."""
    curve = curves.curves[0]
    check_effort(parse_measure(curve.name), 1 if gains_wanted else rank, curves.depth)
    givers, targets = _wanted(gains_wanted) if gains_wanted else _given(curves, curve, rank)
    return Effort(
        curve=curve.name,
        signature=curve.signature,
        depth=curves.depth,
        rank=None if gains_wanted else rank,
        runs=curves.runs,
        givers=givers,
        targets=targets,
        needed=np.array(
            [[ranks_to_reach(values, target, interpolate) for values in curve.values] for target in targets.tolist()]
        ),
        inputs=curves.inputs,
        notes=curves.notes,
    )


def check_effort(measure: Measure, rank: int, depth: int) -> None:
    """Refuse a curve that cannot be read sideways, or a rank that lies beyond it."""
    if measure.definition.normalised:
        what = f"{measure.name} does not grow with every document, so no number of ranks can be read off it"
        raise ChoiceError(Problem("measure-no-curve", what, hint="use CG or DCG"))
    if checked_depth(rank) > depth:
        what = f"rank {rank} is beyond the depth of the curves, {depth}"
        raise ChoiceError(Problem("measure-cutoff", what, hint="a smaller --rank or a larger --depth"))


def _wanted(gains: Sequence[float]) -> tuple[tuple[str, ...], Floats]:
    if not all(finite_number(gain) > 0 for gain in gains):
        raise ChoiceError(Problem("choice-unknown", "a gain to reach must be a positive number", hint="e.g. --gain 10"))
    return tuple(f"gain {number_text(gain)}" for gain in gains), np.array(gains, dtype=np.float64)


def _given(curves: Curves, curve: Curve, rank: int) -> tuple[tuple[str, ...], Floats]:
    return (IDEAL, *curves.runs), np.concatenate([[curve.ideal[rank - 1]], curve.values[:, rank - 1]])
