"""The verb `estimate`: what measures would be if all of a pool were judged, from a sample of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Unpack

import numpy as np

from gaincurve.errors import ChoiceError, Problem
from gaincurve.measures.notation import make_measure, parse_measures
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.estimates import EstimatedCurve, EstimatedCurves, Estimates, mean_error
from gaincurve.model.graded import Graded
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.signature import sign
from gaincurve.model.source import Note, number_text
from gaincurve.model.summaries import mean
from gaincurve.verbs.estimators import Estimator
from gaincurve.verbs.evaluate import asked_measures, check_strata
from gaincurve.verbs.experiment import (
    Experiment,
    check_gains,
    experiment,
    gathered_notes,
    settle,
    topics_text,
    undefined_notes,
)
from gaincurve.verbs.labels import Sample, check_chance, refuse_not_drawn, sample_of
from gaincurve.verbs.values import value_of

OF_STRATA = ("xinfAP@1000", "infNDCG@1000")
OF_TOTALS = ("nDCG@10", "DCG@10", "P@10", "R@100", "NumRel")
CURVES = ("CG", "DCG", "nDCG", "P")
DEPTH = 100
FEW = 50
LEANS = 0.25
"""A bias below this share of the standard error costs an interval less than one point of its 95%."""


def estimate(
    judgments: object,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    machine: object = None,
    weight: float | str = 1.0,
    assume_random: bool = False,
    empty_strata: str | None = None,
    scenario: Scenario | str = "default",
    **choices: Unpack[ScenarioChoices],
) -> Estimates:
    """Estimate measures from judgments of a sample, with their standard errors.

    `judgments` name strata (grade −1: pooled and not sampled) or probabilities p. CG, DCG, P and NumRel are unbiased
    totals, nCG, nDCG and R ratios of such totals; xinfAP, infNDCG, iP and the inferred counts are NIST's and have no
    error. `machine` are labels of the whole pool: the judges then only correct them, by their difference; `weight` is
    how much they count (λ: 1, or 'tuned'). `assume_random` takes judgments for a random sample of what the machine
    labelled. `empty_strata='skip'` counts a stratum of which nothing was judged as if nothing in it were relevant.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    sample = read_sample(judgments, machine, assume_random)
    graded = experiment(sample.pool, runs, chosen)
    return estimate_graded(graded, sample, measures, chosen, weight=weight, empty_strata=empty_strata)


def estimated_curves(
    judgments: object,
    runs: object,
    measures: str | Measure | Iterable[str | Measure] = CURVES,
    *,
    machine: object = None,
    weight: float | str = 1.0,
    assume_random: bool = False,
    empty_strata: str | None = None,
    scenario: Scenario | str = "default",
    **choices: Unpack[ScenarioChoices],
) -> EstimatedCurves:
    """The same at ranks 1 to the scenario's depth (100 unless it has one): CG, DCG, nCG, nDCG, P and R."""
    chosen = Scenario.of(scenario).with_choices(**choices)
    sample = read_sample(judgments, machine, assume_random)
    graded = experiment(sample.pool, runs, chosen)
    return curves_graded(graded, sample, measures, chosen, weight=weight, empty_strata=empty_strata)


def read_sample(judgments: object, machine: object = None, assume_random: bool = False) -> Sample:
    """Judgments in memory as a sample, with the machine's labels if there are any."""
    return sample_of(Judgments.of(judgments), None if machine is None else Judgments.of(machine), assume_random)


def default_measures(sample: Sample) -> tuple[str, ...]:
    """What is estimated unless asked otherwise: NIST's measures where they are defined, and totals."""
    return (*(OF_STRATA if sample.pool.strata is not None and sample.machine is None else ()), *OF_TOTALS)


