"""The verb `decide`: is the order of systems settled, and which unjudged documents could still change it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np

from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.decision import Decision
from gaincurve.model.ids import Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.lists import Lists
from gaincurve.model.measure import Measure
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.deciding.case import Asked, Case
from gaincurve.verbs.deciding.verdicts import Verdicts
from gaincurve.verbs.lists import judgments_if_any, named_runs


def decide(
    judgments: object,
    runs: object,
    measure: str | Measure = "nDCG@10",
    *,
    scale: object = None,
    prior: str | Mapping[float, float] | None = None,
    stop: str = "plausible",
    confidence: float = 0.95,
    topics: str = "judged",
    seed: int = 0,
    scenario: Scenario | str = "default",
    **choices: Unpack[ScenarioChoices],
) -> Decision:
    """Whether the order of the runs can still change, and which documents to judge next.

    `judgments` may be None or {} if `scale` names the grades: '0-3', or a list. `prior` is one of `PRIORS`
    or {grade: chance}; None takes that of `compare`. Judging stops when every pair is certain, or with
    `stop='plausible'` when one is ahead with a chance of at least `confidence`.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    asked = Asked(measure, chosen, scale, prior, stop, confidence, topics, seed)
    judged = judgments_if_any(judgments)
    ranked = named_runs(runs, chosen.ties)
    return Verdicts(Case(ranked, judged, asked)).decision()


def next_of(
    runs: Sequence[Run], judgments: Judgments | None, lists: Lists, asked: Asked, from_nothing: bool
) -> tuple[Ints, Ints]:
    """The documents of `lists` to judge by topic, and the place of each in the order over all topics."""
    verdicts = Verdicts(Case(list(runs), judgments, asked, from_nothing))
    place = {document: i for i, document in enumerate(lists.named(np.arange(len(lists))))}
    order = np.array(
        [place[document] for document in verdicts.case.lists.named(verdicts.order) if document in place], dtype=np.int64
    )
    priority = np.arange(1, len(order) + 1)
    by_topic = np.lexsort((priority, lists.topic[order]))
    return order[by_topic], priority[by_topic]
