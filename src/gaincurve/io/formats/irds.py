"""Data sets of the package ir_datasets by id: irds:cranfield. It fetches what it does not have."""

from __future__ import annotations

from typing import Any

from gaincurve.errors import InputError, Problem, extra_missing
from gaincurve.model.objects import rows_from_object
from gaincurve.model.rows import Rows

PREFIX = "irds:"


def is_irds(path: str) -> bool:
    """Whether a path is the id of a data set."""
    return path.startswith(PREFIX)


def rows_of(path: str, kind: str) -> Rows:
    """The judgments of a data set, or the scored documents that stand for a run."""
    try:
        import ir_datasets  # noqa: PLC0415 -- an extra, imported where it is used
    except ImportError:
        raise extra_missing("datasets", f"reading {path}") from None
    try:
        dataset: Any = ir_datasets.load(path.removeprefix(PREFIX))
        iterate = getattr(dataset, "qrels_iter" if kind == "judgments" else "scoreddocs_iter", None)
        records = [] if iterate is None else list(iterate())
    except KeyError:
        what = f"ir_datasets has no data set {path.removeprefix(PREFIX)!r}"
        raise InputError(Problem("input-missing", what, path, "see https://ir-datasets.com")) from None
    except Exception as error:  # what fails while it fetches has many types
        raise InputError(Problem("input-unreadable", f"{path} cannot be read: {error}", path)) from None
    if not records:
        missing = "no judgments" if kind == "judgments" else "no scored documents"
        raise InputError(Problem("input-empty", f"{path} has {missing}", path))
    return rows_from_object(records, kind, path)
