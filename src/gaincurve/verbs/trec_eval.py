"""The text that trec_eval prints: which measures, in which order, with which names and digits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from gaincurve.measures.binary import LEVELS, mean_interpolated, needed
from gaincurve.measures.notation import definition_of
from gaincurve.measures.relevant import relevant, total_relevant
from gaincurve.measures.sets import weighted_f
from gaincurve.measures.trec_names import TREC_NAMES, TrecName
from gaincurve.model.c_numbers import number, whole
from gaincurve.model.discount import Discount
from gaincurve.model.elementary import log
from gaincurve.model.gains import Gains
from gaincurve.model.graded import Graded
from gaincurve.model.measure import ByUnit
from gaincurve.model.rows import Floats
from gaincurve.model.summaries import LEAST

_NOT_MEASURES = ("runid", "num_q", "relstring")
_COUNTED = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_OFFICIAL = (*_COUNTED, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P")
_SET = (*_COUNTED, "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F")
_SUMMARY_ONLY = ("gm_map", "gm_bpref")
_RELSTRING = 10


@dataclass
class Flags:
    """The command line of trec_eval. `values` are what followed a measure's name; the first time counts."""

    version: int = 9
    by_topic: bool = False
    complete: bool = False
    summary: bool = True
    level: int = 1
    judged_only: bool = False
    documents: int = 0
    most: int | None = None
    names: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)

    def ask(self, given: str) -> bool:
        """Add what followed -m; False if there is no such measure."""
        name, point, values = given.partition(".")
        if point and not values:
            return False
        if point:
            self.values.setdefault(name, values)
        known = sets(self.version)
        self.names += known.get(name, [name])
        return name in known or name in order(self.version)


def order(version: int) -> list[str]:
    """Every name in the order in which values are printed."""
    names = [name for name, record in TREC_NAMES.items() if record.since <= version]
    names.insert(names.index("P") + 1, "relstring")
    return ["runid", "num_q", *names]


def sets(version: int) -> dict[str, list[str]]:
    """The names that stand for several measures."""
    every = [name for name in order(version) if name != "dcg"]
    return {
        "official": list(_OFFICIAL),
        "all_trec": every,
        "set": list(_SET),
    }


class BadValues(Exception):
    """What followed a measure's name makes no sense, with trec_eval's exit code."""

    def __init__(self, message: str, code: int = 2):
        self.code = code
        super().__init__(message)


@dataclass(frozen=True, eq=False)
class _Line:
    """One value to print: its name, the measure's record, its function and the arguments of it.

    `start` is the lowest level of recall that interpolated precision is asked for at.
    """

    name: str
    record: TrecName
    compute: ByUnit
    arguments: dict[str, Any]
    start: Fraction | None = None


def lines_of(flags: Flags, grades: Floats) -> list[_Line]:
    """Every value that was asked for, in trec_eval's order; `grades` are those the judges used."""
    lines: list[_Line] = []
    for name in order(flags.version):
        if name in flags.names and name not in _NOT_MEASURES:
            lines += _lines(TREC_NAMES[name], flags.values.get(name, ""), flags, grades)
    return lines


def _lines(record: TrecName, values: str, flags: Flags, grades: Floats) -> Iterator[_Line]:
    common, compute = _common(record, flags), definition_of(record.measure).compute
    if record.listed:
        for cutoff in _cutoffs(record, values):
            key = "mult" if record.takes == "multiples" else "cutoff"
            label = f"{record.name}_{cutoff}" if record.takes == "ranks" else f"{record.name}_{cutoff:3.2f}"
            start = Fraction(repr(cutoff)) if record.takes == "levels" else None
            yield _Line(label, record, compute, {**common, key: cutoff}, start)
    elif not values or not record.takes:  # trec_eval ignores what it does not take
        yield _Line(record.name, record, compute, common, LEVELS[0] if record.takes == "points" else None)
    elif record.takes == "weight":
        weighted = partial(weighted_f, weight=number(values), only=None)
        yield _Line(f"{record.name}_{values}", record, weighted, common)
    elif record.takes == "points":
        levels = sorted(Fraction(repr(level)) for level in _numbers(record, values))
        over = partial(_over_levels, levels=levels)
        yield _Line(f"{record.name}_{values}", record, over, common, levels[0])
    else:
        yield _Line(f"{record.name}_{values}", record, compute, {**common, **_changed(record, values, grades)})


