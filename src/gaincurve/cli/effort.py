"""gaincurve effort."""

from __future__ import annotations

import click

from gaincurve.cli import options
from gaincurve.cli.curve.views import effort_wide
from gaincurve.cli.inputs import load
from gaincurve.measures.notation import parse_measure
from gaincurve.verbs.curves import checked_curves, draw
from gaincurve.verbs.effort import check_effort, read_sideways


@click.command("effort")
@options.judgments
@options.runs
@click.option("-m", "--measure", default="CG", show_default=True, help="The curve to read: CG or DCG.")
@click.option(
    "--rank", default=10, show_default=True, type=click.IntRange(1), help="The rank whose gain must be matched."
)
@click.option(
    "--gain",
    "wanted",
    multiple=True,
    type=click.FloatRange(0, min_open=True),
    help="A gain to reach instead of one given at a rank. Repeatable.",
)
@click.option("--interpolate", is_flag=True, help="Read between ranks instead of counting whole documents.")
@options.scenario
@options.reading
@options.destination
def command(
    judgments: str,
    runs: tuple[str, ...],
    measure: str,
    rank: int,
    wanted: tuple[float, ...],
    interpolate: bool,
    choices: options.Choices,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Read curves sideways: how many documents each run takes for the same gain.

    The target is the gain of each run, and of the ideal, in its first --rank documents; the table shows how many
    documents of every run a user must read to reach it. -o FILE.svg, .png or .pdf draws it.

    \b
    gaincurve effort qrels.txt bm25.run splade.run
    gaincurve effort qrels.txt *.run --rank 5 --gains 0-1-10-100 -o effort.svg
    """
    output = destination.output(figures=True)
    if output.is_figure and wanted:
        raise click.UsageError("a figure shows what is gained at --rank, not a --gain")
    scenario = choices.chosen()
    parsed_measure = parse_measure(measure)
    _, depth = checked_curves([parsed_measure], scenario)
    check_effort(parsed_measure, 1 if wanted else rank, depth)
    options.refuse_unused(choices, [parsed_measure])
    graded = load(judgments, runs, scenario, reading, output)
    curves = draw(graded, [parsed_measure], scenario)
    effort = read_sideways(curves, rank, wanted, interpolate)
    if output.is_figure:
        from gaincurve.figures import effort_chart  # noqa: PLC0415 -- an extra

        output.draw(lambda: effort_chart(curves, rank), effort.notes)
        return
    output.emit(lambda: effort_wide(effort), effort.tidy, effort.to_dict, effort.inputs, effort.notes)
