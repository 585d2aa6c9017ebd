"""Ids that do not match although they may mean the same: how many would after which change of spelling.

Ids are compared byte by byte, so `D1` is not `d1`. Where nothing matches, or less than could be expected, `spellings`
has the changes that are tried on both sides. No number changes by it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gaincurve.model.ids import Ids, Ints
from gaincurve.model.rows import AT_A_TIME
from gaincurve.model.source import counted, grouped, shorten

if TYPE_CHECKING:
    from gaincurve.model.judgments import Judgments

FEW = 0.1
"""Less than this share of what could match does: fewer than one in ten judged documents is what a broken join looks
like, and what hardly any system reaches on judgments that were made for its collection."""

EXPECTED = 5.0
"""A kind of id (its length, its case, its alphabet) that never matches is looked at if so many were to be expected:
under independence the chance to see none is below 1%."""

ENOUGH = 20
"""Where so many judged documents could have been retrieved, a system that retrieves none of them has other ids."""

MOST_ROWS = 1_000_000
Listed = Callable[[], tuple[Ints, list[str]]]
"""The documents listed for judged topics: the topic's number and the id of each, asked for only where it is needed."""


@dataclass(frozen=True)
class Join:
    """A change of spelling under which ids match that do not as they are: `how` says which, `joined` how many."""

    how: str
    joined: int


@dataclass(frozen=True)
class Stray:
    """What was seen of a system of whose documents none, or surprisingly few, are judged.

    `listed` documents were looked at, `matched` of them are judged, at most `possible` could be. `join` is what would
    join more. `elsewhere` says how many are judged for another topic, `alike` whether the ids look like judged ones.
    """

    listed: int
    matched: int
    join: Join | None
    elsewhere: int
    alike: bool
    possible: int
    judged: str
    retrieved: str

    def is_strange(self, others_match: bool) -> bool:
        """Whether the ids are not those of the judges: nothing matches, or most would if they were spelt otherwise.

        Ids that look like the judged ones, or are judged for other topics, may well be of the same collection: where
        the system's neighbours match, or fewer than `ENOUGH` documents could have matched, that is taken as likely.
        """
        if self.join is not None and self.join.joined >= self.matched:
            return True
        if self.matched:
            return False
        if not (self.alike or self.elsewhere):
            return True
        return self.possible >= ENOUGH and not others_match

    @property
    def slug(self) -> str:
        """The slug of the note that is enough where the system is not refused."""
        if not self.matched:
            return "documents-unmatched"
        return "documents-few" if self.join is None else "documents-spelling"

    def sentence(self) -> str:
        """'0 of 5 000 documents match; 4 980 match after lower-casing (judged: …; retrieved: …)'."""
        more = ""
        if self.join is not None:
            further = "" if not self.matched else " more"
            more = f"; {grouped(self.join.joined)}{further} match after {self.join.how}"
        elif self.elsewhere:
            more = f"; {grouped(self.elsewhere)} are judged for other topics"
        share = f" ({100 * self.matched / self.listed:.1f}%)" if self.matched and self.join is None else ""
        ids = f"judged ids: {self.judged}; retrieved: {self.retrieved}"
        return f"{grouped(self.matched)} of {counted(self.listed, 'document')} match{share}{more} ({ids})"


