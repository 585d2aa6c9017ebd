"""gaincurve gate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

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
from gaincurve.verbs.evaluate import DEFAULT_MEASURE, asked_measures, kind_of
from gaincurve.verbs.experiment import Experiment, graded_experiment
from gaincurve.verbs.gate import GATE_TESTS, WORST, gate
from gaincurve.verbs.limits import parse_limit, parse_limits
from gaincurve.verbs.score import score


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What must hold, as given on the command line."""

    max_drop: tuple[str, ...]
    strict: bool
    not_worse_by: tuple[str, ...]
    min_score: tuple[str, ...]
    max_topic_drop: tuple[str, ...]
    min_judged: str | None

    def given(self, scenario: Scenario) -> dict[str, Any]:
        """The arguments of the verb; measures are cut at the scenario's depth where they name no cutoff."""
        margins: object = self.not_worse_by[0] if len(self.not_worse_by) == 1 else None
        if any("=" in text for text in self.not_worse_by) or len(self.not_worse_by) > 1:
            margins = _cut("not-worse-by", self.not_worse_by, scenario)
        return {
            "max_drop": _cut("max-drop", self.max_drop, scenario),
            "strict": self.strict,
            "not_worse_by": margins,
            "min_score": _cut("min", self.min_score, scenario),
            "max_topic_drop": _cut("max-topic-drop", self.max_topic_drop, scenario),
            "min_judged": self.min_judged,
        }

    @property
    def measures(self) -> list[Measure]:
        """The measures that any limit names; the usual one if none does."""
        named = [*self.max_drop, *(text for text in self.not_worse_by if "=" in text)]
        named += [*self.min_score, *self.max_topic_drop]
        return [parse_measure(parse_limit(text)[0]) for text in named] or [parse_measure(DEFAULT_MEASURE)]


def _cut(rule: str, texts: tuple[str, ...], scenario: Scenario) -> dict[str, str]:
    """Limits by measure, each cut at the scenario's depth where it names no cutoff."""
    return {
        parse_measure(name).at_depth(scenario.depth).stopping().text: limit
        for name, limit in parse_limits(rule, texts).items()
    }


limits = options.gathered(
    "limits",
    Limits,
    [
        click.option(
            "--max-drop",
            multiple=True,
            metavar="MEASURE=DROP",
            help="How far the mean may fall, e.g. nDCG@10=0.01, or nDCG@10=1% of the baseline's mean: a drop beyond "
            "that fails if it is significant. Repeatable; all drops are adjusted together by Holm.",
        ),
        click.option("--strict", is_flag=True, help="A drop beyond its limit fails, significant or not."),
        click.option(
            "--not-worse-by",
            multiple=True,
            metavar="[MEASURE=]MARGIN",
            help="The candidate must be shown to be worse by less than this, or not at all (non-inferiority): the "
            "lower end of the one-sided interval of the difference must lie above -MARGIN. Repeatable.",
        ),
        click.option(
            "--min", "min_score", multiple=True, metavar="MEASURE=VALUE", help="The lowest value allowed. Repeatable."
        ),
        click.option(
            "--max-topic-drop",
            multiple=True,
            metavar="MEASURE=DROP[:TOPICS]",
            help="How far a single topic may fall, and how many topics may fall further: nDCG@10=0.3:2. Repeatable.",
        ),
        click.option(
            "--min-judged",
            metavar="SHARE@DEPTH",
            help="The share of the candidate's first documents that must be judged, e.g. 0.5@10.",
        ),
    ],
)


@click.command("gate")
@options.judgments
@click.argument("baseline")
@click.argument("candidate")
@limits
@click.option(
    "--test",
    metavar="|".join(GATE_TESTS),
    help="The test of --max-drop; t unless given, Welch's t for systems on different sessions.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of randomised tests.")
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
    limits: Limits,
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
    """Fail if a candidate is worse than the baseline: beyond a limit, and significantly.

    Exit code 1 if any limit is broken; else 0. A drop beyond --max-drop fails if it is significant (paired t,
    Holm-adjusted over several drops), or if a topic loses its score altogether. -f md writes what a pull request
    should show, and `why` in -f json what failed; on GitHub the tables are also appended to the summary of the step
    ($GITHUB_STEP_SUMMARY). Runs of one file name in two folders are called baseline and candidate.

    \b
    gaincurve gate qrels.txt main.run change.run --max-drop nDCG@10=0.01
    gaincurve gate qrels.txt main.run change.run --not-worse-by nDCG@10=0.01 --max-topic-drop nDCG@10=0.3:2
    gaincurve gate qrels.txt main.run change.run --max-drop nDCG@10=1% --min nDCG@10=0.4 --min-judged 0.5@10
    gaincurve gate qrels.txt main.jsonl change.jsonl --max-drop nsDCG=0.02 --unit user
    gaincurve gate qrels.txt old/bm25.run new/bm25.run --max-drop nDCG@10=0.01 -f md
    """
    output = destination.output()
    limited = limits.measures
    over = kind_of(limited)
    scenario = choices.chosen(over, **of_sessions.choices(limited))
    asked = asked_measures(limited, scenario, over)
    options.refuse_unused(choices, asked)
    given = limits.given(scenario)
    files, design = of_sessions.design(session_files)
    graded = _both(judgments, baseline, candidate, scenario, reading, output, asked, files)
    scores = score(graded, asked, scenario)
    outcome = gate(
        scores, **given, test=test, alpha=alpha, seed=seed, worst=worst, unit=of_sessions.unit, design=design
    )
    output.summarise("gaincurve gate", lambda: _wide(outcome))
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
            check.name,
            check.before,
            check.after,
            difference_cell(check.pair) if check.pair else check.after - check.before,
            check.allows,
            p_text(check.pair.p_adjusted) if check.pair else "–",
            check.verdict,
        )
        for check in outcome.checks
    ]
    columns = ("measure", outcome.baseline, outcome.candidate, "change", "limit", "p", "verdict")
    signatures = dict.fromkeys(str(check.signature) for check in outcome.checks)
    foot = (*outcome.sentences(), *outcome.methods, *signatures)
    worst: dict[tuple[Cell, ...], None] = dict.fromkeys(
        (check.name, topic, before, after, after - before)
        for check in outcome.checks
        for topic, before, after in check.topics
    )
    if not worst:
        return [Table(columns, rows, verdict, foot)]
    kind = outcome.checks[0].unit
    heads = ("measure", kind, outcome.baseline, outcome.candidate, "change")
    worse = "fell" if all(check.higher_is_better for check in outcome.checks) else "got worse"
    title = f"{kind.capitalize()}s that {worse} most"
    return [Table(columns, rows, verdict), Table(heads, list(worst), title, foot)]
