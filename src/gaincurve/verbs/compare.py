"""The verb `compare`: is the difference between systems real, how large is it, for which measure."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, InputError, Problem, nearest, one_of
from gaincurve.measures.notation import parse_measure
from gaincurve.model.comparison import Comparison, Family, Pair
from gaincurve.model.rows import Floats
from gaincurve.model.scores import Scores, mean
from gaincurve.model.source import Note, counted, examples
from gaincurve.model.wording import in_words
from gaincurve.stats.corrections import ADJUSTMENTS, adjusted
from gaincurve.stats.effects import cohen_dz, hedges_g, practical, relative_percent, wins_ties_losses
from gaincurve.stats.intervals import KINDS
from gaincurve.stats.letters import letter_groups
from gaincurve.stats.rounding import rounded
from gaincurve.verbs.significance import DRAWS, FAMILY_WISE, TESTS, Asked, Matrix, Outcome, run_test
from gaincurve.verbs.unpaired import WELCH, few_sessions, of_means, refuse_design, unpaired_families

FAMILIES = ("measure", "all-measures")
MISSING = {
    "intersect": "a topic without a score for some run is left out for all",
    "zero": "a missing score counts as 0",
    "error": "a missing score is refused",
}
POST_HOC = ("conover", "nemenyi")
FEW_TOPICS = 10


def compare(
    scores: Scores,
    test: str | None = None,
    *,
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
) -> Comparison:
    """Compare the systems of `scores` on each of its measures.

    Unless told otherwise: two systems by the paired t-test; a `baseline` with all others by t with Holm's correction;
    all pairs of three or more by the randomised Tukey HSD; systems scored on different sessions by Welch's t. `test`
    is one of t, randomisation, wilcoxon, sign, bootstrap, tukey, randomised-tukey, max-t, friedman, welch; `adjust`
    one of none, holm, bonferroni, hochberg, bh, by.
    `family` says what is corrected together: the comparisons of each measure, or of all measures. Topics are aligned
    by id. The same seed gives the same bits, whatever the order of runs or topics; a pair the other way round differs
    in its sign only.
    """
    asked = _asked(scores, test, baseline, adjust, post_hoc, alpha, seed, draws, family, interval, min_diff)
    one_of("missing", missing, tuple(MISSING))
    if scores.design == "unpaired":
        return _unpaired(scores, asked, family)
    notes: list[Note] = []
    outcomes = []
    for m in range(len(scores.measures)):
        notes += _summary_notes(scores, m)
        matrix = _matrix(scores, m, missing, asked, notes)
        outcomes.append((matrix, run_test(matrix, asked)))
    together = _adjusted([outcome for _, outcome in outcomes], asked, family)
    comparisons = sum(len(outcome.p) for _, outcome in outcomes) if family == "all-measures" else 0
    families = [
        _family(scores, m, matrix, outcome, p, asked, comparisons)
        for m, ((matrix, outcome), p) in enumerate(zip(outcomes, together, strict=True))
    ]
    for found, (_, outcome) in zip(families, outcomes, strict=True):
        notes += _notes(found, outcome, asked)
    return Comparison(
        runs=scores.runs,
        families=tuple(families),
        test=asked.test,
        adjust=asked.adjust,
        post_hoc=asked.post_hoc,
        baseline=asked.baseline,
        alpha=asked.alpha,
        seed=asked.seed,
        draws=asked.draws if any(outcome.drawn for _, outcome in outcomes) else 0,
        family=family,
        effect_name="ES" if asked.test in ("tukey", "randomised-tukey") else "d_z",
        inputs=scores.inputs,
        notes=(*scores.notes, *dict.fromkeys(notes)),
    )


def _unpaired(scores: Scores, asked: Asked, family: str) -> Comparison:
    """Systems that were scored on different sessions."""
    pairs = _pairs(scores.runs, asked.baseline)
    together = family == "all-measures"
    higher = tuple(map(higher_is_better, scores.measures))
    notes = [note for m in range(len(scores.measures)) for note in _summary_notes(scores, m)]
    notes += few_sessions(scores, FEW_TOPICS)
    return Comparison(
        runs=scores.runs,
        families=tuple(unpaired_families(scores, pairs, asked.adjust, asked.alpha, asked.baseline, together, higher)),
        test=WELCH,
        adjust=asked.adjust,
        post_hoc="",
        baseline=asked.baseline,
        alpha=asked.alpha,
        seed=asked.seed,
        draws=0,
        family=family,
        effect_name="d",
        inputs=scores.inputs,
        notes=(*scores.notes, *notes),
    )


def _summary_notes(scores: Scores, m: int) -> list[Note]:
    """Where a measure's summary is not the mean, say that means are compared all the same."""
    kind = scores.summaries[m] if scores.summaries else "mean"
    if kind == "mean":
        return []
    return [Note("means-compared", f"{scores.measures[m]}: means are compared, although its summary is the {kind}")]


