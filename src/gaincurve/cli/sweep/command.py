"""gaincurve sweep."""

from __future__ import annotations

from typing import Any

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import load, tell
from gaincurve.cli.output import Output
from gaincurve.cli.sweep.views import sweep_tidy, sweep_wide
from gaincurve.measures.notation import parse_measure
from gaincurve.verbs.sweep import Axes, check_swept, sweep_graded


@click.command("sweep")
@options.judgments
@options.runs
@click.option("-m", "--measure", default="nDCG", show_default=True, help="The measure; it must have gains.")
@click.option("--ratio", "ratios", help="Weights of the best grade over the lowest: 1,10,100; none to skip.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance.")
@options.regions
@options.duplicates
@options.threads
@options.output
def command(
    judgments: str, runs: tuple[str, ...], measure: str, ratios: str | None, alpha: float, **given: Any
) -> None:
    """Who wins over gains, discounts and last ranks: does the verdict survive another user?

    Every run is read and graded once. Gains go from flat to steep over the grades in use, the base of the 2002 paper's
    discount from 2 to 10 and none, the last rank from 5 to 100; then the weight of a highly relevant document over a
    marginal one from 1 to 1000. --gains (repeatable), --base 2,10, --depth 10,30,100 and --ratio 1,100 try others.
    -o FILE.svg, .png or .pdf draws the map.

    \b
    gaincurve sweep qrels.txt bm25.run splade.run
    gaincurve sweep qrels.txt *.run --gains 0-1-1-1 --gains 0-1-10-100 --depth 10,100 -o map.svg
    """
    output = Output.of(given, figures=True)
    one = parse_measure(measure)
    bases = [part.strip() for part in given["base"].split(",")] if given["base"] else None
    depths = [part.strip() for part in given["depth"].split(",")] if given["depth"] else None
    weights = None if ratios is None else [] if ratios == "none" else [part.strip() for part in ratios.split(",")]
    named = "jk2002" if given["scenario"] == "default" and given["discount"] is None else given["scenario"]
    scenario = options.chosen_scenario({**given, "scenario": named, "gains": None, "base": None, "depth": None})
    if scenario.unjudged == "bounds":
        raise click.UsageError("--unjudged bounds gives intervals of what was judged, which are not compared")
    check_swept(one)
    axes = Axes.of(given["gains"] or None, bases, depths, weights)
    graded = load(judgments, runs, scenario, {**given, "format": output.format}, output.quiet, [one])
    found = sweep_graded(graded, one, scenario, axes, alpha)
    if output.is_figure:
        from gaincurve.figures import save, sweep_chart  # noqa: PLC0415 -- an extra

        tell(output.quiet, *found.notes)
        save(sweep_chart(found), str(output.out))
        tell(output.quiet, f"wrote {output.out}")
        return
    output.emit(
        lambda: sweep_wide(found),
        lambda: sweep_tidy(found, output.format == "jsonl"),
        found.to_dict,
        found.inputs,
        found.notes,
    )
