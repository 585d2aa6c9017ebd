"""What a sample says: who was drawn how, and what a machine says of everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ids, Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import places
from gaincurve.model.matches import look_up
from gaincurve.model.rows import Floats, Rows
from gaincurve.model.sampling import NOT_SAMPLED
from gaincurve.model.source import Note, counted, examples, grouped
from gaincurve.stats.samples import Design, stands_higher

TOLERANCE = 1e-3
"""A probability written in a file may be rounded so far."""
FAR = 4.0
"""If drawn at random, labelled documents stand this many standard deviations above others three times in 100 000."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Documents of a `pool`, some of them drawn and judged.

    `rows` are the drawn documents' rows in the pool, in the order of the `design`, and `grade` what the judges said of
    them. `machine` is what the machine says of every row of the pool. `assumed`: nobody knows that it is a sample.
    """

    pool: Judgments
    rows: Ints
    grade: Floats
    design: Design
    machine: Floats | None = None
    assumed: bool = False
    notes: tuple[Note, ...] = ()


def sample_of(judgments: Judgments, machine: Judgments | None = None, assume_random: bool = False) -> Sample:
    """The sample that judgments are, with the machine's labels beside it."""
    if judgments.sampling is None:
        if not assume_random or machine is None:
            what = "the judgments do not say how their documents were chosen"
            hint = "" if machine is None else "--assume-random says that they were drawn at random, and is signed"
            raise InputError(Problem("judgments-no-sample", what, judgments.source.path, hint))
        return _assumed(judgments, machine)
    drawn = np.flatnonzero(judgments.grades > NOT_SAMPLED)
    if not len(drawn):
        raise InputError(Problem("judgments-no-sample", "nothing of the pool was judged", judgments.source.path))
    design = _design(judgments, drawn)
    if machine is None or len(drawn) < len(judgments):
        pool, rows = judgments, drawn
    else:
        pool, rows = _over_machine(judgments, machine, drawn)
    labels, notes = (None, ()) if machine is None else _labels(pool, machine)
    return Sample(pool, rows, judgments.grades[drawn], design, labels, notes=notes)


def _design(judgments: Judgments, drawn: Ints) -> Design:
    """Strata if they are named; a p without strata means that each document was drawn by itself."""
    sampling, strata, topics = judgments.sampling, judgments.strata, len(judgments.topics)
    topic = judgments.topic[drawn]
    if strata is None or sampling is None or sampling.stratum is None:
        p = np.ones(len(drawn)) if sampling is None or sampling.p is None else sampling.p[drawn]
        return Design(topics, topic, p)
    stratum, count = strata.stratum[drawn], strata.count
    owner = np.zeros(count, dtype=np.int64)
    owner[strata.stratum] = judgments.topic
    size = np.bincount(strata.stratum, minlength=count).astype(np.float64)
    number = np.bincount(stratum, minlength=count)
    listed = np.ones(count, dtype=bool)
    if sampling.p is not None:
        p = np.ones(count)
        p[stratum] = sampling.p[drawn]
        listed = (number < size) | (p == 1)
        _refuse_other_p(judgments, drawn, np.where(listed & (number > 0), number / size, p)[stratum])
        size = np.where(listed, size, number / p)
    return Design.of_strata(topics, topic, stratum, size, owner, listed)


def _refuse_other_p(judgments: Judgments, drawn: Ints, share: Floats) -> None:
    """Where the pool is listed, p must be the share of each stratum that was judged."""
    if judgments.sampling is None or judgments.sampling.p is None:
        return
    p = judgments.sampling.p[drawn]
    wrong = np.flatnonzero(np.abs(p - share) > TOLERANCE)

    def problem(i: int) -> Problem:
        row = int(drawn[i])
        topic, document = judgments.topics[judgments.topic[row]], judgments.documents[row]
        what = f"topic {topic}, document {document}: p is {p[i]:g}, but {share[i]:.4g} of its stratum was judged"
        return Problem("judgments-strata", what, judgments.source.path, "judge all that was drawn, or leave out p")

    if len(wrong):
        raise InputError.each(wrong.tolist(), problem)


def refuse_not_drawn(sample: Sample) -> None:
    """Refuse strata of which nothing was judged."""
    design, strata, sampling = sample.design, sample.pool.strata, sample.pool.sampling
    if design.strata is None or strata is None or sampling is None or sampling.stratum is None:
        return
    empty = strata.not_sampled()
    if len(empty):
        pairs = [(sampling.stratum[i], sample.pool.topics[sample.pool.topic[i]]) for i in empty.tolist()]
        names = examples([f"stratum {stratum} of topic {topic}" for stratum, topic in pairs])
        raise InputError(Problem("judgments-stratum-empty", f"nothing was sampled of {names}", sample.pool.source.path))