def _asked(
    scores: Scores,
    test: str | None,
    baseline: str | None,
    adjust: str | None,
    post_hoc: str | None,
    alpha: float,
    seed: int,
    draws: int | None,
    family: str,
    interval: str,
    min_diff: float,
) -> Asked:
    """The checked request, with what was left open decided by what was asked."""
    if len(scores.runs) < 2:
        raise InputError(Problem("runs-too-few", f"only {scores.runs[0]} was given"))
    if baseline is not None and baseline not in scores.runs:
        what = f"there is no run {baseline!r}{nearest(baseline, scores.runs)}"
        raise ChoiceError(Problem("run-unknown", what, hint=f"runs: {examples(list(scores.runs), 10)}"))
    one_of("family", family, FAMILIES)
    one_of("interval", interval, KINDS)
    single = len(scores.runs) == 2
    refuse_design(scores, test)
    if scores.design == "unpaired":
        test = WELCH
    if test is None:
        test = "friedman" if post_hoc else "t" if single or baseline or adjust else "randomised-tukey"
    one_of("test", test, (*TESTS, WELCH) if scores.design == "unpaired" else tuple(TESTS))
    post_hoc = _post_hoc(test, post_hoc)
    whole = test in FAMILY_WISE or post_hoc == "nemenyi"
    if adjust is not None:
        one_of("adjust", adjust, tuple(ADJUSTMENTS))
    if whole and (adjust is not None or family != "measure"):
        what = f"p-values of {post_hoc or test} already hold for all comparisons of one measure together"
        raise ChoiceError(Problem("test-not-possible", what, hint="leave out --adjust and --family"))
    if whole and baseline is not None and test != "max-t":
        what = f"{post_hoc or test} compares all pairs, not systems with a baseline"
        raise ChoiceError(Problem("test-not-possible", what, hint="use --test max-t, or t, which is adjusted by Holm"))
    if test == "max-t" and baseline is None:
        what = "max-t compares systems with a baseline, and none was named"
        raise ChoiceError(Problem("test-not-possible", what, hint="name one: --baseline RUN"))
    alone = single and (family == "measure" or len(scores.measures) == 1)
    chosen = "none" if whole or (alone and adjust is None) else adjust or "holm"
    if not 0 < alpha < 1:
        raise ChoiceError(Problem("statistics-value", f"alpha cannot be {alpha}"))
    if not min_diff >= 0:
        raise ChoiceError(Problem("statistics-value", f"min_diff cannot be {min_diff}"))
    return Asked(
        test=test,
        adjust=chosen,
        post_hoc=post_hoc,
        baseline=baseline or "",
        alpha=float(alpha),
        seed=_whole("seed", seed, 0),
        draws=_whole("draws", DRAWS.get(test, 0) or DRAWS["randomisation"] if draws is None else draws, 1),
        interval=interval,
        min_diff=float(min_diff),
        whole=whole,
    )


def _post_hoc(test: str, post_hoc: str | None) -> str:
    if test == "friedman":
        return one_of("post_hoc", post_hoc or "conover", POST_HOC)
    if post_hoc is not None:
        what = f"{one_of('post_hoc', post_hoc, POST_HOC)} comes after Friedman's test, not after {test}"
        raise ChoiceError(Problem("test-not-possible", what, hint="use --test friedman"))
    return ""


def _whole(name: str, given: object, least: int) -> int:
    try:
        value = operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        value = least - 1
    if value < least or isinstance(given, bool):
        raise ChoiceError(Problem("statistics-value", f"{name} cannot be {given!r}"))
    return value


