"""What a system costs: the latency of its queries, its throughput, and what its index takes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gaincurve._version import __version__
from gaincurve.model.rows import Floats
from gaincurve.model.scores import json_number
from gaincurve.model.source import Source, counted
from gaincurve.model.summaries import UNDEFINED, mean

LATENCIES: dict[str, str] = {
    "latency_mean_ms": "mean ms",
    "latency_median_ms": "median ms",
    "latency_p95_ms": "p95 ms",
    "latency_p99_ms": "p99 ms",
}
NUMBERS: dict[str, str] = {
    **LATENCIES,
    "throughput_qps": "queries/s",
    "indexing_s": "indexing s",
    "index_bytes": "index bytes",
    "space_overhead": "index/text",
}
"""Every number of an efficiency log and its heading in a table."""


def latency_numbers(latencies: Floats) -> dict[str, float]:
    """Mean and percentiles of measured latencies; nan without any.

    A percentile lies on the straight line between the two measurements around place (n - 1)·p, counted from 0, as
    NumPy's default does. Worked: of 10, 20, 30, 40 ms the median is 25 and p95, at place 2.85, is 38.5.
    """
    if not len(latencies):
        return dict.fromkeys(LATENCIES, UNDEFINED)
    percentiles = np.percentile(latencies, (50, 95, 99)).tolist()
    return dict(zip(LATENCIES, (mean(latencies), *percentiles), strict=True))


@dataclass(frozen=True)
class Load:
    """A timed stream of queries: how many were answered in how many seconds, by how many threads where recorded."""

    queries: int
    wall_s: float
    threads: int | None = None


@dataclass(frozen=True, eq=False)
class Efficiency:
    """One system's log: `latencies[i]` in milliseconds was measured for `topics[i]`; nan is what was not recorded."""

    name: str
    topics: tuple[str, ...]
    latencies: Floats
    source: Source
    indexing_s: float = UNDEFINED
    index_bytes: float = UNDEFINED
    text_bytes: float = UNDEFINED
    load: Load | None = field(default=None, kw_only=True)

    def __repr__(self) -> str:
        return f"Efficiency({self.name!r}, {self.describe()})"

    def describe(self) -> str:
        """What was understood: '150 measurements, 50 topics, index, load'."""
        parts = [counted(len(self.latencies), "measurement"), counted(len(self.topics_measured), "topic")]
        parts += ["index"] if any(map(math.isfinite, (self.indexing_s, self.index_bytes, self.text_bytes))) else []
        parts += ["load"] if self.load else []
        return ", ".join(parts)

    @property
    def throughput(self) -> float:
        """Queries a second: of the load where one was recorded, else one query after the other, n / Σ latency."""
        if self.load:
            return _ratio(self.load.queries, self.load.wall_s)
        return _ratio(1000 * len(self.latencies), math.fsum(self.latencies))

    @property
    def space_overhead(self) -> float:
        """Bytes of index for each byte of text."""
        return _ratio(self.index_bytes, self.text_bytes)

    def values(self) -> dict[str, float]:
        """Every number by its name; nan where it was not recorded."""
        rest = (self.throughput, self.indexing_s, self.index_bytes, self.space_overhead)
        return dict(zip(NUMBERS, (*latency_numbers(self.latencies).values(), *rest), strict=True))

    @property
    def topics_measured(self) -> tuple[str, ...]:
        """The topics with at least one measurement, in the order of the log."""
        return tuple(dict.fromkeys(self.topics))

    def by_topic(self) -> dict[str, dict[str, float]]:
        """Mean and percentiles of each topic's own measurements."""
        places: dict[str, list[int]] = {}
        for i, topic in enumerate(self.topics):
            places.setdefault(topic, []).append(i)
        return {topic: latency_numbers(self.latencies[measurements]) for topic, measurements in places.items()}

    def signature(self, number: str, topic: str | None = None) -> str:
        """How one of the numbers was computed; those of a topic count its own measurements."""
        if number in LATENCIES:
            rule = () if number == "latency_mean_ms" else ("percentile:linear",)
            count = len(self.latencies) if topic is None else self.topics.count(topic)
            parts: tuple[str, ...] = ("over:measurements", *rule, f"measurements:{count}")
        elif number == "throughput_qps":
            parts = self._throughput_parts()
        else:
            parts = ("from:index/text",) if number == "space_overhead" else ("from:log",)
        return "|".join((number, *parts, f"gaincurve:{__version__}"))

    def _throughput_parts(self) -> tuple[str, ...]:
        if self.load is None:
            return ("from:latencies", f"measurements:{len(self.latencies)}")
        threads = "unknown" if self.load.threads is None else str(self.load.threads)
        return ("from:load", f"queries:{self.load.queries}", f"threads:{threads}")

    def to_dict(self, topics: bool = False) -> dict[str, object]:
        """The shape used in JSON output under `efficiency`; with `topics` the latencies of each."""
        load = self.load
        shape: dict[str, object] = {
            "measurements": len(self.latencies),
            "topics_measured": len(self.topics_measured),
            **{name: json_number(value) for name, value in self.values().items()},
            "index_bytes": whole(self.index_bytes),
            "text_bytes": whole(self.text_bytes),
            "load": load and {"queries": load.queries, "wall_s": load.wall_s, "threads": load.threads},
        }
        if topics:
            shape["topics"] = {
                topic: {name: json_number(value) for name, value in row.items()}
                for topic, row in self.by_topic().items()
            }
        return shape


def whole(value: float) -> int | None:
    """A number of bytes for programs; undefined is null."""
    return None if math.isnan(value) else int(value)


def _ratio(above: float, below: float) -> float:
    """A quotient, or nan where there is none."""
    quotient = above / below if below else UNDEFINED
    return quotient if math.isfinite(quotient) else UNDEFINED
