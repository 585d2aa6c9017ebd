"""What a planner of judgments needs to know of a pool: its size, what each run brings, how long it takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaincurve.model.rows import Floats
from gaincurve.model.source import counted, grouped

PACES = {"full documents": (1.0, 2.0), "passages": (3.0, 6.0)}
"""How many a judge judges a minute, slowly and quickly."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Documents to judge by topic; by run how many it holds and how many only it holds; how far runs overlap (the
    share of documents in both among those in either); and the hours it takes."""

    runs: tuple[str, ...]
    by_topic: dict[str, int]
    contributed: tuple[int, ...]
    unique: tuple[int, ...]
    overlap: Floats

    @property
    def documents(self) -> int:
        """How many documents are to be judged."""
        return sum(self.by_topic.values())

    def hours(self, pace: float | None = None) -> dict[str, tuple[float, float]]:
        """The least and the most hours, by what is judged; with `pace`, documents a minute, only at that pace."""
        if pace is not None:
            return {"documents": (self.documents / pace / 60, self.documents / pace / 60)}
        return {what: (self.documents / fast / 60, self.documents / slow / 60) for what, (slow, fast) in PACES.items()}

    def sentences(self, pace: float | None = None) -> tuple[str, ...]:
        """Documents per topic, and hours."""
        counts = np.array([*self.by_topic.values()] or [0])
        low, middle, high = (number_of(value) for value in (counts.min(), np.median(counts), counts.max()))
        size = f"{grouped(self.documents)} documents to judge in {counted(len(counts), 'topic')}"
        each = f"{low}" if low == high else f"{low} to {high}"
        per_topic = f"{size}: {each} per topic" + ("" if low == high else f", median {middle}")
        if pace is not None:
            return (f"{per_topic}.", f"{self.hours(pace)['documents'][0]:.1f} hours at {pace:g} documents per minute.")
        spans = [f"{least:.1f}–{most:.1f} hours for {what}" for what, (least, most) in self.hours().items()]
        paces = ", ".join(f"{slow:g}–{fast:g} {what}" for what, (slow, fast) in PACES.items())
        return (f"{per_topic}.", f"{' or '.join(spans)} (at {paces} per minute).")

    def to_dict(self) -> dict[str, object]:
        """The JSON shape of a plan."""
        return {
            "documents": self.documents,
            "by_topic": self.by_topic,
            "runs": [
                {"run": run, "documents": held, "unique": alone}
                for run, held, alone in zip(self.runs, self.contributed, self.unique, strict=True)
            ],
            "overlap": [[None if np.isnan(share) else float(share) for share in row] for row in self.overlap],
            "hours": {what: list(span) for what, span in self.hours().items()},
        }


def number_of(value: float) -> str:
    """12 or 12.5."""
    return f"{value:g}"
