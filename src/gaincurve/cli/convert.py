"""gaincurve convert."""

from __future__ import annotations

import click

from gaincurve.cli import options
from gaincurve.cli.output import check_out, tell
from gaincurve.cli.streams import write_out
from gaincurve.errors import one_of
from gaincurve.io.convert import WRITTEN, Reading, converted
from gaincurve.io.results import write_whole
from gaincurve.model.source import grouped


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("out", metavar="OUT")
@click.option(
    "--to", metavar="FORMAT", help=f"The format to write: {', '.join(WRITTEN)}; else the suffix of OUT decides."
)
@click.option("--as", "kind", metavar="judgments|run", help="What IN holds, where its content does not say.")
@options.documents_reading
@options.quiet
def command(source: str, out: str, to: str | None, kind: str | None, reading: options.Reading, quiet: bool) -> None:
    """Convert judgments or a run from any format to another.

    Ids and numbers stay exact: the output is read back and compared before it is saved, and what a format cannot hold
    is refused or reported in a note. '-' is standard input or output; OUT may end in .gz, .bz2, .xz,
    .zst, .lz4 or .zip.

    \b
    gaincurve convert book.zip qrels.csv --judges mean
    gaincurve convert snapshots.csv#before before.run.gz
    gaincurve convert qrels.txt - --to opensearch-judgments
    """
    check_out(out, "OUT")
    how = Reading(
        "" if kind is None else one_of("--as", kind, ("judgments", "run")),
        subtopics=reading.subtopics,
        **reading.judgments,
    )
    done = converted(source, out, to, how)
    tell(quiet, f"read {done.source.format}: {done.source.path}", *done.notes)
    if out == "-":
        write_out(done.data)
        return
    write_whole(out, done.data)
    tell(quiet, f"wrote {out}: {done.format.title}, {grouped(done.source.rows)} rows")