def _matrix(scores: Scores, m: int, missing: str, asked: Asked, notes: list[Note]) -> Matrix:
    """Topics × runs of one measure, by topic id, under the rule for missing scores."""
    order = sorted(range(len(scores.topics)), key=scores.topics.__getitem__)
    values = scores.values[:, m, order].T
    measure = scores.measures[m]
    lacking = np.isnan(values)
    partly: NDArray[np.bool_] = np.asarray(lacking.any(axis=1) & ~lacking.all(axis=1))
    if partly.any():
        names = [scores.topics[order[t]] for t in np.flatnonzero(partly)]
        text = f"{measure}: {counted(len(names), 'topic')} without a score for some run"
        if missing == "error":
            raise InputError(Problem("topics-missing", f"{text}: {examples(names)}"))
        done = "counted as 0" if missing == "zero" else "left out for all"
        notes.append(Note("topics-aligned", f"{text}, {done}: {examples(names)}"))
    if missing == "zero":
        values = np.where(lacking & partly[:, None], 0.0, values)
    kept = ~np.isnan(values).any(axis=1)
    if kept.sum() < 2:
        what = f"{measure} has {counted(int(kept.sum()), 'topic')} with a score for every run"
        raise InputError(Problem("topics-too-few", what))
    if kept.sum() < FEW_TOPICS:
        text = f"{measure}: only {int(kept.sum())} topics; a test over so few can miss large differences"
        notes.append(Note("few-topics", text))
    topics = tuple(scores.topics[order[t]] for t in np.flatnonzero(kept))
    return Matrix(topics, values[kept], _pairs(scores.runs, asked.baseline))


def _pairs(runs: tuple[str, ...], baseline: str) -> tuple[tuple[int, int], ...]:
    """Every two runs in their order, or every run against the baseline."""
    if baseline:
        base = runs.index(baseline)
        return tuple((r, base) for r in range(len(runs)) if r != base)
    return tuple((i, j) for i in range(len(runs)) for j in range(i + 1, len(runs)))


def _adjusted(outcomes: list[Outcome], asked: Asked, family: str) -> list[Floats]:
    """Adjusted p of each family, measure by measure or all together."""
    if asked.whole:
        return [outcome.p for outcome in outcomes]
    if asked.test == "friedman" and asked.adjust == "none":  # protected: nothing counts unless the whole does
        return [np.maximum(outcome.p, outcome.overall["p2"]) for outcome in outcomes]
    if family == "measure":
        return [adjusted(outcome.p, asked.adjust) for outcome in outcomes]
    every = adjusted(np.concatenate([outcome.p for outcome in outcomes]), asked.adjust)
    return np.split(every, np.cumsum([len(outcome.p) for outcome in outcomes])[:-1])


def _family(scores: Scores, m: int, matrix: Matrix, outcome: Outcome, p: Floats, asked: Asked, together: int) -> Family:
    measure = scores.measures[m]
    higher = higher_is_better(measure)
    means = tuple(mean(column) for column in matrix.values.T)
    pairs = tuple(
        _pair(measure, scores.runs, matrix, means, outcome, i, float(p[i]), higher, asked)
        for i in range(len(matrix.pairs))
    )
    count = len(matrix.topics)
    comparisons = together or len(pairs)
    found = Family(
        measure=measure,
        signature=_signature(scores.signatures[m], count, asked, outcome.drawn),
        runs=scores.runs,
        topics=matrix.topics,
        scores=matrix.values,
        means=means,
        higher_is_better=higher,
        pairs=pairs,
        methods=outcome.sentence(count, comparisons, asked),
        intervals=outcome.intervals,
        words="",
        overall=outcome.overall,
        mean_ranks=outcome.mean_ranks,
        critical=outcome.critical,
        by=outcome.by,
    )
    found = replace(found, words=in_words(found, asked.baseline, asked.alpha))
    if asked.baseline or len(scores.runs) < 3:
        return found
    differ = np.zeros((len(scores.runs), len(scores.runs)), dtype=bool)
    for (i, j), pair in zip(matrix.pairs, pairs, strict=True):
        differ[i, j] = differ[j, i] = pair.significant
    return replace(found, groups=tuple(letter_groups(differ, found.best_first)))


def _pair(
    measure: str,
    runs: tuple[str, ...],
    matrix: Matrix,
    means: tuple[float, ...],
    outcome: Outcome,
    i: int,
    p: float,
    higher: bool,
    asked: Asked,
) -> Pair:
    a, b = matrix.pairs[i]
    d = matrix.differences[i]
    gap = float(rounded(np.array(mean(d))))
    lead = gap if outcome.ahead is None else float(outcome.ahead[i])  # what the test is about decides who is ahead
    ahead = a if (lead > 0) == higher else b
    wins, ties, losses = wins_ties_losses(d if higher else -d, asked.min_diff)
    relative = relative_percent(means[a], means[b])
    return Pair(
        measure=measure,
        a=runs[a],
        b=runs[b],
        mean_a=means[a],
        mean_b=means[b],
        difference=mean(d),
        low=float(outcome.low[i]),
        high=float(outcome.high[i]),
        p=float(outcome.p[i]),
        p_adjusted=p,
        significant=p <= asked.alpha,
        effect=float(outcome.effect[i]) if outcome.effect is not None else cohen_dz(d),
        hedges_g=hedges_g(d),
        relative=relative,
        practical=practical(relative),
        wins=wins,
        ties=ties,
        losses=losses,
        better=runs[ahead] if lead else "",
        check=math.nan if outcome.check is None else float(outcome.check[i]),
    )


