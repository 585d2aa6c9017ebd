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
    """Do two judges agree: on grades, and on which system is better?

    The cross table counts the documents that both judged: rows are grades of the second set, columns grades of the
    first, with the share of each column, as Table I of the 2002 paper. Below stand Cohen's κ, weighted κ and
    Krippendorff's α. With runs: Kendall's τ_b, τ_AP and rank-biased overlap of the two orders, and how many
    significant differences survive.

    \b
    gaincurve agree trec.qrels ours.qrels
    gaincurve agree human.qrels machine.qrels *.run -m nDCG@20
    """
    output = destination.output()
    scenario = choices.chosen()
    if "-" in runs or (first == "-" and second == "-"):
        what = "runs are read once for each set of judgments" if "-" in runs else "'-' was given more than once"
        raise InputError(Problem("stdin-twice", what))
    asked = parse_measure(measure).at_depth(scenario.depth).stopping()
    if runs:
        one, two = (load(path, runs, scenario, reading, output, [asked]) for path in (first, second))
        found = agree_graded(one.judgments, two.judgments, (one, two), asked, scenario, alpha, seed)
    else:
        judged = []
        gathered = Gathered()
        for path in (first, second):
            with gathered.keeping():
                read = read_judgments(path, duplicates=reading.duplicates)
                output.tell(f"read {read.describe()}: {path}")
                judged.append(read)
        gathered.stop_if_any()
        found = agree_graded(judged[0], judged[1])
    output.emit(lambda: _wide(found), lambda: _tidy(found), found.to_dict, found.inputs, found.notes)


def _wide(found: Agreement) -> list[Table]:
    foot = tuple(found.sentences())
    title = f"Grades of {found.names[1]} (rows) by grades of {found.names[0]} (columns)"
    table = _crossed(found, title)
    if found.orders is None:
        return [Table(table.columns, table.rows, title, foot, digits=1)]
    return [table, _ordered(found.orders, found.names, foot)]


def _crossed(found: Agreement, title: str) -> Table:
    """Table I: counts and percentages of every column, and of all."""
    counts = found.counts.T
    used = [j for j in range(len(found.scale)) if counts[:, j].any()]
    columns = [""]
    for j in used:
        columns += [number_text(float(found.scale[j])), "%"]
    rows: list[tuple[Cell, ...]] = []
    totals = counts.sum(axis=0)
    for i, grade in enumerate(found.scale.tolist()):
        if counts[i].any():
            cells: list[Cell] = []
            for j in used:
                cells += [int(counts[i, j]), float(100 * counts[i, j] / totals[j])]
            rows.append((number_text(grade), *cells, int(counts[i].sum()), float(100 * counts[i].sum() / counts.sum())))
    last: list[Cell] = []
    for j in used:
        last += [int(totals[j]), 100.0]
    rows.append(("total", *last, int(counts.sum()), 100.0))
    return Table((*columns, "total", "%"), rows, title, digits=1)


def _ordered(orders: Orders, names: tuple[str, str], foot: tuple[str, ...]) -> Table:
    places = [orders.places(means) for means in (orders.first, orders.second)]
    rows: list[tuple[Cell, ...]] = [
        (orders.runs[r], orders.first[r], places[0][r], orders.second[r], places[1][r])
        for r in sorted(range(len(orders.runs)), key=lambda r: (places[0][r], orders.runs[r]))
    ]
    columns = ("run", f"{orders.measure} by {names[0]}", "place", f"by {names[1]}", "place")
    return Table(columns, rows, foot=(*foot, *map(str, orders.signatures)))


def _tidy(found: Agreement) -> Table:
    """statistic, value: the cross table cell by cell, then every coefficient."""
    grades = [number_text(float(grade)) for grade in found.scale]
    rows: list[tuple[Cell, ...]] = [
        (f"grades {a},{b}", int(found.counts[i, j])) for i, a in enumerate(grades) for j, b in enumerate(grades)
    ]
    names = ("common", "only_first", "only_second", "same", "kappa", "kappa_linear", "kappa_quadratic")
    rows += [(name, getattr(found, name)) for name in (*names, "alpha_nominal", "alpha_ordinal", "alpha_interval")]
    if found.orders is not None:
        for name in ("tau_b", "tau_ap", "rbo", "both", "first_only", "second_only", "conflict", "share"):
            rows.append((f"order {name}", getattr(found.orders, name)))
    return Table(("statistic", "value"), rows)
