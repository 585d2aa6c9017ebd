"""gaincurve curve."""

from __future__ import annotations

from dataclasses import dataclass

import click

from gaincurve.cli import options
from gaincurve.cli.curve.views import curves_wide, eleven_tidy, recall_wide
from gaincurve.cli.engine import Engine
from gaincurve.cli.engine import engine as engine_option
from gaincurve.cli.inputs import load
from gaincurve.cli.output import Output
from gaincurve.curve.points import NORMALISATIONS
from gaincurve.curve.recall import STEPS, RecallCurves
from gaincurve.errors import one_of
from gaincurve.measures.notation import parse_measures
from gaincurve.verbs.curves import DEFAULT_CURVES, checked_curves, draw
from gaincurve.verbs.precision_recall import checked_levels, draw_by_recall


@dataclass(frozen=True)
class ByRecall:
    """Precision by recall, and the options that only go with it."""

    precision_recall: bool
    level: tuple[float, ...]
    only: tuple[float, ...]
    topic: str | None
    steps: str | None

    def refuse_alone(self) -> None:
        """Refuse options that change nothing without --precision-recall."""
        for option, value in (("level", self.level), ("only", self.only), ("steps", self.steps)):
            if value not in (None, ()):
                raise click.UsageError(f"--{option} goes with --precision-recall")


by_recall = options.gathered(
    "by_recall",
    ByRecall,
    [
        click.option(
            "--precision-recall",
            is_flag=True,
            help="Precision by recall instead: interpolated, and averaged over topics at recall 0, 0.1, … 1.",
        ),
        click.option(
            "--level",
            multiple=True,
            type=float,
            metavar="GRADE",
            help="With --precision-recall: documents of this grade or a higher one are relevant; 1 unless given. "
            "Repeatable, a curve for each.",
        ),
        click.option(
            "--only",
            multiple=True,
            type=float,
            metavar="GRADE",
            help="With --precision-recall: only documents of exactly this grade are relevant. Repeatable.",
        ),
        click.option(
            "--topic",
            help="One topic alone; with --precision-recall its points rank by rank and the interpolated steps.",
        ),
        click.option(
            "--steps",
            metavar="|".join(STEPS),
            help="With --precision-recall and --topic: how precision is read between the points. "
            + "; ".join(f"{name}: {about}" for name, about in STEPS.items())
            + ".",
        ),
    ],
)


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
@by_recall
@options.scenario
@engine_option
@options.reading
@options.destination
def command(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_topic: bool,
    normalise: str | None,
    by_recall: ByRecall,
    choices: options.Choices,
    engine: Engine,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Show CG, DCG, nCG, nDCG, P and R by rank, with the ideal; or precision by recall.

    Mean curves over topics, or those of one --topic, to --depth (100 unless given), where they cross, and the rank
    after which even an ideal list gains nothing more. -o FILE.svg, .png or .pdf draws them.

    \b
    gaincurve curve qrels.txt *.run -m CG -m nDCG --gains 0-1-10-100 -o curves.svg
    gaincurve curve qrels.txt *.run --scenario busy -f csv
    gaincurve curve qrels.txt *.run --topic 301 -m DCG -o topic-301.svg
    gaincurve curve qrels.txt *.run --precision-recall --level 1 --level 3 -o pr.svg
    """
    output = destination.output(figures=True, dvc=not by_recall.precision_recall)
    scenario = choices.chosen()
    engine.refuse(precision_recall=by_recall.precision_recall, per_topic=per_topic)
    if per_topic and by_recall.topic is not None:
        raise click.UsageError("--topic asks for one topic, --per-topic for all: leave one of them out")
    if by_recall.precision_recall:
        _refuse_by_rank(measures, normalise, choices.depth)
        if by_recall.steps is not None and by_recall.topic is None:
            raise click.UsageError("--steps goes with --topic: the mean over topics is taken at eleven points")
        steps = one_of("--steps", by_recall.steps or "interpolated", tuple(STEPS))
        levels = checked_levels(by_recall.level or None, by_recall.only, scenario)
        options.refuse_unused(choices, levels[:1])
        graded = load(judgments, runs, scenario, reading, output)
        _emit_by_recall(draw_by_recall(graded, levels, scenario, by_recall.topic, per_topic), steps, output)
        return
    by_recall.refuse_alone()
    asked = parse_measures(measures or DEFAULT_CURVES)
    normalise = "mean-of-ratios" if normalise is None else normalise
    checked_curves(asked, scenario, normalise)
    options.refuse_unused(choices, asked)
    if engine.is_spark:
        curves = engine.curves(judgments, runs, asked, scenario, reading, normalise, by_recall.topic, output.digest)
    else:
        graded = load(judgments, runs, scenario, reading, output)
        curves = draw(graded, asked, scenario, normalise, per_topic, by_recall.topic)
    if output.is_figure:
        from gaincurve.figures import curves_chart  # noqa: PLC0415 -- an extra

        output.draw(lambda: curves_chart(curves), curves.notes)
        return
    output.emit(lambda: curves_wide(curves), curves.tidy, curves.to_dict, curves.inputs, curves.notes, curves.to_dvc)


def _emit_by_recall(curves: RecallCurves, steps: str, output: Output) -> None:
    if output.is_figure:
        from gaincurve.figures import precision_recall_chart  # noqa: PLC0415 -- an extra

        output.draw(lambda: precision_recall_chart(curves, steps=steps), curves.notes)
        return
    tidy = (lambda: eleven_tidy(curves)) if steps == "eleven" else curves.tidy
    output.emit(lambda: recall_wide(curves, steps), tidy, curves.to_dict, curves.inputs, curves.notes)


def _refuse_by_rank(measures: tuple[str, ...], normalise: str | None, depth: str | None) -> None:
    """Precision by recall has no rank to stop at, no gains and no measure to choose."""
    for option, value in (("-m", measures), ("--normalise", normalise), ("--depth", depth)):
        if value not in (None, ()):
            raise click.UsageError(f"{option} is about curves by rank: leave it out, or leave --precision-recall out")
