"""Efficiency logs from files: one JSON record a line."""

from __future__ import annotations

import json
import os

from gaincurve.errors import Problem
from gaincurve.io.content import read_content
from gaincurve.io.formats.shape import Pairs
from gaincurve.io.read import run_name
from gaincurve.model.efficiency.costs import Efficiency
from gaincurve.model.efficiency.records import LogReading
from gaincurve.model.ids import decode
from gaincurve.model.source import shorten

_LOG_SUFFIXES = (".log", ".efficiency", ".latency")
_HINT = 'expected one record a line, e.g. {"topic": "301", "latency_ms": 12.4}'


def read_efficiency(path: str | os.PathLike[str], *, name: str | None = None, digest: bool = True) -> Efficiency:
    """An efficiency log from a file, compressed or plain, or from standard input for '-'; named like its run."""
    content = read_content(path, digest)
    reading = LogReading(content.path)
    for number, line in enumerate(decode(content.bytes()).split("\n"), 1):
        if line.strip() and not line.lstrip(" \t").startswith("#"):
            _take(reading, line, f"{content.path}:{number}")
    return reading.finished(log_name(path) if name is None else name, "efficiency log", content.sha256)


def log_name(path: str | os.PathLike[str]) -> str:
    """logs/bm25.jsonl, bm25.efficiency.jsonl.gz → bm25: the name of the run bm25.run."""
    name = run_name(path)
    stem, suffix = os.path.splitext(name)
    while suffix.lower() in _LOG_SUFFIXES:
        name = run_name(stem)
        stem, suffix = os.path.splitext(name)
    return name


def _take(reading: LogReading, line: str, place: str) -> None:
    try:
        pairs: object = json.loads(line, object_pairs_hook=Pairs)
    except (ValueError, RecursionError) as error:
        reading.refuse(Problem("input-json", f"not JSON ({error}): {shorten(line)}", place, _HINT))
        return
    if not isinstance(pairs, Pairs):
        reading.refuse(Problem("input-json", f"not a record: {shorten(line)}", place, _HINT))
        return
    twice = [key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i])]
    if twice:  # JSON readers keep one of the two in silence
        reading.refuse(Problem("efficiency-record", f"the record has {shorten(repr(twice[0]))} twice", place))
    else:
        reading.take(dict(pairs), place)
