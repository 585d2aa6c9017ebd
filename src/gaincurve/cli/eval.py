"""gaincurve eval."""

from __future__ import annotations

from typing import Any

import click

from gaincurve.cli import options
from gaincurve.cli.efficiency.logs import load_with_logs
from gaincurve.cli.efficiency.logs import option as efficiency
from gaincurve.cli.efficiency.views import tradeoff_tidy, tradeoff_wide
from gaincurve.cli.inputs import load, tell
from gaincurve.cli.output import Output
from gaincurve.cli.views import scores_tidy, scores_wide
from gaincurve.model.tradeoff import Tradeoff
from gaincurve.verbs.efficiency import tradeoff
from gaincurve.verbs.evaluate import asked_measures, score


@click.command("eval")
@options.judgments
@options.runs
@options.measures
@click.option("-q", "--per-topic", is_flag=True, help="Scores of every topic as well.")
@efficiency
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
    logs: tuple[str, ...],
    **given: Any,
) -> None:
    """Score runs against judgments.

    Formats are recognised by content, packed or plain; '-' is standard input. Every number is signed: the signature
    under the table tells gains, discount, ideal, ties, unjudged and missing rules, and the number of topics.
    With --efficiency the table also tells what each run costs, and -o FILE.svg, .png or .pdf draws the first measure
    over latency.

    \b
    gaincurve eval qrels.txt bm25.run splade.run -m nDCG@10 -m AP -m 'P(rel=2)@5'
    gaincurve eval qrels.txt *.run --scenario busy -f latex -o table.tex
    gaincurve eval qrels.txt *.run --efficiency 'logs/*.jsonl' -o tradeoff.svg
    """
    output = Output.of(given, figures=bool(logs))
    scenario = options.chosen_scenario(given)
    asked = asked_measures(measures or None, scenario)
    options.refuse_unused(given, asked)
    given["format"] = output.format
    if logs:
        graded, read = load_with_logs(judgments, runs, scenario, logs, given, output.quiet, asked)
        _emit_tradeoff(tradeoff(score(graded, asked, scenario), read), output, per_topic)
        return
    scores = score(load(judgments, runs, scenario, given, output.quiet, asked), asked, scenario)
    output.emit(
        lambda: scores_wide(scores, per_topic),
        lambda: scores_tidy(scores, per_topic),
        lambda: scores.to_dict(topics=per_topic),
        scores.inputs,
        scores.notes,
    )


def _emit_tradeoff(found: Tradeoff, output: Output, per_topic: bool) -> None:
    if output.is_figure:
        from gaincurve.figures import save, tradeoff_chart  # noqa: PLC0415 -- an extra

        tell(output.quiet, *found.notes)
        save(tradeoff_chart(found), str(output.out))
        tell(output.quiet, f"wrote {output.out}")
        return
    output.emit(
        lambda: tradeoff_wide(found, per_topic),
        lambda: tradeoff_tidy(found, per_topic),
        lambda: found.to_dict(topics=per_topic),
        found.inputs,
        found.notes,
    )
