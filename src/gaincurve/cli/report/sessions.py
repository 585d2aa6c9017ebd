"""The part of `report` that is about sessions: its options, and sessions from files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from gaincurve.cli.options import applied
from gaincurve.cli.session import options as session_options
from gaincurve.files import read_experiment
from gaincurve.io.scenarios import read_scenario
from gaincurve.model.gains import Gains
from gaincurve.page.inputs.sessions import SessionInputs, session_page_scenario

options = applied(
    [
        click.option("--sessions", multiple=True, metavar="LOG", help="Whole sessions of one system: JSON lines, TREC "
                     "Session Track XML, or a TREC run whose topics name session and query. Repeatable."),
        click.option("--session-judgments", metavar="FILE", help="The judgments of the sessions, if not JUDGMENTS."),
        click.option("--session-scenario", metavar="NAME|FILE.toml", help="The choices of sessions.  [session, with "
                     "the gains of the report]"),
        session_options.reading,
        session_options.query_discount,
    ]
)  # fmt: skip
"""What `report` takes for its panel of sessions; with --pattern or --map alone the RUNs are sessions too."""

OWN = ("session_judgments", "session_scenario", "queries", "gaps", "unmapped", "design", "query_discount", "bq")
"""Options that say nothing without sessions."""


def sessions_of(
    judgments: str, runs: Sequence[str], gains: Gains, given: Mapping[str, Any], tell: Callable[[str], None]
) -> SessionInputs | None:
    """The sessions named on the command line, None if there are none; `gains` are those of the report."""
    paths = tuple(given["sessions"]) or (tuple(runs) if given["pattern"] or given["topics"] else ())
    if not paths:
        _refuse(given)
        return None
    own = {name: given[name] for name in ("query_discount", "bq")}
    named = given["session_scenario"]
    scenario = session_page_scenario(None if named is None else read_scenario(named), gains, **own)
    reading = session_options.reading_of({"subtopics": False, **given}, "json", tell)
    experiment = read_experiment(given["session_judgments"] or judgments, paths, scenario, reading)
    return SessionInputs.scored(experiment, scenario)


def _refuse(given: Mapping[str, Any]) -> None:
    for name in OWN:
        if given[name] is not None:
            shown = name.replace("_", "-")
            raise click.UsageError(f"--{shown} belongs to sessions: give --sessions, or --pattern for runs of sessions")
