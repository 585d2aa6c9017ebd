"""gaincurve pool."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import progress
from gaincurve.cli.output import Output, check_out
from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.files.reading import Gathered
from gaincurve.io.addresses import expanded
from gaincurve.io.columnar import BINARY
from gaincurve.io.content import read_content
from gaincurve.io.read import read_judgments, read_runs
from gaincurve.io.render import FIGURES, Cell, Table, render
from gaincurve.io.results import document, write_whole
from gaincurve.io.texts.read import read_texts
from gaincurve.model.ids import decode
from gaincurve.model.pool import Pool
from gaincurve.model.rows import Floats
from gaincurve.model.run import Run
from gaincurve.model.source import Note
from gaincurve.stats.pooling import UPDATES
from gaincurve.verbs.deciding.case import STOPS
from gaincurve.verbs.pool import ABSENT, pool
from gaincurve.verbs.pools.methods import METHODS
from gaincurve.verbs.pools.replay import replay_curves
from gaincurve.verbs.pools.sample import STRATA
from gaincurve.verbs.reuse import Reuse, parse_groups, reuse

WHOLE = 1 << 20
"""So many characters of a text are compared."""
WRITTEN = {
    "jsonl": "JSON lines",
    "qrels5": "topic 0 document stratum -1",
    "trec": "a TREC run",
    "json": "with the plan",
}


@click.command("pool")
@options.runs
@click.option("--method", default="depth", metavar="|".join(METHODS),
              help="; ".join(f"{name}: {method.rule}" for name, method in METHODS.items()) + ".")  # fmt: skip
@click.option("--depth", type=click.IntRange(1), help="Cut every run here first: 100 for depth, else whole runs.")
@click.option("--budget", type=click.IntRange(1), help="Documents per topic.")
@click.option("--total", type=click.IntRange(1), help="Documents over all topics.")
@click.option("--judgments", metavar="QRELS", help="Leave out what is judged; the answers that mtf and mm-ns follow.")
@click.option("--replay", is_flag=True,
              help="Simulate judging the whole order with the answers of --judgments; with -o FILE.svg, .png or .pdf "
              "draw what every method finds.")  # fmt: skip
@click.option("--absent", default="zero", metavar="|".join(ABSENT),
              help="In a replay, a document without a judgment: "
              + "; ".join(f"{name}: {about}" for name, about in ABSENT.items()) + ".")  # fmt: skip
@click.option("--rel", type=float, help="The lowest relevant grade; every grade above 0 unless given.")
@click.option("--update", default="played", metavar="|".join(UPDATES),
              help="Which runs an answer updates in mm-ns and mtf: "
              + "; ".join(f"{name}: {about}" for name, about in UPDATES.items()) + ".")  # fmt: skip
@click.option(
    "--strata",
    default=STRATA,
    show_default=True,
    help="With --method sample: ranges of best ranks and the share of each to draw.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="With --method sample: the seed.")
@click.option(
    "-m", "--measure", default="nDCG@10", show_default=True, help="With --method decide or --reuse: the measure."
)
@click.option("--scale", help="With --method decide: the grades a judge can give, e.g. 0-3.")
@click.option("--stop", default="plausible", metavar="|".join(STOPS),
              help="With --method decide: pairs of runs that need no more judging: "
              + "; ".join(f"{name}: {about}" for name, about in STOPS.items()) + ".")  # fmt: skip
@click.option("--provenance", metavar="FILE", help="Write which runs hold each document to a separate file.")
@click.option("--docs", metavar="FILE", help="Texts of documents: copies within a topic are flagged (copy_of).")
@click.option(
    "--pace", type=options.FiniteRange(0, min_open=True), help="How many documents your judges judge per minute."
)
@click.option("--reuse", "reused", metavar="JUDGMENTS",
              help="Instead of a pool: can these judgments be trusted for a new run?")  # fmt: skip
@click.option("--groups", metavar="FILE", help="With --reuse: lines RUN TEAM; a team is left out as a whole.")
@options.documents_reading
@click.option(
    "-f",
    "--format",
    "format",
    metavar="|".join(WRITTEN),
    help="The format to write; by the suffix of -o, else jsonl. With --reuse the formats of `eval`.",
)
@click.option("-o", "--out", metavar="FILE", help="Write the pool to a file.")
@options.quiet
def command(
    runs: tuple[str, ...],
    method: str,
    depth: int | None,
    budget: int | None,
    total: int | None,
    judgments: str | None,
    replay: bool,
    absent: str,
    rel: float | None,
    update: str,
    strata: str,
    seed: int,
    measure: str,
    scale: str | None,
    stop: str,
    provenance: str | None,
    docs: str | None,
    pace: float | None,
    reused: str | None,
    groups: str | None,
    reading: options.Reading,
    format: str | None,
    out: str | None,
    quiet: bool,
) -> None:
    """Choose what to judge: depth, fused, adaptive or sampled pools of the runs' documents.

    One record for each document: topic, document, priority (1 is first), stratum, p, and how many runs hold it; no run
    is named, so that judges stay blind. The plan, with hours of judging, goes to stderr. `ls pools` says when to use
    which method.

    \b
    gaincurve pool *.run --depth 20 -o pool.jsonl
    gaincurve pool *.run new.run --depth 20 --judgments qrels.txt -o more.jsonl
    gaincurve pool *.run --judgments qrels.txt --replay -o methods.svg
    gaincurve pool --reuse qrels.txt *.run
    """
    if groups is not None and reused is None:
        raise click.UsageError("--groups is for --reuse")
    if provenance is not None and out is not None and os.path.realpath(provenance) == os.path.realpath(out):
        raise click.UsageError("-o and --provenance name the same file; the judges should not see which run holds what")
    if rel is not None and not math.isfinite(rel):
        raise ChoiceError(Problem("choice-unknown", f"--rel cannot be {rel}", hint="a grade, e.g. --rel 2"))
    one_of("--stop", stop, list(STOPS))
    check_out(out)
    check_out(provenance, "--provenance")
    drawing = replay and reused is None and format is None and os.path.splitext(out or "")[1].lower() in FIGURES
    if reused is not None:
        output = Output.checked(format, out, None, quiet, figures=False)
    else:
        chosen = os.path.splitext(str(out))[1][1:] if drawing else _format(format, out)
        output = Output(chosen, None if out == "-" else out, None, quiet)
    gathered = Gathered()
    judged, path = None, reused or judgments
    if path is not None:
        with gathered.keeping():
            judged = read_judgments(path, subtopics=reading.subtopics, **reading.judgments)
            output.tell(f"read {judged.describe()}: {judged.source.path}")
    ranked = load_runs(runs, "trec", reading, output, gathered, skip_empty=reused is None)
    if reused is not None:
        teams = None
        if groups is not None:
            content = read_content(groups, False)
            teams = parse_groups(decode(content.bytes()), [run.name for run in ranked], groups)
        result = reuse(judged, ranked, measure, depth=depth or 100, groups=teams)
        output.emit(lambda: _left_out(result), result.tidy, result.to_dict, result.inputs, result.notes)
        if output.format in ("tsv", "csv", "jsonl", *BINARY):  # rows have no place for the verdict
            output.tell(*result.sentences())
        return
    if drawing:
        from gaincurve import figures  # noqa: PLC0415 -- an extra

        curves = replay_curves(
            ranked, judged, depth=depth, budget=budget, rel=rel, absent=absent, measure=measure, scale=scale
        )
        output.draw(lambda: figures.replay_chart(curves), ())
        return
    texts = None if docs is None else read_texts(docs, most=WHOLE, digest=output.digest)
    drawn = pool(
        ranked, judged, method=method, depth=depth, budget=budget, total=total, replay=replay, absent=absent, rel=rel,
        update=update, strata=strata, seed=seed, measure=measure, scale=scale, stop=stop, texts=texts,
    )  # fmt: skip
    output.tell(*drawn.notes, *_planned(drawn, pace))
    output.write(_text(drawn, output.format))
    if provenance is not None:
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in drawn.provenance())
        write_whole(provenance, "".join(lines).encode("utf-8", "surrogateescape"))
        output.tell(f"wrote {provenance}")


def _format(given: str | None, out: str | None) -> str:
    suffixes = {"": "jsonl", ".jsonl": "jsonl", ".json": "json", ".qrels": "qrels5", ".run": "trec"}
    suffix = os.path.splitext(out or "")[1].lower()
    if given is None and suffix not in suffixes:
        what = f"the suffix of {out} names no format of a pool"
        raise ChoiceError(Problem("format-unknown", what, hint=f"use -f, or one of {' '.join(list(suffixes)[1:])}"))
    chosen = given or suffixes[suffix]
    if chosen not in WRITTEN:
        raise ChoiceError(
            Problem("format-unknown", f"--format cannot be {chosen!r}", hint=f"one of {', '.join(WRITTEN)}")
        )
    return chosen


def _text(drawn: Pool, format_: str) -> str:
    if format_ == "json":
        return document(drawn.to_dict(), drawn.inputs, drawn.notes)
    return {"jsonl": drawn.to_jsonl, "qrels5": drawn.to_qrels5, "trec": drawn.to_trec}[format_]()


def _planned(drawn: Pool, pace: float | None) -> list[str]:
    """What a planner needs, for stderr."""
    plan = drawn.plan()
    lines = [*plan.sentences(pace)]
    if drawn.left_out:
        lines.append(f"{drawn.left_out} judged already, left out.")
    rows: list[tuple[Cell, ...]] = [
        (run, held, alone, "–" if len(plan.runs) < 2 else f"{_mean_overlap(plan.overlap, i):.2f}")
        for i, (run, held, alone) in enumerate(zip(plan.runs, plan.contributed, plan.unique, strict=True))
    ]
    table = Table(("run", "holds", "only it holds", "overlap with the others"), rows)
    return [*lines, *render(table, "table").rstrip("\n").split("\n")]


def _mean_overlap(overlap: Floats, run: int) -> float:
    others = [share for other, share in enumerate(overlap[run].tolist()) if other != run and not math.isnan(share)]
    return sum(others) / len(others) if others else 0.0


def _left_out(result: Reuse) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (part.name, part.unique, part.before, part.after, part.drop, part.place_before, part.place_after, part.tau)
        for part in result.parts
    ]
    columns = ("left out", "unique judged", "with", "without", "drop", "place", "then", "tau")
    title = f"{result.measure}: each without the documents that only it found"
    return Table(columns, rows, title, (*result.sentences(), str(result.signature)))


def load_runs(
    paths: Sequence[str],
    ties: str,
    reading: options.Reading,
    output: Output,
    gathered: Gathered,
    skip_empty: bool = False,
) -> list[Run]:
    """Runs with their documents; the problems of all files are reported together.

    With `skip_empty` an empty file is left out with a note, unless all are empty.
    """
    ranked: list[Run] = []
    empty: list[Note] = []
    paths = expanded(paths)
    for path in progress(paths, paths):
        with gathered.keeping():
            try:
                several = read_runs(path, ties=ties, digest=output.digest, **reading.runs)
            except InputError as error:
                if not skip_empty or error.slug != "input-empty" or len(empty) + 1 == len(paths):
                    raise
                empty.append(Note("run-empty", f"{path} is empty and adds nothing to the pool"))
                continue
            ranked += several
            output.tell(*(f"read {run.source.describe()}: {run.source.path}" for run in several))
    gathered.stop_if_any()
    output.tell(*empty)
    return ranked
