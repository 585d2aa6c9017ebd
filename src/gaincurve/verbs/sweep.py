"""The verb `sweep`: does the verdict survive another kind of user?

Every run is graded once; gains, discounts and cutoffs are then tried on the graded documents alone, and all cutoffs
of one curve are read off together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaincurve.errors import ChoiceError, InputError, Problem
from gaincurve.measures.bounds import NO_DISCOUNT
from gaincurve.measures.cumulate import mean_over_ranks, relative, vectors
from gaincurve.measures.notation import parse_measure
from gaincurve.model.discount import checked_base
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.numbers import finite_number
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario, checked_depth, session_scenario
from gaincurve.model.signature import Signature, sign
from gaincurve.model.source import Note, counted, number_text
from gaincurve.model.summaries import mean
from gaincurve.model.sweep import TIED, Setting, Sweep, topics_text
from gaincurve.stats.anova import anova
from gaincurve.stats.rounding import rounded
from gaincurve.stats.signflip import sign_flip
from gaincurve.stats.studentized import studentized_range_sf
from gaincurve.verbs.compare import FEW_TOPICS
from gaincurve.verbs.evaluate import check_subtopics, need, refuse_kind
from gaincurve.verbs.experiment import Experiment, check_gains, experiment, gathered_notes, settle
from gaincurve.verbs.sessions.experiment import graded_logs, on_data

BASES = (2.0, 3.0, 5.0, 10.0, math.inf)
DEPTHS = (5, 10, 20, 50, 100)
RATIOS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 200.0, 300.0, 500.0, 1000.0)
"""Voorhees (2001) weighted highly relevant documents 1 to 1000 times as much as marginal ones."""


def sweep(
    judgments: object,
    runs: object,
    measure: str | Measure = "nDCG",
    *,
    gains: Sequence[object] | None = None,
    bases: Sequence[float] | None = None,
    depths: Sequence[int] | None = None,
    ratios: Sequence[float] | None = None,
    alpha: float = 0.05,
    scenario: Scenario | str | None = None,
    **choices: object,
) -> Sweep:
    """Who wins over gains × base × cutoff, and over the weight of highly relevant documents.

    Unless given, gains go from flat to steep over the grades of the judgments, bases are 2, 3, 5, 10 and none,
    cutoffs 5 to 100, weight ratios 1 to 1000. Judgments, runs and other choices are those of `evaluate`, or for a
    measure of sessions those of `evaluate_sessions`; the scenario is jk2002, for sessions `session`, unless given.
    """
    parsed = measure if isinstance(measure, Measure) else parse_measure(measure)
    axes = Axes.of(gains, bases, depths, ratios)
    if parsed.definition.over == "session":
        chosen = session_scenario("session" if scenario is None else scenario, **choices)
        return sweep_graded(graded_logs(judgments, runs, chosen), parsed, chosen, axes, alpha)  # type: ignore[arg-type]
    chosen = Scenario.of("jk2002" if scenario is None else scenario).with_choices(**choices)
    return sweep_graded(experiment(judgments, runs, chosen), parsed, chosen, axes, alpha)


@dataclass(frozen=True)
class Axes:
    """What is tried; None takes what suits the judgments and the measure."""

    gains: tuple[Gains, ...] | None
    bases: tuple[float, ...] | None
    depths: tuple[int, ...]
    ratios: tuple[float, ...]

    @classmethod
    def of(
        cls,
        gains: Sequence[object] | None = None,
        bases: Sequence[object] | None = None,
        depths: Sequence[object] | None = None,
        ratios: Sequence[object] | None = None,
    ) -> Axes:
        """Checked axes; an empty list of ratios leaves that part out."""
        return cls(
            None if gains is None else tuple(dict.fromkeys(map(Gains.of, gains))),
            None if bases is None else tuple(dict.fromkeys(map(checked_base, bases))),
            tuple(sorted({checked_depth(depth) for depth in DEPTHS} if not depths else {*map(checked_depth, depths)})),
            tuple(sorted({*map(_ratio, RATIOS if ratios is None else ratios)})),
        )


def _ratio(given: object) -> float:
    ratio = finite_number(given)
    if not ratio > 0:
        raise ChoiceError(Problem("statistics-value", f"a weight ratio cannot be {given!r}"))
    return ratio


def check_swept(measure: Measure) -> None:
    """A sweep changes gains and the cutoff, so the measure must have both."""
    if "gains" not in measure.definition.parameters:
        raise ChoiceError(Problem("measure-parameter", f"{measure.name} has no gains to sweep over"))
    if measure.definition.cutoff == "none":
        what = f"{measure.name} counts the whole list: it has no last rank to sweep over"
        raise ChoiceError(Problem("measure-parameter", what, hint="use nDCG, or another measure with a cutoff"))


def sweep_graded(graded: Experiment, measure: Measure, scenario: Scenario, axes: Axes, alpha: float = 0.05) -> Sweep:
    """The sweep over runs that are already graded."""
    if len(graded.runs) < 2:
        raise InputError(Problem("runs-too-few", f"only {graded.names[0]} was given"))
    if not 0 < alpha < 1:
        raise ChoiceError(Problem("statistics-value", f"alpha cannot be {alpha}"))
    check_swept(measure)
    refuse_kind(measure, graded.kind)
    if need("subtopics", [measure]):
        check_subtopics(graded)
    if graded.design == "unpaired":
        what = "the systems have sessions of their own, and a sweep compares them session by session"
        raise ChoiceError(Problem("test-not-possible", what, hint="use compare, which tests them by Welch's t"))
    if scenario.unjudged == "bounds":
        what = "bounds are intervals of what was judged, and a sweep compares single numbers"
        raise ChoiceError(Problem("measure-no-bounds", what))
    uses = measure.definition.parameters
    scale = graded.judgments.scale
    schemes = axes.gains or flat_to_steep(scale)
    weighted_gains = {ratio: weighted(scale, ratio) for ratio in axes.ratios}
    discounts = _discounts(scenario, axes.bases) if "discount" in uses else [scenario]
    grid = [(scheme, None, discounted) for scheme in schemes for discounted in discounts]
    several_grades = len(scale[scale > 0]) > 1
    weights = [(scheme, ratio, discounts[0]) for ratio, scheme in weighted_gains.items() if several_grades]
    trials = [_Trial(gains, ratio, rest.with_choices(gains=gains)) for gains, ratio, rest in (*grid, *weights)]
    own = {key: value for key, value in measure.parameters if key not in ("gains", "discount", "base")}
    bare = Measure.of(measure.definition, own)
    under_schemes = (Measure.of(measure.definition, {**own, "gains": scheme}) for scheme in schemes)
    check_gains(graded.judgments, under_schemes, scenario)
    depths = (measure.rank,) if measure.rank else axes.depths
    scored = _tried(graded, bare, trials, depths)
    settings = tuple(_settled(scored, graded, bare, measure.definition.better != "lower", alpha))
    cut = len(grid) * len(depths)
    topics = (min(setting.topics for setting in settings), max(setting.topics for setting in settings))
    return Sweep(
        measure=bare.text,
        runs=graded.names,
        grid=settings[:cut],
        ratios=settings[cut:],
        alpha=alpha,
        signature=_signature(graded, bare, scenario, settings, topics_text(topics), alpha),
        inputs=graded.inputs,
        notes=(*gathered_notes(graded), *_notes(topics[0], graded.kind)),
    )


def flat_to_steep(scale: Floats) -> tuple[Gains, ...]:
    """Gains for the grades in use: all alike, as graded, 2^g − 1, tenfold from grade to grade, the best grade only.

    Worked: for grades 0 to 3: 0-1-1-1, identity, exp2, 0-1-10-100, 0-0-0-1.
    """
    positive = scale[scale > 0]
    if not len(positive):
        return (Gains.of("identity"),)
    steep = [10.0**i for i in range(len(positive))]
    best = [float(i == len(positive) - 1) for i in range(len(positive))]
    wanted = [listed(scale, [1.0] * len(positive)), Gains.of("identity"), Gains.of("exp2"), listed(scale, steep)]
    wanted.append(listed(scale, best))
    different: dict[tuple[float, ...], Gains] = {}
    for gains in wanted:  # with a single relevant grade all are one
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


def _discounts(scenario: Scenario, bases: tuple[float, ...] | None) -> list[Scenario]:
    """The scenario under every base; a discount without a base stands alone unless bases were asked for."""
    if scenario.discount.base is None and bases is None:
        return [scenario]
    return [scenario.with_choices(discount=scenario.discount.name, base=base) for base in bases or BASES]


@dataclass(frozen=True)
class _Trial:
    """One curve to compute: gains (by a ratio, or not) under a scenario."""

    gains: Gains
    ratio: float | None
    scenario: Scenario


_Scored = tuple[_Trial, int, Floats]


def _tried(graded: Experiment, measure: Measure, trials: Iterable[_Trial], depths: Sequence[int]) -> Iterator[_Scored]:
    """Trial, cutoff, and scores of topics × runs."""
    for trial in trials:
        ideal: Floats | None = None  # that of the judgments is the same for every run
        chosen = trial.scenario
        if measure.definition.over == "session":
            chosen = on_data(graded, measure, chosen)
        by_run, arguments = [], measure.arguments(chosen)
        for run in graded.runs:
            by_depth, ideal = _at_depths(run, measure, chosen, arguments, depths, ideal)
            by_run.append(by_depth)
        for i, depth in enumerate(depths):
            yield trial, depth, np.column_stack([values[i] for values in by_run])


def _at_depths(
    run: Graded,
    measure: Measure,
    scenario: Scenario,
    arguments: dict[str, Any],
    depths: Sequence[int],
    ideal: Floats | None,
) -> tuple[list[Floats], Floats | None]:
    """The measure at every cutoff, all read from one curve where it has one, and the ideal for the next run."""
    curve = measure.definition.curve
    if curve is None:
        values = [measure.definition.compute(run, **{**arguments, "cutoff": depth}) for depth in depths]
    else:
        averaged = arguments.get("average") is not None
        choices = {key: value for key, value in arguments.items() if key not in ("cutoff", "average")}
        if ideal is None or choices.get("ideal") != "judged":
            actual, ideal = curve(run, max(depths), **choices)
        else:
            actual = vectors(run, max(depths), choices["gains"], choices.get("discount", NO_DISCOUNT))
        if measure.definition.normalised:
            actual = relative(actual, ideal, run.can_gain(scenario.gains)[:, None])
        values = [mean_over_ranks(actual[:, :depth]) if averaged else actual[:, depth - 1] for depth in depths]
    return [settle(at_depth, run, measure, scenario) for at_depth in values], ideal


def _settled(
    scored: Iterable[_Scored], graded: Experiment, measure: Measure, higher: bool, alpha: float
) -> list[Setting]:
    """The settings: winners first, then all p-values of one kind at once."""
    rows = []
    for trial, depth, values in scored:
        whole = values[~np.isnan(values).any(axis=1)]
        if len(whole) < 2:
            what = f"{measure} has {counted(len(whole), measure.definition.over)} with a score for every run"
            raise InputError(Problem("topics-too-few", what))
        means = [mean(column) for column in whole.T]
        order = sorted(range(len(means)), key=lambda r: ((-1 if higher else 1) * round(means[r], 10), graded.names[r]))
        rows.append((trial, depth, whole, means, order[0], order[1]))
    p = _p_values([(whole, first, second) for _, _, whole, _, first, second in rows])
    settings = []
    for (trial, depth, whole, means, first, second), chance in zip(rows, p, strict=True):
        margin = abs(means[first] - means[second])
        tied = not rounded(np.array(margin)).any()
        setting = Setting(
            measure=_name(measure, trial, depth),
            gains=trial.gains.text,
            discount=str(trial.scenario.discount),
            depth=depth,
            ratio=trial.ratio,
            means=tuple(means),
            winner=TIED if tied else graded.names[first],
            runner_up=graded.names[second],
            margin=margin,
            p=chance,
            significant=not tied and chance <= alpha,
            topics=len(whole),
        )
        settings.append(setting)
    return settings


def _p_values(rows: list[tuple[Floats, int, int]]) -> list[float]:
    """p of each first against each second by Tukey's HSD, those of equal degrees of freedom together."""
    p_values = [1.0] * len(rows)
    waiting: dict[tuple[int, int], list[tuple[int, float]]] = {}
    for i, (whole, a, b) in enumerate(rows):
        table = anova(whole)
        gap = abs(float((whole[:, a] - whole[:, b]).mean()))
        if table.residual == 0:
            p_values[i] = float(sign_flip(whole[:, a] - whole[:, b]).p[0])
        else:
            waiting.setdefault((table.systems, table.df), []).append((i, gap / math.sqrt(table.error / table.topics)))
    for (systems, df), entries in waiting.items():
        for (i, _), p in zip(entries, studentized_range_sf([q for _, q in entries], systems, df), strict=True):
            p_values[i] = float(p)
    return p_values


