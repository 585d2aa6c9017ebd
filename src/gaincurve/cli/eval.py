"""gaincurve eval."""

from __future__ import annotations

import click

from gaincurve.cli import options
from gaincurve.cli.engine import Engine
from gaincurve.cli.engine import engine as engine_option
from gaincurve.cli.inputs import load
from gaincurve.cli.views import scores_wide
from gaincurve.verbs.evaluate import asked_measures, score_topics
from gaincurve.verbs.remarks import with_remarks


@click.command("eval")
@options.judgments
@options.runs
@options.measures
@click.option("-q", "--per-topic", is_flag=True, help="Scores of every topic as well.")
@options.efficiency
@options.scenario
@engine_option
@options.reading
@options.destination
def command(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_topic: bool,
    logs: tuple[str, ...],
    choices: options.Choices,
    engine: Engine,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Score runs against judgments.

    Formats are recognised by content, compressed or plain; '-' is standard input. Every number is signed: the signature
    under the table names gains, discount, ideal, ties, unjudged and missing rules, and the number of topics.
    With --efficiency the table also shows what each run costs, and -o FILE.svg, .png or .pdf draws the first measure
    over latency.

    \b
    gaincurve eval qrels.txt bm25.run splade.run -m nDCG@10 -m AP -m 'P(rel=2)@5'
    gaincurve eval qrels.txt *.run --scenario busy -f latex -o table.tex
    gaincurve eval qrels.txt *.run --efficiency 'logs/*.jsonl' -o tradeoff.svg
    gaincurve eval judgments.parquet runs/ --engine spark --master 'local[2,4]'
    """
    output = destination.output(figures=bool(logs), dvc=not logs)
    scenario = choices.chosen()
    asked = asked_measures(measures or None, scenario)
    options.refuse_unused(choices, asked)
    if logs:
        engine.refuse(efficiency=logs)
        from gaincurve.cli.efficiency.command import emit_tradeoff  # noqa: PLC0415 -- eval starts sooner without it

        emit_tradeoff(judgments, runs, logs, asked, scenario, reading, output, per_topic)
        return
    if engine.is_spark:
        scores = engine.scores(judgments, runs, asked, scenario, reading, output.digest)
    else:
        graded = load(judgments, runs, scenario, reading, output, asked)
        scores = with_remarks(score_topics(graded, asked, scenario), graded, scenario)
    output.emit(
        lambda: scores_wide(scores, per_topic),
        lambda: scores.tidy(per_topic, summary=True),
        lambda: scores.to_dict(topics=per_topic),
        scores.inputs,
        scores.notes,
        scores.to_dvc,
    )
