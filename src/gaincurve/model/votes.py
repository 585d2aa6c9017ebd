"""Votes: the order of systems without a judge, and how wrong it is where there are judgments."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.scores import json_number
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Cell, Tidy

CAVEAT = "Votes reward what most runs find: they favour the middle and bury the best system."


@dataclass(frozen=True, eq=False)
class Votes(Result):
    """The mean of each run on pseudo-judgments, and with judgments the true one beside it.

    `spread` is the standard deviation over random draws, nan where nothing was drawn. `judgments` are the
    pseudo-judgments, None where there were several draws.
    """

    measure: Measure
    runs: tuple[str, ...]
    means: tuple[float, ...]
    spread: tuple[float, ...]
    topics: int
    signature: Signature
    judgments: Judgments | None
    true: tuple[float, ...] = ()
    true_signature: Signature | None = None
    tau_b: float = math.nan
    tau_ap: float = math.nan
    inputs: tuple[Source, ...] = ()
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return f"Votes({self.measure}, {counted(len(self.runs), 'run')}, {counted(self.topics, 'topic')})"

    def places(self, means: tuple[float, ...]) -> list[int]:
        """The place of every run, 1 for the best; equal means share the better one."""
        sign = 1 if self.measure.lower_is_better else -1
        values = [sign * round(mean, 10) for mean in means]
        return [1 + sum(other < value for other in values) for value in values]

    @property
    def order(self) -> list[int]:
        """The runs by number, best first."""
        places = self.places(self.means)
        return sorted(range(len(self.runs)), key=lambda r: (places[r], self.runs[r]))

    def sentences(self) -> tuple[str, ...]:
        """How far the order is right, if that is known, and what is known of all such orders."""
        if not self.true:
            return (CAVEAT,)
        places, truly = self.places(self.means), self.places(self.true)
        best = next(run for run, place in zip(self.runs, truly, strict=True) if place == 1)
        there = places[self.runs.index(best)]
        agreement = f"Votes and judgments order {counted(len(self.runs), 'run')} with τ_b = {self.tau_b:.3f}"
        return (f"{agreement}, τ_AP = {self.tau_ap:.3f}; the best run, {best}, has place {there} by votes.", CAVEAT)

    def tidy(self) -> Tidy:
        """run, place, mean, spread, and with judgments the true mean and place; best first."""
        places = self.places(self.means)
        truly = self.places(self.true) if self.true else []
        rows: list[tuple[Cell, ...]] = [
            (
                self.runs[r], places[r], self.means[r], self.spread[r],
                *((self.true[r], truly[r]) if self.true else (None, None)),
                str(self.signature),
            )
            for r in self.order
        ]  # fmt: skip
        kinds = {"run": "text", "place": "count", "mean": "number", "spread": "number", "true_mean": "number",
                 "true_place": "count", "signature": "text"}  # fmt: skip
        signed = (self.signature,) if self.true_signature is None else (self.signature, self.true_signature)
        return Tidy.of_rows("gaincurve.votes/1", kinds, rows, signed)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.votes/1."""
        places = self.places(self.means)
        truly = self.places(self.true) if self.true else []
        signed = [self.signature] if self.true_signature is None else [self.signature, self.true_signature]
        shape: dict[str, object] = {
            "schema": "gaincurve.votes/1",
            "measures": [{"name": self.measure.text, "signature": str(signature)} for signature in signed],
            "topics": self.topics,
            "runs": [
                {
                    "run": self.runs[r],
                    "place": places[r],
                    "mean": json_number(self.means[r]),
                    "spread": json_number(self.spread[r]),
                    **({"true_mean": json_number(self.true[r]), "true_place": truly[r]} if self.true else {}),
                }
                for r in self.order
            ],
        }
        if self.true:
            shape |= {"tau_b": json_number(self.tau_b), "tau_ap": json_number(self.tau_ap)}
        return {**shape, "caveat": CAVEAT}
