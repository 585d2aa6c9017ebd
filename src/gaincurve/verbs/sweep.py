"""The verb `sweep`: does the verdict survive another kind of user?

Every run is graded once; gains, discounts and cutoffs are then tried on the graded documents alone, and all cutoffs
of one curve are read off together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from gaincurve.errors import ChoiceError, InputError, Problem
from gaincurve.measures.bounds import NO_DISCOUNT
from gaincurve.measures.cumulate import mean_over_ranks, relative, vectors
from gaincurve.measures.notation import parse_measure
from gaincurve.model.choices import SweepChoices
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.model.sentences import say
from gaincurve.model.signature import Signature, sign
from gaincurve.model.source import Note, counted, number_text
from gaincurve.model.summaries import mean
from gaincurve.model.sweep import TIED, Setting, Sweep, topics_text
from gaincurve.model.wording import alpha_text
from gaincurve.stats.rounding import rounded
from gaincurve.verbs.axes import Axes, uses_bq, weighted
from gaincurve.verbs.compare import FEW_TOPICS
from gaincurve.verbs.evaluate import check_subtopics, in_columns, need, refuse_kind
from gaincurve.verbs.experiment import Experiment, check_gains, experiment, gathered_notes, settle
from gaincurve.verbs.experiment import counted as counted_units
from gaincurve.verbs.sessions.experiment import graded_logs, on_data
from gaincurve.verbs.sessions.units import Grouping, dependence_notes, design_notes, sample_text, shared_users
from gaincurve.verbs.significance.default import by_default
from gaincurve.verbs.significance.records import Matrix, adjusted_text

SWEPT = ("gains", "discount", "base", "query_discount", "bq")
"""The parameters of a measure that a sweep varies."""


def sweep(
    judgments: object,
    runs: object,
    measure: str | Measure = "nDCG",
    *,
    gains: Sequence[object] | None = None,
    bases: Sequence[float] | None = None,
    depths: Sequence[int] | None = None,
    ratios: Sequence[float] | None = None,
    bqs: Sequence[float] | None = None,
    alpha: float = 0.05,
    unit: str | None = None,
    design: str | None = None,
    scenario: Scenario | str | None = None,
    **choices: Unpack[SweepChoices],
) -> Sweep:
    """Who wins over gains × base × cutoff, and over the weight of highly relevant documents.

    Unless given, gains go from flat to steep over the grades of the judgments, bases are 2, 3, 5, 10 and none,
    cutoffs 5 to 100, weight ratios 1 to 1000. Judgments, runs and other choices are those of `evaluate`, or for a
    measure of sessions those of `evaluate_sessions`; the scenario is jk2002, for sessions `session`, unless given.
    Sessions are swept over the base b of the rank discount, bq of the query discount (2, 4, 10 and none) and the depth
    X, under the scenario's gains unless some are given; `unit` and `design` are those of `compare`.
    """
    parsed = parse_measure(measure)
    axes = Axes.of(gains, bases, depths, ratios, bqs)
    if parsed.definition.over == "session":
        chosen = session_scenario("session" if scenario is None else scenario, **choices)
        own = design if unit in (None, "session") else None
        graded = graded_logs(judgments, runs, chosen, design=own)
        return sweep_graded(graded, parsed, chosen, axes, alpha, unit, design)
    chosen = Scenario.of("jk2002" if scenario is None else scenario).choosing(choices)
    return sweep_graded(experiment(judgments, runs, chosen), parsed, chosen, axes, alpha)


def check_swept(measure: Measure) -> None:
    """A sweep changes gains and the cutoff, so the measure must have both."""
    if "gains" not in measure.definition.parameters:
        raise ChoiceError(Problem("measure-parameter", f"{measure.name} has no gains to sweep over"))
    if measure.definition.cutoff == "none":
        what = f"{measure.name} counts the whole list: it has no cutoff to sweep over"
        raise ChoiceError(Problem("measure-parameter", what, hint="use nDCG, or another measure with a cutoff"))


def sweep_graded(
    graded: Experiment,
    measure: Measure,
    scenario: Scenario,
    axes: Axes,
    alpha: float = 0.05,
    unit: str | None = None,
    design: str | None = None,
) -> Sweep:
    """The sweep over runs that are already graded; sessions under the measure's own choices, by `unit`."""
    if len(graded.runs) < 2:
        raise InputError(Problem("runs-too-few", f"only {graded.names[0]} was given"))
    if not 0 < alpha < 1:
        raise ChoiceError(Problem("statistics-value", f"alpha cannot be {alpha}"))
    check_swept(measure)
    refuse_kind(measure, graded.kind)
    if need("subtopics", [measure]):
        check_subtopics(graded)
    if scenario.unjudged == "bounds":
        what = "bounds are intervals of what was judged, and a sweep compares single numbers"
        raise ChoiceError(Problem("measure-no-bounds", what))
    if graded.kind == "session":
        scenario = measure.choices(scenario)
    scale = graded.judgments.scale
    schemes = axes.schemes(measure, scenario, scale)
    weighted_gains = {ratio: weighted(scale, ratio) for ratio in axes.ratios}
    discounts = axes.discounts(measure, scenario)
    grid = [(scheme, None, discounted) for scheme in schemes for discounted in discounts]
    several_grades = len(scale[scale > 0]) > 1
    usual = scenario if graded.kind == "session" and scenario in discounts else discounts[0]
    weights = [(scheme, ratio, usual) for ratio, scheme in weighted_gains.items() if several_grades]
    trials = [_Trial(gains, ratio, rest.with_choices(gains=gains)) for gains, ratio, rest in (*grid, *weights)]
    own = {key: value for key, value in measure.parameters if key not in SWEPT}
    bare = Measure.of(measure.definition, own)
    sample = _Sample.of(graded, unit, design)
    under_schemes = (Measure.of(measure.definition, {**own, "gains": scheme}) for scheme in schemes)
    check_gains(graded.judgments, under_schemes, scenario)
    depths = (measure.rank,) if measure.rank else axes.depths
    scored = _tried(graded, bare, trials, depths, sample)
    settings = tuple(_settled(scored, graded, bare, sample, alpha))
    cut = len(grid) * len(depths)
    topics = (min(setting.topics for setting in settings), max(setting.topics for setting in settings))
    return Sweep(
        measure=bare.text,
        runs=graded.names,
        grid=settings[:cut],
        ratios=settings[cut:],
        alpha=alpha,
        method=_method(graded, sample, settings, alpha),
        signature=_signature(graded, bare, scenario, settings, sample, alpha),
        inputs=graded.inputs,
        notes=(*gathered_notes(graded), *_session_notes(graded, sample, scenario), *_notes(topics[0], sample.kind)),
        unit=sample.kind,
    )


