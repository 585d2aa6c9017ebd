"""The verb `decide`: is the order of systems settled, and which unjudged documents could still change it?"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.measures.notation import parse_measure
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.decision import Deciding, Decision, Next
from gaincurve.model.ids import Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.linear import Linear
from gaincurve.model.measure import Measure
from gaincurve.model.numbers import finite_number
from gaincurve.model.pool import Lists
from gaincurve.model.rows import Floats, add_by, distinct
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.signature import sign
from gaincurve.model.source import Note, counted, examples, number_text
from gaincurve.stats.distributions import normal_lower
from gaincurve.stats.judging import (
    DRAWS,
    SLACK,
    Open,
    as_judged,
    can_matter,
    ends_by_topic,
    expected_gain,
    least_that_decides,
    levels_of,
    plausible,
    worst_case,
)
from gaincurve.verbs.lists import grades_of, named_runs
from gaincurve.verbs.standing import SHOWN, linear_of, usual_prior

PRIORS = {
    "pooled": "as the judged documents that the compared runs show, plus one of each grade",
    "bands": "the same by best rank: 1–5, 6–10, 11–20, 21–50, 51–100, then doublings",
    "shown": "as all documents that the compared runs show, where unjudged counts as not relevant",
    "uniform": "every grade of the scale alike",
}
"""Models of an unjudged document; a file may give the chance of each grade."""
STOPS = {"plausible": "P ≥ --confidence", "certain": "no judging can change the order"}
TOPICS = {"judged": "topics with a judgment", "all": "all topics of the runs"}
_BANDS = (5, 10, 20, 50, 100)


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


def decide(
    judgments: object,
    runs: object,
    measure: str | Measure = "nDCG@10",
    *,
    scale: object = None,
    prior: str | Mapping[float, float] | None = None,
    stop: str = "plausible",
    confidence: float = 0.95,
    topics: str = "judged",
    seed: int = 0,
    scenario: Scenario | str = "default",
    **choices: Unpack[ScenarioChoices],
) -> Decision:
    """Whether the order of the runs can still change, and which documents to judge next.

    `judgments` may be None or {} if `scale` names the grades: '0-3', or a list. `prior` is one of `PRIORS`
    or {grade: chance}; None takes that of `compare`. Judging stops when every pair is certain, or with
    `stop='plausible'` when one is ahead with a chance of at least `confidence`.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    asked = Asked(measure, chosen, scale, prior, stop, confidence, topics, seed)
    judged = None if judgments is None or judgments == {} else Judgments.of(judgments)
    ranked = named_runs(runs, chosen.ties)
    return _Case(ranked, judged, asked).decision()


@dataclass(frozen=True, eq=False)
class Closing:
    """How the ends of one pair close as documents are judged: ends and P after 0, 1, … of them."""

    low: Floats
    high: Floats
    p: Floats
    certain_after: int | None
    plausible_after: int | None


def closing(
    judgments: object,
    runs: object,
    measure: str | Measure,
    *,
    order: str = "decide",
    seed: int = 0,
    confidence: float = 0.95,
    topics: Sequence[str] | None = None,
    **choices: object,
) -> Closing:
    """Judge two runs again from nothing, in some order, with the answers of `judgments` (absent: not relevant).

    Orders: 'decide' (the most telling first), 'depth' (by best rank, topic by topic), 'random'. For sums (CG, DCG, P)
    only, whose ends and P under the prior `pooled` follow from running sums. `topics` are those to look at.
    """
    judged, ranked = Judgments.of(judgments), named_runs(runs)
    case = _Case(ranked, judged, Asked(measure, **choices), from_nothing=True)  # type: ignore[arg-type]
    if case.linear.ideal is not None or len(ranked) != 2:
        raise ChoiceError(Problem("decide-measure", f"{case.measure} is not replayed: two runs and CG, DCG or P are"))
    pair, grade = case.pair(0, 1), np.nan_to_num(grades_of(case.lists, judged))
    rows = {
        "decide": _most_telling(np.abs(pair.weight) * float(np.ptp(pair.gains)), pair.topic),
        "depth": np.lexsort((case.lists.first, case.lists.best, case.lists.topic)),
        "random": np.random.default_rng(seed).permutation(len(grade)),
    }[one_of("order", order, ("decide", "depth", "random"))]
    wanted = np.isin(np.array(case.topics)[pair.topic], list(case.topics if topics is None else topics))
    rows = rows[(pair.weight[rows] != 0) & wanted[rows]]
    return _closing(pair, rows, grade[rows], case.scale, len(case.topics if topics is None else topics), confidence)


