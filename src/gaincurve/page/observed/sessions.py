"""What was observed of sessions: the judged documents of every query, from which the page computes any sDCG again."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaincurve._version import __version__
from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.graded import Graded
from gaincurve.model.ids import Ints
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import READ
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.scenario import Scenario
from gaincurve.model.sessions.rules import SESSION_RULES, SessionRules
from gaincurve.model.source import grouped
from gaincurve.model.units import Units
from gaincurve.page.labels import labels, visible
from gaincurve.page.observed.runs import json_grade
from gaincurve.page.settings import base_json
from gaincurve.verbs.experiment import Experiment

MOST_NUMBERS = 2_000_000
"""The most numbers about sessions in a page; where there are more, lists are cut."""


def observe_sessions(
    experiment: Experiment,
    scenario: Scenario,
    most: int = MOST_NUMBERS,
) -> dict[str, Any]:
    """The part `sessions` of gaincurve.observed/1: queries, judged documents, recall bases, rules and settings.

    Queries of systems that answered the same sessions are written once, in `tables`. Of each list the first `reach`
    judged documents are kept, enough for every depth up to there, whether unjudged documents keep their ranks or not.
    """
    rules = scenario.session
    reach = _reach(experiment, scenario.depth or READ, most)
    scale = experiment.judgments.scale
    topics = _topics(experiment)
    tables: list[dict[str, Any]] = []
    runs = [_run(run, scale, rules, reach, topics, tables) for run in experiment.runs]
    return {
        "scale": [json_grade(grade) for grade in scale.tolist()],
        "design": experiment.design,
        "judged_by": experiment.judged_by,
        **({} if experiment.judgments.origin is None else {"origin": experiment.judgments.origin}),
        "reach": reach,
        "topics": {
            "ids": [visible(experiment.judgments.topics[t]) for t in topics.tolist()],
            "base": _bases(experiment.judgments, topics, scale),
        },
        "tables": tables,
        "runs": [
            {"name": visible(run.name), "label": label, **row}
            for run, label, row in zip(experiment.runs, labels(experiment.names), runs, strict=True)
        ],
        "rules": _rules(experiment, scenario),
        "settings": session_settings(scenario, scale),
    }


def session_settings(scenario: Scenario, scale: Floats) -> dict[str, Any]:
    """What the controls of the panel change, with the values the page starts with."""
    return {
        "scenario": scenario.name,
        "gains": [json_grade(gain) for gain in scenario.gains.of_grades(scale).tolist()],
        "gains_text": scenario.gains.text,
        "discount": scenario.discount.name,
        "base": base_json(scenario.discount.base),
        "depth": scenario.depth or READ,
        "query_discount": scenario.session.query_discount.name,
        "bq": base_json(scenario.session.query_discount.base),
        "unjudged": scenario.unjudged,
    }


def _rules(experiment: Experiment, scenario: Scenario) -> dict[str, Any]:
    """What no control changes: the rules for sessions, and the other facts of the signature.

    `condensed`: the lists have lost their unjudged documents already, so the page cannot put them back.
    """
    named = {name: getattr(scenario.session, name) for name in SESSION_RULES}
    return {
        **named,
        **experiment.queries_facts(),
        "missing": scenario.missing,
        "ties": scenario.ties,
        "condensed": scenario.unjudged == "condensed",
        "duplicates": experiment.duplicates,
        "version": __version__,
    }


def _reach(experiment: Experiment, depth: int, most: int) -> int | None:
    """How many judged documents of each list fit into the page; None if all do."""
    room = most - sum(3 * len(run.retrieved) for run in experiment.runs)
    rows = np.bincount(np.concatenate([_nth(run) for run in experiment.runs]))  # how many lists have an n-th
    sizes = 2 * np.cumsum(rows)
    if sizes[-1] <= room:
        return None
    reach = int(np.searchsorted(sizes, room, side="right")) - 1
    if reach < depth:
        queries = sum(len(run.retrieved) for run in experiment.runs)
        what = f"{grouped(queries)} queries read to rank {depth} are too many to be computed again in a page"
        raise ChoiceError(Problem("report-choices", what, hint="give the report fewer sessions"))
    return reach


def _nth(run: Graded) -> Ints:
    """1 for the first judged document of a list, 2 for the next, …"""
    starts = np.searchsorted(run.list, np.arange(len(run.retrieved)))
    return np.arange(len(run.list)) - starts[run.list] + 1


def _topics(experiment: Experiment) -> Ints:
    """The judged topics that some query is on."""
    judged = distinct(np.concatenate([run.base for run in experiment.runs]).astype(np.int64))
    return judged[judged >= 0]


def _bases(judgments: Judgments, topics: Ints, scale: Floats) -> list[list[int]]:
    """For each topic how many of its judged documents have each grade of the scale."""
    base = judgments.recall_base
    place = np.searchsorted(topics, base.topic)
    inside = (place < len(topics)) & (topics[np.minimum(place, len(topics) - 1)] == base.topic)
    cells = place[inside] * len(scale) + np.searchsorted(scale, base.grade[inside])
    counts: list[list[int]] = np.bincount(cells, minlength=len(topics) * len(scale)).reshape(-1, len(scale)).tolist()
    return counts


def _run(
    run: Graded, scale: Floats, rules: SessionRules, reach: int | None, topics: Ints, tables: list[Any]
) -> dict[str, Any]:
    """One system: how long its lists are, and at which ranks they have judged documents."""
    table = _table(run, topics)
    if table not in tables:
        tables.append(table)
    rows = np.flatnonzero(_nth(run) <= (reach or np.inf))
    query, rank = run.list[rows], run.rank[rows]
    is_first = np.concatenate([[True], query[1:] != query[:-1]]) if len(query) else np.zeros(0, dtype=bool)
    row: dict[str, Any] = {
        "table": tables.index(table),
        "present": run.present.astype(np.int64).tolist(),
        "retrieved": run.retrieved.tolist(),
        "judged": np.bincount(query, minlength=len(run.retrieved)).tolist(),
        "step": np.where(is_first, rank, np.diff(rank, prepend=0)).tolist(),
        "grade": np.searchsorted(scale, run.grade[rows]).tolist(),
    }
    if rules.repeats == "first" or run.kept:
        row["document"] = _numbered(run.judgment[rows])
    if rules.scan != "top":
        row["read"] = _read(run.units, rules.scan)
    return row


def _table(run: Graded, topics: Ints) -> dict[str, Any]:
    """The sessions of a system: ids, how many queries each has, and the topic of each query (−1: not judged)."""
    place = np.where(run.base < 0, -1, np.searchsorted(topics, run.base))
    return {
        "ids": [visible(name) for name in run.units.names],
        "queries": run.units.lengths.tolist(),
        "topic": place.tolist(),
    }


def _numbered(judgment: Ints) -> list[int]:
    """Documents as small numbers: the page only needs to know which are the same."""
    numbers: list[int] = np.searchsorted(distinct(judgment), judgment).tolist()
    return numbers


def _read(table: Units, scan: str) -> list[int]:
    """How far each list is known to have been read; −1 where that is not known, and the depth decides."""
    seen = table.scanned if scan == "observed" else table.clicked
    if seen is None:
        return [-1] * table.lists
    known = seen >= 0 if scan == "observed" else seen > 0
    read: list[int] = np.where(known, seen, -1).tolist()
    return read
