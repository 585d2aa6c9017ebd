"""The part of the demo that is about sessions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gaincurve.cli.session.views import lengths_wide, scores_wide
from gaincurve.demo.sessions import make_sessions
from gaincurve.io.read import read_judgments
from gaincurve.io.render import render
from gaincurve.io.results import document, write_whole
from gaincurve.io.sessions.logs import read_sessions
from gaincurve.measures.session_registry import parse_session_measures
from gaincurve.model.sessions.log import grade_sessions
from gaincurve.verbs.sessions.curves import SessionCurves, draw_sessions
from gaincurve.verbs.sessions.evaluate import score_sessions
from gaincurve.verbs.sessions.experiment import SessionExperiment, session_choices, session_experiment

INTRODUCTION = """
Search sessions: 30 made-up searchers, 4 tasks, 2 systems. A late query counts for less (the 2008 paper's choices):
"""


@dataclass(frozen=True, eq=False)
class SessionDemo:
    """What the demo says about sessions, and the logs it was made from."""

    text: str
    experiment: SessionExperiment

    def charts(self) -> dict[str, Any]:
        """The pictures of the 2008 paper, by file name."""
        from gaincurve import figures  # noqa: PLC0415 -- an extra

        of_task = self.experiment.on_topic("D")
        return {
            "sessions/last-queries.svg": figures.last_queries_chart(_curves(self.experiment, "sDCG")),
            "sessions/curve.svg": figures.session_curves_chart(_curves(self.experiment, "nsDCG")),
            "sessions/task-D.svg": figures.session_curves_chart(_curves(of_task, "sDCG", at_least=4)),
            "sessions/task-D-sessions.svg": figures.single_sessions_chart(_curves(of_task, "sDCG", per_session=True)),
        }


def session_demo(home: Path) -> SessionDemo:
    """Write the made-up sessions, score them, and tell what came out."""
    made = make_sessions()
    (home / "sessions").mkdir(exist_ok=True)
    paths = {name: home / "sessions" / f"{name}.jsonl" for name in made.logs}
    qrels = home / "sessions" / "tasks.qrels"
    write_whole(qrels, made.qrels.encode())
    for name, text in made.logs.items():
        write_whole(paths[name], text.encode())
    scenario, rules = session_choices("session2008")
    judged = read_judgments(qrels)
    graded = [grade_sessions(judged, read_sessions(path)) for path in paths.values()]
    experiment = session_experiment(judged, graded, scenario)
    asked = parse_session_measures(["sDCG", "nsDCG"])
    scores = score_sessions(experiment, asked, scenario, rules)
    found = document(scores.to_dict(True), scores.scores.inputs, scores.scores.notes)
    write_whole(home / "sessions" / "scores.json", found.encode())
    table = render(scores_wide(scores, per_session=False), "table")
    lengths = render(lengths_wide(_curves(experiment, "nsDCG")), "table")
    return SessionDemo(f"{INTRODUCTION}\n{table}\n{lengths}", experiment)


def _curves(experiment: SessionExperiment, measure: str, **choices: Any) -> SessionCurves:
    scenario, rules = session_choices("session2008")
    return draw_sessions(experiment, parse_session_measures(measure)[0], scenario, rules, **choices)