def _closing(pair: Open, rows: Ints, grade: Floats, scale: Floats, topics: int, confidence: float) -> Closing:
    weight = pair.weight[rows]
    gain = pair.gains[np.searchsorted(scale, grade)]
    ends = np.sort(np.stack([weight * pair.gains.min(), weight * pair.gains.max()]), axis=0)
    judged = np.concatenate([[0.0], np.cumsum(weight * gain)])
    low, high = (judged + side.sum() - np.concatenate([[0.0], np.cumsum(side)]) for side in ends)
    counts = np.concatenate([np.zeros((1, len(scale))), np.cumsum(grade[:, None] == scale, axis=0)]) + 1
    chances = counts / counts.sum(axis=1, keepdims=True)
    mean = chances @ pair.gains
    variance = chances @ pair.gains**2 - mean**2
    rest, square = (total.sum() - np.concatenate([[0.0], np.cumsum(total)]) for total in (weight, weight**2))
    middle, spread = judged + mean * rest, np.sqrt(np.maximum(0.0, variance * square))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(spread > 0, normal_lower(middle / spread), (np.sign(middle) + 1) / 2)
    slack = SLACK * float(np.abs(ends).sum())
    certain = np.flatnonzero((low > slack) | (high < -slack))
    likely = np.flatnonzero(np.maximum(p, 1 - p) >= confidence)
    firsts = [int(places[0]) if len(places) else None for places in (certain, likely)]
    return Closing(low / topics, high / topics, p, *firsts)


def next_of(
    runs: Sequence[Run], judgments: Judgments | None, lists: Lists, asked: Asked | None, from_nothing: bool
) -> tuple[Ints, Ints]:
    """The documents of `lists` to judge by topic, and the place of each in the order over all topics."""
    case = _Case(list(runs), judgments, asked or Asked(topics="all"), from_nothing)
    place = {document: i for i, document in enumerate(lists.named(np.arange(len(lists))))}
    order = np.array(
        [place[document] for document in case.lists.named(case.order) if document in place], dtype=np.int64
    )
    priority = np.arange(1, len(order) + 1)
    by_topic = np.lexsort((priority, lists.topic[order]))
    return order[by_topic], priority[by_topic]


def parse_scale(given: object) -> Floats | None:
    """'0-3', '0,1,3' or a list of grades, ascending; None if none is given."""
    if given is None:
        return None
    low, dash, high = str(given).partition("-")
    if isinstance(given, str) and dash and low.isdigit() and high.isdigit():
        grades = [float(grade) for grade in range(int(low), int(high) + 1)]
    else:
        grades = [finite_number(part) for part in (given.split(",") if isinstance(given, str) else given)]  # type: ignore[attr-defined]
    scale = distinct(np.array(grades, dtype=np.float64))
    if len(scale) < 2 or not np.isfinite(scale).all():
        raise ChoiceError(Problem("decide-scale", f"--scale cannot be {given!r}"))
    return scale


