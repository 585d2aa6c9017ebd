"""Scores with what each system costs: wide for people, tidy (one signed number per row) for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from gaincurve._version import __version__
from gaincurve.cli.views import scores_wide, summary_label
from gaincurve.io.render import Cell, Table
from gaincurve.model.efficiency.costs import LATENCIES, NUMBERS, Efficiency, whole
from gaincurve.model.summaries import UNDEFINED
from gaincurve.model.tradeoff import Tradeoff

MEGA = 1e6
Numbers = dict[str, float]


def tradeoff_wide(tradeoff: Tradeoff, per_topic: bool) -> Table:
    """The table of scores with the numbers of the logs to its right; numbers that no log has are left out."""
    scored = scores_wide(tradeoff.scores, per_topic)
    blank = (UNDEFINED,) * len(tradeoff.scores.measures)
    unscored = [
        (name, *((summary_label(tradeoff.scores),) if per_topic else ()), *blank)
        for name in tradeoff.systems[len(tradeoff.scores.runs) :]
    ]
    costs = [*_costs(tradeoff, scored.rows, per_topic), *(_totals(tradeoff.log(str(row[0]))) for row in unscored)]
    shown = [name for name in NUMBERS if not all(math.isnan(row.get(name, UNDEFINED)) for row in costs)]
    rows = [
        (*row, *(_in_units(name, cost.get(name, UNDEFINED)) for name in shown))
        for row, cost in zip([*scored.rows, *unscored], costs, strict=True)
    ]
    headings = ("index MB" if name == "index_bytes" else NUMBERS[name] for name in shown)
    digits = {len(scored.columns) + i: _digits(name, costs) for i, name in enumerate(shown)}
    foot = (*scored.foot, *_signatures(tradeoff.logs), *tradeoff.sentences())
    return Table((*scored.columns, *headings), rows, foot=foot, column_digits=digits)


def _costs(tradeoff: Tradeoff, rows: Sequence[Sequence[Cell]], per_topic: bool) -> list[Numbers]:
    """The numbers beside each row of scores: a row for each topic where topics are shown, then the totals."""
    topics = tradeoff.scores.topics if per_topic else ()
    costs: list[Numbers] = []
    for run in tradeoff.scores.runs:
        log = tradeoff.log(run)
        by_topic = log.by_topic() if log and per_topic else {}
        costs += [by_topic.get(topic, {}) for topic in topics]
        costs.append(_totals(log))
        costs += [{}] * (sum(row[0] == run for row in rows) - len(topics) - 1)
    return costs


def _totals(log: Efficiency | None) -> Numbers:
    return {} if log is None else log.values()


def _in_units(name: str, value: float) -> float:
    return value / MEGA if name == "index_bytes" else value


def _digits(name: str, costs: Iterable[Numbers]) -> int:
    """Enough digits after the point for three digits of the smallest number; the same for all latencies."""
    family = LATENCIES if name in LATENCIES else (name,)
    values = [_in_units(number, row.get(number, UNDEFINED)) for row in costs for number in family]
    smallest = min((value for value in values if value > 0), default=1.0)
    return min(6, max(0, 2 - math.floor(math.log10(smallest))))


def _signatures(logs: Sequence[Efficiency]) -> list[str]:
    """How latency and throughput were computed, for all logs together."""
    counts = [len(log.latencies) for log in logs if len(log.latencies)]
    signatures = []
    if counts:
        span = f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)}-{max(counts)}"
        signatures.append(f"latency|over:measurements|percentiles:linear|measurements:{span}|gaincurve:{__version__}")
    sources = dict.fromkeys("load" if log.load else "latencies" for log in logs if log.load or len(log.latencies))
    if sources:
        signatures.append(f"throughput|from:{','.join(sources)}|gaincurve:{__version__}")
    return signatures


def tradeoff_tidy(tradeoff: Tradeoff, per_topic: bool) -> Table:
    """The rows of the result; bytes are whole numbers."""
    tidy = tradeoff.tidy(per_topic, summary=True)
    measure, value = (list(tidy.columns).index(name) for name in ("measure", "value"))
    rows: list[tuple[Cell, ...]] = [
        (*row[:value], whole(row[value]), *row[value + 1 :]) if row[measure] == "index_bytes" and row[value] else row
        for row in tidy.rows()
    ]
    return Table(tuple(tidy.columns), rows)