def estimate_graded(
    graded: Experiment,
    sample: Sample,
    measures: str | Measure | Iterable[str | Measure] | None,
    scenario: Scenario,
    *,
    weight: float | str = 1.0,
    empty_strata: str | None = None,
) -> Estimates:
    """Estimates for runs that are graded against the sample's pool."""
    asked = [_skipping(m, empty_strata) for m in asked_measures(measures or default_measures(sample), scenario)]
    _check(graded, sample, asked, scenario, empty_strata)
    values = np.empty((len(graded.runs), len(asked), len(graded.judgments.topics)))
    errors = np.full_like(values, np.nan)
    leans = np.zeros(values.shape[:2], dtype=bool)
    signatures, extra = [], list(check_chance(sample, graded.runs))
    for m, measure in enumerate(asked):
        if measure.definition.needs == "strata":
            for r, run in enumerate(graded.runs):
                values[r, m] = value_of(run, measure, scenario)
            parts: dict[str, object] = {}
        else:
            estimator = Estimator.of(sample, measure, scenario, weight)
            for r, run in enumerate(graded.runs):
                value, error = estimator.estimate(run)
                values[r, m] = settle(value, run, measure, scenario)
                errors[r, m] = np.where(np.isnan(values[r, m]) | np.isnan(value), np.nan, error)
            biases = [_bias(estimator, run, values[r, m], errors[r, m]) for r, run in enumerate(graded.runs)]
            leans[:, m] = [leaning for _, _, leaning in biases]
            extra += _leaning(measure, graded.names, biases)
            parts = estimator.parts
        facts = {"judgments": graded.judgments.origin, "topics": topics_text(values[:, m])}
        parts["summary"] = "mean" if measure.summary != "mean" else None  # the mean is what has an error
        signatures.append(sign(measure, scenario, graded.runs[0].scale, **facts).but(**parts))
    by_run = [[values[r, m] for m in range(len(asked))] for r in range(len(graded.runs))]
    extra += [*undefined_notes(graded.runs, by_run, asked, scenario), *_notes(graded, sample, asked, values, errors)]
    scores = Scores(
        runs=graded.names,
        measures=tuple(asked),
        units=graded.judgments.topics,
        values=values,
        signatures=tuple(signatures),
        inputs=graded.inputs,
        notes=(*gathered_notes(graded), *sample.notes, *extra),
    )
    return Estimates(scores, errors, leans)


def curves_graded(
    graded: Experiment,
    sample: Sample,
    measures: str | Measure | Iterable[str | Measure],
    scenario: Scenario,
    *,
    weight: float | str = 1.0,
    empty_strata: str | None = None,
) -> EstimatedCurves:
    """Estimated curves for runs that are graded against the sample's pool."""
    asked = parse_measures(measures)
    depth = max((measure.rank for measure in asked if measure.rank), default=scenario.depth or DEPTH)
    lines = [make_measure(measure.name, dict(measure.parameters), None) for measure in asked]
    for measure in lines:
        if measure.definition.curve is None:
            raise ChoiceError(Problem("measure-no-curve", f"{measure.name} has no curve by rank"))
    _check(graded, sample, lines, scenario, empty_strata)
    curves, topics, extra = [], 0, [*sample.notes, *check_chance(sample, graded.runs)]
    for measure in lines:
        values = np.empty((len(graded.runs), depth))
        errors, leans = np.empty_like(values), np.zeros(values.shape, dtype=bool)
        biases: dict[str, tuple[float, float, bool]] = {}
        for k in range(1, depth + 1):
            cut = make_measure(measure.name, dict(measure.parameters), k)
            estimator = Estimator.of(sample, cut, scenario, weight)
            for r, run in enumerate(graded.runs):
                value, error = estimator.estimate(run)
                value = settle(value, run, cut, scenario)
                known = ~np.isnan(value)
                values[r, k - 1], errors[r, k - 1] = mean(value), mean_error(error[known])
                biases[run.name] = _bias(estimator, run, value, error)
                leans[r, k - 1] = biases[run.name][2]
                topics = max(topics, int(known.sum()))
        facts = {"judgments": graded.judgments.origin, "topics": topics}
        signature = sign(cut, scenario, graded.runs[0].scale, **facts).but(**estimator.parts)
        curves.append(EstimatedCurve(measure.text, signature, values, errors, leans))
        extra += _leaning(cut, graded.names, list(biases.values()))
    notes = (*gathered_notes(graded), *extra, *_few(topics))
    return EstimatedCurves(graded.names, depth, topics, tuple(curves), graded.inputs, notes)


