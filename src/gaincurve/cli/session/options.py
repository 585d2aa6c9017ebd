"""The options of `session`, and of `explain --session`, each written once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from gaincurve.cli.options import applied, choice
from gaincurve.files import Reading, SessionReading
from gaincurve.io.scenarios import read_scenario
from gaincurve.io.sessions.lists import UNMAPPED
from gaincurve.model.discount import FORMS
from gaincurve.model.order import TIE_RULES
from gaincurve.model.scenario import CHOICES, MISSING, UNJUDGED, Scenario
from gaincurve.model.sessions.rules import RULE_NAMES, SESSION_RULES
from gaincurve.model.sessions.tables import DESIGNS, GAPS
from gaincurve.verbs.sessions.experiment import session_scenario

reading = applied(
    [
        click.option(
            "--map", "topics", metavar="FILE", help="Session and topic, one pair a line, for TREC runs and logs."
        ),
        click.option(
            "--pattern", help="How runs name session and query, e.g. 's{session}.q{query}'; the usual ones are known."
        ),
        click.option("--queries", metavar="FILE", help="All queries, by the first column: also those without results."),
        choice("gaps", GAPS),
        choice("unmapped", UNMAPPED),
        choice("design", DESIGNS),
    ]
)
"""How session files are read."""

query_discount = applied(
    [
        click.option("--query-discount", metavar="|".join(FORMS), help="Divisor by query; see `ls discounts`."),
        click.option("--bq", help="Base of the query discount: above 1, or inf for none.  [4]"),
    ]
)

rules = applied(
    [
        query_discount,
        *(choice(name.replace("_", "-"), values) for name, values in SESSION_RULES.items()),
    ]
)
"""The choices only sessions have."""

choices = applied(
    [
        click.option("--scenario", default="session", metavar="NAME|FILE.toml", help="A named set of choices; "
                     "session2008 is the paper's.  [session]"),
        click.option("--gains", help="Gain by grade: identity, binary, exp2, 0-1-10-100, 1=3,2=9."),
        click.option("--discount", metavar="|".join(FORMS), help="Divisor by rank; see `ls discounts`."),
        click.option("--base", help="Base b of the rank discount: above 1, or inf.  [2]"),
        click.option("--depth", help="X: how many documents of each list are read.  [10]"),
        rules,
        choice("ties", TIE_RULES),
        choice("unjudged", UNJUDGED),
        choice("missing", {name: about.replace("judged topic", "session") for name, about in MISSING.items()}),
    ]
)  # fmt: skip
"""All choices that decide a session's number."""


def chosen(given: Mapping[str, Any]) -> Scenario:
    """The scenario named on the command line, with the choices of sessions."""
    names = {*RULE_NAMES, *CHOICES}
    return session_scenario(read_scenario(given["scenario"]), **{name: given.get(name) for name in names})


def reading_of(given: Mapping[str, Any], format_: str, tell: Callable[[str], None] = lambda _: None) -> Reading:
    """How files are to be read."""
    sessions = SessionReading(
        topics=given["topics"],
        pattern=given["pattern"],
        queries=given["queries"],
        gaps=given["gaps"] or "error",
        unmapped=given["unmapped"] or "error",
        design=given["design"],
    )
    return Reading(
        duplicates=given["duplicates"],
        subtopics=given["subtopics"],
        threads=given.get("threads"),
        digest=format_ == "json",
        sessions=sessions,
        tell=tell,
    )


def of_explain(given: Mapping[str, Any]) -> dict[str, Any]:
    """What `explain` was given, for a session: rules stand in the measure's brackets, and it has no other ideal."""
    for name in ("ideal", "empty"):
        if given[name] is not None:
            raise click.UsageError(f"--{name} is for topics; for a session write e.g. -m \"nsDCG(ideal='bound')\"")
    return {**given, "scenario": "session" if given["scenario"] == "default" else given["scenario"]}


def refuse(given: Mapping[str, Any]) -> None:
    """Options that only sessions have change nothing elsewhere."""
    own = ("topics", "pattern", "queries", "gaps", "unmapped", "design", *RULE_NAMES)
    for name in own:
        if name not in CHOICES and given.get(name) is not None:
            shown = "map" if name == "topics" else name.replace("_", "-")
            raise click.UsageError(f"--{shown} belongs to sessions: give --session")
