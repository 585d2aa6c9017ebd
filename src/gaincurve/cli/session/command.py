"""gaincurve session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import click

from gaincurve.cli import options
from gaincurve.cli.engine import Engine
from gaincurve.cli.engine import engine as engine_option
from gaincurve.cli.inputs import load
from gaincurve.cli.output import Output
from gaincurve.cli.session import options as session_options
from gaincurve.cli.session.options import SessionChoices, SessionFiles
from gaincurve.cli.session.views import SHOWN
from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.io.render import Table
from gaincurve.measures.notation import make_measure
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.model.tables.tidy import Tidy
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.remarks import with_remarks
from gaincurve.verbs.score import score
from gaincurve.verbs.sessions.curves import SessionCurves, checked_curve, draw_sessions, has_curve, tidy_curves
from gaincurve.verbs.sessions.evaluate import DEFAULT_MEASURES, GROUPINGS
from gaincurve.verbs.sessions.experiment import on_topic

CHARTS = {
    "curve": "session_curves_chart",
    "sessions": "single_sessions_chart",
    "last": "last_queries_chart",
    "positions": "positions_chart",
    "lengths": "lengths_chart",
    "best": "best_chart",
    "reformulations": "reformulations_chart",
}
"""The figure of each view that has one."""


@click.command("session")
@options.judgments
@click.argument("sessions", metavar="SESSIONS...", nargs=-1, required=True)
@click.option("-m", "--measure", "measures", multiple=True, help="A session measure, e.g. nsDCG or 'sDCG(bq=2)@20'. "
              "Repeatable.  [sDCG, nsDCG]")  # fmt: skip
@click.option("-q", "--per-session", is_flag=True, help="Scores of every session as well; with --show reformulations "
              "every reformulation.")  # fmt: skip
@click.option("--by", metavar="|".join(GROUPINGS), help="The mean of the means of each topic's or user's sessions.")
@click.option(
    "--show",
    default=None,
    metavar="|".join(SHOWN),
    help="; ".join(f"{name}: {about}" for name, about in SHOWN.items()) + ".",
)
@click.option("--topic", help="Only sessions on this topic.")
@click.option(
    "--at-least", type=click.IntRange(1), help="Curves also for the sessions with at least this many queries."
)
@session_options.files
@session_options.choices
@engine_option
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
    engine: Engine,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Score whole search sessions: sDCG, nsDCG, curves over queries, first, last and best query.

    SESSIONS are logs (JSON lines, TREC Session Track XML), one per system, or TREC runs of the same sessions whose
    topics name session and query (s12.q3), with --map naming each session's topic. The figures of the 2008 paper:
    --show last (Figure 1), --show curve (Figures 2 and 3), --show sessions (Figure 4), --show lengths (Table 2), with
    -o FILE.svg, .png or .pdf. Several bases, as --bq 2,4,10, or several -m share one figure of --show curve.

    \b
    gaincurve session qrels.txt system-a.jsonl system-b.jsonl --scenario session2008
    gaincurve session qrels.txt bm25.run ql.run --map sessions.tsv -m nsDCG --show curve -o figure-2.svg
    """
    output = destination.output(figures=True, dvc=show in (None, "scores"))
    show = one_of("--show", show or ("curve" if output.is_figure else "scores"), tuple(SHOWN))
    variants = choices.variants()
    scenario = choices.chosen()
    names = measures or {"scores": DEFAULT_MEASURES, "last": ("sDCG",)}.get(show, ("nsDCG",))
    asked = _varied(asked_measures(names, scenario, "session"), variants)
    if len(variants) > 1 and show != "curve":
        raise click.UsageError("several bases belong to --show curve, which draws a line for each; see also `sweep`")
    _check(show, asked, at_least, by, per_session, output)
    choices.refuse_unused(asked)
    if engine.is_spark:
        graded = engine.sessions(judgments, sessions, scenario, reading, session_files)
    else:
        graded = load(judgments, sessions, scenario, reading, output, asked, session_files)
    graded = graded if topic is None else on_topic(graded, topic)
    curves = _curves(graded, asked, scenario, show, at_least, output.format == "json")
    scores = with_remarks(score(graded, asked, scenario, by), graded, scenario)
    if output.is_figure and curves:
        output.draw(_chart(curves, show), scores.notes)
        return
    from gaincurve.cli.session import query_views, views  # noqa: PLC0415 -- only where tables are shown

    tables: dict[str, tuple[Callable[[], Table], Callable[[], Tidy | Table]]] = {
        "scores": (lambda: views.scores_wide(scores, per_session), lambda: scores.tidy(per_session, summary=True)),
    }
    if curves:
        one = curves[0]
        tables |= {
            "curve": (lambda: views.curve_wide(curves), lambda: tidy_curves(curves)),
            "sessions": (lambda: views.singles_wide(one), lambda: views.singles_tidy(one)),
            "last": (lambda: views.last_wide(one), lambda: views.last_tidy(one)),
            "positions": (lambda: query_views.positions_wide(one), lambda: query_views.positions_tidy(one)),
            "lengths": (lambda: query_views.lengths_wide(one), lambda: query_views.lengths_tidy(one)),
            "best": (lambda: query_views.best_wide(one), lambda: query_views.best_tidy(one)),
            "reformulations": (
                lambda: query_views.reformulations_wide(one, per_session),
                lambda: query_views.reformulations_tidy(one, per_session),
            ),
        }
    wide, tidy = tables[show]
    output.emit(wide, tidy, lambda: _shape(scores, curves, per_session), scores.inputs, scores.notes, scores.to_dvc)


