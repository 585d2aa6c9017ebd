"""The documents of a run that nobody judged: who shows them at which rank decides what judging could change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gaincurve.model.ids import Ints, Keys
from gaincurve.model.units import Index


@dataclass(frozen=True, eq=False)
class Unjudged:
    """Unjudged documents of the first `depth` ranks: the judged topic, the rank, and the key of topic and document.

    The same document has the same key in every run.
    """

    topic: Index
    rank: Ints
    key: Keys
    depth: int

    @classmethod
    def joined(cls, parts: Sequence[Unjudged]) -> Unjudged | None:
        """Parts of one run put together; None of none."""
        if not parts:
            return None
        topic, rank, key = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("topic", "rank", "key")
        )
        return cls(topic, rank, key, parts[0].depth)

    def within(self, depth: int) -> Unjudged | None:
        """Those of the first `depth` ranks; None where that is deeper than is known."""
        if depth > self.depth:
            return None
        near = self.rank <= depth
        return Unjudged(self.topic[near], self.rank[near], self.key[near], depth)


Finding = Callable[[int], Unjudged | None]
"""The unjudged documents to a depth; None where they are not known."""


def not_known(depth: int) -> Unjudged | None:  # noqa: ARG001 -- a Finding
    """Of a run whose documents are not at hand."""
    return None
