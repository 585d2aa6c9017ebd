"""gaincurve agree."""

from __future__ import annotations

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import load
from gaincurve.errors import InputError, Problem
from gaincurve.files.reading import Gathered
from gaincurve.io.read import read_judgments
from gaincurve.io.render import Cell, Table
from gaincurve.measures.notation import parse_measure
from gaincurve.model.agreement import Agreement, Orders
from gaincurve.model.source import number_text
from gaincurve.verbs.agree import agree_graded


@click.command("agree")
@click.argument("first", metavar="JUDGMENTS")
@click.argument("second", metavar="JUDGMENTS")
@click.argument("runs", metavar="[RUN...]", nargs=-1)
@click.option("-m", "--measure", default="nDCG@10", show_default=True, help="The measure that orders the runs.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the randomised test.")
@options.scenario
@options.runs_reading
@options.destination
def command(
    first: str,
    second: str,
    runs: tuple[str, ...],
    measure: str,
    alpha: float,
    seed: int,
    choices: options.Choices,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Compare two judges: do they agree on grades, and on which system is better?

    The cross table counts the documents that both judged: rows are grades of the second set, columns grades of the
    first, with the share of each column, as in Table I of the 2002 paper. Below are Cohen's κ, weighted κ and
    Krippendorff's α. With runs: Kendall's τ_b, τ_AP and rank-biased overlap of the two orders, and how many
    significant differences they share.

    \b
    gaincurve agree trec.qrels ours.qrels
    gaincurve agree human.qrels machine.qrels *.run -m nDCG@20
    """
    output = destination.output()
    scenario = choices.chosen()
    if "-" in runs or (first == "-" and second == "-"):
        what = "runs are read once for each set of judgments" if "-" in runs else "'-' was given more than once"
        raise InputError(Problem("stdin-twice", what))
    parsed_measure = parse_measure(measure).at_depth(scenario.depth).stopping()
    if runs:
        by_first, by_second = (
            load(path, runs, scenario, reading, output, [parsed_measure]) for path in (first, second)
        )
        agreement = agree_graded(
            by_first.judgments, by_second.judgments, (by_first, by_second), parsed_measure, scenario, alpha, seed
        )
    else:
        both = []
        gathered = Gathered()
        for path in (first, second):
            with gathered.keeping():
                judged = read_judgments(path, **reading.judgments)
                output.tell(f"read {judged.describe()}: {path}")
                both.append(judged)
        gathered.stop_if_any()
        agreement = agree_graded(both[0], both[1])
    output.emit(lambda: _wide(agreement), agreement.tidy, agreement.to_dict, agreement.inputs, agreement.notes)


def _wide(agreement: Agreement) -> list[Table]:
    foot = tuple(agreement.sentences())
    title = f"Grades of {agreement.names[1]} (rows) by grades of {agreement.names[0]} (columns)"
    table = _cross_table(agreement, title)
    if agreement.orders is None:
        return [Table(table.columns, table.rows, title, foot, digits=1)]
    return [table, _orders_table(agreement.orders, agreement.names, foot)]


def _cross_table(agreement: Agreement, title: str) -> Table:
    """Table I: counts and percentages of every column, and of all."""
    counts = agreement.counts.T
    used = [j for j in range(len(agreement.scale)) if counts[:, j].any()]
    columns = [""]
    for j in used:
        columns += [number_text(float(agreement.scale[j])), "%"]
    rows: list[tuple[Cell, ...]] = []
    totals = counts.sum(axis=0)
    for i, grade in enumerate(agreement.scale.tolist()):
        if counts[i].any():
            cells: list[Cell] = []
            for j in used:
                cells += [int(counts[i, j]), float(100 * counts[i, j] / totals[j])]
            rows.append((number_text(grade), *cells, int(counts[i].sum()), float(100 * counts[i].sum() / counts.sum())))
    total_cells: list[Cell] = []
    for j in used:
        total_cells += [int(totals[j]), 100.0]
    rows.append(("total", *total_cells, int(counts.sum()), 100.0))
    return Table((*columns, "total", "%"), rows, title, digits=1)


def _orders_table(orders: Orders, names: tuple[str, str], foot: tuple[str, ...]) -> Table:
    places = [orders.places(means) for means in (orders.first, orders.second)]
    rows: list[tuple[Cell, ...]] = [
        (orders.runs[r], orders.first[r], places[0][r], orders.second[r], places[1][r])
        for r in sorted(range(len(orders.runs)), key=lambda r: (places[0][r], orders.runs[r]))
    ]
    columns = ("run", f"{orders.measure} by {names[0]}", "place", f"by {names[1]}", "place")
    return Table(columns, rows, foot=(*foot, *map(str, orders.signatures)))
