"""The option --efficiency: logs by path, by pattern, or as NAME=LOG."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from gaincurve.cli.inputs import load
from gaincurve.cli.options import Reading
from gaincurve.cli.output import Output
from gaincurve.errors import InputError, Problem
from gaincurve.files.reading import Gathered
from gaincurve.io.efficiency import log_name, read_efficiency
from gaincurve.model.efficiency.costs import Efficiency
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.experiment import Experiment

Named = tuple[str, str]


def named_logs(given: Sequence[str], others: Sequence[str]) -> list[Named]:
    """Name and path of each log, checked before anything is read; `others` are the other inputs."""
    logs = [log for text in given for log in _named(text)]
    if [*others, *(path for _, path in logs)].count("-") > 1:
        raise InputError(Problem("stdin-twice", "'-' was given more than once"))
    path_of: dict[str, str] = {}
    for name, path in logs:
        if name in path_of:
            what = f"two efficiency logs are named {name!r}"
            raise InputError(Problem("efficiency-name-twice", what, f"{path_of[name]} and {path}"))
        path_of[name] = path
    return logs


def _named(text: str) -> Iterator[Named]:
    """A text with '=' before any folder names its log; `./a=b.jsonl` is a path."""
    name, equals, path = text.partition("=")
    if equals and name and path and os.path.basename(name) == name:
        yield name, path
    elif text != "-" and not os.path.exists(text) and any(wildcard in text for wildcard in "*?["):
        import glob  # noqa: PLC0415 -- only for patterns

        paths = sorted(glob.glob(text))
        if not paths:
            raise InputError(Problem("input-missing", f"no file is named like {text}", text))
        yield from ((log_name(path), path) for path in paths)
    else:
        yield log_name(text), text


def load_with_logs(
    judgments: str,
    runs: Sequence[str],
    scenario: Scenario,
    logs: Sequence[str],
    reading: Reading,
    output: Output,
    measures: Sequence[Measure],
) -> tuple[Experiment, list[Efficiency]]:
    """Graded runs and efficiency logs; the problems of all files are reported together."""
    named = named_logs(logs, (judgments, *runs))
    gathered = Gathered()
    graded, efficiency = [], []
    with gathered.keeping():
        graded.append(load(judgments, runs, scenario, reading, output, measures))
    for name, path in named:
        with gathered.keeping():
            log = read_efficiency(path, name=name, digest=output.digest)
            output.tell(f"read {log.describe()}: {log.source.path}")
            efficiency.append(log)
    gathered.stop_if_any()
    return graded[0], efficiency
