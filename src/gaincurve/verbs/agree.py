"""The verb `agree`: two judges, or human and machine: do they grade alike, and do they order systems alike?"""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.model.agreement import Agreement, Orders
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.comparison import Comparison
from gaincurve.model.given import kept
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.source import Note, counted, examples
from gaincurve.stats.judges import cohen_kappa, cross_table, krippendorff_alpha
from gaincurve.stats.orders import kendall_tau, rank_biased_overlap, tau_ap
from gaincurve.verbs.compare import compare, few_topics, summary_notes
from gaincurve.verbs.evaluate import asked_measures, score_topics
from gaincurve.verbs.experiment import Experiment, each_run, experiment, refuse_names_twice


def agree(
    first: object,
    second: object,
    runs: object = None,
    measure: str | Measure = "nDCG@10",
    *,
    alpha: float = 0.05,
    seed: int = 0,
    scenario: Scenario | str = "default",
    **choices: Unpack[ScenarioChoices],
) -> Agreement:
    """How far two sets of judgments agree: on the documents both judged and, given runs, on the order of systems.

    Judgments, runs and choices are those of `evaluate`.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    first_judged, second_judged = Judgments.of(first), Judgments.of(second)
    if runs is None:
        return agree_graded(first_judged, second_judged)
    pairs = [(name, kept(run)) for name, run in each_run(runs)]  # each is read twice
    refuse_names_twice(((name, name) for name, _ in pairs), "runs")
    sides = [experiment(judged, dict(pairs), chosen) for judged in (first_judged, second_judged)]
    return agree_graded(
        first_judged, second_judged, (sides[0], sides[1]), parse_measure(str(measure)), chosen, alpha, seed
    )


def agree_graded(
    first: Judgments,
    second: Judgments,
    graded: tuple[Experiment, Experiment] | None = None,
    measure: Measure | None = None,
    scenario: Scenario | None = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> Agreement:
    """The same from judgments and from runs that are already graded by both."""
    first_grades, second_grades = shared_grades(first, second)
    scale, counts = cross_table(first_grades, second_grades)
    ratings = np.array([first_grades, second_grades])
    orders, notes = None, [*first.notes, *second.notes]
    if graded is not None and measure is not None and scenario is not None:
        orders, order_notes = _orders(graded, measure, scenario, alpha, seed)
        notes += order_notes
    return Agreement(
        names=_names(first.source.path, second.source.path),
        scale=scale,
        counts=counts,
        only_first=len(first) - len(first_grades),
        only_second=len(second) - len(first_grades),
        kappa=cohen_kappa(counts),
        kappa_linear=cohen_kappa(counts, "linear"),
        kappa_quadratic=cohen_kappa(counts, "quadratic"),
        alpha_nominal=krippendorff_alpha(ratings, "nominal"),
        alpha_ordinal=krippendorff_alpha(ratings, "ordinal"),
        alpha_interval=krippendorff_alpha(ratings, "interval"),
        orders=orders,
        inputs=(first.source, second.source, *(run.source for run in (graded[0].runs if graded else ()))),
        notes=tuple(dict.fromkeys(notes)),
    )


def _names(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first != second else ("the first", "the second")


def shared_grades(first: Judgments, second: Judgments) -> tuple[Floats, Floats]:
    """The grades of both for every topic and document that both have judged."""
    table = second.keys[second.key_order]
    position = np.minimum(np.searchsorted(table, first.keys), len(table) - 1)
    row = np.flatnonzero(table[position] == first.keys)
    other = second.key_order[position[row]]
    names = {topic: i for i, topic in enumerate(second.topics)}
    place = np.array([names.get(topic, -1) for topic in first.topics])
    same = place[first.topic[row]] == second.topic[other]  # equal keys are checked, not trusted
    same &= first.documents.take(row).same(second.documents.take(other))
    row, other = row[same], other[same]
    if not len(row):
        theirs = f"{examples(list(first.topics))} and {examples(list(second.topics))}"
        what = f"no document is judged for the same topic in both; topics: {theirs}"
        raise InputError(Problem("judgments-disjoint", what, f"{first.source.path} and {second.source.path}"))
    return first.grades[row], second.grades[other]


def _orders(
    graded: tuple[Experiment, Experiment], measure: Measure, scenario: Scenario, alpha: float, seed: int
) -> tuple[Orders, list[Note]]:
    asked = asked_measures([measure], scenario)
    if len(graded[0].runs) < 2:
        raise InputError(Problem("runs-too-few", f"one run, {graded[0].names[0]}, has no order"))
    both_scores = [score_topics(side, asked, scenario) for side in graded]
    topics = _defined(both_scores[0]) & _defined(both_scores[1])
    sides = [_only(scores, topics) for scores in both_scores]
    if len(topics) < 2:
        what = f"{counted(len(topics), 'topic')} with a score under both sets of judgments"
        raise InputError(Problem("topics-too-few", what))
    comparisons = [compare(scores, alpha=alpha, seed=seed) for scores in sides]
    name = asked[0].text
    first, second = (np.array(comparison.families[0].means) for comparison in comparisons)
    sign = -1 if asked[0].lower_is_better else 1
    runs = graded[0].names
    lists = [[runs[r] for r in comparison.families[0].best_first] for comparison in comparisons]
    both, first_only, second_only, conflict = _verdicts(comparisons[0], comparisons[1])
    orders = Orders(
        measure=name,
        runs=runs,
        topics=len(topics),
        first=tuple(first.tolist()),
        second=tuple(second.tolist()),
        tau_b=kendall_tau(first, second),
        tau_ap=tau_ap(sign * first, sign * second),
        rbo=rank_biased_overlap(lists[0], lists[1]),
        both=both,
        first_only=first_only,
        second_only=second_only,
        conflict=conflict,
        signatures=(comparisons[0].families[0].signature, comparisons[1].families[0].signature),
        higher_is_better=sign > 0,
    )
    left_out = len(set(both_scores[0].topics) | set(both_scores[1].topics)) - len(topics)
    text = f"{counted(left_out, 'topic')} without a score under both sets of judgments left out of the order"
    notes = [*summary_notes(sides[0], 0), *few_topics(asked[0], len(topics), sides[0].kind)]
    return orders, [*notes, Note("topics-aligned", text)] if left_out else notes


def _defined(scores: Scores) -> set[str]:
    known = np.flatnonzero(~np.isnan(scores.values).any(axis=(0, 1)))
    return {scores.topics[t] for t in known}


def _only(scores: Scores, topics: set[str]) -> Scores:
    places = [t for t, topic in enumerate(scores.topics) if topic in topics]
    return replace(
        scores, units=tuple(scores.topics[t] for t in places), values=scores.values[:, :, places], low=None, high=None
    )


def _verdicts(first: Comparison, second: Comparison) -> tuple[int, int, int, int]:
    both = first_only = second_only = conflict = 0
    for a, b in zip(first.pairs, second.pairs, strict=True):
        if a.significant and b.significant:
            both += a.better == b.better
            conflict += a.better != b.better
        else:
            first_only += a.significant
            second_only += b.significant
    return both, first_only, second_only, conflict