def _assumed(judgments: Judgments, machine: Judgments) -> Sample:
    """Judgments taken for a random sample of what the machine labelled, topic by topic."""
    drawn = np.flatnonzero(judgments.grades >= 0)
    pool, rows = _over_machine(judgments, machine, drawn)
    labels, notes = _labels(pool, machine)
    topics = len(pool.topics)
    size = np.bincount(pool.topic, minlength=topics).astype(np.float64)
    design = Design.of_strata(
        topics, pool.topic[rows], pool.topic[rows].astype(np.int64), size, np.arange(topics), np.ones(topics, bool)
    )
    return Sample(pool, rows, judgments.grades[drawn], design, labels, True, notes)


def _over_machine(judgments: Judgments, machine: Judgments, drawn: Ints) -> tuple[Judgments, Ints]:
    """A pool of all documents that the machine labelled for the judged topics, and the rows of the drawn ones in it."""
    base = places(Ids.from_texts(machine.topics), Ids.from_texts(judgments.topics))
    rows = np.flatnonzero(base[machine.topic] >= 0)
    rows = rows[np.argsort(base[machine.topic[rows]], kind="stable")]
    documents = machine.documents.take(rows)
    topic = base[machine.topic[rows]].astype(np.int32)
    labelled = Rows(
        topics=judgments.topics,
        topic=topic,
        documents=documents,
        values=np.full(len(rows), NOT_SAMPLED),
        place=lambda i: f"{machine.source.path}, document {documents[i]}",
        path=judgments.source.path,
        format=judgments.source.format,
        sha256=judgments.source.sha256,
        p=np.ones(len(rows)),
    )
    pool = Judgments.from_rows(labelled)
    own = np.arange(len(judgments.topics), dtype=np.int32)
    answered, place = look_up(pool, judgments.keys[drawn], judgments.topic[drawn], judgments.documents.take(drawn), own)
    if len(answered) < len(drawn):
        lacking = np.setdiff1d(np.arange(len(drawn)), answered)
        _refuse_unlabelled(judgments, drawn[lacking], machine)
    drawn_at = np.empty(len(drawn), dtype=np.int64)
    drawn_at[answered] = place
    grades = labelled.values.copy()
    grades[drawn_at] = judgments.grades[drawn]
    return Judgments.from_rows(replace(labelled, values=grades)), drawn_at


def _labels(pool: Judgments, machine: Judgments) -> tuple[Floats, tuple[Note, ...]]:
    """The machine's label of every document of the pool; one without is refused, with the count."""
    base = places(Ids.from_texts(pool.topics), Ids.from_texts(machine.topics)).astype(np.int32)
    labelled, place = look_up(machine, pool.keys, pool.topic, pool.documents, base)
    labels = np.full(len(pool), np.nan)
    labels[labelled] = machine.grades[place]
    labels[labels < 0] = np.nan  # tools that label write −1 where they have no answer
    unlabelled = np.flatnonzero(np.isnan(labels))
    if len(unlabelled):
        _refuse_unlabelled(pool, unlabelled, machine)
    beyond = len(machine) - len(labelled)
    text = f"{counted(beyond, 'machine label')} of documents outside the pool not used"
    return labels, (Note("labels-outside", text),) if beyond else ()


def _refuse_unlabelled(judgments: Judgments, rows: Ints, machine: Judgments) -> None:
    pairs = [(judgments.topics[judgments.topic[i]], judgments.documents[i]) for i in rows[:3].tolist()]
    names = examples([f"{document} of topic {topic}" for topic, document in pairs])
    more = f" and {grouped(len(rows) - 3)} more" if len(rows) > 3 else ""
    verb = "has" if len(rows) == 1 else "have"
    what = f"{counted(len(rows), 'document')} of the pool {verb} no machine label: {names}{more}"
    raise InputError(Problem("labels-missing", what, machine.source.path))


def check_chance(sample: Sample, runs: Sequence[Graded]) -> tuple[Note, ...]:
    """Whether the judged documents stand no higher in the runs than others of their stratum.

    Labels of the tops of a pool are refused where the user assumes a random sample; a declared one gets a note.
    """
    pool, best = sample.pool, np.full(len(sample.pool), np.inf)
    for run in runs:
        np.minimum.at(best, run.judgment, run.rank)
    labelled = np.zeros(len(pool), dtype=bool)
    labelled[sample.rows] = True
    group = pool.topic.astype(np.int64) if pool.strata is None else pool.strata.stratum
    far = stands_higher(group, best, labelled)
    if far <= FAR:
        return ()
    what = f"the judged documents rank higher in these runs than chance allows ({far:.1f} standard deviations)"
    if sample.assumed:
        raise InputError(Problem("labels-of-tops", what, pool.source.path))
    return (Note("sample-not-random", f"{what}: if they were not drawn at random, the estimates are wrong"),)
