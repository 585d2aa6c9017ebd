"""Sessions laid out as grids: one row per query, one column per rank, some sessions at a time.

Nothing here loops over sessions. A grid holds at most about `CELLS` cells, so that memory does not grow with the number
of sessions, and sums run in query and rank order, so that a session has the same bits alone and among a million.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.recall import RecallBase
from gaincurve.model.rows import Floats, add_by, offsets_of
from gaincurve.model.sessions.rules import SessionRules

CELLS = 1 << 19


@dataclass(frozen=True)
class SessionChoices:
    """Everything that decides a session's number; `depth` is X."""

    gains: Gains
    discount: Discount
    depth: int
    rules: SessionRules


@dataclass(frozen=True, eq=False)
class Bases:
    """The gains of each judged topic, highest first: topic t's begin at `starts[t]`."""

    gain: Floats
    starts: Ints

    @classmethod
    def of(cls, base: RecallBase, gains: Gains, topics: int) -> Bases:
        """The recall bases under a gain scheme."""
        gain = gains.of_grades(base.grade)
        order = np.lexsort((-gain, base.topic))
        return cls(gain[order], offsets_of(base.topic, topics))

    def at(self, topic: NDArray[np.integer], place: NDArray[np.integer]) -> Floats:
        """The gain at a place (0 is the best) of a topic's base; 0 beyond its end and where there is no topic."""
        row = self.starts[topic] + place
        inside = (topic >= 0) & (row < self.starts[topic + 1])
        return np.where(inside, self.gain[np.where(inside, row, 0)], 0.0) if len(self.gain) else np.zeros(row.shape)


@dataclass(frozen=True, eq=False)
class SessionGains:
    """What a system's sessions gained under some choices: queries that count, how wide each is, and their gains."""

    session: NDArray[np.int32]
    position: Ints
    topic: NDArray[np.int32]
    width: Ints
    listed: Ints
    offsets: Ints
    query: Ints
    rank: Ints
    gain: Floats
    judgment: Ints
    row_offsets: Ints
    bases: Bases
    choices: SessionChoices

    @property
    def sessions(self) -> int:
        """How many sessions there are."""
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Ints:
        """The queries of each session that count."""
        return np.diff(self.offsets)

    def grids(self) -> Iterator[Grid]:
        """All sessions, some at a time."""
        per_session = np.maximum(self.lengths, self.choices.rules.queries) * self.choices.depth
        ends = np.cumsum(per_session)
        start = 0
        while start < self.sessions:
            reach = (ends[start - 1] if start else 0) + CELLS
            stop = max(start + 1, int(np.searchsorted(ends, reach, side="right")))
            yield Grid.of(self, start, stop)
            start = stop


def session_gains(run: Graded, gains: Gains, discount: Discount, depth: int, rules: SessionRules) -> SessionGains:
    """Cut lists at the depth, drop what the rules leave out, and turn grades into gains."""
    if run.spread and (rules.repeats == "first" or run.kept):
        rule = "repeats='first'" if rules.repeats == "first" else "duplicates 'seen'"
        what = f"which of two tied documents comes first is not known: {rule} has no value under ties 'average'"
        raise ChoiceError(Problem("measure-no-ties", what))
    choices = SessionChoices(gains, discount, depth, rules)
    counts = run.retrieved > 0 if rules.empty_lists == "skip" else np.ones(run.lists, dtype=bool)
    place = np.cumsum(counts) - 1
    session = run.units.unit[counts]
    offsets = offsets_of(session, len(run.units))
    reach = _reach(run, depth, rules.scan)[counts]
    listed = np.minimum(run.retrieved[counts], reach)
    rows = np.flatnonzero(counts[run.list])
    gain = gains.of_grades(run.grade[rows])
    query, rank, judgment = place[run.list[rows]], run.rank[rows], run.judgment[rows]
    if run.spread:
        query, rank, gain, judgment = _shared(query, run.first[rows], run.last[rows], gain, judgment)
    read = rank <= reach[query]
    query, rank, gain, judgment = query[read], rank[read], gain[read], judgment[read]
    if run.kept:  # a list may hold a document twice: it gains where it stands first
        fresh = _first_time(query.astype(np.int32), judgment)
        query, rank, gain, judgment = query[fresh], rank[fresh], gain[fresh], judgment[fresh]
    if rules.repeats == "first":
        fresh = _first_time(session[query], judgment)
        query, rank, gain, judgment = query[fresh], rank[fresh], gain[fresh], judgment[fresh]
    return SessionGains(
        session=session,
        position=np.arange(len(session)) - offsets[session] + 1,
        topic=run.base[counts],
        width=reach if rules.least is None else np.clip(listed, np.minimum(rules.least, reach), None),
        listed=listed,
        offsets=offsets,
        query=query,
        rank=rank,
        gain=gain,
        judgment=judgment,
        row_offsets=np.searchsorted(query, np.arange(len(session) + 1)),
        bases=Bases.of(run.judgments.recall_base, gains, len(run.judgments.topics)),
        choices=choices,
    )


