"""Random experiments and settings for the page's engine: everything that can be odd about either is odd in some."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gaincurve.model.discount import FORMS
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.page.observed.runs import observe
from gaincurve.page.settings import settings_of, settled

SCALES = ((0, 1, 2, 3), (0, 1), (-2, -1, 0, 1, 2), (0, 0.5, 1, 2.5), (1, 2, 3), (0, 1, 3, 7), (-1, 0, 1), (-1.5, 2))
MEASURES = ("CG", "DCG", "nCG", "nDCG", "P", "R", "AP", "RR")
NAMES = ("bm25", "Ω-net", "a", "B", "𝔘nicode", "\uffee", "run two", "x" * 55)


@dataclass(frozen=True)
class Case:
    """An experiment, its document, and settings to try on it: each a scenario, a measure and a baseline."""

    judgments: Judgments
    runs: list[Run]
    document: dict[str, Any]
    tried: list[tuple[Scenario, str, str]]

    @property
    def settings(self) -> list[dict[str, Any]]:
        """The settings as the page has them."""
        return [settings_of(*one[:2], self.judgments.scale, one[2]) for one in self.tried]


def cases(
    seed: int, experiments: int, settings: int, topics: int = 12, runs: int = 5, shown: int = 20
) -> Iterator[Case]:
    """So many experiments with so many settings each."""
    for i in range(experiments):
        rng = random.Random(f"{seed} {i}")
        judgments, ranked = experiment(rng, topics, runs)
        fixed = {
            "ties": rng.choice(("trec", "trec-float32")),
            "ideal": rng.choice(("judged", "judged", "retrieved", "pooled")),
            "negative": rng.choice(("judged", "unjudged")),
        }
        base = Scenario().with_choices(**fixed)
        tried = [choices(rng, base, judgments, ranked) for _ in range(settings)]
        yield Case(judgments, ranked, observe(judgments, ranked, base, shown=shown).to_dict(), tried)


def experiment(rng: random.Random, most_topics: int = 12, most_runs: int = 5) -> tuple[Judgments, list[Run]]:
    """Judgments and runs over few documents, with ties, short lists, missing topics, and topics without relevance."""
    scale = rng.choice(SCALES)
    topics = [rng.choice((str(t), f"topic-{t}", f"τ{t}")) for t in range(rng.randint(3, most_topics))]
    documents = [f"d{i}" for i in range(45)]
    judged = {}
    for topic in topics:
        empty = rng.random() < 0.15
        pool = rng.sample(documents, rng.randint(1, 30))
        judged[topic] = {d: scale[0] if empty else rng.choice(scale) for d in pool}
    names = rng.sample(NAMES, rng.randint(2, most_runs))
    runs = []
    for name in names:
        lists: dict[str, dict[str, float]] = {}
        skill = rng.choice((0, 0, 1, 4))
        for topic in topics:
            if lists and rng.random() < 0.15:
                continue
            seen = rng.sample(documents, rng.randint(1, 45))
            step = rng.choice((1, 0.25, 0.0001))
            lists[topic] = {d: round(rng.gauss(skill * judged[topic].get(d, 0), 2) / step) * step for d in seen}
        runs.append(Run.of(lists, name))
    if rng.random() < 0.1:  # a twin: no difference at all
        runs[-1] = Run.of({t: runs[0].ranking_of(t) for t in runs[0].topics}, names[-1])
    return replace(Judgments.of(judged), origin="mean(judges=3)" if len(runs) == 2 else None), runs


def choices(rng: random.Random, base: Scenario, judgments: Judgments, runs: list[Run]) -> tuple[Scenario, str, str]:
    """One choice of everything that a reader may change, and of the rules that the page keeps."""
    scale = judgments.scale.tolist()
    gains: object = {grade: rng.choice((0, 0, 1, 2, 0.1, 10, 100, rng.uniform(0, 5))) for grade in scale}
    if rng.random() < 0.3:
        gains = rng.choice(("identity", "exp2", "binary", "binary(rel=2)"))
    discount = rng.choice(tuple(FORMS))
    bases = (2, 3, 5, 10, math.inf, 1.3, 2.5, 7.75)
    scenario = base.with_choices(
        gains=gains,
        discount=discount,
        base=rng.choice(bases) if FORMS[discount].based else None,
        depth=rng.choice((1, 2, 3, 5, 8, 10, 17, 30, 45, 60)),
        unjudged=rng.choice(("zero", "condensed")),
        missing=rng.choice(("zero", "zero", "skip")),
        empty=rng.choice(("undefined", "undefined", "zero")),
        points=rng.choice(("exact", "trec_eval-9", "trec_eval-10")),
    )
    name = rng.choice(MEASURES)
    rel = "" if name in MEASURES[:4] else rng.choice(("", "(rel=2)", "(rel=0.5)", "(rel=0)"))
    cut = rng.choice(("", "@3", "@12")) if name in ("AP", "RR") else ""
    baseline = rng.choice((*(run.name for run in runs), "", "", "")) if rng.random() < 0.6 else ""
    return (*settled_texts(scenario, f"{name}{rel}{cut}"), baseline)


def settled_texts(scenario: Scenario, measure: str) -> tuple[Scenario, str]:
    """Scenario and measure as the page knows them."""
    chosen, one = settled(scenario, measure)
    return chosen, one.text


def close(found: Any, wanted: Any, within: float = 1e-12) -> bool:
    """Whether numbers agree to a part of their size, or of 1 where they are smaller; undefined is undefined in both."""
    a, b = np.asarray(found, dtype=np.float64), np.asarray(wanted, dtype=np.float64)
    if a.shape != b.shape or not np.array_equal(np.isnan(a), np.isnan(b)):
        return False
    with np.errstate(invalid="ignore"):
        same = (a == b) | np.isnan(a) | (np.abs(a - b) <= within * np.maximum(1.0, np.abs(b)))
    return bool(same.all())
