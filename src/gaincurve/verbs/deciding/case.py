"""Runs and judgments as `decide` sees them: each pair bounded, and the documents to judge next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.measures.notation import parse_measure
from gaincurve.model.ids import Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.linear import Linear
from gaincurve.model.lists import Lists
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats, add_by, distinct
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import number_text
from gaincurve.stats.judging import (
    Open,
    expected_gain,
    levels_of,
)
from gaincurve.verbs.deciding.prior import PRIORS, band_of, given_chances, parse_scale, shares
from gaincurve.verbs.linear import SHOWN, linear_of
from gaincurve.verbs.lists import grades_of
from gaincurve.verbs.standing import usual_prior

STOPS = {"plausible": "P ≥ --confidence (.95)", "certain": "no judging can change the order"}


TOPICS = {"judged": "topics with a judgment", "all": "all topics of the runs"}


@dataclass(frozen=True)
class Asked:
    """The measure, the grades a judge can give, the model of unjudged documents, and when to stop."""

    measure: str | Measure = "nDCG@10"
    scenario: Scenario | str = "default"
    scale: object = None
    prior: str | Mapping[float, float] | None = None
    stop: str = "plausible"
    confidence: float = 0.95
    topics: str = "judged"
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Case:
    """Runs, judgments and what is asked of them."""

    runs: list[Run]
    judgments: Judgments | None
    asked: Asked
    from_nothing: bool = False

    def __post_init__(self) -> None:
        if len(self.runs) < 2:
            raise InputError(Problem("runs-too-few", "a decision needs two runs or more"))

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario, with topics in which nothing relevant is known yet counted as 0: judging can change that."""
        return replace(Scenario.of(self.asked.scenario), empty="zero")

    @cached_property
    def measure(self) -> Measure:
        """The measure, with the cutoff of the scenario where it has none."""
        return parse_measure(self.asked.measure).at_depth(self.scenario.depth)

    @cached_property
    def linear(self) -> Linear:
        """The measure as a sum over ranks; others are refused by name."""
        linear = linear_of(self.measure, self.scenario)
        if linear is None or len(linear.weights) > SHOWN:
            raise ChoiceError(Problem("decide-measure", f"{self.measure} cannot be decided"))
        return linear

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """Judged topics in the order of the judgments, then with topics 'all' those of the runs."""
        topics = () if self.judgments is None else self.judgments.topics
        if one_of("--topics", self.asked.topics, tuple(TOPICS)) == "all" or not topics:
            topics = tuple(dict.fromkeys([*topics, *(topic for run in self.runs for topic in run.topics)]))
        if self.scenario.missing == "zero":
            return topics
        lacking = {topic: run.name for run in self.runs for topic in set(topics) - set(run.topics)}
        if lacking and self.scenario.missing == "error":
            first = next(topic for topic in topics if topic in lacking)
            raise InputError(Problem("topics-missing", f"{lacking[first]} lacks topic {first}"))
        shared = tuple(topic for topic in topics if topic not in lacking)
        if not shared:
            raise InputError(
                Problem("topics-too-few", "no topic is in all runs, and --missing skip leaves out the others")
            )
        return shared

    @cached_property
    def lists(self) -> Lists:
        """What the runs show above the cutoff."""
        return Lists.of(self.runs, len(self.linear.weights), self.topics)

    @cached_property
    def scale(self) -> Floats:
        """The grades a judge can give: those named, or those that occur and that the gains list."""
        known = np.zeros(0) if self.judgments is None else self.judgments.scale
        known = known[known >= 0] if self._sampled else known
        known = np.append(known, 0.0) if self.from_nothing else known  # what has no judgment is not relevant
        given = parse_scale(self.asked.scale)
        if given is None:
            table = (
                self.measure.choices(self.scenario).gains.table if "gains" in self.measure.definition.parameters else ()
            )
            given = distinct(np.concatenate([known, np.array([grade for grade, _ in table], dtype=np.float64)]))
        elif not np.isin(known, given).all():
            other = number_text(float(known[~np.isin(known, given)][0]))
            raise ChoiceError(Problem("decide-scale", f"the judgments hold grade {other}, which the scale lacks"))
        if len(given) < 2:
            raise ChoiceError(
                Problem("decide-scale", "no scale is known" if not len(given) else "only one grade is known")
            )
        return given

    @property
    def _sampled(self) -> bool:
        return self.judgments is not None and (
            self.judgments.sampling is not None or self.scenario.negative == "unjudged"
        )

    @cached_property
    def grade(self) -> Floats:
        """By document of the lists; nan where nobody has judged it."""
        if self.from_nothing:
            return np.full(len(self.lists), np.nan)
        grade = grades_of(self.lists, self.judgments)
        return np.where(grade < 0, np.nan, grade) if self._sampled else grade

    @cached_property
    def weights(self) -> Floats:
        """weights[run, document], 0 where a run does not show it."""
        depth = len(self.linear.weights)
        return np.append(self.linear.weights, 0.0)[self.lists.ranks(depth + 1) - 1]

    @cached_property
    def open(self) -> Ints:
        """The unjudged documents, by topic and id."""
        return np.flatnonzero(np.isnan(self.grade))

    @cached_property
    def prior_name(self) -> str:
        """The model chosen; unless named, the one that `compare` uses."""
        if isinstance(self.asked.prior, Mapping):
            return "given"
        if self.asked.prior is not None:
            return one_of("--prior", self.asked.prior, tuple(PRIORS))
        return "pooled" if self.judgments is None or self.from_nothing else usual_prior(self.judgments.grades)

    def shown(self, a: int, b: int) -> NDArray[np.bool_]:
        """Which documents either run shows."""
        return np.asarray((self.weights[a] != 0) | (self.weights[b] != 0))

    def shown_open(self, a: int, b: int) -> Ints:
        """The unjudged documents that either run shows."""
        return self.open[self.shown(a, b)[self.open]]

    def prior(self, a: int, b: int) -> Floats:
        """The chance of each grade; a row for each unjudged document that either shows where it depends on the rank."""
        if isinstance(self.asked.prior, Mapping):
            return given_chances(self.asked.prior, self.scale)
        if self.prior_name == "uniform":
            return np.full(len(self.scale), 1 / len(self.scale))
        shown = self.shown(a, b)
        judged, unjudged = (np.flatnonzero(shown & (np.isnan(self.grade) == of)) for of in (False, True))
        counts = (self.grade[judged][:, None] == self.scale).astype(np.float64)
        if self.prior_name in ("pooled", "shown"):
            every = counts.sum(axis=0) + 1
            every[np.argmin(np.abs(self.scale))] += len(unjudged) * (self.prior_name == "shown")
            return shares(every)
        ranks = self.lists.ranks(len(self.linear.weights) + 1)
        band = band_of(np.minimum(ranks[a], ranks[b]))
        table = np.ones((int(band.max(initial=0)) + 1, len(self.scale)))
        np.add.at(table, band[judged], counts)
        return shares(table)[band[unjudged]]

    def known(self, also: Floats) -> Ints | None:
        """By topic and level how many judged documents gain as much; `also` are gains beside the scale's."""
        if self.linear.ideal is None:
            return None
        levels = levels_of(np.concatenate([self.linear.gains(self.scale), also]))
        known = np.zeros((len(self.topics), len(levels)), dtype=np.int64)
        if self.judgments is not None and not self.from_nothing:
            place = {name: i for i, name in enumerate(self.topics)}
            topic = np.array([place.get(name, -1) for name in self.judgments.topics])[self.judgments.topic]
            gain = self.linear.gains(self.judgments.grades)
            for level, bar in enumerate(levels):
                known[:, level] = np.bincount(topic[(gain >= bar) & (topic >= 0)], minlength=len(self.topics))
        return known

    def pair(self, a: int, b: int, also: Floats | None = None) -> Open:
        """Two runs and the unjudged documents that either shows; they may gain what is expected, or one of `also`."""
        weight = self.weights[a] - self.weights[b]
        judged = ~np.isnan(self.grade)
        gain = np.where(judged, self.linear.gains(np.nan_to_num(self.grade)), 0.0)
        documents = self.shown_open(a, b)
        prior = self.prior(a, b)
        also = distinct(
            np.append(also if also is not None else [], expected_gain(prior, self.linear.gains(self.scale)))
        )
        known = self.known(also)
        ideal = None
        if self.linear.ideal is not None and known is not None:
            ideal = self.linear.ideal(int(known.max(initial=0)) + len(documents))
        return Open(
            judged=add_by(self.lists.topic, weight * gain, len(self.topics)),
            topic=self.lists.topic[documents].astype(np.int64),
            weight=weight[documents],
            gains=self.linear.gains(self.scale),
            prior=prior,
            ideal=ideal,
            known=known,
            also=also,
        )
