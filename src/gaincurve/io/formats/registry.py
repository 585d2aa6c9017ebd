"""All formats, and the one place where a file is recognised by its content."""

from __future__ import annotations

from dataclasses import replace

from gaincurve.errors import InputError, Problem, near_key
from gaincurve.io.formats import engines, generation, letor, neural, plain, quepid, rre
from gaincurve.io.formats.columns import layout_of
from gaincurve.io.formats.opening import Opening, fields
from gaincurve.io.formats.record import Choices, Format, Part
from gaincurve.io.formats.shape import Fit, Pairs, fit
from gaincurve.model.columns import folded, split_columns
from gaincurve.model.source import shorten

OWN: tuple[Format, ...] = (
    *quepid.FORMATS, *rre.FORMATS, *engines.FORMATS, *generation.FORMATS, *neural.FORMATS, *letor.FORMATS
)  # fmt: skip
"""Formats of single tools, which are looked for first."""

FORMATS: tuple[Format, ...] = (*plain.FORMATS, *OWN)
"""Everything that is read as judgments or runs."""

NEAR = 0.5
"""A document that has this share of a shape's keys was probably meant to be one."""

SHAPED = tuple(format_ for format_ in OWN if format_.shape is not None)
_TRIED = ", ".join(format_.title for format_ in SHAPED)

SWAPPED = {"judgments": "judgments-look-like-run", "run": "run-looks-like-judgments"}


_BUT = ", but '"  # the message names a key that was probably meant

SURE = 0.75
"""With this share, and a key whose name is nearly the missing one, it surely was."""

_OF_SHAPE = ("input-json", "input-header")
"""What is said of JSON that has another shape than the plain ones."""

_OF_VALUES = ("input-id", "run-score", "judgments-grade", "run-rank")
"""What is said of single values, and of lists and objects that stand where a value should."""


def read_parts(opening: Opening, choices: Choices) -> list[Part]:
    """The runs in a content, or its judgments, in whatever format it is."""
    format_ = recognised(opening, choices)
    if format_ not in (plain.JSON, plain.JSON_LINES):
        return format_.read(opening, choices)
    engines.refuse_error(opening.value, opening.content.path)
    best, nearest = max(((_fit(shaped, opening), shaped) for shaped in SHAPED), key=lambda pair: pair[0].share)
    if best.share >= SURE and _BUT in best.missing and not choices.columns:
        raise InputError(_nearly(opening, nearest, best))
    try:
        return format_.read(opening, choices)
    except InputError as error:
        if error.slug not in _OF_SHAPE and not (error.slug in _OF_VALUES and _is_nested(opening.first_record)):
            raise
        if best.share >= NEAR and _BUT in best.missing:
            raise InputError([_nearly(opening, nearest, best), *error.problems], error.more) from None
        hint = f"shapes tried: {plain.JSON.about}, JSON lines; {_TRIED}"
        if best.share >= NEAR:
            hint = f"nearest is {nearest.title}: {best.missing}; {hint}"
        raise InputError([replace(p, hint=p.hint or hint) for p in error.problems], error.more) from None


def _is_nested(record: object) -> bool:
    """Whether lists or objects stand where a plain record, or a map of topics, has values."""
    entries = [value for _, value in record] if isinstance(record, Pairs) else []
    inner = [value for entry in entries if isinstance(entry, Pairs) for _, value in entry]
    return any(isinstance(value, list) for value in inner or entries)


def _nearly(opening: Opening, format_: Format, best: Fit) -> Problem:
    """What a document lacks to be in a format, with the shapes tried."""
    hint = f"that shape is {format_.example.strip()[:160]} …; also tried: {_TRIED}"
    return Problem("input-shape", f"nearly {format_.title}: {best.missing}", opening.content.path, hint)


def recognised(opening: Opening, choices: Choices) -> Format:
    """The format of a content; one that holds the other kind is refused."""
    named = [format_ for format_ in OWN if not choices.columns and _is(format_, opening)]
    if named:
        of_kind = [format_ for format_ in named if format_.holds_a(choices.kind)]
        if of_kind:
            return of_kind[0]
        what = f"{opening.content.path} is {named[0].title}, which holds {_holds(named[0])}"
        raise InputError(Problem(SWAPPED[choices.kind], what, opening.place))
    if opening.is_json:
        return plain.JSON_LINES if opening.is_lines else plain.JSON
    if opening.delimiter is not None:
        return plain.TABLES[opening.delimiter]
    _refuse_near_table(opening, choices)
    layout = layout_of(opening.content, choices.kind, split_columns(opening.line), opening.offset)
    return next(format_ for format_ in plain.TREC if format_.title == layout.title)


def _refuse_near_table(opening: Opening, choices: Choices) -> None:
    """Refuse a table of a known tool in which a column has another name."""
    names = [] if choices.columns else fields(opening.line, ",")
    for format_ in OWN:
        missing = [column for column in format_.columns if folded(column) not in map(folded, names)]
        near = {column: near_key(column, names) for column in missing}
        if format_.columns and len(missing) <= (1 - NEAR) * len(format_.columns) and any(near.values()):
            column, name = next(pair for pair in near.items() if pair[1])
            what = f"nearly {format_.title}: there is no column {column!r}, but {shorten(repr(name))}"
            hint = f"its columns are {','.join(format_.columns)}; others: --columns, gaincurve ls formats"
            raise InputError(Problem("input-shape", what, opening.place, hint))


def _holds(format_: Format) -> str:
    return "a run" if format_.holds == "run" else "judgments"


def _is(format_: Format, opening: Opening) -> bool:
    if format_.shape is not None:
        return opening.is_json and (_is_marked(format_, opening) or _fit(format_, opening).is_whole)
    if opening.is_json:
        return False
    if format_.header is not None:
        return "," in opening.line and format_.header(fields(opening.line, ","))
    return format_.line is not None and format_.line(opening.line)


def _is_marked(format_: Format, opening: Opening) -> bool:
    """Whether a key says what the document is: what else is wrong with it, its reader reports."""
    return (format_.records or not opening.is_lines) and not opening.keys.isdisjoint(format_.marks)


def _fit(format_: Format, opening: Opening) -> Fit:
    """How well the document, or its first record, fits the shape of a format."""
    if format_.shape is None or (opening.is_lines and not format_.records):
        return Fit(0, 1)
    return fit(opening.first_record if format_.records else opening.value, format_.shape)


_READ = {"judgments": "read judgments", "run": "read runs", "both": "read both"}

LISTED: tuple[tuple[str, str, str], ...] = (
    *((_READ[format_.holds], format_.title, format_.about) for format_ in FORMATS),
    (
        "read judgments",
        "BEIR folder",
        "its qrels/test.tsv, or FOLDER#dev; report takes queries.jsonl, corpus.jsonl",
    ),
    ("read both", "irds:ID", "judgments, or scored documents as a run, of a data set of ir_datasets"),
    ("read both", plain.PARQUET.title, plain.PARQUET.about),
    (
        "read efficiency",
        "JSON lines",
        '{"topic", "latency_ms"} for each measured query; once {"indexing_s", "index_bytes", '
        '"text_bytes"}, any of them; once {"queries", "wall_s", "threads"}',
    ),
    ("read all", "gz, bz2, xz, zst, lz4, zip", "any of the above, compressed; recognised by the first bytes"),
)
"""What can be read, for `gaincurve ls formats` and the documentation."""
