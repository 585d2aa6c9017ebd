"""Scores: topics × measures for each run, with what they were computed from and how."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import nearest
from gaincurve.model.rows import Floats
from gaincurve.model.source import Note, Source, examples

UNDEFINED = float("nan")


def mean(values: Floats) -> float:
    """The mean of the defined values, rounded once: the order of topics cannot change a bit. nan if there are none."""
    defined = values[~np.isnan(values)]
    return math.fsum(defined) / len(defined) if len(defined) else UNDEFINED


def _median(values: Floats) -> float:
    return float(np.median(values))


def _geometric(values: Floats) -> float:
    return math.exp(math.fsum(np.log(np.maximum(values, LEAST))) / len(values))


LEAST = 1e-5
"""What a geometric mean takes for smaller values, as trec_eval does: a single 0 would hide all other topics."""

SUMMARIES: dict[str, Callable[[Floats], float]] = {
    "mean": mean,
    "median": _median,
    "sum": math.fsum,
    "geometric": _geometric,
}
"""What can be said of all topics together."""


def summarised(values: Floats, kind: str) -> float:
    """One number for all topics that have a value; nan if none has."""
    defined = values[~np.isnan(values)]
    return SUMMARIES[kind](defined) if len(defined) else UNDEFINED


def json_number(value: float) -> float | None:
    """A number for JSON: undefined is null."""
    return None if math.isnan(value) else float(value)


@dataclass(frozen=True, eq=False)
class TopicScores:
    """One measure of one run: a value per topic, nan where it is undefined or the topic was left out."""

    topics: tuple[str, ...]
    values: Floats

    def __len__(self) -> int:
        return len(self.topics)

    def __iter__(self) -> Iterator[float]:
        return iter(self.values.tolist())

    def __getitem__(self, topic: str) -> float:
        return float(self.values[place_of(topic, self.topics, "topic")])

    def __array__(self, dtype: object = None, copy: bool | None = None) -> NDArray[np.generic]:
        return np.array(self.values, dtype=dtype, copy=True)  # type: ignore[call-overload, no-any-return]

    def items(self) -> Iterator[tuple[str, float]]:
        """Pairs of topic and value."""
        return zip(self.topics, self.values.tolist(), strict=True)

    def mean(self) -> float:
        """The mean of the defined values."""
        return mean(self.values)


@dataclass(frozen=True, eq=False)
class Scores:
    """`values[run, measure, topic]`; nan is undefined or left out. `low` and `high` are bounds where asked for.

    `summaries` says for each measure what stands for all topics together; the mean where it is empty.
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    signatures: tuple[str, ...]
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]
    low: Floats | None = None
    high: Floats | None = None
    summaries: tuple[str, ...] = ()
    design: str = "paired"
    """'paired': every run was scored on the same topics; 'unpaired': each on its own, nan on the others'."""

    def __repr__(self) -> str:
        return f"Scores({len(self.runs)} runs, {len(self.topics)} topics, {', '.join(self.measures)})"

    def __getitem__(self, key: tuple[str, str]) -> TopicScores:
        run, measure = key
        return TopicScores(
            self.topics, self.values[place_of(run, self.runs, "run"), place_of(measure, self.measures, "measure")]
        )

    def summary(self) -> dict[str, dict[str, float]]:
        """{run: {measure: mean over topics}}, or the summary that the measure names."""
        return self._summarised(self.values)

    def bounds(self) -> dict[str, dict[str, tuple[float, float]]]:
        """{run: {measure: (lowest, highest summary)}}; empty unless the scenario asked for bounds."""
        if self.low is None or self.high is None:
            return {}
        low, high = (self._summarised(side) for side in (self.low, self.high))
        return {run: {m: (low[run][m], high[run][m]) for m in self.measures} for run in self.runs}

    def _summarised(self, values: Floats) -> dict[str, dict[str, float]]:
        kinds = self.summaries or ("mean",) * len(self.measures)
        named = list(enumerate(zip(self.measures, kinds, strict=True)))
        return {run: {m: summarised(values[r, i], kind) for i, (m, kind) in named} for r, run in enumerate(self.runs)}

    def to_dict(self, topics: bool = False) -> dict[str, object]:
        """The JSON shape gaincurve.scores/1; with `topics` the single scores too."""
        summary = {run: {m: json_number(v) for m, v in row.items()} for run, row in self.summary().items()}
        found: dict[str, object] = {
            "schema": "gaincurve.scores/1",
            "measures": [{"name": m, "signature": s} for m, s in zip(self.measures, self.signatures, strict=True)],
            "summary": summary,
        }
        if self.low is not None:
            found["bounds"] = {
                run: {m: [json_number(end) for end in ends] for m, ends in row.items()}
                for run, row in self.bounds().items()
            }
        if topics:
            found["topics"] = {
                run: {
                    topic: {m: json_number(self.values[r, i, t]) for i, m in enumerate(self.measures)}
                    for t, topic in enumerate(self.topics)
                }
                for r, run in enumerate(self.runs)
            }
        if topics and self.low is not None and self.high is not None:
            ends = np.stack([self.low, self.high], axis=-1)
            found["topic_bounds"] = {
                run: {
                    topic: {m: [json_number(end) for end in ends[r, i, t]] for i, m in enumerate(self.measures)}
                    for t, topic in enumerate(self.topics)
                }
                for r, run in enumerate(self.runs)
            }
        return found


def place_of(name: str, names: tuple[str, ...], kind: str) -> int:
    """Where a name stands, or a KeyError that suggests the nearest."""
    if name not in names:
        raise KeyError(f"no {kind} {name!r}{nearest(name, names)}; there are {examples(list(names), 10)}")
    return names.index(name)
