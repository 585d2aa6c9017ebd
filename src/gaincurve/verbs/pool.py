"""The verb `pool`: which documents to judge, by which method."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.ids import Ints, encode
from gaincurve.model.judgments import Judgments
from gaincurve.model.pool import Lists, Pool
from gaincurve.model.rows import Floats, nth_of
from gaincurve.model.run import Run
from gaincurve.model.source import Note, counted, examples
from gaincurve.stats import pooling
from gaincurve.verbs.decide import Asked, next_of
from gaincurve.verbs.lists import grades_of, named_runs

STRATA = "1-10:1,11-100:.2,101-1000:.05"
DEPTH = 100
ABSENT = {"zero": "counts as not relevant", "skip": "is passed over"}


Opening = Callable[[Sequence[Sequence[int]], str], pooling.Front]
"""From the lists of one topic to an order that follows answers."""


@dataclass(frozen=True)
class Method:
    """A way to choose and order documents: its rule, when it is the right one, and its known weakness."""

    name: str
    rule: str
    when: str
    weakness: str
    depth: int | None = None
    score: Callable[[Lists], Floats] | None = None
    front: Opening | None = None

    @property
    def adaptive(self) -> bool:
        """Whether the order depends on the judge's answers."""
        return self.front is not None


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "depth", "the union of the first k documents of each run, best rank first",
            "a collection for years to come",
            "large, and most of it is not relevant; k decides what new systems can find", DEPTH, pooling.by_rank,
        ),
        Method(
            "rrf", f"by Σ 1/({pooling.RRF_CONSTANT} + rank) over runs", "a fixed budget and no judge at hand yet",
            "what runs agree on comes first, so a run unlike the others is judged least",
            score=pooling.reciprocal_ranks,
        ),
        Method(
            "rbp", f"by Σ (1 − p) p^(rank − 1) over runs, p = {pooling.RBP_PATIENCE:g}".replace("0.", "."),
            "a fixed budget for measures of the first ranks",
            "below rank 20 almost nothing counts; favours what runs agree on", score=pooling.rank_biased,
        ),
        Method(
            "borda", "by Σ (size of the topic's pool − rank + 1) over runs", "a fixed budget for deep measures",
            "long lists outvote short ones; favours what runs agree on", score=pooling.borda,
        ),
        Method(
            "mtf", "move to front: the next document of the run that was wrong least often",
            "the most relevant documents for the least work",
            "biased towards the runs that do well early; needs answers",
            front=pooling.move_to_front,
        ),
        Method(
            "mm-ns", "bandit: the next document of the run whose last document was relevant",
            "the most relevant documents for the least work, where runs are uneven",
            "forgets what a run did before its last document; biased towards the runs that do well; needs answers",
            front=pooling.max_mean,
        ),
        Method(
            "decide", "by how far a document can still move the difference of two runs",
            "to know which of the given systems is better",
            "says nothing about other systems: what is judged is no sample of the collection",
        ),
        Method(
            "sample", "a random sample of each stratum of best ranks, with known probabilities",
            "unbiased estimates with intervals", "few relevant documents are found; single topics are uncertain",
        ),
    )
}  # fmt: skip
"""Every method, from which help, `ls pools` and the documentation are made."""


@dataclass(frozen=True)
class Stratum:
    """Best ranks `low` to `high`, of which the share `share` is drawn."""

    low: int
    high: int
    share: float


def relevant_of(grade: Floats, rel: float | None) -> NDArray[np.bool_]:
    """Which grades are relevant: above 0, or at least `rel`; nan, which nobody gave, never is."""
    return np.asarray(grade > 0 if rel is None else grade >= rel)


