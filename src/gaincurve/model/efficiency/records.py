"""Efficiency records: what one line of a log may hold, and what is wrong with any other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from numbers import Real

import numpy as np

from gaincurve.errors import InputError, Problem, Problems, nearest
from gaincurve.model.efficiency.costs import Efficiency, Load
from gaincurve.model.objects import text_ids
from gaincurve.model.source import Source, shorten

MOST = 2.0**53
"""Larger numbers of bytes or milliseconds are no measurements, and floats no longer count them one by one."""


@dataclass(frozen=True)
class Amount:
    """What a number may be: whole or not, and 0 or only above it."""

    whole: bool = False
    zero: bool = True

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a finite number"
        return f"{kind}, 0 or more" if self.zero else f"{kind} above 0"

    def allows(self, value: object) -> bool:
        """Whether a value is such a number; true, false and numbers in quotes are not."""
        if isinstance(value, bool) or not isinstance(value, Real):
            return False
        try:
            number = float(value)
        except OverflowError:  # a whole number of 400 digits
            return False
        large_enough = number >= 0 if self.zero else number > 0
        return large_enough and number <= MOST and (not self.whole or number.is_integer())


@dataclass(frozen=True)
class Kind:
    """One kind of record: its keys, those it needs, and whether it may stand in a log more than once."""

    name: str
    amounts: Mapping[str, Amount]
    needed: tuple[str, ...] = ()
    often: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys a record of this kind may have."""
        return ("topic", *self.amounts) if self.name == "query" else tuple(self.amounts)


KINDS = (
    Kind("query", {"latency_ms": Amount()}, needed=("topic", "latency_ms"), often=True),
    Kind(
        "index",
        {"indexing_s": Amount(), "index_bytes": Amount(whole=True), "text_bytes": Amount(whole=True, zero=False)},
    ),
    Kind(
        "load",
        {"queries": Amount(whole=True, zero=False), "wall_s": Amount(zero=False), "threads": Amount(True, False)},
        needed=("queries", "wall_s"),
    ),
)
_KIND_OF = {key: kind for kind in KINDS for key in kind.keys}


@dataclass
class LogReading:
    """A log as it is read: measurements, the records that stand once, and what is wrong."""

    path: str
    topics: list[str] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    once: dict[str, tuple[str, Mapping[str, object]]] = field(default_factory=dict)
    problems: Problems = field(default_factory=Problems)

    def refuse(self, *problems: Problem) -> None:
        """Add problems; those beyond the limit are only counted."""
        self.problems.each(problems, lambda problem: problem)

    def take(self, record: Mapping[str, object], at: str) -> None:
        """Add one record, or what is wrong with it."""
        wrong = list(_wrong_keys(record, at)) or list(_wrong_values(record, at))
        kind = _KIND_OF[next(iter(record))] if not wrong else None
        if kind is None:
            self.refuse(*wrong)
        elif not kind.often and kind.name in self.once:
            what = f"a second {kind.name} record: which one is meant?"
            self.refuse(Problem("efficiency-record", what, f"{at} (first at {self.once[kind.name][0]})"))
        elif not kind.often:
            self.once[kind.name] = (at, record)
        else:
            self._measure(record, at)

    def _measure(self, record: Mapping[str, object], place: str) -> None:
        topic = record["topic"]
        try:
            self.topics += text_ids(
                [None if isinstance(topic, bool) else topic], "topic", "efficiency record", lambda _: place
            )
        except InputError as error:
            self.refuse(*error.problems)
        else:
            self.latencies.append(float(record["latency_ms"]))  # type: ignore[arg-type]  # checked to be a number

    def finished(self, name: str, format: str, sha256: str | None = None) -> Efficiency:
        """The log, or everything that was wrong with it."""
        self.problems.stop_if_any()
        if not self.topics and not self.once:
            raise InputError(Problem("input-empty", f"{self.path} has no efficiency records", self.path))
        _, index = self.once.get("index", ("", {}))
        sizes = {key: float(value) for key, value in index.items()}  # type: ignore[arg-type]
        rows = len(self.topics) + len(self.once)
        source = Source(self.path, format, len(set(self.topics)), rows, sha256)
        return Efficiency(
            name, tuple(self.topics), np.array(self.latencies, dtype=np.float64), source, **sizes, load=self._load()
        )

    def _load(self) -> Load | None:
        if "load" not in self.once:
            return None
        load: Mapping[str, float] = self.once["load"][1]  # type: ignore[assignment]  # checked to be numbers
        threads = int(load["threads"]) if "threads" in load else None
        return Load(int(load["queries"]), float(load["wall_s"]), threads)


def efficiency_of(records: object, name: str) -> Efficiency:
    """A log from records in memory, which are the same as the lines of a file."""
    if isinstance(records, Efficiency):
        return records
    reading = LogReading(name)
    if isinstance(records, str | bytes | Mapping) or not isinstance(records, Iterable):
        what = f"{name}: an efficiency log is a list of records, not {type(records).__name__}"
        raise InputError(Problem("efficiency-record", what, name))
    for number, record in enumerate(records, 1):
        place = f"{name}, record {number}"
        if isinstance(record, Mapping):
            reading.take(record, place)
        else:
            reading.refuse(Problem("efficiency-record", f"not a record: {shorten(repr(record))}", place))
    return reading.finished(name, "Python objects")


def _wrong_keys(record: Mapping[str, object], place: str) -> Iterator[Problem]:
    unknown = [key for key in record if key not in _KIND_OF]
    for key in unknown:
        what = f"an efficiency record has no {shorten(repr(key))}{nearest(str(key), _KIND_OF)}"
        yield Problem("efficiency-record", what, place)
    kinds = {_KIND_OF[key].name: _KIND_OF[key] for key in record if key in _KIND_OF}
    if len(kinds) > 1:
        mixed = " and ".join(kinds)
        yield Problem("efficiency-record", f"one record holds the keys of {mixed}: write them as two lines", place)
    elif not record:
        yield Problem("efficiency-record", "the record is empty", place)
    elif not unknown:
        (kind,) = kinds.values()
        missing = [repr(key) for key in kind.needed if key not in record]
        if missing:
            yield Problem("efficiency-record", f"the {kind.name} record has no {' and no '.join(missing)}", place)


def _wrong_values(record: Mapping[str, object], place: str) -> Iterator[Problem]:
    for key, value in record.items():
        amount = _KIND_OF[key].amounts.get(key)
        if amount is not None and not amount.allows(value):
            yield Problem("efficiency-value", f"{key} is {_shown(value)}, not {amount}", place)


def _shown(value: object) -> str:
    """A value as the log has it: true, null, "12.4", -3."""
    words = {True: "true", False: "false", None: "null"}
    if value is None or isinstance(value, bool):
        return words[value]
    if isinstance(value, float) and math.isinf(value):
        return "infinite" if value > 0 else "minus infinite"
    return f'the text "{shorten(value)}"' if isinstance(value, str) else shorten(repr(value))