@dataclass(frozen=True)
class _Sample:
    """What is tested: topics, sessions, or sessions put together by user or topic; and whether systems share them."""

    kind: str
    design: str
    grouping: Grouping | None = None

    @classmethod
    def of(cls, graded: Experiment, unit: str | None, design: str | None) -> _Sample:
        """The units of an experiment, or those that its sessions are put together in."""
        if unit is None or unit == graded.kind:
            return cls(graded.kind, graded.design)
        if graded.kind != "session":
            what = f"--unit {unit} is for sessions, and these are single ranked lists"
            raise ChoiceError(Problem("session-by", what, hint="leave it out"))
        names, _ = in_columns(graded.runs, [[np.zeros(len(run.units))] for run in graded.runs])
        paths = [run.source.path for run in graded.runs]
        grouping = Grouping.of([run.units for run in graded.runs], names, unit, paths, design)
        return cls(unit, grouping.design, grouping)


@dataclass(frozen=True)
class _Trial:
    """One curve to compute: gains (by a ratio, or not) under a scenario."""

    gains: Gains
    ratio: float | None
    scenario: Scenario


_Scored = tuple[_Trial, int, Floats]


def _tried(
    graded: Experiment, measure: Measure, trials: Iterable[_Trial], depths: Sequence[int], sample: _Sample
) -> Iterator[_Scored]:
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
        _, values = in_columns(graded.runs, by_run)
        values = values if sample.grouping is None else sample.grouping.means(values)
        for i, depth in enumerate(depths):
            yield trial, depth, values[:, i].T


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
            actual = relative(actual, ideal, lambda: run.can_gain(scenario.gains)[:, None])
        values = [mean_over_ranks(actual[:, :depth]) if averaged else actual[:, depth - 1] for depth in depths]
    return [settle(at_depth, run, measure, scenario) for at_depth in values], ideal


def _settled(
    scored: Iterable[_Scored], graded: Experiment, measure: Measure, sample: _Sample, alpha: float
) -> list[Setting]:
    """The settings, each with its own family: all pairs of runs under it."""
    return [_setting(*row, graded, measure, sample, alpha) for row in scored]


def _setting(
    trial: _Trial, depth: int, values: Floats, graded: Experiment, measure: Measure, sample: _Sample, alpha: float
) -> Setting:
    if sample.design == "paired":
        values = values[~np.isnan(values).any(axis=1)]
    matrix = Matrix((), values, tuple(combinations(range(len(graded.names)), 2)), graded.names)
    sizes = [len(sample) for sample in matrix.samples]
    if not min(sizes):
        what = f"{measure} has {counted(0, sample.kind)} with a score for every run"
        raise InputError(Problem("topics-too-few", what))
    means = [mean(column) for column in values.T]
    sign = 1 if measure.lower_is_better else -1
    order = sorted(range(len(means)), key=lambda r: (sign * round(means[r], 10), graded.names[r]))
    first, second = order[:2]
    tested = by_default(matrix, sample.design, alpha)
    a, b = sorted((first, second))
    place = matrix.pairs.index((a, b))
    ends = (float(tested.low[place]), float(tested.high[place]))
    low, high = ends if means[a] >= means[b] else (-ends[1], -ends[0])
    margin = abs(means[first] - means[second])
    tied = not rounded(np.array(margin)).any()
    return Setting(
        measure=_name(measure, trial, depth),
        gains=trial.gains.text,
        discount=str(trial.scenario.discount),
        depth=depth,
        ratio=trial.ratio,
        means=tuple(means),
        winner=TIED if tied else graded.names[first],
        runner_up=graded.names[second],
        margin=margin,
        low=low,
        high=high,
        p=float(tested.p_adjusted[place]),
        significant=not tied and bool(tested.p_adjusted[place] <= alpha),
        topics=min(sizes),
        query_discount=str(trial.scenario.session.query_discount) if uses_bq(measure) else "",
        sizes=() if sample.design == "paired" else tuple(sizes),
    )


