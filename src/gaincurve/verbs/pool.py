"""The verb `pool`: which documents to judge, by which method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.ids import Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.lists import Lists
from gaincurve.model.measure import Measure
from gaincurve.model.pool import Pool
from gaincurve.model.rows import nth_of
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import Note, counted, examples
from gaincurve.stats import pooling
from gaincurve.stats.copies import copies
from gaincurve.verbs.decide import next_of
from gaincurve.verbs.deciding.case import Asked
from gaincurve.verbs.lists import grades_of, named_runs
from gaincurve.verbs.pools.adaptive import adaptive
from gaincurve.verbs.pools.drawn import Drawn, Request
from gaincurve.verbs.pools.methods import METHODS
from gaincurve.verbs.pools.sample import STRATA, parse_strata, sampled

ABSENT = {"zero": "counts as not relevant", "skip": "is passed over"}


def pool(
    runs: object,
    judgments: object = None,
    *,
    method: str = "depth",
    depth: int | None = None,
    budget: int | None = None,
    total: int | None = None,
    replay: bool = False,
    absent: str = "zero",
    rel: float | None = None,
    update: str = "played",
    strata: str = STRATA,
    seed: int = 0,
    measure: str | Measure = "nDCG@10",
    scale: object = None,
    stop: str = "plausible",
    scenario: Scenario | str = "default",
    texts: Mapping[str, str] | None = None,
) -> Pool:
    """The documents to judge, in order; what `judgments` hold already is left out.

    `depth` cuts every run first (100 for the method depth, else nothing). `budget` is the number of documents per
    topic, `total` that over all topics. Adaptive methods (mtf, mm-ns) follow the answers in `judgments` and stop where
    one is missing: the pool is what to judge next, `budget` documents of each topic at once. With `replay` they go on:
    a document without a judgment counts as not relevant (`absent="skip"`: is passed over), and the whole order is
    returned. `rel` is the least relevant grade; without it every grade above 0 is. `measure`, `scale` and `stop` are
    those of `gc.decide`, for the method of this name, about all topics of the runs. Of the `scenario` every method
    takes the rule for ties. With `texts` of documents, copies within a topic are flagged.
    """
    chosen = METHODS[one_of("--method", method, tuple(METHODS))]
    one_of("--absent", absent, tuple(ABSENT))
    one_of("--update", update, tuple(pooling.UPDATES))
    for name, number in (("--depth", depth), ("--budget", budget), ("--total", total)):
        if number is not None and number < 1:
            raise ChoiceError(Problem("choice-unknown", f"{name} cannot be {number}", hint="a number from 1"))
    chosen_scenario = Scenario.of(scenario)
    ranked = named_runs(runs, chosen_scenario.ties)
    judged = None if judgments is None else Judgments.of(judgments)
    if replay and judged is None:
        raise ChoiceError(Problem("pool-answers", "a replay needs judgments"))
    parsed = parse_strata(strata) if method == "sample" else ()
    if parsed and (budget is not None or total is not None):
        raise ChoiceError(Problem("pool-strata", "a sample cut by --budget or --total no longer has its probabilities"))
    limit = depth if depth is not None else chosen.depth
    lists = Lists.of(ranked, max(s.high for s in parsed) if parsed and depth is None else limit)
    request = Request(lists, chosen, grades_of(lists, judged), rel, budget, replay, absent, update)
    request.notes.extend(_gaps(ranked, lists))
    if parsed:
        drawn = sampled(request, parsed, seed)
    elif chosen.front is not None:
        drawn = adaptive(request, chosen.front)
    elif chosen.score is not None:
        drawn = _plain(request, *pooling.ordered(lists, chosen.score(lists)))
    else:
        asked = Asked(measure, chosen_scenario, scale, stop=stop, topics="all")
        drawn = _plain(request, *next_of(ranked, judged, lists, asked, from_nothing=replay))
    inputs = ([] if judged is None else [judged.source]) + [run.source for run in ranked]
    result = _cut(request, drawn, budget, total)
    copied = {} if texts is None else _copies(request, result, texts)
    return replace(result, inputs=tuple(inputs), notes=tuple(request.notes), copies=copied)


def _copies(request: Request, drawn: Pool, texts: Mapping[str, str]) -> dict[int, int]:
    """The documents whose text is that of an earlier one of the topic, and which."""
    names = list(drawn.lists.documents.take(drawn.document))
    copied: dict[int, int] = {}
    for topic in np.unique(drawn.topic):
        places = [i for i in np.flatnonzero(drawn.topic == topic).tolist() if names[i] in texts]
        for place, original in zip(places, copies([texts[names[i]] for i in places]), strict=True):
            if original is not None:
                copied[place] = places[original]
    without = sum(name not in texts for name in names)
    missing = f"; {counted(without, 'document')} without a text" if without else ""
    if copied or without:
        text = f"{counted(len(copied), 'document')} with the text of another, exactly or nearly (copy_of){missing}"
        request.notes.append(Note("pool-copies", text))
    return copied


def _gaps(runs: Sequence[Run], lists: Lists) -> list[Note]:
    """Runs that lack topics which others have."""
    notes = []
    for run, retrieved in zip(runs, lists.retrieved, strict=True):
        missing = [lists.topics[t] for t in np.flatnonzero(retrieved == 0)]
        if missing:
            text = f"nothing for {counted(len(missing), 'topic')} that other runs have: {examples(missing)}"
            notes.append(Note("pool-topics", text, (run.name,)))
    return notes


def _plain(request: Request, document: Ints, priority: Ints) -> Drawn:
    return Drawn.plain(document, priority, skip_judged=not request.replay)


def _cut(request: Request, drawn: Drawn, budget: int | None, total: int | None) -> Pool:
    """The first `budget` of each topic and `total` in all, without what is judged."""
    lists = request.lists
    stays = np.ones(len(drawn.document), dtype=bool)
    topic = lists.topic[drawn.document]
    if budget is not None:
        stays &= nth_of(topic) <= budget
        small = np.bincount(topic, minlength=len(lists.topics))
        fewer = [lists.topics[t] for t in np.flatnonzero(small < budget)]
        if fewer and not request.method.adaptive:
            text = f"the budget of {budget} is above the pool of {counted(len(fewer), 'topic')}: {examples(fewer)}"
            request.notes.append(Note("pool-budget", text))
    if total is not None:
        rows = np.flatnonzero(stays)
        if total > len(rows):
            text = f"the total of {total} is above the pool of {counted(len(rows), 'document')}"
            request.notes.append(Note("pool-budget", text))
        first = rows[np.lexsort((topic[rows], drawn.priority[rows]))][:total]
        stays[:] = False
        stays[first] = True
    known = request.judged[drawn.document] & drawn.skip_judged
    rows = np.flatnonzero(stays & ~known)
    priority = drawn.priority[rows] if request.method.name == "decide" else nth_of(topic[rows])
    return Pool(
        lists=lists,
        method=request.method.name,
        document=drawn.document[rows],
        priority=priority,
        stratum=drawn.stratum[rows],
        p=drawn.p[rows],
        grade=request.grade,
        pooled=drawn.pooled,
        pooled_stratum=drawn.pooled_stratum,
        left_out=int((stays & known).sum()),
        drawn=drawn.document,
    )
