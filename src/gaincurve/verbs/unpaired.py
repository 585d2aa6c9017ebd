"""`compare` for systems that were scored on different units: sessions that they do not share."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from gaincurve.errors import ChoiceError, InputError, Problem
from gaincurve.model.comparison import Family, Pair
from gaincurve.model.rows import Floats
from gaincurve.model.scores import Scores, mean
from gaincurve.model.sentences import say
from gaincurve.model.source import Note, counted, examples
from gaincurve.model.wording import alpha_text, in_words
from gaincurve.stats.corrections import adjusted
from gaincurve.stats.effects import practical, relative_percent
from gaincurve.stats.letters import letter_groups
from gaincurve.stats.rounding import rounded
from gaincurve.stats.unpaired import cohen_d, hedges_unpaired, welch_t
from gaincurve.verbs.significance import adjusted_text

WELCH = "welch"


def refuse_design(scores: Scores, test: str | None) -> None:
    """A paired test needs the same units for every system, and Welch's t needs different ones."""
    if scores.design == "unpaired" and test not in (None, WELCH):
        what = f"the systems were scored on different sessions, and {test} compares them one by one"
        raise ChoiceError(Problem("test-not-possible", what, hint="use test='welch', or leave it out"))
    if scores.design != "unpaired" and test == WELCH:
        what = "the systems were scored on the same topics: Welch's t would throw away what they share"
        raise ChoiceError(Problem("test-not-possible", what, hint="use test='t', or leave it out"))


def of_means(signature: str) -> str:
    """The signature of a measure whose means are compared, whatever else stands for all topics elsewhere."""
    return "|".join("summary:mean" if part.startswith("summary:") else part for part in signature.split("|"))


def few_sessions(scores: Scores, least: int) -> list[Note]:
    """A note for every measure and system with fewer scored sessions than a test should have."""
    notes = []
    for m, measure in enumerate(scores.measures):
        sizes = zip(scores.runs, (~np.isnan(scores.values[:, m])).sum(axis=1).tolist(), strict=True)
        few = [f"{counted(count, 'session')} of {run}" for run, count in sizes if count < least]
        if few:
            text = f"{measure}: only {examples(few)}; a test over so few can miss large differences"
            notes.append(Note("few-topics", text))
    return notes


def unpaired_families(
    scores: Scores,
    pairs: tuple[tuple[int, int], ...],
    adjust: str,
    alpha: float,
    baseline: str,
    together: bool,
    higher: tuple[bool, ...],
) -> list[Family]:
    """The comparisons of every measure, adjusted measure by measure or all together."""
    samples = [_samples(scores, m) for m in range(len(scores.measures))]
    tested = [[welch_t(each[a], each[b], alpha) for a, b in pairs] for each in samples]
    single = np.array([[one.p for one in row] for row in tested])
    every = adjusted(single.ravel(), adjust).reshape(single.shape)
    found = every if together else np.array([adjusted(row, adjust) for row in single])
    families = []
    for m, measure in enumerate(scores.measures):
        made = tuple(
            _pair(measure, scores.runs, samples[m], (a, b), tested[m][i], float(found[m, i]), alpha, higher[m])
            for i, (a, b) in enumerate(pairs)
        )
        sizes = ", ".join(f"{len(sample)} {run}" for sample, run in zip(samples[m], scores.runs, strict=True))
        many = found.size if together else len(pairs)
        family = Family(
            measure=measure,
            signature=_signature(scores.signatures[m], adjust, alpha, baseline),
            runs=scores.runs,
            topics=scores.topics,
            scores=scores.values[:, m].T,
            means=tuple(mean(sample) for sample in samples[m]),
            higher_is_better=higher[m],
            pairs=made,
            methods=say(
                "method",
                test=say("welch"),
                sample=say("different sessions", sizes=sizes),
                comparisons=adjusted_text(adjust, many),
                alpha=alpha_text(alpha),
            ),
            intervals=f"{100 * (1 - alpha):g} % intervals of Welch's t, each for itself",
            words="",
        )
        families.append(_told(family, pairs, baseline, alpha))
    return families


def _told(family: Family, pairs: tuple[tuple[int, int], ...], baseline: str, alpha: float) -> Family:
    family = replace(family, words=in_words(family, baseline, alpha))
    if baseline or len(family.runs) < 3:
        return family
    differ = np.zeros((len(family.runs), len(family.runs)), dtype=bool)
    for (i, j), pair in zip(pairs, family.pairs, strict=True):
        differ[i, j] = differ[j, i] = pair.significant
    return replace(family, groups=tuple(letter_groups(differ, family.best_first)))


def _samples(scores: Scores, m: int) -> list[Floats]:
    found = [np.sort(values[~np.isnan(values)]) for values in scores.values[:, m]]
    for run, sample in zip(scores.runs, found, strict=True):
        if len(sample) < 2:
            what = f"{scores.measures[m]}: {run} has {counted(len(sample), 'session')} with a score"
            raise InputError(Problem("topics-too-few", what))
    return found


def _pair(
    measure: str,
    runs: tuple[str, ...],
    samples: list[Floats],
    pair: tuple[int, int],
    tested: tuple[float, float, float, float, float],
    p: float,
    alpha: float,
    higher: bool,
) -> Pair:
    a, b = pair
    one, other = samples[a], samples[b]
    means = mean(one), mean(other)
    gap = float(rounded(np.array(means[0] - means[1])))
    relative = relative_percent(*means)
    return Pair(
        measure=measure,
        a=runs[a],
        b=runs[b],
        mean_a=means[0],
        mean_b=means[1],
        difference=means[0] - means[1],
        low=tested[3],
        high=tested[4],
        p=tested[2],
        p_adjusted=p,
        significant=p <= alpha,
        effect=cohen_d(one, other),
        hedges_g=hedges_unpaired(one, other),
        relative=relative,
        practical=practical(relative),
        wins=None,
        ties=None,
        losses=None,
        better=runs[a if (gap > 0) == higher else b] if gap else "",
        check=math.nan,
    )


def _signature(signature: str, adjust: str, alpha: float, baseline: str) -> str:
    told = [f"test:{WELCH}", "design:unpaired", f"adjust:{adjust}", *([f"baseline:{baseline}"] if baseline else [])]
    *head, version = of_means(signature).split("|")
    return "|".join([*head, *told, f"alpha:{alpha:g}", version])
