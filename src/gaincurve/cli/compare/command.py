"""gaincurve compare."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import click
from click.core import ParameterSource

from gaincurve.cli import options
from gaincurve.cli.compare.views import LAYOUTS, compare_wide
from gaincurve.cli.engine import Engine
from gaincurve.cli.engine import engine as engine_option
from gaincurve.cli.inputs import load
from gaincurve.cli.next_step import of_comparison
from gaincurve.cli.output import Output
from gaincurve.cli.regions import asked_regions
from gaincurve.cli.session import options as session_options
from gaincurve.cli.session.options import SessionFiles
from gaincurve.errors import one_of
from gaincurve.files.scored import read_scores
from gaincurve.model.comparison import Comparison
from gaincurve.model.scores import Scores
from gaincurve.model.source import counted
from gaincurve.stats.corrections import ADJUSTMENTS
from gaincurve.stats.intervals import KINDS
from gaincurve.verbs.compare import compare
from gaincurve.verbs.detectable import detectable
from gaincurve.verbs.evaluate import kind_of
from gaincurve.verbs.score import score
from gaincurve.verbs.significance import PAIRED
from gaincurve.verbs.significance.choose import POST_HOC
from gaincurve.verbs.significance.records import FAMILIES

FIGURES = {
    "forest": "differences with their intervals",
    "topics": "one bar per topic, for a pair (--pair), sorted",
    "ranks": "critical-difference diagram, with --post-hoc nemenyi",
}


@dataclass(frozen=True)
class View:
    """How a comparison is shown."""

    layout: str
    figure: str
    pair: tuple[str, str] | None
    detect: float | None


@dataclass(frozen=True)
class Testing:
    """How differences are tested, as given on the command line."""

    test: str | None
    baseline: str | None
    adjust: str | None
    post_hoc: str | None
    alpha: float
    seed: int
    draws: int | None
    family: str
    interval: str | None
    min_diff: float

    def compare(self, scores: Scores, unit: str | None = None, design: str | None = None) -> Comparison:
        """Compare the scores in this way; `unit` and `design` are for sessions."""
        return compare(scores, unit=unit, design=design, **self.choices)

    @property
    def choices(self) -> dict[str, Any]:
        """The arguments of `compare`."""
        return {**asdict(self), "interval": self.interval or "bca"}


testing = options.gathered(
    "testing",
    Testing,
    [
        click.option(
            "--test",
            metavar="|".join(PAIRED),
            help="; ".join(f"{name}: {test.about}" for name, test in PAIRED.items()) + ".",
        ),
        click.option("--baseline", metavar="RUN", help="Compare every run with this one, not all pairs."),
        click.option(
            "--adjust",
            metavar="|".join(ADJUSTMENTS),
            help="Correction for many comparisons; holm where a test has none of its own. "
            + "; ".join(f"{name}: {about}" for name, about in ADJUSTMENTS.items())
            + ".",
        ),
        click.option(
            "--post-hoc",
            metavar="|".join(POST_HOC),
            help="Comparison of pairs after Friedman's test; conover unless given.",
        ),
        click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance."),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of randomised tests."),
        click.option(
            "--draws",
            type=click.IntRange(1),
            help="Draws of a randomised test; 100 000 sign vectors, 10 000 permutations.",
        ),
        click.option(
            "--family",
            metavar="|".join(FAMILIES),
            default="measure",
            show_default=True,
            help="What is corrected together: the comparisons of each measure, or of all measures.",
        ),
        click.option("--interval", metavar="|".join(KINDS), help="Bootstrap interval; bca unless given."),
        click.option("--min-diff", type=float, default=0.0, help="Topics that differ by at most this are ties."),
    ],
)


@click.command("compare")
@options.judgments
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@options.measures
@testing
@click.option("--average", metavar="ranks", help="Mean over ranks 1 to the cutoff instead of the value at the cutoff.")
@click.option("--detect", type=float, help="Also show how many topics it takes to detect a difference of this size.")
@click.option(
    "--layout",
    metavar="|".join(LAYOUTS),
    help="; ".join(f"{name}: {about}" for name, about in LAYOUTS.items())
    + ". measures with several gains or depths, else runs.",
)
@click.option(
    "--figure",
    metavar="|".join(FIGURES),
    default="forest",
    help="What -o FILE.svg, .png or .pdf shows. "
    + "; ".join(f"{name}: {about}" for name, about in FIGURES.items())
    + ". forest unless given.",
)
@click.option("--pair", nargs=2, metavar="RUN RUN", help="The two runs whose topics --figure topics shows.")
@options.regions
@session_options.testing
@session_options.files
@engine_option
@options.runs_reading
@options.destination
def command(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    testing: Testing,
    average: str | None,
    detect: float | None,
    layout: str | None,
    figure: str,
    pair: tuple[str, str] | None,
    regions: options.Regions,
    of_sessions: session_options.Testing,
    session_files: SessionFiles,
    engine: Engine,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Test which differences between systems are significant, and show how large they are.

    Every pair of runs, or with --baseline every run against it, is compared by the paired t-test, adjusted by Holm,
    with a sign-flip check beside it. Differences come with intervals, effect sizes, topics won and lost, what judging
    the unjudged documents could change, and a sentence for the methods section. On GitHub the tables are also appended
    to the summary of the step ($GITHUB_STEP_SUMMARY).

    With a measure of sessions, RUN... are session logs, as in `session`; score= chooses the number of a session. --unit
    user compares the means of each searcher's sessions, so that a searcher who used both systems is paired with
    themselves, whatever the tasks.

    Without RUN..., the file holds scores by topic that were computed before: PyTerrier's table of
    pt.Experiment(..., perquery=True), or what `eval -q -f csv` wrote.

    Several --gains or cutoffs (--depth 10,30,100) are tested side by side, as in Table II of the 2002 paper:

    \b
    gaincurve compare qrels.txt bm25.run splade.run
    gaincurve compare qrels.txt *.run --baseline bm25 -m nDCG@10 -m nDCG@100
    gaincurve compare qrels.txt *.run -f latex -o table.tex
    gaincurve compare perquery.csv --baseline bm25
    gaincurve compare qrels.txt system-a.jsonl system-b.jsonl -m nsDCG -m "nsDCG(score='last')" --unit user
    gaincurve compare qrels.txt *.run -m nCG -m nDCG --average ranks --scenario jk2002 \\
      --gains 0-1-1-1 --gains 0-1-10-100 --gains 0-0-0-1 --test friedman
    """
    output = destination.output(figures=True)
    one_of("figure", figure, tuple(FIGURES))
    if pair and not (output.is_figure and figure == "topics"):
        raise click.UsageError("--pair is for --figure topics with -o FILE.svg, .png or .pdf")
    if testing.interval and testing.test != "bootstrap":
        raise click.UsageError("--interval is for --test bootstrap")
    one_of("layout", layout or "runs", tuple(LAYOUTS))
    view = View(layout or "runs", figure, pair, detect)
    if not runs:
        _refuse_choices()
        scores = read_scores(judgments)
        output.tell(
            f"read {counted(scores.inputs[0].rows, 'score')}, {counted(len(scores.units), 'topic')}: {judgments}"
        )
        _show(testing.compare(scores.of(*measures) if measures else scores), output, view)
        return
    asked, scenario, several = asked_regions(measures, average, regions, of_sessions)
    options.refuse_unused(regions, asked)
    if scenario.unjudged == "bounds":
        raise click.UsageError("--unjudged bounds gives intervals, which cannot be tested")
    files, design = of_sessions.design(session_files)
    if engine.is_spark and kind_of(asked) == "topic":
        session_files.refuse("name a measure of sessions, such as -m nsDCG")
        comparison = engine.compared(judgments, runs, asked, scenario, reading, testing.choices, output.digest)
    else:
        if engine.is_spark:
            graded = engine.sessions(judgments, runs, scenario, reading, files)
        else:
            graded = load(judgments, runs, scenario, reading, output, asked, files, compared=True)
        comparison = testing.compare(score(graded, asked, scenario), of_sessions.unit, design)
    _show(comparison, output, view if layout or not several else replace(view, layout="measures"))
    if scenario.unjudged == "zero" and not output.is_figure:
        output.tell(*of_comparison(comparison, judgments, runs, scenario))


