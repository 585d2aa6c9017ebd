"""gaincurve gate."""

from __future__ import annotations

from dataclasses import replace

import click

from gaincurve.cli import options
from gaincurve.cli.compare.views import difference_cell
from gaincurve.cli.inputs import load
from gaincurve.cli.output import Output
from gaincurve.cli.session import options as session_options
from gaincurve.cli.session.options import SessionFiles
from gaincurve.io.read import run_name
from gaincurve.io.render import Cell, Table
from gaincurve.measures.notation import parse_measure
from gaincurve.model.gate import Gate
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.wording import p_text
from gaincurve.verbs.evaluate import asked_measures, kind_of
from gaincurve.verbs.experiment import Experiment, graded_experiment
from gaincurve.verbs.gate import GATE_TESTS, WORST, checked_limits, gate, parse_limit
from gaincurve.verbs.score import score


@click.command("gate")
@options.judgments
@click.argument("baseline")
@click.argument("candidate")
@click.option(
    "--max-drop",
    "limits",
    multiple=True,
    required=True,
    metavar="MEASURE=DROP",
    help="How far the mean may fall, e.g. nDCG@10=0.01. Repeatable.",
)
@click.option(
    "--test",
    metavar="|".join(GATE_TESTS),
    help="The test of the difference; t unless given, Welch's t for systems on different sessions.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of tests that draw at random.")
@click.option("--worst", type=click.IntRange(0), default=WORST, show_default=True, help="How many topics to list.")
@options.scenario
@session_options.testing
@session_options.files
@options.runs_reading
@options.destination
@click.pass_context
def command(
    ctx: click.Context,
    /,
    judgments: str,
    baseline: str,
    candidate: str,
    limits: tuple[str, ...],
    test: str | None,
    alpha: float,
    seed: int,
    worst: int,
    choices: options.Choices,
    of_sessions: session_options.Testing,
    session_files: SessionFiles,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Fail if a candidate is worse than the baseline: beyond a limit, and not by chance.

    Exit code 1 only if a measure falls by more than its limit and the drop is significant (paired t, Holm-adjusted
    over several limits), or if a topic loses its score altogether; else 0. -f md writes what a pull request should
    show. Runs of one file name in two folders are called baseline and candidate.

    \b
    gaincurve gate qrels.txt main.run change.run --max-drop nDCG@10=0.01
    gaincurve gate qrels.txt main.jsonl change.jsonl --max-drop nsDCG=0.02 --unit user
    gaincurve gate qrels.txt old/bm25.run new/bm25.run --max-drop nDCG@10=0.01 -f md
    """
    output = destination.output()
    parsed_limits = [parse_limit(text) for text in limits]
    limited = [parse_measure(name) for name, _ in parsed_limits]
    over = kind_of(limited)
    scenario = choices.chosen(over, **of_sessions.choices(limited))
    limit_of = checked_limits(
        (parse_measure(name).at_depth(scenario.depth).text, limit) for name, limit in parsed_limits
    )
    asked = asked_measures(list(limit_of), scenario, over)
    options.refuse_unused(choices, asked)
    files, design = of_sessions.design(session_files)
    graded = _both(judgments, baseline, candidate, scenario, reading, output, asked, files)
    scores = score(graded, asked, scenario)
    outcome = gate(
        scores, limit_of, test=test, alpha=alpha, seed=seed, worst=worst, unit=of_sessions.unit, design=design
    )
    with output.verdict_stands():
        output.emit(
            lambda: _wide(outcome),
            outcome.tidy,
            outcome.to_dict,
            outcome.inputs,
            outcome.notes,
        )
    if not outcome.passed:
        output.tell("exit 1: the gate failed")
        ctx.exit(1)


def _both(
    judgments: str,
    baseline: str,
    candidate: str,
    scenario: Scenario,
    reading: options.Reading,
    output: Output,
    measures: list[Measure],
    session_files: SessionFiles,
) -> Experiment:
    """Both runs, graded; here they may be files of the same name in two folders."""
    if run_name(baseline) != run_name(candidate) or baseline == "-" or kind_of(measures) == "session":
        return load(judgments, (baseline, candidate), scenario, reading, output, measures, session_files, compared=True)
    old = load(judgments, (baseline,), scenario, reading, output, measures, compared=True)
    new = load(judgments, (candidate,), scenario, reading, output, measures, compared=True)
    renamed = [replace(old.runs[0], name="baseline"), replace(new.runs[0], name="candidate")]
    return graded_experiment(old.judgments, renamed)


def _wide(outcome: Gate) -> list[Table]:
    verdict = "Gate passed" if outcome.passed else "Gate failed"
    rows: list[tuple[Cell, ...]] = [
        (
            check.measure.text,
            check.pair.mean_b,
            check.pair.mean_a,
            difference_cell(check.pair),
            check.limit,
            p_text(check.pair.p_adjusted),
            check.verdict,
        )
        for check in outcome.checks
    ]
    columns = ("measure", outcome.baseline, outcome.candidate, "change", "may drop", "p", "verdict")
    methods = outcome.comparison.methods()
    foot = (*outcome.sentences(), *methods, *(str(check.signature) for check in outcome.checks))
    worst: list[tuple[Cell, ...]] = [
        (check.measure.text, topic, before, after, after - before)
        for check in outcome.checks
        for topic, before, after in check.topics
    ]
    if not worst:
        return [Table(columns, rows, verdict, foot)]
    kind = outcome.checks[0].unit
    heads = ("measure", kind, outcome.baseline, outcome.candidate, "change")
    worse = "fell" if all(check.higher_is_better for check in outcome.checks) else "got worse"
    return [Table(columns, rows, verdict), Table(heads, worst, f"{kind.capitalize()}s that {worse} most", foot)]
