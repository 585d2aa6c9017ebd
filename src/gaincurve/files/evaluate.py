"""Score files: the same numbers as from objects, on all cores and in little memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Unpack

from gaincurve.files.experiment import read_experiment
from gaincurve.files.reading import Path, Reading, SessionReading
from gaincurve.io.scenarios import read_scenario
from gaincurve.model.choices import ScenarioChoices, SessionChoices
from gaincurve.model.columns import Given
from gaincurve.model.instances import Instances
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.model.scores import Scores
from gaincurve.verbs.evaluate import asked_measures, score_topics
from gaincurve.verbs.linear import shown_depth
from gaincurve.verbs.remarks import with_remarks
from gaincurve.verbs.sessions.evaluate import DEFAULT_MEASURES, score_sessions
from gaincurve.verbs.sessions.experiment import with_instances


def evaluate_files(
    judgments: Path,
    runs: Path | Iterable[Path],
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    scenario: Scenario | str = "default",
    duplicates: str = "error",
    subtopics: bool = False,
    columns: Given | None = None,
    grades_are_scores: bool = False,
    judges: str = "error",
    threads: int | None = None,
    **choices: Unpack[ScenarioChoices],
) -> Scores:
    """Score run files against a file of judgments, on all cores and in little memory.

    The same numbers as `evaluate` on what `read_judgments` and `read_run` return; `scenario` may be a TOML file.
    `columns` names the columns of tables, {"document": "docno"} or {"document": ["docno", "doc_id"]} where files
    differ; judgments that look like a run's scores are refused, unless `grades_are_scores`. Where several judges
    differ, `judges` (mean, median, min, max) says what counts.
    """
    chosen = read_scenario(scenario).with_choices(**choices)
    asked = asked_measures(measures, chosen)
    shown = shown_depth(asked, chosen)
    reading = Reading(
        duplicates, subtopics, columns, grades_are_scores, shown=shown, threads=threads, judges=judges
    ).needed_by(asked)
    graded = read_experiment(judgments, _paths(runs), chosen, reading)
    return with_remarks(score_topics(graded, asked, chosen), graded, chosen)


def evaluate_session_files(
    judgments: Path,
    sessions: Path | Iterable[Path],
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    topics: Path | None = None,
    pattern: str | None = None,
    queries: Path | None = None,
    gaps: str = "error",
    unmapped: str = "error",
    duplicates: str = "error",
    design: str | None = None,
    fields: Mapping[str, str] | None = None,
    idle: str | None = None,
    by: str | None = None,
    scenario: Scenario | str = "session",
    instances: Instances | None = None,
    subtopics: bool = False,
    columns: Given | None = None,
    grades_are_scores: bool = False,
    judges: str = "error",
    threads: int | None = None,
    **choices: Unpack[SessionChoices],
) -> Scores:
    """Score session files: logs (JSON, CSV, TSV, UBI, Session Track XML) or TREC runs with topics such as s12.q3.

    `topics` is a table of session and topic, `pattern` is how the topic field of a run is written
    ('s{session}.q{query}'), and `queries` is a list of all queries, including those without results in any run.
    `fields` names other keys of logs ({"session": "session_id"}), and `idle` ('30m') cuts their
    sessions where a user was idle longer.
    """
    chosen = session_scenario(read_scenario(scenario), **choices)
    asked = asked_measures(measures, chosen, "session")
    session_reading = SessionReading(topics, pattern, queries, gaps, unmapped, design, fields or {}, idle)
    reading = Reading(
        duplicates, subtopics, columns, grades_are_scores, threads=threads, judges=judges, sessions=session_reading
    ).needed_by(asked)
    graded = read_experiment(judgments, _paths(sessions), chosen, reading)
    if instances is not None:
        graded = with_instances(graded, instances)
    return with_remarks(score_sessions(graded, asked, chosen, by=by), graded, chosen)


def _paths(paths: Path | Iterable[Path]) -> list[Path]:
    """A single path or several, as a list."""
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)
