"""Results in a tracker of experiments: names that it accepts, and MLflow's runs."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from gaincurve._version import __version__
from gaincurve.model.tables.frames import imported
from gaincurve.model.tables.result import Result, Series

LONGEST = 100
"""A run and a measure together stay below MLflow's 250 characters."""
LONGEST_TAG = 5000
BATCH, TAGS = 1000, 100
"""What one request to MLflow may hold."""


def safe_names(texts: Sequence[str]) -> dict[str, str]:
    """Names of letters, digits, '_', '-' and '.': nDCG@10 as nDCG_at_10.

    Texts that would share a name, be it in other case, get a part of their digest behind it, and so do long ones.
    """
    plain = {text: _plain(text) for text in texts}
    folded = [name.lower() for name in plain.values()]
    return {
        text: _digested(text, name) if len(name) > LONGEST or folded.count(name.lower()) > 1 else name
        for text, name in plain.items()
    }


def _plain(text: str) -> str:
    name = re.sub(r"[^\w.-]+|__+", "_", re.sub(r"\W*@", "_at_", text)).strip("_")
    return name if name.strip(".") else f"_{name}"  # '.' and '..' are folders


def _digested(text: str, name: str) -> str:
    return f"{name[: LONGEST - 9]}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def log_to_mlflow(result: Result, *, prefix: str = "", step: int | None = None) -> dict[str, float]:
    """Log scores or curves to the active MLflow run, or to a new one, and return the metrics.

    The summary of each measure is a metric (`nDCG_at_10`, of several runs `bm25/nDCG_at_10`), the points of a curve
    are its steps; `prefix` stands before every name, and `step` is that of scores. Signatures and notes are tags.
    Undefined values are left out.
    """
    mlflow = imported("mlflow", "log_to_mlflow")
    series = result.series()
    keys = metric_names(series, prefix)
    now = int(time.time() * 1000)
    metrics = [
        mlflow.entities.Metric(key, value, now, rank if len(line.values) > 1 else step or 0)
        for key, line in zip(keys, series, strict=True)
        for rank, value in enumerate(line.values, 1)
        if not math.isnan(value)
    ]
    run = (mlflow.active_run() or mlflow.start_run()).info.run_id
    client = mlflow.MlflowClient()
    for batch in _batches(metrics, BATCH):
        client.log_batch(run, metrics=batch)
    for tags in _batches([mlflow.entities.RunTag(*tag) for tag in _tags(result, series, prefix).items()], TAGS):
        client.log_batch(run, tags=tags)
    return {metric.key: metric.value for metric in metrics}


def metric_names(series: Sequence[Series], prefix: str = "") -> list[str]:
    """The name of each line: its run, unless there is only one, and its measure."""
    measures = safe_names([line.name for line in series])
    runs = safe_names([line.run for line in series])
    return [prefix + (f"{runs[line.run]}/" if len(runs) > 1 else "") + measures[line.name] for line in series]


def _tags(result: Result, series: Sequence[Series], prefix: str) -> dict[str, str]:
    measures = safe_names([line.name for line in series])
    texts = {f"signature.{measures[line.name]}": line.signature for line in series}
    texts["version"] = __version__
    if result.notes:
        texts["notes"] = "\n".join(map(str, result.notes))
    return {f"{prefix}gaincurve.{key}": text[:LONGEST_TAG] for key, text in texts.items()}


def _batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (items[start : start + size] for start in range(0, len(items), size))
