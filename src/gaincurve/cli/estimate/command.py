"""gaincurve estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from gaincurve.cli import options
from gaincurve.cli.estimate.views import curves_wide, estimates_wide, recapture_wide
from gaincurve.cli.inputs import Bars
from gaincurve.cli.output import Output
from gaincurve.files.experiment import grade_runs
from gaincurve.files.reading import Gathered, check_names
from gaincurve.files.reading import Reading as FileReading
from gaincurve.io.read import read_judgments
from gaincurve.model.judgments import Judgments
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.estimate import CURVES, curves_graded, estimate_graded
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.labels import Sample, sample_of
from gaincurve.verbs.recapture import recapture
from gaincurve.verbs.sample_eval import sample_eval_text

SCRIPT = "sample_eval"


@click.command("estimate")
@options.judgments
@options.runs
@options.measures
@click.option("-q", "--per-topic", is_flag=True, help="Estimates of every topic as well.")
@click.option("--curve", is_flag=True, help="By rank to --depth (100 unless given), with a band; -o FILE.svg draws it.")
@click.option("--machine", metavar="LABELS", help="A machine's labels of the whole pool, which the judgments correct.")
@click.option("--lambda", "weight", default="1", show_default=True, metavar="0…1|tuned",
              help="How much the machine's labels count: 0 not at all.")  # fmt: skip
@click.option("--assume-random", is_flag=True,
              help="Take judgments without strata as a random sample of what the machine labelled.")  # fmt: skip
@click.option("--empty-strata", metavar="error|skip",
              help="A stratum without a judged document: refuse it, or count it as not relevant.")  # fmt: skip
@click.option("--recapture", "recaptured", is_flag=True,
              help="Two sets of judgments instead: how many relevant documents did neither search find?")  # fmt: skip
@options.scenario
@options.reading
@click.option("-f", "--format", "format", metavar="table|tsv|csv|json|jsonl|md|latex|sample_eval",
              help="Output format; sample_eval: as NIST's script with -q, to rank 1000.")  # fmt: skip
@click.option("-o", "--out", metavar="FILE", help="Write to a file; without -f its suffix decides the format.")
@click.option("--digits", type=click.IntRange(0, 17), help="Digits after the point (4 in tables, all in tsv and csv).")
@options.quiet
def command(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_topic: bool,
    curve: bool,
    machine: str | None,
    weight: str,
    assume_random: bool,
    empty_strata: str | None,
    recaptured: bool,
    choices: options.Choices,
    reading: options.Reading,
    format: str | None,
    out: str | None,
    digits: int | None,
    quiet: bool,
) -> None:
    """Estimate measures of a whole pool from a judged sample of it, with intervals.

    JUDGMENTS hold the stratum of each document (topic 0 document stratum grade, −1: pooled and not sampled), as
    `gaincurve pool --method sample` writes them, or are a table with columns stratum and p. CG, DCG, P and NumRel are
    totals, estimated without bias; nCG, nDCG and R are ratios of totals; xinfAP, infNDCG, iP and iNumRel are NIST's.
    Intervals are for the mean over these topics.

    \b
    gaincurve estimate sampled.qrels *.run
    gaincurve estimate sampled.qrels bm25.run -f sample_eval
    gaincurve estimate sampled.qrels *.run --curve -m nDCG -o band.svg
    gaincurve estimate checked.qrels *.run --machine machine.qrels --lambda tuned
    gaincurve estimate --recapture found-by-a.qrels found-by-b.qrels
    """
    output = Output.checked("table" if format == SCRIPT else format, out, digits, quiet, figures=True)
    if recaptured:
        _emit_recapture(judgments, runs, reading, output)
        return
    as_script = format == SCRIPT
    if as_script and (measures or curve or machine):
        raise click.UsageError("-f sample_eval prints what the script prints: leave out -m, --curve and --machine")
    scenario = _scenario(choices, as_script)
    graded, sample = _load(judgments, runs, machine, assume_random, scenario, reading, output)
    if as_script:
        text = sample_eval_text(graded, scenario, empty_strata)
        output.tell(*graded.judgments.notes, *(note for run in graded.runs for note in run.notes))
        output.write(text)
        return
    if curve or output.is_figure:
        asked = measures or CURVES
        curves = curves_graded(graded, sample, asked, scenario, weight=weight, empty_strata=empty_strata)
        if output.is_figure:
            from gaincurve.figures import estimated_chart  # noqa: PLC0415 -- an extra

            output.draw(lambda: estimated_chart(curves), curves.notes)
            return
        output.emit(lambda: curves_wide(curves), curves.tidy, curves.to_dict, curves.inputs, curves.notes)
        return
    result = estimate_graded(graded, sample, measures or None, scenario, weight=weight, empty_strata=empty_strata)
    output.emit(
        lambda: estimates_wide(result, per_topic),
        lambda: result.tidy(per_topic),
        lambda: result.to_dict(topics=per_topic),
        result.inputs,
        result.notes,
    )


def _scenario(choices: options.Choices, as_script: bool) -> Scenario:
    """The scenario asked for; the script has its own."""
    if as_script and choices.scenario == "default":
        return replace(choices, scenario=SCRIPT).chosen()
    return choices.chosen()


def _load(
    judgments: str,
    runs: Sequence[str],
    machine: str | None,
    assume_random: bool,
    scenario: Scenario,
    reading: options.Reading,
    output: Output,
) -> tuple[Experiment, Sample]:
    """The sample, and the runs graded against its pool."""
    check_names(judgments, runs, grades_are_scores=reading.grades_are_scores)
    judged, *labels = _read([judgments] if machine is None else [judgments, machine], reading, output)
    sample = sample_of(judged, labels[0] if labels else None, assume_random)
    bars = Bars(runs)
    files = FileReading(
        duplicates=reading.duplicates,
        columns=reading.files["columns"],
        threads=reading.threads,
        digest=output.digest,
        tell=output.tell,
        each=bars.each,
        rows=bars.rows,
    )
    graded = grade_runs(sample.pool, runs, scenario, files)
    inputs = () if not labels else (labels[0].source,)
    return replace(graded, beside=inputs, notes=tuple(note for read in labels for note in read.notes)), sample


def _read(paths: Sequence[str], reading: options.Reading, output: Output) -> list[Judgments]:
    """Files of judgments; the problems of all are reported together."""
    gathered, judged = Gathered(), []
    for path in paths:
        with gathered.keeping():
            judged.append(read_judgments(path, subtopics=reading.subtopics, **reading.judgments))
            output.tell(f"read {judged[-1].describe()}: {path}")
    gathered.stop_if_any()
    return judged


def _emit_recapture(first: str, others: Sequence[str], reading: options.Reading, output: Output) -> None:
    if len(others) != 1:
        raise click.UsageError("--recapture takes two sets of judgments")
    result = recapture(*_read((first, others[0]), reading, output))
    output.emit(lambda: recapture_wide(result), result.tidy, result.to_dict, result.inputs, result.notes)
