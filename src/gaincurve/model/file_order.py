"""What the order of a file says beside its scores: a rank column against them, or lists written worst first."""

from __future__ import annotations

from dataclasses import dataclass

from gaincurve.model.source import Note, counted, grouped

STEPS = 20
"""Over so many steps from line to line a rising score is no accident …"""
MOSTLY = 0.95
"""… if it rises on nearly all of them."""


@dataclass(frozen=True)
class FileOrder:
    """Counts over the lists of a run whose scores decide.

    `contradicting` lists have a rank column against their scores; `unordered` ones need a closer look to say so.
    `level` are the steps from line to line within lists on which no rank column claims an order, `rising` those of
    them on which the score rises.
    """

    contradicting: int = 0
    unordered: int = 0
    level: int = 0
    rising: int = 0

    def __add__(self, other: FileOrder) -> FileOrder:
        return FileOrder(
            self.contradicting + other.contradicting,
            self.unordered + other.unordered,
            self.level + other.level,
            self.rising + other.rising,
        )

    def notes(self, name: str, topics: int) -> tuple[Note, ...]:
        """What a reader of the run's numbers should know of it."""
        if self.contradicting:
            text = f"the rank column contradicts the scores in {grouped(self.contradicting)} of "
            text += f"{counted(topics, 'topic')}; scores decide (--ties rank follows the ranks)"
            return (Note("rank-column", text, (name,)),)
        if self.level >= STEPS and self.rising >= MOSTLY * self.level:
            text = "scores rise from line to line, so the last document of each list counts as the best; ranks or "
            text += "distances are not scores (--ties file follows the lines)"
            return (Note("scores-rising", text, (name,)),)
        return ()
