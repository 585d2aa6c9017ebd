"""Curves read sideways: how many documents must be read for a given gain (2002, sections 3.4 and 3.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gaincurve.curve.crossings import SAME
from gaincurve.model.rows import Floats
from gaincurve.model.scores import json_number, place_of
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted, number_text
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Kind, Tidy, beside, column_of, number


def ranks_to_reach(curve: Floats, target: float, interpolate: bool = False) -> float:
    """The first rank at which a rising curve reaches `target`; nan if it never does.

    Ranks are whole unless `interpolate` asks for the point between two ranks, counting rank 0 as gain 0.

    Worked: the curve 3 5 8 8 reaches 6 at rank 3; interpolated, at 2 + (6 − 5)/(8 − 5) = 2.333.
    """
    reached = np.flatnonzero(curve >= target - SAME * abs(target))
    if not len(reached):
        return math.nan
    place = int(reached[0])
    if not interpolate:
        return float(place + 1)
    below = float(curve[place - 1]) if place else 0.0
    step = float(curve[place]) - below
    return place + (min(1.0, max(0.0, (target - below) / step)) if step > 0 else 1.0)


@dataclass(frozen=True, eq=False)
class Effort(Result):
    """For each target (a gain and who gives it where) the ranks each run needs; nan where it is never reached."""

    curve: str
    signature: Signature
    depth: int
    rank: int | None
    runs: tuple[str, ...]
    givers: tuple[str, ...]
    targets: Floats
    needed: Floats
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        counts = f"{counted(len(self.givers), 'target')}, {counted(len(self.runs), 'run')}"
        return f"Effort({self.curve}: {counts}, to rank {self.depth})"

    def ranks(self, reader: str, giver: str) -> float:
        """The ranks of `reader` needed for what `giver` gives."""
        return float(self.needed[place_of(giver, self.givers, "giver"), place_of(reader, self.runs, "run")])

    def sentences(self) -> list[str]:
        """The table in words."""
        if self.rank is None:
            return [self._target_sentence(g) for g in range(len(self.givers))]
        best = int(np.argmax(self.targets[1:])) + 1
        others = [r for r in range(len(self.runs)) if r != best - 1]
        pairs = [f"{self._read(best, r)} with {self.runs[r]}" for r in others]
        sentences = [f"To gain what the ideal gives in {_documents(self.rank)}, read {self._listed(0)}."]
        if pairs:
            sentences.append(
                f"To gain what {self.givers[best]} gives in {_documents(self.rank)}, read {_joined(pairs)}."
            )
        return sentences

    def _target_sentence(self, giver: int) -> str:
        return f"To gain {number_text(float(self.targets[giver]))}, read {self._listed(giver)}."

    def _listed(self, giver: int) -> str:
        return _joined([f"{self._read(giver, r)} with {run}" for r, run in enumerate(self.runs)])

    def _read(self, giver: int, reader: int) -> str:
        needed = float(self.needed[giver, reader])
        return f"more than {self.depth}" if math.isnan(needed) else f"{needed:.4g}"

    def tidy(self) -> Tidy:
        """gain_of, gain, run, ranks, ratio, signature; no ranks: not reached within the depth."""
        rows = [
            (giver, target, run, needed, needed / self.rank if self.rank else None, str(self.signature))
            for giver, target, by_run in zip(self.givers, self.targets.tolist(), self.needed.tolist(), strict=True)
            for run, needed in zip(self.runs, by_run, strict=True)
        ]
        kinds: dict[str, Kind] = {
            "gain_of": "text", "gain": "number", "run": "text", "ranks": "number", "ratio": "number",
            "signature": "text",
        }  # fmt: skip
        return Tidy.of_rows("gaincurve.effort/1", kinds, rows, [self.signature])

    def shown(self) -> Tidy:
        """A row for each target, and the ranks that every run needs."""
        ranks = self.needed.T
        whole = not (ranks[~np.isnan(ranks)] % 1).any()
        needed = {
            run: column_of("count", [None if math.isnan(rank) else int(rank) for rank in row]) if whole else number(row)
            for run, row in zip(self.runs, ranks.tolist(), strict=True)
        }
        columns = beside({"gain of": column_of("text", self.givers), self.curve: number(self.targets)}, needed)
        return Tidy("gaincurve.effort/1", columns, (str(self.signature),))

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.effort/1."""
        rows = []
        for g, giver in enumerate(self.givers):
            needed = {run: json_number(float(self.needed[g, r])) for r, run in enumerate(self.runs)}
            ratio = {
                run: None if value is None or not self.rank else value / self.rank for run, value in needed.items()
            }
            row: dict[str, object] = {"gain_of": giver, "gain": json_number(float(self.targets[g])), "ranks": needed}
            rows.append({**row, "ratio": ratio} if self.rank else row)
        return {
            "schema": "gaincurve.effort/1",
            "measures": [{"name": self.curve, "signature": str(self.signature)}],
            "rank": self.rank,
            "depth": self.depth,
            "targets": rows,
            "sentences": self.sentences(),
        }


def _documents(rank: int) -> str:
    return "1 document" if rank == 1 else f"{rank} documents"


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
