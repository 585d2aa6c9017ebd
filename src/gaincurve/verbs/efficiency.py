"""The verb `tradeoff`: scores and efficiency logs in, effectiveness beside cost out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gaincurve.errors import InputError, Problem, nearest
from gaincurve.model.efficiency.costs import Efficiency
from gaincurve.model.efficiency.records import efficiency_of
from gaincurve.model.scores import Scores
from gaincurve.model.source import Note, counted, examples
from gaincurve.model.tradeoff import Tradeoff

Logs = Efficiency | Iterable[Efficiency] | Mapping[str, object]

FEW = 101
"""With so many measurements or fewer, the place (n - 1)·0.99 lies between the last two."""


def tradeoff(scores: Scores, logs: Logs) -> Tradeoff:
    """Put what each system costs beside its scores, by name.

    `logs` is what `read_efficiency` returns, one or a list, or {run: records}. The first measure stands for
    effectiveness. A run without a log, or a log without a run, stays and is noted.
    """
    all_logs = tuple(_each_log(logs))
    seen: dict[str, str] = {}
    for log in all_logs:
        if log.name in seen:
            place = f"{seen[log.name]} and {log.source.path}"
            raise InputError(Problem("efficiency-name-twice", f"two efficiency logs are named {log.name!r}", place))
        seen[log.name] = log.source.path
    better = scores.measures[0].definition.better
    return Tradeoff(scores, all_logs, better, (*scores.notes, *_notes(scores, all_logs)))


def _each_log(logs: Logs) -> Iterator[Efficiency]:
    if isinstance(logs, Efficiency):
        yield logs
    elif isinstance(logs, Mapping):
        yield from (replace(efficiency_of(records, str(name)), name=str(name)) for name, records in logs.items())
    else:
        given: Iterable[object] = logs
        for i, log in enumerate(given, 1):
            if not isinstance(log, Efficiency):
                what = f"log {i} is {type(log).__name__}, not what read_efficiency returns"
                raise InputError(Problem("efficiency-record", what, hint="name records by their run: {run: records}"))
            yield log


def _notes(scores: Scores, logs: tuple[Efficiency, ...]) -> Iterator[Note]:
    names = tuple(log.name for log in logs)
    without = tuple(run for run in scores.runs if run not in names)
    if without:
        yield Note("efficiency-log-missing", "no efficiency log, so no cost is shown", without)
    for name in names:
        if name not in scores.runs:
            text = f"no run is called {name}{nearest(name, without)}: its log is shown without effectiveness"
            yield Note("efficiency-run-missing", text)
    about: dict[tuple[str, str], list[str]] = {}
    for log in logs:
        for key in _about(log, scores):
            about.setdefault(key, []).append(log.name)
    yield from (Note(slug, text, tuple(runs)) for (slug, text), runs in about.items())


def _about(log: Efficiency, scores: Scores) -> Iterator[tuple[str, str]]:
    """What a reader of one log's numbers should know."""
    if not len(log.latencies):
        yield "efficiency-no-latency", "the log has no query records, so latency is undefined"
    elif len(log.latencies) <= FEW:
        yield "efficiency-few", f"{FEW} measurements or fewer: p99 lies between the two slowest"
    if log.load is None and len(log.latencies):
        yield "efficiency-serial", "no load record: queries/s is one query after the other, n / Σ latency"
    measured = set(log.topics)
    unmeasured = [topic for topic in scores.topics if topic not in measured]
    unjudged = sorted(measured.difference(scores.topics))
    if measured and unmeasured:
        text = f"{counted(len(unmeasured), 'judged topic')} without a latency: {examples(unmeasured)}"
        yield "efficiency-topics", text
    if log.name in scores.runs and unjudged:
        text = f"{counted(len(unjudged), 'topic')} with a latency but no judgments: {examples(unjudged)}"
        yield "efficiency-topics", text
