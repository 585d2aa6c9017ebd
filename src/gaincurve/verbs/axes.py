"""What a sweep tries: gains, discounts by rank and by query, cutoffs, and weights of the best grade."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.discount import Discount, checked_base
from gaincurve.model.gains import LARGEST, Gains
from gaincurve.model.measure import Measure
from gaincurve.model.numbers import finite_number
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario, checked_depth
from gaincurve.model.sessions.rules import query_discount

BASES = (2.0, 3.0, 5.0, 10.0, math.inf)
QUERY_BASES = (2.0, 4.0, 10.0, math.inf)
DEPTHS = (5, 10, 20, 50, 100)
RATIOS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 200.0, 300.0, 500.0, 1000.0)
"""Voorhees (2001) weighted highly relevant documents 1 to 1000 times as much as marginal ones."""


@dataclass(frozen=True)
class Axes:
    """What is tried; None takes what suits the judgments and the measure. `bqs` are for sessions."""

    gains: tuple[Gains, ...] | None
    bases: tuple[float, ...] | None
    depths: tuple[int, ...]
    ratios: tuple[float, ...]
    bqs: tuple[float, ...] | None = None

    @classmethod
    def of(
        cls,
        gains: Sequence[object] | None = None,
        bases: Sequence[object] | None = None,
        depths: Sequence[object] | None = None,
        ratios: Sequence[object] | None = None,
        bqs: Sequence[object] | None = None,
    ) -> Axes:
        """Checked axes; an empty list of ratios leaves that part out."""
        return cls(
            None if gains is None else tuple(dict.fromkeys(map(Gains.of, gains))),
            None if bases is None else tuple(dict.fromkeys(map(checked_base, bases))),
            tuple(sorted({checked_depth(depth) for depth in DEPTHS} if not depths else {*map(checked_depth, depths)})),
            tuple(sorted({*map(_ratio, RATIOS if ratios is None else ratios)})),
            None if bqs is None else tuple(dict.fromkeys(map(checked_bq, bqs))),
        )

    def schemes(self, measure: Measure, scenario: Scenario, scale: Floats) -> tuple[Gains, ...]:
        """The gains tried: for sessions the scenario's own, as two discounts vary already, else from flat to steep."""
        if self.gains is not None:
            return self.gains
        return (scenario.gains,) if measure.definition.over == "session" else flat_to_steep(scale)

    def discounts(self, measure: Measure, scenario: Scenario) -> list[Scenario]:
        """The scenario under every base, and for sessions under every base of the query discount.

        A discount without a base stands alone unless bases were asked for.
        """
        swept = [scenario]
        form = scenario.discount
        if "discount" in measure.definition.parameters and (form.base is not None or self.bases is not None):
            swept = [scenario.with_choices(discount=Discount.of(form.name, base)) for base in self.bases or BASES]
        if not uses_bq(measure):
            if self.bqs is not None:
                raise ChoiceError(Problem("measure-parameter", f"{measure} has no query discount to sweep over"))
            return swept
        by_query = scenario.session.query_discount
        if by_query.base is None and self.bqs is None:
            return swept
        bases = self.bqs or QUERY_BASES
        rules = [replace(scenario.session, query_discount=query_discount(by_query.name, base)) for base in bases]
        return [replace(chosen, session=session) for chosen in swept for session in rules]


def checked_bq(given: object) -> float:
    """A base of the query discount, above 1 or inf."""
    base = query_discount("jarvelin2008", given).base
    return math.inf if base is None else base


def uses_bq(measure: Measure) -> bool:
    """Whether the query discount decides the number: not that of a single query, nor the mean of single ones."""
    return "bq" in measure.definition.parameters and measure.own.get("score") in (None, "final", "average")


def _ratio(given: object) -> float:
    ratio = finite_number(given)
    if not ratio > 0:
        raise ChoiceError(Problem("statistics-value", f"a weight ratio cannot be {given!r}"))
    return ratio


def flat_to_steep(scale: Floats) -> tuple[Gains, ...]:
    """Gains for the grades in use: all alike, as graded, 2^g − 1, tenfold from grade to grade, the best grade only.

    Worked: for grades 0 to 3: 0-1-1-1, identity, exp2, 0-1-10-100, 0-0-0-1.
    """
    positive = scale[scale > 0]
    if not len(positive):
        return (Gains.of("identity"),)
    best = [float(i == len(positive) - 1) for i in range(len(positive))]
    wanted = [listed(scale, [1.0] * len(positive)), Gains.of("identity"), Gains.of("exp2")]
    if 10.0 ** min(len(positive) - 1, 300) <= LARGEST:
        wanted.append(listed(scale, [10.0**i for i in range(len(positive))]))
    wanted.append(listed(scale, best))
    different: dict[tuple[float, ...], Gains] = {}
    for gains in wanted:  # with a single relevant grade all are one
        if gains.unusable(scale) is None:
            different.setdefault(tuple(gains.of_grades(scale).tolist()), gains)
    return tuple(different.values())


def weighted(scale: Floats, ratio: float) -> Gains:
    """Gains in which the best grade weighs `ratio` times the lowest relevant one, in even ratios between.

    Worked: for grades 0 to 3 the ratio 100 is 0-1-10-100 and the ratio 1 is 0-1-1-1.
    """
    positive = scale[scale > 0]
    steps = max(1, len(positive) - 1)
    return listed(scale, [round(ratio ** (i / steps), 10) for i in range(len(positive))])


def listed(scale: Floats, gains: list[float]) -> Gains:
    """Gains of the relevant grades in use: as a list if they are 1, 2, …, else as a mapping."""
    positive = scale[scale > 0].tolist()
    if positive == list(range(1, len(positive) + 1)):
        return Gains.of([0.0, *gains])
    return Gains.of(dict(zip(positive, gains, strict=True)))
