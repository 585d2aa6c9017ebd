"""gaincurve votes."""

from __future__ import annotations

import os

import click

from gaincurve.cli import options
from gaincurve.cli.output import check_out
from gaincurve.cli.pool import load_runs
from gaincurve.errors import ChoiceError, Problem
from gaincurve.files.reading import Gathered
from gaincurve.io.read import read_judgments
from gaincurve.io.render import Cell, Table
from gaincurve.io.results import write_whole
from gaincurve.io.scenarios import read_scenario
from gaincurve.measures.notation import parse_measure
from gaincurve.model.votes import Votes
from gaincurve.verbs.votes import DEPTH, ELECTIONS, RATE, REPEATS, TAKE, Ballot, elect

QRELS = (".qrels", ".qrel")


@click.command("votes")
@options.runs
@click.option("-m", "--measure", default="nDCG@10", show_default=True, help="The measure that orders the runs.")
@click.option("--by", default="count", metavar="|".join(ELECTIONS),
              help="; ".join(f"{name}: {election.rule}" for name, election in ELECTIONS.items()) + ".")  # fmt: skip
@click.option(
    "--depth", type=click.IntRange(1), default=DEPTH, show_default=True, help="How many documents of each list vote."
)
@click.option("--take", type=float, default=TAKE, show_default=True, help="The share of the pool that is elected.")
@click.option("--grades", is_flag=True, help="Grade elected documents by how many runs hold them; else 1.")
@click.option(
    "--rate", type=float, default=RATE, show_default=True, help="With --by sample: the share of the pool drawn."
)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=REPEATS,
    show_default=True,
    help="With --by sample: the number of draws.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="With --by sample: the seed of the draws."
)
@click.option("--judgments", metavar="QRELS", help="Judgments to compare the order with.")
@click.option(
    "--scenario", default="default", metavar="NAME|FILE.toml", help="A named set of choices; see `ls scenarios`."
)
@options.documents_reading
@options.destination
def command(
    runs: tuple[str, ...],
    measure: str,
    by: str,
    depth: int,
    take: float,
    grades: bool,
    rate: float,
    repeats: int,
    seed: int,
    judgments: str | None,
    scenario: str,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Order systems without judgments: what many runs retrieve counts as relevant.

    Votes favour the middle and bury the best system: what only a very good run finds has no votes. Use them to look
    for broken runs and to practise, not to choose a system; with --judgments you see how wrong they are.

    -o FILE.qrels writes what was elected, with `votes` in the second column: every number made with these
    pseudo-judgments is signed judgments:votes. With --judgments, -o FILE.svg, .png or .pdf draws both orders.

    \b
    gaincurve votes *.run
    gaincurve votes *.run --by condorcet --judgments qrels.txt
    gaincurve votes *.run -o votes.qrels
    """
    pseudo = destination.out if _suffix(destination.out) in QRELS and destination.format is None else None
    output = (options.Destination(None, None, destination.digits, destination.quiet) if pseudo else destination).output(
        figures=True
    )
    check_out(pseudo)
    if output.is_figure and judgments is None:
        raise click.UsageError("a figure shows the votes beside the truth: give --judgments")
    chosen, asked = read_scenario(scenario), parse_measure(measure)
    ballot = Ballot(by, depth, take, grades, rate, repeats, seed)
    if pseudo and by == "sample" and repeats > 1:
        what = f"{repeats} draws are no one set of judgments"
        raise ChoiceError(Problem("choice-unknown", what, pseudo, "--repeats 1"))
    gathered, judged = Gathered(), None
    if judgments is not None:
        with gathered.keeping():
            judged = read_judgments(judgments, subtopics=reading.subtopics, **reading.judgments)
            output.tell(f"read {judged.describe()}: {judged.source.path}")
    ranked = load_runs(runs, chosen.ties, reading, output, gathered)
    votes = elect(ranked, judged, asked, ballot, chosen)
    if pseudo is not None and votes.judgments is not None:
        write_whole(pseudo, votes.judgments.to_qrels().encode("utf-8", "surrogateescape"))
        output.tell(f"wrote {pseudo}: {votes.judgments.describe()}")
    if output.is_figure:
        from gaincurve.figures import votes_chart  # noqa: PLC0415 -- an extra

        output.draw(lambda: votes_chart(votes), votes.notes)
        return
    output.emit(lambda: _wide(votes), votes.tidy, votes.to_dict, votes.inputs, votes.notes)


def _suffix(path: str | None) -> str:
    return os.path.splitext(path or "")[1].lower()


def _wide(votes: Votes) -> Table:
    """Best first, with the true order beside it."""
    places, truly = votes.places(votes.means), votes.places(votes.true) if votes.true else []
    several = votes.judgments is None
    rows: list[tuple[Cell, ...]] = [
        (
            places[r], votes.runs[r], votes.means[r], *((votes.spread[r],) if several else ()),
            *((votes.true[r], truly[r]) if votes.true else ()),
        )
        for r in votes.order
    ]  # fmt: skip
    columns = ("place", "run", f"{votes.measure} by votes", *(("s.d. of draws",) if several else ()))
    signed = (votes.signature,) if votes.true_signature is None else (votes.signature, votes.true_signature)
    foot = (*votes.sentences(), *map(str, signed))
    return Table((*columns, *(("by judgments", "place then") if votes.true else ())), rows, foot=foot)
