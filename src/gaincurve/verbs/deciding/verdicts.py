"""Verdicts on all pairs of a case, and the documents whose grades can still change them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gaincurve.errors import one_of
from gaincurve.model.decision import Deciding, Decision, Next
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats
from gaincurve.model.signature import sign
from gaincurve.model.source import Note, counted, examples
from gaincurve.model.standing import ENOUGH
from gaincurve.stats.judging import (
    DRAWS,
    Open,
    as_judged,
    can_matter,
    ends_by_topic,
    least_that_decides,
    plausible,
    worst_case,
)
from gaincurve.verbs.deciding.case import STOPS, Case
from gaincurve.verbs.linear import SHOWN


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Each pair of a case bounded, and what to judge next."""

    case: Case

    def deciding(self, a: int, b: int) -> Deciding:
        """One pair: its ends, whether it is certain, and its chance."""
        pair = self.case.pair(a, b)
        worst, low_high, seen = worst_case(pair), ends_by_topic(pair), as_judged(pair)
        order = most_telling(np.abs(pair.weight), pair.topic)
        order = order[can_matter(pair)[order]]
        p = float(worst.low > 0) if worst.certain else self.chance(a, b, pair, float(seen.sum()))
        matter = len(order) if not worst.certain else 0
        return Deciding(
            a=self.case.runs[a].name,
            b=self.case.runs[b].name,
            difference=float(seen.sum()) / len(seen),
            low=worst.low,
            high=worst.high,
            certain=worst.certain,
            p=p,
            unjudged=len(pair.weight),
            matter=matter,
            expected=0 if worst.certain else least_that_decides(pair, order),
            by_topic=tuple(zip(self.case.topics, seen.tolist(), *(side.tolist() for side in low_high), strict=True)),
        )

    def chance(self, a: int, b: int, pair: Open, lead: float) -> float:
        """P that a is ahead, drawn in the order of `compare`: topics by id, documents by rank in the list ahead."""
        sign, (ahead, behind) = (-1, (b, a)) if lead < 0 else (1, (a, b))
        by_id = np.array(sorted(range(len(self.case.topics)), key=self.case.topics.__getitem__), dtype=np.int64)
        topic, ranks = np.argsort(by_id)[pair.topic], self.case.lists.ranks(SHOWN + 1)
        documents = self.case.shown_open(a, b)
        order = np.lexsort((ranks[behind, documents], ranks[ahead, documents], topic))
        p = plausible(
            replace(
                pair,
                judged=sign * pair.judged[by_id],
                topic=topic[order],
                weight=sign * pair.weight[order],
                prior=pair.prior if pair.prior.ndim == 1 else pair.prior[order],
                known=None if pair.known is None else pair.known[by_id],
            ),
            self.case.asked.seed,
        )
        return p if sign > 0 else 1 - p

    @cached_property
    def pairs(self) -> tuple[Deciding, ...]:
        """Every pair of runs, in their order."""
        one_of("--stop", self.case.asked.stop, tuple(STOPS))
        return tuple(self.deciding(a, b) for a, b in itertools.combinations(range(len(self.case.runs)), 2))

    @cached_property
    def moves(self) -> Floats:
        """By document, how far its grade can move the mean difference of the sums of a pair that is not decided.

        nan where it cannot move any; 0 where it moves only the ideal.
        """
        most = np.full(len(self.case.lists), np.nan)
        gains = self.case.linear.gains(self.case.scale)
        for (a, b), pair in zip(itertools.combinations(range(len(self.case.runs)), 2), self.pairs, strict=True):
            if self.case.from_nothing or not pair.decided(self.case.asked.stop, self.case.asked.confidence):
                opened = self.case.pair(a, b)
                documents = self.case.shown_open(a, b)[can_matter(opened)]
                apart = np.abs(self.case.weights[a, documents] - self.case.weights[b, documents])
                most[documents] = np.fmax(most[documents], apart)
        return most * float(np.ptp(gains)) / len(self.case.topics)

    @cached_property
    def order(self) -> Ints:
        """The documents to judge, the most decisive first; equal ones by topic, then id."""
        documents = np.flatnonzero(~np.isnan(self.moves))
        moves = self.moves[documents] * len(self.case.topics)
        return documents[most_telling(moves, self.case.lists.topic[documents].astype(np.int64))]

    def decision(self) -> Decision:
        """All pairs, and the documents to judge next."""
        ids, moves = self.case.lists.documents.take(self.order), self.moves[self.order]
        names = [self.case.topics[t] for t in self.case.lists.topic[self.order].tolist()]
        facts = {"judgments": self.case.judgments and self.case.judgments.origin, "topics": len(self.case.topics)}
        signature = sign(self.case.measure, self.case.scenario, self.case.scale, **facts)
        drawn = {} if self.case.linear.ideal is None else {"draws": DRAWS, "seed": self.case.asked.seed}
        return Decision(
            pairs=self.pairs,
            next=tuple(Next(t, d, m) for t, d, m in zip(names, ids, moves.tolist(), strict=True)),
            signature=signature.but(prior=self.case.prior_name, **drawn),
            scale=tuple(self.case.scale.tolist()),
            stop=self.case.asked.stop,
            confidence=self.case.asked.confidence,
            inputs=(
                *([] if self.case.judgments is None else [self.case.judgments.source]),
                *(run.source for run in self.case.runs),
            ),
            notes=tuple(self._notes()),
        )

    def _notes(self) -> list[Note]:
        judgments, topics, linear = self.case.judgments, self.case.topics, self.case.linear
        judged = {*topics, *(() if judgments is None else judgments.topics)}
        left = list(dict.fromkeys(t for run in self.case.runs for t in run.topics if t not in judged))
        notes = list(() if judgments is None else judgments.notes)
        if linear.ideal is not None and judgments is not None:
            gain = linear.gains(judgments.grades)
            some = {judgments.topics[t] for t in np.unique(judgments.topic[gain > 0]).tolist()}
            empty = [topic for topic in topics if topic not in some]
            if empty:
                text = f"{counted(len(empty), 'topic')} with nothing to gain so far count as 0 here: {examples(empty)}"
                notes.append(Note("topics-empty", text))
        if judgments is not None and not self.case.from_nothing:
            notes += self._few_judged()
        if left:
            text = f"{counted(len(left), 'topic')} without judgments left out: {examples(left)}; --topics all adds them"
            notes.append(Note("topics-unjudged", text))
        return notes

    def _few_judged(self) -> list[Note]:
        """Runs of whose documents above the cutoff so few are judged that P rests on little."""
        shown = self.case.weights != 0
        judged = (shown & ~np.isnan(self.case.grade)).sum(axis=1) / np.maximum(1, shown.sum(axis=1))
        few = [(run.name, share) for run, share in zip(self.case.runs, judged.tolist(), strict=True) if share < ENOUGH]
        text = "of what it shows above the cutoff is judged; P takes the rest to be like the judged documents"
        return [Note("few-judged", f"{share:.1%} {text}", (name,)) for name, share in few]


def most_telling(moves: Floats, topic: Ints) -> Ints:
    """Largest first, then by topic, then by id: documents come in that order."""
    return np.lexsort((np.arange(len(moves)), topic, -np.round(moves, 9)))
