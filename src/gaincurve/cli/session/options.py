"""The options of sessions: for `session`, and for the other commands that take session logs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import click

from gaincurve.cli.options import applied, choice, gathered
from gaincurve.files.reading import SessionReading
from gaincurve.io.scenarios import read_scenario
from gaincurve.io.sessions.lists import UNMAPPED
from gaincurve.model.discount import FORMS
from gaincurve.model.gains import SPELLINGS
from gaincurve.model.measure import Measure
from gaincurve.model.order import TIE_RULES
from gaincurve.model.scenario import MISSING, UNJUDGED, Scenario, session_scenario
from gaincurve.model.sessions.rules import SESSION_RULES
from gaincurve.model.sessions.tables import DESIGNS, GAPS


@dataclass(frozen=True)
class SessionFiles:
    """How session files are read, as it was asked for."""

    topics: str | None
    pattern: str | None
    queries: str | None
    gaps: str | None
    unmapped: str | None
    design: str | None

    @property
    def reading(self) -> SessionReading:
        """The request with its defaults."""
        gaps, unmapped = self.gaps or "error", self.unmapped or "error"
        return SessionReading(self.topics, self.pattern, self.queries, gaps, unmapped, self.design)

    def refuse(self, instead: str, *allowed: str) -> None:
        """Refuse these options where there are no sessions; `instead` says how to give some."""
        for name, value in asdict(self).items():
            if value is not None and name not in allowed:
                shown = "map" if name == "topics" else name
                raise click.UsageError(f"--{shown} belongs to sessions: {instead}")


files = gathered(
    "session_files",
    SessionFiles,
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
    ],
)
"""How session files are read."""


@dataclass(frozen=True)
class QueryDiscount:
    """The discount by query, as it was asked for."""

    query_discount: str | None
    bq: str | None

    def refuse(self, instead: str) -> None:
        """Refuse these options where there are no sessions; `instead` says how to give some."""
        for name, value in asdict(self).items():
            if value is not None:
                raise click.UsageError(f"--{name.replace('_', '-')} belongs to sessions: {instead}")


_query_discount: list[Callable[..., object]] = [
    click.option("--query-discount", metavar="|".join(FORMS), help="Divisor by query; see `ls discounts`."),
    click.option("--bq", help="Base of the query discount: above 1, or inf for none.  [4]"),
]
query_discount = gathered("discount_by_query", QueryDiscount, _query_discount)
"""The discount by query alone, for commands whose other choices are those of topics."""


@dataclass(frozen=True, kw_only=True)
class SessionChoices:
    """All choices that decide a session's number; None leaves one as the scenario has it."""

    scenario: str
    gains: str | None
    discount: str | None
    base: str | None
    depth: str | None
    query_discount: str | None
    bq: str | None
    rank_scope: str | None
    normalise: str | None
    ideal: str | None
    horizon: str | None
    pad: str | None
    scan: str | None
    empty_lists: str | None
    repeats: str | None
    average: str | None
    empty: str | None
    ties: str | None
    unjudged: str | None
    missing: str | None

    def chosen(self) -> Scenario:
        """The scenario named on the command line, with the single choices applied."""
        choices = asdict(self)
        return session_scenario(read_scenario(choices.pop("scenario")), **choices)

    def refuse_unused(self, measures: Sequence[Measure]) -> None:
        """Refuse an option that changes none of the measures asked for: it is most likely a mistake."""
        used = {parameter for measure in measures for parameter in measure.definition.parameters}
        own = ("gains", "discount", "base", "query_discount", "bq", "rank_scope", "normalise", "ideal", "horizon")
        for option in own:
            if getattr(self, option) is not None and option not in used:
                names = ", ".join(measure.name for measure in measures)
                raise click.UsageError(f"--{option.replace('_', '-')} changes nothing about {names}")


choices = gathered(
    "choices",
    SessionChoices,
    [
        click.option("--scenario", default="session", metavar="NAME|FILE.toml", help="A named set of choices; "
                     "session2008 is the paper's.  [session]"),
        click.option("--gains", help=f"Gain by grade: {SPELLINGS}."),
        click.option("--discount", metavar="|".join(FORMS), help="Divisor by rank; see `ls discounts`."),
        click.option("--base", help="Base b of the rank discount: above 1, or inf.  [2]"),
        click.option("--depth", help="X: how many documents of each list are read.  [10]"),
        applied(_query_discount),
        *(choice(name.replace("_", "-"), values) for name, values in SESSION_RULES.items()),
        choice("ties", TIE_RULES),
        choice("unjudged", UNJUDGED),
        choice("missing", {name: about.replace("judged topic", "session") for name, about in MISSING.items()}),
    ],
)  # fmt: skip
"""All choices that decide a session's number."""