def _name(measure: Measure, trial: _Trial, depth: int) -> str:
    """The measure to ask `eval` for to get the same numbers."""
    own: dict[str, object] = {**dict(measure.parameters), "gains": trial.gains.text}
    discount = trial.scenario.discount
    if "discount" in measure.definition.parameters:
        own["discount"] = discount.name
        if discount.base is not None:
            own["base"] = discount.base
    if uses_bq(measure):
        by_query = trial.scenario.session.query_discount
        own["query_discount"] = by_query.name
        if by_query.base is not None:
            own["bq"] = by_query.base
    return Measure.of(measure.definition, own, depth).text


def _signature(
    graded: Experiment,
    measure: Measure,
    scenario: Scenario,
    settings: tuple[Setting, ...],
    sample: _Sample,
    alpha: float,
) -> Signature:
    entering = [[np.where(counted_units(run, scenario), 0.0, np.nan)] for run in graded.runs]
    facts = graded.facts(scenario, in_columns(graded.runs, entering)[1][:, 0])
    sizes = {f"{sample.kind}s": _sizes(settings)}
    if sample.grouping is None:
        signature = sign(measure, scenario, graded.runs[0].scale, **{**facts, **sizes})
    else:
        signature = sign(measure, scenario, graded.runs[0].scale, **facts).but(unit=sample.kind, **sizes)
    swept = {
        "gain": {setting.gains for setting in settings},
        "discount": {setting.discount for setting in settings},
        "query-discount": {setting.query_discount for setting in settings if setting.query_discount},
    }
    counts = {
        name: f"{len(values)} swept" if len(values) > 1 else next(iter(values))
        for name, values in swept.items()
        if name in signature.parts and values
    }
    depths = [setting.depth for setting in settings]
    swept_depth = {"X": None} if "X" in signature.parts else {}
    return signature.but(
        **counts,
        **swept_depth,
        ranks=f"{min(depths)}–{max(depths)}",
        settings=len(settings),
        test="welch" if sample.design == "unpaired" else "t",
        adjust="holm" if len(graded.names) > 2 else "none",
        alpha=number_text(alpha),
    )


def _sizes(settings: tuple[Setting, ...]) -> str:
    """'50', or '67–225' where settings differ; by system, '60+58', where they share none."""
    by_system = zip(*(setting.sizes or (setting.topics,) for setting in settings), strict=True)
    return "+".join(topics_text((min(sizes), max(sizes))) for sizes in by_system)


def _method(graded: Experiment, sample: _Sample, settings: tuple[Setting, ...], alpha: float) -> str:
    """The methods sentence: every setting has its own family of all pairs."""
    if max(setting.topics for setting in settings) < 2:
        return say("no test", unit=sample.kind)
    comparisons = math.comb(len(graded.names), 2)
    units = f"{_sizes(settings)} {sample.kind}s"
    over = sample_text(units) if sample.grouping is not None else units
    if sample.design == "unpaired":
        sizes = zip(_sizes(settings).split("+"), graded.names, strict=True)
        over = say("different units", unit=sample.kind, sizes=", ".join(f"{size} {run}" for size, run in sizes))
    return say(
        "method of a sweep",
        test=say("welch" if sample.design == "unpaired" else "paired t"),
        sample=over,
        comparisons=adjusted_text("holm" if comparisons > 1 else "none", comparisons),
        alpha=alpha_text(alpha),
        settings=counted(len(settings), "setting"),
    )


def _session_notes(graded: Experiment, sample: _Sample, scenario: Scenario) -> list[Note]:
    """What holds for single sessions: that systems have their own, and that some share a topic or a user."""
    if sample.kind != "session":
        return []
    tables = [run.units for run in graded.runs]
    scored = {name for run in graded.runs for name in run.units.named(np.flatnonzero(counted_units(run, scenario)))}
    dependent = dependence_notes(tables, scored)
    said = shared_users(tables) if dependent else []
    return [*(note for note in design_notes(graded.design, tables) if note not in said), *dependent]


def _notes(topics: int, kind: str) -> list[Note]:
    if topics >= FEW_TOPICS:
        return []
    if topics < 2:
        return [Note("few-topics", f"one {kind}: no test")]
    return [Note("few-topics", f"only {topics} {kind}s; a test over so few can miss large differences")]