def _reach(run: Graded, depth: int, scan: str) -> Ints:
    """How deep each list is read: X, or less where that was observed."""
    whole = np.full(run.lists, depth, dtype=np.int64)
    seen = {"observed": run.units.scanned, "clicks": run.units.clicked}.get(scan)
    if seen is None:
        return whole
    known = seen >= 0 if scan == "observed" else seen > 0
    return np.where(known, np.minimum(seen, whole), whole)


def _shared(query: Ints, first: Ints, last: Ints, gain: Floats, judgment: Ints) -> tuple[Ints, Ints, Floats, Ints]:
    """Rows whose gains are shared evenly among the ranks of their tied blocks, those on one rank added up."""
    size = last - first + 1
    row = np.repeat(np.arange(len(size)), size)
    rank = first[row] + np.arange(len(row)) - np.repeat(np.cumsum(size) - size, size)
    order = np.lexsort((rank, query[row]))
    row, rank = row[order], rank[order]
    new = np.ones(len(row), dtype=bool)
    new[1:] = (query[row][1:] != query[row][:-1]) | (rank[1:] != rank[:-1])
    cell = (np.cumsum(new) - 1).astype(np.int32)
    shared = add_by(cell, (gain / size)[row], int(new.sum()))
    return query[row][new], rank[new], shared, judgment[row][new]


def _first_time(session: NDArray[np.int32], judgment: Ints) -> NDArray[np.bool_]:
    """Whether a session (or a list) holds a judged document for the first time; rows come in reading order."""
    order = np.lexsort((np.arange(len(session)), judgment, session))
    again = (session[order][1:] == session[order][:-1]) & (judgment[order][1:] == judgment[order][:-1])
    fresh = np.ones(len(session), dtype=bool)
    fresh[order[1:][again]] = False
    return fresh


