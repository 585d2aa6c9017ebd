"""gaincurve check."""

from __future__ import annotations

from collections.abc import Sequence

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import load, progress
from gaincurve.cli.next_step import of_unjudged
from gaincurve.cli.output import Output
from gaincurve.cli.session import options as session_options
from gaincurve.cli.session.options import SessionFiles
from gaincurve.files.reading import Gathered, check_names
from gaincurve.io.addresses import expanded
from gaincurve.io.read import read_judgments, read_runs
from gaincurve.io.render import Cell, Table
from gaincurve.measures.notation import parse_measure
from gaincurve.model.measure import Measure
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import counted
from gaincurve.verbs.check import Findings, check, check_sessions
from gaincurve.verbs.evaluate import need


@click.command("check")
@options.judgments
@options.runs
@click.option(
    "-m", "--measure", default="nDCG@10", show_default=True, help="The measure whose range over tie orders is shown."
)
@click.option("--strict", is_flag=True, help="Exit with 1 for remarks as well.")
@options.scenario
@options.check_reading
@session_options.files
@options.destination
@click.pass_context
def command(
    ctx: click.Context,
    /,
    judgments: str,
    runs: tuple[str, ...],
    measure: str,
    strict: bool,
    choices: options.Choices,
    reading: options.Reading,
    session_files: SessionFiles,
    destination: options.Destination,
) -> None:
    """Look for what could change a number: ties, duplicates, unjudged documents.

    Reports duplicates, tied scores with the range the measure can take over their orders, topics that do not match,
    unjudged documents in the top 10, a rank column that contradicts the scores, and the grades. With a measure of
    sessions RUN... are session logs, as in `session`.

    Errors make numbers wrong: documents listed twice, judged topics that a run lacks, a rank column that contradicts
    the scores. They end with exit code 1. Remarks are what sound data can have and a reader should know: ties,
    unjudged documents, negative grades, topics without a relevant document. They end with 0 unless --strict is given.

    \b
    gaincurve check qrels.txt bm25.run
    """
    output = destination.output()
    parsed_measure = parse_measure(measure)
    scenario = choices.chosen(parsed_measure.definition.over)
    if parsed_measure.definition.over == "session":
        graded = load(judgments, runs, scenario, reading, output, [parsed_measure], session_files)
        findings = check_sessions(graded, parsed_measure, scenario)
    else:
        session_files.refuse("name a measure of sessions, such as -m nsDCG")
        findings = _check_runs(judgments, runs, parsed_measure, scenario, reading, output)
    output.emit(lambda: _table(findings), findings.tidy, findings.to_dict, findings.inputs, findings.notes)
    unjudged = any(finding.about == "unjudged" and finding.level != "fine" for finding in findings.findings)
    if unjudged and parsed_measure.definition.linear is not None:
        output.tell(of_unjudged(judgments, runs, findings.measure, scenario))
    broken = [counted(len(findings.errors), "error")] if findings.errors else []
    broken += [counted(len(findings.remarks), "remark")] if strict and findings.remarks else []
    if broken:
        output.tell(f"exit 1: {' and '.join(broken)}")
        ctx.exit(1)


def _check_runs(
    judgments: str, paths: Sequence[str], measure: Measure, scenario: Scenario, reading: options.Reading, output: Output
) -> Findings:
    """Read the runs with their documents and their rank column, which is compared with the scores."""
    paths = expanded(paths)
    check_names(judgments, paths, grades_are_scores=reading.grades_are_scores)
    gathered = Gathered()
    runs: list[Run] = []
    with gathered.keeping():
        subtopics = reading.subtopics or need("subtopics", [measure])
        judged = read_judgments(judgments, subtopics=subtopics, **reading.judgments)
        output.tell(f"read {judged.describe()}: {judged.source.path}")
    for path in progress(paths, paths):
        with gathered.keeping():
            several = read_runs(path, with_ranks=True, **reading.runs)
            output.tell(*(f"read {run.source.describe()}: {run.source.path}" for run in several))
            runs += several
    gathered.stop_if_any()
    return check(judged, runs, measure, scenario=scenario)


def _table(findings: Findings) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (finding.about, finding.subject, finding.level, finding.text) for finding in findings.findings
    ]
    return Table(("about", "of", "level", "what was found"), rows, foot=(str(findings.signature),))
