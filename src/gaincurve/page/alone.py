"""A page about sessions alone, without single lists: its own verdict and leaderboard, and the panel of sessions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gaincurve._version import __version__
from gaincurve.model.comparison import Comparison
from gaincurve.model.scores import Scores
from gaincurve.model.sentences import say
from gaincurve.model.source import Note, counted
from gaincurve.model.wording import joined
from gaincurve.page.charts import session_charts
from gaincurve.page.content import Health, Page
from gaincurve.page.facts import SESSIONS
from gaincurve.page.inputs.runs import PageInputs
from gaincurve.page.inputs.sessions import SessionInputs
from gaincurve.page.labels import visible
from gaincurve.page.leaderboard import leaderboard_of, leaderboard_untested, verdict_untested
from gaincurve.page.panels import SESSION_PANELS
from gaincurve.page.provenance import provenance_of, signature_parts
from gaincurve.page.settings import settings_of
from gaincurve.page.users import users
from gaincurve.verbs.compare import compare

PRIMARY = next(iter(SESSIONS))
"""The measure that decides."""


def build_alone(
    inputs: PageInputs, sessions: SessionInputs, alpha: float, dark: dict[str, str], step: Callable[[str], None]
) -> tuple[Page, tuple[Note, ...]]:
    """Everything on a page about sessions but what was observed."""
    step("comparing")
    scores = replace(sessions.scores.of(*SESSIONS), runs=tuple(sessions.labels))
    compared = _compared(inputs, scores, alpha)
    family = None if compared is None else compared.families[0]
    page = Page(
        title=visible(inputs.title) or say("heading", measure=PRIMARY, runs=joined(sessions.labels)),
        summary=_summary(sessions),
        scenario=say("scenario", name=visible(sessions.scenario.name)),
        verdict=verdict_untested(scores, alpha) if family is None else family.words,
        signature=signature_parts(scores.signatures[0] if family is None else family.signature),
        leaderboard=leaderboard_untested(scores, alpha) if compared is None else leaderboard_of(scores, compared),
        pairs=(),
        pairs_caption="",
        health=Health("", (), (), ""),
        provenance=provenance_of(inputs.command, scores, compared, list(inputs.read), with_sessions=True),
        notes=(),
        panels=SESSION_PANELS,
        settings=settings_of(sessions.scenario, inputs.measure, inputs.judgments.scale, inputs.baseline, alpha),
        scenarios=users(sessions.scenario, inputs.measure, inputs.judgments.scale, inputs.baseline),
        charts=session_charts(sessions.labels),
        dark=dark,
        observed="",
        version=__version__,
        extra={"alpha": alpha, "titled": True, "written": None},
    )
    shown = sessions.notes if compared is None else compared.notes
    return page, tuple(dict.fromkeys((*shown, *sessions.notes)))


def _compared(inputs: PageInputs, scores: Scores, alpha: float) -> Comparison | None:
    """The systems on nsDCG, as `compare` tests them; None where there is nothing to test."""
    defined = ~np.isnan(scores.values[:, 0])
    enough = defined.all(axis=0).sum() if scores.design == "paired" else defined.sum(axis=1).min()
    if len(scores.runs) < 2 or enough < 2:
        return None
    test = None if inputs.test == "t" else inputs.test  # without one, systems on different sessions get Welch's t
    baseline = None
    if inputs.baseline and inputs.sessions is not None:
        baseline = scores.runs[inputs.sessions.experiment.names.index(inputs.baseline)]
    return compare(scores.of(PRIMARY), test, baseline=baseline, alpha=alpha)


def _summary(sessions: SessionInputs) -> str:
    tables = [run.units for run in sessions.experiment.runs]
    sizes = dict.fromkeys(table.describe() for table in tables)
    about = " and ".join(sizes) if len(sizes) < 3 else counted(sum(map(len, tables)), "session")
    return f"{counted(len(tables), 'system')}, {about}, on {sessions.experiment.judgments.describe()}."
