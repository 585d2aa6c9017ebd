"""One record for each test of significance, and what goes into and comes out of it.

A test is one function from a matrix of scores to p-values and intervals, with what others must know about it:
`compare`, `gate`, help texts, `ls tests` and the reference read its record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.rows import Floats
from gaincurve.model.sentences import say
from gaincurve.model.source import counted, grouped
from gaincurve.model.summaries import mean
from gaincurve.model.wording import alpha_text
from gaincurve.stats.effects import wins_ties_losses
from gaincurve.stats.intervals import KINDS
from gaincurve.stats.moments import Moments
from gaincurve.stats.signflip import Randomised, sign_flip

Design = Literal["paired", "unpaired"]
FAMILIES = ("measure", "all-measures")


@dataclass(frozen=True)
class PostHoc:
    """A way to compare pairs after an overall test; `whole` as in `SignificanceTest`."""

    about: str
    whole: bool


@dataclass(frozen=True)
class SignificanceTest:
    """A test by the name it is asked for, and what `compare` and `gate` must know about it.

    - `design`: whether systems share their topics.
    - `whole`: its p-values hold for all comparisons of a measure together, so nothing is left to adjust.
    - `draws`: how often it draws at random by default, 0 for never; `signs_draws`: its own p does so.
    - `effect`: the name of its effect size.
    - `gates`: it asks whether one difference goes down, as `gate` must.
    - `post_hoc`: its comparisons of pairs, the default first; `protected_by`: the overall p that these wait for where
      nothing is adjusted.
    - `called`: its name in a sentence.
    """

    name: str
    about: str
    run: Callable[[Matrix, Procedure], Outcome]
    design: Design = "paired"
    whole: bool = False
    needs_baseline: bool = False
    draws: int = 0
    signs_draws: bool = True
    effect: str = "d_z"
    gates: bool = False
    post_hoc: Mapping[str, PostHoc] = field(default_factory=dict)
    protected_by: str = ""
    called: str = ""


@dataclass(frozen=True)
class Procedure:
    """How differences are tested: the test with everything that decides its numbers, checked on creation."""

    test: SignificanceTest
    post_hoc: str
    adjust: str
    baseline: str
    family: str
    alpha: float
    seed: int
    draws: int
    interval: str
    min_diff: float

    def __post_init__(self) -> None:
        one_of("family", self.family, FAMILIES)
        one_of("interval", self.interval, KINDS)
        if not 0 < self.alpha < 1:
            raise ChoiceError(Problem("statistics-value", f"alpha cannot be {self.alpha}"))
        if not self.min_diff >= 0:
            raise ChoiceError(Problem("statistics-value", f"min_diff cannot be {self.min_diff}"))

    @property
    def whole(self) -> bool:
        """Whether the p-values hold for all comparisons of a measure together as they come."""
        return self.test.whole or (bool(self.post_hoc) and self.test.post_hoc[self.post_hoc].whole)

    @property
    def protected(self) -> bool:
        """Whether pairs count only if the overall test is significant, and are not adjusted beyond that."""
        return bool(self.test.protected_by) and self.adjust == "none" and not self.whole

    def correction(self, comparisons: int) -> str:
        """'Holm over 15 comparisons'; '' where nothing was corrected."""
        if self.whole or self.protected or self.adjust == "none" or comparisons < 2:
            return ""
        return say("corrected", name=ADJUSTMENT_NAMES[self.adjust], comparisons=counted(comparisons, "comparison"))

    @property
    def level(self) -> str:
        """The level of its intervals: '95%'."""
        return f"{100 * (1 - self.alpha):g}%"

    @property
    def paired_t_intervals(self) -> str:
        """What intervals by the paired t are called."""
        return say("paired t intervals", level=f"{100 * (1 - self.alpha):g}")

    def sampled(self, exact: bool, error: float, noun: str) -> str:
        """'exact', or how many of what were drawn, and how far p may be off."""
        if exact:
            return "exact"
        off = f"at most {error:.4f}".replace("0.", ".") if error >= 0.00005 else "< .0001"
        return f"{grouped(self.draws)} {noun}, seed {self.seed}, Monte Carlo error of p {off}"

    def signature_parts(self, drawn: bool) -> dict[str, str]:
        """What a signature records of the procedure, in order."""
        parts = {"test": self.test.name}
        if self.test.design == "unpaired":
            parts["design"] = "unpaired"
        if self.post_hoc:
            parts["post-hoc"] = self.post_hoc
        if not self.whole:
            parts["adjust"] = self.adjust
        if self.baseline:
            parts["baseline"] = self.baseline
        parts["alpha"] = f"{self.alpha:g}"
        if drawn and self.test.signs_draws:
            parts |= {"draws": str(self.draws), "seed": str(self.seed)}
        return parts


@dataclass(frozen=True, eq=False)
class Matrix:
    """Scores of topics × runs, and the pairs (columns a, b) to compare; nan where a run was not scored on a topic.

    Topics that systems share stand in the order of their ids, with a score for every run. `unit` is what they are:
    topics, sessions, or the users of sessions.
    """

    topics: tuple[str, ...]
    values: Floats
    pairs: tuple[tuple[int, int], ...]
    runs: tuple[str, ...] = ()
    unit: str = "topic"

    @property
    def count(self) -> int:
        """How many topics there are."""
        return len(self.topics)

    @cached_property
    def means(self) -> tuple[float, ...]:
        """The mean of each run."""
        return tuple(mean(column) for column in self.values.T)

    @cached_property
    def differences(self) -> Floats:
        """A row for each pair: a less b, topic by topic."""
        a, b = np.array(self.pairs).T
        return np.ascontiguousarray((self.values[:, a] - self.values[:, b]).T)

    @cached_property
    def moments(self) -> Moments:
        """What a test of means needs of the differences."""
        return Moments.of(self.differences)

    def flips(self, procedure: Procedure) -> Randomised:
        """The sign-flip p of every pair."""
        return sign_flip(self.differences, procedure.draws, procedure.seed)

    def record(self, i: int, higher: bool, min_diff: float) -> tuple[int, int, int]:
        """Topics won, tied and lost by the first run of pair i."""
        row = self.differences[i]
        return wins_ties_losses(row if higher else -row, min_diff)

    @cached_property
    def samples(self) -> list[Floats]:
        """The scores of each run in ascending order, for systems that share no topics."""
        return [np.sort(column[~np.isnan(column)]) for column in self.values.T]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a test says of each pair, and in words what it is and what its intervals are.

    `replaced` are pairs for which the test is undefined and randomisation answers; `check` a second p beside the first.
    `ahead` is above 0 where the test puts a before b (in what is measured), and `by` what the test goes by; without it
    the means decide. `drawn` says whether anything was drawn at random. `over` names what the test ran over, if not
    simply topics.
    """

    title: str
    p: Floats
    low: Floats
    high: Floats
    intervals: str
    effect: Floats | None = None
    check: Floats | None = None
    replaced: tuple[int, ...] = ()
    overall: dict[str, float] = field(default_factory=dict)
    mean_ranks: tuple[float, ...] = ()
    critical: float = math.nan
    ahead: Floats | None = None
    by: str = "means"
    drawn: bool = False
    over: str = ""

    def sentence(self, units: str, comparisons: int, procedure: Procedure) -> str:
        """The methods sentence of a paper, over `units` such as '50 topics'."""
        count = counted(comparisons, "comparison")
        if procedure.whole:
            corrected = f"for {count} together"
        elif procedure.protected:
            corrected = f"{count} protected by the overall test"
        else:
            corrected = adjusted_text(procedure.adjust, comparisons)
        sample = self.over or units
        return say("method", test=self.title, sample=sample, comparisons=corrected, alpha=alpha_text(procedure.alpha))


ADJUSTMENT_NAMES = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "bh": "Benjamini–Hochberg",
    "by": "Benjamini–Yekutieli",
}


def adjusted_text(adjust: str, comparisons: int) -> str:
    """'Holm-adjusted over 3 comparisons', '3 comparisons not adjusted', '1 comparison'."""
    count = counted(comparisons, "comparison")
    if adjust != "none":
        return say("adjusted", name=ADJUSTMENT_NAMES[adjust], comparisons=count)
    return say("not adjusted", comparisons=count) if comparisons > 1 else count