def higher_is_better(measure: str) -> bool:
    """Whether more is better; so it is for measures that are not registered."""
    try:
        return parse_measure(measure).definition.better != "lower"
    except ChoiceError:
        return True


def _signature(signature: str, topics: int, asked: Asked, drawn: bool) -> str:
    """The signature of the scores with the test put in before the version; what is compared are means."""
    parts = [f"topics:{topics}" if part.startswith("topics:") else part for part in of_means(signature).split("|")]
    told = [f"test:{asked.test}"]
    if asked.post_hoc:
        told.append(f"post-hoc:{asked.post_hoc}")
    if not asked.whole:
        told.append(f"adjust:{asked.adjust}")
    if asked.baseline:
        told.append(f"baseline:{asked.baseline}")
    told.append(f"alpha:{asked.alpha:g}")
    if drawn and asked.test != "t":  # t itself draws nothing, only the check beside it
        told += [f"draws:{asked.draws}", f"seed:{asked.seed}"]
    at = next((i for i, part in enumerate(parts) if part.startswith("gaincurve:")), len(parts))
    return "|".join([*parts[:at], *told, *parts[at:]])


def _notes(family: Family, outcome: Outcome, asked: Asked) -> Iterable[Note]:
    if outcome.replaced:
        which = examples([f"{family.pairs[i].a} and {family.pairs[i].b}" for i in outcome.replaced])
        text = f"{family.measure}: all topics shift alike, so p is that of randomisation: {which}"
        yield Note("constant-shift", text)
    apart = family.disagreeing(asked.alpha)
    if apart:
        which = examples([f"{p.a} and {p.b} ({p.p:.4f}, {p.check:.4f})" for p in apart])
        yield Note("tests-disagree", f"{family.measure}: t and randomisation decide differently about {which}")
    if asked.test == "friedman" and asked.adjust == "none" and not asked.whole:
        text = (
            "pairs after a significant Friedman test, not adjusted, as in 2002: errors are controlled only if no two "
            "systems differ"
        )
        yield Note("protected", text)


@dataclass(frozen=True)
class Detectable:
    """How many topics would find a difference, and which difference the present topics would find."""

    measure: str
    difference: float
    spread: float
    topics: int
    needed: int | None
    found: float

    def sentence(self) -> str:
        """In words."""
        if self.needed is None:
            return f"{self.measure}: differences do not spread, so any number of topics finds {self.difference:g}."
        return (
            f"{self.measure}: differences between systems spread by {self.spread:.4f}, so finding one of "
            f"{self.difference:g} with power .80 takes {counted(self.needed, 'topic')}; {self.topics} topics find "
            f"{self.found:.4f}."
        )


def detectable(comparison: Comparison, difference: float) -> list[Detectable]:
    """For each measure: the topics needed for a difference, given how differences spread over topics here."""
    from gaincurve.stats.power import detectable_difference, topics_needed  # noqa: PLC0415 -- only where asked for

    if comparison.test == WELCH:
        what = "how many topics it takes is known for systems scored on the same topics, not on different sessions"
        raise ChoiceError(Problem("test-not-possible", what, hint="leave it out"))
    if not difference > 0:
        raise ChoiceError(Problem("statistics-value", f"a difference of {difference} cannot be looked for"))
    found = []
    for family in comparison.families:
        place = {run: r for r, run in enumerate(family.runs)}
        gaps = [family.scores[:, place[p.a]] - family.scores[:, place[p.b]] for p in family.pairs]
        spread = math.sqrt(sum(float(d.var(ddof=1)) for d in gaps) / len(gaps))
        needed = topics_needed(difference / spread, alpha=comparison.alpha) if spread > 0 else None
        n = len(family.topics)
        least = detectable_difference(spread, n, alpha=comparison.alpha)
        found.append(Detectable(family.measure, difference, spread, n, needed, least))
    return found
