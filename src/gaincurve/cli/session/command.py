"""gaincurve session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import load
from gaincurve.cli.output import Output
from gaincurve.cli.session import options as session_options
from gaincurve.cli.session.options import SessionChoices, SessionFiles
from gaincurve.cli.session.views import SHOWN
from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.io.render import Table
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.tables.tidy import Tidy
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.remarks import with_remarks
from gaincurve.verbs.score import score
from gaincurve.verbs.sessions.curves import SessionCurves, checked_curve, draw_sessions, has_curve
from gaincurve.verbs.sessions.evaluate import DEFAULT_MEASURES, GROUPINGS
from gaincurve.verbs.sessions.experiment import on_topic

DRAWN = ("curve", "sessions", "last")
"""What can be drawn."""


@click.command("session")
@options.judgments
@click.argument("sessions", metavar="SESSIONS...", nargs=-1, required=True)
@click.option("-m", "--measure", "measures", multiple=True, help="A session measure, e.g. nsDCG or 'sDCG(bq=2)@20'. "
              "Repeatable.  [sDCG, nsDCG]")  # fmt: skip
@click.option("-q", "--per-session", is_flag=True, help="Scores of every session as well.")
@click.option("--by", metavar="|".join(GROUPINGS), help="The mean of the means of each topic's or user's sessions.")
@click.option(
    "--show",
    default=None,
    metavar="|".join(SHOWN),
    help="; ".join(f"{name}: {about}" for name, about in SHOWN.items()) + ".",
)
@click.option("--topic", help="Only sessions on this topic.")
@click.option("--at-least", type=click.IntRange(1), help="Curves also for the sessions with at least so many queries.")
@session_options.files
@session_options.choices
@options.reading
@options.destination
def command(
    sessions: tuple[str, ...],
    judgments: str,
    measures: tuple[str, ...],
    per_session: bool,
    by: str | None,
    show: str | None,
    topic: str | None,
    at_least: int | None,
    session_files: SessionFiles,
    choices: SessionChoices,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Score whole search sessions: sDCG, nsDCG, how they go, first, last and best query.

    SESSIONS are logs (JSON lines, TREC Session Track XML), one per system, or TREC runs of the same sessions whose
    topics name session and query (s12.q3), with --map naming each session's topic. The pictures of the 2008 paper:
    --show last (Figure 1), --show curve (Figures 2 and 3), --show sessions (Figure 4), with -o FILE.svg, .png or .pdf.

    \b
    gaincurve session qrels.txt system-a.jsonl system-b.jsonl --scenario session2008
    gaincurve session qrels.txt bm25.run ql.run --map sessions.tsv -m nsDCG --show curve -o figure-2.svg
    """
    output = destination.output(figures=True)
    show = one_of("--show", show or ("curve" if output.is_figure else "scores"), tuple(SHOWN))
    scenario = choices.chosen()
    names = measures or {"scores": DEFAULT_MEASURES, "last": ("sDCG",)}.get(show, ("nsDCG",))
    asked = asked_measures(names, scenario, "session")
    _check(show, asked, output, at_least, by, per_session)
    choices.refuse_unused(asked)
    graded = load(judgments, sessions, scenario, reading, output, asked, session_files)
    graded = graded if topic is None else on_topic(graded, topic)
    curves = _curves(graded, asked, scenario, show, at_least, output.format == "json")
    scores = with_remarks(score(graded, asked, scenario, by), graded, scenario)
    if output.is_figure and curves is not None:
        output.draw(_chart(curves, show), scores.notes)
        return
    from gaincurve.cli.session import views  # noqa: PLC0415 -- only where tables are shown

    shape = {**scores.to_dict(per_session), **(curves.to_dict() if curves is not None else {})}
    tables: dict[str, tuple[Callable[[], Table], Callable[[], Tidy | Table]]] = {
        "scores": (lambda: views.scores_wide(scores, per_session), lambda: scores.tidy(per_session, summary=True)),
    }
    if curves is not None:
        tables |= {
            "curve": (lambda: views.curve_wide(curves), lambda: views.curve_tidy(curves)),
            "sessions": (lambda: views.singles_wide(curves), lambda: views.singles_tidy(curves)),
            "last": (lambda: views.last_wide(curves), lambda: views.last_tidy(curves)),
            "positions": (lambda: views.positions_wide(curves), lambda: views.positions_tidy(curves)),
            "lengths": (lambda: views.lengths_wide(curves), lambda: views.lengths_tidy(curves)),
        }
    wide, tidy = tables[show]
    output.emit(wide, tidy, lambda: shape, scores.inputs, scores.notes)


def _check(
    show: str, asked: list[Measure], output: Output, at_least: int | None, by: str | None, per_session: bool
) -> None:
    """Refuse, before anything is read, what cannot be shown and options that change nothing."""
    if show != "scores":
        if len(asked) != 1:
            raise click.UsageError(f"--show {show} takes one measure, sDCG or nsDCG")
        checked_curve(asked[0])
        if show == "last" and asked[0].definition.normalised:
            what = (
                "--show last is the discounted gain of single queries, which sDCG is made of; nsDCG has no such value"
            )
            raise ChoiceError(Problem("measure-no-curve", what, hint="leave out -m, or -m \"nsDCG(score='last')\""))
    if output.is_figure and show not in DRAWN:
        what = f"--show {show} has no picture"
        raise ChoiceError(Problem("format-unknown", what, hint=f"pictures: --show {', '.join(DRAWN)}"))
    if at_least is not None and show != "curve":
        raise click.UsageError("--at-least belongs to --show curve")
    if by is not None and show != "scores":
        raise click.UsageError("--by belongs to --show scores")
    if per_session and show != "scores":
        raise click.UsageError("-q belongs to --show scores; --show sessions gives every session's curve")


def _curves(
    graded: Experiment,
    asked: list[Measure],
    scenario: Scenario,
    show: str,
    at_least: int | None,
    as_json: bool,
) -> SessionCurves | None:
    """The curves of a measure that has any: a normalised one if there is one, else the first."""
    drawable = [measure for measure in asked if has_curve(measure)]
    best = next((measure for measure in drawable if measure.definition.normalised), drawable[0] if drawable else None)
    if best is None or (show == "scores" and not as_json):
        return None
    return draw_sessions(graded, best, scenario, at_least=at_least, per_session=show == "sessions")


def _chart(curves: SessionCurves, show: str) -> Callable[[], Any]:
    def chart() -> Any:
        from gaincurve import figures  # noqa: PLC0415 -- an extra

        charts = {
            "curve": figures.session_curves_chart,
            "sessions": figures.single_sessions_chart,
            "last": figures.last_queries_chart,
        }
        return charts[show](curves)

    return chart
