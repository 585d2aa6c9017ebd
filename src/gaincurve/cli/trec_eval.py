"""gaincurve trec_eval."""

from __future__ import annotations

import getopt
from typing import NoReturn

import click

from gaincurve.cli.streams import say, write_out
from gaincurve.errors import GaincurveError
from gaincurve.io.like_trec_eval import Read, TrecEvalError, read_like_trec_eval
from gaincurve.io.threads import default_threads
from gaincurve.model.c_numbers import whole
from gaincurve.model.source import counted
from gaincurve.verbs.trec_eval import BadValues, Flags, lines_of, trec_eval

_SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
_LONG = {
    "help": "h", "version": "v", "query_eval_wanted": "q", "measure=": "m", "complete_rel_info_wanted": "c",
    "level_for_rel=": "l", "nosummary": "n", "Debug_level=": "D", "Judged_docs_only": "J", "Number_docs_in_coll=": "N",
    "Max_retrieved_per_topic=": "M", "Rel_info_format=": "R", "Results_format=": "T", "Output_old_results_format=": "o",
    "Zscore=": "Z", "like=": "like",
}  # fmt: skip
_FORMATS = {"R": "qrels", "T": "trec_results"}
_VERSIONS = {"9": 9, "9.0.8": 9, "10": 10, "10.0": 10}
NUMBERS = {9: "9.0.8", 10: "10.0"}
_SWITCHES = {"q": ("by_topic", True), "c": ("complete", True), "J": ("judged_only", True), "n": ("summary", False)}
_COUNTS = {"l": "level", "N": "documents", "M": "most"}


@click.command("trec_eval", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", metavar="[--like 9.0.8|10] [FLAGS] QRELS RUN", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, arguments: tuple[str, ...]) -> None:
    """Drop-in for trec_eval: same flags, same text, same exit codes.

    --like 9.0.8 (unless given) or 10 says which version; numbers differ between the two.

    \b
    -q        lines for every topic as well
    -m NAME   a measure of trec_eval, with parameters after a point (P.5,10), or a set: official (unless given),
              all_trec, set; repeatable
    -c        average over all judged topics, those missing from the run counting 0
    -n        no summary
    -l NUM    grades from NUM on are relevant (1 unless given)
    -M NUM    only the first NUM documents of each topic
    -J        judged documents only
    -N NUM    documents in the collection
    -h, -v    this help; the version imitated

    \b
    gaincurve trec_eval -q -m map -m P.5,10 qrels.txt bm25.run
    gaincurve trec_eval --like 10 -c -m all_trec qrels.txt bm25.run

    Exit codes: 0 fine, 1 a bad flag or measure, 2 a file that cannot be read, 4 a document listed twice (and, like 10,
    a topic missing from the run), 7 no topic in common. docs/agreement.md lists the differences on purpose.
    """
    flags, files = _flags(ctx, arguments)
    if len(files) != 2:
        _stop(ctx, 1, f"{counted(len(files), 'file')} where QRELS and RUN were expected; see gaincurve trec_eval -h")
    try:
        read = read_like_trec_eval(files[0], files[1], flags.version, flags.most, default_threads())
        lines_of(flags, read.judgments.scale)
    except (TrecEvalError, BadValues) as error:
        _stop(ctx, error.code, str(error))
    except GaincurveError as error:
        _stop(ctx, 2, str(error))
    _report(ctx, flags, read)


def _report(ctx: click.Context, flags: Flags, read: Read) -> None:
    if flags.version == 9 and not read.run.present.any():
        _stop(ctx, 7, "no topic of the run is in the qrels")
    report = trec_eval(read.run, flags, read.tag, read.stops)
    write_out(report.text.encode("utf-8", "surrogateescape"))
    if report.failed:
        _stop(ctx, 4, report.failed)


def _flags(ctx: click.Context, arguments: tuple[str, ...]) -> tuple[Flags, list[str]]:
    """The flags as getopt reads them: short ones combined, long ones abbreviated, files anywhere."""
    try:
        options, files = getopt.gnu_getopt(list(arguments), _SHORT, list(_LONG))
    except getopt.GetoptError as error:
        _stop(ctx, 1, f"{error}; see gaincurve trec_eval -h")
    short = {f"--{name.rstrip('=')}": letter for name, letter in _LONG.items()}
    given = [(short.get(option, option.lstrip("-")), value) for option, value in options]
    flags = Flags()
    for letter, value in given:
        if letter == "like":
            if value not in _VERSIONS:
                _stop(ctx, 1, f"--like cannot be {value!r}; use 9.0.8 or 10")
            flags.version = _VERSIONS[value]
    for letter, value in given:
        _set(ctx, flags, letter, value)
    if not flags.names:
        flags.ask("official")
    if any(letter == "h" for letter, _ in given):
        click.echo(ctx.get_help())
        ctx.exit(0)
    return flags, files


def _set(ctx: click.Context, flags: Flags, letter: str, value: str) -> None:
    if letter == "v":
        say(f"trec_eval version {NUMBERS[flags.version]} (as imitated by gaincurve)")
        ctx.exit(0)
    elif letter == "m" and not flags.ask(value):
        _stop(ctx, 1, f"illegal measure {value!r}")
    elif letter in _FORMATS and value != _FORMATS[letter]:
        _stop(ctx, 2, f"illegal format {value!r}: only {_FORMATS[letter]} is read")
    elif letter == "Z":
        _stop(ctx, 1, "-Z is not offered")
    elif letter in _SWITCHES:
        setattr(flags, *_SWITCHES[letter])
    elif letter in _COUNTS:
        setattr(flags, _COUNTS[letter], whole(value))


def _stop(ctx: click.Context, code: int, message: str) -> NoReturn:
    say(f"trec_eval: {message}")
    ctx.exit(code)
