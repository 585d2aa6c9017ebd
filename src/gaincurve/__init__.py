"""Cumulated-gain evaluation of rankings: which one serves its users better, by how much, at which rank, for whom.

>>> import gaincurve as gc
>>> scores = gc.evaluate({"q1": {"d1": 3, "d2": 1}}, {"q1": {"d2": 9.5, "d1": 7.1}}, "nDCG@10")
>>> round(scores.summary()["run"]["nDCG@10"], 4)
0.7967

Names are imported when first used, so that `import gaincurve` and the command line start quickly.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from gaincurve._version import __version__
from gaincurve.errors import ChoiceError, GaincurveError, GaincurveWarning, InputError, MissingExtra
from gaincurve.model import paths as _paths

if TYPE_CHECKING:
    from gaincurve import figures, stats, vectors
    from gaincurve.curve.effort import Effort
    from gaincurve.curve.points import Curves
    from gaincurve.curve.recall import RecallCurves
    from gaincurve.files.evaluate import evaluate_files, evaluate_session_files
    from gaincurve.files.scored import read_scores
    from gaincurve.io.convert import convert
    from gaincurve.io.efficiency import read_efficiency
    from gaincurve.io.read import read_judgments, read_run
    from gaincurve.io.scenarios import read_scenario
    from gaincurve.io.sessions.logs import read_session_logs, read_sessions
    from gaincurve.io.texts.read import read_texts
    from gaincurve.io.tracking import log_to_mlflow
    from gaincurve.measures.notation import parse_measure
    from gaincurve.model.agreement import Agreement
    from gaincurve.model.comparison import Comparison
    from gaincurve.model.decision import Decision
    from gaincurve.model.efficiency.costs import Efficiency
    from gaincurve.model.estimates import EstimatedCurves, Estimates
    from gaincurve.model.gate import Gate
    from gaincurve.model.judgments import Judgments
    from gaincurve.model.measure import Measure
    from gaincurve.model.pool import Pool
    from gaincurve.model.run import Run
    from gaincurve.model.scenario import Scenario
    from gaincurve.model.scores import Scores, SessionScores
    from gaincurve.model.sessions.log import SessionLog
    from gaincurve.model.sessions.objects import sessions_from_records
    from gaincurve.model.sweep import Sweep
    from gaincurve.model.tradeoff import Tradeoff
    from gaincurve.model.votes import Votes
    from gaincurve.page.report import Report, report
    from gaincurve.verbs.agree import agree
    from gaincurve.verbs.arrays import evaluate_arrays
    from gaincurve.verbs.check import check
    from gaincurve.verbs.compare import compare
    from gaincurve.verbs.curves import curves
    from gaincurve.verbs.decide import decide
    from gaincurve.verbs.deciding.closing import closing_paths
    from gaincurve.verbs.efficiency import tradeoff
    from gaincurve.verbs.effort import effort
    from gaincurve.verbs.estimate import estimate, estimated_curves
    from gaincurve.verbs.evaluate import evaluate
    from gaincurve.verbs.explain import explain
    from gaincurve.verbs.explain_grades import explain_grades
    from gaincurve.verbs.gate import gate
    from gaincurve.verbs.pool import pool
    from gaincurve.verbs.pools.replay import replay_curves
    from gaincurve.verbs.precision_recall import precision_recall
    from gaincurve.verbs.recapture import recapture
    from gaincurve.verbs.reuse import reuse
    from gaincurve.verbs.sessions.curves import SessionCurves, session_curves
    from gaincurve.verbs.sessions.evaluate import evaluate_sessions
    from gaincurve.verbs.sessions.explain import explain_session
    from gaincurve.verbs.sweep import sweep
    from gaincurve.verbs.votes import votes
    from gaincurve.verbs.why import WhyDifferent, why_different

_HOMES = {
    "Agreement": "model.agreement",
    "Comparison": "model.comparison",
    "Curves": "curve.points",
    "Decision": "model.decision",
    "Efficiency": "model.efficiency.costs",
    "Effort": "curve.effort",
    "EstimatedCurves": "model.estimates",
    "Estimates": "model.estimates",
    "Gate": "model.gate",
    "Judgments": "model.judgments",
    "Measure": "model.measure",
    "Pool": "model.pool",
    "RecallCurves": "curve.recall",
    "Report": "page.report",
    "Run": "model.run",
    "Scenario": "model.scenario",
    "Scores": "model.scores",
    "SessionCurves": "verbs.sessions.curves",
    "SessionLog": "model.sessions.log",
    "SessionScores": "model.scores",
    "Sweep": "model.sweep",
    "Tradeoff": "model.tradeoff",
    "Votes": "model.votes",
    "agree": "verbs.agree",
    "check": "verbs.check",
    "closing_paths": "verbs.deciding.closing",
    "compare": "verbs.compare",
    "convert": "io.convert",
    "curves": "verbs.curves",
    "decide": "verbs.decide",
    "effort": "verbs.effort",
    "estimate": "verbs.estimate",
    "estimated_curves": "verbs.estimate",
    "evaluate": "verbs.evaluate",
    "evaluate_arrays": "verbs.arrays",
    "evaluate_files": "files.evaluate",
    "evaluate_session_files": "files.evaluate",
    "evaluate_sessions": "verbs.sessions.evaluate",
    "explain": "verbs.explain",
    "explain_grades": "verbs.explain_grades",
    "explain_session": "verbs.sessions.explain",
    "gate": "verbs.gate",
    "log_to_mlflow": "io.tracking",
    "parse_measure": "measures.notation",
    "pool": "verbs.pool",
    "precision_recall": "verbs.precision_recall",
    "read_efficiency": "io.efficiency",
    "read_judgments": "io.read",
    "read_run": "io.read",
    "read_scenario": "io.scenarios",
    "read_scores": "files.scored",
    "read_session_logs": "io.sessions.logs",
    "read_sessions": "io.sessions.logs",
    "read_texts": "io.texts.read",
    "recapture": "verbs.recapture",
    "replay_curves": "verbs.pools.replay",
    "report": "page.report",
    "reuse": "verbs.reuse",
    "session_curves": "verbs.sessions.curves",
    "sessions_from_records": "model.sessions.objects",
    "sweep": "verbs.sweep",
    "tradeoff": "verbs.efficiency",
    "votes": "verbs.votes",
    "WhyDifferent": "verbs.why",
    "why_different": "verbs.why",
}
_MODULES = ("figures", "stats", "vectors")
_WITH_NOTES = ("files", "io", "page", "verbs")
"""The rooms whose functions return something with notes: called from here, they raise them as warnings."""

__all__ = [
    "Agreement",
    "ChoiceError",
    "Comparison",
    "Curves",
    "Decision",
    "Efficiency",
    "Effort",
    "EstimatedCurves",
    "Estimates",
    "GaincurveError",
    "GaincurveWarning",
    "Gate",
    "InputError",
    "Judgments",
    "Measure",
    "MissingExtra",
    "Pool",
    "RecallCurves",
    "Report",
    "Run",
    "Scenario",
    "Scores",
    "SessionCurves",
    "SessionLog",
    "SessionScores",
    "Sweep",
    "Tradeoff",
    "Votes",
    "WhyDifferent",
    "__version__",
    "agree",
    "check",
    "closing_paths",
    "compare",
    "convert",
    "curves",
    "decide",
    "effort",
    "estimate",
    "estimated_curves",
    "evaluate",
    "evaluate_arrays",
    "evaluate_files",
    "evaluate_session_files",
    "evaluate_sessions",
    "explain",
    "explain_grades",
    "explain_session",
    "figures",
    "gate",
    "log_to_mlflow",
    "parse_measure",
    "pool",
    "precision_recall",
    "read_efficiency",
    "read_judgments",
    "read_run",
    "read_scenario",
    "read_scores",
    "read_session_logs",
    "read_sessions",
    "read_texts",
    "recapture",
    "replay_curves",
    "report",
    "reuse",
    "session_curves",
    "sessions_from_records",
    "stats",
    "sweep",
    "tradeoff",
    "vectors",
    "votes",
    "why_different",
]


def _reader(name: str, home: str = "io.read") -> Callable[..., Any]:
    """A function that reads files, imported when a path is first given in place of what it holds."""

    def read(path: object, **choices: object) -> object:
        return getattr(importlib.import_module(f"gaincurve.{home}"), name)(path, **choices)

    return read


_paths.readers.update(judgments=_reader("read_judgments"), run=_reader("read_run"), name=_reader("run_name"))
_paths.readers.update(runs=_reader("read_runs"), paths=_reader("expanded", "io.addresses"))
_paths.readers.update(scores=_reader("read_scores", "files.scored"))


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return importlib.import_module(f"gaincurve.{name}")
    if name in _HOMES:
        home = _HOMES[name]
        value: object = getattr(importlib.import_module(f"gaincurve.{home}"), name)
        if home.partition(".")[0] in _WITH_NOTES and isinstance(value, FunctionType):
            from gaincurve.verbs.warned import warned  # noqa: PLC0415 -- nothing of it is needed by the command line

            return warned(value)
        return value
    raise AttributeError(f"module 'gaincurve' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
