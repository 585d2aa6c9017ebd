"""Expected nDCG over the paths a user may take through a session, exactly."""

from __future__ import annotations

import numpy as np

from gaincurve.measures.grid import SessionGains
from gaincurve.model.discount import Discount
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats

_STATES = 1 << 20


def expected_ndcg(lists: SessionGains, discount: Discount, p_down: float, p_reform: float) -> Floats:
    """The expected nDCG of the documents read, over all paths, for each session.

    A user reads the first document of a list, goes on to the next with probability `p_down` until the list ends, then
    asks the next query with probability `p_reform` until the session ends. A path is worth its DCG over the DCG of an
    ideal list of the same length. Paths of one length share an ideal, so it is enough to know, for every length, how
    probable it is and how much DCG is expected with it: a few sums per rank instead of one per path.
    """
    values = np.full(lists.sessions, np.nan)
    lengths = lists.lengths
    for size in np.flatnonzero(np.bincount(lengths)).tolist():  # sessions of equal length together
        if size == 0:
            continue
        sessions = np.flatnonzero(lengths == size)
        batch = max(1, _STATES // (size * lists.choices.depth + 1))
        for begin in range(0, len(sessions), batch):
            part = sessions[begin : begin + batch]
            values[part] = _expected(lists, part, size, discount, p_down, p_reform)
    return values


def _expected(
    lists: SessionGains, sessions: Ints, size: int, discount: Discount, p_down: float, p_reform: float
) -> Floats:
    depth = lists.choices.depth
    rows = lists.offsets[sessions][:, None] + np.arange(size)
    gain = _gains(lists, rows.ravel()).reshape(len(sessions), size, depth)
    listed = lists.listed[rows]
    longest = int(listed.sum(axis=1).max(initial=0))
    weight = 1.0 / discount.divisors(longest + 1)
    place = np.arange(longest)
    topic = lists.topic[rows[:, 0]]
    best = lists.bases.at(topic[:, None], np.broadcast_to(place, (len(sessions), longest)))
    ideal = np.cumsum(best * weight[:-1], axis=1)
    reached = np.zeros((len(sessions), longest + 1))  # by number of documents read: how probable,
    gained = np.zeros_like(reached)  # and the DCG expected with it
    reached[:, 0] = 1.0
    value = np.zeros(len(sessions))
    for q in range(size):
        reached, gained = _one_list(reached, gained, gain[:, q], listed[:, q], weight, p_down)
        stops = 1.0 if q == size - 1 else 1.0 - p_reform
        worth = np.divide(gained[:, 1:], ideal, out=np.zeros_like(ideal), where=ideal > 0)
        value += stops * p_reform**q * np.cumsum(worth, axis=1)[:, -1] if longest else 0.0
    return np.where(ideal[:, -1] > 0, value, np.nan) if longest else _nothing_listed(lists, topic)


def _nothing_listed(lists: SessionGains, topic: Ints) -> Floats:
    """Sessions without any document score 0 where there is something to gain."""
    return np.where(lists.bases.at(topic, np.zeros(len(topic), dtype=np.int64)) > 0, 0.0, np.nan)


def _gains(lists: SessionGains, queries: Ints) -> Floats:
    """The gains of some queries, dense."""
    first = lists.row_offsets[queries]
    count = lists.row_offsets[queries + 1] - first
    rows = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(int(count.sum()))
    gain = np.zeros((len(queries), lists.choices.depth))
    gain[np.repeat(np.arange(len(queries)), count), lists.rank[rows] - 1] = lists.gain[rows]
    return gain


def _one_list(
    reached: Floats, gained: Floats, gain: Floats, listed: Ints, weight: Floats, p_down: float
) -> tuple[Floats, Floats]:
    """After one more list: it is read to rank r with probability p_down^(r−1), and left there or at its end."""
    longest = reached.shape[1] - 1
    left, left_with = np.zeros_like(reached), np.zeros_like(gained)
    empty = listed == 0
    left[empty], left_with[empty] = reached[empty], gained[empty]
    running = np.zeros_like(reached)  # the DCG of this list so far, by documents read before it
    for r in range(1, int(listed.max(initial=0)) + 1):
        room = longest + 1 - r  # a path with more documents before it would be longer than any there is
        running[:, :room] += gain[:, r - 1 : r] * weight[r - 1 : r - 1 + room]
        leaves = np.where(listed == r, 1.0, np.where(listed > r, 1.0 - p_down, 0.0)) * p_down ** (r - 1)
        left[:, r:] += leaves[:, None] * reached[:, :room]
        left_with[:, r:] += leaves[:, None] * (gained[:, :room] + reached[:, :room] * running[:, :room])
    return left, left_with
