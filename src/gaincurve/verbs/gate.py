"""The verb `gate`: may the candidate replace the baseline?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Unpack, cast

import numpy as np

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.choices import AnyChoices
from gaincurve.model.columns import Given
from gaincurve.model.comparison import Comparison, Family
from gaincurve.model.gate import Gate
from gaincurve.model.limits import Check, Drop, Floor, Judged, JudgedLimit, Margin, Row, TopicDrops, TopicLimit
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.source import Note, counted
from gaincurve.stats.rounding import rounded
from gaincurve.verbs.compare import compare
from gaincurve.verbs.evaluate import DEFAULT_MEASURE
from gaincurve.verbs.limits import Limits
from gaincurve.verbs.score import given_or_made
from gaincurve.verbs.sessions.units import in_units
from gaincurve.verbs.significance import PAIRED, TESTS, UNPAIRED
from gaincurve.verbs.standing import judged_share

GATE_TESTS = tuple(name for name, test in PAIRED.items() if test.gates)
WORST = 5


def gate(
    judgments: object,
    runs: object = None,
    max_drop: Mapping[str, float | str] | None = None,
    *,
    min_score: Mapping[str, float] | None = None,
    max_topic_drop: Mapping[str, float | str | tuple[float, int]] | None = None,
    not_worse_by: float | str | Mapping[str, float | str] | None = None,
    min_judged: str | tuple[float, int] | None = None,
    strict: bool = False,
    test: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    worst: int = WORST,
    unit: str | None = None,
    design: str | None = None,
    scenario: Scenario | str = "default",
    columns: Given | None = None,
    **choices: Unpack[AnyChoices],
) -> Gate:
    """Whether the second of two runs, the candidate, may replace the first, the baseline.

    Give judgments and both runs as to `evaluate`, or `Scores` of two runs in their place: `gate(scores, {"nDCG@10":
    0.01})`. Every limit that is given must hold:

    - `max_drop`: how far the mean may fall, 0.01 or '1%' of the baseline's mean. Fails if the drop is beyond that and
      significant, Holm-adjusted over all of these; with `strict`, if it is beyond that. The test (paired t unless
      given, Welch's t for systems scored on different sessions) is about falling at all, so a limit of 0 fails on
      every significant drop. Fails too if a topic has a score for the baseline and none for the candidate.
    - `not_worse_by`: a margin by which the candidate must be shown not to be worse: it fails unless the lower end of
      the one-sided 1 − `alpha` t interval of the difference lies above −margin. One number holds for all measures.
    - `min_score`: the lowest summary the candidate may have (of measures like FirstRank, the highest).
    - `max_topic_drop`: how far a single topic may fall, and how many may fall further: 0.3, (0.3, 2) or '0.3:2'.
    - `min_judged`: the share of the candidate's first documents that must be judged: (0.5, 10) or '0.5@10'.

    `worst` topics are listed for each limit. `unit` and `design` are those of `compare`, for sessions.
    """
    if isinstance(judgments, Scores) and max_drop is None:
        max_drop, runs = cast("Mapping[str, float | str] | None", runs), None
    limits = Limits.checked(max_drop, min_score, max_topic_drop, not_worse_by, min_judged, strict)
    given = {"scenario": scenario, "columns": columns, **choices}
    scores, own_design = given_or_made(judgments, runs, limits.measures or [DEFAULT_MEASURE], given, unit, design)
    summarised = scores
    scores = in_units(scores, unit, own_design)
    if len(scores.runs) != 2:
        what = f"a gate takes a baseline and a candidate, not {counted(len(scores.runs), 'run')}"
        raise ChoiceError(Problem("runs-too-few", what, hint="give exactly two runs"))
    return _Case(scores, summarised, limits.named(scores), test, float(alpha), seed, worst).gate()


@dataclass(frozen=True, eq=False)
class _Case:
    """Two runs and the limits between them; `summarised` are the scores before sessions were put together."""

    scores: Scores
    summarised: Scores
    limits: Limits
    test: str | None
    alpha: float
    seed: int
    worst: int

    def gate(self) -> Gate:
        baseline, candidate = self.scores.runs
        drops = self._compared() if self.limits.drops else None
        margins = self._margins()
        checks: list[Check] = [self._drop(family) for family in (drops.families if drops else ())]
        checks += [self._margin(comparison.families[0]) for comparison in margins]
        checks += [self._floor(name, limit) for name, limit in self.limits.floors.items()]
        checks += [self._topic_drops(name, limit) for name, limit in self.limits.topics.items()]
        checks += [] if self.limits.judged is None else [self._judged(self.limits.judged)]
        notes: dict[Note, None] = dict.fromkeys(self.scores.notes if not (drops or margins) else ())
        for comparison in (drops, *margins):
            notes |= dict.fromkeys(comparison.notes if comparison else ())
        methods = [*(drops.methods() if drops else ()), *self._methods(margins)]
        return Gate(baseline, candidate, tuple(checks), drops, self.scores.inputs, tuple(notes), tuple(methods))

    @property
    def unpaired(self) -> bool:
        return self.scores.design == "unpaired"

    @property
    def default_test(self) -> str:
        return next(iter(UNPAIRED if self.unpaired else PAIRED))

    def _compared(self) -> Comparison:
        """The drops, adjusted together."""
        if self.test is not None:
            gating = tuple(name for name in TESTS if TESTS[name].gates) if self.unpaired else GATE_TESTS
            one_of("test", self.test, gating)
        together = "all-measures" if len(self.limits.drops) > 1 else "measure"
        return compare(
            self.scores.scores.of(*self.limits.drops),
            test=self.test or self.default_test,
            baseline=self.scores.runs[0],
            alpha=self.alpha,
            seed=self.seed,
            family=together,
        )

    def _margins(self) -> list[Comparison]:
        """Each measure with a margin by itself, with the t interval whose lower end is the one-sided bound.

        No correction: the candidate passes only if every margin is shown, so the chance to pass a candidate that is
        worse by a margin in any measure stays below alpha (an intersection–union test).
        """
        if self.limits.margins and not 0 < self.alpha < 0.5:
            raise ChoiceError(Problem("statistics-value", f"alpha cannot be {self.alpha:g} for a one-sided interval"))
        scores = self.scores.scores
        return [
            compare(
                scores.of(name),
                test=self.default_test,
                baseline=scores.runs[0],
                alpha=2 * self.alpha,
                seed=self.seed,
                adjust="none",
            )
            for name in self.limits.margins
        ]

    def _methods(self, margins: list[Comparison]) -> Iterator[str]:
        if margins:
            family = margins[0].families[0]
            test = "Welch's t-test" if self.unpaired else "the paired t-test"
            sample = counted(len(family.topics), family.unit)
            yield f"Non-inferiority by {test}: one-sided {100 * (1 - self.alpha):g}% intervals over {sample}."

    def _lost(self, family: Family) -> tuple[Row, ...]:
        """Topics with a score for the baseline and none for the candidate: leaving them out would hide the loss."""
        if self.unpaired:
            return ()
        before, after = self.scores.of(family.measure).values[:, 0]
        places = np.flatnonzero(~np.isnan(before) & np.isnan(after))
        return tuple(sorted((self.scores.topics[t], float(before[t]), math.nan) for t in places))

    def _worst(self, family: Family) -> list[Row]:
        """Topics that got worse, the worst first."""
        if self.unpaired:
            return []
        return _fallen(family.topics, family.scores.T, 1 if family.higher_is_better else -1)

    def _tested(self, family: Family) -> dict[str, Any]:
        """What a check of a mean has, whatever its limit."""
        lost = self._lost(family)
        return {
            "measure": family.measure,
            "before": family.means[0],
            "after": family.means[1],
            "signature": family.signature,
            "family": family,
            "lost": tuple(topic for topic, _, _ in lost),
            "topics": (*lost, *self._worst(family))[: self.worst],
            "unit": family.unit,
            "higher_is_better": family.higher_is_better,
        }

    def _drop(self, family: Family) -> Drop:
        asked = self.limits.drops[family.measure.text]
        pair = family.pairs[0]  # the candidate less the baseline
        limit = asked.on(family.measure, self.scores.runs[0], family.means[0])
        beyond = bool(rounded(np.array(-pair.difference * (1 if family.higher_is_better else -1) - limit)) > 0)
        common = self._tested(family)
        why = "within-limit"
        if common["lost"]:
            why = "lost-topics"
        elif beyond and self.limits.strict:
            why = "drop"
        elif beyond and pair.significant:
            why = "significant-drop" if pair.better == pair.b else "ahead-by-ranks"
        elif beyond:
            why = "chance"
        return Drop(**common, why=why, limit=limit, asked=asked, beyond=beyond)

    def _margin(self, family: Family) -> Margin:
        asked = self.limits.margins[family.measure.text]
        pair = family.pairs[0]
        limit = asked.on(family.measure, self.scores.runs[0], family.means[0])
        sign = 1 if family.higher_is_better else -1
        bound = pair.low if family.higher_is_better else -pair.high
        if math.isnan(bound):  # all topics shift alike: by chance one time in 2^n in this direction
            bound = sign * pair.difference if 2.0 ** -len(family.topics) <= self.alpha else -math.inf
        common = self._tested(family)
        shown = bool(rounded(np.array(bound + limit)) > 0)
        why = "lost-topics" if common["lost"] else "within-limit" if shown else "not-shown"
        signature = family.signature.but(alpha=f"{self.alpha:g}", test=f"{self.default_test}-one-sided")
        common["signature"] = signature
        return Margin(**common, why=why, limit=limit, asked=asked, bound=bound, alpha=self.alpha)

    def _plain(self, name: str) -> dict[str, Any]:
        """What a check of the summaries has: they are those that `eval` prints."""
        scores = self.summarised.of(name)
        measure = scores.measures[0]
        before, after = (row[name] for row in scores.summary().values())
        return {
            "measure": measure,
            "before": before,
            "after": after,
            "signature": scores.signatures[0],
            "unit": self.scores.kind,
            "higher_is_better": not measure.lower_is_better,
        }

    def _floor(self, name: str, limit: float) -> Floor:
        common = self._plain(name)
        sign = 1 if common["higher_is_better"] else -1
        reached = bool(rounded(np.array(sign * (common["after"] - limit))) >= 0)  # nan does not reach it
        return Floor(**common, why="within-limit" if reached else "below-minimum", limit=limit)

    def _topic_drops(self, name: str, limit: TopicLimit) -> TopicDrops:
        if self.unpaired:
            what = f"the systems have {self.scores.kind}s of their own, which cannot be compared one by one"
            raise ChoiceError(Problem("gate-limit", what, hint="leave out --max-topic-drop"))
        common = self._plain(name)
        sign = 1 if common["higher_is_better"] else -1
        values = self.scores.of(name).values[:, 0]
        fallen = _fallen(self.scores.topics, values, sign)
        beyond = [row for row in fallen if not rounded(np.array(sign * (row[1] - row[2]) - limit.size)) <= 0]
        return TopicDrops(
            **common,
            why="topic-drops" if len(beyond) > limit.allowed else "within-limit",
            limit=limit,
            beyond=tuple(topic for topic, _, _ in beyond),
            topics=tuple(beyond[: self.worst]),
        )

    def _judged(self, limit: JudgedLimit) -> Judged:
        scores = self.summarised
        if scores.evidence is None:
            what = "the scores do not know their runs any more, so nothing is known of what was judged"
            raise ChoiceError(Problem("gate-limit", what, hint="give judgments and runs in place of the scores"))
        before, after = (judged_share(run, limit.depth) for run in scores.evidence.runs)
        why = "within-limit" if rounded(np.array(after - limit.share)) >= 0 else "few-judged"
        signature = scores.signatures[0]
        return Judged(measure=scores.measures[0], before=before, after=after, signature=signature, why=why, limit=limit)


def _fallen(topics: Iterable[str], values: Any, sign: int) -> list[Row]:
    """The topics that got worse, the worst first; those without a score any more before all others."""
    before, after = values
    rows = [row for row in zip(topics, before.tolist(), after.tolist(), strict=True) if not math.isnan(row[1])]
    lost = sorted(row for row in rows if math.isnan(row[2]))
    fallen = [row for row in rows if sign * (row[1] - row[2]) > 0]
    return [*lost, *sorted(fallen, key=lambda row: (-sign * (row[1] - row[2]), row[0]))]