@dataclass(frozen=True, eq=False)
class Request:
    """What was asked of `pool`; `grade` is nan where nobody has judged the document of the lists."""

    lists: Lists
    method: Method
    grade: Floats
    rel: float | None = None
    budget: int | None = None
    replay: bool = False
    absent: str = "zero"
    update: str = "played"
    notes: list[Note] = field(default_factory=list)

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Which documents have an answer."""
        return ~np.isnan(self.grade)

    @property
    def relevant(self) -> NDArray[np.bool_]:
        """Which documents are relevant: grade above 0, or at least `rel`."""
        return relevant_of(self.grade, self.rel)


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
    ties: str = "trec",
    decide: Asked | None = None,
) -> Pool:
    """The documents to judge, in order; what `judgments` hold already is left out.

    `depth` cuts every run first (100 for the method depth, else nothing). `budget` is the number of documents per
    topic, `total` that over all topics. Adaptive methods (mtf, mm-ns) follow the answers in `judgments` and stop where
    one is missing: the pool is what to judge next, `budget` documents of each topic at once. With `replay` they go on:
    a document without a judgment counts as not relevant (`absent="skip"`: is passed over), and the whole order is
    returned. `rel` is the least relevant grade; without it every grade above 0 is. `decide` is what the method of this
    name needs beside runs: measure, scale, prior and rule to stop.
    """
    chosen = METHODS[one_of("--method", method, tuple(METHODS))]
    one_of("--absent", absent, tuple(ABSENT))
    one_of("--update", update, tuple(pooling.UPDATES))
    for name, number in (("--depth", depth), ("--budget", budget), ("--total", total)):
        if number is not None and number < 1:
            raise ChoiceError(Problem("choice-unknown", f"{name} cannot be {number}", hint="a number from 1"))
    ranked = named_runs(runs, ties)
    judged = None if judgments is None else Judgments.of(judgments)
    if replay and judged is None:
        raise ChoiceError(Problem("pool-answers", "a replay needs judgments"))
    parsed = _parse_strata(strata) if method == "sample" else ()
    if parsed and (budget is not None or total is not None):
        raise ChoiceError(Problem("pool-strata", "a sample cut by --budget or --total no longer has its probabilities"))
    limit = depth if depth is not None else chosen.depth
    lists = Lists.of(ranked, max(s.high for s in parsed) if parsed and depth is None else limit)
    request = Request(lists, chosen, grades_of(lists, judged), rel, budget, replay, absent, update)
    request.notes.extend(_gaps(ranked, lists))
    if parsed:
        drawn = _sampled(request, parsed, seed)
    elif chosen.front is not None:
        drawn = _adaptive(request, chosen.front)
    elif chosen.score is not None:
        drawn = _plain(request, *pooling.ordered(lists, chosen.score(lists)))
    else:
        drawn = _plain(request, *next_of(ranked, judged, lists, decide, from_nothing=replay))
    inputs = ([] if judged is None else [judged.source]) + [run.source for run in ranked]
    return replace(_cut(request, drawn, budget, total), inputs=tuple(inputs), notes=tuple(request.notes))


def _gaps(runs: Sequence[Run], lists: Lists) -> list[Note]:
    """Runs that lack topics which others have."""
    notes = []
    for run, retrieved in zip(runs, lists.retrieved, strict=True):
        missing = [lists.topics[t] for t in np.flatnonzero(retrieved == 0)]
        if missing:
            text = f"nothing for {counted(len(missing), 'topic')} that other runs have: {examples(missing)}"
            notes.append(Note("pool-topics", text, (run.name,)))
    return notes


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Documents in the order of topics and priority; a sample has strata, probabilities and what it is drawn from."""

    document: Ints
    priority: Ints
    stratum: Ints
    p: Floats
    pooled: Ints
    pooled_stratum: Ints
    skip_judged: bool = True

    @classmethod
    def plain(cls, document: Ints, priority: Ints, skip_judged: bool = True) -> _Drawn:
        ones = np.ones(len(document), dtype=np.int64)
        return cls(document, priority, ones, ones.astype(np.float64), document, ones, skip_judged)


def _plain(request: Request, document: Ints, priority: Ints) -> _Drawn:
    return _Drawn.plain(document, priority, skip_judged=not request.replay)


def _cut(request: Request, drawn: _Drawn, budget: int | None, total: int | None) -> Pool:
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


def _adaptive(request: Request, front_of: Opening) -> _Drawn:
    """What an adaptive method asks: in a replay all of it, else what comes next where answers end."""
    judged, relevant = request.judged, request.relevant
    documents: list[int] = []
    absent = 0
    most = request.budget if request.replay else (request.budget or 1)
    for rankings in request.lists.rankings().values():
        front, asked = front_of(rankings, request.update), 0
        while (question := front.ask()) is not None and (most is None or asked < most):
            run, document = question
            if request.replay and request.absent == "skip" and not judged[document]:
                front.skip(document)
                continue
            front.answer(run, document, bool(relevant[document]))
            if request.replay or not judged[document]:
                documents.append(document)
                absent += not judged[document]
                asked += 1
    if request.replay and absent:
        text = (
            f"{counted(absent, 'document')} without a judgment counted as not relevant (--absent skip passes over them)"
        )
        request.notes.append(Note("pool-absent", text))
    elif not request.replay and (most or 1) > 1:
        text = f"{most} at once: until they are judged, each counts as not relevant for the order of the next"
        request.notes.append(Note("pool-batch", text))
    order = np.array(documents, dtype=np.int64)
    return _Drawn.plain(order, nth_of(request.lists.topic[order]), skip_judged=not request.replay)


