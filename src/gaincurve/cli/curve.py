"""gaincurve curve."""

from __future__ import annotations

from typing import Any

import click

from gaincurve.cli import options
from gaincurve.cli.curve_views import curves_tidy, curves_wide
from gaincurve.cli.inputs import load, tell
from gaincurve.cli.output import Output
from gaincurve.curve.points import NORMALISATIONS
from gaincurve.measures.notation import parse_measures
from gaincurve.verbs.curves import DEFAULT_CURVES, checked_curves, draw


@click.command("curve")
@options.judgments
@options.runs
@options.measures
@click.option("-q", "--per-topic", is_flag=True, help="Every topic's own curve as well (tsv, csv, jsonl, json).")
@click.option(
    "--normalise",
    default="mean-of-ratios",
    metavar="|".join(NORMALISATIONS),
    help="; ".join(f"{name}: {about}" for name, about in NORMALISATIONS.items()) + ".",
)
@options.scenario
@options.duplicates
@options.subtopics
@options.threads
@options.output
def command(
    judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], per_topic: bool, normalise: str, **given: Any
) -> None:
    """CG, DCG, nCG and nDCG by rank, with the ideal.

    Mean curves over topics to --depth (100 unless given), where they cross, and the rank after which even an ideal
    list has nothing more to give. -o FILE.svg, .png or .pdf draws them.

    \b
    gaincurve curve qrels.txt *.run -m CG -m nDCG --gains 0-1-10-100 -o curves.svg
    gaincurve curve qrels.txt *.run --scenario busy -f csv
    """
    output = Output.of(given, figures=True)
    scenario = options.chosen_scenario(given)
    asked = parse_measures(measures or DEFAULT_CURVES)
    checked_curves(asked, scenario, normalise)
    options.refuse_unused(given, asked)
    graded = load(judgments, runs, scenario, {**given, "format": output.format}, output.quiet)
    found = draw(graded, asked, scenario, normalise, per_topic)
    if output.is_figure:
        from gaincurve.figures import curves_chart, save  # noqa: PLC0415 -- an extra

        tell(output.quiet, *found.notes)
        save(curves_chart(found), str(output.out))
        tell(output.quiet, f"wrote {output.out}")
        return
    output.emit(lambda: curves_wide(found), lambda: curves_tidy(found), found.to_dict, found.inputs, found.notes)