@dataclass(frozen=True, eq=False)
class _Case:
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
        given = self.asked.measure
        return (parse_measure(given) if isinstance(given, str) else given).at_depth(self.scenario.depth)

    @cached_property
    def linear(self) -> Linear:
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

    def prior(self, a: int, b: int) -> Floats:
        """The chance of each grade; a row for each unjudged document that either shows where it depends on the rank."""
        if isinstance(self.asked.prior, Mapping):
            return _given(self.asked.prior, self.scale)
        if self.prior_name == "uniform":
            return np.full(len(self.scale), 1 / len(self.scale))
        shown = self.shown(a, b)
        judged, unjudged = (np.flatnonzero(shown & (np.isnan(self.grade) == of)) for of in (False, True))
        counts = (self.grade[judged][:, None] == self.scale).astype(np.float64)
        if self.prior_name in ("pooled", "shown"):
            every = counts.sum(axis=0) + 1
            every[np.argmin(np.abs(self.scale))] += len(unjudged) * (self.prior_name == "shown")
            return _shares(every)
        ranks = self.lists.ranks(len(self.linear.weights) + 1)
        band = _band(np.minimum(ranks[a], ranks[b]))
        table = np.ones((int(band.max(initial=0)) + 1, len(self.scale)))
        np.add.at(table, band[judged], counts)
        return _shares(table)[band[unjudged]]

    def known(self, prior: Floats) -> tuple[Floats, Ints] | None:
        """Expected gains beside the scale's, and by topic and level how many judged documents gain as much."""
        if self.linear.ideal is None:
            return None
        also = distinct(np.atleast_1d(expected_gain(prior, self.linear.gains(self.scale))))
        levels = levels_of(np.concatenate([self.linear.gains(self.scale), also]))
        known = np.zeros((len(self.topics), len(levels)), dtype=np.int64)
        if self.judgments is not None and not self.from_nothing:
            place = {name: i for i, name in enumerate(self.topics)}
            topic = np.array([place.get(name, -1) for name in self.judgments.topics])[self.judgments.topic]
            gain = self.linear.gains(self.judgments.grades)
            for level, bar in enumerate(levels):
                known[:, level] = np.bincount(topic[(gain >= bar) & (topic >= 0)], minlength=len(self.topics))
        return also, known

    def pair(self, a: int, b: int) -> Open:
        """Two runs and the unjudged documents that either shows."""
        weight = self.weights[a] - self.weights[b]
        judged = ~np.isnan(self.grade)
        gain = np.where(judged, self.linear.gains(np.nan_to_num(self.grade)), 0.0)
        documents = self.open[self.shown(a, b)[self.open]]
        prior = self.prior(a, b)
        also, known = self.known(prior) or (None, None)
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

    def deciding(self, a: int, b: int) -> Deciding:
        pair = self.pair(a, b)
        worst, low_high, seen = worst_case(pair), ends_by_topic(pair), as_judged(pair)
        order = _most_telling(np.abs(pair.weight), pair.topic)
        order = order[can_matter(pair)[order]]
        p = float(worst.low > 0) if worst.certain else self.chance(a, b, pair, float(seen.sum()))
        matter = len(order) if not worst.certain else 0
        return Deciding(
            a=self.runs[a].name,
            b=self.runs[b].name,
            difference=float(seen.sum()) / len(seen),
            low=worst.low,
            high=worst.high,
            certain=worst.certain,
            p=p,
            unjudged=len(pair.weight),
            matter=matter,
            expected=0 if worst.certain else least_that_decides(pair, order),
            by_topic=tuple(zip(self.topics, seen.tolist(), *(side.tolist() for side in low_high), strict=True)),
        )

    def chance(self, a: int, b: int, pair: Open, lead: float) -> float:
        """P that a is ahead, drawn in the order of `compare`: topics by id, documents by rank in the list ahead."""
        sign, (ahead, behind) = (-1, (b, a)) if lead < 0 else (1, (a, b))
        by_id = np.array(sorted(range(len(self.topics)), key=self.topics.__getitem__), dtype=np.int64)
        topic, ranks = np.argsort(by_id)[pair.topic], self.lists.ranks(SHOWN + 1)
        documents = self.open[self.shown(a, b)[self.open]]
        order = np.lexsort((ranks[behind, documents], ranks[ahead, documents], topic))
        p = plausible(
            replace(
                pair,
                judged=sign * pair.judged[by_id],
                topic=topic[order],
                weight=sign * pair.weight[order],
                prior=pair.prior if pair.prior.ndim == 1 else pair.prior[order],
                known=None if pair.known is None else pair.known[by_id],
            ),
            self.asked.seed,
        )
        return p if sign > 0 else 1 - p

    @cached_property
    def pairs(self) -> tuple[Deciding, ...]:
        one_of("--stop", self.asked.stop, tuple(STOPS))
        return tuple(self.deciding(a, b) for a, b in itertools.combinations(range(len(self.runs)), 2))

    @cached_property
    def moves(self) -> Floats:
        """By document, how far its grade can move the mean difference of the sums of a pair that is not decided.

        nan where it cannot move any; 0 where it moves only the ideal.
        """
        most = np.full(len(self.lists), np.nan)
        gains = self.linear.gains(self.scale)
        for (a, b), pair in zip(itertools.combinations(range(len(self.runs)), 2), self.pairs, strict=True):
            if self.from_nothing or not pair.decided(self.asked.stop, self.asked.confidence):
                opened = self.pair(a, b)
                documents = self.open[self.shown(a, b)[self.open]][can_matter(opened)]
                apart = np.abs(self.weights[a, documents] - self.weights[b, documents])
                most[documents] = np.fmax(most[documents], apart)
        return most * float(np.ptp(gains)) / len(self.topics)

    @cached_property
    def order(self) -> Ints:
        """The documents to judge, the most telling first; equal ones by topic, then id."""
        documents = np.flatnonzero(~np.isnan(self.moves))
        moves = self.moves[documents] * len(self.topics)
        return documents[_most_telling(moves, self.lists.topic[documents].astype(np.int64))]

    def decision(self) -> Decision:
        ids, moves = self.lists.documents.take(self.order), self.moves[self.order]
        names = [self.topics[t] for t in self.lists.topic[self.order].tolist()]
        signature = sign(self.measure, self.scenario, self.scale, topics=str(len(self.topics)))
        drawn = {} if self.linear.ideal is None else {"draws": DRAWS, "seed": self.asked.seed}
        return Decision(
            pairs=self.pairs,
            next=tuple(Next(t, d, m) for t, d, m in zip(names, ids, moves.tolist(), strict=True)),
            signature=signature.but(prior=self.prior_name, **drawn),
            scale=tuple(self.scale.tolist()),
            stop=self.asked.stop,
            confidence=self.asked.confidence,
            inputs=(*([] if self.judgments is None else [self.judgments.source]), *(run.source for run in self.runs)),
            notes=tuple(self._notes()),
        )

    def _notes(self) -> list[Note]:
        judged = set(self.topics if self.judgments is None else self.judgments.topics) | set(self.topics)
        left = list(dict.fromkeys(t for run in self.runs for t in run.topics if t not in judged))
        notes = list(() if self.judgments is None else self.judgments.notes)
        if self.linear.ideal is not None and self.judgments is not None:
            gain = self.linear.gains(self.judgments.grades)
            some = {self.judgments.topics[t] for t in np.unique(self.judgments.topic[gain > 0]).tolist()}
            empty = [topic for topic in self.topics if topic not in some]
            if empty:
                text = f"{counted(len(empty), 'topic')} with nothing to gain so far count as 0 here: {examples(empty)}"
                notes.append(Note("topics-empty", text))
        if left:
            text = f"{counted(len(left), 'topic')} without judgments left out: {examples(left)}; --topics all adds them"
            notes.append(Note("topics-unjudged", text))
        return notes


def _most_telling(moves: Floats, topic: Ints) -> Ints:
    """Largest first, then by topic, then by id: documents come in that order."""
    return np.lexsort((np.arange(len(moves)), topic, -np.round(moves, 9)))


def _shares(counts: Floats) -> Floats:
    chances: Floats = counts / counts.sum(axis=-1, keepdims=True)
    return chances


def _band(best: Ints) -> Ints:
    """0 for ranks 1–5, 1 for 6–10, …, 5 for 101–200, 6 for 201–400, …."""
    doublings = [100 * 2**i for i in range(1, 20)]
    return np.searchsorted(np.array([*_BANDS, *doublings]), best, side="left")


def _given(chances: Mapping[float, float], scale: Floats) -> Floats:
    """Chances that the user gave for each grade."""
    named = {finite_number(grade): finite_number(chance) for grade, chance in chances.items()}
    values = np.array([named.get(grade, np.nan) for grade in scale.tolist()])
    if len(named) != len(scale) or not (values >= 0).all() or not 0 < values.sum() < np.inf:
        grades = ", ".join(map(number_text, scale.tolist()))
        raise ChoiceError(Problem("decide-prior", f"the prior has no chance for each of the grades {grades} alone"))
    return _shares(values)