def stray(
    judgments: Judgments, base: NDArray[np.integer], retrieved: Ints, judgment: Ints, listed: Listed
) -> Stray | None:
    """A look at a system's ids, if fewer documents are judged than could be expected; else None.

    By list: its judged topic `base` and how many documents were `retrieved`; `judgment` are the rows that matched.
    """
    reached = np.bincount(base[base >= 0], weights=retrieved[base >= 0], minlength=len(judgments.topics))
    if not reached.any():
        return None
    matched = np.zeros(len(judgments), dtype=bool)
    matched[judgment] = True
    possible = np.minimum(reached, np.diff(judgments.offsets)).sum()
    few = matched.sum() < FEW * possible
    if not few and not _kind_never_matches(judgments, reached > 0, matched):
        return None
    from gaincurve.model.spellings import SAMPLE, alike, best_join, simple_join  # noqa: PLC0415 -- hardly ever needed

    topic, texts = listed()
    topic, texts = topic[:MOST_ROWS], texts[:MOST_ROWS]
    seen, unmatched = np.flatnonzero(matched), np.flatnonzero((reached > 0)[judgments.topic] & ~matched)
    exact = set(_pairs(judgments, seen))
    rows = [pair for pair in zip(topic.tolist(), texts, strict=True) if pair not in exact]
    join = (simple_join if len(seen) else best_join)(rows, _pairs(judgments, unmatched))
    if join is None and not few:
        return None
    everywhere = set(judgments.documents.texts()) if not len(seen) else set()
    return Stray(
        listed=len(texts),
        matched=len(texts) - len(rows),
        join=None if join is None else Join(*join),
        elsewhere=sum(text in everywhere for _, text in rows),
        alike=alike(judgments.documents.take(slice(0, SAMPLE)).texts(), texts[:SAMPLE]),
        possible=int(possible),
        judged=", ".join(shorten(text) for text in judgments.documents.take(slice(0, 3)).texts()),
        retrieved=", ".join(shorten(text) for text in texts[:3]),
    )


def _pairs(judgments: Judgments, rows: Ints) -> list[tuple[int, str]]:
    """Topic and document of some judgments."""
    return list(zip(judgments.topic[rows].tolist(), judgments.documents.take(rows).texts(), strict=True))


def join_of_names(theirs: Sequence[str], ours: Sequence[str]) -> Join | None:
    """The spelling that joins names which do not match as they are."""
    from gaincurve.model.spellings import best_join  # noqa: PLC0415 -- hardly ever needed

    join = best_join([(0, name) for name in theirs], [(0, name) for name in ours])
    return None if join is None else Join(*join)


def rows_of_ids(base: NDArray[np.integer], owner: NDArray[np.integer], documents: Ids) -> tuple[Ints, list[str]]:
    """The documents of judged topics as text; row i stands in list owner[i]."""
    topic = base[owner]
    rows = np.flatnonzero(topic >= 0)[:MOST_ROWS]
    return topic[rows].astype(np.int64), documents.take(rows).texts()


_UPPER, _LOWER, _OTHER = 1, 2, 4
_KINDS = np.zeros(256, dtype=np.uint8)
_KINDS[ord("A") : ord("Z") + 1] = _UPPER
_KINDS[ord("a") : ord("z") + 1] = _LOWER
_KINDS[128:] = _OTHER


def _kinds(documents: Ids) -> NDArray[np.uint8] | None:
    """Which kinds of letters each id has; None if no id has any."""
    if documents.buffer.max() < ord("A"):
        return None
    spans = np.stack([documents.starts, documents.starts + documents.lengths], axis=1).ravel()
    kinds: NDArray[np.uint8] = np.bitwise_or.reduceat(_KINDS[documents.buffer], spans)[::2]
    return kinds


def _kind_never_matches(judgments: Judgments, answered: NDArray[np.bool_], matched: NDArray[np.bool_]) -> bool:
    """Whether one kind of judged id was never retrieved although others were, more often than chance allows."""
    documents = judgments.documents
    kinds = _kinds(documents)
    asked = answered[judgments.topic]
    rate = int(matched.sum()) / max(1, int(asked.sum()))
    kinds_of_letters = () if kinds is None else ((kinds & _UPPER) > 0, (kinds & _LOWER) > 0)
    if kinds is not None:
        beyond_ascii = (kinds & _OTHER) > 0
        if (asked & beyond_ascii).any() and not (matched & beyond_ascii).any():
            return True
    for kind in (*kinds_of_letters, documents.lengths):
        count, hits = _count(kind, asked), _count(kind, matched & asked)
        if ((count * rate >= EXPECTED) & (hits == 0)).any():
            return True
    return False


def _count(kind: NDArray[Any], wanted: NDArray[np.bool_]) -> Ints:
    """How many of the wanted rows there are of each kind (255 and more are one), a piece at a time to save memory."""
    counts = np.zeros(256, dtype=np.int64)
    for start in range(0, len(kind), AT_A_TIME):
        rows = slice(start, start + AT_A_TIME)
        counts += np.bincount(np.minimum(kind[rows][wanted[rows]], 255), minlength=256)
    return counts
