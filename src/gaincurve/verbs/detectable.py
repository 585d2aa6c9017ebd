"""How many topics a comparison needs: which difference the present topics would find, and what another would take."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.comparison import Comparison
from gaincurve.model.source import counted
from gaincurve.stats.power import detectable_difference, topics_needed
from gaincurve.stats.rounding import rounded
from gaincurve.verbs.significance import UNPAIRED


@dataclass(frozen=True)
class Detectable:
    """How many topics would find a difference, and which difference the present topics would find."""

    measure: str
    difference: float
    spread: float
    topics: int
    needed: int | None
    found: float
    unit: str = "topic"

    def sentence(self) -> str:
        """In words."""
        if self.needed is None:
            return (
                f"{self.measure}: differences do not vary, so any number of {self.unit}s detects {self.difference:g}."
            )
        return (
            f"{self.measure}: differences between systems have a standard deviation of {self.spread:.4f}, so detecting "
            f"one of {self.difference:g} with power .80 takes {counted(self.needed, self.unit)}; "
            f"{counted(self.topics, self.unit)} can detect {self.found:.4f}."
        )


def detectable(comparison: Comparison, difference: float) -> list[Detectable]:
    """For each measure: the topics needed for a difference, given how differences spread over topics here."""
    if comparison.test in UNPAIRED:
        unit = f"{comparison.families[0].unit}s"
        what = f"how many {unit} it takes is known for systems scored on the same {unit}, not on different ones"
        raise ChoiceError(Problem("test-not-possible", what, hint="leave it out"))
    if not difference > 0:
        raise ChoiceError(Problem("statistics-value", f"a difference of {difference} cannot be looked for"))
    answers = []
    for family in comparison.families:
        place = {run: r for r, run in enumerate(family.runs)}
        if len(family.topics) < 2:
            what = f"{family.measure}: one {family.unit} does not show how differences vary over {family.unit}s"
            raise ChoiceError(Problem("test-not-possible", what, hint="give judgments of more topics, or leave it out"))
        gaps = [family.scores[:, place[pair.a]] - family.scores[:, place[pair.b]] for pair in family.pairs]
        spread = math.sqrt(math.fsum(float(rounded(gap - gap[0]).var(ddof=1)) for gap in gaps) / len(gaps))
        needed = topics_needed(difference / spread, alpha=comparison.alpha) if spread > 0 else None
        n = len(family.topics)
        least = detectable_difference(spread, n, alpha=comparison.alpha)
        answers.append(Detectable(family.measure.text, difference, spread, n, needed, least, family.unit))
    return answers