def _name(measure: Measure, trial: _Trial, depth: int) -> str:
    """The measure to ask `eval` for to get the same numbers."""
    own: dict[str, object] = {**dict(measure.parameters), "gains": trial.gains.text}
    discount = trial.scenario.discount
    if "discount" in measure.definition.parameters:
        own["discount"] = discount.name
        if discount.base is not None:
            own["base"] = discount.base
    return Measure.of(measure.definition, own, depth).text


def _signature(
    graded: Experiment, measure: Measure, scenario: Scenario, settings: tuple[Setting, ...], topics: str, alpha: float
) -> Signature:
    facts = {**graded.facts(scenario, np.zeros((len(graded.runs), 1))), f"{graded.kind}s": topics}
    signature = sign(measure, scenario, **facts)
    swept = {"gain": {setting.gains for setting in settings}, "discount": {setting.discount for setting in settings}}
    counts = {name: f"{len(values)} swept" for name, values in swept.items() if name in signature.parts}
    depths = [setting.depth for setting in settings]
    swept_depth = {"X": None} if "X" in signature.parts else {}
    return signature.but(
        **counts,
        **swept_depth,
        ranks=f"{min(depths)}–{max(depths)}",
        settings=len(settings),
        test="tukey",
        alpha=number_text(alpha),
    )


def _notes(topics: int, kind: str) -> list[Note]:
    if topics >= FEW_TOPICS:
        return []
    return [Note("few-topics", f"only {topics} {kind}s; a test over so few can miss large differences")]
