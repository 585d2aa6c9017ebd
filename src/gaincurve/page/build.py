"""A page from its material: every number on it computed by the same verbs as everywhere else, then laid out as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gaincurve._version import __version__
from gaincurve.measures.notation import make_measure
from gaincurve.model.comparison import Comparison
from gaincurve.model.scores import Scores
from gaincurve.model.source import Note, Source, counted
from gaincurve.model.wording import joined
from gaincurve.page.charts import chart_specs
from gaincurve.page.content import Page
from gaincurve.page.health import health_of
from gaincurve.page.league import league_of, league_untested, pair_rows, pairs_caption, verdict_untested
from gaincurve.page.material import Material
from gaincurve.page.packing import Packed, fit
from gaincurve.page.panels import panels
from gaincurve.page.provenance import provenance_of
from gaincurve.page.settings import settings_of
from gaincurve.page.shown_texts import best_ranks, shrinking, texts_by_id
from gaincurve.page.texts import visible
from gaincurve.page.users import users
from gaincurve.verbs.compare import compare
from gaincurve.verbs.evaluate import score

ALPHA = 0.05
CURVES = ("CG", "DCG", "nCG", "nDCG")
WHOLE, BINARY = ("AP", "RR"), ("P", "R", "AP", "RR")
BESIDE = ("nDCG", "AP", "RR", "P", "R")
"""Measures that stand beside the primary one in the league."""

SMALL, LARGE = 1_480_000, 7_900_000
"""So many bytes has a page of 50 topics × 5 runs, and of 1 000 × 10, at most; others lie between."""
_LISTS = (50 * 5, 1000 * 10)

STEPS = ("scoring", "comparing", "looking at the judgments", "packing what was observed", "writing")
"""What takes time, in its order."""


@dataclass(frozen=True, eq=False)
class Built:
    """A page before what was observed is put in, and what remains to be done."""

    page: Page
    notes: tuple[Note, ...]


def build(material: Material, step: Callable[[str], None] = lambda _: None) -> Built:
    """Everything on the page but what was observed, which `filled` puts in once it is known how much room there is."""
    step(STEPS[0])
    scores = _scores(material)
    step(STEPS[1])
    compared = _compared(material, scores)
    step(STEPS[2])
    health = health_of(
        material.judgments,
        material.runs,
        material.plain.runs,
        material.labels,
        material.scenario,
        material.measure,
    )
    settings = settings_of(material.scenario, material.measure, material.judgments.scale, material.baseline, ALPHA)
    family = None if compared is None else compared.families[0]
    beside = _beside(scores)
    signed = () if material.sessions is None else material.sessions.signatures
    page = Page(
        title=visible(material.title) or _title(material),
        summary=_summary(material),
        verdict=verdict_untested(scores, ALPHA) if family is None else family.words,
        signature=str(scores.signatures[0] if family is None else family.signature),
        league=league_untested(beside, ALPHA) if compared is None else league_of(beside, compared),
        pairs=() if compared is None else pair_rows(compared),
        pairs_caption="" if compared is None else pairs_caption(compared),
        health=health,
        provenance=provenance_of(material.command, scores, compared, _inputs(material), signed),
        notes=(),
        panels=panels(len(material.runs), material.sessions is not None),
        settings=settings,
        scenarios=users(material.scenario, material.measure, material.judgments.scale, material.baseline),
        charts=_charts(material),
        dark=_dark(),
        observed="",
        version=__version__,
        extra={"alpha": ALPHA},
    )
    return Built(page, _notes(material, scores, compared))


def filled(built: Built, material: Material, around: int) -> tuple[Page, tuple[Note, ...]]:
    """The page with what was observed, in the room left by the `around` bytes of everything else."""
    budget = most_bytes(len(material.judgments.topics), len(material.runs)) - around
    packed, more = _packed(material, budget)
    notes = (*built.notes, *packed.notes, *more)
    return replace(built.page, observed=packed.text, notes=tuple(note.sentence() for note in notes)), notes


def most_bytes(topics: int, runs: int) -> int:
    """How large a page of so many topics and runs may be."""
    share = (topics * runs - _LISTS[0]) / (_LISTS[1] - _LISTS[0])
    return SMALL + round((LARGE - SMALL) * min(1.0, max(0.0, share)))


def _scores(material: Material) -> Scores:
    """The primary measure first, then those beside it in the league, then those of the curves."""
    depth = material.scenario.depth
    asked = [material.measure]
    relevant = {key: value for key, value in material.measure.parameters if key == "rel"}
    for name in (*BESIDE, *CURVES):
        if name != material.measure.name:
            own = relevant if name in BINARY else {}
            asked.append(make_measure(name, own, None if name in WHOLE else depth))
    found = score(material.graded, list(dict.fromkeys(asked)), material.scenario)
    return replace(found, runs=tuple(material.labels))


def _only(scores: Scores, measures: int) -> Scores:
    """The first few measures of some scores."""
    return scores.of(*scores.measures[:measures])


def _beside(scores: Scores) -> Scores:
    """The primary measure and those beside it."""
    return _only(scores, 1 + sum(measure.name in BESIDE for measure in scores.measures[1:]))


def _compared(material: Material, scores: Scores) -> Comparison | None:
    """What the engine in the page computes too: paired t on topics that all runs have, adjusted by Holm.

    None where there is nothing to test: with one run, or with fewer than two topics that all of them have.
    """
    common = (~np.isnan(scores.values[:, 0])).all(axis=0).sum()
    if len(material.runs) < 2 or common < 2:
        return None
    base = None
    if material.baseline:
        base = material.labels[[run.name for run in material.runs].index(material.baseline)]
    return compare(_only(scores, 1), "t", baseline=base, alpha=ALPHA)


def _notes(material: Material, scores: Scores, compared: Comparison | None) -> tuple[Note, ...]:
    """Each note once; where only a measure beside the primary one is undefined, the tables show it."""
    others = tuple(f"{text}: undefined" for text in scores.measures[1:])
    told = [note for note in (compared or scores).notes if not note.text.startswith(others)]
    return tuple(dict.fromkeys((*told, *material.notes)))


def _title(material: Material) -> str:
    return f"{material.measure.text}: {joined(material.labels)}"


def _summary(material: Material) -> str:
    judged = material.judgments
    about = f"{counted(len(material.runs), 'run')} on {judged.describe()}"
    scenario = f"Scenario {material.scenario.name}"
    told = f"{scenario}: {material.scenario.about}" if material.scenario.about else scenario
    return f"{about}. {visible(told)}."


def _inputs(material: Material) -> list[tuple[str, Source]]:
    runs = [("run", run.source) for run in material.runs]
    return [("judgments", material.judgments.source), *runs, *material.read]


def _charts(material: Material) -> dict[str, dict[str, Any]]:
    systems = () if material.sessions is None else material.sessions.labels
    judged = material.judgments
    return chart_specs(material.labels, systems, scale=judged.scale.tolist(), topics=len(judged.topics))


def _dark() -> dict[str, str]:
    from gaincurve.figures.style import DARK  # noqa: PLC0415 -- an extra

    return dict(DARK)


def _packed(material: Material, budget: int) -> tuple[Packed, tuple[Note, ...]]:
    """What was observed, with as many texts of documents as there is room for.

    Texts stand beside the lists, by document: one that is returned for many topics is written once.
    """
    sessions = {} if material.sessions is None else {"sessions": material.sessions.observed()}

    def packed(texts: Mapping[str, str]) -> Packed:
        return fit(
            material.judgments,
            material.runs,
            material.scenario,
            budget=budget,
            topic_texts=material.topics,
            extra={**sessions, **texts_by_id(texts)},
        )

    bare = packed({})
    if not material.documents or not bare.shown:
        return bare, ()
    ranks = best_ranks(material.judgments, material.runs, bare.shown)
    for texts, cut in shrinking(material.documents, ranks, budget - len(bare.text)):
        found = packed(texts) if texts else bare
        if (found.shown, found.reach) == (bare.shown, bare.reach):
            missing = len(material.documents) - len(texts)
            seen = f"only the documents of ranks 1 to {cut} have" if cut else "no document has"
            text = f"to keep the page small {seen} a text; {counted(missing, 'text')} left out"
            return found, (Note("report-size", text),) if missing else ()
    return bare, ()