def _parse_strata(text: str) -> tuple[Stratum, ...]:
    """'1-10:1,11-100:.2' as strata; overlapping ranges and shares outside (0, 1] are refused."""
    strata = []
    for part in text.split(","):
        ranks, colon, share = part.strip().partition(":")
        low, dash, high = ranks.partition("-")
        try:
            stratum = Stratum(int(low), int(high if dash else low), float(share))
        except ValueError:
            raise _bad_strata(f"{part.strip()!r} is not RANK-RANK:SHARE") from None
        if not colon or not 1 <= stratum.low <= stratum.high:
            raise _bad_strata(f"{part.strip()!r} is not a range of ranks from 1")
        if not 0 < stratum.share <= 1:
            raise _bad_strata(f"the share {share} of ranks {ranks} is not above 0 and at most 1")
        strata.append(stratum)
    for before, after in zip(
        sorted(strata, key=lambda s: s.low), sorted(strata, key=lambda s: s.low)[1:], strict=False
    ):
        if after.low <= before.high:
            raise _bad_strata(f"ranks {before.low}-{before.high} and {after.low}-{after.high} overlap")
    return tuple(strata)


def _bad_strata(what: str) -> ChoiceError:
    return ChoiceError(Problem("pool-strata", what))


def _sampled(request: Request, strata: Sequence[Stratum], seed: int) -> _Drawn:
    """A stratified sample of each topic, drawn apart, so that another topic changes nothing."""
    if request.replay:
        raise ChoiceError(Problem("pool-answers", "a sample has no order to replay"))
    lists = request.lists
    stratum = np.zeros(len(lists), dtype=np.int64)
    for number, part in enumerate(strata, start=1):
        stratum[(lists.best >= part.low) & (lists.best <= part.high)] = number
    if outside := int((stratum == 0).sum()):
        text = f"{counted(outside, 'document')} outside all strata, not in the pool"
        request.notes.append(Note("pool-outside", text))
    documents, shares = [], []
    for topic, (start, stop) in enumerate(zip(lists.offsets[:-1], lists.offsets[1:], strict=True)):
        random = np.random.Generator(np.random.PCG64([seed, int.from_bytes(encode(lists.topics[topic]))]))
        for number, part in enumerate(strata, start=1):
            members = start + np.flatnonzero(stratum[start:stop] == number)
            if len(members):
                size = pooling.drawn_from(len(members), part.share)
                documents.append(np.sort(random.choice(members, size=size, replace=False)))
                shares.append(np.full(size, size / len(members)))
    document = np.concatenate(documents) if documents else np.zeros(0, dtype=np.int64)
    p = np.concatenate(shares) if shares else np.zeros(0)
    order = np.lexsort((lists.first[document], lists.best[document], stratum[document], lists.topic[document]))
    document, p = document[order], p[order]
    pooled = np.flatnonzero(stratum > 0)
    return _Drawn(document, nth_of(lists.topic[document]), stratum[document], p, pooled, stratum[pooled])


def replay_curves(
    runs: object,
    judgments: object,
    *,
    depth: int | None = None,
    budget: int | None = None,
    rel: float | None = None,
    absent: str = "zero",
) -> Mapping[str, tuple[Floats, int]]:
    """For every method with an order: relevant documents found after 1, 2, … documents judged of each topic.

    Beside each curve the number of relevant documents in all lists.
    """
    ranked, judged = named_runs(runs), Judgments.of(judgments)
    orders = {name: (name, "played") for name in METHODS if name != "sample"}
    orders["mm-ns holding"] = ("mm-ns", "holding")
    curves: dict[str, tuple[Floats, int]] = {}
    for label, (method, update) in orders.items():
        result = pool(
            ranked,
            judged,
            method=method,
            update=update,
            depth=depth,
            budget=budget,
            replay=True,
            rel=rel,
            absent=absent,
        )
        relevant = relevant_of(result.grade, rel)
        nth = nth_of(result.topic.astype(np.int32))
        found = np.cumsum(np.bincount(nth, weights=relevant[result.document], minlength=1)).astype(np.float64)
        curves[label] = (found, int(relevant.sum()))
    return curves
