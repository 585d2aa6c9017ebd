"""gaincurve curve."""

from __future__ import annotations

from typing import Any

import click

from gaincurve.cli import options
from gaincurve.cli.curve.views import curves_tidy, curves_wide, recall_tidy, recall_wide
from gaincurve.cli.inputs import load, tell
from gaincurve.cli.output import Output
from gaincurve.curve.points import NORMALISATIONS
from gaincurve.measures.notation import parse_measures
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import Note
from gaincurve.verbs.curves import DEFAULT_CURVES, checked_curves, draw
from gaincurve.verbs.precision_recall import checked_levels, draw_by_recall

BY_RECALL = ("level", "only", "topic")
"""Options that only --precision-recall has."""


@click.command("curve")
@options.judgments
@options.runs
@options.measures
@click.option("-q", "--per-topic", is_flag=True, help="Every topic's own curve as well (tsv, csv, jsonl, json).")
@click.option(
    "--normalise",
    metavar="|".join(NORMALISATIONS),
    help="; ".join(f"{name}: {about}" for name, about in NORMALISATIONS.items()) + ".",
)
@click.option(
    "--precision-recall",
    is_flag=True,
    help="Precision by recall instead: interpolated, and averaged over topics at recall 0, 0.1, … 1.",
)
@click.option(
    "--level",
    multiple=True,
    type=float,
    metavar="GRADE",
    help="With --precision-recall: documents of this grade or a higher one are relevant; 1 unless given. "
    "Repeatable, a curve for each.",
)
@click.option(
    "--only",
    multiple=True,
    type=float,
    metavar="GRADE",
    help="With --precision-recall: only documents of exactly this grade are relevant. Repeatable.",
)
@click.option("--topic", help="With --precision-recall: one topic, its points rank by rank and the interpolated steps.")
@options.scenario
@options.duplicates
@options.subtopics
@options.threads
@options.output
def command(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_topic: bool,
    normalise: str | None,
    **given: Any,
) -> None:
    """CG, DCG, nCG, nDCG, P and R by rank, with the ideal; or precision by recall.

    Mean curves over topics to --depth (100 unless given), where they cross, and the rank after which even an ideal
    list has nothing more to give. -o FILE.svg, .png or .pdf draws them.

    \b
    gaincurve curve qrels.txt *.run -m CG -m nDCG --gains 0-1-10-100 -o curves.svg
    gaincurve curve qrels.txt *.run --scenario busy -f csv
    gaincurve curve qrels.txt *.run --precision-recall --level 1 --level 3 -o pr.svg
    """
    output = Output.of(given, figures=True)
    scenario = options.chosen_scenario(given)
    given["format"] = output.format
    if given["precision_recall"]:
        _refuse_by_rank(measures, per_topic, normalise, given)
        _by_recall(judgments, runs, per_topic, scenario, output, given)
        return
    for option in BY_RECALL:
        if given[option] not in (None, ()):
            raise click.UsageError(f"--{option} goes with --precision-recall")
    asked = parse_measures(measures or DEFAULT_CURVES)
    normalise = "mean-of-ratios" if normalise is None else normalise
    checked_curves(asked, scenario, normalise)
    options.refuse_unused(given, asked)
    graded = load(judgments, runs, scenario, given, output.quiet)
    found = draw(graded, asked, scenario, normalise, per_topic)
    if output.is_figure:
        from gaincurve.figures import curves_chart  # noqa: PLC0415 -- an extra

        _save(curves_chart(found), found.notes, output)
        return
    output.emit(lambda: curves_wide(found), lambda: curves_tidy(found), found.to_dict, found.inputs, found.notes)


def _by_recall(
    judgments: str, runs: tuple[str, ...], per_topic: bool, scenario: Scenario, output: Output, given: dict[str, Any]
) -> None:
    levels = checked_levels(given["level"] or None, given["only"], scenario)
    options.refuse_unused(given, levels[:1])
    graded = load(judgments, runs, scenario, given, output.quiet)
    found = draw_by_recall(graded, levels, scenario, given["topic"], per_topic)
    if output.is_figure:
        from gaincurve.figures import precision_recall_chart  # noqa: PLC0415 -- an extra

        _save(precision_recall_chart(found), found.notes, output)
        return
    output.emit(lambda: recall_wide(found), lambda: recall_tidy(found), found.to_dict, found.inputs, found.notes)


def _refuse_by_rank(measures: tuple[str, ...], per_topic: bool, normalise: str | None, given: dict[str, Any]) -> None:
    """Precision by recall has no rank to stop at, no gains and no measure to choose."""
    for option, value in (("-m", measures), ("--normalise", normalise), ("--depth", given["depth"])):
        if value not in (None, ()):
            raise click.UsageError(f"{option} is about curves by rank: leave it out, or leave --precision-recall out")
    if per_topic and given["topic"] is not None:
        raise click.UsageError("--topic asks for one topic, --per-topic for all: leave one of them out")


def _save(chart: Any, notes: tuple[Note, ...], output: Output) -> None:
    from gaincurve.figures import save  # noqa: PLC0415 -- an extra

    tell(output.quiet, *notes)
    save(chart, str(output.out))
    tell(output.quiet, f"wrote {output.out}")
