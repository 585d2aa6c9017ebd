"""How a difference stands against what nobody judged, and against the order of tied documents."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gaincurve.model.numbers import no_level

LIKELY = 0.95
"""A verdict stands if the order holds at least this likely once all is judged …"""
ENOUGH = 0.20
"""… and at least this share of each system's first documents is judged."""
DEEPEST = 100
"""Shares of judged documents, and the model of the unjudged ones, look no deeper: judges do not either."""


@dataclass(frozen=True)
class Standing:
    """What could turn the difference a less b of one pair.

    `low` and `high` bound the mean difference over all judgings of the unjudged documents that either shows above the
    cutoff (the worst case); `certain` says that its sign cannot change. `p` is the chance that the one ahead stays
    ahead, under the model named `prior`, from so many `draws` (0: in closed form). All are nan where the measure is not
    a sum over ranks. `judged_a` and `judged_b` are the shares judged of the first `depth` documents. `decided_by_ties`
    says that the order of tied documents alone can turn the difference.
    """

    depth: int
    judged_a: float
    judged_b: float
    low: float = math.nan
    high: float = math.nan
    certain: bool = False
    p: float = math.nan
    prior: str = ""
    draws: int = 0
    decided_by_ties: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether a verdict on the difference must be weakened."""
        return self.decided_by_ties or self.few_judged or self.unlikely

    @property
    def few_judged(self) -> bool:
        """Whether too little of one system's first documents is judged, and that could turn the difference."""
        return not self.certain and min(self.judged_a, self.judged_b) < ENOUGH

    @property
    def unlikely(self) -> bool:
        """Whether the one ahead may well fall behind once all is judged."""
        return not self.certain and self.p < LIKELY

    @property
    def model(self) -> str:
        """The model as a signature has it: 'shown(draws=2000,seed=0)', 'pooled', '' where there is none."""
        return f"{self.prior}(draws={self.draws},seed=0)" if self.draws else self.prior

    @property
    def text(self) -> str:
        """'certain', 'likely .99', 'open .62', '–' where it is not known; then 'few judged', 'ties open' where so."""
        if self.certain:
            text = "certain"
        elif math.isnan(self.p):
            text = "–"
        else:
            text = f"{'likely' if self.p >= LIKELY else 'open'} {chance_text(self.p)}"
        return text + ", few judged" * self.few_judged + ", ties open" * self.decided_by_ties


def chance_text(p: float) -> str:
    """A probability with two decimals that reaches neither 0, 1 nor .95 by rounding: '.62', '> .99', '< .01'.

    Worked: 0.617 is '.62', 0.998 is '> .99', 0.948 is '.948'.
    """
    if p > 0.99 or p < 0.01:
        return "> .99" if p > 0.5 else "< .01"
    return no_level(p, 2, (LIKELY,)).removeprefix("0")