def _over_levels(run: Graded, *, rel: float, points: str, levels: Sequence[Fraction]) -> Floats:
    """Interpolated precision averaged over other levels of recall."""
    return mean_interpolated(relevant(run, rel, None), levels, points)


def _common(record: TrecName, flags: Flags) -> dict[str, Any]:
    accepted = definition_of(record.measure).arguments
    every: dict[str, Any] = {
        "cutoff": None,
        "rel": flags.level,
        "gains": Gains.of("identity"),
        "discount": Discount("log"),
        "ideal": "judged",
        "points": f"trec_eval-{flags.version}",
        "N": flags.documents,
        **{key: value for key, value in record.parameters if key != "summary"},
    }
    return {key: value for key, value in every.items() if key in accepted}


def _cutoffs(record: TrecName, values: str) -> Sequence[float]:
    """The cutoffs in ascending order; trec_eval refuses what is repeated or not above 0."""
    if not values:
        return record.unless
    ranks = record.takes == "ranks"
    given = sorted(whole(value) for value in values.split(",")) if ranks else sorted(_numbers(record, values))
    if ranks and given[0] <= 0:
        raise BadValues(f"{record.name} cannot be cut at {values}")
    if len(set(given)) < len(given):
        raise BadValues(f"a cutoff of {record.name} is given twice: {values}")
    return given


def _numbers(record: TrecName, values: str) -> list[float]:
    """Numbers with a comma between them, as C reads them."""
    numbers = [number(value) for value in values.split(",")]
    if not all(map(math.isfinite, numbers)):
        raise BadValues(f"{record.name} cannot take {values!r}")
    return numbers


def _changed(record: TrecName, values: str, grades: Floats) -> dict[str, Any]:
    """What the values after a name change."""
    if record.takes == "worths":
        worths = _numbers(record, values)
        if len(worths) != 4:
            raise BadValues(f"{record.name} takes four worths, not {len(worths)}", code=4)
        return dict(zip("abcd", worths, strict=True))
    pairs = [part.partition("=") for part in values.split(",")]
    if not all(equals and "=" not in value for _, equals, value in pairs):
        raise BadValues(f"{record.name} takes name=number, not {values!r}")
    named = {name: number(value) for name, _, value in reversed(pairs)}  # the first time counts
    changed: dict[str, Any] = {}
    if record.takes == "p" and "p" in named:
        changed["p"] = named.pop("p")
        if not 0 < changed["p"] < 1:
            raise BadValues(f"{record.name} cannot take {values!r}: p is between 0 and 1")
    if named:
        own = {float(grade): float(grade) for grade in grades if grade > 0}
        changed["gains"] = Gains.of({**own, **{float(whole(grade)): gain for grade, gain in named.items()}})
    return changed


@dataclass(frozen=True, eq=False)
class Printout:
    """What is printed of an evaluated run; `failed` names the topic at which printing stopped and why, if it did."""

    text: str
    failed: str = ""


def trec_eval(run: Graded, flags: Flags, tag: str, stops: dict[str, str]) -> Printout:
    """Evaluate a run, its topics in byte order, and write what trec_eval would; `stops` are topics it fails at."""
    lines = lines_of(flags, run.scale)
    run = replace(run, judged_from=0.0)
    if flags.judged_only:
        run = run.condensed()
    stops = {**_without_a_grade(run, lines, flags), **stops}
    values = {line.name: _values(run, line, flags) for line in lines}
    evaluated = list(_evaluated(run, flags, stops))
    failed = stops_at(run, flags, stops)
    printed = _by_topic(run, lines, values, flags, evaluated) if flags.by_topic else ""
    if failed or not flags.summary:
        return Printout(printed, failed)
    return Printout(printed + _summary(run, lines, values, flags, tag, evaluated))


def _without_a_grade(run: Graded, lines: list[_Line], flags: Flags) -> dict[str, str]:
    """The first topic evaluated, if all its grades are negative: then trec_eval has no room to count grades in."""
    first = int(np.argmax(run.present))
    base = run.recall_base
    if (
        not run.present[first]
        or not (lines or "relstring" in flags.names)
        or (base.grade[base.topic == first] >= 0).any()
    ):
        return {}
    return {run.units.names[first]: "no document of the first topic has a grade of 0 or above"}


def _missing(run: Graded, topic: int, flags: Flags) -> bool:
    """Whether 10.0 stops at a topic that the run lacks."""
    return flags.version > 9 and not flags.complete and not run.present[topic]


