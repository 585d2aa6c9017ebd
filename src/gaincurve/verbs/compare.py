"""The verb `compare`: is the difference between systems real, how large is it, for which measure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.model.choices import CompareChoices
from gaincurve.model.columns import Given
from gaincurve.model.comparison import Comparison, Family, Pair
from gaincurve.model.estimates import Estimates
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, counted, examples
from gaincurve.model.standing import Standing
from gaincurve.model.wording import in_words
from gaincurve.stats.corrections import adjusted
from gaincurve.stats.effects import practical, relative_percent, unbiased
from gaincurve.stats.letters import letter_groups
from gaincurve.stats.rounding import rounded
from gaincurve.stats.unpaired import hedges_unpaired
from gaincurve.verbs.score import given_or_made, scored
from gaincurve.verbs.sessions.units import (
    dependence_notes,
    in_units,
    put_together,
    sample_text,
    scored_sessions,
    shared_users,
)
from gaincurve.verbs.significance import TESTS
from gaincurve.verbs.significance.choose import (
    MOST_DRAWS,
    checked_runs,
    chosen_adjustment,
    chosen_post_hoc,
    chosen_test,
    counted_from,
    refuse_contradictions,
)
from gaincurve.verbs.significance.records import Matrix, Outcome, Procedure
from gaincurve.verbs.standing import standings

MISSING = {
    "intersect": "a topic without a score for some run is left out for all",
    "zero": "a missing score counts as 0",
    "error": "a missing score is refused",
}
FEW_TOPICS = 10


OF_SINGLE_TOPICS = ("wilcoxon", "sign", "friedman")
"""Tests that rank single topics or count who is ahead on them, which says little where each topic is estimated."""


def compare(
    judgments: object,
    runs: object = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    test: str | None = None,
    baseline: str | None = None,
    adjust: str | None = None,
    post_hoc: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    draws: int | None = None,
    family: str = "measure",
    missing: str = "intersect",
    interval: str = "bca",
    min_diff: float = 0.0,
    unit: str | None = None,
    design: str | None = None,
    scenario: Scenario | str = "default",
    columns: Given | None = None,
    **choices: Unpack[CompareChoices],
) -> Comparison:
    """Compare systems on each measure.

    Give judgments, runs and measures as to `evaluate` (for a measure of sessions as to `evaluate_sessions`), or the
    `Scores` that these return, or the `Estimates` of `estimate`, in their place: `compare(scores)`. Scores by
    topic that another tool computed come as the table of pt.Experiment(…, perquery=True): a frame, records, or a file.

    By default, every two systems are compared by the paired t-test, or every system with the `baseline`, adjusted by
    Holm over the comparisons of a measure; systems scored on different sessions by Welch's t. `test` is one of t,
    randomisation, wilcoxon, sign, bootstrap, tukey, randomised-tukey, max-t, friedman, welch; `adjust` one of none,
    holm, bonferroni, hochberg, bh, by.
    `family` says what is corrected together: the comparisons of each measure, or of all measures. Topics are aligned
    by id. The same seed gives the same bits, whatever the order of runs or topics; a pair the other way round differs
    in its sign only. `unit` is for sessions: 'user' or 'topic' compares the means of each one's sessions, pair by pair
    where the systems share them, or as `design` says. Of estimates only means are compared: the spread over topics, by
    which they are tested, contains the errors of the estimates.
    """
    judgments = judgments.scores if isinstance(judgments, Estimates) else judgments
    if runs is None and not isinstance(judgments, Scores):
        judgments = scored(judgments)
    if isinstance(judgments, Scores) and isinstance(runs, str):
        test, runs = runs if test is None else test, None  # compare(scores, "wilcoxon")
    if isinstance(judgments, Scores) and measures is not None:
        judgments = judgments.of(*([measures] if isinstance(measures, (str, Measure)) else measures))
    given = {"scenario": scenario, "columns": columns, **choices}
    scores, design = given_or_made(judgments, runs, measures, given, unit, design)
    notes = _other_summaries(scores, unit)
    scores = _with_dependence(in_units(scores.scores, unit, design))
    procedure, more = asked_procedure(
        scores, test, baseline, adjust, post_hoc, alpha, seed, draws, family, interval, min_diff
    )
    one_of("missing", missing, tuple(MISSING))
    return compared(scores, _matrices(scores, procedure, missing, notes := [*notes, *more]), procedure, notes)


def asked_procedure(
    scores: Scores,
    test: str | None = None,
    baseline: str | None = None,
    adjust: str | None = None,
    post_hoc: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    draws: int | None = None,
    family: str = "measure",
    interval: str = "bca",
    min_diff: float = 0.0,
) -> tuple[Procedure, list[Note]]:
    """The procedure that was asked for, with what was left open, and notes on what it says of these scores."""
    checked_runs(scores, baseline)
    record = TESTS[chosen_test(scores, test, after=bool(post_hoc))]
    notes = _of_estimates(scores, record.name)
    after = chosen_post_hoc(record, post_hoc)
    whole = record.whole or (after != "" and record.post_hoc[after].whole)
    procedure = Procedure(
        test=record,
        post_hoc=after,
        adjust=chosen_adjustment(scores, adjust, family, whole),
        baseline=baseline or "",
        family=family,
        alpha=float(alpha),
        seed=counted_from("seed", seed, 0),
        draws=record.draws if draws is None else counted_from("draws", draws, 1, MOST_DRAWS),
        interval=interval,
        min_diff=float(min_diff),
    )
    refuse_contradictions(procedure, adjust)
    return procedure, notes


def _of_estimates(scores: Scores, test: str) -> list[Note]:
    """A note that a test of means knows the errors of estimates; tests of single topics are refused."""
    estimated = [m for m in scores.signatures if "estimator" in m.parts or m.measure.definition.needs == "strata"]
    if not estimated:
        return []
    names = examples([signature.measure.text for signature in estimated])
    if test in OF_SINGLE_TOPICS:
        what = f"{names}: the {test} test ranks single topics, and those of a sample are uncertain, and skewed"
        hint = (
            "a test of means, such as --test t, for which errors that differ from topic to topic are part of the spread"
        )
        raise ChoiceError(Problem("test-not-possible", what, hint=hint))
    text = f"{names}: estimated from a sample; the spread over topics, by which means are tested, contains its error"
    return [Note("estimates-compared", text)]


def _other_summaries(scores: Scores, unit: str | None) -> list[Note]:
    """Where the summary of sessions is not the mean over them, say that means are compared all the same."""
    notes = []
    for signature in scores.signatures:
        how = f"by {scores.by}" if scores.by and scores.by != unit else ""
        if signature.parts.get("average") == "ratio-of-means":
            how = "a ratio of means"
        if how:
            text = f"{signature.measure}: means over sessions are compared, although its summary is {how}"
            notes.append(Note("means-compared", text))
    return notes


def _with_dependence(scores: Scores) -> Scores:
    """Scores of single sessions with a note on those that share a topic or a user."""
    if scores.kind != "session":
        return scores
    dependent = dependence_notes(scores.tables, scored_sessions(scores))
    said = shared_users(scores.tables) if dependent else []  # the note on dependence counts them too
    return replace(scores, notes=(*(note for note in scores.notes if note not in said), *dependent))


def _matrices(scores: Scores, procedure: Procedure, missing: str, notes: list[Note]) -> list[Matrix]:
    pairs = pairs_of(scores.runs, procedure.baseline)
    if scores.design == "unpaired":
        return _unshared(scores, pairs, notes)
    return [_shared(scores, m, pairs, missing, notes) for m in range(len(scores.measures))]


def compared(scores: Scores, matrices: Sequence[Matrix], procedure: Procedure, notes: list[Note]) -> Comparison:
    """The comparison of the matrix of each measure."""
    outcomes = [procedure.test.run(matrix, procedure) for matrix in matrices]
    together = sum(len(outcome.p) for outcome in outcomes) if procedure.family == "all-measures" else 0
    families = tuple(
        _family(scores, m, matrix, outcome, p, procedure, together)
        for m, (matrix, outcome, p) in enumerate(zip(matrices, outcomes, _adjusted(outcomes, procedure), strict=True))
    )
    for family, outcome in zip(families, outcomes, strict=True):
        notes += _notes(family, outcome, procedure)
    return Comparison(
        runs=scores.runs,
        families=families,
        test=procedure.test.name,
        adjust=procedure.adjust,
        post_hoc=procedure.post_hoc,
        baseline=procedure.baseline,
        alpha=procedure.alpha,
        seed=procedure.seed,
        draws=procedure.draws if any(outcome.drawn for outcome in outcomes) else 0,
        family=procedure.family,
        effect_name=procedure.test.effect,
        inputs=scores.inputs,
        notes=(*scores.notes, *dict.fromkeys(notes)),
    )


def summary_notes(scores: Scores, m: int) -> list[Note]:
    """A note that means are compared, for a measure whose summary is another one."""
    kind = scores.measures[m].summary
    if kind == "mean":
        return []
    return [Note("means-compared", f"{scores.measures[m]}: means are compared, although its summary is the {kind}")]


def _shared(scores: Scores, m: int, pairs: tuple[tuple[int, int], ...], missing: str, notes: list[Note]) -> Matrix:
    """Topics × runs of one measure, by topic id, under the rule for missing scores."""
    notes += summary_notes(scores, m)
    order = sorted(range(len(scores.topics)), key=scores.topics.__getitem__)
    values = scores.values[:, m, order].T
    measure = scores.measures[m]
    lacking = np.isnan(values)
    partly: NDArray[np.bool_] = np.asarray(lacking.any(axis=1) & ~lacking.all(axis=1))
    if partly.any():
        names = [scores.topics[order[t]] for t in np.flatnonzero(partly)]
        notes.append(aligned_note(measure, names, len(names), scores.kind, missing))
    if missing == "zero":
        values = np.where(lacking & partly[:, None], 0.0, values)
    scored = ~np.isnan(values).any(axis=1)
    notes += few_topics(measure, int(scored.sum()), scores.kind)
    topics = tuple(scores.topics[order[t]] for t in np.flatnonzero(scored))
    return Matrix(topics, values[scored], pairs, scores.runs, scores.kind)


def aligned_note(measure: Measure, first: list[str], total: int, unit: str, missing: str) -> Note:
    """What became of topics without a score for some run, of which the `first` are named; under 'error' refused."""
    text = f"{measure}: {counted(total, unit)} without a score for some run"
    named = examples(first, total=total)
    if missing == "error":
        raise InputError(Problem("topics-missing", f"{text}: {named}"))
    done = "counted as 0" if missing == "zero" else "left out for all"
    return Note("topics-aligned", f"{text}, {done}: {named}")


def few_topics(measure: Measure, count: int, unit: str) -> list[Note]:
    """A note where a test has fewer topics than it should; without two there is none."""
    if count < 2:
        raise InputError(Problem("topics-too-few", f"{measure} has {counted(count, unit)} with a score for every run"))
    if count >= FEW_TOPICS:
        return []
    return [Note("few-topics", f"{measure}: only {count} {unit}s; a test over so few can miss large differences")]


def _unshared(scores: Scores, pairs: tuple[tuple[int, int], ...], notes: list[Note]) -> list[Matrix]:
    """Sessions × runs of every measure, for systems that were scored on different sessions."""
    matrices = [
        Matrix(scores.topics, scores.values[:, m].T, pairs, scores.runs, scores.kind)
        for m in range(len(scores.measures))
    ]
    for m in range(len(matrices)):
        notes += summary_notes(scores, m)
    for measure, matrix in zip(scores.measures, matrices, strict=True):
        sizes = dict(zip(scores.runs, map(len, matrix.samples), strict=True))
        for run, count in sizes.items():
            if count < 2:
                what = f"{measure}: {run} has {counted(count, scores.kind)} with a score"
                raise InputError(Problem("topics-too-few", what))
        few = [f"{counted(count, scores.kind)} of {run}" for run, count in sizes.items() if count < FEW_TOPICS]
        if few:
            text = f"{measure}: only {examples(few)}; a test over so few can miss large differences"
            notes.append(Note("few-topics", text))
    return matrices


def pairs_of(runs: tuple[str, ...], baseline: str) -> tuple[tuple[int, int], ...]:
    """Every two runs in their order, or every run against the baseline."""
    if baseline:
        base = runs.index(baseline)
        return tuple((r, base) for r in range(len(runs)) if r != base)
    return tuple((i, j) for i in range(len(runs)) for j in range(i + 1, len(runs)))


def _adjusted(outcomes: list[Outcome], procedure: Procedure) -> list[Floats]:
    """Adjusted p of each family, measure by measure or all together."""
    if procedure.whole:
        return [outcome.p for outcome in outcomes]
    if procedure.protected:  # nothing counts unless the whole does
        return [np.maximum(outcome.p, outcome.overall[procedure.test.protected_by]) for outcome in outcomes]
    if procedure.family == "measure":
        return [adjusted(outcome.p, procedure.adjust) for outcome in outcomes]
    every = adjusted(np.concatenate([outcome.p for outcome in outcomes]), procedure.adjust)
    return np.split(every, np.cumsum([len(outcome.p) for outcome in outcomes])[:-1])


def _family(
    scores: Scores, m: int, matrix: Matrix, outcome: Outcome, p: Floats, procedure: Procedure, together: int
) -> Family:
    measure = scores.measures[m]
    higher = not measure.lower_is_better
    means = matrix.means
    standing = standings(scores, m, matrix.topics, matrix.pairs)
    pairs = tuple(
        replace(_pair(measure, matrix, means, outcome, i, float(p[i]), higher, procedure), standing=standing[i])
        for i in range(len(matrix.pairs))
    )
    paired = procedure.test.design == "paired"
    count = matrix.count
    units = counted(count, scores.kind)
    family = Family(
        measure=measure,
        signature=_signed(
            scores.signatures[m], count if paired else None, procedure.signature_parts(outcome.drawn) | _model(standing)
        ),
        runs=scores.runs,
        topics=matrix.topics,
        scores=matrix.values,
        means=means,
        higher_is_better=higher,
        pairs=pairs,
        methods=outcome.sentence(
            sample_text(units) if put_together(scores) else units, together or len(pairs), procedure
        ),
        intervals=outcome.intervals,
        words="",
        overall=outcome.overall,
        mean_ranks=outcome.mean_ranks,
        critical=outcome.critical,
        by=outcome.by,
        correction=procedure.correction(together or len(pairs)),
        unit=scores.kind,
    )
    family = replace(family, words=in_words(family, procedure.baseline, procedure.alpha))
    if procedure.baseline or len(scores.runs) < 3:
        return family
    differ = np.zeros((len(scores.runs), len(scores.runs)), dtype=bool)
    for (i, j), pair in zip(matrix.pairs, pairs, strict=True):
        differ[i, j] = differ[j, i] = pair.significant
    return replace(family, groups=tuple(letter_groups(differ, family.best_first)))


def _pair(
    measure: Measure,
    matrix: Matrix,
    means: tuple[float, ...],
    outcome: Outcome,
    i: int,
    p: float,
    higher: bool,
    procedure: Procedure,
) -> Pair:
    a, b = matrix.pairs[i]
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    if procedure.test.design == "paired":
        difference, effect = float(matrix.moments.mean[i]), float(matrix.moments.effect[i])
        hedges = unbiased(effect, matrix.count)
        wins, ties, losses = matrix.record(i, higher, procedure.min_diff)
    else:
        difference, effect, hedges = (
            means[a] - means[b],
            math.nan,
            hedges_unpaired(matrix.samples[a], matrix.samples[b]),
        )
    gap = float(rounded(np.array(difference)))
    lead = gap if outcome.ahead is None else float(outcome.ahead[i])  # the test's own statistic decides who is ahead
    ahead = a if (lead > 0) == higher else b
    relative = relative_percent(means[a], means[b])
    return Pair(
        measure=measure,
        a=matrix.runs[a],
        b=matrix.runs[b],
        mean_a=means[a],
        mean_b=means[b],
        difference=difference,
        low=float(outcome.low[i]),
        high=float(outcome.high[i]),
        p=float(outcome.p[i]),
        p_adjusted=p,
        significant=p <= procedure.alpha,
        effect=effect if outcome.effect is None else float(outcome.effect[i]),
        hedges_g=hedges,
        relative=relative,
        practical=practical(relative),
        wins=wins,
        ties=ties,
        losses=losses,
        better=matrix.runs[ahead] if lead else "",
        check=math.nan if outcome.check is None else float(outcome.check[i]),
    )


def _signed(signature: Signature, topics: int | None, procedure: dict[str, str]) -> Signature:
    """The signature of the scores with the procedure put in before the version; what is compared are means."""
    changed: dict[str, object] = {"summary": "mean"} if "summary" in signature.parts else {}
    counts = f"{signature.parts.get('unit', 'topic')}s"
    if topics is not None and counts in signature.parts:
        changed[counts] = topics
    return signature.but(**changed, **procedure)


def _model(standing: Sequence[Standing | None]) -> dict[str, str]:
    """The part of a signature that names the model of unjudged documents, where a chance rests on one."""
    models = {one.model for one in standing if one is not None} - {""}
    return {"prior": models.pop()} if models else {}


def _notes(family: Family, outcome: Outcome, procedure: Procedure) -> Iterator[Note]:
    if outcome.replaced:
        which = examples([f"{family.pairs[i].a} and {family.pairs[i].b}" for i in outcome.replaced])
        text = f"{family.measure}: all {family.unit}s have one difference, so p is that of randomisation: {which}"
        yield Note("constant-shift", text)
    apart = family.disagreeing(procedure.alpha)
    if apart:
        which = examples([f"{pair.a} and {pair.b} ({pair.p:.4f}, {pair.check:.4f})" for pair in apart])
        yield Note("tests-disagree", f"{family.measure}: the t-test and randomisation disagree about {which}")
    if procedure.protected:
        text = (
            "pairs after a significant Friedman test, not adjusted: errors are controlled only if no two systems differ"
        )
        yield Note("protected", text)
