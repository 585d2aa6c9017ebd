"""The options of sessions: for `session`, and for the other commands that take session logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product

import click

from gaincurve.cli.options import applied, choice, gathered, refuse_idle
from gaincurve.errors import one_of
from gaincurve.files.reading import SessionReading
from gaincurve.io.scenarios import read_scenario
from gaincurve.io.sessions.lists import UNMAPPED
from gaincurve.model.discount import FORMS
from gaincurve.model.gains import SPELLINGS
from gaincurve.model.measure import Measure
from gaincurve.model.order import TIE_RULES
from gaincurve.model.scenario import MISSING, UNJUDGED, Scenario, session_scenario
from gaincurve.model.sessions.fields import parse_fields
from gaincurve.model.sessions.rules import SESSION_RULES
from gaincurve.model.sessions.tables import DESIGNS, GAPS
from gaincurve.verbs.evaluate import kind_of
from gaincurve.verbs.sessions.units import UNITS


@dataclass(frozen=True)
class SessionFiles:
    """How session files are read, as it was asked for."""

    topics: str | None
    pattern: str | None
    queries: str | None
    gaps: str | None
    unmapped: str | None
    design: str | None
    fields: str | None
    idle: str | None

    @property
    def reading(self) -> SessionReading:
        """The request with its defaults."""
        gaps, unmapped = self.gaps or "error", self.unmapped or "error"
        return SessionReading(
            self.topics, self.pattern, self.queries, gaps, unmapped, self.design, parse_fields(self.fields), self.idle
        )

    def refuse(self, instead: str, *allowed: str) -> None:
        """Refuse these options where there are no sessions; `instead` says how to give some."""
        given = {name: value for name, value in asdict(self).items() if name not in allowed}
        refuse_given({"map" if name == "topics" else name: value for name, value in given.items()}, instead)


files = gathered(
    "session_files",
    SessionFiles,
    [
        click.option(
            "--map", "topics", metavar="FILE", help="Session and topic, one pair per line, for TREC runs and logs."
        ),
        click.option(
            "--pattern", help="How runs name session and query, e.g. 's{session}.q{query}'; usual forms are recognised."
        ),
        click.option(
            "--queries",
            metavar="FILE",
            help="All queries, by the first column: also those without "
            "results. A table with the header session, query, topic gives topics, too.",
        ),
        choice("gaps", GAPS),
        choice("unmapped", UNMAPPED),
        choice("design", DESIGNS),
        click.option(
            "--fields",
            metavar="FIELD=KEY,…",
            help="Other names of the fields of logs, e.g. session=session_id,ranking=results.",
        ),
        click.option("--idle", metavar="TIME", help="Cut sessions of logs where a user was idle for longer, e.g. 30m."),
    ],
)
"""How session files are read."""


def refuse_given(options: Mapping[str, object], instead: str) -> None:
    """Refuse options of sessions where there are none; `instead` says how to give some."""
    for name, value in options.items():
        if value is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} belongs to sessions: {instead}")


@dataclass(frozen=True)
class QueryDiscount:
    """The discount by query, as it was asked for."""

    query_discount: str | None
    bq: str | None

    def refuse(self, instead: str) -> None:
        """Refuse these options where there are no sessions; `instead` says how to give some."""
        refuse_given(asdict(self), instead)


_query_discount: list[Callable[..., object]] = [
    click.option("--query-discount", metavar="|".join(FORMS), help="Divisor by query; see `ls discounts`."),
    click.option("--bq", help="Base of the query discount: above 1, or inf for none.  [4]"),
]
query_discount = gathered("discount_by_query", QueryDiscount, _query_discount)
"""The discount by query alone, for commands whose other choices are those of topics."""


@dataclass(frozen=True)
class Testing:
    """The unit of a test over sessions, and the choices that only sessions have."""

    unit: str | None
    query_discount: str | None
    bq: str | None
    rank_scope: str | None
    normalise: str | None
    horizon: str | None
    pad: str | None
    scan: str | None
    empty_lists: str | None
    repeats: str | None
    unjudged_queries: str | None

    def choices(self, measures: Sequence[Measure]) -> dict[str, str | None]:
        """The choices of sessions; refused for measures of topics, or that none of them uses."""
        options = asdict(self)
        if kind_of(measures) != "session":
            refuse_given(options, "name a measure of sessions, such as -m nsDCG")
            return {}
        if self.unit is not None:
            one_of("--unit", self.unit, tuple(UNITS))
        del options["unit"]
        refuse_idle(options, measures)
        return options

    def design(self, files: SessionFiles) -> tuple[SessionFiles, str | None]:
        """How files are read, and the design of the units, which is not that of the single sessions."""
        if self.unit in (None, "session"):
            return files, None
        return replace(files, design=None), files.design


testing = gathered(
    "of_sessions",
    Testing,
    [
        click.option(
            "--unit",
            metavar="|".join(UNITS),
            help="What a test over sessions compares: "
            + "; ".join(f"{name}: {about}" for name, about in UNITS.items())
            + ".",
        ),
        applied(_query_discount),
        *(
            choice(name.replace("_", "-"), SESSION_RULES[name])
            for name in ("rank_scope", "normalise", "horizon", "pad", "scan", "empty_lists", "repeats",
                         "unjudged_queries")
        ),
    ],
)  # fmt: skip
"""What commands that test sessions take beside the choices of topics."""


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
    unjudged_queries: str | None
    average: str | None
    empty: str | None
    ties: str | None
    unjudged: str | None
    missing: str | None

    def variants(self) -> list[dict[str, str]]:
        """Every combination of the bases b and bq, where several are given, as 2,4,10; else one without any."""
        given = {name: text.split(",") for name in ("base", "bq") if "," in (text := getattr(self, name) or "")}
        return [dict(zip(given, values, strict=True)) for values in product(*given.values())]

    def chosen(self) -> Scenario:
        """The scenario named on the command line, with the single choices applied; of several bases the first."""
        choices = asdict(self)
        choices |= {name: choices[name].partition(",")[0] for name in ("base", "bq") if choices[name]}
        return session_scenario(read_scenario(choices.pop("scenario")), **choices)

    def refuse_unused(self, measures: Sequence[Measure]) -> None:
        """Refuse an option that changes none of the measures asked for: it is most likely a mistake."""
        own = ("gains", "discount", "base", "query_discount", "bq", "rank_scope", "normalise", "ideal", "horizon",
               "unjudged_queries")  # fmt: skip
        refuse_idle({option: getattr(self, option) for option in own}, measures)


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
