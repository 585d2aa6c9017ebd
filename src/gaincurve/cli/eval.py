"""gaincurve eval."""

from __future__ import annotations

from typing import Any

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import load
from gaincurve.cli.output import Output
from gaincurve.cli.views import scores_tidy, scores_wide
from gaincurve.verbs.evaluate import asked_measures, score


@click.command("eval")
@options.judgments
@options.runs
@options.measures
@click.option("-q", "--per-topic", is_flag=True, help="Scores of every topic as well.")
@options.scenario
@options.duplicates
@options.subtopics
@options.threads
@options.output
def command(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], per_topic: bool, **given: Any) -> None:
    """Score runs against judgments.

    Formats are recognised by content, packed or plain; '-' is standard input. Every number is signed: the signature
    under the table tells gains, discount, ideal, ties, unjudged and missing rules, and the number of topics.

    \b
    gaincurve eval qrels.txt bm25.run splade.run -m nDCG@10 -m AP -m 'P(rel=2)@5'
    gaincurve eval qrels.txt *.run --scenario busy -f latex -o table.tex
    """
    output = Output.of(given)
    scenario = options.chosen_scenario(given)
    asked = asked_measures(measures or None, scenario)
    options.refuse_unused(given, asked)
    graded = load(judgments, runs, scenario, {**given, "format": output.format}, output.quiet, asked)
    scores = score(graded, asked, scenario)
    output.emit(
        lambda: scores_wide(scores, per_topic),
        lambda: scores_tidy(scores, per_topic),
        lambda: scores.to_dict(topics=per_topic),
        scores.inputs,
        scores.notes,
    )
