"""gaincurve session."""

from __future__ import annotations

from typing import Any

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import tell
from gaincurve.cli.output import Output
from gaincurve.cli.session import options as session_options
from gaincurve.cli.session.views import SHOWN
from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.files import read_experiment
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.sessions.curves import SessionCurves, checked_curve, draw_sessions, has_curve
from gaincurve.verbs.sessions.evaluate import DEFAULT_MEASURES, GROUPINGS, score_sessions
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
    "--show", default=None, metavar="|".join(SHOWN), help="; ".join(f"{k}: {v}" for k, v in SHOWN.items()) + "."
)
@click.option("--topic", help="Only sessions on this topic.")
@click.option("--at-least", type=click.IntRange(1), help="Curves also for the sessions with at least so many queries.")
@session_options.reading
@session_options.choices
@options.duplicates
@options.subtopics
@options.threads
@options.output
def command(sessions: tuple[str, ...], judgments: str, measures: tuple[str, ...], **given: Any) -> None:
    """Score whole search sessions: sDCG, nsDCG, how they go, first, last and best query.

    SESSIONS are logs (JSON lines, TREC Session Track XML), one per system, or TREC runs of the same sessions whose
    topics name session and query (s12.q3), with --map naming each session's topic. The pictures of the 2008 paper:
    --show last (Figure 1), --show curve (Figures 2 and 3), --show sessions (Figure 4), with -o FILE.svg, .png or .pdf.

    \b
    gaincurve session qrels.txt system-a.jsonl system-b.jsonl --scenario session2008
    gaincurve session qrels.txt bm25.run ql.run --map sessions.tsv -m nsDCG --show curve -o figure-2.svg
    """
    output = Output.of(given, figures=True)
    show = given["show"] or ("curve" if output.is_figure else "scores")
    one_of("--show", show, tuple(SHOWN))
    scenario = session_options.chosen(given)
    named = measures or {"scores": DEFAULT_MEASURES, "last": ("sDCG",)}.get(show, ("nsDCG",))
    asked = asked_measures(named, scenario, "session")
    _check(show, asked, output, given)
    reading = session_options.reading_of(given, output.format, lambda text: tell(output.quiet, text)).needed_by(asked)
    graded = read_experiment(judgments, sessions, scenario, reading)
    graded = graded if given["topic"] is None else on_topic(graded, given["topic"])
    curves = _curves(graded, asked, scenario, show, given["at_least"], output.format == "json")
    scores = score_sessions(graded, asked, scenario, by=given["by"])
    if output.is_figure and curves is not None:
        _draw(curves, show, output, scores.notes)
        return
    from gaincurve.cli.session import views  # noqa: PLC0415 -- tables are made only where they are shown

    per_session = given["per_session"]
    shape = {**scores.to_dict(per_session), **(curves.to_dict() if curves is not None else {})}
    tables = {
        "scores": (lambda: views.scores_wide(scores, per_session), lambda: views.scores_tidy(scores, per_session)),
    }
    if curves is not None:
        tables |= {
            "curve": (lambda: views.curve_wide(curves), lambda: views.curve_tidy(curves)),
            "sessions": (lambda: views.singles_wide(curves), lambda: views.singles_tidy(curves)),
            "last": (lambda: views.last_wide(curves), lambda: views.last_tidy(curves)),
            "positions": (lambda: views.positions_table(curves), lambda: views.positions_table(curves)),
            "lengths": (lambda: views.lengths_wide(curves), lambda: views.lengths_tidy(curves)),
        }
    wide, tidy = tables[show]
    output.emit(wide, tidy, lambda: shape, scores.inputs, scores.notes)


def _check(show: str, asked: list[Measure], output: Output, given: dict[str, Any]) -> None:
    """Refuse before anything is read what cannot be shown, and options that would change nothing."""
    if show != "scores":
        if len(asked) != 1:
            raise click.UsageError(f"--show {show} takes one measure, sDCG or nsDCG")
        checked_curve(asked[0])
    if output.is_figure and show not in DRAWN:
        what = f"--show {show} has no picture"
        raise ChoiceError(Problem("format-unknown", what, hint=f"pictures: --show {', '.join(DRAWN)}"))
    if given["at_least"] is not None and show != "curve":
        raise click.UsageError("--at-least belongs to --show curve")
    if given["by"] is not None and show != "scores":
        raise click.UsageError("--by belongs to --show scores")
    if given["per_session"] and show != "scores":
        raise click.UsageError("-q belongs to --show scores; --show sessions gives every session's curve")
    used = {parameter for measure in asked for parameter in measure.definition.parameters}
    for option in ("gains", "discount", "base", "query_discount", "bq", "rank_scope", "normalise", "ideal", "horizon"):
        if given[option] is not None and option not in used:
            names = ", ".join(measure.name for measure in asked)
            raise click.UsageError(f"--{option.replace('_', '-')} changes nothing about {names}")


def _curves(
    graded: Experiment,
    asked: list[Measure],
    scenario: Scenario,
    show: str,
    at_least: int | None,
    as_json: bool,
) -> SessionCurves | None:
    """The lines of the first measure that has any."""
    drawable = [measure for measure in asked if has_curve(measure)]
    best = next((m for m in drawable if m.definition.normalised), drawable[0] if drawable else None)
    if best is None or (show == "scores" and not as_json):
        return None
    return draw_sessions(graded, best, scenario, at_least=at_least, per_session=show == "sessions")


def _draw(curves: SessionCurves, show: str, output: Output, notes: Any) -> None:
    from gaincurve import figures  # noqa: PLC0415 -- an extra

    charts = {
        "curve": figures.session_curves_chart,
        "sessions": figures.single_sessions_chart,
        "last": figures.last_queries_chart,
    }
    tell(output.quiet, *notes)
    figures.save(charts[show](curves), str(output.out))
    tell(output.quiet, f"wrote {output.out}")
