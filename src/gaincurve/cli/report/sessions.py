"""The sessions of `report`: its options, and sessions from files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import click

from gaincurve.cli.options import Reading as ReadingOptions
from gaincurve.cli.options import applied, gathered
from gaincurve.cli.session import options as session_options
from gaincurve.cli.session.options import QueryDiscount, SessionFiles
from gaincurve.files.experiment import read_experiment
from gaincurve.files.reading import Reading
from gaincurve.io.scenarios import read_scenario
from gaincurve.model.gains import Gains
from gaincurve.model.scenario import Scenario
from gaincurve.page.inputs.sessions import SessionInputs, session_page_scenario


@dataclass(frozen=True)
class SessionPanel:
    """The sessions of a report, as they were asked for."""

    sessions: tuple[str, ...]
    session_judgments: str | None
    session_scenario: str | None


options = applied(
    [
        gathered(
            "panel",
            SessionPanel,
            [
                click.option("--sessions", multiple=True, metavar="LOG", help="Whole sessions of one system: JSON "
                             "lines, TREC Session Track XML, or a TREC run whose topics name session and query. "
                             "Repeatable."),
                click.option("--session-judgments", metavar="FILE", help="The judgments of the sessions, if not "
                             "JUDGMENTS."),
                click.option("--session-scenario", metavar="NAME|FILE.toml", help="The choices of sessions.  "
                             "[session, with the gains of the report]"),
            ],
        ),
        session_options.files,
        session_options.query_discount,
    ]
)  # fmt: skip
"""The options of the panel of sessions; with --pattern or --map alone the RUNs are sessions too."""

INSTEAD = "give --sessions, or --pattern for runs of sessions"


def sessions_of(
    judgments: str,
    runs: Sequence[str],
    gains: Gains,
    panel: SessionPanel,
    files: SessionFiles,
    discount: QueryDiscount,
    reading: ReadingOptions,
    tell: Callable[[str], None],
    alone: Scenario | None = None,
) -> SessionInputs | None:
    """The sessions named on the command line, None if there are none.

    `gains` are those of the report; `alone` are the choices of a page that is about sessions only.
    """
    paths = panel.sessions or (tuple(runs) if files.pattern or files.topics else ())
    if not paths:
        for name in ("session_judgments", "session_scenario"):
            if getattr(panel, name) is not None:
                raise click.UsageError(f"--{name.replace('_', '-')} belongs to sessions: {INSTEAD}")
        files.refuse(INSTEAD)
        discount.refuse(INSTEAD)
        return None
    named = None if panel.session_scenario is None else read_scenario(panel.session_scenario)
    scenario = session_page_scenario(named, gains, **asdict(discount)) if alone is None else alone
    how = Reading(**reading.files, sessions=files.reading, tell=tell)
    experiment = read_experiment(panel.session_judgments or judgments, paths, scenario, how)
    return SessionInputs.scored(experiment, scenario)
