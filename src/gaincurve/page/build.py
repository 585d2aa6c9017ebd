"""A page from its inputs: every number on it computed by the same verbs as everywhere else, then laid out as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gaincurve._version import __version__
from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.comparison import Comparison
from gaincurve.model.measure import Measure
from gaincurve.model.sampling import VOTES
from gaincurve.model.scenario import SCENARIOS
from gaincurve.model.scores import Scores
from gaincurve.model.sentences import say
from gaincurve.model.source import Note, Source, counted
from gaincurve.model.wording import joined
from gaincurve.page.alone import build_alone
from gaincurve.page.charts import chart_specs
from gaincurve.page.content import Leaderboard, Page
from gaincurve.page.document_texts import best_ranks, shrinking, texts_by_id
from gaincurve.page.facts import beside, cut, gain_curves
from gaincurve.page.health import health_of
from gaincurve.page.inputs.runs import PageInputs
from gaincurve.page.labels import visible
from gaincurve.page.leaderboard import leaderboard_of, leaderboard_untested, pair_rows, pairs_caption, verdict_untested
from gaincurve.page.observed.runs import SHOWN
from gaincurve.page.packing import Packed, fit
from gaincurve.page.panels import panels
from gaincurve.page.provenance import provenance_of, signature_parts
from gaincurve.page.settings import settings_of
from gaincurve.page.users import users
from gaincurve.page.written import written
from gaincurve.verbs.compare import compare
from gaincurve.verbs.experiment import undefined_notes
from gaincurve.verbs.score import score

ALPHA = 0.05

SMALL, LARGE = 1_480_000, 7_900_000
"""The most bytes of a page of 50 topics × 5 runs, and of one of 1 000 × 10; other limits lie between."""
_LISTS = (50 * 5, 1000 * 10)

_USER = ("gains", "discount", "depth", "unjudged")
"""The choices that the controls change, and the words about the scenario name."""

STEPS = ("scoring", "comparing", "looking at the judgments", "packing what was observed", "writing")
"""The steps that take time, in order."""


def build(inputs: PageInputs, step: Callable[[str], None] = lambda _: None) -> tuple[Page, tuple[Note, ...]]:
    """Everything on the page but what was observed, which is packed once it is known how much room there is."""
    if not inputs.runs and inputs.sessions is not None:
        return build_alone(inputs, inputs.sessions, ALPHA, _dark(), step)
    step(STEPS[0])
    scores = _scores(inputs)
    step(STEPS[1])
    compared = _compared(inputs, scores)
    step(STEPS[2])
    health = health_of(
        inputs.judgments,
        inputs.runs,
        inputs.plain.runs,
        inputs.graded.runs,
        inputs.labels,
        inputs.scenario,
        inputs.measure,
    )
    if inputs.judgments.origin == VOTES:
        what = "a report is read as if somebody had judged, and systems voted for these documents"
        raise ChoiceError(Problem("report-choices", what, inputs.judgments.source.path, "see `gaincurve votes`"))
    settings = settings_of(inputs.scenario, inputs.measure, inputs.judgments.scale, inputs.baseline, ALPHA)
    family = None if compared is None else compared.families[0]
    in_leaderboard = _only(scores, 1 + len(beside(inputs.measure.name)))
    of_sessions = () if inputs.sessions is None else inputs.sessions.scores.signatures
    page = Page(
        title=visible(inputs.title) or _title(inputs),
        summary=_summary(inputs),
        scenario=_scenario(inputs),
        verdict=verdict_untested(scores, ALPHA) if family is None else family.words,
        signature=signature_parts(scores.signatures[0] if family is None else family.signature),
        leaderboard=_leaderboard(in_leaderboard, compared),
        pairs=() if compared is None else pair_rows(compared),
        pairs_caption="" if compared is None else pairs_caption(compared),
        health=health,
        provenance=provenance_of(inputs.command, scores, compared, _inputs(inputs), of_sessions),
        notes=(),
        panels=panels(len(inputs.runs), inputs.sessions is not None),
        settings=settings,
        scenarios=users(inputs.scenario, inputs.measure, inputs.judgments.scale, inputs.baseline),
        charts=_charts(inputs),
        dark=_dark(),
        observed="",
        version=__version__,
        extra={"alpha": ALPHA, "titled": bool(visible(inputs.title)), "written": compared and written(compared)},
    )
    return page, _notes(inputs, scores, compared)


def most_bytes(topics: int, runs: int) -> int:
    """The most bytes of a page of this many topics and runs."""
    share = (topics * runs - _LISTS[0]) / (_LISTS[1] - _LISTS[0])
    return SMALL + round((LARGE - SMALL) * min(1.0, max(0.0, share)))


def _scores(inputs: PageInputs) -> Scores:
    """Every measure of the tables, runs by their labels."""
    scores = score(inputs.graded, _measures(inputs), inputs.scenario)
    return replace(scores, runs=tuple(inputs.labels))


def _measures(inputs: PageInputs) -> list[Measure]:
    """The primary measure first, then those beside it in the leaderboard, then those of the curves."""
    primary = inputs.measure
    relevant = {key: value for key, value in primary.parameters if key == "rel"}
    others = (name for name in (*beside(primary.name), *gain_curves()) if name != primary.name)
    return [primary, *(cut(name, inputs.scenario.depth, relevant) for name in dict.fromkeys(others))]


def _only(scores: Scores, measures: int) -> Scores:
    """The first few measures of some scores."""
    return scores.of(*scores.measures[:measures])


def _leaderboard(scores: Scores, compared: Comparison | None) -> Leaderboard:
    return leaderboard_untested(scores, ALPHA) if compared is None else leaderboard_of(scores, compared)


def _compared(inputs: PageInputs, scores: Scores) -> Comparison | None:
    """The test on topics that all runs have: by default what the engine in the page computes too, t with Holm.

    None where there is nothing to test: with one run, or with fewer than two topics that all of them have.
    """
    common = (~np.isnan(scores.values[:, 0])).all(axis=0).sum()
    if len(inputs.runs) < 2 or common < 2:
        return None
    base = None
    if inputs.baseline:
        base = inputs.labels[[run.name for run in inputs.runs].index(inputs.baseline)]
    return compare(_only(scores, 1), inputs.test, baseline=base, alpha=ALPHA)


def _notes(inputs: PageInputs, scores: Scores, compared: Comparison | None) -> tuple[Note, ...]:
    """Each note once, without those about a secondary measure that is undefined: the tables show that."""
    others = undefined_notes(inputs.graded.runs, list(scores.values[:, 1:]), _measures(inputs)[1:], inputs.scenario)
    shown = [note for note in (compared or scores).notes if note not in others]
    return tuple(dict.fromkeys((*shown, *inputs.notes)))


def _title(inputs: PageInputs) -> str:
    return say("heading", measure=inputs.measure, runs=joined(inputs.labels))


def _summary(inputs: PageInputs) -> str:
    return f"{counted(len(inputs.runs), 'run')} on {inputs.judgments.describe()}."


def _scenario(inputs: PageInputs) -> str:
    """The user in words; a named scenario with single choices replaced is not called what it no longer is."""
    chosen = inputs.scenario
    named = SCENARIOS.get(chosen.name, chosen)
    if named.depth is None:
        named = named.with_choices(depth=chosen.depth)
    if any(getattr(named, choice) != getattr(chosen, choice) for choice in _USER):
        rest = f", unjudged {chosen.unjudged}" if chosen.unjudged != "zero" else ""
        changes = f"gains {chosen.gains}, discount {chosen.discount}, cutoff {chosen.depth}{rest}"
        return say("scenario changed", name=visible(chosen.name), changes=changes)
    about = visible(chosen.about)
    return say("scenario about" if about else "scenario", name=visible(chosen.name), about=about)


def _inputs(inputs: PageInputs) -> list[tuple[str, Source]]:
    runs = [("run", run.source) for run in inputs.runs]
    return [("judgments", inputs.judgments.source), *runs, *inputs.read]


def _charts(inputs: PageInputs) -> dict[str, dict[str, Any]]:
    systems = () if inputs.sessions is None else inputs.sessions.labels
    judged = inputs.judgments
    return chart_specs(inputs.labels, systems, scale=judged.scale.tolist(), topics=len(judged.topics))


def _dark() -> dict[str, str]:
    from gaincurve.figures.style import DARK  # noqa: PLC0415 -- an extra

    return dict(DARK)


def pack_inputs(inputs: PageInputs, room: int) -> Packed:
    """What was observed, in at most `room` bytes, with as many texts of documents as there is room for.

    Texts are kept apart from the lists, by document: one that is returned for many topics is written once.
    """
    sessions = {} if inputs.sessions is None else {"sessions": inputs.sessions.observed()}

    def packed(texts: Mapping[str, str]) -> Packed:
        return fit(
            inputs.judgments,
            inputs.runs,
            inputs.scenario,
            graded=inputs.plain.runs,
            budget=room,
            topic_texts=inputs.topics,
            shown=SHOWN if inputs.runs else 0,
            extra={**sessions, **texts_by_id(texts)},
        )

    bare = packed({})
    if not inputs.documents or not bare.shown:
        return bare
    ranks = best_ranks(inputs.judgments, inputs.runs, bare.shown)
    for texts, last in shrinking(inputs.documents, ranks, room - len(bare.text)):
        with_texts = packed(texts) if texts else bare
        if (with_texts.shown, with_texts.reach) == (bare.shown, bare.reach):
            missing = len(inputs.documents) - len(texts)
            return with_texts.noting(_left_out(missing, last)) if missing else with_texts
    return bare


def _left_out(texts: int, last: int) -> Note:
    """Which texts there was no room for."""
    seen = f"only the documents of ranks 1 to {last} have" if last else "no document has"
    return Note("report-size", f"to keep the page small {seen} a text; {counted(texts, 'text')} left out")
