"""gaincurve check."""

from __future__ import annotations

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import progress
from gaincurve.files import Gathered, check_names
from gaincurve.io.read import read_judgments, read_run_with_ranks
from gaincurve.io.render import Table
from gaincurve.measures.notation import parse_measure
from gaincurve.model.run import Run
from gaincurve.verbs.check import Findings, check
from gaincurve.verbs.evaluate import need


@click.command("check")
@options.judgments
@options.runs
@click.option(
    "-m", "--measure", default="nDCG@10", show_default=True, help="The measure whose range over tie orders is told."
)
@options.scenario
@options.subtopics
@options.destination
@click.pass_context
def command(
    ctx: click.Context,
    /,
    judgments: str,
    runs: tuple[str, ...],
    measure: str,
    subtopics: bool,
    choices: options.Choices,
    destination: options.Destination,
) -> None:
    """Look for what could change a number: ties, duplicates, unjudged documents.

    Reports duplicates, tied scores with the range the measure can take over their orders, topics that do not match,
    unjudged documents among the first 10, a rank column that contradicts the scores, and the grades. Exit code 1 if
    something could change a number.

    \b
    gaincurve check qrels.txt bm25.run
    """
    output = destination.output()
    scenario = choices.chosen()
    one = parse_measure(measure)
    check_names(judgments, runs)
    gathered = Gathered()
    read: list[Run] = []
    with gathered.keeping():
        subtopics = subtopics or need("subtopics", [one])
        judged = read_judgments(judgments, duplicates="first", subtopics=subtopics)
        output.tell(f"read {judged.describe()}: {judged.source.path}")
    for path in progress(runs, runs):
        with gathered.keeping():
            read.append(read_run_with_ranks(path, duplicates="first"))
            output.tell(f"read {read[-1].source.describe()}: {read[-1].source.path}")
    gathered.stop_if_any()
    found = check(judged, read, one, scenario=scenario)
    output.emit(lambda: _table(found), lambda: _table(found), found.to_dict, found.inputs, found.notes)
    if found.matters:
        output.tell("exit 1: something above could change a number")
        ctx.exit(1)


def _table(found: Findings) -> Table:
    marks = {True: "could change a number", False: "fine"}
    rows = [(f.about, f.subject, marks[f.matters], f.text) for f in found.findings]
    return Table(
        ("about", "of", "verdict", "what was found"), [tuple(row) for row in rows], foot=(str(found.signature),)
    )
