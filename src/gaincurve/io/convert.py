"""Convert files between formats: what is written is read back, so that no id and no number changes on the way."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from gaincurve.errors import ChoiceError, InputError, Problem, nearest
from gaincurve.io.addresses import split_part
from gaincurve.io.content import content_of, packed_as, read_content
from gaincurve.io.formats.data import Data
from gaincurve.io.formats.opening import Opening
from gaincurve.io.formats.parquet import read_back, to_parquet
from gaincurve.io.formats.plain import PARQUET
from gaincurve.io.formats.record import Choices, Format, Part
from gaincurve.io.formats.registry import FORMATS, read_parts
from gaincurve.io.read import parts_of, read_parts_of, run_name
from gaincurve.io.results import write_whole
from gaincurve.model.columns import Given
from gaincurve.model.ids import encode
from gaincurve.model.judgments import Judgments
from gaincurve.model.rows import Rows
from gaincurve.model.run import Run
from gaincurve.model.source import Note, Source, counted, examples, shorten

WRITTEN = {format_.name: format_ for format_ in FORMATS if format_.write is not None} | {PARQUET.name: PARQUET}
"""What can be written, by name."""

_BY_SUFFIX = {
    ".csv": ("csv", "csv"),
    ".tsv": ("tsv", "tsv"),
    ".json": ("json", "json"),
    ".jsonl": ("jsonl", "jsonl"),
    ".parquet": ("parquet", "parquet"),
    ".qrels": ("trec-qrels", ""),
    ".run": ("", "trec-run"),
    ".trec": ("trec-qrels", "trec-run"),
    ".txt": ("trec-qrels", "trec-run"),
}
PACKINGS = (".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip")

_CARRIED: tuple[tuple[str, Callable[[Data], object], str], ...] = (
    (
        "scores",
        lambda data: data.kind == "run" and data.scored,
        "scores are not kept: only the order of the documents is",
    ),
    (
        "order",
        lambda data: data.kind == "run" and not data.scored,
        "there were no scores: they are made from the ranks, −1 for the first",
    ),
    ("strata", lambda data: data.sampled, "strata and probabilities of sampled judgments are not kept"),
    ("subtopics", lambda data: data.subtopics, "subtopics are not kept: a document has its highest grade"),
    ("empty", lambda data: data.empty, "topics without documents are not kept: an empty list becomes a missing one"),
    ("metadata", lambda data: data.header, "ir_metadata is not kept"),
)
"""What data may have beside topics, documents and values, and what is said where a format cannot hold it."""


@dataclass(frozen=True)
class Converted:
    """The bytes of a converted file, what was read, and what is to be said of it."""

    data: bytes
    format: Format
    source: Source
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Reading:
    """How the input is read; `kind` is judgments or run, or '' to find out."""

    kind: str = ""
    duplicates: str = "error"
    columns: Given | None = None
    grades_are_scores: bool = False
    judges: str = "error"
    subtopics: bool = False


def convert(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    to: str | None = None,
    *,
    kind: str = "",
    duplicates: str = "error",
    columns: Given | None = None,
    grades_are_scores: bool = False,
    judges: str = "error",
    subtopics: bool = False,
) -> Converted:
    """Convert a file of judgments or a run, and write it: in the format `to`, else by the suffix of `out`.

    `kind`, judgments or run, is needed where the content does not say. What could not be kept is in the notes.
    """
    reading = Reading(kind, duplicates, columns, grades_are_scores, judges, subtopics)
    done = converted(path, os.fspath(out), to, reading)
    write_whole(out, done.data)
    return done


def converted(path: str | os.PathLike[str], out: str, to: str | None, reading: Reading) -> Converted:
    """A file in another format: that named by `to`, else by the suffix of `out`. Nothing is written."""
    file = split_part(path)[0]
    wanted = None if to is None else _named(to)
    kind = reading.kind or ("" if wanted is None or wanted.holds == "both" else wanted.holds)
    thing = _read(path, kind, reading)
    kind = "judgments" if isinstance(thing, Judgments) else "run"
    data = Data.of_run(thing) if isinstance(thing, Run) else Data.of_judgments(thing)
    format_ = wanted or _by_suffix(out, data)
    if not format_.holds_a(kind):
        what = f"{file} holds {'judgments' if kind == 'judgments' else 'a run'}, and {format_.title} does not"
        raise ChoiceError(Problem("convert-format", what, hint=_choices(kind)))
    if data.origin is not None and format_.name != "trec-qrels":
        what = f"{format_.title} has no place for the mark that systems voted here, and nobody judged them"
        raise InputError(Problem("convert-lossy", what, file, "--to trec-qrels"))
    if "strata" in format_.carries and data.strata is None:
        raise ChoiceError(Problem("convert-format", f"{format_.title} needs strata, and {file} has none"))
    if format_ is PARQUET and _packing(out):
        what = f"Parquet is compressed within, and {out} would be compressed once more"
        raise ChoiceError(Problem("convert-format", what, hint=f"name it {out[: -len(_packing(out)) - 1]}"))
    text = to_parquet(data) if format_.write is None else encode(format_.write(data))
    _prove(text, data, format_)
    lost = [
        Note("not-kept", f"{out}: {about}") for what, has, about in _CARRIED if has(data) and what not in _of(format_)
    ]
    return Converted(packed_as(_packing(out), text, out), format_, thing.source, (*thing.notes, *lost))


def _of(format_: Format) -> frozenset[str]:
    """What a format carries; one with no place for scores keeps an order as it is."""
    return format_.carries | (frozenset() if "scores" in format_.carries else frozenset({"order"}))


def _read(path: str | os.PathLike[str], kind: str, reading: Reading) -> Judgments | Run:
    """The judgments or the one run in a file; where both could be meant, the user decides."""
    file, part = split_part(path)
    content = read_content(file) if file == "-" else None  # which can be read only once
    read: list[Judgments | Run] = []
    problems: list[InputError] = []
    for one in ("judgments", "run"):
        if kind not in ("", one):
            continue
        # ranks are read where the kind is not known: what is no number is no rank, and the file no run
        choices = Choices(one, not kind, reading.subtopics, reading.columns, part)
        try:
            parts = read_parts_of(path, choices, digest=True) if content is None else parts_of(content, choices)
            read.append(_one(parts, path, one, reading))
        except InputError as error:
            problems.append(error)
    if not read:
        swapped = ("judgments-look-like-run", "judgments-scores")
        raise problems[-1] if problems[0].slug in swapped else problems[0]
    if len(read) > 1:
        raise ChoiceError(Problem("convert-kind", f"{file} could be judgments or a run", file))
    return read[0]


def _one(parts: list[Part], path: str | os.PathLike[str], kind: str, reading: Reading) -> Judgments | Run:
    if kind == "judgments":
        return Judgments.from_rows(
            parts[0].rows,
            reading.duplicates,
            grades_are_scores=reading.grades_are_scores,
            judges=reading.judges,
        )
    if len(parts) > 1:
        address = os.fspath(path)
        names = examples([part.name for part in parts], 8)
        what, hint = f"{address} holds {len(parts)} runs: {names}", f"convert one at a time: {address}#{parts[0].name}"
        raise InputError(Problem("input-part", what, address, hint))
    return Run.from_rows(parts[0].rows, parts[0].name or run_name(path), duplicates=reading.duplicates)


def _named(name: str) -> Format:
    if name in WRITTEN:
        return WRITTEN[name]
    what = f"--to cannot be {name!r}{nearest(name, WRITTEN)}"
    raise ChoiceError(Problem("convert-format", what, hint=f"use one of: {', '.join(WRITTEN)}"))


def _by_suffix(out: str, data: Data) -> Format:
    stem, suffix = os.path.splitext(out)
    packed = suffix.lower()
    if packed in PACKINGS:
        suffix = os.path.splitext(stem)[1]
    names = _BY_SUFFIX.get(suffix.lower(), ("", ""))
    name = names[data.kind == "run"]
    if not name and packed == ".zip" and data.kind == "judgments":
        name = "quepid-book"
    if name == "trec-qrels" and data.strata is not None:
        name = "trec-strata"
    if not name:
        what = "standard output has no suffix" if out == "-" else f"the suffix of {out} names no format for this"
        raise ChoiceError(Problem("convert-format", what, hint=_choices(data.kind)))
    return WRITTEN[name]


def _choices(kind: str) -> str:
    return f"--to {', '.join(name for name, format_ in WRITTEN.items() if format_.holds_a(kind))}"


def _packing(out: str) -> str:
    suffix = os.path.splitext(out)[1].lower()
    return suffix[1:] if suffix in PACKINGS else ""


def _prove(text: bytes, data: Data, format_: Format) -> None:
    """Read the text back as any user would: the same topics, documents and values, or an error that says which not."""
    scores = "scores" in format_.carries
    try:
        part = _read_back(text, data.kind, format_)
    except InputError as error:
        first = error.problems[0]
        what = f"{format_.title} cannot carry this: {first.what}"
        raise InputError(Problem("convert-lossy", what, data.source.path, _other(data))) from None
    back = list(zip((part.topics[i] for i in part.topic.tolist()), part.documents, part.values.tolist(), strict=True))
    expected = data.rows if data.kind == "judgments" or scores else [(t, d, -float(r)) for t, d, r in data.ordered]
    if data.kind == "run" and not data.scored and "order" in format_.carries:
        expected = [(topic, document, -float(rank)) for topic, document, rank in data.ordered]
    if back != expected:
        lost = next((a for a, b in zip(expected, back, strict=False) if a != b), expected[-1])
        got = next((b for a, b in zip(expected, back, strict=False) if a != b), None)
        row = " ".join(shorten(repr(cell)) for cell in lost)
        came = (
            f"as {' '.join(shorten(repr(cell)) for cell in got)}"
            if got
            else f"not at all ({counted(len(back), 'row')})"
        )
        what = f"{format_.title} cannot carry {row}: it would be read {came}"
        raise InputError(Problem("convert-lossy", what, data.source.path, _other(data)))


def _read_back(text: bytes, kind: str, format_: Format) -> Rows:
    if format_ is PARQUET:
        return read_back(text, kind)
    return read_parts(Opening(content_of("what was written", text)), Choices(kind))[0].rows


def _other(data: Data) -> str:
    return "JSON carries every id: --to json" + ("" if data.kind == "judgments" else " or jsonl")
