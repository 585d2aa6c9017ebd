"""The sessions of the demo."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gaincurve.cli.session.query_views import lengths_wide
from gaincurve.cli.session.views import scores_wide
from gaincurve.demo.sessions import make_sessions
from gaincurve.io.read import read_judgments
from gaincurve.io.render import render
from gaincurve.io.results import document, write_whole
from gaincurve.io.sessions.logs import read_sessions
from gaincurve.model.scenario import session_scenario
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.sessions.curves import SessionCurves, draw_sessions
from gaincurve.verbs.sessions.evaluate import score_sessions
from gaincurve.verbs.sessions.experiment import graded_logs, on_topic

INTRODUCTION = """
Search sessions: 30 made-up searchers, 4 tasks, 2 systems. A late query counts for less (the 2008 paper's choices):
"""


@dataclass(frozen=True, eq=False)
class SessionDemo:
    """What the demo prints about sessions, and the experiment behind it."""

    text: str
    experiment: Experiment

    def charts(self) -> dict[str, Any]:
        """The figures of the 2008 paper, by file name."""
        from gaincurve import figures  # noqa: PLC0415 -- an extra

        of_task = on_topic(self.experiment, "D")
        return {
            "sessions/last-queries.svg": figures.last_queries_chart(_curves(self.experiment, "sDCG")),
            "sessions/curve.svg": figures.session_curves_chart(_curves(self.experiment, "nsDCG")),
            "sessions/task-D.svg": figures.session_curves_chart(_curves(of_task, "sDCG", at_least=4)),
            "sessions/task-D-sessions.svg": figures.single_sessions_chart(_curves(of_task, "sDCG", per_session=True)),
        }


def session_demo(home: Path) -> SessionDemo:
    """Write the made-up sessions, score them, and return the results."""
    generated = make_sessions()
    (home / "sessions").mkdir(exist_ok=True)
    paths = {name: home / "sessions" / f"{name}.jsonl" for name in generated.logs}
    qrels = home / "sessions" / "tasks.qrels"
    write_whole(qrels, generated.qrels.encode())
    for name, text in generated.logs.items():
        write_whole(paths[name], text.encode())
    scenario = session_scenario("session2008")
    experiment = graded_logs(read_judgments(qrels), [read_sessions(path) for path in paths.values()], scenario)
    scores = score_sessions(experiment, asked_measures(["sDCG", "nsDCG"], scenario, "session"), scenario)
    shape = document(scores.to_dict(True), scores.inputs, scores.notes)
    write_whole(home / "sessions" / "scores.json", shape.encode())
    table = render(scores_wide(scores, per_session=False), "table")
    lengths = render(lengths_wide(_curves(experiment, "nsDCG")), "table")
    return SessionDemo(f"{INTRODUCTION}\n{table}\n{lengths}", experiment)


def _curves(experiment: Experiment, measure: str, **choices: Any) -> SessionCurves:
    scenario = session_scenario("session2008")
    (parsed_measure,) = asked_measures(measure, scenario, "session")
    return draw_sessions(experiment, parsed_measure, scenario, **choices)