def _evaluated(run: Graded, flags: Flags, stops: dict[str, str]) -> Iterable[int]:
    """The topics that are computed and printed, up to where the program stops."""
    for topic, name in enumerate(run.units.names):
        if not run.present[topic] and flags.version == 9:
            continue
        if name in stops or _missing(run, topic, flags):
            return
        yield topic


def stops_at(run: Graded, flags: Flags, stops: dict[str, str]) -> str:
    """Why and at which topic the program stops, or nothing."""
    for topic, name in enumerate(run.units.names):
        if _missing(run, topic, flags):
            return f"topic {name}: the run does not have it (-c counts it as 0)"
        if name in stops and run.present[topic]:
            return f"topic {name}: {stops[name]}"
    return ""


def _values(run: Graded, line: _Line, flags: Flags) -> Floats:
    """The values of all topics; 0 where there is none, and in topics that the run lacks."""
    values = np.asarray(line.compute(run, **line.arguments))
    values = np.where(np.isnan(values), 0.0, values)
    if line.record.measure == "Rndcg":  # the one gain measure that uses the level: 0 without a relevant document
        values = np.where(total_relevant(run, flags.level, None) > 0, values, 0.0)
    if line.start is not None:  # 0/0 where -J or -M leaves nothing and recall 0 is asked for
        at_start = needed(total_relevant(run, flags.level, None), line.start, line.arguments["points"]) <= 0
        values = np.where((run.retrieved == 0) & at_start, np.nan, values)
    return values if line.record.name == "num_rel" else np.where(run.present, values, 0.0)


def _text(value: float, count: bool) -> str:
    if count:
        return f"{int(value)}\n"
    return "  -nan\n" if math.isnan(value) else f"{value:6.4f}\n"


def _by_topic(run: Graded, lines: list[_Line], values: dict[str, Floats], flags: Flags, topics: Iterable[int]) -> str:
    shown = [line for line in lines if line.record.name not in _SUMMARY_ONLY]
    columns = [
        (f"{line.name:<22}\t", [_text(value, line.record.count) for value in values[line.name].tolist()])
        for line in shown
    ]
    if "relstring" in flags.names:
        names = order(flags.version)
        before = sum(names.index(line.record.name) < names.index("relstring") for line in shown)
        columns.insert(before, _relstring(run, flags))
    return "".join(
        head + topic + column[place]
        for place, topic in ((place, f"{run.units.names[place]}\t") for place in topics)
        for head, column in columns
    )


def _relstring(run: Graded, flags: Flags) -> tuple[str, list[str]]:
    """The grades of each topic's first documents as one character each."""
    values = flags.values.get("relstring", "")
    most = int(number(values)) if values else _RELSTRING
    marks = [["-"] * max(0, min(most, int(count))) for count in run.retrieved]
    shown = run.rank <= most
    seen = (column[shown].tolist() for column in (run.list, run.rank, run.grade))
    for topic, rank, grade in zip(*seen, strict=True):
        marks[topic][rank - 1] = "." if grade < 0 else ">" if grade > 9 else str(int(grade))
    name = f"relstring_{values}" if values else "relstring"
    return f"{name:<22}\t", [f"'{''.join(topic_marks)}'\n" for topic_marks in marks]


def _summary(
    run: Graded, lines: list[_Line], values: dict[str, Floats], flags: Flags, tag: str, topics: list[int]
) -> str:
    count = run.lists if flags.complete else len(topics)
    printed = [f"{'runid':<22}\tall\t{tag}\n"] if "runid" in flags.names else []
    printed += [f"{'num_q':<22}\tall\t{count}\n"] if "num_q" in flags.names else []
    for line in lines:
        column = values[line.name][topics]
        if line.record.name == "num_rel" and flags.complete:  # then -l is ignored
            column = total_relevant(run, 1, None).astype(np.float64)
        if line.record.name in _SUMMARY_ONLY:
            logs = log(np.maximum(column, LEAST))
            total = _added(logs) + (count - len(topics)) * math.log(LEAST)
            printed.append(f"{line.name:<22}\tall\t{math.exp(total / count):6.4f}\n")
        elif line.record.count:
            printed.append(f"{line.name:<22}\tall\t{_text(_added(column), count=True)}")
        else:
            printed.append(f"{line.name:<22}\tall\t{_text(_added(column) / count, count=False)}")
    return "".join(printed)


def _added(column: Floats) -> float:
    """The sum, added one by one as in C."""
    return float(np.cumsum(column)[-1]) if len(column) else 0.0