@dataclass(frozen=True, eq=False)
class Grid:
    """Some sessions as dense arrays. Rows are their queries, followed in each session by those the horizon adds.

    `ranks` are those the discount sees; cells beyond a query's `width` hold nothing and are not `open`.
    """

    start: int
    stop: int
    session: Ints
    position: Ints
    issued: NDArray[np.bool_]
    topic: Ints
    width: Ints
    lengths: Ints
    offsets: Ints
    gain: Floats
    bases: Bases
    choices: SessionChoices

    @classmethod
    def of(cls, gained: SessionGains, start: int, stop: int) -> Grid:
        """The sessions start … stop−1."""
        first, last = int(gained.offsets[start]), int(gained.offsets[stop])
        lengths = gained.lengths[start:stop]
        whole = np.maximum(lengths, gained.choices.rules.queries)
        offsets = np.concatenate([[0], np.cumsum(whole)])
        session = np.repeat(np.arange(stop - start), whole)
        position = np.arange(len(session)) - offsets[session] + 1
        issued = position <= lengths[session]
        query = gained.offsets[start:stop][session] + np.minimum(position, np.maximum(lengths[session], 1)) - 1
        query = np.minimum(query, max(0, len(gained.topic) - 1))
        depth = gained.choices.depth
        gain = np.zeros((len(session), depth))
        rows = slice(int(gained.row_offsets[first]), int(gained.row_offsets[last]))
        row_of = np.flatnonzero(issued)
        gain[row_of[gained.query[rows] - first], gained.rank[rows] - 1] = gained.gain[rows]
        return cls(
            start=start,
            stop=stop,
            session=session,
            position=position,
            issued=issued,
            topic=np.where(lengths[session] > 0, gained.topic[query], -1)
            if len(gained.topic)
            else np.full(len(query), -1),
            width=np.where(issued, gained.width[query], depth) if len(gained.width) else np.full(len(query), depth),
            lengths=lengths,
            offsets=offsets,
            gain=gain,
            bases=gained.bases,
            choices=gained.choices,
        )

    @property
    def sessions(self) -> int:
        """How many sessions this grid holds."""
        return self.stop - self.start

    @property
    def open(self) -> NDArray[np.bool_]:
        """Cells that are read: ranks up to each query's width."""
        return np.arange(self.choices.depth) < self.width[:, None]

    @property
    def entering(self) -> NDArray[np.bool_]:
        """The queries that enter a mean over queries: those judged, or all where the others count as 0."""
        return (self.topic >= 0) | (self.choices.rules.unjudged_queries == "zero")

    @property
    def query_weight(self) -> Floats:
        """c(q) of each row."""
        longest = int(self.position.max(initial=1))
        weight: Floats = 1.0 / self.choices.rules.query_discount.divisors(longest)
        return weight[self.position - 1]

    @property
    def rank_weight(self) -> Floats:
        """d(rank) of each cell, 0 beyond the width; ranks begin anew with each query, or run on through the session."""
        depth = self.choices.depth
        if self.choices.rules.rank_scope == "query":
            weight: Floats = 1.0 / self.choices.discount.divisors(depth)
            return np.where(self.open, weight, 0.0)
        before = np.cumsum(self.width) - self.width
        before = before - before[self.offsets[self.session]]
        rank = before[:, None] + np.arange(depth)
        weight = 1.0 / self.choices.discount.divisors(int(rank.max(initial=0)) + 1)
        return np.where(self.open, weight[rank], 0.0)

    def own(self, gain: Floats) -> Floats:
        """DCG_q[r] of every query by rank, before the query discount."""
        return np.cumsum(gain * self.rank_weight, axis=1)

    def cumulated(self, own: Floats) -> Floats:
        """S[(q−1)X + r]: all of the earlier queries and this one up to rank r, each discounted by its position."""
        weight = self.query_weight
        whole = weight * own[:, -1]
        before = np.zeros(len(whole))
        first_rows = self.offsets[:-1]
        running = np.zeros(self.sessions)
        sizes = np.diff(self.offsets)
        for position in range(int(sizes.max(initial=0))):  # all sessions at once, each added in its order
            sessions = np.flatnonzero(sizes > position)
            rows = first_rows[sessions] + position
            before[rows] = running[sessions]
            running[sessions] += whole[rows]
        return before[:, None] + weight[:, None] * own

    def best_list(self) -> Floats:
        """The gains of each query's own ideal list."""
        place = np.broadcast_to(np.arange(self.choices.depth), self.gain.shape)
        return np.where(self.open, self.bases.at(self.topic[:, None], place), 0.0)

    def ideal(self) -> Floats:
        """The gains of the ideal session, as the rule says."""
        rule = self.choices.rules.ideal
        if rule == "repeat":
            return self.best_list()
        group = self._group()
        if rule == "spread":
            return self._spread(group)
        return self._bound(group)

    def _group(self) -> Ints:
        """A number for each (session, topic): documents are shared out among the queries on one topic."""
        order = np.lexsort((self.position, self.topic, self.session))
        new = np.ones(len(order), dtype=bool)
        same = self.session[order][1:] == self.session[order][:-1]
        new[1:] = ~(same & (self.topic[order][1:] == self.topic[order][:-1]))
        group = np.empty(len(order), dtype=np.int64)
        group[order] = np.cumsum(new) - 1
        return group

    def _spread(self, group: Ints) -> Floats:
        if not len(group):
            return np.zeros(self.gain.shape)
        order = np.argsort(group, kind="stable")  # rows of a group stay in query order
        width = self.width[order]
        running = np.cumsum(width) - width
        first = np.concatenate([[0], np.flatnonzero(np.diff(group[order])) + 1])
        taken = np.empty(len(order), dtype=np.int64)
        taken[order] = running - np.repeat(running[first], np.diff([*first, len(order)]))
        place = taken[:, None] + np.arange(self.choices.depth)
        return np.where(self.open, self.bases.at(self.topic[:, None], place), 0.0)

    def _bound(self, group: Ints) -> Floats:
        weight = (self.query_weight[:, None] * self.rank_weight).ravel()
        cells = np.flatnonzero(self.open.ravel())
        owner = np.repeat(group, self.choices.depth)[cells]
        order = cells[np.lexsort((cells, -weight[cells], owner))]
        owner = np.repeat(group, self.choices.depth)[order]
        first = np.concatenate([[0], np.flatnonzero(np.diff(owner)) + 1]) if len(owner) else np.zeros(0, dtype=np.int64)
        place = np.arange(len(order)) - np.repeat(first, np.diff([*first, len(order)]))
        gains = np.zeros(len(weight))
        gains[order] = self.bases.at(np.repeat(self.topic, self.choices.depth)[order], place)
        return gains.reshape(self.gain.shape)

    def last_rows(self) -> Ints:
        """The last row of each session, including those the horizon adds."""
        return self.offsets[1:] - 1

    def at_end(self, values: Floats) -> Floats:
        """The value each session ends with; 0 where it has no queries."""
        empty = np.diff(self.offsets) == 0
        return np.where(empty, 0.0, values[np.where(empty, 0, self.last_rows()), -1] if len(values) else 0.0)

    def mean_of_open(self, values: Floats, defined: NDArray[np.bool_]) -> Floats:
        """The mean over a session's open cells where the value is defined, added in order; nan where there is none.

        The cells of queries that are not judged count as the rule for them says.
        """
        used = self.open & defined & self.entering[:, None]
        by_row = np.cumsum(np.where(used, values, 0.0), axis=1)[:, -1] if len(values) else np.zeros(0)
        total = np.bincount(self.session, weights=by_row, minlength=self.sessions)
        cells = np.bincount(self.session, weights=used.sum(axis=1), minlength=self.sessions)
        return ratio(total.astype(np.float64), cells.astype(np.float64))


def ratio(actual: Floats, ideal: Floats) -> Floats:
    """actual/ideal, nan where there is no ideal."""
    shares: Floats = np.divide(actual, ideal, out=np.full(np.shape(actual), np.nan), where=ideal > 0)
    return shares
