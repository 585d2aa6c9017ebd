"""The methods of pooling: what each does, when it is the right one, and its known weakness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gaincurve.model.lists import Lists
from gaincurve.model.rows import Floats
from gaincurve.stats import pooling

DEPTH = 100


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