def _varied(asked: list[Measure], variants: list[dict[str, str]]) -> list[Measure]:
    """Each measure under every combination of bases that was asked for."""
    if len(variants) == 1:
        return asked
    return [
        make_measure(measure.name, {**dict(measure.parameters), **variant}, measure.cutoff)
        for measure in asked
        for variant in variants
    ]


def _shape(scores: Scores, curves: list[SessionCurves], per_session: bool) -> dict[str, object]:
    """The JSON of scores with what the curves add; of several measures each has its curves under its name."""
    shape = scores.to_dict(per_session)
    if not curves:
        return shape
    shape = {**shape, **curves[0].to_dict(), "schema": shape["schema"]}
    for more in curves[1:]:
        for label, values in cast("dict[str, dict[str, object]]", more.to_dict()["curves"]).items():
            cast("dict[str, dict[str, object]]", shape["curves"])[label] |= values
    return shape


def _check(
    show: str, asked: list[Measure], at_least: int | None, by: str | None, per_session: bool, output: Output
) -> None:
    """Refuse, before anything is read, what cannot be shown and options that change nothing."""
    if show != "scores":
        if len(asked) != 1 and show != "curve":
            raise click.UsageError(f"--show {show} takes one measure, sDCG or nsDCG")
        for measure in asked:
            checked_curve(measure)
        if show == "last" and asked[0].definition.normalised:
            what = (
                "--show last is the discounted gain of single queries, which sDCG is made of; nsDCG has no such value"
            )
            raise ChoiceError(Problem("measure-no-curve", what, hint="leave out -m, or -m \"nsDCG(score='last')\""))
    if output.is_figure and show not in CHARTS:
        what = f"--show {show} has no figure"
        raise ChoiceError(Problem("format-unknown", what, hint=f"figures: --show {', '.join(CHARTS)}"))
    if at_least is not None and show != "curve":
        raise click.UsageError("--at-least belongs to --show curve")
    if by is not None and show != "scores":
        raise click.UsageError("--by belongs to --show scores")
    if per_session and show not in ("scores", "reformulations"):
        raise click.UsageError(
            "-q belongs to --show scores and reformulations; --show sessions has every session's curve"
        )


def _curves(
    graded: Experiment,
    asked: list[Measure],
    scenario: Scenario,
    show: str,
    at_least: int | None,
    as_json: bool,
) -> list[SessionCurves]:
    """The curves of every measure with --show curve; else those of one, a normalised one if there is any."""
    drawable = [measure for measure in asked if has_curve(measure)]
    if not drawable or (show == "scores" and not as_json):
        return []
    if show != "curve":
        drawable = [next((measure for measure in drawable if measure.definition.normalised), drawable[0])]
    return [
        draw_sessions(graded, measure, scenario, at_least=at_least, per_session=show == "sessions")
        for measure in drawable
    ]


def _chart(curves: list[SessionCurves], show: str) -> Callable[[], Any]:
    def chart() -> Any:
        from gaincurve import figures  # noqa: PLC0415 -- an extra

        return getattr(figures, CHARTS[show])(curves if show == "curve" else curves[0])

    return chart