OF_SCORES = {
    "judgments", "runs", "measures", "test", "baseline", "adjust", "post_hoc", "alpha", "seed", "draws", "family",
    "interval", "min_diff", "detect", "layout", "figure", "pair", "format", "out", "digits", "quiet",
}  # fmt: skip
"""The options that mean something where the scores were computed before."""


def _refuse_choices() -> None:
    """Refuse choices that had to be made before anything was scored."""
    context = click.get_current_context()
    for name in context.params.keys() - OF_SCORES:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = next(str(p.opts[-1]) for p in context.command.params if p.name == name)
            what = f"{option} changes nothing about scores that were computed before"
            raise click.UsageError(f"{what}; give JUDGMENTS and RUN...")


def _show(comparison: Comparison, output: Output, view: View) -> None:
    sentences = [] if view.detect is None else [answer.sentence() for answer in detectable(comparison, view.detect)]
    if output.is_figure:
        from gaincurve import figures  # noqa: PLC0415 -- an extra

        charts = {
            "forest": lambda: figures.forest_chart(comparison),
            "topics": lambda: figures.topics_chart(comparison, *(view.pair or ())),
            "ranks": lambda: figures.ranks_chart(comparison),
        }
        output.draw(charts[view.figure], comparison.notes)
        return
    output.summarise("gaincurve compare", lambda: compare_wide(comparison, view.layout, False, sentences))
    output.emit(
        lambda: compare_wide(comparison, view.layout, output.format == "latex", sentences),
        comparison.tidy,
        lambda: {**comparison.to_dict(), **({"detectable": sentences} if sentences else {})},
        comparison.inputs,
        comparison.notes,
    )