def _skipping(measure: Measure, empty_strata: str | None) -> Measure:
    """An inferred measure that passes over empty strata, where this was asked for."""
    if empty_strata is None or measure.definition.needs != "strata":
        return measure
    return make_measure(measure.name, {"empty_strata": empty_strata, **dict(measure.parameters)}, measure.cutoff)


def _check(
    graded: Experiment, sample: Sample, measures: Sequence[Measure], scenario: Scenario, empty_strata: str | None
) -> None:
    check_gains(graded.judgments, measures, scenario)
    check_strata(graded.judgments, measures)
    if empty_strata != "skip":
        refuse_not_drawn(sample)
    if scenario.unjudged != "zero":
        what = f"estimates have their own rule for unjudged documents: --unjudged {scenario.unjudged} does not apply"
        raise ChoiceError(Problem("estimate-measure", what, hint="leave --unjudged out"))


def _notes(
    graded: Experiment, sample: Sample, measures: Sequence[Measure], values: Floats, errors: Floats
) -> list[Note]:
    """Documents outside the pool, strata without an error, few topics, measures without an error."""
    notes = []
    with_error = [m for m, measure in enumerate(measures) if measure.definition.needs != "strata"]
    rank = max((measures[m].rank or 0 for m in with_error), default=0)
    outside = [(float(run.retrieved.clip(max=rank).sum()), int((run.rank <= rank).sum()), run) for run in graded.runs]
    shares = [f"{run.name} {100 * (1 - pooled / seen):.0f}%" for seen, pooled, run in outside if seen > pooled]
    if rank and shares:
        text = f"outside the pool in the top {rank}, counted as not relevant: {', '.join(shares[:3])}"
        notes.append(Note("outside-pool", text + (f", … of {len(shares)} runs" if len(shares) > 3 else "")))
    alone = sample.design.alone()
    if len(alone) and any(np.isnan(errors[:, m][~np.isnan(values[:, m])]).any() for m in with_error):
        strata = "1 stratum" if len(alone) == 1 else f"{len(alone)} strata"
        text = (
            f"only one document was judged in {strata} with more documents: estimates that use them have no standard "
            "error"
        )
        notes.append(Note("stratum-of-one", text))
    if len(with_error) < len(measures):
        names = ", ".join(measure.text for measure in measures if measure.definition.needs == "strata")
        notes.append(Note("no-error", f"no standard error is known for {names}"))
    return [*notes, *_few(int((~np.isnan(values)).any(axis=(0, 1)).sum()))] if with_error else notes


def _bias(estimator: Estimator, run: Graded, values: Floats, errors: Floats) -> tuple[float, float, bool]:
    """How far a mean of ratios is off on average, its standard error, and whether that is too far for an interval."""
    if estimator.linear.ideal is None:
        return 0.0, 0.0, False
    known = ~np.isnan(values)
    bias, error = mean(estimator.bias(run)[known]), mean_error(errors[known])
    return bias, error, error > 0 and abs(bias) > LEANS * error


def _leaning(measure: Measure, runs: Sequence[str], biases: Sequence[tuple[float, float, bool]]) -> list[Note]:
    """Ratios that are off by more than their errors allow for, because few documents of each topic were judged."""
    leans = [(abs(bias) / error, bias, run) for (bias, error, far), run in zip(biases, runs, strict=True) if far]
    if not leans:
        return []
    errors_off, bias, name = max(leans)
    which = f"{name} by about {bias:+.3f}, {errors_off:.1f} standard errors"
    more = f", and {len(leans) - 1} more" if len(leans) > 1 else ""
    text = f"{measure} is a ratio, biased in samples of so few documents per topic: {which}{more}"
    return [Note("ratio-leans", f"{text}; no interval (judge more of each topic, or look at DCG and P)")]


def _few(topics: int) -> list[Note]:
    """The normal interval needs topics."""
    if topics > FEW:
        return []
    if topics < 2:
        return [
            Note("few-topics", "one topic: no interval, as it would cover the true value less than half of the time")
        ]
    text = (
        f"{number_text(topics)} topics: normal intervals over so few cover the true value slightly less often than 95%"
    )
    return [Note("few-topics", f"{text} (DCG@10 of Cranfield: 94% at 50 topics, 92% at 25)")]
