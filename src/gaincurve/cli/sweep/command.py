"""gaincurve sweep."""

from __future__ import annotations

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import load
from gaincurve.cli.session import options as session_options
from gaincurve.cli.session.options import SessionFiles
from gaincurve.cli.sweep.views import sweep_wide
from gaincurve.measures.notation import parse_measure
from gaincurve.verbs.axes import Axes
from gaincurve.verbs.sweep import check_swept, sweep_graded


@click.command("sweep")
@options.judgments
@options.runs
@click.option("-m", "--measure", default="nDCG", show_default=True, help="The measure; it must have gains.")
@click.option("--ratio", "ratios", help="Weights of the best grade over the lowest: 1,10,100; none to skip.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance.")
@options.regions
@session_options.testing
@session_options.files
@options.runs_reading
@options.destination
def command(
    judgments: str,
    runs: tuple[str, ...],
    measure: str,
    ratios: str | None,
    alpha: float,
    regions: options.Regions,
    of_sessions: session_options.Testing,
    session_files: SessionFiles,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Try other gains, discounts and cutoffs: does the verdict hold for another user?

    Every run is read and graded once. Gains go from flat to steep over the grades in use, the base of the 2002 paper's
    discount from 2 to 10 and none, the cutoff from 5 to 100; then the weight of a highly relevant document over a
    marginal one from 1 to 1000. --gains (repeatable), --base 2,10, --depth 10,30,100 and --ratio 1,100 try others.
    -o FILE.svg, .png or .pdf draws the map.

    With a measure of sessions, RUN... are session logs, as in `session`. The map then varies the bases b and bq of the
    two discounts (--base 2,10 and --bq 2,4,10) and the depth X, under the scenario's gains unless --gains gives others.

    \b
    gaincurve sweep qrels.txt bm25.run splade.run
    gaincurve sweep qrels.txt *.run --gains 0-1-1-1 --gains 0-1-10-100 --depth 10,100 -o map.svg
    gaincurve sweep qrels.txt system-a.jsonl system-b.jsonl -m nsDCG --bq 2,4,10 --depth 5,10 --unit user
    """
    output = destination.output(figures=True)
    parsed_measure = parse_measure(measure)
    over = parsed_measure.definition.over
    plain = over == "topic" and regions.scenario == "default" and regions.discount is None
    own = of_sessions.choices([parsed_measure])
    own.pop("bq", None)  # an axis
    scenario = regions.with_one(over, scenario="jk2002" if plain else regions.scenario, base=None, **own)
    if scenario.unjudged == "bounds":
        raise click.UsageError("--unjudged bounds gives intervals, which cannot be tested")
    check_swept(parsed_measure)
    axes = Axes.of(
        gains=regions.gains or None,
        bases=options.listed(regions.base),
        depths=options.listed(regions.depth),
        ratios=None if ratios is None else [] if ratios == "none" else [part.strip() for part in ratios.split(",")],
        bqs=options.listed(of_sessions.bq),
    )
    axes.discounts(parsed_measure, scenario)  # refuses what the measure does not have before anything is read
    files, design = of_sessions.design(session_files)
    graded = load(judgments, runs, scenario, reading, output, [parsed_measure], files)
    sweep = sweep_graded(graded, parsed_measure, scenario, axes, alpha, of_sessions.unit, design)
    if output.is_figure:
        from gaincurve.figures import sweep_chart  # noqa: PLC0415 -- an extra

        output.draw(lambda: sweep_chart(sweep), sweep.notes)
        return
    output.emit(
        lambda: sweep_wide(sweep),
        sweep.tidy,
        sweep.to_dict,
        sweep.inputs,
        sweep.notes,
    )
