"""The report of the demo."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from gaincurve.errors import MissingExtra
from gaincurve.io.texts.read import read_texts
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.page.document_texts import best_ranks
from gaincurve.page.facts import DEFAULT
from gaincurve.page.inputs.runs import page_inputs
from gaincurve.page.inputs.sessions import SessionInputs
from gaincurve.page.report import make_report, need_extra
from gaincurve.verbs.experiment import Experiment

TOPICS, DOCUMENTS = "topics.tsv", "documents.tsv"
SCENARIO, SESSIONS = "busy", "session2008"


def demo_report(home: Path, judgments: Judgments, runs: Sequence[Run], sessions: Experiment) -> str:
    """Write report.html about everything in the folder, and return a text that says where it is."""
    try:
        need_extra()
    except MissingExtra as missing:
        return f"\nNo report: {missing.problems[0].what}.\nTry: {missing.problems[0].hint}"
    inputs = page_inputs(
        judgments,
        runs,
        Scenario.of(SCENARIO),
        DEFAULT,
        topics=read_texts(home / TOPICS, set(judgments.topics)),
        documents=read_texts(home / DOCUMENTS, set(best_ranks(judgments, runs))),
        sessions=SessionInputs.scored(sessions, session_scenario(SESSIONS)),
        command=_command(home, runs, sessions),
    )
    make_report(inputs).save(home / "report.html")
    page = f"\nThe report, one page to open in a browser or to send around:\n  {home / 'report.html'}"
    return f"{page}\n(It uses the paired t-test with Holm's correction, which the page recomputes at every change.)"


def _command(home: Path, runs: Sequence[Run], sessions: Experiment) -> str:
    """The command that writes the same page."""
    logs = [word for run in sessions.runs for word in ("--sessions", run.source.path)]
    words = (
        "gaincurve", "report", f"{home / 'judgments.qrels'}", *(run.source.path for run in runs),
        "--scenario", SCENARIO,
        "--topics", f"{home / TOPICS}", "--docs", f"{home / DOCUMENTS}", *logs,
        "--session-judgments", sessions.judgments.source.path, "--session-scenario", SESSIONS,
    )  # fmt: skip
    return shlex.join(words)
